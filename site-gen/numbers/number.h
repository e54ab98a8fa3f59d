/*
 * site-gen/numbers/number.h - a number as readers see it: value, interval, unit, what
 * it is made of, and so its address. Every digit of a measurement that the
 * site shows is written here, and every number shown is remembered as a quote.
 *
 * The address of a measured number is a place on the page of its case:
 *
 *   /numbers/<device>/<case>/#<metric>                       value
 *   /numbers/<device>/<case>/#<metric>-over-<other case>     ratio
 *   /numbers/<device>/<case>/#<metric>-of-<spec key>         share of a theoretical peak
 *   /numbers/<device>/<case>/#<metric>-of-<other case>       share of a measured peak
 *   /numbers/<device>/<case>/#run-<run id>                   any of these, from a run that is
 *                                                            not the case's newest
 *
 * where <case> is data_case.anchor. Its link has, beside data-state,
 *   data-run        the run of the case
 *   data-over-run   the run of the other case, where that is another one
 *   data-n          <metric>, <metric>-over-…: where the fragment is #run-…
 * (on a.num.spec, a.num.counter, span.num.derived and span.num.count, data-n is the key of the fact)
 * so that a program that reads nothing but the page and data/ knows what was
 * meant (site-gen audit, tests/e2e/recompute.mjs).
 */
#ifndef SITE_GEN_NUMBERS_NUMBER_H
#define SITE_GEN_NUMBERS_NUMBER_H

#include "site-gen/records/data.h"
#include "site-gen/records/context.h"
#include "site-gen/records/query.h"

/*
 * Version of what the log of published numbers keeps of a number: its text, value and interval in
 * SI. Raised when the same measurement gives another text, value or interval than before (rule
 * `noted`); audit/log.c refuses the older lines until it knows how to hold them. What is printed
 * but not logged, as "±0.3 %" is, needs no raise.
 */
#define NUMBER_FORMAT "1"

enum number_kind {
	NUMBER_VALUE,
	NUMBER_RATIO,         /* over another case */
	NUMBER_SHARE_SPEC,    /* % of a datasheet peak */
	NUMBER_SHARE_MEASURED /* % of another case */
};

/* A measured number, ready to print. */
struct number {
	double value, lo, hi; /* lo == hi: no interval */
	const char *si;       /* "B/s", "%", "×", … */
	enum number_kind kind;
	enum metric metric;
	struct pick pick;             /* what it links to */
	struct pick over;             /* RATIO, SHARE_MEASURED: the other case */
	const struct data_spec *peak; /* SHARE_SPEC */
	const struct data_case
	        *worst; /* whose state it shows: of two cases the worse; NULL: pick's */
};

/* The case whose state and reason the number shows. */
const struct data_case *number_case(const struct number *n);
/* The metric of a pick; false: it has none (no FLOPs, or no number at all). */
bool number_of(const struct pick *p, enum metric m, struct number *out);
/* a / b, paired by launch where both come from one run. */
struct number number_ratio(const struct pick *a, const struct pick *b, enum metric m,
                           struct arena *arena);
/* 100 · a / peak, the peak taken as exact. */
struct number number_percent(const struct number *a, const struct data_spec *peak);
/* 100 · a / roof, both measured: a ratio in per cent. */
struct number number_share(const struct pick *a, const struct pick *roof, enum metric m,
                           struct arena *arena);

/* "bandwidth", "bandwidth-over-<case>", "bandwidth-of-hbm": what it is, on the page of its case. */
const char *number_name(const struct number *n, struct arena *a);
/* "h200 <case id> bandwidth over <case id>": what it is anywhere, whatever run it is from. */
const char *number_key(const struct number *n, struct arena *a);
/* Its address, with the site's prefix and fragment. */
const char *number_url(const struct expand_ctx *ctx, const struct number *n);

/* "4.31 TB/s" with a no-break space, rounded to what the interval supports. */
void number_text(const struct number *n, struct sb *to);
/* "4.309–4.315 TB/s": its interval, with one digit more than the number shows. */
void number_range(const struct number *n, struct sb *to);
/*
 * The number as a link with title, state and mark. `what` opens the title (NULL: none, where the
 * conditions stand beside the number); classes as in "ratio".
 */
void number_link(struct expand_ctx *ctx, const struct number *n, const char *classes,
                 const char *what, struct sb *to);
/* " ±0.3 %" as span.ci; nothing without an interval. */
void number_interval(const struct number *n, struct sb *to);
/* "–" with the reason. */
void number_none(const char *why, struct sb *to);
/* "4.8 TB/s", "90 %": a figure that somebody chose, in as few digits as show it exactly. */
void number_exact_text(double value, const char *si, struct sb *to);
/* A datasheet number: its digits as printed there. */
void number_spec_text(const struct data_spec *s, struct sb *to);
void number_spec_link(const struct words *w, const struct data_spec *s, struct sb *to);

/* --- what a page shows --- */

/* One number that stands on a page. Made by number_quote; newest first in expand_ctx.quotes. */
struct quote {
	struct number n;
	const char *text;        /* as printed, without its mark */
	const char *placeholder; /* "<<bench:…>>" as written; NULL: made by a generated page */
	struct loc at;           /* of the placeholder */
	bool block;              /* in a table, ladder or plot: not in a sentence */
	int figure;              /* then its place on the page: figure#b<figure>; else 0 */
	struct quote *next;
};

/*
 * Another number that stands on a page: a datasheet's, one derived from
 * those, a count. Made by number_fact; newest first in expand_ctx.facts.
 */
struct fact {
	const char *
	        key; /* "spec h200 hbm", "derived h200 <expression> <unit>", "count <what> on h200" */
	const char *text, *unit;
	double value;
	const char *run;    /* the newest run that it counts; NULL: none */
	const char *source; /* of a datasheet number; NULL: none */
	/* of counters of another build (stale by rule `fresh`): the case as measured; d NULL: no */
	struct pick not_of;
	struct loc at;
	struct fact *next;
};
/*
 * Is a quote or fact at this place one of a placeholder that somebody wrote? What a page makes of
 * the records by itself, beside an author's text too, has no line in a source.
 */
bool number_is_authored(struct loc at);

/* Remembers it, at the placeholder at work; the strings must live as long as the context's arena. */
void number_fact(struct expand_ctx *ctx, struct fact f);

/* Remembers that the page shows this number, and its case (or cases) among ctx->uses. */
void number_quote(struct expand_ctx *ctx, const struct number *n);
/* Remembers a case that the page speaks of without a number of it. */
void number_use(struct expand_ctx *ctx, const struct pick *p);

#endif
