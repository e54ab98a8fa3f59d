/*
 * Inputs of attention over a cache find what they are made to find: a kernel that loses a key,
 * looks behind the last one, takes another page or combines a part twice is off by many tolerances,
 * and one that only rounds is within one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels/bf16.h"
#include "kernels/decode/scales.h"
#include "kernels/made.h"

extern const struct kernel_family decode_family;

enum { SPLIT = 128 };

enum fault {
	HONEST,
	LAST_LOST,     /* the last key of a sequence */
	ONE_TOO_MANY,  /* the first behind it, which is NaN or of another sequence */
	EDGES_LOST,    /* the first key of each 64 */
	EDGES_DOUBLED, /* the last key of each 16 */
	SHIFTED,       /* weights have the values of the keys before */
	SPLIT_LOST,    /* a part of the row is not combined */
	SPLIT_TWICE,   /* another is combined twice */
	STALE_MAXIMUM, /* parts are combined as if they had the same maximum */
	PAGE_BEFORE,   /* each page is that of the neighbour in memory */
	HEAD_NEXT,     /* the keys of the next head */
	FAULTS,
	/* in a cache with scales: */
	SCALE_NEXT = FAULTS, /* scales are those of the neighbour */
	SCALE_OF_KEY,        /* a value has the scale of its key */
	SCALE_LOST,          /* values have none */
	SCALE_SUMMED,        /* sums of weights have those of values, too */
	SCALE_FAULTS,
};

struct problem {
	struct kernel_case c;
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	struct cache_shape s;
	uint64_t seed;
};

static struct problem problem_of(int64_t l, const char *layout, uint64_t seed)
{
	struct problem p = {.c = {{{"b", 5, NULL},
	                           {"heads", 8, NULL},
	                           {"kv", 2, NULL},
	                           {"l", l, NULL},
	                           {"layout", 0, layout},
	                           {"sharp", 4, NULL}},
	                          6,
	                          KERNEL_BF16,
	                          0},
	                    .seed = seed};
	decode_family.buffers(&p.c, p.b);
	p.s = decode_shape(&p.c);
	return p;
}

/* The same with keys and values in FP8. */
static struct problem bytes_of(int64_t l, const char *layout, uint64_t seed)
{
	struct problem p = problem_of(l, layout, seed);
	p.c.dtype = KERNEL_E4M3;
	decode_family.buffers(&p.c, p.b);
	p.s = decode_shape(&p.c);
	return p;
}

