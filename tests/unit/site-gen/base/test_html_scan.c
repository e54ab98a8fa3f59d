/* The generator's own markup, read token by token. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/base/html_scan.h"

/* "S:p T:text E:p": the tokens of a text. */
static void reads(const char *markup, const char *wanted)
{
	static const char letter[] = {[HTML_START] = 'S',   [HTML_END] = 'E',    [HTML_TEXT] = 'T',
	                              [HTML_COMMENT] = 'C', [HTML_BROKEN] = '!', [HTML_NONE] = '.'};
	struct html_scan h = html_scan(str_of(markup));
	struct sb got = {0}, all = {0};
	enum html_token t;
	do {
		t = html_scan_next(&h);
		bool tag = t == HTML_START || t == HTML_END;
		sb_printf(&got, "%c" STR_FMT "%s ", letter[t], STR_ARG(tag ? h.name : h.token),
		          t == HTML_START && h.empty ? "/" : "");
		sb_str(&all, h.token);
	} while (t != HTML_NONE && t != HTML_BROKEN);
	assert_string_equal(got.p, wanted);
	assert_true(str_eq(sb_view(&all), str_sub(h.src, 0, h.i)));
	assert_int_equal(html_scan_next(&h), t); /* it stays */
	sb_free(&got);
	sb_free(&all);
}

static void tokens(void **state)
{
	(void)state;
	reads("", ". ");
	reads("a &amp; b", "Ta &amp; b . ");
	reads("<p id=\"a\">x<br>y</p>", "Sp Tx Sbr Ty Ep . ");
	reads("<use href=\"#a>b\"/>", "Suse/ . ");
	reads("<!doctype html><!-- a > b --><?xml?>",
	      "C<!doctype html> C<!-- a > b --> C<?xml?> . ");
	reads("<script type=\"x\">a<b</p>\"</script>z", "Sscript Ta<b</p>\" Escript Tz . ");
	reads("<style></style>", "Sstyle Estyle . ");
	reads("<script/>a", "Sscript/ Ta . ");
	reads("<svg:g\nx=\"1\"\ty>", "Ssvg:g . ");
}

static void broken_markup(void **state)
{
	(void)state;
	reads("a < b", "Ta  ! ");
	reads("<", "! ");
	reads("</", "! ");
	reads("</>", "! ");
	reads("<1>", "! ");
	reads("x<a", "Tx ! ");
	reads("<a href=\"x", "! ");
	reads("<a href=x>", "! ");
	reads("<a href='x'>", "! ");
	reads("<a \"x\">", "! ");
	reads("<a <b>", "! ");
	reads("<!-- a ->", "! ");
	reads("<script>a", "Sscript Ta . ");
}

static struct html_scan at_start(const char *markup, const char *name)
{
	struct html_scan h = html_scan(str_of(markup));
	assert_true(html_scan_find(&h, name));
	return h;
}

static void attributes(void **state)
{
	struct str name, value;
	struct html_scan h =
	        at_start("<p>a</p><a class=\"num ratio\" hidden href=\"/?a=1&amp;b>\">", "a");
	(void)state;
	assert_true(html_scan_attribute(&h, &name, &value));
	assert_true(str_is(name, "class") && str_is(value, "num ratio"));
	assert_true(html_scan_attribute(&h, &name, &value));
	assert_true(str_is(name, "hidden") && value.p && value.n == 0);
	assert_true(html_scan_attribute(&h, &name, &value));
	assert_true(str_is(name, "href") && str_is(value, "/?a=1&amp;b>"));
	assert_false(html_scan_attribute(&h, &name, &value));
	assert_true(str_is(html_scan_value(&h, "class"), "num ratio"));
	assert_non_null(html_scan_value(&h, "hidden").p);
	assert_null(html_scan_value(&h, "id").p);
	assert_true(html_scan_class(&h, "num") && html_scan_class(&h, "ratio"));
	assert_false(html_scan_class(&h, "rat") || html_scan_class(&h, "num ratio"));
	h = at_start("<a>", "a");
	assert_false(html_scan_attribute(&h, &name, &value));
	assert_false(html_scan_class(&h, "num"));
	h = at_start("<a id=\"\"/>", "a");
	assert_true(h.empty && html_scan_attribute(&h, &name, &value) && value.n == 0);
	assert_false(html_scan_attribute(&h, &name, &value));
}

static void holds(const char *markup, const char *name, const char *content, const char *rest)
{
	struct html_scan h = at_start(markup, name);
	struct str inside;
	assert_true(html_scan_inside(&h, &inside) == (rest != NULL));
	assert_true(str_is(inside, content));
	assert_true(!rest || str_is(str_sub(h.src, h.i, h.src.n), rest));
}

static void contents(void **state)
{
	struct html_scan h = html_scan(STR("<p>a"));
	(void)state;
	holds("<p>a</p>b", "p", "a", "b");
	holds("<b></b>", "b", "", "");
	holds("<g/>b", "g", "", "b");
	holds("<g><g/><g>x</g><h></h></g>b</g>", "g", "<g/><g>x</g><h></h>", "b</g>");
	holds("<style>p</style>b", "style", "p", "b");
	holds("<p>a<b>c</b>", "p", "a<b>c</b>", NULL);
	holds("<p>a<", "p", "a<", NULL);
	assert_false(html_scan_find(&h, "b"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(tokens),
	        cmocka_unit_test(broken_markup),
	        cmocka_unit_test(attributes),
	        cmocka_unit_test(contents),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
