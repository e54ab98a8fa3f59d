// Digits that change at an address that was published, though nothing was
// measured again; and a log of what was published that does not only grow.
import { otherDigit } from "../draw.mjs";
import { ABOUT, FAMILY, HOME, RUN_A, RUN_B, RUN_C } from "../site.mjs";
import { refuse, mark, strict as strictly } from "../expect.mjs";

const LOG = "data/published.jsonl";
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

export default [
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
