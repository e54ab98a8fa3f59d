/* Inline markup as Markdown: what is escaped, linked and left out. */
#include "site-gen/files/markdown_copy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/str.h"

struct row {
	const char *html, *markdown;
};

/* Appends to `before`, which stands there already. */
static void copies(const char *before, const struct row *row, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sb to = {0};
		sb_cstr(&to, before);
		markdown_copy_inline(&to, str_of(row[i].html), STR("https://example.org"));
		sb_char(&to, 0);
		assert_string_equal(to.p + strlen(before), row[i].markdown);
		sb_free(&to);
	}
}

/* A reader of Markdown must see the characters of the page. */
static void what_markdown_would_interpret_is_escaped(void **state)
{
	(void)state;
	static const struct row row[] = {
	        {"a*b [c] `d` ~e~ a|b", "a\\*b \\[c\\] \\`d\\` \\~e\\~ a\\|b"},
	        {"a &lt; b &gt; c", "a \\< b \\> c"},
	        {"\\n costs $1", "\\\\n costs \\$1"},
	        {"x &amp; y, &amp;amp; &amp;#38;", "x & y, \\&amp; \\&#38;"},
	        {"warp_sum _x_ y_", "warp_sum \\_x\\_ y\\_"},
	        {"C# and # and a #b", "C# and \\# and a \\#b"},
	        {"two\nlines", "two lines"},
	        {"", ""},
	};
	copies("text ", row, ARRAY_LEN(row));
}

/* At the start of a line or of a quote, these would begin a list; elsewhere they are plain. */
static void a_line_does_not_become_a_list(void **state)
{
	(void)state;
	static const struct row starts[] = {
	        {"- a - b", "\\- a - b"}, {"+1", "\\+1"},
	        {"12. May", "12\\. May"}, {"3) c", "3\\) c"},
	        {"7.", "7\\."},           {"4.31 TB/s", "4.31 TB/s"},
	        {"2026", "2026"},         {"# no heading", "\\# no heading"},
	};
	static const struct row inside[] = {
	        {"- a", "- a"},
	        {"12. May", "12. May"},
	        {"+1", "+1"},
	};
	copies("", starts, ARRAY_LEN(starts));
	copies("line\n", starts, ARRAY_LEN(starts));
	copies("line\n\n> ", starts, ARRAY_LEN(starts));
	copies("text ", inside, ARRAY_LEN(inside));
	copies("> ", inside, ARRAY_LEN(inside));
}

static void links_keep_address_and_title(void **state)
{
	(void)state;
	static const struct row row[] = {
	        {"<a href=\"/runs/a/\">4.13\u00a0TB/s</a>",
	         "[4.13\u00a0TB/s](https://example.org/runs/a/)"},
	        {"<a href=\"https://x.org/?a=1&amp;b\" title=\"a &quot;b&quot;\nc\">x</a>",
	         "[x](https://x.org/?a=1&b \"a 'b' c\")"},
	        {"<a href=\"#here\" title=\"R&amp;D \\o/\">x_y</a>",
	         "[x_y](#here \"R\\&D \\\\o/\")"},
	        {"<a title=\"\" href=\"/\">[1]</a>.", "[\\[1\\]](https://example.org/ \"\")."},
	        {"<a href=\"/a\" title=\"t\">a</a><a href=\"b\">b</a>",
	         "[a](https://example.org/a \"t\")[b](b)"},
	};
	copies("text ", row, ARRAY_LEN(row));
}

static void marks_stay_and_other_tags_go(void **state)
{
	(void)state;
	static const struct row row[] = {
	        {"<em>a</em> <span class=\"x\">b</span><!-- c -->", "a b"},
	        {"4 GB<sup title=\"x\">stale</sup> more", "4 GB (stale) more"},
	        {"<a href=\"/n/\">4 GB<sup>stale</sup></a>",
	         "[4 GB (stale)](https://example.org/n/)"},
	        {"whole <broken", "whole "},
	};
	copies("text ", row, ARRAY_LEN(row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_markdown_would_interpret_is_escaped),
	        cmocka_unit_test(a_line_does_not_become_a_list),
	        cmocka_unit_test(links_keep_address_and_title),
	        cmocka_unit_test(marks_stay_and_other_tags_go),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
