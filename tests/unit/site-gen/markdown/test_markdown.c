#include "lib/array.h"
#include "site-gen/markdown/markdown.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "site-gen/base/html.h"
#include "site-gen/markdown/traced.h"

/*
 * The kinds of this test: `value X` is inline and reads X, `table` is a block.
 * They stand in for site-gen/kinds/expand.c, so that nothing here depends on data.
 */
bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	bool span = str_is(p->kind, "waive") || str_is(p->kind, "claim");
	*out = str_is(p->kind, "table") ? EXPAND_BLOCK : span ? EXPAND_SPAN : EXPAND_INLINE;
	if (!str_is(p->kind, "table") && !str_is(p->kind, "value") && !span)
		return err_at(e, p->at, "unknown kind '" STR_FMT "'", STR_ARG(p->kind));
	return true;
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	(void)ctx;
	if (p->nwords != 1)
		return err_at(e, p->at, "no word");
	sb_str(to, p->word[0]);
	return true;
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	if (str_is(p->kind, "table")) {
		sb_printf(to, "<figure>%s</figure>\n", ctx->caption_no);
		return true;
	}
	sb_cstr(to, "<a href=\"/n\">");
	bool ok = expand_text(ctx, p, to, e);
	sb_cstr(to, "</a>");
	return ok;
}

bool expand_in_link(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                    struct err *e)
{
	return expand_text(ctx, p, to, e);
}

enum expand_numbered expand_numbered(const struct placeholder *p)
{
	return str_is(p->kind, "table") ? EXPAND_TABLE : EXPAND_UNNUMBERED;
}

/* A span in brackets, so that its ends show. */
bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s, struct sb *to,
                 struct err *e)
{
	(void)ctx;
	if (s->step == SPAN_SEEN && str_is(s->text, "wrong"))
		return err_at(e, p->at, "'" STR_FMT "' is refused", STR_ARG(s->text));
	if (s->step != SPAN_SEEN)
		sb_cstr(to, s->step == SPAN_OPEN ? "<span>" : "</span>");
	return true;
}

/* --- helpers --------------------------------------------------------------- */

struct result {
	struct arena arena;
	struct expand_ctx ctx;
	struct md_doc doc;
	struct err e;
};

static bool render(struct result *r, const char *src)
{
	*r = (struct result){.ctx = {.base = "/blog"}};
	r->ctx.arena = &r->arena;
	return markdown_render(&r->ctx, str_of(src), "p.md", 10, &r->doc, &r->e);
}

static void done(struct result *r)
{
	arena_free(&r->arena);
}

static void check(const char *src, const char *want)
{
	struct result r;
	if (!render(&r, src))
		fail_msg("%s\nin: %s", r.e.text, src);
	assert_string_equal(r.doc.html.p, want);
	done(&r);
}

static void refuse(const char *src, const char *want)
{
	struct result r;
	if (render(&r, src))
		fail_msg("accepted: %s\nas: %s", src, r.doc.html.p);
	assert_string_equal(r.e.text, want);
	done(&r);
}

/* --- CommonMark ------------------------------------------------------------ */

static void test_inline(void **state)
{
	(void)state;
	check("", "");
	check("a *b* **c** `d < e` ~~f~~\n",
	      "<p>a <em>b</em> <strong>c</strong> <code>d &lt; e</code> <del>f</del></p>\n");
	check("a  \nb\\\nc\nd", "<p>a<br>\nb<br>\nc\nd</p>\n");
	check("\"it's\" -- so --- it ... is", "<p>“it’s” – so — it … is</p>\n");
	check("&lt;b&gt; &amp; \\*x\\* &copy;", "<p>&lt;b&gt; &amp; *x* ©</p>\n");
	check("~5 and ~6~", "<p>~5 and ~6~</p>\n");
	check("***a** b*", "<p><em><strong>a</strong> b</em></p>\n");
	check("2^28 of `2^28`, x^2, 10^1234\n", "<p>2²⁸ of <code>2^28</code>, x^2, 10^1234</p>\n");
	check("of 64 KiB, *32 B*, 16\nMiB and 8\ntiles\n",
	      "<p>of 64" NBSP "KiB, <em>32" NBSP "B</em>, 16" NBSP "MiB and 8\ntiles</p>\n");
	check("<<bench:value 3>> KiB, <<bench:value 3>> tiles\n",
	      "<p><a href=\"/n\">3</a>" NBSP "KiB, <a href=\"/n\">3</a> tiles</p>\n");
}

static void test_blocks(void **state)
{
	(void)state;
	check("> a\n> b\n\n---\n", "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<hr>\n");
	check("- a\n- b\n  - c\n",
	      "<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n");
	check("3. a\n\n4. b\n",
	      "<ol start=\"3\">\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n");
	check("- \n- ```\n  x\n  ```\n", "<ul>\n<li></li>\n<li>\n<div class=\"code\" "
	                                 "data-lang=\"text\"><pre tabindex=\"0\"><code>"
	                                 "x\n</code></pre></div>\n</li>\n</ul>\n");
	check(">\n", "<blockquote>\n</blockquote>\n");
}

static void test_links(void **state)
{
	(void)state;
	check("[a](/x) [b](y.html \"t & u\") [c](#d) <https://e.example/?a&b>",
	      "<p><a href=\"/blog/x\">a</a> <a href=\"y.html\" title=\"t &amp; u\">b</a> "
	      "<a href=\"#d\">c</a> <a href=\"https://e.example/?a&amp;b\">"
	      "https://e.example/?a&amp;b</a></p>\n");
	check("![a *b*](/i.png)", "<p><img src=\"/blog/i.png\" alt=\"a b\" loading=\"lazy\" "
	                          "decoding=\"async\"></p>\n");
	check("![a](/i.png \"The *cap*tion\")",
	      "<figure><img src=\"/blog/i.png\" alt=\"a\" loading=\"lazy\" decoding=\"async\">"
	      "<figcaption><span class=\"caption-no\">Figure 1:</span> The *cap*tion"
	      "</figcaption></figure>\n");
	check("x ![a](i.png \"t\")",
	      "<p>x <img src=\"i.png\" alt=\"a\" title=\"t\" loading=\"lazy\" "
	      "decoding=\"async\"></p>\n");
	check("[![a](i.png)](/x)", "<p><a href=\"/blog/x\"><img src=\"i.png\" alt=\"a\" "
	                           "loading=\"lazy\" decoding=\"async\"></a></p>\n");
	check("[a](/glossary/#a) [b](/zh/glossary/#b) [c](/glossary/)",
	      "<p><a class=\"term\" href=\"/blog/glossary/#a\">a</a> <a class=\"term\" "
	      "href=\"/blog/zh/glossary/#b\">b</a> <a href=\"/blog/glossary/\">c</a></p>\n");
	check("[é](/é)", "<p><a href=\"/blog/%C3%A9\">é</a></p>\n");
	refuse("x\n[a](javascript:x)", "p.md:11:1: address 'javascript:x' is not allowed, expected "
	                               "http:, https:, mailto:, a path or '#…'");
	refuse("[a](java&#115;cript:x)", "p.md:10:1: address 'javascript:x' is not allowed, "
	                                 "expected http:, https:, mailto:, a "
	                                 "path or '#…'");
	refuse("[a](//evil.example)",
	       "p.md:10:1: address '//evil.example' is not allowed, expected "
	       "http:, https:, mailto:, a path or '#…'");
	refuse("x <data:text/html,x>", "p.md:10:3: address 'data:text/html,x' is not allowed, "
	                               "expected http:, https:, mailto:, "
	                               "a path or '#…'");
	refuse("a ![](x.png)", "p.md:10:3: image 'x.png' has no text for those who cannot see it, "
	                       "expected ![text](address)");
	refuse("![x](https://h.example/x.png)",
	       "p.md:10:1: image 'https://h.example/x.png' is on another site, expected a path on "
	       "this one");
	refuse("> ä [](/x)", "p.md:10:5: link without a text");
	refuse("<bench:env>", "p.md:10:1: '<bench:…' is no placeholder, did you mean "
	                      "'<<bench:…>>'? To show it as text, write it as code: "
	                      "`…`");
}

