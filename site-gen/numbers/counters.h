/*
 * site-gen/numbers/counters.h - what a profiler's hardware counters said of a case.
 * They come from `counters` records: of files in data/profiles/, or of a run
 * file. They are of one call, outside any timing, and no metric: they have no
 * interval, and nothing is compared by them but bytes with the cost model's.
 */
#ifndef SITE_GEN_NUMBERS_COUNTERS_H
#define SITE_GEN_NUMBERS_COUNTERS_H

#include "site-gen/numbers/number.h"
#include "site-gen/numbers/roof.h"

/* The counters of a case, from the newest file that has some. */
struct counters {
	const struct data_run *file;
	const struct run_counters *c; /* may be unavailable, with the reason */
	const struct run_case *of;    /* as that file has it */
	struct pick not_of; /* set by counters_hold(); d NULL: of the code that was measured */
};

/* False: no file speaks of this case. What says "unavailable" counts only where nothing else does. */
bool counters_of(const struct data *d, const char *device, const char *case_id,
                 struct counters *out);

/*
 * Was the code that was looked at the code that was measured? By the machine code, or, where
 * that is not known of both, by sources and flags. A library that was found when it ran has to
 * be the same, with what it chose by trying.
 */
bool counters_same_code(const struct counters *k, const struct run_case *measured);

/*
 * Holds them against what is published of the case now, or else was measured last: of another
 * build of the variant they are marked as stale (rule `fresh`). A run that a placeholder pins
 * changes nothing: counters are of a build that is, or of one that was.
 */
void counters_hold(struct counters *k, const struct data *d);

/* Of those with not_of: are they of before it was measured, or of after? */
bool counters_are_earlier(const struct counters *k);

enum counter_unit {
	COUNTER_BYTES,
	COUNTER_PERCENT,
	COUNTER_WARPS, /* how many, on average */
	COUNTER_PER,   /* one counter per another */
	COUNTER_PLAIN,
	COUNTER_RATIO
};

/* A row of the table in counters.c. */
struct counter_info {
	const char *name, *title; /* "dram_read_bytes", "Read from DRAM" */
	enum counter_unit unit;
	bool stall; /* one of the reasons why warps wait */
};

const struct counter_info *counter_table(size_t *n);
/* NULL: unknown. */
const struct counter_info *counter_find(struct str name);

/* Is it a share that is more than all? Such a value is none, and counter_missing() says why. */
bool counter_is_refused(const struct counters *k, const struct counter_info *i);
/* The value; of some it follows from others and the cost model. False: it is not there. */
bool counter_value(const struct counters *k, const struct counter_info *i, double *value);
/* Why there is no such value, one clause. */
const char *counter_missing(const struct counters *k, const struct counter_info *i,
                            struct arena *a);
/* The reason for which most warps waited, or NULL. */
const struct counter_info *counter_top_stall(const struct counters *k);

/* "268 MB", "91.3 %", "21.5", "1.02×", "19.1 million" in the words of the language */
void counter_text(const struct counter_info *i, double value, const struct words *w, struct sb *to);
/* "counter h200 <case id> <name>": the key of the fact (number.h). */
const char *counter_key(const char *device, const char *case_id, const struct counter_info *i,
                        struct arena *a);
/* The value as a link to the page of its case, with its mark; remembered as a fact of the page. */
void counter_link(struct expand_ctx *ctx, const struct counters *k, const struct counter_info *i,
                  double value, struct sb *to);
/* The same as text, with its state in words. */
void counter_plain(struct expand_ctx *ctx, const struct counters *k, const struct counter_info *i,
                   double value, struct sb *to);

/* Bytes that went to and from DRAM, in the code that was measured. False: not counted. */
bool counters_bytes(const struct data *d, const struct pick *p, double *bytes);

/*
 * Cases of a device whose DRAM traffic is furthest from what the model counts
 * come first; only cold cases of memory beyond the caches, measured and counted
 * in the same code. Returns how many.
 */
struct counted_case {
	struct pick pick;
	struct counters counters;
	double ratio; /* counted over modelled */
};
size_t counters_differing(const struct data *d, const char *device, struct arena *a,
                          struct counted_case **out);

#endif
