// Records that are not the ones that were written: bytes, ends, history.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { otherDigit } from "../draw.mjs";
import { COUNTED, RUN_A, RUN_B, RUN_C, caseOfPost, pageOf, runPath, TRACED } from "../site.mjs";
import { audit, ignored, mark, refuse, shows, strict } from "../expect.mjs";

const B = runPath(RUN_B);
const AHEAD = RUN_C.replace("2026", "2027");

// Line `n` of a record with one digit changed; negative: from the end.
const digit = (n) => (m) => (text) => {
  const lines = text.trimEnd().split("\n");
  const i = n < 0 ? lines.length + n : n;
  lines[i] = otherDigit(lines[i], m.draw);
  return lines.join("\n") + "\n";
};

const edited = (name, change, id = RUN_B) => ({
  name: `work tree: ${name}`,
  expect: refuse("whole"),
  apply: (m) => m.repo.edit(runPath(id), change(m)),
});
const committed = (name, change, id = RUN_B) => ({
  name: `committed: ${name}`,
  expect: refuse("whole"),
  apply(m) {
    m.repo.edit(runPath(id), change(m));
    m.repo.commit();
  },
});
const history = (name, apply, expect = refuse("whole")) => ({ name: `history: ${name}`, expect, apply });
// Of the end of a run that was interrupted; its launches before number n.
const partial = (e) => ({ ...e, status: "partial" });
const upTo = (n) => (l) => l.filter((x) => x.i < n);
// The null control of a case: the same once more.
const nullOf = ({ share, record: c }) => {
  const params = { ...c.params, null: 1 };
  const words = Object.entries(params).map(([k, v]) => `${k}=${v}`);
  const id = `${c.family}/${c.variant}:${words},dtype=${c.dtype},cache=${c.cache}`;
  return { share, record: { ...c, id, params, role: "null" } };
};
// One of the three that a run was collected of.
const shard = (k) => ({
  shard: k, of: 3, attempt: 0, node: `node-${k}`, slurm: {}, id: `s${k}`, sha256: "d".repeat(64), launches: 4,
});
// A new run, committed, which is not what a runner leaves: it publishes nothing.
const broken = (name, options, expect = ignored(RUN_C, /is not whole|was interrupted|contradicts itself/)) => ({
  name: `a new run: ${name}`,
  expect,
  apply(m) {
    m.repo.addRun(RUN_C, m.repo.measured(), options(m));
    m.repo.commit();
  },
});
const later = { head: (h) => ({ ...h, schema: "ridgepoint-run/1.99" }) };
const output = (name, apply) => ({ name: `output: ${name}`, expect: audit("whole"), apply });

// A newest record that is passed over: said, and refused under --strict, committed or not.
const passedOver = (name, apply) => ({ name: `passed over: ${name}`, expect: strict("whole"), apply: (m) => apply(m.repo) });
const cutAfterHead = (text) => text.slice(0, text.indexOf("\n") + 100);

