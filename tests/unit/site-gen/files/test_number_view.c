/* The facts about a number: its names, and what follows from its processes. */
#include "site-gen/files/number_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/help/made_site.h"

static void put_titles(struct made *m)
{
	for (int r = 0; r < MADE_RUNS; r++)
		for (int i = 0; i < MADE_CASES; i++) {
			m->c[r][i].family_title = "Scan";
			m->c[r][i].variant_title = i == WARP ? "a warp" : "a block";
		}
}

static void a_title_has_no_measured_digit(void **state)
{
	struct made *m = *state;
	const struct data_case *in[] = {&m->d[0][WARP], &m->d[1][WARP]};
	struct data_number n = {.device = "h200", .in = in, .nruns = 2, .newest = 1};
	struct config_word word[] = {{"en", "not measured yet", "never measured"}};
	struct config_language en = {.code = "en"};
	struct config c = {.languages = &en, .nlanguages = 1, .word = word, .nwords = 1};
	put_titles(m);
	m->c[0][WARP].variant_title = "not measured yet";
	assert_string_equal(number_view_title(&c, &n, &m->arena),
	                    "Scan: a warp, 8 elements, f32, cold cache, h200");
	n.newest = 2; /* no run publishes it: the newest says what it is, in the site's words */
	assert_string_equal(number_view_title(&c, &n, &m->arena),
	                    "Scan: never measured, 8 elements, f32, cold cache, h200");
}

static void hardware_is_the_gpu_or_the_cpu(void **state)
{
	(void)state;
	struct run r = {.head.machine.cpu = "Synthetic CPU"};
	assert_string_equal(number_view_hardware(&r), "Synthetic CPU");
	r.head.gpu.name = "Synthetic GPU";
	assert_string_equal(number_view_hardware(&r), "Synthetic GPU");
}

static void each_kind_has_its_words(void **state)
{
	struct made *m = *state;
	const struct data_spec hbm = {.title = "HBM3e bandwidth"};
	struct number n = {.metric = METRIC_BANDWIDTH,
	                   .pick = made_pick(m, 0, WARP),
	                   .over = made_pick(m, 0, BLOCK),
	                   .peak = &hbm};
	put_titles(m);
	n.kind = NUMBER_VALUE;
	const char *plain = number_view_words(&n, &m->arena);
	assert_string_equal(plain, "Bandwidth");
	n.kind = NUMBER_SHARE_SPEC;
	assert_string_equal(number_view_words(&n, &m->arena),
	                    "Bandwidth, share of HBM3e bandwidth (theoretical)");
	n.kind = NUMBER_SHARE_MEASURED;
	assert_string_equal(number_view_words(&n, &m->arena),
	                    "Bandwidth, share of a block (measured)");
	n.kind = NUMBER_RATIO;
	assert_string_equal(number_view_words(&n, &m->arena), "Bandwidth over a block");
	m->c[0][BLOCK].dtype = "f16"; /* other conditions are named, as another family is */
	m->c[0][BLOCK].family = "copy";
	m->c[0][BLOCK].family_title = "Copy";
	assert_string_equal(number_view_words(&n, &m->arena),
	                    "Bandwidth over Copy, a block (8 elements, f16, cold cache)");
}

static void only_an_interval_has_a_range(void **state)
{
	struct made *m = *state;
	struct number n = {.value = 4.312e12, .lo = 4.309e12, .hi = 4.315e12, .si = "B/s"};
	assert_string_equal(number_view_range(&n, &m->arena), "4.3090–4.3150\u00a0TB/s");
	assert_string_equal(number_view_plain(&n, &m->arena), "4.312\u00a0TB/s");
	n.lo = n.hi = n.value;
	assert_null(number_view_range(&n, &m->arena));
}

/* --- from the processes --- */

enum { LAUNCHES = 4 };

struct launches {
	struct run_launch l[LAUNCHES];
	const struct run_launch *all[LAUNCHES];
	int64_t sample[2];
	struct number_view v;
};

