#include "lib/array.h"
#include "site-gen/base/front.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PATH "content/posts/2026-11-21-tiles.md"

static struct front parse(const char *src, struct arena *a)
{
	struct front f;
	struct err e = ERR_NONE;
	if (!front_parse(str_of(src), PATH, FRONT_POST, a, &f, &e))
		fail_msg("%s", e.text);
	return f;
}

/* `matter` goes between the lines; `want` is the message after the path. */
/* The error begins with `want`; all of it if `whole`. */
static void refused(const char *matter, const char *want, bool whole)
{
	struct arena a = {0};
	struct sb src = {0};
	struct front f;
	struct err e = ERR_NONE;
	sb_printf(&src, "---\n%s---\nbody\n", matter);
	if (front_parse(sb_view(&src), PATH, FRONT_POST, &a, &f, &e))
		fail_msg("accepted: %s", matter);
	assert_true(str_starts(str_of(e.text), PATH ":"));
	if (whole || !str_starts(str_of(e.text + strlen(PATH ":")), want))
		assert_string_equal(e.text + strlen(PATH ":"), want);
	sb_free(&src);
	arena_free(&a);
}

static void refuse(const char *matter, const char *want)
{
	refused(matter, want, true);
}

static void refuse_so(const char *matter, const char *want)
{
	refused(matter, want, false);
}

static void assert_str(struct str s, const char *want)
{
	struct sb b = {0};
	sb_str(&b, s);
	assert_string_equal(sb_view(&b).p, want);
	sb_free(&b);
}

static void test_devices(void **state)
{
	(void)state;
	struct arena a = {0};
	struct front f = parse("---\ntitle: a\ndate: 2026-11-21\ndevices: [h200, h100]\n---\n", &a);
	assert_int_equal(f.ndevices, 2);
	assert_string_equal(f.devices[0], "h200");
	assert_string_equal(f.devices[1], "h100");
	assert_int_equal(f.devices_at.line, 4);
	assert_int_equal(f.nwords, 0);
	arena_free(&a);
	refuse("title: a\ndate: 2026-11-21\ndevice: h200\ndevices: [h200, h100]\n",
	       "5:1: 'devices' beside 'device', expected one of the two");
	refuse("title: a\ndate: 2026-11-21\ndevices: h200\n",
	       "4:10: 'devices' has text, expected a list like [cuda, memory]");
}

static void test_all_keys(void **state)
{
	(void)state;
	struct arena a = {0};
	struct front f = parse("---\n"
	                       "title: \"Tiles: why\"\n"
	                       "description: Copy at <<bench:value transpose/tile>>\n"
	                       "date: 2026-11-21\n"
	                       "updated: 2026-11-30\n"
	                       "slug: tiles-2\n"
	                       "tags: [cuda, 'shared memory']\n"
	                       "category: Memory\n"
	                       "difficulty: intermediate\n"
	                       "device: h200\n"
	                       "series: Staircase\n"
	                       "part: 3\n"
	                       "order: 2\n"
	                       "take: [One, 'Two <<bench:count runs>>', Three]\n"
	                       "lang: de\n"
	                       "draft: true # not yet\n"
	                       "---\n"
	                       "First line\n",
	                       &a);
	assert_str(f.title.s, "Tiles: why");
	assert_int_equal(f.title.at.line, 2);
	assert_int_equal(f.title.at.col, 9);
	assert_str(f.description.s, "Copy at <<bench:value transpose/tile>>");
	assert_int_equal(f.description.at.line, 3);
	assert_int_equal(f.description.at.col, 14);
	assert_string_equal(f.date, "2026-11-21");
	assert_string_equal(f.updated, "2026-11-30");
	assert_string_equal(f.slug, "tiles-2");
	assert_int_equal(f.ntags, 2);
	assert_string_equal(f.tags[1], "shared memory");
	assert_string_equal(f.category, "Memory");
	assert_string_equal(f.difficulty, "intermediate");
	assert_string_equal(f.device, "h200");
	assert_string_equal(f.series, "Staircase");
	assert_int_equal(f.part, 3);
	assert_int_equal(f.order, 2);
	assert_string_equal(f.lang, "de");
	assert_true(f.draft);
	assert_str(f.body, "First line\n");
	assert_str(f.take[0].s, "One");
	assert_str(f.take[1].s, "Two <<bench:count runs>>");
	assert_int_equal(f.take[1].at.line, 14);
	assert_int_equal(f.take[1].at.col, 14);
	assert_int_equal(f.body_line, 18);
	arena_free(&a);
}

