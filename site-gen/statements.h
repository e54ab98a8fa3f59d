/*
 * site-gen/statements.h - what stands in data/ beside the measurements:
 * references (cited.h) and predictions (prediction.h).
 */
#ifndef SITE_GEN_STATEMENTS_H
#define SITE_GEN_STATEMENTS_H

#include "site-gen/data.h"

/* Sets d->references and d->predictions, in d's arena, once data_load has loaded d. */
bool statements_load(struct data *d, struct err *e);

#endif
