/* The log of published numbers: its lines, and that each follows from those before. */
#include "site-gen/numbers/published.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/json.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/unicode.h"
#include "site-gen/numbers/number.h"
#include "site-gen/base/rules.h"

#define HEAD_LINE "{\"schema\":\"" PUBLISHED_SCHEMA "\"}"

/* --- lines --------------------------------------------------------------------------------- */

static void put_opt(struct json_out *w, const char *key, const char *value)
{
	if (value)
		json_put_str(w, key, value);
}

void published_put(struct sb *to, const struct published *p)
{
	struct json_out w = json_to(to);
	json_open(&w, NULL, '{');
	json_put_str(&w, "page", p->page);
	json_put_str(&w, "number", p->number);
	json_put_str(&w, "text", p->text);
	if (p->text) {
		json_put_f64(&w, "value", p->value);
		if (p->hi > p->lo) {
			json_put_f64(&w, "lo", p->lo);
			json_put_f64(&w, "hi", p->hi);
		}
		put_opt(&w, "unit", *p->unit ? p->unit : NULL);
		put_opt(&w, "run", p->run);
		put_opt(&w, "over_run", p->over_run);
		put_opt(&w, "source", p->source);
		json_put_str(&w, "format", p->format);
	}
	json_put_str(&w, "was", p->was);
	put_opt(&w, "verdict", p->verdict);
	put_opt(&w, "reason", p->reason);
	json_put_str(&w, "noted", p->noted);
	json_close(&w, '}');
	sb_char(to, '\n');
}

/* A member that must be there, as text or as null. */
static bool want_str_or_null(struct json o, const char *key, struct arena *a, const char **out,
                             struct err *e)
{
	struct json v = json_get(o, key);
	*out = NULL;
	return json_is_null(v) || json_want_str(o, key, a, out, e);
}

static bool read_shown(struct json o, struct arena *a, struct published *p, struct err *e)
{
	if (!json_want_f64(o, "value", &p->value, e))
		return false;
	p->lo = p->hi = p->value;
	p->unit = "";
	return json_opt_f64(o, "lo", &p->lo, e) && json_opt_f64(o, "hi", &p->hi, e) &&
	       json_opt_str(o, "unit", a, &p->unit, e) && json_opt_str(o, "run", a, &p->run, e) &&
	       json_opt_str(o, "over_run", a, &p->over_run, e) &&
	       json_opt_str(o, "source", a, &p->source, e) &&
	       json_want_str(o, "format", a, &p->format, e);
}

static bool read_line(struct json o, struct arena *a, struct published *p, struct err *e)
{
	if (!json_is_object(o))
		return err_at(e, o.at, "expected an object, see data/PUBLISHED.md");
	return json_want_str(o, "page", a, &p->page, e) &&
	       json_want_str(o, "number", a, &p->number, e) &&
	       want_str_or_null(o, "text", a, &p->text, e) &&
	       (!p->text || read_shown(o, a, p, e)) && want_str_or_null(o, "was", a, &p->was, e) &&
	       json_opt_str(o, "verdict", a, &p->verdict, e) &&
	       json_opt_str(o, "reason", a, &p->reason, e) &&
	       json_want_str(o, "noted", a, &p->noted, e) &&
	       (!p->reason || unicode_is_visible(str_of(p->reason)) ||
	        err_at(e, o.at,
	               "'reason' is empty (it has only invisible characters), expected a reason"));
}

bool published_read(struct str line, int number, const char *path, struct arena *a,
                    struct published *out, struct err *e)
{
	struct json_doc *doc;
	struct json root;
	*out = (struct published){.line = number, .unit = "", .at = {.path = path, .line = number}};
	if (!json_parse(line, out->at, &doc, &root, e))
		return false;
	bool ok = read_line(root, a, out, e);
	json_free(doc);
	return ok;
}

/* --- all lines ----------------------------------------------------------------------------- */

