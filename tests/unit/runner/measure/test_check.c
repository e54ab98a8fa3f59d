/* Planted wrong kernels: the right check refuses each, and none gets samples. */
#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/record.h"
#include "runner/base/clock.h"
#include "runner/records/head.h"
#include "runner/measure/walk.h"
#include "runner/plan/method.h"
#include "tests/unit/help/cheats.h"

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1 << 30,
                                     .threads = 2};

/*
 * The messages that `runner check` and a measurement must give for a variant's worst case;
 * NULL: none. A measurement has no inputs with NaN or infinity.
 */
struct finding {
	const char *variant, *check, *measure;
};

static const struct finding findings[] = {
        {"honest", NULL, NULL},
        {"stale", "first call: 4099 output elements never", "before timing: 4099 output elements"},
        {"tail", "first call: 1 output elements never", "before timing: 1 output elements never"},
        {"tail_guess", "first call: error", "before timing: error"},
        {"whole_tiles", "first call: 3 output elements never", "before timing: 3 output elements"},
        {"padded_tiles", "first call: 244 bytes written outside", "before timing: 244 bytes"},
        {"copy_over", "first call: 4 bytes written outside", "before timing: 4 bytes written"},
        {"before", "first call: 4 bytes written outside", "before timing: 4 bytes written"},
        {"uninitialised", "first call: 4099 output elements never written", "before timing: "},
        {"reads_on", "made from what lies outside the inputs", "made from what lies outside"},
        {"in_place", "first call: 1 input elements changed", "before timing: 1 input elements"},
        {"cached", "second call, new input: error", "after timing: error"},
        {"content", "third call, new input, old output: error", "after timing: error"},
        {"tired", NULL, "after timing: 4099 output elements never written"},
        {"no_nan", "input with NaN: output ", NULL},
        {"clamped", "input with infinities: output ", NULL},
        {"every_second", "second call, new input: 4099 output elements never", "timing: "},
        {"second_off", "", "timing: "},
        {"every_third", "", "timing: "},
        {"second_content", "", "after timing: "},
        {"second_content_off", "", "after timing: "},
        {"by_head", "sixth call, input of the fourth: output 2049 is", "for the same input two"},
        {"by_tail", "sixth call, input of the fourth: output 0 is", "for the same input two"},
        {"far", "first call: 4 bytes written outside", "timing: 4 bytes written outside"},
        {"sum_honest", NULL, NULL},
        {"loose", "first call: error", "before timing: error"},
        {"raced", "first call: error", "before timing: error"},
        {"skips_one", "first call: error", "before timing: error"},
        {"keys_honest", NULL, NULL},
        {"keys_uncleared", "output elements never written", "output elements never written"},
        {"keys_few_bins", "elements never written", "elements never written"},
        {"keys_one_short", "first call: 1 output elements never", "before timing: 1 output"},
        {"keys_second_off", "first call: centred[2049] is", "before timing: centred[2049] is"},
        {"keys_beside", "first call: 1 bytes written outside", "before timing: 1 bytes"},
};

struct seen {
	const struct plan *plan;
	char status[256][24], why[256][240];
	struct run_check before[256];
	size_t steps, lines;
};

static void note(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct seen *seen = ctx;
	size_t i = (size_t)(s->item - seen->plan->item);
	memcpy(seen->status[i], s->out.status, sizeof seen->status[0]);
	memcpy(seen->why[i], s->out.why, sizeof seen->why[0]);
	seen->before[i] = s->out.before.check;
	seen->steps++;
	/* a line with samples names the first one's base; without, it is 0 */
	seen->lines += s->line && !strstr(s->line, "\"above_base\":[]");
}

