// recompute.mjs PAGE|FOLDER RECORD... - an independent check, sharing no code
// with the generator: every measured number on the page, or on all pages of the
// folder (a.num with data-run: values, ratios, shares; with data-runs:
// derivations; in text, tables and ladders), is computed again from the raw
// samples of its record, and the digits on the page must be that number rounded
// to as many. Shares of a theoretical peak and derivations need the data sheets:
// data/specs/*.json, read from the current folder.
// Of a folder, predictions too: the commit that a deciding run measured has no
// record of the case of a run whose own commit lacks the prediction. Asked of
// git, in the current folder.
// Prints TAP lines: one a page, and one for each number that is wrong.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

const [where, ...records] = process.argv.slice(2);

// --- records ---------------------------------------------------------------

const anchor = (id) => id.replace(/[^A-Za-z0-9._]/g, "-");
const runs = new Map(); // run id -> { device, cases by anchor, launches by case id }

const LEAST_PROCESSES = 5; // rule `whole`: fewer of an interrupted run publish nothing

// Of an interrupted run: the launches that every case has, null controls too.
function keepWhole(run) {
  const wanted = [...run.cases.values()].filter((c) => !c.unavailable);
  const has = new Map();
  for (const c of wanted)
    for (const l of run.launches.get(c.id) ?? []) has.set(l.i, (has.get(l.i) ?? 0) + 1);
  const whole = [...has.values()].filter((n) => n === wanted.length).length;
  const enough = whole >= LEAST_PROCESSES && 2 * whole >= run.planned; // else it publishes nothing
  for (const [id, list] of run.launches)
    run.launches.set(id, list.filter((l) => enough && has.get(l.i) === wanted.length));
}

// Members of a case that stand in its family's and its variant's record.
const fill = (own, shared = {}) => {
  for (const [key, v] of Object.entries(shared))
    if (!(key in own)) own[key] = v;
    else if (v instanceof Object && !Array.isArray(v)) own[key] = fill({ ...own[key] }, v);
  return own;
};

// A launch of schema 2.0 as 1.x has it.
function asBefore(l, ids) {
  const step = l.step_ns ?? 1;
  return {
    ...l, case: ids[l.case], base_ns: l.base * step, above_base_ns: l.above_base.map((x) => x * step),
    before: { passed: l.before[4], norm: l.before[1] }, after: { passed: l.after[4] },
  };
}

for (const file of records) {
  const run = { cases: new Map(), launches: new Map() };
  const bytes = readFileSync(file);
  const lines = file.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  const shared = {}, ids = [];
  for (const line of lines.toString("utf8").trim().split("\n")) {
    let r = JSON.parse(line);
    if (r.type === "family") shared[r.family] = r;
    if (r.type === "variant") shared[`${r.family}/${r.variant}`] = r;
    if (r.type === "case") {
      ids.push(r.id);
      fill(fill(r, shared[`${r.family}/${r.variant}`]), shared[r.family]);
    }
    if (r.type === "launch" && typeof r.case === "number") r = asBefore(r, ids);
    if (r.type === "run") runs.set(r.id, Object.assign(run, { file, device: r.device, commit: r.provenance.commit, planned: r.plan.launches, foreign: r.foreign, card: r.gpu?.uuid, sms: r.gpu?.sms, id: r.id }));
    if (r.type === "end") run.status = r.status;
    if (r.type === "case") r.sms = run.sms;
    if (r.type === "case") run.cases.set(anchor(r.id), r);
    if (r.type === "launch") run.launches.set(r.case, [...(run.launches.get(r.case) ?? []), r]);
    if (r.type === "end" && r.status === "partial") keepWhole(run);
  }
}

const specs = new Map(); // "h200/hbm" -> value
for (const f of existsSync("data/specs") ? readdirSync("data/specs") : []) {
  if (!f.endsWith(".json")) continue;
  const { device, specs: list } = JSON.parse(readFileSync(join("data/specs", f), "utf8"));
  for (const s of list) specs.set(`${device}/${s.key}`, s.value);
}

