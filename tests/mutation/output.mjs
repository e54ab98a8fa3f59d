// output.mjs - edits a published site, and repairs its manifest to match.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const readPage = (m, path) => readFileSync(join(m.site, path), "utf8");

export function editPage(m, path, change) {
  const before = readPage(m, path);
  const after = change(before);
  if (after === before) throw new Error(`${path}: the corruption changed nothing`);
  writeFileSync(join(m.site, path), after);
}

// Repairs the manifest.
export function forge(m) {
  const path = join(m.site, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  for (const f of manifest.subject) {
    const bytes = readFileSync(join(m.site, f.name));
    f.digest.sha256 = createHash("sha256").update(bytes).digest("hex");
    f.annotations.size = bytes.length;
  }
  writeFileSync(path, JSON.stringify(manifest));
}

// All pages of the site, sorted.
export function pages(m) {
  return readdirSync(m.site, { recursive: true })
    .filter((p) => p.endsWith(".html"))
    .sort();
}