static void test_defaults(void **state)
{
	(void)state;
	struct arena a = {0};
	struct front f = parse("---\ntitle: T\ndate: 2026-11-21\n---\n", &a);
	assert_string_equal(f.slug, "tiles");
	assert_null(f.lang);
	assert_null(f.updated);
	assert_null(f.description.s.p);
	assert_null(f.series);
	assert_false(f.draft);
	assert_int_equal(f.ntags, 0);
	assert_int_equal(f.body.n, 0);
	assert_int_equal(f.body_line, 5);
	arena_free(&a);
}

/* The text of a family is part of a page: no day, address or draft of its own. */
static void test_family(void **state)
{
	static const struct {
		const char *matter, *error;
	} wrong[] = {
	        {"title: T\n", "no 'description', which every text of a family needs"},
	        {"title: T\ndescription: D\nslug: x\n", ":4:1: "},
	        {"title: T\ndescription: D\ndate: 2026-11-21\n", ":4:1: "},
	        {"title: T\ndescription: D\ndraft: true\n", ":4:1: "},
	        {"title: T\ndescription: D\ntask: sums\n",
	         ":4:7: task is 'sums', expected move, reduce, rows, matrix or sync"},
	        {"title: T\ndescription: D\npost: scan\n",
	         ":4:7: post is 'scan', expected the address of a page, like /posts/scan/"},
	};
	struct arena a = {0};
	struct front f;
	struct err e = ERR_NONE;
	(void)state;
	assert_true(front_parse(STR("---\ntitle: T\ndescription: D\n---\nbody\n"), PATH,
	                        FRONT_FAMILY, &a, &f, &e));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct sb src = {0};
		e = ERR_NONE;
		sb_printf(&src, "---\n%s---\nbody\n", wrong[i].matter);
		assert_false(front_parse(sb_view(&src), PATH, FRONT_FAMILY, &a, &f, &e));
		if (!strstr(e.text, wrong[i].error))
			fail_msg("'%s' is not in '%s'", wrong[i].error, e.text);
		sb_free(&src);
	}
	arena_free(&a);
}

static void test_page(void **state)
{
	(void)state;
	struct arena a = {0};
	struct front f;
	struct err e = ERR_NONE;
	assert_true(front_parse(STR("---\ntitle: About\n---\nx"), "content/about/index.md",
	                        FRONT_PAGE, &a, &f, &e));
	assert_string_equal(f.slug, "about");
	assert_null(f.date);
	assert_false(front_parse(STR("---\ntitle: x\n---\n"), "content/Über.md", FRONT_PAGE, &a, &f,
	                         &e));
	assert_string_equal(e.text, "content/Über.md:1:1: the file name gives the slug 'Über', "
	                            "expected 1 to 64 of 'a-z', '0-9' and '-', not starting with "
	                            "'-'; add 'slug: …'");
	arena_free(&a);
}

static void test_line_ends(void **state)
{
	(void)state;
	struct arena a = {0};
	struct front f =
	        parse("\xef\xbb\xbf---\r\ntitle: Tä\r\ndate: 2026-11-21\r\n--- \r\nbody\r\n", &a);
	assert_str(f.title.s, "Tä");
	assert_str(f.body, "body\r\n");
	assert_int_equal(f.body_line, 5);
	arena_reset(&a);
	f = parse(
	        "---\ndate: 2026-11-21\ntags:\n  - a\n  - b\ntitle: >-\n  over two\n  lines\n---\n",
	        &a);
	assert_str(f.title.s, "over two lines");
	assert_int_equal(f.ntags, 2);
	arena_free(&a);
}

