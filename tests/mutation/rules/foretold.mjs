// Predictions that are not what they say: too late, or changed afterwards.
import { renameSync, rmSync } from "node:fs";
import { RUN_C } from "../site.mjs";
import { audit, ignored, refuse, shows } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

const HOLDS = "data/predictions/tile-holds.md";
const page = (id) => `predictions/${id}/index.html`;
const text = (low) => `---
title: The padded tile reaches half of the memory's peak.
selector: transpose/padded rows=16384
metric: percent of spec:hbm
low: ${low}
confidence: 0.9
---
A reason.
`;
const LATE = /registered too late/i, AMENDED = /amended/i;

const amended = (name, change) => ({
  name: `amended: ${name}`,
  expect: shows(page("tile-holds"), AMENDED),
  apply(m) {
    m.repo.edit(HOLDS, change);
    m.repo.commit();
  },
});
const late = (name, apply, id = "late") => ({
  name: `late: ${name}`,
  expect: shows(page(id), LATE),
  apply: (m) => apply(m.repo, m),
});
const gone = (name, apply) => ({
  name: `gone: ${name}`,
  expect: refuse("foretold"),
  apply(m) {
    apply(m.repo);
    m.repo.commit();
  },
});
const add = (r, id = "late", low = 50) => r.write(`data/predictions/${id}.md`, text(low));

// A run at HEAD whose clock was set back to before the runs that are published.
const EARLY = "20260102T233000Z-h200-0000000d";
const setBack = (name, options = {}) => late(`a second run whose clock was set back: ${name}`, (r) => {
  add(r);
  r.addRun(EARLY, r.commit("2026-01-02T23:00:00Z"), options);
  r.commit();
});

export default [
  setBack("as fast"),
  setBack("faster", { slower: 0.99 }),
  setBack("twice", { count: 20 }),
  late("a second run whose clock was set back, on a branch without the first", (r) => {
    r.git("checkout", "-q", "-b", "side", "measured");
    add(r);
    r.addRun(EARLY, r.commit("2026-01-02T23:00:00Z"));
    r.commit("2026-01-03T00:00:00Z");
    r.git("checkout", "-q", "main");
    r.git("merge", "-q", "--no-ff", "-m", "merge", "side");
  }),
  {
    name: "a run that began before the commit that it measured",
    expect: ignored(EARLY, /began on 2026-01-02T23:30:00Z, before the commit/),
    apply({ repo: r }) {
      add(r);
      r.addRun(EARLY, r.commit("2026-01-09T00:00:00Z"));
      r.commit();
    },
  },
  {
    name: "output: another verdict",
    expect: audit("foretold"),
    apply(m) {
      editPage(m, "predictions/index.html", (t) => t.replace(/(<span class="verdict"[^>]*)"held"/, '$1"missed"'));
      forge(m);
    },
  },
  {
    name: "output: another range",
    expect: audit("foretold"),
    apply(m) {
      editPage(m, "predictions/index.html", (t) => t.replace(/(data-prediction="tile-holds">[^<]*)55/, (_, before) => before + "50"));
      forge(m);
    },
  },
  amended("a lower bound", (t) => t.replace("low: 55", "low: 50")),
  amended("a higher bound", (t) => t.replace("high: 70", "high: 62.5")),
  amended("no upper bound", (t) => t.replace("high: 70\n", "")),
  amended("more confident", (t) => t.replace("0.8", "0.99")),
  amended("another case", (t) => t.replace("transpose/tile", "transpose/padded")),
  amended("another metric", (t) => t.replace("percent of spec:hbm", "bandwidth").replace("55", "2e12").replace("70", "4e12")),
  amended("another title", (t) => t.replace("half", "third")),
  amended("another reason", (t) => t.replace("are left", "are gone")),
  amended("a space", (t) => t + "\n"),
  amended("the bounds that came true", (t) => t.replace("low: 55\nhigh: 70", "low: 61\nhigh: 62")),
  late("added after all runs", (r) => {
    add(r);
    r.commit();
  }),
  ...[40, 60, 80].map((low) =>
    late(`added with what was measured in sight (${low})`, (r) => {
      add(r, "late", low);
      r.commit("2026-01-12T00:00:00Z");
    })),
  late("its date is put back before the runs", (r) => {
    add(r);
    r.commit("2026-01-01T12:00:00Z");
  }),
  late("its date is put back by years", (r) => {
    add(r);
    r.commit("2020-01-01T00:00:00Z");
  }),
  late("in the commit of the run", (r) => {
    add(r);
    r.addRun(RUN_C, r.measured());
    r.commit();
  }),
  gone("renamed", (r) => renameSync(r.path(HOLDS), r.path("data/predictions/late.md"))),
  gone("removed", (r) => rmSync(r.path(HOLDS))),
  gone("renamed and sharpened", (r) => {
    r.write("data/predictions/late.md", r.read(HOLDS).replace("low: 55", "low: 61"));
    rmSync(r.path(HOLDS));
  }),
  late("copied", (r) => {
    r.write("data/predictions/late.md", r.read(HOLDS));
    r.commit();
  }),
  late("on a branch that was merged after the runs", (r) => {
    r.git("checkout", "-q", "-b", "side", "measured");
    add(r);
    r.commit("2026-01-02T06:00:00Z");
    r.git("checkout", "-q", "main");
    r.git("merge", "-q", "--no-ff", "-m", "merge", "side");
  }),
  {
    name: "amended: removed, and added again with another bound",
    expect: shows(page("tile-holds"), AMENDED),
    apply({ repo: r }) {
      const was = r.read(HOLDS);
      r.git("rm", "-q", HOLDS);
      r.commit();
      r.write(HOLDS, was.replace("low: 55", "low: 60"));
      r.commit();
    },
  },
];
