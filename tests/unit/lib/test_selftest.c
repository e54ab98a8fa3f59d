/* The judgement of a selftest depends only on its run file. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/selftest.h"

enum { COPIES = 3, CASES = 2, LAUNCHES = 20, SAMPLES = 30 };

/* A run with a case of pad 0, its copies, and one of pad 10, whose times a test sets. */
struct made {
	struct run r;
	struct run_case cases[CASES], nulls[COPIES];
	struct run_launch launch[CASES * LAUNCHES], null[COPIES * LAUNCHES];
	int64_t ns[(CASES + COPIES) * LAUNCHES][SAMPLES];
};

/* Small noise that is the same in every test: -1 to 1. */
static double noise(size_t i)
{
	uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (double)(z >> 11) * 0x1p-52 - 1;
}

static struct run_case a_case(int64_t pad, int64_t null)
{
	struct run_case c = {.family = "selftest",
	                     .variant = "chain",
	                     .role = null ? "null" : "selftest",
	                     .param = {{"pad", NULL, pad}, {"null", NULL, null}},
	                     .nparams = null ? 2 : 1,
	                     .dtype = "f32",
	                     .cache = "hot"};
	return c;
}

/* Launches of a case: `factor` times a millisecond, with noise between and within them. */
static void launches(struct made *m, struct run_launch *l, const struct run_case *c, size_t at,
                     double factor, double between, double within)
{
	for (size_t i = 0; i < LAUNCHES; i++) {
		int64_t *ns = m->ns[at * LAUNCHES + i];
		double here = 1e6 * factor * (1 + between * noise(1000 * at + i));
		for (size_t k = 0; k < SAMPLES; k++)
			ns[k] = (int64_t)(here *
			                  (1 + within * noise(77777 + at * 999983 + i * 101 + k)));
		l[i] = (struct run_launch){.of = c,
		                           .i = (int64_t)i,
		                           .status = "ok",
		                           .before = {.passed = true},
		                           .after = {.passed = true},
		                           .batch = 1,
		                           .sample_ns = ns,
		                           .nsamples = SAMPLES};
	}
}

static void make(struct made *m, double planted, double between, double within)
{
	memset(m, 0, sizeof *m);
	m->cases[0] = a_case(0, 0);
	m->cases[1] = a_case(10, 0);
	m->r = (struct run){.cases = m->cases,
	                    .ncases = CASES,
	                    .nulls = m->nulls,
	                    .nnulls = COPIES,
	                    .launches = m->launch,
	                    .nlaunches = CASES * LAUNCHES,
	                    .null_launches = m->null,
	                    .nnull_launches = COPIES * LAUNCHES};
	m->r.head.launches = LAUNCHES;
	for (size_t i = 0; i < COPIES; i++)
		m->nulls[i] = a_case(0, (int64_t)i + 1);
	for (size_t i = 0; i < CASES; i++)
		launches(m, m->launch + i * LAUNCHES, &m->cases[i], i, i ? planted : 1, between,
		         within);
	for (size_t i = 0; i < COPIES; i++)
		launches(m, m->null + i * LAUNCHES, &m->nulls[i], CASES + i, 1, between, within);
}

static void pairs_are_all_copies_and_all_blocks(void **state)
{
	(void)state;
	static struct made m;
	struct arena a = {0};
	int64_t pad[4];
	make(&m, 1.01, 1e-4, 1e-3);
	assert_true(selftest_is(&m.r));
	assert_int_equal(selftest_pads(&m.r, pad, 4), 1);
	assert_int_equal(pad[0], 10);
	struct selftest_tally equal = selftest_judge(&m.r, 0, &a);
	struct selftest_tally planted = selftest_judge(&m.r, 10, &a);
	/* four copies make six pairs; two blocks of launches each */
	assert_int_equal(equal.pairs, 6 * 2);
	assert_int_equal(equal.processes, 6 * LAUNCHES);
	assert_int_equal(planted.pairs, 4 * 2);
	assert_true(fabs(planted.ratio - 1.01) < 3e-4);
	assert_int_equal(planted.found, planted.pairs);
	assert_int_equal(planted.different, planted.pairs); /* one percent is beyond the band */
	assert_int_equal(equal.equivalent, equal.pairs);
	assert_int_equal(equal.different + equal.undecided, 0);
	arena_free(&a);
}

