/* The drawing of clocks: which series have a legend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/diagram/clock.h"

static struct arena arena;

/* The drawing of n series, with these names. */
static const char *drawn(const char *const *name, int n)
{
	struct clock_line line[CLOCK_MOST_SERIES] = {0};
	struct clock k = {.line = line};
	struct sb to = {0};
	struct canvas c = {.to = &to, .a = &arena};
	for (int i = 0; i < n; i++) {
		line[i] = (struct clock_line){.n = 2, .series = i, .phase = CLOCK_SAMPLES};
		line[i].point[0] = (struct clock_point){0, 1.2e9};
		line[i].point[1] = (struct clock_point){1, 1.4e9};
		k.name[k.nnames++] = name[i];
		k.n++;
	}
	clock_draw(&c, &k, &(struct canvas_said){"id", "title", "desc"});
	return sb_take(&arena, &to);
}

/* A swatch says nothing where there is one series, which has no name. */
static void one_series_has_no_legend(void **state)
{
	(void)state;
	const char *svg = drawn((const char *[]){""}, 1);
	assert_non_null(strstr(svg, "<path class=\"trace trace-0\""));
	assert_null(strstr(svg, "<rect"));
}

static void several_series_are_named(void **state)
{
	(void)state;
	const char *svg = drawn((const char *[]){"zeros", "uniform"}, 2);
	assert_non_null(strstr(svg, "<rect class=\"trace-0\""));
	assert_non_null(strstr(svg, "<rect class=\"trace-1\""));
	assert_non_null(strstr(svg, ">zeros</text>"));
	assert_non_null(strstr(svg, ">uniform</text>"));
}

static int free_all(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(one_series_has_no_legend),
	        cmocka_unit_test(several_series_are_named),
	};
	return cmocka_run_group_tests(tests, NULL, free_all);
}
