/* Former addresses of a page: which are kept, and where an old anchor goes. */
#include "site-gen/site/aliases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/page.h"
#include "tests/unit/help/bare_site.h"

#define BODY "<h2 id=\"one\">One</h2><p id=\"para-2\">x</p><h2 id=\"two\" class=\"c\">Two</h2>"

/* A page with two headings, its process and the result. */
struct kept {
	struct arena arena;
	struct maker m;
	struct md_heading heading[2];
	struct page page;
	struct err e;
};

/* Keeps these aliases of a new page; false if one is refused. */
static bool keep(struct kept *k, const char **alias, size_t n)
{
	struct front f = {.aliases = alias, .naliases = n, .aliases_at = {"front", 4, 10}};
	k->m.shared = &k->arena;
	k->heading[0].id = "one";
	k->heading[1].id = "two";
	k->page = (struct page){.path = "content/posts/x.md"};
	k->page.text.body = STR(BODY);
	k->page.text.headings = k->heading;
	k->page.text.nheadings = ARRAY_LEN(k->heading);
	k->e = (struct err)ERR_NONE;
	return aliases_keep(&k->m, &k->page, &f, &k->e);
}

static void paths_are_kept(void **state)
{
	(void)state;
	struct kept k = {0};
	const char *alias[] = {"/posts/old-name/", "/2024/Old_1.html"};
	assert_true(keep(&k, alias, 2));
	assert_int_equal(k.page.front.naliases, 2);
	assert_string_equal(k.page.front.aliases[0], "/posts/old-name/");
	assert_string_equal(k.page.front.aliases[1], "/2024/Old_1.html");
	assert_true(str_is(k.page.text.body, BODY));
	arena_free(&k.arena);
}

static void an_old_anchor_goes_to_its_heading(void **state)
{
	(void)state;
	struct kept k = {0};
	const char *alias[] = {"#was-two #two", "/posts/old/", "#a&b  #one"};
	assert_true(keep(&k, alias, 3));
	assert_int_equal(k.page.front.naliases, 1);
	assert_true(
	        str_is(k.page.text.body,
	               "<h2 id=\"one\"><span id=\"a&amp;b\"></span>One</h2><p id=\"para-2\">x</p>"
	               "<h2 id=\"two\" class=\"c\"><span id=\"was-two\"></span>Two</h2>"));
	arena_free(&k.arena);
}

static void what_is_refused(void **state)
{
	(void)state;
	static const char *const shape[] = {
	        "posts/old/", "/",           "/posts/old",   "/posts//old/", "/posts/../old/",
	        "/.git/",     "/posts/a b/", "/old.html?a/", "#old",         "#old new",
	        "#old #",     "# #two",      "#old #one two"};
	static const struct {
		const char *alias, *said;
	} taken[] = {
	        {"#one #two", "anchor 'one' in 'aliases' is taken"},
	        {"#para-2 #two", "anchor 'para-2' in 'aliases' is taken"},
	        {"#old #three",
	         "'#old #three' in 'aliases', but no heading has the anchor 'three'"},
	        {"#old #para-2",
	         "'#old #para-2' in 'aliases', but no heading has the anchor 'para-2'"},
	};
	struct kept k = {0};
	for (size_t i = 0; i < ARRAY_LEN(shape); i++) {
		const char *alias[] = {shape[i]};
		assert_false(keep(&k, alias, 1));
		assert_string_equal(
		        k.e.text,
		        arena_printf(&k.arena,
		                     "content/posts/x.md:4:10: '%s' in 'aliases', expected a path "
		                     "like /posts/old/ or \"#old-anchor #new-anchor\"",
		                     shape[i]));
	}
	for (size_t i = 0; i < ARRAY_LEN(taken); i++) {
		const char *alias[] = {taken[i].alias};
		assert_false(keep(&k, alias, 1));
		assert_string_equal(k.e.text, arena_printf(&k.arena, "content/posts/x.md:4:10: %s",
		                                           taken[i].said));
		assert_true(str_is(k.page.text.body, BODY));
	}
	const char *twice[] = {"#old #one", "#old #two"}; /* the first has taken it */
	assert_false(keep(&k, twice, 2));
	arena_free(&k.arena);
}

/* A fragment survives where scripts run; a refresh beside the script would lose it. */
static void a_redirect_keeps_the_fragment(void **state)
{
	struct bare *b = *state;
	struct site_asset script = {"redirect.js", "/static/redirect.js?h=1"};
	struct page *target = bare_page(b, "post", "/posts/new/", "content/posts/new.md");
	struct page from = {.subject = target, .text.lang = "en"};
	struct sb plain = {0}, with = {0};
	struct err e = ERR_NONE;
	assert_true(aliases_bytes(&b->maker, &from, &plain, &e));
	assert_non_null(strstr(plain.p, "<meta http-equiv=\"refresh\" content=\"0; "
	                                "url=/posts/new/\">\n</head>"));
	assert_non_null(strstr(plain.p, "<a href=\"/posts/new/\">https://example.org/posts/new/"));
	assert_null(strstr(plain.p, "<script"));
	b->site.repo.assets = &script;
	b->site.repo.nassets = 1;
	assert_true(aliases_bytes(&b->maker, &from, &with, &e));
	assert_non_null(strstr(with.p, "<script src=\"/static/redirect.js?h=1\" defer></script>\n"
	                               "<noscript><meta http-equiv=\"refresh\" content=\"0; "
	                               "url=/posts/new/\"></noscript>"));
	sb_free(&plain);
	sb_free(&with);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(paths_are_kept),
	        cmocka_unit_test(an_old_anchor_goes_to_its_heading),
	        cmocka_unit_test(what_is_refused),
	        cmocka_unit_test_setup_teardown(a_redirect_keeps_the_fragment, bare_setup,
	                                        bare_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
