#include "lib/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "lib/ways.h"

static const struct metric_info metrics[METRIC_COUNT] = {
        [METRIC_TIME] = {METRIC_TIME, "time", "Time", "s", METRIC_FROM_TIME, false},
        [METRIC_BANDWIDTH] = {METRIC_BANDWIDTH, "bandwidth", "Bandwidth", "B/s", METRIC_FROM_TIME,
                              true},
        [METRIC_THROUGHPUT] = {METRIC_THROUGHPUT, "throughput", "Throughput", "FLOP/s",
                               METRIC_FROM_TIME, true},
        [METRIC_RATE] = {METRIC_RATE, "rate", "Rate", "OP/s", METRIC_FROM_TIME, true},
        [METRIC_LATENCY] = {METRIC_LATENCY, "latency", "Time per operation", "s", METRIC_FROM_TIME,
                            false},
        [METRIC_INTENSITY] = {METRIC_INTENSITY, "intensity", "Arithmetic intensity", "FLOP/B",
                              METRIC_FROM_TIME, true},
        [METRIC_CLOCK] = {METRIC_CLOCK, "clock", "SM clock", "Hz", METRIC_FROM_CLOCK, true},
        [METRIC_CYCLES] = {METRIC_CYCLES, "cycles", "Cycles", "cycles", METRIC_FROM_CLOCK, false},
        [METRIC_FLOPCLOCK] = {METRIC_FLOPCLOCK, "flopclock", "Work per cycle", "FLOP/clk/SM",
                              METRIC_FROM_CLOCK, true},
        [METRIC_ENERGY] = {METRIC_ENERGY, "energy", "Energy", "J", METRIC_FROM_ENERGY, false},
        [METRIC_POWER] = {METRIC_POWER, "power", "Power", "W", METRIC_FROM_ENERGY, false},
        [METRIC_FLOPCOST] = {METRIC_FLOPCOST, "flopcost", "Energy of a FLOP", "J/FLOP",
                             METRIC_FROM_ENERGY, false},
        [METRIC_BYTECOST] = {METRIC_BYTECOST, "bytecost", "Energy of a byte", "J/B",
                             METRIC_FROM_ENERGY, false},
        [METRIC_ERROR] = {METRIC_ERROR, "error", "Relative error", "ppm", METRIC_FROM_CHECK, false},
};

const struct metric_info *metric_info(enum metric m)
{
	return &metrics[m];
}

const struct metric_info *metric_find(struct str name)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		if (str_is(name, metrics[i].name))
			return &metrics[i];
	return NULL;
}

const struct metric_info *metric_of_unit(const char *si)
{
	for (int i = 0; i < METRIC_COUNT; i++)
		if ((!metric_is_read((enum metric)i) || i == METRIC_FLOPCLOCK) &&
		    strcmp(metrics[i].si, si) == 0)
			return &metrics[i];
	return NULL;
}

enum metric metric_headline(const struct run_case *c)
{
	const struct metric_info *m = metric_find(str_of(c->metric));
	bool work = m && m->id != METRIC_RATE && m->id != METRIC_LATENCY;
	return m && !(work && ways_other_work(c)) ? m->id : METRIC_TIME;
}

static bool per_time(double work, const struct stats_summary *t, double *value, double *lo,
                     double *hi)
{
	*value = work / t->typical;
	*lo = work / t->hi;
	*hi = work / t->lo;
	return work > 0;
}

/* The host's work to start a call does no FLOPs and moves no bytes. */
static double flops_of(const struct run_case *c)
{
	return c->model.op || ways_other_work(c) ? 0 : (double)c->model.flop;
}

static double bytes_of(const struct run_case *c)
{
	return ways_other_work(c) ? 0
	                          : (double)c->model.bytes_read + (double)c->model.bytes_written;
}

