/*
 * site-gen/audit.h - what is published, held against the records, by a path
 * of its own: markup in (audit_html.h), numbers derived again from raw
 * samples (audit_number.h), digits compared. It reads the output, data/ and,
 * for the site's device, content/site.lua; no template, no other content, no
 * cache, and none of the code that wrote the numbers.
 *
 *   audit.c         a folder, its files, its manifest; the command
 *   audit_page.c    the numbers of a page or a feed
 *   audit_said.c    claims, predictions and their verdicts
 *   audit_chart.c   the points of a drawing
 *   audit_table.c   JSON and CSV that stand beside pages
 *   audit_log.c     each line of the log of published numbers
 *   audit_copy.c    files of data/ that are published as they are
 *   audit_text.c    digits outside of numbers: the lint over visible text
 */
#ifndef SITE_GEN_AUDIT_H
#define SITE_GEN_AUDIT_H

#include "site-gen/audit_state.h"

/* Ready for pages; everything it makes lives in the arena. */
void audit_init(struct audit *a, const struct data *d, struct arena *arena, struct problems *found);
/* The same where the log of published numbers was read already. */
void audit_init_with(struct audit *a, const struct data *d, const struct published_log *log,
                     struct arena *arena, struct problems *found);

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
