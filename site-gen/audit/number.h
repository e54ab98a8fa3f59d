/*
 * site-gen/audit/number.h - a published number derived again: from the raw
 * samples of the records, through lib/stats.h and lib/units.h, and by no code
 * that the pages were made with (numbers/number.c, records/query.c, kinds). What the link of
 * a number says is documented in numbers/number.h; that page is the contract.
 */
#ifndef SITE_GEN_AUDIT_NUMBER_H
#define SITE_GEN_AUDIT_NUMBER_H

#include "site-gen/records/data.h"
#include "site-gen/base/rules.h"

/* A case of a run with its statistics, recomputed. */
struct audit_case {
	const struct data_run *run;
	const struct data_case *d;
	bool has; /* a number; else `why` */
	const char *why;
	enum rule rule; /* that it breaks, if it has none */
	struct stats_summary time;
	const double *medians;
	const int64_t *launch;
	const size_t *node;
	const struct run_launch *const *used; /* time.launches of them: what else they read */
};

/* All that has been recomputed so far: each case once. */
struct audit_records {
	const struct data *data;
	struct arena *a;
	struct arena scratch;      /* of the page or table that is being read */
	struct audit_case **cases; /* [run][case]; NULL: none of this run yet */
	/* for the log of published numbers (log.c), which is older than some rules */
	bool refused; /* derive what rule `possible` refuses, too */
	/* as before 22 November 2026: intervals of what was read from the energy counter do not
	   cover one step of that counter */
	bool stepless;
};

void audit_records_init(struct audit_records *r, const struct data *d, struct arena *a);

const struct audit_case *audit_case_of(struct audit_records *r, const struct data_run *run,
                                       const struct data_case *d);

/* Is what was compiled the same: machine code, or where that is not known, sources and flags? */
bool audit_same_code(const struct run_case *a, const struct run_case *b);

/* What a number's link says of it, references resolved. */
struct audit_link {
	struct str href;                         /* holds "/numbers/<device>/<case>/#…" */
	struct str state, run, over_run, metric; /* data-state, data-run, data-over-run, data-n */
};

enum audit_kind { AUDIT_VALUE, AUDIT_RATIO, AUDIT_SHARE_SPEC, AUDIT_SHARE_MEASURED };

/* The number that a link means. */
struct audit_number {
	enum audit_kind kind;
	enum metric metric;   /* of the case, whatever it is held against */
	double value, lo, hi; /* lo == hi: no interval */
	const char *si;
	const struct audit_case *of, *over; /* over may be NULL */
	const struct data_spec *peak;       /* AUDIT_SHARE_SPEC */
	const struct data_case *worst;      /* whose state it has to show */
};

/* What was measured of the case of an address: what counts, else the last. NULL: nothing was. */
const struct audit_case *audit_measured(struct audit_records *r, struct str href);

/*
 * Derives it. False: the link means nothing that data/ holds; e has the
 * reason, without a place, and *rule the rule that is broken.
 */
bool audit_number_of(struct audit_records *r, const struct audit_link *link,
                     struct audit_number *out, enum rule *rule, struct err *e);

/*
 * The same from its key (number_key in numbers/number.h) and the runs it is of; `over_run` may be empty.
 *
 *   key -> device ' ' case ' ' metric [ ' over ' device ' ' case | ' of ' device ' ' case
 *                                     | ' of spec:' key ]
 */
bool audit_number_keyed(struct audit_records *r, struct str key, struct str run,
                        struct str over_run, struct audit_number *out, struct err *e);

/* Every metric of a case: for a place that does not say which is meant. */
bool audit_number_metric(struct audit_records *r, const struct audit_case *c, enum metric m,
                         struct audit_number *out);

/* The case of a number's address; NULL: there is none. `fragment` is what follows '#'. */
const struct data_number *audit_address(const struct data *d, struct str href,
                                        struct str *fragment);

/* "4.31 TB/s", "4.309–4.315 TB/s", "±0.3 %" (nothing without an interval): as they are printed. */
void audit_number_text(const struct audit_number *n, struct sb *to);
void audit_number_range(const struct audit_number *n, struct sb *to);
void audit_number_interval(const struct audit_number *n, struct sb *to);
/* "237.4–237.6 µs": two bounds with the digits of their distance. */
void audit_bounds_text(double lo, double hi, const char *si, struct sb *to);
/* With three digits and no interval: as charts are labelled. */
void audit_number_amount(const struct audit_number *n, struct sb *to);
/* A datasheet number: as few decimals as show it exactly. */
void audit_spec_text(double value, const char *si, struct sb *to);

#endif
