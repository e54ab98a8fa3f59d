/*
 * Formulas of other generators. Each is set once, as the build will set it. One that cannot be set
 * is repaired from the table `commands`; one that still cannot becomes code, and is noted.
 */
#include <ctype.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/math.h"
#include "site-gen/commands/importer.h"

enum { MOST_BYTES = 4 << 10 };

static const struct {
	const char *theirs, *ours;
} commands[] = {
        {"\\dfrac", "\\frac"},
        {"\\tfrac", "\\frac"},
        {"\\cfrac", "\\frac"},
        {"\\cdotp", "\\cdot"},
        {"\\LaTeX", "\\text{LaTeX}"},
        {"\\TeX", "\\text{TeX}"},
        {"\\lt", "<"},
        {"\\gt", ">"},
        {"&lt;", "<"},
        {"&gt;", ">"},
        {"&amp;", "&"},
        {"\\nonumber", ""},
        {"\\notag", ""},
        {"\\displaystyle", ""},
        {"\\limits", ""},
        {"\\bm", "\\mathbf"},
        {"\\boldsymbol", "\\mathbf"},
        {"\\R", "\\mathbb{R}"},
        {"\\N", "\\mathbb{N}"},
        {"\\Z", "\\mathbb{Z}"},
        {"\\argmax", "\\operatorname{argmax}"},
        {"\\argmin", "\\operatorname{argmin}"},
        {"\\mbox", "\\text"},
        {"\\textrm", "\\text"},
        {"\\rm", ""},
        {"\\middle|", "|"},
        {"\\_", "\\text{_}"},
        {"\\begin{align*}", "\\begin{aligned}"},
        {"\\end{align*}", "\\end{aligned}"},
        {"\\begin{align}", "\\begin{aligned}"},
        {"\\end{align}", "\\end{aligned}"},
        {"\\begin{split}", "\\begin{aligned}"},
        {"\\end{split}", "\\end{aligned}"},
        {"\\begin{equation}", ""},
        {"\\end{equation}", ""},
        {"\\begin{equation*}", ""},
        {"\\end{equation*}", ""},
        {"\\\\_", "_"},
        {"\\\\{", "\\{"},
        {"\\\\}", "\\}"},
};

/* The row for the command at `i`; ARRAY_LEN(commands) if there is none. */
static size_t row_at(struct str tex, size_t i)
{
	struct str rest = str_sub(tex, i, tex.n);
	for (size_t k = 0; k < ARRAY_LEN(commands); k++) {
		size_t n = strlen(commands[k].theirs);
		bool word = isalpha((unsigned char)commands[k].theirs[n - 1]);
		if (str_starts(rest, commands[k].theirs) &&
		    !(word && n < rest.n && isalpha((unsigned char)rest.p[n])))
			return k;
	}
	return ARRAY_LEN(commands);
}

static bool is_other(char c)
{
	return (unsigned char)c >= 0x80;
}

/* Appends TeX with the rows of the table in it, and words of other scripts as text. */
static void put_repaired(struct str tex, struct sb *to)
{
	for (size_t i = 0; i < tex.n;) {
		size_t k = row_at(tex, i), from = i;
		if (k < ARRAY_LEN(commands)) {
			sb_cstr(to, commands[k].ours);
			i += strlen(commands[k].theirs);
		} else if (is_other(tex.p[i])) {
			while (i < tex.n && is_other(tex.p[i]))
				i++;
			sb_printf(to, "\\text{" STR_FMT "}", STR_ARG(str_sub(tex, from, i)));
		} else if (tex.p[i] == '\\' && i + 1 < tex.n &&
		           !isalpha((unsigned char)tex.p[i + 1])) {
			sb_str(to, str_sub(tex, i, i + 2));
			i += 2;
		} else {
			sb_char(to, tex.p[i++]);
		}
	}
}

/* Rows outside of an environment stand in one. */
static struct str in_rows(struct str tex, struct arena *a)
{
	bool rows = memmem(tex.p, tex.n, "\\\\", 2), inside = memmem(tex.p, tex.n, "\\begin", 6);
	if (!rows || inside)
		return tex;
	return str_of(arena_printf(a, "\\begin{aligned}" STR_FMT "\\end{aligned}", STR_ARG(tex)));
}

struct state {
	struct str s;
	const char *path;
	int line;
	struct arena *arena;
	struct import_report *report;
	struct import_tex *out;
	bool checks; /* the program that sets formulas is there */
};

