/*
 * site-gen/look/style.h - colours of static/site.css for pictures, so that cards look
 * like pages.
 */
#ifndef SITE_GEN_LOOK_STYLE_H
#define SITE_GEN_LOOK_STYLE_H

#include "lib/err.h"
#include "lib/str.h"
#include <stdbool.h>

struct arena;
struct maker;
struct sb;

/* Reads the style sheet into m->style, once for all calls. */
MUST_CHECK bool style_load(struct maker *m, struct err *e);

/* Colour and dashes of a series in static/site.css. */
struct style_series {
	struct str colour; /* in the light theme */
	struct str dash;   /* "8 3 1.5 3"; empty: a solid line */
};

/* The series of class s-<n>; false if the style sheet has none. */
bool style_series(struct str style, int n, struct arena *a, struct style_series *out);

/*
 * The function `colour` of the template API: the value of the custom property --NAME
 * in static/site.css, in the light theme.
 */
MUST_CHECK bool style_colour(void *maker, const struct str *arg, struct sb *to, struct err *e);

#endif
