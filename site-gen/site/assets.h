/*
 * site-gen/site/assets.h - addresses of files under static/, with a digest of their
 * bytes so that browsers may cache them for ever.
 */
#ifndef SITE_GEN_SITE_ASSETS_H
#define SITE_GEN_SITE_ASSETS_H

#include <stdbool.h>

#include "lib/err.h"

struct sb;
struct site;
struct str;

/* A file under static/. */
struct site_asset {
	const char *name, *url;
};

/*
 * Appends a file as it is published: a style sheet bare (output/css.h), that of the look with the
 * colours of the settings (lua/restyle.h), any other unchanged.
 */
void assets_publish(const struct site *s, const char *path, struct str bytes, struct sb *to);

/* Reads static/ once, before workers fork. */
MUST_CHECK bool assets_load(struct site *s, struct err *e);

/* The style sheet that a site adds to those of its look. */
#define ASSETS_OWN_STYLE "my.css"

/* The address of a file of static/, with its content hash; NULL if there is none. */
const char *assets_find(const struct site *s, struct str name);

/* `site.css` -> `/static/site.css?h=…` with the site's prefix. An unknown name is an error. */
MUST_CHECK bool assets_url(const struct site *s, struct str name, struct sb *to, struct err *e);

#endif
