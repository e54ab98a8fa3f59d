/* Changes of published numbers: their order, their groups, and their names for readers. */
#include "site-gen/pages/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/bare_site.h"

enum { MOST = 16 };

/* A log in the order of its lines, and the differences between it and the pages now. */
struct logged {
	struct published line[MOST];
	const struct published *by_name[MOST];
	struct published_diff diff[MOST];
	struct log_check check;
};

static void put_log(struct bare *b, struct logged *l, const struct published *line, size_t n)
{
	memset(l, 0, sizeof *l);
	for (size_t i = 0; i < n; i++) {
		l->line[i] = line[i];
		l->line[i].line = (int)i + 2;
		l->by_name[i] = &l->line[i];
	}
	qsort(l->by_name, n, sizeof *l->by_name, published_by_line);
	l->check = (struct log_check){.log = {.line = l->line, .n = n, .exists = true},
	                              .by_name = l->by_name,
	                              .diff = l->diff};
	b->site.log = &l->check;
}

static struct published line(const char *day, const char *page, const char *number, const char *was,
                             const char *text, const char *run)
{
	return (struct published){
	        .page = page, .number = number, .text = text, .was = was, .run = run, .noted = day};
}

/* "kind page number before>now" for each, in their order. */
static const char *all_of(struct bare *b)
{
	static const char *const kind[] = {"first", "changed", "again", "gone", "broken"};
	struct changes all = changes_of(&b->site, &b->arena);
	const char *out = "";
	for (size_t i = 0; i < all.n; i++) {
		const struct change *c = &all.c[i];
		out = arena_printf(&b->arena, "%s%s %s %s %s>%s\n", out, kind[c->kind],
		                   c->now->page, c->now->number,
		                   c->before && c->before->text ? c->before->text : "",
		                   c->now->text ? c->now->text : "");
	}
	return out;
}

#define DAY1 "2026-01-01"
#define DAY2 "2026-01-02"

static void a_site_without_a_log_has_no_changes(void **state)
{
	struct bare *b = *state;
	struct logged l;
	assert_int_equal(changes_of(&b->site, &b->arena).n, 0);
	put_log(b, &l, &(struct published){.page = "/x/", .number = "n", .noted = DAY1}, 1);
	l.check.log.exists = false;
	assert_int_equal(changes_of(&b->site, &b->arena).n, 0);
}

static void each_line_is_a_change_from_the_one_before(void **state)
{
	struct bare *b = *state;
	struct logged l;
	const struct published log[] = {
	        line(DAY1, "/x/", "n", NULL, "1", "R1"),
	        line(DAY1, "/y/", "n", NULL, "1", "R1"),
	        line(DAY2, "/x/", "n", "1", "2", "R2"),
	        line(DAY2, "/y/", "n", "1", "1", "R2"),
	        line("2026-01-03", "/x/", "n", "2", NULL, NULL),
	};
	put_log(b, &l, log, ARRAY_LEN(log));
	assert_string_equal(all_of(b), "gone /x/ n 2>\n"
	                               "changed /x/ n 1>2\n"
	                               "again /y/ n 1>1\n"
	                               "first /x/ n >1\n"
	                               "first /y/ n >1\n");
}

/* A number that comes back after it went is new. */
static void a_number_that_returns_is_new(void **state)
{
	struct bare *b = *state;
	struct logged l;
	const struct published log[] = {line(DAY1, "/x/", "n", NULL, "1", "R1"),
	                                line(DAY1, "/x/", "n", "1", NULL, NULL),
	                                line(DAY2, "/x/", "n", NULL, "2", "R1")};
	put_log(b, &l, log, ARRAY_LEN(log));
	assert_string_equal(all_of(b), "first /x/ n >2\n"
	                               "gone /x/ n 1>\n"
	                               "first /x/ n >1\n");
}

