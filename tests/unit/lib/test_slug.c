/* Names of devices as they stand in addresses. */
#include "lib/slug.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"

static void names(void **state)
{
	(void)state;
	static const struct {
		const char *prefix, *name, *want;
	} rows[] = {
	        {"", "NVIDIA H100 80GB HBM3", "h100-80gb-hbm3"},
	        {"", "h100-80gb-hbm3", "h100-80gb-hbm3"},
	        {"", "NVIDIA H200", "h200"},
	        {"cpu", "Intel(R) Xeon(R) Platinum 8480+ @ 2.00GHz",
	         "cpu-intel-xeon-platinum-8480"},
	        {"cpu", "AMD EPYC 9654 96-Core Processor", "cpu-amd-epyc-9654"},
	        {"cpu", "CPU", "cpu"},
	        {"", "", ""},
	        {"", "-core", "-core"}, /* five letters: no number before them */
	};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char out[64];
		slug_device(rows[i].prefix, rows[i].name, out, sizeof out);
		assert_string_equal(out, rows[i].want);
	}
}

/* Words that do not fit are dropped whole; a shorter one behind them may still fit. */
static void short_room(void **state)
{
	(void)state;
	char out[10];
	slug_device("", "H100 enormous PCIe", out, sizeof out);
	assert_string_equal(out, "h100-pcie");
	slug_device("cpu", "abcdef", out, sizeof out);
	assert_string_equal(out, "cpu");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(short_room)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
