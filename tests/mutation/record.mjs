// record.mjs - synthetic run files, written after the description of the format
// (data/FORMAT.md) without any code of the project. No machine measured them. Each option
// is a way to break a record.
import { createHash } from "node:crypto";

export const LAUNCHES = 10;
const SAMPLES = 30;

// family, variant, share of the memory's peak it reaches, role
export const VARIANTS = [
  ["transpose", "naive", 0.31, "kernel"],
  ["transpose", "tile", 0.62, "kernel"],
  ["transpose", "padded", 0.81, "kernel"],
  ["stream", "memcpy", 0.89, "ceiling"],
];
export const SIZES = [4096, 16384];
const TITLES = { transpose: "Matrix transpose", stream: "Streaming copy" };

export const sourceOf = (family, variant) => `kernels/${family}/${variant}.cu`;
export const caseId = (family, variant, rows) =>
  `${family}/${variant}:rows=${rows},cols=${rows},dtype=f32,cache=cold`;

// id, start, commit: of the run. blobs: path -> blob id. The rest breaks things:
//   head(h), one(c), launch(l), end(e) edit a record; cases(list), launches(list)
//   the lists of them; slower is a factor on every time; lines(list) the text.
export function record(o) {
  const same = (x) => x;
  const head = (o.head ?? same)(headOf(o));
  let cases = VARIANTS.flatMap(([f, v, share, role], rank) =>
    SIZES.map((rows) => ({ share, record: caseOf(o, f, v, role, rank, rows) })),
  );
  for (const c of cases) c.record = (o.one ?? same)(c.record);
  cases = (o.cases ?? same)(cases);
  let launches = [];
  for (let i = 0; i < (o.count ?? LAUNCHES); i++)
    cases.forEach((c, k) => launches.push((o.launch ?? same)(launchOf(o, c, i, k, cases.length))));
  launches = (o.launches ?? same)(launches);
  let lines = [head, ...cases.map((c) => c.record), ...launches].map((r) => JSON.stringify(r));
  lines = (o.lines ?? same)(lines);
  const body = lines.join("\n") + "\n";
  const end = (o.end ?? same)({
    type: "end",
    end: new Date(Date.parse(o.start) + 60000).toISOString().replace(".000", ""),
    status: "complete",
    records: lines.length + 1,
    sha256: createHash("sha256").update(body).digest("hex"),
  });
  return end ? `${body}${endLine(end, head.schema)}\n` : body;
}

// A record of another harness, as `runner import` makes one: its cases, with a factor of their
// time, and SYNTHETIC values. The edits are those of record().
export const FOREIGN_CASES = [["quick", 1], ["slow", 3]];
export const foreignCase = (variant) => `hyperfine-sort/${variant}:n=4,dtype=unknown,cache=unknown`;
export function foreignRecord(o) {
  const same = (x) => x;
  const text = '{"results": ["SYNTHETIC"]}\n';
  const { toolchain, ...provenance } = headOf(o).provenance;
  const head = (o.head ?? same)({
    type: "run", schema: "ridgepoint-foreign/2.3", id: o.id, device: "h200", start: o.start,
    foreign: { harness: "hyperfine", file: "sort.json", sha256: createHash("sha256").update(text).digest("hex") },
    provenance: { ...provenance, toolchain: {} },
    machine: { key: "h200/hyperfine", cpu: "unknown", cores: 0, memory_bytes: 0, os: "unknown" },
    gpu: { name: "Synthetic GPU" },
    calibration: { tick_ns: 0, empty_pair_ns: [], empty_kernel_ns: [], graph_node_ns: [], flush_ns: [] },
    plan: {
      argv: ["import"], rng_seed: 0, launches: 20, order: "unknown", warmup_ms: 0, stop_halfwidth: 0,
      min_samples: 0, max_samples: 0, cap_ms: 0, flush_bytes: 0,
    },
    unavailable: {},
  });
  const family = {
    type: "family", family: "hyperfine-sort", family_title: "sort", problem: "SYNTHETIC", metric: "time",
    model: { formula: "none", level: "unknown" }, input: { distribution: "unknown", sets: 0 },
    check: { reference: "nothing", tolerance: 0, why: "nothing was checked" },
  };
  const variants = FOREIGN_CASES.map(([variant], rank) => ({
    type: "variant", family: "hyperfine-sort", variant, variant_title: variant, idea: "SYNTHETIC", rank,
    role: "kernel", device: "cuda", source: [], build: { flags: "unknown" },
  }));
  const cases = FOREIGN_CASES.map(([variant]) => (o.one ?? same)({
    type: "case", id: foreignCase(variant), family: "hyperfine-sort", variant, params: { n: 4 },
    dtype: "unknown", cache: "unknown", model: { flop: 0, bytes_read: 0, bytes_written: 0 },
  }));
  const unchecked = [0, null, null, 0, false];
  const launches = FOREIGN_CASES.flatMap(([, factor], k) => Array.from({ length: 10 }, (_, i) => ({
    type: "launch", case: k, i: 10 * k + i, at: 0, pid: 0, t_ms: 0, seed: 0, status: "ok",
    before: unchecked, after: unchecked, batch: 1, base: factor * (700000 + 1000 * (i % 4)), warmup: [], above_base: [0],
  })));
  let lines = [head, family, ...variants, ...cases, ...launches, { type: "original", text }].map((r) => JSON.stringify(r));
  lines = (o.lines ?? same)(lines);
  const body = lines.join("\n") + "\n";
  const sha256 = createHash("sha256").update(body).digest("hex");
  const end = { type: "end", end: o.start, status: "complete", records: lines.length + 1, sha256 };
  return `${body}${endLine(end, "/2.3")}\n`;
}

