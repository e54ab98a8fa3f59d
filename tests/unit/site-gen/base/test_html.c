#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/files/markdown_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef void writer(struct sb *, struct str);

static void check(writer *w, const char *in, const char *want)
{
	struct sb b = {0};
	w(&b, str_of(in));
	assert_string_equal(b.p ? b.p : "", want);
	sb_free(&b);
}

static void test_escapers(void **state)
{
	(void)state;
	check(html_text, "a < b && c > \"d\"'", "a &lt; b &amp;&amp; c &gt; \"d\"'");
	check(html_attr, "<\"&'>", "&lt;&quot;&amp;&#39;&gt;");
	check(html_text, "", "");
	check(html_text, "é 中 ½", "é 中 ½");
	check(html_xml, "a\x01\x1f<\"\t\n", "a&lt;&quot;\t\n");
	check(html_xml_text, "<a b=\"c\">&\x01 ]]> >", "&lt;a b=\"c\">&amp; ]]&gt; >");
	check(html_xml_text, ">]]", ">]]");
	struct sb b = {0};
	html_xml(&b, (struct str){"a\0b", 3});
	assert_string_equal(b.p, "ab");
	sb_clear(&b);
	html_raw(&b, "<p>");
	assert_string_equal(b.p, "<p>");
	sb_free(&b);
}

static void test_url(void **state)
{
	(void)state;
	check(html_url, "/a b?x=1&y=\"2\"#é", "/a%20b?x=1&amp;y=%222%22#%C3%A9");
	check(html_url, "100%", "100%25");
	check(html_url, "%41%zz", "%41%25zz");
	check(html_url, "a'b[c]", "a&#39;b%5Bc%5D");
}

static void test_url_allowed(void **state)
{
	(void)state;
	static const char *const yes[] = {"http://a.example/",
	                                  "HTTPS://A/",
	                                  "mailto:a@b.example",
	                                  "/x/",
	                                  "x.html",
	                                  "#top",
	                                  "?q=a:b",
	                                  "./a:b",
	                                  "a/b:c",
	                                  "../y"};
	static const char *const no[] = {"",
	                                 "javascript:alert(1)",
	                                 "JavaScript:x",
	                                 "java\tscript:x",
	                                 " https://x",
	                                 "data:text/html,x",
	                                 "vbscript:x",
	                                 "//evil.example/x",
	                                 "/\\evil.example",
	                                 "https:evil",
	                                 "bench:env",
	                                 "a:b",
	                                 "x\x7f"};
	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		if (!html_url_allowed(str_of(yes[i])))
			fail_msg("refused: %s", yes[i]);
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		if (html_url_allowed(str_of(no[i])))
			fail_msg("allowed: %s", no[i]);
}

static void test_chars(void **state)
{
	(void)state;
	uint32_t c = 0;
	assert_null(html_bad_char(STR("plain\ttext\r\n é 中 \xf0\x9f\x98\x80"), &c));
	struct str s = STR("ab\xe2\x80\xae");
	assert_ptr_equal(html_bad_char(s, &c), s.p + 2);
	assert_int_equal(c, 0x202e);
	assert_non_null(html_bad_char(STR("\x0c"), &c));
	assert_non_null(html_bad_char(STR("\xc2\x85"), &c));
	assert_non_null(html_bad_char(STR("\xef\xbf\xbf"), &c));
	assert_false(html_char_allowed(0));
	assert_false(html_char_allowed(0x1ffff));
	assert_false(html_char_allowed(0xd800));
	assert_true(html_char_allowed(0x2028));
}

static void test_strip(void **state)
{
	(void)state;
	check(html_scan_strip, "<p>a <b class=\"x\">&lt;b&gt;</b> &amp;amp; &quot;&#39;</p>",
	      "a <b> &amp; \"'");
	check(html_scan_strip, "open <a", "open ");
	check(html_scan_strip, "<tr><td>hot</td><td>11<b>12</b></td></tr>", "hot 1112");
	check(html_scan_strip, "<li>a <ul><li> b</li></ul></li>\n<li>c<br/>d</li>", "a  b\nc d");
	check(html_scan_strip, "<p>x</p><!-- <p> --><p></p>", "x");
	check(html_scan_strip, "x &nbsp; &", "x &nbsp; &");
}

static void test_slug(void **state)
{
	(void)state;
	check(html_slug, "Bytes in flight!", "bytes-in-flight");
	check(html_slug, "  --What's \"new\"?  ", "whats-new");
	check(html_slug, "What\xe2\x80\x99s", "whats");
	check(html_slug, "Größe ÄÖ × 2", "größe-äö-2");
	check(html_slug, "带宽 与 延迟", "带宽-与-延迟");
	check(html_slug, "Αθήνα МОСКВА Ёж", "αθήνα-москва-ёж");
	check(html_slug, "中文,标点。", "中文-标点");
	check(html_slug, "!!!", "");
	check(html_slug, "ＣＵＤＡ １２", "cuda-12");
	check(html_slug, "Straße İstanbul", "straße-i\u0307stanbul");
	check(html_slug, "e\u0301te\u0301", "été");
	check(html_slug, "O(n²) bei ㎒", "o-n2-bei-mhz");
	check(html_slug, "हिन्दी", "हिन्दी");
}

/* Escaped text read back is the text, for every ASCII byte and pair of specials. */
static void test_round_trip(void **state)
{
	(void)state;
	static const char special[] = "&<>\"'a;#l";
	for (size_t i = 0; special[i]; i++) {
		for (size_t j = 0; special[j]; j++) {
			char in[3] = {special[i], special[j], 0};
			struct sb a = {0}, b = {0};
			html_attr(&a, str_of(in));
			html_scan_strip(&b, sb_view(&a));
			assert_string_equal(b.p, in);
			sb_free(&a);
			sb_free(&b);
		}
	}
}

/* What Markdown would take for its own is escaped where a page's text becomes Markdown. */
static void markdown_says_the_same(void **state)
{
	static const struct {
		const char *html, *markdown;
	} c[] = {
	        {"A title", "A title"},
	        {"*p = x[1] &lt;b&gt; `c`", "\\*p = x\\[1\\] \\<b\\> \\`c\\`"},
	        {"c_simd and _x_", "c_simd and \\_x\\_"},
	        {"AT&amp;T, a &amp; b, &amp;lt; &amp;#65;", "AT\\&T, a & b, \\&lt; \\&#65;"},
	        {"C# and # alone", "C# and \\# alone"},
	        {"1. First", "1\\. First"},
	        {"2026) x", "2026\\) x"},
	        {"- a - b", "\\- a - b"},
	        {"1.5 and -3", "1.5 and -3"},
	        {"a\\b ~~c~~ $d$ e|f", "a\\\\b \\~\\~c\\~\\~ \\$d\\$ e\\|f"},
	        {"<a class=\"num\" href=\"/n/\" title=\"a\\b &amp;lt; &quot;c&quot;\">4 TB/s</a>",
	         "[4 TB/s](https://x.org/n/ \"a\\\\b \\&lt; 'c'\")"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct sb out = {0};
		markdown_copy_inline(&out, str_of(c[i].html), STR("https://x.org"));
		assert_string_equal(out.p, c[i].markdown);
		sb_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(markdown_says_the_same),
	        cmocka_unit_test(test_escapers),
	        cmocka_unit_test(test_url),
	        cmocka_unit_test(test_url_allowed),
	        cmocka_unit_test(test_chars),
	        cmocka_unit_test(test_strip),
	        cmocka_unit_test(test_slug),
	        cmocka_unit_test(test_round_trip),
	};
	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
