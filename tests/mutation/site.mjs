// site.mjs - the good site: a small repository with its own history, synthetic records,
// predictions that were committed before them, and posts that obey every rule. It must pass
// `build --strict` and `audit`.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { caseId, foreignRecord, record, sourceOf, VARIANTS } from "./record.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
export const GEN = resolve(ROOT, process.env.BUILD ?? "build", "site-gen");

export const RUN_A = "20260103T000000Z-h200-0000000a";
export const RUN_B = "20260105T000000Z-h200-0000000b";
export const RUN_C = "20260109T000000Z-h200-0000000c";
export const FOREIGN = "20260105T040000Z-h200-000000f0";
export const TRACED = "20260104T030405Z-h200-0000000f";
export const H100 = "h100-80gb-hbm3";
export const runPath = (id) => `data/runs/h200/${id}.jsonl`;
const startOf = (id) => id.replace(/^(....)(..)(..)T(..)(..)(..)Z.*/, "$1-$2-$3T$4:$5:$6Z");

const tiles = (n) => Array.from({ length: 3 * n }, (_, i) => i);
const kept = (ring, n) => ({
  ring, cycles: tiles(n).map((i) => (i ? 100 : 1000)), what: tiles(n).map((i) => 2 + (i % 3)),
  step: tiles(n).map((i) => (i && i % 3 === 0 ? 1 : 0)),
});
const TRACE = {
  error: 0, looked_at: 1, plain_ns: [1000, 1010, 990], traced_ns: [1020, 1030, 1040],
  room: 100, tick_ns: 32, roles: ["loader"], events: ["ticket", "load"],
  clocks: { sm: [0, 1], before_ns: [0, 32], after_ns: [4000, 4032], cycles: [6000, 6000] },
  rings: { clock: [0, 1], block: [0, 1], role: [0, 0], member: [0, 0], begin: [900, 900], end: [2400, 2100], stamps: [9, 6] },
  counts: [3, 3, 2, 2], kept: [kept(0, 3), kept(1, 2)],
};

