/*
 * site-gen/numbers/published.h - what readers were shown: data/published.jsonl, a log
 * to which every change of a published number is added and from which nothing
 * is ever taken (rule `noted`). data/PUBLISHED.md explains the file to
 * everybody else.
 *
 * The identity of a published number is its page and its name there (`number`):
 *
 *   h200 <case id> bandwidth [over h200 <case id> | of h200 <case id> | of spec:<key>]
 *   spec h200 <key>               a datasheet number
 *   derived h200 <expression> <unit>
 *                                 arithmetic over datasheet numbers
 *   count <as written> on h200    how many
 *
 * Where a page shows one number from several runs, the newest of them has the
 * bare name, the others " in <run>" (and " over <run>") after it: so a page
 * that pins a run, and a page that follows the newest, both keep their names
 * when another run appears.
 */
#ifndef SITE_GEN_NUMBERS_PUBLISHED_H
#define SITE_GEN_NUMBERS_PUBLISHED_H

#include "lib/stats.h"
#include "site-gen/records/data.h"

#define PUBLISHED_PATH "data/published.jsonl"
#define PUBLISHED_SCHEMA "ridgepoint-published/1.0"

/* One line: what a page shows of a number from then on. */
struct published {
	const char *page, *number;
	const char *text; /* as printed; NULL: the page shows it no more */
	double value, lo, hi;
	const char *unit;           /* SI: "B/s", "×", "%" */
	const char *run, *over_run; /* over_run NULL: the same; run NULL: it is from no run */
	const char *source;         /* of datasheet numbers; NULL: none */
	const char *format;         /* NUMBER_FORMAT */
	const char *was;            /* text before; NULL: it was not there */
	const char *verdict;        /* stats_verdict_name; NULL: not a change between two runs */
	const char *noted;          /* YYYY-MM-DD: of HEAD when it was noted */
	const char *reason;         /* why it changed without a new run; NULL: it did not */
	int line;                   /* in the file; 0: not in it yet */
	const struct quote *quote;  /* of what a page shows now; NULL: a line, or no measurement */
	struct loc at;              /* of the placeholder */
};

struct published_log {
	struct published *line; /* in the order of the file */
	size_t n;
	size_t committed; /* lines that HEAD has; the others wait for a commit */
	bool exists;      /* false: nothing was ever noted, and the rule asks nothing */
	struct str bytes;
};

enum published_change {
	PUBLISHED_FIRST,   /* was not there */
	PUBLISHED_CHANGED, /* other digits, from another run or formatter */
	PUBLISHED_AGAIN,   /* the same digits, from another run or formatter */
	PUBLISHED_GONE,    /* is not there any more */
	PUBLISHED_BROKEN,  /* other digits, though nothing says why */
};

/* Where the last line of a number and what its page shows now are not the same. */
struct published_diff {
	enum published_change change;
	const struct published *before, *now; /* FIRST has no before, GONE no now */
};

/*
 * Reads the log: HEAD's blob, and what the work tree's file adds to it. A
 * work tree's file that does not begin with HEAD's bytes, a malformed line, or
 * one that does not follow from those before is an error.
 */
bool published_load(struct git *g, struct arena *a, struct published_log *out, struct err *e);

/*
 * Does each line follow from those before? What a number `was`, an earlier line
 * of it says; other digits from the same runs and formatter have a reason. A
 * line that does not is an error, until a later line of the number, with a
 * reason, tells readers what happened. published_load has asked already.
 */
bool published_check_lines(const struct published_log *l, struct arena *a, struct err *e);

/*
 * The rule over history: in each commit the log begins with what it was in the
 * commit before (a merge: with one side's that has a log, and every line of
 * the other is there in its order). With a folder `cache` a HEAD that was found good is not
 * asked again. Where there is no repository, or only a shallow one, there is
 * no history to ask.
 */
bool published_check_history(const struct data *d, const char *cache, struct arena *a,
                             struct err *e);

/* The log as it is published: without a file the one line that says what it is. */
struct str published_bytes(const struct published_log *l);

/* The last line of each number that is not gone, by page, then number. */
const struct published **published_last(const struct published_log *l, struct arena *a, size_t *n);

/* What differs between two lists, both by page and number. */
struct published_diff *published_compare(const struct published *const *before, size_t nbefore,
                                         const struct published *now, size_t nnow, struct arena *a,
                                         size_t *n);

/* before and now come from the same runs, through the same formatter. */
bool published_same_basis(const struct published *before, const struct published *now);

/* What the change says of the kernel; NULL: nothing (no new run, or no time in it). */
const char *published_verdict(const struct data *d, const struct published *before,
                              const struct published *now);

/* One line of the file, newline included. */
void published_put(struct sb *to, const struct published *p);
bool published_read(struct str line, int number, const char *path, struct arena *a,
                    struct published *out, struct err *e);

/* "4.309–4.315 TB/s" in the unit of its text, or nothing without an interval. */
void published_interval(const struct published *p, struct sb *to);

#endif
