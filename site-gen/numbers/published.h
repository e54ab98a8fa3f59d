/*
 * site-gen/numbers/published.h - the log of published numbers, data/published.jsonl and
 * the closed parts before it (numbers/published_parts.h). Every change of a published
 * number adds a line; no line is ever removed (rule `noted`). data/PUBLISHED.md
 * explains the log to its readers.
 *
 * A published number is identified by its page and its name there (`number`):
 *
 *   h200 <case id> bandwidth [over h200 <case id> | of h200 <case id> | of spec:<key>]
 *   spec h200 <key>               a datasheet number
 *   derived h200 <expression> <unit>
 *                                 arithmetic over datasheet numbers and measured ones
 *   count <as written> on h200    a count
 *
 * If a page shows one number from several runs, the newest has the bare name, and
 * the others append " in <run>" (and " over <run>"). So names stay the same when
 * another run appears, on pages that pin a run as on pages that follow the newest.
 */
#ifndef SITE_GEN_NUMBERS_PUBLISHED_H
#define SITE_GEN_NUMBERS_PUBLISHED_H

#include "lib/err.h"
#include "lib/stats.h"
#include "site-gen/numbers/published_parts.h"
#include "site-gen/records/data.h"

/* One line: a number as its page shows it from then on. */
struct published {
	const char *page, *number;
	const char *text; /* as printed; NULL: no longer on the page */
	double value, lo, hi;
	const char *unit; /* SI: "B/s", "×", "%" */
	/* over_run NULL: the same run; run NULL: not from a run. Of a derivation the run of all its
	   measured numbers, or one for each, with spaces between */
	const char *run, *over_run;
	const char *source;        /* datasheet numbers: the source; NULL: none */
	const char *format;        /* NUMBER_FORMAT */
	const char *was;           /* previous text; NULL: the number is new on the page */
	const char *verdict;       /* stats_verdict_name(); NULL: not a change between two runs */
	const char *noted;         /* YYYY-MM-DD: date of HEAD when the line was added */
	const char *reason;        /* reason for a change without a new run; NULL: none */
	int line;                  /* line number in the whole log; 0: not in it yet */
	const struct quote *quote; /* measured numbers of today's pages; NULL: all others */
	struct loc at;             /* place in a file of the log, or of the placeholder */
};

struct published_log {
	struct published *line; /* in order */
	size_t n;
	size_t committed; /* lines that HEAD has; the others wait for a commit */
	bool exists;      /* false: no log yet, and rule `noted` does not apply */
	struct str bytes; /* of all parts, in order */
	/* all lines, by page, then number, then line; NULL: not sorted (published_sorted()) */
	const struct published **by_line;
	struct published_parts parts;
};

enum published_change {
	PUBLISHED_FIRST,   /* new on its page */
	PUBLISHED_CHANGED, /* other digits, from another run or formatter */
	PUBLISHED_AGAIN,   /* the same digits, from another run or formatter */
	PUBLISHED_GONE,    /* no longer on its page */
	PUBLISHED_BROKEN,  /* other digits without a reason */
};

/* A difference between the last line of a number and its page now. */
struct published_diff {
	enum published_change change;
	const struct published *before, *now; /* FIRST: no `before`; GONE: no `now` */
};

/*
 * Reads the log: HEAD's, and the lines that the work tree's files add. It is an error
 * if those files do not begin with HEAD's bytes (published_parts_load()), or if a
 * line is malformed, contradicts the lines before it, or has no date, or one more than a
 * day after both HEAD's and today's.
 */
MUST_CHECK bool published_load(struct git *g, struct arena *a, struct published_log *out,
                               struct err *e);

/*
 * Does each line agree with those before it? `was` must be the text of an earlier
 * line of the number, and other digits from the same runs and formatter need a
 * reason. A line that breaks this is an error until a later line of the number,
 * with a reason, tells readers what happened. published_load() includes this check.
 * Declared for tests.
 */
MUST_CHECK bool published_check_lines(const struct published_log *l, struct arena *a,
                                      struct err *e);

/* The published form of the log; without a file, only the line that describes it. */
struct str published_bytes(const struct published_log *l);

/* Writes one line of the log, with its newline. */
void published_put(struct sb *to, const struct published *p);
/* Reads one line, whose place is `number` in the file `path`. */
MUST_CHECK bool published_read(struct str line, int number, const char *path, struct arena *a,
                               struct published *out, struct err *e);

/* --- published_history.c --- */

/*
 * Checks the rule over history. Between a commit and its parent, closed parts never
 * change, and the log begins with the log of the parent: the new closed parts, in order, and
 * the open part begin with the parent's open part. In a merge that holds for one side, and
 * the log has every line of the other side in the same order. A log that begins
 * anew (published_parts_begin()) may differ from the one of the commit that its first line names;
 * what is older is not checked, and a merge may leave out lines of a side with another first line.
 * With a folder `cache`, a HEAD that passed is not checked again. Without a repository, or in a
 * shallow one, nothing is checked, and nothing has passed.
 */
MUST_CHECK bool published_check_history(const struct data *d, const char *cache, struct arena *a,
                                        struct err *e);

/* --- published_diff.c --- */

/* Are both from the same runs? */
bool published_same_runs(const struct published *x, const struct published *y);

/* The last line of each number still on its page, sorted by page, then number. */
const struct published **published_last(const struct published_log *l, struct arena *a, size_t *n);

/* The differences between two lists, both sorted by page and number. */
struct published_diff *published_compare(const struct published *const *before, size_t nbefore,
                                         const struct published *now, size_t nnow, struct arena *a,
                                         size_t *n);

/* Do `before` and `now` come from the same runs and formatter? */
bool published_same_basis(const struct published *before, const struct published *now);

/* The verdict on the kernel (slower, faster, …); NULL: none (no new run, or not from times). */
const char *published_verdict(const struct data *d, const struct published *before,
                              const struct published *now);

/* Its interval in the unit of its text, "4.309–4.315 TB/s"; nothing if it has none. */
void published_interval(const struct published *p, struct sb *to);

/* The order of lines: by page, then by number. */
int published_by_name(const struct published *x, const struct published *y);
/* All lines in that order, those of one number as in the log. */
const struct published **published_sorted(const struct published_log *l, struct arena *a);

/* The number on a line of the log, by its line number; NULL: it says none. */
const struct published *published_at(const struct published_log *l, int64_t line);

/* Declared for tests. The same for qsort() over pointers to lines; lines of one number keep the
 * order of the log.
 */
int published_by_line(const void *a, const void *b);

#endif
