/*
 * lib/units.h - metrics and their units: one table, from which pages,
 * placeholders and the runner's `show` are derived.
 *
 * How to add a metric: a row in units.c, a branch in metric_of() or, where
 * every launch has a reading of its own, in metric_of_launch().
 */
#ifndef LIB_UNITS_H
#define LIB_UNITS_H

#include "lib/record.h"
#include "lib/str.h"

enum metric {
	METRIC_TIME,      /* s per call */
	METRIC_BANDWIDTH, /* B/s: model bytes / time */
	METRIC_THROUGHPUT, /* FLOP/s: model FLOPs / time; not where the model counts other operations */
	METRIC_RATE,       /* OP/s: model operations that are no FLOPs / time */
	METRIC_LATENCY,   /* s: time / such an operation */
	METRIC_INTENSITY, /* FLOP/B: model FLOPs / model bytes; no interval */
	METRIC_CLOCK,     /* Hz: of the multiprocessors, by their own cycles while samples ran */
	METRIC_CYCLES,    /* cycles of a multiprocessor per call: time × that clock */
	METRIC_ENERGY,    /* J per call, by the device's counter over a launch's samples */
	METRIC_POWER,     /* W: energy / time */
	METRIC_FLOPCOST,  /* J/FLOP: energy / model FLOPs */
	METRIC_BYTECOST,  /* J/B: energy / model bytes */
	METRIC_COUNT,
};

struct metric_info {
	enum metric id;
	const char *name;  /* as in metric=: "time", "bandwidth", … */
	const char *title; /* for column heads: "Bandwidth" */
	const char *si;    /* SI base: "s", "B/s", "FLOP/s", "OP/s", "FLOP/B" */
	bool higher_is_better;
};

const struct metric_info *metric_info(enum metric m);
const struct metric_info *metric_find(struct str name); /* NULL: unknown */
/* What a peak in this unit bounds, when nothing says which metric is meant; NULL: nothing. */
const struct metric_info *metric_of_unit(const char *si);

/*
 * The metric's value and interval for a case whose time per call (s) is
 * summarised in t. Bounds swap where a longer time means less. False if the
 * case has no such metric (no FLOPs, no bytes). A case with side=host times
 * what the host does to start a call: it moves no bytes and does no FLOPs.
 */
bool metric_of(enum metric m, const struct run_case *c, const struct stats_summary *t,
               double *value, double *lo, double *hi);

/* Of what each launch read of the card (clock to bytecost): not a function of the time alone. */
bool metric_is_read(enum metric m);

/*
 * Such a metric in one launch, whose median time per call (s) is given. False
 * if it was not read: multiprocessors counted no cycles (schema 1.2 and
 * before, a CPU, the host's part of a call), or the samples took less than the
 * half second that the energy counter needs. Over launches it is summarised
 * like a time.
 */
bool metric_of_launch(enum metric m, const struct run_case *c, const struct run_launch *l,
                      double time, double *value);

/*
 * How far a launch's value can be off, relative to it, because the card's counter moves in
 * steps: the energy's moves every tenth of a second (windows of one length differ by whole
 * steps, in the records of an H200), so at either end of a window up to one of them is on the
 * wrong side. Windows that are alike are off alike: more launches do not narrow it. 0: of
 * any other metric.
 */
double metric_step(enum metric m, const struct run_launch *l);

/*
 * The metric that a case is known by: its family's; where that is none of
 * these, or says nothing of the host's part of a call, the time.
 */
enum metric metric_headline(const struct run_case *c);

/* How a number is printed: scaled by an SI prefix, rounded, with its unit. */
struct unit_text {
	char number[32]; /* "4.31" */
	char unit[16];   /* "TB/s" */
	double scale;    /* value = number * scale */
	int decimals;
};

/*
 * Rounds `value` (SI base unit `si`) to what its half-width supports: the
 * last digit printed is the place of the first digit of the half-width, with
 * 3 significant digits at least and 4 at most (3 of a percentage); halfwidth <= 0: 3 digits.
 * Half-even on the exact decimal, as C's printf does. `si` "%", "×" and
 * "FLOP/B" take no prefix.
 */
void unit_format(double value, double halfwidth, const char *si, struct unit_text *out);

/* Same, but with the prefix and decimals fixed: for columns that line up. */
void unit_format_as(double value, double scale, int decimals, const char *prefixed_unit,
                    struct unit_text *out);

/* "TB/s" of "B/s" is 1e12, "µs" (or "us") of "s" 1e-6; false: no prefix of that unit. */
bool unit_parse(struct str text, const char *si, double *scale);

/* 268435456 -> "2^28", 16384 -> "16384", 28672 -> "28672": sizes as engineers say them. */
void unit_size(int64_t v, char out[32]);

/* "2^28", "64Ki", "16M" (binary Ki Mi Gi; decimal k M G), plain integers. */
bool unit_parse_size(struct str s, int64_t *out);

#endif