static void test_link_places(void **state)
{
	(void)state;
	struct result r;
	assert_true(
	        render(&r, "ü [a](/x) <<bench:value 1>> [b](y)\n\n- > [c](z)\n\n![d](w.png)\n"));
	assert_int_equal(r.doc.nlinks, 4);
	static const struct {
		const char *url;
		int line, col;
	} want[] = {{"/x", 10, 3}, {"y", 10, 29}, {"z", 12, 5}, {"w.png", 14, 1}};
	for (size_t i = 0; i < 4; i++) {
		assert_string_equal(r.doc.links[i].url, want[i].url);
		assert_int_equal(r.doc.links[i].at.line, want[i].line);
		assert_int_equal(r.doc.links[i].at.col, want[i].col);
	}
	done(&r);
}

static void test_raw_html(void **state)
{
	(void)state;
	refuse("<div>\nx\n</div>",
	       "p.md:10:1: '<div>' is raw HTML, expected Markdown only; to show "
	       "it, write it as code: `…`");
	refuse("a std::vector<float> b",
	       "p.md:10:14: '<float>' is raw HTML, expected Markdown only; "
	       "to show it, write it as code: `…`");
	refuse("a <!-- b --> c", "p.md:10:3: comment '<!--' is raw HTML, expected Markdown only; "
	                         "remove it, or write it as code");
	refuse("<!-- a -->",
	       "p.md:10:1: comment '<!--' is raw HTML, expected Markdown only; remove "
	       "it, or write it as code");
	refuse("<script>alert('äääääääääääääääääääääääääää')</script>",
	       "p.md:10:1: '<script>alert('ääääääääääää…' is raw HTML, expected Markdown only; to "
	       "show it, write it as code: `…`");
	check("`<b>` a < b, c <d", "<p><code>&lt;b&gt;</code> a &lt; b, c &lt;d</p>\n");
}

/* --- GitHub's extensions, and ours ----------------------------------------- */

/* Who goes from region to region by name has to know them apart. */
static void test_tables_have_names_of_their_own(void **state)
{
	static const char src[] =
	        "| a |\n|---|\n\ntext\n\n| a |\n|---|\n\n## One *b*\n\n| a |\n|---|\n"
	        "\ntext\n\n| a |\n|---|\n\n## Two\n\n| c |\n|---|\n\ntext\n\n| a |\n|---|\n";
	static const char *const names[] = {"Table: a",         "Table: a (2)",
	                                    "Table: a (One b)", "Table: a (One b) (2)",
	                                    "Table: c",         "Table: a (Two)"};
	struct result r;
	(void)state;
	assert_true(render(&r, src));
	const char *at = r.doc.html.p;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char want[64];
		snprintf(want, sizeof want, "aria-label=\"%s\"><table>", names[i]);
		at = strstr(at, want);
		assert_non_null(at);
		at += strlen(want);
	}
	assert_null(strstr(at, "<table>"));
	done(&r);
}

static void test_tables(void **state)
{
	(void)state;
	check("| a | *b* | c | |\n|---|:--|:-:|--:|\n| 1 | 2 | `x` | 4 |\n| 5 |\n",
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: a, b, c, \">"
	      "<table>\n<thead><tr><th scope=\"col\">a</th><th scope=\"col\" "
	      "class=\"l\"><em>b</em></th>"
	      "<th scope=\"col\" class=\"c\">c</th><td class=\"r\"></td></tr></thead>\n<tbody>\n"
	      "<tr><td>1</td><td class=\"l\">2</td><td class=\"c\"><code>x</code></td>"
	      "<td class=\"r\">4</td></tr>\n<tr><td>5</td><td class=\"l\"></td><td "
	      "class=\"c\"></td>"
	      "<td class=\"r\"></td></tr>\n</tbody></table></div>\n");
	check("| a |\n|---|\n",
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" "
	      "aria-label=\"Table: a\"><table>\n<thead><tr><th scope=\"col\">a</th>"
	      "</tr></thead>\n</table></div>\n");
}

static void test_sorted_tables(void **state)
{
	(void)state;
	check("**T** {sort}\n\n| a | *b* | <<bench:value n>> | |\n|---|--:|---|---|\n"
	      "| x | 2^10 | 1.5 | 3 of 4 |\n",
	      "<p class=\"table-title\"><strong>T</strong></p>\n"
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: a, b, n, \">"
	      "<table class=\"sorts\">\n<thead><tr><th scope=\"col\"><span "
	      "class=\"sort\">a</span></th><th scope=\"col\" class=\"r\"><span "
	      "class=\"sort\"><em>b</em></span></th>"
	      "<th scope=\"col\"><a href=\"/n\">n</a></th><td></td></tr></thead>\n<tbody>\n"
	      "<tr><td>x</td><td class=\"r\" data-sort=\"1024\">2¹⁰</td>"
	      "<td data-sort=\"1.5\">1.5</td><td>3 of 4</td></tr>\n</tbody></table></div>\n");
	check("**T** {sort}.\n", "<p><strong>T</strong> {sort}.</p>\n");
	refuse("**T** {sort}\n\ntext\n",
	       "p.md:10:7: '{sort}' sorts a table, expected one right after its title");
	refuse("**T** {srot}\n\n| a |\n|---|\n",
	       "p.md:10:7: '{srot}' after the title of a table, expected {sort}");
	struct result r = {.ctx = {.base = "/blog", .ndevices = 2}};
	r.ctx.arena = &r.arena;
	assert_false(markdown_render(&r.ctx, str_of("**T** {sort}\n\n| a |\n|---|\n"), "p.md", 10,
	                             &r.doc, &r.e));
	assert_string_equal(r.e.text,
	                    "p.md:10:7: '{sort}' on a page over several devices, where a cell has "
	                    "a number for each; expected <<bench:table … sort=yes>>, which makes a "
	                    "table for each device");
	done(&r);
}

