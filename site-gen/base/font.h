/*
 * site-gen/base/font.h - characters of a TrueType font and their widths. With them, text
 * that is drawn into a picture breaks into lines that fit, and no character becomes an
 * empty box. The tables are those of the OpenType specification, 1.9
 * (https://learn.microsoft.com/typography/opentype/spec/).
 *
 * FreeType reads the same widths from the blog's fonts for every code point and would save half of
 * these lines. But it would parse a contributor's font in this process, outside of any sandbox.
 */
#ifndef SITE_GEN_BASE_FONT_H
#define SITE_GEN_BASE_FONT_H

#include <stdint.h>

#include "lib/err.h"
#include "lib/str.h"

struct sfnt {
	struct str bytes;     /* the file; borrowed */
	size_t cmap;          /* offset of the character map's subtable, format 4 or 12 */
	size_t widths;        /* offset of the table of widths */
	unsigned nwidths, em; /* entries in that table; units per em */
};

/* Finds the tables. False: not a TrueType font, or one without a Unicode character map. */
bool sfnt_open(struct str bytes, struct sfnt *out);

/* A character's width in thousandths of an em; -1 if the font lacks it. */
int sfnt_width(const struct sfnt *f, uint32_t letter);

#endif
