/* Rule `unmarked`: which numbers a title may not show, and what to show instead. */
#include "site-gen/site/unmarked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/help/made_site.h"

/* Checks the page's quotes and facts as those of its title. */
static const char *title(struct made *m)
{
	struct expand_ctx ctx = {.data = &m->data,
	                         .arena = &m->arena,
	                         .quotes = m->page.numbers.quotes,
	                         .facts = m->page.numbers.facts};
	unmarked_check(&ctx, NULL, NULL, "the title", &m->problems);
	return made_said(m);
}

#define SHOWS_WARP \
	MADE_PATH ":2:3: the title shows 4.31 TB/s, and '" MADE_WARP "' of run " MADE_NEW " is "
#define SINGLE "no run has one, so measure the case again, or show another number [unmarked]\n"
#define BOTH                                                                                    \
	"no run has both cases without one, so measure them again in one run, or show another " \
	"number [unmarked]\n"
#define OLDER "that of run " MADE_OLD " has none, so leave out run= [unmarked]\n"

/* Does a figure that shows only this number break the rule? */
static bool breaks(const struct number *n)
{
	const struct quote q = {.n = *n, .figure = 1};
	return unmarked_figure_breaks(&q, 1);
}

static void each_mark_breaks_the_rule(void **state)
{
	struct made *m = *state;
	struct number n = {.pick = made_pick(m, 0, WARP)};
	const char **why = m->d[0][WARP].why;
	for (int s = DATA_OK + 1; s < DATA_STATE_COUNT; s++) {
		why[s] = "so";
		assert_int_equal(breaks(&n), s != DATA_PREVIEW && s != DATA_SAME_CODE);
		why[s] = NULL;
	}
	assert_false(breaks(&n));
	why[DATA_STALE] = why[DATA_PREVIEW] = "so"; /* --strict refuses it as a preview */
	assert_false(breaks(&n));
}

static void a_ratio_has_two_cases(void **state)
{
	struct made *m = *state;
	struct number n = {.pick = made_pick(m, 0, WARP), .over = made_pick(m, 0, BLOCK)};
	assert_false(breaks(&n));
	m->d[0][BLOCK].why[DATA_UNSTEADY] = "so";
	assert_true(breaks(&n));
	m->d[0][WARP].why[DATA_PREVIEW] = "so"; /* hides only its own case's marks */
	assert_true(breaks(&n));
}

/* A case in several states is reported once, for the worst that readers must know. */
static void the_worst_mark_is_named(void **state)
{
	struct made *m = *state;
	const char **why = m->d[0][WARP].why;
	made_quote(m, 0, WARP, 2);
	m->d[1][WARP].why_none = "a check failed";
	why[DATA_SUPERSEDED] = "a newer run";
	assert_string_equal(title(m), SHOWS_WARP "superseded: a newer run. Expected a number "
	                                         "without a mark: " SINGLE);
	why[DATA_UNSTEADY] = "4 launches";
	why[DATA_STALE] = "scan.cu has changed";
	assert_string_equal(title(m), SHOWS_WARP "stale: scan.cu has changed. Expected a number "
	                                         "without a mark: " SINGLE);
	why[DATA_WITHDRAWN] = "taken back";
	assert_string_equal(title(m), SHOWS_WARP "withdrawn: taken back. Expected a number "
	                                         "without a mark: " SINGLE);
}

static void another_run_is_offered_only_if_it_is_better(void **state)
{
	struct made *m = *state;
	static const char so[] = SHOWS_WARP "stale: so. Expected a number without a mark: ";
	const char *older = arena_printf(&m->arena, "%s%s", so, OLDER);
	const char *none = arena_printf(&m->arena, "%s%s", so, SINGLE);
	made_quote(m, 0, WARP, 2);
	m->d[0][WARP].why[DATA_STALE] = "so";
	assert_string_equal(title(m), older);
	m->d[1][WARP].why[DATA_UNSTEADY] = "so";
	assert_string_equal(title(m), none);
	m->d[1][WARP].why[DATA_UNSTEADY] = NULL;
	m->d[1][WARP].why_none = "a check failed";
	assert_string_equal(title(m), none);
	m->d[1][WARP].why_none = NULL;
	m->run[1].why_none = "not whole";
	assert_string_equal(title(m), none);
	m->run[1].why_none = NULL;
	m->run[1].run.head.device = "h100";
	assert_string_equal(title(m), none);
	m->run[1].run.head.device = "h200";
	m->c[1][WARP].id = "scan/warp:n=9,dtype=f32,cache=cold";
	assert_string_equal(title(m), none);
}