static void test_tasks(void **state)
{
	(void)state;
	check("- [x] done\n- [ ] to *do*\n- not a task\n",
	      "<ul>\n<li class=\"task\"><label><input type=\"checkbox\" disabled checked> "
	      "done</label>"
	      "</li>\n<li class=\"task\"><label><input type=\"checkbox\" disabled> to <em>do</em>"
	      "</label></li>\n<li>not a task</li>\n</ul>\n");
	check("- [x] a\n\n  b\n",
	      "<ul>\n<li class=\"task\"><p><label><input type=\"checkbox\" disabled checked> a"
	      "</label></p>\n<p>b</p>\n</li>\n</ul>\n");
}

static void test_footnotes(void **state)
{
	(void)state;
	check("a[^x] b[^y] c[^x]\n\n[^y]: Second\n[^x]: First\n\n    - more\n",
	      "<p>a<sup class=\"fnref\"><a href=\"#fn-1\" id=\"fnref-1\" role=\"doc-noteref\" "
	      "aria-label=\"Footnote 1\">1</a></sup> b<sup class=\"fnref\"><a href=\"#fn-2\" "
	      "id=\"fnref-2\" role=\"doc-noteref\" aria-label=\"Footnote 2\">2</a></sup> "
	      "c<sup class=\"fnref\"><a href=\"#fn-1\" id=\"fnref-1-2\" role=\"doc-noteref\" "
	      "aria-label=\"Footnote 1\">1</a></sup></p>\n"
	      "<section class=\"footnotes\" role=\"doc-endnotes\" aria-label=\"Footnotes\">\n<ol>\n"
	      "<li id=\"fn-1\">\n<p>First</p>\n<ul>\n<li>more</li>\n</ul>\n<p> <a "
	      "class=\"backref\" "
	      "href=\"#fnref-1\" role=\"doc-backlink\" aria-label=\"Back to reference 1\">↩</a> "
	      "<a class=\"backref\" href=\"#fnref-1-2\" role=\"doc-backlink\" "
	      "aria-label=\"Back to reference 1, 2\">↩</a></p>\n</li>\n"
	      "<li id=\"fn-2\">\n<p>Second <a class=\"backref\" href=\"#fnref-2\" "
	      "role=\"doc-backlink\" aria-label=\"Back to reference 2\">↩</a></p>\n</li>\n"
	      "</ol>\n</section>\n");
	refuse("a\nb[^zz]",
	       "p.md:11:1: no footnote '[^zz]', expected a line '[^zz]: …', or '\\[' for "
	       "a bracket");
	check("a\\[^zz]", "<p>a[^zz]</p>\n");
	refuse("x\n\n[^a \"b <<bench:value 1>>\nc ___ü <<bench:value 2>>]",
	       "p.md:12: no footnote '[^…]', expected a line '[^…]: …', or '\\[' for a bracket");
	refuse("[a[^x]](/y)\n\n[^x]: z", "p.md:10:3: a footnote cannot stand inside a link");
}

static void test_callouts(void **state)
{
	(void)state;
	check("> [!NOTE]\n> a\n>\n> b\n",
	      "<aside class=\"callout note\" role=\"note\">\n"
	      "<p class=\"callout-title\">Note</p>\n<p>a</p>\n<p>b</p>\n"
	      "</aside>\n");
	check("> [!CAUTION]\n>\n> - a\n", "<aside class=\"callout caution\" role=\"note\">\n<p "
	                                  "class=\"callout-title\">Caution</p>\n"
	                                  "<ul>\n<li>a</li>\n</ul>\n</aside>\n");
	check("> [!TIP]\n> > q\n", "<aside class=\"callout tip\" role=\"note\">\n"
	                           "<p class=\"callout-title\">Tip</p>\n<blockquote>\n<p>q</p>\n"
	                           "</blockquote>\n</aside>\n");
	refuse("> [!DANGER]\n> a",
	       "p.md:10:3: callout '[!DANGER]', expected [!NOTE], [!TIP], "
	       "[!IMPORTANT], [!WARNING], [!CAUTION], [!HIGHLIGHTS], [!ASIDE] or [!MORE]");
	check("> [!ASIDE]\n> a\n",
	      "<aside class=\"aside\" role=\"note\" aria-label=\"Aside\">\n<p>a</p>\n</aside>\n");
	refuse("> [!NOTE] a", "p.md:10:3: '[!NOTE]' stands alone on its line");
	check("> [!MORE] How & why\n> a\n>\n> b\n",
	      "<details class=\"more\"><summary>How &amp; why</summary>\n<p>a</p>\n<p>b</p>\n"
	      "</details>\n");
	refuse("> [!MORE]\n> a", "p.md:10:3: '[!MORE]' needs a summary after it, of words without "
	                         "markup");
	refuse("> [!MORE] `a`\n> b", "p.md:10:3: '[!MORE]' needs a summary after it, of words "
	                             "without markup");
}

#define H(level, id, text, label)                                            \
	"<h" level " id=\"" id "\">" text " <a class=\"anchor\" href=\"#" id \
	"\" aria-label=\"Link to this section: " label "\">#</a></h" level ">\n"

static void test_headings(void **state)
{
	(void)state;
	check("## Bytes `in` flight!\n",
	      H("2", "bytes-in-flight", "Bytes <code>in</code> flight!", "Bytes in flight!"));
	check("## A\n### A\n## A\n",
	      H("2", "a", "A", "A") H("3", "a-2", "A", "A") H("2", "a-3", "A", "A"));
	check("## A {#my-id}\n", H("2", "my-id", "A", "A"));
	check("Two\nlines\n---\n", H("2", "two-lines", "Two\nlines", "Two lines"));
	check("## B1\n## Fn 2\n## !\n",
	      H("2", "section-b1", "B1", "B1") H("2", "section-fn-2", "Fn 2", "Fn 2")
	              H("2", "section", "!", "!"));
	check("## Series\n", H("2", "section-series", "Series", "Series"));
	struct result r;
	assert_true(render(&r, "## A <<bench:value 7>> {#x}\n\n#### `b`\n"));
	assert_int_equal(r.doc.nheadings, 2);
	assert_string_equal(r.doc.headings[0].id, "x");
	assert_string_equal(r.doc.headings[0].text, "A 7");
	assert_int_equal(r.doc.headings[1].level, 4);
	assert_string_equal(r.doc.headings[1].text, "b");
	done(&r);
	refuse("a\n\n# b\n",
	       "p.md:12:1: heading of level 1, expected '##' or more: the title is in "
	       "the front matter");
	refuse("## a {#x}\n\n## b {#x}\n", "p.md:12:1: id 'x' is taken already on this page");
	refuse("## a {#1}\n", "p.md:10:1: heading has the id '1', expected a letter, then letters, "
	                      "digits, '-' or '_'");
	refuse("## a {#b1}\n", "p.md:10:1: id 'b1' is taken already on this page");
	refuse("##\n", "p.md:10:1: heading without a text");
}

/* The ids of all headings, with a space after each. */
static void check_ids(const char *src, const char *want)
{
	struct result r;
	char ids[512] = "";
	if (!render(&r, src))
		fail_msg("%s\nin: %s", r.e.text, src);
	for (size_t i = 0; i < r.doc.nheadings; i++) {
		strcat(ids, r.doc.headings[i].id);
		strcat(ids, " ");
	}
	assert_string_equal(ids, want);
	done(&r);
}

