/* Roofs from a device's own facts; clock and energy from a launch record. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/ceilings/ceilings.h"
#include "lib/record.h"
#include "lib/units.h"
#include "runner/plan/roof.h"
#include "tests/unit/help/faulty.h"

/* 1000 bits at 1 GHz on both edges: 250 GB/s. Ten SMs at 1 GHz. */
static const struct facts machine = {.capability = "9.0",
                                     .bus_bits = 1000,
                                     .memory_clock_max_mhz = 1000,
                                     .sms = 10,
                                     .sm_clock_max_mhz = 1000};

static void roofs_follow_from_facts(void **state)
{
	(void)state;
	struct facts none = {.capability = "9.0",
	                     .bus_bits = RECORD_NONE,
	                     .memory_clock_max_mhz = 1000,
	                     .sms = 10,
	                     .sm_clock_max_mhz = RECORD_NONE};
	assert_true(fabs(roof_memory(&machine) - 250e9) < 1);
	assert_true(fabs(roof_caches(&machine) - 128 * 10e9) < 1);
	const struct kernel_model fp32 = {.unit = "fp32"}, powers = {.op = "power of two"};
	const struct kernel_model barriers = {.op = "barrier"}, nothing = {0};
	assert_true(fabs(roof_operations(&machine, &fp32) - 256 * 10e9) < 1);
	assert_true(fabs(roof_operations(&machine, &powers) - 16 * 10e9) < 1);
	assert_true(roof_operations(&machine, &barriers) == 0);
	assert_true(roof_operations(&machine, &nothing) == 0);
	assert_true(roof_memory(&none) == 0 && roof_caches(&none) == 0);
	assert_true(roof_operations(&none, &fp32) == 0);
}

/* Bytes over NVLink: each direction for itself, and only where the lanes are known. */
static void a_link_has_two_directions(void **state)
{
	(void)state;
	struct facts two = machine, none = machine;
	two.gpus = none.gpus = 2;
	two.gpu[0].nvlink_lanes = 18;
	none.gpu[0].nvlink_lanes = RECORD_NONE;
	const struct kernel_model link = {.level = "nvlink"}, memory = {.level = "hbm"}, no = {0};
	assert_true(fabs(roof_link(&two) - 450e9) < 1);
	assert_true(roof_link(&none) == 0 && roof_link(&machine) == 0);
	assert_true(roof_is_link(&link) && !roof_is_link(&memory) && !roof_is_link(&no));
	two.sms = 132; /* as many as the caches need */
	size_t n;
	const struct kernel_family *const *f = kernel_ceilings(&n);
	struct item it = {0};
	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i]->id, "ceiling-peer") == 0)
			it.family = f[i];
	assert_non_null(it.family);
	it.variant = &it.family->variants[0];
	char why[200];
	for (size_t i = 0; i < it.family->ncases; i++) {
		it.kcase = &it.family->cases[i];
		double bytes = 4 * (double)kernel_num(it.kcase, "n");
		assert_true(roof_allows(&two, &it, bytes / 450e9, 0, why, sizeof why));
		assert_false(roof_allows(&two, &it, bytes / 460e9, 0, why, sizeof why));
		assert_non_null(strstr(why, "the lanes of NVLink allow 4.5e+11"));
		assert_true(roof_allows(&none, &it, bytes / 460e9, 0, why, sizeof why));
	}
}

/* n = 4096: 4096 operations, 32 KiB */
static bool allowed_on(const struct facts *f, double seconds, struct way way,
                       enum kernel_where where, char why[200])
{
	struct kernel_variant v = {.where = where};
	struct item it = {
	        .family = &faulty_family, .variant = &v, .kcase = &faulty_cases[1], .way = way};
	return roof_allows(f, &it, seconds, 0, why, 200);
}

static bool allowed(double seconds, struct way way, enum kernel_where where, char why[200])
{
	return allowed_on(&machine, seconds, way, where, why);
}