static void walk_all(enum walk_mode mode, enum plan_use use, struct arena *a, struct plan *p,
                     struct seen *seen)
{
	struct err e = ERR_NONE;
	struct signals none = {.fd = -1};
	if (!plan_make(KERNEL_CPU, use, &machine, NULL, 0, a, p, &e))
		fail_msg("%s", e.text);
	p->set.seed = 7;
	p->set.timeout_s = 20;
	p->tick_ns = 1;
	size_t *order = ARENA_ARRAY(a, size_t, p->n);
	for (size_t i = 0; i < p->n; i++) {
		order[i] = i;
		p->item[i].call_ns = 10000;
		method_choose_timer(&p->item[i], KERNEL_CPU);
	}
	*seen = (struct seen){.plan = p};
	assert_true(p->n <= 256);
	size_t terms = mode == WALK_CHECK ? CHECK_TERMS_CHECK : CHECK_TERMS_RUN;
	struct walk w = {.mode = mode,
	                 .plan = p,
	                 .expected = expected_make(p, 0, terms, 2, a),
	                 .order = order,
	                 .n = p->n,
	                 .start_ns = clock_ns(),
	                 .signals = &none,
	                 .done = note,
	                 .ctx = seen};
	if (!walk_run(&w, &e))
		fail_msg("%s", e.text);
	assert_int_equal(seen->steps, p->n);
}

static const struct finding *finding_of(const char *variant)
{
	for (size_t i = 0; i < ARRAY_LEN(findings); i++)
		if (strcmp(findings[i].variant, variant) == 0)
			return &findings[i];
	fail_msg("%s: planted, but nothing is said of it", variant);
	return NULL;
}

/* Expects each finding in the variant's largest case; smaller cases may hide a fault. */
static void compare(const struct seen *s, bool measured)
{
	for (size_t i = 0; i < s->plan->n; i++) {
		const struct item *it = &s->plan->item[i];
		const struct finding *f = finding_of(it->variant->id);
		const char *want = measured ? f->measure : f->check;
		bool largest = it->kcase == &it->family->cases[it->family->ncases - 1];
		bool wrong = strcmp(s->status[i], "wrong") == 0;
		if (!wrong && strcmp(s->status[i], "ok") != 0)
			fail_msg("%s: %s (%s)", it->id, s->status[i], s->why[i]);
		if (wrong && !want)
			fail_msg("%s: refused (%s), but it is right", it->id, s->why[i]);
		if (largest && want && (!wrong || !strstr(s->why[i], want)))
			fail_msg("%s: got '%s' (%s), expected wrong (%s)", it->id, s->status[i],
			         s->why[i], want);
	}
}

static void a_check_finds_them(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen *s = ARENA_ARRAY(&a, struct seen, 1);
	walk_all(WALK_CHECK, PLAN_CHECK, &a, &p, s);
	compare(s, false);
	arena_free(&a);
}

/* A family whose results are undefined for infinities in some cases is tried in the others. */
static void only_cases_that_are_named_leave_out_infinities(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen *s = ARENA_ARRAY(&a, struct seen, 1);
	size_t tried = 0, left_out = 0;
	walk_all(WALK_CHECK, PLAN_CHECK, &a, &p, s);
	for (size_t i = 0; i < p.n; i++) {
		if (strcmp(p.item[i].variant->id, "clamped") != 0)
			continue;
		const bool undefined = within_a_tile(p.item[i].kcase);
		assert_string_equal(s->status[i], undefined ? "ok" : "wrong");
		*(undefined ? &left_out : &tried) += 1;
	}
	assert_true(tried > 0 && left_out > 0);
	arena_free(&a);
}

static void a_measurement_keeps_no_sample_of_them(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen *s = ARENA_ARRAY(&a, struct seen, 1);
	size_t right = 0;
	walk_all(WALK_MEASURE, PLAN_MEASURE, &a, &p, s);
	compare(s, true);
	for (size_t i = 0; i < p.n; i++)
		right += finding_of(p.item[i].variant->id)->measure == NULL;
	assert_true(right > 0 && right < p.n);
	assert_int_equal(s->lines, right);
	arena_free(&a);
}

