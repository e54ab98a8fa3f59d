/*
 * site-gen/numbers/number.h - a published number: value, interval, unit, and the cases
 * behind it, which give its address. Every measured digit of the site is formatted
 * here, and every number on a page is recorded as a quote.
 *
 * The address of a measured number is a place on the page of its case:
 *
 *   /numbers/<device>/<case>/#<metric>                       value
 *   /numbers/<device>/<case>/#<metric>-over-<other case>     ratio
 *   /numbers/<device>/<case>/#<metric>-of-<spec key>         share of a theoretical peak
 *   /numbers/<device>/<case>/#<metric>-of-<other case>       share of a measured peak
 *   /numbers/<device>/<case>/#<name>-over-cards              any of these, over cards
 *   /numbers/<device>/<case>/#run-<run id>                   one of the first four from an older
 *                                                            run of the case
 *
 * where <case> is data_case.anchor. Beside data-state, the link has
 *   data-run        the run of the case
 *   data-over-run   the run of the other case, if it is a different one
 *   data-cards      over cards: the runs behind it, one for each card, newest first
 *   data-over-cards the same for the other case
 *   data-ci         in a sentence, its half-width, "±0.3 %", which pages show on demand
 *   data-n          <metric>, <metric>-over-…: the name, if the fragment is #run-…
 *   class loss      a ratio, printed as its distance from 1, "−9.8 %"
 * On a.num.spec, a.num.counter, span.num.derived, a.num.derived and span.num.count, data-n is the
 * key of the fact. a.num.derived links to its first measured number; its data-runs are fact.run.
 * With these attributes a program that reads only the page and data/ can identify the number
 * (site-gen audit, tests/e2e/recompute.mjs).
 */
#ifndef SITE_GEN_NUMBERS_NUMBER_H
#define SITE_GEN_NUMBERS_NUMBER_H

#include "site-gen/records/data.h"
#include "site-gen/records/context.h"
#include "site-gen/records/query.h"

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
	struct pick worst; /* of several cases, the one with the worst state; d NULL: `pick` */
	/* over cards: the numbers whose data_number.card it is over; else NULL */
	const struct data_number *cards, *over_cards;
	/* processes at each of two speeds, the faster first, and its value there; 0: one speed */
	size_t at_speed[2];
	double speed[2];
	double between; /* over cards, and no ratio: standard deviation of the logs of the cards */
	bool as_loss;   /* a ratio below 1: its link says "−9.8 %", all else "0.902×" */
};

/* The case whose state, and whose reason for it, the number shows; and its run. */
const struct data_case *number_case(const struct number *n);
const struct data_run *number_case_run(const struct number *n);
/* Is the number derived from this case? */
bool number_is_of(const struct number *n, const struct data_case *k);
/* The pick's number in a metric. False: it has none (no FLOPs, or no number at all). */
bool number_of(const struct pick *p, enum metric m, struct number *out);
/*
 * The geometric mean over the cards of the number, each with the typical value of its newest run,
 * and Student's t interval over the cards (stats_over_nodes() with the card as the node). False:
 * there are fewer than DATA_CARDS_LEAST, or a card has no such number, or no card changes it.
 */
bool number_over_cards(const struct data_number *n, enum metric m, struct number *out);
/* The same for the case of a pick. The error at `at` names the cards that there are. */
MUST_CHECK bool number_want_over_cards(const struct data *d, const struct pick *p, enum metric m,
                                       struct loc at, struct number *out, struct err *e);
/* Checks the key over=cards of a placeholder, if it is there: its word, and that run= is not. */
MUST_CHECK bool number_check_cards(const struct placeholder *p, struct err *e);
/* The newest run of a number's card i, with the case. */
struct pick number_card(const struct data_number *n, size_t i);
/*
 * May two numbers be held against each other? Those of another harness only within one record
 * (rule `native`). The second function's error at `at` names both harnesses.
 */
bool number_comparable(const struct pick *a, const struct pick *b);
MUST_CHECK bool number_want_comparable(const struct pick *a, const struct pick *b, struct loc at,
                                       struct err *e);
/*
 * a / b, paired by process if both come from the same run. Of two devices it is unpaired, by
 * stats_unpaired_ratio(): over cards if both have enough and each is the newest of its case, else
 * over the processes of one card each.
 */
struct number number_ratio(const struct data *d, const struct pick *a, const struct pick *b,
                           enum metric m, struct arena *arena);
bool number_of_two_devices(const struct number *n);
/* The key of "one card each", of a ratio of two devices that is not over cards; else NULL. */
const char *number_one_each(const struct number *n);
/* 100 · a / peak; the peak counts as exact. */
struct number number_percent(const struct number *a, const struct data_spec *peak);
/* 100 · a / roof, both measured: a ratio in per cent. */
struct number number_share(const struct data *d, const struct pick *a, const struct pick *roof,
                           enum metric m, struct arena *arena);

