/*
 * site-gen/commands/second.h - the second build of an audit: what the numbers of a site
 * cannot hold, words, drawings, sources, scripts, is compared by hash with a build of the
 * same commit, made here and now. Its plots are drawn anew and it reads no cache.
 */
#ifndef SITE_GEN_COMMANDS_SECOND_H
#define SITE_GEN_COMMANDS_SECOND_H

#include <stdbool.h>

struct second_options {
	const char *dir;     /* the site to judge, from anywhere */
	const char *against; /* a second build that is there already; NULL: build one */
	bool drafts, future; /* as the site was built */
	bool quiet;
	int jobs;
};

/*
 * Compares each file in the manifest of `dir` with that of the second build. The manifest
 * itself is held against the files by the audit. Prints each difference to stderr. Returns
 * the exit status. The current folder is the repository.
 */
int second_run(const struct second_options *o);

#endif
