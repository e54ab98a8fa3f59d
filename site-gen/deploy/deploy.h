/*
 * site-gen/deploy/deploy.h - deployment of a built site, with compressed forms beside its
 * text files.
 *
 *   TARGET      /srv/www/blog, ./somewhere   a folder: exchanged as a whole
 *               host:/srv/www/blog           rsync over ssh
 *               rsync://host/module          rsync's own protocol
 *               git:pages                    a branch of this repository
 *
 * A folder and a branch change at once or not at all. rsync delays all updates to the
 * end of its transfer and deletes last. A folder is exchanged only if it is new, empty,
 * or a site without foreign files (output/owned.h). rsync deletes all foreign files at
 * its target.
 */
#ifndef SITE_GEN_DEPLOY_DEPLOY_H
#define SITE_GEN_DEPLOY_DEPLOY_H

#include "lib/err.h"

struct deploy_options {
	const char *from;   /* the built site, "build/site" */
	const char *target; /* as above */
	const char *stage;  /* folder for the copy that rsync and git send, "build/deploy" */
	const char *cache;  /* cache of compressed forms, "build/cache" */
	bool dry_run;       /* only print what would be done, or refuse it */
	bool quiet;
};

/* Deploys a site that the caller has built and audited. */
MUST_CHECK bool deploy_site(const struct deploy_options *o, struct err *e);

#endif
