// A newer run whose results were wrong, or that does not show that they were right.
import { RUN_C, caseOfPost } from "../site.mjs";
import { refuse } from "../expect.mjs";

const ALL = () => true;
const first = (l) => l.i === 0;
const last = (l) => l.i === 9;

// The launches of the case that the post shows, changed where `where` says.
const run = (name, where, change) => ({
  name,
  expect: refuse("correct"),
  apply(m) {
    m.repo.addRun(RUN_C, m.repo.measured(), {
      launch: (l) => {
        if (l.case === caseOfPost && where(l)) change(l);
        return l;
      },
    });
    m.repo.commit();
  },
});

// As the runner writes a launch that has no samples.
function stop(l, status) {
  Object.assign(l, { status, base_ns: 0, above_base_ns: [] });
  delete l.stop;
}
function fail(l, check) {
  l[check] = { error: 0.5, looked_at: 4096, passed: false };
  stop(l, "wrong");
}

const checks = ["before", "after"];
export default [
  ...checks.map((c) => run(`${c}: failed in all processes`, ALL, (l) => fail(l, c))),
  ...checks.map((c) => run(`${c}: failed in the first launch`, first, (l) => fail(l, c))),
  ...checks.map((c) => run(`${c}: failed in the last launch`, last, (l) => fail(l, c))),
  ...checks.map((c) => run(`${c}: the error is above the tolerance, passed is said`, last, (l) => (l[c].error = 2e-6))),
  ...checks.map((c) => run(`${c}: the error is far above`, ALL, (l) => (l[c].error = 1))),
  ...checks.map((c) => run(`${c}: the error is not a number`, first, (l) => (l[c].error = -1))),
  ...checks.map((c) => run(`${c}: the error is negative`, last, (l) => (l[c].error = -0.5))),
  ...checks.map((c) => run(`${c}: nothing was looked at`, ALL, (l) => (l[c].looked_at = 0))),
  ...checks.map((c) => run(`${c}: nothing was looked at in one launch`, last, (l) => (l[c].looked_at = 0))),
  run("every launch crashed", ALL, (l) => stop(l, "signal:11")),
  run("every launch timed out", ALL, (l) => stop(l, "timeout")),
  {
    name: "the machine code of the variant before it, under another name",
    expect: refuse("correct"),
    apply(m) {
      m.repo.addRun(RUN_C, m.repo.measured(), {
        one: (c) => ({ ...c, build: { ...c.build, code_sha256: "7".repeat(64) } }),
      });
      m.repo.commit();
    },
  },
  {
    name: "the tolerance is below the error",
    expect: refuse("correct"),
    apply(m) {
      m.repo.addRun(RUN_C, m.repo.measured(), {
        one: (c) => (c.id === caseOfPost ? { ...c, check: { ...c.check, tolerance: 1e-9 } } : c),
        launch: (l) => ({ ...l, after: { ...l.after, error: 1e-8 } }),
      });
      m.repo.commit();
    },
  },
];
