/*
 * site-gen/files/number_view.h - everything there is to say about one number, put
 * together once for its page, its JSON and its JSON-LD.
 */
#ifndef SITE_GEN_FILES_NUMBER_VIEW_H
#define SITE_GEN_FILES_NUMBER_VIEW_H

#include "site-gen/site/backlinks.h"

struct number_view {
	const struct site *site;
	const struct data_number *n;
	const struct site_quoted *quoted;
	struct arena *a;
	struct pick p;      /* from the newest run that publishes it; if none does, the newest */
	bool has;           /* one does */
	struct number main; /* the headline metric; if has */
	/* all metrics, their shares of theoretical peaks, then every comparison that a page shows */
	struct number *shown;
	const char **shown_name; /* number_name() of each */
	size_t nshown;
	const struct run_launch **launch; /* of p, in the order of their numbers */
	size_t nlaunches, nok;
	const char *title; /* "one element per thread: Copy, op = copy, n = 16777216, f32, cold" */
};

struct number_view number_view(const struct site *s, const struct data_number *n,
                               const struct site_quoted *quoted, struct arena *a);

/* "Copy: one element per thread; copy, n = 16777216, f32, cold; h200": a title without digits of
 * measurements. */
const char *number_title(const struct data_number *n, struct arena *a);
/* "NVIDIA H200" */
const char *number_hardware(const struct run *r);
/* "Bandwidth, share of HBM3e bandwidth (theoretical)" */
const char *number_words(const struct number *n, struct arena *a);
/* "4.31 TB/s" */
const char *number_plain(const struct number *n, struct arena *a);
/* "4.309–4.315 TB/s"; NULL: it has no interval. */
const char *number_range_plain(const struct number *n, struct arena *a);

/*
 * SM cycles of one call: typical time × the median of the launches' clocks, which are `counted`
 * from a multiprocessor's own cycles, or told by the driver. False: no clock.
 */
bool number_cycles(const struct number_view *v, double *cycles, double *mhz, bool *counted);
/* Energy of one call, J: over the windows that recorded it. False: none did. */
bool number_energy(const struct number_view *v, double *joules, size_t *launches);

#endif
