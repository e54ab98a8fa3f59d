/*
 * Inputs of latent attention find what they are made to find: a kernel that loses a key, looks
 * behind the last one, takes another page or combines a part twice is off by many tolerances, and
 * one that only rounds is within one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels/bf16.h"
#include "kernels/made.h"
#include "kernels/mla/mla.h"

extern const struct kernel_family mla_family;

enum { PIECE = 128, KEYS = 300 };

enum fault {
	HONEST,
	LAST_LOST,     /* the last key of a sequence */
	ONE_TOO_MANY,  /* the first behind it, which is NaN */
	SHIFTED,       /* weights have the values of the keys before */
	PIECE_LOST,    /* a piece of the row is not combined */
	PIECE_TWICE,   /* another is combined twice */
	STALE_MAXIMUM, /* pieces are combined as if they had the same maximum */
	PAGE_BEFORE,   /* each page is that of the neighbour in memory */
	NO_POSITION,   /* the last 64 elements of keys are left out of scores */
	VALUE_BEHIND,  /* values are elements 64 to 576 of a key */
	FAULTS,
};

struct problem {
	struct kernel_case c;
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	struct cache_shape s;
	uint64_t seed;
};

static struct problem problem_of(int64_t l, const char *layout, uint64_t seed)
{
	struct problem p = {.c = {{{"b", 4, NULL},
	                           {"heads", 3, NULL},
	                           {"l", l, NULL},
	                           {"layout", 0, layout},
	                           {"sharp", 4, NULL}},
	                          5,
	                          KERNEL_BF16,
	                          0},
	                    .seed = seed};
	mla_family.buffers(&p.c, p.b);
	p.s = mla_shape(&p.c);
	return p;
}

static float value_of(const struct problem *p, unsigned buffer, size_t i)
{
	return bf16_value((uint16_t)latent_bits(&p->b[buffer], p->seed, buffer, i));
}

/* A key as a kernel finds it. */
static void read_key(const struct problem *p, enum fault fault, int sequence, int key, float *to)
{
	size_t i = latent_at(&p->s, sequence, key);
	if (fault == PAGE_BEFORE)
		i += (size_t)cache_page_keys(&p->s) * LATENT_DEEP;
	for (size_t e = 0; e < LATENT_DEEP; e++)
		to[e] = value_of(p, MLA_KEYS, (i + e) % latent_elements(&p->s));
}

/* How often a key counts. */
static int times(enum fault fault, int key, int keys)
{
	const int last = key / PIECE == (keys - 1) / PIECE;
	if (key >= keys)
		return fault == ONE_TOO_MANY && key == keys;
	if ((fault == LAST_LOST && key == keys - 1) || (fault == PIECE_LOST && last))
		return 0;
	return fault == PIECE_TWICE && last ? 2 : 1;
}

/* Sums of a piece of a row, relative to its maximum. */
struct piece {
	float top, sum, o[LATENT_VALUE];
};

static void add_key(struct piece *to, const struct problem *p, float s, int n, const float *value)
{
	const float scale = mla_scale(&p->c);
	if (s > to->top) {
		const float by = expf(scale * (to->top - s));
		to->sum *= by;
		for (int e = 0; e < LATENT_VALUE; e++)
			to->o[e] *= by;
		to->top = s;
	}
	const float w = (float)n * expf(scale * (s - to->top));
	to->sum += w;
	for (int e = 0; e < LATENT_VALUE; e++)
		to->o[e] += bf16_value(bf16_round(w)) * value[e];
}

static void attend(const struct problem *p, enum fault fault, size_t row, int first,
                   struct piece *to)
{
	const int sequence = (int)row / p->s.heads, keys = cache_length(&p->s, sequence);
	const size_t deep = fault == NO_POSITION ? LATENT_VALUE : LATENT_DEEP;
	float key[LATENT_DEEP], before[LATENT_DEEP] = {0};
	*to = (struct piece){-INFINITY, 0, {0}};
	for (int j = first; j < first + PIECE && j < p->s.l; j++) {
		const int n = times(fault, j, keys);
		float s = 0;
		if (n == 0)
			continue;
		read_key(p, fault, sequence, j, key);
		for (size_t e = 0; e < deep; e++)
			s += value_of(p, MLA_Q, row * LATENT_DEEP + e) * key[e];
		add_key(to, p, s, n,
		        fault == SHIFTED        ? before
		        : fault == VALUE_BEHIND ? key + LATENT_DEEP - LATENT_VALUE
		                                : key);
		memcpy(before, key, sizeof before);
	}
}

/* A row as kernels compute it: in pieces that are combined. */
static void combine(const struct problem *p, enum fault fault, size_t row, float *o)
{
	struct piece all = {-INFINITY, 0, {0}}, next;
	for (int first = 0; first < p->s.l; first += PIECE) {
		attend(p, fault, row, first, &next);
		if (next.top == -INFINITY)
			continue;
		const float scale = mla_scale(&p->c), most = fmaxf(all.top, next.top);
		const bool stale = fault == STALE_MAXIMUM;
		const float old = stale ? 1 : expf(scale * (all.top - most));
		const float new = stale ? 1 : expf(scale * (next.top - most));
		all.top = most;
		all.sum = all.sum * old + next.sum * new;
		for (int e = 0; e < LATENT_VALUE; e++)
			all.o[e] = all.o[e] * old + next.o[e] * new;
	}
	for (int e = 0; e < LATENT_VALUE; e++)
		o[e] = bf16_value(bf16_round(all.o[e] / all.sum));
}

/* The worst error of all rows, in tolerances; infinite where there is NaN. Rows of one key have
 * nothing to lose but all. */
