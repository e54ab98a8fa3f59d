/*
 * The front matter of others, as far as posts use it: keys with a word, a
 * quoted text or a list. Nested YAML is told as needing a hand; it is their
 * theme's business.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "site-gen/commands/importer.h"

void import_note(struct import_report *r, const char *path, int line, const char *fmt, ...)
{
	char what[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	sb_printf(&r->text, "%s:%d: %s\n", path, line, what);
	r->notes++;
}

struct reader {
	struct import_front *out;
	struct import_report *report;
	const char *path;
	struct arena *arena;
	bool toml;
	struct str table;          /* [taxonomies] */
	struct import_field *list; /* whose "- item" lines may follow, or [ … ] goes on */
	bool open;                 /* a TOML list that goes on over lines */
};

/* 'text' or "text" without its quotes and escapes; anything else trimmed, without a comment. */
static struct str scalar(struct str s, struct arena *a)
{
	s = str_trim(s);
	if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'')) {
		char quote = s.p[0];
		struct sb to = {0};
		for (size_t i = 1; i < s.n; i++) {
			bool escape = quote == '"' && s.p[i] == '\\' && i + 1 < s.n;
			bool twice = quote == '\'' && s.p[i] == quote && i + 1 < s.n &&
			             s.p[i + 1] == quote;
			if (s.p[i] == quote && !twice)
				break;
			i += escape || twice;
			sb_char(&to, escape && s.p[i] == 'n' ? ' ' : s.p[i]);
		}
		struct str out = {arena_strndup(a, to.p ? to.p : "", to.n), to.n};
		sb_free(&to);
		return out;
	}
	const char *comment = s.n ? memmem(s.p, s.n, " #", 2) : NULL;
	return str_trim(str_sub(s, 0, comment ? (size_t)(comment - s.p) : s.n));
}

static void add_value(struct reader *r, struct import_field *f, struct str v)
{
	v = scalar(v, r->arena);
	if (v.n && f->nvalues < sizeof f->value / sizeof *f->value)
		f->value[f->nvalues++] = v;
}

/* a, "b, c", d -> three values */
static void add_list(struct reader *r, struct import_field *f, struct str items)
{
	size_t from = 0;
	char quote = 0;
	for (size_t i = 0; i <= items.n; i++) {
		char c = i < items.n ? items.p[i] : ',';
		if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		if (i == items.n || (!quote && c == ',')) {
			add_value(r, f, str_sub(items, from, i));
			from = i + 1;
		}
	}
}

static struct import_field *add_field(struct reader *r, struct str name, int line)
{
	if (r->out->n == IMPORT_MAX_FIELDS)
		return NULL;
	struct import_field *f = &r->out->field[r->out->n++];
	*f = (struct import_field){.name = name, .line = line};
	if (r->table.n)
		f->name = str_of(arena_printf(r->arena, STR_FMT "." STR_FMT, STR_ARG(r->table),
		                              STR_ARG(name)));
	return f;
}

/* [a, b] , [a, (goes on) , word */
static void read_value(struct reader *r, struct import_field *f, struct str v)
{
	v = str_trim(v);
	if (v.n == 0 || v.p[0] != '[') {
		add_value(r, f, v);
		return;
	}
	size_t close = v.n;
	while (close > 0 && v.p[close - 1] != ']')
		close--;
	r->open = close == 0;
	add_list(r, f, str_sub(v, 1, close ? close - 1 : v.n));
}

static void go_on(struct reader *r, struct str line)
{
	size_t close = str_find(line, ']', 0);
	add_list(r, r->list, str_sub(line, 0, close));
	r->open = close >= line.n;
}

static void read_line(struct reader *r, struct str line, int number)
{
	struct str name, value, text = str_trim(line);
	bool indented = line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t');
	if (r->open && r->list) {
		go_on(r, text);
		return;
	}
	if (text.n == 0 || text.p[0] == '#')
		return;
	if (r->toml && text.p[0] == '[') {
		r->table = str_trim(str_sub(text, 1, str_find(text, ']', 0)));
		return;
	}
	if (!r->toml && r->list && text.p[0] == '-' && (text.n == 1 || text.p[1] == ' ')) {
		add_value(r, r->list, str_sub(text, 1, text.n));
		return;
	}
	if ((indented && !r->toml) || !str_cut(text, r->toml ? '=' : ':', &name, &value)) {
		import_note(r->report, r->path, number,
		            "front matter '" STR_FMT "' is not understood", STR_ARG(text));
		return;
	}
	r->list = add_field(r, scalar(name, r->arena), number);
	if (r->list)
		read_value(r, r->list, value);
}

bool import_front_read(struct str src, const char *path, struct arena *a, struct import_front *out,
                       struct import_report *report, struct err *e)
{
	struct reader r = {.out = out, .report = report, .path = path, .arena = a};
	struct str rest = src, line;
	const char *fence;
	int number = 1;
	*out = (struct import_front){.body = src, .body_line = 1};
	if (str_starts(rest, "\xEF\xBB\xBF"))
		rest = str_sub(rest, 3, rest.n);
	str_cut(rest, '\n', &line, &rest);
	line = str_trim(line);
	if (!str_is(line, "---") && !str_is(line, "+++"))
		return true;
	r.toml = line.p[0] == '+';
	fence = r.toml ? "+++" : "---";
	while (rest.n > 0) {
		str_cut(rest, '\n', &line, &rest);
		number++;
		if (str_is(str_trim(line), fence)) {
			out->body = rest;
			out->body_line = number + 1;
			return true;
		}
		read_line(&r, line, number);
	}
	return err_at(e, (struct loc){path, 1, 1}, "front matter has no end, expected '%s'", fence);
}
