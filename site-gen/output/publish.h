/*
 * site-gen/output/publish.h - a whole site appears at once or not at all.
 *
 * Pages go to a staging folder beside the output; pages whose bytes equal the
 * published ones are not written. When all are made, the unchanged ones are
 * linked into staging (same inode, same times), staging is synced and
 * exchanged with the output by renameat2. So whenever the program or the
 * machine stops, `out` is wholly the old site or wholly the new one; files
 * that no page made are gone; nothing changed means nothing is touched.
 *
 * File systems without RENAME_EXCHANGE (NFS, 9p, some FUSE) get two renames: `out` goes to
 * `out`.replaced, staging becomes `out`. Killed between them there is no site until the next
 * build puts the old one back.
 *
 * "Synced" trusts syncfs(), which reports failed writes since Linux 5.8 (Debian 12 has 6.1);
 * an older kernel can publish a file that the disk refused.
 *
 * Only what was made here is replaced or removed (owned.h): an output that is no site, or has
 * files beside the site's own, and a stranger's `out`.new or `out`.replaced stop the build.
 *
 * Files are 0644, folders 0755. One build at a time holds `out`.lock.
 */
#ifndef SITE_GEN_OUTPUT_PUBLISH_H
#define SITE_GEN_OUTPUT_PUBLISH_H

#include <sys/types.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/hash.h"
#include "lib/str.h"
#include "site-gen/output/output_file.h"

struct publish {
	const char *out, *staging; /* "build/site", "build/site.new" */
	const char *aside;         /* "build/site.replaced" */
	bool write;                /* false: compare only, publish nothing */
	int lock, old, new;        /* descriptors; -1: none */
};

/*
 * Locks the output, mends what a killed build left, and empties staging. Without `write` nothing is created.
 * Strings live in the arena.
 */
bool publish_open(const char *out, bool write, struct arena *a, struct publish *p, struct err *e);
void publish_close(struct publish *p);

/*
 * Writes one file to staging unless the output has the same bytes. May be
 * called by several processes at once, for different files.
 */
bool publish_put(const struct publish *p, const char *path, struct str bytes,
                 struct output_file *out, struct err *e);

/*
 * Makes staging the output. `files` is everything the site has, its manifest among them
 * (manifest.h): by it the next build knows the folder for its own. With `sync`
 * the bytes are on the disk before they are visible. *published is false if
 * the output was this already.
 */
bool publish_commit(struct publish *p, const struct output_file *files, size_t n, bool sync,
                    bool *published, struct err *e);

/*
 * A digest of the names, sizes, times and inodes of files: of those that a
 * build left, and of all that are under `out` now (false if there is none).
 */
void publish_digest(const struct output_file *files, size_t n, char hex[HASH_SHA256_HEX + 1]);
bool publish_digest_now(const char *out, char hex[HASH_SHA256_HEX + 1]);

#endif
