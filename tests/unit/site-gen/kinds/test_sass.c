/* Machine code on a page: its part, its lines, its counts, and what the audit finds. SYNTHETIC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/audit/listed.h"
#include "tests/unit/help/listing.h"
#include "tests/unit/help/synthetic_repo.h"

#define FILE_NAME "kernels/transpose/tile.cu"
#define LISTING "data/sass/sm_90a/" LISTING_ID ".jsonl"
#define CASE "transpose/tile rows=16384 dtype=f32"

static struct repo repo;

/* Run A measured the code of the listing, unless `other`. */
static void make_with(bool other)
{
	repo_make(&repo, true);
	struct synthetic s = repo_run(&repo, RUN_A);
	char blob[HASH_GIT_HEX + 1];
	s.code = 1;
	repo_add_run(&repo, &s);
	hash_git_blob(synthetic_source("transpose", "tile", &repo.arena), blob);
	const char *code = arena_printf(&repo.arena, "%s%024x", blob, other ? 2 : 1);
	repo_write(&repo, LISTING, str_of(listing_text(FILE_NAME, blob, code, &repo.arena)));
	repo_commit(&repo);
	repo_load(&repo);
}

static int make(void **state)
{
	(void)state;
	make_with(false);
	return 0;
}

static int make_other(void **state)
{
	(void)state;
	make_with(true);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.3000s", part, text);
}

static void lacks(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%.3000s", part, text);
}

static const char *html_of(const char *inside)
{
	return repo_expand(&repo, inside, true);
}

static void a_whole_function(void **state)
{
	(void)state;
	const char *html = html_of("sass " CASE " function=\"copy(float*\"");
	contains(html, "<code>copy(float*)</code>");
	contains(html,
	         "<span class=\"l memory\" data-n=\"5\">  <span class=\"k\">LDG.E.128</span>");
	contains(html, "<span class=\"l\" data-n=\"\"><span class=\"f\">.L_x_1:</span></span>");
	contains(html, "<span class=\"l control\" data-n=\"\">  <span class=\"k\">EXIT</span>");
	lacks(html, "NOP");
	lacks(html, "// …");
	lacks(html, "class=\"l tensor\"");
	contains(html, "<code>nvdisasm 0.0.1</code> for <code>sm_90a</code>");
	contains(html, "<code>build/runner sass transpose/tile</code>");
	contains(html, ">7</a> instructions");
}

static void a_part(void **state)
{
	(void)state;
	const char *html = html_of("sass " CASE " function=copy(float region=inner");
	contains(html, "LDG.E.128"); /* inlined there */
	contains(html, "STG.E.128");
	lacks(html, "IADD3");
	contains(html, "// …");
	contains(html, " lines:5-5\">");
	html = html_of("sass " CASE " function=copy(float loop=.L_x_1 mark=2-3 notes=\"STG\"");
	contains(html, "at:0x10-0x50\">");
	contains(html, "class=\"l memory lit\"");
	contains(html, "class=\"note\"");
	lacks(html, "EXIT");
	html = html_of("sass " CASE " function=_Z4copyPf from=\"LDG.E.128\" to=0x30");
	contains(html, "at:0x10-0x30\">");
}

static void counts(void **state)
{
	(void)state;
	assert_string_equal(repo_expand(&repo,
	                                "sass-count transpose/tile LDG.E.128 function=copy(float",
	                                false),
	                    "1");
	assert_string_equal(
	        repo_expand(&repo, "sass-count transpose/tile LDG* function=copy(float", false),
	        "2");
	assert_string_equal(
	        repo_expand(&repo, "sass-count transpose/tile * function=copy(float region=inner",
	                    false),
	        "3");
	contains(html_of("sass-count transpose/tile LDG.E.128 function=copy(float"),
	         "<a class=\"num opcodes\" href=\"/numbers/");
}

