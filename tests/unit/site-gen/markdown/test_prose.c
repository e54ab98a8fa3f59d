/*
 * What is easily lost, leaked or misread in a text: comments, placeholders that are none, quotes
 * and line ends beside Chinese, formulas, footnotes, bare addresses, markup that stays as text.
 */
#include "lib/array.h"
#include "site-gen/markdown/markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/lint/lint.h"
#include "site-gen/base/problems.h"
#include "site-gen/base/tool.h"
#include "site-gen/markdown/traced.h"

/* The kinds of this test: `value X` reads X; `waive` is a span; `table` is a block. */
bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	(void)e;
	*out = str_is(p->kind, "value")   ? EXPAND_INLINE
	       : str_is(p->kind, "waive") ? EXPAND_SPAN
	                                  : EXPAND_BLOCK;
	return true;
}

enum expand_numbered expand_numbered(const struct placeholder *p)
{
	(void)p;
	return EXPAND_UNNUMBERED;
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	(void)ctx;
	(void)e;
	sb_str(to, p->word[0]);
	return true;
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	if (!str_is(p->kind, "table"))
		return expand_text(ctx, p, to, e);
	sb_cstr(to, "<table></table>\n");
	return true;
}

bool expand_in_link(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                    struct err *e)
{
	return expand_text(ctx, p, to, e);
}

bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s, struct sb *to,
                 struct err *e)
{
	(void)ctx;
	(void)p;
	(void)e;
	if (s->step != SPAN_SEEN)
		sb_cstr(to, s->step == SPAN_OPEN ? "<b>" : "</b>");
	return true;
}

/* --- helpers --------------------------------------------------------------- */

static const char *folder;

struct result {
	struct arena arena;
	struct problems problems;
	struct expand_ctx ctx;
	struct md_doc doc;
	struct err e;
};

/* Line 1 of the text is line 1 of the file. */
static bool render(struct result *r, const char *src, bool all_problems)
{
	*r = (struct result){.ctx = {.base = ""}};
	r->ctx.arena = r->problems.arena = &r->arena;
	r->ctx.cache = folder;
	r->ctx.problems = all_problems ? &r->problems : NULL;
	return markdown_render(&r->ctx, str_of(src), "p.md", 1, &r->doc, &r->e);
}

static void check(const char *src, const char *want)
{
	struct result r;
	if (!render(&r, src, false))
		fail_msg("%s\nin: %s", r.e.text, src);
	assert_string_equal(r.doc.html.p, want);
	arena_free(&r.arena);
}

static void refuse(const char *src, const char *want)
{
	struct result r;
	if (render(&r, src, false))
		fail_msg("accepted: %s\nas: %s", src, r.doc.html.p);
	if (strncmp(r.e.text, want, strlen(want)) != 0)
		assert_string_equal(r.e.text, want);
	arena_free(&r.arena);
}

/* Warnings and errors, a line each, up to the ';' of what to do about them. */
static void says(const char *src, const char *want)
{
	struct result r;
	const struct problems *list = &r.problems;
	char *text, said[2048] = "";
	size_t n;
	FILE *to = open_memstream(&text, &n);
	render(&r, src, true);
	problems_print(&list, 1, false, to);
	fclose(to);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		size_t of = strcspn(line, ";\n"), skip = strlen("site-gen: p.md:");
		strncat(said, line + skip, of - skip);
		strcat(said, "\n");
	}
	assert_string_equal(said, want);
	free(text);
	arena_free(&r.arena);
}

/* What the lint finds, in order: "1:5 4.8 TB/s". */
static void finds(const char *src, const char *want)
{
	struct result r = {.ctx = {.base = ""}};
	char said[1024] = "";
	r.ctx.arena = &r.arena;
	r.ctx.cache = folder;
	r.ctx.lint = lint_new(&r.arena);
	if (!markdown_render(&r.ctx, str_of(src), "p.md", 1, &r.doc, &r.e))
		fail_msg("%s\nin: %s", r.e.text, src);
	for (const struct traced_found *f = r.doc.found; f; f = f->next) {
		int n = (int)strcspn(f->what + 1, "'");
		const char *line = arena_printf(&r.arena, "%d:%d %.*s\n", f->at.line, f->at.col, n,
		                                f->what + 1);
		memmove(said + strlen(line), said, strlen(said) + 1); /* newest first */
		memcpy(said, line, strlen(line));
	}
	assert_string_equal(said, want);
	arena_free(&r.arena);
}

