// Machine code that is not the measured one, or a listing that somebody changed: refused where an
// author shows it, found by the audit where somebody puts it into the output.
import { createHash } from "node:crypto";
import { ABOUT, RUN_C } from "../site.mjs";
import { sourceOf } from "../record.mjs";
import { found, refuse, shows } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

const sha = (text) => createHash("sha256").update(text).digest("hex");
const CODE = "5".repeat(64), OTHER = "6".repeat(64);
const FILE = sourceOf("transpose", "tile");
const ID = "20260110T000000Z-sm_90a-0000000e";
const LISTING = `data/sass/sm_90a/${ID}.jsonl`;

// SYNTHETIC: no disassembler made these lines.
const functions = (change) => [
  change({
    type: "function", unit: 0, object: FILE, name: "_Z6kernelPf", title: "kernel(float*)", code_sha256: OTHER,
    code: [[0, "S2R R7, SR_TID.X", 0, 5], [16, "LDG.E.128 R0, desc[UR4][R2.64]", 0, 5], [32, "@!P0 BRA `(.L_x_1)", 0, 4],
      [48, "STG.E desc[UR4][R4.64], R0", 0, 5], [64, "EXIT", 0, 7]],
    labels: [[16, ".L_x_1"]], files: [FILE],
  }),
];

const listing = (o = {}) => {
  const same = (x) => x;
  const unit = { type: "unit", file: FILE, compiler: "13.0.88", flags: "-O3", source: [[FILE, "a".repeat(40)]], code_sha256: CODE };
  const head = {
    type: "sass", schema: "ridgepoint-sass/1.0", id: ID, arch: "sm_90a", start: "2026-01-10T00:00:00Z", dirty: false,
    tool: "nvdisasm 0.0.1", runner_sha256: OTHER, argv: ["sass"],
  };
  const lines = [(o.head ?? same)(head), (o.unit ?? same)(unit), ...functions(o.one ?? same)].map((l) => JSON.stringify(l));
  const body = lines.join("\n") + "\n";
  const end = `{"type":"end","end":"2026-01-10T00:00:01Z","status":"complete","records":${lines.length + 1},"sha256":"${sha(body)}"`;
  return (o.text ?? same)(`${body}${end},"line_sha256":"${sha(end)}"}\n`);
};

// A run that names its machine code, a listing, and a page with this text.
const make = (m, text, o) => {
  const one = (c) => (c.variant === "tile" ? { ...c, build: { ...c.build, code_sha256: o.measured ?? CODE } } : c);
  m.repo.addRun(RUN_C, m.repo.measured(), { one });
  m.repo.write(LISTING, listing(o));
  m.repo.edit(ABOUT, (t) => `${t}\n${text}\n`);
};

const BLOCK = "<<bench:sass transpose/tile rows=16384>>";
const COUNT = "It has <<bench:sass-count transpose/tile LDG.E.128 rows=16384>> wide load.";

const shown = (name, o, expect, text = BLOCK) => ({
  name, expect,
  apply(m) {
    make(m, text, o);
    m.repo.commit();
  },
});
const refused = (name, o, text) => shown(name, o, refuse("listed"), text);

const hex = (at) => CODE.slice(0, at) + "0" + CODE.slice(at + 1);

// A page with a block and a count is built; then somebody edits it, and mends the manifest.
const PAGE = "about/index.html";
const edited = (name, from, to) => ({
  name: `output: ${name}`,
  expect: found("listed", (m) => {
    editPage(m, PAGE, (t) => t.replace(from, to));
    forge(m);
  }),
  apply(m) {
    make(m, `${COUNT}\n\n${BLOCK}`, {});
    m.repo.commit();
  },
});

export default [
  shown("a listing of the measured code", {}, shows(PAGE, "kernel(float*)")),
  shown("a count in it", {}, shows(PAGE, ">1</a> wide load"), COUNT),
  ...[0, 31, 63].map((at) => refused(`digit ${at} of the unit's hash`, { unit: (u) => ({ ...u, code_sha256: hex(at) }) })),
  ...[0, 63].map((at) => refused(`digit ${at} of the run's hash`, { measured: hex(at) })),
  refused("a count in other code", { measured: OTHER }, COUNT),
  refused("a part of other code", { measured: OTHER }, "<<bench:sass transpose/tile rows=16384 region=inner>>"),
  refused("a loop of other code", { unit: (u) => ({ ...u, code_sha256: OTHER }) }, "<<bench:sass transpose/tile rows=16384 loop=.L_x_1>>"),
  refused("a unit of another file", { unit: (u) => ({ ...u, file: sourceOf("transpose", "naive") }) }),
  refused("a unit of another file, counted", { unit: (u) => ({ ...u, file: sourceOf("transpose", "padded") }) }, COUNT),
  refused("a variant without a listing", {}, "<<bench:sass transpose/naive rows=16384>>"),
  refused("a count in a variant without a listing", {}, "<<bench:sass-count transpose/padded LDG* rows=16384>>"),
  edited("another width of a load", "LDG.E.128", "LDG.E.64"),
  edited("another register", ">R7<", ">R6<"),
  edited("an instruction gone", /<span class="l control[^]*?BRA[^]*?<\/span>\n/, ""),
  edited("an instruction twice", /(<span class="l control[^]*?BRA[^]*?<\/span>\n)/, "$1$1"),
  edited("a label moved", ".L_x_1:", ".L_x_2:"),
  edited("lines as a gap", /<span class="l memory[^]*?STG[^]*?<\/span>\n/, "// …\n"),
  edited("another count", '>1</a> wide load', '>2</a> wide load'),
  edited("the opcode of a count", "all LDG.E.128", "all EXIT.E"),
  edited("the part of a count", "all LDG.E.128", "at:0x20-0x40 LDG.E.128"),
  edited("a function that is not there", /_Z6kernelPf all"/, '_Z6kernelPd all"'),
  edited("a record that is not there", `${ID} _Z6kernelPf all"`, `${ID.replace("0e", "0f")} _Z6kernelPf all"`),
  edited("a case that measured other code", "sass h200 transpose/tile:", "sass h200 transpose/padded:"),
  edited("a part that is none", '_Z6kernelPf all"', '_Z6kernelPf most"'),
];
