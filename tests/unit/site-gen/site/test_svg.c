/* Drawings: what may be in them, and the numbers in their texts. */
#include "site-gen/site/svg.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define OPEN "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\">"

struct result {
	struct arena arena;
	struct svg_said said;
	struct err e;
	char text[2048]; /* findings, a line each, in the order of the file */
};

static bool read_svg(struct result *r, struct str src)
{
	*r = (struct result){0};
	const struct lint *l = lint_new(&r->arena);
	bool ok = svg_check(src, "a.svg", l, "advice", &r->arena, &r->said, &r->e);
	const struct traced_found *all[32];
	size_t n = 0;
	for (const struct traced_found *f = r->said.found; f && n < 32; f = f->next)
		all[n++] = f;
	for (char *p = r->text; n-- > 0;)
		p += sprintf(p, "%d:%d %.*s\n", all[n]->at.line, all[n]->at.col,
		             (int)strcspn(all[n]->what, ";"), all[n]->what);
	return ok;
}

static void accept(const char *inside, const char *findings)
{
	struct result r;
	struct arena a = {0};
	const char *src = arena_printf(&a, OPEN "%s</svg>\n", inside);
	if (!read_svg(&r, str_of(src)))
		fail_msg("%s\nin: %s", r.e.text, src);
	assert_string_equal(r.text, findings);
	arena_free(&r.arena);
	arena_free(&a);
}

static void refuse_whole(struct str src, const char *want)
{
	struct result r;
	if (read_svg(&r, src))
		fail_msg("accepted: %.*s", (int)src.n, src.p);
	if (strncmp(r.e.text, want, strlen(want)) != 0)
		assert_string_equal(r.e.text, want);
	arena_free(&r.arena);
}

/* What stands in line 2 of a drawing. */
static void refuse(const char *inside, const char *want)
{
	struct arena a = {0};
	refuse_whole(str_of(arena_printf(&a, OPEN "\n%s</svg>\n", inside)), want);
	arena_free(&a);
}

static void test_drawings(void **state)
{
	(void)state;
	accept("", "");
	accept("<g transform='scale(2)'><path d=\"M0 0L8 4z\" fill=\"url(#h)\"/>\n</g>", "");
	accept("<defs><marker id=\"h\"><circle r=\"2\"/></marker></defs><use href=\"#h\"/>"
	       "<use xlink:href=\"#h\"/>",
	       "");
	accept("<style>.a{fill:url( \"#h\" )}</style><text x=\"1\">a &lt; b &#945; <tspan>c</tspan>"
	       "</text>",
	       "");
	struct result r;
	assert_true(read_svg(
	        &r, STR("\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" OPEN "</svg>")));
	arena_free(&r.arena);
}

static void test_what_runs(void **state)
{
	(void)state;
	refuse("<script>a</script>", "a.svg:2:1: '<script>' may do more than draw");
	refuse("<g><SCRIPT/></g>", "a.svg:2:4: '<SCRIPT>' may do more than draw");
	refuse("<svg:script/>", "a.svg:2:1: '<svg:script>' may do more");
	refuse("<foreignObject/>", "a.svg:2:1: '<foreignObject>' may do");
	refuse("<a href=\"#x\"/>", "a.svg:2:1: '<a>' may do");
	refuse("<image href=\"#x\"/>", "a.svg:2:1: '<image>' may do");
	refuse("<animate attributeName=\"href\"/>", "a.svg:2:1: '<animate>' may do");
	refuse("<set/>", "a.svg:2:1: '<set>' may do");
	refuse("<iframe/>", "a.svg:2:1: '<iframe>' may do");
	refuse("<metadata/>", "a.svg:2:1: '<metadata>' may do");
	refuse("<g onload=\"x()\"/>", "a.svg:2:4: the attribute 'onload' may do more than draw");
	refuse("<g ONCLICK='x'/>", "a.svg:2:4: the attribute 'ONCLICK'");
	refuse("<g\n xml:base=\"http://e\"/>", "a.svg:3:2: the attribute 'xml:base'");
	refuse("<use href=\"javascript:x\"/>", "a.svg:2:6: 'href' leads out of the drawing");
	refuse("<use xlink:href=\"b.svg#a\"/>", "a.svg:2:6: 'xlink:href' leads out");
	refuse("<use href=\"&#104;ttp://e/#a\"/>", "a.svg:2:6: 'href' leads out");
	refuse("<g xmlns=\"http://www.w3.org/1999/xhtml\"/>", "a.svg:2:4: the namespace");
	refuse("<g xmlns:x=\"http://www.w3.org/1999/xhtml\"/>",
	       "a.svg:2:4: the attribute 'xmlns:x'");
}

