/* site-gen/git/inner.h - what git.c and history.c share of libgit2. */
#ifndef SITE_GEN_GIT_INNER_H
#define SITE_GEN_GIT_INNER_H

#include <git2.h>

#include "site-gen/git/git.h"

/* Is one commit before another? Commits never change, so an answer holds for ever. */
struct git_answer {
	git_oid commit, of;
	bool before;
};
enum { GIT_ANSWERS = 256 };

struct git {
	git_repository *repo;
	git_odb *odb;
	struct err failed; /* the first read that failed */
	git_commit *head;  /* NULL before the first commit */
	git_tree *tree;    /* of head */
	char head_hex[GIT_OID_HEXSZ + 1];
	/* what git_is_before found last: predictions ask it of few pairs, many times */
	struct git_answer answer[GIT_ANSWERS];
	size_t nanswers;
};

/* Sets the error, and g is no longer sound. Returns false. */
bool git_fail(struct git *g, struct err *e, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

/*
 * The entry at `path` below `tree`, to be freed; NULL: one of the names on the way is not
 * there. Names are looked up in trees that were read, so anything else is an error.
 */
bool git_entry_at(struct git *g, const git_tree *tree, const char *path, git_tree_entry **out,
                  struct err *e);

/* --- what is not there: missing.c --- */

/*
 * libgit2 says "not found" of an object also if it could not open the file that
 * holds it. These ask again, of the file system too: false if it cannot be told.
 */
bool git_has_object(struct git *g, const git_oid *id, bool *has, struct err *e);

/* The same of HEAD's branch: is there really no commit yet? `git`: the folder .git. */
bool git_is_unborn(const char *git, bool *unborn, struct err *e);

/* What libgit2 said last, in one line. */
const char *git_why(void);

#endif
