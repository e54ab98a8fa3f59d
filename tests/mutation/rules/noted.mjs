// Digits that change at an address that was published, though nothing was
// measured again; and a log of what was published that does not only grow.
import { rmSync, readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { otherDigit } from "../draw.mjs";
import { ABOUT, closedPart, closeLog, FAMILY, HOME, LOG, RUN_A, RUN_B, RUN_C } from "../site.mjs";
import { refuse, mark, strict as strictly } from "../expect.mjs";

const lines = (text) => text.trimEnd().split("\n");
const joined = (list) => list.join("\n") + "\n";

const committed = (name, change) => ({
  name: `committed: ${name}`,
  expect: refuse("noted"),
  apply(m) {
    m.repo.edit(LOG, (t) => change(t, m));
    m.repo.commit();
  },
});
const edited = (name, change) => ({
  name: `work tree: ${name}`,
  expect: refuse("noted"),
  apply: (m) => m.repo.edit(LOG, (t) => change(t, m)),
});
// A data sheet's figure is another one, and nobody said why.
const sheet = (name, factor, key = "hbm") => ({
  name: `data sheet: ${name}`,
  expect: refuse("noted"),
  apply(m) {
    const path = "data/specs/h200.json";
    const all = JSON.parse(m.repo.read(path));
    const s = all.specs.find((x) => x.key === key);
    s.value *= factor;
    s.quote = `${Number((s.value / 1e12).toPrecision(12))} T${s.unit}`;
    m.repo.write(path, JSON.stringify(all, null, "\t"));
    m.repo.commit();
  },
});
// The same, told at a source that is no post.
const told = (name, factor, path) => ({
  ...sheet(name, factor),
  expect: refuse("noted", new RegExp(`^site-gen: ${path}:\\d+:\\d+: .* was published as`, "m")),
});
const strict = (name, apply) => ({ name, expect: mark("ok", "noted"), apply });

// A line of a measured number with its text changed, as if that had been published.
const textOf = (k) => (t, m) => {
  const all = lines(t);
  const at = all.map((l, i) => i).filter((i) => /"text":"[\d.]/.test(all[i]));
  const i = at[k % at.length];
  all[i] = all[i].replace(/"text":"([^"]*)"/, (_, x) => `"text":"${otherDigit(x, m.draw)}"`);
  return joined(all);
};

// The log says that a run once showed something else, and then that it shows what it does: each
// with a reason, so that the last line is right.
const lie = (name, of, change) => ({
  name: `a lie with a reason: ${name}`,
  expect: strictly("noted"),
  apply(m) {
    const all = lines(m.repo.read(LOG)).slice(1).map((l) => JSON.parse(l));
    const was = all.find((l) => l.text && of(l));
    const said = { ...was, was: was.text, reason: "so it was" };
    change(said, m, all);
    const mended = { ...was, was: said.text, reason: "a slip" };
    m.repo.edit(LOG, (t) => t + joined([said, mended].map((l) => JSON.stringify(l))));
    m.repo.commit();
  },
});
const measured = (l) => l.run && / (bandwidth|time)$/.test(l.number);
const numbered = (word) => (l) => l.number.includes(word) && l.run;

// In two closed parts and an open one, all of them committed.
const PARTS = [5, 4];
const inflated = (r, n) => gunzipSync(readFileSync(r.path(closedPart(n)))).toString();
const pack = (r, n, text, options) => r.write(closedPart(n), gzipSync(text, options));
const parts = (name, file, apply) => ({
  name: `closed parts: ${name}`,
  expect: refuse("noted", new RegExp(`^site-gen: ${file.replaceAll(".", "\\.")}: `, "m")),
  apply(m) {
    PARTS.forEach((n, i) => closeLog(m.repo, i + 1, n));
    m.repo.commit();
    apply(m.repo, m);
  },
});
const packed = (name, n, change) =>
  parts(name, closedPart(n), (r, m) => {
    pack(r, n, change(inflated(r, n), m));
    r.commit();
  });
// While a part is closed, something happens to its lines.
const closing = (name, apply) => ({
  name: `closing: ${name}`,
  expect: refuse("noted"),
  apply(m) {
    apply(m.repo, lines(m.repo.read(LOG)), (n, list) => pack(m.repo, n, joined(list)));
    m.repo.commit();
  },
});

export default [
  ...[1, 2].map((n) => packed(`a byte of part ${n}`, n, (t) => t.replace('"noted":"2026', '"noted":"2025'))),
  packed("another text", 1, textOf(1)),
  packed("a line less", 2, (t) => joined(lines(t).slice(0, -1))),
  packed("a line more", 2, (t) => t + lines(t)[0] + "\n"),
  packed("two lines change places", 2, (t) => joined([lines(t)[1], lines(t)[0], ...lines(t).slice(2)])),
  packed("empty", 2, () => ""),
  parts("the same lines, packed otherwise", closedPart(1), (r) => {
    pack(r, 1, inflated(r, 1), { level: 1, memLevel: 1 });
    r.commit();
  }),
  parts("no gzip", closedPart(2), (r) => {
    r.write(closedPart(2), inflated(r, 2));
    r.commit();
  }),
  ...[1, 2].map((n) =>
    parts(`part ${n} is removed`, closedPart(n), (r) => {
      r.git("rm", "-q", closedPart(n));
      r.commit();
    })),
  parts("changed, and changed back", closedPart(1), (r) => {
    const was = readFileSync(r.path(closedPart(1)));
    pack(r, 1, inflated(r, 1) + lines(inflated(r, 2))[0] + "\n");
    r.commit();
    r.write(closedPart(1), was);
    r.commit();
  }),
  parts("opened again", closedPart(2), (r) => {
    r.write(LOG, inflated(r, 2) + r.read(LOG));
    rmSync(r.path(closedPart(2)));
    r.commit();
  }),
  parts("a line moves from the open part to a closed one", closedPart(2), (r) => {
    const [first, ...rest] = lines(r.read(LOG));
    pack(r, 2, `${inflated(r, 2)}${first}\n`);
    r.write(LOG, joined(rest));
    r.commit();
  }),
  parts("a line moves from a closed part to the open one", closedPart(2), (r) => {
    const list = lines(inflated(r, 2));
    pack(r, 2, joined(list.slice(0, -1)));
    r.write(LOG, `${list.at(-1)}\n${r.read(LOG)}`);
    r.commit();
  }),
  parts("a line moves from part to part", closedPart(1), (r) => {
    const [first, ...rest] = lines(inflated(r, 2));
    pack(r, 1, `${inflated(r, 1)}${first}\n`);
    pack(r, 2, joined(rest));
    r.commit();
  }),
  parts("the open part loses a line", LOG, (r) => {
    r.edit(LOG, (t) => joined(lines(t).slice(1)));
    r.commit();
  }),
  parts("the open part is removed", LOG, (r) => {
    r.git("rm", "-q", LOG);
    r.commit();
  }),
  parts("a number is left out", closedPart(4), (r) => pack(r, 4, r.read(LOG))),
  parts("work tree: a byte", closedPart(2), (r) => pack(r, 2, inflated(r, 2).replace('"noted":"2026', '"noted":"2025'))),
  parts("work tree: a new part with another line", closedPart(3), (r, m) => {
    pack(r, 3, textOf(0)(r.read(LOG), m));
    r.write(LOG, "");
  }),
  parts("work tree: a new part with a line that waits for a commit", closedPart(3), (r) => {
    pack(r, 3, r.read(LOG) + lines(r.read(LOG))[0] + "\n");
    r.write(LOG, "");
  }),
  parts("work tree: a new part, and a line is gone", LOG, (r) => {
    pack(r, 3, joined(lines(r.read(LOG)).slice(0, -1)));
    r.write(LOG, "");
  }),
  closing("a line is lost", (r, l, write) => {
    write(1, l.slice(0, 5));
    r.write(LOG, joined(l.slice(6)));
  }),
  closing("a byte", (r, l, write) => {
    write(1, [l[0], l[1].replace('"noted":"2026', '"noted":"2025'), ...l.slice(2)]);
    r.write(LOG, "");
  }),
  closing("parts in the other order", (r, l, write) => {
    write(1, l.slice(5));
    write(2, l.slice(0, 5));
    r.write(LOG, "");
  }),
  closing("the open part alone is committed", (r) => r.write(LOG, "")),
  lie("a value", measured, (l) => (l.value *= 1.001)),
  lie("a text", measured, (l, m) => (l.text = otherDigit(l.text, m.draw))),
  lie("a wider interval", measured, (l) => Object.assign(l, { lo: l.value * 0.999, hi: l.value * 1.001 })),
  lie("an interval on one side", measured, (l) => Object.assign(l, { lo: l.value, hi: l.value * 1.01 })),
  lie("another run's value", measured, (l) => (l.run = l.run === RUN_B ? RUN_A : RUN_B)),
  lie("a run that there is not", measured, (l) => (l.run = RUN_C)),
  lie("another formatter", measured, (l) => (l.format = "99")),
  lie("a ratio", numbered(" over "), (l) => (l.value *= 0.99)),
  lie("a ratio over another run", numbered(" over "), (l) => (l.over_run = RUN_A)),
  lie("a share of a peak", numbered(" of spec:"), (l) => (l.lo *= 0.999)),
  lie("a figure of a data sheet", (l) => l.number.startsWith("spec "), (l) => (l.value *= 2)),
  ...[0, 3, 6, 9].map((k) => committed(`another text in number ${k}`, textOf(k))),
  committed("the first line is gone", (t) => joined(lines(t).slice(1))),
  committed("the last line is gone", (t) => joined(lines(t).slice(0, -1))),
  committed("a line in the middle is gone", (t) => joined(lines(t).filter((_, i) => i !== 4))),
  committed("two lines change places", (t) => {
    const l = lines(t);
    return joined([l[0], l[2], l[1], ...l.slice(3)]);
  }),
  committed("empty", () => ""),
  committed("a date", (t) => t.replace(/"noted":"2026/, '"noted":"2025')),
  ...["2099-12-31", "2026-02-29", "soon"].map((date) =>
    edited(`a line more, dated ${date}`, (t) => t + JSON.stringify({ ...JSON.parse(lines(t).at(-1)), noted: date }) + "\n")),
  committed("a run", (t) => t.replace("0000000b", "0000000a")),
  {
    name: "committed: removed",
    expect: refuse("noted"),
    apply(m) {
      m.repo.git("rm", "-q", LOG);
      m.repo.commit();
    },
  },
  {
    name: "committed: changed, and changed back",
    expect: refuse("noted"),
    apply(m) {
      const was = m.repo.read(LOG);
      m.repo.edit(LOG, (t) => joined(lines(t).slice(0, 3)));
      m.repo.commit();
      m.repo.write(LOG, was);
      m.repo.commit();
    },
  },
  ...[1, 5].map((k) => edited(`another text in number ${k}`, textOf(k))),
  edited("a line less", (t) => joined(lines(t).slice(0, -2))),
  edited("a line put in front", (t) => lines(t)[0] + "\n" + t),
  sheet("a tenth more", 1.1),
  sheet("a thousandth less", 0.999),
  sheet("twice", 2),
  told("told in the text of a family", 0.9, FAMILY),
  told("told on the home page", 1.01, HOME),
  strict("a new number in the text of a family that is not noted", (m) => {
    m.repo.edit(FAMILY, (t) => `${t}\nAnd <<bench:value transpose/naive rows=16384>>.\n`);
    m.repo.commit();
  }),
  strict("goals that are gone and not noted", (m) => {
    m.repo.edit(FAMILY, (t) => t.replace(/^- .*\n/gm, ""));
    m.repo.commit();
  }),
  strict("a number of the home page that is gone and not noted", (m) => {
    m.repo.edit(HOME, (t) => t.replace(/Here .*/, "Words."));
    m.repo.commit();
  }),
  strict("a new run that is not noted", (m) => {
    m.repo.addRun(RUN_C, m.repo.measured(), { slower: 1.01 });
    m.repo.commit();
  }),
  strict("a new number that is not noted", (m) => {
    m.repo.edit(ABOUT, (t) => `${t}\nAnd <<bench:value transpose/naive rows=4096>>.\n`);
    m.repo.commit();
  }),
  strict("a number that is gone and not noted", (m) => {
    m.repo.edit(ABOUT, (t) => t.replace(/, with one number.*/, "."));
    m.repo.commit();
  }),
];