/* A variant that changes the rounding mode affects no other. */
static void a_variant_s_rounding_ends_with_it(void **state)
{
	(void)state;
	assert_int_equal(fesetround(FE_UPWARD), 0);
	assert_int_equal(backend_cpu.finish(NULL), 0);
	assert_int_equal(fegetround(), FE_TONEAREST);
}

/* An honest sum has a small error, which three measures report. */
static void errors_are_told_in_three_measures(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen *s = ARENA_ARRAY(&a, struct seen, 1);
	walk_all(WALK_CHECK, PLAN_CHECK, &a, &p, s);
	for (size_t i = 0; i < p.n; i++) {
		const struct run_check *k = &s->before[i];
		const char *id = p.item[i].variant->id;
		if (strcmp(id, "honest") == 0)
			assert_true(k->error == 0 && k->norm == 0 && k->ulp == 0);
		if (strcmp(id, "sum_honest") == 0 && p.item[i].kcase == &rows_cases[1])
			assert_true(k->error > 0 && k->norm > 0 && k->ulp > 0 && k->norm < 1e-4);
		if (strcmp(id, "loose") == 0)
			assert_true(k->norm > 1e-4 && k->ulp > 1000);
	}
	arena_free(&a);
}

/* Error i of n in ulps, by shape: all different, mostly 0, all the same, a few huge. */
static double error_of(int shape, size_t i, size_t n)
{
	size_t mixed = i * 7919 % n; /* all of 0 … n - 1, n no multiple of 7919 */
	return shape == 0   ? (double)mixed
	       : shape == 1 ? (double)(mixed % 64 == 0)
	       : shape == 2 ? 3
	                    : (double)(mixed < n / 50 ? mixed << 20 : mixed % 3);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The 99th percentile, for any number of outputs and any distribution of errors. */
static void the_percentile_is_that_of_a_sort(void **state)
{
	(void)state;
	static const size_t counts[] = {1, 2, 99, 101, 4095, 4096, 4097, 5000, 131071};
	for (size_t c = 0; c < ARRAY_LEN(counts); c++)
		for (int shape = 0; shape < 4; shape++) {
			struct arena a = {0};
			struct run_check k;
			size_t n = counts[c];
			double *value = ARENA_ARRAY(&a, double, n),
			       *got = ARENA_ARRAY(&a, double, n);
			double *ulps = ARENA_ARRAY(&a, double, n);
			enum kernel_dtype *t = ARENA_ARRAY(&a, enum kernel_dtype, n);
			for (size_t i = 0; i < n; i++) {
				value[i] = 1;
				t[i] = KERNEL_F32;
				ulps[i] = error_of(shape, i, n);
				got[i] = 1 + ulps[i] * 0x1p-23;
			}
			check_measures(got, value, t, n, &a, &k);
			qsort(ulps, n, sizeof *ulps, by_size);
			assert_true(k.ulp == ulps[(n - 1) * 99 / 100]);
			arena_free(&a);
		}
}

/* Errors count in units in the last place; below the normal numbers the unit is fixed. */
static void a_unit_in_the_last_place_is_one(void **state)
{
	(void)state;
	static const struct {
		enum kernel_dtype t;
		int bits, least;
	} types[] = {{KERNEL_F32, 23, -126}, {KERNEL_BF16, 7, -126}, {KERNEL_E4M3, 3, -6}};
	for (size_t i = 0; i < ARRAY_LEN(types); i++)
		for (int e = -150; e < 128; e++) {
			struct arena a = {0};
			struct run_check k;
			int at = e < types[i].least ? types[i].least : e;
			double unit = ldexp(1, at - types[i].bits), value = ldexp(-1.25, e);
			check_measures(&(double){value + unit}, &value, &types[i].t, 1, &a, &k);
			assert_true(k.ulp == 1);
			check_measures(&unit, &(double){0}, &types[i].t, 1, &a, &k);
			assert_true(k.ulp == ldexp(1, at - types[i].least));
			arena_free(&a);
		}
	struct arena a = {0};
	struct run_check k;
	check_measures(&(double){7}, &(double){4}, &(enum kernel_dtype){KERNEL_I32}, 1, &a, &k);
	assert_true(k.ulp == 3);
	arena_free(&a);
}

static void measures_are_what_they_say(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run_check k;
	double value[100];
	double got[100];
	enum kernel_dtype f32[100], bf16[100];
	for (size_t i = 0; i < 100; i++) {
		got[i] = value[i] = 1;
		f32[i] = KERNEL_F32;
		bf16[i] = KERNEL_BF16;
	}
	check_measures(got, value, f32, 100, &a, &k);
	assert_true(k.norm == 0 && k.ulp == 0);
	got[17] = 1 + 0x1p-22; /* two units in the last place, of one output in a hundred */
	check_measures(got, value, f32, 100, &a, &k);
	assert_true(k.norm == 0x1p-22 / 10 && k.ulp == 0);
	got[18] = got[17];
	check_measures(got, value, f32, 100, &a, &k);
	assert_true(k.ulp == 2);
	for (size_t i = 0; i < 100; i++)
		got[i] = 1 + 0x1p-7;
	check_measures(got, value, bf16, 100, &a, &k);
	assert_true(k.ulp == 1 && k.norm == 0x1p-7);
	got[3] = NAN;
	check_measures(got, value, f32, 100, &a, &k);
	assert_true(k.norm == -1 && k.ulp == -1);
	value[3] = NAN; /* as it should be */
	check_measures(got, value, bf16, 100, &a, &k);
	assert_true(k.ulp == 1);
	arena_free(&a);
}

static void what_is_no_number_must_be_passed_on(void **state)
{
	(void)state;
	size_t at;
	const double value[] = {NAN, INFINITY, -INFINITY, 1}, one[] = {1, 1, 1, 1};
	assert_true(check_error((const double[]){NAN, INFINITY, -INFINITY, 1}, value, one, 4,
	                        &at) == 0);
	assert_true(check_error((const double[]){0, INFINITY, -INFINITY, 1}, value, one, 4, &at) ==
	            -1);
	assert_int_equal(at, 0);
	assert_true(check_error((const double[]){NAN, NAN, -INFINITY, 1}, value, one, 4, &at) ==
	            -1);
	assert_int_equal(at, 1);
	assert_true(check_error((const double[]){NAN, INFINITY, INFINITY, 1}, value, one, 4, &at) ==
	            -1);
	assert_int_equal(at, 2);
}

/* Other inputs make other cases, and the honest variants are correct on them. */
static void other_inputs_make_other_cases(void **state)
{
	(void)state;
	static const char *const kinds[] = {"zeros", "normal", "full"};
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		struct arena a = {0};
		struct err e = ERR_NONE;
		struct plan p;
		struct run_case c;
		struct selector sel;
		if (!select_read("double", &sel, &e) || !select_add(&sel, "input", kinds[k], &e) ||
		    !plan_make(KERNEL_CPU, PLAN_MEASURE, &machine, &sel, 1, &a, &p, &e))
			fail_msg("%s", e.text);
		head_case(&p.item[0], &a, &c);
		assert_string_equal(record_param(&c, "input")->word, kinds[k]);
		assert_string_equal(c.id, record_case_id(&c, &a));
		assert_true(str_starts(str_of(c.input), kinds[k]));
		struct expected *x = expected_make(&p, 0, CHECK_TERMS_RUN, 1, &a);
		assert_true(input_kind(x[0].seed[0]) == k + 1 && p.item[0].way.input == k + 1);
		assert_true(x[0].value[0][0] == (double)(2 * input_f32(x[0].seed[0], 0, 0)));
		arena_free(&a);
	}
}