/* If processes differ by more than their samples do, rules based on samples give false alarms. */
static void one_process_is_no_replication(void **state)
{
	(void)state;
	static struct made m;
	struct arena a = {0};
	make(&m, 1.01, 3e-3, 3e-4);
	struct selftest_tally equal = selftest_judge(&m.r, 0, &a);
	assert_true(equal.mann_whitney * 2 > equal.processes);
	assert_true(equal.nvbench * 2 > equal.processes);
	assert_true(equal.different * 10 <= equal.pairs);
	arena_free(&a);
}

static void ratios_are_those_that_are_counted(void **state)
{
	(void)state;
	static struct made m;
	struct arena a = {0};
	struct selftest_pair *pair;
	make(&m, 1.01, 3e-3, 3e-4);
	struct selftest_tally t = selftest_judge(&m.r, 10, &a);
	size_t n = selftest_pairs(&m.r, 10, &a, &pair), found = 0, covered = 0;
	double mean = 0;
	assert_int_equal(n, t.pairs);
	for (size_t i = 0; i < n; i++) {
		found += pair[i].ratio.lo > 1 || pair[i].ratio.hi < 1;
		covered += pair[i].ratio.lo <= 1.01 && pair[i].ratio.hi >= 1.01;
		mean += pair[i].ratio.typical / (double)n;
	}
	assert_int_equal(found, t.found);
	assert_int_equal(covered, t.covered);
	assert_true(fabs(mean - t.ratio) < 1e-12);
	arena_free(&a);
}

/* The same with the medians of each launch, and every way of exchanging them, in full. */
static void exchanged_sides_cover_as_they_should(void **state)
{
	(void)state;
	static struct made m;
	struct arena a = {0};
	make(&m, 1.01, 3e-3, 3e-4);
	const struct run_launch *side[1 + COPIES];
	size_t held = 0, all = 0;
	side[0] = m.launch;
	for (size_t i = 0; i < COPIES; i++)
		side[i + 1] = m.null + i * LAUNCHES;
	for (size_t x = 0; x <= COPIES; x++)
		for (size_t y = 0; y < x; y++)
			for (size_t first = 0; first < LAUNCHES; first += SELFTEST_BLOCK)
				for (unsigned s = 0; s < 1u << SELFTEST_BLOCK; s++, all++) {
					double p[SELFTEST_BLOCK], q[SELFTEST_BLOCK];
					for (size_t i = 0; i < SELFTEST_BLOCK; i++) {
						bool turn = s >> i & 1;
						p[i] = record_launch_median(
						        &side[turn ? y : x][first + i]);
						q[i] = record_launch_median(
						        &side[turn ? x : y][first + i]);
					}
					struct stats_summary r =
					        stats_paired_ratio(p, q, SELFTEST_BLOCK);
					held += r.lo <= 1 && 1 <= r.hi;
				}
	double share = selftest_exchanged(&m.r, &a);
	assert_true(fabs(share - (double)held / (double)all) < 1e-9);
	assert_true(share > 0.93 && share < 0.97);
	m.r.nnulls = 0;
	assert_true(selftest_exchanged(&m.r, &a) == 0);
	arena_free(&a);
}

static void other_runs_are_no_selftest(void **state)
{
	(void)state;
	static struct made m;
	struct arena a = {0};
	make(&m, 1.01, 1e-4, 1e-3);
	m.r.head.launches = SELFTEST_BLOCK - 1;
	assert_false(selftest_is(&m.r));
	make(&m, 1.01, 1e-4, 1e-3);
	for (size_t i = 0; i < COPIES; i++)
		m.nulls[i].family = "reduce";
	m.cases[0].family = m.cases[1].family = "reduce";
	assert_false(selftest_is(&m.r));
	assert_int_equal(selftest_judge(&m.r, 0, &a).pairs, 0);
	/* a launch that failed makes its block no comparison */
	make(&m, 1.01, 1e-4, 1e-3);
	m.launch[3].status = "timeout";
	assert_int_equal(selftest_judge(&m.r, 0, &a).pairs, 12 - 3);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(pairs_are_all_copies_and_all_blocks),
	        cmocka_unit_test(one_process_is_no_replication),
	        cmocka_unit_test(ratios_are_those_that_are_counted),
	        cmocka_unit_test(exchanged_sides_cover_as_they_should),
	        cmocka_unit_test(other_runs_are_no_selftest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
