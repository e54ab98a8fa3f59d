/* What the preview lets through: its own address, and files of its own folder. */
#include "site-gen/preview/request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"

static void this_machine_is_own(void **state)
{
	(void)state;
	static const char *const own[] = {"localhost", "localhost:8000", "LocalHost:1",
	                                  "127.0.0.1", "127.0.0.1:8000", "192.168.1.7:80",
	                                  "[::1]",     "[::1]:8000",     "[fe80::1]:8000"};
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (!request_is_own(own[i]))
			fail_msg("'%s' is refused", own[i]);
}

/* Any other name may be that of a site whose address was changed to this machine's. */
static void other_names_are_foreign(void **state)
{
	(void)state;
	static const char *const foreign[] = {
	        "",
	        ":8000",
	        "example.org",
	        "example.org:8000",
	        "localhos",
	        "localhost.",
	        "localhost.evil",
	        "127.0.0.1.evil.org",
	        "127.0.0",
	        "1270.0.0.1",
	        "localhost:80x",
	        "localhost:8000:1",
	        "localhost ",
	        "[::1",
	        "[127.0.0.1]",
	        "[::1]x",
	        "[]",
	        "::1",
	        "[::1]:8000/",
	        "user@localhost",
	        "0123456789012345678901234567890123456789012345678901234567890123456789"};
	assert_false(request_is_own(NULL));
	for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
		if (request_is_own(foreign[i]))
			fail_msg("'%s' is let through", foreign[i]);
}

static void a_path_begins_below_the_base(void **state)
{
	(void)state;
	assert_string_equal(request_inside("", "/"), "/");
	assert_string_equal(request_inside("", "/posts/a/"), "/posts/a/");
	assert_string_equal(request_inside("/blog", "/blog/a.b"), "/a.b");
	assert_string_equal(request_inside("/blog", "/blog/"), "/");
	assert_null(request_inside("/blog", "/blog"));
	assert_null(request_inside("/blog", "/blogger/"));
	assert_null(request_inside("/blog", "/"));
	assert_null(request_inside("", "posts/"));
	assert_null(request_inside("", ""));
}

static void no_path_leads_out(void **state)
{
	(void)state;
	static const char *const out[] = {"/..",   "/../etc/passwd", "/a/../../b", "/a/..",
	                                  "//etc", "/a//b",          "/..hidden"};
	for (size_t i = 0; i < ARRAY_LEN(out); i++)
		if (request_inside("", out[i]))
			fail_msg("'%s' is let through", out[i]);
	assert_string_equal(request_inside("", "/a..b/c."), "/a..b/c.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(this_machine_is_own),
	        cmocka_unit_test(other_names_are_foreign),
	        cmocka_unit_test(a_path_begins_below_the_base),
	        cmocka_unit_test(no_path_leads_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
