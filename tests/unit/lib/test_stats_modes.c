/* Two speeds: what is told apart from noise, and what is not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/stats.h"

/* Runs of tests: a pseudo-random number in (0, 1), the same on every machine. */
static double draw(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
	return sqrt(-2 * log(draw(state))) * cos(6.283185307179586 * draw(state));
}

static void two_speeds_are_found(void **state)
{
	(void)state;
	double m[12], mode[2];
	for (int i = 0; i < 12; i++)
		m[i] = (i % 3 ? 1.40e-3 : 1.28e-3) * (1 + 0.001 * (i % 4));
	assert_int_equal(stats_two_modes(m, 12, mode), 4);
	assert_true(fabs(mode[0] / 1.28e-3 - 1) < 0.004 && fabs(mode[1] / 1.40e-3 - 1) < 0.004);
	assert_true(m[0] < m[1] && m[3] < m[1]); /* the values stay as they were */
}

static void what_is_no_second_speed(void **state)
{
	(void)state;
	double m[10], mode[2];
	for (int i = 0; i < 10; i++)
		m[i] = i == 4 ? 2 : 1; /* one outlier */
	assert_int_equal(stats_two_modes(m, 10, mode), 0);
	for (int i = 0; i < 10; i++)
		m[i] = i < 5 ? 1 : 1.019; /* less than 2 % apart */
	assert_int_equal(stats_two_modes(m, 10, mode), 0);
	for (int i = 0; i < 10; i++)
		m[i] = i < 5 ? 1 : 1.021;
	assert_int_equal(stats_two_modes(m, 10, mode), 5);
	assert_int_equal(stats_two_modes(m, 9, mode), 0); /* too few to say */
	for (int i = 0; i < 10; i++)
		m[i] = 1 + 0.05 * i; /* a rising line */
	assert_int_equal(stats_two_modes(m, 10, mode), 0);
	for (int i = 0; i < 10; i++)
		m[i] = (i < 5 ? 1 : 1.1) + 0.015 * (i % 5); /* a gap no wider than the modes */
	assert_int_equal(stats_two_modes(m, 10, mode), 0);
}

/* The header's figures, with a scatter so wide that the 2 % never decide. */
static void noise_seldom_passes_for_two(void **state)
{
	(void)state;
	enum { TIMES = 20000 };
	uint64_t seed = 7;
	double m[12], mode[2];
	size_t ten = 0, twelve = 0, flat = 0;
	for (int t = 0; t < TIMES; t++) {
		for (int i = 0; i < 12; i++)
			m[i] = exp(0.5 * normal(&seed));
		ten += stats_two_modes(m, 10, mode) > 0;
		twelve += stats_two_modes(m, 12, mode) > 0;
		for (int i = 0; i < 10; i++)
			m[i] = exp(draw(&seed));
		flat += stats_two_modes(m, 10, mode) > 0;
	}
	assert_true(ten < TIMES / 500 && twelve < TIMES / 1500 && flat < TIMES / 80);
	assert_true(flat > 0); /* the test does see some */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(two_speeds_are_found),
	        cmocka_unit_test(what_is_no_second_speed),
	        cmocka_unit_test(noise_seldom_passes_for_two),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
