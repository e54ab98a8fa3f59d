/* The log of published numbers: its lines, and what differs from what pages show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/numbers/published.h"

static struct published entry(const char *page, const char *number, const char *text,
                              const char *run)
{
	return (struct published){.page = page,
	                          .number = number,
	                          .text = text,
	                          .value = 4.31e12,
	                          .lo = 4.30e12,
	                          .hi = 4.32e12,
	                          .unit = "B/s",
	                          .run = run,
	                          .format = "1",
	                          .noted = "2026-01-02"};
}

static void a_line_reads_back(void **state)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb line = {0};
	struct published p = entry("/posts/x/", "h200 copy/a:n=1 bandwidth", "4.31\xC2\xA0TB/s",
	                           "R1"),
	                 q;
	(void)state;
	p.over_run = "R0";
	p.was = "4.30\xC2\xA0TB/s";
	p.verdict = "equivalent";
	p.reason = "because \"so\"";
	published_put(&line, &p);
	assert_int_equal(line.p[line.n - 1], '\n');
	assert_true(published_read(str_sub(sb_view(&line), 0, line.n - 1), 7, "log", &a, &q, &e));
	assert_string_equal(q.page, p.page);
	assert_string_equal(q.number, p.number);
	assert_string_equal(q.text, p.text);
	assert_true(q.value == p.value && q.lo == p.lo && q.hi == p.hi);
	assert_string_equal(q.unit, "B/s");
	assert_string_equal(q.run, "R1");
	assert_string_equal(q.over_run, "R0");
	assert_string_equal(q.was, p.was);
	assert_string_equal(q.verdict, "equivalent");
	assert_string_equal(q.reason, p.reason);
	assert_string_equal(q.noted, "2026-01-02");
	assert_int_equal(q.line, 7);
	sb_free(&line);
	arena_free(&a);
}

static void what_is_gone_has_no_value(void **state)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct sb line = {0};
	struct published p = entry("/posts/x/", "count runs on h200", NULL, "R1"), q;
	(void)state;
	p.was = "4";
	published_put(&line, &p);
	assert_string_equal(line.p, "{\"page\":\"/posts/x/\",\"number\":\"count runs on h200\","
	                            "\"text\":null,\"was\":\"4\",\"noted\":\"2026-01-02\"}\n");
	assert_true(published_read(str_sub(sb_view(&line), 0, line.n - 1), 1, "log", &a, &q, &e));
	assert_null(q.text);
	sb_free(&line);
	arena_free(&a);
}

static void malformed_lines_are_errors(void **state)
{
	static const struct {
		const char *line, *says;
	} bad[] = {
	        {"[]", "log:3: expected an object"},
	        {"{\"page\":\"/x/\",\"number\":\"n\"", "log:3"},
	        {"{\"number\":\"n\",\"text\":null,\"was\":null,\"noted\":\"d\"}", "'page'"},
	        {"{\"page\":\"/x/\",\"number\":\"n\",\"text\":true,\"was\":null,\"noted\":\"d\"}",
	         "'text'"},
	        {"{\"page\":\"/x/\",\"number\":\"n\",\"was\":null,\"noted\":\"d\"}", "'text'"},
	        {"{\"page\":\"/x/\",\"number\":\"n\",\"text\":\"1\",\"was\":null,\"noted\":\"d\"}",
	         "'value'"},
	        {"{\"page\":\"/x/\",\"number\":\"n\",\"text\":null,\"was\":null}", "'noted'"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct arena a = {0};
		struct err e = ERR_NONE;
		struct published p;
		assert_false(published_read(str_of(bad[i].line), 3, "log", &a, &p, &e));
		if (!strstr(e.text, bad[i].says))
			fail_msg("'%s' says '%s', expected '%s'", bad[i].line, e.text, bad[i].says);
		arena_free(&a);
	}
}

/* The kind of change of a number, before and now; -1: it is none. */
static int change(const struct published *before, const struct published *now)
{
	struct arena a = {0};
	size_t n;
	const struct published *list[] = {before};
	struct published_diff *d =
	        published_compare(list, before ? 1 : 0, now, now ? 1 : 0, &a, &n);
	int kind = n ? (int)d[0].change : -1;
	assert_true(n <= 1);
	arena_free(&a);
	return kind;
}

