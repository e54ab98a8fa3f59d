// draw.mjs - pseudo-random numbers, the same in every run.
export function random(seed) {
  let s = 2166136261;
  for (const c of seed) s = Math.imul(s ^ c.charCodeAt(0), 16777619);
  // mulberry32
  const next = () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (n) => Math.floor(next() * n),
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

// The text with its k-th digit replaced by another.
export function otherDigit(text, draw) {
  const at = [...text.matchAll(/\d/g)].map((m) => m.index);
  const i = draw.pick(at);
  const d = (Number(text[i]) + 1 + draw.below(9)) % 10;
  return text.slice(0, i) + d + text.slice(i + 1);
}
