// Numbers of another run than the newest: marked where an author pins one, and
// found by the audit where somebody puts one into the output.
import { ABOUT, RUN_A, RUN_B, caseOfPost, pageOf } from "../site.mjs";
import { audit, found, shows } from "../expect.mjs";
import { editPage, forge, readPage } from "../output.mjs";

const PINNED = new RegExp(`data-state="superseded"[^>]*data-run="${RUN_A}"`);
const pinned = (name, page, path, change) => ({
  name: `pinned: ${name}`,
  expect: shows(page, PINNED),
  apply: (m) => m.repo.edit(path, change),
});
const says = (placeholder) =>
  pinned(placeholder, "about/index.html", ABOUT, (t) => `${t}\nIt is <<bench:${placeholder}>> so.\n`);
const block = (placeholder) =>
  pinned(placeholder, "about/index.html", ABOUT, (t) => `${t}\n<<bench:${placeholder}>>\n`);

// The k-th number of a page, said to be of the older run.
const other = (page, k, change) => ({
  name: `output: number ${k} of ${page} is of an older run`,
  expect: audit("unpicked"),
  apply(m) {
    const html = readPage(m, page);
    const at = [...html.matchAll(new RegExp(`<a class="num[^>]*data-run="${RUN_B}"[^>]*>`, "g"))];
    const tag = at[k % at.length];
    editPage(m, page, (t) => t.slice(0, tag.index) + change(tag[0]) + t.slice(tag.index + tag[0].length));
    forge(m);
  },
});
const olderRun = (tag) => tag.replace(RUN_B, RUN_A);
const olderPin = (tag) => tag.replace(/#[^"]*"/, `#run-${RUN_A}"`).replace(RUN_B, `${RUN_B}" data-n="bandwidth`);

// A value over cards that leaves out the slowest of them.
const fewerCards = {
  name: "output: a value over two of three cards",
  expect: found("unpicked", (m) => {
    const page = pageOf(caseOfPost);
    editPage(m, page, (t) => t.replace(/(data-cards=")\S*-000000c3 /, "$1"));
    forge(m);
  }),
  apply: (m) => m.repo.addCards(),
};

const run = RUN_A.slice(0, 8);
export default [
  fewerCards,
  says(`value transpose/tile rows=16384 run=${run}`),
  says(`value transpose/naive rows=4096 run=${run}`),
  says(`value transpose/padded rows=4096 metric=time run=${RUN_A}`),
  says(`ratio transpose/tile over=transpose/naive rows=16384 run=${run}`),
  says(`percent transpose/tile rows=16384 of=spec:hbm run=${run}`),
  says(`percent transpose/tile rows=16384 of=measured:stream/memcpy:rows=16384 run=${run}`),
  block(`table transpose/* rows=variant cols=rows run=${run}`),
  block(`ladder transpose/* rows=16384 run=${run}`),
  block(`samples transpose/tile run=${run} title="The processes agree"`),
  ...[0, 1, 2, 3, 5, 7].map((k) => other("posts/tiles/index.html", k, olderRun)),
  ...[0, 2].map((k) => other("kernels/transpose/index.html", k, olderRun)),
  ...[0, 4].map((k) => other("zh/posts/tiles/index.html", k, olderRun)),
  ...[0, 3].map((k) => other("posts/tiles/index.html", k, olderPin)),
  other("about/index.html", 0, olderRun),
];
