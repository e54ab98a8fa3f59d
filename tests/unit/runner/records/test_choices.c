/* What a run has chosen, taken over from a run file and from the file of a plan's shards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/file.h"
#include "runner/records/choices.h"

static char folder[] = "/tmp/ridgepoint-choices-XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

/* Two cases that choose, and one that does not. */
static void plan_of(const char *x, const char *y, struct item *it, struct plan *p)
{
	it[0] = (struct item){.id = "copy/a:n=1", .choice = x};
	it[1] = (struct item){.id = "copy/b:n=1", .choice = y};
	it[2] = (struct item){.id = "copy/c:n=1"};
	*p = (struct plan){.item = it, .n = 3};
}

static void the_first_shard_decides(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct item it[3];
	struct plan p;
	struct file_entry *entry;
	size_t n;
	const char *dir = arena_printf(&a, "%s/shards/h200", folder);
	const char *path = choices_path(dir, "0123456789abcdef0123", &a);
	assert_string_equal(path, arena_printf(&a, "%s/.0123456789abcdef.choices", dir));
	plan_of(NULL, NULL, it, &p);
	assert_true(choices_read(path, &p, &a, &e));
	assert_null(p.item[0].choice);
	plan_of("algorithm=1 tile=8x8", "stages=4", it, &p);
	assert_true(choices_share(path, &p, &a, &e));
	assert_string_equal(p.item[0].choice, "algorithm=1 tile=8x8");
	/* a second shard, whose own choice came too late */
	plan_of("algorithm=2 tile=8x8", "stages=5", it, &p);
	assert_true(choices_share(path, &p, &a, &e));
	assert_string_equal(p.item[0].choice, "algorithm=1 tile=8x8");
	assert_string_equal(p.item[1].choice, "stages=4");
	assert_null(p.item[2].choice);
	/* a third one, which begins later */
	plan_of(NULL, NULL, it, &p);
	assert_true(choices_read(path, &p, &a, &e));
	assert_string_equal(p.item[1].choice, "stages=4");
	assert_true(file_list(dir, &a, &entry, &n, &e));
	assert_int_equal(n, 1); /* no file of one shard's own stays */
	arena_free(&a);
}

static void a_damaged_file_is_an_error(void **state)
{
	(void)state;
#define OF_ONE(pair)                                                          \
	"{\"schema\":\"ridgepoint-choices/1.0\",\"choices\":{\"copy/a:n=1\":" \
	"{\"choice\":{" pair "}}}}"
	static const char *const texts[][2] = {
	        {"[]", "not an object, expected what the shards of a plan chose"},
	        {"{\"schema\":\"ridgepoint-choices/2.0\",\"choices\":{}}",
	         "schema 'ridgepoint-choices/2.0', expected 'ridgepoint-choices/1.0'"},
	        {"{\"schema\":\"ridgepoint-choices/1.0\"}", "choices"},
	        {OF_ONE("\"stages\":1.5"), "'choice.stages' is neither a string nor an integer"},
	        {OF_ONE("\"stages\":\"1 2\""),
	         "'choice' has a name or a word that is empty, or has a blank"},
	};
	struct arena a = {0};
	struct item it[3];
	struct plan p;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct err e = ERR_NONE;
		const char *path = arena_printf(&a, "%s/damaged", folder);
		plan_of(NULL, NULL, it, &p);
		assert_true(file_write(path, str_of(texts[i][0]), &e));
		assert_false(choices_read(path, &p, &a, &e));
		if (!strstr(e.text, texts[i][1]) || !strstr(e.text, "damaged:1"))
			fail_msg("%s", e.text);
	}
	arena_free(&a);
}

static void a_run_file_has_them(void **state)
{
	(void)state;
	struct arena a = {0};
	struct item it[3];
	struct plan p;
	struct run_pair pair[] = {{"tile", "8x8", 0}};
	struct run_case c[] = {{.id = "copy/b:n=1", .build.choice = {pair, 1}},
	                       {.id = "copy/a:n=1"}};
	struct run r = {.cases = c, .ncases = 2};
	plan_of("stages=1", NULL, it, &p);
	choices_take(&p, &r, &a);
	assert_string_equal(p.item[0].choice, "stages=1"); /* the run has none */
	assert_string_equal(p.item[1].choice, "tile=8x8");
	assert_null(p.item[2].choice);
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_first_shard_decides),
	        cmocka_unit_test(a_damaged_file_is_an_error),
	        cmocka_unit_test(a_run_file_has_them),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
