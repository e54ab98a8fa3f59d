// main.mjs [STATES] - power losses, replayed. Each command runs once under strace; then the disk
// is put together as it may look after a loss of power at any moment, STATES times a command
// (crash.mjs). In every state the old or the new result must be there, whole, and once the
// command has ended, the new one. A few states of each command are written to a real folder,
// where the next command must find its way. Prints TAP lines.
//
// To add a command, add a row to `commands`.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Disk, trace } from "./trace.mjs";
import { draw, durable, files, under } from "./crash.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const BUILD = resolve(ROOT, process.env.BUILD ?? "build");
const GEN = join(BUILD, "site-gen"), RUNNER = join(BUILD, "runner");
const STATES = +(process.argv[2] ?? 300), REAL = +(process.env.POWER_REAL ?? Math.min(40, Math.max(2, STATES / 100)));

const work = mkdtempSync(join(tmpdir(), "ridgepoint-power-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const at = (...p) => join(work, ...p);
let said = ""; // by the commands that go on from a state
function run(cwd, program, ...args) {
  const r = spawnSync(program, args, { cwd, encoding: "utf8" });
  said += r.stdout + r.stderr;
  return r;
}
const fresh = (from) => {
  rmSync(at("try"), { recursive: true, force: true });
  execFileSync("cp", ["-a", at(from), at("try")]);
};

// xorshift, so that SEED=N gives the same states again
let seed = BigInt(process.env.SEED ?? 14) * 0x9e3779b97f4a7c15n & (2n ** 64n - 1n) | 1n;
function random() {
  seed ^= seed << 13n & (2n ** 64n - 1n);
  seed ^= seed >> 7n;
  seed ^= seed << 17n & (2n ** 64n - 1n);
  return Number(seed >> 11n) / 2 ** 53;
}

const REDUCE = "reduce/c_simd:n=2^20,cache=hot";
const oneOf = (path) => ({
  // a state must show the old or the new under `path`, and the new if the command has ended
  judge(tree, { old, now, ended }) {
    const is = under(tree, path);
    if (is === under(now, path)) return null;
    return !ended && is === under(old, path) ? null : `${path} is ${ended ? "not the new one" : "neither the old nor the new"}`;
  },
});
const records = (tree) => [...tree.keys()].filter((p) => /^data\/runs\/.*\/[^.][^/]*\.jsonl\.gz$/.test(p));
const record = {
  // a record that has its name is whole; once the command has ended it is there, and listed
  judge(tree, { now, ended }) {
    const path = records(now)[0];
    for (const p of records(tree)) if (tree.get(p).hash !== now.get(p)?.hash) return `${p} has its name and is not whole`;
    if (!ended) return null;
    if (!tree.has(path)) return `${path} was reported, and is lost`;
    return under(tree, "data/runs/MANIFEST") === under(now, "data/runs/MANIFEST") ? null : "MANIFEST has lost it";
  },
};
const commands = [
  {
    name: "build", from: "before", folder: "build", ...oneOf("build/site"),
    command: [GEN, "build", "-q", "-j", "2"],
    next: () => publishes("build", "-q", "-j", "2") && same("try/build/site", "built/build/site"),
  },
  {
    name: "note", from: "before", folder: "data", ...oneOf("data/published.jsonl"),
    command: [GEN, "note", "-q", "-j", "2"],
    next: () => run(at("try"), GEN, "note", "-q", "-j", "2").status === 0 && same("try/data/published.jsonl", "noted/data/published.jsonl"),
  },
  {
    name: "deploy", from: "noted", folder: ".", ...oneOf("www"),
    command: [GEN, "deploy", "-q", "-j", "2", "www"],
    next: () => publishes("deploy", "-q", "-j", "2", "www") && same("try/www", "deployed/www"),
  },
  {
    name: "run", from: "empty", folder: "data", ...record,
    command: [RUNNER, "run", "--device", "cpu", "--launches", "1", REDUCE],
    next: () => !existsSync(at("try/data/runs")) || (run(at("try"), RUNNER, "resume").status === 0 && run(at("try"), RUNNER, "verify").status === 0),
  },
  {
    name: "collect", from: "shards", folder: "data", ...record,
    command: [RUNNER, "collect", "plan.json", "shards"],
    next: () => (run(at("try"), RUNNER, "collect", "plan.json", "shards"), run(at("try"), RUNNER, "verify").status === 0 && same(`try/${recordOf("try")}`, `collected/${recordOf("collected")}`)),
  },
  {
    name: "verify --add", from: "unlisted", folder: "data", ...record,
    command: [RUNNER, "verify", "--add"],
    next: () => run(at("try"), RUNNER, "verify", "--add", recordOf("try")).status === 0 && run(at("try"), RUNNER, "verify").status === 0,
  },
];
const same = (a, b) => run(work, "diff", "-rq", at(a), at(b)).status === 0;
// Where names are lost one by one, the staging folder may lose its mark. Then the build does not
// remove it, and says that somebody has to.
function publishes(...args) {
  if (run(at("try"), GEN, ...args).status === 0) return true;
  const folder = said.match(/site-gen: (\S*\.new): holds files that no build made .*: move them away/);
  if (!folder) return false;
  rmSync(at("try", folder[1]), { recursive: true, force: true });
  return run(at("try"), GEN, ...args).status === 0;
}
const recordOf = (dir) => execFileSync("find", ["data", "-name", "*.jsonl.gz"], { cwd: at(dir), encoding: "utf8" }).trim();

function prepare() {
  const script = `. "${ROOT}/tests/fixtures/small-site.sh"; small_site "${GEN}" "${ROOT}"`;
  const site = spawnSync("bash", ["-c", script], { cwd: work, encoding: "utf8" });
  if (site.status) throw new Error(site.stderr);
  mkdirSync(at("empty/data"), { recursive: true });
  run(at("empty"), "git", "init", "-q");
  mkdirSync(at("shards/data"), { recursive: true });
  run(at("shards"), "git", "init", "-q");
  run(at("shards"), RUNNER, "plan", "--device", "cpu", "--launches", "2", "--shards", "2", "--seed", "7", REDUCE);
  for (const k of ["1", "2"]) run(at("shards"), RUNNER, "run", "--plan", "plan.json", "--shard", k, "--out", `shards/${k}`);
  cpSync(at("shards"), at("collected"), { recursive: true });
  run(at("collected"), RUNNER, "collect", "plan.json", "shards");
  cpSync(at("collected"), at("unlisted"), { recursive: true });
  rmSync(at("unlisted/data/runs/MANIFEST"));
  commands.at(-1).command.push(recordOf("unlisted"));
}

// Only what the command changes below `folder` is lost; paths of a tree begin with the folder.
const prefixed = (tree, folder) => new Map([...tree].map(([p, f]) => [folder === "." ? p : `${folder}/${p}`, f]));

function putOnDisk(c, tree) {
  fresh(c.from);
  execFileSync("chmod", ["-R", "u+w", at("try", c.folder)]);
  rmSync(at("try", c.folder), { recursive: true, force: true });
  mkdirSync(at("try", c.folder), { recursive: true });
  for (const [p, f] of tree) {
    mkdirSync(dirname(at("try", p)), { recursive: true });
    writeFileSync(at("try", p), f.bytes);
  }
}

function replay(c) {
  fresh(c.from);
  mkdirSync(at("try", c.folder), { recursive: true });
  const t = trace(at("try", c.folder), at("try"), c.command);
  if (t.status !== 0) return [`the command fails: ${t.said}`, 0, 0];
  const cache = new Map(), tree = (s) => prefixed(files(t.before, t.ops, s, cache), c.folder);
  const all = { kept: t.ops.map((o, i) => (o.sync === undefined && !o.syncAll ? i : -1)).filter((i) => i >= 0), cut: new Map() };
  const old = tree({ kept: [], cut: new Map() }), now = tree(all);
  const real = prefixed(files(Disk.read(at("try", c.folder)), [], { kept: [], cut: new Map() }, new Map()), c.folder);
  if (under(real, "") !== under(now, "")) return ["the model of the trace is not what the command left", 0, 0];
  const seen = new Map();
  const wrong = [];
  for (let n = 0; n < STATES; n++) {
    const posix = n % 2 === 1, from = (c.from_ ??= {})[posix] ??= durable(t.ops, t.model, posix);
    const end = t.ops.length, moment = n % 5 === 0 ? end : Math.floor(random() * (end + 1));
    const s = draw(t.ops, from, moment, posix, random), is = tree(s);
    const fault = c.judge(is, { old, now, ended: moment === end });
    if (fault) wrong.push(`${posix ? "posix" : "ext4"}, after ${moment} of ${end} operations: ${fault}`);
    const key = under(is, "");
    if (!seen.has(key)) seen.set(key, is);
  }
  const states = [...seen.values()];
  let tried = 0;
  for (; tried < REAL && tried < states.length; tried++) {
    said = "";
    const chosen = states[Math.floor((tried * states.length) / REAL)];
    putOnDisk(c, chosen);
    if (!c.next())
      wrong.push(`the next command does not find its way from state ${tried}: ${said}`);
  }
  return [wrong, t.ops.length, states.length, tried];
}

if (spawnSync("strace", ["-o", "/dev/null", "-e", "trace=none", "true"]).status !== 0) {
  console.log("ok - losses of power # skip strace cannot trace here");
  process.exit(0);
}
prepare();
for (const c of commands.filter((c) => !process.env.POWER_ONLY || process.env.POWER_ONLY === c.name)) {
  const [wrong, ops, distinct, tried] = replay(c);
  const ok = wrong.length === 0;
  console.log(`${ok ? "ok" : "not ok"} - ${c.name}: ${STATES} losses of power in ${ops} operations, ${distinct} different disks, ${tried} continued from`);
  if (!ok) console.log([wrong].flat().slice(0, 12).join("\n").replace(/^/gm, "# "), `\n# ${wrong.length} in all`);
}
