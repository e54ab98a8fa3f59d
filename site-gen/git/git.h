/*
 * site-gen/git/git.h - the repository, read through libgit2 only. Published numbers
 * come from the blobs of HEAD, never from the work tree, which may have been edited.
 * There are no status calls, no hooks and no network access.
 */
#ifndef SITE_GEN_GIT_GIT_H
#define SITE_GEN_GIT_GIT_H

#include "lib/arena.h"
#include "lib/err.h"
#include <stdint.h>

#include "lib/str.h"

struct git; /* an open repository at its HEAD commit */
struct kept_by;
struct pack_type;

/*
 * Opens the repository whose work tree is `root`, without searching parent
 * folders. A folder that is not a repository succeeds with *out == NULL;
 * everything is a preview then. A repository that cannot be read is an error that
 * says what to do.
 */
MUST_CHECK bool git_open(const char *root, struct git **out, struct err *e);
void git_close(struct git *g); /* NULL is fine */

/*
 * From here on keeps in a folder what walks over HEAD's history have found, and takes it from there
 * (base/kept.h): commits never change, so it holds for as long as HEAD is the same.
 */
void git_keep(struct git *g, const struct kept_by *kept);

/*
 * True while every read from g has succeeded. After a failed read, "not found" may be a wrong
 * answer, even if the caller ignored the error; e then gets the first reason. Call it before
 * publishing anything that was read from g. NULL is sound.
 */
MUST_CHECK bool git_sound(const struct git *g, struct err *e);

/* 40 hex digits of HEAD; NULL before the first commit. Owned by g. */
const char *git_head(const struct git *g);
/* Committer date of HEAD, seconds since 1970: the site's "now". */
int64_t git_head_time(const struct git *g);

/* A regular file in HEAD's tree. */
struct git_file {
	const char *path; /* from the root */
	const char *blob; /* 40 hex */
};

/* All regular files of HEAD under `folder`, sorted. A link or submodule is an error. */
MUST_CHECK bool git_files(struct git *g, const char *folder, struct arena *a, struct git_file **out,
                          size_t *n, struct err *e);

/*
 * The bytes of a blob by id. *found is false if the repository has no such blob; a
 * blob that exists but cannot be read is an error.
 */
MUST_CHECK bool git_bytes(struct git *g, const char *id, struct arena *a, struct str *out,
                          bool *found, struct err *e);

/*
 * The blob id of `path` at `commit` (NULL: HEAD), in the arena; NULL if there is no such file, or
 * if a read failed (git_sound() is false then).
 */
const char *git_blob_at(struct git *g, const char *commit, const char *path, struct arena *a);

/* Is `commit` HEAD or an ancestor of it? *known is false if it is not here (shallow clone?). */
MUST_CHECK bool git_is_ancestor(struct git *g, const char *commit, bool *known, struct err *e);

/* The same for any two commits: is `commit` equal to `of`, or an ancestor of it? */
MUST_CHECK bool git_is_before(struct git *g, const char *commit, const char *of, bool *known,
                              struct err *e);

/*
 * Committer date of a commit in seconds since 1970; 0 if there is no such commit here,
 * or if a read failed (git_sound() is false then).
 */
int64_t git_time_of(struct git *g, const char *commit);

/* --- history: history.c --- */

/* A file's change in a commit, compared with one of the commit's parents. */
struct git_change {
	const char *path, *commit;
	const char *parent;         /* compared with this one; NULL: the commit has none */
	const char *before, *after; /* blob ids; NULL: added, deleted (or not a regular file) */
	int64_t time;               /* committer date */
	bool merge;                 /* the commit has several parents */
};

struct git_history {
	struct git_change *change; /* parents before children, then by path */
	size_t n;
	bool shallow; /* the clone lacks old commits, so nothing was walked and n is 0 */
};

/*
 * Every change of a file below `folder` ("": all of the tree) in HEAD's history. A merge is
 * compared with each of its parents, so a change that it brings from one side is listed again as
 * new to the other side. Walks all commits, but compares only those in which the
 * folder's tree id changes.
 */
MUST_CHECK bool git_history(struct git *g, const char *folder, struct arena *a,
                            struct git_history *out, struct err *e);

/* The tables of what is kept of a history, with a NULL at the end. Declared for tests. */
extern const struct pack_type *const git_history_types[];

/* An annotated tag: a dated, possibly signed, statement about a commit. */
struct git_tag {
	const char *name, *commit; /* "v1.0"; the commit that it points to */
	const char *tagger;        /* name and address; may be NULL */
	int64_t time;
	bool is_signed; /* carries a signature, which is not verified */
};
/* All annotated tags of commits, sorted by name. */
MUST_CHECK bool git_tags(struct git *g, struct arena *a, struct git_tag **out, size_t *n,
                         struct err *e);

/* --- the whole: bundle.c --- */

/* True if there is a HEAD whose history is here, unlike in a shallow clone. NULL has none. */
bool git_is_whole(const struct git *g);

/*
 * Appends a bundle (gitformat-bundle, version 2) of HEAD's whole history, with HEAD and the branch
 * main. Equal commits give equal bytes. Takes about a second for each 1500 objects.
 */
MUST_CHECK bool git_bundle(struct git *g, struct sb *to, struct err *e);

/* --- as it was: revision.c --- */

/*
 * Opens the repository with another commit in place of HEAD for all functions above.
 * `rev` is "HEAD~3", a tag or an id. A missing commit or repository is an error.
 */
MUST_CHECK bool git_open_at(const char *root, const char *rev, struct git **out, struct err *e);

/*
 * Writes HEAD's regular files below `folder` to the same paths below the folder `to`,
 * without syncing. Skips paths that begin with `without` (NULL: none).
 */
MUST_CHECK bool git_export(struct git *g, const char *folder, const char *without, const char *to,
                           struct arena *a, struct err *e);

/*
 * A line diff. Calls back with ' ', '+' or '-' for each line, and with '@' and the
 * header before each hunk. A hunk has `context` unchanged lines on either side; with
 * GIT_DIFF_ALL a single hunk has all lines. Equal texts cause no call.
 */
enum { GIT_DIFF_CONTEXT = 3, GIT_DIFF_ALL = 1 << 24 };
MUST_CHECK bool git_diff_lines(struct str before, struct str after, unsigned context,
                               void (*line)(void *ctx, char kind, struct str text), void *ctx,
                               struct err *e);

/*
 * Checks that git_commit_folder() may commit to `branch`: it is the name of a branch that is not
 * checked out, because a work tree must match its branch, and HEAD has a commit.
 */
MUST_CHECK bool git_commit_allowed(struct git *g, const char *branch, struct err *e);

/*
 * Commits the regular files of `folder` to `branch`, on top of its tip, with HEAD's
 * committer and time. Beside them stand an empty .nojekyll, and the branch's CNAME if it has one.
 * *changed is false if the branch has these files already.
 */
MUST_CHECK bool git_commit_folder(struct git *g, const char *branch, const char *folder,
                                  char commit[41], bool *changed, struct err *e);

#endif