/* Every kind of input is on its type's grid, in range, and distributed as named. */
static void inputs_are_what_they_are_called(void **state)
{
	(void)state;
	enum { N = 1 << 16 };
	for (int kind = 0; kind < INPUT_KINDS; kind++) {
		if (kind == INPUT_FULL || kind == INPUT_GRID)
			continue; /* below, and in tests/unit/kernels/test_product.c */
		uint64_t seed = input_seed((enum input_kind)kind, 0x0123456789abcdef);
		double sum = 0, squares = 0;
		size_t odd = 0;
		assert_int_equal(input_kind(seed), kind);
		for (size_t i = 0; i < N; i++) {
			float x = input_f32(seed, 0, i), y = input_bf16(seed, 0, i);
			assert_true(isfinite(x) == isfinite(y));
			odd += !isfinite(x);
			if (!isfinite(x))
				continue;
			assert_true(x >= -1 && x < 1 && y >= -1 && y < 1);
			assert_true(x * 0x1p23f == floorf(x * 0x1p23f));
			assert_true(y * 128 == floorf(y * 128));
			sum += (double)x / N;
			squares += (double)x * (double)x / N;
		}
		assert_int_equal(odd > 0, kind == INPUT_NAN || kind == INPUT_INF);
		assert_true(fabs(sum) < 0.02);
		double variance = kind == INPUT_ZEROS    ? 0
		                  : kind == INPUT_NORMAL ? 8.0 / 12 / 16
		                                         : 1.0 / 3;
		assert_true(fabs(squares - variance) < 0.01);
	}
}

