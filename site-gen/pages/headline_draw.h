/*
 * site-gen/pages/headline_draw.h - small drawings of a headline case, as inline SVG. They repeat
 * what stands beside them, so screen readers skip them.
 */
#ifndef SITE_GEN_PAGES_HEADLINE_DRAW_H
#define SITE_GEN_PAGES_HEADLINE_DRAW_H

#include "site-gen/numbers/headline.h"

/* svg.bar: the share of the data sheet's roof, which r has; line.bar-roof: the best library. */
void headline_draw_bar(const struct headline_result *r, struct sb *to);
/* svg.steps: a bar for each of several steps; the top is the roof or the fastest. */
void headline_draw_steps(const struct headline_result *r, struct sb *to);
/* svg.past: the best value after each run, by time; nothing for less than two runs. */
void headline_draw_past(const struct headline_result *r, struct sb *to);

#endif
