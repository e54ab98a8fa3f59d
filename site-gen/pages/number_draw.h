/*
 * site-gen/pages/number_draw.h - small drawings of one number, as inline SVG. They need
 * no gnuplot, and static/site.css colours their classes. Text is never scaled: the
 * outer drawing is as wide as its place and positions points by percentages, while
 * curves are in an inner drawing that is stretched.
 *
 *   svg.draw[role=img][aria-label] > line.grid, line.axis, text.tick
 *     rect.draw-ci       the 95 % interval           line.draw-mid  the typical value
 *     circle.draw-pt     a launch or card                   .bad           its clock was slowed
 * down svg.draw-area > path.draw-each (a launch), path.draw-all, path.draw-pt, path.draw-range
 *     line.draw-step     between two runs something else has changed, too
 *     text.draw-none     a run without a number
 */
#ifndef SITE_GEN_PAGES_NUMBER_DRAW_H
#define SITE_GEN_PAGES_NUMBER_DRAW_H

#include "site-gen/files/number_view.h"

/* Draws the launches' medians in the headline metric, from top to bottom in launch order. */
void number_draw_launches(const struct number_view *v, struct sb *to);
/* Draws the cards' values in the headline metric, in the order of their table. */
void number_draw_cards(const struct number_view *v, struct sb *to);
/* Draws the cumulative distribution of the samples, for each launch and for all. */
void number_draw_ecdf(const struct number_view *v, struct sb *to);
/* Draws the samples in the order in which they were taken, launches side by side. */
void number_draw_order(const struct number_view *v, struct sb *to);

#endif
