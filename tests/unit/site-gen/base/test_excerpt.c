#include "site-gen/base/excerpt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/build/follow.h"
#include "site-gen/base/problems.h"

static const char *const source = "---\n一行\n\tx <<bench:valeu>>\nlast";

/* A file with the source above, in the arena. */
static const char *source_file(struct arena *a)
{
	struct err e = ERR_NONE;
	char dir[] = "/tmp/excerpt-XXXXXX";
	assert_non_null(mkdtemp(dir));
	const char *path = arena_printf(a, "%s/post.md", dir);
	assert_true(file_write(path, str_of(source), &e));
	return path;
}

static void drop(const char *path)
{
	char dir[64];
	unlink(path);
	snprintf(dir, sizeof dir, "%.*s", (int)(strrchr(path, '/') - path), path);
	rmdir(dir);
}

static void check(const char *problem, const char *want)
{
	struct sb got = {0};
	excerpt_text(&got, str_of(problem));
	assert_string_equal(got.p, want);
	sb_free(&got);
}

static void test_text(void **state)
{
	struct arena a = {0};
	const char *path = source_file(&a);
	(void)state;
	check(arena_printf(&a, "site-gen: %s:3:4: no metric 'valeu'", path),
	      arena_printf(&a,
	                   "site-gen: %s:3:4: no metric 'valeu'\n"
	                   "  |\n3 | \tx <<bench:valeu>>\n  | \t  ^\n",
	                   path));
	/* a wide character is a wide space; the rule says what it wants */
	check(arena_printf(&a, "%s:2:2: wrong [traced]", path),
	      arena_printf(&a,
	                   "%s:2:2: wrong [traced]\n  |\n2 | 一行\n  | \u3000^\n  = traced: %s\n",
	                   path, rule_info(RULE_TRACED)->says));
	check(arena_printf(&a, "%s:4: no column", path),
	      arena_printf(&a, "%s:4: no column\n  |\n4 | last\n", path));
	check(arena_printf(&a, "%s:9:1: past the end", path),
	      arena_printf(&a, "%s:9:1: past the end\n", path));
	check("/nowhere/at/all.md:1:1: gone", "/nowhere/at/all.md:1:1: gone\n");
	check("a sentence: and more", "a sentence: and more\n");
	drop(path);
	arena_free(&a);
}

static void test_parts(void **state)
{
	struct arena a = {0};
	(void)state;
	struct excerpt x = excerpt_of(STR("site-gen: a/b.md:12:7: warning: too long"), &a);
	assert_true(str_is(x.path, "a/b.md"));
	assert_int_equal(x.line, 12);
	assert_int_equal(x.col, 7);
	assert_true(x.is_warning);
	assert_true(str_is(x.what, "too long"));
	assert_null(x.rule);
	x = excerpt_of(STR("a.md: bad [noted]"), &a);
	assert_true(str_is(x.path, "a.md"));
	assert_int_equal(x.line, 0);
	assert_ptr_equal(x.rule, rule_info(RULE_NOTED));
	assert_null(excerpt_of(STR("a.md: an array x[noted]"), &a).rule);
	arena_free(&a);
}

/* What a list prints, all of it. */
static void check_printed(const struct problems *p, bool excerpts, const char *want)
{
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);
	problems_print(&p, 1, excerpts, to);
	fclose(to);
	assert_string_equal(text, want);
	free(text);
}

static void test_problems(void **state)
{
	struct arena a = {0};
	struct problems p = {.arena = &a};
	(void)state;
	assert_false(problems_any(&p, true));
	problems_warn(&p, (struct loc){"b.md", 10, 1}, "long");
	assert_false(problems_any(&p, false));
	assert_true(problems_any(&p, true));
	problems_say(&p, (struct loc){"b.md", 9, 2}, "wrong");
	problems_say(&p, (struct loc){"b.md", 9, 2}, "wrong");
	assert_true(problems_any(&p, false));
	check_printed(&p, false, "site-gen: b.md:9:2: wrong\nsite-gen: b.md:10:1: warning: long\n");
	arena_free(&a);

	const char *path = source_file(&a);
	p = (struct problems){.arena = &a};
	problems_say(&p, (struct loc){path, 4, 2}, "wrong");
	check_printed(&p, true,
	              arena_printf(&a, "site-gen: %s:4:2: wrong\n  |\n4 | last\n  |  ^\n", path));
	drop(path);
	arena_free(&a);
}

static void test_follow(void **state)
{
	struct str all = STR("content/posts/a.md /posts/a/\ncontent/posts/a.zh.md /zh/posts/a/\n");
	(void)state;
	assert_true(str_is(follow_page(all, STR("content/posts/a.md")), "/posts/a/"));
	assert_true(str_is(follow_page(all, STR("content/posts/a.zh.md")), "/zh/posts/a/"));
	assert_int_equal(follow_page(all, STR("content/posts/b.md")).n, 0);

	struct str before = STR("<nav>1</nav><h2 id=\"one\">One</h2><p>x</p>"
	                        "<h3 id=\"two\">Two</h3><p>y</p><h2 class=\"x\">no</h2>");
	struct str after = STR("<nav>2</nav><h2 id=\"one\">One</h2><p>x</p>"
	                       "<h3 id=\"two\">Two</h3><p>y, too</p><h2 class=\"x\">no</h2>");
	assert_true(str_is(follow_section(before, after), "two"));
	assert_int_equal(follow_section(before, before).n, 0);
	assert_true(
	        str_is(follow_section(STR("<h2 id=\"one\">One</h2><p>footer</p>"), after), "two"));
	assert_true(str_is(follow_section(STR("<p></p>"), after), "one"));
	assert_int_equal(follow_section(after, STR("<h2 id=\"")).n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_text),
	        cmocka_unit_test(test_parts),
	        cmocka_unit_test(test_problems),
	        cmocka_unit_test(test_follow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
