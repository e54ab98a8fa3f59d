#include "site-gen/preview/live.h"

#include <string.h>

#include "lib/arena.h"
#include "site-gen/base/excerpt.h"
#include "site-gen/base/html.h"

enum { CONTEXT_LINES = 2 };

const char live_js[] =
        "\"use strict\";\n"
        "(() => {\n"
        "\tconst own = new URL(document.currentScript.src).searchParams;\n"
        "\tlet seen = own.get(\"v\");\n"
        "\tconst warnings = Number(own.get(\"w\"));\n"
        "\tconst first = own.has(\"first\");\n"
        "\tconst stay = new URLSearchParams(location.search).has(\"stay\");\n"
        "\tconst later = (ms) => new Promise((done) => setTimeout(done, ms));\n"
        "\t/* to: the page that was edited, and the section, if that can be told */\n"
        "\tconst follow = (to) => {\n"
        "\t\tconst there = new URL(to || \"\", location.href);\n"
        "\t\tif (!to || stay) return location.reload();\n"
        "\t\tif (there.pathname !== location.pathname) return location.assign(there);\n"
        "\t\tsessionStorage.setItem(\"live-edited\", there.hash);\n"
        "\t\tlocation.reload();\n"
        "\t};\n"
        "\tconst label = (id, text) => {\n"
        "\t\tconst a = document.createElement(\"a\");\n"
        "\t\ta.id = id;\n"
        "\t\ta.textContent = text;\n"
        "\t\ta.style.cssText = \"position:fixed;right:8px;bottom:8px;padding:4px "
        "8px;background:#fc6;color:#000;font:14px sans-serif\";\n"
        "\t\tdocument.body.append(a);\n"
        "\t\treturn a;\n"
        "\t};\n"
        "\t/* Nothing to load? first: the others are not made yet; kept: this one stays. */\n"
        "\tconst isSame = (version, to, how) => {\n"
        "\t\tconst here = to && new URL(to, location.href).pathname === location.pathname;\n"
        "\t\tif (how === \"first\") return stay && !here;\n"
        "\t\treturn how === \"kept\" && here && Number(version) === Number(seen) + 1;\n"
        "\t};\n"
        "\tconst warn = () => {\n"
        "\t\tconst some = warnings === 1 ? \"1 warning\" : warnings + \" warnings\";\n"
        "\t\tif (warnings) label(\"live-warnings\", some).href = \"/_warnings\";\n"
        "\t};\n"
        "\tconst settle = () => {\n"
        "\t\tconst mark = document.getElementById(\"live-first\");\n"
        "\t\tif (!mark) return;\n"
        "\t\tmark.remove();\n"
        "\t\twarn();\n"
        "\t};\n"
        "\tconst watch = async () => {\n"
        "\t\tfor (;;) {\n"
        "\t\t\ttry {\n"
        "\t\t\t\tconst answer = await fetch(\"/_live?v=\" + seen, { cache: \"no-store\" });\n"
        "\t\t\t\tconst [version, to] = (await answer.text()).split(\" \");\n"
        "\t\t\t\tif (!answer.ok || version === seen) continue;\n"
        "\t\t\t\tif (!isSame(version, to, answer.headers.get(\"X-Live\"))) return follow(to);\n"
        "\t\t\t\tseen = version;\n"
        "\t\t\t\tsettle();\n"
        "\t\t\t} catch {\n"
        "\t\t\t\tawait later(500);\n"
        "\t\t\t}\n"
        "\t\t}\n"
        "\t};\n"
        "\t/* A reload keeps the place; only an edit that is out of sight moves it. */\n"
        "\tconst show = () => {\n"
        "\t\tconst id = decodeURIComponent((sessionStorage.getItem(\"live-edited\") || "
        "\"\").slice(1));\n"
        "\t\tsessionStorage.removeItem(\"live-edited\");\n"
        "\t\tconst heads = [...document.querySelectorAll(\"h2[id], h3[id], h4[id]\")];\n"
        "\t\tconst at = heads.findIndex((h) => h.id === id);\n"
        "\t\tconst top = (h) => (h ? h.getBoundingClientRect().top : Infinity);\n"
        "\t\tif (at >= 0 && (top(heads[at]) > innerHeight || top(heads[at + 1]) < 0)) "
        "heads[at].scrollIntoView();\n"
        "\t};\n"
        "\taddEventListener(\"load\", () => setTimeout(show, 50));\n"
        "\tif (first) label(\"live-first\", \"still being checked\");\n"
        "\telse warn();\n"
        "\twatch();\n"
        "})();\n";

