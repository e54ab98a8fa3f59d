/*
 * site-gen/pages/comparison.h - two runs side by side: a run and the one before it
 * on the same device, also the one that has most cases in common with it where
 * those are twice as many, and the newest runs of two devices. One page each, in each
 * language, at /compared/<run>/<other run>/: every case that both measured, with
 * a verdict.
 */
#ifndef SITE_GEN_PAGES_COMPARISON_H
#define SITE_GEN_PAGES_COMPARISON_H

#include "site-gen/records/data.h"

/* The subject of a page: `now` against `then`. */
struct comparison {
	const struct data_run *now, *then;
	const char *url; /* without the prefix of a language */
	bool devices;    /* they are of two devices */
};

/* All pairs that have a case with a number in common, newest first. */
struct comparison *comparison_all(const struct data *d, struct arena *a, size_t *n);
/* Is there one at all? */
bool comparison_any(const struct data *d);

/*
 * What is compared: "reduce, stream on h200: 2026-11-21 17:45 against 12:09"; of two devices
 * "reduce, stream: h200 against h100". More families than fit are counted.
 */
const char *comparison_title(const struct words *w, const struct comparison *c, struct arena *a);

/* "time −2.3 to −1.9 %": the interval of a ratio of times. */
const char *comparison_change(const struct words *w, double lo, double hi, struct arena *a);

/* The pairs whose newer side is this run, as links on its page; nothing if there are none. */
void comparison_links(struct expand_ctx *ctx, const struct data_run *r, struct sb *to);

/* The body of a page, as markup. */
bool comparison_body(struct expand_ctx *ctx, const struct comparison *c, struct body *out,
                     struct err *e);

#endif
