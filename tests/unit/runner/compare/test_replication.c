/* Comparing a run with an earlier one of the same cases. All values are SYNTHETIC. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/compare/replication.h"
#include "runner/plan/select.h"
#include "tests/unit/help/synthetic.h"

static const char naive[] = "transpose/naive:rows=4096,cols=4096,dtype=f32,cache=cold";
static const char ring[] = "transpose/ring:rows=4096,cols=4096,dtype=f32,cache=cold";

static void make(struct arena *a, double slower, int launches, struct run *out)
{
	struct synthetic s = {.id = "20260101T000000Z-h200-00000001",
	                      .start = "2026-01-01T00:00:00Z",
	                      .device = "h200",
	                      .launches = launches,
	                      .slower = slower,
	                      .wrong = "transpose/tile",
	                      .status = "complete"};
	struct sb text = {0};
	struct err e = ERR_NONE;
	synthetic_run(&text, &s, a);
	if (!record_read(sb_view(&text), "synthetic", a, out, &e))
		fail_msg("%s", e.text);
	sb_free(&text);
}

static struct replication_row row_of(const struct run *then, const struct run *now, const char *id,
                                     struct arena *a)
{
	struct replication_row r;
	replication_case(then, record_case(then, id), now, replication_band(then, now, a), a, &r);
	return r;
}

static void times_decide(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run then, same, slower, faster, few;
	make(&a, 1, 10, &then);
	make(&a, 1, 10, &same);
	make(&a, 1.05, 10, &slower);
	make(&a, 0.9, 10, &faster);
	make(&a, 1, 1, &few);
	assert_true(replication_band(&then, &same, &a) == 0.01);
	struct replication_row r = row_of(&then, &same, naive, &a);
	assert_int_equal(r.answer, REPLICATION_EQUIVALENT);
	assert_true(fabs(r.cmp.ratio.typical - 1) < 1e-9);
	assert_int_equal(replication_status(&r, 1), 0);
	r = row_of(&then, &slower, naive, &a);
	assert_int_equal(r.answer, REPLICATION_DIFFERENT);
	assert_true(fabs(r.cmp.ratio.typical - 1.05) < 1e-3);
	assert_int_equal(replication_status(&r, 1), 1);
	r = row_of(&then, &faster, naive, &a);
	assert_int_equal(r.answer, REPLICATION_DIFFERENT);
	r = row_of(&then, &few, naive, &a);
	assert_int_equal(r.answer, REPLICATION_INCONCLUSIVE);
	assert_string_equal(r.why, "an interval needs two launches on either side");
	assert_int_equal(replication_status(&r, 1), 2);
	arena_free(&a);
}

static void only_the_same_thing_is_compared(void **state)
{
	(void)state;
	static const char hash[] =
	        "abababababababababababababababababababababababababababababababab";
	struct arena a = {0};
	struct run then, now;
	make(&a, 1, 10, &then);
	make(&a, 1, 10, &now);
	struct replication_row r = row_of(&then, &now, ring, &a);
	assert_int_equal(r.answer, REPLICATION_NOT_COMPARABLE);
	assert_string_equal(r.why, "not available: not built here");
	r = row_of(&then, &now, "transpose/tile:rows=4096,cols=4096,dtype=f32,cache=cold", &a);
	assert_string_equal(r.why, "no launch passed then");

	now.cases[0].source[0].blob = "0000000000000000000000000000000000000000";
	r = row_of(&then, &now, naive, &a);
	assert_int_equal(r.answer, REPLICATION_NOT_COMPARABLE);
	assert_string_equal(r.why, "other source: kernels/transpose/naive.cu");
	then.cases[0].build.code_sha256 = now.cases[0].build.code_sha256 = hash;
	r = row_of(&then, &now, naive, &a);
	assert_int_equal(r.answer, REPLICATION_EQUIVALENT);
	assert_string_equal(r.why, "same code");

	now.head.device = "b200";
	r = row_of(&then, &now, naive, &a);
	assert_int_equal(r.answer, REPLICATION_NOT_COMPARABLE);
	assert_string_equal(r.why, "other device: h200 then, b200 now");
	assert_true(r.measured && r.cmp.ratio.launches > 0); /* shown all the same */
	now.head.device = "h200";
	now.ncases = 0;
	r = row_of(&then, &now, naive, &a);
	assert_int_equal(r.answer, REPLICATION_NOT_COMPARABLE);
	assert_int_equal(replication_status(&r, 1), 2);
	arena_free(&a);
}

/* Cases with the same code show how far two runs differ; other cases do not count. */
static void same_code_tells_how_far_runs_lie_apart(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run then, now;
	double moved;
	make(&a, 1, 10, &then);
	make(&a, 1.03, 10, &now);
	assert_int_equal(replication_moved(&then, &now, &a, &moved), 0);
	assert_true(moved == 0);
	size_t measured = 0;
	for (size_t i = 0; i < then.ncases; i++) {
		struct stats_summary t;
		then.cases[i].build.code_sha256 = now.cases[i].build.code_sha256 = then.cases[i].id;
		measured += record_summary(&then, &then.cases[i], &a, &t, NULL);
	}
	assert_true(measured > 2);
	assert_int_equal(replication_moved(&then, &now, &a, &moved), measured);
	assert_true(fabs(moved - 0.03) < 1e-3);
	now.cases[0].build.code_sha256 = "other";
	assert_int_equal(replication_moved(&then, &now, &a, &moved), measured - 1);
	/* faster by as much counts the same */
	assert_int_equal(replication_moved(&now, &then, &a, &moved), measured - 1);
	assert_true(fabs(moved - 0.03) < 1e-3);
	arena_free(&a);
}

static void other_tools_are_noted(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run then, now;
	make(&a, 1, 10, &then);
	make(&a, 1, 10, &now);
	now.cases[0].build.flags = "-O1";
	struct replication_row r = row_of(&then, &now, naive, &a);
	assert_int_equal(r.answer, REPLICATION_EQUIVALENT);
	assert_string_equal(r.why, "other compiler flags");
	now.head.toolchain[0].word = "14.0.1";
	r = row_of(&then, &now, naive, &a);
	assert_string_equal(r.why, "other compiler: 13.0.88 then, 14.0.1 now");
	arena_free(&a);
}

static void selectors_mean_cases_of_records(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct run r;
	struct selector s;
	make(&a, 1, 2, &r);
	for (size_t i = 0; i < r.ncases; i++) {
		size_t hits = 0;
		assert_true(select_read(r.cases[i].id, &s, &e));
		for (size_t k = 0; k < r.ncases; k++)
			hits += select_means(&s, &r.cases[k]);
		assert_int_equal(hits, 1);
		assert_true(select_means(&s, &r.cases[i]));
	}
	assert_true(select_read("trans*/{naive,ring}:rows=2^12,dtype=f*", &s, &e));
	assert_true(select_means(&s, record_case(&r, naive)));
	assert_true(select_read("transpose:unheard=3", &s, &e));
	assert_false(select_means(&s, record_case(&r, naive)));
	assert_false(select_read("transpose:rows", &s, &e));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(times_decide),
	        cmocka_unit_test(only_the_same_thing_is_compared),
	        cmocka_unit_test(same_code_tells_how_far_runs_lie_apart),
	        cmocka_unit_test(other_tools_are_noted),
	        cmocka_unit_test(selectors_mean_cases_of_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
