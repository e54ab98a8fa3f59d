/*
 * site-gen/pages/number_draw.h - small drawings of one number, as SVG in the page:
 * no gnuplot, no colours of their own (static/site.css has the classes), and
 * no scaling of letters: the outer drawing is as wide as its place, points in
 * it stand at percentages, curves in an inner one that is stretched.
 *
 *   svg.draw[role=img][aria-label] > line.grid, line.axis, text.tick
 *     rect.draw-ci       the 95 % interval           line.draw-mid  the typical value
 *     circle.draw-pt     a launch                    .bad           its clock was slowed down
 *     svg.draw-area > path.draw-each (a launch), path.draw-all, path.draw-pt, path.draw-range
 *     line.draw-step     between two runs something else has changed, too
 *     text.draw-none     a run without a number
 */
#ifndef SITE_GEN_PAGES_NUMBER_DRAW_H
#define SITE_GEN_PAGES_NUMBER_DRAW_H

#include "site-gen/files/number_view.h"

/* The medians of the launches in the headline metric, top to bottom as launched. */
void number_draw_launches(const struct number_view *v, struct sb *to);
/* How many of the samples took no more than a time: each launch, and all. */
void number_draw_ecdf(const struct number_view *v, struct sb *to);
/* The samples in the order taken, launches side by side. */
void number_draw_order(const struct number_view *v, struct sb *to);

#endif
