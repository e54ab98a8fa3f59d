#include "site-gen/commands/spell.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The words of a text, each with its place: "1:1 One". */
static void check(const char *src, const char *want)
{
	struct arena a = {0};
	struct sb got = {0};
	size_t n;
	struct spell_word *w = spell_words(str_of(src), "a.md", &a, &n);
	sb_cstr(&got, "");
	for (size_t i = 0; i < n; i++)
		sb_printf(&got, "%s%d:%d " STR_FMT, i ? ", " : "", w[i].at.line, w[i].at.col,
		          STR_ARG(w[i].text));
	assert_string_equal(got.p, want);
	sb_free(&got);
	arena_free(&a);
}

static void test_words(void **state)
{
	(void)state;
	check("One, don't; naïve 'two'.", "1:1 One, 1:6 don't, 1:13 naïve, 1:20 two");
	check("---\ntitle: Front\n---\nBody", "4:1 Body");
	check("A\n```c\nvoid f;\n```\nend", "5:1 end");
	check("a `b cc` dd ``e ` ff`` gg", "1:10 dd, 1:24 gg");
	check("on <<bench:value x/y a=b>> off", "1:1 on, 1:28 off");
	check("[see here](/posts/x/) <https://a.example> {#anchor} $x_i + yy$ ok[^note]",
	      "1:2 see, 1:6 here, 1:64 ok");
	check("u_name h200 a/b ns::x end", "1:23 end");
	check("中文 和 word", "1:6 word");
	check("open ` and $ left", "1:1 open, 1:8 and, 1:14 left");
}

static void test_missing(void **state)
{
	struct arena a = {0};
	struct problems p = {.arena = &a};
	struct err e = ERR_NONE;
	char *text;
	size_t n;
	(void)state;
	FILE *to = open_memstream(&text, &n);
	assert_true(spell_check("no-such-program -l", &p, to, &e));
	assert_true(spell_check("", &p, to, &e));
	fclose(to);
	assert_string_equal(text,
	                    "site-gen: the spelling was not checked: no program 'no-such-program'\n"
	                    "site-gen: the spelling was not checked: no program ''\n");
	assert_null(p.first);
	free(text);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_words),
	        cmocka_unit_test(test_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
