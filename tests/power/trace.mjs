// trace.mjs - runs a command under strace and turns what it did to the files below a folder
// into a list of operations on inodes, which crash.mjs loses in every way it can.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const CALLS = "openat,open,creat,write,pwrite64,writev,ftruncate,truncate,fsync,fdatasync,sync,syncfs," +
  "mkdir,mkdirat,rmdir,link,linkat,rename,renameat,renameat2,unlink,unlinkat,symlink,symlinkat," +
  "copy_file_range,sendfile,fallocate,chdir";

// The files below a folder: directories map names to inodes, files have bytes.
export class Disk {
  constructor() {
    this.inode = []; // { dir: Map } or { bytes }
  }
  add(node) {
    return this.inode.push(node) - 1;
  }
  static read(folder) {
    const disk = new Disk(), seen = new Map();
    const load = (path) => {
      const st = statSync(path, { bigint: true }), id = `${st.dev}:${st.ino}`;
      if (seen.has(id)) return seen.get(id);
      const at = disk.add(st.isDirectory() ? { dir: new Map() } : { bytes: readFileSync(path) });
      seen.set(id, at);
      if (st.isDirectory())
        for (const name of readdirSync(path)) disk.inode[at].dir.set(name, load(join(path, name)));
      return at;
    };
    load(folder);
    return disk;
  }
}

const unquote = (s) =>
  Buffer.from(s.replace(/^"|"(\.\.\.)?$/g, "").replace(/\\x/g, ""), "hex");

// Splits "a<b, c>, \"d\"" at the commas of the first level.
function split(args) {
  const out = [];
  let depth = 0, quoted = false, from = 0;
  for (let i = 0; i < args.length; i++) {
    const c = args[i];
    if (c === '"') quoted = !quoted;
    if (quoted) continue;
    if ("<[{(".includes(c)) depth++;
    if (">]})".includes(c)) depth--;
    if (c === "," && depth === 0) {
      out.push(args.slice(from, i).trim());
      from = i + 1;
    }
  }
  out.push(args.slice(from).trim());
  return out;
}

// The calls that succeeded, in the order in which they ended: { name, args, result }.
function* read(text) {
  const open = new Map();
  for (let line of text.split("\n")) {
    const pid = line.match(/^(\d+) +/);
    if (!pid) continue;
    line = line.slice(pid[0].length);
    let m;
    if ((m = line.match(/^(.*) <unfinished \.\.\.>$/))) {
      open.set(pid[1], m[1]);
      continue;
    }
    if ((m = line.match(/^<\.\.\. \w+ resumed>(.*)$/))) line = (open.get(pid[1]) ?? "") + m[1];
    m = line.match(/^(\w+)\((.*)\) += (-?\d+)(.*)$/);
    if (m && +m[3] >= 0) yield { name: m[1], args: split(m[2]), result: +m[3], more: m[4] };
  }
}

