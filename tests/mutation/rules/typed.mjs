// Shares without a peak, peaks of another kind, units that do not fit.
import { ABOUT } from "../site.mjs";
import { refuse, shows } from "../expect.mjs";

const says = (name, placeholder) => ({
  name,
  expect: refuse("typed"),
  apply: (m) => m.repo.edit(ABOUT, (t) => `${t}\nIt is <<bench:${placeholder}>> so.\n`),
});
const percent = (of, more = "") => says(`percent of=${of} ${more}`, `percent transpose/tile rows=16384 of=${of} ${more}`);
const ratio = (text) => ({
  name: `a ratio of bandwidths: ${text}`,
  expect: refuse("typed"),
  apply: (m) => m.repo.edit(ABOUT, (t) => `${t}\n${text.replace("@", "<<bench:ratio transpose/naive over=transpose/tile rows=16384>>")}\n`),
});
/* A sentence that does not say what a ratio is of: the page does. */
const unnamed = (text, says) => ({
  name: `a ratio of what? ${text}`,
  expect: shows("about/index.html", says),
  apply(m) {
    m.repo.edit(ABOUT, (t) => `${t}\n${text.replace("@", "<<bench:ratio transpose/tile over=transpose/naive rows=16384>>")}\n`);
    m.repo.commit();
  },
});
const derived = (expression, unit) => says(`${expression} in ${unit}`, `derived "${expression}" unit=${unit}`);
const spec = (name, change) => ({
  name: `data sheet: ${name}`,
  expect: refuse("typed"),
  apply(m) {
    const all = JSON.parse(m.repo.read("data/specs/h200.json"));
    change(all);
    m.repo.write("data/specs/h200.json", JSON.stringify(all, null, "\t"));
  },
});
const find = (all, key) => all.specs.find((s) => s.key === key);

export default [
  says("percent of nothing", "percent transpose/tile rows=16384"),
  says("percent of nothing in a table's cell", "percent transpose/padded rows=4096"),
  ...["hbm", "spec", "spec:", "measured:", "peak:hbm", "theoretical:hbm", "bandwidth"].map((of) => percent(of)),
  percent("spec:tdp"),
  percent("spec:hbm", "metric=time"),
  percent("spec:hbm", "metric=throughput"),
  percent("spec:nosuch"),
  ...["B", "s", "FLOP/s", "×"].map((unit) => derived("spec:hbm * 2", unit)),
  derived("spec:hbm + spec:bf16", "B/s"),
  derived("spec:hbm / spec:hbm", "s"),
  derived("1 s + 1 B", "s"),
  says("a derivation without a unit", 'derived "spec:hbm * 2"'),
  spec("two of one key", (all) => all.specs.push({ ...find(all, "hbm"), value: 1e12, quote: "1 TB/s" })),
  spec("a unit that is none", (all) => (find(all, "hbm").unit = "GB/s")),
  percent("spec:memory"),
  ratio("It takes @ of the time."),
  ratio("It changes the time by a factor of only @."),
  ratio("It is faster by a factor of @."),
  unnamed("The factor is @ here.", /×(<[^>]*>)* in bandwidth here/),
  unnamed("This has no time. The factor is @. It is faster.", /×(<[^>]*>)* in bandwidth\. It is/),
  spec("nothing", (all) => (find(all, "hbm").value = 0)),
];
