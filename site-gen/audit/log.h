/*
 * site-gen/audit/log.h - checks the log of published numbers against the records.
 * It derives each number again from its key, its run and its over_run, and
 * compares text, value and interval. A reason in a line excuses nothing, because
 * it explains a change and not a measurement.
 *
 * A line that contradicts its run breaks rule `noted`. So does a line whose run,
 * case, metric or counter does not exist, because records are never removed.
 * Lines that the records cannot confirm are counted by cause.
 */
#ifndef SITE_GEN_AUDIT_LOG_H
#define SITE_GEN_AUDIT_LOG_H

#include "site-gen/audit/state.h"

enum audit_log_outcome {
	AUDIT_LOG_HELD,    /* text, value and interval agree */
	AUDIT_LOG_FORMAT,  /* value and interval agree; another formatter wrote the text */
	AUDIT_LOG_GONE,    /* the line has no number: the page no longer shows it */
	AUDIT_LOG_REFUSED, /* the run has no number of the case: wrong results, or interrupted */
	AUDIT_LOG_POOLED,  /* a count or spread over all runs at that time; there are more now */
	AUDIT_LOG_SHEET,   /* from a data sheet that was corrected, or whose history is missing */
	AUDIT_LOG_WRONG,   /* a contradiction: an error was added */
	AUDIT_LOG_N
};

struct audit_log_count {
	size_t n[AUDIT_LOG_N];
};

/* Checks each line; adds errors to `found`. */
struct audit_log_count audit_log(const struct data *d, const struct published_log *log,
                                 struct arena *arena, struct problems *found);

/* Prints the number of lines that no record can confirm, by cause: "3: 2 …, 1 …"; nothing if 0. */
void audit_log_unheld(const struct audit_log_count *c, struct sb *to);

#endif
