/*
 * site-gen/deploy/server_config.h - rules for the servers that publish a site:
 * which headers, which types, what may be cached, written for nginx and
 * Caddy from one table; and systemd units that publish again when new
 * records arrive.
 */
#ifndef SITE_GEN_DEPLOY_SERVER_CONFIG_H
#define SITE_GEN_DEPLOY_SERVER_CONFIG_H

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/config.h"

struct server_options {
	const struct config *site;
	const char *root;     /* absolute: where the site is deployed to */
	const char *checkout; /* absolute: the repository, for the units */
	bool brotli;          /* nginx has its brotli module */
};

/* One file of a kind of configuration. */
struct server_file {
	const char *name; /* "ridgepoint.conf" */
	void (*write)(const struct server_options *o, struct sb *to);
};

struct server_kind {
	const char *name, *help; /* "nginx" */
	const struct server_file *file;
	size_t nfiles;
};

const struct server_kind *server_kinds(size_t *n);

#endif
