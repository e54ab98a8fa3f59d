/*
 * What a text can ask of the records. A family too many costs time; one too few would let a wrong
 * text pass.
 */
#include "site-gen/records/need.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"

static bool needs(const char *text, const char *family)
{
	struct arena a = {0};
	const struct need n = need_of(str_of(text), ".", &a);
	bool is = need_family(&n, family);
	arena_free(&a);
	return is;
}

static void named_families_count(void **state)
{
	(void)state;
	assert_true(needs("<<bench:value scan/naive rows=8>>", "scan"));
	assert_true(needs("<<bench:table scan>>", "scan"));
	assert_true(needs("<<bench:ratio a/b over=scan/naive>>", "scan"));
	assert_true(needs("<<bench:percent a/b of=measured:scan/naive>>", "scan"));
	assert_true(needs("<<bench:derived \"([a/x time] - [scan/y time]) * 2\" unit=s>>", "scan"));
	assert_true(needs("<<bench:claim a/b time < 2 * scan/c>>so<</bench:claim>>", "scan"));
	assert_true(needs("<<bench:table\nscan/*\nrows=8>>", "scan"));
	assert_true(needs("---\ntitle: Of <<bench:value scan/x>>\n---\n", "scan"));
}

static void others_do_not(void **state)
{
	(void)state;
	assert_false(needs("A scan of <<bench:value reduce/naive>>.", "scan"));
	assert_false(needs("<<bench:value prescan/naive>>", "scan"));
	assert_false(needs("<<bench:value scan-up/naive>>", "scan"));
	assert_false(needs("", "scan"));
}

static void patterns_count(void **state)
{
	(void)state;
	assert_true(needs("<<bench:table s*/naive>>", "scan"));
	assert_true(needs("<<bench:table */naive>>", "scan"));
	assert_true(needs("<<bench:table * metric=time>>", "scan"));
	assert_true(needs("<<bench:table sca?/x>>", "scan"));
	assert_true(needs("<<bench:table {scan,reduce}/x>>", "scan"));
	assert_true(needs("<<bench:table sc{an,atter}/x>>", "scan"));
	assert_true(needs("<<bench:ratio a/b over=s*/x>>", "scan"));
	assert_true(needs("<<bench:derived \"[s*/x time] / 2\" unit=s>>", "scan"));
	/* of variants, and products */
	assert_false(needs("<<bench:table reduce/*>>", "scan"));
	assert_false(needs("<<bench:derived \"2 * 8 B\" unit=B>>", "scan"));
	assert_false(needs("<<bench:claim a/b time < 1.5 * a/c>>so<</bench:claim>>", "scan"));
}

static void roofs_are_drawn_unasked(void **state)
{
	(void)state;
	assert_true(needs("", "ceiling-memory"));
}

static bool all(const char *text)
{
	struct arena a = {0};
	bool is = need_of(str_of(text), ".", &a).all;
	arena_free(&a);
	return is;
}

static void some_texts_need_everything(void **state)
{
	(void)state;
	assert_false(all("<<bench:value scan/x>> and <<bench:waive \"so\">>1<</bench:waive>>"));
	assert_true(all("<<bench:count families>>"));
	assert_true(all("<<bench:ledger>>"));
	assert_true(all("<<bench:of-the-site scan>>")); /* a shortcode */
	assert_true(all("```c kernels/scan/naive.cu\nint x;\n```\n"));
	assert_false(all("```c\nint x = 1 / 2;\n```\n"));
	assert_true(all("<<bench:prediction not-there>>"));
}

static void a_prediction_brings_its_families(void **state)
{
	struct err e = ERR_NONE;
	struct arena a = {0};
	char dir[] = "/tmp/test_need.XXXXXX";
	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_true(file_mkdirs(arena_printf(&a, "%s/data/predictions", dir), &e));
	const char *path = arena_printf(&a, "%s/data/predictions/first.md", dir);
	assert_true(file_write(path, STR("---\nselector: scan/naive\n---\n"), &e));
	const struct need n = need_of(STR("<<bench:prediction first>>"), dir, &a);
	assert_true(need_family(&n, "scan"));
	assert_false(need_family(&n, "reduce"));
	assert_true(need_prediction(&n, STR("first")));
	assert_false(need_prediction(&n, STR("second")));
	unlink(path);
	rmdir(arena_printf(&a, "%s/data/predictions", dir));
	rmdir(arena_printf(&a, "%s/data", dir));
	rmdir(dir);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(named_families_count),
	        cmocka_unit_test(others_do_not),
	        cmocka_unit_test(patterns_count),
	        cmocka_unit_test(roofs_are_drawn_unasked),
	        cmocka_unit_test(some_texts_need_everything),
	        cmocka_unit_test(a_prediction_brings_its_families),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
