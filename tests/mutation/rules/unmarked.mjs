// A number with a mark in a title, a description, a key result or a take-away: refused, and no waiver
// helps.
import { ABOUT, HOME, POST, POST_ZH, RUN_A, RUN_C, blobId, sourceOfPost } from "../site.mjs";
import { refuse } from "../expect.mjs";

// A line of the front matter with a number; of what Chinese pages quote, their originals do, too.
const put = (r, path, key, placeholder) => {
  const text = `'It is <<bench:${placeholder}>>'`;
  const line = `${key}: ${key === "take" ? `['One.', 'Two.', ${text}]` : text}\n`;
  const set = (p) => r.edit(p, (t) => {
    const rest = t.replace(new RegExp(`^${key}: .*\n`, "m"), "");
    return rest.replace("---\n", `---\n${line}`);
  });
  if (path !== POST) return set(path);
  const before = blobId(r.read(POST));
  set(POST);
  set(POST_ZH);
  r.edit(POST_ZH, (t) => t.replace(before, blobId(r.read(POST))));
};

const corruption = (name, path, key, placeholder, apply = () => {}) => ({
  name: `${name}, ${key} of ${path}: ${placeholder}`,
  expect: refuse("unmarked"),
  apply(m) {
    put(m.repo, path, key, placeholder);
    apply(m.repo);
    m.repo.commit();
  },
});

// Without a description, the first paragraph stands for it in lists, feeds and cards.
const described = (path, placeholder) => ({
  name: `superseded, first paragraph of ${path}: ${placeholder}`,
  expect: refuse("unmarked"),
  apply(m) {
    m.repo.edit(path, (t) => t.replace(/^description: .*\n/m, "").replace(/^(---\n[^]*?---\n)/, `$1\nIt is <<bench:${placeholder} ${run}>>.\n\n`));
    m.repo.commit();
  },
});

// The finding of a drawing is the title of its page and of its card.
const found = (placeholder) => ({
  name: `superseded, title of a figure: ${placeholder}`,
  expect: refuse("unmarked"),
  apply(m) {
    const before = blobId(m.repo.read(POST));
    const set = (p) => m.repo.edit(p, (t) => t.replace(/(<<bench:plot transpose[^"\n]* title=")[^"\n]*/, `$1It reaches <<bench:${placeholder} ${run}>>`));
    set(POST);
    set(POST_ZH);
    m.repo.edit(POST_ZH, (t) => t.replace(before, blobId(m.repo.read(POST))));
    m.repo.commit();
  },
});

const run = `run=${RUN_A.slice(0, 8)}`;
const pinned = (path, key, placeholder) => corruption("superseded", path, key, `${placeholder} ${run}`);

const few = (r) => r.addRun(RUN_C, r.measured(), { count: 9 });
const unsteady = (path, key, placeholder) => corruption("unsteady", path, key, placeholder, few);

const edited = (r) => r.edit(sourceOfPost, (t) => `${t}// later\n`);
const stale = (path, key, placeholder) => corruption("stale", path, key, placeholder, edited);

const taken = (r) => r.write(`data/withdrawn/${RUN_A}.md`, "---\ndate: 2026-01-09\ncases: all\n---\nIt was wrong.\n");
const withdrawn = (path, key, placeholder) =>
  corruption("withdrawn", path, key, `${placeholder} ${run}`, taken);

const VALUE = "value transpose/tile rows=16384";
const TIME = "value transpose/padded rows=4096 metric=time";
const RATIO = "ratio transpose/tile over=transpose/naive rows=16384";
const BELOW = "ratio transpose/naive over=transpose/tile rows=16384";
const SHARE = "percent transpose/tile of=spec:hbm rows=16384";
const OF_COPY = "percent transpose/tile of=measured:stream/memcpy:rows=16384 rows=16384";

export default [
  pinned(POST, "title", VALUE),
  pinned(POST, "description", RATIO),
  pinned(POST, "key", SHARE),
  pinned(POST, "key", OF_COPY),
  pinned(ABOUT, "title", TIME),
  pinned(ABOUT, "description", VALUE),
  pinned(POST, "take", VALUE),
  unsteady(POST, "take", RATIO),
  stale(POST, "take", VALUE),
  withdrawn(POST, "take", SHARE),
  corruption("a counter of another build", POST, "take", "counter transpose/naive occupancy_percent rows=16384"),
  described(ABOUT, VALUE),
  described(ABOUT, OF_COPY),
  found(VALUE),
  found(RATIO),
  unsteady(POST, "title", SHARE),
  unsteady(POST, "description", VALUE),
  unsteady(POST, "key", RATIO),
  unsteady(POST, "key", TIME),
  unsteady(ABOUT, "title", OF_COPY),
  unsteady(HOME, "description", VALUE),
  stale(POST, "title", OF_COPY),
  stale(POST, "description", SHARE),
  stale(POST, "key", VALUE),
  stale(POST, "key", BELOW),
  stale(ABOUT, "title", RATIO),
  withdrawn(POST, "title", RATIO),
  withdrawn(POST, "key", VALUE),
  withdrawn(ABOUT, "description", SHARE),
  corruption("a counter of another build", POST, "key", "counter transpose/naive occupancy_percent rows=16384"),
  corruption("a counter of another build", ABOUT, "title", "counter transpose/naive dram_bytes rows=16384"),
];
