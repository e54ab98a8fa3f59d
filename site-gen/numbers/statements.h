/*
 * site-gen/numbers/statements.h - references (records/cited.h) and predictions
 * (prediction.h), which data/ holds beside the measurements.
 */
#ifndef SITE_GEN_NUMBERS_STATEMENTS_H
#define SITE_GEN_NUMBERS_STATEMENTS_H

#include "lib/err.h"
#include "site-gen/records/data.h"

/* Sets d->references and d->predictions, in d's arena. Call it after data_load(). */
MUST_CHECK bool statements_load(struct data *d, struct err *e);

#endif
