/* site-gen/records/query_inner.h - shared by query.c (finds) and query_error.c (explains). */
#ifndef SITE_GEN_RECORDS_QUERY_INNER_H
#define SITE_GEN_RECORDS_QUERY_INNER_H

#include "lib/err.h"
#include "site-gen/records/query.h"

static const struct str NOT_GIVEN = {NULL, 0};

/* Can cases of the family match? */
bool query_family_matches(const struct query *q, const char *family);

/* Do family and variant match? Do all conditions, too (covers)? See query_matches(). */
bool query_names_match(const struct query *q, const struct run_case *c);
bool query_covers(const struct query *q, const struct run_case *c);

/* The wanted device: device=, else the page's. */
struct str query_device(const struct expand_ctx *ctx, const struct query *q);
/* Does the query search this run? The pinned run, else all runs of the device. */
bool query_in_scope(const struct expand_ctx *ctx, const struct query *q,
                    const struct data_run *pinned, const struct data_run *r);

/* The place of a part of the query, or of its selector. */
struct loc query_where(const struct query *q, struct str part);

/* Set the error, with the id of the rule that refuses the number; return false. */
MUST_CHECK bool query_no_number(const struct query *q, const struct pick *p, struct err *e);
/* Set the error; return false. */
MUST_CHECK bool query_nothing(const struct expand_ctx *ctx, const struct query *q,
                              const struct data_run *pinned, struct err *e);
MUST_CHECK bool query_ambiguous(const struct expand_ctx *ctx, const struct query *q,
                                const struct pick *picks, size_t n, struct err *e);

#endif