// --- statistics --------------------------------------------------------------

const median = (x) => {
  const s = [...x].sort((a, b) => a - b);
  const h = s.length >> 1;
  return s.length % 2 ? s[h] : (s[h - 1] + s[h]) / 2;
};
const geometric = (x) => Math.exp(x.map(Math.log).reduce((a, b) => a + b) / x.length);

// Launch number -> median time of one call, of the launches that passed.
const medians = new Map();
function timesOf(run, c) {
  if (!medians.has(c)) {
    const good = (run.launches.get(c.id) ?? []).filter(
      (l) => l.status === "ok" && (run.foreign || (l.before.passed && l.after.passed)), // another program's check is none of ours
    );
    medians.set(c, new Map(
      good.map((l) => [l.i, median(l.above_base_ns.map((d) => d + l.base_ns)) / l.batch / 1e9]),
    ));
  }
  return medians.get(c);
}

const bytes = (c) => c.model.bytes_read + c.model.bytes_written;
const flop = (c) => c.model.flop;
const work = { time: () => 1, bandwidth: bytes, throughput: flop, rate: flop, latency: (c) => 1 / flop(c) };
const lessIsBetter = (metric) => metric === "time" || metric === "latency";

// What each launch read of the card; NaN where it did not.
// Clock of each sample, where groups of samples have their own.
const clocks = ({ groups: g }) => g.samples.flatMap((n, i) => Array(n).fill(g.cycles[i] / g.ns[i] * 1e9));
const hertz = (l) => (l.groups ? median(clocks(l)) : l.sm_cycles > 0 ? l.sm_cycles / l.sm_cycles_ns * 1e9 : NaN);
const cycles = (l, t) => (l.groups
  ? median(clocks(l).map((hz, k) => hz * (l.above_base_ns[k] + l.base_ns) / l.batch / 1e9)) : t * hertz(l));
// The energy may be that of a part of the window, of energy_ns.
const sampled = (l) => l.above_base_ns.reduce((sum, d) => sum + d + l.base_ns, 0);
const joules = (l) => (l.energy_mj > 0
  ? l.energy_mj / 1e3 * (l.energy_ns ? sampled(l) / l.energy_ns : 1) / (l.above_base_ns.length * l.batch) : NaN);
const read = {
  clock: (l) => hertz(l),
  cycles: (l, t) => cycles(l, t),
  flopclock: (l, t, c) => flop(c) / cycles(l, t) / c.sms,
  energy: (l) => joules(l),
  power: (l, t) => joules(l) / t,
  flopcost: (l, t, c) => joules(l) / flop(c),
  bytecost: (l, t, c) => joules(l) / bytes(c),
  error: (l) => l.before.norm * 1e6,
};

// Launch number -> the metric's value in it, or the time that it follows from.
function perLaunch(metric, run, c) {
  const times = timesOf(run, c);
  if (!(metric in read)) return times;
  const launch = new Map(run.launches.get(c.id).map((l) => [l.i, l]));
  return new Map([...times].map(([i, t]) => [i, read[metric](launch.get(i), t, c)]));
}

function valueOf(metric, run, c) {
  if (metric in read) return geometric([...perLaunch(metric, run, c).values()]);
  if (metric === "intensity") return c.model.flop / bytes(c);
  const t = geometric([...timesOf(run, c).values()]);
  return lessIsBetter(metric) ? work[metric](c) * t : work[metric](c) / t;
}

// a over b, both in the metric: paired by launch where they come from one run.
function ratioOf(metric, runA, a, runB, b) {
  if (metric === "intensity" || runA !== runB) return valueOf(metric, runA, a) / valueOf(metric, runB, b);
  const x = perLaunch(metric, runA, a), y = perLaunch(metric, runB, b);
  const ratios = [...x].filter(([i]) => y.has(i)).map(([i, t]) => (metric in read || lessIsBetter(metric) ? t / y.get(i) : y.get(i) / t));
  if (ratios.length < 2) return valueOf(metric, runA, a) / valueOf(metric, runB, b);
  return metric in read ? geometric(ratios) : (geometric(ratios) * work[metric](a)) / work[metric](b);
}

