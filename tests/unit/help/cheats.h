/*
 * tests/unit/help/cheats.h - planted wrong kernels: three families whose first variant is
 * honest, while every other is wrong in a way that fools a careless benchmark.
 * tests/unit/runner/measure/test_check.c says which check must find each.
 *
 * To add one, write a CHEAT() function, add a row to its family's variants here, and a row
 * to the table there.
 */
#ifndef TESTS_UNIT_HELP_CHEATS_H
#define TESTS_UNIT_HELP_CHEATS_H

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "kernels/input.h"
#include "kernels/kernel.h"

enum { CHEAT_TILE = 64, CHEAT_ROW = 1024 };

#define CHEAT(name)                                                                      \
	static int run_##name(const struct kernel_case *c, const struct kernel_env *env, \
	                      void *const *buf, void *state)

#define CHEAT_ROW_OF(name, ...)                                                        \
	{                                                                              \
		.id = #name, .title = #name, .idea = "a test", .where = KERNEL_CPU,    \
		.file = "kernels/cheat/" #name ".c", .launch = run_##name, __VA_ARGS__ \
	}

static size_t cheat_n(const struct kernel_case *c)
{
	return (size_t)kernel_num(c, "n");
}

/* --- doubling: y[i] = 2 x[i] --- */

#define CASE_N(n, use)                               \
	{                                            \
		{{"n", n, NULL}}, 1, KERNEL_F32, use \
	}

/* Degenerate sizes, sizes around a tile, odd ones; the last is measured and no multiple. */
static const struct kernel_case double_cases[] = {
        CASE_N(1, KERNEL_CHECK),
        CASE_N(2, KERNEL_CHECK),
        CASE_N(CHEAT_TILE - 1, KERNEL_CHECK),
        CASE_N(CHEAT_TILE, KERNEL_CHECK),
        CASE_N(CHEAT_TILE + 1, KERNEL_CHECK),
        CASE_N(4099, KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD | KERNEL_HOT),
};

static size_t double_buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	b[0] = kernel_in("x", c->dtype, cheat_n(c));
	b[1] = kernel_out("y", c->dtype, cheat_n(c));
	return 2;
}

static void double_model(const struct kernel_case *c, struct kernel_model *m)
{
	int64_t n = kernel_num(c, "n");
	*m = (struct kernel_model){n, 4 * n, 4 * n, "one multiplication each", "fp32", "hbm", NULL};
}

static void double_expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                          double *value, double *magnitude)
{
	for (size_t i = 0; i < n; i++) {
		value[i] = 2.0 * (double)input_value(c->dtype, seed, 0, idx[i]);
		magnitude[i] = fabs(value[i]);
	}
}

static size_t one_term(const struct kernel_case *c)
{
	(void)c;
	return 1;
}

static double exactly(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "doubling is exact";
	return 0;
}

static void twice(void *const *buf, size_t from, size_t to)
{
	const float *x = buf[0];
	float *y = buf[1];
	for (size_t i = from; i < to; i++)
		y[i] = 2 * x[i];
}