static void what_is_not_noted_yet_comes_first(void **state)
{
	struct bare *b = *state;
	struct logged l;
	const struct published log[] = {line(DAY2, "/x/", "n", NULL, "1", "R1"),
	                                line(DAY2, "/x/", "m", NULL, "9", "R1")};
	const struct published now = line(NULL, "/x/", "n", NULL, "2", "R2");
	put_log(b, &l, log, ARRAY_LEN(log));
	l.diff[0] = (struct published_diff){PUBLISHED_CHANGED, &l.line[0], &now};
	l.diff[1] = (struct published_diff){PUBLISHED_GONE, &l.line[1], NULL};
	l.check.ndiff = 2;
	assert_string_equal(all_of(b), "changed /x/ n 1>2\n"
	                               "gone /x/ m 9>\n"
	                               "first /x/ m >9\n"
	                               "first /x/ n >1\n");
	struct changes all = changes_of(&b->site, &b->arena);
	assert_string_equal(all.c[0].noted, "");
	assert_string_equal(changes_anchor(&all.c[0], &b->arena), "");
	assert_string_equal(all.c[2].noted, DAY2);
	assert_string_equal(changes_anchor(&all.c[2], &b->arena), "c3");
	assert_int_equal(changes_day_end(&all, 0), 2);
	assert_int_equal(changes_day_end(&all, 2), 4);
}

/* By run, unless a reason is given; one number on several pages is one row. */
static void changes_of_a_day_are_grouped(void **state)
{
	enum { FIRSTS = 5 };
	struct bare *b = *state;
	struct logged l;
	const char *const page[] = {"/a/", "/d/", "/c/", "/b/", "/e/"};
	struct published log[2 * FIRSTS];
	for (int i = 0; i < FIRSTS; i++) {
		log[i] = line(DAY1, page[i], "n", NULL, "1", "R1");
		log[FIRSTS + i] = line(DAY2, page[i], "n", "1", "2", "R2");
	}
	log[FIRSTS].run = "R3";
	log[FIRSTS + 1].reason = "a better rounding";
	log[FIRSTS + 3].reason = "a better rounding";
	log[FIRSTS + 3].run = "R4"; /* a reason joins runs */
	log[FIRSTS + 4].text = "3";
	put_log(b, &l, log, ARRAY_LEN(log));
	assert_string_equal(all_of(b), "changed /a/ n 1>2\n" /* run R3 */
	                               "changed /c/ n 1>2\n" /* run R2 */
	                               "changed /e/ n 1>3\n"
	                               "changed /b/ n 1>2\n" /* for the reason */
	                               "changed /d/ n 1>2\n"
	                               "first /a/ n >1\n"
	                               "first /b/ n >1\n"
	                               "first /c/ n >1\n"
	                               "first /d/ n >1\n"
	                               "first /e/ n >1\n");
	struct changes all = changes_of(&b->site, &b->arena);
	assert_int_equal(changes_day_end(&all, 0), 5);
	assert_int_equal(changes_group_end(&all, 0), 1);
	assert_int_equal(changes_group_end(&all, 1), 3);
	assert_int_equal(changes_group_end(&all, 3), 5);
	assert_int_equal(changes_group_end(&all, 5), 10);
	assert_int_equal(changes_row_end(&all, 1), 2);
	assert_int_equal(changes_row_end(&all, 3), 5);
	assert_int_equal(changes_row_end(&all, 5), 10);
}

/* A line of the log says it; nothing else can, without the records of both runs. */
static void a_verdict_is_that_of_the_log(void **state)
{
	struct bare *b = *state;
	struct published before = line(DAY1, "/x/", "n", NULL, "1", "R1"),
	                 now = line(DAY2, "/x/", "n", "1", "2", "R2");
	now.verdict = "faster";
	struct change c = {PUBLISHED_CHANGED, &before, &now, DAY2};
	assert_string_equal(changes_verdict(&b->data, &c), "faster");
	c.noted = "";
	assert_null(changes_verdict(&b->data, &c));
	c.before = NULL;
	assert_null(changes_verdict(&b->data, &c));
}

#define CASE "transpose/naive:rows=4096,dtype=f32"
#define OTHER "transpose/tile:rows=4096,dtype=f32"
#define ON_H200 "rows=4096, dtype=f32, H200"