/* TeX so plain that every setter takes it: most formulas, which need not be tried. */
static bool is_plain(struct str tex)
{
	static const char *const known[] = {
	        "le",   "ge",    "leq",   "geq", "ne",    "neq", "times", "cdot", "sum",   "prod",
	        "min",  "max",   "log",   "sin", "cos",   "in",  "ldots", "dots", "cdots", "alpha",
	        "beta", "gamma", "delta", "pi",  "sigma", "mu",  "theta", "to",   "infty", "equiv",
	        "quad", "oplus", "notin", "cup", "cap",   "phi", "approx"};
	int depth = 0;
	for (size_t i = 0; i < tex.n && depth >= 0; i++) {
		size_t from = i + 1, k = 0, to = from;
		if (isalnum((unsigned char)tex.p[i]) || strchr(" +-=()<>,.:/|!;*[]", tex.p[i]))
			continue;
		depth += tex.p[i] == '{' ? 1 : tex.p[i] == '}' ? -1 : 0;
		if (strchr("{}", tex.p[i]))
			continue;
		if (strchr("_^", tex.p[i]) && from < tex.n && i > 0 && tex.p[i - 1] != '{' &&
		    (isalnum((unsigned char)tex.p[from]) || tex.p[from] == '{'))
			continue;
		while (to < tex.n && isalpha((unsigned char)tex.p[to]))
			to++;
		while (k < ARRAY_LEN(known) && !str_is(str_sub(tex, from, to), known[k]))
			k++;
		if (tex.p[i] != '\\' || k == ARRAY_LEN(known))
			return false;
		i = to - 1;
	}
	return depth == 0;
}

static bool can_be_set(const struct state *st, struct str tex, bool display)
{
	struct err e = ERR_NONE;
	struct sb to = {0};
	bool ok = math_mathml(tex, display, (struct loc){st->path, st->line, 1}, IMPORT_MATH_CACHE,
	                      st->arena, &to, &e);
	sb_free(&to);
	return ok;
}

/* TeX that can be set, on one line; p == NULL: it cannot. */
static struct str mend(const struct state *st, struct str tex, bool display)
{
	struct sb one = {0}, to = {0};
	for (size_t i = 0; i < tex.n; i++)
		sb_char(&one, strchr("\r\n\t", tex.p[i]) ? ' ' : tex.p[i]);
	struct str plain = str_keep(st->arena, str_trim(sb_view(&one)));
	put_repaired(plain, &to);
	struct str mended = in_rows(str_keep(st->arena, str_trim(sb_view(&to))), st->arena);
	sb_free(&one);
	sb_free(&to);
	if (!st->checks || (plain.n && (is_plain(plain) || can_be_set(st, plain, display))))
		return plain;
	if (!mended.n || !can_be_set(st, mended, display))
		return (struct str){NULL, 0};
	st->report->repaired[IMPORT_MADE_FORMULA]++;
	return mended;
}

/* --- finding them --- */

struct formula {
	struct str tex;
	size_t end;
	bool display;
};

/* The end of a formula that `close` ends, in the same paragraph; s.n: none. */
static size_t close_of(struct str s, size_t from, const char *close, bool one_line)
{
	size_t n = strlen(close);
	for (size_t i = from; i + n <= s.n && i < from + MOST_BYTES; i++) {
		if (s.p[i] == '\n' && (one_line || (i + 1 < s.n && s.p[i + 1] == '\n')))
			break;
		if (s.p[i] == '`')
			break;
		if (memcmp(s.p + i, close, n) == 0)
			return i;
		if (s.p[i] == '\\' && close[0] == '$')
			i++;
	}
	return s.n;
}

static bool is_sum(struct str s, size_t from, size_t end)
{
	bool spaces = strchr(" \t", s.p[from]) || strchr(" \t", s.p[end - 1]);
	return !spaces && !(end + 1 < s.n && isdigit((unsigned char)s.p[end + 1]));
}

static bool formula_at(struct str s, size_t i, struct formula *out)
{
	static const struct {
		const char *open, *close;
		bool display;
	} forms[] = {{"$$", "$$", true},
	             {"\\\\[", "\\\\]", true},
	             {"\\[", "\\]", true},
	             {"\\\\(", "\\\\)", false},
	             {"\\(", "\\)", false},
	             {"$", "$", false},
	             {"{{< katex >}}", "{{< /katex >}}", false},
	             {"{{<katex>}}", "{{</katex>}}", false},
	             {"{{< katex display >}}", "{{< /katex >}}", true},
	             {"{{<katex display>}}", "{{</katex>}}", true},
	             {"{{< math >}}", "{{< /math >}}", true},
	             {"{% katex %}", "{% endkatex %}", false},
	             {"{% katex display %}", "{% endkatex %}", true}};
	for (size_t k = 0; k < ARRAY_LEN(forms); k++) {
		if (!str_starts(str_sub(s, i, s.n), forms[k].open))
			continue;
		bool dollar = forms[k].open[0] == '$' && !forms[k].display;
		size_t from = i + strlen(forms[k].open);
		size_t end = close_of(s, from, forms[k].close,
		                      !forms[k].display && forms[k].open[0] != '{');
		if (end >= s.n || end == from || (dollar && !is_sum(s, from, end)))
			return false;
		/* "\[" without a command inside is an escaped bracket */
		if (!dollar && forms[k].open[0] == '\\' && !memchr(s.p + from, '\\', end - from) &&
		    !memchr(s.p + from, '=', end - from) && forms[k].display)
			return false;
		*out = (struct formula){str_sub(s, from, end), end + strlen(forms[k].close),
		                        forms[k].display};
		return true;
	}
	return false;
}

