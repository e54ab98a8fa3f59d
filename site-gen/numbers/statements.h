/*
 * site-gen/numbers/statements.h - what stands in data/ beside the measurements:
 * references (records/cited.h) and predictions (prediction.h).
 */
#ifndef SITE_GEN_NUMBERS_STATEMENTS_H
#define SITE_GEN_NUMBERS_STATEMENTS_H

#include "site-gen/records/data.h"

/* Sets d->references and d->predictions, in d's arena, once data_load has loaded d. */
bool statements_load(struct data *d, struct err *e);

#endif
