/* Terms of the search index, as tests/fixtures/search-terms.txt has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/files/search.h"

static void collect(void *ctx, struct str term)
{
	struct sb *all = ctx;
	if (all->n)
		sb_char(all, ' ');
	sb_str(all, term);
}

static void terms(void **state)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str rest, line, text, wanted;
	int n = 0;
	(void)state;
	assert_true(file_read("tests/fixtures/search-terms.txt", 1 << 16, &a, &rest, &e));
	while (rest.n > 0) {
		struct sb got = {0};
		str_cut(rest, '\n', &line, &rest);
		if (line.n == 0 || line.p[0] == '#')
			continue;
		assert_true(str_cut(line, '|', &text, &wanted));
		search_terms(text, collect, &got);
		assert_string_equal(got.p ? got.p : "", str_dup(&a, wanted));
		sb_free(&got);
		n++;
	}
	assert_true(n > 10);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(terms)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
