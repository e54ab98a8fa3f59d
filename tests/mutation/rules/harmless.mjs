// Changes that break nothing: each must be published, also under --strict.
import { rmSync } from "node:fs";
import { ABOUT, closedPart, closeLog, LOG, note, POST, RUN_B, RUN_C, runPath } from "../site.mjs";
import { passes } from "../expect.mjs";

const change = (name, apply) => ({ name, apply, expect: passes() });
const commit = (name, apply) =>
  change(name, (m) => {
    apply(m.repo);
    m.repo.commit();
  });

export default [
  change("nothing at all", () => {}),
  change("a sentence without a number", (m) => m.repo.edit(ABOUT, (t) => t + "\nOne more sentence.\n")),
  change("a size, a date and a model's name", (m) =>
    m.repo.edit(ABOUT, (t) => t + "\nOn 2026-01-09 an H200 held 64 KB tiles of 32 × 32 bytes.\n")),
  change("trailing space in a page", (m) => m.repo.edit(ABOUT, (t) => t.replace(/\n$/, "  \n"))),
  change("a comment in the front matter", (m) =>
    m.repo.edit(ABOUT, (t) => t.replace("title: About\n", "# 3 times faster\ntitle: About\n"))),
  change("code with numbers in it", (m) =>
    m.repo.edit(ABOUT, (t) => t + "\n```\nit took 3.5 ms, 2x faster\n```\n")),
  change("another style sheet", (m) => m.repo.write("static/site.css", "body { margin: 0 }\n")),
  commit("a commit of nothing that was measured", (r) => r.write("NOTES", "notes\n")),
  commit("a comment in the Makefile", (r) => r.edit("Makefile", (t) => t + "# a comment\n")),
  commit("a new kernel that nobody quotes", (r) => r.write("kernels/transpose/other.cu", "// other\n")),
  commit("a draft", (r) => r.write("content/posts/draft.md", "---\ntitle: Draft\ndate: 2026-01-09\ndraft: true\n---\nText.\n")),
  commit("a merge of a branch", (r) => {
    r.git("checkout", "-q", "-b", "side");
    r.write("NOTES", "side\n");
    r.commit();
    r.git("checkout", "-q", "main");
    r.git("merge", "-q", "--no-ff", "-m", "merge", "side");
    r.write("NOTES", "main\n");
  }),
  change("times of files", (m) => m.repo.write(POST, m.repo.read(POST))),
  change("a record missing from the work tree alone", (m) => rmSync(m.repo.path(runPath(RUN_B)))),
  change("a partial run under way", (m) => m.repo.write(`data/runs/h200/.${RUN_C}.part`, "{")),
  commit("a log in closed parts", (r) => {
    closeLog(r, 1, 5);
    r.commit();
    closeLog(r, 2, 3);
    r.commit();
    closeLog(r, 3);
  }),
  commit("a closed part that the open one still repeats", (r) => {
    const all = r.read(LOG);
    closeLog(r, 1);
    r.write(LOG, all);
  }),
  change("a closed part that is not committed yet", (m) => closeLog(m.repo, 1)),
  change("a closed part missing from the work tree alone", (m) => {
    closeLog(m.repo, 1);
    m.repo.commit();
    rmSync(m.repo.path(closedPart(1)));
  }),
  commit("a newer run with the same times", (r) => {
    r.addRun(RUN_C, r.measured());
    r.commit();
    note(r);
    r.write("NOTES", "noted\n");
  }),
];
