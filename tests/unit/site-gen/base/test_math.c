/* Formulas to MathML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/base/math.h"
#include "site-gen/base/tool.h"

static struct arena arena;
static const char *cache;
static const struct loc here = {"post.md", 7, 3};

static const char *set(const char *tex, bool display, struct err *e)
{
	struct sb to = {0};
	*e = ERR_NONE;
	bool ok = math_mathml(str_of(tex), display, here, cache, &arena, &to, e);
	assert_int_equal(ok, !e->set);
	return sb_take(&arena, &to);
}

static void contains(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in '%s'", what, text);
}

static void formulas(void **state)
{
	struct err e;
	(void)state;
	const char *m = set("T \\geq \\frac{B}{\\beta}", false, &e);
	contains(m, "<math><semantics><mrow>");
	contains(m, "<mfrac><mi>B</mi><mi>&#x3b2;</mi></mfrac>");
	contains(m, "<annotation encoding=\"application/x-tex\">T \\geq "
	            "\\frac{B}{\\beta}</annotation>");
	contains(set("x", true, &e), "<math display=\"block\">");
	assert_null(strstr(set("\\max(a, b)", false, &e), "=\"0\""));
}

static void the_source_is_escaped(void **state)
{
	struct err e;
	(void)state;
	contains(set("a < b", false, &e), "x-tex\">a &lt; b</annotation>");
	assert_false(e.set);
	assert_null(strstr(set("\\text{<script>}", false, &e), "<script"));
}

static void errors_have_a_place(void **state)
{
	struct err e;
	(void)state;
	set("x \\nope", false, &e);
	assert_string_equal(e.text, "post.md:7:3: the formula cannot be set: "
	                            "Unrecognised command \"\\nope\"");
	set("\\frac{1", false, &e);
	contains(e.text, "post.md:7:3: the formula cannot be set: ");
	char *big = arena_alloc(&arena, 10001);
	memset(big, 'x', 10000);
	big[10000] = 0;
	set(big, false, &e);
	contains(e.text, "too long");
}

static void from_the_cache_as_from_the_program(void **state)
{
	struct err e = ERR_NONE;
	struct file_entry *entry;
	size_t before, after;
	(void)state;
	const char *first = set("y^2", false, &e);
	assert_true(file_list(cache, &arena, &entry, &before, &e));
	assert_string_equal(set("y^2", false, &e), first);
	assert_true(file_list(cache, &arena, &entry, &after, &e));
	assert_int_equal(before, after);
	set("y^3", false, &e);
	assert_true(file_list(cache, &arena, &entry, &after, &e));
	assert_int_equal(before + 1, after);
}

/* Another program, though as large: a copy with a time of its own. */
static void another_program_makes_it_again(void **state)
{
	struct err e = ERR_NONE;
	struct str bytes;
	struct file_entry *entry;
	size_t before, after;
	const char *usual = tool_find("blahtexml", &arena), *dir = tool_folder(&arena, &e);
	(void)state;
	assert_non_null(usual);
	assert_non_null(dir);
	const char *copy = arena_printf(&arena, "%s/blahtexml", dir);
	assert_non_null(set("x^3", false, &e));
	assert_true(file_list(cache, &arena, &entry, &before, &e));
	assert_true(file_read(usual, 1 << 26, &arena, &bytes, &e) && file_write(copy, bytes, &e));
	assert_int_equal(chmod(copy, 0755), 0);
	const char *path = arena_strdup(&arena, getenv("PATH"));
	setenv("PATH", dir, 1);
	assert_non_null(set("x^3", false, &e));
	setenv("PATH", path, 1);
	assert_true(file_list(cache, &arena, &entry, &after, &e));
	assert_int_equal(after, before + 1);
	tool_folder_remove(dir);
}

/* One digit of a kept formula changed, as by a disk, and a file without a hash, as there once were.
 */
static void a_changed_cache_is_not_believed(void **state)
{
	struct err e = ERR_NONE;
	struct file_entry *entry;
	struct str text;
	size_t n;
	(void)state;
	const char *first = set("y^4", false, &e);
	assert_true(file_list(cache, &arena, &entry, &n, &e));
	for (int cut = 0; cut < 2; cut++) {
		for (size_t i = 0; i < n; i++) {
			const char *path = arena_printf(&arena, "%s/%s", cache, entry[i].name);
			assert_true(file_read(path, 1 << 20, &arena, &text, &e));
			char *four = memmem(text.p, text.n, "<mn>4</mn>", 10);
			if (four)
				four[4] = '5';
			assert_true(file_write(path, str_sub(text, cut ? 65 : 0, text.n), &e));
		}
		assert_string_equal(set("y^4", false, &e), first);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(formulas),
	        cmocka_unit_test(the_source_is_escaped),
	        cmocka_unit_test(errors_have_a_place),
	        cmocka_unit_test(from_the_cache_as_from_the_program),
	        cmocka_unit_test(another_program_makes_it_again),
	        cmocka_unit_test(a_changed_cache_is_not_believed),
	};
	struct err e = ERR_NONE;
	cache = tool_folder(&arena, &e);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	tool_folder_remove(cache);
	arena_free(&arena);
	return failed;
}
