/*
 * Inputs of attention of a draft find what they are made to find: a kernel that loses a key, lets a
 * token see another branch, or combines a part twice is off by many tolerances, and one that only
 * rounds is within one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernels/bf16.h"
#include "kernels/made.h"
#include "kernels/verify/verify.h"

extern const struct kernel_family verify_family;

enum { PIECE = 8, KEYS = 20, TOKENS = 8, HEADS = 6, KV = 2, GROUP = HEADS / KV, SEQUENCES = 6 };

enum fault {
	HONEST,
	LAST_LOST,      /* the last key of a sequence */
	OWN_LOST,       /* the token's own key */
	ONE_TOO_MANY,   /* the first key behind the last, which is NaN */
	SHIFTED,        /* weights have the values of the keys before */
	PIECE_LOST,     /* a piece of the row is not combined */
	PIECE_TWICE,    /* another is combined twice */
	STALE_MAXIMUM,  /* pieces are combined as if they had the same maximum */
	NOTHING_HIDDEN, /* all tokens see all keys */
	AS_A_CHAIN,     /* a token sees all before it, whatever the tree is */
	OF_THE_NEXT,    /* a token sees what the next one may */
	OF_THE_FIRST,   /* what tokens of the first sequence may */
	A_KEY_OFF,      /* bits begin a key too early */
	HEADS_FIRST,    /* queries lie token by token, not head by head */
	FAULTS,
};

struct problem {
	struct kernel_case c;
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	struct cache_shape s;
	uint64_t seed;
};

static struct problem problem_of(const char *mask, uint64_t seed)
{
	struct problem p = {.c = {{{"b", SEQUENCES, NULL},
	                           {"heads", HEADS, NULL},
	                           {"kv", KV, NULL},
	                           {"l", KEYS, NULL},
	                           {"tokens", TOKENS, NULL},
	                           {"mask", 0, mask}},
	                          6,
	                          KERNEL_BF16,
	                          0},
	                    .seed = seed};
	verify_family.buffers(&p.c, p.b);
	p.s = verify_shape(&p.c);
	return p;
}

/* What kernels are told: which new tokens token t of a sequence sees. */
static uint32_t told(const struct problem *p, int sequence, int t)
{
	return (uint32_t)kernel_made_is(&p->b[VERIFY_WHERE])[p->s.b + sequence * TOKENS + t];
}

/* How often a key counts for a token. */
static int times(const struct problem *p, enum fault fault, int sequence, int t, int key)
{
	const int keys = cache_length(&p->s, sequence), last = key / PIECE == (keys - 1) / PIECE;
	int new = key - (keys - TOKENS) + (fault == A_KEY_OFF);
	uint32_t bits = told(p, fault == OF_THE_FIRST ? 0 : sequence,
	                     fault == OF_THE_NEXT ? (t + 1) % TOKENS : t);
	if (fault == NOTHING_HIDDEN)
		bits = ~0u;
	if (fault == AS_A_CHAIN)
		bits = (2u << t) - 1;
	if (key >= keys)
		return fault == ONE_TOO_MANY && key == keys;
	if (new >= 0 && !(bits >> new & 1))
		return 0;
	if ((fault == LAST_LOST && key == keys - 1) || (fault == OWN_LOST && new == t) ||
	    (fault == PIECE_LOST && last))
		return 0;
	return fault == PIECE_TWICE && last ? 2 : 1;
}

/* Sums of a piece of a row, relative to its maximum. */
struct piece {
	float top, sum, o[CACHE_DEEP];
};

static void add_key(struct piece *to, float s, int n, const float *value)
{
	const float scale = verify_scale();
	if (s > to->top) {
		const float by = expf(scale * (to->top - s));
		to->sum *= by;
		for (int e = 0; e < CACHE_DEEP; e++)
			to->o[e] *= by;
		to->top = s;
	}
	const float w = (float)n * expf(scale * (s - to->top));
	to->sum += w;
	for (int e = 0; e < CACHE_DEEP; e++)
		to->o[e] += bf16_value(bf16_round(w)) * value[e];
}

