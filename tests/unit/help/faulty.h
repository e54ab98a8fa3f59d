/*
 * tests/unit/help/faulty.h - a kernel table for tests: one family whose variants fail in
 * every way a variant can. It replaces kernels/families.c, so a test that includes it
 * links no real family.
 */
#ifndef TESTS_UNIT_HELP_FAULTY_H
#define TESTS_UNIT_HELP_FAULTY_H

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "kernels/input.h"
#include "kernels/kernel.h"

static const struct kernel_case faulty_cases[] = {
        {.param = {{"n", 5, NULL}, {"op", 0, "twice"}}, .nparams = 2, .use = KERNEL_CHECK},
        {.param = {{"n", 4096, NULL}, {"op", 0, "twice"}},
         .nparams = 2,
         .use = KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD | KERNEL_HOT},
        {.param = {{"n", 1 << 20, NULL}, {"op", 0, "twice"}},
         .nparams = 2,
         .use = KERNEL_MEASURE_CUDA},
};

static size_t faulty_buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	size_t n = (size_t)kernel_num(c, "n");
	b[0] = kernel_in("x", c->dtype, n);
	b[1] = kernel_out("y", c->dtype, n);
	return 2;
}

static void faulty_model(const struct kernel_case *c, struct kernel_model *m)
{
	int64_t bytes = kernel_num(c, "n") * 4;
	*m = (struct kernel_model){bytes / 4, bytes, bytes, "one multiplication each",
	                           "fp32",    "hbm", NULL};
}

static void faulty_expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                          double *value, double *magnitude)
{
	for (size_t i = 0; i < n; i++) {
		value[i] = 2.0 * (double)input_value(c->dtype, seed, 0, idx[i]);
		magnitude[i] = fabs(value[i]);
	}
}

static size_t faulty_terms(const struct kernel_case *c)
{
	(void)c;
	return 1;
}

static double faulty_tolerance(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "doubling is exact";
	return 0;
}

/* --- variants --- */

static void twice(const struct kernel_case *c, void *const *buf)
{
	const float *x = buf[0];
	float *y = buf[1];
	for (int64_t i = 0; i < kernel_num(c, "n"); i++)
		y[i] = 2 * x[i];
}

#define FAULTY_LAUNCH(name)                                                        \
	static int name(const struct kernel_case *c, const struct kernel_env *env, \
	                void *const *buf, void *state)

FAULTY_LAUNCH(run_good)
{
	(void)env, (void)state;
	twice(c, buf);
	return 0;
}

FAULTY_LAUNCH(run_wrong) /* one element is off by one unit in the last place */
{
	(void)env, (void)state;
	twice(c, buf);
	float *y = buf[1];
	y[3] = nextafterf(y[3], INFINITY);
	return 0;
}

FAULTY_LAUNCH(run_nan)
{
	(void)env, (void)state;
	twice(c, buf);
	((float *)buf[1])[0] = NAN;
	return 0;
}

FAULTY_LAUNCH(run_lazy) /* never writes the last element */
{
	(void)env, (void)state;
	const float *x = buf[0];
	for (int64_t i = 0; i + 1 < kernel_num(c, "n"); i++)
		((float *)buf[1])[i] = 2 * x[i];
	return 0;
}

FAULTY_LAUNCH(run_outside) /* writes one element too many */
{
	(void)env, (void)state;
	twice(c, buf);
	((float *)buf[1])[kernel_num(c, "n")] = 0;
	return 0;
}

FAULTY_LAUNCH(run_crash)
{
	(void)c, (void)env, (void)buf, (void)state;
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

FAULTY_LAUNCH(run_hang)
{
	(void)c, (void)env, (void)buf, (void)state;
	for (;;)
		pause();
	return 0;
}

FAULTY_LAUNCH(run_error)
{
	(void)c, (void)env, (void)buf, (void)state;
	return 700;
}

/* Computes once and then replays its first answer. */
struct memory {
	bool filled;
	float first[1 << 12];
};

static size_t memory_bytes(const struct kernel_case *c, const struct kernel_env *env)
{
	(void)c, (void)env;
	return sizeof(struct memory);
}

FAULTY_LAUNCH(run_replay)
{
	(void)env, (void)state;
	struct memory *m = buf[2];
	size_t bytes = (size_t)kernel_num(c, "n") * sizeof(float);
	if (!m->filled) {
		twice(c, buf);
		memcpy(m->first, buf[1], bytes);
		m->filled = true;
	}
	memcpy(buf[1], m->first, bytes);
	return 0;
}

static const char *refuse(const struct kernel_case *c, const struct kernel_env *env,
                          void *const *buf, void **state)
{
	(void)c, (void)env, (void)buf, (void)state;
	return "libnowhere.so not found";
}

#define FAULTY_ROW(name, ...)                                                           \
	{                                                                               \
		.id = #name, .title = #name, .idea = "a test", .where = KERNEL_CPU,     \
		.file = "kernels/faulty/" #name ".c", .launch = run_##name, __VA_ARGS__ \
	}

static const struct kernel_variant faulty_variants[] = {
        FAULTY_ROW(good, ),
        FAULTY_ROW(wrong, ),
        FAULTY_ROW(nan, ),
        FAULTY_ROW(lazy, ),
        FAULTY_ROW(outside, ),
        FAULTY_ROW(crash, ),
        FAULTY_ROW(hang, ),
        FAULTY_ROW(error, ),
        FAULTY_ROW(replay, .scratch_bytes = memory_bytes),
        {.id = "gone",
         .title = "gone",
         .idea = "a test",
         .where = KERNEL_CPU,
         .role = KERNEL_PEER,
         .file = "kernels/faulty/gone.c",
         .prepare = refuse,
         .launch = run_good},
        {.id = "gpu", .title = "gpu", .idea = "a test", .where = KERNEL_CUDA, .file = "gpu.cu"},
};

static const struct kernel_family faulty_family = {
        .id = "faulty",
        .title = "Faulty",
        .problem = "SYNTHETIC.",
        .metric = "bandwidth",
        .file = "kernels/faulty/family.c",
        .cases = faulty_cases,
        .ncases = ARRAY_LEN(faulty_cases),
        .variants = faulty_variants,
        .nvariants = ARRAY_LEN(faulty_variants),
        .buffers = faulty_buffers,
        .model = faulty_model,
        .expect = faulty_expect,
        .terms = faulty_terms,
        .tolerance = faulty_tolerance,
};

static const struct kernel_family *const table_families[] = {&faulty_family};

#include "tests/unit/help/kernel_table.h"

#endif
