/*
 * NUMBER_FORMAT is the version of number formatting. This test keeps, for each version, a hash of
 * the texts of a grid of values and of the intervals of fixed samples. A change of either
 * without a new version would silently change published digits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "lib/stats.h"
#include "lib/units.h"

/* Add a line when NUMBER_FORMAT is raised; never change an older one. */
static const struct {
	const char *version, *sha256;
} known[] = {
        {"1", "f63e4a46cb6d07b4063405c60236d0275691a44d014b00d957f6d4f16c146657"},
};

/* Values from 0 to huge, each exact, and with half-widths from 10 ppm to a half. */
static void print_texts(struct sb *to)
{
	static const char *const si[] = {"s", "B/s", "FLOP/s", "Hz", "J", "W", "%", "×", "FLOP/B"};
	static const double value[] = {0,      1,     1.005,  2.5,     9.995,    9.9995, 12.345,
	                               99.95,  123.4, 999.5,  1000,    4.3125e3, 65536,  3.36e-6,
	                               1.5e-9, 0.001, 0.0625, 1.25e12, 9.87e14,  -3.5};
	static const double width[] = {0, 1e-5, 9.6e-4, 0.003, 0.0149, 0.05, 0.5};
	for (size_t u = 0; u < ARRAY_LEN(si); u++)
		for (size_t v = 0; v < ARRAY_LEN(value); v++)
			for (size_t w = 0; w < ARRAY_LEN(width); w++) {
				struct unit_text t;
				unit_format(value[v], width[w] * value[v], si[u], &t);
				sb_printf(to, "%s %s %d\n", t.number, t.unit, t.decimals);
			}
}

/* Summaries of medians as a run has them, to seven digits. */
static void print_intervals(struct sb *to)
{
	static const size_t node[24];
	double x[24], y[24];
	for (size_t n = 2; n <= ARRAY_LEN(x); n++) {
		for (size_t i = 0; i < n; i++)
			x[i] = 1e-3 * (1 + 0.01 * (double)((i * 7 + n) % 11));
		for (size_t i = 0; i < n; i++)
			y[i] = 2e-3 * (1 + 0.01 * (double)((i * 5 + n) % 13));
		struct stats_summary t = stats_over_nodes(x, node, n),
		                     r = stats_paired_ratio(x, y, n);
		sb_printf(to, "%.6e %.6e %.6e\n", t.typical, t.lo, t.hi);
		sb_printf(to, "%.6e %.6e %.6e\n", r.typical, r.lo, r.hi);
	}
}

static void the_version_stands_for_the_texts(void **state)
{
	(void)state;
	struct sb all = {0};
	char hex[HASH_SHA256_HEX + 1];
	print_texts(&all);
	print_intervals(&all);
	hash_sha256(sb_view(&all), hex);
	sb_free(&all);
	size_t last = ARRAY_LEN(known) - 1;
	assert_string_equal(known[last].version, NUMBER_FORMAT);
	if (strcmp(known[last].sha256, hex) != 0)
		fail_msg("numbers are printed otherwise: raise NUMBER_FORMAT in lib/units.h, and "
		         "add "
		         "{\"version\", \"%s\"} here",
		         hex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_version_stands_for_the_texts)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
