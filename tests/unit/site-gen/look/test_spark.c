/* The small bars of a post in lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/look/spark.h"
#include "site-gen/numbers/number.h"
#include "tests/unit/help/synthetic_repo.h"

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

/* In the page's order, as a page has them. */
static const struct quote *in_order(struct quote *newest)
{
	struct quote *out = NULL;
	while (newest) {
		struct quote *next = newest->next;
		newest->next = out;
		out = newest;
		newest = next;
	}
	return out;
}

/* The drawing of a page with these placeholders, in the arena; NULL: none. */
static const char *spark(const char *const *inside, size_t n)
{
	struct sb to = {0};
	repo.ctx.quotes = NULL;
	repo.ctx.blocks = 0;
	for (size_t i = 0; i < n; i++)
		repo_expand(&repo, inside[i], true);
	bool drawn = spark_draw(in_order(repo.ctx.quotes), &to);
	const char *out = str_dup(&repo.arena, sb_view(&to));
	sb_free(&to);
	assert_int_equal(drawn, *out != '\0');
	return drawn ? out : NULL;
}

static int count(const char *text, const char *part)
{
	int n = 0;
	for (const char *at = text; (at = strstr(at, part)); at++)
		n++;
	return n;
}

#define LADDER "ladder transpose/{naive,tile,padded,cublas} rows=16384 dtype=f32 cache=cold"

static void a_ladder_is_drawn_in_its_order(void **state)
{
	(void)state;
	const char *const page[] = {"value gemv/warp:m=1", LADDER};
	const char *svg = spark(page, 2);
	assert_non_null(svg);
	const char *own = strstr(svg, "class=\"own\" x=\"0\""),
	           *best = strstr(svg, "class=\"best\" x=\"24\""),
	           *lib = strstr(svg, "class=\"lib\" x=\"36\"");
	if (!own || !best || !lib)
		fail_msg("%s", svg);
	assert_int_equal(count(svg, "<rect"), 4);
	assert_int_equal(count(svg, "class=\"best\""), 1);
	assert_non_null(strstr(svg, "<path")); /* the peak, above all bars */
}

static void of_times_the_shortest_is_best(void **state)
{
	(void)state;
	const char *const page[] = {LADDER " metric=time"};
	const char *svg = spark(page, 1);
	assert_non_null(svg);
	assert_non_null(strstr(svg, "class=\"best\" x=\"24\""));
}

static void the_first_figure_that_fits_is_taken(void **state)
{
	(void)state;
	const char *const two[] = {"ladder transpose/{naive,tile} rows=16384 dtype=f32 cache=cold"};
	const char *const then[] = {two[0], LADDER};
	const char *const sentence[] = {"value gemv/warp:m=1", "value gemv/warp:m=4",
	                                "value gemv/warp:m=16"};
	assert_null(spark(two, 1));
	assert_non_null(spark(then, 2));
	assert_null(spark(sentence, 3));
	assert_null(spark(NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_ladder_is_drawn_in_its_order),
	        cmocka_unit_test(of_times_the_shortest_is_best),
	        cmocka_unit_test(the_first_figure_that_fits_is_taken),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
