/* Pages of single figures: which figures have one, and what it takes from the post. */
#include "site-gen/pages/figure_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site-gen/numbers/number.h"
#include "site-gen/lua/template.h"
#include "site-gen/site/address.h"
#include "site-gen/site/shared_figure.h"
#include "tests/unit/help/bare_site.h"

static const char body[] =
        "<p>Before.</p>\n"
        "<figure class=\"bench plot\" id=\"b1\">\n"
        "<figcaption id=\"fig-a\"><span class=\"caption-no\">Figure 1:</span> "
        "<a class=\"anchor\" href=\"#fig-a\">#</a> <strong class=\"finding\">It <a class=\"num\">"
        "grows</a></strong> <span class=\"about\">Scan, <a href=\"/runs/x/\">run</a>.</span>"
        "</figcaption>\n"
        "<svg class=\"plot wide\"></svg>\n"
        "<p class=\"figure-data\"><a href=\"fig/fig-a/\">Share</a></p>\n</figure>\n"
        "<figure class=\"bench table\" id=\"b2\"><table></table></figure>\n";

static struct expand_figure table = {.number = 2, .name = "table-a"};
static struct expand_figure plot = {.number = 1,
                                    .name = "fig-a",
                                    .finding = "It grows",
                                    .finding_html = "It <a class=\"num\">grows</a>",
                                    .drawn = true,
                                    .next = &table};

static struct page *post(struct bare *b, const char *url)
{
	struct page *p = bare_page(b, "post", url, "content/posts/x.md");
	p->text.title = "Scans";
	p->text.body = STR(body);
	p->numbers.figures = &plot;
	return p;
}

/* The pages that are added. */
static size_t add(struct bare *b, struct page **first)
{
	size_t before = b->site.pages.n;
	for (size_t i = 0; i < before; i++)
		figure_page_cut(&b->maker, b->site.pages.all[i]);
	figure_page_add(&b->site);
	*first = before < b->site.pages.n ? b->site.pages.all[before] : NULL;
	return b->site.pages.n - before;
}

static void a_drawing_of_a_post_has_a_page(void **state)
{
	struct bare *b = *state;
	struct page *p;
	post(b, "/posts/x/");
	bare_page(b, "section", "/handbook/y/", "content/sections/y.md")->numbers.figures = &plot;
	assert_int_equal(add(b, &p), 1);
	assert_string_equal(p->url, "/posts/x/fig/fig-a/");
	assert_string_equal(p->text.title, "It grows");
	assert_string_equal(p->text.description, "Scan, run.");
	assert_null(p->numbers.quotes); /* the log has the post's */
	assert_null(p->versions);
	assert_false(p->kind->in_sitemap);
	assert_int_equal(p->kind->flags & PAGE_SEARCHED, 0);
}

/* The finding is the title of the page, and its links are at the end of the page. */
static void it_has_the_figure_without_what_the_page_says(void **state)
{
	struct bare *b = *state;
	struct page *p;
	post(b, "/posts/x/");
	add(b, &p);
	assert_string_equal(str_dup(&b->arena, p->text.body),
	                    "<figure class=\"bench plot\" id=\"b1\">\n"
	                    "<figcaption id=\"fig-a\"><span class=\"about\">Scan, "
	                    "<a href=\"/runs/x/\">run</a>.</span></figcaption>\n"
	                    "<svg class=\"plot wide\"></svg>\n\n</figure>");
}

static void translations_find_each_other(void **state)
{
	struct bare *b = *state;
	struct page *p, *original = post(b, "/posts/x/");
	bare_version(b, original, post(b, "/zh/posts/x/"), ZH);
	post(b, "/posts/other/");
	assert_int_equal(add(b, &p), 3);
	assert_string_equal(p->versions[ZH]->url, "/zh/posts/x/fig/fig-a/");
	assert_ptr_equal(p->versions[ZH]->versions[EN], p);
	assert_null(b->site.pages.all[b->site.pages.n - 1]->versions);
}

/* Rule `unmarked`: a number with a mark is on no card. */
static void a_marked_number_gets_the_card_of_the_post(void **state)
{
	struct bare *b = *state;
	struct data_case stale = {.why[DATA_STALE] = "so"};
	struct quote q = {.n.pick.d = &stale, .figure = 2};
	struct template card = {.name = ADDRESS_CARD_TEMPLATE};
	struct page *p, *of = post(b, "/posts/x/");
	b->config.cards = true;
	b->site.repo.templates = &card;
	b->site.repo.ntemplates = 1;
	of->numbers.quotes = &q;
	add(b, &p);
	assert_true(shared_figure(p)->unmarked);
	assert_string_equal(address_card(&b->site, p, &b->arena), "/posts/x/fig/fig-a/card.png");
	q.figure = 1;
	add(b, &p);
	assert_false(address_has_card(p));
	assert_string_equal(address_card(&b->site, p, &b->arena), "/posts/x/card.png");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_drawing_of_a_post_has_a_page),
	        TEST(it_has_the_figure_without_what_the_page_says),
	        TEST(translations_find_each_other),
	        TEST(a_marked_number_gets_the_card_of_the_post),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
