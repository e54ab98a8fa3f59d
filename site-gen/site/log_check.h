/*
 * site-gen/site/log_check.h - the rule `noted` in a build: what the log of published
 * numbers says, beside what pages show now, and what may not differ. From it
 * come the page and the feed of changes (pages/changes.h), and the lines that
 * `site-gen note` adds.
 */
#ifndef SITE_GEN_SITE_LOG_CHECK_H
#define SITE_GEN_SITE_LOG_CHECK_H

#include "site-gen/numbers/published.h"
#include "site-gen/site/site.h"

struct noted {
	struct published_log log;
	const struct published **by_name; /* all lines, by page, number, line */
	const struct published **last;    /* of each number that is not gone, by page, number */
	size_t nlast;
	struct published *now; /* by page, number */
	size_t nnow;
	struct published_diff *diff; /* from last to now: what is not noted yet */
	size_t ndiff;
};

/* Reads the log and what HEAD's history did to it, before pages are loaded. Sets site->noted. */
bool noted_load(struct site *s, struct err *e);

/*
 * When all pages are loaded: what differs, and a problem for each number whose
 * digits changed for no reason. Under --strict everything must be noted and
 * committed. Under --strict and in `check` each line of the log agrees with the
 * record that it names (audit/log.h). A site that never noted anything is not asked.
 */
void noted_check(struct site *s, struct problems *p);

/*
 * Adds to the log what differs; *added lines. Numbers from runs that are not
 * committed are refused, and so is a change without a new run unless a reason
 * is given. With nothing to add the file is not touched.
 */
bool noted_write(struct site *s, const char *reason, size_t *added, struct err *e);

/* The lines of one page, [*from, *to) of by_name; or of now. */
void noted_lines_of(const struct noted *n, const char *page, size_t *from, size_t *to);
void noted_now_of(const struct noted *n, const char *page, size_t *from, size_t *to);

#endif
