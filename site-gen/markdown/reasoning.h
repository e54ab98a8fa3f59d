/*
 * site-gen/markdown/reasoning.h - the reasoning of predictions as markup.
 */
#ifndef SITE_GEN_MARKDOWN_REASONING_H
#define SITE_GEN_MARKDOWN_REASONING_H

#include "lib/err.h"
#include "site-gen/records/data.h"

struct plotter; /* site-gen/plot/plot.h */

/*
 * Renders the reasoning of all predictions of `d`, in its arena. Skips a reasoning with headings,
 * because they could collide with the headings of the page that shows it in a box. `base`,
 * `plots` and `cache` are as in records/context.h.
 */
MUST_CHECK bool reasoning_render(const struct data *d, const char *base, struct plotter *plots,
                                 const char *cache, struct err *e);

#endif
