/*
 * site-gen/statements.h - what stands in data/ beside the measurements:
 * references (cited.h) and predictions (prediction.h), loaded in this order,
 * because the reasoning of a prediction may cite.
 */
#ifndef SITE_GEN_STATEMENTS_H
#define SITE_GEN_STATEMENTS_H

#include "site-gen/data.h"

/*
 * Sets d->references and d->predictions, in d's arena, once data_load has
 * loaded d. `base` is the site's URL prefix, `plot_cache` as in expand.h.
 */
bool statements_load(struct data *d, const char *base, const char *plot_cache, struct err *e);

#endif
