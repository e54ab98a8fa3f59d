/*
 * site-gen/kinds/block.h - the figure around a block: its caption, its exact values, its end.
 */
#ifndef SITE_GEN_KINDS_BLOCK_H
#define SITE_GEN_KINDS_BLOCK_H

#include "site-gen/kinds/kinds.h"

/* Opens and closes figure.bench.<kind>; the caption is markup, and stands below the finding. */
void block_open(struct kind_call *k, const char *caption);
void block_close(struct kind_call *k);
/* The open figure is a drawing, so it may have a page of its own. */
void block_drawn(struct kind_call *k);

/* "Matrix transpose: bandwidth; rows = 4096, f32, cold. NVIDIA H200, run of 2026-01-31." */
const char *block_caption(struct kind_call *k, const struct pick *picks, size_t n,
                          const char *what);
/* details.exact: every digit that the processes support, one row a case. */
void block_exact(struct kind_call *k, const struct pick *picks, size_t n, enum metric m);
/* Cases, and the metric in which a table says their exact values. */
struct block_values {
	const struct pick *picks;
	size_t n; /* 0: no table */
	enum metric m;
};
/* The same with a table for each of `count` metrics. */
void block_exact_tables(struct kind_call *k, const struct block_values *v, size_t count);
/* Words that tell a pick from the others: "zeros, sustained". The caption has the shared ones. */
const char *block_own_words(struct kind_call *k, const struct pick *picks, size_t n, size_t own);
/* From where to where a row of dots goes, in seconds. */
struct block_strip_axis {
	double lo, hi;
};
/* Draws the medians of a case's processes as a row of dots; `axis` NULL: as wide as they need. */
void block_strip(const struct expand_ctx *ctx, const struct data_case *d,
                 const struct block_strip_axis *axis, struct sb *to);

#endif
