/*
 * site-gen/site/file_kind.h - which files are published as they are, beside a post or in static/, and
 * what is looked at in them. Whatever a browser would show as a page of this site, or run, would be
 * a way around the rules for texts; so there is a list, and anything else is an error.
 */
#ifndef SITE_GEN_SITE_FILE_KIND_H
#define SITE_GEN_SITE_FILE_KIND_H

#include "site-gen/markdown/traced.h"

enum file_place {
	FILE_OF_POST, /* pictures, data, sources */
	FILE_OF_LOOK, /* these, style sheets, scripts and fonts */
};

/* Are files with such a name published from there? */
bool file_kind_known(const char *path, enum file_place place);

/*
 * Reads a file; says in `to` what is wrong with it. Waivers in a drawing go to *waivers (NULL: it
 * can have none), and live in `keep`.
 */
void file_kind_check(const char *path, enum file_place place, const struct lint *l,
                     struct arena *keep, struct waiver **waivers, struct problems *to);

#endif