/* Its name on the page of its case: "bandwidth", "bandwidth-over-<case>", "bandwidth-of-hbm". */
const char *number_name(const struct number *n, struct arena *a);
/* Its name anywhere, independent of the run: "h200 <case id> bandwidth over <case id>". */
const char *number_key(const struct number *n, struct arena *a);
/* Its address, with the site's prefix and the fragment. */
const char *number_url(const struct expand_ctx *ctx, const struct number *n);

/* Is an interval printed? Not around the mean of two speeds, which no process took. */
bool number_has_interval(const struct number *n);
/*
 * "4.31 TB/s" with a no-break space, in as many digits as the interval supports; with two speeds
 * (stats_two_modes()) "118 µs / 128 µs".
 */
void number_text(const struct number *n, struct sb *to);
/* Its interval, with one digit more than number_text(): "4.309–4.315 TB/s". */
void number_range(const struct number *n, struct sb *to);
/*
 * Writes the number as a link with title, state and mark. `what` opens the title (NULL where the
 * conditions stand beside the number); classes as in "ratio".
 */
void number_link(struct expand_ctx *ctx, const struct number *n, const char *classes,
                 const char *what, struct sb *to);
/* Writes " (over 5 cards)" as text; writes nothing for a number of one run. */
void number_cards_text(const struct expand_ctx *ctx, const struct number *n, struct sb *to);
/* Writes the mark of a state, if it has one: sup.mark[data-state] with the state's word. */
void number_mark(const struct words *w, enum data_state state, struct sb *to);
/* Writes "±0.3 %". False: there is no interval. */
bool number_interval_text(const struct number *n, struct sb *to);
/* Writes " ±0.3 %" as span.ci; writes nothing if there is no interval. */
void number_interval(const struct number *n, struct sb *to);
/* Writes "–" with the reason why there is no number. */
void number_none(const char *why, struct sb *to);
/* A figure that an author chose, in as few digits as show it exactly: "4.8 TB/s", "90 %". */
void number_exact_text(double value, const char *si, struct sb *to);
/* A datasheet number, in the digits that the data sheet prints. */
void number_spec_text(const struct data_spec *s, struct sb *to);
void number_spec_link(const struct words *w, const struct data_spec *s, struct sb *to);

/* --- what a page shows --- */

/* A measured number on a page, recorded by number_quote(). Newest first in expand_ctx.quotes. */
struct quote {
	struct number n;
	const char *text;        /* as printed, without its mark */
	const char *placeholder; /* "<<bench:…>>" as written; NULL: on a generated page */
	struct loc at;           /* place of the placeholder */
	bool block;              /* in a table, ladder or plot, not in a sentence */
	int figure;              /* then its figure's number on the page, figure#b<N>; else 0 */
	struct quote *next;
};

/*
 * Any other number on a page: from a data sheet, derived from numbers, a
 * counter, or a count. Recorded by number_fact(). Newest first in expand_ctx.facts.
 */
struct fact {
	/* "spec h200 hbm", "count <what> on h200", "derived h200 <expression> <unit>", where a
	   measured number of the expression is "[<number_key()>]" */
	const char *key;
	const char *text, *unit;
	double value, lo, hi; /* number_fact() makes lo and hi the value if both are 0 */
	/* counts and counters: the newest run behind it; derivations: that of their measured
	   numbers, or one for each, with spaces between; NULL: none */
	const char *run;
	const char *source; /* datasheet numbers and counters: the source; NULL: none */
	/* counters of another build (stale by rule `fresh`): the case as measured; d NULL: else */
	struct pick not_of;
	struct pick worst; /* derivations: the measured number whose state it shows; d NULL: none */
	struct loc at;
	struct fact *next;
};
/*
 * Does a quote or fact at this place belong to a placeholder that an author wrote? A number that
 * a page adds by itself has no line in a source, even if it stands beside an author's text.
 */
bool number_is_authored(struct loc at);

/* Records a fact at the current placeholder. Its strings must live as long as ctx->arena. */
void number_fact(struct expand_ctx *ctx, struct fact f);
/* A counter of another build is stale, a derivation is as its worst number; NULL: it has none. */
const char *number_fact_state(const struct fact *f);

/*
 * The state that all measured numbers from `newest` to before `end` share, if it is a marked one
 * and there are several; else DATA_OK. A table then says it once, in p.all-state.
 */
enum data_state number_common_state(const struct quote *newest, const struct quote *end);
void number_say_common(const struct words *w, enum data_state state, struct sb *to);

/* Records that the page shows this number, and adds its case (or both cases) to ctx->uses. */
void number_quote(struct expand_ctx *ctx, const struct number *n);
/* Records a case that the page mentions without a number. */
void number_use(struct expand_ctx *ctx, const struct pick *p);

#endif
