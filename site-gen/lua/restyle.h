/*
 * site-gen/lua/restyle.h - the look's style sheet static/site.css with the colours and the logo of
 * the settings. Each colour takes the place of the look's where that is first set, so the rules
 * after it, for readers who want more contrast, hold as before.
 */
#ifndef SITE_GEN_LUA_RESTYLE_H
#define SITE_GEN_LUA_RESTYLE_H

#include <stdbool.h>

#include "lib/str.h"

struct config;

/* Parts from 0 to 255. */
struct restyle_rgb {
	int r, g, b;
};

/* The value of a custom property in a style sheet. */
struct restyle_value {
	struct str whole;       /* from ':' to ';', without white space around it */
	struct str light, dark; /* of light-dark(light, dark); else both are `whole` */
};

/* The first value of the property --NAME; false if the style sheet has none. */
bool restyle_find(struct str css, struct str name, struct restyle_value *out);

/* colour -> '#' ( 6 digits | 3 digits ) */
bool restyle_rgb(struct str text, struct restyle_rgb *out);

/* 0xrrggbb */
unsigned restyle_number(struct restyle_rgb c);

/* The colour --NAME of a style sheet, in the light (0) or the dark (1) theme. */
bool restyle_look(struct str css, const char *name, int theme, struct restyle_rgb *out);

/* Contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
double restyle_contrast(struct restyle_rgb a, struct restyle_rgb b);

/*
 * Appends the style sheet as the settings want it: as it is, if they say nothing of it. A
 * background or a text also gives the shades between both: raised parts, lines, edges, soft text.
 */
void restyle(const struct config *c, struct str css, struct sb *to);

#endif
