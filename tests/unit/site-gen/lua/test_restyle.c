/* The look's style sheet with the colours of the settings. */
#include "site-gen/lua/restyle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "site-gen/lua/config.h"

#define CSS                                         \
	":root {\n"                                 \
	"--warn-ground: #fed;\n"                    \
	"--ground: light-dark(#ffffff, #000000);\n" \
	"--soft: light-dark(#595f69, #a2a8b3);\n"   \
	"--ink: light-dark( #111111 , #eeeeee );\n" \
	"--accent: #0000ff;\n"                      \
	"}\n"                                       \
	".more { --ground: #fff; --ink: #000 }\n"

static void assert_restyled(const struct config *c, const char *want)
{
	struct sb got = {0};
	restyle(c, str_of(CSS), &got);
	assert_string_equal(got.p, want);
	sb_free(&got);
}

static void settings_that_say_nothing_change_nothing(void **state)
{
	(void)state;
	assert_restyled(&(struct config){.logo = ""}, CSS);
}

static void a_link_changes_alone(void **state)
{
	(void)state;
	struct sb got = {0};
	const struct config c = {.logo = "", .colours = {{.accent = "#123456"}, {0}}};
	restyle(&c, str_of(CSS), &got);
	assert_non_null(strstr(got.p, "--accent: light-dark(#123456, #0000ff);\n"));
	assert_non_null(strstr(got.p, "--soft: light-dark(#595f69, #a2a8b3);\n"));
	assert_int_equal(got.n, strlen(CSS) + strlen("light-dark(#123456, )"));
	sb_free(&got);
}

/* The first value of a property is replaced; what comes later, for more contrast, stays. */
static void a_background_changes_its_theme(void **state)
{
	(void)state;
	struct sb got = {0};
	const struct config c = {.logo = "x.svg", .colours = {{0}, {.background = "#001020"}}};
	restyle(&c, str_of(CSS), &got);
	assert_non_null(strstr(got.p, "--ground: light-dark(#ffffff, #001020);\n"));
	assert_non_null(strstr(got.p, "--ink: light-dark( #111111 , #eeeeee );\n"));
	assert_non_null(strstr(got.p, "--soft: light-dark(#595f69, #a7abb0);\n"));
	assert_non_null(strstr(got.p, "--warn-ground: #fed;\n"));
	assert_non_null(strstr(got.p, ".more { --ground: #fff; --ink: #000 }\nimg.logo {"));
	sb_free(&got);
}

static void colours_are_read(void **state)
{
	(void)state;
	static const char *const wrong[] = {"",        "#",        "red",   "#12345",
	                                    "#12345g", "#1234567", "123456"};
	struct restyle_rgb c;
	assert_true(restyle_rgb(STR("#0aF"), &c));
	assert_int_equal(restyle_number(c), 0x00aaff);
	assert_true(restyle_rgb(STR("#0102fE"), &c));
	assert_int_equal(restyle_number(c), 0x0102fe);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(restyle_rgb(str_of(wrong[i]), &c));
	assert_true(restyle_look(STR(CSS), "ink", 1, &c));
	assert_int_equal(restyle_number(c), 0xeeeeee);
	assert_true(restyle_look(STR(CSS), "accent", 1, &c));
	assert_int_equal(restyle_number(c), 0x0000ff);
	assert_false(restyle_look(STR(CSS), "none", 0, &c));
}

/* Black on white is 21; #767676 is the lightest grey on white that passes AA. */
static void contrast_is_that_of_wcag(void **state)
{
	(void)state;
	struct restyle_rgb white = {255, 255, 255}, black = {0, 0, 0}, grey = {0x76, 0x76, 0x76},
	                   lighter = {0x77, 0x77, 0x77};
	assert_float_equal((float)restyle_contrast(black, white), 21, 1e-6);
	assert_float_equal((float)restyle_contrast(white, black), 21, 1e-6);
	assert_float_equal((float)restyle_contrast(grey, grey), 1, 1e-6);
	assert_true(restyle_contrast(grey, white) >= 4.5);
	assert_false(restyle_contrast(lighter, white) >= 4.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(settings_that_say_nothing_change_nothing),
	        cmocka_unit_test(a_link_changes_alone),
	        cmocka_unit_test(a_background_changes_its_theme),
	        cmocka_unit_test(colours_are_read),
	        cmocka_unit_test(contrast_is_that_of_wcag),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
