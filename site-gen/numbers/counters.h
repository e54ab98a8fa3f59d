/*
 * site-gen/numbers/counters.h - a profiler's hardware counters for a case.
 * They come from `counters` records in data/profiles/ or in a run file. The
 * profiler takes them over one call, outside any timing. They are no metric: they
 * have no interval, and only their bytes are compared, with the cost model's.
 */
#ifndef SITE_GEN_NUMBERS_COUNTERS_H
#define SITE_GEN_NUMBERS_COUNTERS_H

#include "site-gen/numbers/number.h"
#include "site-gen/numbers/roof.h"

/* The counters of a case, from the newest file that has any. */
struct words;
struct counters {
	const struct data_run *file;
	const struct run_counters *c; /* may be unavailable, with the reason */
	const struct run_case *of;    /* the case in that file */
	/* set by counters_hold(): the measured case, if it ran other code; d NULL: the same code */
	struct pick not_of;
};

/* False: no file has this case. A record that says "unavailable" counts only if no other exists. */
bool counters_of(const struct data *d, const char *device, const char *case_id,
                 struct counters *out);

/*
 * Was the profiled code the measured code? Compares the machine code, or sources and flags if
 * the machine code of either is unknown. A library that was loaded at run time must be the same,
 * too, with the algorithm that it chose by trial.
 */
bool counters_same_code(const struct counters *k, const struct run_case *measured);

/*
 * Compares the counters with the case's published number, or else with its last measurement. If
 * they belong to another build of the variant, marks them as stale (rule `fresh`). A run that a
 * placeholder pins makes no difference: counters belong to the present build or to a past one.
 */
void counters_hold(struct counters *k, const struct data *d);

enum counter_unit {
	COUNTER_BYTES,
	COUNTER_PERCENT,
	COUNTER_WARPS, /* an average number of warps */
	COUNTER_PER,   /* one counter divided by another */
	COUNTER_PLAIN,
	COUNTER_RATIO
};

/* A row of the table in counters.c. */
struct counter_info {
	const char *name, *title; /* "dram_read_bytes", "Read from DRAM" */
	enum counter_unit unit;
	bool stall; /* a stall reason */
};

const struct counter_info *counter_table(size_t *n);
/* NULL: unknown. */
const struct counter_info *counter_find(struct str name);

/* Is it a share above 100 %? Such a value counts as missing; counter_missing() says why. */
bool counter_is_refused(const struct counters *k, const struct counter_info *i);
/* The value; some values derive from other counters and the cost model. False: missing. */
bool counter_value(const struct counters *k, const struct counter_info *i, double *value);
/* Nsight Compute's names of what it is read from: none, one, or the two that it derives from. */
size_t counter_metrics(const struct counter_info *i, const char *out[2]);
/* Why the value is missing, one clause. */
const char *counter_missing(const struct counters *k, const struct counter_info *i,
                            const struct words *w, struct arena *a);
/* The stall reason with the largest value, or NULL. */
const struct counter_info *counter_top_stall(const struct counters *k);

/*
 * "268 MB", "91.3 %", "21.5", "1.02×", "19.1 million" in the words of the language. Declared for
 * tests.
 */
void counter_text(const struct counter_info *i, double value, const struct words *w, struct sb *to);
/* Links the value to the page of its case, with its mark, and records it as a fact of the page. */
void counter_link(struct expand_ctx *ctx, const struct counters *k, const struct counter_info *i,
                  double value, struct sb *to);
/* The same as text, with its state in words. */
void counter_plain(struct expand_ctx *ctx, const struct counters *k, const struct counter_info *i,
                   double value, struct sb *to);

/* Bytes to and from DRAM, counted in the measured code. False: not counted. */
bool counters_bytes(const struct data *d, const struct pick *p, double *bytes);

/*
 * Cases of a device, those first whose DRAM traffic is furthest from the cost model. Lists only
 * cold cases that work on memory beyond the caches and whose measured code was profiled. Returns
 * their number.
 */
struct counted_case {
	struct pick pick;
	struct counters counters;
	double ratio; /* counted bytes over the model's */
};
size_t counters_differing(const struct data *d, const char *device, struct arena *a,
                          struct counted_case **out);

#endif
