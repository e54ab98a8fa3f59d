/*
 * site-gen/records/what_changed.h - the differences in setup between two runs of a case.
 */
#ifndef SITE_GEN_RECORDS_WHAT_CHANGED_H
#define SITE_GEN_RECORDS_WHAT_CHANGED_H

#include "site-gen/records/query.h"

/*
 * What changed beside the time since an earlier run of the same case, for example
 * "driver 580.1; choice cuBLASLt algorithm 66, tile 128x256; source"; NULL if nothing did. The text
 * is in the arena.
 */
const char *what_changed(const struct pick *now, const struct pick *before, struct arena *a);

#endif