// A repository in a folder, with the methods that corruptions use.
export class Repo {
  constructor(dir) {
    this.dir = dir;
  }
  path(p) {
    return join(this.dir, p);
  }
  read(p) {
    return readFileSync(this.path(p), "utf8");
  }
  write(p, text) {
    mkdirSync(dirname(this.path(p)), { recursive: true });
    writeFileSync(this.path(p), text);
  }
  has(p) {
    return existsSync(this.path(p));
  }
  edit(p, change) {
    const before = this.read(p);
    const after = change(before);
    if (after === before) throw new Error(`${p}: the corruption changed nothing`);
    this.write(p, after);
  }
  git(...args) {
    return this.gitAt("2026-01-10T00:00:00Z", ...args);
  }
  gitAt(date, ...args) {
    const env = {
      PATH: process.env.PATH, HOME: this.dir, GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date,
      GIT_AUTHOR_NAME: "Test", GIT_AUTHOR_EMAIL: "test@example.org",
      GIT_COMMITTER_NAME: "Test", GIT_COMMITTER_EMAIL: "test@example.org",
    };
    return execFileSync("git", ["-c", "gc.auto=0", "-c", "advice.detachedHead=false", ...args], {
      cwd: this.dir, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  }
  commit(date = "2026-01-10T00:00:00Z", what = "more") {
    this.gitAt(date, "add", "-A");
    this.gitAt(date, "commit", "-q", "-m", what);
    return this.head();
  }
  head() {
    return this.git("rev-parse", "HEAD");
  }
  // Adds a run file measured at `commit`; the options are those of record().
  addRun(id, commit, options = {}) {
    const blobs = {};
    for (const line of this.git("ls-tree", "-r", commit, "kernels").split("\n")) {
      const [meta, path] = line.split("\t");
      blobs[path] = meta.split(" ")[2];
    }
    this.write(runPath(id), record({ id, start: startOf(id), commit, blobs, ...options }));
  }
  // Adds a record of another harness.
  addForeign(options = {}) {
    this.write(runPath(FOREIGN), foreignRecord({ id: FOREIGN, start: startOf(FOREIGN), commit: this.measured(), ...options }));
  }
  // Adds runs of the good site's machine code on three more cards, the last of them the slowest.
  addCards(slower = (card) => 1 + card / 200) {
    [1, 2, 3].forEach((card) => {
      const id = `2026010${5 + card}T000000Z-h200-000000c${card}`;
      this.addRun(id, this.measured(), {
        slower: slower(card),
        head: (h) => ({ ...h, gpu: { ...h.gpu, uuid: `GPU-synthetic-${card}` } }),
        one: (c) => ({ ...c, build: { ...c.build, code_sha256: blobId(c.id).padEnd(64, "0") } }),
      });
    });
    this.commit();
  }
  // Measures everything on another device, and lets the post speak of both.
  addDevice(options = {}) {
    const id = "20260109T000000Z-h100-80gb-hbm3-0000000d";
    this.addRun(id, this.measured(), {
      slower: 1.4, ...options,
      head: (h) => ({ ...h, device: H100, gpu: { ...h.gpu, memory_clock_max_mhz: 2619 } }),
    });
    const text = this.read(runPath(id));
    rmSync(this.path(runPath(id)));
    this.write(`data/runs/${H100}/${id}.jsonl`, text);
    cpSync(join(ROOT, "data/specs/h100.json"), this.path("data/specs/h100.json"));
    this.edit(POST, (t) => t.replace("tags:", "devices: [h200, h100]\ntags:"));
    this.commit();
  }
  // Adds a file of counters of these cases, read of a build of `blobs`: path -> blob id.
  addCounters(id, commit, cases, blobs, options = {}) {
    const values = options.values ?? { dram_read_bytes: 1.5e9, dram_written_bytes: 1.1e9, occupancy_percent: 71 };
    const read = (c) => ({ type: "counters", case: c, tool: "SYNTHETIC", kernels: 1, values, missing: {} });
    const text = record({
      ...options, id, start: startOf(id), commit, blobs, count: 0,
      cases: (list) => list.filter((c) => cases.includes(c.record.id)),
      lines: (l) => [...l, ...cases.map((c) => JSON.stringify(read(c)))],
    });
    this.write(`data/profiles/h200/${id}.jsonl`, text);
  }
  // Adds a trace of one call of a case: two SMs, on each a block that draws three tickets, or two.
  addTrace(id, commit, of, blobs) {
    const text = record({
      id, start: startOf(id), commit, blobs, count: 0,
      head: (h) => ({ ...h, plan: { ...h.plan, argv: ["trace", of], launches: 0 } }),
      cases: (list) => list.filter((c) => c.record.id === of),
      lines: (l) => [...l, JSON.stringify({ type: "trace", case: of, ...TRACE })],
    });
    this.write(`data/traces/h200/${id}.jsonl`, text);
  }
  // The sources as they are, as a build of them names them.
  blobs() {
    const paths = ["kernels/kernel.h", ...VARIANTS.map(([f, v]) => sourceOf(f, v))];
    return Object.fromEntries(paths.map((p) => [p, blobId(this.read(p))]));
  }
  // The commit that the good site's runs were measured at.
  measured() {
    return this.git("rev-parse", "measured");
  }
}

export const blobId = (text) => {
  const bytes = Buffer.from(text);
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
};

const kernel = (family, variant) => `// SYNTHETIC source of ${family}/${variant}
__global__ void kernel(float *out, const float *in)
{
	// ANCHOR: inner
	out[threadIdx.x] = in[${variant.length}];
	// ANCHOR_END: inner
}
`;

// Counters of the build that was measured, and of another: shown on the pages of their numbers.
export const COUNTED = caseId("transpose", "padded", 16384);
export const COUNTED_STALE = caseId("transpose", "naive", 16384);
export const pageOf = (id) => `numbers/h200/${id.replace(/[^A-Za-z0-9._]/g, "-")}/index.html`;

export const POST = "content/posts/tiles.md";
export const POST_ZH = "content/posts/tiles.zh.md";
export const ABOUT = "content/pages/about.md";
export const HOME = "content/pages/home.md";
export const FAMILY = "content/kernels/transpose.md";

function writeSources(r) {
  for (const [family, variant] of VARIANTS) r.write(sourceOf(family, variant), kernel(family, variant));
  r.write("kernels/kernel.h", "/* SYNTHETIC header */\n");
  r.write("Makefile", "KFLAGS  = -std=c17 -O3\nNVFLAGS = -std=c++17 -O3 -lineinfo\n");
}

function writeSite(r) {
  cpSync(join(ROOT, "templates"), r.path("templates"), { recursive: true });
  cpSync(join(ROOT, "static"), r.path("static"), { recursive: true });
  cpSync(join(ROOT, "data/specs/h200.json"), r.path("data/specs/h200.json"));
  r.write("static/tile.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>\n');
  cpSync(join(import.meta.dirname, "content"), r.path("content"), { recursive: true });
}

// The whole history: sources, predictions, two runs, posts, the log of what was published.
export function makeGood(dir) {
  mkdirSync(dir, { recursive: true });
  const r = new Repo(dir);
  r.git("init", "-q", "-b", "main", "--template=");
  r.write(".gitignore", "build/\n");
  writeSources(r);
  r.commit("2026-01-01T00:00:00Z", "sources");
  cpSync(join(import.meta.dirname, "predictions"), r.path("data/predictions"), { recursive: true });
  const commit = r.commit("2026-01-02T00:00:00Z", "predictions");
  r.git("tag", "measured");
  r.addRun(RUN_A, commit, { slower: 1.02 });
  r.commit("2026-01-04T00:00:00Z", "a run");
  r.addRun(RUN_B, commit);
  const another = { ...r.blobs(), [sourceOf("transpose", "naive")]: blobId("another build\n") };
  r.addCounters("20260104T000000Z-h200-0000000e", commit, [COUNTED, COUNTED_STALE], another);
  r.addTrace(TRACED, commit, COUNTED, r.blobs());
  r.commit("2026-01-06T00:00:00Z", "another run, counters and a trace");
  writeSite(r);
  r.edit(POST_ZH, (t) => t.replace("SOURCE", blobId(r.read(POST))));
  r.commit("2026-01-07T00:00:00Z", "posts");
  note(r);
  r.git("gc", "-q"); // a pack is copied faster
  return r;
}

// Notes the published numbers and commits the log.
export function note(r, ...args) {
  execFileSync(GEN, ["note", ...args], { cwd: r.dir, stdio: ["ignore", "ignore", "inherit"] });
  r.commit("2026-01-08T00:00:00Z", "noted");
}

// The log of published numbers: its open part, and closed part n.
export const LOG = "data/published.jsonl";
export const closedPart = (n) => `data/published/${String(n).padStart(4, "0")}.jsonl.gz`;

// Moves the first `lines` lines of the open part (all: without a number) to closed part n.
export function closeLog(r, n, lines = Infinity) {
  const all = r.read(LOG).trimEnd().split("\n");
  const text = (list) => list.map((l) => l + "\n").join("");
  r.write(closedPart(n), gzipSync(text(all.slice(0, lines))));
  r.write(LOG, text(all.slice(lines)));
}

// The case and the source that most of the post is about.
export const caseOfPost = caseId("transpose", "tile", 16384);
export const sourceOfPost = sourceOf("transpose", "tile");
