/* Where links lead, what the scanner sees, and absolute addresses for the feed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/files/feed.h"
#include "site-gen/site/links.h"
#include "site-gen/lua/config.h"
#include "lib/str.h"

static void leads_to(const char *page, const char *href, const char *path, const char *fragment)
{
	struct sb got = {0};
	struct str f;
	bool ok = links_resolve(page, str_of(href), &got, &f);
	if (!path) {
		assert_false(ok);
	} else {
		assert_true(ok);
		assert_string_equal(got.p, path);
		assert_true(str_is(f, fragment));
	}
	sb_free(&got);
}

static void resolving(void **state)
{
	(void)state;
	leads_to("/posts/a/", "/posts/b/", "/posts/b/", "");
	leads_to("/posts/a/", "../b/#x", "/posts/b/", "x");
	leads_to("/posts/a/", "fig.png", "/posts/a/fig.png", "");
	leads_to("/posts/a/", "./img/../fig.png?h=1#y", "/posts/a/fig.png", "y");
	leads_to("/posts/a/", "#here", "/posts/a/", "here");
	leads_to("/posts/a/", "?x", "/posts/a/", "");
	leads_to("/posts/a/", "/", "/", "");
	leads_to("/404.html", "x", "/x", "");
	leads_to("/posts/a/", "/tags/%C3%A9/", "/tags/\xc3\xa9/", "");
	leads_to("/tags/%C3%A9/", "#x", "/tags/\xc3\xa9/", "x");
	leads_to("/tags/%C3%A9/", "f.png", "/tags/\xc3\xa9/f.png", "");
	leads_to("/posts/a/", "/a%2", "/a%2", "");
	leads_to("/posts/a/", "%2e%2E/b/.%2e/c", "/posts/c", "");
	leads_to("/posts/a/", "/%2e%2e/x", NULL, NULL);
	leads_to("/posts/a/", "b%2f..%2fc", "/posts/a/b%2f..%2fc", "");
	leads_to("/posts/a/", "../../../x", NULL, NULL);
	leads_to("/", "/../x", NULL, NULL);
}

static void external(void **state)
{
	(void)state;
	assert_true(links_is_external(STR("https://x.org/")));
	assert_true(links_is_external(STR("mailto:a@b.c")));
	assert_true(links_is_external(STR("//x.org/")));
	assert_false(links_is_external(STR("/a:b")));
	assert_false(links_is_external(STR("#a:b")));
	assert_false(links_is_external(STR("a/b:c")));
	assert_false(links_is_external(STR("")));
}

static bool keep(void *ctx, enum links_attribute kind, struct str value)
{
	sb_printf(ctx, "%c:" STR_FMT " ", "ihs"[kind], STR_ARG(value));
	return true;
}

static void scans(const char *html, const char *wanted)
{
	struct sb got = {0};
	sb_cstr(&got, "");
	sb_char(&got, ' ');
	links_scan(str_of(html), keep, &got);
	assert_string_equal(got.p + 1, wanted);
	sb_free(&got);
}

static void scanning(void **state)
{
	(void)state;
	scans("<p id=\"a\">x <a class=\"b\" href=\"/x\">y</a><img src=\"z\" alt=\"\">",
	      "i:a h:/x s:z ");
	scans("text id=\"no\" href=\"no\" &lt;a href=\"no\"&gt; 1 < 2 href=\"no\"", "");
	scans("<a data-href=\"no\" title=\"> href=\" id=\"yes\">", "i:yes ");
	scans("<a href=\"open", "");
	scans("<", "");
	scans("", "");
}

static void absolute_addresses(void **state)
{
	struct config c = {.base_url = "https://x.org/blog"};
	struct sb got = {0};
	(void)state;
	c.base = c.base_url + strlen("https://x.org");
	feed_absolute(&got,
	              STR("<a href=\"/blog/posts/\">a</a><a href=\"#n\">b</a><img src=\"f.png\">"
	                  "<a href=\"https://y.org/\">c</a>/blog/ <p id=\"/blog/\">"),
	              &c, "/posts/a/");
	assert_string_equal(got.p, "<a href=\"https://x.org/blog/posts/\">a</a>"
	                           "<a href=\"https://x.org/blog/posts/a/#n\">b</a>"
	                           "<img src=\"https://x.org/blog/posts/a/f.png\">"
	                           "<a href=\"https://y.org/\">c</a>/blog/ <p id=\"/blog/\">");
	sb_free(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(resolving),
	        cmocka_unit_test(external),
	        cmocka_unit_test(scanning),
	        cmocka_unit_test(absolute_addresses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
