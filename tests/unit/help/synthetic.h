/*
 * tests/unit/help/synthetic.h - run files for tests, made by the real writer. Every value
 * is SYNTHETIC: no machine ever measured it. Sources are made up, too. The cases name the
 * blob ids of synthetic_source()'s texts, so a test repository that contains these texts
 * has fresh numbers.
 */
#ifndef TESTS_UNIT_HELP_SYNTHETIC_H
#define TESTS_UNIT_HELP_SYNTHETIC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/record.h"

struct synthetic_variant {
	const char *id, *title, *idea, *role;
	double share; /* of the roof it reaches */
};

struct synthetic_family {
	const char *id, *title, *problem, *metric;
	struct synthetic_variant variant[6];
};

static const struct synthetic_family synthetic_families[] = {
        {"transpose",
         "Matrix transpose",
         "SYNTHETIC. Writes the transpose of a matrix.",
         "bandwidth",
         {{"naive", "one thread an element", "Each thread moves one element.", "kernel", 0.31},
          {"tile", "shared-memory tile", "A tile makes both sides coalesced.", "kernel", 0.62},
          {"padded", "padded tile", "One column of padding ends bank conflicts.", "kernel", 0.81},
          {"ring", "ring of tiles", "Not built in this synthetic run.", "kernel", 0},
          {"cublas", "cublasSgeam", "The library's own transpose.", "peer", 0.79}}},
        {"stream",
         "Streaming copy",
         "SYNTHETIC. Moves bytes.",
         "bandwidth",
         {{"scalar", "scalar loads", "One element a thread.", "kernel", 0.70},
          {"memcpy", "cudaMemcpyAsync", "What the driver reaches.", "ceiling", 0.89}}},
        {"gemv",
         "Decode linear layer",
         "SYNTHETIC. Multiplies a weight matrix with m tokens.",
         "bandwidth",
         {{"naive", "thread a row", "One thread walks one row.", "kernel", 0.12},
          {"warp", "warp a row", "A warp shares a row, so loads coalesce.", "kernel", 0.83},
          {"cublas", "cuBLAS", "The library's matrix product.", "peer", 0.78}}},
};

enum { SYNTHETIC_FAMILIES = ARRAY_LEN(synthetic_families) };

struct synthetic {
	const char *id, *start, *device;
	const char *commit;     /* NULL: no git */
	int launches;           /* with 10, results are steady */
	int made;               /* interrupted after so many, gemv one later; 0: never */
	double slower;          /* factor on all times, to tell two runs apart */
	const char *wrong;      /* "family/variant" whose check fails, or NULL */
	const char *sourceless; /* "family/variant" that names no source, or NULL */
	const char *status;     /* of the end record; NULL: no end record */
	const char *replicates; /* id of another run, or NULL */
	void (*twist)(struct run_launch *l); /* may change any launch; may be NULL */
	bool brief;                          /* only the last family */
	const char *card;                    /* uuid of the GPU; NULL: not recorded */
	unsigned code;                       /* version of the machine code; 0: not recorded */
	const char *load;                    /* parameter of gemv's cases; NULL: bursts */
	const char *input;                   /* likewise; NULL: uniform ones */
	const char *unavailable;             /* why a variant was not measured; NULL: not built */
	const char *level;                   /* where all bytes come from; NULL: memory */
	const char *op;                      /* what gemv counts; NULL: FLOPs */
};

static inline const char *synthetic_path(const char *family, const char *variant, struct arena *a)
{
	return arena_printf(a, "kernels/%s/%s.cu", family, variant);
}

/* The source of `padded` contains `tile`'s line, too, but outside its region. */
static inline struct str synthetic_source(const char *family, const char *variant, struct arena *a)
{
	const char *also = strcmp(variant, "padded") == 0 ? "\tout[threadIdx.x] = in[4];\n" : "";
	return str_of(arena_printf(a,
	                           "// SYNTHETIC source of %s/%s\n"
	                           "__global__ void kernel(float *out, const float *in)\n{\n%s"
	                           "\t// ANCHOR: inner\n\tout[threadIdx.x] = in[%zu];\n"
	                           "\t// ANCHOR_END: inner\n}\n",
	                           family, variant, also, strlen(variant)));
}

