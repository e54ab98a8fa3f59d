/* The log of published numbers: its lines, its file, its history. */
#include "site-gen/numbers/published.h"

#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "lib/json.h"
#include "site-gen/base/unicode.h"
#include "site-gen/numbers/number.h"
#include "site-gen/base/rules.h"

enum { MAX_LOG_BYTES = 64 << 20, MAX_STAMP_BYTES = 256 };

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

/* --- the file ------------------------------------------------------------------------------ */

static size_t count_lines(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == '\n';
	return n;
}

static bool read_log(struct str bytes, struct arena *a, struct published_log *out, struct err *e)
{
	struct str line, rest = bytes;
	int number = 1;
	if (bytes.n == 0 || bytes.p[bytes.n - 1] != '\n')
		return err_set(e, PUBLISHED_PATH ": the last line is cut off, expected a newline");
	if (!str_cut(bytes, '\n', &line, &rest) || !str_is(line, HEAD_LINE))
		return err_at(e, (struct loc){PUBLISHED_PATH, 1, 1},
		              "'" STR_FMT "', expected " HEAD_LINE, STR_ARG(line));
	out->line = ARENA_ARRAY(a, struct published, count_lines(bytes));
	while (rest.n > 0) {
		str_cut(rest, '\n', &line, &rest);
		if (!published_read(line, ++number, PUBLISHED_PATH, a, &out->line[out->n++], e))
			return false;
	}
	return true;
}

static bool begins_with(struct str s, struct str head)
{
	return s.n >= head.n && memcmp(s.p, head.p, head.n) == 0;
}

/* The log in HEAD, empty if it has none. */
static bool head_bytes(struct git *g, struct arena *a, struct str *out, struct err *e)
{
	const char *blob = g ? git_blob_at(g, NULL, PUBLISHED_PATH, a) : NULL;
	bool found = true;
	*out = (struct str){"", 0};
	if (blob && !git_bytes(g, blob, a, out, &found, e))
		return false;
	return found || err_set(e, PUBLISHED_PATH ": its blob %s is not in this clone", blob);
}

struct str published_bytes(const struct published_log *l)
{
	return l->exists ? l->bytes : STR("{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n");
}

bool published_load(struct git *g, struct arena *a, struct published_log *out, struct err *e)
{
	struct str head, work;
	*out = (struct published_log){0};
	if (!head_bytes(g, a, &head, e))
		return false;
	work = head;
	if (file_exists(PUBLISHED_PATH)) {
		if (!file_read(PUBLISHED_PATH, MAX_LOG_BYTES, a, &work, e))
			return false;
		if (!begins_with(work, head))
			return rule_err(e, RULE_NOTED, (struct loc){.path = PUBLISHED_PATH},
			                "does not begin with what HEAD has; lines are only ever "
			                "added: restore it with 'git checkout HEAD -- %s'",
			                PUBLISHED_PATH);
	}
	out->bytes = work;
	out->exists = work.n > 0;
	if (out->exists && (!read_log(work, a, out, e) || !published_check_lines(out, a, e)))
		return false;
	out->committed = head.n ? count_lines(head) - 1 : 0;
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
		                    "says '%s', and line %d '%s', from the same %s, expected a "
		                    "reason",
		                    x->text, y->line, y->text,
		                    x->run ? "run and formatter" : "formatter");
	return NULL;
}

bool published_check_lines(const struct published_log *l, struct arena *a, struct err *e)
{
	const struct published **line = ARENA_ARRAY(a, const struct published *, l->n + 1);
	for (size_t i = 0; i < l->n; i++)
		line[i] = &l->line[i];
	if (l->n)
		qsort(line, l->n, sizeof *line, published_by_line);
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

/* --- history ------------------------------------------------------------------------------- */

/* Does `whole` have every line of `part`, in the same order? */
static bool has_lines(struct str whole, struct str part)
{
	struct str want, have;
	while (part.n > 0) {
		str_cut(part, '\n', &want, &part);
		do {
			if (whole.n == 0)
				return false;
			str_cut(whole, '\n', &have, &whole);
		} while (!str_eq(want, have));
	}
	return true;
}

static bool history_bytes(struct git *g, const char *blob, struct arena *a, struct str *out,
                          struct err *e)
{
	bool found = true;
	*out = (struct str){"", 0};
	if (blob && !git_bytes(g, blob, a, out, &found, e))
		return false;
	return found || err_set(e, PUBLISHED_PATH ": its blob %s is not in this clone", blob);
}

static bool both_bytes(struct git *g, const struct git_change *c, struct arena *a,
                       struct str *before, struct str *after, struct err *e)
{
	return history_bytes(g, c->before, a, before, e) && history_bytes(g, c->after, a, after, e);
}

/*
 * Git lists a merge once for each parent that it differs from. Listed once, it
 * equals its other parent. Listed twice, it must begin with the log of one of
 * them. A parent without a log does not count, since any text begins with it.
 */
static bool begins_with_a_side(struct git *g, const struct git_history *h, size_t i,
                               struct arena *a, bool *out, struct err *e)
{
	size_t sides = 0, logs = 0;
	*out = false;
	for (size_t k = 0; k < h->n; k++) {
		struct str before, after;
		if (strcmp(h->change[k].commit, h->change[i].commit) != 0 ||
		    strcmp(h->change[k].path, PUBLISHED_PATH) != 0)
			continue;
		if (!both_bytes(g, &h->change[k], a, &before, &after, e))
			return false;
		*out = *out || (before.n > 0 && begins_with(after, before));
		logs += before.n > 0;
		sides++;
	}
	*out = *out || sides == 1 || logs == 0;
	return true;
}

static bool check_change(struct git *g, const struct git_history *h, size_t i, struct arena *a,
                         struct err *e)
{
	const struct git_change *c = &h->change[i];
	struct str before, after;
	bool begins = true;
	if (!both_bytes(g, c, a, &before, &after, e) ||
	    (c->merge && !begins_with_a_side(g, h, i, a, &begins, e)))
		return false;
	bool fine = c->merge ? begins && has_lines(after, before) : begins_with(after, before);
	return fine ||
	       rule_err(e, RULE_NOTED, (struct loc){.path = PUBLISHED_PATH},
	                "commit %.12s %s; the log of published numbers only ever grows", c->commit,
	                c->after ? "changed or removed lines of it" : "removed it");
}

/* The file that names the last HEAD whose history passed. */
static const char *stamp_path(const char *cache, struct arena *a)
{
	return arena_printf(a, "%s/noted", cache);
}

static bool stamp_is(const char *cache, const char *head, struct arena *a)
{
	struct err ignored = ERR_NONE;
	struct str said;
	return cache && file_exists(stamp_path(cache, a)) &&
	       file_read(stamp_path(cache, a), MAX_STAMP_BYTES, a, &said, &ignored) &&
	       str_is(said, head);
}

bool published_check_history(const struct data *d, const char *cache, struct arena *a,
                             struct err *e)
{
	const char *head = d->git ? git_head(d->git) : NULL;
	if (!head || stamp_is(cache, head, a))
		return true;
	for (size_t i = 0; i < d->history.n; i++)
		if (strcmp(d->history.change[i].path, PUBLISHED_PATH) == 0 &&
		    !check_change(d->git, &d->history, i, a, e))
			return false;
	return !cache || file_write(stamp_path(cache, a), str_of(head), e);
}
