/* The words beside a ratio, for each line of tests/lint/directed.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/lint/directed.h"

static void judge(struct str line, int number)
{
	struct str verdict, metric, way, text;
	struct directed d = {0};
	if (!str_cut(line, ' ', &verdict, &text) || !str_cut(text, ' ', &metric, &text) ||
	    !str_cut(text, ' ', &way, &text) || !str_cut(text, '@', &d.before, &d.after))
		fail_msg("directed.txt:%d: expected VERDICT METRIC WAY TEXT with @", number);
	d.is_time = str_is(metric, "time");
	d.below_one = str_is(way, "below");
	const char *wrong = directed_wrong(&d);
	if (str_is(verdict, "wrong") != (wrong != NULL))
		fail_msg("directed.txt:%d: %s", number, wrong ? wrong : "nothing is found");
}

static void sentences(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str src, line;
	int judged = 0;
	assert_true(file_read("tests/lint/directed.txt", 1 << 20, &a, &src, &e));
	for (int number = 1; src.n; number++) {
		if (!str_cut(src, '\n', &line, &src))
			src.n = 0;
		if (line.n && line.p[0] != '#')
			judge(line, number), judged++;
	}
	assert_true(judged > 30);
	arena_free(&a);
}

/* The ends of a text are no place to read beyond. */
static void ends(void **state)
{
	(void)state;
	assert_null(directed_wrong(&(struct directed){0}));
	assert_null(directed_wrong(&(struct directed){.before = STR("("), .after = STR(" of")}));
	assert_null(directed_wrong(&(struct directed){.before = STR("\xff of factor a by")}));
}

/* Only the sentence of the number counts, not its neighbours; a part of a word is no word. */
static void named(void **state)
{
	static const struct {
		const char *before, *after;
		bool is;
	} row[] = {
	        {"The kernel is ", " faster.", true},
	        {"The Time is ", ".", true},
	        {"The factor is ", ".", false},
	        {"It takes time. The factor is ", ". It is slow.", false},
	        {"It takes 4.1 s of time, a factor of ", "", true},
	        {"A breakfast is ", " sometimes.", false},
	        {"用时是库的 ", "。", true},
	        {"它更快。倍率是 ", "。时间更短。", false},
	        {"", "", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (directed_named(str_of(row[i].before), str_of(row[i].after)) != row[i].is)
			fail_msg("'%s@%s'", row[i].before, row[i].after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sentences),
	        cmocka_unit_test(ends),
	        cmocka_unit_test(named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