// --- two speeds ------------------------------------------------------------------

// The typical times of a case's two groups of processes, the faster first; null if it has one.
function twoSpeeds(run, c) {
  const t = [...timesOf(run, c).values()].sort((a, b) => a - b), gap = (k) => Math.log(t[k] / t[k - 1]);
  const cuts = t.map((_, k) => k).slice(2, -1).sort((a, b) => gap(b) - gap(a) || a - b);
  const k = cuts[0], range = k && Math.max(Math.log(t[k - 1] / t[0]), Math.log(t.at(-1) / t[k]));
  if (t.length < 10 || gap(k) <= Math.log(1.02) || gap(k) <= 2 * range) return null;
  return [geometric(t.slice(0, k)), geometric(t.slice(k))];
}

// The values at both speeds that a link prints, or null.
function bothOf(attribute) {
  const [, device, name, fragment] = attribute.href?.match(/\/numbers\/([^/]+)\/([^/]+)\/#(.+)$/) ?? [];
  const run = runs.get(attribute["data-run"]), c = run?.cases.get(name);
  const [, metric, key] = (attribute["data-n"] ?? fragment ?? "").match(/^([a-z]+)(?:-of-([a-z0-9]+))?$/) ?? [];
  const times = c && work[metric] && twoSpeeds(run, c), peak = key === undefined ? 100 : specs.get(`${device}/${key}`);
  return times && peak !== undefined ? times.map((t) => ((lessIsBetter(metric) ? work[metric](c) * t : work[metric](c) / t) / peak) * 100) : null;
}

// --- over cards ----------------------------------------------------------------

const code = (c) => `${c.build.code_sha256} ${c.build.library ?? ""} ${JSON.stringify(c.build.choice ?? null)}`;

// Did the author take back this case of the run (data/withdrawn/)?
function takenBack(run, c) {
  const file = join(dirname(run.file), "../../withdrawn", `${basename(run.file).replace(/\.jsonl(\.gz)?$/, "")}.md`);
  const cases = existsSync(file) ? readFileSync(file, "utf8").match(/^cases: (.*)$/m)?.[1].split(" ") ?? [] : [];
  return cases.some((one) => {
    const [variant, conditions] = one.split(":");
    const glob = new RegExp(`^${variant.replace(/[*]/g, "[^:]*")}:`);
    return glob.test(c.id) && (conditions?.split(",") ?? []).every((x) => c.id.split(/[:,]/).includes(x));
  });
}

const cut = (run) => run.status !== "complete";

// The runs that a link names, if they are one for each card that ran this machine code; else null.
function cardsOf(ids, device, name) {
  const list = (ids ?? "").split(" ").map((id) => runs.get(id));
  const c = list[0]?.cases.get(name);
  if (list.length < 3 || !c?.build.code_sha256) return null;
  const ran = (run) => {
    const k = run?.cases.get(name);
    return k && run.device === device && code(k) === code(c) && timesOf(run, k).size > 0;
  };
  const cards = new Set(list.map((run) => run?.card));
  if (!list.every(ran) || cards.size !== list.length) return null;
  for (const run of runs.values())
    if (run.card && ran(run) && !cards.has(run.card) && !takenBack(run, run.cases.get(name)) &&
        !(cut(run) && run.id > list[0].id)) return null; // a run that was cut short replaces no older one
  return list;
}

// The geometric mean over those cards; NaN, which is no number of a page, if there is none.
function overCards(metric, ids, device, name) {
  const list = cardsOf(ids, device, name);
  return list ? geometric(list.map((run) => valueOf(metric, run, run.cases.get(name)))) : NaN;
}

// --- pages -------------------------------------------------------------------

const plain = (s) =>
  s.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&quot;/g, '"').replace(/&#39;/g, "'").replace(/&amp;/g, "&");

// What a link says it is: { metric, value } or null if its record was not given.
function meant(attribute) {
  const [, device, name, fragment] = attribute.href?.match(/\/numbers\/([^/]+)\/([^/]+)\/#(.+)$/) ?? [];
  const run = runs.get(attribute["data-run"]);
  const c = run?.cases.get(name);
  if (!c) return null;
  const [, metric, how, other, cards] = (attribute["data-n"] ?? fragment).match(/^([a-z]+)(?:-(over|of)-((?!cards$).+?))??(-over-cards)?$/) ?? [];
  if (!metric) return null;
  const value = cards ? overCards(metric, attribute["data-cards"], device, name) : valueOf(metric, run, c);
  if (!how) return value;
  const peak = specs.get(`${device}/${other}`);
  if (how === "of" && peak !== undefined) return (100 * value) / peak;
  const overRun = runs.get(attribute["data-over-run"] ?? attribute["data-run"]);
  const b = overRun?.cases.get(other) ?? overRun?.cases.get(other.split("--")[1]);
  if (cards && b) return (value / overCards(metric, attribute["data-over-cards"], overRun.device, anchor(b.id))) * (how === "of" ? 100 : 1);
  return b ? ratioOf(metric, run, c, overRun, b) * (how === "of" ? 100 : 1) : null;
}

// A data sheet is of a kind ("h100"), a device may be one of them ("h100-80gb-hbm3").
const sheet = (device, key) => specs.get(`${device}/${key}`) ?? specs.get(`${device.split("-")[0]}/${key}`);

// What a derivation's key says it is; null if one of its records was not given.
function derivedFrom(attribute) {
  const [, device, expression, unit] = attribute["data-n"].match(/^derived (\S+) (.*) (\S+)$/);
  const ids = attribute["data-runs"].split(" ");
  let k = 0, whole = true;
  const measuredIn = (_, of, id, metric) => {
    const run = runs.get(ids[ids.length > 1 ? k : 0]), c = run?.cases.get(anchor(id));
    k++;
    whole &&= c !== undefined;
    return c ? `(${run.device === of ? valueOf(metric, run, c) / (metric === "error" ? 1e6 : 1) : NaN})` : "0";
  };
  const sum = expression.replace(/\[(\S+) (\S+) (\S+)\]/g, measuredIn)
    .replace(/spec:([a-z0-9_-]+)(?:@([a-z0-9-]+))?/g, (_, key, of) => `(${sheet(of ?? device, key)})`)
    .replace(/(\d) (?:FLOP|B|s)(?![A-Za-z])/g, "$1");
  if (!whole) return null;
  if (/[^-+*/() .\de]/.test(sum)) return NaN;
  return Function(`return ${sum}`)() * ({ "%": 100, ppm: 1e6 }[unit] ?? 1);
}

const scale = { P: 1e15, T: 1e12, G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, µ: 1e-6, n: 1e-9, p: 1e-12 };
const UNIT = /^([\d.]+)\u00a0?(?:([PTGMkmµnp]?)(s|B\/s|FLOP\/s|Hz|cycles|J|W|J\/FLOP|J\/B)|(×|%|FLOP\/B))$/;
// A derivation may be negative, and in units of its own.
const OF_DERIVED = /^(-?[\d.]+)\u00a0?(?:([PTGMkmµnp]?)(s|B|B\/s|FLOP|FLOP\/s|Hz|cycles|J|W|J\/FLOP|J\/B)|(×|%|ppm|tokens\/s|FLOP\/B|FLOP\/clk\/SM))$/;

let checked = 0;
function check(page) {
  const html = readFileSync(page, "utf8");
  let wrong = 0, here = 0;
  for (const [, loss, tag, text] of html.matchAll(/<a class="num(?: ratio| percent| roof| derived)?( loss)?"([^>]*)>([^<]*)/g)) {
    const attribute = Object.fromEntries([...tag.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, k, v]) => [k, plain(v)]));
    const said = plain(text).split(" / "), derived = "data-runs" in attribute, both = !derived && bothOf(attribute);
    if (both && said.length !== 2) {
      wrong++;
      console.log(`not ok - ${page}: says ${text}, and the case has two speeds: ${both}`);
      continue;
    }
    said.forEach((one, i) => {
      const [, digits, prefix] = (loss ? one.replace(/^−/, "") : one).match(derived ? OF_DERIVED : UNIT) ?? [];
      const found = digits === undefined ? derived ? NaN : null : both ? both[i] : said.length > 1 ? null : derived ? derivedFrom(attribute) : meant(attribute);
      if (found === null) return;
      const value = loss ? 100 * (1 - found) : found;
      const want = value / scale[prefix ?? ""];
      const decimals = (digits?.split(".")[1] ?? "").length;
      here++;
      if (Math.abs(Number(digits) - want) <= 0.5000001 * 10 ** -decimals) return; // NaN is not
      wrong++;
      console.log(`not ok - ${page}: says ${text}, the record of ${attribute.href} says ${want}`);
    });
  }
  if (here && !wrong) console.log(`ok - ${page}: ${here} numbers`);
  checked += here;
}

