/*
 * site-gen/pages/comparison.h - pages that compare two runs, at
 * /compared/<run>/<other run>/. Each page lists every case that both runs measured, with
 * a verdict, in each language. A run is compared with the previous one on its device,
 * and also with the one that shares most cases with it, if those are twice as many. The
 * newest runs of two devices are compared, too.
 */
#ifndef SITE_GEN_PAGES_COMPARISON_H
#define SITE_GEN_PAGES_COMPARISON_H

#include "lib/err.h"
#include "site-gen/records/data.h"
#include "site-gen/pages/body_writer.h"

/* A page's subject: run `now` against run `then`. */
struct comparison {
	const struct data_run *now, *then;
	const char *url; /* without a language's prefix */
	bool devices;    /* the runs are from two devices */
};

/* All pairs of runs that share a case with a number, newest first. */
struct comparison *comparison_all(const struct data *d, struct arena *a, size_t *n);
/* True if there is at least one such pair. */
bool comparison_any(const struct data *d);

/*
 * The page's title: "reduce, stream on h200: 2026-11-21 17:45 against 12:09", or for two devices
 * "reduce, stream: h200 against h100". If there are many families, their number replaces some.
 */
const char *comparison_title(const struct data *d, const struct words *w,
                             const struct comparison *c, struct arena *a);

/* "time −2.3 to −1.9 %": the interval of a ratio of times. */
const char *comparison_change(const struct words *w, double lo, double hi, struct arena *a);

/* Appends, for a run's page, links to the pairs in which it is the newer run. */
void comparison_links(struct expand_ctx *ctx, const struct data_run *r, struct sb *to);

/* Makes the body of a page, as markup. */
MUST_CHECK bool comparison_body(struct expand_ctx *ctx, const struct comparison *c,
                                struct body *out, struct err *e);

#endif
