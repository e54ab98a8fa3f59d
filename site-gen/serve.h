/*
 * site-gen/serve.h - a local preview: builds into its own folder when a
 * source changes, serves it, reloads the browser. A build that fails shows
 * its problems, with the lines they are about, in place of every page. Built
 * pages hold nothing of this: the script that reloads is added on the way out.
 */
#ifndef SITE_GEN_SERVE_H
#define SITE_GEN_SERVE_H

#include <stdbool.h>

struct serve_options {
	const char *host, *out, *cache; /* "127.0.0.1", "build/preview", "build/cache" */
	int port;                       /* 0: any free one */
	bool drafts, strict;
};

/* Runs until it is interrupted. Returns the exit status. */
int serve_run(const struct serve_options *options);

#endif
