#include "site-gen/live.h"

#include <string.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/file.h"
#include "site-gen/html.h"

enum { CONTEXT_LINES = 2, MAX_SOURCE_BYTES = 4 << 20 };

const char live_js[] =
        "\"use strict\";\n"
        "(() => {\n"
        "\tconst seen = new URL(document.currentScript.src).searchParams.get(\"v\");\n"
        "\tconst later = (ms) => new Promise((done) => setTimeout(done, ms));\n"
        "\tconst watch = async () => {\n"
        "\t\tfor (;;) {\n"
        "\t\t\ttry {\n"
        "\t\t\t\tconst answer = await fetch(\"/_live?v=\" + seen, { cache: \"no-store\" });\n"
        "\t\t\t\tif (answer.ok && (await answer.text()) !== seen) return location.reload();\n"
        "\t\t\t} catch {\n"
        "\t\t\t\tawait later(500);\n"
        "\t\t\t}\n"
        "\t\t}\n"
        "\t};\n"
        "\twatch();\n"
        "})();\n";

const char live_css[] =
        ":root { color-scheme: light dark; }\n"
        "body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; "
        "padding: 0 1rem; }\n"
        "h1 { font-size: 1.3rem; }\n"
        ".problem { border-left: 4px solid #c22; margin: 1.5rem 0; padding: 0 0 0 1rem; }\n"
        ".place { font-family: monospace; font-weight: bold; }\n"
        "pre { background: #8882; overflow-x: auto; padding: .75rem; tab-size: 4; }\n"
        "pre b { color: #c22; }\n"
        "@media (prefers-color-scheme: dark) { .problem { border-color: #f66; } pre b { color: "
        "#f66; } }\n";

static void put_script(struct sb *to, unsigned version)
{
	sb_printf(to, "<script src=\"/_live.js?v=%u\"></script>\n", version);
}

void live_inject(struct sb *to, struct str html, unsigned version)
{
	static const char end[] = "</body>";
	size_t at = html.n;
	for (const char *p = html.p;
	     (p = memmem(p, (size_t)(html.p + html.n - p), end, sizeof end - 1)); p++)
		at = (size_t)(p - html.p);
	sb_str(to, str_sub(html, 0, at));
	put_script(to, version);
	sb_str(to, str_sub(html, at, html.n));
}

/* problem -> 'site-gen: ' path [ ':' line [ ':' col ] ] ': ' text */
struct problem_line {
	struct str path, text;
	int64_t line, col;
};

static struct problem_line parse(struct str s)
{
	struct problem_line p = {.text = s};
	struct str rest, part;
	if (str_starts(s, "site-gen: "))
		s = str_sub(s, strlen("site-gen: "), s.n);
	p.text = s;
	if (!str_cut(s, ':', &p.path, &rest) || memchr(p.path.p, ' ', p.path.n)) {
		p.path = (struct str){NULL, 0};
		return p;
	}
	p.text = rest;
	if (str_cut(rest, ':', &part, &rest) && str_i64(part, &p.line)) {
		p.text = rest;
		if (str_cut(rest, ':', &part, &rest) && str_i64(part, &p.col))
			p.text = rest;
	}
	p.text = str_trim(p.text);
	return p;
}

/* Under column `col` (characters from 1) of `line`; tabs stay tabs, so it lines up. */
static void put_caret(struct sb *to, struct str line, int64_t col)
{
	sb_cstr(to, "      ");
	int64_t at = 1;
	for (size_t i = 0; i < line.n && at < col; i++) {
		if (((unsigned char)line.p[i] & 0xc0) == 0x80)
			continue;
		sb_char(to, line.p[i] == '\t' ? '\t' : ' ');
		at++;
	}
	sb_cstr(to, "<b>^</b>\n");
}

static void put_excerpt(struct sb *to, const struct problem_line *p, struct str src)
{
	int64_t n = 1;
	sb_cstr(to, "<pre>");
	for (struct str line; src.n; n++) {
		if (!str_cut(src, '\n', &line, &src))
			src.n = 0;
		if (n < p->line - CONTEXT_LINES || n > p->line + CONTEXT_LINES)
			continue;
		sb_printf(to, "%4d  ", (int)n);
		html_text(to, line);
		sb_char(to, '\n');
		if (n == p->line && p->col > 0)
			put_caret(to, line, p->col);
	}
	sb_cstr(to, "</pre>\n");
}

static void put_problem(struct sb *to, struct str text)
{
	struct problem_line p = parse(text);
	struct arena a = {0};
	struct err ignored = ERR_NONE;
	struct str src;
	sb_cstr(to, "<div class=\"problem\">\n");
	if (p.path.n) {
		sb_cstr(to, "<p class=\"place\">");
		html_text(to, p.path);
		if (p.line)
			sb_printf(to, ":%d", (int)p.line);
		if (p.col)
			sb_printf(to, ":%d", (int)p.col);
		sb_cstr(to, "</p>\n");
	}
	sb_cstr(to, "<p>");
	html_text(to, p.text);
	sb_cstr(to, "</p>\n");
	if (p.line &&
	    file_read(arena_strndup(&a, p.path.p, p.path.n), MAX_SOURCE_BYTES, &a, &src, &ignored))
		put_excerpt(to, &p, src);
	sb_cstr(to, "</div>\n");
	arena_free(&a);
}

void live_error_page(struct sb *to, struct str text, unsigned version)
{
	sb_cstr(to, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	            "<title>Not built</title>\n<link rel=\"stylesheet\" href=\"/_live.css\">\n"
	            "</head>\n<body>\n<h1>The site was not built</h1>\n");
	for (struct str line; text.n;) {
		if (!str_cut(text, '\n', &line, &text))
			text.n = 0;
		if (line.n)
			put_problem(to, line);
	}
	sb_cstr(to, "<p>This page reloads when a source changes.</p>\n");
	put_script(to, version);
	sb_cstr(to, "</body>\n</html>\n");
}
