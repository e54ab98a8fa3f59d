/* Which pages show a number, and in which order they are listed. */
#include "site-gen/site/backlinks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/bare_site.h"

enum { NAIVE, TILE, UNQUOTED, NUMBERS };

struct numbers {
	struct data_number of[NUMBERS];
	struct data_case naive_old, naive_new, tile;
};

/* Three numbers; two runs have a case of the first. */
static void put_numbers(struct bare *b, struct numbers *n)
{
	*n = (struct numbers){.of = {{.url = "/numbers/h200/naive/"},
	                             {.url = "/numbers/h200/tile/"},
	                             {.url = "/numbers/h200/unquoted/"}},
	                      .naive_old.url = "/numbers/h200/naive/",
	                      .naive_new.url = "/numbers/h200/naive/",
	                      .tile.url = "/numbers/h200/tile/"};
	b->data.numbers = n->of;
	b->data.nnumbers = NUMBERS;
}

static struct page *quotes(struct bare *b, const char *url, struct quote *q, size_t n)
{
	struct page *p = bare_page(b, "post", url, "content/posts/x.md");
	for (size_t i = 0; i + 1 < n; i++)
		q[i].next = &q[i + 1];
	p->numbers.quotes = q;
	return p;
}

static void each_number_has_its_quotes(void **state)
{
	struct bare *b = *state;
	struct numbers n;
	put_numbers(b, &n);
	struct quote first[] = {{.n.pick.d = &n.tile}, {.n.pick.d = &n.naive_old}};
	struct quote second[] = {{.n.pick.d = &n.naive_new}, {.n.pick.d = &n.naive_new}};
	const struct page *x = quotes(b, "/posts/x/", first, ARRAY_LEN(first));
	const struct page *y = quotes(b, "/posts/y/", second, ARRAY_LEN(second));
	bare_page(b, "post", "/posts/silent/", "content/posts/silent.md");
	backlinks_build(&b->site);
	const struct backlinks *l = b->site.backlinks;
	assert_int_equal(l[NAIVE].n, 3);
	assert_ptr_equal(l[NAIVE].by[0].q, &first[1]);
	assert_ptr_equal(l[NAIVE].by[0].page, x);
	assert_ptr_equal(l[NAIVE].by[1].q, &second[0]);
	assert_ptr_equal(l[NAIVE].by[2].q, &second[1]);
	assert_ptr_equal(l[NAIVE].by[2].page, y);
	assert_int_equal(l[TILE].n, 1);
	assert_ptr_equal(l[TILE].by[0].page, x);
	assert_int_equal(l[UNQUOTED].n, 0);
}

/* A comparison counts for the number that it is about, not for the other side. */
static void the_other_side_is_not_quoted(void **state)
{
	struct bare *b = *state;
	struct numbers n;
	put_numbers(b, &n);
	struct quote q = {.n = {.pick.d = &n.tile, .over.d = &n.naive_new}};
	quotes(b, "/posts/x/", &q, 1);
	backlinks_build(&b->site);
	assert_int_equal(b->site.backlinks[TILE].n, 1);
	assert_int_equal(b->site.backlinks[NAIVE].n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(each_number_has_its_quotes),
	        TEST(the_other_side_is_not_quoted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
