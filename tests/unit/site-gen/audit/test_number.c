/* Deriving published numbers again from the record: valid and invalid keys. */
#include "site-gen/audit/number.h"
#include "site-gen/records/launches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "tests/unit/help/synthetic_repo.h"

#define TILE "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold"
#define NAIVE "transpose/naive:rows=16384,cols=16384,dtype=f32,cache=cold"

static struct repo repo;
static struct audit_records records;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	audit_records_init(&records, &repo.data, &repo.arena);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	arena_free(&records.scratch);
	repo_free(&repo);
	return 0;
}

static bool keyed(const char *key, const char *run, struct audit_number *n, struct err *e)
{
	*e = (struct err)ERR_NONE;
	return audit_number_keyed(&records, str_of(key), str_of(run), (struct str){0}, n, e);
}

static struct audit_number number(const char *key)
{
	struct audit_number n;
	struct err e;
	if (!keyed(key, RUN_A, &n, &e))
		fail_msg("%s", e.text);
	return n;
}

/* The mean of the logs of the processes' medians, counted once more from the samples. */
static double plain_time(const struct audit_number *n)
{
	const struct run *r = launches_of(n->of->run);
	double sum = 0, count = 0;
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].of == n->of->d->c) {
			sum += log(record_launch_median(&r->launches[i]));
			count++;
		}
	return exp(sum / count);
}

static void a_time_is_that_of_the_samples(void **state)
{
	(void)state;
	struct audit_number n = number("h200 " TILE " time");
	assert_int_equal(n.kind, AUDIT_VALUE);
	assert_true(fabs(n.value / plain_time(&n) - 1) < 1e-12);
	assert_true(n.lo < n.value && n.value < n.hi);
}

/* Only a ratio whose whole interval lies below 1 may be printed as a loss. */
static void a_loss_lies_below_one(void **state)
{
	static const struct {
		enum audit_kind kind;
		double value, hi;
		const char *text; /* NULL: no loss */
	} rows[] = {{AUDIT_RATIO, 0.9024, 0.903, "−9.8" NBSP "%"},
	            {AUDIT_RATIO, 0.9971, 0.998, "−0.29" NBSP "%"},
	            {AUDIT_RATIO, 0.9971, 1.001, NULL},
	            {AUDIT_RATIO, 1.2, 1.3, NULL},
	            {AUDIT_SHARE_SPEC, 0.5, 0.6, NULL}};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct audit_number n = {
		        .kind = rows[i].kind, .value = rows[i].value, .hi = rows[i].hi};
		struct sb text = {0};
		assert_int_equal(audit_number_loss(&n, &text), rows[i].text != NULL);
		if (rows[i].text)
			assert_true(str_is(sb_view(&text), rows[i].text));
		sb_free(&text);
	}
}

static void a_ratio_is_of_both_cases(void **state)
{
	(void)state;
	struct audit_number a = number("h200 " TILE " time"), b = number("h200 " NAIVE " time");
	struct audit_number n = number("h200 " TILE " time over h200 " NAIVE);
	assert_int_equal(n.kind, AUDIT_RATIO);
	assert_true(fabs(n.value / (a.value / b.value) - 1) < 1e-12);
	assert_ptr_equal(n.over, b.of);
}

static void other_keys_mean_nothing(void **state)
{
	(void)state;
	static const char *const keys[] = {"",
	                                   "h200",
	                                   "h200 " TILE,
	                                   "h200 " TILE " beauty",
	                                   "h200 " TILE "x time",
	                                   "h200 transpose/ring:rows=16384 time",
	                                   "h200 " TILE " time over",
	                                   "h200 " TILE " time over h200",
	                                   "h200 " TILE " time over h200 " TILE "x",
	                                   "h200 " TILE " bandwidth of spec:nope"};
	struct audit_number n;
	struct err e;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keyed(keys[i], RUN_A, &n, &e) || !e.set)
			fail_msg("'%s' is a number", keys[i]);
	assert_false(keyed("h200 " TILE " time", "20260101T000000Z-nobody", &n, &e));
	assert_non_null(strstr(e.text, "is no number of run 20260101T000000Z-nobody"));
}

static void the_same_code_is_the_same_sources_and_flags(void **state)
{
	(void)state;
	struct run_source s[] = {{"a.cu", "1"}, {"a.h", "2"}}, t[] = {{"a.h", "2"}, {"a.cu", "1"}};
	struct run_case a = {.source = s, .nsource = 2}, b = {.source = t, .nsource = 2};
	a.build.flags = b.build.flags = "-O3";
	assert_true(audit_same_code(&a, &b));
	b.build.flags = "-O2";
	assert_false(audit_same_code(&a, &b));
	a.build.code_sha256 = b.build.code_sha256 = "abc"; /* machine code decides, where known */
	assert_true(audit_same_code(&a, &b));
	b.build.code_sha256 = "abd";
	b.build.flags = "-O3";
	assert_false(audit_same_code(&a, &b));
	b.build.code_sha256 = NULL; /* of one is not of both */
	assert_true(audit_same_code(&a, &b));
	t[0].blob = "3";
	assert_false(audit_same_code(&a, &b));
	t[0].blob = "2";
	b.nsource = 1;
	assert_false(audit_same_code(&a, &b));
	assert_false(audit_same_code(&b, &a));
}

static const char *text_of(const struct audit_number *n,
                           void (*put)(const struct audit_number *, struct sb *))
{
	struct sb text = {0};
	put(n, &text);
	const char *out = arena_strdup(&repo.arena, text.p ? text.p : "");
	sb_free(&text);
	return out;
}

static void texts_end_where_the_interval_does(void **state)
{
	(void)state;
	struct audit_number n = {.value = 237.5e-6, .lo = 237.4e-6, .hi = 237.6e-6, .si = "s"};
	assert_string_equal(text_of(&n, audit_number_text), "237.5\xC2\xA0µs");
	assert_string_equal(text_of(&n, audit_number_amount), "238\xC2\xA0µs");
	n.lo = n.hi = n.value;
	assert_string_equal(text_of(&n, audit_number_interval), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_time_is_that_of_the_samples),
	        cmocka_unit_test(a_ratio_is_of_both_cases),
	        cmocka_unit_test(a_loss_lies_below_one),
	        cmocka_unit_test(other_keys_mean_nothing),
	        cmocka_unit_test(the_same_code_is_the_same_sources_and_flags),
	        cmocka_unit_test(texts_end_where_the_interval_does),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
