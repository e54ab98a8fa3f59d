/*
 * Formulas: where they are in a source, and what becomes of them.
 *
 *   in a sentence -> '$' TeX '$'           on one line
 *   by itself     -> '$$' TeX '$$' [label] alone in a paragraph, on one line;
 *                    or a code block of the language math
 *   label         -> '{#' id '}'
 */
#include "site-gen/markdown_inner.h"

#include <string.h>

#include "site-gen/html.h"
#include "site-gen/math.h"

/* --- where they are -------------------------------------------------------- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_escaped(struct str s, size_t at)
{
	size_t n = 0;
	while (n < at && s.p[at - n - 1] == '\\')
		n++;
	return n % 2 == 1;
}

/* In a line of a table '|' ends the cell, and no formula goes on into the next. */
static bool in_table(struct str s, size_t at)
{
	while (at > 0 && s.p[at - 1] != '\n')
		at--;
	while (at < s.n && is_space(s.p[at]))
		at++;
	return at < s.n && s.p[at] == '|';
}

/* The next '$' of the line from `from` on, or s.n; a formula holds no '`'. */
static size_t next_dollar(struct str s, size_t from)
{
	for (size_t i = from; i < s.n && s.p[i] != '\n' && s.p[i] != '`'; i++) {
		if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] != '\n')
			i++;
		else if (s.p[i] == '$')
			return i;
	}
	return s.n;
}

size_t md_math_end(struct str s, size_t at)
{
	size_t wide = at + 1 < s.n && s.p[at + 1] == '$' ? 2 : 1;
	size_t from = at + wide, end = next_dollar(s, from);
	if (end >= s.n || end == from || is_escaped(s, at))
		return 0;
	struct str tex = str_sub(s, from, end);
	if (memchr(tex.p, '|', tex.n) && in_table(s, at))
		return 0;
	if (wide == 2)
		return end + 1 < s.n && s.p[end + 1] == '$' && str_trim(tex).n ? end + 2 : 0;
	if (is_space(tex.p[0]) || is_space(tex.p[tex.n - 1]) ||
	    (end + 1 < s.n && is_digit(s.p[end + 1])))
		return 0;
	return end + 1;
}

struct str md_math_tex(const struct md_mark *m, bool *display)
{
	*display = str_starts(m->text, "$$");
	size_t wide = *display ? 2 : 1;
	return str_trim(str_sub(m->text, wide, m->text.n - wide));
}

/* --- as text --------------------------------------------------------------- */

/* What some commands read as; "\times" is a factor's sign only where nothing follows it. */
static const char *spoken(struct str command, bool last)
{
	static const struct {
		const char *name, *text;
	} words[] = {{",", " "},     {";", " "},      {":", " "},     {" ", " "},
	             {"!", ""},      {"quad", " "},   {"qquad", " "}, {"%", "%"},
	             {"mu", "µ"},    {"approx", "≈"}, {"sim", "~"},   {"$", "$"},
	             {"text", ""},   {"mathrm", ""},  {"textrm", ""}, {"operatorname", ""},
	             {"mathbf", ""}, {"mathit", ""}};
	if (str_is(command, "times"))
		return last ? "×" : " by ";
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_is(command, words[i].name))
			return words[i].text;
	return " ";
}

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

void md_math_plain(struct str tex, struct sb *to)
{
	tex = str_trim(tex);
	for (size_t i = 0; i < tex.n;) {
		char c = tex.p[i++];
		if (c == '\\' && i < tex.n) {
			size_t from = i;
			while (i < tex.n && is_letter(tex.p[i]))
				i++;
			i += i == from;
			struct str rest = str_trim(str_sub(tex, i, tex.n));
			sb_cstr(to, spoken(str_sub(tex, from, i), rest.n == 0));
		} else if (c == '~' || c == '\n') {
			sb_char(to, ' ');
		} else if (c != '{' && c != '}' && c != '\\') {
			sb_char(to, c);
		}
	}
}

/* --- as markup ------------------------------------------------------------- */