static void what_cannot_be_shown_is_an_error(void **state)
{
	(void)state;
	contains(html_of("sass transpose/tile"),
	         "2 functions of " FILE_NAME
	         " match '', expected function=\"…\" with a part of one "
	         "name: copy(float*); copy(double*)");
	contains(html_of("sass transpose/tile function=copy"), "2 functions of");
	contains(html_of("sass transpose/tile function=move"), "0 functions of");
	contains(html_of("sass transpose/tile function=copy(float region=outer"),
	         "has no region 'outer', expected one of inner");
	contains(html_of("sass transpose/tile function=copy(double region=inner"),
	         "no instruction of copy(double*) comes from these lines");
	contains(
	        html_of("sass transpose/tile function=copy(float loop=.L_x_2"),
	        "'.L_x_2' begins no loop of copy(float*), expected one of .L_x_1 (5 instructions)");
	contains(html_of("sass transpose/tile function=copy(float from=LDG to=EXIT"),
	         "'LDG' is in 2 instructions of copy(float*), expected one: 0x10 LDG.E.128");
	contains(html_of("sass transpose/tile function=copy(float from=0x8 to=EXIT"),
	         "'0x8' is in 0 instructions");
	contains(html_of("sass transpose/tile function=copy(float from=EXIT to=LDC"),
	         "to= stands before from=");
	contains(html_of("sass transpose/tile function=copy(float from=EXIT"),
	         "from= and to= go together");
	contains(html_of("sass transpose/tile function=copy(float loop=.L_x_1 region=inner"),
	         "exclude each other");
	contains(html_of("sass transpose/tile function=copy(float mark=99"), "marks no lines");
	contains(html_of("sass-count transpose/tile FADD function=copy(float"),
	         "has no instruction 'FADD', expected one of LDC, LDG.E.128");
	contains(html_of("sass transpose/naive"),
	         "data/sass has no listing of kernels/transpose/naive.cu");
	contains(html_of("sass transpose/naive"), "'runner sass transpose/naive' makes one");
	contains(html_of("sass transpose/naive"), "[listed]");
}

static void other_code_is_refused(void **state)
{
	(void)state;
	contains(html_of("sass transpose/tile function=copy(float"),
	         "data/sass lists other machine code of " FILE_NAME);
	contains(html_of("sass-count transpose/tile LDG* function=copy(float"), "[listed]");
}

/* --- the audit --- */

static bool audited(const char *part, struct sb *to, double *value, struct err *e)
{
	const struct data_sass *file;
	const char *rest = arena_printf(&repo.arena,
	                                "h200 transpose/tile:rows=16384,cols=16384,dtype=f32,cache="
	                                "cold " LISTING_ID " %s",
	                                part);
	sb_clear(to);
	*e = ERR_NONE;
	return audit_listed(&repo.data, str_of(rest), to, value, &file, e);
}

static void the_audit_counts_again(void **state)
{
	(void)state;
	struct sb to = {0};
	struct err e;
	double value = 0;
	assert_true(audited("_Z4copyPf all LDG*", &to, &value, &e));
	assert_true(value == 2);
	assert_true(audited("_Z4copyPf lines:5-5 *", &to, &value, &e));
	assert_string_equal(to.p, "3");
	assert_true(audited("_Z4copyPf at:0x10-0x50 BRA", &to, &value, &e));
	assert_string_equal(to.p, "1");
	assert_true(audited("_Z4copyPf all *", &to, &value, &e));
	assert_string_equal(to.p, "7");
	const char *key = arena_printf(&repo.arena,
	                               "sass h200 transpose/tile:rows=16384,cols=16384,dtype=f32,"
	                               "cache=cold " LISTING_ID " _Z4copyPf lines:5-5");
	assert_true(audit_listed_lines(&repo.data, str_of(key),
	                               STR("  .L_x_1:\n LDG.E.128 R4, desc[UR4][R2.64]\n"
	                                   "LDG.E R9, desc[UR4][R2.64+0x10]\n// …\n"
	                                   "STG.E.128 desc[UR4][R8.64], R4 \n"),
	                               &e));
	assert_false(audit_listed_lines(&repo.data, str_of(key), STR(".L_x_1:\n"), &e));
	assert_non_null(strstr(e.text, "says other instructions than the record"));
	assert_false(audited("_Z4copyPg all *", &to, &value, &e));
	assert_non_null(strstr(e.text, "has no function '_Z4copyPg'"));
	assert_false(audited("_Z4copyPf some *", &to, &value, &e));
	assert_false(audited("_Z4copyPf at:0x10 *", &to, &value, &e));
	sb_free(&to);
}

static void the_audit_asks_for_the_hash(void **state)
{
	(void)state;
	struct sb to = {0};
	struct err e;
	double value;
	assert_false(audited("_Z4copyPf all *", &to, &value, &e));
	assert_non_null(strstr(e.text, "is not of the machine code that"));
	sb_free(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(a_whole_function, make, drop),
	        cmocka_unit_test_setup_teardown(a_part, make, drop),
	        cmocka_unit_test_setup_teardown(counts, make, drop),
	        cmocka_unit_test_setup_teardown(what_cannot_be_shown_is_an_error, make, drop),
	        cmocka_unit_test_setup_teardown(other_code_is_refused, make_other, drop),
	        cmocka_unit_test_setup_teardown(the_audit_counts_again, make, drop),
	        cmocka_unit_test_setup_teardown(the_audit_asks_for_the_hash, make_other, drop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
