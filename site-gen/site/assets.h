/*
 * site-gen/site/assets.h - addresses of files under static/ with a digest of their
 * bytes, so that browsers may keep them for ever.
 */
#ifndef SITE_GEN_SITE_ASSETS_H
#define SITE_GEN_SITE_ASSETS_H

#include "site-gen/site/site.h"

/* Reads static/ once, before workers fork. */
bool assets_load(struct site *s, struct err *e);

/* `site.css` -> `/static/site.css?h=…`, with the site's prefix; an unknown name is an error. */
bool assets_url(const struct site *s, struct str name, struct sb *to, struct err *e);

#endif