/* Both cases of a ratio come from one run; if they come from two, only the first is replaced. */
static void the_advice_for_a_ratio(void **state)
{
	struct made *m = *state;
	static const char so[] = SHOWS_WARP "stale: so. Expected a number without a mark: ";
	const char *older = arena_printf(&m->arena, "%s%s", so, OLDER);
	const char *none = arena_printf(&m->arena, "%s%s", so, BOTH);
	struct quote *q = made_quote(m, 0, WARP, 2);
	q->n.over = made_pick(m, 0, BLOCK);
	m->d[0][WARP].why[DATA_STALE] = "so";
	assert_string_equal(title(m), older);
	m->d[1][BLOCK].why[DATA_STALE] = "so";
	assert_string_equal(title(m), none);
	q->n.over = made_pick(m, 1, BLOCK);
	assert_string_equal(title(m), none);
	m->d[1][BLOCK].why[DATA_STALE] = NULL;
	assert_string_equal(title(m), older);
}

/* A text begins where the text before it ended: older quotes and facts are not its own. */
static void only_its_own_numbers_are_checked(void **state)
{
	struct made *m = *state;
	struct quote *before = made_quote(m, 0, WARP, 2);
	struct fact old = {.not_of = made_pick(m, 0, WARP), .text = "7 GB", .at = {"x.md", 2, 1}};
	struct fact spec = {.text = "4.8 TB/s", .at = {"x.md", 3, 1}, .next = &old};
	struct fact new = {.not_of = made_pick(m, 0, BLOCK),
	                   .text = "9 GB",
	                   .at = {"x.md", 3, 9},
	                   .next = &spec};
	m->d[0][WARP].why[DATA_STALE] = "so";
	made_quote(m, 1, WARP, 3);
	struct expand_ctx ctx = {.data = &m->data,
	                         .arena = &m->arena,
	                         .quotes = m->page.numbers.quotes,
	                         .facts = &new};
	unmarked_check(&ctx, before, &old, "the description", &m->problems);
	assert_string_equal(made_said(m),
	                    "x.md:3:9: the description shows 9 GB, a counter of another build than "
	                    "what run " MADE_NEW " measured. Expected a number without a mark: "
	                    "profile '" MADE_BLOCK "' again, or show another number [unmarked]\n");
	unmarked_check(&ctx, NULL, &old, "the description", &m->problems);
	assert_non_null(strstr(made_said(m), ":2:3: the description shows 4.31 TB/s"));
}

static void a_figure_is_known_by_its_number(void **state)
{
	struct made *m = *state;
	m->d[0][WARP].why[DATA_STALE] = "so";
	made_quote(m, 0, WARP, 2)->figure = 2;
	made_quote(m, 1, WARP, 2)->figure = 1;
	assert_false(unmarked_figure_breaks(m->page.numbers.quotes, 1));
	assert_true(unmarked_figure_breaks(m->page.numbers.quotes, 2));
	assert_false(unmarked_figure_breaks(m->page.numbers.quotes, 3));
	assert_false(unmarked_figure_breaks(NULL, 2));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, made_setup, made_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(each_mark_breaks_the_rule),
	        TEST(a_ratio_has_two_cases),
	        TEST(the_worst_mark_is_named),
	        TEST(another_run_is_offered_only_if_it_is_better),
	        TEST(the_advice_for_a_ratio),
	        TEST(only_its_own_numbers_are_checked),
	        TEST(a_figure_is_known_by_its_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
