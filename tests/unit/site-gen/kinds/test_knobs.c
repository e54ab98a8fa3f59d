/*
 * The cases of a sweep: who finds them, what a plot over a knob has, and where it marks the chosen
 * value. All numbers are SYNTHETIC.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/kinds/kinds.h"
#include "tests/unit/help/synthetic_rows.h"

enum { MIB = 1 << 20 };

/* A case of a family: its variant, its time in µs, and, if `of` has a name, its value. */
#define ROW(kin, which, us, of, value)                                                    \
	{                                                                                 \
		.family = kin, .variant = which, .role = "kernel", .metric = "bandwidth", \
		.param = {{"n", NULL, MIB}, {of, NULL, value}}, .nparams = (of) ? 2 : 1,  \
		.dtype = "f32", .cache = "hot",                                           \
		.model = {.bytes_read = 8 * MIB, .level = "cache"}, .seconds = (us)*1e-6
#define PLAIN(which, us)                  \
	ROW("copies", which, us, NULL, 0) \
	}
#define SLOTS(us, value)                                                         \
	ROW("copies", "ring", us, "slots", value), .knob = {"slots", "slots", 6} \
	}
#define AHEAD(us, value)                                                                    \
	ROW("copies", "ahead", us, "reach", value), .knob = {"reach", "bytes", 3 * MIB / 2} \
	}
#define DEEP(us, value)                                                          \
	ROW("copies", "deep", us, "depth", value), .knob = {"depth", "tiles", 3} \
	}

#define LONE(us, value)                                                        \
	ROW("lone", "ring", us, "slots", value), .knob = {"slots", "slots", 6} \
	}

static const struct synthetic_row rows[] = {
        PLAIN("ring", 10),   PLAIN("tile", 20), SLOTS(40, 2),       SLOTS(20, 4),
        SLOTS(10, 6),        SLOTS(10, 7),      AHEAD(30, MIB / 4), AHEAD(10, 3 * MIB / 2),
        AHEAD(20, 16 * MIB), PLAIN("deep", 10), DEEP(20, 2),        DEEP(30, 4),
        LONE(10, 6),         LONE(20, 2),
};

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic s = repo_run(&repo, RUN_C);
	repo_add_rows(&repo, &s, rows, ARRAY_LEN(rows));
	repo_commit(&repo);
	repo_load(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static const char *text_of(const char *inside)
{
	return repo_expand(&repo, inside, false);
}

static const char *page_of(const char *inside)
{
	return repo_expand(&repo, inside, true);
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.2000s", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%.2000s", part, text);
}

static void near(double got, double want)
{
	if (!(fabs(got - want) <= 0.005 * fabs(want)))
		fail_msg("got %g, expected %g", got, want);
}

static void a_sweep_is_meant_where_its_knob_is_named(void **state)
{
	(void)state;
	near(strtod(text_of("value copies/ring metric=time"), NULL), 10);
	near(strtod(text_of("value copies/ring slots=2 metric=time"), NULL), 40);
	contains(text_of("value copies/ring slots=* metric=time"), "slots= (2, 4, 6, 7)");
	contains(text_of("value copies/ring slots=3"), "expected one of 2, 4, 6, 7");
	contains(text_of("value copies/tile slots=2"), "slots");
	assert_string_equal(text_of("count cases copies"), "3");
	assert_string_equal(text_of("count cases copies slots=*"), "4");
	assert_string_equal(text_of("count cases copies/ring slots=2,6"), "2");
	lacks(page_of("ladder copies"), "slots");
}

/* A knob is of one variant: beside another one, a case of the sweep is the same case without it. */
static void ratios_over_other_variants_leave_the_knob(void **state)
{
	(void)state;
	near(strtod(text_of("ratio copies/ring slots=2 over=copies/tile metric=time"), NULL), 2);
	near(strtod(text_of("ratio copies/ring slots=2 over=copies/ring:slots=6 metric=time"),
	            NULL),
	     4);
}

static void a_plot_over_a_knob_marks_the_chosen_value(void **state)
{
	(void)state;
	const char *plot = page_of("plot copies/ring x=slots roof=none title=\"A ring\"");
	contains(plot, "class=\"chosen\"");
	contains(plot, ">chosen: 6</text>");
	contains(plot, "; chosen: 6. "); /* for screen readers */
	contains(plot, "slots\xC2\xA0=\xC2\xA0"
	               "7");
	contains(plot, ">Slots of the ring</text>");
	/* the rest of the site has none */
	lacks(page_of("plot copies/{ring,tile} roof=none title=\"No sweep\""), "chosen");
}

static void knobs_have_units(void **state)
{
	(void)state;
	const char *bytes = page_of("plot copies/ahead x=reach roof=none title=\"Bytes\"");
	contains(bytes, ">chosen: 1.5\xC2\xA0MiB</text>");
	contains(bytes, ">reach, KiB</text>");
	/* the chosen value has no case, but lies between two that have one */
	const char *tiles = page_of("plot copies/deep x=depth roof=none title=\"Tiles\"");
	contains(tiles, ">depth, tiles</text>");
	contains(tiles, ">chosen: 3</text>");
}

/* The pages of families show no sweeps, so a family that was only swept has none. */
static void a_sweep_alone_makes_no_family(void **state)
{
	(void)state;
	bool copies = false;
	for (size_t i = 0; i < repo.data.families.n; i++) {
		copies = copies || strcmp(repo.data.families.all[i].id, "copies") == 0;
		assert_string_not_equal(repo.data.families.all[i].id, "lone");
	}
	assert_true(copies);
	near(strtod(text_of("value lone/ring slots=2 metric=time"), NULL), 20);
}

/* No case of the variant has the knob. */
static void an_x_that_nobody_sweeps_is_an_error(void **state)
{
	(void)state;
	contains(page_of("plot copies/tile x=slots roof=none title=\"None\""), "slots");
	lacks(page_of("plot copies/tile x=slots roof=none title=\"None\""), "<svg");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_sweep_is_meant_where_its_knob_is_named),
	        cmocka_unit_test(ratios_over_other_variants_leave_the_knob),
	        cmocka_unit_test(a_plot_over_a_knob_marks_the_chosen_value),
	        cmocka_unit_test(knobs_have_units),
	        cmocka_unit_test(a_sweep_alone_makes_no_family),
	        cmocka_unit_test(an_x_that_nobody_sweeps_is_an_error),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