export default [
  passedOver("the newest, one digit changed, committed", (r) => {
    r.addRun(RUN_C, r.measured(), { end: (e) => ({ ...e, sha256: "0".repeat(64) }) });
    r.commit();
  }),
  passedOver("the newest, cut after its head, not committed", (r) => {
    r.addRun(RUN_C, r.measured());
    r.edit(runPath(RUN_C), cutAfterHead);
  }),
  passedOver("a record that is hidden", (r) => r.write(runPath(`.${RUN_C}`), r.read(B))),
  passedOver("a file among the records that is none", (r) => {
    r.write("data/runs/h200/notes.txt", "Not a record.\n");
    r.commit();
  }),
  edited("a sample", digit(30)),
  edited("the head", digit(0)),
  edited("a case", digit(3)),
  edited("the end", digit(-1)),
  edited("an older run", digit(40), RUN_A),
  edited("a line less", () => (t) => t.replace(/\n[^\n]*"i":9[^\n]*/, "")),
  edited("cut short", () => (t) => t.slice(0, t.length / 2)),
  edited("a space more", () => (t) => t + "\n"),
  committed("a sample", digit(50)),
  committed("the commit it names", () => (t) => t.replace(/"commit":"."/, '"commit":"x"').replace(/"commit":"(.)/, '"commit":"0')),
  committed("the end", digit(-1)),
  committed("an older run", digit(45), RUN_A),
  committed("a tolerance", () => (t) => t.replaceAll('"tolerance":0.000001', '"tolerance":0.1')),
  history("a run removed", (m) => {
    m.repo.git("rm", "-q", B);
    m.repo.commit();
  }),
  history("an older run removed", (m) => {
    m.repo.git("rm", "-q", runPath(RUN_A));
    m.repo.commit();
  }),
  history("changed and changed back to something else", (m) => {
    const was = m.repo.read(B);
    m.repo.edit(B, (t) => t.replace('"pid":1001', '"pid":1002'));
    m.repo.commit();
    m.repo.write(B, was.replace('"pid":1001', '"pid":1003'));
    m.repo.commit();
  }),
  history("of a trace rewritten", (m) => {
    m.repo.edit(`data/traces/h200/${TRACED}.jsonl`, (t) => t.replace('"tick_ns":32', '"tick_ns":16'));
    m.repo.commit();
  }),
  history("renamed", (m) => {
    renameSync(m.repo.path(B), m.repo.path(runPath(RUN_C)));
    m.repo.edit(runPath(RUN_C), (t) => t.replaceAll(RUN_B, RUN_C));
    m.repo.commit();
  }),
  history("removed on a branch that was merged", (m) => {
    m.repo.git("checkout", "-q", "-b", "side");
    m.repo.git("rm", "-q", runPath(RUN_A));
    m.repo.commit();
    m.repo.git("checkout", "-q", "main");
    m.repo.write("NOTES", "main\n");
    m.repo.commit();
    m.repo.git("merge", "-q", "--no-ff", "-m", "merge", "side");
  }),
  history("not committed at all", (m) => m.repo.addRun(RUN_C, m.repo.measured()), mark("preview", "whole")),
  history("without its repository", (m) => rmSync(m.repo.path(".git"), { recursive: true }), mark("preview", "whole")),
  history("a clock that was a year ahead", (m) => {
    m.repo.addRun(AHEAD, m.repo.measured());
    m.repo.commit();
  }, ignored(AHEAD, /began on 2027-01-09, after commit/)),
  history("counters of a clock that was a year ahead", (m) => {
    m.repo.addCounters("20270104T000000Z-h200-0000000f", m.repo.measured(), [COUNTED], m.repo.blobs());
    m.repo.commit();
  }, shows(pageOf(COUNTED), "data/profiles/h200/20260104T000000Z-h200-0000000e.jsonl")),
  history("counters that only replicate", (m) => {
    const of = { head: (h) => ({ ...h, replicates: RUN_B }) };
    m.repo.addCounters("20260106T000000Z-h200-0000000f", m.repo.measured(), [COUNTED], m.repo.blobs(), of);
    m.repo.commit();
  }, shows(pageOf(COUNTED), "data/profiles/h200/20260104T000000Z-h200-0000000e.jsonl")),
  broken("without an end", () => ({ end: () => null })),
  broken("a wrong hash", () => ({ end: (e) => ({ ...e, sha256: "0".repeat(64) }) })),
  broken("a wrong count of lines", () => ({ end: (e) => ({ ...e, records: e.records + 1 }) })),
  broken("interrupted, and nothing is missing", () => ({ end: partial }), ignored(RUN_C, /contradicts itself: it says that it was interrupted/)),
  broken("interrupted in its fifth launch", () => ({ end: partial, launches: upTo(4) }), ignored(RUN_C, /of 10 processes 4 are whole/)),
  broken("interrupted before half of its launches", () => ({
    end: partial, launches: upTo(5), head: (h) => ({ ...h, plan: { ...h.plan, launches: 12 } }),
  }), ignored(RUN_C, /of 12 processes 5 are whole/)),
  broken("interrupted, as somebody says who leaves out a launch", () => ({
    end: partial, launches: (l) => l.filter((x) => x.i !== 4),
  }), ignored(RUN_C, /launch 4 of [^ ]* is missing, and launch 5 follows/)),
  broken("interrupted, as somebody says who leaves out a launch of one case", () => ({
    end: partial, launches: (l) => l.filter((x) => x.case !== caseOfPost || x.i !== 4),
  }), ignored(RUN_C, /launch 4 of [^ ]* is missing, and launch 5 follows/)),
  broken("interrupted, with launches beyond its plan", () => ({
    end: partial, launches: (l) => upTo(6)(l).map((x) => (x.i === 5 ? { ...x, i: 2 ** 40 } : x)),
  })),
  broken("interrupted, with a launch before the first", () => ({
    end: partial, launches: (l) => upTo(6)(l).map((x) => (x.i === 5 ? { ...x, i: -1 } : x)),
  })),
  broken("interrupted, with null controls of no launch", () => ({
    end: partial, cases: (list) => [...list, nullOf(list[3])],
    launches: (l) => upTo(7)(l).map((x) => (x.case.includes("null=1") ? { ...x, i: 2 ** 40 + x.i } : x)),
  }), ignored(RUN_C, /it has launch \d+ of [^ ]*null=1/)),
  broken("collected, without the shards that somebody did not like", () => ({
    end: partial, launches: (l) => l.filter((x) => x.i % 3 !== 1),
    head: (h) => ({ ...h, plan_sha256: "c".repeat(64), shards: [1, 3].map(shard) }),
  }), ignored(RUN_C, /processes of its shards are missing/)),
  broken("a null control without a launch", () => ({
    cases: (list) => [...list, nullOf(list[3])],
    launches: (l) => l.filter((x) => !x.case.includes("null=1") || x.i !== 4),
  })),
  broken("another end", () => ({ end: (e) => ({ ...e, status: "stopped" }) })),
  broken("a case that was unavailable, with launches", () => ({
    one: (c) => (c.id === caseOfPost ? { ...c, unavailable: "not built here" } : c),
  }), ignored(RUN_C, /which is unavailable/)),
  {
    name: "a new run: interrupted in its eighth launch",
    expect: mark("unsteady", "steady"),
    apply(m) {
      const begun = (l) => l.filter((x) => x.i < 7 || (x.i === 7 && x.at < 3));
      m.repo.addRun(RUN_C, m.repo.measured(), { end: partial, launches: begun });
      m.repo.commit();
    },
  },
  broken("a launch left out", () => ({ launches: (l) => l.filter((x) => x.case !== caseOfPost || x.i !== 4) })),
  broken("a launch twice", () => ({ launches: (l) => [...l, l[5]] }), refuse("whole")),
  broken("samples of a failed check", () => ({
    launch: (l) => ({ ...l, before: { ...l.before, passed: false } }),
  }), refuse("whole")),
  broken("a case that no launch knows", () => ({ launch: (l) => ({ ...l, case: "x/y" }) }), refuse("whole")),
  broken("a line that is no record", () => ({ lines: (l) => [...l, "{"] }), refuse("whole")),
  broken("samples left out", () => ({ launch: (l) => ({ ...l, above_base_ns: l.above_base_ns.slice(10) }) })),
  broken("it ended before it began", () => ({ end: (e) => ({ ...e, end: "2026-01-01T00:00:00Z" }) })),
  broken("of a later minor version, which is marked", () => later,
    shows(`runs/${RUN_C}/index.html`, /ridgepoint-run\/1\.99, of a later minor version than this program knows/)),
  broken("its start is not that of its name", () => ({ head: (h) => ({ ...h, start: "2026-01-08T00:00:00Z" }) })),
  output("a byte in a page without numbers", (m) =>
    writeFileSync(`${m.site}/404.html`, read(m, "404.html").replace("</main>", " </main>"))),
  output("a file less", (m) => rmSync(`${m.site}/robots.txt`)),
  output("a file more", (m) => writeFileSync(`${m.site}/more.html`, "<p>more</p>")),
  output("a style sheet", (m) => writeFileSync(`${m.site}/static/site.css`, "body{}")),
];

function read(m, path) {
  return execFileSync("cat", [`${m.site}/${path}`], { encoding: "utf8" });
}
