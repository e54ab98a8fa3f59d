/* Rule `traced` over front matter, settings and records: what is found, waived, and useless. */
#include "site-gen/site/traced.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "lib/array.h"
#include "site-gen/base/front.h"
#include "site-gen/markdown/markdown.h"
#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

#define SOURCE "content/posts/x.md"

static int setup(void **state)
{
	if (bare_setup(state) != 0)
		return -1;
	struct bare *b = *state;
	b->site.lint = lint_new(&b->arena);
	return 0;
}

/* Checks a page with this title, at line 2, and these waivers, from line 5. */
static const char *page(struct bare *b, struct page *p, const char *title,
                        const struct front_waive *waive, size_t n)
{
	struct front f = {.title = {str_of(title), {SOURCE, 2, 8}}, .nwaives = n};
	const struct md_doc d = {0};
	for (size_t i = 0; i < n; i++) {
		f.waive[i] = waive[i];
		f.waive[i].at = (struct loc){SOURCE, 5 + (int)i, 3};
	}
	*p = (struct page){.path = SOURCE};
	traced_page(&b->maker, p, &f, &d);
	return bare_said(b);
}

#define FASTER "Scans that are 3 times faster"

static void a_number_in_a_title_is_an_error(void **state)
{
	struct bare *b = *state;
	struct page p;
	const char *said = page(b, &p, FASTER, NULL, 0);
	assert_non_null(strstr(said, SOURCE ":2:23: '3 times faster'"));
	assert_non_null(strstr(said, "waive: [{rule: traced, in: title, why: \"…\"}] [traced]\n"));
	assert_null(p.source.waivers);
	assert_string_equal(page(b, &p, "Scans in one pass", NULL, 0), "");
	b->site.lint = NULL;
	assert_string_equal(page(b, &p, FASTER, NULL, 0), "");
}

/* A placeholder is no typed number, and what follows it keeps its place. */
static void a_placeholder_is_not_typed(void **state)
{
	struct bare *b = *state;
	struct page p;
	assert_string_equal(page(b, &p, "At <<bench:value x/y over 4 TB/s>> now", NULL, 0), "");
	assert_non_null(strstr(page(b, &p, "<<bench:value x/y>>, 3 times faster", NULL, 0),
	                       SOURCE ":2:29: '3 times faster'"));
}

static void a_waiver_keeps_what_it_waives(void **state)
{
	struct bare *b = *state;
	struct page p;
	const struct front_waive w[] = {{.rule = "traced", .in = "title", .why = "a joke"}};
	assert_string_equal(page(b, &p, FASTER, w, 1), "");
	const struct waiver *kept = p.source.waivers;
	assert_non_null(kept);
	assert_int_equal(kept->rule, RULE_TRACED);
	assert_string_equal(kept->in, "title");
	assert_string_equal(kept->why, "a joke");
	assert_string_equal(kept->text, FASTER);
	assert_string_equal(kept->at.path, SOURCE);
	assert_int_equal(kept->at.line, 5);
	assert_null(kept->next);
}

static void a_waiver_that_waives_nothing_is_an_error(void **state)
{
	struct bare *b = *state;
	struct page p;
	const struct front_waive w[] = {{.rule = "traced", .in = "description", .why = "x"}},
	                         all[] = {{.rule = "traced", .why = "x"}};
	assert_non_null(strstr(page(b, &p, "Scans", w, 1),
	                       SOURCE ":5:3: the waiver waives nothing, expected a number typed by "
	                              "hand in 'description' [traced]\n"));
	assert_non_null(
	        strstr(page(b, &p, "Scans", all, 1), SOURCE ":5:3: the waiver waives nothing"));
	b->site.lint = NULL;
	assert_string_equal(page(b, &p, "Scans", w, 1), "");
}

static void other_rules_are_waived_for_a_selector(void **state)
{
	struct bare *b = *state;
	struct page p;
	const struct front_waive w[] = {
	        {.rule = "whole", .in = "title", .why = "x"},
	        {.rule = "no such rule", .in = "title", .why = "x"},
	        {.rule = "steady", .why = "a shared machine"},
	        {.rule = "steady", .selector = "scan/*", .why = "a shared machine"},
	};
	assert_string_equal(page(b, &p, "Scans", w, ARRAY_LEN(w)), SOURCE
	                    ":5:3: no rule 'whole' that can be waived, expected traced, or steady "
	                    "with 'for: SELECTOR'\n" SOURCE
	                    ":6:3: no rule 'no such rule' that can be waived, expected traced, or "
	                    "steady with 'for: SELECTOR'\n" SOURCE
	                    ":7:3: waiver needs 'for: SELECTOR' [steady]\n");
	assert_int_equal(p.source.waivers->rule, RULE_STEADY);
	assert_string_equal(p.source.waivers->in, "scan/*");
	assert_null(p.source.waivers->text); /* site/strict.h finds it */
}

