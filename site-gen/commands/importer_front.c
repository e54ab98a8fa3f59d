/*
 * Reads other generators' front matter as far as posts use it: keys with a word, a
 * text or a list, and those of the tables `taxonomies` and `extra`. base/yaml.h reads
 * YAML. TOML is read line by line here, because Debian 12 has no C library for it: keys
 * with a text on one line or a list, in tables of one level.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/yaml.h"
#include "site-gen/commands/importer.h"

void import_report_note(struct import_report *r, enum import_kind kind, const char *path, int line,
                        const char *fmt, ...)
{
	char what[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	sb_printf(&r->text, "%s:%d: %s\n", path, line, what);
	r->notes++;
	r->of_kind[kind]++;
}

enum { FIRST_LINE = 2 /* after the fence */ };

struct reader {
	struct import_front *out;
	struct import_report *report;
	const char *path;
	struct arena *arena;
	struct str table;          /* [taxonomies] */
	struct import_field *list; /* its [ … ] may be open */
	bool open;                 /* the list continues on the next line */
};

static void add_value(struct reader *r, struct import_field *f, struct str v, int line)
{
	if (!v.n)
		return;
	if (f->nvalues < ARRAY_LEN(f->value))
		f->value[f->nvalues++] = v;
	else
		import_report_note(r->report, IMPORT_FRONT, r->path, line,
		                   "front matter '" STR_FMT "' has more than %zu values: '" STR_FMT
		                   "' was left out",
		                   STR_ARG(f->name), ARRAY_LEN(f->value), STR_ARG(v));
}

static struct import_field *add_field(struct reader *r, struct str name, int line)
{
	if (r->out->n == IMPORT_MAX_FIELDS) {
		import_report_note(r->report, IMPORT_FRONT, r->path, line,
		                   "front matter has more than %d keys: '" STR_FMT "' was left out",
		                   IMPORT_MAX_FIELDS, STR_ARG(name));
		return NULL;
	}
	struct import_field *f = &r->out->field[r->out->n++];
	*f = (struct import_field){.name = name, .line = line};
	if (r->table.n)
		f->name = str_of(arena_printf(r->arena, STR_FMT "." STR_FMT, STR_ARG(r->table),
		                              STR_ARG(name)));
	return f;
}

/* --- YAML ------------------------------------------------------------------------------- */

/* The node that an alias stands for; any other node itself. NULL, and a note: it has no anchor. */
static const struct yaml *resolve(struct reader *r, const struct yaml *y)
{
	if (y->kind != YAML_ALIAS)
		return y;
	if (!y->same)
		import_report_note(r->report, IMPORT_FRONT, r->path, y->at.line,
		                   "front matter has an alias without its anchor: it was left out");
	return y->same;
}

/* "~" and "null" without quotes are no text. */
static bool is_null(const struct yaml *y)
{
	return y->style == YAML_PLAIN && (str_is(y->s, "~") || str_is(y->s, "null"));
}

static void add_node(struct reader *r, struct import_field *f, const struct yaml *y)
{
	const struct yaml *value = resolve(r, y);
	if (!value)
		return;
	if (value->kind == YAML_TEXT && !is_null(value))
		add_value(r, f, str_trim(value->s), y->at.line);
	else if (value->kind != YAML_TEXT)
		import_report_note(r->report, IMPORT_FRONT, r->path, y->at.line,
		                   "front matter '" STR_FMT "' has %s in a list: it was left out",
		                   STR_ARG(f->name), yaml_kind_name(value));
}

/* Is a mapping of this name a table, whose keys count on their own? */
static bool is_table(const struct reader *r, const struct yaml *key, const struct yaml *value)
{
	return value->kind == YAML_MAP && !r->table.n &&
	       (str_is(key->s, "taxonomies") || str_is(key->s, "extra"));
}

static void read_map(struct reader *r, const struct yaml *map);

/* A key and its value, the next node. */
static void read_pair(struct reader *r, const struct yaml *key)
{
	const struct yaml *value = resolve(r, key->next);
	if (!value)
		return;
	if (key->kind != YAML_TEXT) {
		import_report_note(r->report, IMPORT_FRONT, r->path, key->at.line,
		                   "front matter has %s as a key: it was left out",
		                   yaml_kind_name(key));
		return;
	}
	if (is_table(r, key, value)) {
		r->table = key->s;
		read_map(r, value);
		r->table = STR("");
		return;
	}
	struct import_field *f = add_field(r, key->s, key->at.line);
	if (!f)
		return;
	f->map = value->kind == YAML_MAP;
	if (value->kind == YAML_TEXT)
		add_node(r, f, value);
	for (const struct yaml *y = value->first; value->kind == YAML_LIST && y; y = y->next)
		add_node(r, f, y);
}

