// What was measured is not what HEAD has: marked as stale, refused under --strict.
import { renameSync } from "node:fs";
import { VARIANTS, sourceOf } from "../record.mjs";
import {
  COUNTED, COUNTED_STALE, POST, POST_ZH, blobId, caseOfPost, pageOf, sourceOfPost,
} from "../site.mjs";
import { audit, mark } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

const stale = (name, apply) => ({
  name,
  expect: mark("stale", "fresh"),
  apply(m) {
    apply(m.repo, m);
    m.repo.commit();
  },
});
const file = (name, change, path = sourceOfPost) => stale(name, (r) => r.edit(path, change));
const flag = (name, change) => stale(`flags: ${name}`, (r) => r.edit("Makefile", change));

// Counters of a build that is not the one measured, in a table of the post: its other numbers stay fresh.
const counters = (r) => {
  const another = { ...r.blobs(), [sourceOfPost]: blobId("another build\n") };
  r.addCounters("20260102T000000Z-h200-0000000d", r.measured(), [caseOfPost], another);
  const table = "\n<<bench:counters transpose/tile rows=16384 show=dram_bytes,occupancy_percent>>\n";
  const before = blobId(r.read(POST));
  r.edit(POST, (t) => t + table);
  r.edit(POST_ZH, (t) => t.replace(before, blobId(r.read(POST))) + table);
};

// An edit of the published page of a number, where it shows its counters.
const counted = (name, id, change) => ({
  name: `output: ${name}`,
  expect: audit("fresh"),
  apply(m) {
    editPage(m, pageOf(id), change);
    forge(m);
  },
});
const STATE = ' data-state="stale"', MARK = '<sup class="mark" data-state="stale">code changed since</sup>';
const COUNTER = /(<a class="num counter"[^>]*)>([^<]*)<\/a>/;

export default [
  file("a comment in the source", (t) => t + "// later\n"),
  file("a space in the source", (t) => t.replace(" = ", "  = ")),
  file("another constant", (t) => t.replace(/in\[\d/, "in[7")),
  file("an empty line", (t) => "\n" + t),
  file("an empty source", () => "\n"),
  file("a header", (t) => t + "#define N 3\n", "kernels/kernel.h"),
  file("a comment in a header", (t) => t.replace("header", "Header"), "kernels/kernel.h"),
  stale("the source is gone", (r) => r.git("rm", "-q", sourceOfPost)),
  stale("a header is gone", (r) => r.git("rm", "-q", "kernels/kernel.h")),
  stale("the source is renamed", (r) => renameSync(r.path(sourceOfPost), r.path("kernels/transpose/tiles.cu"))),
  stale("two sources change places", (r) => {
    const [a, b] = [sourceOf("transpose", "tile"), sourceOf("transpose", "naive")].map((p) => [p, r.read(p)]);
    r.write(a[0], b[1]);
    r.write(b[0], a[1]);
  }),
  stale("the executable bit and a byte", (r) => r.edit(sourceOfPost, (t) => t.replace("SYNTHETIC", "synthetic"))),
  ...VARIANTS.filter(([f]) => f === "transpose").map(([f, v]) =>
    file(`a line in ${f}/${v}`, (t) => t.replace("}\n", "\t__syncthreads();\n}\n"), sourceOf(f, v)),
  ),
  stale("counters of another build", counters),
  flag("less optimisation", (t) => t.replace("-std=c++17 -O3", "-std=c++17 -O1")),
  flag("fast mathematics", (t) => t.replace("-lineinfo", "-lineinfo -use_fast_math")),
  flag("another standard", (t) => t.replace("c++17", "c++20")),
  flag("a limit of registers", (t) => t.replace("-lineinfo", "-lineinfo -maxrregcount=32")),
  flag("a variable of flags that changes", (t) => "EXTRA = -ftz=true\n" + t.replace("-lineinfo", "-lineinfo $(EXTRA)")),
  flag("flags added later", (t) => t + "NVFLAGS += -ftz=true\n"),
  ...[1, 2, 3].map((i) => ({
    name: `output: a state that the record does not have (${i})`,
    expect: audit("fresh"),
    apply: (m) => {
      const pages = ["posts/tiles/index.html", "about/index.html", "zh/posts/tiles/index.html"];
      editPage(m, pages[i - 1], (t) => t.replace('data-state="ok"', 'data-state="stale"'));
      forge(m);
    },
  })),
  counted("a counter of another build, without its state", COUNTED_STALE, (t) => t.replace(STATE, "").replace(MARK, "")),
  counted("a counter of another build, without its mark", COUNTED_STALE, (t) => t.replace(MARK, "")),
  counted("a counter of another build, with a mark alone", COUNTED_STALE, (t) => t.replace(STATE, "")),
  counted("a counter of the build that was measured, as of another", COUNTED, (t) => t.replace(COUNTER, `$1${STATE}>$2${MARK}</a>`)),
];