bool metric_of(enum metric m, const struct run_case *c, const struct stats_summary *t,
               double *value, double *lo, double *hi)
{
	double ops = (double)c->model.flop, flop = flops_of(c), bytes = bytes_of(c);
	switch (m) {
	case METRIC_TIME:
		*value = t->typical;
		*lo = t->lo;
		*hi = t->hi;
		return true;
	case METRIC_BANDWIDTH:
		return per_time(bytes, t, value, lo, hi);
	case METRIC_THROUGHPUT:
		return per_time(flop, t, value, lo, hi);
	case METRIC_RATE:
		return per_time(ops, t, value, lo, hi) && c->model.op;
	case METRIC_LATENCY:
		*value = t->typical / ops;
		*lo = t->lo / ops;
		*hi = t->hi / ops;
		return ops > 0 && c->model.op;
	case METRIC_INTENSITY:
		*value = *lo = *hi = bytes > 0 ? flop / bytes : 0;
		return flop > 0 && bytes > 0;
	default: /* metrics that each launch reads */
		return false;
	}
}

bool metric_is_read(enum metric m)
{
	return metrics[m].from != METRIC_FROM_TIME;
}

static bool from_clock(enum metric m, const struct run_case *c, const struct run_reading *l,
                       double time, double *value)
{
	double cycles = l->cycles >= 0 ? l->cycles : time * l->clock_hz, flop = flops_of(c);
	*value = m == METRIC_CLOCK ? l->clock_hz : cycles;
	if (l->clock_hz < 0 || m != METRIC_FLOPCLOCK)
		return l->clock_hz >= 0;
	*value = flop / cycles / (double)c->sms;
	return flop > 0 && c->sms > 0;
}

bool metric_of_launch(enum metric m, const struct run_case *c, const struct run_reading *l,
                      double time, double *value)
{
	double flop = flops_of(c), bytes = bytes_of(c);
	if (!metric_is_read(m) || ways_other_work(c))
		return false;
	if (metrics[m].from == METRIC_FROM_CLOCK)
		return from_clock(m, c, l, time, value);
	if (metrics[m].from == METRIC_FROM_CHECK) {
		*value = l->error * 1e6;
		return l->error > 0;
	}
	if (l->joules < 0)
		return false;
	double over = m == METRIC_POWER      ? time
	              : m == METRIC_FLOPCOST ? flop
	              : m == METRIC_BYTECOST ? bytes
	                                     : 1;
	*value = over > 0 ? l->joules / over : 0;
	return over > 0;
}

double metric_step(enum metric m, const struct run_reading *l)
{
	static const double COUNTER_S = 0.1;
	if (metrics[m].from != METRIC_FROM_ENERGY)
		return 0;
	double step = l->step_s > 0 ? l->step_s : COUNTER_S;
	return l->window_s > step ? step / l->window_s : 1;
}

static const struct {
	const char *name;
	double scale;
} prefixes[] = {
        {"P", 1e15}, {"T", 1e12}, {"G", 1e9},  {"M", 1e6},  {"k", 1e3},
        {"", 1},     {"m", 1e-3}, {"µ", 1e-6}, {"n", 1e-9}, {"p", 1e-12},
};

enum { NPREFIXES = ARRAY_LEN(prefixes), NO_PREFIX = 5 };

/*
 * Units that take a prefix. Those of what one call takes use only small ones, bytes and rates only
 * large ones. All others take none: FLOP/B, %, × and counts.
 */
static const struct {
	const char *si;
	bool small;
} prefixed[] = {
        {"s", true},     {"J", true},    {"J/FLOP", true}, {"J/B", true},
        {"B", false},    {"B/s", false}, {"FLOP", false},  {"FLOP/s", false},
        {"OP/s", false}, {"W", false},   {"Hz", false},    {"cycles", false},
};

static bool takes_prefix(const char *si, bool *small)
{
	for (size_t i = 0; i < ARRAY_LEN(prefixed); i++)
		if (strcmp(prefixed[i].si, si) == 0) {
			*small = prefixed[i].small;
			return true;
		}
	return false;
}

static int prefix_for(double value, const char *si)
{
	bool small;
	if (value == 0 || !takes_prefix(si, &small))
		return NO_PREFIX;
	int first = small ? NO_PREFIX : 0, last = small ? NPREFIXES - 1 : NO_PREFIX;
	for (int i = first; i < last; i++)
		if (fabs(value) >= prefixes[i].scale)
			return i;
	return last;
}