/*
 * Equal headings get numbers. Where all numbers of a slug are reserved, no
 * number is free however long one looks: such a build hung.
 */
static void test_equal_headings_of_reserved_ids(void **state)
{
	(void)state;
	alarm(20); /* an id that is never found ends the test, and not the machine's day */
	check_ids("### Code 1\n### Code 1\n### Code 1\n",
	          "code-1 section-code-1 section-code-1-2 ");
	check_ids("## Code 1 2\n## Code 1 2\n", "section-code-1-2 section-code-1-2-2 ");
	check_ids("## code\n## code\n", "code code-2 ");
	check_ids("## code\n## code 2\n## code\n## code 2\n", "code code-2 code-3 section-code-2 ");
	check_ids("## fn\n## fn\n## fn\n", "fn section-fn section-fn-2 ");
	check_ids("## fn 1\n## fn 1\n", "section-fn-1 section-fn-1-2 ");
	check_ids("## fnref\n## fnref\n", "fnref section-fnref ");
	check_ids("## fnref 3\n## fnref 3\n", "section-fnref-3 section-fnref-3-2 ");
	check_ids("## b\n## b\n", "b b-2 ");
	check_ids("## b1\n## b1\n", "section-b1 section-b1-2 ");
	check_ids("## para\n## para\n## para\n", "para section-para section-para-2 ");
	check_ids("## para 1\n## para 1\n", "section-para-1 section-para-1-2 ");
	check_ids("## ref\n## ref\n## ref 2\n", "ref ref-2 ref-2-2 ");
	check_ids("## Ref-counted\n## ref\n## ref\n## cite\n## cite\n## cite me\n\n`[@key]`\n",
	          "section-ref-counted ref section-ref cite section-cite section-cite-me ");
	check_ids("## series\n## series\n", "section-series section-series-2 ");
	check_ids("## !\n## ?\n", "section section-2 ");
	refuse("## a {#para-1}\n", "p.md:10:1: id 'para-1' is taken already on this page");
	alarm(0);
}

static void test_code(void **state)
{
	(void)state;
	static const struct {
		const char *info, *said;
	} wrong[] = {{"a b", "b"},
	             {"a title=\"b\"", "title=\"b\""},
	             {"mark=", "mark="},
	             {"lines=1 lines=2", "lines=2"},
	             {"size=3", "size=3"},
	             {"title=\"b", "title=\"b"},
	             {"title=\"\"", "title=\"\""}};
	check("```cuda kernels/x.cu\nint a;\n```\n",
	      "<div class=\"code\" data-lang=\"cuda\"><div class=\"caption\">kernels/x.cu</div>"
	      "<pre tabindex=\"0\"><code><span class=\"t\">int</span> a;\n</code></pre></div>\n");
	check("~~~sh title=\"two words\"\nls\n~~~\n",
	      "<div class=\"code\" data-lang=\"sh\"><div class=\"caption\">two words</div>"
	      "<pre tabindex=\"0\"><code><span class=\"b\">ls</span>\n</code></pre></div>\n");
	check("    a < b\n", "<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\"><code>"
	                     "a &lt; b\n</code></pre></div>\n");
	check("```cobol\na\n```\n", "<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\">"
	                            "<code>a\n</code></pre></div>\n");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		char src[64], want[160];
		snprintf(src, sizeof src, "```c %s\nx\n```\n", wrong[i].info);
		snprintf(want, sizeof want,
		         "p.md:10:1: code block has '%s' after its language, expected a file "
		         "name, file=…, title=\"…\", lines=… or mark=…",
		         wrong[i].said);
		refuse(src, want);
	}
}

#define CODE(lang) "<div class=\"code\" data-lang=\"" lang "\"><pre tabindex=\"0\"><code>"

static void test_lines_of_code(void **state)
{
	(void)state;
	check("```c file=x.c lines=9 mark=2\n/* a\nb */\n```\n",
	      "<div class=\"code\" data-lang=\"c\"><div class=\"caption\">x.c</div>"
	      "<pre tabindex=\"0\"><code>"
	      "<span class=\"l\" data-n=\"9\"><span class=\"c\">/* a</span></span>\n"
	      "<span class=\"l lit\" data-n=\"10\"><span class=\"c\">b */</span></span>\n"
	      "</code></pre></div>\n");
	check("```text mark=1,3-4\na\n\nb\nc\n```\n",
	      CODE("text") "<span class=\"l lit\">a</span>\n<span class=\"l\"></span>\n"
	                   "<span class=\"l lit\">b</span>\n<span class=\"l lit\">c</span>\n"
	                   "</code></pre></div>\n");
	refuse("```c mark=2\nx\n```\n", "p.md:10:1: mark=2 marks no lines of this code, expected "
	                                "some of 1 to 1, such as mark=1-2,4");
	refuse("```c mark=2-1\nx\ny\n```\n",
	       "p.md:10:1: mark=2-1 marks no lines of this code, expected some of 1 to 2, such as "
	       "mark=1-2,4");
	refuse("```c lines=0\nx\n```\n",
	       "p.md:10:1: lines=0, expected the number of the first line");
}

static void test_notes_of_code(void **state)
{
	(void)state;
	check("```c\nx; // <2>\ny;  //<1>\nz; // <2>\n```\n\n1. *One*\n2. Two\n",
	      CODE("c") "<span class=\"l n2\">x; <a class=\"note\" href=\"#code-1-2\" "
	                "id=\"code-1-2-line\" aria-label=\"Note 2\">2</a></span>\n"
	                "<span class=\"l n1\">y; <a class=\"note\" href=\"#code-1-1\" "
	                "id=\"code-1-1-line\" aria-label=\"Note 1\">1</a></span>\n"
	                "<span class=\"l n2\">z; <a class=\"note\" href=\"#code-1-2\" "
	                "aria-label=\"Note 2\">2</a></span>\n"
	                "</code></pre></div>\n"
	                "<ol class=\"code-notes\">\n"
	                "<li id=\"code-1-1\"><em>One</em> <a class=\"backref\" "
	                "href=\"#code-1-1-line\" role=\"doc-backlink\" aria-label=\"Back to the "
	                "line of note 1\">↩</a>"
	                "</li>\n"
	                "<li id=\"code-1-2\">Two <a class=\"backref\" href=\"#code-1-2-line\" "
	                "role=\"doc-backlink\" "
	                "aria-label=\"Back to the line of note 2\">↩</a></li>\n</ol>\n");
	check("```sh\nls <1>\n```\n",
	      CODE("sh") "<span class=\"b\">ls</span> &lt;<span class=\"n\">1</span>&gt;\n"
	                 "</code></pre></div>\n");
	check("```text\n// <1>\n```\n", CODE("text") "// &lt;1&gt;\n</code></pre></div>\n");
	refuse("```python\nx # <1>\n```\n\nNo list.\n",
	       "p.md:10:1: code with the note <1> in it, expected a list '1. …' right after it");
	refuse("```lua\nx -- <2>\n```\n\n1. One\n",
	       "p.md:10:1: the code has a note <2>, but the list after it ends at 1");
	refuse("```lua\nx -- <2>\n```\n\n1. One\n2. Two\n",
	       "p.md:14:1: note 1 of the code before has no line there, expected one that ends "
	       "with "
	       "a comment '<1>'");
}

