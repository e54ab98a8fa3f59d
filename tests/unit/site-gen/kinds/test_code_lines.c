/* Lines of code on a page, and the audit's own count of them. SYNTHETIC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/audit/code_lines.h"
#include "site-gen/numbers/code_lines.h"
#include "tests/unit/help/synthetic_repo.h"

#define CASE "transpose/tile:rows=16384,cols=16384,dtype=f32,cache=cold"
#define FILE_NAME "kernels/transpose/tile.cu"

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic s = repo_run(&repo, RUN_A);
	repo_add_run(&repo, &s);
	repo_commit(&repo);
	repo_load(&repo);
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

/* --- what a line of code is --- */

static const struct {
	const char *path, *text;
	size_t lines;
} texts[] = {
        {"a.cu", "", 0},
        {"a.cu", "int x;", 1},
        {"a.cu", "int x;\n\n  \t\nint y;\n", 2},
        {"a.cu", "// only words\nint x; // and words\n", 1},
        {"a.cu", "/* one */\n/* two\n   three */ int x;\n/* */ /* */\n", 1},
        {"a.cu", "/* a */ int x; /* b\n c */\n*/\n", 2},
        {"a.cu", "char *s = \"/*\";\nint y;\nchar *t = \"*/\";\n", 3},
        {"a.cu", "char c = '\"'; // \"\nint x;\n", 2},
        {"a.cu", "char *s = \"\\\"// no comment\";\n", 1},
        {"a.cu", "#define X \\\n    1\n# /* no comment of Python */\n", 3},
        {"a.cu", "int a = b / c;\n*p = 1;\n", 2},
        {"a.h", "/**/\n/*/\nint x;\n*/\n", 0},
        {"a.py", "# words\nx = 1  # words\n\ny = '#'\n", 2},
        {"a.py", "def f():\n    \"\"\"What it does,\n    and why.\"\"\"\n    return 1\n", 2},
        {"a.py", "'''one'''\nx = 1\n", 1},
        {"a.py", "x = '''a\n# text\n\nb'''\ny = 1\n", 4},
        {"a.py", "x = \"it's\"\n# it's\n", 1},
        {"a.py", "/* a / b */\n// 2\n", 2},
};

static void what_a_line_of_code_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (code_lines_count(texts[i].path, str_of(texts[i].text), NULL) != texts[i].lines)
			fail_msg("%s has %zu lines of code, not %zu", texts[i].text,
			         code_lines_count(texts[i].path, str_of(texts[i].text), NULL),
			         texts[i].lines);
}

/* --- on a page --- */

static void a_page_has_the_number(void **state)
{
	(void)state;
	assert_string_equal(repo_expand(&repo, "code-lines transpose/tile", false), "4");
	assert_string_equal(repo_expand(&repo, "code-lines transpose/tile region=inner", false),
	                    "1");
	assert_string_equal(repo_expand(&repo, "code-lines transpose/padded part=kernels", false),
	                    "5");
	assert_string_equal(
	        repo_expand(&repo, "code-lines transpose/tile file=kernels/*.cu", false), "4");
	const char *html = repo_expand(
	        &repo, "code-lines transpose/tile rows=16384 dtype=f32 region=inner", true);
	contains(html, "<a class=\"num code-lines\" href=\"/numbers/");
	contains(html, "data-n=\"code h200 " CASE " lines:5-5 " FILE_NAME "@");
	contains(html,
	         "title=\"lines of code in " FILE_NAME ", without empty lines and comments\"");
}

static void what_cannot_be_counted_is_an_error(void **state)
{
	(void)state;
	contains(repo_expand(&repo, "code-lines transpose/tile rows=16384 dtype=f32 file=*.py",
	                     true),
	         "'*.py' matches no source of " CASE ", expected one of " FILE_NAME);
	contains(repo_expand(&repo, "code-lines transpose/tile region=outer", true),
	         "has no region 'outer', expected one of inner");
	contains(repo_expand(&repo, "code-lines transpose/*", true), "matches several variants");
	contains(repo_expand(&repo, "source transpose/tile file=*.py", true),
	         "'*.py' matches no source of");
	contains(repo_expand(&repo, "source transpose/tile file=*.cu region=inner", true),
	         FILE_NAME "</code>");
}

/* --- the audit --- */

static bool audited(const char *part, const char *file, struct sb *to, struct err *e)
{
	struct audit audit;
	struct problems found = {.arena = &repo.arena};
	char blob[HASH_GIT_HEX + 1];
	double value;
	bool preview = true;
	hash_git_blob(synthetic_source("transpose", "tile", &repo.arena), blob);
	audit_init(&audit, &repo.data, &repo.arena, &found);
	sb_clear(to);
	*e = ERR_NONE;
	bool ok = audit_code_lines(
	        &audit,
	        str_of(arena_printf(&repo.arena, "h200 " CASE " %s %s@%s", part, file, blob)), to,
	        &value, &preview, e);
	assert_true(!ok || !preview);
	arena_free(&audit.records.scratch);
	return ok;
}

static void the_audit_counts_again(void **state)
{
	(void)state;
	struct sb to = {0};
	struct err e;
	assert_true(audited("all", FILE_NAME, &to, &e));
	assert_string_equal(to.p, "4");
	assert_true(audited("lines:1-1,5-6", FILE_NAME, &to, &e));
	assert_string_equal(to.p, "1");
	assert_true(audited("lines:2-3", FILE_NAME, &to, &e));
	assert_string_equal(to.p, "2");
	assert_false(audited("some", FILE_NAME, &to, &e));
	assert_non_null(strstr(e.text, "names no lines of a source"));
	assert_false(audited("all", "kernels/transpose/naive.cu", &to, &e));
	assert_non_null(strstr(e.text, "no run measured '" CASE "' with the sources"));
	sb_free(&to);
}

/* Two programs, one definition: every text above as a source of its own. */
static void both_count_alike(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct str text = str_of(texts[i].text);
		assert_int_equal(audit_code_lines_count(str_of(texts[i].path), text, STR("all"),
		                                        &repo.arena),
		                 texts[i].lines);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_a_line_of_code_is),
	        cmocka_unit_test_setup_teardown(a_page_has_the_number, make, drop),
	        cmocka_unit_test_setup_teardown(what_cannot_be_counted_is_an_error, make, drop),
	        cmocka_unit_test_setup_teardown(the_audit_counts_again, make, drop),
	        cmocka_unit_test_setup_teardown(both_count_alike, make, drop),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