/* Full inputs use every bit of the mantissa, half of the time, and are no multiples of 2^-7. */
static void full_inputs_have_all_bits(void **state)
{
	(void)state;
	enum { N = 1 << 16, F32_BITS = 23, BF16_BITS = 7, LOWEST = 16 };
	const uint64_t seed = input_seed(INPUT_FULL, 0x0123456789abcdef);
	double sum = 0, squares = 0;
	size_t set[F32_BITS] = {0}, rounded[BF16_BITS] = {0}, off = 0;
	for (size_t i = 0; i < N; i++) {
		float x = input_f32(seed, 1, i), y = input_bf16(seed, 1, i);
		uint32_t bits, short_bits;
		memcpy(&bits, &x, sizeof bits);
		memcpy(&short_bits, &y, sizeof short_bits);
		assert_true(x >= -1 && x <= 1 && y >= -1 && y <= 1);
		assert_int_equal(short_bits & 0xffff, 0);        /* a bf16 */
		assert_true(fabsf(x - y) <= fabsf(x) * 0x1p-8f); /* half a unit in the last place */
		for (int b = 0; b < F32_BITS; b++)
			set[b] += bits >> b & 1;
		for (int b = 0; b < BF16_BITS; b++)
			rounded[b] += short_bits >> (LOWEST + b) & 1;
		off += y * 128 != floorf(y * 128);
		sum += (double)x / N;
		squares += (double)x * (double)x / N;
	}
	for (int b = 0; b < F32_BITS; b++)
		assert_in_range(set[b], N * 45 / 100, N * 55 / 100);
	for (int b = 0; b < BF16_BITS; b++)
		assert_in_range(rounded[b], N * 45 / 100, N * 55 / 100);
	assert_true(off > N / 4);
	assert_true(fabs(sum) < 0.02 && fabs(squares - 1.0 / 3) < 0.01);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(full_inputs_have_all_bits),
	        cmocka_unit_test(a_check_finds_them),
	        cmocka_unit_test(only_cases_that_are_named_leave_out_infinities),
	        cmocka_unit_test(a_measurement_keeps_no_sample_of_them),
	        cmocka_unit_test(a_variant_s_rounding_ends_with_it),
	        cmocka_unit_test(errors_are_told_in_three_measures),
	        cmocka_unit_test(measures_are_what_they_say),
	        cmocka_unit_test(the_percentile_is_that_of_a_sort),
	        cmocka_unit_test(a_unit_in_the_last_place_is_one),
	        cmocka_unit_test(what_is_no_number_must_be_passed_on),
	        cmocka_unit_test(inputs_are_what_they_are_called),
	        cmocka_unit_test(other_inputs_make_other_cases),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
