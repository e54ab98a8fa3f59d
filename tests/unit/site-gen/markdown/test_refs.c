/* Formulas, and the numbers of figures, tables and equations. */
#include "lib/array.h"
#include "site-gen/markdown/markdown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/base/tool.h"
#include "site-gen/markdown/traced.h"

/* The kinds of this test: `table` and `plot` are blocks with numbers, `env` is one without. */
bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	(void)e;
	*out = str_is(p->kind, "value") ? EXPAND_INLINE : EXPAND_BLOCK;
	return true;
}

enum expand_numbered expand_numbered(const struct placeholder *p)
{
	return str_is(p->kind, "table")  ? EXPAND_TABLE
	       : str_is(p->kind, "plot") ? EXPAND_FIGURE
	                                 : EXPAND_UNNUMBERED;
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	(void)ctx;
	(void)p;
	(void)e;
	sb_cstr(to, "7");
	return true;
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	if (str_is(p->kind, "value"))
		return expand_text(ctx, p, to, e);
	sb_printf(to, "<%s %s>", ctx->caption_no ? ctx->caption_no : "-",
	          ctx->caption_id ? ctx->caption_id : "-");
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
	(void)s;
	(void)to;
	return err_at(e, p->at, "no spans here");
}

/* --- helpers --- */

static const char *folder;

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
	r->ctx.cache = folder;
	return markdown_render(&r->ctx, str_of(src), "p.md", 10, &r->doc, &r->e);
}

static void check(const char *src, const char *want)
{
	struct result r;
	if (!render(&r, src))
		fail_msg("%s\nin: %s", r.e.text, src);
	assert_string_equal(r.doc.html.p, want);
	arena_free(&r.arena);
}

static void refuse(const char *src, const char *want)
{
	struct result r;
	if (render(&r, src))
		fail_msg("accepted: %s\nas: %s", src, r.doc.html.p);
	assert_string_equal(r.e.text, want);
	arena_free(&r.arena);
}

/* How many formulas there are in a text, and that it has `part`. */
static void formulas(const char *src, int n, const char *part)
{
	struct result r;
	if (!render(&r, src))
		fail_msg("%s\nin: %s", r.e.text, src);
	int found = 0;
	for (const char *p = r.doc.html.p; (p = strstr(p, "<math")); p++)
		found++;
	if (found != n || !strstr(r.doc.html.p, part))
		fail_msg("%d formulas, or no '%s', in %s", found, part, r.doc.html.p);
	arena_free(&r.arena);
}

/* --- formulas --- */

static void a_dollar_may_be_a_dollar(void **state)
{
	(void)state;
	check("It is $5 or $6, and \\$x\\$.\n", "<p>It is $5 or $6, and $x$.</p>\n");
	check("$ x$ and $x $ and $x$1 and $$\n", "<p>$ x$ and $x $ and $x$1 and $$</p>\n");
	check("$a\nb$\n", "<p>$a\nb$</p>\n");
	check("`$x$` and $y `$z`\n", "<p><code>$x$</code> and $y <code>$z</code></p>\n");
	check("    $x$ $$y$$\n", "<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\"><code>"
	                         "$x$ $$y$$\n</code></pre></div>\n");
	check("[a](/x$y$z)\n", "<p><a href=\"/blog/x$y$z\">a</a></p>\n");
	check("| a | b |\n|---|---|\n|$5|x$|\n",
	      "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"Table: a, b\">"
	      "<table>\n<thead><tr><th scope=\"col\">a</th><th scope=\"col\">b</th></tr></thead>\n"
	      "<tbody>\n<tr><td>$5</td><td>x$</td></tr>\n</tbody></table></div>\n");
}

static void formulas_in_sentences(void **state)
{
	(void)state;
	formulas("With $a_i * b_i$ and $c*$.\n", 2, "x-tex\">a_i * b_i</annotation>");
	formulas("- $x$\n- *$y$*\n", 2, "<em><math><semantics>");
	formulas("$x < y$, k<<<1, 2>>>() and <<bench:value 1>>\n", 1, "x-tex\">x &lt; y<");
	formulas("| $a$ |\n|---|\n| $b$ |\n", 2, "aria-label=\"Table: a\"");
	formulas("## On $x_i$\n\na\n", 1, "<h2 id=\"on-x-i\">On <math>");
	formulas("$\\$5$\n", 1, "x-tex\">\\$5<");
}

static void formulas_by_themselves(void **state)
{
	(void)state;
	formulas("a\n\n$$x = y$$\n", 1,
	         "<p>a</p>\n<div class=\"formula\" role=\"group\" tabindex=\"0\" "
	         "aria-label=\"Formula\"><math display=\"block\">");
	formulas("```math\nx\n= y\n```\n", 1, "<math display=\"block\">");
	formulas("$$x$$ {#eq-x}\n\n```math {#eq-y}\ny\n```\n\nBy [](#eq-y).\n", 2,
	         "<p>By <a href=\"#eq-y\">Equation (2)</a>.</p>");
	formulas("$$x$$ {#eq-x}\n", 1,
	         "aria-label=\"Equation (1)\" id=\"eq-x\"><math display=\"block\">");
	formulas("$$x$$ {#eq-x}\n", 1,
	         "</math><span class=\"formula-no\" aria-hidden=\"true\">(1)</span></div>");
}