static void numbers_are_named_for_readers(void **state)
{
	static const struct {
		const char *number, *name, *detail;
	} c[] = {
	        {"h200 " CASE " bandwidth", "transpose/naive bandwidth", ON_H200},
	        {"h200 " CASE " time in R1", "transpose/naive time", ON_H200},
	        {"h200 " CASE " bandwidth over h200 " OTHER,
	         "transpose/naive bandwidth over transpose/tile", ON_H200},
	        {"h200 " CASE " bandwidth of h200 " OTHER,
	         "transpose/naive bandwidth, share of the measured transpose/tile", ON_H200},
	        {"h200 " CASE " bandwidth of spec:hbm",
	         "transpose/naive bandwidth, share of the theoretical HBM3e bandwidth", ON_H200},
	        {"h200 " CASE " bandwidth of spec:nope",
	         "transpose/naive bandwidth, share of the theoretical nope", ON_H200},
	        {"counter h200 " CASE " instructions", "transpose/naive: ", ON_H200},
	        {"derived h200 (4 * [h200 " CASE " time] - [h200 " OTHER " time]) / 3 s",
	         "transpose/naive: a derivation", "H200"},
	};
	struct bare *b = *state;
	struct data_number number = {.device = "h200", .id = CASE, .url = "/numbers/h200/x/"};
	const char *const devices[] = {"h200", NULL};
	struct data_spec spec = {.devices = devices,
	                         .key = "hbm",
	                         .title = "HBM3e bandwidth",
	                         .device = "h200",
	                         .device_name = "H200"};
	b->data.numbers = &number;
	b->data.specs = &spec;
	b->data.nnumbers = b->data.nspecs = 1;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct change_name n = changes_name(&b->data, NULL, c[i].number, &b->arena);
		size_t length = strlen(c[i].name);
		bool starts = c[i].name[length - 1] == ' '; /* the counter's title follows */
		assert_string_equal(starts ? arena_strndup(&b->arena, n.name, length) : n.name,
		                    c[i].name);
		assert_true(!starts || strlen(n.name) > length);
		assert_string_equal(n.detail, c[i].detail);
		assert_string_equal(n.url, "/numbers/h200/x/");
	}
}

/* Numbers of the pages on the instrument, null controls and counts. */
static void numbers_of_no_case_have_words(void **state)
{
	static const struct {
		const char *number, *name, *detail;
	} c[] = {
	        {"card h200 * alarms", "Between cards: Interval without 1", "all families, h200"},
	        {"spread h200 decode median", "Between runs: Moved, median", "decode, h200"},
	        {"width h200 * p90", "Within a run: 90 of 100 less than", "all families, h200"},
	        {"null 2026-h200 " CASE, "transpose/naive against itself",
	         "rows=4096, dtype=f32, 2026-h200"},
	        {"null 2026-h200 " CASE " low", "transpose/naive against itself, lower end",
	         "rows=4096, dtype=f32, 2026-h200"},
	        {"count samples on h200", "Samples", "h200"},
	};
	struct bare *b = *state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct change_name n = changes_name(&b->data, NULL, c[i].number, &b->arena);
		assert_string_equal(n.name, c[i].name);
		assert_string_equal(n.detail, c[i].detail);
		assert_null(n.url);
	}
}

/* A number without a page keeps its name in the log. */
static void other_names_stay_as_they_are(void **state)
{
	static const char *const number[] = {
	        "spec h200 hbm",
	        "count runs on h200",
	        "derived h200 hbm / 2 B/s",
	        "h200 " CASE " bandwidth", /* its case is gone */
	        "counter h200 " CASE " instructions",
	        "counter h200",
	        "card h200 * mean",
	        "card h200 decode alarms again",
	        "null 2026-h200 nothing",
	        "a b c d e f g h i j k l m n o p",
	        "",
	};
	struct bare *b = *state;
	struct data_number other = {.device = "b200", .id = CASE, .url = "/numbers/b200/x/"};
	b->data.numbers = &other;
	b->data.nnumbers = 1;
	for (size_t i = 0; i < ARRAY_LEN(number); i++) {
		struct change_name n = changes_name(&b->data, NULL, number[i], &b->arena);
		assert_string_equal(n.name, number[i]);
		assert_string_equal(n.detail, "");
		assert_null(n.url);
	}
	struct change_name n =
	        changes_name(&b->data, NULL, "counter b200 " CASE " no-such", &b->arena);
	assert_null(n.url);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_site_without_a_log_has_no_changes),
	        TEST(each_line_is_a_change_from_the_one_before),
	        TEST(a_number_that_returns_is_new),
	        TEST(what_is_not_noted_yet_comes_first),
	        TEST(changes_of_a_day_are_grouped),
	        TEST(a_verdict_is_that_of_the_log),
	        TEST(numbers_are_named_for_readers),
	        TEST(numbers_of_no_case_have_words),
	        TEST(other_names_stay_as_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
