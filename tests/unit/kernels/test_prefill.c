/*
 * Attention's inputs find what they are made to find: a kernel that loses a key, sees one too many
 * or forgets to scale old sums is off by many tolerances, and one that only rounds is within one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels/bf16.h"
#include "kernels/prefill/prefill.h"
#include "kernels/query.h"

extern const struct kernel_family prefill_family;

enum { DEEP = 128, TILE = 64, ROWS = 64 };

enum fault {
	HONEST,
	LAST_LOST,     /* the last key that a query may see */
	ONE_TOO_MANY,  /* the first that it may not */
	TILE_LOST,     /* 64 keys, or what is there of the last ones */
	EDGES_LOST,    /* the first key of each tile */
	EDGES_DOUBLED, /* the last key of each tile */
	SHIFTED,       /* weights have the values of the keys before */
	STALE_MAXIMUM, /* old sums are not scaled when the maximum grows */
	HEAD_NEXT,     /* the keys of the next head */
	FAULTS,
};

struct problem {
	struct kernel_case c;
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	struct query_shape shape;
	uint64_t seed;
};

static struct problem problem_in(enum kernel_dtype dtype, int64_t l, const char *mask,
                                 uint64_t seed)
{
	struct problem p = {.c = {{{"heads", 4, NULL},
	                           {"kv", 2, NULL},
	                           {"l", l, NULL},
	                           {"d", DEEP, NULL},
	                           {"mask", 0, mask},
	                           {"sharp", 4, NULL}},
	                          6,
	                          dtype,
	                          0},
	                    .seed = seed};
	prefill_family.buffers(&p.c, p.b);
	p.shape = query_shape_of(p.b[PREFILL_Q].range);
	return p;
}

static struct problem problem_of(int64_t l, const char *mask, uint64_t seed)
{
	return problem_in(KERNEL_BF16, l, mask, seed);
}

static float key_element(const struct problem *p, unsigned buffer, int key, int h, int e)
{
	const size_t i = ((size_t)key * (size_t)p->shape.kv + (size_t)h) * DEEP + (size_t)e;
	return input_real(p->c.dtype, p->seed, buffer, i);
}

/* A weight as tensor cores take it: in e4m3 it is raised by 2^8. */
static float rounded(const struct problem *p, float w)
{
	if (p->c.dtype == KERNEL_BF16)
		return bf16_value(bf16_round(w));
	return (float)ldexp(e4m3_value(e4m3_nearest((int64_t)ldexp((double)w, 40), -32)), -8);
}

/* The scale of a head's values. */
static float scale_of(const struct problem *p, int head)
{
	return p->c.dtype == KERNEL_BF16
	               ? 1
	               : input_real(KERNEL_F32, p->seed, PREFILL_SCALES, (size_t)head);
}

/* How often a key counts. */
static int times(const struct problem *p, enum fault fault, int i, int key)
{
	const int seen = p->shape.causal ? i + 1 : p->shape.l;
	if (key >= seen)
		return fault == ONE_TOO_MANY && key == seen;
	if (fault == LAST_LOST && key == seen - 1)
		return 0;
	if (fault == TILE_LOST && key / TILE == (seen - 1) / TILE)
		return 0;
	if (fault == EDGES_LOST && key % TILE == 0)
		return 0;
	return fault == EDGES_DOUBLED && key % TILE == TILE - 1 ? 2 : 1;
}

/* Row i of head h as kernels compute it: online, a tile of keys after the other, weights in bf16.
 */
