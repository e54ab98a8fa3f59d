/*
 * lib/units.h - metrics, their units, how numbers are rounded and printed, and
 * NUMBER_FORMAT. Pages, placeholders and the runner's `show` all follow from one table.
 *
 * How to add a metric:
 *   1. an enum value below, and a row in units.c;
 *   2. its value in units.c: metric_of(), or metric_of_launch() if each launch has a reading;
 *   3. its unit in units.c: `prefixed`, if the unit is new and takes prefixes;
 *   4. where it is work over time, or time over work: work_ratio() in site-gen/numbers/number.c,
 *      and work() of the audit, site-gen/audit/number.c;
 *   5. its title and its name in templates/words.lua, in each language;
 *   6. a row in docs/placeholders.md;
 *   7. tests/e2e/recompute.mjs, which computes each number once more.
 */
#ifndef LIB_UNITS_H
#define LIB_UNITS_H

#include "lib/record.h"
#include "lib/str.h"

enum metric {
	METRIC_TIME,       /* s per call */
	METRIC_BANDWIDTH,  /* B/s: model bytes / time */
	METRIC_THROUGHPUT, /* FLOP/s: model FLOPs / time; none if it counts other operations */
	METRIC_RATE,       /* OP/s: model operations other than FLOPs / time */
	METRIC_LATENCY,    /* s: time / such operations */
	METRIC_INTENSITY,  /* FLOP/B: model FLOPs / model bytes; no interval */
	METRIC_CLOCK,      /* Hz: SM clock, from cycles counted while samples ran */
	METRIC_CYCLES,     /* SM cycles per call: time × that clock, by group if known */
	METRIC_FLOPCLOCK,  /* FLOP/clk/SM: model FLOPs / those cycles / SMs */
	METRIC_ENERGY,     /* J per call, from the device's counter over a launch's samples */
	METRIC_POWER,      /* W: energy / time */
	METRIC_FLOPCOST,   /* J/FLOP: energy / model FLOPs */
	METRIC_BYTECOST,   /* J/B: energy / model bytes */
	METRIC_ERROR,      /* ppm: Euclidean norm of outputs − reference, over the reference's */
	METRIC_COUNT,
};

/* What a metric is computed from. */
enum metric_from {
	METRIC_FROM_TIME,   /* the time per call, and the cost model */
	METRIC_FROM_CLOCK,  /* each launch's reading of the SM clock */
	METRIC_FROM_ENERGY, /* each launch's reading of the energy counter */
	METRIC_FROM_CHECK,  /* each launch's check before its samples */
};

struct metric_info {
	enum metric id;
	const char *name;  /* as in metric=: "time", "bandwidth", … */
	const char *title; /* for column heads: "Bandwidth" */
	const char *si;    /* SI base: "s", "B/s", "FLOP/s", "OP/s", "FLOP/B" */
	enum metric_from from;
	bool higher_is_better;
};

const struct metric_info *metric_info(enum metric m);
const struct metric_info *metric_find(struct str name); /* NULL: unknown */
/* The metric that a peak in this unit bounds unless another is named; NULL if there is none. */
const struct metric_info *metric_of_unit(const char *si);

/*
 * The metric's value and interval for a case whose time per call (s) is summarised
 * in t. The bounds swap if a longer time means a lower value. False if the case has
 * no such metric, for example no FLOPs. A case with side=host times only the host's
 * work to start a call, so it has neither bytes nor FLOPs.
 */
bool metric_of(enum metric m, const struct run_case *c, const struct stats_summary *t,
               double *value, double *lo, double *hi);

/* True for metrics that each launch finds out beside its times. */
bool metric_is_read(enum metric m);

/*
 * The value of such a metric in one launch with this reading and this median time per call (s).
 * False if it was not read: the SMs counted no cycles (schema 1.2 and before, a
 * CPU, side=host), or the samples took less than the half second that the energy
 * counter needs. Outputs that are exact have no error. Over launches it is summarised like a
 * time.
 */
bool metric_of_launch(enum metric m, const struct run_case *c, const struct run_reading *l,
                      double time, double *value);

/*
 * The relative error of a launch's value that comes from the resolution of the device's
 * counter. The energy counter moves every tenth of a second (in the records of an H200,
 * windows of equal length differ by whole steps), so each end of a window can be off by one
 * step. Equal windows err alike, so more launches do not reduce this error. Where a record
 * says between which steps the energy was counted (energy_ns), each end is known to 5 ms.
 * 0 for other metrics.
 */
double metric_step(enum metric m, const struct run_reading *l);

/*
 * The headline metric of a case: its family's, or the time if that is unknown here
 * or means nothing for a case with side=host.
 */
enum metric metric_headline(const struct run_case *c);

/*
 * The version of what unit_format() prints and of the intervals that lib/stats.h encloses,
 * kept with every published number. Raise it when the same measurement gives another text,
 * value or interval than before (rule `noted`); site-gen/audit/log.c only counts the text of
 * older lines, until it knows how to derive it. Figures that pages show and the log does not
 * keep ("±0.3 %") need no raise. tests/unit/lib/test_number_format.c fails when the texts
 * change and this does not.
 */
#define NUMBER_FORMAT "1"

/* A printed number: scaled by an SI prefix, rounded, with its unit. */
struct unit_text {
	char number[32]; /* "4.31" */
	char unit[16];   /* "TB/s" */
	double scale;    /* value = number * scale */
	int decimals;
};

/*
 * Rounds `value` (SI base unit `si`) to the precision that its half-width supports:
 * the last printed digit has the place of the half-width's first digit. Prints 3 to
 * 4 significant digits, 3 of a percentage, and 3 if halfwidth <= 0. Rounds half to
 * even on the exact decimal, as C's printf does. The units "%", "×" and "FLOP/B"
 * take no prefix.
 */
void unit_format(double value, double halfwidth, const char *si, struct unit_text *out);

/* The same with fixed prefix and decimals, for columns that line up. */
void unit_format_as(double value, double scale, int decimals, const char *prefixed_unit,
                    struct unit_text *out);

/* The scale of a prefixed unit: "TB/s" with si "B/s" is 1e12, "µs" or "us" with "s" is 1e-6. */
bool unit_parse(struct str text, const char *si, double *scale);

/* Sizes as engineers write them: 268435456 is "2^28", 28672 is "28672". */
void unit_size(int64_t v, char out[32]);

/*
 * Appends a count for readers: from five digits on, narrow no-break spaces (U+202F) set its
 * thousands apart, "118 185". What is no plain count, such as "2.3 million", stays as it is.
 */
void unit_count(struct str count, struct sb *to);

/* Reads "2^28", "64Ki", "16M" (binary Ki Mi Gi; decimal k M G) and plain integers. */
bool unit_parse_size(struct str s, int64_t *out);

#endif