static float cached(const struct problem *p, unsigned buffer, size_t i)
{
	const uint32_t bits = cache_bits_at(&p->s, p->seed, buffer, i);
	return bf16_value((uint16_t)bits);
}

static void attend(const struct problem *p, enum fault fault, size_t row, int first,
                   struct piece *to)
{
	const int sequence = (int)row / p->s.heads, i = (int)row % p->s.heads;
	const int in = i % (TOKENS * GROUP);
	const int t = fault == HEADS_FIRST ? in % TOKENS : in / GROUP;
	float value[CACHE_DEEP], before[CACHE_DEEP] = {0};
	*to = (struct piece){-INFINITY, 0, {0}};
	for (int j = first; j < first + PIECE && j < KEYS; j++) {
		const int n = times(p, fault, sequence, t, j);
		const size_t at = cache_at(&p->s, sequence, i / (TOKENS * GROUP), j);
		float s = 0;
		if (n == 0)
			continue;
		for (size_t e = 0; e < CACHE_DEEP; e++) {
			s += cache_query(&p->s, p->seed, VERIFY_Q, row * CACHE_DEEP + e) *
			     cached(p, VERIFY_K, at + e);
			value[e] = cached(p, VERIFY_V, at + e);
		}
		add_key(to, s, n, fault == SHIFTED ? before : value);
		memcpy(before, value, sizeof before);
	}
}

/* A row as kernels compute it: in pieces that are combined. */
static void combine(const struct problem *p, enum fault fault, size_t row, float *o)
{
	struct piece all = {-INFINITY, 0, {0}}, next;
	for (int first = 0; first < KEYS; first += PIECE) {
		attend(p, fault, row, first, &next);
		if (next.top == -INFINITY)
			continue;
		const float scale = verify_scale(), most = fmaxf(all.top, next.top);
		const bool stale = fault == STALE_MAXIMUM;
		const float old = stale ? 1 : expf(scale * (all.top - most));
		const float new = stale ? 1 : expf(scale * (next.top - most));
		all.top = most;
		all.sum = all.sum * old + next.sum * new;
		for (int e = 0; e < CACHE_DEEP; e++)
			all.o[e] = all.o[e] * old + next.o[e] * new;
	}
	for (int e = 0; e < CACHE_DEEP; e++)
		o[e] = bf16_value(bf16_round(all.o[e] / all.sum));
}

/* The worst error of all rows, in tolerances; infinite where there is NaN. Sequences of one piece
 * have nothing to lose but all. */
