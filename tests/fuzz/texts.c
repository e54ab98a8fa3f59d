/* Readers of authors' texts: Markdown, front matter, placeholders, posts of other generators. */
#include <string.h>

#include "lib/array.h"
#include "site-gen/audit/html.h"
#include "site-gen/numbers/claim.h"
#include "site-gen/audit/drawn.h"
#include "site-gen/base/front.h"
#include "site-gen/base/html.h"
#include "site-gen/commands/importer.h"
#include "site-gen/diagram/index.h"
#include "site-gen/lint/lint.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/base/math.h"
#include "site-gen/base/problems.h"
#include "site-gen/records/query.h"
#include "site-gen/lua/script.h"
#include "site-gen/lua/template.h"
#include "tests/fuzz/fuzz.h"

/*
 * Stand-ins for site-gen/kinds/expand.c and math.c, so that reading needs no data and
 * starts no program. Every kind exists and prints its name.
 */
static bool is_among(struct str kind, const char *const *names)
{
	while (*names && !str_is(kind, *names))
		names++;
	return *names;
}

static bool is_block(const struct placeholder *p)
{
	static const char *const blocks[] = {"table", "ladder", "roofline", "plot", "samples",
	                                     "env",   "source", "diff",     NULL};
	return is_among(p->kind, blocks);
}

bool expand_place_of(const struct placeholder *p, enum expand_place *out, struct err *e)
{
	static const char *const spans[] = {"claim", "waive", "cited", NULL};
	(void)e;
	*out = is_block(p) ? EXPAND_BLOCK : is_among(p->kind, spans) ? EXPAND_SPAN : EXPAND_INLINE;
	return true;
}

bool expand_text(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	(void)ctx;
	(void)e;
	html_text(to, p->kind);
	return true;
}

bool expand_html(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to, struct err *e)
{
	if (is_block(p))
		html_raw(to, "<figure></figure>\n");
	return is_block(p) || expand_text(ctx, p, to, e);
}

bool expand_in_link(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                    struct err *e)
{
	return expand_text(ctx, p, to, e);
}

enum expand_numbered expand_numbered(const struct placeholder *p)
{
	return is_block(p) ? EXPAND_TABLE : EXPAND_UNNUMBERED;
}

bool expand_span(struct expand_ctx *ctx, const struct placeholder *p, struct span *s, struct sb *to,
                 struct err *e)
{
	(void)ctx;
	(void)p;
	(void)e;
	if (s->step != SPAN_SEEN)
		html_raw(to, s->step == SPAN_OPEN ? "<span>" : "</span>");
	return true;
}

bool expand_all(struct expand_ctx *ctx, struct str text, struct loc at, bool html, struct sb *to,
                struct err *e)
{
	(void)ctx;
	(void)at;
	(void)html;
	(void)e;
	html_text(to, text);
	return true;
}

bool math_mathml(struct str tex, bool display, struct loc at, const char *cache, struct arena *a,
                 struct sb *to, struct err *e)
{
	(void)display;
	(void)at;
	(void)cache;
	(void)a;
	(void)e;
	html_raw(to, "<math><mi>");
	html_text(to, tex);
	html_raw(to, "</mi></math>");
	return true;
}

/* --- Markdown --- */

static bool leads_to_script(struct str written)
{
	struct sb plain = {0};
	size_t i = 0;
	audit_html_plain(&plain, written);
	while (i < plain.n && (unsigned char)plain.p[i] <= ' ')
		i++;
	const char *at = plain.p ? plain.p + i : "";
	bool bad = strncasecmp(at, "javascript:", 11) == 0 || strncasecmp(at, "data:", 5) == 0 ||
	           strncasecmp(at, "vbscript:", 9) == 0;
	sb_free(&plain);
	return bad;
}

