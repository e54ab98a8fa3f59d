/*
 * runner/show.c - `runner show`: what a run file says, as a table. Everything
 * is derived from the raw samples here and now, as the pages do.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/file.h"
#include "lib/json.h"
#include "lib/record.h"
#include "lib/units.h"
#include "runner/commands.h"

enum { MAX_SPECS_BYTES = 1 << 20 };

/* Above this share of a peak a result is impossible; clocks and rounding explain 2 %. */
static const double POSSIBLE = 1.02;

/* A number with its half-width: "4.312 TB/s ± 0.1 %". */
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

/* The peak called `key`, or 0. */
static double spec_peak(const struct specs *s, const char *key)
{
	double value = 0;
	struct str name;
	for (size_t i = 0; s->doc && key && i < json_len(s->list); i++)
		if (json_as_str(json_get(json_item(s->list, i), "key"), &name) && str_is(name, key))
			json_as_f64(json_get(json_item(s->list, i), "value"), &value);
	return value;
}

/* The larger of its shares of the memory's and the unit's peak: what bounds it. */
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

static void print_case(const struct run *r, const struct run_case *c, const struct specs *s,
                       struct arena *a)
{
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
	print_metric(METRIC_THROUGHPUT, c, &t);
	print_share(s, c, &t);
	printf("  %zu launches, %zu samples\n", t.launches, t.samples);
}

/* Launches of a case that did not pass, and why. */
static void print_failures(const struct run *r)
{
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (!record_launch_ok(l))
			printf("failed: launch %" PRId64 " of %s: %s\n", l->i, l->case_id,
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

/* Identical code against itself: what this run cannot tell apart. */
static void print_noise(const struct run *r, struct arena *a)
{
	double ratio = record_null_ratio(r, a);
	if (ratio > 0)
		printf("null controls: %zu, furthest from 1 is %.4f%s\n", r->nnulls, ratio,
		       ratio > 1.01 || ratio < 1 / 1.01 ? ": a noisy run" : "");
}

/* Several nodes: each is one estimate, which is why the intervals are wide. */
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

static void print_head(const struct run *r)
{
	const struct run_head *h = &r->head;
	printf("%s\n%s, %s%s%s\n", h->id, h->gpu.name ? h->gpu.name : h->machine.cpu, h->machine.os,
	       h->gpu.name ? ", driver " : "", h->gpu.name && h->gpu.driver ? h->gpu.driver : "");
	printf("started %s, %s; commit %s%s\n", h->start, r->whole ? r->status : "NOT WHOLE",
	       h->commit ? h->commit : "none", h->dirty ? ", with changes" : "");
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
	struct str bytes;
	struct run r;
	if (!file_read(args->arg[0], RECORD_MAX_BYTES, &a, &bytes, &e) ||
	    !record_read(bytes, args->arg[0], &a, &r, &e))
		return complain(&e);
	struct specs specs;
	specs_open(&specs, r.head.device, &a);
	print_head(&r);
	for (size_t i = 0; i < r.ncases; i++)
		print_case(&r, &r.cases[i], &specs, &a);
	json_free(specs.doc);
	print_failures(&r);
	print_nodes(&r, &a);
	print_noise(&r, &a);
	arena_free(&a);
	return 0;
}

const struct cmd command_show = {
        .name = "show",
        .synopsis = "FILE",
        .help = "what a run file says",
        .more = "Typical time per call with the half-width of its 95 % interval over launches,\n"
                "bandwidth and throughput by the family's cost model, and the share of the peak "
                "in\n"
                "data/specs/<device>.json, where there is one.",
        .min_args = 1,
        .max_args = 1,
        .run = show,
};