static void beyond_a_roof_is_no_result(void **state)
{
	(void)state;
	const struct way cold = {.cold = true}, hot = {0}, host = {.host = true};
	const double memory = 32768 / 250e9, caches = 32768 / 1280e9;
	char why[200];
	assert_true(allowed(memory, cold, KERNEL_CUDA, why));
	assert_true(allowed(memory * 0.995, cold, KERNEL_CUDA, why)); /* within reading errors */
	assert_false(allowed(memory * 0.9, cold, KERNEL_CUDA, why));
	assert_non_null(strstr(why, "B/s of memory"));
	assert_non_null(strstr(why, "2.5e+11"));
	assert_true(allowed(memory * 0.9, hot, KERNEL_CUDA, why)); /* the caches serve it */
	assert_false(allowed(caches * 0.9, hot, KERNEL_CUDA, why));
	assert_non_null(strstr(why, "128 bytes a clock"));
	assert_true(allowed(caches * 0.9, host, KERNEL_CUDA, why)); /* moves nothing */
	assert_true(allowed(caches * 0.1, hot, KERNEL_CPU, why));   /* no roof is known */
}

/* A cache keeps as much from the last call as fits; the rest comes from memory. */
static void what_a_cache_cannot_keep_comes_from_memory(void **state)
{
	(void)state;
	const struct way cold = {.cold = true}, hot = {0};
	const double memory = 32768 / 250e9;
	struct facts quarter = machine, whole = machine;
	char why[200];
	quarter.cache_bytes = 8192;
	whole.cache_bytes = 32768;
	assert_true(allowed_on(&whole, memory * 0.5, hot, KERNEL_CUDA, why));
	assert_true(allowed_on(&quarter, memory * 0.75, hot, KERNEL_CUDA, why));
	assert_false(allowed_on(&quarter, memory * 0.7, hot, KERNEL_CUDA, why));
	assert_non_null(strstr(why, "B/s of memory"));
	assert_false(allowed_on(&quarter, memory * 0.75, cold, KERNEL_CUDA, why));
}

/* An SM may run above the highest clock that the driver names; what it counted holds then. */
static void the_clock_may_be_above_the_driver_s(void **state)
{
	(void)state;
	const struct kernel_variant v = {.where = KERNEL_CUDA};
	const struct item it = {.family = &faulty_family, .variant = &v, .kcase = &faulty_cases[1]};
	const double nominal = 32768 / 1280e9, faster = nominal / 1.023;
	char why[200];
	assert_false(roof_allows(&machine, &it, faster, 0, why, sizeof why));
	assert_non_null(strstr(why, "128 bytes a clock"));
	assert_true(roof_allows(&machine, &it, faster, 1.023e9, why, sizeof why));
	assert_false(roof_allows(&machine, &it, nominal / 1.05, 1.023e9, why, sizeof why));
	/* a lower clock than the driver's is the average of a window, and no bound */
	assert_true(roof_allows(&machine, &it, nominal, 0.5e9, why, sizeof why));
	struct facts unknown = machine;
	unknown.sm_clock_max_mhz = RECORD_NONE;
	assert_true(roof_allows(&unknown, &it, nominal / 2, 1e9, why, sizeof why));
}

static struct run_launch launch_of(int64_t *ns, size_t n)
{
	return (struct run_launch){.status = "ok",
	                           .before = {.passed = true},
	                           .after = {.passed = true},
	                           .batch = 10,
	                           .sample_ns = ns,
	                           .nsamples = n,
	                           .sm_clock_mhz = {1800, 1900, 1980},
	                           .energy_mj = RECORD_NONE,
	                           .sm_cycles = RECORD_NONE,
	                           .sm_cycles_ns = RECORD_NONE};
}

