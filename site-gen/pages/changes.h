/*
 * site-gen/pages/changes.h - the log of published numbers as readers see it: the
 * page of changes, its feed, and on a post what changed since it was
 * published. A number of the log is printed as
 *
 *   span.num.noted[data-n="noted 12"]         the text of line 12 of data/published.jsonl
 *   span.num.noted[data-n="noted 12 range"]   its interval
 *
 * so that a program that reads nothing but the page and data/ can compare
 * them; what is not noted yet is a number of the page like any other.
 */
#ifndef SITE_GEN_PAGES_CHANGES_H
#define SITE_GEN_PAGES_CHANGES_H

#include "site-gen/site/log_check.h"
#include "site-gen/lua/script.h"

/* One change: two lines of the log, or a line and what a page shows now. */
struct change {
	enum published_change kind;
	const struct published *before, *now; /* FIRST has no before; now of GONE has no text */
	const char *noted;                    /* date; "": not noted yet */
};

/*
 * All changes, newest day first, what is not noted yet before all. In a day:
 * changed digits by run, or by reason if they have one, then what went, what came out the same
 * again, what was first published. Changes of one number on several pages
 * stand together.
 */
struct changes {
	struct change *c;
	size_t n;
};
struct changes changes_of(const struct site *s, struct arena *a);

/* How far a stretch that begins at i goes: of one day; one run or reason; one number. */
size_t changes_day_end(const struct changes *all, size_t i);
size_t changes_group_end(const struct changes *all, size_t i);
size_t changes_row_end(const struct changes *all, size_t i);

/* "faster", …, or NULL. */
const char *changes_verdict(const struct data *d, const struct change *c);
/* "c12": of the line that notes it, and so for ever; "": not noted yet. */
const char *changes_anchor(const struct change *c, struct arena *a);

/* A number's name in the log, for readers. */
struct change_name {
	const char *name;   /* "transpose/naive bandwidth over transpose/tile" */
	const char *detail; /* "rows=4096,… on h200"; "" if there is none */
	const char *url;    /* of its page, without the site's prefix; NULL: it has none */
};
struct change_name changes_name(const struct data *d, const struct words *w, const char *number,
                                struct arena *a);

/* page.days and page.more of templates/changes.html. */
void changes_days(struct maker *m, struct script *s, const struct page *p);
/* page.changes: what a page shows other than when it was first published there. */
void changes_since(struct maker *m, struct script *s, const struct page *p);
/* /changes.xml: an entry for each day and run or reason (Atom, RFC 4287). */
bool changes_feed(struct maker *m, const struct page *p, struct sb *to, struct err *e);
/* /changes.jsonl: the log as it is. */
bool changes_log(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
