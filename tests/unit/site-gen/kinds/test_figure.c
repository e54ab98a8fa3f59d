/* Names of figures: they depend on the figure, and not on what stands above it. */
#include "site-gen/kinds/figure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct arena arena;

static int drop(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static const char *name(const char *inside, const char *device)
{
	struct placeholder p;
	struct err e = ERR_NONE;
	const char *text = arena_printf(&arena, "<<bench:%s>>", inside);
	if (!placeholder_parse(str_of(text), (struct loc){"x.md", 1, 1}, &p, &e))
		fail_msg("%s", e.text);
	return figure_name(&p, device, &arena);
}

static void a_label_is_the_name(void **state)
{
	(void)state;
	assert_string_equal(name("plot scan/* x=n id=fig-sizes title=\"A b\"", NULL), "fig-sizes");
	assert_string_equal(name("plot scan/* x=n id=fig-sizes", "h200"), "fig-sizes-h200");
}

static void else_the_placeholder_makes_it(void **state)
{
	(void)state;
	assert_string_equal(name("plot stream/{vector,ahead} x=n op=copy", NULL),
	                    "plot-stream-vector-ahead-x-n-op-copy");
	assert_string_equal(name("ladder transpose/*:dtype=BF16", NULL),
	                    "ladder-transpose-dtype-bf16");
	assert_string_equal(name("across scan/* device=h100", NULL), "across-scan-device-h100");
	assert_string_equal(name("across scan/* device=h100", "h100"), "across-scan-h100");
}

/* A finding may be worded anew, and a series may come into focus. */
static void words_do_not_count(void **state)
{
	(void)state;
	const char *plain = name("plot scan/* x=n", NULL);
	assert_string_equal(name("plot scan/* title=\"Faster\" focus=cub x=n", NULL), plain);
	assert_string_equal(name("plot scan/* names=\"a b; c\" x=n", NULL), plain);
}

static void long_names_end_with_a_whole_word(void **state)
{
	(void)state;
#define A "a12345678901234567890"
#define B "b12345678901234567890"
#define C "c12345678901234567890"
	assert_string_equal(name("plot " A "/{" B "," C "} x=n op=copy cache=hot", NULL),
	                    "plot-" A "-" B "-" C "-x-n-op-copy-cache-hot");
	assert_string_equal(name("plot " A "/{" B "," C "} x=n op=copy cache=a-b-c-d-e", NULL),
	                    "plot-" A "-" B "-" C "-x-n-op-copy-cache-a-b-c-d");
}

static void names_stand_once_on_a_page(void **state)
{
	(void)state;
	struct expand_ctx ctx = {.arena = &arena, .blocks = 3};
	assert_string_equal(figure_begin(&ctx, "plot-a")->name, "plot-a");
	assert_string_equal(figure_begin(&ctx, "plot-a")->name, "plot-a-2");
	assert_string_equal(figure_begin(&ctx, "plot-a")->name, "plot-a-3");
	assert_string_equal(figure_begin(&ctx, "plot")->name, "plot");
	assert_int_equal(ctx.blocks, 7);
	assert_string_equal(figure_find(ctx.figures, 5)->name, "plot-a-2");
	assert_null(figure_find(ctx.figures, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_label_is_the_name),
	        cmocka_unit_test(else_the_placeholder_makes_it),
	        cmocka_unit_test(words_do_not_count),
	        cmocka_unit_test(long_names_end_with_a_whole_word),
	        cmocka_unit_test(names_stand_once_on_a_page),
	};
	return cmocka_run_group_tests(tests, NULL, drop);
}
