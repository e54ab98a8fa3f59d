/*
 * site-gen/audit/audit.h - what is published, held against the records, by a path
 * of its own: markup in (html.h), numbers derived again from raw
 * samples (number.h), digits compared. It reads the output, data/ and,
 * for the site's device, content/site.lua; no template, no other content, no
 * cache, and none of the code that wrote the numbers.
 *
 *   audit.c         a folder, its files, its manifest; the command
 *   page.c    the numbers of a page or a feed
 *   said.c    claims, predictions and their verdicts
 *   chart.c   the points of a drawing
 *   table.c   JSON and CSV that stand beside pages
 *   log.c     each line of the log of published numbers
 *   copy.c    files of data/ that are published as they are
 *   text.c    digits outside of numbers: the lint over visible text
 */
#ifndef SITE_GEN_AUDIT_AUDIT_H
#define SITE_GEN_AUDIT_AUDIT_H

#include "site-gen/audit/state.h"

/* Checks one HTML or XML file; what is wrong is added to a->found. */
void audit_page(struct audit *a, const char *path, struct str bytes);

/* The same for what stands beside pages: JSON with numbers, a JSON feed, and CSV. Other files are left alone. */
void audit_table(struct audit *a, const char *path, struct str bytes);

/* The same for copies of files of data/, which are those files byte for byte. Other files are left alone. */
void audit_copy(struct audit *a, const char *path, struct str bytes);

/* The sum of what has been counted. */
size_t audit_total(const size_t counted[AUDIT_N]);

struct audit_options {
	const char *root, *dir;
	bool preview, quiet;
};

/* The command: returns the exit status. Findings go to stderr, one a line; a summary to stdout. */
int audit_run(const struct audit_options *o);

#endif