static void the_clock_is_what_was_counted(void **state)
{
	(void)state;
	int64_t ns[4] = {1000, 1000, 1000, 1000};
	struct run_launch l = launch_of(ns, 4);
	double hz;
	assert_true(record_launch_clock(&l, &hz) && hz == 1900e6); /* the driver's median */
	l.sm_cycles = 1700;
	l.sm_cycles_ns = 1000;
	assert_true(record_launch_clock(&l, &hz) && fabs(hz - 1700e6) < 1);
	l.sm_cycles_ns = 0;
	assert_true(record_launch_clock(&l, &hz) && hz == 1900e6);
	l.sm_clock_mhz[1] = RECORD_NONE;
	assert_false(record_launch_clock(&l, &hz));
}

/* A clock that falls between two groups: each sample counts by its own. */
static void cycles_go_by_the_group(void **state)
{
	(void)state;
	int64_t ns[5] = {1000, 1000, 1000, 1500, 1500}; /* of ten calls each */
	struct run_group group[2] = {{3, 6000, 3000}, {2, 4000, 3000}};
	struct run_launch l = launch_of(ns, 5);
	double hz, cycles;
	l.sm_cycles = 10000;
	l.sm_cycles_ns = 6000;
	assert_true(record_launch_cycles(&l, &cycles));
	assert_true(fabs(cycles - 100 * 1.0 / 0.6) < 1e-6); /* the mean clock is neither's */
	l.group = group;
	l.ngroups = 2;
	assert_true(record_launch_clock(&l, &hz) && fabs(hz - 2e9) < 1);
	assert_true(record_launch_cycles(&l, &cycles) && fabs(cycles - 200) < 1e-9);
	group[0].samples = 2; /* the third sample now belongs to the slow clock */
	group[1].samples = 3;
	assert_true(record_launch_clock(&l, &hz) && fabs(hz * 3 - 4e9) < 1);
	l.status = "wrong";
	assert_false(record_launch_cycles(&l, &cycles));
}

static void energy_is_a_call_s(void **state)
{
	(void)state;
	int64_t ns[4] = {1000, 1000, 1000, 1000};
	struct run_launch l = launch_of(ns, 4);
	double joules;
	assert_false(record_launch_energy(&l, &joules));
	l.energy_mj = 80000;
	assert_true(record_launch_energy(&l, &joules) && fabs(joules - 2) < 1e-12);
	l.status = "wrong";
	assert_false(record_launch_energy(&l, &joules));
}

static bool read_as(enum metric m, const struct run_case *c, const struct run_launch *l,
                    double want)
{
	double v;
	struct run_reading reading = record_launch_reading(l);
	assert_true(metric_is_read(m));
	if (!metric_of_launch(m, c, &reading, 2e-6, &v)) /* 2 µs a call */
		return false;
	assert_true(fabs(v - want) <= 1e-9 * want);
	return true;
}