static void only_a_run_or_a_formatter_is_a_reason(void **state)
{
	struct published one = entry("/x/", "n", "1", "R1"), same = one, digits = one, run = one,
	                 both = one, format = one, over = one;
	(void)state;
	digits.text = both.text = format.text = over.text = "2";
	run.run = both.run = "R2";
	format.format = "2";
	over.over_run = "R0";
	assert_int_equal(change(&one, &same), -1);
	assert_int_equal(change(&one, &digits), PUBLISHED_BROKEN);
	assert_int_equal(change(&one, &run), PUBLISHED_AGAIN);
	assert_int_equal(change(&one, &both), PUBLISHED_CHANGED);
	assert_int_equal(change(&one, &format), PUBLISHED_CHANGED);
	assert_int_equal(change(&one, &over), PUBLISHED_CHANGED);
	assert_int_equal(change(NULL, &one), PUBLISHED_FIRST);
	assert_int_equal(change(&one, NULL), PUBLISHED_GONE);
}

static void the_last_line_counts(void **state)
{
	struct arena a = {0};
	struct published line[] = {entry("/b/", "n", "1", "R1"), entry("/a/", "n", "1", "R1"),
	                           entry("/b/", "n", "2", "R2"), entry("/a/", "m", "3", "R1"),
	                           entry("/a/", "m", NULL, NULL)};
	struct published_log log = {.line = line, .n = 5, .exists = true};
	size_t n;
	(void)state;
	for (int i = 0; i < 5; i++)
		line[i].line = i + 2;
	const struct published **last = published_last(&log, &a, &n);
	assert_int_equal(n, 2);
	assert_string_equal(last[0]->page, "/a/");
	assert_string_equal(last[0]->number, "n");
	assert_string_equal(last[1]->text, "2");
	arena_free(&a);
}

/* The error of a log of these lines, or "". */
static void follows(struct published *line, size_t n, const char *says)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct published_log log = {.line = line, .n = n, .exists = true};
	for (size_t i = 0; i < n; i++) {
		line[i].line = (int)i + 2;
		line[i].at = (struct loc){PUBLISHED_PATH, line[i].line, 0};
	}
	assert_int_equal(published_check_lines(&log, &a, &e), !*says);
	if (!strstr(e.text, says))
		fail_msg("'%s' is not in '%s'", says, e.text);
	arena_free(&a);
}

static void each_line_follows_from_those_before(void **state)
{
	struct published first = entry("/x/", "n", "1", "R1"), other = entry("/x/", "m", "9", "R1"),
	                 next = entry("/x/", "n", "2", "R2"), typed = entry("/x/", "n", "3", "R1"),
	                 mend = entry("/x/", "n", "1", "R1"), gone = entry("/x/", "n", NULL, NULL);
	(void)state;
	next.was = gone.was = mend.was = "1";
	typed.was = "3";
	mend.reason = "a line was typed by hand";
	follows((struct published[]){first, other, next}, 3, "");
	follows((struct published[]){first, gone, first}, 3, "");
	/* the past is what was noted, not what is said of it now */
	follows((struct published[]){other, next}, 2, "n: says that it was '1', which no line");
	follows((struct published[]){first, typed}, 2, "says that it was '3'");
	typed.was = "1";
	follows((struct published[]){first, typed}, 2,
	        "n: says '3', and data/published.jsonl:2 '1', from the same run and formatter, "
	        "expected a reason [noted]");
	typed.reason = "the data sheet was corrected";
	follows((struct published[]){first, typed}, 2, "");
	/* a line that is there stays there; one with a reason tells what happened */
	typed.reason = NULL;
	follows((struct published[]){first, typed, mend}, 3, "");
	follows((struct published[]){first, mend, typed}, 3, "expected a reason");
	/* two branches noted the same, then they were merged */
	follows((struct published[]){first, next, first, next}, 4, "");
}

static void an_interval_has_one_digit_more(void **state)
{
	struct sb text = {0};
	struct published p = entry("/x/", "n", "4.31\xC2\xA0TB/s", "R1");
	(void)state;
	published_interval(&p, &text);
	assert_string_equal(text.p, "4.300–4.320\xC2\xA0TB/s");
	sb_clear(&text);
	p.lo = p.hi = p.value;
	published_interval(&p, &text);
	assert_int_equal(text.n, 0);
	sb_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_line_reads_back),
	        cmocka_unit_test(what_is_gone_has_no_value),
	        cmocka_unit_test(malformed_lines_are_errors),
	        cmocka_unit_test(each_line_follows_from_those_before),
	        cmocka_unit_test(only_a_run_or_a_formatter_is_a_reason),
	        cmocka_unit_test(the_last_line_counts),
	        cmocka_unit_test(an_interval_has_one_digit_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
