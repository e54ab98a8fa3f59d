/* site-gen/git/inner.h - libgit2 and the helpers that the files of git/ share. */
#ifndef SITE_GEN_GIT_INNER_H
#define SITE_GEN_GIT_INNER_H

#include <git2.h>

#include "lib/err.h"
#include "site-gen/base/kept.h"
#include "site-gen/git/git.h"

struct git_ancestors; /* ancestors.c */

/* A file at a commit; blob NULL: it is not there. */
struct git_blob_known {
	const char *commit, *path, *blob;
};

struct git_blobs {
	struct git_blob_known *at; /* hash table, open addressing; path NULL: a free place */
	size_t n, cap;             /* cap: 0 or a power of two */
	size_t left;               /* as many are kept already */
	bool taken;
};

struct git {
	git_repository *repo;
	git_odb *odb;
	struct err failed; /* the first read that failed */
	git_commit *head;  /* NULL before the first commit */
	git_tree *tree;    /* of head */
	char head_hex[GIT_OID_HEXSZ + 1];
	bool walked;                     /* `ancestors` was asked for */
	struct git_ancestors *ancestors; /* NULL: the history is too long, or was not read */
	struct git_blobs blobs;
	git_oid *absent; /* objects that were looked for and are not here */
	size_t nabsent, cap_absent;
	struct kept_by kept;
	struct arena arena; /* of blobs, absent and kept */
};

/* Sets the error and marks g as no longer sound. Returns false. */
bool git_fail(struct git *g, struct err *e, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/*
 * The entry at `path` below `tree`; the caller frees it. NULL if a name on the way does not
 * exist. Names are looked up in trees that were read, so any other failure is an error.
 */
MUST_CHECK bool git_entry_at(struct git *g, const git_tree *tree, const char *path,
                             git_tree_entry **out, struct err *e);

/*
 * Is `commit` equal to `of`, or an ancestor of it? The first question walks HEAD's history. Returns
 * false, without an error, if the answer is unknown: one of them is not in that history, or it is
 * very long, or was not read completely.
 */
bool git_ancestors_know(struct git *g, const git_oid *commit, const git_oid *of, bool *before);
void git_ancestors_free(struct git_ancestors *t); /* NULL is fine */

/* --- blobs at commits of HEAD's history, 40 hex digits: blobs.c --- */

/* True if it is known which blob the file had there, if any. */
MUST_CHECK bool git_blobs_know(struct git *g, const char *commit, const char *path,
                               const char **blob);
void git_blobs_learn(struct git *g, const char *commit, const char *path, const char *blob);
/* Leaves what was learnt to the next process. */
void git_blobs_leave(const struct git *g);

/* --- what is not there: missing.c --- */

/*
 * libgit2 reports "not found" also if it could not open the file that holds an object.
 * These two ask again and look at the file system, too. False if the answer is unknown.
 */
MUST_CHECK bool git_has_object(struct git *g, const git_oid *id, bool *has, struct err *e);

/* Does HEAD's branch really have no commit yet? `git` is the folder .git. */
MUST_CHECK bool git_is_unborn(const char *git, bool *unborn, struct err *e);

/* libgit2's last message, in one line. */
const char *git_why(void);

#endif
