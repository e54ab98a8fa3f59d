// edits.mjs - edits everything that readers get from a published site, mends the manifest, and
// asks the audit. Each round makes one kind of edit on every file that it fits, and the
// audit must name each of these files. Prints a TAP line per round, with what the numbers
// alone would have found (--data-only).
//
// To add a kind, add a row to `rounds`: which files, and what becomes of the text. An edit
// that changes nothing does not count.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GEN, makeGood } from "./site.mjs";

const work = mkdtempSync(join(tmpdir(), "ridgepoint-edits-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const good = join(work, "good"), site = join(good, "build/site"), second = join(work, "second");
const run = (...args) => spawnSync(GEN, args, { cwd: good, encoding: "utf8" });
function say(ok, what, more = "") {
  console.log(`${ok ? "ok" : "not ok"} - ${what}`);
  if (!ok && more) console.log(more.trim().replace(/^/gm, "# "));
}

const html = /\.html$/;
const inPage = (from, to) => (t) => t.replace(from, to);
const before = (end, text) => (t) => t.replace(end, text + end);
const digit = (t) => t.replace(/\d(?=\D*$)/, (d) => (+d + 1) % 10);
const rounds = [
  ["a word of the text", html, inPage(/(<p[^>]*>)([A-Za-z]+)/, "$1Never $2")],
  ["a heading", html, inPage(/<h1([^>]*)>([^<]+)/, "<h1$1>$2, at last")],
  ["a title", html, inPage(/<title>/, "<title>The fastest: ")],
  ["a forged waiver", html, before("</main>", '<p>It takes <span class="waived" title="why">9 µs</span>.</p>')],
  ["a forged citation", html, before("</main>", '<p>It has <a class="num cited" href="#x">9 TB/s</a>.</p>')],
  ["a script from elsewhere", html, before("</head>", '<script src="https://evil.example/x.js"></script>')],
  ["an inline script", html, before("</body>", "<script>document.title = 9</script>")],
  ["a frame", html, before("</main>", '<iframe src="https://evil.example/"></iframe>')],
  ["a base", html, before("</head>", '<base href="https://evil.example/">')],
  ["a style", html, before("</head>", '<style>p::after { content: "9 TB/s" }</style>')],
  ["a handler", html, inPage("<main", '<main onclick="x()"')],
  ["JSON-LD", html, inPage(/(ld\+json">[^<]*?"(?:headline|name|description)":\s*")/, "$19 TB/s: ")],
  ["the description", html, inPage(/(<meta name="description" content=")/, "$1Never: ")],
  ["a commit", html, inPage(/\b[0-9a-f]{12,40}\b(?=<)/, digit)],
  ["a driver or a date", html, inPage(/(>[^<>]*\b)(\d+\.\d+\.\d+|\d{4}-\d\d-\d\d)(?=[^<>]*<)/, (_, a, b) => a + digit(b))],
  ["a command", html, inPage(/<code([^>]*)>([^<]*(?:build\/|make|runner)[^<]*)/, "<code$1>$2 --no-check")],
  ["source that is shown", html, inPage(/(<pre[^>]*>(?:<[^>]*>)*[^<]*)([a-z]{3,})/, "$1un$2")],
  ["a label of a drawing", html, inPage(/(<text[^>]*>)([^<]+)/, "$1$20")],
  ["a point of a drawing", html, inPage(/(<path[^>]* d="[^"]*?)(\d)([^"]*")/, (_, a, b, c) => a + ((+b + 1) % 10) + c)],
  ["a row of a table", html, inPage(/<tr(?:(?!<\/tr>)[^])*<\/tr>(?![^]*<tr)/, "")],
  ["everything else", /(?<!\.html)$/, null],
];
const others = [
  [/\.json$|\.jsonl$/, (t) => digit(t)],
  [/\.css$/, (t) => t + 'p::after { content: "9 TB/s" }\n'],
  [/\.js$/, (t) => t + "document.title = 9;\n"],
  [/\.xml$/, (t) => t.replace(/(<summary[^>]*>|<description>|<title[^>]*>)/, "$1Never: ")],
  [/./, (t) => digit(t)],
];

const files = (dir) => readdirSync(dir, { recursive: true }).filter((p) => statSync(join(dir, p)).isFile());

// Makes the edits of a round; returns the edited files. Bytes that are no text get one more.
function edit(pattern, change) {
  const edited = [];
  for (const f of files(site).filter((p) => pattern.test(p) && p !== "manifest.json")) {
    const path = join(site, f), bytes = readFileSync(path), text = bytes.toString("utf8");
    const how = change ?? others.find(([p]) => p.test(f))[1];
    const isText = Buffer.from(text).equals(bytes);
    const after = isText ? Buffer.from(how(text)) : Buffer.concat([bytes, Buffer.from("x")]);
    if (after.equals(bytes)) continue;
    writeFileSync(path, after);
    edited.push(f);
  }
  return edited;
}

function mend() {
  const path = join(site, "manifest.json"), manifest = JSON.parse(readFileSync(path, "utf8"));
  for (const f of manifest.subject) {
    const bytes = readFileSync(join(site, f.name));
    f.digest.sha256 = createHash("sha256").update(bytes).digest("hex");
    f.annotations.size = bytes.length;
  }
  writeFileSync(path, JSON.stringify(manifest));
}

const named = (said, f) => said.includes(`site-gen: ${f}:`);

makeGood(good);
const built = run("build", "-q", "--no-sync", "--strict");
say(built.status === 0, "the good site is published", built.stderr);
cpSync(site, second, { recursive: true });
const clean = run("audit", site);
say(clean.status === 0 && /a second build writes the same \d+ files/.test(clean.stdout),
  "its audit, with a second build, finds nothing", clean.stderr);
let all = 0, alone = 0;
for (const [what, pattern, change] of rounds) {
  rmSync(site, { recursive: true });
  cpSync(second, site, { recursive: true });
  const edited = edit(pattern, change);
  mend();
  const r = run("audit", "-q", "--against", second, site);
  const missed = edited.filter((f) => !named(r.stderr, f));
  const data = run("audit", "-q", "--data-only", site).stderr;
  const found = edited.filter((f) => named(data, f)).length;
  all += edited.length;
  alone += found;
  say(edited.length > 0 && missed.length === 0 && r.status === 1,
    `${what}: ${edited.length} files edited, all found (by numbers and markup alone ${found})`,
    missed.slice(0, 5).map((f) => `missed: ${f}`).join("\n"));
}
// a file more, a file less, another commit
for (const [what, change] of [
  ["a file more", () => writeFileSync(join(site, "more.txt"), "more")],
  ["a file less", () => rmSync(join(site, "404.html"))],
  ["another commit", (m) => m.replace(/"gitCommit":"[0-9a-f]{4}/, '"gitCommit":"0000')],
]) {
  rmSync(site, { recursive: true });
  cpSync(second, site, { recursive: true });
  const path = join(site, "manifest.json"), m = readFileSync(path, "utf8");
  const text = change(m);
  if (typeof text === "string") writeFileSync(path, text);
  const r = run("audit", "-q", "--against", second, site);
  say(r.status === 1, `${what} is found`);
}
console.log(`# ${all} edits, ${alone} of them found by numbers and markup alone`);
