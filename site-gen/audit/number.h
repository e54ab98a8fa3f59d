/*
 * site-gen/audit/number.h - derives a published number again, from the raw samples
 * of the records. It uses lib/stats.h and lib/units.h, but none of the code that
 * made the pages (numbers/number.c, records/query.c, kinds). numbers/number.h
 * documents the link of a number; that header is the contract.
 */
#ifndef SITE_GEN_AUDIT_NUMBER_H
#define SITE_GEN_AUDIT_NUMBER_H

#include "lib/err.h"
#include "site-gen/records/data.h"
#include "site-gen/base/rules.h"

/* A case of a run with its statistics, recomputed. */
struct audit_case {
	const struct data_run *run;
	const struct data_case *d;
	bool has; /* it has a number; else see `why` */
	const char *why;
	enum rule rule; /* the broken rule, if it has no number */
	struct stats_summary time;
	const double *medians;
	const int64_t *launch;
	const size_t *node;
	const struct run_reading *reading; /* what the time.launches processes read */
};

/* Cases recomputed so far, each only once. */
struct audit_records {
	const struct data *data;
	struct arena *a;
	struct arena scratch;      /* lives as long as the current page or table */
	struct audit_case **cases; /* [run][case]; NULL: no case of this run yet */
	/* for the log of published numbers (log.c), which is older than some rules */
	bool refused; /* also derive numbers that rule `possible` refuses */
	/* as before 22 November 2026: intervals of energy readings need not cover one step of
	   the energy counter */
	bool stepless;
	/* as before 23 November 2026: a mean for a case of two speeds */
	bool one_speed;
};

void audit_records_init(struct audit_records *r, const struct data *d, struct arena *a);

const struct audit_case *audit_case_of(struct audit_records *r, const struct data_run *run,
                                       const struct data_case *d);

/* Same code? Compares the machine code, or sources and flags if that is unknown. */
bool audit_same_code(const struct run_case *a, const struct run_case *b);
/*
 * Do the counters of a case in a run of the profiler belong to the measured code, and to its
 * library and choice if it has them?
 */
bool audit_counted_code(const struct run *counters, const struct run_case *of,
                        const struct run_case *measured);

/* Attributes of a number's link, with character references resolved. */
struct audit_link {
	struct str href;                         /* contains "/numbers/<device>/<case>/#…" */
	struct str state, run, over_run, metric; /* data-state, data-run, data-over-run, data-n */
	struct str cards, over_cards;            /* data-cards, data-over-cards */
};

/* The cases of a value over cards: the newest of each card with the same code, newest first. */
struct audit_cards {
	const struct audit_case **of;
	size_t n;
};

enum audit_kind { AUDIT_VALUE, AUDIT_RATIO, AUDIT_SHARE_SPEC, AUDIT_SHARE_MEASURED };

/* A number, derived from the records. */
struct audit_number {
	enum audit_kind kind;
	enum metric metric;   /* metric of the case, also for ratios and shares */
	double value, lo, hi; /* lo == hi: no interval */
	const char *si;
	const struct audit_case *of, *over;   /* over may be NULL */
	const struct data_spec *peak;         /* AUDIT_SHARE_SPEC */
	const struct data_case *worst;        /* the case whose state it must show */
	struct audit_cards cards, over_cards; /* n == 0: of one run */
	size_t at_speed[2]; /* processes at each of two speeds, the faster first; 0: one speed */
	double speed[2];
	double between; /* over cards: the standard deviation of the logs of the cards */
};

/* The case of an address, from the newest run with a number, else from the newest run; or NULL. */
const struct audit_case *audit_measured(struct audit_records *r, struct str href);

/*
 * Derives the number of a link. False: data/ has no such number; e has the
 * reason, without a place, and *rule the broken rule.
 */
MUST_CHECK bool audit_number_of(struct audit_records *r, const struct audit_link *link,
                                struct audit_number *out, enum rule *rule, struct err *e);

/*
 * The same from the number's key (number_key() in numbers/number.h) and its runs; `over_run` may
 * be empty.
 *
 *   key -> device ' ' case ' ' metric [ ' over ' device ' ' case | ' of ' device ' ' case
 *                                     | ' of spec:' key ] [ ' over cards' ]
 *
 * Over cards, the runs are those of `run` and older.
 */
MUST_CHECK bool audit_number_keyed(struct audit_records *r, struct str key, struct str run,
                                   struct str over_run, struct audit_number *out, struct err *e);

/* The number of a case in a given metric. False: it has none. */
bool audit_number_metric(struct audit_records *r, const struct audit_case *c, enum metric m,
                         struct audit_number *out);

/* Turns n, the value of a case, into the value over cards (number_cards.c). False: there is none.
 */
MUST_CHECK bool audit_number_over_cards(struct audit_records *r, struct audit_number *n,
                                        struct err *e);
/* Is each number in a text, "(over 3 cards)", how many cards n is over? */
bool audit_number_counts_cards(const struct audit_number *n, struct str said);
/*
 * Turns n, the value of a case, into its ratio over b, a case of another device: over cards if n is
 * over cards, else over the processes of both.
 */
MUST_CHECK bool audit_number_apart(struct audit_records *r, const struct audit_case *b,
                                   struct audit_number *n, struct err *e);
/* Is a ratio of two devices over the processes of one card each, though both have enough cards? */
bool audit_number_lacks_cards(struct audit_records *r, const struct audit_number *n);
/* The cards of the case's number, from its run backwards in time. */
struct audit_cards audit_cards_of(struct audit_records *r, const struct audit_case *from);
/* Are these the runs of the cards, in their order, with spaces between? */
bool audit_cards_are(const struct audit_cards *cards, struct str ids);

/* The case of a number's address, or NULL. `fragment` is the part after '#'. */
const struct data_number *audit_address(const struct data *d, struct str href,
                                        struct str *fragment);

/* Printed forms: "4.31 TB/s", "4.309–4.315 TB/s", "±0.3 %" (nothing if there is no interval). */
void audit_number_text(const struct audit_number *n, struct sb *to);
void audit_number_range(const struct audit_number *n, struct sb *to);
/* A ratio as a loss, "−9.8 %". False: its interval does not lie below 1. */
bool audit_number_loss(const struct audit_number *n, struct sb *to);
void audit_number_interval(const struct audit_number *n, struct sb *to);
/* "237.4–237.6 µs": two bounds, in as many digits as their distance needs. */
void audit_bounds_text(double lo, double hi, const char *si, struct sb *to);
/* The label in charts: three digits, no interval. */
void audit_number_amount(const struct audit_number *n, struct sb *to);
/* A datasheet number, in as few decimals as show it exactly. */
void audit_spec_text(double value, const char *si, struct sb *to);

#endif