static void formulas_that_cannot_be(void **state)
{
	(void)state;
	refuse("a\nb $\\nope$\n", "p.md:11:3: the formula cannot be set: "
	                          "Unrecognised command \"\\nope\"");
	refuse("a $$x$$\n",
	       "p.md:10:3: '$$…$$' is a formula by itself, expected it alone in a paragraph, with "
	       "empty lines around it; in a sentence it is '$…$'");
	refuse("$x = <<bench:value 1>>$\n", "p.md:10:1: a placeholder cannot stand in a formula, "
	                                    "expected it in the text beside it");
	refuse("```math\n```\n", "p.md:10:1: formula without a text");
	refuse("$$x$$ {#1x}\n", "p.md:10:1: label '1x', expected a letter, then letters, digits, "
	                        "'-' or '_'");
}

static void the_lint_reads_formulas(void **state)
{
	(void)state;
	static const struct {
		const char *src, *want;
	} cases[] = {
	        {"It takes $3\\,\\text{ms}$.\n", "3 ms"},
	        {"a $4.8\\,\\mathrm{TB/s}$\n", "4.8 TB/s"},
	        {"$$t = 3~\\text{ms}$$\n", "3 ms"},
	        {"```math\nt = 3\\,\\text{ms}\n```\n", "3 ms"},
	        {"$2 \\times 3 + n^2$ and $x_2$\n", NULL},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct result r = {.ctx = {.base = ""}};
		r.ctx.arena = &r.arena;
		r.ctx.cache = folder;
		r.ctx.lint = lint_new(&r.arena);
		assert_true(
		        markdown_render(&r.ctx, str_of(cases[i].src), "p.md", 10, &r.doc, &r.e));
		const char *said = r.doc.found ? r.doc.found->what : NULL;
		if (cases[i].want ? !said || !strstr(said, cases[i].want) : said != NULL)
			fail_msg("%s: %s", cases[i].src, said ? said : "nothing found");
		arena_free(&r.arena);
	}
}

/* --- numbers and references --- */

static void what_is_numbered(void **state)
{
	(void)state;
	check("<<bench:plot a>>\n\n<<bench:table a id=t>>\n\n<<bench:env a>>\n\n"
	      "<<bench:plot b id=p>>\n",
	      "<Figure 1: -><Table 1: t><- -><Figure 2: p>");
	check("![a](/i.png \"b\"){#fig-i}\n\n<<bench:plot a>>\n",
	      "<figure id=\"fig-i\"><img src=\"/blog/i.png\" alt=\"a\" loading=\"lazy\" "
	      "decoding=\"async\"><figcaption><span class=\"caption-no\">Figure 1:</span> b"
	      "</figcaption></figure>\n<Figure 2: ->");
}

static void references_before_and_after(void **state)
{
	(void)state;
	check("See [](#t) and [](#p \"x\").\n\n<<bench:plot b id=p>>\n\n> <<bench:table a id=t>>\n",
	      "<p>See <a href=\"#t\">Table 1</a> and <a href=\"#p\" title=\"x\">Figure 1</a>.</p>\n"
	      "<Figure 1: p><blockquote>\n<Table 1: t></blockquote>\n");
	struct result r;
	assert_true(render(&r, "By [](#p).\n\n## As in [](#p)\n\n<<bench:plot b id=p>>\n"));
	assert_string_equal(r.doc.first_paragraph, "By Figure 1.");
	assert_string_equal(r.doc.headings[0].text, "As in Figure 1");
	arena_free(&r.arena);
}

static void references_to_nothing(void **state)
{
	(void)state;
	refuse("a [](#fig-b)\n\n<<bench:plot b id=fig-a>>\n\n<<bench:plot b id=xxxxxx>>\n",
	       "p.md:10:3: no figure, table or equation has the label 'fig-b', nearest is 'fig-a'");
	refuse("a [](#b)\n", "p.md:10:3: no figure, table or equation has the label 'b'; this page "
	                     "has no labels");
	refuse("a [](/b)\n", "p.md:10:3: link without a text");
	refuse("## A\n\n<<bench:plot b id=a>>\n",
	       "p.md:12:1: id 'a' is taken already on this page");
	refuse("<<bench:plot b id=a>>\n\n<<bench:plot b id=a>>\n",
	       "p.md:12:1: id 'a' is taken already on this page");
	refuse("<<bench:plot b id=b7>>\n", "p.md:10:1: id 'b7' is taken already on this page");
}

/* A heading after a label yields, one with an id of its own does not. */
static void labels_and_headings(void **state)
{
	(void)state;
	struct result r;
	assert_true(render(&r, "<<bench:plot b id=a>>\n\n## A\n"));
	assert_string_equal(r.doc.headings[0].id, "a-2");
	arena_free(&r.arena);
	refuse("<<bench:plot b id=a>>\n\n## B {#a}\n",
	       "p.md:12:1: id 'a' is taken already on this page");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_dollar_may_be_a_dollar),
	        cmocka_unit_test(formulas_in_sentences),
	        cmocka_unit_test(formulas_by_themselves),
	        cmocka_unit_test(formulas_that_cannot_be),
	        cmocka_unit_test(the_lint_reads_formulas),
	        cmocka_unit_test(what_is_numbered),
	        cmocka_unit_test(references_before_and_after),
	        cmocka_unit_test(references_to_nothing),
	        cmocka_unit_test(labels_and_headings),
	};
	struct arena arena = {0};
	struct err e = ERR_NONE;
	folder = tool_folder(&arena, &e);
	int failed = cmocka_run_group_tests_name("markdown_refs", tests, NULL, NULL);
	tool_folder_remove(folder);
	arena_free(&arena);
	return failed;
}