/* Processes with two samples of ten calls: 1.0, 1.2, 1.4 and 1.6 GHz. */
static void put_launches(struct made *m, struct launches *x)
{
	*x = (struct launches){.sample = {1000, 1000}};
	for (int i = 0; i < LAUNCHES; i++) {
		const int64_t mhz = 1000 + 200 * i;
		x->l[i] = (struct run_launch){.status = "ok",
		                              .before.passed = true,
		                              .after.passed = true,
		                              .batch = 10,
		                              .sample_ns = x->sample,
		                              .nsamples = 2,
		                              .sm_clock_mhz = {mhz, mhz, mhz},
		                              .energy_mj = 4000,
		                              .sm_cycles = RECORD_NONE,
		                              .sm_cycles_ns = RECORD_NONE};
		x->all[i] = &x->l[i];
	}
	m->d[0][WARP].time.typical = 1e-6;
	x->v = (struct number_view){.site = &m->site,
	                            .a = &m->arena,
	                            .p = made_pick(m, 0, WARP),
	                            .has = true,
	                            .launch = x->all,
	                            .nlaunches = LAUNCHES};
}

static bool near(double got, double want)
{
	return got > want * (1 - 1e-9) && got < want * (1 + 1e-9);
}

static void cycles_follow_from_the_median_clock(void **state)
{
	struct made *m = *state;
	struct launches x;
	double cycles, mhz;
	bool counted;
	put_launches(m, &x);
	assert_true(number_view_cycles(&x.v, &cycles, &mhz, &counted));
	assert_true(near(mhz, 1300) && near(cycles, 1300));
	assert_false(counted); /* by the driver */
	x.l[3].status = "wrong";
	assert_true(number_view_cycles(&x.v, &cycles, &mhz, &counted));
	assert_true(near(mhz, 1200));
	for (int i = 0; i < LAUNCHES; i++) {
		x.l[i].sm_cycles = 1500;
		x.l[i].sm_cycles_ns = 1000;
	}
	assert_true(number_view_cycles(&x.v, &cycles, &mhz, &counted));
	assert_true(counted && near(mhz, 1500));
	x.l[0].sm_cycles = x.l[0].sm_cycles_ns = RECORD_NONE; /* one by the driver */
	assert_true(number_view_cycles(&x.v, &cycles, &mhz, &counted));
	assert_false(counted);
}

static void without_a_clock_there_are_no_cycles(void **state)
{
	struct made *m = *state;
	struct launches x;
	double cycles, mhz;
	bool counted;
	put_launches(m, &x);
	x.v.has = false;
	assert_false(number_view_cycles(&x.v, &cycles, &mhz, &counted));
	x.v.has = true;
	for (int i = 0; i < LAUNCHES; i++)
		x.l[i].sm_clock_mhz[1] = RECORD_NONE;
	assert_false(number_view_cycles(&x.v, &cycles, &mhz, &counted));
}

/* 4 J over two samples of ten calls; a process that recorded none does not count. */
static void energy_is_that_of_one_call(void **state)
{
	struct made *m = *state;
	struct launches x;
	double joules;
	size_t n;
	put_launches(m, &x);
	assert_true(number_view_energy(&x.v, &joules, &n));
	assert_int_equal(n, LAUNCHES);
	assert_true(near(joules, 0.2));
	x.l[0].energy_mj = RECORD_NONE;
	x.l[1].status = "timeout";
	x.l[2].energy_mj = 8000;
	assert_true(number_view_energy(&x.v, &joules, &n));
	assert_int_equal(n, 2);
	assert_true(near(joules, 0.3));
	x.v.has = false;
	assert_false(number_view_energy(&x.v, &joules, &n));
	x.v.has = true;
	for (int i = 0; i < LAUNCHES; i++)
		x.l[i].energy_mj = RECORD_NONE;
	assert_false(number_view_energy(&x.v, &joules, &n));
	assert_int_equal(n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, made_setup, made_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_title_has_no_measured_digit),
	        TEST(hardware_is_the_gpu_or_the_cpu),
	        TEST(each_kind_has_its_words),
	        TEST(only_an_interval_has_a_range),
	        TEST(cycles_follow_from_the_median_clock),
	        TEST(without_a_clock_there_are_no_cycles),
	        TEST(energy_is_that_of_one_call),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
