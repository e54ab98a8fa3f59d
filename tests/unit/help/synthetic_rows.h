/*
 * tests/unit/help/synthetic_rows.h - run files made of rows. Each row is a case with its
 * parameters, its cost model and its time. They cover what the families of synthetic.h
 * lack: ceilings, operations other than FLOPs, other ways of measuring. Every value is
 * SYNTHETIC.
 */
#ifndef TESTS_UNIT_HELP_SYNTHETIC_ROWS_H
#define TESTS_UNIT_HELP_SYNTHETIC_ROWS_H

#include "tests/unit/help/synthetic_repo.h"

#define RUN_C "20260101T000000Z-synthetic-0000000c"

struct synthetic_row {
	const char *family, *variant, *role, *metric;
	int64_t rank;
	struct run_pair param[4];
	size_t nparams;
	const char *dtype, *cache;
	struct run_model model;
	double seconds;
	struct run_knob knob; /* of a sweep's case */
};

static inline struct run_case row_case(const struct synthetic_row *r, struct arena *a)
{
	struct run_source *source = ARENA_NEW(a, struct run_source);
	char *blob = arena_alloc(a, HASH_GIT_HEX + 1);
	/* repo_make() has committed this file */
	hash_git_blob(synthetic_source("gemv", "warp", a), blob);
	*source = (struct run_source){synthetic_path("gemv", "warp", a), blob};
	struct run_case c = {.family = r->family,
	                     .variant = r->variant,
	                     .family_title = r->family,
	                     .variant_title = r->variant,
	                     .problem = "SYNTHETIC.",
	                     .idea = "SYNTHETIC.",
	                     .metric = r->metric,
	                     .rank = r->rank,
	                     .role = r->role,
	                     .device = "cuda",
	                     .nparams = r->nparams,
	                     .knob = r->knob,
	                     .dtype = r->dtype,
	                     .cache = r->cache,
	                     .source = source,
	                     .nsource = 1,
	                     .build = {.flags = "-O3", .registers = 32},
	                     .model = r->model,
	                     .input = "uniform[-1,1)",
	                     .input_sets = 2,
	                     .check_reference = "host",
	                     .check_why = "exact"};
	memcpy(c.param, r->param, sizeof r->param);
	c.model.formula = "SYNTHETIC";
	c.id = record_case_id(&c, a);
	return c;
}

static inline void row_launches(struct sb *to, const struct synthetic *s, const struct run_case *c,
                                double seconds)
{
	enum { SAMPLES = 5, BATCH = 1000 }; /* a large batch keeps the digits of short times */
	for (int i = 0; i < s->launches; i++) {
		int64_t samples[SAMPLES];
		struct run_launch l = {.of = c,
		                       .i = i,
		                       .at = i,
		                       .pid = 1000 + i,
		                       .t_ms = 10 * i,
		                       .seed = 1,
		                       .status = "ok",
		                       .before = {0, 4096, true},
		                       .after = {0, 4096, true},
		                       .batch = BATCH,
		                       .timer = "events",
		                       .stop = "halfwidth",
		                       .sm_clock_mhz = {1935, 1980, 1980},
		                       .memory_clock_mhz = 3201,
		                       .power_mw = {300000, 420000, 500000},
		                       .temperature_c = {40, 44},
		                       .energy_mj = RECORD_NONE,
		                       .sm_cycles = 1500, /* means 1.5 GHz, unlike the driver's */
		                       .sm_cycles_ns = 1000,
		                       .sample_ns = samples,
		                       .nsamples = SAMPLES};
		for (int k = 0; k < SAMPLES; k++)
			samples[k] = synthetic_ns(BATCH * seconds, i, k);
		if (record_param(c, "load")) /* 500 W */
			l.energy_mj = llround(BATCH * SAMPLES * seconds * 500e3);
		record_put_launch(to, &l);
	}
}

/* Appends a complete run file of these rows. */
static inline void rows_run(struct sb *to, const struct synthetic *s,
                            const struct synthetic_row *row, size_t n, struct arena *a)
{
	struct run_head h = synthetic_head(s);
	struct run_case *c = ARENA_ARRAY(a, struct run_case, n);
	for (size_t i = 0; i < n; i++)
		c[i] = row_case(&row[i], a);
	record_put_head(to, &h);
	record_put_cases(to, c, n);
	for (size_t i = 0; i < n; i++)
		row_launches(to, s, &c[i], row[i].seconds);
	record_put_end(to, "complete", s->start, 0, sb_view(to));
}

/* Writes the file into the repository; the caller commits and loads. */
static inline void repo_add_rows(struct repo *r, const struct synthetic *s,
                                 const struct synthetic_row *row, size_t n)
{
	struct sb text = {0};
	rows_run(&text, s, row, n, &r->arena);
	repo_write(r, repo_run_path(r, s), sb_view(&text));
	sb_free(&text);
}

#endif
