// Performance numbers typed by hand, everywhere text can be; digits edited in
// the output by somebody who also mends the manifest.
import { otherDigit } from "../draw.mjs";
import { ABOUT, POST, POST_ZH } from "../site.mjs";
import { audit, found, refuse } from "../expect.mjs";
import { editPage, forge, readPage } from "../output.mjs";

const typed = (name, path, change) => ({
  name: `typed: ${name}`,
  expect: refuse("traced"),
  apply: (m) => m.repo.edit(path, change),
});
const prose = (text) => typed(text, ABOUT, (t) => `${t}\n${text}\n`);
const chinese = (text) => typed(text, POST_ZH, (t) => t.replace("朴素版本", `${text}朴素版本`));

// The k-th match of a pattern on a page, with a digit of its first group changed.
function editMatch(m, path, pattern, keep) {
  const html = readPage(m, path);
  const at = m.draw.pick([...html.matchAll(pattern)].filter((x) => /\d/.test(x[1]) && keep(x[1])));
  const from = at.index + at[0].lastIndexOf(at[1]);
  editPage(m, path, (t) => t.slice(0, from) + otherDigit(at[1], m.draw) + t.slice(from + at[1].length));
  forge(m);
}
const digit = (name, path, pattern, keep = () => true) => ({
  name: `output: ${name} on ${path}`,
  expect: audit("traced"),
  apply: (m) => editMatch(m, path, pattern, keep),
});
const edit = (name, path, change) => ({
  name: `output: ${name}`,
  expect: audit("traced"),
  apply(m) {
    editPage(m, path, (t) => change(t, m));
    forge(m);
  },
});

// The same with records that the good site lacks: of three cards, or of another device.
const after = (name, prepare, change) => ({
  name: `output: ${name}`,
  expect: found("traced", change),
  apply: (m) => prepare(m.repo),
});
const overCards = (name, path, pattern) =>
  after(name, (r) => r.addCards(), (m) => editMatch(m, path, pattern, () => true));
const ofDevices = (name, change) =>
  after(name, (r) => r.addDevice(), (m) => {
    editPage(m, POST_HTML, (t) => change(t, m));
    forge(m);
  });

const POST_HTML = "posts/tiles/index.html";
const ZH = "zh/posts/tiles/index.html";
const NUMBER = /<a class="num(?: ratio| percent)?"[^>]*>([^<]+)</g;
const TITLE = /<a class="num[^>]*title="[^"]*: ([^";]+);/g;
const DATA_CI = /<a class="num[^>]*data-ci="([^"]+)"/g;
const CI = /<span class="ci">([^<]+)</g;
const SPEC = /<a class="num spec"[^>]*>([^<]+)</g;
const DERIVED = /<a class="num derived"[^>]*>([^<]+)</g;
const DERIVED_TITLE = /<a class="num derived"[^>]*title="[^"]*: ([^";]+);/g;
const DERIVED_CI = /<a class="num derived"[^>]*data-ci="([^"]*)"/g;
const DERIVED_RUNS = /<a class="num derived"[^>]*data-runs="([^"]*)"/g;
const FACT = /<span class="num (?:derived|count)"[^>]*>([^<]+)</g;

const NUMBER_OF = "numbers/h200/transpose-tile-rows-16384-cols-16384-dtype-f32-cache-cold";
const NUMBER_JSON = `${NUMBER_OF}/number.json`, NUMBER_PAGE = `${NUMBER_OF}/index.html`;
// The value of a member of the k-th number, one digit changed.
const json = (path, member) =>
  digit(`'${member}'`, path, member === "text" || member === "interval"
    ? new RegExp(`"${member}":"([^"]*\\d[^"]*)"`, "g")
    : new RegExp(`"${member}":([\\d.]{6,10})\\d`, "g"));