/* The number of decimals that show `scaled` down to the first digit of its half-width. */
static int decimals_for(double scaled, double halfwidth, int most)
{
	enum { LEAST = 3 };
	if (scaled == 0 || !isfinite(scaled) || !isfinite(halfwidth))
		return 0;
	int before = (int)floor(log10(fabs(scaled))) + 1;
	int digits = LEAST; /* for a derived value, or one without an interval */
	if (halfwidth > 0)
		digits = before - (int)floor(log10(halfwidth));
	digits = digits < LEAST ? LEAST : digits > most ? most : digits;
	return digits > before ? digits - before : 0;
}

void unit_format_as(double value, double scale, int decimals, const char *prefixed_unit,
                    struct unit_text *out)
{
	out->scale = scale;
	out->decimals = decimals;
	snprintf(out->number, sizeof out->number, "%.*f", decimals, value / scale);
	snprintf(out->unit, sizeof out->unit, "%s", prefixed_unit);
}

void unit_format(double value, double halfwidth, const char *si, struct unit_text *out)
{
	/* a share needs no fourth digit */
	int most = strcmp(si, "%") == 0 ? 3 : 4;
	char unit[16];
	int i = prefix_for(value, si);
	for (;;) {
		double scale = prefixes[i].scale;
		int decimals = decimals_for(value / scale, halfwidth / scale, most);
		snprintf(unit, sizeof unit, "%s%s", prefixes[i].name, si);
		unit_format_as(value, scale, decimals, unit, out);
		/* 999.96 rounds to 1000.0, which reads better with the next prefix */
		bool full = strncmp(out->number, "1000", 4) == 0 && value / scale < 1000;
		bool small, can = i > 0 && takes_prefix(si, &small) && !(i == NO_PREFIX && small);
		if (!full || !can)
			return;
		i--;
	}
}

void unit_size(int64_t v, char out[32])
{
	enum { FROM = 16 };
	for (int k = FROM; k < 63; k++) {
		if (v == (int64_t)1 << k) {
			snprintf(out, 32, "2^%d", k);
			return;
		}
	}
	snprintf(out, 32, "%lld", (long long)v);
}

void unit_count(struct str count, struct sb *to)
{
	enum { FROM = 5 };
	bool plain = count.n >= FROM;
	for (size_t i = 0; i < count.n; i++)
		plain = plain && count.p[i] >= '0' && count.p[i] <= '9';
	for (size_t i = 0; i < count.n; i++) {
		if (plain && i > 0 && (count.n - i) % 3 == 0)
			sb_cstr(to, "\u202f");
		sb_char(to, count.p[i]);
	}
}

static const struct {
	const char *name;
	int64_t factor;
} suffixes[] = {
        {"Ki", 1LL << 10}, {"Mi", 1LL << 20}, {"Gi", 1LL << 30},
        {"k", 1000},       {"M", 1000000},    {"G", 1000000000},
};

bool unit_parse_size(struct str s, int64_t *out)
{
	int64_t exponent;
	if (str_starts(s, "2^")) {
		if (!str_i64(str_sub(s, 2, s.n), &exponent) || exponent < 0 || exponent > 62)
			return false;
		*out = (int64_t)1 << exponent;
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		if (!str_ends(s, suffixes[i].name))
			continue;
		int64_t v;
		return str_i64(str_sub(s, 0, s.n - strlen(suffixes[i].name)), &v) &&
		       !__builtin_mul_overflow(v, suffixes[i].factor, out);
	}
	return str_i64(s, out);
}

bool unit_parse(struct str text, const char *si, double *scale)
{
	if (!str_ends(text, si))
		return false;
	struct str prefix = str_sub(text, 0, text.n - strlen(si));
	bool small, takes = takes_prefix(si, &small);
	for (int i = 0; i < NPREFIXES; i++)
		if (str_is(prefix, prefixes[i].name) && (prefix.n == 0 || takes)) {
			*scale = prefixes[i].scale;
			return true;
		}
	*scale = 1e-6;
	return str_is(prefix, "u") && takes;
}
