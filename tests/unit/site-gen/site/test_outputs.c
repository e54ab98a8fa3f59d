/* The table of addresses: each belongs to one page, letter case aside. */
#include "site-gen/site/outputs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/help/bare_site.h"

static const struct page *find(struct bare *b, const char *path)
{
	return outputs_find(&b->site, str_of(path));
}

static void a_page_is_found_at_its_path(void **state)
{
	struct bare *b = *state;
	struct page *home = bare_page(b, "home", "/", NULL);
	struct page *post = bare_page(b, "post", "/posts/Scan/", NULL);
	struct page *feed = bare_page(b, "feed", "/feed.xml", NULL);
	outputs_begin(&b->site);
	assert_null(outputs_enter(&b->site, home));
	assert_null(outputs_enter(&b->site, post));
	assert_null(outputs_enter(&b->site, feed));
	assert_ptr_equal(find(b, "/"), home);
	assert_ptr_equal(find(b, "/posts/Scan/"), post);
	assert_ptr_equal(find(b, "/posts/Scan/index.html"), post);
	assert_ptr_equal(find(b, "/feed.xml"), feed);
}

/* On a web server, names with other letters are other files. */
static void what_is_not_there_is_not_found(void **state)
{
	struct bare *b = *state;
	outputs_begin(&b->site);
	assert_null(outputs_enter(&b->site, bare_page(b, "post", "/posts/Scan/", NULL)));
	assert_null(find(b, "/posts/scan/"));
	assert_null(find(b, "/posts/Scan"));
	assert_null(find(b, "/posts/"));
	assert_null(find(b, "/"));
	assert_null(find(b, ""));
	char far[4096];
	memset(far, 'a', sizeof far - 1);
	far[0] = '/';
	far[sizeof far - 1] = 0;
	assert_null(find(b, far));
}

/* Some file systems take names for equal that differ in case. */
static void an_address_has_one_page(void **state)
{
	struct bare *b = *state;
	struct page *first = bare_page(b, "post", "/posts/Scan/", NULL);
	struct page *second = bare_page(b, "post", "/posts/scan/", NULL);
	struct page *third = bare_page(b, "post", "/posts/Scan/", NULL);
	outputs_begin(&b->site);
	assert_null(outputs_enter(&b->site, first));
	assert_ptr_equal(outputs_enter(&b->site, second), first);
	assert_ptr_equal(outputs_enter(&b->site, third), first);
	assert_ptr_equal(find(b, "/posts/Scan/"), first);
}

static void there_is_room_for_all_pages(void **state)
{
	enum { MANY = 5000 };
	struct bare *b = *state;
	for (int i = 0; i < MANY; i++)
		bare_page(b, "post", arena_printf(&b->arena, "/posts/%d/", i), NULL);
	outputs_begin(&b->site);
	for (int i = 0; i < MANY; i++)
		assert_null(outputs_enter(&b->site, b->site.pages.all[i]));
	for (int i = 0; i < MANY; i++)
		assert_ptr_equal(find(b, b->site.pages.all[i]->url), b->site.pages.all[i]);
	assert_null(find(b, "/posts/5000/"));
	outputs_begin(&b->site);
	assert_null(find(b, "/posts/0/"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_page_is_found_at_its_path),
	        TEST(what_is_not_there_is_not_found),
	        TEST(an_address_has_one_page),
	        TEST(there_is_room_for_all_pages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
