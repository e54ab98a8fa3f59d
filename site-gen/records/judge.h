/* site-gen/records/judge.h - judges records against the repository; the steps of load.c. */
#ifndef SITE_GEN_RECORDS_JUDGE_H
#define SITE_GEN_RECORDS_JUDGE_H

#include "lib/err.h"
#include "site-gen/base/kept.h"
#include "site-gen/records/data.h"

/*
 * Reads the history of data/ into d->history. If a commit changed or removed a record,
 * HEAD must have the record as it was first committed; otherwise the error names the
 * file and the commit.
 */
MUST_CHECK bool judge_history(struct data *d, struct err *e);

/* The first change in the history of data/ that added this record, in any container; or NULL. */
const struct git_change *judge_recorded(const struct data *d, const char *path);

/* True if a change removed a plain record that HEAD has packed, with the same lines. */
bool judge_packed(const struct data *d, const struct git_change *c);

/*
 * Adds to every case the states that follow from git, data/builds and the specs. `kept`: for
 * builds_load().
 */
MUST_CHECK bool judge_cases(struct data *d, const struct kept_by *kept, struct err *e);

/* Reads d->withdrawn and marks the cases that it takes back. */
MUST_CHECK bool judge_withdrawn(struct data *d, struct err *e);

#endif