/* --- placeholders ---------------------------------------------------------- */

#define V(x) "<a href=\"/n\">" x "</a>"

static void test_expanded(void **state)
{
	(void)state;
	check("a <<bench:value 1>>, **<<bench:value 2>>** *x<<bench:value 3>>*",
	      "<p>a " V("1") ", <strong>" V("2") "</strong> <em>x" V("3") "</em></p>\n");
	check("<<bench:value 1>>", "<p>" V("1") "</p>\n");
	/* neither smart punctuation nor a mail address is made of what stands inside */
	check("\"<<bench:value \"a -- b... c@d.e\">>\"", "<p>“" V("a -- b... c@d.e") "”</p>\n");
}

static void test_places_of_text(void **state)
{
	(void)state;
	check("| a <<bench:value 1>> |\n|--:|\n| <<bench:value 2>> |\n",
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: a "
	      "1\"><table>\n"
	      "<thead><tr><th scope=\"col\" class=\"r\">a " V(
	              "1") "</th></tr></thead>\n<tbody>\n"
	                   "<tr><td class=\"r\">" V("2") "</td></tr>\n</tbody></table></div>\n");
	check("## Copy: <<bench:value 4>>\n", H("2", "copy", "Copy: " V("4"), "Copy: 4"));
	check("[a <<bench:value 1>>](/x \"t <<bench:value 2>>\")",
	      "<p><a href=\"/blog/x\" title=\"t 2\">a 1</a></p>\n");
	check("![a <<bench:value 1>>](x.png)",
	      "<p><img src=\"x.png\" alt=\"a 1\" loading=\"lazy\" decoding=\"async\"></p>\n");
	check("![a](x.png \"c <<bench:value 1>>\")",
	      "<figure><img src=\"x.png\" alt=\"a\" loading=\"lazy\" decoding=\"async\">"
	      "<figcaption><span class=\"caption-no\">Figure 1:</span> c " V(
	              "1") "</figcaption></figure>\n");
	check("```c title=\"at <<bench:value 1>>\"\nx\n```\n",
	      "<div class=\"code\" data-lang=\"c\"><div class=\"caption\">at 1</div>"
	      "<pre tabindex=\"0\"><code>x\n</code></pre></div>\n");
	check("- [x] <<bench:value 1>>\n",
	      "<ul>\n<li class=\"task\"><label><input type=\"checkbox\" disabled checked> " V(
	              "1") "</label></li>\n</ul>\n");
	refuse("a\n[x](/<<bench:value 1>>)", "p.md:11:6: a placeholder cannot stand in an address");
}

static void test_literal(void **state)
{
	(void)state;
	check("`<<bench:value 1>>` and ``<<bench:x `y` >>``",
	      "<p><code>&lt;&lt;bench:value 1&gt;&gt;</code> and "
	      "<code>&lt;&lt;bench:x `y` &gt;&gt;</code></p>\n");
	check("`<<bench:` opens, `>>` closes", "<p><code>&lt;&lt;bench:</code> opens, "
	                                       "<code>&gt;&gt;</code> closes</p>\n");
	check("```\n<<bench:nope a|b>> <<bench:open\n<</bench:claim>>\n```\n",
	      "<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\"><code>"
	      "&lt;&lt;bench:nope a|b&gt;&gt; &lt;&lt;bench:open\n&lt;&lt;/bench:claim&gt;&gt;\n"
	      "</code></pre></div>\n");
	check("    <<bench:table>>\n", "<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\">"
	                               "<code>&lt;&lt;bench:table&gt;&gt;\n</code></pre></div>\n");
	check("| `<<bench:value 1>>` |\n|-|\n",
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" "
	      "aria-label=\"Table: &lt;&lt;bench:value 1&gt;&gt;\"><table>\n<thead><tr>"
	      "<th scope=\"col\"><code>&lt;&lt;bench:value 1&gt;&gt;</code></th></tr></thead>\n"
	      "</table></div>\n");
}

static void test_launch(void **state)
{
	(void)state;
	check("call k<<<grid, block>>>(x) or k<<<grid>>>(x) -- `k<<<g, b>>>(x)`",
	      "<p>call k&lt;&lt;&lt;grid, block&gt;&gt;&gt;(x) or k&lt;&lt;&lt;grid&gt;&gt;&gt;(x) "
	      "– "
	      "<code>k&lt;&lt;&lt;g, b&gt;&gt;&gt;(x)</code></p>\n");
	check("**k<<<a*b, c*d>>>** | k<<<a \"b\" -- c>>>",
	      "<p><strong>k&lt;&lt;&lt;a*b, c*d&gt;&gt;&gt;</strong> | k&lt;&lt;&lt;a \"b\" -- "
	      "c&gt;&gt;&gt;</p>\n");
	check("```cuda\nk<<<grid, block>>>(x);\n```\n",
	      "<div class=\"code\" data-lang=\"cuda\"><pre tabindex=\"0\"><code><span class=\"f\">k"
	      "</span><span class=\"o\">&lt;&lt;&lt;</span>grid, block<span "
	      "class=\"o\">&gt;&gt;&gt;"
	      "</span>(x);\n</code></pre></div>\n");
	check("a <<< b\n\n1 << 2 >> 3",
	      "<p>a &lt;&lt;&lt; b</p>\n<p>1 &lt;&lt; 2 &gt;&gt; 3</p>\n");
}

static void test_blocks_alone(void **state)
{
	(void)state;
	check("a\n\n<<bench:table>>\n\nb", "<p>a</p>\n<figure>Table 1:</figure>\n<p>b</p>\n");
	check("- <<bench:table>>\n", "<ul>\n<li><figure>Table 1:</figure>\n</li>\n</ul>\n");
	check("> <<bench:table>>\n", "<blockquote>\n<figure>Table 1:</figure>\n</blockquote>\n");
	refuse("a <<bench:table>>",
	       "p.md:10:3: 'table' is a block, expected it alone in a paragraph, "
	       "with empty lines around it");
	refuse("<<bench:table>>\n<<bench:table x>>",
	       "p.md:10:1: 'table' is a block, expected it alone in a paragraph, with empty lines "
	       "around it");
	refuse("| <<bench:table>> |\n|-|\n",
	       "p.md:10:3: 'table' is a block, expected it alone in a paragraph, with empty lines "
	       "around it");
	refuse("## <<bench:table>>\n", "p.md:10:4: 'table' is a block, expected it alone in a "
	                               "paragraph, with empty lines around it");
}

