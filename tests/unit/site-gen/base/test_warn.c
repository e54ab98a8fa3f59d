#include "site-gen/base/warn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a text of a page that starts at line 5 is warned of, a line each. */
static void check(struct str src, const char *want)
{
	struct arena a = {0};
	struct problems p = {.arena = &a};
	const struct problems *list = &p;
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	warn_markdown(src, "a.md", 5, &p);
	problems_print(&list, 1, false, to);
	fclose(to);
	assert_string_equal(text, want);
	free(text);
	arena_free(&a);
}

static void test_paragraphs(void **state)
{
	struct sb text = {0};
	(void)state;
	sb_cstr(&text, "Short.\n\n");
	for (int i = 0; i < 300; i++)
		sb_cstr(&text, "word\n");
	check(sb_view(&text), "");
	sb_cstr(&text, "word");
	check(sb_view(&text),
	      "site-gen: a.md:7:1: warning: a paragraph of 301 words, which readers "
	      "skip; up to 300 are easy to read\n");
	sb_clear(&text);
	for (int i = 0; i < 400; i++)
		sb_cstr(&text, "- item of a list\n");
	check(sb_view(&text), "");
	sb_clear(&text);
	for (int i = 0; i < 600; i++) /* a minute and a half */
		sb_cstr(&text, "字");
	check(sb_view(&text),
	      "site-gen: a.md:5:1: warning: a paragraph of 330 words, which readers "
	      "skip; up to 300 are easy to read\n");
	sb_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_paragraphs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
