/* site-gen/git_inner.h - what git.c and git_history.c share of libgit2. */
#ifndef SITE_GEN_GIT_INNER_H
#define SITE_GEN_GIT_INNER_H

#include <git2.h>

#include "site-gen/git.h"

struct git {
	git_repository *repo;
	git_odb *odb;
	git_commit *head; /* NULL before the first commit */
	git_tree *tree;   /* of head */
	char head_hex[GIT_OID_HEXSZ + 1];
};

/* What libgit2 said last, in one line. */
const char *git_why(void);

#endif