// --- predictions ---------------------------------------------------------------

// The blob of a path in a commit, or undefined; asked once.
const blobs = new Map();
function blobOf(commit, path) {
  const key = `${commit}:${path}`;
  if (!blobs.has(key)) {
    const git = ["rev-parse", "--verify", "-q", key];
    let blob;
    try {
      blob = execFileSync("git", git, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
      blob = undefined;
    }
    blobs.set(key, blob);
  }
  return blobs.get(key);
}

const isOk = (l) => l.status === "ok" && l.before.passed && l.after.passed;
const measured = (run, id) => (run.launches.get(id) ?? []).some(isOk);

// Could whoever had the record of a run know the answer? Of a ratio both sides must be in it.
function answers(run, id, text) {
  const over = text.match(/^metric: ratio.* over (\S+?)(?:[: ]|$)/m)?.[1];
  const other = [...run.launches.keys()].some((k) => k.startsWith(`${over}:`) && measured(run, k));
  return measured(run, id) && (!over || other);
}

const SCORED = /class="verdict" data-prediction="[^"]*" data-verdict="(?:held|missed|undecided)"/;
const DECIDES = /<tr class="decides"><th scope="row"><a [^>]*>([^<]*)<\/a><\/th><td class="left">([^<]*)</g;

function checkPrediction(page) {
  const html = readFileSync(page, "utf8"), [, id] = page.match(/predictions\/([^/]+)\/index\.html$/);
  const path = `data/predictions/${id}.md`, rows = SCORED.test(html) ? [...html.matchAll(DECIDES)] : [];
  const text = rows.length ? readFileSync(path, "utf8") : "", now = blobOf("HEAD", path);
  let wrong = 0;
  for (const [, by, name] of rows) {
    const run = runs.get(by), c = plain(name);
    for (const [other, r] of run ? runs : []) {
      if (r.device !== run.device || !answers(r, c, text) || blobOf(r.commit, path) === now) continue;
      if (!blobOf(run.commit, r.file)) continue;
      wrong++;
      console.log(`not ok - ${page}: run ${by} decides ${c}, but run ${other} was on record, and knew no such prediction`);
    }
  }
  if (rows.length && !wrong) console.log(`ok - ${page}: foretold`);
}

const pages = statSync(where).isDirectory()
  ? readdirSync(where, { recursive: true }).filter((p) => p.endsWith(".html")).sort().map((p) => join(where, p))
  : [where];
pages.forEach(check);
if (statSync(where).isDirectory() && existsSync(".git"))
  pages.filter((p) => /\/predictions\/[^/]+\/index\.html$/.test(p)).forEach(checkPrediction);
if (!checked) console.log("not ok - the pages show no number of these records");
