/* site-gen/git_inner.h - what git.c and git_history.c share of libgit2. */
#ifndef SITE_GEN_GIT_INNER_H
#define SITE_GEN_GIT_INNER_H

#include <git2.h>

#include "site-gen/git.h"

/* Is one commit before another? Commits never change, so an answer holds for ever. */
struct git_answer {
	git_oid commit, of;
	bool before;
};
enum { GIT_ANSWERS = 256 };

struct git {
	git_repository *repo;
	git_odb *odb;
	git_commit *head; /* NULL before the first commit */
	git_tree *tree;   /* of head */
	char head_hex[GIT_OID_HEXSZ + 1];
	/* what git_is_before found last: predictions ask it of few pairs, many times */
	struct git_answer answer[GIT_ANSWERS];
	size_t nanswers;
};

/* What libgit2 said last, in one line. */
const char *git_why(void);

#endif
