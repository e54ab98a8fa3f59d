/*
 * site-gen/preview/serve.h - a local preview: builds into its own folder when a
 * source changes, serves it, reloads the browser. It answers to localhost and
 * to IP addresses only, so that no other site's script can read it. Where a post is edited, the
 * browser goes to its page, and to the section that changed. A build that
 * fails shows its problems, with the lines they are about, in place of every
 * page but that of the rules. Built pages hold nothing of this: the script
 * that reloads is added on the way out.
 */
#ifndef SITE_GEN_PREVIEW_SERVE_H
#define SITE_GEN_PREVIEW_SERVE_H

#include <stdbool.h>

struct serve_options {
	const char *host, *out, *cache; /* "127.0.0.1", "build/preview", "build/cache" */
	int port;                       /* 0: any free one */
	bool drafts, future, strict, werror;
	bool stay; /* reload pages, but never go to another */
};

/* Runs until it is interrupted. Returns the exit status. */
int serve_run(const struct serve_options *options);

#endif
