/*
 * site-gen/preview/serve.h - local preview server. It builds into its own folder when a
 * source changes, serves that folder, and reloads the browser. It answers only to
 * localhost and IP addresses, so that no other site's script can read it. When a post
 * is edited, the browser goes to its page and to the section that changed. If a build
 * fails, its problems and their source lines replace every page except the rules. The
 * reload script is added while a page is sent, so built files do not contain it.
 */
#ifndef SITE_GEN_PREVIEW_SERVE_H
#define SITE_GEN_PREVIEW_SERVE_H

#include <stdbool.h>

struct command_serve_options {
	const char *host, *out, *cache; /* "127.0.0.1", "build/preview", "build/cache" */
	int port;                       /* 0: any free one */
	bool drafts, future, strict, werror;
	bool stay; /* reload pages, but never go to another page */
};

/* Serves until it is interrupted. Returns the exit status. */
int serve_run(const struct command_serve_options *options);

#endif
