/*
 * site-gen/output/css.h - a style sheet as browsers need it. Comments and indentation are for its
 * authors: a seventh of what a reader would load.
 */
#ifndef SITE_GEN_OUTPUT_CSS_H
#define SITE_GEN_OUTPUT_CSS_H

#include "lib/str.h"

/*
 * Appends the style sheet without comments, indentation and empty lines. All else stays as written,
 * also a comment that begins with an exclamation mark, as licences do.
 */
void css_bare(struct sb *to, struct str css);

#endif