/* Waivers of the text follow in its order; Markdown has them newest first. */
static void waivers_of_the_text_are_kept(void **state)
{
	struct bare *b = *state;
	struct waiver first = {.rule = RULE_TRACED, .why = "one", .text = "a", .at.line = 9},
	              second = {.rule = RULE_TRACED, .why = "two", .text = "b", .next = &first};
	const struct md_doc d = {.waivers = &second};
	struct page p = {.path = SOURCE};
	traced_page(&b->maker, &p, &(struct front){0}, &d);
	const struct waiver *w = p.source.waivers;
	assert_string_equal(w->why, "one");
	assert_string_equal(w->in, "text");
	assert_string_equal(w->at.path, SOURCE);
	assert_int_equal(w->at.line, 9);
	assert_string_equal(w->next->why, "two");
	assert_null(w->next->next);
}

/* Lua keeps no places, so the file is searched for the text. */
static void settings_are_checked_where_they_stand(void **state)
{
	struct bare *b = *state;
	char here[4096];
	void *folder;
	struct config_word word[] = {{"en", "posts", "Posts, 5x faster"}};
	struct config_nav nav[] = {{.title = "Twice as fast", .url = "/"}};
	assert_int_equal(folder_setup(&folder), 0);
	struct folder *f = folder;
	folder_put(f, "content/site.lua", "return {\n\ttitle = \"3 times faster\",\n}\n");
	folder_put(f, "templates/words.lua", "return { en = { posts = \"Posts, 5x faster\" } }\n");
	b->config.title = b->language[EN].title = "3 times faster";
	b->config.word = word;
	b->config.nwords = 1;
	b->language[ZH].nav = nav;
	b->language[ZH].nnav = 1;
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(f->path), 0);
	traced_settings(&b->site, &b->problems);
	assert_int_equal(chdir(here), 0);
	folder_teardown(&folder);
	const char *said = bare_said(b);
	assert_non_null(strstr(said, "content/site.lua:2:11: '3 times faster'"));
	assert_non_null(strstr(said, "templates/words.lua:1:33: '5x'"));
	assert_non_null(strstr(said, "content/site.lua: 'Twice as fast'")); /* from elsewhere */
}

/* Several cases and runs share a text: it is listed for the newest. */
static void a_text_of_records_is_listed_once(void **state)
{
	struct bare *b = *state;
	struct run_case new[] = {{.family = "scan",
	                          .variant = "warp",
	                          .variant_title = "warp",
	                          .idea = "It is 3 times faster."}},
	                old[] = {{.family = "scan",
	                          .variant = "block",
	                          .family_title = "Scans at 4.1 TB/s",
	                          .idea = "It is 3 times faster."}};
	struct data_run run[] = {{.run = {.head.id = "new", .cases = new, .ncases = 1}},
	                         {.run = {.head.id = "old",
	                                  .head.reason = "it took 5 ms",
	                                  .cases = old,
	                                  .ncases = 1}}};
	size_t n;
	b->data.runs = run;
	b->data.nruns = 2;
	const struct traced_record *r = traced_records(&b->site, &b->arena, &n);
	assert_int_equal(n, 3);
	assert_string_equal(r[0].what, "idea");
	assert_string_equal(r[0].name, "scan/warp");
	assert_string_equal(r[0].text, "It is 3 times faster.");
	assert_string_equal(r[0].found, "3 times faster");
	assert_ptr_equal(r[0].run, &run[0]);
	assert_string_equal(r[1].what, "reason");
	assert_string_equal(r[1].name, "old");
	assert_string_equal(r[1].found, "5 ms");
	assert_string_equal(r[2].what, "title");
	assert_string_equal(r[2].name, "scan");
	b->site.lint = NULL;
	traced_records(&b->site, &b->arena, &n);
	assert_int_equal(n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_number_in_a_title_is_an_error),
	        TEST(a_placeholder_is_not_typed),
	        TEST(a_waiver_keeps_what_it_waives),
	        TEST(a_waiver_that_waives_nothing_is_an_error),
	        TEST(other_rules_are_waived_for_a_selector),
	        TEST(waivers_of_the_text_are_kept),
	        TEST(settings_are_checked_where_they_stand),
	        TEST(a_text_of_records_is_listed_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
