/*
 * site-gen/output/publish.h - a whole site appears at once or not at all.
 *
 * New and changed pages are written to a staging folder beside the output; pages whose
 * bytes equal the published ones are not written. When all pages are made, the unchanged
 * files are hard-linked into staging (same inode, same times). Then staging is synced and
 * exchanged with the output by renameat2(). So whenever the program or the machine stops,
 * `out` is entirely the old site or entirely the new one. Files that no page made are
 * gone. If nothing changed, nothing is touched.
 *
 * The exception: where few files of a known site changed, publish_update() moves them into it one
 * by one. That takes no longer for a larger site, but it is not one step.
 *
 * File systems without RENAME_EXCHANGE (NFS, 9p, some FUSE) get two renames: `out` becomes
 * `out`.replaced, and staging becomes `out`. If the build is killed between them, there is no
 * site until the next build restores the old one.
 *
 * Syncing relies on syncfs(), which reports failed writes since Linux 5.8 (Debian 12 has 6.1).
 * On an older kernel a file that the disk refused can be published.
 *
 * Only folders of our own are replaced or removed (owned.h). An output that is not a site, or
 * has foreign files in it, stops the build; so does a foreign `out`.new or `out`.replaced.
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

/* Text that names the folder `out` and its manifest as they are now; "" if there is no site. */
const char *publish_identity(const char *out, struct arena *a);

struct publish {
	const char *out, *staging; /* "build/site", "build/site.new" */
	const char *aside;         /* "build/site.replaced" */
	bool write;                /* false: compare only, publish nothing */
	int lock, old, new;        /* descriptors; -1: none */
};

/*
 * Locks the output, repairs what a killed build left, and empties staging. Creates nothing
 * unless `write` is set. Strings live in the arena.
 */
MUST_CHECK bool publish_open(const char *out, bool write, struct arena *a, struct publish *p,
                             struct err *e);
void publish_close(struct publish *p);

/* What publish_close() does before it gives the lock back: removes what was replaced. */
void publish_tidy(struct publish *p);

/*
 * The same for publish_update() in place of publish_commit(). The caller knows by
 * publish_identity() that the output is what a build left, so nobody looks for other people's
 * files in it.
 */
MUST_CHECK bool publish_open_again(const char *out, struct arena *a, struct publish *p,
                                   struct err *e);

/*
 * Checks that publish_open() with `write` would accept `out` and the files beside it. Changes
 * nothing, and does not see a build that is at work there.
 */
MUST_CHECK bool publish_allowed(const char *out, struct arena *a, struct err *e);

/*
 * Writes a file to staging unless the output has the same bytes. Several processes may
 * call it at once for different files.
 */
MUST_CHECK bool publish_put(const struct publish *p, const char *path, struct str bytes,
                            struct output_file *out, struct err *e);

/*
 * Makes staging the output. `files` lists every file of the site, including its manifest
 * (manifest.h), by which the next build recognises the folder. With `sync` the bytes are
 * on disk before they become visible. *published is false if the output was equal already.
 */
MUST_CHECK bool publish_commit(struct publish *p, const struct output_file *files, size_t n,
                               bool sync, bool *published, struct err *e);

/*
 * Moves the changed files of staging into the output, one after the other, and removes `gone`. For
 * a folder that is as the last build left it, and few changes. What a build did not make stays
 * there, and is an error where a file has to go. With `sync` the bytes are on disk before they
 * become visible, and the moves are before this returns.
 *
 * If it is interrupted, some files are new and some are old until the next build, which makes all
 * of them new: each has another time than the notes say (build/noted.h). The manifest lists every
 * file of the output throughout, so that the next build may replace it.
 */
MUST_CHECK bool publish_update(struct publish *p, const struct output_file *files, size_t n,
                               const char *const *gone, size_t ngone, bool sync, bool *published,
                               struct err *e);

/*
 * Digests of names, sizes, times and inodes: of the files that a build left, and of the
 * files under `out` now (false if there is no such folder).
 */
void publish_digest(const struct output_file *files, size_t n, char hex[HASH_SHA256_HEX + 1]);
bool publish_digest_now(const char *out, char hex[HASH_SHA256_HEX + 1]);

#endif
