/*
 * site-gen/site/log_check.h - rule `noted` in a build: compares the log of published
 * numbers with the pages. The page and the feed of changes (pages/changes.h), and
 * the lines that `site-gen note` adds, come from this comparison.
 */
#ifndef SITE_GEN_SITE_LOG_CHECK_H
#define SITE_GEN_SITE_LOG_CHECK_H

#include "lib/err.h"
#include "site-gen/numbers/published.h"

struct problems;
struct site;

struct log_check {
	bool anew;     /* the log begins anew: `log` is empty */
	bool compared; /* the rest is set */
	struct published_log log;
	const struct published **by_name; /* all lines, sorted by page, number, line */
	const struct published **last;    /* likewise, the last line of each number still shown */
	size_t nlast;
	struct published *now; /* numbers on pages now, sorted by page, number */
	size_t nnow;
	struct published_diff *diff; /* from `last` to `now`: changes that the log lacks */
	size_t ndiff;
};

/*
 * Reads the log and checks its history up to HEAD; a preview has kept it (site->reuse.log). Call it
 * before loading pages. Sets site->log.
 */
MUST_CHECK bool log_check_load(struct site *s, struct err *e);

/* In place of log_check_load(): the log begins anew, whatever it was. Sets site->log. */
void log_check_begin(struct site *s);

/*
 * Compares the log with the pages, once, after all are loaded: a page shows what became of its
 * numbers. Does nothing on a site without a log.
 */
void log_check_compare(struct site *s);

/*
 * The same, and adds a problem for each
 * number whose digits changed without a reason. Under --strict, the log must be
 * complete and committed. Under --strict and in `check`, each line must agree with
 * the record that it names (audit/log.h). Does nothing on a site without a log.
 */
void log_check(struct site *s, struct problems *p);

/* What a note did to the log. */
struct log_written {
	size_t added;       /* lines */
	const char *closed; /* path of the closed part that it made; NULL: none */
};

/*
 * Adds the differences to the log. Refuses numbers from runs that are not committed,
 * and, without a reason, changes without a new run. Closes a part if the open part
 * would grow too large, or completes what a killed note began
 * (numbers/published_parts.h). Else, with nothing to add, no file is touched.
 */
MUST_CHECK bool log_check_write(struct site *s, const char *reason, struct log_written *out,
                                struct err *e);

/* The lines of one page: [*from, *to) of by_name, or of now. */
void log_check_lines_of(const struct log_check *n, const char *page, size_t *from, size_t *to);
void log_check_now_of(const struct log_check *n, const char *page, size_t *from, size_t *to);

#endif
