// expect.mjs - the expected outcomes of a corruption; main.mjs explains each.
export const refuse = (id, text) => ({ how: "refuse", id, text });
export const mark = (state, id) => ({ how: "strict", state, id });
export const strict = (id) => ({ how: "strict", id });
export const audit = (id) => ({ how: "audit", id });
export const found = (id, edit) => ({ how: "found", id, edit });
export const shows = (page, text) => ({ how: "shows", page, text });
export const passes = () => ({ how: "passes" });
export const ignored = (id, text) => ({ how: "ignored", id, text });
