/*
 * site-gen/pages/changes.h - changes of published numbers: the page of changes, its
 * feed, and the changes that a post lists. A number of the log is printed as
 *
 *   span.num.noted[data-n="noted 12"]         the text of line 12 of data/published.jsonl
 *   span.num.noted[data-n="noted 12 range"]   its interval
 *
 * so that a program can compare them from the page and data/ alone. A number that is
 * not yet in the log is an ordinary number of the page.
 */
#ifndef SITE_GEN_PAGES_CHANGES_H
#define SITE_GEN_PAGES_CHANGES_H

#include "lib/err.h"
#include "site-gen/site/log_check.h"
#include "site-gen/lua/script.h"

struct maker;
struct page;

/* A change between two lines of the log, or between a line and what a page shows now. */
struct change {
	enum published_change kind;
	const struct published *before, *now; /* FIRST: no `before`; GONE: `now` has no text */
	const char *noted;                    /* date; "": not yet in the log */
};

/*
 * All changes, newest day first; those not yet in the log come before all. Within a
 * day: changed digits (by reason if there is one, else by run), then numbers that went,
 * numbers that came out the same again, and new numbers. Changes of one number on
 * several pages are adjacent.
 */
struct changes {
	struct change *c;
	size_t n;
};
struct changes changes_of(const struct site *s, struct arena *a);

/* End of the stretch that begins at i: of one day, of one run or reason, of one number. */
size_t changes_day_end(const struct changes *all, size_t i);
size_t changes_group_end(const struct changes *all, size_t i);
size_t changes_row_end(const struct changes *all, size_t i);

/* "faster", …, or NULL. */
const char *changes_verdict(const struct data *d, const struct change *c);
/* "c12": a permanent anchor, from its line in the log; "" if not yet in the log. */
const char *changes_anchor(const struct change *c, struct arena *a);

/* A number of the log, named for readers. */
struct change_name {
	const char *name;   /* "transpose/naive bandwidth over transpose/tile" */
	const char *detail; /* "4096 rows, f32, cold cache, H200"; "" if there is none */
	const char *url;    /* its page, without the site's prefix; NULL: it has none */
};
struct change_name changes_name(const struct data *d, const struct words *w, const char *number,
                                struct arena *a);
/* The same for a number of no case: one of How we measure, a null control, a count. One that has no
 * words keeps its key. */
struct change_name changes_fact(const struct data *d, const struct words *w, const char *number,
                                struct arena *a);

/* "rows=4096,dtype=f32" -> "rows=4096, dtype=f32", which can wrap. */
const char *changes_spaced(struct str conditions, struct arena *a);

/* Sets page.days and page.more of templates/changes.html. */
void changes_days(struct maker *m, struct script *s, const struct page *p);
/* Sets page.changes: the numbers that the page first published differently. */
void changes_since(struct maker *m, struct script *s, const struct page *p);
/* Makes /changes.xml: an entry for each day and run or reason (Atom, RFC 4287). */
MUST_CHECK bool changes_feed(struct maker *m, const struct page *p, struct sb *to, struct err *e);
/* Makes /changes.jsonl: the log, unchanged. */
MUST_CHECK bool changes_log(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