static void what_a_launch_read_is_a_metric(void **state)
{
	(void)state;
	int64_t ns[4] = {1000, 1000, 1000, 1000};
	struct run_launch l = launch_of(ns, 4);
	struct run_case c = {.model = {.flop = 1000, .bytes_read = 300, .bytes_written = 100}};
	struct run_pair host = {.name = "side", .word = "host"};
	double v;
	assert_false(read_as(METRIC_CLOCK, &c, &l, 0)); /* only the driver told it */
	assert_false(read_as(METRIC_ENERGY, &c, &l, 0));
	l.sm_cycles = 1700;
	l.sm_cycles_ns = 1000;
	l.energy_mj = 80; /* 2 mJ a call */
	assert_true(read_as(METRIC_CLOCK, &c, &l, 1.7e9));
	assert_true(read_as(METRIC_CYCLES, &c, &l, 3400));
	assert_true(read_as(METRIC_ENERGY, &c, &l, 2e-3));
	assert_true(read_as(METRIC_POWER, &c, &l, 1000));
	assert_false(read_as(METRIC_FLOPCLOCK, &c, &l, 0)); /* on how many SMs? */
	c.sms = 2;
	assert_true(read_as(METRIC_FLOPCLOCK, &c, &l, 1000.0 / 3400 / 2));
	assert_true(read_as(METRIC_FLOPCOST, &c, &l, 2e-6));
	assert_true(read_as(METRIC_BYTECOST, &c, &l, 5e-6));
	l.before.norm = -1; /* before schema 1.2 */
	assert_false(read_as(METRIC_ERROR, &c, &l, 0));
	l.before.norm = 0; /* exact */
	assert_false(read_as(METRIC_ERROR, &c, &l, 0));
	l.before.norm = 1.66e-3;
	assert_true(read_as(METRIC_ERROR, &c, &l, 1660));
	assert_false(metric_is_read(METRIC_TIME) || metric_is_read(METRIC_INTENSITY));
	/* a peak's unit names the metric that it bounds; that of power has to be asked for */
	assert_true(metric_of_unit("FLOP/clk/SM") == metric_info(METRIC_FLOPCLOCK));
	assert_true(metric_of_unit("B/s") == metric_info(METRIC_BANDWIDTH));
	assert_null(metric_of_unit("W"));
	assert_false(metric_of_launch(METRIC_TIME, &c, &(struct run_reading){0}, 2e-6, &v));
	c.model.op = "barrier"; /* operations that are no FLOPs */
	assert_false(read_as(METRIC_FLOPCOST, &c, &l, 0));
	assert_false(read_as(METRIC_FLOPCLOCK, &c, &l, 0));
	c.param[0] = host;
	c.nparams = 1; /* the device's part is not what was timed */
	assert_false(read_as(METRIC_CYCLES, &c, &l, 0));
	assert_false(read_as(METRIC_ENERGY, &c, &l, 0));
}

/* The energy counter moves every tenth of a second; those of cycles and time always run. */
static void the_energy_is_known_to_a_step_of_its_counter(void **state)
{
	(void)state;
	int64_t ns[4] = {250000000, 250000000, 250000000, 250000000};
	struct run_launch four = launch_of(ns, 4), two = launch_of(ns, 2), zero = launch_of(ns, 0);
	struct run_reading second = record_launch_reading(&four),
	                   half = record_launch_reading(&two), none = record_launch_reading(&zero);
	assert_true(fabs(metric_step(METRIC_ENERGY, &second) - 0.1) < 1e-12);
	assert_true(fabs(metric_step(METRIC_POWER, &half) - 0.2) < 1e-12);
	assert_true(metric_step(METRIC_BYTECOST, &none) == 1);
	assert_true(metric_step(METRIC_CLOCK, &second) == 0);
	assert_true(metric_step(METRIC_TIME, &second) == 0);
}

static void a_call_s_energy_has_small_prefixes(void **state)
{
	(void)state;
	struct unit_text u;
	double scale;
	unit_format(0.97e-12, 0.05e-12, "J/FLOP", &u);
	assert_string_equal(u.number, "0.970");
	assert_string_equal(u.unit, "pJ/FLOP");
	unit_format(0.5677, 0.02, "J", &u);
	assert_string_equal(u.number, "568");
	assert_string_equal(u.unit, "mJ");
	unit_format(2.1184e6, 1e4, "cycles", &u);
	assert_string_equal(u.number, "2.12");
	assert_string_equal(u.unit, "Mcycles");
	assert_true(unit_parse(STR("pJ/FLOP"), "J/FLOP", &scale) && scale == 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(roofs_follow_from_facts),
	        cmocka_unit_test(a_link_has_two_directions),
	        cmocka_unit_test(beyond_a_roof_is_no_result),
	        cmocka_unit_test(what_a_cache_cannot_keep_comes_from_memory),
	        cmocka_unit_test(the_clock_may_be_above_the_driver_s),
	        cmocka_unit_test(the_clock_is_what_was_counted),
	        cmocka_unit_test(cycles_go_by_the_group),
	        cmocka_unit_test(energy_is_a_call_s),
	        cmocka_unit_test(what_a_launch_read_is_a_metric),
	        cmocka_unit_test(the_energy_is_known_to_a_step_of_its_counter),
	        cmocka_unit_test(a_call_s_energy_has_small_prefixes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
