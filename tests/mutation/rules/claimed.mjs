// Sentences that claim what the measurements do not say.
import { ABOUT, RUN_C } from "../site.mjs";
import { audit, refuse } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

const TILE = "transpose/tile:rows=16384", NAIVE = "transpose/naive:rows=16384";
const PADDED = "transpose/padded:rows=16384", COPY = "stream/memcpy:rows=16384";

const claims = (condition, why = /claim is (false|undecided)/) => ({
  name: condition,
  expect: refuse("claimed", why),
  apply: (m) => m.repo.edit(ABOUT, (t) => `${t}\n<<bench:claim ${condition}>>It is so<</bench:claim>>.\n`),
});
// A true claim of the post, after a run in which it is not true any more.
const overtaken = (name, options) => ({
  name: `overtaken: ${name}`,
  expect: refuse("claimed", /claim is (false|undecided)/),
  apply(m) {
    m.repo.addRun(RUN_C, m.repo.measured(), options);
    m.repo.commit();
  },
});
// A post of two devices, on the other of which one of its claims does not hold.
const onOther = (name, options) => ({
  name: `another device: ${name}`,
  expect: refuse("claimed", /claim is (false|undecided)/),
  apply: (m) => m.repo.addDevice(options),
});
const times = (variant, factor) => ({
  launch: (l) =>
    l.case.startsWith(`transpose/${variant}:`)
      ? { ...l, base_ns: Math.round(l.base_ns * factor), above_base_ns: l.above_base_ns.map((x) => Math.round(x * factor)) }
      : l,
});

// What became of a goal, told otherwise in the output, by somebody who also mends the manifest.
const verdict = (name, page, change) => ({
  name: `goal: ${name}`,
  expect: audit("claimed"),
  apply(m) {
    editPage(m, page, change);
    forge(m);
  },
});
const FAMILY = "kernels/transpose/index.html", ALL = "kernels/index.html";

export default [
  claims(`${NAIVE} bandwidth > ${TILE} bandwidth`),
  claims(`${TILE} bandwidth < ${NAIVE} bandwidth`),
  claims(`${TILE} bandwidth >= 2.5 * ${NAIVE} bandwidth`),
  claims(`${TILE} bandwidth <= 1.5 * ${NAIVE} bandwidth`),
  claims(`${TILE} time > ${NAIVE} time`),
  claims(`${PADDED} bandwidth >= ${COPY} bandwidth`),
  claims(`${PADDED} bandwidth > 0.95 * ${COPY} bandwidth`),
  claims(`${PADDED} bandwidth >= 4.0 TB/s`),
  claims(`${PADDED} bandwidth <= 3.0 TB/s`),
  claims(`${TILE} bandwidth > 3.5 TB/s`),
  claims(`${TILE} time < 100 µs`),
  claims(`${NAIVE} bandwidth within 5 % of ${TILE} bandwidth`),
  claims(`${PADDED} bandwidth within 1 % of ${COPY} bandwidth`),
  claims(`${TILE} fastest of transpose/*:rows=16384`),
  claims(`${NAIVE} fastest of transpose/*:rows=16384`),
  claims(`${TILE} saturates spec:hbm`),
  claims(`${PADDED} saturates spec:hbm`),
  claims(`${NAIVE} saturates measured:${COPY}`),
  claims(`${TILE} bandwidth > 1.0 * ${TILE} bandwidth`, /compares .* with itself/),
  overtaken("the tile is faster now", times("tile", 0.7)),
  overtaken("the padded tile is slower now", times("padded", 1.4)),
  overtaken("both are the same now", times("padded", 0.81 / 0.62)),
  onOther("the padded tile is the slower one", times("padded", 1.4)),
  onOther("the plain tile is the faster one", times("tile", 0.7)),
  verdict("a miss is called met", FAMILY, (t) => t.replace(/data-verdict="missed"([^>]*)>missed: [^<]*</, 'data-verdict="held"$1>met<')),
  verdict("a miss is called met in the list", ALL, (t) => t.replace(/data-verdict="missed"([^>]*)>missed: [^<]*</, 'data-verdict="held"$1>met<')),
  verdict("missed by less", ALL, (t) => t.replace(/missed: \d/, "missed: 0")),
  verdict("an easier goal", FAMILY, (t) => t.replace("&gt;= 95 % of", "&gt;= 5 % of")),
  verdict("another case stands for it", ALL, (t) => t.replace(/(data-goal="[^>]*title=")[^",]+, /, "$1naive, ")),
];