/* Checks that a page has only allowed markup, whatever the text. */
static void check_start(const struct audit_html *h)
{
	fuzz_require(!str_is(h->name, "script") && !str_is(h->name, "style") &&
	                     !str_is(h->name, "iframe"),
	             "an element that runs or draws what the author likes");
	for (size_t i = 0; i < h->nattributes; i++) {
		fuzz_require(!str_starts(h->attribute[i].name, "on"), "an attribute that runs");
		if (str_is(h->attribute[i].name, "href") || str_is(h->attribute[i].name, "src"))
			fuzz_require(!leads_to_script(h->attribute[i].value),
			             "an address that runs");
	}
}

static void check_markup(struct str html)
{
	static struct audit_html h; /* too large for the stack */
	struct err e = ERR_NONE;
	enum audit_token token = AUDIT_TEXT;
	audit_html_open(&h, "page", html);
	while (token != AUDIT_EOF) {
		fuzz_require(audit_html_next(&h, &token, &e), e.text);
		if (token == AUDIT_START)
			check_start(&h);
	}
}

static void read_markdown(struct str input)
{
	static struct arena kept;
	static const struct lint *lint;
	struct arena a = {0};
	struct problems problems = {.arena = &a};
	struct err e = ERR_NONE;
	struct md_doc doc;
	struct md_outline outline;
	struct sb text = {0};
	if (!lint)
		lint = lint_new(&kept);
	struct expand_ctx ctx = {.base = "/blog", .arena = &a, .lint = lint, .problems = &problems};
	sb_text(&text, input); /* bytes that are not UTF-8 are refused earlier */
	if (markdown_render(&ctx, sb_view(&text), "p.md", 1, &doc, &e))
		check_markup(doc.html);
	e = ERR_NONE;
	unchecked(markdown_outline(sb_view(&text), "p.md", 1, &a, &outline, &e));
	sb_free(&text);
	arena_free(&a);
}

/* --- front matter, settings, templates --- */

static void read_front(struct str input)
{
	static const enum front_kind kinds[] = {FRONT_POST, FRONT_SECTION, FRONT_FAMILY,
	                                        FRONT_TRANSLATION};
	struct arena a = {0};
	struct front front;
	struct front_fields fields;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct err e = ERR_NONE;
		bool ok = front_parse(input, "p.md", kinds[i], &a, &front, &e);
		fuzz_require(ok || str_starts(str_of(e.text), "p.md:"), "an error without a place");
	}
	struct err e = ERR_NONE;
	unchecked(front_fields(input, "p.md", &a, &fields, &e));
	arena_free(&a);
}

static void read_settings(struct str input)
{
	struct arena a = {0};
	struct script_value value;
	struct err e = ERR_NONE;
	unchecked(script_data(input, "site.lua", &a, &value, &e));
	arena_free(&a);
}

static void read_template(struct str input)
{
	struct arena a = {0};
	struct template t;
	struct err e = ERR_NONE;
	if (template_translate(input, "t.html", "templates/t.html", &a, &t, &e))
		script_free(template_compile(&t, 1, &e));
	arena_free(&a);
}

/* --- placeholders --- */

/* Keys of diagrams: an expression that is read has a closed form that the audit reads, too. */
static void read_index(const struct placeholder *p)
{
	for (size_t i = 0; i < p->nkeys; i++) {
		struct index x = {.p = p, .size = 4};
		struct err e = ERR_NONE;
		struct sb key = {0}, text = {0};
		int64_t v;
		double d;
		int node;
		sb_cstr(&key, "used 4 ");
		if (i > 0)
			unchecked(index_let(&x, p->key[0].value, &e));
		e = ERR_NONE;
		if (index_access(&x, p->key[i].value, -1, &node, &e) &&
		    index_value(&x, node, (struct index_at){.lane = 7}, p->key[i].value, &v, &e) &&
		    index_closed(&x, node, "0", "lane", &key, &e))
			unchecked(audit_drawn(str_sub(sb_view(&key), 0, key.n), &text, &d, &e));
		sb_free(&key);
		sb_free(&text);
	}
}

