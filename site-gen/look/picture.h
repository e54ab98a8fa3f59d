/*
 * site-gen/look/picture.h - drawings as pictures, by programs that base/tool.h confines:
 * rsvg-convert makes PNG of SVG. It sees the fonts of the site's own pages and
 * one for Chinese, and no other, so that a picture is the same wherever it is
 * drawn. Pictures are kept under a hash of all they depend on.
 */
#ifndef SITE_GEN_LOOK_PICTURE_H
#define SITE_GEN_LOOK_PICTURE_H

#include "site-gen/base/font.h"
#include "site-gen/site/site.h"

enum { PICTURE_MOST_FONTS = 9 };

/* The fonts of pictures, in the order in which a letter is looked for. */
struct picture_fonts {
	const char *folder; /* where they lie, unpacked */
	struct picture_font {
		const char *name; /* "serif" of static/fonts/serif.woff2 */
		struct sfnt font;
	} all[PICTURE_MOST_FONTS];
	size_t n;
	bool chinese; /* is that one there? */
};

/*
 * Unpacks the fonts of static/fonts into the cache, where they are not there
 * yet, and reads them. An error says which package is missing.
 */
bool picture_fonts(const struct site *s, struct arena *a, struct picture_fonts *out, struct err *e);

/* The width of a letter in thousandths of an em, in the named font if that has it; -1: in none. */
int picture_width(const struct picture_fonts *f, const char *name, uint32_t letter);

/* Appends the drawing as PNG, `width` pixels wide. */
bool picture_png(const struct picture_fonts *f, struct str svg, int width, const char *cache,
                 struct arena *a, struct sb *to, struct err *e);

#endif