static void test_places(void **state)
{
	(void)state;
	struct arena a = {0};
	struct front f = parse("---\ndescription: 'ä – <<bench:env>>'\ndate: 2026-11-21\n"
	                       "title:   ü <<bench:env>>\n---\n",
	                       &a);
	assert_int_equal(f.description.at.line, 2);
	assert_int_equal(f.description.at.col, 15);
	assert_str(f.description.s, "ä – <<bench:env>>");
	assert_int_equal(f.title.at.line, 4);
	assert_int_equal(f.title.at.col, 10);
	arena_free(&a);
	refuse("title: \"a \\t <<bench:env>>\"\n",
	       "2:9: 'title' holds a placeholder, so expected it "
	       "on one line and without escapes");
	refuse("title: 'it''s <<bench:env>>'\n", "2:9: 'title' holds a placeholder, so expected it "
	                                         "on one line and without escapes");
	refuse("title: >\n  x <<bench:env>>\n",
	       "2:8: 'title' holds a placeholder, so expected it on one line and without escapes");
}

static void test_unknown(void **state)
{
	(void)state;
	refuse("tilte: x\n", "2:1: unknown key 'tilte', did you mean 'title'?");
	refuse_so("title: x\nzzzzzz: x\n",
	          "3:1: unknown key 'zzzzzz', expected one of title, description, ");
	refuse("title: x\ntitle: y\n", "3:1: 'title' is given in line 2 already");
	refuse("title: x\n", "1:1: front matter has no 'date', which every post needs");
	refuse("date: 2026-11-21\n", "1:1: front matter has no 'title', which every post needs");
	refuse("", "2:1: front matter is no mapping, expected lines 'key: value'");
	refuse("- a\n", "2:1: front matter is no mapping, expected lines 'key: value'");
	refuse("[a]: x\n", "2:1: front matter has a list as a key, expected a word");
}

static void test_types(void **state)
{
	(void)state;
	refuse("title: [a]\n", "2:8: 'title' has a list, expected text");
	refuse("title:\n", "2:7: 'title' is empty, expected text");
	refuse("title: ''\n", "2:8: 'title' is empty, expected text");
	refuse("title: \"\\u200b \\u3164\"\n",
	       "2:8: 'title' is empty (it has only invisible characters), expected text");
	refuse("waive: [{rule: traced, in: title, why: \"\\u2800\"}]\n",
	       "2:40: 'waive' is empty (it has only invisible characters), expected text");
	refuse("tags: [a, '<<bench:count families>>']\n",
	       "2:11: 'tags' is shown as it is, expected a word without a placeholder");
	refuse("category: x <<bench:spec hbm>>\n",
	       "2:11: 'category' is shown as it is, expected a word without a placeholder");
	refuse("title: \"a\\0b\"\n", "2:8: 'title' holds a control character, expected text");
	refuse("title: \"a\\u202eb\"\n", "2:8: 'title' holds a control character, expected text");
	refuse("take: One\n", "2:7: 'take' has text, expected a list of 3 texts");
	refuse("take: [a, b]\n", "2:7: 'take' has 2 texts, expected 3");
	refuse("take: [a, b, c, d]\n", "2:7: 'take' has 4 texts, expected 3");
	refuse("take: [a, [b], c]\n", "2:11: 'take' has a list, expected text");
	refuse("tags: cuda\n", "2:7: 'tags' has text, expected a list like [cuda, memory]");
	refuse("tags: [a, [b]]\n", "2:11: 'tags' has a list, expected words in a list");
	refuse("waive: traced\n",
	       "2:8: 'waive' has text, expected a list of {rule: …, in: …, why: …}");
	refuse("waive: [traced]\n",
	       "2:9: waiver is text, expected {rule: traced, in: title, why: \"…\"}");
	refuse("waive: [{rule: traced, wy: x}]\n",
	       "2:24: waiver has 'wy', expected rule, in or for, why");
	refuse("waive: [{rule: traced, rule: x}]\n",
	       "2:24: waiver has 'rule' twice, expected rule, in or for, why");
	refuse("waive: [{rule: traced, why: x}]\n",
	       "2:9: waiver needs rule, why, and either in or for");
	refuse("waive: [{rule: traced, in: title, why: ''}]\n",
	       "2:40: 'waive' is empty, expected text");
	refuse("tags: [a, b, a]\n", "2:14: tags has 'a' twice");
	refuse("tags: [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]\n",
	       "2:47: tags has more than 16 words");
	refuse("draft: yes\n", "2:8: draft is 'yes', expected true or false");
	refuse("draft: 'true'\n", "2:8: draft is 'true', expected true or false");
	refuse("part: x\n", "2:7: part is 'x', expected a number from 1 to 1000");
	refuse("part: 0\n", "2:7: part is '0', expected a number from 1 to 1000");
	refuse("date: {a: b}\n", "2:7: 'date' has a mapping, expected a word");
	refuse("title: &x y\n",
	       "2:8: front matter has no anchors and no tags, expected a plain value");
	refuse("title: !!str y\n",
	       "2:8: front matter has no anchors and no tags, expected a plain value");
	refuse("title: *x\n", "2:8: 'title' has an alias, expected text");
}

