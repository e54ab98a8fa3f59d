/*
 * site-gen/git/git.h - the repository, read through libgit2 and nothing else.
 * Published numbers are read from the blobs of HEAD, never from the work
 * tree, whose status can mislead. No status calls, no hooks, no network.
 */
#ifndef SITE_GEN_GIT_GIT_H
#define SITE_GEN_GIT_GIT_H

#include "lib/arena.h"
#include "lib/err.h"
#include <stdint.h>

#include "lib/str.h"

struct git; /* an open repository at its HEAD commit */

/*
 * Opens the repository whose work tree is `root` (no search upwards). A
 * folder that is no repository gives *out == NULL and success: everything is
 * a preview then. A repository that cannot be read is an error that says
 * what to do.
 */
bool git_open(const char *root, struct git **out, struct err *e);
void git_close(struct git *g); /* NULL is fine */

/*
 * Has all that was asked of g so far been answered? False once a read failed, with the
 * first reason: an answer "is not there" since then may be wrong, also one that was given
 * to somebody who ignores errors. Ask before anything that was read here is published.
 */
bool git_sound(const struct git *g, struct err *e); /* NULL is sound */

/* 40 hex digits of HEAD; NULL before the first commit. Owned by g. */
const char *git_head(const struct git *g);
/* Committer date of HEAD, seconds since 1970: the site's "now". */
int64_t git_head_time(const struct git *g);

/* A regular file of HEAD below a folder. */
struct git_file {
	const char *path; /* from the root */
	const char *blob; /* 40 hex */
};

/* All regular files of HEAD under `folder`, sorted. A link or submodule is an error. */
bool git_files(struct git *g, const char *folder, struct arena *a, struct git_file **out, size_t *n,
               struct err *e);

/*
 * The bytes of a blob by id. *found = false if the repository has no such blob;
 * that it cannot be read now is an error.
 */
bool git_bytes(struct git *g, const char *id, struct arena *a, struct str *out, bool *found,
               struct err *e);

/*
 * The blob id of `path` at `commit` (NULL: HEAD), or NULL if it is not there.
 * NULL also if it cannot be told: then g is not sound.
 */
const char *git_blob_at(struct git *g, const char *commit, const char *path, struct arena *a);

/* Is `commit` HEAD or an ancestor of it? *known = false: no such commit here (shallow?). */
bool git_is_ancestor(struct git *g, const char *commit, bool *known, struct err *e);

/* The same for any two commits: is `commit` `of` or an ancestor of it? */
bool git_is_before(struct git *g, const char *commit, const char *of, bool *known, struct err *e);

/*
 * Committer date of a commit, seconds since 1970; 0: no such commit here.
 * 0 also if it cannot be told: then g is not sound.
 */
int64_t git_time_of(struct git *g, const char *commit);

/* --- history: history.c --- */

/* What one commit did to one file, against one of its parents. */
struct git_change {
	const char *path, *commit;
	const char *before, *after; /* blob ids; NULL: was not there, is gone (or is no file) */
	int64_t time;               /* committer date */
	bool merge;                 /* the commit has several parents */
};

struct git_history {
	struct git_change *change; /* parents before children, then by path */
	size_t n;
	bool shallow; /* the clone lacks old commits: nothing was walked, n is 0 */
};

/*
 * Every change that a commit in HEAD's history made to a file below `folder`.
 * A merge is compared with each of its parents, so what it brings from one
 * side is listed again as new to the other. Costs a walk through all commits,
 * but only where the folder's tree id changes is anything compared.
 */
bool git_history(struct git *g, const char *folder, struct arena *a, struct git_history *out,
                 struct err *e);

/* An annotated tag: a statement about a commit, with a date and, it may be, a signature. */
struct git_tag {
	const char *name, *commit; /* "v1.0"; the commit it leads to */
	const char *tagger;        /* name and address; may be NULL */
	int64_t time;
	bool is_signed; /* carries a signature; whose, and whether it holds, is not checked */
};
/* All annotated tags that lead to a commit, by name. */
bool git_tags(struct git *g, struct arena *a, struct git_tag **out, size_t *n, struct err *e);

/* --- as it was: revision.c --- */

/*
 * The same repository with the commit that `rev` names ("HEAD~3", a tag, an
 * id) in the place of HEAD, in everything above. No such commit, or no
 * repository, is an error.
 */
bool git_open_at(const char *root, const char *rev, struct git **out, struct err *e);

/*
 * Writes the regular files of HEAD below `folder` to the same paths below the
 * folder `to`, unsynced; those whose path begins with `without` (NULL: none) are left out.
 */
bool git_export(struct git *g, const char *folder, const char *without, const char *to,
                struct arena *a, struct err *e);

/*
 * A line diff: calls back per line with ' ', '+' or '-', and with '@' and its
 * header before each hunk. A hunk has `context` unchanged lines on either side;
 * with GIT_DIFF_ALL there is one hunk of all lines. Of equal texts nothing is said.
 */
enum { GIT_DIFF_CONTEXT = 3, GIT_DIFF_ALL = 1 << 24 };
bool git_diff_lines(struct str before, struct str after, unsigned context,
                    void (*line)(void *ctx, char kind, struct str text), void *ctx, struct err *e);

/*
 * Makes the regular files of `folder` a commit of `branch`, on top of what is
 * there, with HEAD's committer and time. *changed is false if the branch has
 * these files already. A branch that is checked out is an error.
 */
bool git_commit_folder(struct git *g, const char *branch, const char *folder, char commit[41],
                       bool *changed, struct err *e);

#endif