static void read_placeholder(struct str input)
{
	struct arena a = {0};
	for (size_t from = 0, start, end; placeholder_next(input, from, &start, &end); from = end) {
		struct err e = ERR_NONE;
		struct placeholder p;
		struct query q;
		struct claim c;
		if (end == start)
			break;
		struct str text = str_sub(input, start, end);
		if (!placeholder_parse(text, str_loc(input, "p.md", text.p), &p, &e))
			continue;
		if (p.nwords)
			unchecked(query_parse(&p, p.word[0], NULL, true, &q, &e));
		e = ERR_NONE;
		unchecked(claim_parse(&p, &c, &e));
		claim_condition(&p, &a);
		read_index(&p);
	}
	arena_free(&a);
}

static void read_glob(struct str input)
{
	struct str pattern, name;
	str_cut(input, '\n', &pattern, &name);
	str_glob(pattern, name);
	fuzz_require(str_glob(STR("*"), name) && (!name.n || !str_glob(STR(""), name)),
	             "'*' matches all, '' nothing");
}

/* --- posts of other generators --- */

static void read_import(struct str input)
{
	struct arena a = {0};
	struct import_post post;
	struct import_report report = {0};
	struct err e = ERR_NONE;
	unchecked(import_post(input, "old/2020-01-01-post.md", &a, &post, &report, &e));
	sb_free(&report.text);
	arena_free(&a);
}

/* --- the table --- */

static const char *const markdown_seeds[] = {"content/posts/*.md",
                                             "tests/golden/markdown-*/site/content/posts/*.md",
                                             "docs/writing.md", NULL};
static const char *const markdown_tokens[] = {"\n",
                                              "\n\n",
                                              "# ",
                                              "## ",
                                              "### ",
                                              "- ",
                                              "1. ",
                                              "> ",
                                              "```",
                                              "```c\n",
                                              "~~~",
                                              "*",
                                              "**",
                                              "_",
                                              "~~",
                                              "`",
                                              "``",
                                              "[",
                                              "](",
                                              "]",
                                              ")",
                                              "![",
                                              "[^a]",
                                              "[^a]: ",
                                              "[@a]",
                                              "|",
                                              "|---|",
                                              "\n|-|-|\n",
                                              "$",
                                              "$$",
                                              "\\(",
                                              "\\",
                                              "<",
                                              ">",
                                              "<!--",
                                              "-->",
                                              "{#id}",
                                              "{#fig:a}",
                                              ": ",
                                              "&amp;",
                                              "&#0;",
                                              "\t",
                                              "    ",
                                              "<<bench:value x>>",
                                              "<<bench:",
                                              ">>",
                                              "<</bench:claim>>",
                                              "<<bench:claim x>>",
                                              "<<bench:table>>",
                                              "javascript:",
                                              "https://a.b/",
                                              "\xe4\xb8\xad",
                                              "\xe2\x80\x9c",
                                              "\"",
                                              "'",
                                              "--",
                                              "...",
                                              "12 GB/s",
                                              "2\xc3\x97",
                                              "\n## fn\n",
                                              "\n### Code 1\n",
                                              NULL};

static const char *const front_seeds[] = {"content/posts/*.md", "content/sections/*.md",
                                          "tests/golden/*/site/content/posts/*.md",
                                          "data/predictions/*.md", NULL};
static const char *const front_tokens[] = {"---\n",
                                           "...\n",
                                           "title: ",
                                           "date: 2026-01-02\n",
                                           "tags: [",
                                           "]",
                                           "{",
                                           "}",
                                           "- ",
                                           ": ",
                                           ":",
                                           "\n",
                                           "  ",
                                           "\"",
                                           "'",
                                           "|\n",
                                           ">-\n",
                                           "&a ",
                                           "*a",
                                           "!!str ",
                                           "#",
                                           "? ",
                                           "waive: [{rule: traced, in: title, why: x}]\n",
                                           "<<: *a\n",
                                           "\t",
                                           "%YAML 1.1\n",
                                           "aliases: ",
                                           "\\u0000",
                                           "\xef\xbb\xbf",
                                           NULL};