static void test_words(void **state)
{
	(void)state;
	refuse("date: 21.11.2026\n",
	       "2:7: date is '21.11.2026', expected a date like 2026-11-21 or "
	       "2026-11-21T14:05Z");
	refuse("date: 2026-02-29\n",
	       "2:7: date is '2026-02-29', expected a day that the calendar has, from 1970 on");
	refuse("date: 2026-13-01\n",
	       "2:7: date is '2026-13-01', expected a day that the calendar has, from 1970 on");
	refuse("date: 2026-1x-01\n", "2:7: date is '2026-1x-01', expected a date like 2026-11-21 "
	                             "or 2026-11-21T14:05Z");
	refuse("slug: A\n", "2:7: slug is 'A', expected 1 to 64 of 'a-z', '0-9' and '-', not "
	                    "starting with '-'");
	refuse("slug: ../x\n", "2:7: slug is '../x', expected 1 to 64 of 'a-z', '0-9' and '-', not "
	                       "starting with '-'");
	refuse("difficulty: hard\n",
	       "2:13: difficulty is 'hard', expected introductory, intermediate or advanced");
	refuse("lang: english\n",
	       "2:7: lang is 'english', expected a language tag like en, de or zh-Hans");
	refuse("title: x\ndate: 2026-11-21\nupdated: 2026-11-20\n",
	       "4:1: updated is 2026-11-20, expected no day before the date 2026-11-21");
	refuse("title: x\ndate: 2026-11-21T14:05Z\nupdated: 2026-11-21T14:00Z\n",
	       "4:1: updated is 2026-11-21T14:00:00Z, expected no time before the date "
	       "2026-11-21T14:05:00Z");
	refuse("title: x\ndate: 2026-11-21T14:05\n", "3:7: date is '2026-11-21T14:05', expected a "
	                                             "zone behind the time: Z for UTC, or one "
	                                             "like +08:00");
	refuse("title: x\ndate: 2026-11-21\npart: 2\n", "4:1: 'part' without 'series'");
	struct arena a = {0};
	parse("---\ntitle: x\ndate: 2024-02-29\nlang: zh-Hans\n---\n", &a);
	struct front f = parse("---\ntitle: x\ndate: 2026-11-22T00:05+08:00\nupdated: 2026-11-21\n"
	                       "---\n",
	                       &a);
	assert_string_equal(f.date, "2026-11-21T16:05:00Z");
	assert_string_equal(f.updated, "2026-11-21"); /* the same day is no day before */
	arena_free(&a);
}

