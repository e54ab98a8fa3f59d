/* What readers of feeds get of a post's markup. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/str.h"
#include "site-gen/files/feed_inner.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

static void gives(struct str body, struct sb *got)
{
	static const struct config c = {.base_url = "https://x.example", .base = ""};
	struct config with = c;
	with.base = with.base_url + strlen(with.base_url);
	const struct page p = {.url = "/posts/a/", .text = {.title = "A & B", .body = body}};
	struct arena a = {0};
	struct site s = {.arena = &a, .config = &with};
	struct maker m = {.site = &s};
	const struct str text = feed_content(&m, &p);
	assert_ptr_equal(feed_content(&m, &p).p, text.p); /* made once */
	sb_str(got, text);
	sb_put(got, "", 0);
	arena_free(&a);
}

static void shrinks(void **state)
{
	static const char *const cases[][2] = {
	        {"<p id=\"para-1\" class=\"x\">One.</p>", "<p>One.</p>"},
	        {"<h2 id=\"a\">A <a class=\"anchor\" href=\"#a\">#</a></h2>", "<h2>A</h2>"},
	        {"<p><a class=\"num\" href=\"/numbers/x/\" title=\"4\">4.3 "
	         "TB/s<sup class=\"mark\">noisy</sup></a></p>",
	         "<p>4.3 TB/s<sup>noisy</sup></p>"},
	        {"<p><a class=\"out\" href=\"/x/\">x</a></p>",
	         "<p><a href=\"https://x.example/x/\">x</a></p>"},
	        {"<figure class=\"bench plot\" id=\"b3\"><figcaption>Figure 1: <strong "
	         "class=\"finding\">It falls</strong> <span class=\"about\">m over "
	         "n</span></figcaption><svg><text>9</text></svg></figure>",
	         "<p><a href=\"https://x.example/posts/a/#b3\">Figure 1: <strong>It "
	         "falls</strong></a></p>\n"},
	        {"<figure class=\"bench table\" id=\"b4\"><figcaption>T. <a href=\"/r/\">run</a>"
	         "</figcaption><table><tr><td>1</td></tr></table></figure>",
	         "<p><a href=\"https://x.example/posts/a/#b4\">T. run</a></p>\n"},
	        {"<details class=\"exact\"><p>9</p></details><div class=\"code\"><pre>a<span "
	         "class=\"k\">b</span></pre></div>",
	         "<pre>ab</pre>"},
	        {"<figure><img src=\"a.png\" alt=\"a\" loading=\"lazy\"></figure>",
	         "<figure><img src=\"https://x.example/posts/a/a.png\" alt=\"a\"></figure>"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sb got = {0};
		gives(str_of(cases[i][0]), &got);
		assert_string_equal(got.p, cases[i][1]);
		sb_free(&got);
	}
}

static void ends_after_a_whole_block(void **state)
{
	enum { MANY = 4000 };
	static const char end[] = "<p><a href=\"https://x.example/posts/a/\">A &amp; B</a></p>\n";
	struct sb body = {0}, got = {0};
	(void)state;
	for (int i = 0; i < MANY; i++)
		sb_cstr(&body, "<p>A <em>word</em>.</p>\n");
	gives(sb_view(&body), &got);
	assert_true(got.n > 15000 && got.n < 21000);
	assert_true(str_ends(sb_view(&got), end));
	got.n -= sizeof end - 1;
	assert_true(str_ends(str_trim(sb_view(&got)), "<p>A <em>word</em>.</p>"));
	sb_free(&body);
	sb_free(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(shrinks),
	                                   cmocka_unit_test(ends_after_a_whole_block)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