/* The scale of a key, or of its value, as it lies in memory. */
static float scale_of(const struct problem *p, enum fault fault, bool of_value, int sequence,
                      int head, int key)
{
	const int sharing = scales_keys(&p->c), keys = cache_length(&p->s, sequence);
	if (sharing == 0 || (fault == SCALE_LOST && of_value))
		return 1;
	if (fault == SCALE_NEXT && keys > sharing)
		key = key >= sharing ? key - sharing : key + sharing;
	const size_t i = scales_at(&p->s, sharing, sequence, head, key);
	const uint32_t bits =
	        scales_bits(&p->b[DECODE_SCALES], p->seed, i + (of_value && fault != SCALE_OF_KEY));
	float v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* An element of a key or a value as it lies in the cache, NaN where there is none. */
static float element(const struct problem *p, enum fault fault, unsigned buffer, int sequence,
                     int head, int key, size_t e)
{
	const int wrong = fault == HEAD_NEXT;
	size_t i = cache_at(&p->s, sequence, (head + wrong) % p->s.kv, key) + e;
	const size_t page = (size_t)p->s.kv * (size_t)cache_page_keys(&p->s) * CACHE_DEEP;
	if (fault == PAGE_BEFORE)
		i = (i + page) % cache_elements(&p->s);
	const uint32_t bits = cache_bits_at(&p->s, p->seed, buffer, i);
	return p->s.dtype == KERNEL_E4M3 ? (float)e4m3_value(bits) : bf16_value((uint16_t)bits);
}

/* How often a key counts. */
static int times(enum fault fault, int key, int keys)
{
	const int part = key / SPLIT, parts = (keys + SPLIT - 1) / SPLIT;
	if (key >= keys)
		return fault == ONE_TOO_MANY && key == keys;
	if (fault == LAST_LOST && key == keys - 1)
		return 0;
	if (fault == EDGES_LOST && key % CACHE_LARGE == 0)
		return 0;
	if (fault == SPLIT_LOST && part == parts - 1)
		return 0;
	if (fault == SPLIT_TWICE && part == parts - 1)
		return 2;
	return fault == EDGES_DOUBLED && key % CACHE_SMALL == CACHE_SMALL - 1 ? 2 : 1;
}

/* Sums of a part of a row, relative to its maximum. */
struct part {
	float top, sum, o[CACHE_DEEP];
};

static void attend(const struct problem *p, enum fault fault, size_t row, int first,
                   struct part *to)
{
	const int sequence = (int)row / p->s.heads, head = (int)row % p->s.heads;
	const int of = head / (p->s.heads / p->s.kv), keys = cache_length(&p->s, sequence);
	const float scale = decode_scale(&p->c);
	float s[SPLIT];
	*to = (struct part){-INFINITY, 0, {0}};
	for (int j = 0; j < SPLIT; j++) {
		s[j] = -INFINITY;
		if (first + j >= p->s.l || !times(fault, first + j, keys))
			continue;
		s[j] = 0;
		for (size_t e = 0; e < CACHE_DEEP; e++)
			s[j] += cache_query(&p->s, p->seed, DECODE_Q, row * CACHE_DEEP + e) *
			        element(p, fault, DECODE_K, sequence, of, first + j, e);
		s[j] *= scale_of(p, fault, false, sequence, of, first + j);
		to->top = fmaxf(to->top, s[j]);
	}
	for (int j = 0; j < SPLIT; j++) {
		const int from = first + j - (fault == SHIFTED && first + j > 0);
		const float w = expf(scale * (s[j] - to->top));
		if (first + j >= p->s.l || s[j] == -INFINITY)
			continue;
		const float by = scale_of(p, fault, true, sequence, of, first + j);
		to->sum +=
		        (float)times(fault, first + j, keys) * (fault == SCALE_SUMMED ? w * by : w);
		for (size_t e = 0; e < CACHE_DEEP; e++)
			to->o[e] += (float)times(fault, first + j, keys) *
			            bf16_value(bf16_round(w * by)) *
			            element(p, fault, DECODE_V, sequence, of, from, e);
	}
}

/* A row as kernels compute it: in parts that are combined. */
static void combine(const struct problem *p, enum fault fault, size_t row, float *o)
{
	struct part all = {-INFINITY, 0, {0}}, next;
	for (int first = 0; first < p->s.l; first += SPLIT) {
		attend(p, fault, row, first, &next);
		if (next.top == -INFINITY)
			continue;
		const float scale = decode_scale(&p->c), most = fmaxf(all.top, next.top);
		const bool stale = fault == STALE_MAXIMUM;
		const float old = stale ? 1 : expf(scale * (all.top - most));
		const float new = stale ? 1 : expf(scale * (next.top - most));
		all.top = most;
		all.sum = all.sum * old + next.sum * new;
		for (size_t e = 0; e < CACHE_DEEP; e++)
			all.o[e] = all.o[e] * old + next.o[e] * new;
	}
	for (size_t e = 0; e < CACHE_DEEP; e++)
		o[e] = bf16_value(bf16_round(all.o[e] / all.sum));
}

/* The worst error of all rows, in tolerances; infinite where there is NaN. If all that a row has is
 * lost, that is easy to see: rows of one key are left out. */
static double worst(const struct problem *p, enum fault fault)
{
	const char *why;
	const double tolerance = decode_family.tolerance(&p->c, &why);
	double most = 0;
	for (size_t row = 0; row < (size_t)(p->s.b * p->s.heads); row++) {
		double value[CACHE_DEEP], magnitude[CACHE_DEEP];
		size_t idx[CACHE_DEEP];
		float o[CACHE_DEEP];
		if (fault != HONEST && cache_length(&p->s, (int)row / p->s.heads) == 1)
			continue;
		for (size_t e = 0; e < CACHE_DEEP; e++)
			idx[e] = row * CACHE_DEEP + e;
		decode_family.expect(&p->c, p->seed, idx, CACHE_DEEP, value, magnitude);
		combine(p, fault, row, o);
		for (int e = 0; e < CACHE_DEEP; e++) {
			const double error = fabs((double)o[e] - value[e]);
			most = isnan(error) ? (double)INFINITY
			                    : fmax(most, error / (tolerance * magnitude[e]));
		}
	}
	return most;
}

static void honest_is_within_one_tolerance(void **state)
{
	(void)state;
	static const enum input_kind kinds[] = {INPUT_UNIFORM, INPUT_FULL, INPUT_NORMAL};
	static const char *const layouts[] = {"flat", "ragged16", "page64"};
	for (int k = 0; k < 3; k++) {
		const struct problem p = problem_of(300, layouts[k], input_seed(kinds[k], 5));
		const double by = worst(&p, HONEST);
		assert_true(by <= 1);
		assert_true(by > 1.0 / 16); /* nor is it idle */
	}
	const struct problem bytes = bytes_of(300, "ragged", input_seed(INPUT_UNIFORM, 5));
	assert_true(worst(&bytes, HONEST) <= 1);
	assert_true(worst(&bytes, LAST_LOST) >= 100);
	assert_true(worst(&bytes, SHIFTED) >= 100);
}

static void faults_are_off_by_many_tolerances(void **state)
{
	(void)state;
	static const char *const layouts[] = {"ragged", "ragged16"};
	for (int m = 0; m < 2; m++) {
		const struct problem p = problem_of(500, layouts[m], input_seed(INPUT_FULL, 9));
		for (enum fault f = HONEST + 1; f < FAULTS; f++) {
			const double by = worst(&p, f);
			print_message("# %s, fault %d: %.0f tolerances\n", layouts[m], (int)f, by);
			assert_true(by >= (f == EDGES_DOUBLED || f == SPLIT_TWICE ? 30 : 100));
		}
	}
}

/* With scales, too; and so is a kernel that takes another scale. */
static void scales_are_those_of_their_keys(void **state)
{
	(void)state;
	static const char *const layouts[] = {"flat_token", "ragged_token", "flat_page",
	                                      "ragged_page"};
	for (int m = 0; m < 4; m++) {
		const struct problem p = bytes_of(300, layouts[m], input_seed(INPUT_UNIFORM, 5));
		const double honest = worst(&p, HONEST);
		print_message("# %s: %.2f tolerances\n", layouts[m], honest);
		assert_true(honest <= 1 && honest > 1.0 / 16);
		for (enum fault f = SCALE_NEXT; f < SCALE_FAULTS; f++) {
			const double by = worst(&p, f);
			print_message("# %s, fault %d: %.0f tolerances\n", layouts[m], (int)f, by);
			assert_true(by >= 30);
		}
		assert_true(worst(&p, LAST_LOST) >= 30);
		assert_true(!p.s.ragged || worst(&p, ONE_TOO_MANY) >= 30);
	}
}

/* Half of the scales are powers of two; what lies behind the last key is NaN. */
static void scales_differ(void **state)
{
	(void)state;
	const struct problem p = bytes_of(501, "ragged_token", input_seed(INPUT_UNIFORM, 7));
	const struct kernel_buffer *const b = &p.b[DECODE_SCALES];
	float least[2] = {2, 2}, most[2] = {0, 0};
	size_t powers = 0, there = 0;
	assert_int_equal(b->count, 5 * 2 * 502 * 2);
	for (size_t i = 0; i < b->count; i++) {
		const uint32_t bits = scales_bits(b, p.seed, i);
		const int key = (int)(i / 2 % 502), sequence = (int)(i / 2 / 502 / 2);
		float v;
		memcpy(&v, &bits, sizeof v);
		assert_int_equal(isnan(v), key >= cache_length(&p.s, sequence));
		if (isnan(v))
			continue;
		there++;
		powers += (bits & 0x7fffff) == 0;
		least[i % 2] = fminf(least[i % 2], v);
		most[i % 2] = fmaxf(most[i % 2], v);
	}
	assert_in_range(powers * 100 / there, 45, 55);
	assert_true(least[0] >= 0.5F && least[0] < 0.51F && most[0] < 2 && most[0] > 1.9F);
	assert_true(least[1] >= 0x1p-6F && least[1] < 0.02F && most[1] < 1 && most[1] > 0.9F);
	assert_false(scales_is(&p.b[DECODE_K]));
	assert_int_equal(scales_pitch(&p.s, SCALES_PAGE), 8);
}

/* Pages are a permutation; whose an element is, and where a key lies, agree. */
static void each_key_has_its_own_place(void **state)
{
	(void)state;
	static const char *const layouts[] = {"flat", "ragged", "page16", "ragged64"};
	for (int m = 0; m < 4; m++) {
		const struct problem p = problem_of(333, layouts[m], 1);
		const size_t rows = cache_elements(&p.s) / CACHE_DEEP;
		char *const used = calloc(rows, 1);
		size_t held = 0, keys = 0;
		assert_non_null(used);
		for (int s = 0; s < p.s.b; s++)
			for (int h = 0; h < p.s.kv; h++)
				for (int j = 0; j < cache_length(&p.s, s); j++, keys++) {
					const size_t i = cache_at(&p.s, s, h, j);
					assert_true(i / CACHE_DEEP < rows && i % CACHE_DEEP == 0);
					assert_false(used[i / CACHE_DEEP]++);
					assert_true(cache_holds(&p.s, i));
				}
		for (size_t r = 0; r < rows; r++)
			held += cache_holds(&p.s, r * CACHE_DEEP + 7);
		assert_int_equal(held, keys);
		free(used);
	}
}

/* What a kernel is told: lengths, then the pages of each sequence. */
static void tables_say_where_keys_are(void **state)
{
	(void)state;
	const struct problem p = problem_of(500, "ragged16", 1);
	const int32_t *const is = kernel_made_is(&p.b[DECODE_WHERE]);
	const int room = cache_room(&p.s);
	assert_int_equal(p.b[DECODE_WHERE].count, 5 + 5 * 32);
	assert_int_equal(is[0], 500);
	assert_int_equal(is[CACHE_ALIKE], 1);
	assert_int_equal(is[CACHE_ROUND] % CACHE_LARGE, 0);
	for (int s = 0; s < p.s.b; s++) {
		assert_in_range(is[s], 1, 500);
		for (int j = 0; j < is[s]; j++) {
			const int page = is[p.s.b + s * room + j / 16];
			const size_t i =
			        (((size_t)page * 2 + 1) * 16 + (size_t)j % 16) * CACHE_DEEP;
			assert_int_equal(i, cache_at(&p.s, s, 1, j));
		}
	}
	assert_ptr_equal(is, kernel_made_is(&problem_of(500, "ragged16", 2).b[DECODE_WHERE]));
}

static void queries_are_means_of_keys(void **state)
{
	(void)state;
	const struct problem p = problem_of(500, "page64", input_seed(INPUT_UNIFORM, 3));
	int means = 0;
	for (uint64_t seed = 0; seed < 50; seed++)
		for (int s = 0; s < p.s.b; s++)
			for (int h = 0; h < p.s.heads; h++) {
				int key[2];
				if (!cache_is_mean(&p.s, seed, s, h, key))
					continue;
				means++;
				assert_in_range(key[0], 0, 499);
				assert_in_range(key[1], 0, 499);
				assert_true(key[0] != key[1]);
				assert_true(h > 0 || key[0] == 499);
			}
	assert_in_range(means, 2000 * 70 / 100, 2000 * 85 / 100);
}

/* The cases that are timed have no more bytes than the model counts, but for unused room. */
static void cases_are_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < decode_family.ncases; i++) {
		const struct kernel_case *const c = &decode_family.cases[i];
		const struct cache_shape s = decode_shape(c);
		struct kernel_buffer b[KERNEL_MAX_BUFFERS];
		struct kernel_model m;
		const bool scaled = scales_keys(c) > 0;
		assert_int_equal(decode_family.buffers(c, b), DECODE_WHERE + 1 + scaled);
		decode_family.model(c, &m);
		assert_memory_equal(&(int64_t){cache_packed(&s)}, &b[DECODE_K].range, 8);
		assert_int_equal(s.heads % s.kv, 0);
		assert_true(b[DECODE_WHERE].count <= KERNEL_MADE_MOST);
		assert_int_equal(m.bytes_written, 2 * b[DECODE_O].count);
		const int64_t cache = (int64_t)(b[DECODE_K].count * kernel_dtype_bytes(c->dtype));
		const int64_t all = 2 * (int64_t)b[DECODE_Q].count + 2 * cache +
		                    4 * (int64_t)b[DECODE_WHERE].count +
		                    (scaled ? 4 * (int64_t)b[DECODE_SCALES].count : 0);
		assert_true(m.bytes_read <= all);
		if (!s.ragged && (c->use & KERNEL_MEASURE_CUDA))
			assert_int_equal(m.bytes_read, all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(honest_is_within_one_tolerance),
	        cmocka_unit_test(faults_are_off_by_many_tolerances),
	        cmocka_unit_test(scales_are_those_of_their_keys),
	        cmocka_unit_test(scales_differ),
	        cmocka_unit_test(each_key_has_its_own_place),
	        cmocka_unit_test(tables_say_where_keys_are),
	        cmocka_unit_test(queries_are_means_of_keys),
	        cmocka_unit_test(cases_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
