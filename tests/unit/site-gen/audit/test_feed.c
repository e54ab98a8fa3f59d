/* The audit of feeds: an entry repeats its post word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/audit/feed.h"
#include "site-gen/lint/lint.h"

static const char page[] =
        "<html><head><link rel=\"canonical\" href=\"https://x.example/posts/a/\"></head><body>"
        "<p>It reaches <a class=\"num\" href=\"/n/\">4.3 TB/s</a>,\nas <em>said</em>.</p>"
        "<svg><text>9</text></svg><ul><li>One</li></ul></body></html>";

/* A former address of the page. */
#define MOVED "<html><link rel=\"canonical\" href=\"https://x.example/posts/a/\"/></html>"

/* The problem that an entry causes; NULL: none. */
static const char *found_in(const char *url, const char *entry)
{
	static struct arena arena;
	arena_free(&arena);
	struct problems found = {.arena = &arena};
	struct audit a = {.found = &found, .records.a = &arena, .lint = lint_new(&arena)};
	audit_feed_page(&a, "posts/a/index.html", str_of(page));
	audit_feed_page(&a, "posts/former/index.html", STR(MOVED));
	audit_feed_entry(&a, (struct loc){"feed.xml", 3, 1}, str_of(url), str_of(entry));
	audit_feed_finish(&a);
	return found.first ? found.first->text : NULL;
}

static void test_entries(void **state)
{
	static const char url[] = "https://x.example/posts/a/";
	(void)state;
	assert_null(found_in(url, "<p>It reaches 4.3 TB/s, as said.</p><ul><li>One</li></ul>"));
	const char *other = found_in(url, "<p>It reaches 4.4 TB/s, as said.</p>");
	assert_non_null(other);
	assert_non_null(strstr(other, "feed.xml:3:1"));
	assert_non_null(strstr(other, "Itreaches4.4TB/s"));
	assert_non_null(found_in(url, "<p>9</p>")); /* a drawing is no text */
	assert_non_null(found_in("https://x.example/posts/b/", "<p>One</p>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_entries)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
