/* JSON-LD: what it says of each kind of page, and that it cannot end its script element. */
#include "lib/json.h"
#include "site-gen/files/structured.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site-gen/site/outputs.h"
#include "tests/unit/help/bare_site.h"

static const char *of(struct bare *b, const struct page *p)
{
	struct sb to = {0};
	outputs_begin(&b->site);
	for (size_t i = 0; i < b->site.pages.n; i++)
		assert_null(outputs_enter(&b->site, b->site.pages.all[i]));
	structured_page(&b->maker, p, &to);
	return to.n ? sb_take(&b->arena, &to) : "";
}

static struct page *titled(struct bare *b, const char *kind, const char *url, const char *title)
{
	struct page *p = bare_page(b, kind, url, NULL);
	p->text.title = title;
	return p;
}

#define BEGIN "{\"@context\":\"https://schema.org\",\"@graph\":["
#define CRUMB(n, name, url)                                                          \
	"{\"@type\":\"ListItem\",\"position\":" n ",\"name\":\"" name "\",\"item\":" \
	"\"https://example.org" url "\"}"

static void the_way_to_a_page(void **state)
{
	struct bare *b = *state;
	titled(b, "home", "/", "A blog");
	titled(b, "posts", "/posts/", "Posts");
	struct page *p = titled(b, "page", "/posts/about/these/", "About");
	assert_string_equal(
	        of(b, p),
	        BEGIN "{\"@type\":\"BreadcrumbList\",\"itemListElement\":[" CRUMB(
	                "1", "A blog",
	                "/") "," CRUMB("2", "Posts",
	                               "/posts/") "," CRUMB("3", "About",
	                                                    "/posts/about/these/") "]}]}");
}

/* It begins at the home page of its own language. */
static void the_way_in_another_language(void **state)
{
	struct bare *b = *state;
	titled(b, "home", "/", "A blog");
	titled(b, "home", "/zh/", "博客");
	struct page *p = titled(b, "page", "/zh/about/", "About");
	p->language = ZH;
	assert_string_equal(
	        of(b, p),
	        BEGIN "{\"@type\":\"BreadcrumbList\",\"itemListElement\":[" CRUMB(
	                "1", "博客", "/zh/") "," CRUMB("2", "About", "/zh/about/") "]}]}");
}

static void a_post_has_dates_and_an_author(void **state)
{
	struct bare *b = *state;
	const char *tags[] = {"gpu", "scan"};
	struct page *p = titled(b, "post", "/posts/x/", "Scans");
	p->text.description = "One pass";
	p->front.date = "2026-01-02";
	p->front.tags = tags;
	p->front.ntags = 2;
#define POST(modified, author)                                                             \
	",{\"@type\":\"BlogPosting\",\"headline\":\"Scans\",\"description\":\"One pass\"," \
	"\"datePublished\":\"2026-01-02\",\"dateModified\":\"" modified                    \
	"\",\"inLanguage\":\"en\",\"mainEntityOfPage\":\"https://example.org/posts/x/\","  \
	"\"author\":{\"@type\":" author "},\"keywords\":[\"gpu\",\"scan\"]}]}"
	const char *said = of(b, p);
	assert_string_equal(strstr(said, ",{\"@type\":\"BlogPosting\""),
	                    POST("2026-01-02", "\"Organization\",\"name\":\"A blog\""));
	p->front.updated = "2026-01-03";
	b->config.author = "A. U. Thor";
	said = of(b, p);
	assert_string_equal(strstr(said, ",{\"@type\":\"BlogPosting\""),
	                    POST("2026-01-03", "\"Person\",\"name\":\"A. U. Thor\""));
}

static void the_home_page_says_how_to_search(void **state)
{
	struct bare *b = *state;
	struct page *p = titled(b, "home", "/zh/", "博客");
	p->language = ZH;
	const char *said = of(b, p);
	assert_non_null(strstr(said, "{\"@type\":\"WebSite\",\"name\":\"A blog\""));
	assert_non_null(strstr(said, "\"inLanguage\":\"zh-Hans\""));
	assert_non_null(strstr(said, "\"target\":\"https://example.org/zh/search/?q={words}\""));
	assert_null(strstr(said, "BreadcrumbList"));
}

/* A browser ends a script at the first "</script", whatever the JSON says. */
static void a_text_cannot_end_the_script(void **state)
{
	struct bare *b = *state;
	const char *said = of(b, titled(b, "page", "/x/", "</script><script>alert(1)</script>"));
	assert_null(strchr(said, '<'));
	assert_non_null(strstr(said, "\"\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\""));
}

static void a_page_that_is_not_indexed_has_none(void **state)
{
	struct bare *b = *state;
	assert_string_equal(of(b, titled(b, "404", "/404.html", "Page not found")), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(the_way_to_a_page),
	        TEST(the_way_in_another_language),
	        TEST(a_post_has_dates_and_an_author),
	        TEST(the_home_page_says_how_to_search),
	        TEST(a_text_cannot_end_the_script),
	        TEST(a_page_that_is_not_indexed_has_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