const char live_css[] =
        ":root { color-scheme: light dark; }\n"
        "body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; "
        "padding: 0 1rem; }\n"
        "h1 { font-size: 1.3rem; }\n"
        ".problem { border-left: 4px solid #c22; margin: 1.5rem 0; padding: 0 0 0 1rem; }\n"
        ".warning { border-color: #b80; }\n.rule { color: #888; }\n"
        ".place { font-family: monospace; font-weight: bold; }\n"
        "pre { background: #8882; overflow-x: auto; padding: .75rem; tab-size: 4; }\n"
        "pre b { color: #c22; }\n"
        "@media (prefers-color-scheme: dark) { .problem { border-color: #f66; } pre b { color: "
        "#f66; } }\n";

static void put_script(struct sb *to, unsigned version, size_t warnings, bool first)
{
	sb_printf(to, "<script src=\"/_live.js?v=%u", version);
	if (warnings)
		sb_printf(to, "&amp;w=%zu", warnings);
	if (first)
		sb_cstr(to, "&amp;first=1");
	sb_cstr(to, "\"></script>\n");
}

void live_inject(struct sb *to, struct str html, unsigned version, size_t warnings, bool first)
{
	static const char end[] = "</body>";
	size_t at = html.n;
	for (const char *p = html.p;
	     (p = memmem(p, (size_t)(html.p + html.n - p), end, sizeof end - 1)); p++)
		at = (size_t)(p - html.p);
	sb_str(to, str_sub(html, 0, at));
	put_script(to, version, warnings, first);
	sb_str(to, str_sub(html, at, html.n));
}

struct html_lines {
	struct sb *to;
	const struct excerpt *x;
};

static void put_line(void *ctx, int64_t number, struct str text)
{
	struct html_lines *h = ctx;
	sb_printf(h->to, "%4d  ", (int)number);
	html_text(h->to, text);
	sb_char(h->to, '\n');
	if (number != h->x->line || h->x->col <= 0)
		return;
	sb_cstr(h->to, "      ");
	excerpt_indent(h->to, text, h->x->col);
	sb_cstr(h->to, "<b>^</b>\n");
}

static void put_place(struct sb *to, const struct excerpt *x)
{
	sb_cstr(to, "<p class=\"place\">");
	html_text(to, x->path);
	if (x->line)
		sb_printf(to, ":%d", (int)x->line);
	if (x->col)
		sb_printf(to, ":%d", (int)x->col);
	sb_cstr(to, "</p>\n");
}

/* Appends the broken rule with its sentence, and a link to its row on the page of rules. */
static void put_rule(struct sb *to, const struct rule_info *rule, const char *base)
{
	sb_cstr(to, "<p class=\"rule\">The rule <a href=\"");
	html_url(to, str_of(base));
	sb_printf(to, "/rules/#%s\">%s</a>: ", rule->id, rule->id);
	html_text(to, str_of(rule->says));
	sb_cstr(to, "</p>\n");
}

static void put_problem(struct sb *to, struct str text, const char *base)
{
	struct arena a = {0};
	struct excerpt x = excerpt_of(text, &a);
	struct html_lines lines = {to, &x};
	sb_printf(to, "<div class=\"problem%s\">\n", x.is_warning ? " warning" : "");
	if (x.path.n)
		put_place(to, &x);
	sb_printf(to, "<p>%s", x.is_warning ? "Warning: " : "");
	html_text(to, x.what);
	sb_cstr(to, "</p>\n");
	if (x.source.n) {
		sb_cstr(to, "<pre>");
		excerpt_lines(&x, CONTEXT_LINES, put_line, &lines);
		sb_cstr(to, "</pre>\n");
	}
	if (x.rule)
		put_rule(to, x.rule, base);
	sb_cstr(to, "</div>\n");
	arena_free(&a);
}

static void put_head(struct sb *to, const char *title, const char *head)
{
	sb_printf(to,
	          "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	          "<title>%s</title>\n<link rel=\"stylesheet\" href=\"/_live.css\">\n"
	          "</head>\n<body>\n<h1>%s</h1>\n",
	          title, head);
}

static void put_end(struct sb *to, unsigned version)
{
	put_script(to, version, 0, false);
	sb_cstr(to, "</body>\n</html>\n");
}

void live_problems(struct sb *to, struct str text, bool built, unsigned version, const char *base)
{
	if (built)
		put_head(to, "Warnings", "The site was built, but");
	else
		put_head(to, "Not built", "The site was not built");
	for (struct str line; text.n;) {
		if (!str_cut(text, '\n', &line, &text))
			text.n = 0;
		if (line.n)
			put_problem(to, line, base);
	}
	sb_cstr(to, "<p>This page reloads when a source changes.</p>\n");
	put_end(to, version);
}

void live_building(struct sb *to, unsigned version)
{
	put_head(to, "Building", "The site is being built");
	sb_cstr(to, "<p>The first build reads all records and makes every page. This page reloads "
	            "when it is done.</p>\n");
	put_end(to, version);
}
