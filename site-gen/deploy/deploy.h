/*
 * site-gen/deploy/deploy.h - the built site to where readers get it: with compressed
 * forms beside its text files, all of it at once.
 *
 *   TARGET      /srv/www/blog, ./somewhere   a folder: exchanged as a whole
 *               host:/srv/www/blog           rsync over ssh
 *               rsync://host/module          rsync's own protocol
 *               git:pages                    a branch of this repository
 *
 * A folder and a branch change at once or not at all; rsync delays all
 * updates to its end and deletes last. A folder is exchanged only if it is new,
 * empty or a site with no file but its own (output/owned.h); rsync deletes whatever
 * else it finds at its target.
 */
#ifndef SITE_GEN_DEPLOY_DEPLOY_H
#define SITE_GEN_DEPLOY_DEPLOY_H

#include "lib/err.h"

struct deploy_options {
	const char *from;   /* the built site, "build/site" */
	const char *target; /* as above */
	const char *stage;  /* where the copy for rsync and git is made, "build/deploy" */
	const char *cache;  /* of compressed forms, "build/cache" */
	bool dry_run;       /* say what would be done */
	bool quiet;
};

/* The site must have been built and audited by the caller. */
bool deploy_site(const struct deploy_options *o, struct err *e);

#endif