static inline struct run_head synthetic_head(const struct synthetic *s)
{
	static struct run_pair tools[] = {{"nvcc", "13.0.88", 0}, {"cc", "gcc 12.2.0", 0}};
	static struct run_pair missing[] = {{"energy_mj", "not supported", 0}};
	static int64_t ticks[] = {512, 544, 512};
	static const char *argv[] = {"runner", "run"};
	struct run_head h = {
	        .schema = RECORD_SCHEMA,
	        .id = s->id,
	        .device = s->device,
	        .start = s->start,
	        .reason = "SYNTHETIC: made by a test, measured by nothing",
	        .replicates = s->replicates,
	        .commit = s->commit,
	        .runner_sha256 = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
	        .toolchain = tools,
	        .ntoolchain = 2,
	        .machine = {"synthetic", "Synthetic CPU", "Linux 6.1", NULL, 16, 1LL << 37},
	        .tick_ns = 32,
	        .empty_pair_ns = ticks,
	        .nempty_pair = 3,
	        .argv = argv,
	        .nargv = 2,
	        .rng_seed = 1,
	        .launches = s->launches,
	        .warmup_ms = 20,
	        .min_samples = 5,
	        .max_samples = 1000,
	        .cap_ms = 500,
	        .flush_bytes = 1 << 28,
	        .stop_halfwidth = 0.005,
	        .order = "random within each launch",
	        .unavailable = missing,
	        .nunavailable = 1,
	};
	if (strncmp(s->device, "cpu", 3) != 0)
		h.gpu = (struct run_gpu){.name = "Synthetic GPU",
		                         .uuid = s->card,
		                         .driver = "580.0",
		                         .compute_capability = "9.0",
		                         .cuda_driver = 13000,
		                         .cuda_runtime = 13000,
		                         .sms = 132,
		                         .l2_bytes = 62914560,
		                         .memory_bytes = RECORD_NONE,
		                         .bus_bits = 6144,
		                         .sm_clock_max_mhz = 1980,
		                         .memory_clock_max_mhz = 3201,
		                         .power_limit_mw = 700000,
		                         .ecc = 1};
	return h;
}

/* Times with an even spread of ±0.2 % over launches and samples, the same on every machine. */
static inline int64_t synthetic_ns(double seconds, int launch, int sample)
{
	double wobble = (double)((launch * 7 + sample * 3) % 11 - 5) * 0.0004;
	return (int64_t)(seconds * 1e9 * (1 + wobble));
}

/* The cases of a run, and the share of the roof that each reaches; 0: it has no launches. */
struct synthetic_cases {
	struct run_case c[64];
	double share[64];
	size_t n;
};

static inline void synthetic_launches(struct sb *to, const struct synthetic *s,
                                      const struct run_case *c, double share)
{
	enum { SAMPLES = 5 };
	double bytes = (double)(c->model.bytes_read + c->model.bytes_written);
	double seconds = s->slower * (bytes / (4.8e12 * share) + 2e-6);
	const char *name = strchr(c->id, ':');
	bool wrong = s->wrong && strncmp(c->id, s->wrong, (size_t)(name - c->id)) == 0;
	int made = s->made ? s->made + (strncmp(c->id, "gemv/", 5) == 0) : s->launches;
	for (int i = 0; i < made; i++) {
		int64_t samples[SAMPLES];
		struct run_launch l = {
		        .of = c,
		        .i = i,
		        .at = i,
		        .pid = 1000 + i,
		        .t_ms = 10 * i,
		        .seed = 1,
		        .status = wrong ? "wrong" : "ok",
		        .before = {wrong ? 1.0 : 0.0, 4096, !wrong},
		        .after = {0, 4096, !wrong},
		        .batch = 1,
		        .timer = "events",
		        .stop = "halfwidth",
		        .sm_clock_mhz = {1935, 1980, 1980},
		        .memory_clock_mhz = 3201,
		        .power_mw = {300000, 420000, 500000},
		        .temperature_c = {40, 44},
		        .energy_mj = RECORD_NONE,
		        .throttle_reasons = 0,
		        .sample_ns = samples,
		        .nsamples = wrong ? 0 : SAMPLES,
		};
		for (int k = 0; k < SAMPLES; k++)
			samples[k] = synthetic_ns(seconds, i, k);
		if (s->twist)
			s->twist(&l);
		record_put_launch(to, &l);
	}
}