// From version 1.2 on, the end line contains the hash of everything before it.
function endLine(end, schema) {
  const line = JSON.stringify(end).slice(0, -1);
  if (Number(schema.split(".").pop()) < 2) return `${line}}`;
  return `${line},"line_sha256":"${createHash("sha256").update(line).digest("hex")}"}`;
}

function headOf(o) {
  return {
    type: "run",
    schema: "ridgepoint-run/1.0",
    id: o.id,
    device: "h200",
    start: o.start,
    reason: "SYNTHETIC: made by a test, measured by nothing",
    provenance: {
      commit: o.commit,
      dirty: false,
      runner_sha256: "b".repeat(64),
      toolchain: { nvcc: "13.0.88", cc: "gcc 12.2.0" },
    },
    machine: { key: "synthetic", cpu: "Synthetic CPU", cores: 16, memory_bytes: 137438953472, os: "Linux 6.1" },
    gpu: {
      name: "Synthetic GPU", driver: "580.0", compute_capability: "9.0", cuda_driver: 13000,
      cuda_runtime: 13000, sms: 132, l2_bytes: 62914560, bus_bits: 6144, sm_clock_max_mhz: 1980,
      memory_clock_max_mhz: 3201, power_limit_mw: 700000, ecc: 1,
    },
    calibration: { tick_ns: 32, empty_pair_ns: [512, 544, 512], empty_kernel_ns: [], graph_node_ns: [], flush_ns: [] },
    plan: {
      argv: ["runner", "run"], rng_seed: 1, launches: o.count ?? LAUNCHES, order: "random within each launch",
      warmup_ms: 20, stop_halfwidth: 0.005, min_samples: SAMPLES, max_samples: 1000, cap_ms: 500,
      flush_bytes: 268435456,
    },
    unavailable: { energy_mj: "not supported" },
  };
}

function caseOf(o, family, variant, role, rank, rows) {
  const path = sourceOf(family, variant);
  const bytes = rows * rows * 4;
  return {
    type: "case",
    id: caseId(family, variant, rows),
    family,
    variant,
    family_title: TITLES[family],
    variant_title: `${variant} variant`,
    problem: "SYNTHETIC. Moves the elements of a matrix.",
    idea: "Each thread moves an element.",
    metric: "bandwidth",
    rank,
    role,
    device: "cuda",
    params: { rows, cols: rows },
    dtype: "f32",
    cache: "cold",
    source: [path, "kernels/kernel.h"].map((p) => [p, o.blobs[p]]),
    build: { flags: "-O3", registers: 32, shared_bytes: 0, spill_bytes: 0 },
    model: { flop: 0, bytes_read: bytes, bytes_written: bytes, formula: "2·rows·cols·b", level: "hbm" },
    input: { distribution: "uniform[-1,1)", sets: 2 },
    check: { reference: "host", tolerance: 1e-6, why: "exact" },
  };
}

// An even spread of ±0.2 % over launches and samples.
function samplesOf(seconds, launch) {
  return Array.from({ length: SAMPLES }, (_, k) =>
    Math.trunc(seconds * 1e9 * (1 + (((launch * 7 + k * 3) % 11) - 5) * 0.0004)),
  );
}

function launchOf(o, c, i, at, perLaunch) {
  const model = c.record.model;
  const bytes = model.bytes_read + model.bytes_written;
  const ns = samplesOf((o.slower ?? 1) * (bytes / (4.8e12 * c.share) + 2e-6), i);
  const base = Math.min(...ns);
  return {
    type: "launch",
    case: c.record.id,
    i,
    at,
    pid: 1000 + i,
    t_ms: 250 * (i * perLaunch + at),
    seed: 1,
    status: "ok",
    before: { error: 0, looked_at: 4096, passed: true },
    after: { error: 0, looked_at: 4096, passed: true },
    batch: 1,
    timer: "events",
    stop: "halfwidth",
    sm_clock_mhz: [1965, 1980, 1980],
    memory_clock_mhz: 3201,
    power_mw: [300000, 420000, 500000],
    temperature_c: [40, 44],
    throttle_reasons: 0,
    warmup_ns: [],
    base_ns: base,
    above_base_ns: ns.map((x) => x - base),
  };
}
