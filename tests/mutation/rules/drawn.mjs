// A diagram that its counter or its source contradicts: refused where an author writes it, found by
// the audit where somebody puts it into the output.
import { ABOUT, COUNTED } from "../site.mjs";
import { audit, refuse } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

const COUNTERS = "20260109T030405Z-h200-0000000d";
const CASE = "transpose/padded rows=16384";

// Counters of the measured build: so many sectors a load and a store, so many conflicts.
const counted = (m, values) => {
  m.repo.addCounters(COUNTERS, m.repo.measured(), [COUNTED], m.repo.blobs(), { values });
};

const draws = (name, text, values = {}) => ({
  name,
  expect: refuse("drawn"),
  apply(m) {
    counted(m, { load_requests: 1000, load_sectors: 4000, store_requests: 1000, store_sectors: 32000,
      shared_bank_conflicts: 31000, ...values });
    m.repo.edit(ABOUT, (t) => `${t}\n<<bench:diagram ${text} title="What a warp touches">>\n`);
    m.repo.commit();
  },
});
const sectors = (expr, what, values) =>
  draws(`${what} sectors of '${expr}'`, `access ${CASE} expr="${expr}" check=${what}_sectors_per_request`, values);
const banks = (expr, values) =>
  draws(`conflicts of '${expr}'`,
    `access ${CASE} unit=bank expr="${expr}" check=shared_bank_conflicts per=load_requests`, values);
const index = (expr, bind) => draws(`an index '${expr}'`, `access ${CASE} index="${expr}" let="${bind}"`);

// The about page draws a trace: by another drawing, or with another number in the output.
const traced = (name, text) => ({
  name: `traced: ${name}`,
  expect: refuse("drawn"),
  apply(m) {
    m.repo.edit(ABOUT, (t) => `${t}\n<<bench:diagram ${text} title="It waits for nobody">>\n`);
    m.repo.commit();
  },
});
const says = (what, wrong) => ({
  name: `traced: ${what} ${wrong}`,
  expect: audit("traced"),
  apply(m) {
    editPage(m, "about/index.html", (t) => t.replace(new RegExp(`( ${what}">)[^<]*`), `$1${wrong}`));
    forge(m);
  },
});

// It draws boxes that are as long as numbers, too: one of them altered in the output.
const boxed = (name, change) => ({
  name: `box: ${name}`,
  expect: audit("traced"),
  apply(m) {
    editPage(m, "about/index.html", change);
    forge(m);
  },
});
const box = (n, change) => (t) =>
  t.replace(new RegExp(`<g class="box" data-box="${n}">[^]*?</g>`, "g"), (g) => change(g));
const times = (name, by) => (g) =>
  g.replace(new RegExp(` ${name}="([\\d.]+)"`), (_, v) => ` ${name}="${(v * by).toFixed(1)}"`);
const LENGTH = /(<title>)[\d.]+/;

export default [
  boxed("longer", box(0, times("width", 1.05))),
  boxed("shorter", box(1, times("width", 0.95))),
  boxed("elsewhere", box(1, times("x", 1.02))),
  boxed("the longest one", box(0, times("width", 1.4))),
  boxed("in one of the two drawings", (t) => {
    const at = t.lastIndexOf('<g class="box" data-box="2">');
    return t.slice(0, at) + times("width", 1.1)(t.slice(at));
  }),
  boxed("stretched", box(2, (g) => g.replace(' data-box', ' transform="scale(1.2,1)" data-box'))),
  boxed("its shape stretched", box(2, (g) => g.replace("<rect", '<rect transform="scale(1.2,1)"'))),
  boxed("in a stretched group", box(2, (g) => `<g transform="scale(1.2,1)">${g}</g>`)),
  boxed("drawn twice", box(2, (g) => g + g)),
  boxed("left out", box(2, () => "")),
  boxed("a box of another row", box(2, (g) => g.replace('data-box="2"', 'data-box="1"'))),
  boxed("no number in its title", box(2, (g) => g.replace(/<title>[^<]*/, "<title>short"))),
  boxed("another title", box(0, (g) => g.replace(LENGTH, "$11"))),
  boxed("another number in it", box(0, (g) => g.replace(/(middle">)[\d.]+/, "$11"))),
  boxed("a number beside its word", box(2, (g) => g.replace(">same<", ">same 1 ms<"))),
  boxed("another number in the text", (t) => t.replace(/(: a call of tile )[\d.]+/g, "$11")),
  boxed("another length below", (t) => t.replace(/(box-length"[^>]*><a [^>]*>)[\d.]+/, "$11")),
  boxed("another begin below", (t) => t.replace(/(box-from"[^>]*><a [^>]*>)[\d.]+/, "$11")),
  boxed("a row less below", (t) => t.replace(/<tr><th scope="row">tile<\/th><td class="left" [^]*?<\/tr>/, "")),
  boxed("no table", (t) => t.replace(/<details class="lengths">[^]*?<\/details>/, "")),
  traced("a schema of a case with a trace", `pipeline ${CASE} names="a" steps="0 0-1 a"`),
  traced("tickets of a case without one", "tickets transpose/naive rows=16384"),
  traced("a pipeline of a case without one", `pipeline transpose/naive rows=16384 legend="load: a copy"`),
  says("ticket.mean", "2.6"),
  says("ticket.sd", "0.8"),
  says("ticket.sum", "6"),
  says("ticket.most", "4"),
  says("slowdown", "1.02×"),
  says("load.time", "66.0\u00a0ns"),
  says("median", "1"),
  says("span", "1.01\u00a0µs"),
  sectors("lane * 8", "load"),
  sectors("lane * 32", "load"),
  sectors("lane * 4 + 4", "load"),
  sectors("lane * 2", "load"),
  sectors("lane * 4", "store"),
  sectors("lane * 28", "store"),
  sectors("lane * 4", "load", { load_sectors: 4020 }),
  sectors("lane * 4", "load", { load_sectors: 3980 }),
  sectors("lane * 4", "load", { load_requests: 990 }),
  sectors("lane * 32", "store", { store_sectors: 31000 }),
  banks("lane * 4"),
  banks("lane * 132"),
  banks("lane * 64"),
  banks("lane * 128", { shared_bank_conflicts: 32000 }),
  banks("lane * 128", { shared_bank_conflicts: 30000 }),
  banks("lane * 128", { load_requests: 500 }),
  index("out[threadIdx.x + 1]", "threadIdx.x = lane"),
  index("in[threadIdx.x]", "threadIdx.x = lane"),
  index("out[lane]", "x = lane"),
  index("out[threadIdx.x]", "threadIdx.x = lane, TILE = 32"),
  draws("a layout with fewer conflicts than were counted",
    `swizzle tile=32x32 names="a" layouts="row * 33 + col" of="transpose/padded" rows=16384 per=load_requests`),
  draws("a layout with more", `swizzle tile=32x32 names="a" layouts="row * 32 + col" of="transpose/padded" rows=16384 per=load_requests`,
    { shared_bank_conflicts: 0 }),
];
