// Runs of sources that nobody can have: not committed, or not in this history.
import { renameSync, rmSync } from "node:fs";
import { RUN_C, sourceOfPost } from "../site.mjs";
import { mark, refuse } from "../expect.mjs";

const run = (name, options, expect = mark("stale", "clean")) => ({
  name,
  expect,
  apply(m) {
    m.repo.addRun(RUN_C, m.repo.measured(), options(m));
    m.repo.commit();
  },
});
const provenance = (change) => () => ({ head: (h) => ({ ...h, provenance: { ...h.provenance, ...change } }) });
const withoutCommit = () => ({
  head: (h) => {
    const { commit, ...rest } = h.provenance;
    void commit;
    return { ...h, provenance: rest };
  },
});
const hex = (m) => Array.from({ length: 40 }, () => "0123456789abcdef"[m.draw.below(16)]).join("");
const blobs = (change) => (m) => ({ one: (c) => ({ ...c, source: change(c.source, m) }) });

// Before RUN_C begins: a run that begins before its own commit publishes nothing at all.
const BEFORE = "2026-01-08T12:00:00Z", STILL_BEFORE = "2026-01-08T13:00:00Z";

// A commit that is not in the history of main, measured there.
const elsewhere = (name, make) => ({
  name,
  expect: mark("stale", "clean"),
  apply(m) {
    const r = m.repo;
    make(r);
    const commit = r.head();
    r.git("checkout", "-q", "-f", "main");
    r.addRun(RUN_C, commit);
    r.commit();
  },
});

export default [
  run("from a dirty tree", provenance({ dirty: true })),
  run("from outside git", withoutCommit),
  ...[1, 2, 3, 4].map((i) =>
    run(`of a commit that nobody has (${i})`, (m) => ({
      head: (h) => ({ ...h, provenance: { ...h.provenance, commit: hex(m) } }),
    })),
  ),
  elsewhere("of a branch that was never merged", (r) => {
    r.git("checkout", "-q", "-b", "side");
    r.write("NOTES", "side\n");
    r.commit(BEFORE);
  }),
  elsewhere("of a branch from long ago", (r) => {
    r.git("checkout", "-q", "-b", "side", "measured");
    r.write("NOTES", "side\n");
    r.commit(BEFORE);
  }),
  elsewhere("of an unrelated history", (r) => {
    r.git("checkout", "-q", "--orphan", "side");
    r.commit(BEFORE);
  }),
  elsewhere("of a commit that was amended away", (r) => {
    r.git("checkout", "-q", "-b", "side");
    r.gitAt(BEFORE, "commit", "-q", "--amend", "-m", "amended");
  }),
  elsewhere("of a commit that was rebased away", (r) => {
    r.git("checkout", "-q", "-b", "side");
    r.write("NOTES", "one\n");
    r.commit(BEFORE);
    r.gitAt(STILL_BEFORE, "rebase", "-q", "--onto", "HEAD~2", "HEAD~1");
  }),
  ...[1, 2, 3].map((i) =>
    run(`blobs that its commit does not have (${i})`, blobs((s, m) => s.map(([p]) => [p, hex(m)])), refuse("clean")),
  ),
  run("one blob that its commit does not have", blobs((s, m) => [s[0], [s[1][0], hex(m)]]), refuse("clean")),
  run("a path that its commit does not have", blobs((s) => [...s, ["kernels/secret.h", s[0][1]]]), refuse("clean")),
  run("the blob of another path", blobs((s) => [[s[0][0], s[1][1]], s[1]]), refuse("clean")),
  {
    name: "the blob of a later commit",
    expect: refuse("clean"),
    apply(m) {
      const r = m.repo;
      r.edit(sourceOfPost, (t) => t + "// faster\n");
      r.commit();
      const now = r.git("rev-parse", `HEAD:${sourceOfPost}`);
      r.addRun(RUN_C, r.measured(), {
        one: (c) => ({ ...c, source: c.source.map(([p, b]) => [p, p === sourceOfPost ? now : b]) }),
      });
      r.commit();
    },
  },
  {
    name: "the blob of an earlier commit",
    expect: refuse("clean"),
    apply(m) {
      const r = m.repo;
      const before = r.git("rev-parse", `HEAD:${sourceOfPost}`);
      r.edit(sourceOfPost, (t) => t + "// slower\n");
      const commit = r.commit(BEFORE);
      r.addRun(RUN_C, commit, {
        one: (c) => ({ ...c, source: c.source.map(([p, b]) => [p, p === sourceOfPost ? before : b]) }),
      });
      r.commit();
    },
  },
  {
    name: "a shallow clone, which has not the measured commit",
    expect: mark("stale", "clean"),
    apply({ repo: r }) {
      const shallow = `${r.dir}-shallow`;
      r.git("clone", "-q", "--depth", "1", `file://${r.dir}`, shallow);
      rmSync(r.path(".git"), { recursive: true });
      renameSync(`${shallow}/.git`, r.path(".git"));
      rmSync(shallow, { recursive: true });
    },
  },
];
