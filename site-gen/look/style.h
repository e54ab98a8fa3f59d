/*
 * site-gen/look/style.h - what static/site.css says of colours, for pictures: cards
 * are painted as pages are.
 */
#ifndef SITE_GEN_LOOK_STYLE_H
#define SITE_GEN_LOOK_STYLE_H

#include "site-gen/site/site.h"

/* Reads the style sheet into m->style, once. */
bool style_load(struct maker *m, struct err *e);

/* How static/site.css paints a series: what the look says there is what cards show. */
struct style_series {
	struct str colour; /* in light */
	struct str dash;   /* "8 3 1.5 3"; empty: a solid line */
};

/* The series of class s-<n>; false: the style has none of that number. */
bool style_series(struct str style, int n, struct arena *a, struct style_series *out);

/*
 * The function `colour` of the template API: the value, in light, of the custom
 * property --NAME in static/site.css.
 */
bool style_colour(void *maker, const struct str *arg, struct sb *to, struct err *e);

#endif