static void read_map(struct reader *r, const struct yaml *map)
{
	for (const struct yaml *key = map->first; key; key = key->next->next)
		read_pair(r, key);
}

static bool read_yaml(struct reader *r, struct str matter, struct err *e)
{
	const struct yaml *root;
	if (!yaml_read(matter, r->path, FIRST_LINE, "front matter", r->arena, &root, e))
		return false;
	if (root->kind != YAML_MAP && root->kind != YAML_NOTHING)
		return err_at(e, root->at, "front matter is %s, expected lines 'key: value'",
		              yaml_kind_name(root));
	read_map(r, root);
	return true;
}

/* --- TOML ------------------------------------------------------------------------------- */

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
		struct str out = str_keep(a, sb_view(&to));
		sb_free(&to);
		return out;
	}
	const char *comment = s.n ? memmem(s.p, s.n, " #", 2) : NULL;
	return str_trim(str_sub(s, 0, comment ? (size_t)(comment - s.p) : s.n));
}

/* a, "b, c", d -> three values */
static void add_list(struct reader *r, struct import_field *f, struct str items, int line)
{
	size_t from = 0;
	char quote = 0;
	for (size_t i = 0; i <= items.n; i++) {
		char c = i < items.n ? items.p[i] : ',';
		if (quote ? c == quote : c == '"' || c == '\'')
			quote = quote ? 0 : c;
		if (i == items.n || (!quote && c == ',')) {
			add_value(r, f, scalar(str_sub(items, from, i), r->arena), line);
			from = i + 1;
		}
	}
}

/* [a, b] , [a, (goes on) , word */
static void read_value(struct reader *r, struct import_field *f, struct str v, int line)
{
	v = str_trim(v);
	if (v.n == 0 || v.p[0] != '[') {
		add_value(r, f, scalar(v, r->arena), line);
		return;
	}
	size_t close = v.n;
	while (close > 0 && v.p[close - 1] != ']')
		close--;
	r->open = close == 0;
	add_list(r, f, str_sub(v, 1, close ? close - 1 : v.n), line);
}

static void go_on(struct reader *r, struct str line, int number)
{
	size_t close = str_find(line, ']', 0);
	add_list(r, r->list, str_sub(line, 0, close), number);
	r->open = close >= line.n;
}

static void read_line(struct reader *r, struct str line, int number)
{
	struct str name, value, text = str_trim(line);
	if (r->open && r->list) {
		go_on(r, text, number);
		return;
	}
	if (text.n == 0 || text.p[0] == '#')
		return;
	if (text.p[0] == '[') {
		r->table = str_trim(str_sub(text, 1, str_find(text, ']', 0)));
		return;
	}
	if (!str_cut(text, '=', &name, &value)) {
		import_report_note(r->report, IMPORT_FRONT, r->path, number,
		                   "front matter '" STR_FMT "' is not understood", STR_ARG(text));
		return;
	}
	r->list = add_field(r, scalar(name, r->arena), number);
	if (r->list)
		read_value(r, r->list, value, number);
}

static void read_toml(struct reader *r, struct str matter)
{
	struct str line;
	for (int number = FIRST_LINE; matter.n > 0; number++) {
		str_cut(matter, '\n', &line, &matter);
		read_line(r, line, number);
	}
}

/* --- the file --------------------------------------------------------------------------- */

/* Cuts off the text before a line that is the fence; *out gets the body. False: no such line. */
static bool cut_matter(struct str src, const char *fence, struct str *matter,
                       struct import_front *out)
{
	struct str line, rest = src;
	for (out->body_line = FIRST_LINE; rest.n > 0;) {
		struct str from_here = rest;
		str_cut(rest, '\n', &line, &rest);
		out->body_line++;
		if (str_starts(line, fence) && str_is(str_trim(line), fence)) {
			*matter = str_sub(src, 0, (size_t)(from_here.p - src.p));
			out->body = rest;
			return true;
		}
	}
	return false;
}

bool import_front_read(struct str src, const char *path, struct arena *a, struct import_front *out,
                       struct import_report *report, struct err *e)
{
	struct reader r = {.out = out, .report = report, .path = path, .arena = a};
	struct str rest = src, line, matter;
	*out = (struct import_front){.body = src, .body_line = 1};
	while (str_starts(rest, "\xEF\xBB\xBF"))
		rest = str_sub(rest, 3, rest.n);
	str_cut(rest, '\n', &line, &rest);
	line = str_trim(line);
	bool toml = str_is(line, "+++");
	if (!toml && !str_is(line, "---"))
		return true;
	if (!cut_matter(rest, toml ? "+++" : "---", &matter, out))
		return err_at(e, (struct loc){path, 1, 1}, "front matter has no end, expected '%s'",
		              toml ? "+++" : "---");
	if (!toml)
		return read_yaml(&r, matter, e);
	read_toml(&r, matter);
	return true;
}
