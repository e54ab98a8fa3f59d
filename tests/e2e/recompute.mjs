// recompute.mjs PAGE RECORD... - an independent check, sharing no code with the
// generator: every measured number on PAGE (a.num with a run address) that is
// a plain value is computed again from the raw samples of its record, and the
// digits on the page must be that value rounded to as many digits.
// Prints TAP lines.
import { readFileSync } from "node:fs";

const [page, ...records] = process.argv.slice(2);
const runs = new Map();
for (const file of records) {
  const run = { cases: new Map(), launches: [] };
  for (const line of readFileSync(file, "utf8").trim().split("\n")) {
    const r = JSON.parse(line);
    if (r.type === "run") runs.set(r.id, run);
    if (r.type === "case") run.cases.set(r.id, r);
    if (r.type === "launch") run.launches.push(r);
  }
}

const median = (x) => {
  const s = [...x].sort((a, b) => a - b);
  const h = s.length >> 1;
  return s.length % 2 ? s[h] : (s[h - 1] + s[h]) / 2;
};

function secondsPerCall(run, id) {
  const m = run.launches
    .filter((l) => l.case === id && l.status === "ok" && l.before.passed && l.after.passed)
    .map((l) => median(l.above_base_ns.map((d) => d + l.base_ns)) / l.batch / 1e9);
  if (!m.length) throw new Error(`no launches of ${id}`);
  return Math.exp(m.map(Math.log).reduce((a, b) => a + b) / m.length);
}

const scale = { T: 1e12, G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, µ: 1e-6, n: 1e-9 };
function expected(c, t, unit) {
  const bytes = c.model.bytes_read + c.model.bytes_written;
  const [, prefix, base] = unit.match(/^([TGMkmµn]?)(s|B\/s|FLOP\/s)$/) ?? [];
  if (base === undefined) return null;
  const value = base === "s" ? t : base === "B/s" ? bytes / t : c.model.flop / t;
  return value / scale[prefix];
}

const html = readFileSync(page, "utf8");
const link = /<a class="num" href="[^"]*"[^>]*data-run="([^"]+)"[^>]*title="([^"]*)"[^>]*>([^<]*)/g;
let checked = 0;
for (const [, runId, title, text] of html.matchAll(link)) {
  const run = runs.get(runId);
  const unescape = (s) => s.replace(/&amp;/g, "&").replace(/&lt;/g, "<").replace(/&gt;/g, ">");
  const id = run && [...run.cases.keys()].find((k) => unescape(title).startsWith(k));
  const [, digits, unit] = text.match(/^([\d.]+)\u00a0(\S+)$/) ?? [];
  if (!id || digits === undefined) continue;
  const want = expected(run.cases.get(id), secondsPerCall(run, id), unit);
  if (want === null) continue;
  const decimals = (digits.split(".")[1] ?? "").length;
  const off = Math.abs(Number(digits) - want);
  const ok = off <= 0.5000001 * 10 ** -decimals;
  console.log(`${ok ? "ok" : "not ok"} - ${id}: page says ${text}, record says ${want} ${unit}`);
  checked++;
}
if (!checked) console.log("not ok - the page shows no number of these records");
