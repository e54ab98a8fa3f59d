// Numbers of another harness: marked wherever they stand, in no ratio with another record, and
// nothing of a record may hide whose they are.
import { foreignCase } from "../record.mjs";
import { FOREIGN, POST, POST_ZH, RUN_B, blobId, pageOf } from "../site.mjs";
import { found, mark, passes, refuse, shows } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

// A line at the end of the post and of its translation.
const say = (r, text) => {
  const before = blobId(r.read(POST));
  r.edit(POST, (t) => `${t}\n${text}\n`);
  r.edit(POST_ZH, (t) => t.replace(before, blobId(r.read(POST))) + `\n${text}\n`);
};
const VALUE = "It takes <<bench:value hyperfine-sort/quick>>.";
const row = (name, text, expect, options) => ({
  name,
  expect,
  apply(m) {
    m.repo.addForeign(options);
    say(m.repo, text);
    m.repo.commit();
  },
});
const refused = (name, text) => row(name, text, refuse("native"));
const OURS = "transpose/tile:rows=16384,dtype=f32,cache=cold", THEIRS = "hyperfine-sort/quick";
const PINNED = `${OURS},run=${RUN_B}`;

// The post shows a number of another harness; then its page loses what says so.
const FOREIGN_NUMBER = /(<a class="num"[^>]*)data-state="foreign"([^>]*>[^<]*)<sup class="mark" data-state="foreign">[^<]*<\/sup>/;
const shown = (name, path, change) => row(`output: ${name}`, VALUE, found("native", (m) => {
  editPage(m, path, change);
  forge(m);
}));
const page = "posts/tiles/index.html", own = pageOf(foreignCase("quick"));
// A record that was given another class is no record: nothing is published.
const disguised = (name, options) => ({
  name: `record: ${name}`,
  expect: refuse("whole"),
  apply(m) {
    m.repo.addForeign(options);
    m.repo.commit();
  },
});

export default [
  row("a number in a sentence", VALUE, mark("foreign")),
  row("in a table", "<<bench:table hyperfine-sort/* rows=variant cols=n>>", mark("foreign")),
  row("in a ladder", "<<bench:ladder hyperfine-sort/*>>", mark("foreign")),
  row("in a plot", '<<bench:plot hyperfine-sort/* program=bar title="One is slow">>', mark("foreign")),
  row("its page names the harness", VALUE, shows(own, "hyperfine")),
  row("its page says that nothing was checked", VALUE, shows(own, "nothing was checked here")),
  row("its page says what its author checked", VALUE, shows(own, "its author says of the check: sort -c"), {
    head: (was) => ({ ...was, foreign: { ...was.foreign, checked: "sort -c" } }),
  }),
  row("a ratio within the record", "It is <<bench:ratio hyperfine-sort/slow over=hyperfine-sort/quick>> as long.", mark("foreign")),
  row("'*' does not find it", "<<bench:table * rows=variant cols=rows metric=time>>", shows(page, /^(?![^]*foreign)/)),
  refused("a ratio over ours", `It is <<bench:ratio ${THEIRS} metric=time over=${OURS}>>.`),
  refused("a ratio over ours, pinned", `It is <<bench:ratio ${THEIRS} metric=time over=${PINNED}>>.`),
  refused("a ratio of ours over it", `It is <<bench:ratio ${OURS} metric=time over=${THEIRS}:n=4,dtype=unknown,cache=unknown,run=${FOREIGN}>>.`),
  refused("a claim against ours", `<<bench:claim ${THEIRS} time < ${PINNED}>>It is short<</bench:claim>>.`),
  refused("a claim of ours against it", `<<bench:claim ${OURS} time < ${THEIRS}:n=4,dtype=unknown,cache=unknown,run=${FOREIGN}>>It is short<</bench:claim>>.`),
  row("a claim without an interval", `<<bench:claim ${THEIRS} time < 5 ms>>It is short<</bench:claim>>.`, refuse("native"), {
    lines: (l) => l.filter((x) => !x.includes('"launch"') || /"i":(0|10),/.test(x)),
  }),
  shown("no state and no mark", page, (t) => t.replace(FOREIGN_NUMBER, '$1data-state="ok"$2')),
  shown("the state alone", page, (t) => t.replace(/<sup class="mark" data-state="foreign">[^<]*<\/sup>/, "")),
  shown("the mark alone", page, (t) => t.replace(FOREIGN_NUMBER, '$1data-state="ok"$2<sup class="mark" data-state="foreign">other harness</sup>')),
  shown("marked as another state", page, (t) => t.replace(/data-state="foreign"/, 'data-state="superseded"')),
  shown("its own page without the mark", own, (t) => t.replace(FOREIGN_NUMBER, '$1data-state="ok"$2')),
  row("output: a number of ours as one of theirs", VALUE, found("fresh", (m) => {
    editPage(m, page, (t) => t.replace('data-state="ok"', 'data-state="foreign"'));
    forge(m);
  })),
  disguised("as of the runner", { head: (was) => ({ ...was, schema: "ridgepoint-run/2.3" }) }),
  disguised("without its harness", { head: ({ foreign, ...rest }) => (void foreign, rest) }),
  disguised("of a harness that nobody knows", { head: (was) => ({ ...was, foreign: { ...was.foreign, harness: "stopwatch" } }) }),
  disguised("with another file", { lines: (l) => l.map((x) => x.replace("SYNTHETIC\\\"]", "another\\\"]")) }),
  disguised("with a cost model", { one: (was) => ({ ...was, model: { ...was.model, bytes_read: 4096 } }) }),
  disguised("as a kernel's family", { lines: (l) => l.map((x) => x.replaceAll("hyperfine-sort", "transpose")) }),
  {
    name: "a number of another harness passes --strict and the audit",
    expect: passes(),
    apply(m) {
      m.repo.addForeign();
      m.repo.commit();
    },
  },
];