static void attend(const struct problem *p, enum fault fault, int i, int h, float *o)
{
	const float scale = prefill_scale(&p->c);
	const int wrong = fault == HEAD_NEXT ? 1 : 0;
	const int head = (h / (p->shape.heads / p->shape.kv) + wrong) % p->shape.kv;
	float q[DEEP], top = -INFINITY, sum = 0;
	for (int e = 0; e < DEEP; e++) {
		q[e] = query_value(&p->b[PREFILL_Q], p->seed, PREFILL_Q,
		                   ((size_t)i * (size_t)p->shape.heads + (size_t)h) * DEEP +
		                           (size_t)e);
		o[e] = 0;
	}
	for (int first = 0; first < p->shape.l; first += TILE) {
		float s[TILE], most = top, back;
		for (int j = 0; j < TILE; j++) {
			const bool is = first + j < p->shape.l && times(p, fault, i, first + j);
			s[j] = is ? 0 : -INFINITY;
			for (int e = 0; is && e < DEEP; e++)
				s[j] += q[e] * key_element(p, PREFILL_K, first + j, head, e);
			most = fmaxf(most, s[j]);
		}
		if (isinf(most))
			continue;
		back = fault == STALE_MAXIMUM && !isinf(top) ? 1 : expf(scale * (top - most));
		sum *= back;
		for (int e = 0; e < DEEP; e++)
			o[e] *= back;
		for (int j = 0; j < TILE; j++) {
			const float w = isinf(s[j]) ? 0 : expf(scale * (s[j] - most));
			const float n = (float)times(p, fault, i, first + j);
			const int from = first + j - (fault == SHIFTED && first + j > 0);
			sum += n * w;
			for (int e = 0; w > 0 && e < DEEP; e++)
				o[e] += n * rounded(p, w) *
				        key_element(p, PREFILL_V, from, head, e);
		}
		top = most;
	}
	for (int e = 0; e < DEEP; e++)
		o[e] = bf16_value(bf16_round(o[e] / sum * scale_of(p, head)));
}

/* The worst error of the last rows of a head, in tolerances. */
static double worst(const struct problem *p, enum fault fault, int h)
{
	const char *why;
	const double tolerance = prefill_family.tolerance(&p->c, &why);
	const int first = p->shape.l > ROWS ? p->shape.l - ROWS : 0;
	double most = 0;
	for (int i = first; i < p->shape.l; i++) {
		double value[DEEP], magnitude[DEEP];
		size_t idx[DEEP];
		float o[DEEP];
		for (size_t e = 0; e < DEEP; e++)
			idx[e] = ((size_t)i * (size_t)p->shape.heads + (size_t)h) * DEEP + e;
		prefill_family.expect(&p->c, p->seed, idx, DEEP, value, magnitude);
		attend(p, fault, i, h, o);
		for (int e = 0; e < DEEP; e++) {
			const double error = fabs((double)o[e] - value[e]);
			most = fmax(most, error / (tolerance * magnitude[e]));
		}
	}
	return most;
}

static void honest_is_within_one_tolerance(void **state)
{
	(void)state;
	static const enum input_kind kinds[] = {INPUT_UNIFORM, INPUT_FULL, INPUT_NORMAL};
	for (int k = 0; k < 3; k++) {
		const uint64_t seed = input_seed(kinds[k], 5);
		const struct problem causal = problem_of(300, "causal", seed);
		const struct problem full = problem_of(257, "full", seed);
		assert_true(worst(&causal, HONEST, 3) <= 1);
		assert_true(worst(&full, HONEST, 2) <= 1);
		assert_true(worst(&full, HONEST, 2) > 1.0 / 16); /* nor is it idle */
	}
}

static void faults_are_off_by_many_tolerances(void **state)
{
	(void)state;
	static const char *const masks[] = {"causal", "full"};
	for (int m = 0; m < 2; m++) {
		const struct problem p = problem_of(1001, masks[m], input_seed(INPUT_FULL, 9));
		for (enum fault f = HONEST + 1; f < FAULTS; f++) {
			const double by = worst(&p, f, 1);
			if (f == ONE_TOO_MANY && !p.shape.causal)
				continue; /* it lies outside of the buffer */
			print_message("# %s, fault %d: %.0f tolerances\n", masks[m], (int)f, by);
			assert_true(by >= (f == EDGES_DOUBLED ? 30 : 100));
		}
	}
}

