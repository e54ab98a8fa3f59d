/*
 * site-gen/look/picture.h - conversion of SVG drawings to PNG, by rsvg-convert, which
 * base/tool.h confines. It sees only the fonts of the site's own pages and one for
 * Chinese, so a picture is the same wherever it is drawn. The cache keeps pictures
 * under a hash of everything that they depend on.
 */
#ifndef SITE_GEN_LOOK_PICTURE_H
#define SITE_GEN_LOOK_PICTURE_H

#include "lib/err.h"
#include "site-gen/base/font.h"

struct site;

enum { PICTURE_MOST_FONTS = 9 };

/* The fonts of pictures, in the order in which a character is searched. */
struct picture_fonts {
	const char *folder; /* folder of the unpacked fonts */
	struct picture_font {
		const char *name; /* "serif" of static/fonts/serif.woff2 */
		struct sfnt font;
	} all[PICTURE_MOST_FONTS];
	size_t n;
	bool chinese; /* the font for Chinese is installed */
};

/*
 * Unpacks the fonts of static/fonts into the cache, unless they are already there, and
 * reads them. The error says which package is missing.
 */
MUST_CHECK bool picture_fonts(const struct site *s, struct arena *a, struct picture_fonts *out,
                              struct err *e);

/* A character's width in thousandths of an em, in the named font if it has it; -1: in none. */
int picture_width(const struct picture_fonts *f, const char *name, uint32_t letter);

/* Appends the drawing as PNG, `width` pixels wide. */
MUST_CHECK bool picture_png(const struct picture_fonts *f, struct str svg, int width,
                            const char *cache, struct arena *a, struct sb *to, struct err *e);

#endif
