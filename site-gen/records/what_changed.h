/*
 * site-gen/records/what_changed.h - what two runs of a case do not have in common.
 */
#ifndef SITE_GEN_RECORDS_WHAT_CHANGED_H
#define SITE_GEN_RECORDS_WHAT_CHANGED_H

#include "site-gen/records/query.h"

/*
 * What else than the time is new since the run before, of the same case:
 * "driver 580.1; source", in the arena; NULL: nothing.
 */
const char *what_changed(const struct pick *now, const struct pick *before, struct arena *a);

#endif