static double worst(const struct problem *p, enum fault fault)
{
	const char *why;
	const double tolerance = verify_family.tolerance(&p->c, &why);
	double most = 0;
	for (size_t row = 0; row < (size_t)(p->s.b * p->s.heads); row++) {
		double value[CACHE_DEEP], magnitude[CACHE_DEEP];
		size_t idx[CACHE_DEEP];
		float o[CACHE_DEEP];
		if (fault != HONEST && cache_length(&p->s, (int)row / p->s.heads) <= PIECE)
			continue;
		for (size_t e = 0; e < CACHE_DEEP; e++)
			idx[e] = row * CACHE_DEEP + e;
		verify_family.expect(&p->c, p->seed, idx, CACHE_DEEP, value, magnitude);
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
	static const char *const masks[] = {"chain", "tree", "ragged"};
	for (int k = 0; k < 3; k++) {
		const struct problem p = problem_of(masks[k], input_seed(kinds[k], 5));
		const double by = worst(&p, HONEST);
		print_message("# %s: %.2f tolerances\n", masks[k], by);
		assert_true(by <= 1);
		assert_true(by > 1.0 / 16); /* nor is it idle */
	}
}

static void faults_are_off_by_many_tolerances(void **state)
{
	(void)state;
	static const char *const masks[] = {"tree", "ragged"};
	for (int m = 0; m < 2; m++) {
		const struct problem p = problem_of(masks[m], input_seed(INPUT_FULL, 9));
		for (enum fault f = HONEST + 1; f < FAULTS; f++) {
			/* whole sequences have no key behind the last, and those of odd number
			 * have fewer keys than a piece if they are ragged */
			if (f == (p.s.ragged ? OF_THE_FIRST : ONE_TOO_MANY))
				continue;
			const double by = worst(&p, f);
			print_message("# %s, fault %d: %.0f tolerances\n", masks[m], (int)f, by);
			assert_true(by >= (f == PIECE_TWICE ? 30 : 100));
		}
	}
}

/* A chain sees what came before; a tree has one root, and a token sees what its parent does. */
static void tokens_see_their_ancestors(void **state)
{
	(void)state;
	const struct problem chain = problem_of("chain", 1), tree = problem_of("tree", 1);
	for (int s = 0; s < SEQUENCES; s++)
		for (int t = 0; t < TOKENS; t++) {
			const int parent = (t - 1) / (2 + s % 2);
			assert_int_equal(told(&chain, s, t), (2 << t) - 1);
			assert_int_equal(told(&tree, s, t),
			                 1u << t | (t ? told(&tree, s, parent) : 0));
		}
	assert_int_equal(told(&tree, 0, 6), 1 << 6 | 1 << 2 | 1);
	assert_int_equal(told(&tree, 1, 6), 1 << 6 | 1 << 1 | 1);
	assert_ptr_equal(kernel_made_is(&tree.b[VERIFY_WHERE]),
	                 kernel_made_is(&problem_of("tree", 2).b[VERIFY_WHERE]));
	assert_ptr_not_equal(kernel_made_is(&tree.b[VERIFY_WHERE]),
	                     kernel_made_is(&chain.b[VERIFY_WHERE]));
}

/* Sequences that are shorter than a draft: whoever would see nothing sees the last key. */
static void every_token_sees_a_key(void **state)
{
	(void)state;
	const struct problem p = problem_of("ragged", 1);
	int shorter = 0;
	for (int s = 0; s < p.s.b; s++) {
		const int keys = cache_length(&p.s, s);
		const int absent = keys < TOKENS ? TOKENS - keys : 0;
		shorter += absent > 0;
		assert_int_equal(kernel_made_is(&p.b[VERIFY_WHERE])[s], keys);
		for (int t = 0; t < TOKENS; t++)
			assert_true(keys > TOKENS || told(&p, s, t) >> absent);
	}
	assert_true(shorter > 0);
}

/* The cases that are timed have the bytes that the model counts, and as many FLOPs as tokens. */
static void cases_are_sound(void **state)
{
	(void)state;
	for (size_t i = 0; i < verify_family.ncases; i++) {
		const struct kernel_case *const c = &verify_family.cases[i];
		const struct cache_shape s = verify_shape(c);
		const int64_t tokens = kernel_num(c, "tokens");
		struct kernel_buffer b[KERNEL_MAX_BUFFERS];
		struct kernel_model m;
		assert_int_equal(verify_family.buffers(c, b), VERIFY_WHERE + 1);
		verify_family.model(c, &m);
		assert_in_range(tokens, 1, VERIFY_TOKENS);
		assert_true(b[VERIFY_WHERE].count <= KERNEL_MADE_MOST);
		assert_int_equal(m.bytes_written, 2 * b[VERIFY_O].count);
		const int64_t all = 2 * (int64_t)(b[VERIFY_Q].count + 2 * b[VERIFY_K].count) +
		                    4 * (int64_t)b[VERIFY_WHERE].count;
		assert_true(s.ragged ? m.bytes_read <= all : m.bytes_read == all);
		if (!strcmp(kernel_word(c, "mask"), "chain")) {
			const int64_t hidden = tokens * (tokens - 1) / 2;
			assert_int_equal(m.flop, 512 * (int64_t)s.b * (s.heads / tokens) *
			                                 (tokens * s.l - hidden));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(honest_is_within_one_tolerance),
	        cmocka_unit_test(faults_are_off_by_many_tolerances),
	        cmocka_unit_test(tokens_see_their_ancestors),
	        cmocka_unit_test(every_token_sees_a_key),
	        cmocka_unit_test(cases_are_sound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
