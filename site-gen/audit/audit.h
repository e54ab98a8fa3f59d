/*
 * site-gen/audit/audit.h - the audit: an independent check of the published site
 * against the records. It parses the markup (html.h), derives each number again
 * from raw samples (number.h), and compares the digits. It reads the output, data/
 * and, for the site's device, content/site.lua. It uses no template, no other
 * content, no cache, and none of the code that wrote the numbers.
 *
 *   audit.c   a folder, its files, its manifest; the command
 *   page.c    the numbers of a page; page_drawing.c those of its drawings
 *   markup.c  the elements and attributes that pages may have
 *   feed.c    the texts of feeds, against their pages
 *   said.c    claims, predictions and their verdicts
 *   chart.c   the points of a drawing
 *   boxes.c   the boxes of a drawing to scale
 *   table.c   JSON and CSV files beside pages
 *   log.c     each line of the log of published numbers
 *   count.c   how many runs, cases, samples there are
 *   code_lines.c  how many lines of code a measured source has
 *   copy.c    files of data/ that are published unchanged
 *   text.c    digits outside of numbers: the lint over visible text
 */
#ifndef SITE_GEN_AUDIT_AUDIT_H
#define SITE_GEN_AUDIT_AUDIT_H

#include "site-gen/audit/state.h"

/* Checks one HTML or XML file; adds each error to a->found. */
void audit_page(struct audit *a, const char *path, struct str bytes);

/* The same for JSON with numbers, JSON feeds, and CSV. Ignores other files. */
void audit_table(struct audit *a, const char *path, struct str bytes);

/* The same for byte-for-byte copies of files of data/. Ignores other files. */
void audit_copy(struct audit *a, const char *path, struct str bytes);

/* The sum of all counters. */
size_t audit_total(const size_t counted[AUDIT_N]);

struct command_audit_options {
	const char *dir;
	bool preview, quiet;
};

/*
 * Runs the audit in the repository of the current folder. Prints findings to stderr, one a line,
 * and a summary to stdout. Returns the exit status.
 */
int audit_run(const struct command_audit_options *o);

#endif