static double worst(const struct problem *p, enum fault fault)
{
	const char *why;
	const double tolerance = mla_family.tolerance(&p->c, &why);
	double most = 0;
	for (size_t row = 0; row < (size_t)(p->s.b * p->s.heads); row++) {
		double value[LATENT_VALUE], magnitude[LATENT_VALUE];
		size_t idx[LATENT_VALUE];
		float o[LATENT_VALUE];
		if (fault != HONEST && cache_length(&p->s, (int)row / p->s.heads) == 1)
			continue;
		for (size_t e = 0; e < LATENT_VALUE; e++)
			idx[e] = row * LATENT_VALUE + e;
		mla_family.expect(&p->c, p->seed, idx, LATENT_VALUE, value, magnitude);
		combine(p, fault, row, o);
		for (int e = 0; e < LATENT_VALUE; e++) {
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
	static const char *const layouts[] = {"flat", "ragged64", "page64"};
	for (int k = 0; k < 3; k++) {
		const struct problem p = problem_of(KEYS, layouts[k], input_seed(kinds[k], 5));
		const double by = worst(&p, HONEST);
		print_message("# %s: %.2f tolerances\n", layouts[k], by);
		assert_true(by <= 1);
		assert_true(by > 1.0 / 16); /* nor is it idle */
	}
}

static void faults_are_off_by_many_tolerances(void **state)
{
	(void)state;
	static const char *const layouts[] = {"ragged", "ragged64"};
	for (int m = 0; m < 2; m++) {
		const struct problem p = problem_of(KEYS, layouts[m], input_seed(INPUT_FULL, 9));
		for (enum fault f = HONEST + 1; f < FAULTS; f++) {
			const double by = worst(&p, f);
			print_message("# %s, fault %d: %.0f tolerances\n", layouts[m], (int)f, by);
			assert_true(by >= (f == PIECE_TWICE ? 30 : 100));
		}
	}
}

/* Whose an element is, and where a key lies, agree. */
static void each_key_has_its_own_place(void **state)
{
	(void)state;
	static const char *const layouts[] = {"flat", "ragged", "page64", "ragged64"};
	for (int m = 0; m < 4; m++) {
		const struct problem p = problem_of(333, layouts[m], 1);
		const size_t rows = latent_elements(&p.s) / LATENT_DEEP;
		char *const used = calloc(rows, 1);
		size_t held = 0, keys = 0;
		assert_non_null(used);
		for (int s = 0; s < p.s.b; s++)
			for (int j = 0; j < cache_length(&p.s, s); j++, keys++) {
				const size_t i = latent_at(&p.s, s, j);
				assert_true(i / LATENT_DEEP < rows && i % LATENT_DEEP == 0);
				assert_false(used[i / LATENT_DEEP]++);
				assert_true(latent_holds(&p.s, i + 7));
			}
		for (size_t r = 0; r < rows; r++) {
			held += latent_holds(&p.s, r * LATENT_DEEP + 575);
			if (!latent_holds(&p.s, r * LATENT_DEEP))
				assert_true(isnan(value_of(&p, MLA_KEYS, r * LATENT_DEEP)));
		}
		assert_int_equal(held, keys);
		free(used);
	}
}

/* What a kernel is told: lengths, then the pages of each sequence. */
static void tables_say_where_keys_are(void **state)
{
	(void)state;
	const struct problem p = problem_of(500, "ragged64", 1);
	const int32_t *const is = kernel_made_is(&p.b[MLA_WHERE]);
	const int room = cache_room(&p.s);
	assert_int_equal(p.b[MLA_WHERE].count, 4 + 4 * room);
	assert_int_equal(is[0], 500);
	for (int s = 0; s < p.s.b; s++)
		for (int j = 0; j < is[s]; j++) {
			const int page = is[p.s.b + s * room + j / 64];
			assert_int_equal(((size_t)page * 64 + (size_t)j % 64) * LATENT_DEEP,
			                 latent_at(&p.s, s, j));
		}
	assert_ptr_equal(is, kernel_made_is(&problem_of(500, "ragged64", 2).b[MLA_WHERE]));
}

/* The cases that are timed have no more bytes than the model counts, but for unused room; and their
 * intensity is what predictions start from. */
static void cases_are_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < mla_family.ncases; i++) {
		const struct kernel_case *const c = &mla_family.cases[i];
		const struct cache_shape s = mla_shape(c);
		struct kernel_buffer b[KERNEL_MAX_BUFFERS];
		struct kernel_model m;
		assert_int_equal(mla_family.buffers(c, b), MLA_WHERE + 1);
		mla_family.model(c, &m);
		assert_true(latent_is(&b[MLA_Q]) && latent_is(&b[MLA_KEYS]));
		assert_true(b[MLA_WHERE].count <= KERNEL_MADE_MOST);
		assert_int_equal(m.bytes_written, 2 * b[MLA_O].count);
		const int64_t all = 2 * (int64_t)(b[MLA_Q].count + b[MLA_KEYS].count) +
		                    4 * (int64_t)b[MLA_WHERE].count;
		assert_true(m.bytes_read <= all);
		if (!s.ragged && (c->use & KERNEL_MEASURE_CUDA)) {
			const int64_t keys = 1152 * (int64_t)s.b * s.l;
			assert_int_equal(m.bytes_read, all);
			assert_int_equal(m.flop * 1152, keys * 2176 * s.heads);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(honest_is_within_one_tolerance),
	        cmocka_unit_test(faults_are_off_by_many_tolerances),
	        cmocka_unit_test(each_key_has_its_own_place),
	        cmocka_unit_test(tables_say_where_keys_are),
	        cmocka_unit_test(cases_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
