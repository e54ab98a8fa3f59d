/*
 * A table of times, RFC 4180: a head, then a value a line. The column `name` says what was timed,
 * `time_ns`, `time_us`, `time_ms` or `time_s` how long it took. Lines of equal `process` were
 * measured in one process; without that column all lines of a case were. Any other column is a
 * parameter.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "runner/foreign/inner.h"

enum { MOST_COLUMNS = RECORD_MAX_PARAMS + 3 };

struct cell {
	struct str text; /* without quotes */
	struct loc at;
};

struct table {
	struct foreign_in *in;
	size_t at;     /* in the text */
	int line, col; /* of it */
	struct cell head[MOST_COLUMNS];
	size_t columns;
	size_t name, time, process; /* columns; MOST_COLUMNS: there is none */
	double unit;
};

/* Moves on by n bytes, which hold no line break. */
static void step(struct table *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		t->col += (t->in->text.p[t->at + i] & 0xc0) != 0x80; /* not a later byte of UTF-8 */
	t->at += n;
}

static bool quoted(struct table *t, struct cell *c)
{
	struct str s = t->in->text;
	struct sb b = {0};
	step(t, 1);
	while (t->at < s.n && s.p[t->at] != '\n') {
		if (s.p[t->at] == '"' && (t->at + 1 == s.n || s.p[t->at + 1] != '"')) {
			step(t, 1);
			c->text = str_of(sb_take(t->in->a, &b));
			return true;
		}
		step(t, s.p[t->at] == '"');
		sb_char(&b, s.p[t->at]);
		step(t, 1);
	}
	sb_free(&b);
	return err_at(t->in->e, c->at, "a quoted cell without its end on this line");
}

static bool at_end(const struct table *t)
{
	struct str s = t->in->text;
	return t->at >= s.n || s.p[t->at] == '\n' || s.p[t->at] == '\r';
}

/* The cells of a line; *n is 0 for an empty one. */
static bool read_cells(struct table *t, struct cell *cell, size_t *n)
{
	struct str s = t->in->text;
	for (*n = 0; !at_end(t) || *n > 0;) {
		if (*n == MOST_COLUMNS)
			return err_at(t->in->e, (struct loc){t->in->path, t->line, t->col},
			              "more than %d columns", MOST_COLUMNS);
		struct cell *c = &cell[(*n)++];
		*c = (struct cell){.at = {t->in->path, t->line, t->col}};
		size_t from = t->at;
		if (t->at < s.n && s.p[t->at] == '"') {
			if (!quoted(t, c))
				return false;
		} else {
			while (!at_end(t) && s.p[t->at] != ',')
				step(t, 1);
			c->text = str_trim(str_sub(s, from, t->at));
		}
		if (t->at >= s.n || s.p[t->at] != ',')
			break;
		step(t, 1);
	}
	return at_end(t) || err_at(t->in->e, (struct loc){t->in->path, t->line, t->col},
	                           "text behind a quoted cell, expected a comma");
}

static void next_line(struct table *t)
{
	struct str s = t->in->text;
	t->at += t->at < s.n && s.p[t->at] == '\r';
	t->at += t->at < s.n && s.p[t->at] == '\n';
	t->line++;
	t->col = 1;
}

/* Finds the columns with a meaning of their own. */
static bool read_head(struct table *t)
{
	static const struct {
		const char *name;
		double unit;
	} times[] = {{"time_ns", 1e-9}, {"time_us", 1e-6}, {"time_ms", 1e-3}, {"time_s", 1}};
	if (!read_cells(t, t->head, &t->columns))
		return false;
	t->name = t->time = t->process = MOST_COLUMNS;
	for (size_t i = 0; i < t->columns; i++) {
		struct str s = t->head[i].text;
		t->name = str_is(s, "name") ? i : t->name;
		t->process = str_is(s, "process") ? i : t->process;
		for (size_t k = 0; k < ARRAY_LEN(times); k++)
			if (str_is(s, times[k].name)) {
				t->time = i;
				t->unit = times[k].unit;
			}
	}
	return (t->name < MOST_COLUMNS && t->time < MOST_COLUMNS) ||
	       err_at(t->in->e, (struct loc){t->in->path, 1, 1},
	              "the head has no column '%s'; expected name, and time_ns, time_us, time_ms "
	              "or time_s",
	              t->name < MOST_COLUMNS ? "time_…" : "name");
}

