/* The look of a site in layers: which file counts, and where the default is found. */
#include "site-gen/lua/layers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tests/unit/help/folder.h"

static struct layers two_layers(struct folder *f)
{
	folder_put(f, "own/static/site.css", "own");
	folder_put(f, "own/static/z.css", "own");
	folder_put(f, "under/static/a/b.css", "default");
	folder_put(f, "under/static/site.css", "default");
	return (struct layers){folder_path(f, "own/"), folder_path(f, "under/")};
}

static void own_files_lie_over_the_default(void **state)
{
	struct folder *f = *state;
	struct layers l = two_layers(f), alone = {l.own, NULL};
	struct arena *a = &f->arena;
	assert_string_equal(layers_file(&l, "static/site.css", a),
	                    folder_path(f, "own/static/site.css"));
	assert_string_equal(layers_file(&l, "static/a/b.css", a),
	                    folder_path(f, "under/static/a/b.css"));
	assert_string_equal(layers_file(&l, "static/none", a), folder_path(f, "own/static/none"));
	assert_string_equal(layers_file(&alone, "static/a/b.css", a),
	                    folder_path(f, "own/static/a/b.css"));
}

static void a_list_has_each_name_once(void **state)
{
	struct folder *f = *state;
	struct layers l = two_layers(f), alone = {l.own, NULL};
	struct inputs in = {0};
	struct err e = ERR_NONE;
	struct layer_file *list;
	assert_true(inputs_add(&in, f->path, &f->arena, &e));
	inputs_sort(&in);
	assert_int_equal(layers_list(&l, &in, "static/", &f->arena, &list), 3);
	assert_string_equal(list[0].name, "a/b.css");
	assert_string_equal(list[1].name, "site.css");
	assert_string_equal(list[1].input->path, folder_path(f, "own/static/site.css"));
	assert_string_equal(list[2].name, "z.css");
	assert_int_equal(layers_list(&alone, &in, "static/", &f->arena, &list), 2);
	assert_int_equal(layers_list(&l, &in, "templates/", &f->arena, &list), 0);
}

static void the_default_is_beside_the_program(void **state)
{
	struct folder *f = *state;
	struct arena *a = &f->arena;
	folder_put(f, "usr/share/ridgepoint/templates/words.lua", "");
	folder_put(f, "co/templates/words.lua", "");
	assert_string_equal(layers_default_of(folder_path(f, "usr/bin/site-gen"), a),
	                    folder_path(f, "usr/share/ridgepoint/"));
	/* a folder with templates alone is some site, not a checkout */
	assert_null(layers_default_of(folder_path(f, "co/build/site-gen"), a));
	folder_put(f, "co/site-gen/main.c", "");
	assert_string_equal(layers_default_of(folder_path(f, "co/build/san/tests/x"), a),
	                    folder_path(f, "co/"));
	assert_null(layers_default_of(folder_path(f, "other/bin/site-gen"), a));
	assert_null(layers_default_of("site-gen", a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(own_files_lie_over_the_default, folder_setup,
	                                        folder_teardown),
	        cmocka_unit_test_setup_teardown(a_list_has_each_name_once, folder_setup,
	                                        folder_teardown),
	        cmocka_unit_test_setup_teardown(the_default_is_beside_the_program, folder_setup,
	                                        folder_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
