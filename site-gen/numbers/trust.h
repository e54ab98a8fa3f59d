/*
 * site-gen/numbers/trust.h - what the records say of the instrument itself: a run of
 * `runner selftest`, null controls, and how far runs of the same code lie apart.
 */
#ifndef SITE_GEN_NUMBERS_TRUST_H
#define SITE_GEN_NUMBERS_TRUST_H

#include "lib/selftest.h"
#include "site-gen/numbers/number.h"
#include "site-gen/numbers/roof.h"

/* The newest run of `runner selftest` on a device; of any device if that has none. NULL: none. */
const struct data_run *trust_selftest(const struct data *d, const char *device);

/* A null control beside its case: the ratio of their times, by paired launches. */
struct trust_null {
	const struct data_run *run;
	const struct run_case *null, *of;
	struct stats_summary ratio;
};
/* Of the runs of a device, newest first, at most `runs` that have any; selftests are not among them. */
size_t trust_nulls(const struct data *d, const char *device, size_t runs, struct arena *a,
                   struct trust_null **out);

/*
 * How far apart runs of one code lie: for each case that two runs of a device
 * measured one after the other in the same code, |log| of the ratio of its times.
 */
struct trust_spread {
	const char *family; /* NULL: all */
	size_t cases;
	double median, p90; /* of the change, relative: 0.002 */
	double within;      /* median relative half-width of the intervals of these cases */
	size_t outside;     /* changes whose 95 % interval is without 1 */
};
/* All families of kernels, then each by its name; nothing where no code was measured twice. */
size_t trust_spreads(const struct data *d, const char *device, struct arena *a,
                     struct trust_spread **out);

/*
 * How well cases are known: of each that a device times itself (no side=host, no
 * load=sustained) and whose call takes a millisecond at most, the newest number.
 */
extern const double trust_halfwidth; /* the goal, relative: 0.0025 */
extern const double
        trust_seconds; /* the goal's share of the device, warm-up and samples of all launches */
struct trust_width {
	const char *family; /* NULL: all */
	size_t cases;
	double median, p90;    /* relative half-width of the 95 % interval */
	size_t reached, quick; /* cases within trust_halfwidth; and within trust_seconds */
	const char *run;       /* the newest of their runs */
};
/* All families of kernels, then each by its name; nothing where nothing was measured. */
size_t trust_widths(const struct data *d, const char *device, struct arena *a,
                    struct trust_width **out);

#endif
