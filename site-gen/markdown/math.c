/*
 * Formulas: finds them in a source, and prints them as text and as markup.
 *
 *   in a sentence -> '$' TeX '$'           on one line
 *   display       -> '$$' TeX '$$' [label] alone in a paragraph, on one line or several;
 *                    or a code block of the language math
 *   label         -> '{#' id '}'
 */
#include "lib/array.h"
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/lint/lint.h"
#include "site-gen/base/math.h"

/* --- finding them ---------------------------------------------------------- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool md_escaped_at(struct str s, size_t at)
{
	size_t n = 0;
	while (n < at && s.p[at - n - 1] == '\\')
		n++;
	return n % 2 == 1;
}

/* Is it in a line of a table? There '|' ends the cell, and a formula must end with it. */
static bool in_table(struct str s, size_t at)
{
	while (at > 0 && s.p[at - 1] != '\n')
		at--;
	while (at < s.n && is_space(s.p[at]))
		at++;
	return at < s.n && s.p[at] == '|';
}

/* The next '$' in the line at or after `from`, or s.n; a formula contains no '`'. */
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

/* Characters that may start the lines of quotes and list items. */
static const char line_heads[] = " \t>-+*0123456789.)";

/* Do only markers of quotes and list items precede `at` in its line? */
static bool begins_line(struct str s, size_t at, size_t *indent)
{
	size_t from = at;
	while (from > 0 && strchr(line_heads, s.p[from - 1]))
		from--;
	for (*indent = 0; from + *indent < at && is_space(s.p[from + *indent]);)
		++*indent;
	return from == 0 || s.p[from - 1] == '\n';
}

/* A line without quote markers and indent. */
static struct str inside_line(struct str line)
{
	line = str_trim(line);
	while (str_starts(line, ">"))
		line = str_trim(str_sub(line, 1, line.n));
	return line;
}

/* Is the line at `at` inside a fenced code block? `at` must not decrease from call to call. */
static bool in_fence(struct md_fences *f, struct str s, size_t at)
{
	for (size_t end; f->at < at; f->at = end + 1) {
		size_t from = f->at;
		end = str_find(s, '\n', from);
		while (from < end && strchr(line_heads, s.p[from]))
			from++;
		struct str line = str_sub(s, from, end);
		if ((str_starts(line, "```") || str_starts(line, "~~~")) &&
		    (!f->open || f->open == line.p[0]))
			f->open = f->open ? 0 : line.p[0];
	}
	return f->open;
}

/*
 * formula -> '$$' { line } '$$' [ label ], from the start of one line to the end of another. An
 * empty line, or one with a '`', ends the search. The end; 0 if there is none.
 */
static size_t lines_end(struct md_fences *f, struct str s, size_t at)
{
	enum { MAX_BYTES = 8 << 10, CODE = 4 };
	size_t indent, from = at + 2, i = from;
	if (!begins_line(s, at, &indent) || indent >= CODE || in_fence(f, s, at))
		return 0;
	for (size_t end; i < s.n && i < at + MAX_BYTES; i = end + 1) {
		end = str_find(s, '\n', i);
		size_t dollar = next_dollar(s, i);
		struct str line = inside_line(str_sub(s, i, end));
		if ((i > from && line.n == 0) || memchr(line.p, '`', line.n))
			return 0;
		if (dollar >= end)
			continue;
		struct str rest = str_trim(str_sub(s, dollar + 2, end));
		bool label = str_starts(rest, "{#") && str_ends(rest, "}");
		bool wide = dollar + 1 < s.n && s.p[dollar + 1] == '$';
		bool empty = str_trim(str_sub(s, from, dollar)).n == 0;
		return wide && !empty && (rest.n == 0 || label) ? dollar + 2 : 0;
	}
	return 0;
}

size_t md_math_end(struct md_fences *f, struct str s, size_t at)
{
	size_t wide = at + 1 < s.n && s.p[at + 1] == '$' ? 2 : 1;
	size_t from = at + wide, end = next_dollar(s, from);
	if (md_escaped_at(s, at))
		return 0;
	if (end >= s.n)
		return wide == 2 ? lines_end(f, s, at) : 0;
	if (end == from)
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
	return m->tex;
}

struct str md_math_source(struct str src, struct str text, struct arena *a)
{
	size_t wide = str_starts(text, "$$") ? 2 : 1;
	struct str rest = str_sub(text, wide, text.n - wide), line;
	if (!memchr(rest.p, '\n', rest.n))
		return str_trim(rest);
	bool quoted = false;
	for (const char *p = text.p; p > src.p && p[-1] != '\n'; p--)
		quoted = quoted || p[-1] == '>';
	struct sb b = {0};
	for (bool more = true, first = true; more; first = false) {
		more = str_cut(rest, '\n', &line, &rest);
		sb_str(&b, quoted && !first ? inside_line(line) : str_trim(line));
		sb_cstr(&b, more ? "\n" : "");
	}
	struct str trimmed = str_trim(sb_view(&b));
	struct str out = str_keep(a, trimmed);
	sb_free(&b);
	return out;
}