static bool make_case(struct table *t, const struct cell *cell, struct foreign_case *c)
{
	for (size_t i = 0; i < t->columns; i++)
		if (i != t->name && i != t->time && i != t->process &&
		    !foreign_param(t->in, cell[i].at, c, t->head[i].text, cell[i].text))
			return false;
	return true;
}

/* The case of a line: an earlier one with the same name and parameters, or a new one. */
static bool case_of(struct table *t, const struct cell *cell, size_t *out)
{
	struct foreign *f = t->in->out;
	struct foreign_case *c;
	const char *title = str_dup(t->in->a, cell[t->name].text);
	if (!foreign_case(t->in, cell[t->name].at, title, str_of(title), &c) ||
	    !make_case(t, cell, c))
		return false;
	*out = f->n - 1;
	for (size_t i = 0; i + 1 < f->n; i++)
		if (strcmp(f->c[i].title, title) == 0 && foreign_same(&f->c[i], c)) {
			f->n--;
			*out = i;
			break;
		}
	return true;
}

/* A value of a line, before the values of a process are gathered. */
struct value {
	size_t of; /* its case */
	const char *process;
	double seconds;
	struct loc at;
};

struct values {
	struct value *v;
	size_t n, cap;
};

static bool read_line(struct table *t, struct values *all)
{
	struct cell cell[MOST_COLUMNS];
	size_t n;
	struct value v = {.process = ""};
	char *end;
	if (!read_cells(t, cell, &n) || n == 0)
		return n == 0 && !t->in->e->set;
	if (n != t->columns)
		return err_at(t->in->e, cell[n - 1].at, "%zu cells, expected %zu as in the head", n,
		              t->columns);
	const struct cell *time = &cell[t->time];
	const char *text = str_dup(t->in->a, time->text);
	v.seconds = strtod(text, &end) * t->unit;
	v.at = time->at;
	if (!*text || *end)
		return err_at(t->in->e, time->at, "'%s' is no number, expected a time", text);
	if (t->process < MOST_COLUMNS)
		v.process = str_dup(t->in->a, cell[t->process].text);
	if (!case_of(t, cell, &v.of))
		return false;
	all->v = arena_grow(t->in->a, all->v, all->n, &all->cap, sizeof v);
	all->v[all->n++] = v;
	return true;
}

/* Gives each case its processes, in the order in which they first occur. */
static bool gather(struct table *t, const struct values *all, size_t of)
{
	struct foreign_case *c = &t->in->out->c[of];
	bool *taken = ARENA_ARRAY(t->in->a, bool, all->n);
	c->idea = t->process < MOST_COLUMNS
	                  ? "Each value is as its author wrote it down, with its process."
	                  : "Each value is as its author wrote it down, in one process.";
	for (size_t i = 0; i < all->n; i++) {
		if (all->v[i].of != of || taken[i])
			continue;
		struct foreign_process *p = foreign_process(t->in, c, all->n - i);
		for (size_t k = i; k < all->n; k++) {
			const struct value *v = &all->v[k];
			if (v->of != of || strcmp(v->process, all->v[i].process) != 0)
				continue;
			taken[k] = true;
			if (!foreign_value(t->in, v->at, p, v->seconds))
				return false;
		}
	}
	return true;
}

bool foreign_csv(struct foreign_in *in)
{
	struct table t = {.in = in, .line = 1, .col = 1};
	struct values all = {0};
	if (!read_head(&t))
		return false;
	for (next_line(&t); t.at < in->text.n; next_line(&t))
		if (!read_line(&t, &all))
			return false;
	for (size_t i = 0; i < in->out->n; i++)
		if (!gather(&t, &all, i))
			return false;
	return true;
}