static const char *const settings_seeds[] = {"content/site.lua",
                                             "tests/golden/*/site/content/site.lua", NULL};
static const char *const lua_tokens[] = {"{{",
                                         "}}",
                                         "{#",
                                         "#}",
                                         "\n% ",
                                         "return ",
                                         "{",
                                         "}",
                                         "(",
                                         ")",
                                         "[[",
                                         "]]",
                                         "[==[",
                                         "--",
                                         "..",
                                         "=",
                                         "for i = 1, 9 do ",
                                         " end ",
                                         "while true do ",
                                         "if x then ",
                                         "function() ",
                                         "local x = ",
                                         "goto a ",
                                         "::a:: ",
                                         "\"",
                                         "'",
                                         "\\",
                                         "\\u{",
                                         "0x",
                                         "1e999",
                                         ",",
                                         "#",
                                         "<close>",
                                         NULL};

static const char *const template_seeds[] = {"templates/*.html", "templates/*.svg", NULL};

static const char *const placeholder_seeds[] = {"docs/placeholders.md", "content/posts/*.md",
                                                "tests/golden/*/site/content/posts/*.md", NULL};
static const char *const placeholder_tokens[] = {
        "<<bench:", "<</bench:", ">>",        "value ", "ratio ", "claim ",  "goal ",
        "a/b",      "*",         "{a,b}",     "?",      "=",      ",",       "rows=16384",
        "over=",    "of=spec:x", "measured:", ">=",     "<",      "within ", "%",
        "TB/s",     " ",         "\"",        "'",      "2^28",   "64Ki",    "run=",
        "metric=",  "device=",   "@",         "\n",     NULL};

static const char *const glob_seeds[] = {"tests/fixtures/search-terms.txt", NULL};
static const char *const glob_tokens[] = {"*", "?",  "{",   "}",     ",", "\n",
                                          "a", "aa", "**a", "{*,?}", NULL};

static const char *const import_seeds[] = {"content/posts/*.md", "docs/writing.md", NULL};
static const char *const import_tokens[] = {"+++\n",
                                            "---\n",
                                            "title = ",
                                            "date = 2020-01-01T00:00:00Z\n",
                                            "[taxonomies]\n",
                                            "tags = [",
                                            "\"\"\"",
                                            "'''",
                                            "]",
                                            "title: >-\n  ",
                                            "tags: &a [",
                                            "tags: *a\n",
                                            "- ",
                                            "taxonomies:\n",
                                            "<table>",
                                            "<tr><td>",
                                            "<li>",
                                            "<ul>",
                                            "</ul>",
                                            "<pre>",
                                            "<details><summary>",
                                            "<figure><img src=\"a.svg\">",
                                            "</table>",
                                            "{{< x y=\"",
                                            "{% assign a = \"b\" %}",
                                            "[^a]",
                                            "> [!x] ",
                                            "    code",
                                            "{{< ",
                                            " >}}",
                                            "{{% ",
                                            " %}}",
                                            "{% ",
                                            " %}",
                                            "{% highlight c %}",
                                            "{% raw %}",
                                            "<!-- more -->",
                                            "{: .x}",
                                            "\n",
                                            "\"",
                                            "=",
                                            "<div>",
                                            "![",
                                            "](",
                                            ")",
                                            "```",
                                            NULL};

const struct fuzz_target fuzz_texts[] = {
        {"markdown", read_markdown, 10000, markdown_seeds, markdown_tokens},
        {"front", read_front, 30000, front_seeds, front_tokens},
        {"settings", read_settings, 40000, settings_seeds, lua_tokens},
        {"template", read_template, 30000, template_seeds, lua_tokens},
        {"placeholder", read_placeholder, 80000, placeholder_seeds, placeholder_tokens},
        {"glob", read_glob, 100000, glob_seeds, glob_tokens},
        {"import", read_import, 12000, import_seeds, import_tokens},
        {0},
};
