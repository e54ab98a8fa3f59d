// crash.mjs - what may be on the disk when the power goes. A crash is a moment in the trace and a
// choice of what was lost of everything that no fsync or syncfs had made durable by then:
//
//   ext4    names change in order, up to some point, and a sync of any file or folder makes all
//           names before it durable; data that was not synced is there, not there, or cut
//   posix   every change of a name and every write is there or not, each for itself; a file's
//           sync says nothing of its name, which needs the sync of its folder
import { createHash } from "node:crypto";
import { apply } from "./trace.mjs";

// For each operation, the moment from which it is durable; Infinity: never.
export function durable(ops, model, posix) {
  const from = ops.map(() => Infinity);
  ops.forEach((op, at) => {
    if (op.sync === undefined && !op.syncAll) return;
    for (let i = 0; i < at; i++) {
      if (from[i] !== Infinity) continue;
      const o = ops[i], isData = o.data !== undefined;
      const touches = o.sets?.some(([d]) => d === op.sync);
      if (op.syncAll || (isData && o.data === op.sync) || (o.sets && (!posix || touches)))
        from[i] = at;
    }
  });
  return from;
}

// Draws a state: which operations count, and which write is cut after how many bytes.
export function draw(ops, from, at, posix, random) {
  const kept = [], cut = new Map();
  let names = at;
  if (!posix) {
    let least = 0;
    for (let i = 0; i < at; i++) if (ops[i].sets && from[i] < at) least = i + 1;
    names = least + Math.floor(random() * (at - least + 1));
  }
  const chance = [0, 0.5, 1][Math.floor(random() * 3)];
  for (let i = 0; i < at; i++) {
    const op = ops[i];
    if (op.sync !== undefined || op.syncAll) continue;
    const sure = from[i] < at;
    const keep = sure || (op.sets && !posix ? i < names : random() < chance);
    if (!keep) continue;
    kept.push(i);
    if (!sure && op.bytes?.length && op.at !== null && random() < 0.2)
      cut.set(i, Math.floor(random() * op.bytes.length));
  }
  return { kept, cut };
}

// The files of a state: Map of path to an object with .bytes and .key, for equality.
export function files(before, ops, { kept, cut }, cache) {
  const dirs = new Map(), data = new Map();
  const dir = (ino) => {
    if (!dirs.has(ino)) dirs.set(ino, new Map(before.inode[ino].dir));
    return dirs.get(ino);
  };
  for (const i of kept) {
    const op = ops[i];
    if (op.sets) {
      for (const [d, n, ino] of op.sets) ino === null ? dir(d).delete(n) : dir(d).set(n, ino);
    } else data.set(op.data, `${data.get(op.data) ?? ""} ${i}${cut.has(i) ? `:${cut.get(i)}` : ""}`);
  }
  const out = new Map();
  const walk = (ino, path, depth) => {
    const node = before.inode[ino];
    if (node.dir && depth < 40) {
      for (const [n, i] of dirs.get(ino) ?? node.dir) walk(i, path ? `${path}/${n}` : n, depth + 1);
      return;
    }
    const key = `${ino}${data.get(ino) ?? ""}`;
    if (!cache.has(key)) {
      let bytes = node.bytes;
      for (const part of (data.get(ino) ?? "").split(" ").filter(Boolean)) {
        const [i, n] = part.split(":");
        const op = ops[+i];
        bytes = apply(bytes, n === undefined ? op : { at: op.at, bytes: op.bytes.subarray(0, +n) });
      }
      cache.set(key, { bytes, hash: createHash("sha1").update(bytes).digest("base64") });
    }
    out.set(path, cache.get(key));
  };
  walk(0, "", 0);
  return out;
}

// The part of a tree under a path, as one string that is equal for equal trees.
export function under(tree, path) {
  const out = [];
  for (const [p, f] of tree) if (!path || p === path || p.startsWith(path + "/")) out.push(`${p} ${f.hash}`);
  return out.sort().join("\n");
}