/* --- as text --------------------------------------------------------------- */

/* The text of some commands; "\times" is the sign of a factor only at the end of the formula. */
static const char *spoken(struct str command, bool last)
{
	static const struct {
		const char *name, *text;
	} words[] = {{",", " "},    {";", " "},     {":", " "},   {" ", " "},   {"!", ""},
	             {"quad", " "}, {"qquad", " "}, {"%", "%"},   {"mu", "µ"},  {"approx", "≈"},
	             {"sim", "~"},  {"$", "$"},     {"left", ""}, {"right", ""}};
	if (str_is(command, "times"))
		return last ? "×" : " by ";
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is(command, words[i].name))
			return words[i].text;
	return " ";
}

/* Commands with an upright argument: words and units, not variables. */
static bool is_upright(struct str command)
{
	static const char *const names[] = {"text",         "textrm", "textsf", "texttt",
	                                    "textbf",       "mathrm", "mathsf", "mathtt",
	                                    "operatorname", "mathbf", "mathit", "mbox"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(command, names[i]))
			return true;
	return false;
}

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* State of reading a formula for the lint. */
struct speech {
	struct sb *to;
	size_t depth, upright; /* depth of braces; depth of the upright group, 0: none */
	bool begins_upright;   /* the next group is upright */
};

/*
 * Letters of a formula are variables: "n^2 s" has no seconds in it. A single letter becomes a
 * meaningless word. Several letters in a row ("\mu s"), or one after these and a '/' ("TB/s"), may
 * be a unit.
 */
static void say_letters(struct speech *t, struct str letters)
{
	struct str before = sb_view(t->to);
	bool per = before.n > 1 && before.p[before.n - 1] == '/' &&
	           is_letter(before.p[before.n - 2]) && before.p[before.n - 2] != 'q';
	if (t->upright || letters.n > 1 || per || str_ends(before, "µ"))
		sb_str(t->to, letters);
	else
		sb_char(t->to, 'q');
}

static void say_brace(struct speech *t, struct str tex, size_t i)
{
	if (tex.p[i] == '{') {
		t->depth++;
		if (t->begins_upright && !t->upright)
			t->upright = t->depth;
		t->begins_upright = false;
		return;
	}
	if (t->upright == t->depth)
		t->upright = 0;
	t->depth -= t->depth > 0;
	if (i + 1 < tex.n && tex.p[i + 1] == '{') /* \frac{a}{b} */
		sb_char(t->to, '/');
}

static size_t letters_end(struct str tex, size_t from)
{
	while (from < tex.n && is_letter(tex.p[from]))
		from++;
	return from;
}

/* Reads the command after the backslash at `from`; returns its end. */
static size_t say_command(struct speech *t, struct str tex, size_t from)
{
	size_t end = letters_end(tex, from + 1);
	end += end == from + 1 && end < tex.n; /* a command of one sign: "\," */
	struct str command = str_sub(tex, from + 1, end);
	t->begins_upright = is_upright(command);
	if (!t->begins_upright)
		sb_cstr(t->to, spoken(command, str_trim(str_sub(tex, end, tex.n)).n == 0));
	while (str_is(command, "mu") && end < tex.n && tex.p[end] == ' ')
		end++; /* skip the blank that ends the command */
	return end;
}

void md_math_plain(struct str tex, struct sb *to)
{
	struct speech t = {.to = to};
	size_t begin = to->n;
	tex = str_trim(tex);
	for (size_t i = 0, end; i < tex.n; i = end) {
		char c = tex.p[i];
		end = i + 1;
		if (c == '\\') {
			end = say_command(&t, tex, i);
		} else if (c == '{' || c == '}') {
			say_brace(&t, tex, i);
		} else if (is_letter(c)) {
			end = letters_end(tex, i);
			say_letters(&t, str_sub(tex, i, end));
		} else {
			sb_char(to, c == '~' || c == '\n' ? ' ' : c);
		}
	}
	/* a formula that is just "$2x$" is a factor, like the text "2x" */
	if (to->n > begin + 1 && str_ends(tex, "x") && to->p[to->n - 1] == 'q' &&
	    lint_bare_number(str_sub(sb_view(to), begin, to->n - 1)))
		to->p[to->n - 1] = 'x';
}

/* --- as markup ------------------------------------------------------------- */

static const char *cache_folder(struct md_render *r)
{
	return arena_printf(r->arena, "%s/math", r->ctx->cache ? r->ctx->cache : "build/cache");
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
	/* a wide formula scrolls, so it must be reachable by keyboard */
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
