/*
 * site-gen/site/file_kind.h - kinds of files that are published unchanged, beside a post or in
 * static/, and the check of each. A file that a browser shows as a page of this site, or runs,
 * would bypass the rules for texts. So there is a list of kinds, and any other file is an error.
 */
#ifndef SITE_GEN_SITE_FILE_KIND_H
#define SITE_GEN_SITE_FILE_KIND_H

#include "site-gen/markdown/traced.h"

enum file_place {
	FILE_OF_POST, /* pictures, data, sources */
	FILE_OF_LOOK, /* the same, and style sheets, scripts and fonts */
};

/* Are files with this name published from that place? */
bool file_kind_known(const char *path, enum file_place place);

/*
 * Reads a file and adds its errors to `to`. Waivers in a drawing go to *waivers (NULL: waivers are
 * not allowed), and live in `keep`.
 */
void file_kind_check(const char *path, enum file_place place, const struct lint *l,
                     struct arena *keep, struct waiver **waivers, struct problems *to);

#endif