static size_t count_lines(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

static bool is_dated(const struct published *p, struct err *e)
{
	const char *expected = front_check_date(p->noted);
	return !expected ||
	       rule_err(e, RULE_NOTED, p->at, "'noted' is '%s', expected %s", p->noted, expected);
}

/* Adds the lines of one file of the log, whose lines up to number `before` were read or skipped. */
static bool read_lines(struct str lines, const char *path, int before, struct arena *a,
                       struct published_log *out, struct err *e)
{
	struct str line;
	while (lines.n > 0) {
		struct published *p = &out->line[out->n];
		str_cut(lines, '\n', &line, &lines);
		if (!published_read(line, ++before, path, a, p, e) || !is_dated(p, e))
			return false;
		p->line = (int)++out->n + 1;
	}
	return true;
}

/* Reads a file of the log; the first begins with the line that describes the log. */
static bool read_file(struct str lines, struct loc at, struct arena *a, struct published_log *out,
                      bool first, struct err *e)
{
	struct str line = {"", 0};
	if (lines.n > 0 && lines.p[lines.n - 1] != '\n')
		return err_set(e, "%s: the last line is cut off, expected a newline", at.path);
	bool begun = first && published_parts_begun(lines, a);
	if (first && (!str_cut(lines, '\n', &line, &lines) || !(begun || str_is(line, HEAD_LINE))))
		return err_at(e, at, "'" STR_FMT "', expected " HEAD_LINE, STR_ARG(line));
	return read_lines(lines, at.path, at.line - !first, a, out, e);
}

static bool read_log(struct arena *a, struct published_log *out, struct err *e)
{
	const struct published_parts *p = &out->parts;
	int skipped = (int)count_lines(str_sub(p->file, 0, p->file.n - p->open.n));
	out->line = ARENA_ARRAY(a, struct published, count_lines(out->bytes) + 1);
	for (size_t i = 0; i < p->n; i++) {
		struct loc at = {p->closed[i].path, 1, 1};
		if (!read_file(p->closed[i].lines, at, a, out, i == 0, e))
			return false;
	}
	return read_file(p->open, (struct loc){PUBLISHED_PATH, skipped + 1, 1}, a, out, p->n == 0,
	                 e);
}

struct str published_bytes(const struct published_log *l)
{
	return l->exists ? l->bytes : STR("{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n");
}

/*
 * Lines carry the date of a HEAD. Clocks differ, so one day after today is still right, or one
 * day after today's HEAD, if that is later. HEAD's own date may have been put back.
 */
static bool check_dates(const struct published_log *l, struct git *g, struct arena *a,
                        struct err *e)
{
	time_t head = (time_t)git_head_time(g), now = time(NULL);
	time_t latest = (head > now ? head : now) + 24 * 60 * 60;
	struct tm t;
	gmtime_r(&latest, &t);
	const char *day =
	        arena_printf(a, "%04d-%02d-%02d", t.tm_year + 1900, t.tm_mon + 1, t.tm_mday);
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->line[i].noted, day) > 0)
			return rule_err(e, RULE_NOTED, l->line[i].at,
			                "'noted' is '%s', expected at most %s", l->line[i].noted,
			                day);
	return true;
}

bool published_load(struct git *g, struct arena *a, struct published_log *out, struct err *e)
{
	*out = (struct published_log){0};
	if (!published_parts_load(g, a, &out->parts, e))
		return false;
	out->bytes = published_parts_join(&out->parts, a);
	out->exists = out->bytes.n > 0;
	if (out->exists && !read_log(a, out, e))
		return false;
	out->by_line = published_sorted(out, a);
	if (out->exists && !published_check_lines(out, a, e))
		return false;
	if (g && git_head(g) && !check_dates(out, g, a, e))
		return false;
	size_t committed = count_lines(str_sub(out->bytes, 0, out->parts.committed));
	out->committed = committed > 0 ? committed - 1 : 0;
	return true;
}

/* --- from line to line ----------------------------------------------------------------------- */

int published_by_name(const struct published *x, const struct published *y)
{
	int d = strcmp(x->page, y->page);
	return d ? d : strcmp(x->number, y->number);
}

int published_by_line(const void *a, const void *b)
{
	const struct published *x = *(const struct published *const *)a;
	const struct published *y = *(const struct published *const *)b;
	int d = published_by_name(x, y);
	return d ? d : x->line - y->line;
}

const struct published **published_sorted(const struct published_log *l, struct arena *a)
{
	if (l->by_line)
		return l->by_line;
	const struct published **line = ARENA_ARRAY(a, const struct published *, l->n + 1);
	for (size_t i = 0; i < l->n; i++)
		line[i] = &l->line[i];
	if (l->n)
		qsort(line, l->n, sizeof *line, published_by_line);
	return line;
}

/* Each part begins with a line that is no number, so a line stands a little before its number. */
const struct published *published_at(const struct published_log *l, int64_t line)
{
	enum { PARTS = 64 };
	size_t first = line > PARTS && (uint64_t)line <= l->n ? (size_t)line - PARTS : 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct published *p = &l->line[(first + i) % l->n];
		if (p->line == line && p->text)
			return p;
	}
	return NULL;
}

/* Two branches may have changed a number independently, so any earlier line will do. */
static bool was_so(const struct published *const *line, size_t n, const char *text)
{
	for (size_t i = n; i-- > 0;)
		if (line[i]->text && strcmp(line[i]->text, text) == 0)
			return true;
	return false;
}

/* The error in the last of n lines of one number, or NULL. */
static const char *why_wrong(const struct published *const *line, size_t n, struct arena *a)
{
	const struct published *x = line[n - 1], *y = n > 1 ? line[n - 2] : NULL;
	if (x->was && !was_so(line, n - 1, x->was))
		return arena_printf(a, "says that it was '%s', which no line before says", x->was);
	if (!x->reason && x->text && y && y->text && strcmp(x->text, y->text) != 0 &&
	    published_same_basis(y, x))
		return arena_printf(a,
		                    "says '%s', and %s:%d '%s', from the same %s, expected a "
		                    "reason",
		                    x->text, y->at.path, y->at.line, y->text,
		                    x->run ? "run and formatter" : "formatter");
	return NULL;
}

bool published_check_lines(const struct published_log *l, struct arena *a, struct err *e)
{
	const struct published **line = published_sorted(l, a);
	for (size_t from = 0, to; from < l->n; from = to) {
		const char *wrong = NULL;
		struct loc at = {0};
		for (to = from; to < l->n && published_by_name(line[to], line[from]) == 0; to++) {
			const char *why = why_wrong(&line[from], to + 1 - from, a);
			wrong = line[to]->reason ? NULL : wrong;
			if (why) {
				wrong = why;
				at = line[to]->at;
			}
		}
		if (wrong)
			return rule_err(e, RULE_NOTED, at, "%s: %s", line[from]->number, wrong);
	}
	return true;
}
