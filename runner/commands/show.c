/*
 * runner/commands/show.c - `runner show`: prints a run file as a table. It derives every
 * number from the raw samples, as the pages do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/file.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/record_file.h"
#include "lib/units.h"
#include "lib/ways.h"
#include "runner/commands/commands.h"
#include "runner/plan/roof.h"

enum { MAX_SPECS_BYTES = 1 << 20 };

/* A larger share of a peak is impossible; clocks and rounding can explain 2 %. */
static const double POSSIBLE = 1.02;

/* Prints a number with its half-width: "4.312 TB/s ± 0.1 %". */
static void print_metric(enum metric m, const struct run_case *c, const struct stats_summary *t)
{
	double v, lo, hi;
	struct unit_text text;
	char cell[64] = "";
	if (metric_of(m, c, t, &v, &lo, &hi)) {
		unit_format(v, (hi - lo) / 2, metric_info(m)->si, &text);
		snprintf(cell, sizeof cell, "%s %s", text.number, text.unit);
	}
	printf("  %14s", cell);
}

/* --- shares of a datasheet's peak, where data/specs knows the device --- */

struct specs {
	struct json_doc *doc; /* NULL: none */
	struct json list;
};

static void specs_open(struct specs *s, const char *device, struct arena *a)
{
	const char *path = arena_printf(a, "data/specs/%s.json", device);
	struct err e = ERR_NONE;
	struct str text;
	struct json root;
	*s = (struct specs){0};
	if (file_exists(path) && file_read(path, MAX_SPECS_BYTES, a, &text, &e) &&
	    json_parse(text, (struct loc){path, 1, 1}, &s->doc, &root, &e))
		s->list = json_get(root, "specs");
	if (e.set)
		fprintf(stderr, "runner: %s\n", e.text);
}

/* The peak called `key`; 0 if unknown. */
static double spec_peak(const struct specs *s, const char *key)
{
	double value = 0;
	struct str name;
	for (size_t i = 0; s->doc && key && i < json_len(s->list); i++)
		if (json_as_str(json_get(json_item(s->list, i), "key"), &name) && str_is(name, key))
			json_as_f64(json_get(json_item(s->list, i), "value"), &value);
	return value;
}

/* Prints the case's share of memory's or the unit's peak, whichever is larger and so bounds it. */
static void print_share(const struct specs *s, const struct run_case *c,
                        const struct stats_summary *t)
{
	const char *bound = NULL;
	double share = 0, v, lo, hi;
	double memory = spec_peak(s, c->model.level), unit = spec_peak(s, c->model.unit);
	if (memory > 0 && strcmp(c->cache, "cold") == 0 &&
	    metric_of(METRIC_BANDWIDTH, c, t, &v, &lo, &hi)) {
		share = v / memory;
		bound = c->model.level;
	}
	if (unit > 0 && metric_of(METRIC_THROUGHPUT, c, t, &v, &lo, &hi) && v / unit > share) {
		share = v / unit;
		bound = c->model.unit;
	}
	if (bound)
		printf("  %5.1f %% of %s%s", 100 * share, bound,
		       share > POSSIBLE ? " IMPOSSIBLE: check the model or the stopwatch" : "");
}

/* The median of f() over a case's launches; false if f() answers for none. */
static bool over_launches(const struct run *r, const struct run_case *c, struct arena *a,
                          bool (*f)(const struct run_launch *l, double *v), double *out)
{
	double *v = ARENA_ARRAY(a, double, r->nlaunches + 1);
	size_t n = 0;
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].of == c && record_launch_ok(&r->launches[i]))
			n += f(&r->launches[i], &v[n]);
	*out = n ? stats_median(v, n) : 0;
	return n > 0;
}

/* Prints the energy per call, FLOP and byte, if the window was long enough for the counter. */
static void print_energy(const struct run *r, const struct run_case *c, struct arena *a)
{
	double joules;
	int64_t bytes = c->model.bytes_read + c->model.bytes_written;
	if (!over_launches(r, c, a, record_launch_energy, &joules))
		return;
	printf("  %.3g J a call", joules);
	if (c->model.flop > 0)
		printf(", %.3g pJ/%s", joules / (double)c->model.flop * 1e12,
		       c->model.op ? c->model.op : "FLOP");
	if (bytes > 0)
		printf(", %.3g pJ/B", joules / (double)bytes * 1e12);
}

