/*
 * site-gen/deploy/server_config.h - configuration of web servers and systemd. One table
 * of headers, types and cache rules serves nginx and Caddy. The systemd units publish
 * the site again when new records arrive.
 */
#ifndef SITE_GEN_DEPLOY_SERVER_CONFIG_H
#define SITE_GEN_DEPLOY_SERVER_CONFIG_H

#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/config.h"

struct server_options {
	const struct config *site;
	const char *root;     /* absolute path of the deployed site */
	const char *checkout; /* absolute path of the repository, for the units */
	bool brotli;          /* nginx has its brotli module */
};

/* A file of one kind of configuration. */
struct server_file {
	const char *name; /* "ridgepoint.conf" */
	void (*write)(const struct server_options *o, struct sb *to);
};

struct server_kind {
	const char *name, *help; /* "nginx" */
	const struct server_file *file;
	size_t nfiles;
};

const struct server_kind *server_config_kinds(size_t *n);

#endif
