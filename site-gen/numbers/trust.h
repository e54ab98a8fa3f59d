/*
 * site-gen/numbers/trust.h - the reliability of the instrument, from the records: runs
 * of `runner selftest`, null controls, and the spread between runs, and between cards,
 * of the same code.
 */
#ifndef SITE_GEN_NUMBERS_TRUST_H
#define SITE_GEN_NUMBERS_TRUST_H

#include "lib/selftest.h"
#include "site-gen/numbers/number.h"
#include "site-gen/numbers/roof.h"

/* The newest run of `runner selftest` on a device, else on any device. NULL: none. */
const struct data_run *trust_selftest(const struct data *d, const char *device);

/* A null control and its case, with the ratio of their times over paired processes. */
struct trust_null {
	const struct data_run *run;
	const struct run_case *null, *of;
	struct stats_summary ratio;
};
/* Null controls of a device, newest run first, from at most `runs` runs. Selftests are left out. */
size_t trust_nulls(const struct data *d, const char *device, size_t runs, struct arena *a,
                   struct trust_null **out);

/*
 * Spread between runs of the same code: |log| of the ratio of times, for each case
 * that two consecutive runs of a device measured in the same code.
 */
struct trust_spread {
	const char *family; /* NULL: all */
	size_t cases;
	double median, p90; /* of the relative change: 0.002 is 0.2 % */
	double within;      /* median relative half-width of the intervals of these cases */
	size_t outside;     /* changes whose 95 % interval does not contain 1 */
};
/* One entry for all kernel families, then one each by name; none if no code was measured twice. */
size_t trust_spreads(const struct data *d, const char *device, struct arena *a,
                     struct trust_spread **out);

/*
 * Spread between cards: for each case that two cards or more ran in the same machine code
 * (data_number.card), the standard deviation of the logs of their typical times. And how often two
 * of these runs, compared by their processes alone, would be called different.
 */
struct trust_cards {
	const char *family; /* NULL: all */
	size_t cases, pairs;
	double median, p90;       /* of the standard deviation: 0.002 is 0.2 % */
	size_t alarms, different; /* pairs whose 95 % interval lacks 1; whose verdict is so */
	const char *run;          /* the newest run among them */
};
/* One entry for all kernel families, then one each by name; none if no two cards ran one code. */
size_t trust_cards(const struct data *d, const char *device, struct arena *a,
                   struct trust_cards **out);

/*
 * Precision of the numbers: the newest number of each case that the device times
 * itself (no side=host, no load=sustained) and whose call takes at most a millisecond.
 */
struct trust_width {
	const char *family; /* NULL: all */
	size_t cases;
	double median, p90;    /* relative half-width of the 95 % interval */
	size_t reached, quick; /* cases known to 0.25 %; cases with up to 1 s of device time */
	const char *run;       /* the newest run among them */
};
/* One entry for all kernel families, then one each by name; none if nothing was measured. */
size_t trust_widths(const struct data *d, const char *device, struct arena *a,
                    struct trust_width **out);

#endif
