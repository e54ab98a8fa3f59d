/* Typed numbers of imported posts: when they are listed instead of refused, and how. */
#include "site-gen/site/imported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/base/front.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/numbers/number.h"
#include "tests/unit/help/bare_site.h"

#define SOURCE "content/posts/x.md"

/* Two numbers, and a message about something else, newest first. */
static const struct traced_found waiver = {.at = {SOURCE, 9, 1}, .what = "waives nothing"},
                                 one = {.at = {SOURCE, 5, 3},
                                        .what = "'3 ms' is a hand-typed number",
                                        .text = {"3 ms", 4}},
                                 two = {.at = {SOURCE, 7, 2},
                                        .what = "'2x' is a hand-typed number",
                                        .text = {"2x", 2},
                                        .next = (struct traced_found *)&one};

static const char *say(struct bare *b, struct page *p, const char *imported,
                       const struct traced_found *found)
{
	const struct front f = {.imported = imported};
	imported_say(&b->maker, p, &f, found);
	imported_end(&b->maker, p);
	return bare_said(b);
}

static void typed_numbers_are_one_warning(void **state)
{
	struct bare *b = *state;
	struct page p = {.path = SOURCE, .text.body = STR("<p>x</p>\n")};
	const char *said = say(b, &p, "old/x.md", &two);
	assert_non_null(
	        strstr(said, SOURCE ":5:1: warning: an imported post with typed numbers (2, "));
	assert_null(strstr(said, "hand-typed"));
	assert_int_equal(p.source.ntyped, 2);
	assert_string_equal(p.source.typed[0].text, "3 ms");
	assert_string_equal(p.source.typed[1].text, "2x");
}

static void the_post_says_so_at_its_end(void **state)
{
	struct bare *b = *state;
	struct page p = {.path = SOURCE, .text.body = STR("<p>x</p>\n")};
	say(b, &p, "old/x.md", &two);
	assert_true(str_starts(p.text.body, "<p>x</p>\n<p class=\"imported fine\">Imported: "));
	assert_non_null(memmem(p.text.body.p, p.text.body.n, "/waivers/#site-imported\">", 25));
	struct page none = {.path = SOURCE, .text.body = STR("<p>x</p>\n")};
	assert_string_equal(say(b, &none, "old/x.md", NULL), "");
	assert_true(str_is(none.text.body, "<p>x</p>\n"));
}

static void other_posts_and_other_findings_stay_errors(void **state)
{
	struct bare *b = *state;
	struct page p = {.path = SOURCE}, other = {.path = SOURCE};
	assert_string_equal(say(b, &p, NULL, &one),
	                    SOURCE ":5:3: '3 ms' is a hand-typed number [traced]\n");
	assert_string_equal(say(b, &other, "old/x.md", &waiver),
	                    SOURCE ":9:1: waives nothing [traced]\n");
	assert_int_equal(p.source.ntyped + other.source.ntyped, 0);
}

/* Beside measured numbers a reader could not tell which ones were typed. */
static void a_post_that_shows_records_is_not_excused(void **state)
{
	struct bare *b = *state;
	struct quote quote = {0};
	struct page p = {.path = SOURCE, .numbers.quotes = &quote};
	assert_non_null(strstr(say(b, &p, "old/x.md", &one),
	                       "'imported' does not excuse typed ones [traced]"));
	assert_int_equal(p.source.ntyped, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(typed_numbers_are_one_warning, bare_setup,
	                                        bare_teardown),
	        cmocka_unit_test_setup_teardown(the_post_says_so_at_its_end, bare_setup,
	                                        bare_teardown),
	        cmocka_unit_test_setup_teardown(other_posts_and_other_findings_stay_errors,
	                                        bare_setup, bare_teardown),
	        cmocka_unit_test_setup_teardown(a_post_that_shows_records_is_not_excused,
	                                        bare_setup, bare_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