export default [
  prose("The kernel takes 3.5 ms."),
  prose("It moves 4.1 TB/s."),
  prose("It is 2.3x faster than before."),
  prose("It reaches 85 % of the peak."),
  prose("It is twice as fast as the library."),
  prose("The tile halves the time."),
  prose("That costs 12 pJ per byte."),
  prose("It sustains 700 GFLOP/s."),
  prose("- It took 900 µs in all."),
  prose("> It took three microseconds."),
  prose("## Now 1.8× faster"),
  prose("| what | time |\n|---|---|\n| tile | 3.5 ms |"),
  prose("![A kernel at 3 TB/s](/static/tile.svg)"),
  prose('![tiles](/static/tile.svg "reaches 3 TB/s")'),
  prose("[it reaches 3 TB/s](/about/)"),
  prose("**2.5 times** as fast as before"),
  prose("Text.[^n]\n\n[^n]: It takes 4 ms."),
  prose("> [!TIP]\n> This is 40 % faster."),
  chinese("这个内核用了 3.5 毫秒。"),
  chinese("它比之前快一倍。"),
  chinese("达到峰值的 85%。"),
  chinese("带宽是 3 TB/s。"),
  chinese("速度提高了两倍。"),
  typed("the title", ABOUT, (t) => t.replace("About", "3 times faster")),
  typed("the description", ABOUT, (t) => t.replace(/^description: .*$/m, "description: It is 2x faster.")),
  typed("the description of a post", POST, (t) => t.replace("step, told", "step, 3 TB/s, told")),
  typed("a series", POST, (t) => t.replace("tags:", "series: 2x faster\ntags:")),
  typed("the site's description", "content/site.lua", (t) => t.replace("published by every rule", "2x faster")),
  typed("a link of the navigation", "content/site.lua", (t) => t.replace('title = "About"', 'title = "3 TB/s"')),
  typed("a template", "templates/base.html", (t) => t.replace("</main>", "<p>It takes 3 ms.</p></main>")),
  typed("a word of the interface", "templates/words.lua", (t) => t.replace(/= "[^"]*"/, '= "2x faster"')),
  typed("a datasheet number without a source", "data/specs/h200.json", (t) => {
    const all = JSON.parse(t);
    all.specs[0].source = "nowhere";
    return JSON.stringify(all);
  }),
  ...[1, 2, 3, 4].map(() => digit("a number", POST_HTML, NUMBER)),
  ...[ZH, "about/index.html", "kernels/transpose/index.html", "feed.xml"].map((p) =>
    p === "feed.xml"
      ? digit("a number of a post", p, /(\d+\.\d+)\s[TG]B\/s/g)
      : digit("a number", p, NUMBER)),
  ...[1, 2].map(() => digit("a title", POST_HTML, TITLE)),
  ...[1, 2].map(() => digit("the interval shown on demand", POST_HTML, DATA_CI)),
  ...[1, 2].map(() => digit("an interval", POST_HTML, CI)),
  digit("a datasheet number", POST_HTML, SPEC),
  digit("a derivation or a count", POST_HTML, FACT),
  digit("a derivation from measured numbers", POST_HTML, DERIVED),
  digit("its numbers in the title", POST_HTML, DERIVED_TITLE),
  digit("its run", POST_HTML, DERIVED_RUNS),
  digit("its interval on demand", POST_HTML, DERIVED_CI),
  edit("another metric in its address", POST_HTML, (t) => t.replace(/(<a class="num derived" href="[^"#]*#)time/, "$1bandwidth")),
  edit("its address at an element that is no link", POST_HTML, (t) => t.replace(/<a (class="num derived"[^>]*>[^<]*)<\/a>/, "<span $1</span>")),
  edit("its state", POST_HTML, (t) => t.replace(/(<a class="num derived"[^>]*data-state=")[^"]*/, "$1superseded")),
  edit("its title", POST_HTML, (t) => t.replace(/(<a class="num derived"[^>]*?) title="[^"]*"/, "$1")),
  edit("its unit in JSON", "posts/tiles/numbers.json", (t) => t.replace(/("key":"derived [^"]*\[[^"]*"[^}]*"unit":")s"/, '$1J"')),
  edit("its state in JSON", "posts/tiles/numbers.json", (t) => t.replace(/("key":"derived [^"]*\[[^"]*"[^}]*"state":")[^"]*/, "$1superseded")),
  digit("a number", ZH, FACT),
  ...["value", "low", "high"].map((k) => json("posts/tiles/numbers.json", k)),
  ...["value", "text", "interval"].map((k) => json(NUMBER_JSON, k)),
  edit("a raw sample in JSON", NUMBER_JSON, (t) => t.replace(/("sample_ns":\[)(\d+)/, (_, a, n) => a + (Number(n) + 1))),
  // one of its first digits: the audit allows for rounding at the thirteenth
  ...[1, 2].map(() => digit("a number", "posts/tiles/ladder-transpose-rows-16384.csv", /,([\d.]{10})[\d.]*(?=,)/g)),
  ...["interval", "time", "samples", "between", "launches"].map((k) =>
    digit(`exact values: ${k}`, POST_HTML, new RegExp(`<td class="right exact-${k}"[^>]*>([^<]+)<`, "g"))),
  ...[1, 2].map(() => digit("a point's title", "kernels/transpose/index.html", /<title>[^<]*: ([^<]+)<\/title><circle/g)),
  digit("a point's label", "kernels/transpose/index.html", /<text class="value"[^>]*>([^<]+)</g),
  edit("a number's unit", POST_HTML, (t) => t.replace(/(<a class="num"[^>]*>[\d.]+\u00a0)GB\/s|(<a class="num"[^>]*>[\d.]+\u00a0)TB\/s/, "$1$2PB/s")),
  edit("another case's address", POST_HTML, (t) => t.replace(/(<a class="num" href="[^"]*)transpose-tile/, "$1transpose-naive")),
  edit("a number without its address", POST_HTML, (t) => t.replace(/<a class="num" href="[^"]*"/, '<a class="num" href="/about/"')),
  overCards("a value over cards", NUMBER_PAGE, /<a class="num"[^>]*data-cards[^>]*>([^<]+)</g),
  overCards("the interval over cards", NUMBER_PAGE, /data-cards[^>]*>[^<]*<\/a><span[^>]*>[^<]*<\/span> <span class="ci">([^<]+)</g),
  overCards("how many cards a value is over", NUMBER_PAGE, /\(over (\d) cards\)/g),
  ofDevices("the numbers of two devices changed places", (t) =>
    t.replace(/(<span class="dev dev-1" data-device=")h200(">.*?<span class="dev dev-2" data-device=")h100-80gb-hbm3"/s, '$1h100-80gb-hbm3$2h200"')),
  ofDevices("a digit of the device that is not shown at first", (t, m) =>
    t.replace(/(<span class="dev dev-2"[^>]*><a class="num[^>]*>\d*)(\d)/, (_, a, n) => a + otherDigit(n, m.draw))),
  typed("a native post", "content/posts/old.md", (t) => t.replace(/^imported: .*\n/m, "")),
  typed("a post that shows records and says that it was imported", POST, (t) =>
    t.replace("tags:", "imported: old.md\ntags:").replace(/$/, "\nIt takes 3.5 ms.\n")),
  typed("an imported post that gains a number of a record", "content/posts/old.md", (t) =>
    `${t}\nNow it reaches <<bench:value transpose/tile rows=4096>>.\n`),
  edit("the note of an imported post", "posts/old/index.html", (t) => t.replace(/<p class="imported.*?<\/p>/s, "")),
  edit("a native post with the note of an imported one", POST_HTML, (t) =>
    t.replace("</article>", '<p>It takes 7.77 ms.</p><p class="imported">This post came from elsewhere.</p></article>')),
  edit("a number of an imported post, changed", "posts/index.html", (t) => t.replace("3.5 ms", "7.77 ms")),
  edit("an unclosed element", POST_HTML, (t) => t.replace("</article>", "")),
  edit("a number in a link's text", POST_HTML, (t) => t.replace(/(<a href="\/about\/">)(\d)/, (_, a, d) => a + ((+d + 3) % 10))),
  edit("a typed number in the prose", "about/index.html", (t) => t.replace("A page of plain words", "It is 3 times faster, at 4 TB/s")),
  edit("a typed number in the Chinese prose", ZH, (t) => t.replace("朴素版本", "快 3 倍的版本")),
];
