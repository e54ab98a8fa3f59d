// A newer run that says more than the device can do.
import { RUN_C, caseOfPost } from "../site.mjs";
import { refuse } from "../expect.mjs";

const run = (name, options) => ({
  name,
  expect: refuse("possible"),
  apply(m) {
    m.repo.addRun(RUN_C, m.repo.measured(), options);
    m.repo.commit();
  },
});
// Bytes are changed after the launches were timed: the time is that of the true bytes.
const lie = (name, change) =>
  run(name, {
    lines: (lines) =>
      lines.map((l) => {
        const r = JSON.parse(l);
        if (r.type !== "case" || (change.only && r.id !== caseOfPost)) return l;
        return JSON.stringify({ ...r, model: { ...r.model, ...change(r.model) } });
      }),
  });
const only = (f) => Object.assign(f, { only: true });
const word = (what) => ({ one: (c) => ({ ...c, ...what }) });
const later = {
  hbm9: { one: (c) => ({ ...c, model: { ...c.model, level: "hbm9" } }) },
  fp1: { one: (c) => ({ ...c, model: { ...c.model, unit: "fp1" } }) },
  wonders: word({ metric: "wonders" }),
  champion: word({ role: "champion" }),
  abacus: word({ device: "abacus" }),
  sundial: { launch: (l) => ({ ...l, timer: "sundial" }) },
  boredom: { launch: (l) => ({ ...l, stop: "boredom" }) },
};
export default [
  ...[0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02].map((slower) => run(`all times × ${slower}`, { slower })),
  ...[2, 3, 4, 8].map((n) =>
    run(`a batch that is ${n} times what ran`, { launch: (l) => ({ ...l, batch: n }) })),
  ...[2, 3, 5, 10].map((n) =>
    lie(`${n} times the bytes`, (m) => ({ bytes_read: n * m.bytes_read, bytes_written: n * m.bytes_written }))),
  lie("four times the bytes read", only((m) => ({ bytes_read: 4 * m.bytes_read }))),
  lie("four times the bytes written", only((m) => ({ bytes_written: 4 * m.bytes_written }))),
  lie("element size eight", only((m) => ({ bytes_read: 2 * m.bytes_read, bytes_written: 2 * m.bytes_written }))),
  ...["bf16", "fp32", "tf32"].map((unit) =>
    lie(`more operations than ${unit} can do`, (m) => ({ flop: 1e7 * (m.bytes_read + m.bytes_written), unit }))),
  ...["cache", "shared"].map((level) => lie(`cold bytes that come from '${level}'`, () => ({ level }))),
  ...Object.entries(later).map(([word, options]) =>
    run(`an impossible number under '${word}', which a later version may know`, {
      head: (h) => ({ ...h, schema: "ridgepoint-run/1.99" }), slower: 0.02, ...options,
    })),
  { ...run("a level that nobody knows", { one: (c) => ({ ...c, model: { ...c.model, level: "hbm9" } }) }), expect: refuse("whole", /'level' is 'hbm9'/) },
  { ...run("a role that nobody knows", { one: (c) => ({ ...c, role: "champion" }) }), expect: refuse("whole", /'role' is 'champion'/) },
  run("one launch's times in another unit", {
    launch: (l) => (l.case === caseOfPost ? { ...l, base_ns: Math.round(l.base_ns / 1000), above_base_ns: l.above_base_ns.map(() => 0) } : l),
  }),
];
