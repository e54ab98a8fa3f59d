// A translation that does not quote what its original quotes.
import { POST, POST_ZH } from "../site.mjs";
import { refuse } from "../expect.mjs";

const zh = (name, change) => ({ name, expect: refuse("bilingual"), apply: (m) => m.repo.edit(POST_ZH, change) });
const en = (name, change) => ({ name: `original: ${name}`, expect: refuse("bilingual"), apply: (m) => m.repo.edit(POST, change) });
const drop = (what) => (t) => t.replace(what, "");
const line = (start) => (t) => t.split("\n").filter((l) => !l.startsWith(start)).join("\n");

export default [
  zh("a value is missing", drop("<<bench:value transpose/naive rows=16384>>")),
  zh("a time is missing", drop("<<bench:value transpose/naive rows=16384 metric=time>>")),
  zh("a ratio is missing", drop("[它的 <<bench:ratio transpose/tile over=transpose/naive rows=16384>>](/about/)")),
  zh("a share is missing", drop("<<bench:percent transpose/tile of=spec:hbm rows=4096>>")),
  zh("a datasheet number is missing", drop("<<bench:spec hbm>>")),
  zh("a count is missing", drop("<<bench:count variants transpose/*>>")),
  zh("a derivation is missing", (t) => t.replace(/<<bench:derived[^>]*>>/, "")),
  zh("a ladder is missing", line("<<bench:ladder")),
  zh("a table is missing", line("<<bench:table")),
  zh("samples are missing", line("<<bench:samples")),
  zh("the source is missing", line("<<bench:source")),
  zh("a value more", (t) => t + "\n还有 <<bench:value transpose/padded rows=4096>>。\n"),
  zh("a ratio twice", (t) => t + "\n还有 <<bench:ratio transpose/tile over=transpose/naive rows=16384>>。\n"),
  zh("a table more", (t) => t + "\n<<bench:samples transpose/naive title=\"样本\">>\n"),
  zh("another size", (t) => t.replace("transpose/naive rows=16384>>", "transpose/naive rows=4096>>")),
  zh("another variant", (t) => t.replace("value transpose/naive rows=16384>>", "value transpose/padded rows=16384>>")),
  zh("another metric", (t) => t.replace("rows=16384 metric=time", "rows=16384 metric=bandwidth")),
  zh("another peak", (t) => t.replace("of=measured:stream/memcpy:rows=16384 rows=16384", "of=spec:hbm rows=16384")),
  zh("a ratio the other way round", (t) => t.replace("transpose/tile over=transpose/naive", "transpose/naive over=transpose/tile")),
  zh("another number in the title", (t) => t.replace("标题", "标题 <<bench:value transpose/naive rows=4096>>")),
  zh("no source", (t) => t.replace(/source: .*\n/, "")),
  en("a value more", (t) => t + "\nAnd <<bench:value transpose/padded rows=4096>>.\n"),
  en("a value less", (t) => t.replace("**<<bench:value transpose/naive rows=16384>>**", "a lot")),
];
