/*
 * site-gen/records/query_absent.h - the variants that a selector names, but of which no case meets
 * its conditions: a table of steps says so, instead of leaving them out.
 */
#ifndef SITE_GEN_RECORDS_QUERY_ABSENT_H
#define SITE_GEN_RECORDS_QUERY_ABSENT_H

#include "lib/err.h"
#include "site-gen/records/query.h"

enum query_absence {
	QUERY_OTHER_INPUTS, /* the device measured it, but with no such values */
	QUERY_OTHER_DEVICE, /* only other devices measured it */
	QUERY_OTHER_RUN,    /* run= pins a run, and it is in others */
	QUERY_ABSENCES,
};

struct query_absent {
	const struct run_case *c; /* any case of the variant */
	enum query_absence why;
};

/*
 * Kernels and libraries of the picks' family that the selector names and the picks lack, in reading
 * order. A name in a list {a,b} that no run has at all is an error.
 */
MUST_CHECK bool query_absent(const struct expand_ctx *ctx, const struct query *q,
                             const struct pick *picks, size_t n, struct query_absent **out,
                             size_t *count, struct err *e);

#endif