/* --- what must not be published -------------------------------------------- */

static void test_comments(void **state)
{
	static const char comment[] = "comment '<!--' is raw HTML, expected Markdown only";
	static const struct {
		const char *src, *place;
	} all[] = {
	        {"Text <!-- TODO -- ask Bob --> more.\n", "1:6"},
	        {"a <!--> b\n", "1:3"},
	        {"a <!---> b\n", "1:3"},
	        {"a <!-- never closed\n", "1:3"},
	        {"<!-- a\n\nb -->\n", "1:1"},
	        {"a <!--\nb -- c\n--> d\n", "1:3"},
	        {"- a\n- b <!-- c -- d -->\n", "2:5"},
	        {"> a\n> <!-- c -- d\n", "2:3"},
	        {"| a <!-- x -- y --> |\n|---|\n| b |\n", "1:5"},
	        {"| a |\n|---|\n| <!--> |\n", "3:3"},
	        {"## A <!-- b -- c -->\n", "1:6"},
	        {"[a](/b \"<!-- t -- u -->\")\n", "1:9"},
	        {"![a <!-- t -- u -->](b.png)\n", "1:5"},
	        {"[a <!-- t -->](/b)\n", "1:4"},
	        {"[a](/b<!--)\n", "1:7"},
	        {"a[^n]\n\n[^n]: b <!-- c -- d -->\n", "3:9"},
	        {"a\n\n[^n]: <!-- in a footnote that is not published -->\n", "3:7"},
	        {"a\n\n[b]: /c \"<!-- in a definition that nothing uses -->\"\n", "3:10"},
	        {"**中文<!-- 注 -- 记 -->**\n", "1:5"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		char want[128];
		snprintf(want, sizeof want, "p.md:%s: %s", all[i].place, comment);
		refuse(all[i].src, want);
	}
	check("`<!-- a -->` \\<!-- b &lt;!-- c\n",
	      "<p><code>&lt;!-- a --&gt;</code> &lt;!– b &lt;!– c</p>\n");
	check("~~~\n<!-- a -->\n~~~\n",
	      "<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\">"
	      "<code>&lt;!-- a --&gt;\n</code></pre></div>\n");
}

static void test_mistyped_placeholders(void **state)
{
	static const char open[] = "is no placeholder, did you mean '<<bench:…>>'?";
	static const char close[] = "is no placeholder, did you mean '<</bench:…>>'?";
	static const struct {
		const char *src, *opening, *why;
	} all[] = {
	        {"a <bench:value 7>\n", "<bench:", open},
	        {"a <bench:value 7>>\n", "<bench:", open},
	        {"a <bench:env>\n", "<bench:", open},
	        {"a << bench:value 7>>\n", "<< bench:", open},
	        {"a <<bench value 7>>\n", "<<bench", open},
	        {"a <<bench：value 7>>\n", "<<bench：", open},
	        {"a <<Bench:value 7>>\n", "<<Bench:", open},
	        {"a «bench:value 7»\n", "«bench:", open},
	        {"a 《bench:value 7》\n", "《bench:", open},
	        {"a ＜＜bench:value 7＞＞\n", "＜＜bench:", open},
	        {"a </bench:waive>\n", "</bench:", close},
	        {"a <</ bench:waive>>\n", "<</ bench:", close},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		char want[128];
		snprintf(want, sizeof want, "p.md:1:3: '%s…' %s", all[i].opening, all[i].why);
		refuse(all[i].src, want);
	}
	refuse("![<bench:value 7>](x.png)\n", "p.md:1:3: '<bench:…' is no placeholder");
	refuse("[a](/x \"<bench:value 7>\")\n", "p.md:1:9: '<bench:…' is no placeholder");
	refuse("| a |\n|---|\n| <bench:value 7> |\n", "p.md:3:3: '<bench:…' is no placeholder");
	refuse("a <<bench:value 7\n", "p.md:1:3: placeholder '<<bench:' is not closed");
	check("`<bench:value 7>` \\<bench:value 7> workbench: 3 < bench, bench: a\n",
	      "<p><code>&lt;bench:value 7&gt;</code> &lt;bench:value 7&gt; workbench: 3 &lt; "
	      "bench, "
	      "bench: a</p>\n");
	check("<<bench:value 7>>\n", "<p>7</p>\n");
}

/* --- beside Chinese -------------------------------------------------------- */

static void test_quotes(void **state)
{
	(void)state;
	check("说\"好\"吗\n", "<p>说“好”吗</p>\n");
	check("说\"A\"和\"B\"吗，\"C\"。\n", "<p>说“A”和“B”吗，“C”。</p>\n");
	check("文\"（注）\"文\n", "<p>文“（注）”文</p>\n");
	check("文\"**引**\"文 `a\"b`\"引\"\n",
	      "<p>文“<strong>引</strong>”文 <code>a\"b</code>“引”</p>\n");
	check("说'好'吗，GPU's 和 don't\n", "<p>说‘好’吗，GPU’s 和 don’t</p>\n");
	check("“引”文“用”，‘a’\n", "<p>“引”文“用”，‘a’</p>\n"); /* what was typed is left */
	check("15\"屏幕，x'的\n", "<p>15”屏幕，x’的</p>\n");
	check("\"a\" b\"c\"d\n", "<p>“a” b”c”d</p>\n"); /* as everywhere, without Chinese */
	check("## 说\"好\"吗\n",
	      "<h2 id=\"说-好-吗\">说“好”吗 <a class=\"anchor\" "
	      "href=\"#%E8%AF%B4-%E5%A5%BD-%E5%90%97\" aria-label=\"Link to this section: "
	      "说“好”吗\">#</a></h2>\n");
}

static void test_line_ends(void **state)
{
	(void)state;
	check("文\n字\n", "<p>文字</p>\n");
	check("文\nword\n字\n", "<p>文\nword\n字</p>\n");
	check("**文**\n字\n", "<p><strong>文</strong>字</p>\n");
	check("文\n[链接](/x)\n字，\n*斜*\n", "<p>文<a href=\"/x\">链接</a>字，<em>斜</em></p>\n");
	check("文[a](/x)\n字\n", "<p>文<a href=\"/x\">a</a>\n字</p>\n");
	check("文`字`\n字`a`\n字\n", "<p>文<code>字</code>字<code>a</code>\n字</p>\n");
	check("文~~字~~\n“引”\n文\n", "<p>文<del>字</del>“引”文</p>\n");
	check("文<<bench:waive x>>字\n字<</bench:waive>>\n字\n", "<p>文<b>字字</b>字</p>\n");
	check("文<<bench:value 7>>\n字\n", "<p>文7\n字</p>\n");
	check("文![图](a.png)\n字\n", "<p>文<img src=\"a.png\" alt=\"图\" loading=\"lazy\" "
	                              "decoding=\"async\">\n字</p>\n");
	check("文  \n字\n", "<p>文<br>\n字</p>\n");
	struct result r;
	assert_true(render(&r, "文[^1]\n字\n\n[^1]: 注\n\n## 标\n", false));
	assert_non_null(strstr(r.doc.html.p, "</sup>字</p>"));
	assert_string_equal(r.doc.first_paragraph, "文字");
	arena_free(&r.arena);
	/* as it is read by the lint */
	finds("百分\n之三的带宽\n", "1:1 百分之三\n");
}

/* --- formulas -------------------------------------------------------------- */

/* The formulas of a text as they are annotated, one a line, those by themselves with a '='. */
static void formulas(const char *src, const char *want)
{
	static const char mark[] = "<annotation encoding=\"application/x-tex\">";
	struct result r;
	char said[512] = "";
	if (!render(&r, src, false))
		fail_msg("%s\nin: %s", r.e.text, src);
	for (const char *p = r.doc.html.p; (p = strstr(p, "<math")); p++) {
		const char *tex = strstr(p, mark) + strlen(mark);
		strcat(said, strncmp(p, "<math display", 13) == 0 ? "=" : "");
		strncat(said, tex, (size_t)(strchr(tex, '<') - tex));
		strcat(said, ";");
	}
	assert_string_equal(said, want);
	arena_free(&r.arena);
}

static void test_formulas_of_lines(void **state)
{
	(void)state;
	formulas("$$\na + b\n$$\n", "=a + b;");
	formulas("a\n\n$$ a\n  + b $$\n\nc\n", "=a\n+ b;");
	formulas("- a\n\n  $$\n  x\n  $$\n- b\n", "=x;");
	formulas("> a\n>\n> $$\n> x\n> $$\n", "=x;");
	formulas("$$\na\n$$ {#eq-a}\n\nSee [](#eq-a).\n", "=a;");
	formulas("$$x$$\n\n$$\ny\n$$\n", "=x;=y;");
	formulas("```text\n$$\nx\n$$\n```\n\n~~~\n$$\ny\n$$\n~~~\n\n$$\nz\n$$\n", "=z;");
	check("- ~~~\n  $$\n  x\n  $$\n  ~~~\n",
	      "<ul>\n<li>\n<div class=\"code\" data-lang=\"text\"><pre "
	      "tabindex=\"0\"><code>$$\nx\n$$"
	      "\n</code></pre></div>\n</li>\n</ul>\n");
	check("    $$\n    x\n    $$\n", "<div class=\"code\" data-lang=\"text\"><pre "
	                                 "tabindex=\"0\"><code>$$\nx\n$$\n</code></pre></div>\n");
	refuse("a\n$$\nx\n$$\n", "p.md:2:1: '$$…$$' is a formula by itself");
	/* places behind it are those of the file */
	refuse("$$\nx\n$$\n\na <b>\n", "p.md:5:3: '<b>' is raw HTML");
	says("$$\nx\n\ny\n$$\n", "1:1: warning: '$$' is left as text: a formula by itself stands "
	                         "between '$$' and '$$', without an empty line or a '`' inside\n"
	                         "5:1: warning: '$$' is left as text: a formula by itself stands "
	                         "between '$$' and '$$', without an empty line or a '`' inside\n");
	/* a footnote may end with one */
	formulas("a[^1]\n\n[^1]: b\n\n    $$x$$\n", "=x;");
	formulas("a[^1]\n\n[^1]: $$x$$\n", "=x;");
	check("a[^1]\n\n[^1]: b\n\n    <<bench:table>>\n",
	      "<p>a<sup class=\"fnref\"><a href=\"#fn-1\" id=\"fnref-1\" role=\"doc-noteref\" "
	      "aria-label=\"Footnote 1\">1</a></sup></p>\n<section class=\"footnotes\" "
	      "role=\"doc-endnotes\" aria-label=\"Footnotes\">\n<ol>\n<li id=\"fn-1\">\n<p>b</p>\n"
	      "<table></table>\n<p> <a class=\"backref\" href=\"#fnref-1\" role=\"doc-backlink\" "
	      "aria-label=\"Back to reference 1\">↩</a></p>\n</li>\n</ol>\n</section>\n");
}

/* Letters are variables, upright words are units. */
static void test_numbers_in_formulas(void **state)
{
	(void)state;
	finds("It costs $n^2 s$, $2 s$, $2^{10} s$, $x_{2} s$, $W = 2 J$, $2 n/s$ and $f = 2x$.\n",
	      "");
	finds("It reads $4.8\\,\\mathrm{TB/s}$.\n", "1:10 4.8 TB/s\n");
	finds("It reads $4.8\\,\\text{TB}/\\text{s}$.\n", "1:10 4.8 TB/s\n");
	finds("It reads $\\frac{4.8\\,\\mathrm{TB}}{\\mathrm{s}}$.\n", "1:10 4.8 TB/s\n");
	finds("It reads $4.8 TB/s$ in $12 ms$.\n", "1:10 4.8 TB/s\n1:24 12 ms\n");
	finds("It takes $5\\,\\mu\\mathrm{s}$ and $3\\,\\mathrm{s}$.\n", "1:10 5 µs\n1:33 3 s\n");
	finds("It is $1.8\\times$ faster, or $2x$.\n", "1:7 1.8×\n1:30 2x\n");
	finds("It has $86\\,\\%$ of peak bandwidth.\n", "1:8 86 %\n");
	finds("It takes $5 \\mu s$, $5\\,\\mathrm{\\mu s}$ or $\\mu$.\n", "1:10 5 µs\n1:21 5 µs\n");
	finds("It reads $4.8\\,\\mathsf{TB}/\\mathsf{s}$.\n", "1:10 4.8 TB/s\n");
	finds("$$\nt = 12\\,\\mathrm{ms}\n$$\n", "1:1 12 ms\n");
	finds("a <<bench:waive x>>$12\\,\\mathrm{ms}$<</bench:waive>> b\n", "");
}

/* --- footnotes ------------------------------------------------------------- */

static void test_unpublished_footnotes(void **state)
{
	(void)state;
	says("a[^Note] b[^b]\n\n[^note]: A.\n[^B]: B.\n", "");
	says("a\n\n[^a]: Text.\n",
	     "3:1: warning: nothing refers to the footnote '[^a]', so no page shows it\n");
	/* code refers to nothing, and defines nothing */
	says("a `[^a]`\n\n[^a]: Text.\n\n```text\n[^c]: code\n```\n\n    [^d]: code\n",
	     "3:1: warning: nothing refers to the footnote '[^a]', so no page shows it\n");
	says("> a\n>\n> [^q]: Text.\n",
	     "3:3: warning: nothing refers to the footnote '[^q]', so no page shows it\n");
	says("a[^a]\n\n[^a]: See [^b].\n[^b]: Text.\n", "");
	says("a[^a]\n\n[^a]: One.\n[^b]: Two.\n[^A]: Three.\n",
	     "4:1: warning: nothing refers to the footnote '[^b]', so no page shows it\n"
	     "5:1: the footnote '[^A]' is defined in line 3, too, and only that one is "
	     "published\n");
	says("a\n\n[^a]: One.\n[^a]: Two.\n",
	     "3:1: warning: nothing refers to the footnote '[^a]', so no page shows it\n"
	     "4:1: the footnote '[^a]' is defined in line 3, too, and only that one is "
	     "published\n");
	says("[^] [^a\n", "");
}

/* Which lines are of such footnotes: "3-5 9-9 ". */
static void leaves_out(const char *src, const char *want)
{
	struct result r;
	struct sb said = {0};
	render(&r, src, true);
	for (size_t i = 0; i < r.doc.nunshown; i++)
		sb_printf(&said, "%d-%d ", r.doc.unshown[i].from, r.doc.unshown[i].to);
	assert_string_equal(said.p ? said.p : "", want);
	sb_free(&said);
	arena_free(&r.arena);
}

static void test_lines_of_unpublished_footnotes(void **state)
{
	(void)state;
	leaves_out("a[^a]\n\n[^a]: A.\n", "");
	leaves_out("a\n\n[^x]: A.\nlazy\n\n    more\n\nb\n", "3-7 ");
	leaves_out("a[^b]\n\n[^x]: A.\n[^b]: B.\n[^y]: C\n## H\n", "3-3 5-5 ");
	leaves_out("a [r]\n\n[^x]: A.\n\n[r]: /b/\n", "3-4 ");
	leaves_out("> a\n>\n> [^x]: A.\n> lazy\n>\n> b\n", "3-5 ");
	leaves_out("a\n\n[^x]: A:\n\n    ```text\n    [^c]: code\n\n    ```\n", "3-9 ");
	leaves_out("a\n\n[^x]: A.\n\n    > b\n    > c\n\nd\n", "3-7 ");
	leaves_out("> a\n>\n> [^x]: A.\n>\n>     > b\n>\n> > c\n", "3-4 "); /* that is code */
	leaves_out("a\n\n\t[^c]: code\n", "");
}

/* --- bare addresses -------------------------------------------------------- */

#define LINK(url) "<a href=\"" url "\">" url "</a>"

static void test_bare_addresses(void **state)
{
	(void)state;
	check("see https://a.example/b?c=d, or (http://a.example/x_(y)).\n",
	      "<p>see " LINK("https://a.example/b?c=d") ", or (" LINK(
	              "http://a.example/x_(y)") ").</p>\n");
	check("**https://a.example** *https://a.example/b*! ~~https://a.example~~\n",
	      "<p><strong>" LINK("https://a.example") "</strong> <em>" LINK(
	              "https://a.example/b") "</em>! <del>" LINK("https://a.example") "</del></"
	                                                                              "p>\n");
	check("见https://a.example/b，以及 https://a.example/中文。\n",
	      "<p>见" LINK("https://a.example/b") "，以及 " LINK(
	              "https://a.example/") "中文。</p>\n");
	check("https://a.example/b--c...d_e_f*g\n",
	      "<p>" LINK("https://a.example/b--c...d_e_f*g") "</p>\n");
	check("https://a.example/?b&amp;c&copy; https://a.example/d;\n",
	      "<p><a href=\"https://a.example/?b&amp;c\">https://a.example/?b&amp;c</a>© " LINK(
	              "https://a.example/d") ";</p>\n");
	check("| https://a.example |\n|---|\n",
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: "
	      "https://a.example\"><table>\n<thead><tr><th scope=\"col\">" LINK(
	              "https://a.example") "</th></tr></thead>\n</table></div>\n");
	/* what is a link already, code, or no address */
	check("<https://a.example> [k](https://a.example/a)b [t https://b.example](/x)\n",
	      "<p>" LINK(
	              "https://a.example") " <a href=\"https://a.example/a\">k</a>b <a href=\"/x\">"
	                                   "t https://b.example</a></p>\n");
	check("[k][l]\n\n[l]: https://a.example/x\n",
	      "<p><a href=\"https://a.example/x\">k</a></p>\n");
	check("`https://a.example` https://localhost https://a_b.c ftp://a.example xhttps://a.b\n",
	      "<p><code>https://a.example</code> https://localhost https://a_b.c ftp://a.example "
	      "xhttps://a.b</p>\n");
	struct result r;
	assert_true(render(&r, "a\nb https://a.example/x.\n", false));
	assert_int_equal(r.doc.nlinks, 1);
	assert_string_equal(r.doc.links[0].url, "https://a.example/x");
	assert_int_equal(r.doc.links[0].at.line, 2);
	assert_int_equal(r.doc.links[0].at.col, 3);
	assert_string_equal(r.doc.first_paragraph, "a b https://a.example/x.");
	arena_free(&r.arena);
	finds("a https://a.example/12-ms/4.8TB/s\n", "");
}

/* --- markup that stays as text --------------------------------------------- */

static void test_literals(void **state)
{
	static const char bold[] =
	        "warning: '**' is left as text: no bold text begins or ends here\n";
	char want[512];
	(void)state;
	snprintf(want, sizeof want, "3:3: %s", bold);
	says("a **b** c\n\n这是**“粗”**文\n", want);
	says("a\nb `**` **c\n", "2:8: warning: '**' is left as text: no bold text begins or ends "
	                        "here\n");
	snprintf(want, sizeof want, "2:3: %s", bold);
	says("- a\n- **b\n", want);
	says("a [b][c] d\n",
	     "1:5: warning: '][' is left as text: no link is defined by this name\n");
	says("a [b](c d)\n",
	     "1:5: warning: '](' is left as text: the address of a link is one word "
	     "and a title in quotes, and ends with ')'\n");
	says("| a ** |\n|---|\n| b |\n",
	     "1:5: warning: '**' is left as text: no bold text begins or "
	     "ends here\n");
	says("a \\** b \\*\\* \\][ \\]( `**` $a**b$ \\$$\n\n    a ** b\n\n```c\nint **p;\n```\n",
	     "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(test_comments),
	        cmocka_unit_test(test_mistyped_placeholders),
	        cmocka_unit_test(test_quotes),
	        cmocka_unit_test(test_line_ends),
	        cmocka_unit_test(test_formulas_of_lines),
	        cmocka_unit_test(test_numbers_in_formulas),
	        cmocka_unit_test(test_unpublished_footnotes),
	        cmocka_unit_test(test_lines_of_unpublished_footnotes),
	        cmocka_unit_test(test_bare_addresses),
	        cmocka_unit_test(test_literals),
	};
	struct arena arena = {0};
	struct err e = ERR_NONE;
	folder = tool_folder(&arena, &e);
	if (!folder)
		return fprintf(stderr, "%s\n", e.text), 1;
	int failed = cmocka_run_group_tests_name("markdown prose", tests, NULL, NULL);
	tool_folder_remove(folder);
	arena_free(&arena);
	return failed;
}
