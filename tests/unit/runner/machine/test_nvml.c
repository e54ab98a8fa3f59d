/* Readings of a GPU while samples run, from a fake library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>

#include "runner/machine/nvml.c" /* to fill a struct nvml with functions of ours */

#include "runner/base/clock.h"

/* A device that draws 700 W, and whose counter moves every tenth of a second. */
struct made_up {
	int64_t reads, slow_ns; /* slow_ns: what a reading takes */
	atomic_int looks;       /* readings of a clock */
};

static int read_energy(void *dev, unsigned long long *mj)
{
	struct made_up *gpu = dev;
	gpu->reads++;
	nanosleep(&(struct timespec){.tv_nsec = gpu->slow_ns}, NULL);
	*mj = (unsigned long long)(clock_ns() / 100000000 * 70000);
	return 0;
}

static int read_clock(void *dev, int what, unsigned *mhz)
{
	atomic_fetch_add(&((struct made_up *)dev)->looks, 1);
	*mhz = what == NVML_CLOCK_SM ? 1980 : 3201;
	return 0;
}

/* Watches for `ms` and until a clock was read; returns the number of energy readings. */
static int64_t watched(int64_t expected_ns, int ms, int64_t slow_ns, struct run_launch *l)
{
	struct made_up gpu = {.slow_ns = slow_ns};
	struct nvml n = {.dev = {&gpu}, .ndev = 1, .energy = read_energy, .clock = read_clock};
	struct watch *w = calloc(1, sizeof *w);
	assert_non_null(w);
	assert_true(watch_start(w, &n, expected_ns));
	do
		nanosleep(&(struct timespec){.tv_nsec = ms * 1000000l}, NULL);
	while (!atomic_load(&gpu.looks));
	watch_stop(w, l);
	free(w);
	return gpu.reads;
}

static void short_windows_do_not_pay_for_the_energy(void **state)
{
	(void)state;
	struct run_launch l;
	assert_int_equal(watched(30000000, 20, 0, &l), 0);
	assert_true(l.energy_mj == RECORD_NONE);
	assert_int_equal(l.sm_clock_mhz[1], 1980);
	assert_int_equal(l.memory_clock_mhz, 3201);
}

static void long_windows_have_it(void **state)
{
	(void)state;
	struct run_launch l;
	int tries = 0;
	do { /* on a busy machine steps may be seen too late */
		assert_true(watched(500000000, 520, 0, &l) > 2);
	} while (l.energy_ns == 0 && ++tries < 20);
	/* three steps or more, and the power is right to one per cent or so */
	assert_true(l.energy_ns > 250000000 && l.energy_mj >= 3 * 70000);
	double watt = (double)l.energy_mj * 1e6 / (double)l.energy_ns;
	assert_true(watt > 700 * 0.97 && watt < 700 * 1.03);
}

/* Steps that are seen too late have no time: then it is the whole window, in whole steps. */
static void slow_readings_say_less(void **state)
{
	(void)state;
	struct run_launch l;
	watched(1000000000, 620, 30000000, &l);
	assert_int_equal(l.energy_ns, 0);
	assert_int_equal(l.energy_mj % 70000, 0);
	assert_true(l.energy_mj >= 5 * 70000);
}

/* The energy counter moves too rarely for windows shorter than half a second. */
static void windows_that_end_early_have_none(void **state)
{
	(void)state;
	struct run_launch l;
	int64_t took;
	do { /* on a busy machine the window may become too long: try again */
		took = clock_ns();
		watched(1000000000, 20, 0, &l);
		took = clock_ns() - took;
	} while (took > 200000000);
	assert_true(l.energy_mj == RECORD_NONE);
}

/* --- several GPUs --- */

static int read_number(void *dev, unsigned *v)
{
	*v = *(unsigned *)dev;
	return 0;
}

static int read_kind(void *dev, int what, unsigned *v)
{
	(void)what;
	return read_number(dev, v);
}

static int read_bits(void *dev, unsigned long long *v)
{
	*v = *(unsigned *)dev;
	return 0;
}

static int no_answer(void *dev, unsigned *v)
{
	(void)dev;
	*v = 7;
	return 1;
}

static void readings_of_several_are_joined(void **state)
{
	(void)state;
	unsigned one = 1980, other = 1755;
	struct nvml n = {
	        .dev = {&one, &other}, .ndev = 2, .clock = read_kind, .reasons = read_bits};
	assert_int_equal(get_of(read_kind, &n, 0, LEAST), 1755);
	assert_int_equal(get_of(read_kind, &n, 0, MOST), 1980);
	assert_int_equal(get_u32(read_number, &n, SUM), 1980 + 1755);
	assert_int_equal(get_u64(read_bits, &n, ANY), 1980 | 1755);
	assert_true(get_u32(no_answer, &n, SUM) == RECORD_NONE);
	assert_int_equal(nvml_sm_clock(&n), 1755);
	assert_false(nvml_is_fast(&n, 1980));
}

/* Four lanes between two GPUs of eight that are up each, and a third behind a switch. */
struct linked {
	unsigned bus;
	int direct; /* its first links lead to bus 1 */
};

static int link_state(void *dev, unsigned link, int *active)
{
	(void)dev;
	*active = link < 8;
	return link < 12 ? 0 : 1;
}

static int link_remote(void *dev, unsigned link, struct pci_info *out)
{
	const struct linked *l = dev;
	*out = (struct pci_info){.bus = (int)link < l->direct ? 1 : 99};
	return 0;
}

static int p2p(void *from, void *to, int what, int *status)
{
	(void)from;
	*status = what == 2 && ((struct linked *)to)->bus != 3 ? 0 : 4;
	return 0;
}

static void lanes_are_counted(void **state)
{
	(void)state;
	struct linked gpu[] = {{2, 4}, {1, 0}, {3, 0}};
	struct facts f = {.gpus = 3};
	struct nvml n = {.dev = {&gpu[0], &gpu[1], &gpu[2]},
	                 .ndev = 3,
	                 .link_state = link_state,
	                 .link_remote = link_remote,
	                 .p2p = p2p};
	for (int g = 0; g < 3; g++)
		snprintf(f.gpu[g].pci, sizeof f.gpu[g].pci, "0000:%02x:00.0", gpu[g].bus);
	nvml_links(&n, &f);
	assert_int_equal(f.gpu[0].nvlink_lanes, 8);
	assert_int_equal(f.link[0][1].nvlink_lanes, 4);
	assert_int_equal(f.link[1][0].nvlink_lanes, 8);
	assert_int_equal(f.link[0][2].nvlink_lanes, 0);
	assert_int_equal(f.link[0][0].nvlink_lanes, 0);
}

static void without_a_library_nothing_is_known(void **state)
{
	(void)state;
	struct watch *w = calloc(1, sizeof *w);
	struct run_launch l = {0};
	assert_non_null(w);
	assert_false(watch_start(w, NULL, 1000000000));
	watch_stop(w, &l);
	assert_true(l.sm_clock_mhz[0] == RECORD_NONE && l.energy_mj == RECORD_NONE);
	assert_true(nvml_recovered(NULL, 1980));
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(short_windows_do_not_pay_for_the_energy),
	        cmocka_unit_test(long_windows_have_it),
	        cmocka_unit_test(slow_readings_say_less),
	        cmocka_unit_test(windows_that_end_early_have_none),
	        cmocka_unit_test(readings_of_several_are_joined),
	        cmocka_unit_test(lanes_are_counted),
	        cmocka_unit_test(without_a_library_nothing_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