static void print_case(const struct run *r, const struct run_case *c, const struct specs *s,
                       struct arena *a)
{
	double cycles;
	struct stats_summary t;
	int width = (int)strlen(c->id);
	printf("%s%*s", c->id, width < 64 ? 64 - width : 1, "");
	if (c->unavailable) {
		printf("  unavailable: %s\n", c->unavailable);
		return;
	}
	if (!record_summary(r, c, a, &t, NULL)) {
		printf("  no launch passed\n");
		return;
	}
	print_metric(METRIC_TIME, c, &t);
	if (t.launches > 1)
		printf(" ± %4.2f %%", 100 * stats_halfwidth(&t));
	print_metric(METRIC_BANDWIDTH, c, &t);
	print_metric(c->model.op ? METRIC_RATE : METRIC_THROUGHPUT, c, &t);
	if (strcmp(c->metric, "latency") == 0)
		print_metric(METRIC_LATENCY, c, &t);
	print_share(s, c, &t);
	if (over_launches(r, c, a, record_launch_cycles, &cycles) && !ways_other_work(c))
		printf("  %.4g cycles", cycles);
	print_energy(r, c, a);
	printf("  %zu launches, %zu samples\n", t.launches, t.samples);
	const char *choices = record_choices(r, c, a);
	if (c->build.choice.n)
		printf("  chosen by trying: %s\n", record_choice_words(&c->build.choice, a));
	if (choices)
		printf("  %s\n", choices);
}

/* Prints the launches that did not pass, and why. */
static void print_failures(const struct run *r)
{
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (!record_launch_ok(l))
			printf("failed: launch %" PRId64 " of %s: %s\n", l->i, l->of->id,
			       l->status);
	}
}

static void print_clocks(const struct run *r)
{
	int64_t lo = INT64_MAX, hi = 0, reasons = 0;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (l->sm_clock_mhz[0] != RECORD_NONE) {
			lo = l->sm_clock_mhz[0] < lo ? l->sm_clock_mhz[0] : lo;
			hi = l->sm_clock_mhz[2] > hi ? l->sm_clock_mhz[2] : hi;
		}
		if (l->throttle_reasons != RECORD_NONE)
			reasons |= l->throttle_reasons;
	}
	if (hi)
		printf("SM clock %" PRId64 " to %" PRId64 " MHz, throttle reasons 0x%" PRIx64 "\n",
		       lo, hi, (uint64_t)reasons);
}