CHEAT(honest)
{
	(void)env, (void)state;
	twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(stale) /* leaves what was there */
{
	(void)c, (void)env, (void)buf, (void)state;
	return 0;
}

CHEAT(tail) /* stops one short */
{
	(void)env, (void)state;
	twice(buf, 0, cheat_n(c) - 1);
	return 0;
}

CHEAT(tail_guess) /* the last element copies its neighbour */
{
	(void)env, (void)state;
	float *y = buf[1];
	size_t n = cheat_n(c);
	twice(buf, 0, n);
	if (n > 1)
		y[n - 1] = y[n - 2];
	return 0;
}

CHEAT(whole_tiles) /* leaves out what does not fill a tile */
{
	(void)env, (void)state;
	twice(buf, 0, cheat_n(c) / CHEAT_TILE * CHEAT_TILE);
	return 0;
}

CHEAT(padded_tiles) /* writes the last tile whole, past the end */
{
	(void)env, (void)state;
	float *y = buf[1];
	size_t n = cheat_n(c), end = (n + CHEAT_TILE - 1) / CHEAT_TILE * CHEAT_TILE;
	twice(buf, 0, n);
	for (size_t i = n; i < end; i++)
		y[i] = 0;
	return 0;
}

CHEAT(copy_over) /* the same, but copies the bytes behind its input there */
{
	(void)env, (void)state;
	size_t n = cheat_n(c);
	twice(buf, 0, n);
	memcpy((float *)buf[1] + n, (const float *)buf[0] + n, sizeof(float));
	return 0;
}

CHEAT(before) /* writes ahead of its buffer */
{
	(void)env, (void)state;
	twice(buf, 0, cheat_n(c));
	((float *)buf[1])[-1] = 0;
	return 0;
}

CHEAT(uninitialised) /* adds to an output it did not clear */
{
	(void)env, (void)state;
	const float *x = buf[0];
	float *y = buf[1];
	for (size_t i = 0; i < cheat_n(c); i++)
		y[i] += 2 * x[i];
	return 0;
}

CHEAT(reads_on) /* multiplies an element beyond the end by 0, which only shows if it is NaN */
{
	(void)env, (void)state;
	const float *x = buf[0];
	float *y = buf[1];
	for (size_t i = 0; i < cheat_n(c); i++)
		y[i] = 2 * x[i] + 0 * x[i + 1];
	return 0;
}

CHEAT(in_place) /* right, but overwrites its input */
{
	(void)env, (void)state;
	float *x = buf[0];
	twice(buf, 0, cheat_n(c));
	x[cheat_n(c) - 1] += 1;
	return 0;
}

struct answer {
	bool known;
	float y[4099];
};

static size_t answer_bytes(const struct kernel_case *c, const struct kernel_env *env)
{
	(void)c, (void)env;
	return sizeof(struct answer);
}

CHEAT(cached) /* always gives its first answer */
{
	(void)env, (void)state;
	struct answer *a = buf[2];
	if (!a->known) {
		twice(buf, 0, cheat_n(c));
		memcpy(a->y, buf[1], cheat_n(c) * sizeof *a->y);
		a->known = true;
	}
	memcpy(buf[1], a->y, cheat_n(c) * sizeof *a->y);
	return 0;
}

CHEAT(content) /* does nothing if an answer is already there */
{
	(void)env, (void)state;
	if (isnan(((const float *)buf[1])[0]))
		twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(tired) /* works only for the first few calls */
{
	(void)env, (void)state;
	int *calls = buf[2];
	if ((*calls)++ < 8)
		twice(buf, 0, cheat_n(c));
	return 0;
}

CHEAT(no_nan) /* NaN comes out as a number: fmaxf() prefers those */
{
	(void)env, (void)state;
	const float *x = buf[0];
	float *y = buf[1];
	for (size_t i = 0; i < cheat_n(c); i++)
		y[i] = 2 * fmaxf(x[i], -INFINITY);
	return 0;
}

CHEAT(clamped) /* infinities come out as 2 */
{
	(void)env, (void)state;
	const float *x = buf[0];
	float *y = buf[1];
	for (size_t i = 0; i < cheat_n(c); i++)
		y[i] = 2 * (x[i] > 1 ? 1 : x[i] < -1 ? -1 : x[i]);
	return 0;
}

#include "tests/unit/help/cheats_calls.h"

static const struct kernel_variant double_variants[] = {
        CHEAT_ROW_OF(honest, ),        CHEAT_ROW_OF(stale, ),
        CHEAT_ROW_OF(tail, ),          CHEAT_ROW_OF(tail_guess, ),
        CHEAT_ROW_OF(whole_tiles, ),   CHEAT_ROW_OF(padded_tiles, ),
        CHEAT_ROW_OF(copy_over, ),     CHEAT_ROW_OF(before, ),
        CHEAT_ROW_OF(uninitialised, ), CHEAT_ROW_OF(reads_on, ),
        CHEAT_ROW_OF(in_place, ),      CHEAT_ROW_OF(cached, .scratch_bytes = answer_bytes),
        CHEAT_ROW_OF(content, ),       CHEAT_ROW_OF(tired, .scratch_bytes = answer_bytes),
        CHEAT_ROW_OF(no_nan, ),        CHEAT_ROW_OF(clamped, ),
        CHEAT_ROW_OF(every_second, ),  CHEAT_ROW_OF(second_off, ),
        CHEAT_ROW_OF(every_third, ),   CHEAT_ROW_OF(second_content, ),
        CHEAT_ROW_OF(by_head, ),       CHEAT_ROW_OF(second_content_off, ),
        CHEAT_ROW_OF(by_tail, ),       CHEAT_ROW_OF(far, ),
};

/* Infinities are tried above one tile alone. */
static bool within_a_tile(const struct kernel_case *c)
{
	return cheat_n(c) <= CHEAT_TILE;
}

static const struct kernel_family double_family = {
        .id = "double",
        .title = "Doubling",
        .problem = "SYNTHETIC.",
        .metric = "bandwidth",
        .file = "kernels/double/family.c",
        .cases = double_cases,
        .ncases = ARRAY_LEN(double_cases),
        .variants = double_variants,
        .nvariants = ARRAY_LEN(double_variants),
        .buffers = double_buffers,
        .model = double_model,
        .expect = double_expect,
        .terms = one_term,
        .tolerance = exactly,
        .finite_only = "a test",
        .finite_cases = within_a_tile,
};

/* --- sums of rows: y[r] = x[r][0] + ... + x[r][CHEAT_ROW - 1] --- */

static const struct kernel_case rows_cases[] = {
        CASE_N(1, KERNEL_CHECK),
        CASE_N(7, KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD | KERNEL_HOT),
};

static size_t rows_buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	b[0] = kernel_in("x", c->dtype, cheat_n(c) * CHEAT_ROW);
	b[1] = kernel_out("y", c->dtype, cheat_n(c));
	return 2;
}

static void rows_model(const struct kernel_case *c, struct kernel_model *m)
{
	int64_t n = kernel_num(c, "n");
	*m = (struct kernel_model){
	        n * CHEAT_ROW, 4 * n * CHEAT_ROW, 4 * n, "one addition each", "fp32", "hbm", NULL};
}

static void rows_expect(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                        double *value, double *magnitude)
{
	for (size_t k = 0; k < n; k++) {
		value[k] = magnitude[k] = 0;
		for (size_t i = idx[k] * CHEAT_ROW; i < (idx[k] + 1) * CHEAT_ROW; i++) {
			double x = (double)input_value(c->dtype, seed, 0, i);
			value[k] += x;
			magnitude[k] += fabs(x);
		}
	}
}

static size_t row_terms(const struct kernel_case *c)
{
	(void)c;
	return CHEAT_ROW;
}

/* Ten standard deviations of one chain of additions; kernels/reduce/family.c derives it. */
static double one_chain_of_additions(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "8 * 2^-24 of the sum of |x|";
	return 8 * 0x1p-24;
}

static float sum_of(const float *x, size_t n)
{
	float sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum;
}

CHEAT(sum_honest)
{
	(void)env, (void)state;
	for (size_t r = 0; r < cheat_n(c); r++)
		((float *)buf[1])[r] = sum_of((const float *)buf[0] + r * CHEAT_ROW, CHEAT_ROW);
	return 0;
}

CHEAT(loose) /* the running sum keeps 11 bits, as in half precision */
{
	(void)env, (void)state;
	for (size_t r = 0; r < cheat_n(c); r++) {
		const float *x = (const float *)buf[0] + r * CHEAT_ROW;
		float sum = 0;
		for (size_t i = 0; i < CHEAT_ROW; i++) {
			uint32_t bits;
			sum += x[i];
			memcpy(&bits, &sum, sizeof bits);
			bits = (bits + (1u << 12)) & ~((1u << 13) - 1);
			memcpy(&sum, &bits, sizeof bits);
		}
		((float *)buf[1])[r] = sum;
	}
	return 0;
}

/* Two threads that add to one sum; both read it before either writes. */
struct racer {
	const float *x;
	volatile float *sum;
	pthread_barrier_t *both;
};

static void *race(void *arg)
{
	struct racer *me = arg;
	float mine = sum_of(me->x, CHEAT_ROW / 2), seen = *me->sum;
	pthread_barrier_wait(me->both);
	*me->sum = seen + mine;
	return NULL;
}

CHEAT(raced) /* one of the two additions is lost, every time */
{
	(void)env, (void)state;
	for (size_t r = 0; r < cheat_n(c); r++) {
		const float *x = (const float *)buf[0] + r * CHEAT_ROW;
		pthread_barrier_t both;
		pthread_t other;
		volatile float sum = 0;
		struct racer one = {x, &sum, &both}, two = {x + CHEAT_ROW / 2, &sum, &both};
		pthread_barrier_init(&both, NULL, 2);
		if (pthread_create(&other, NULL, race, &two) != 0)
			abort();
		race(&one);
		pthread_join(other, NULL);
		pthread_barrier_destroy(&both);
		((float *)buf[1])[r] = sum;
	}
	return 0;
}

CHEAT(skips_one) /* leaves out one term in a thousand */
{
	(void)env, (void)state;
	for (size_t r = 0; r < cheat_n(c); r++)
		((float *)buf[1])[r] = sum_of((const float *)buf[0] + r * CHEAT_ROW, CHEAT_ROW - 1);
	return 0;
}

static const struct kernel_variant rows_variants[] = {
        CHEAT_ROW_OF(sum_honest, ),
        CHEAT_ROW_OF(loose, ),
        CHEAT_ROW_OF(raced, ),
        CHEAT_ROW_OF(skips_one, ),
};

static const struct kernel_family rows_family = {
        .id = "rows",
        .title = "Sums of rows",
        .problem = "SYNTHETIC.",
        .metric = "bandwidth",
        .file = "kernels/rows/family.c",
        .cases = rows_cases,
        .ncases = ARRAY_LEN(rows_cases),
        .variants = rows_variants,
        .nvariants = ARRAY_LEN(rows_variants),
        .buffers = rows_buffers,
        .model = rows_model,
        .expect = rows_expect,
        .terms = row_terms,
        .tolerance = one_chain_of_additions,
};

#include "tests/unit/help/cheats_keys.h"

static const struct kernel_family *const table_families[] = {&double_family, &rows_family,
                                                             &keys_family};

#include "tests/unit/help/kernel_table.h"

#endif