static void test_placeholder_errors(void **state)
{
	(void)state;
	refuse("a\nä <<bench:nope>>", "p.md:11:3: unknown kind 'nope'");
	refuse("a <<bench:value x\nb", "p.md:10:3: placeholder '<<bench:' is not closed, expected "
	                               "'>>' on the same line");
	refuse("a\n\n<</bench:claim>>",
	       "p.md:12:1: '<</bench:claim>>' closes nothing that is open");
	refuse("<<bench:wish a>= b>>x<</bench:wish>>", "p.md:10:1: unknown kind 'wish'");
	refuse("> - a\n>   b <<bench:value>>", "p.md:11:7: no word");
	refuse("| a |\r\n|---|\r\n| é | <<bench:nope>> |\r\n| <<bench:nope>> |",
	       "p.md:13:3: unknown kind 'nope'");
}

/* --- what the page needs to know ------------------------------------------- */

static void test_document(void **state)
{
	(void)state;
	struct result r;
	assert_true(render(
	        &r, "## Head\n\n> quote\n\nFirst *para* `code`\nis <<bench:value 5>> 'x'.\n\n"
	            "Second\n"));
	assert_string_equal(r.doc.first_paragraph, "First para code is 5 ‘x’.");
	assert_int_equal(r.doc.words, 1 + 1 + 5 + 1);
	done(&r);
	assert_true(render(&r, "don't stop-gap *d*on 3.5 — 带宽。カナ x"));
	assert_int_equal(r.doc.cjk, 4);
	assert_int_equal(r.doc.words, 1 + 1 + 1 + 1 + 4 + 1);
	done(&r);
	assert_int_equal(markdown_minutes(&(struct md_doc){.words = 0}), 1);
	assert_int_equal(markdown_minutes(&(struct md_doc){.words = 1200}), 5);
	assert_int_equal(markdown_minutes(&(struct md_doc){.words = 2000, .cjk = 2000}), 5);
}

static void test_crlf(void **state)
{
	(void)state;
	check("a\r\nb <<bench:value 1>>\r\n\r\n```\r\nx\r\n```\r\n",
	      "<p>a\nb " V(
	              "1") "</p>\n<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\"><code>"
	                   "x\n</code></pre></div>\n");
	refuse("a\rb", "p.md:10:2: carriage return without a line feed");
}

static void test_characters(void **state)
{
	(void)state;
	refuse("ab\ncd \xff x", "p.md:11:4: not valid UTF-8 text");
	refuse("a\nb \xee\x80\x80"
	       "0\xee\x80\x81",
	       "p.md:11:3: private-use character U+E000 means nothing on a page");
	refuse("a &#xE000;0&#xe001;", "p.md:10:3: '&#xE000;' stands for a character that pages may "
	                              "not hold");
	refuse("a &#57344;",
	       "p.md:10:3: '&#57344;' stands for a character that pages may not hold");
	refuse("a \xe2\x80\xae b", "p.md:10:3: character U+202E is a control character, or "
	                           "reverses the order of the text");
	refuse("a \x1b b", "p.md:10:3: character U+001B is a control character, or reverses the "
	                   "order of the text");
	check("&#169; &#x2014; &#0; \xf0\x9f\x98\x80 \xee\x82\x80",
	      "<p>© — \xef\xbf\xbd \xf0\x9f\x98\x80 \xee\x82\x80</p>\n");
}

/* --- limits ---------------------------------------------------------------- */

static void repeat(struct sb *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sb_cstr(b, s);
}

static void test_limits(void **state)
{
	(void)state;
	struct sb b = {0};
	repeat(&b, "x\n", 200000);
	refuse(b.p, "p.md: text is longer than 256 KiB");
	sb_clear(&b);
	repeat(&b, "x", 16385);
	refuse(b.p, "p.md:10:1: line is longer than 16 KiB");
	sb_clear(&b);
	sb_cstr(&b, "a\n");
	repeat(&b, "|x", 67);
	refuse(b.p, "p.md:11:1: line has more than 66 '|'");
	sb_clear(&b);
	repeat(&b, "\\|x", 67);
	sb_cstr(&b, "|a\n");
	struct result r;
	assert_true(render(&r, b.p));
	done(&r);
	sb_clear(&b);
	sb_cstr(&b, "|a|\n|-|\n");
	repeat(&b, "x\n", 500);
	refuse(b.p, "p.md:511:1: table has more than 500 rows");
	sb_clear(&b);
	for (int i = 0; i < 2; i++) {
		repeat(&b, "|a", 60);
		sb_cstr(&b, "\n");
		repeat(&b, "|-", 60);
		sb_cstr(&b, "\n");
		repeat(&b, "|x\n", 200);
		sb_cstr(&b, "\n");
	}
	refuse(b.p, "p.md:340:1: tables have more than 20000 cells in one file");
	sb_clear(&b);
	repeat(&b, "> ", 17);
	refuse(b.p, "p.md:10:1: line starts with more than 16 quote and list markers");
	sb_clear(&b);
	repeat(&b, "<![CDATA[", 9);
	refuse(b.p, "p.md:10:73: more than 8 times '<![CDATA['");
	sb_clear(&b);
	repeat(&b, "## a\n", 501);
	refuse(b.p, "p.md:510:1: more than 500 headings");
	sb_clear(&b);
	repeat(&b, "<<bench:x ", 65);
	refuse(b.p, "p.md:10:641: more than 64 placeholders are not closed");
	sb_clear(&b);
	repeat(&b, "![", 1001);
	refuse(b.p, "p.md:10:2001: more than 1000 images in one file");
	sb_clear(&b);
	sb_cstr(&b, "[a]: /");
	repeat(&b, "u", 16000);
	sb_cstr(&b, "\n\n");
	repeat(&b, "[a]\n", 600);
	refuse(b.p, "p.md:535:1: page grows beyond 8 MiB here");
	repeat(&b, "[a]\n", 30000);
	refuse(b.p, "p.md: too expensive to read: links or tables unfold without end");
	sb_free(&b);
}

enum { FULL = 255 * 1024, LINE = 8000 };

/* A source of FULL bytes: `body` repeated between head and tail, in lines of LINE bytes. */
static void fill(struct sb *to, const char *head, const char *body, const char *tail)
{
	sb_cstr(to, head);
	for (size_t line = 0; to->n < FULL;) {
		sb_cstr(to, body);
		line = strchr(body, '\n') ? 0 : line + strlen(body);
		if (line > LINE)
			sb_char(to, '\n'), line = 0;
	}
	sb_cstr(to, tail);
}

/* Processor time for reading a source, s; it is printed, or refused with an error. */
static double seconds_for(const char *src)
{
	struct result r;
	clock_t t = clock();
	bool ok = render(&r, src);
	double s = (double)(clock() - t) / CLOCKS_PER_SEC;
	assert_true(ok || r.e.set);
	done(&r);
	return s;
}

/*
 * How many times as long as plain prose of its length a source takes. Other processes slow both
 * down, but not always equally: only a result above `most` that comes `tries` times counts.
 */
static double times_prose(const char *src, const char *prose, double most, int tries)
{
	double times = INFINITY;
	for (int i = 0; i < tries && times > most; i++)
		times = fmin(times, seconds_for(src) / seconds_for(prose));
	return times;
}