static bool seconds_of(const char *utc, double *s)
{
	struct tm tm = {0};
	if (!utc || !strptime(utc, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return false;
	*s = (double)timegm(&tm);
	return true;
}

static double sampled_s(const struct run_launch *l, size_t n)
{
	double ns = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < l[i].nsamples; k++)
			ns += (double)l[i].sample_ns[k];
	return ns * 1e-9;
}

/* Prints where the host's time went, largest part first, from the launches that recorded it. */
static void print_parts(const struct run *r)
{
	double s[RUN_PARTS] = {0};
	const char *between = "of that:";
	for (int p = 0; p < RUN_PARTS; p++) {
		for (size_t i = 0; i < r->nlaunches; i++)
			s[p] += (double)r->launches[i].spent_us[p] * 1e-6;
		for (size_t i = 0; i < r->nnull_launches; i++)
			s[p] += (double)r->null_launches[i].spent_us[p] * 1e-6;
	}
	for (;;) {
		int most = 0;
		for (int p = 1; p < RUN_PARTS; p++)
			most = s[p] > s[most] ? p : most;
		if (s[most] <= 0)
			break;
		printf("%s %s %.2f s", between, record_part_name((enum run_part)most), s[most]);
		between = ",";
		s[most] = 0;
	}
	if (*between == ',')
		putchar('\n');
}

/* Prints how much of the run's time went into samples, and what the stopwatch adds to one. */
static void print_overhead(const struct run *r, struct arena *a)
{
	double from, to,
	        samples = sampled_s(r->launches, r->nlaunches) +
	                  sampled_s(r->null_launches, r->nnull_launches);
	const struct run_head *h = &r->head;
	double *pair = ARENA_ARRAY(a, double, h->nempty_pair + 1);
	if (r->nlaunches == 0 || !seconds_of(h->start, &from) || !seconds_of(r->end, &to))
		return;
	printf("took %.0f s, %.1f s in samples; the rest is checks, warm-up, filling, processes\n",
	       to - from, samples);
	print_parts(r);
	for (size_t i = 0; i < h->nempty_pair; i++)
		pair[i] = (double)h->empty_pair_ns[i];
	if (h->nempty_pair)
		printf("the stopwatch around nothing: %.0f ns\n",
		       stats_median(pair, h->nempty_pair));
}

/*
 * Prints the fastest cold case beside what the memory bus can carry. If the caches were not
 * emptied, small cases would exceed it.
 */
static void print_flush(const struct run *r, struct arena *a)
{
	const struct facts f = {.bus_bits = r->head.gpu.bus_bits,
	                        .memory_clock_max_mhz = r->head.gpu.memory_clock_max_mhz};
	double roof = roof_memory(&f), best = 0, v, lo, hi;
	for (size_t i = 0; i < r->ncases && r->head.gpu.name && roof > 0; i++) {
		const struct run_case *c = &r->cases[i];
		struct stats_summary t;
		if (strcmp(c->cache, "cold") == 0 && strcmp(c->model.level, "hbm") == 0 &&
		    record_summary(r, c, a, &t, NULL) &&
		    metric_of(METRIC_BANDWIDTH, c, &t, &v, &lo, &hi) && v > best)
			best = v;
	}
	if (best > 0)
		printf("cold memory: %.1f %% of what its bus carries at most, by width and clock\n",
		       100 * best / roof);
}

/* Prints how much identical code differs from itself, which is the limit of this run. */
static void print_noise(const struct run *r, struct arena *a)
{
	double ratio = record_null_ratio(r, a);
	if (ratio > 0)
		printf("null controls: %zu, furthest from 1 is %.4f%s\n", r->nnulls, ratio,
		       ratio > 1.01 || ratio < 1 / 1.01 ? ": a noisy run" : "");
}

/* Prints the nodes, if several. Each node is one estimate, which makes the intervals wide. */
static void print_nodes(const struct run *r, struct arena *a)
{
	const struct run_launch **all = ARENA_ARRAY(a, const struct run_launch *, r->nlaunches + 1);
	size_t *node = ARENA_ARRAY(a, size_t, r->nlaunches + 1);
	for (size_t i = 0; i < r->nlaunches; i++)
		all[i] = &r->launches[i];
	size_t n = record_nodes(all, r->nlaunches, node);
	if (n > 1)
		printf("%zu nodes, intervals are over nodes; %zu shards\n", n, r->head.nshards);
}

/* Prints how far an interrupted run got. */
static void print_interrupted(const struct run *r, struct arena *a)
{
	bool *whole;
	if (!r->whole || strcmp(r->status, "complete") == 0)
		return;
	printf("interrupted: of %" PRId64 " launches %zu are whole; pages and comparisons count "
	       "only those\n",
	       r->head.launches, record_whole_launches(r, a, &whole));
}

static void print_head(const struct run *r)
{
	const struct run_head *h = &r->head;
	printf("%s\n%s, %s%s%s\n", h->id, h->gpu.name ? h->gpu.name : h->machine.cpu, h->machine.os,
	       h->gpu.name ? ", driver " : "", h->gpu.name && h->gpu.driver ? h->gpu.driver : "");
	if (h->ngpus > 1 && record_lanes(h) != RECORD_NONE)
		printf("GPUs: %zu, each pair joined by %" PRId64 " NVLink lanes\n", h->ngpus,
		       record_lanes(h));
	else if (h->ngpus > 1)
		printf("GPUs: %zu\n", h->ngpus);
	printf("started %s, %s; commit %s%s\n", h->start, r->whole ? r->status : "NOT WHOLE",
	       record_commit(h), h->dirty ? ", with changes" : "");
	if (!r->whole)
		printf("not whole: %s\n", r->why_not_whole);
	if (h->reason)
		printf("reason: %s\n", h->reason);
	for (size_t i = 0; i < h->nunavailable; i++)
		printf("not read: %s: %s\n", h->unavailable[i].name, h->unavailable[i].word);
	print_clocks(r);
	putchar('\n');
}

static int show(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct run r;
	if (!record_file_load(args->arg[0], &a, &r, &e))
		return command_failed(&e);
	struct specs specs;
	specs_open(&specs, r.head.device, &a);
	print_head(&r);
	for (size_t i = 0; i < r.ncases; i++)
		print_case(&r, &r.cases[i], &specs, &a);
	json_free(specs.doc);
	print_interrupted(&r, &a);
	print_failures(&r);
	print_nodes(&r, &a);
	print_noise(&r, &a);
	print_flush(&r, &a);
	print_overhead(&r, &a);
	arena_free(&a);
	return 0;
}

const struct cmd command_show = {
        .name = "show",
        .synopsis = "FILE",
        .help = "print what a run file says",
        .more = "Prints for each case: the typical time of a call with the half-width of its 95 %\n"
                "interval over processes; bandwidth and throughput by the cost model; the share\n"
                "of the peak in data/specs/<device>.json, if there is one; the cycles of a call,\n"
                "its time by the real clock; and energy, if it was measured for long enough. If\n"
                "the clock changed and the cycles did not, the code is as fast as it was.",
        .min_args = 1,
        .max_args = 1,
        .run = show,
};
