/*
 * site-gen/markdown/reasoning.h - the reasoning of predictions, as a reader sees it.
 */
#ifndef SITE_GEN_MARKDOWN_REASONING_H
#define SITE_GEN_MARKDOWN_REASONING_H

#include "site-gen/records/data.h"

/*
 * Makes markup of the reasoning of all predictions of `d`, in its arena. One that has headings of
 * its own is left as it is: they would meet those of the page that shows it in a box. `base` and
 * `plot_cache` are as in records/context.h.
 */
bool reasoning_render(const struct data *d, const char *base, const char *plot_cache,
                      struct err *e);

#endif
