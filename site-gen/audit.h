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

#include "site-gen/audit_number.h"
#include "site-gen/problems.h"

struct audit_plain;
struct lint;
struct published_log;

/* What has been derived again and agreed: a row each in audit.c. */
enum audit_counted {
	AUDIT_N_VALUE, /* the first four as enum audit_kind */
	AUDIT_N_RATIO,
	AUDIT_N_SHARE_SPEC,
	AUDIT_N_SHARE_MEASURED,
	AUDIT_N_INTERVAL,
	AUDIT_N_SPEC,
	AUDIT_N_COUNT,
	AUDIT_N_DERIVED,
	AUDIT_N_COUNTER,
	AUDIT_N_TRUST, /* of the instrument itself */
	AUDIT_N_NOTED, /* of the log of published numbers */
	AUDIT_N_CHART,
	AUDIT_N_CLAIM,
	AUDIT_N_PREDICTED,
	AUDIT_N_VERDICT,
	AUDIT_N_TABLE, /* in JSON and CSV */
	AUDIT_N,
};

struct audit {
	const struct data *data;
	struct audit_records records;
	const struct published_log *log;
	bool preview;              /* numbers that are not committed are no findings */
	const struct lint *lint;   /* for performance numbers in other text; NULL: not looked for */
	struct sb numbers;         /* all that agreed, a line each */
	struct audit_plain *plain; /* titles and summaries, looked at in the end */
	struct problems *found;
	size_t counted[AUDIT_N];
};

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