static void test_what_leads_out(void **state)
{
	(void)state;
	refuse("<g fill=\"url(http://e/a)\"/>", "a.svg:2:4: 'url(' leads out");
	refuse("<g fill=\"URL( 'a.svg#b')\"/>", "a.svg:2:4: 'url(' leads out");
	refuse("<g style=\"fill:u\\72l(http://e)\"/>", "a.svg:2:4: '\\' may lead out");
	refuse("<g style=\"x:&#117;rl(//e)\"/>", "a.svg:2:4: 'url(' leads out");
	refuse("<g style=\"a:JavaScript:b\"/>", "a.svg:2:4: 'javascript:' may lead out");
	refuse("<style>\n@import 'a.css';</style>", "a.svg:2:8: '@import' may lead out");
	refuse("<style>a{b:url(x)}</style>", "a.svg:2:8: 'url(' leads out");
	refuse("<style>a{b:image-set('x')}</style>", "a.svg:2:8: 'image-set' may lead out");
	refuse("<style>a{b:&#117;rl(x)}</style>", "a.svg:2:12: '&' in a style sheet");
	refuse("<style>a{b:ur<g/>l(x)}</style>", "a.svg:2:14: an element inside of <style>");
	refuse("<!-- ask Bob -->", "a.svg:2:1: a comment is published with the drawing");
	refuse("<text><![CDATA[x]]></text>", "a.svg:2:7: '<!' of a document type or CDATA");
	refuse("<?xml-stylesheet href='a'?>", "a.svg:2:1: '<?' may load a style sheet");
	refuse("<text>&evil;</text>", "a.svg:2:7: '&' is no character of XML here");
	refuse("<text>&#0;</text>", "a.svg:2:7: '&' is no character");
	refuse_whole(STR("<!DOCTYPE svg [<!ENTITY a \"b\">]>" OPEN "</svg>"),
	             "a.svg:1:1: '<!' of a document type");
	refuse_whole(STR("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?>" OPEN "</svg>"),
	             "a.svg:1:1: expected encoding=\"UTF-8\"");
}

static void test_what_is_no_xml(void **state)
{
	(void)state;
	refuse_whole(STR(""), "a.svg: expected <svg>");
	refuse_whole(STR("<g/>"), "a.svg:1:1: expected <svg> first");
	refuse_whole(STR("text"), "a.svg:1:1: text outside of <text>");
	refuse_whole(STR(OPEN), "a.svg:1:59: <svg> is not closed");
	refuse_whole(STR(OPEN "</svg><svg/>"), "a.svg:1:65: something stands behind </svg>");
	refuse_whole(STR(OPEN "</svg>\xff"), "a.svg: not valid UTF-8 text");
	refuse_whole(STR(OPEN "\x01</svg>"), "a.svg:1:59: character U+0001 is a control");
	refuse("<g>", "a.svg:2:4: </svg> closes nothing that is open");
	refuse("<g></p></g>", "a.svg:2:4: </p> closes nothing");
	refuse("<g id=a/>", "a.svg:2:4: expected an attribute: name=\"value\"");
	refuse("<g id=\"a/>", "a.svg:2:4: expected an attribute");
	refuse("<g id=\"<b\"/>", "a.svg:2:4: expected an attribute");
	refuse("<g id/>", "a.svg:2:4: expected an attribute");
	refuse("<g", "a.svg:2:1: the tag <g> does not end");
	refuse("<>", "a.svg:2:1: '<>' may do");
	refuse("9 TB/s", "a.svg:2:1: text outside of <text>, <title> and <desc>");
	struct sb deep = {0};
	for (int i = 0; i < 100; i++)
		sb_cstr(&deep, "<g>");
	refuse(deep.p, "a.svg:2:190: elements are nested more than 64 deep");
	sb_free(&deep);
}

static void test_numbers(void **state)
{
	(void)state;
	accept("\n<text x=\"1\">It reads 9.9 TB/s</text>",
	       "2:22 '9.9 TB/s' is a hand-typed number (a bandwidth)\n");
	accept("<title>3x faster</title>\n<desc>12 ms</desc>",
	       "1:66 '3x' is a hand-typed number (a factor)\n"
	       "2:7 '12 ms' is a hand-typed number (a time)\n");
	accept("\n<text>4.8<tspan dy=\"3\">TB/s</tspan></text>",
	       "2:7 '4.8 TB/s' is a hand-typed number (a bandwidth)\n");
	accept("\n<text>&#52;.8 TB&#47;s</text>",
	       "2:7 '4.8 TB/s' is a hand-typed number (a bandwidth)\n");
	accept("\n<rect aria-label=\"12 ms\"/>", "2:1 '12 ms' is a hand-typed number (a time)\n");
	accept("<text>3 reads + 1 write, 32 × 33 words</text>", "");
	struct result r;
	assert_true(
	        read_svg(&r, STR(OPEN "<g data-waive=\" of 1964 \"><text>12 ms</text></g></svg>")));
	assert_string_equal(r.text, "");
	assert_non_null(r.said.waivers);
	assert_string_equal(r.said.waivers->why, "of 1964");
	assert_string_equal(r.said.waivers->text, "12 ms");
	assert_null(r.said.waivers->next);
	arena_free(&r.arena);
	accept("\n<g data-waive=\"why\"><text>12 of them</text></g>",
	       "2:4 the waiver waives nothing, expected a number typed by hand inside\n");
	refuse("<g data-waive=\" \"/>", "a.svg:2:4: data-waive without a reason");
}

/* Whatever comes, it ends, and outside of the bytes nothing is read. */
static void test_any_bytes(void **state)
{
	static const char src[] = "<?xml ?>" OPEN "<style>a{b:url(#c)}</style><g data-waive='x'>"
	                          "<text x='1'>12 ms &lt;&#65;</text></g><use href='#a'/></svg>";
	(void)state;
	for (size_t n = 0; n < sizeof src; n++) {
		struct arena a = {0};
		struct result r;
		char *cut = arena_strndup(&a, src, n);
		read_svg(&r, (struct str){cut, n});
		arena_free(&r.arena);
		for (const char *c = "<>&\"'/="; n < sizeof src - 1 && *c; c++) {
			char *other = arena_strndup(&a, src, sizeof src - 1);
			other[n] = *c;
			read_svg(&r, (struct str){other, sizeof src - 1});
			arena_free(&r.arena);
		}
		arena_free(&a);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_drawings),       cmocka_unit_test(test_what_runs),
	        cmocka_unit_test(test_what_leads_out), cmocka_unit_test(test_what_is_no_xml),
	        cmocka_unit_test(test_numbers),        cmocka_unit_test(test_any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