// Runs the command in `cwd`. Returns { before, ops, status }: the files of `folder` as they were,
// and the operations. An operation is { data: inode, at, bytes } (at === null: truncation to
// bytes), { sets: [[directory, name, inode or null]] }, { sync: inode } or { syncAll }.
export function trace(folder, cwd, command) {
  folder = resolve(folder);
  const log = join(folder, "..", "power.strace");
  const before = Disk.read(folder), model = Disk.read(folder), ops = [];
  const run = spawnSync("strace", ["-f", "-qq", "-y", "-xx", "-s", "100000000", "-e", `trace=${CALLS}`, "-o", log, ...command],
    { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
  const text = readFileSync(log, "latin1");
  const plain = (t) => t.replace(/((?:\\x[0-9a-f]{2})+)/g, (s) => unquote(`"${s}"`).toString("utf8"));
  const fdPath = (arg) => plain(arg.match(/<(.*)>/)?.[1] ?? "");
  const absolute = (at, name) => {
    const n = unquote(name).toString("utf8");
    return n.startsWith("/") ? n : join(at ? fdPath(at) : resolve(cwd), n);
  };
  const find = (path) => {
    if (path !== folder && !path.startsWith(folder + "/")) return null;
    let parent = null, name = null, ino = 0;
    for (const part of path.slice(folder.length).split("/").filter(Boolean)) {
      if (ino === null || ino === undefined) return null;
      parent = ino;
      name = part;
      ino = model.inode[ino].dir?.get(part);
    }
    return parent === null ? { ino } : { parent, name, ino };
  };
  const sets = (list) => {
    for (const [d, n, i] of list) i === null ? model.inode[d].dir.delete(n) : model.inode[d].dir.set(n, i);
    ops.push({ sets: list });
  };
  const write = (ino, at, bytes) => {
    ops.push({ data: ino, at, bytes });
    model.inode[ino].bytes = apply(model.inode[ino].bytes, { at, bytes });
  };
  const place = new Map(); // where the next write() of a file goes, by inode: files are written from one place
  let unknown = null;
  for (const { name, args, result, more } of read(text)) {
    const from = { open: 0, creat: 0, mkdir: 0, rmdir: 0, unlink: 0, truncate: 0 }[name];
    if (name === "openat" || name === "open" || name === "creat") {
      const f = find(name === "openat" ? absolute(args[0], args[1]) : absolute(null, args[from]));
      const flags = name === "creat" ? "O_CREAT|O_TRUNC" : args[name === "openat" ? 2 : 1];
      if (!f) continue;
      if (f.ino === undefined && flags.includes("O_CREAT")) {
        const ino = before.add({ bytes: Buffer.alloc(0) });
        model.add({ bytes: Buffer.alloc(0) });
        sets([[f.parent, f.name, ino]]);
        f.ino = ino;
      } else if (flags.includes("O_TRUNC")) write(f.ino, null, Buffer.alloc(0));
      place.set(f.ino, flags.includes("O_APPEND") ? "end" : 0);
    } else if (name === "write" || name === "pwrite64") {
      const f = find(fdPath(args[0]));
      if (!f || f.ino === undefined) continue;
      const bytes = unquote(args[1]).subarray(0, result);
      const at = name === "pwrite64" ? +args[3] : place.get(f.ino) === "end" ? model.inode[f.ino].bytes.length : (place.get(f.ino) ?? 0);
      write(f.ino, at, bytes);
      if (name === "write" && place.get(f.ino) !== "end") place.set(f.ino, at + bytes.length);
    } else if (name === "ftruncate") {
      const f = find(fdPath(args[0]));
      if (f && f.ino !== undefined) write(f.ino, null, apply(model.inode[f.ino].bytes, { size: +args[1] }));
    } else if (name === "fsync" || name === "fdatasync") {
      const f = find(fdPath(args[0]));
      if (f && f.ino !== undefined) ops.push({ sync: f.ino });
    } else if (name === "syncfs" || name === "sync") ops.push({ syncAll: true });
    else if (name === "mkdir" || name === "mkdirat") {
      const f = find(name === "mkdir" ? absolute(null, args[0]) : absolute(args[0], args[1]));
      if (!f) continue;
      const ino = before.add({ dir: new Map() });
      model.add({ dir: new Map() });
      sets([[f.parent, f.name, ino]]);
    } else if (name === "link" || name === "linkat") {
      const [a, b] = name === "link" ? [absolute(null, args[0]), absolute(null, args[1])] : [absolute(args[0], args[1]), absolute(args[2], args[3])];
      const x = find(a), y = find(b);
      if (y && x) sets([[y.parent, y.name, x.ino]]);
    } else if (name.startsWith("rename")) {
      const at = name !== "rename";
      const x = find(at ? absolute(args[0], args[1]) : absolute(null, args[0]));
      const y = find(at ? absolute(args[2], args[3]) : absolute(null, args[1]));
      if (!x || !y) continue;
      sets(args[4]?.includes("RENAME_EXCHANGE")
        ? [[x.parent, x.name, y.ino], [y.parent, y.name, x.ino]]
        : [[x.parent, x.name, null], [y.parent, y.name, x.ino]]);
    } else if (name === "unlink" || name === "unlinkat" || name === "rmdir") {
      const f = find(name === "unlinkat" ? absolute(args[0], args[1]) : absolute(null, args[0]));
      if (f && f.ino !== undefined) sets([[f.parent, f.name, null]]);
    } else if (["writev", "copy_file_range", "sendfile", "fallocate", "truncate", "symlink", "symlinkat"].includes(name)) {
      if (args.some((a) => fdPath(a).startsWith(folder + "/"))) unknown = `${name}(${more})`;
    }
  }
  if (unknown) throw new Error(`a call that the model does not know: ${unknown}`);
  return { before, model, ops, status: run.status, said: run.stdout + run.stderr };
}

// Bytes after one operation on a file's data.
export function apply(bytes, op) {
  if (op.size !== undefined) {
    const out = Buffer.alloc(op.size);
    bytes.copy(out);
    return out;
  }
  if (op.at === null) return op.bytes;
  const out = Buffer.alloc(Math.max(bytes.length, op.at + op.bytes.length));
  bytes.copy(out);
  op.bytes.copy(out, op.at);
  return out;
}
