/* A number in the words of its card: what over what, in what, and which way. */
#include "site-gen/files/number_said.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/made_site.h"

static struct number number_in(struct made *m, enum metric metric, enum number_kind kind)
{
	m->c[0][WARP].variant_title = "a warp";
	m->c[0][BLOCK].variant_title = "a block";
	return (struct number){.kind = kind,
	                       .metric = metric,
	                       .pick = made_pick(m, 0, WARP),
	                       .over = made_pick(m, 0, BLOCK)};
}

static void a_value_is_named(void **state)
{
	struct made *m = *state;
	struct number n = number_in(m, METRIC_BANDWIDTH, NUMBER_VALUE);
	assert_string_equal(number_said_text(NULL, &m->data, &n, &m->arena), "Bandwidth");
}

static void a_ratio_says_which_way(void **state)
{
	static const struct {
		enum metric metric;
		double lo, value, hi;
		const char *says;
	} row[] = {
	        {METRIC_BANDWIDTH, 1.2, 1.3, 1.4, "{1} the bandwidth of a block: faster"},
	        {METRIC_BANDWIDTH, 0.8, 0.9, 0.95, "{1} the bandwidth of a block: slower"},
	        {METRIC_TIME, 1.2, 1.3, 1.4, "{1} the time of a block: slower"},
	        {METRIC_TIME, 0.8, 0.9, 0.95, "{1} the time of a block: faster"},
	        {METRIC_TIME, 0.9, 1.1, 1.2, "{1} the time of a block: no difference seen"},
	        {METRIC_ENERGY, 1.2, 1.3, 1.4, "{1} the energy of a block"},
	};
	struct made *m = *state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		struct number n = number_in(m, row[i].metric, NUMBER_RATIO);
		n.lo = row[i].lo;
		n.value = row[i].value;
		n.hi = row[i].hi;
		assert_string_equal(number_said_text(NULL, &m->data, &n, &m->arena), row[i].says);
	}
}

static void a_share_says_of_what(void **state)
{
	const struct data_spec hbm = {.title = "HBM3e bandwidth", .value = 4.8e12, .si = "B/s"};
	struct made *m = *state;
	struct number n = number_in(m, METRIC_BANDWIDTH, NUMBER_SHARE_SPEC);
	n.peak = &hbm;
	assert_string_equal(number_said_text(NULL, &m->data, &n, &m->arena),
	                    "{1} of 4.8\u00a0TB/s, data sheet (HBM3e bandwidth)");
	n.kind = NUMBER_SHARE_MEASURED;
	assert_string_equal(number_said_text(NULL, &m->data, &n, &m->arena),
	                    "{1} of the bandwidth of a block, measured");
}

static void another_device_has_the_name_of_its_sheet(void **state)
{
	const char *const devices[] = {"h100-80gb", NULL};
	struct data_spec sheet = {.device = "h100", .devices = devices, .device_name = "H100"};
	struct made *m = *state;
	struct number n = number_in(m, METRIC_BANDWIDTH, NUMBER_RATIO);
	n.over = made_pick(m, 1, BLOCK);
	m->run[1].run.head.device = "h100-80gb";
	m->data.specs = &sheet;
	m->data.nspecs = 1;
	const char *says = number_said_other(NULL, &m->data, &n, "a block", &m->arena);
	n.over = made_pick(m, 0, BLOCK);
	m->data.nspecs = 0;
	assert_string_equal(says, "a block on H100");
	assert_string_equal(number_said_other(NULL, &m->data, &n, "a block", &m->arena), "a block");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, made_setup, made_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(a_value_is_named), TEST(a_ratio_says_which_way),
	                                   TEST(a_share_says_of_what),
	                                   TEST(another_device_has_the_name_of_its_sheet)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
