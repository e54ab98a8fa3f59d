/*
 * What a warp touches, on accesses whose answer is known: the numbers of sectors are those that a
 * profiler counted for these strides (data/profiles/), the conflicts those of the textbook.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/str.h"
#include "site-gen/audit/drawn.h"
#include "site-gen/diagram/lanes.h"

static struct lanes strided(int64_t from, int64_t step, int bytes)
{
	struct lanes l = {.bytes = bytes};
	for (int i = 0; i < LANES; i++)
		l.at[i] = from + i * step;
	return l;
}

/* The audit derives the same from the expression, with code of its own. */
static void audit_agrees(const char *what, int64_t from, int64_t step, int bytes, double want)
{
	char key[128];
	struct sb text = {0};
	struct err e = ERR_NONE;
	double v = -1;
	snprintf(key, sizeof key, "%s %d (%lld+(lane*%lld))", what, bytes, (long long)from,
	         (long long)step);
	if (!audit_drawn(str_of(key), &text, &v, &e))
		fail_msg("%s", e.text);
	assert_true(v == want);
	sb_free(&text);
}

static void sectors(void **state)
{
	(void)state;
	static const struct {
		int64_t from, step;
		int bytes, sectors, lines;
		int64_t used;
	} known[] = {
	        {0, 4, 4, 4, 1, 128},       /* stride 1 */
	        {0, 8, 4, 8, 2, 128},       /* stride 2 */
	        {0, 32, 4, 32, 8, 128},     /* stride 8 */
	        {0, 64, 4, 32, 16, 128},    /* records of 16 floats */
	        {0, 128, 4, 32, 32, 128},   /* stride 32 */
	        {0, 65536, 4, 32, 32, 128}, /* a column of a matrix */
	        {4, 4, 4, 5, 2, 128},       /* off by one */
	        {0, 0, 4, 1, 1, 4},         /* all want the same */
	        {0, 2, 2, 2, 1, 64},        /* bf16 */
	        {0, 16, 16, 16, 4, 512},    /* 16 bytes a lane */
	        {8, 16, 16, 17, 5, 512},    /* and not aligned */
	        {0, 1, 4, 2, 1, 35},        /* overlapping */
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct lanes l = strided(known[i].from, known[i].step, known[i].bytes);
		struct lanes_global g;
		lanes_global(&l, &g);
		assert_int_equal(g.nsectors, known[i].sectors);
		assert_int_equal(g.nlines, known[i].lines);
		assert_int_equal(g.moved, 32 * known[i].sectors);
		assert_int_equal(g.used, known[i].used);
		audit_agrees("sectors", known[i].from, known[i].step, known[i].bytes, g.nsectors);
		audit_agrees("lines", known[i].from, known[i].step, known[i].bytes, g.nlines);
		audit_agrees("used", known[i].from, known[i].step, known[i].bytes, (double)g.used);
	}
}

static void banks(void **state)
{
	(void)state;
	static const struct {
		int64_t step;
		int bytes, passes, least, ways;
	} known[] = {
	        {4, 4, 1, 1, 1},        /* a row */
	        {128, 4, 32, 1, 32},    /* a column of 32 words: all in one bank */
	        {132, 4, 1, 1, 1},      /* the same, padded by a word */
	        {8, 4, 2, 1, 2},        /* every second word */
	        {0, 4, 1, 1, 1},        /* one word for all: no conflict */
	        {64, 2, 16, 1, 16},     /* a column of bf16: two banks */
	        {16, 16, 4, 4, 1},      /* 16 bytes a lane, in order: four groups */
	        {256, 16, 4 * 8, 4, 8}, /* a column of rows of 256 bytes */
	        {8, 8, 2, 2, 1},        /* 8 bytes a lane */
	};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct lanes l = strided(0, known[i].step, known[i].bytes);
		struct lanes_shared s;
		lanes_shared(&l, &s);
		assert_int_equal(s.passes, known[i].passes);
		assert_int_equal(s.least, known[i].least);
		assert_int_equal(s.ways, known[i].ways);
		audit_agrees("passes", 0, known[i].step, known[i].bytes, s.passes);
		audit_agrees("conflicts", 0, known[i].step, known[i].bytes, s.passes - s.least);
	}
}

static void a_swizzle_has_no_conflicts(void **state)
{
	(void)state;
	struct lanes column = {.bytes = 4}, row = {.bytes = 4};
	struct lanes_shared s;
	for (int i = 0; i < LANES; i++) {
		column.at[i] = 4 * (i * 32 + (0 ^ i));
		row.at[i] = 4 * (5 * 32 + (i ^ 5));
	}
	lanes_shared(&column, &s);
	assert_int_equal(s.passes, 1);
	lanes_shared(&row, &s);
	assert_int_equal(s.passes, 1);
}

static void passes_go_in_order(void **state)
{
	(void)state;
	struct lanes l = strided(0, 128, 4);
	struct lanes_shared s;
	lanes_shared(&l, &s);
	for (int i = 0; i < LANES; i++)
		assert_int_equal(s.pass[i], i);
}

static void the_audit_refuses_what_is_no_access(void **state)
{
	(void)state;
	static const char *const wrong[] = {"sectors",
	                                    "sectors 4",
	                                    "sectors 3 lane",
	                                    "sectors 4 (lane*4",
	                                    "sectors 4 lanes",
	                                    "sectors 4 (lane/0)",
	                                    "sectors 4 (0-1)",
	                                    "sectors 4 (lane<63)",
	                                    "height 4 lane",
	                                    "sectors 4 (lane|1)",
	                                    "sectors 32 lane",
	                                    "sectors 4 (lane*4) ",
	                                    "sectors 4 (9223372036854775807*lane)"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct sb text = {0};
		struct err e = ERR_NONE;
		double v;
		if (audit_drawn(str_of(wrong[i]), &text, &v, &e))
			fail_msg("'%s' was accepted", wrong[i]);
		sb_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sectors),
	        cmocka_unit_test(banks),
	        cmocka_unit_test(a_swizzle_has_no_conflicts),
	        cmocka_unit_test(passes_go_in_order),
	        cmocka_unit_test(the_audit_refuses_what_is_no_access),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