/* Does it stand alone in its lines, after at most three spaces? */
static bool is_alone(struct str s, size_t from, size_t end)
{
	size_t n = 0;
	while (from > n && s.p[from - n - 1] == ' ')
		n++;
	while (end < s.n && (s.p[end] == ' ' || s.p[end] == '\r'))
		end++;
	return n < 4 && (from == n || s.p[from - n - 1] == '\n') &&
	       (end >= s.n || s.p[end] == '\n');
}

void importer_mark(struct import_tex *out, const char *text, struct arena *a, struct sb *to)
{
	out->all = arena_grow(a, out->all, out->n, &out->cap, sizeof *out->all);
	out->all[out->n++] = text;
	sb_printf(to, "\xEE\x80\x80%zu\xEE\x80\x81", out->n - 1);
}

static void put_formula(struct state *st, const struct formula *f, size_t at, struct sb *to)
{
	bool alone = f->display && is_alone(st->s, at, f->end);
	struct str tex = mend(st, f->tex, alone);
	const char *text;
	if (!tex.p) {
		struct str raw = str_trim(f->tex);
		text = arena_printf(st->arena, "``` " STR_FMT " ```", STR_ARG(raw));
		if (memchr(raw.p, '\n', raw.n))
			text = arena_printf(st->arena, "\n```text\n" STR_FMT "\n```\n",
			                    STR_ARG(raw));
		import_report_note(st->report, IMPORT_FORMULA, st->path, st->line,
		                   "the formula cannot be set and is now code: %.60s", text);
	} else if (alone) {
		text = arena_printf(st->arena, "\n$$" STR_FMT "$$\n", STR_ARG(tex));
	} else {
		text = arena_printf(st->arena, "$" STR_FMT "$", STR_ARG(tex));
	}
	importer_mark(st->out, text, st->arena, to);
}

struct str importer_tex_out(struct str s, const char *path, int line, struct arena *a,
                            struct import_tex *out, struct import_report *r)
{
	struct state st = {.s = s, .path = path, .line = line, .arena = a, .report = r, .out = out};
	struct sb to = {0};
	struct formula f;
	st.checks = can_be_set(&st, STR("x"), false);
	for (size_t i = 0; i < s.n;) {
		size_t next = importer_skip_code(s, i);
		if (next == i && formula_at(s, i, &f)) {
			next = f.end;
			put_formula(&st, &f, i, &to);
			for (size_t k = i; k < next; k++)
				if (s.p[k] == '\n')
					sb_char(&to, '\n');
		} else {
			if (str_starts(str_sub(s, i, s.n), "\xEE\x80")) {
				i += 3; /* the character of a mark */
				continue;
			}
			next = next > i ? next : s.p[i] == '\\' && i + 1 < s.n ? i + 2 : i + 1;
			sb_str(&to, str_sub(s, i, next));
		}
		for (; i < next; i++)
			st.line += s.p[i] == '\n';
	}
	struct str text = str_keep(a, sb_view(&to));
	sb_free(&to);
	return text;
}

/* A mark at i: its text, and the position after it. NULL: there is none. */
static const char *mark_at(struct str s, size_t i, const struct import_tex *tex, size_t *next)
{
	size_t k = 0, n = i + 3;
	if (s.p[i] != '\xEE' || !str_starts(str_sub(s, i, s.n), "\xEE\x80\x80"))
		return NULL;
	while (n < s.n && isdigit((unsigned char)s.p[n]))
		k = 10 * k + (size_t)(s.p[n++] - '0');
	*next = n + 3 < s.n ? n + 3 : s.n;
	return k < tex->n ? tex->all[k] : "";
}

void importer_tex_back(struct str s, const struct import_tex *tex, struct sb *to)
{
	for (size_t i = 0; i < s.n;) {
		const char *text = mark_at(s, i, tex, &i);
		if (text)
			sb_cstr(to, text);
		else
			sb_char(to, s.p[i++]);
	}
}

struct import_lines importer_tex_lines(struct str s, const struct import_tex *tex,
                                       const struct import_lines *marked, struct arena *a)
{
	struct import_lines out = {0};
	size_t line = 0;
	for (size_t i = 0; i < s.n;) {
		const char *text = mark_at(s, i, tex, &i);
		size_t own = text ? 0 : s.p[i++] == '\n', n = own;
		for (; text && *text; text++)
			n += *text == '\n';
		for (; n && line < marked->n; n--) {
			out.at = arena_grow(a, out.at, out.n, &out.cap, sizeof *out.at);
			out.at[out.n++] = marked->at[line];
		}
		line += own;
	}
	return out;
}