static void test_broken(void **state)
{
	(void)state;
	static const struct {
		const char *src, *want;
	} t[] = {
	        {"", "1:1: no front matter, expected '---' as the first line, then 'title: …'"},
	        {"# x\n",
	         "1:1: no front matter, expected '---' as the first line, then 'title: …'"},
	        {"---\ntitle: x\n",
	         "1:1: front matter does not end, expected a line '---' within 64 KiB"},
	        {"---", "1:1: front matter does not end, expected a line '---' within 64 KiB"},
	        {"---\ntitle: 'x\n---\n", "3:1: front matter: found unexpected end of stream while "
	                                  "scanning a quoted scalar"},
	        {"---\ntitle: a: b\n---\n",
	         "2:9: title: a value with ': ' in it needs quotes: title: \"a: b\""},
	        {"---\ndate: 2026-01-01\ntitle: \xe7\x94\xb2: \"b\": c\n---\n",
	         "3:9: title: a value with ': ' in it needs quotes: title: '\xe7\x94\xb2: \"b\": "
	         "c'"},
	        {"---\nwaive:\n  - why: a: b\n---\n",
	         "3:11: why: a value with ': ' in it needs quotes: why: \"a: b\""},
	        {"---\ntitle: \"a\": b\n---\n", "2:11: a value with ': ' in it needs quotes"},
	        {"---\ntitle: \xff\n---\n", "2:8: front matter: invalid leading UTF-8 octet"},
	        {"---\n\ttitle: x\n---\n", "2:1: front matter: found character that cannot start "
	                                   "any token while scanning for "
	                                   "the next token"},
	        {"---\ntitle: x\n...\ndate: 1\n---\n",
	         "4:1: front matter: did not find expected <document start>"},
	        {"---\ntitle: x\n--- {a: b}\n---\n",
	         "3:1: front matter goes on, expected one mapping only"},
	};
	for (size_t i = 0; i < ARRAY_LEN(t); i++) {
		struct arena a = {0};
		struct front f;
		struct err e = ERR_NONE;
		assert_false(front_parse(str_of(t[i].src), "p.md", FRONT_POST, &a, &f, &e));
		assert_true(str_starts(str_of(e.text), "p.md:"));
		assert_string_equal(e.text + 5, t[i].want);
		arena_free(&a);
	}
}

/* Every prefix of a good file is read or refused, with a place, within bounds. */
static void test_prefixes(void **state)
{
	(void)state;
	static const char good[] = "---\ntitle: \"a \\x41\"\ndate: 2026-11-21\ntags: [a, b]\n"
	                           "description: >-\n  x\n  y\ndraft: false\n---\nbody";
	for (size_t n = 0; n < sizeof good; n++) {
		struct arena a = {0};
		struct front f;
		struct err e = ERR_NONE;
		char *exact = test_malloc(n);
		memcpy(exact, good, n);
		bool ok = front_parse((struct str){exact, n}, "p.md", FRONT_POST, &a, &f, &e);
		assert_true(ok || str_starts(str_of(e.text), "p.md:"));
		assert_int_equal(ok, n >= strlen(good) - strlen("\nbody"));
		test_free(exact);
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_all_keys), cmocka_unit_test(test_devices),
	        cmocka_unit_test(test_defaults), cmocka_unit_test(test_family),
	        cmocka_unit_test(test_page),     cmocka_unit_test(test_line_ends),
	        cmocka_unit_test(test_places),   cmocka_unit_test(test_unknown),
	        cmocka_unit_test(test_types),    cmocka_unit_test(test_words),
	        cmocka_unit_test(test_broken),   cmocka_unit_test(test_prefixes),
	};
	return cmocka_run_group_tests_name("front", tests, NULL, NULL);
}
