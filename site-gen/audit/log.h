/*
 * site-gen/audit/log.h - the log of published numbers held against the
 * records. Each line that shows a number is derived again from its key, its
 * run and its over_run, and text, value and interval are compared. A reason
 * excuses nothing: it says why a number changed, not what a run measured.
 *
 * A line that contradicts its run is an error of rule `noted`, and so is one
 * whose run, case, metric or counter does not exist: records are never
 * removed. What a line cannot be held against is counted, each by its cause.
 */
#ifndef SITE_GEN_AUDIT_LOG_H
#define SITE_GEN_AUDIT_LOG_H

#include "site-gen/audit/state.h"

enum audit_log_outcome {
	AUDIT_LOG_HELD,   /* text, value and interval agree */
	AUDIT_LOG_FORMAT, /* value and interval agree; another formatter wrote the text */
	AUDIT_LOG_GONE,   /* the page shows the number no more: the line has no number */
	AUDIT_LOG_REFUSED, /* the run has no number of the case: results were wrong, or it was cut short */
	AUDIT_LOG_POOLED, /* a count or spread over all runs of its day; others have joined */
	AUDIT_LOG_SHEET,  /* from a data sheet that was corrected, or whose history is not here */
	AUDIT_LOG_WRONG,  /* a contradiction: an error was added */
	AUDIT_LOG_N
};

struct audit_log_count {
	size_t n[AUDIT_LOG_N];
};

/* Holds each line; what is wrong is added to `found`. */
struct audit_log_count audit_log(const struct data *d, const struct published_log *log,
                                 struct arena *arena, struct problems *found);

/* How many lines no record can confirm, and why: "3: 2 …, 1 …"; nothing if there are none. */
void audit_log_unheld(const struct audit_log_count *c, struct sb *to);

#endif
