// main.mjs [RULE...] - the mutation test. A good site (site.mjs) and harmless changes of it
// must pass, and the right rule must catch every corruption. Prints one TAP line per rule:
// "ok - traced 24/24". Each corruption gets a fresh copy of the good site; random choices
// have a fixed seed. To add a corruption, add a row to rules/<rule>.mjs,
//
//   { name, apply(m), expect: refuse(id) }
//
// where apply changes the copy `m.repo` (site.mjs) and expect is one of:
//   refuse(id)      build fails, an error ends with [id], nothing is published
//   strict(id)      build marks it, build --strict fails with [id]
//   mark(state, id) the same, and the post shows the state
//   audit(id)       apply changes m.site, a copy of the output; audit fails with [id]
//   found(id, edit) build succeeds; then edit(m) changes m.site, its output; audit fails with [id]
//   shows(page, text)  build succeeds and the page says so
//   ignored(run, text) build succeeds, the post shows nothing of the run, whose page says why
//   passes()        build --strict and audit pass: a harmless change
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { GEN, makeGood, Repo } from "./site.mjs";
import { random } from "./draw.mjs";

// every rule of the table, so that none goes without corruptions
const RULES = [...readFileSync("site-gen/base/rules.c", "utf8").matchAll(/\[RULE_\w+\] = \{"(\w+)"/g)]
  .map((row) => row[1]);
const FEWEST = 20;

const work = mkdtempSync(join(tmpdir(), "ridgepoint-mutation-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const good = join(work, "good");

const start = (program, cwd, args) =>
  new Promise((done) => {
    const p = spawn(program, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    p.stderr.on("data", (d) => (said += d));
    p.on("close", (code) => done({ code, said }));
  });
const run = (cwd, ...args) => start(GEN, cwd, args);
const build = (cwd, ...args) => run(cwd, "build", "-q", "--no-sync", "-j", "1", ...args);

const names = (said, id) => said.split("\n").some((l) => l.endsWith(`[${id}]`));
const short = (said) => said.trim().split("\n").slice(0, 2).join(" | ").slice(0, 300);

// Each returns the fault in the outcome, or nothing.
const outcomes = {
  async refuse({ id, text }, m) {
    const r = await build(m.repo.dir);
    if (r.code === 0) return "was published";
    if (existsSync(m.repo.path("build/site"))) return "left an output";
    if (!names(r.said, id)) return `was refused without [${id}]: ${short(r.said)}`;
    if (text && !r.said.match(text)) return `was refused for another reason: ${short(r.said)}`;
  },
  async strict({ id, state }, m) {
    const r = await build(m.repo.dir);
    if (r.code !== 0) return `was refused, not marked: ${short(r.said)}`;
    const page = readFileSync(m.repo.path("build/site/posts/tiles/index.html"), "utf8");
    if (state && !page.includes(`data-state="${state}"`)) return `is not marked ${state}`;
    if (!id) return;
    const s = await build(m.repo.dir, "--strict");
    if (s.code === 0) return "passes --strict";
    if (!names(s.said, id)) return `--strict refused it without [${id}]: ${short(s.said)}`;
  },
  async audit({ id }, m) {
    const r = await run(good, "audit", "--data-only", "-q", m.site);
    if (r.code === 0) return "passes the audit";
    if (!names(r.said, id)) return `the audit found it without [${id}]: ${short(r.said)}`;
  },
  async found({ id, edit }, m) {
    const b = await build(m.repo.dir);
    if (b.code !== 0) return `was refused: ${short(b.said)}`;
    edit({ ...m, site: m.repo.path("build/site") });
    const r = await run(m.repo.dir, "audit", "--data-only", "-q", "build/site");
    if (r.code === 0) return "passes the audit";
    if (!names(r.said, id)) return `the audit found it without [${id}]: ${short(r.said)}`;
  },
  async shows({ page, text }, m) {
    const r = await build(m.repo.dir);
    if (r.code !== 0) return `was refused: ${short(r.said)}`;
    const html = readFileSync(m.repo.path(join("build/site", page)), "utf8");
    if (!(text instanceof RegExp ? text.test(html) : html.includes(text)))
      return `${page} does not say '${text}'`;
  },
  async ignored({ id, text }, m) {
    const r = await build(m.repo.dir);
    if (r.code !== 0) return `was refused: ${short(r.said)}`;
    const page = (p) => readFileSync(m.repo.path(`build/site/${p}/index.html`), "utf8");
    if (page("posts/tiles").includes(id)) return "publishes its numbers";
    if (!page(`runs/${id}`).match(text)) return `its page does not say ${text}`;
  },
  async passes(_, m) {
    const r = await build(m.repo.dir, "--strict");
    if (r.code !== 0) return `was refused: ${short(r.said)}`;
    const a = await run(m.repo.dir, "audit", "--data-only", "-q", "build/site");
    if (a.code !== 0) return `fails the audit: ${short(a.said)}`;
  },
};

// Copies only the published site, or the repository without it.
async function copy(output, dir) {
  mkdirSync(dir);
  const parts = output ? ["build/site"] : readdirSync(good).filter((p) => p !== "build");
  await start("cp", good, ["-a", ...parts, dir]);
}

async function one(rule, corruption, i) {
  const dir = join(work, `${rule}-${i}`);
  const onOutput = corruption.expect.how === "audit";
  await copy(onOutput, dir);
  const m = { repo: new Repo(dir), site: join(dir, "site"), draw: random(`${rule} ${i}`) };
  let wrong;
  try {
    await corruption.apply(m);
    wrong = await outcomes[corruption.expect.how](corruption.expect, m);
  } catch (e) {
    wrong = `could not be made: ${e.message}`;
  }
  rmSync(dir, { recursive: true, force: true });
  return wrong;
}

// All jobs, a few at a time.
async function all(jobs) {
  const out = new Array(jobs.length);
  let next = 0;
  const worker = async () => {
    for (let i; (i = next++) < jobs.length; ) out[i] = await jobs[i]();
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return out;
}

async function score(rule, fewest) {
  const { default: corruptions } = await import(`./rules/${rule}.mjs`);
  const wrong = await all(corruptions.map((c, i) => () => one(rule, c, i)));
  const caught = wrong.filter((w) => !w).length;
  const ok = caught === corruptions.length && caught >= fewest;
  console.log(`${ok ? "ok" : "not ok"} - ${rule} ${caught}/${corruptions.length}`);
  wrong.forEach((w, i) => w && console.log(`#   ${corruptions[i].name}: ${w}`));
  return ok;
}

makeGood(good);
const asked = process.argv.slice(2);
const first = await build(good, "--strict");
console.log(`${first.code === 0 ? "ok" : "not ok"} - the good site is published`);
if (first.code !== 0) {
  console.log(first.said.split("\n").slice(0, 12).join("\n").replace(/^/gm, "# "));
  process.exit(1);
}
const clean = await run(good, "audit", "--data-only", "-q", "build/site");
console.log(`${clean.code === 0 ? "ok" : "not ok"} - its audit finds nothing`);
let ok = clean.code === 0;
if (clean.code !== 0) console.log(clean.said.replace(/^/gm, "# "));
for (const rule of asked.length ? asked : [...RULES, "harmless"])
  ok = (await score(rule, rule === "harmless" ? 10 : FEWEST)) && ok;
process.exit(ok ? 0 : 1);
