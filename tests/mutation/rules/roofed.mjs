// A measured roof below what another case of the device reached: refused where an author names it,
// found by the audit where somebody puts it into the output.
import { ABOUT, RUN_C } from "../site.mjs";
import { caseId } from "../record.mjs";
import { audit, refuse } from "../expect.mjs";
import { editPage, forge } from "../output.mjs";

// A newer run with a ceiling that reaches this share of the memory's peak, where a copy has 0.89.
const CEILING = "ceiling-memory/sweep:rows=16384";
const withCeiling = (m, share, change) => {
  const ceiling = (c) => {
    const record = { ...c.record, family: "ceiling-memory", variant: "sweep", family_title: "Ceiling", cache: "hot" };
    record.id = c.record.id.replace("stream/memcpy", "ceiling-memory/sweep").replace("cold", "hot");
    return { share, record: change(record) };
  };
  const cases = (list) => list.filter((c) => c.record.family === "stream").map(ceiling);
  m.repo.addRun(RUN_C, m.repo.measured(), { cases });
  m.repo.commit();
};

const says = (text, share = 0.85, change = (c) => c) => ({
  name: `a ceiling of ${share}: ${text}`,
  expect: refuse("roofed"),
  apply(m) {
    withCeiling(m, share, change);
    m.repo.edit(ABOUT, (t) => `${t}\n${text}\n`);
    m.repo.commit();
  },
});
const percent = (of, share, change) => says(`It is <<bench:percent ${of} of=measured:${CEILING}>> so.`, share, change);
const reads = (c) => ({ ...c, model: { ...c.model, bytes_read: 1.2e9, bytes_written: 0.9e9 } });

// The roof of a ladder made another case, with the manifest mended.
const ROOF = /(<a class="num roof" href="[^"]*\/)stream-memcpy-[^"/]*(\/#bandwidth")/g;
const lower = (page, k, variant) => ({
  name: `output: roof ${k} on ${page} is ${variant}`,
  expect: audit("roofed"),
  apply(m) {
    const anchor = caseId("transpose", variant, 16384).replace(/[^A-Za-z0-9._]/g, "-");
    let i = 0;
    editPage(m, page, (t) => t.replace(ROOF, (all, before, after) => (i++ === k ? before + anchor + after : all)));
    forge(m);
  },
});

const POST_HTML = "posts/tiles/index.html", ZH = "zh/posts/tiles/index.html", FAMILY_HTML = "kernels/transpose/index.html";
export default [
  percent("transpose/tile rows=16384"),
  percent("transpose/tile rows=16384", 0.5),
  percent("transpose/tile rows=16384", 0.888),
  percent("transpose/naive rows=16384"),
  percent("transpose/padded rows=16384", 0.7),
  percent("transpose/padded rows=4096"),
  percent("stream/memcpy rows=16384"),
  percent("transpose/tile rows=16384", 0.8, reads),
  says(`<<bench:claim transpose/tile:rows=16384 bandwidth >= 10 % of measured:${CEILING}>>Some of it<</bench:claim>>.`),
  says(`<<bench:claim transpose/padded:rows=16384 saturates measured:${CEILING}>>All of it<</bench:claim>>.`, 0.82),
  says(`<<bench:claim transpose/padded:rows=4096 bandwidth < 99 % of measured:${CEILING}>>Not all<</bench:claim>>.`),
  says(`- <<bench:goal transpose/tile rows=16384 >= 50 % of measured:${CEILING}>>Half of it<</bench:goal>>.`),
  says(`<<bench:plot transpose/* x=rows title="Roofs" ceiling=${CEILING}>>`),
  says(`<<bench:plot transpose/tile x=rows title="Roofs" roof=hbm ceiling=${CEILING}>>`, 0.6),
  says('<<bench:plot transpose/* x=rows title="Roofs" ceiling=transpose/padded:rows=16384,cols=16384>>'),
  says('<<bench:plot transpose/* x=rows title="Roofs" roof=none ceiling=transpose/tile:rows=16384,cols=16384>>'),
  ...["tile", "padded", "naive"].map((variant) => lower(POST_HTML, 0, variant)),
  lower(ZH, 0, "padded"),
  lower(FAMILY_HTML, 0, "padded"),
];