/* Formulas are kept in a folder beside that of the plots. */
static const char *cache_folder(struct md_render *r)
{
	const char *plots = r->ctx->plot_cache ? r->ctx->plot_cache : "build/cache/plots";
	const char *slash = strrchr(plots, '/');
	int n = slash ? (int)(slash - plots) : 1;
	return arena_printf(r->arena, "%.*s/math", n, slash ? plots : ".");
}

static bool check_tex(struct md_render *r, struct str tex, struct loc at)
{
	size_t start, end;
	if (tex.n == 0)
		return err_at(r->e, at, "formula without a text");
	if (placeholder_next(tex, 0, &start, &end))
		return err_at(r->e, at,
		              "a placeholder cannot stand in a formula, expected it in the text "
		              "beside it");
	return true;
}

static bool put_math(struct md_render *r, struct str tex, bool display, struct loc at,
                     struct sb *to)
{
	return check_tex(r, tex, at) &&
	       math_mathml(tex, display, at, cache_folder(r), r->arena, to, r->e);
}

bool md_math_inline(struct md_render *r, const struct md_mark *m, struct sb *to)
{
	bool display;
	struct str tex = md_math_tex(m, &display);
	if (display)
		return err_at(r->e, m->at,
		              "'$$…$$' is a formula by itself, expected it alone in a paragraph, "
		              "with empty lines around it; in a sentence it is '$…$'");
	return put_math(r, tex, false, m->at, to);
}

struct md_mark *md_math_alone(struct md_render *r, cmark_node *paragraph, struct str *label)
{
	cmark_node *n = cmark_node_first_child(paragraph);
	size_t start, end;
	*label = (struct str){0};
	if (r->source.nmarks == 0 || !n || cmark_node_next(n) ||
	    cmark_node_get_type(n) != CMARK_NODE_TEXT)
		return NULL;
	struct str text = str_trim(md_literal(n));
	struct md_mark *m = md_mark_next(&r->source, text, 0, &start, &end);
	if (!m || m->kind != MD_MATH || start > 0 || !str_starts(m->text, "$$"))
		return NULL;
	struct str rest = str_trim(str_sub(text, end, text.n));
	if (rest.n == 0)
		return m;
	if (!str_starts(rest, "{#") || str_find(rest, '}', 0) != rest.n - 1)
		return NULL;
	*label = str_sub(rest, 2, rest.n - 1);
	return m;
}

bool md_math_block(cmark_node *code_block, struct str *label)
{
	struct str info = str_trim(str_of(cmark_node_get_fence_info(code_block))), language, rest;
	*label = (struct str){0};
	if (!str_cut(info, ' ', &language, &rest))
		return str_is(info, "math");
	rest = str_trim(rest);
	if (!str_is(language, "math") || !str_starts(rest, "{#") ||
	    str_find(rest, '}', 0) != rest.n - 1)
		return false;
	*label = str_sub(rest, 2, rest.n - 1);
	return true;
}

bool md_math_display(struct md_render *r, cmark_node *block, struct str tex, struct loc at,
                     struct str label)
{
	const char *name = words_get(r->ctx->words, "formula"), *id = NULL;
	const struct md_number n = {.what = MD_EQUATION, .label = label};
	if (label.p && !md_number_next(r, block, &n, &name, &id))
		return false;
	/* a wide formula scrolls, so the keyboard must be able to reach it */
	html_raw(&r->html, "<div class=\"formula\" role=\"group\" tabindex=\"0\" aria-label=\"");
	html_attr(&r->html, str_of(name));
	html_raw(&r->html, id ? "\" id=\"" : "");
	html_attr(&r->html, str_of(id));
	html_raw(&r->html, "\">");
	if (!put_math(r, tex, true, at, &r->html))
		return false;
	if (id)
		sb_printf(&r->html, "<span class=\"formula-no\" aria-hidden=\"true\">(%d)</span>",
		          r->counts[MD_EQUATION]);
	html_raw(&r->html, "</div>\n");
	return true;
}
