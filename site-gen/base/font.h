/*
 * site-gen/base/font.h - what a TrueType font says of its letters: which it has,
 * and how wide they are. So that a text that is drawn into a picture is
 * broken into lines that fit, and no letter comes out as an empty box.
 * The tables are those of the OpenType specification, 1.9
 * (https://learn.microsoft.com/typography/opentype/spec/).
 */
#ifndef SITE_GEN_BASE_FONT_H
#define SITE_GEN_BASE_FONT_H

#include <stdint.h>

#include "lib/err.h"
#include "lib/str.h"

struct sfnt {
	struct str bytes;     /* the file; borrowed */
	size_t cmap;          /* where the table of letters begins: format 4 or 12 */
	size_t widths;        /* and that of widths */
	unsigned nwidths, em; /* units of an em */
};

/* Looks for the tables. False: not a TrueType font, or one without Unicode letters. */
bool sfnt_open(struct str bytes, struct sfnt *out);

/* The width of a letter in thousandths of an em; -1: the font does not have it. */
int sfnt_width(const struct sfnt *f, uint32_t letter);

#endif