/*
 * Inputs that are known to cost a Markdown parser more than linear time, filled up to the limit
 * of 256 KiB. The dearest takes 90 times as long as prose; without the limit of images one takes
 * 750 times as long.
 */
static void test_bombs(void **state)
{
	(void)state;
	static const struct {
		const char *head, *body, *tail;
	} bombs[] = {
	        {"", "[", ""},
	        {"", "[a](", ""},
	        {"", "![[]()", ""},
	        {"", "*a **b ", ""},
	        {"", "**a *b", ""},
	        {"", "_", ""},
	        {"", "`a``b```c", ""},
	        {"", "<", ""},
	        {"", "a <b ", ""},
	        {"", "&", ""},
	        {"", "&#1", ""},
	        {"", "[a]: /b\n", ""},
	        {"", "[a][b]\n", ""},
	        {"", "[^a]", "\n\n[^a]: x"},
	        {"", "> a\n", ""},
	        {"", "- a\n", ""},
	        {"", "1. a\n\n", ""},
	        {"", "|-|\n", ""},
	        {"", "a|b\n-|-\n", ""},
	        {"", "\"'", ""},
	        {"", "~~a", ""},
	        {"", "<<bench:value 1>>", ""},
	        {"", "k<<<a>>>", ""},
	        {"", "<<<", ""},
	        {"", "<<bench:", ""},
	        {"", "```\n", ""},
	        {"", "    a\n", ""},
	        {"", "## a\n", ""},
	        {"", "a\n===\n", ""},
	        {"", "\\", ""},
	        {"", "<?", ""},
	        {"", "<!A ", ""},
	        {"", "a\n\n", ""},
	        {"", "*a_ ", ""},
	        {"", "[x]\n\n[x]: u\n\n", ""},
	        {"", "]", ""},
	        {"", "\xf0\x9f\x98\x80", ""},
	        {"", "![a](b \"<<bench:value 1>>\") ", ""},
	        {"", "a@b.c ", ""},
	        {"", "- - a\n", ""},
	        {"", " - a\n  - b\n", ""},
	};
	enum { MOST = 500, TRIES = 3 };
	struct sb prose = {0}, b = {0};
	struct result r;
	fill(&prose, "", "An actor, a verb, an object.\n\n", "");
	assert_true(render(&r, prose.p));
	done(&r);
	for (size_t i = 0; i < ARRAY_LEN(bombs); i++) {
		sb_clear(&b);
		fill(&b, bombs[i].head, bombs[i].body, bombs[i].tail);
		double times = times_prose(b.p, prose.p, MOST, TRIES);
		if (times > MOST)
			fail_msg("'%s' repeated takes %.0f times as long as prose", bombs[i].body,
			         times);
	}
	sb_free(&prose);
	sb_free(&b);
}

/* Whatever stands side by side: an error with a place, or markup that nests. */
static void test_any_input(void **state)
{
	(void)state;
	static const char *const piece[] = {"a ",
	                                    "\n",
	                                    "\n\n",
	                                    "> ",
	                                    "- ",
	                                    "[x] ",
	                                    "|",
	                                    "|-|\n",
	                                    "*",
	                                    "`",
	                                    "```c\n",
	                                    "[",
	                                    "](/u)",
	                                    "![",
	                                    "~~",
	                                    "## ",
	                                    "[^1]",
	                                    "\n\n[^1]: n\n\n",
	                                    "<<bench:value 1>>",
	                                    "<<bench:table>>",
	                                    "<<<g>>>",
	                                    "[!NOTE]\n",
	                                    "{#i}",
	                                    "<",
	                                    "\"",
	                                    "1. ",
	                                    "    ",
	                                    "\\",
	                                    "<<bench:"};
	enum { N = ARRAY_LEN(piece) };
	static const char *const tags[] = {"p",   "ul",         "ol",      "li",     "table", "tr",
	                                   "td",  "th",         "em",      "strong", "del",   "a",
	                                   "h2",  "blockquote", "aside",   "sup",    "code",  "pre",
	                                   "div", "label",      "section", "span",   "figure"};
	unsigned seed = 1;
	struct sb b = {0};
	size_t accepted = 0;
	for (int k = 0; k < 20000; k++) {
		sb_clear(&b);
		for (int i = 0; i < 12; i++) {
			seed = seed * 1664525u + 1013904223u;
			sb_cstr(&b, piece[(seed >> 16) % N]);
		}
		struct result r;
		if (!render(&r, b.p)) {
			assert_true(str_starts(str_of(r.e.text), "p.md:"));
		} else {
			accepted++;
			for (size_t t = 0; t < ARRAY_LEN(tags); t++) {
				char open1[16], open2[16], close[16];
				snprintf(open1, sizeof open1, "<%s>", tags[t]);
				snprintf(open2, sizeof open2, "<%s ", tags[t]);
				snprintf(close, sizeof close, "</%s>", tags[t]);
				int depth = 0;
				for (size_t i = 0; i < r.doc.html.n; i++) {
					struct str s = str_sub(r.doc.html, i, r.doc.html.n);
					depth += str_starts(s, open1) || str_starts(s, open2);
					depth -= str_starts(s, close);
					if (depth < 0 ||
					    (tags[t][0] == 'a' && !tags[t][1] && depth > 1))
						fail_msg("<%s> does not nest: %s\nfrom: %s",
						         tags[t], r.doc.html.p, b.p);
				}
				if (depth != 0)
					fail_msg("<%s> is left open: %s\nfrom: %s", tags[t],
					         r.doc.html.p, b.p);
			}
		}
		done(&r);
	}
	assert_in_range(accepted, 2000, 18000);
	sb_free(&b);
}

static void spans(void **state)
{
	(void)state;
	check("a <<bench:waive \"why\">>b *c* <<bench:value 3>><</bench:waive>> d\n",
	      "<p>a <span>b <em>c</em> <a href=\"/n\">3</a></span> d</p>\n");
	check("*<<bench:waive x>>b<</bench:waive>>*\n", "<p><em><span>b</span></em></p>\n");
	check("<<bench:claim x>>a <<bench:waive y>>b<</bench:waive>><</bench:claim>>\n",
	      "<p><span>a <span>b</span></span></p>\n");
	check("## A <<bench:waive x>>b<</bench:waive>> c\n",
	      "<h2 id=\"a-b-c\">A <span>b</span> c <a class=\"anchor\" href=\"#a-b-c\" "
	      "aria-label=\"Link to this section: A b c\">#</a></h2>\n");
	check("[<<bench:waive x>>b<</bench:waive>>](/u \"<<bench:waive x>>c<</bench:waive>>\")\n",
	      "<p><a href=\"/blog/u\" title=\"c\"><span>b</span></a></p>\n");
	check("x ![a <<bench:waive x>>b<</bench:waive>>](/u.png)\n",
	      "<p>x <img src=\"/blog/u.png\" alt=\"a b\" loading=\"lazy\" "
	      "decoding=\"async\"></p>\n");
	check("`<<bench:waive x>>` and `<</bench:waive>>`\n",
	      "<p><code>&lt;&lt;bench:waive x&gt;&gt;</code> and "
	      "<code>&lt;&lt;/bench:waive&gt;&gt;</code></p>\n");
	refuse("a\n\nb <<bench:waive x>>c\n\nd<</bench:waive>>\n",
	       "p.md:12:3: '<<bench:waive x>>' is not closed where it opens, expected "
	       "'<</bench:waive>>' in the same paragraph, heading or cell");
	refuse("a <</bench:waive>>\n", "p.md:10:3: '<</bench:waive>>' closes nothing that is open");
	refuse("<<bench:waive x>>a <<bench:waive y>>b<</bench:waive>><</bench:waive>>\n",
	       "p.md:10:20: 'waive' inside another that opens in line 10, expected "
	       "'<</bench:waive>>' before it");
	refuse("<<bench:waive x>>a *b<</bench:waive>>*\n",
	       "p.md:10:22: '<</bench:waive>>' closes in other markup than '<<bench:waive x>>' "
	       "opens "
	       "in, expected both inside or both outside of it");
	refuse("<<bench:waive x>>a<</bench:claim>>\n",
	       "p.md:10:19: '<</bench:claim>>' closes nothing that is open, expected "
	       "'<</bench:waive>>' for line 10");
	refuse("| a |\n|---|\n| <<bench:claim x>>wrong<</bench:claim>> |\n",
	       "p.md:12:3: 'wrong' is refused");
}