static inline void synthetic_case(struct synthetic_cases *to, const struct synthetic *s,
                                  const struct synthetic_family *f, int v, struct run_case c,
                                  struct arena *a)
{
	const struct synthetic_variant *variant = &f->variant[v];
	struct run_source *source = ARENA_NEW(a, struct run_source);
	char *blob = arena_alloc(a, HASH_GIT_HEX + 1);
	hash_git_blob(synthetic_source(f->id, variant->id, a), blob);
	*source = (struct run_source){synthetic_path(f->id, variant->id, a), blob};
	c.family = f->id;
	c.variant = variant->id;
	c.family_title = f->title;
	c.variant_title = variant->title;
	c.problem = f->problem;
	c.idea = variant->idea;
	c.metric = f->metric;
	c.rank = v;
	c.role = variant->role;
	c.device = strncmp(s->device, "cpu", 3) == 0 ? "cpu" : "cuda";
	c.source = source;
	c.nsource = !s->sourceless ||
	            strcmp(s->sourceless, arena_printf(a, "%s/%s", f->id, variant->id)) != 0;
	c.build = (struct run_build){.flags = "-O3", .registers = 32};
	if (s->code)
		c.build.code_sha256 = arena_printf(a, "%s%024x", blob, s->code);
	c.model.level = s->level ? s->level : "hbm";
	c.input = "uniform[-1,1)";
	c.input_sets = 2;
	c.check_reference = "host";
	c.check_why = "exact";
	if (variant->share == 0)
		c.unavailable = s->unavailable ? s->unavailable : "not built here";
	c.id = record_case_id(&c, a);
	to->share[to->n] = variant->share;
	to->c[to->n++] = c;
}

static inline void synthetic_transpose(struct synthetic_cases *to, const struct synthetic *s,
                                       struct arena *a)
{
	for (int v = 0; v < 5; v++)
		for (int64_t rows = 4096; rows <= 16384; rows *= 4)
			for (int dtype = 0; dtype < 2; dtype++) {
				struct run_case c = {
				        .param = {{"rows", NULL, rows}, {"cols", NULL, rows}},
				        .nparams = 2,
				        .dtype = dtype ? "bf16" : "f32",
				        .cache = "cold"};
				int64_t bytes = rows * rows * (dtype ? 2 : 4);
				c.model = (struct run_model){0,    bytes, bytes, "2·rows·cols·b",
				                             NULL, NULL,  NULL};
				synthetic_case(to, s, &synthetic_families[0], v, c, a);
			}
}

static inline void synthetic_stream(struct synthetic_cases *to, const struct synthetic *s,
                                    struct arena *a)
{
	for (int v = 0; v < 2; v++)
		for (int hot = 0; hot < 2; hot++) {
			int64_t bytes = (1LL << 28) * 4;
			struct run_case c = {.param = {{"op", "copy", 0}, {"n", NULL, 1LL << 28}},
			                     .nparams = 2,
			                     .dtype = "f32",
			                     .cache = hot ? "hot" : "cold",
			                     .model = {0, bytes, bytes, "2·n·b", NULL, NULL, NULL}};
			synthetic_case(to, s, &synthetic_families[1], v, c, a);
		}
}

static inline void synthetic_gemv(struct synthetic_cases *to, const struct synthetic *s,
                                  struct arena *a)
{
	enum { N = 28672, K = 8192 };
	for (int v = 0; v < 3; v++)
		for (int64_t m = 1; m <= 256; m *= 4) {
			struct run_case c = {.param = {{"layer", "ffn", 0}, {"m", NULL, m}},
			                     .nparams = 2,
			                     .dtype = "bf16",
			                     .cache = "cold",
			                     .model = {2 * m * N * K, 2LL * N * K + 2 * m * K,
			                               2 * m * N, "2·m·n·k", "bf16", NULL, NULL}};
			if (s->op)
				c.model.unit = NULL, c.model.op = s->op;
			if (s->input)
				c.param[c.nparams++] = (struct run_pair){"input", s->input, 0};
			if (s->load)
				c.param[c.nparams++] = (struct run_pair){"load", s->load, 0};
			synthetic_case(to, s, &synthetic_families[2], v, c, a);
		}
}

/* Appends a complete run file. */
static inline void synthetic_run(struct sb *to, const struct synthetic *s, struct arena *a)
{
	struct run_head h = synthetic_head(s);
	struct synthetic_cases cases = {0};
	if (!s->brief) {
		synthetic_transpose(&cases, s, a);
		synthetic_stream(&cases, s, a);
	}
	synthetic_gemv(&cases, s, a);
	record_put_head(to, &h);
	record_put_cases(to, cases.c, cases.n);
	for (size_t i = 0; i < cases.n; i++)
		if (cases.share[i] > 0)
			synthetic_launches(to, s, &cases.c[i], cases.share[i]);
	if (s->status)
		record_put_end(to, s->status, s->start, 0, sb_view(to));
}

#endif
