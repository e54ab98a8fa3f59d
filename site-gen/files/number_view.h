/*
 * site-gen/files/number_view.h - all facts about one number, gathered once for its
 * page, its JSON and its JSON-LD.
 */
#ifndef SITE_GEN_FILES_NUMBER_VIEW_H
#define SITE_GEN_FILES_NUMBER_VIEW_H

#include "site-gen/site/backlinks.h"

struct number_view {
	const struct site *site;
	const struct data_number *n;
	const struct backlinks *quoted;
	struct arena *a;
	struct pick p;      /* from the newest run that publishes it; else from the newest run */
	bool has;           /* some run publishes it */
	struct number main; /* the headline metric, if `has` */
	bool over_cards;    /* `main` has a value over cards, too: */
	struct number cards;
	/* all metrics, their shares of theoretical peaks, their values over cards, then every
	   comparison on a page */
	struct number *shown;
	const char **shown_name; /* number_name() of each */
	size_t nshown;
	const struct run_launch **launch; /* the launches of p, in the order of their numbers */
	size_t nlaunches, nok;
	const char *title; /* "one element per thread: Copy, op = copy, n = 16777216, f32, cold" */
};

struct number_view number_view(const struct site *s, const struct data_number *n,
                               const struct backlinks *quoted, struct arena *a);

/* A title without measured digits, in the site's own language: "Copy: one element per thread; copy,
 * n = 16777216, f32, cold; h200". */
const char *number_view_title(const struct config *c, const struct data_number *n, struct arena *a);
/* "NVIDIA H200" */
const char *number_view_hardware(const struct run *r);
/* "Bandwidth, share of HBM3e bandwidth (theoretical)" */
const char *number_view_words(const struct number *n, struct arena *a);
/* "4.31 TB/s" */
const char *number_view_plain(const struct number *n, struct arena *a);
/* "4.309–4.315 TB/s"; NULL if it has no interval. */
const char *number_view_range(const struct number *n, struct arena *a);

/*
 * SM cycles of one call: typical time × median clock of the launches. If `counted`, the clocks come
 * from the SMs' own cycle counters, else from the driver. False if no clock was recorded.
 */
bool number_view_cycles(const struct number_view *v, double *cycles, double *mhz, bool *counted);
/* Energy of one call in J, over the launches that recorded it. False if none did. */
bool number_view_energy(const struct number_view *v, double *joules, size_t *launches);

#endif