/* FP8 has 16 times the tolerance, and what a fault does to a row is the same. */
static void faults_show_in_fp8(void **state)
{
	(void)state;
	static const char *const masks[] = {"causal", "full"};
	for (int m = 0; m < 2; m++) {
		const struct problem p =
		        problem_in(KERNEL_E4M3, 1001, masks[m], input_seed(INPUT_UNIFORM, 9));
		const double honest = worst(&p, HONEST, 1);
		print_message("# %s, honest: %.2f tolerances\n", masks[m], honest);
		assert_true(honest <= 1 && honest > 1.0 / 16);
		for (enum fault f = HONEST + 1; f < FAULTS; f++) {
			const double by = worst(&p, f, 1);
			if (f == ONE_TOO_MANY && !p.shape.causal)
				continue; /* it lies outside of the buffer */
			print_message("# %s, fault %d: %.1f tolerances\n", masks[m], (int)f, by);
			assert_true(by >= (f == EDGES_DOUBLED ? 1.2 : 10));
		}
	}
}

/* Means are what the header says: of two keys, of which one is seen. */
static void queries_are_means_of_keys(void **state)
{
	(void)state;
	const struct problem p = problem_of(500, "causal", input_seed(INPUT_UNIFORM, 3));
	int means = 0, last = 0, unseen = 0, edges = 0;
	for (int i = 0; i < 500; i++)
		for (int h = 0; h < 4; h++) {
			int key[2];
			if (!query_is_mean(&p.shape, p.seed, i, h, key))
				continue;
			means++;
			last += key[0] == i;
			unseen += key[0] == i + 1;
			edges += key[0] % QUERY_EDGE == 0 || key[0] % QUERY_EDGE == QUERY_EDGE - 1;
			assert_true(key[0] >= 0 && key[0] <= i + 1 && key[0] < 500);
			assert_true(key[1] >= 0 && key[1] <= i);
			assert_true(key[0] != key[1] || i == 0);
			for (int e = 0; e < DEEP; e++) {
				const float v =
				        query_value(&p.b[PREFILL_Q], p.seed, PREFILL_Q,
				                    ((size_t)i * 4 + (size_t)h) * DEEP + (size_t)e);
				const float sum = key_element(&p, PREFILL_K, key[0], h / 2, e) +
				                  key_element(&p, PREFILL_K, key[1], h / 2, e);
				assert_true(v == sum / 2);
			}
		}
	assert_in_range(means, 900, 1100);
	assert_in_range(last, 80, 200);
	assert_in_range(unseen, 80, 180);
	assert_in_range(edges, 300, 600);
}

/* A shape survives in the buffer, and each case has memory that its model speaks of. */
static void cases_are_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < prefill_family.ncases; i++) {
		const struct kernel_case *const c = &prefill_family.cases[i];
		struct kernel_buffer b[KERNEL_MAX_BUFFERS];
		struct kernel_model m;
		const int fp8 = c->dtype == KERNEL_E4M3;
		assert_int_equal(prefill_family.buffers(c, b), fp8 ? 5 : 4);
		prefill_family.model(c, &m);
		const struct query_shape q = query_shape_of(b[PREFILL_Q].range);
		assert_int_equal(q.heads, kernel_num(c, "heads"));
		assert_int_equal(q.kv, kernel_num(c, "kv"));
		assert_int_equal(q.l, kernel_num(c, "l"));
		assert_int_equal(q.d, kernel_num(c, "d"));
		assert_int_equal(q.causal, prefill_causal(c));
		assert_int_equal(q.heads % q.kv, 0);
		assert_int_equal(m.bytes_read,
		                 (fp8 ? 1 : 2) * (b[0].count + b[1].count + b[2].count) +
		                         (fp8 ? 4 * b[4].count : 0));
		assert_int_equal(m.bytes_written, 2 * b[3].count);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(honest_is_within_one_tolerance),
	        cmocka_unit_test(faults_are_off_by_many_tolerances),
	        cmocka_unit_test(faults_show_in_fp8),
	        cmocka_unit_test(queries_are_means_of_keys),
	        cmocka_unit_test(cases_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