/* What the lint says of a text, a line for each finding, in order. */
static void finds(const char *src, const char *want)
{
	struct result r = {.ctx = {.base = ""}};
	struct sb got = {0};
	r.ctx.arena = &r.arena;
	r.ctx.lint = lint_new(&r.arena);
	if (!markdown_render(&r.ctx, str_of(src), "p.md", 10, &r.doc, &r.e))
		fail_msg("%s\nin: %s", r.e.text, src);
	struct traced_found *turned = NULL;
	for (struct traced_found *f = r.doc.found, *next; f; f = next) {
		next = f->next;
		f->next = turned;
		turned = f;
	}
	for (struct traced_found *f = turned; f; f = f->next)
		sb_printf(&got, "%d:%d %.*s\n", f->at.line, f->at.col, (int)strcspn(f->what, "("),
		          f->what);
	assert_string_equal(got.p ? got.p : "", want);
	sb_free(&got);
	done(&r);
}

#define IS " is a hand-typed number \n"

static void lint_reads_texts(void **state)
{
	(void)state;
	finds("It takes 3 ms, and\nthen *4*\nms.\n", "10:10 '3 ms'" IS "11:7 '4 ms'" IS);
	finds("`3 ms`, <<<1, 3 ms>>>, <<bench:value 3>> ms\n\n    3 ms\n", "");
	finds("3 <<bench:value x>> ms, `3` ms\n", "10:1 '3 \xef\xbf\xbc ms'" IS "10:26 '3 ms'" IS);
	finds("## At 3 GB/s\n\n> > - [2x](/a \"3x\") faster ![4x faster](/i.png \"5x faster\")\n",
	      "10:7 '3 GB/s'" IS "12:8 '2x'" IS "12:30 '4x'" IS "12:49 '5x'" IS "12:16 '3x'" IS);
}

static void lint_reads_tables(void **state)
{
	(void)state;
	finds("| rows | µs |\n|---|---|\n| 12 | 13 |\n| MB/s | `14` |\n| <<bench:value 1>> | "
	      "<<bench:value 1>> |\n",
	      "12:8 '13'" IS "13:11 '14'" IS);
	finds("| rows | MiB |\n|---|---|\n| 12 | 13 |\n", "");
}

static void waivers(void **state)
{
	(void)state;
	struct result r = {.ctx = {.base = ""}};
	r.ctx.arena = &r.arena;
	r.ctx.lint = lint_new(&r.arena);
	const char *src =
	        "a <<bench:waive \"why\">>*3* <<bench:value x>> times faster<</bench:waive>> "
	        "<<bench:claim a/b bandwidth >= 2 * a/c bandwidth>>2× faster, twice as "
	        "fast<</bench:claim>>\n";
	assert_true(markdown_render(&r.ctx, str_of(src), "p.md", 10, &r.doc, &r.e));
	assert_null(r.doc.found);
	assert_non_null(r.doc.waivers);
	assert_string_equal(r.doc.waivers->text, "3 x times faster");
	assert_string_equal(r.doc.waivers->why, "why");
	assert_int_equal(r.doc.waivers->at.col, 3);
	assert_null(r.doc.waivers->next);
	done(&r);
	finds("a <<bench:claim a/b bandwidth >= 2 * a/c bandwidth>>3× faster<</bench:claim>>\n",
	      "10:53 '3×'" IS);
	finds("a <<bench:waive why>>b<</bench:waive>>\n",
	      "10:3 the waiver waives nothing, expected a number typed by hand inside\n");
}

/* Each list is one deeper: no page holds that, so it is refused where it is written. */
static void test_depth(void **state)
{
	(void)state;
	for (int depth = 40; depth <= 500; depth += 460) {
		struct result r;
		struct sb src = {0};
		for (int i = 0; i < depth; i++)
			sb_printf(&src, "%*s- a\n", 2 * i, "");
		bool ok = render(&r, src.p);
		assert_int_equal(ok, depth == 40);
		if (!ok)
			assert_non_null(strstr(r.e.text, "nested more than 100 deep"));
		done(&r);
		sb_free(&src);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_depth),
	        cmocka_unit_test(spans),
	        cmocka_unit_test(lint_reads_texts),
	        cmocka_unit_test(lint_reads_tables),
	        cmocka_unit_test(waivers),
	        cmocka_unit_test(test_inline),
	        cmocka_unit_test(test_blocks),
	        cmocka_unit_test(test_links),
	        cmocka_unit_test(test_link_places),
	        cmocka_unit_test(test_raw_html),
	        cmocka_unit_test(test_tables),
	        cmocka_unit_test(test_sorted_tables),
	        cmocka_unit_test(test_tables_have_names_of_their_own),
	        cmocka_unit_test(test_tasks),
	        cmocka_unit_test(test_footnotes),
	        cmocka_unit_test(test_callouts),
	        cmocka_unit_test(test_headings),
	        cmocka_unit_test(test_equal_headings_of_reserved_ids),
	        cmocka_unit_test(test_code),
	        cmocka_unit_test(test_lines_of_code),
	        cmocka_unit_test(test_notes_of_code),
	        cmocka_unit_test(test_expanded),
	        cmocka_unit_test(test_places_of_text),
	        cmocka_unit_test(test_literal),
	        cmocka_unit_test(test_launch),
	        cmocka_unit_test(test_blocks_alone),
	        cmocka_unit_test(test_placeholder_errors),
	        cmocka_unit_test(test_document),
	        cmocka_unit_test(test_crlf),
	        cmocka_unit_test(test_characters),
	        cmocka_unit_test(test_limits),
	        cmocka_unit_test(test_bombs),
	        cmocka_unit_test(test_any_input),
	};
	return cmocka_run_group_tests_name("markdown", tests, NULL, NULL);
}
