#include "site-gen/files/figure_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "site-gen/kinds/kinds.h"

/* A quantity of the figure: "bandwidth", "bandwidth of hbm". */
struct column {
	const char *name, *unit;
	bool against; /* compares with another case, which a column names */
	bool cards;   /* over cards, which a column counts */
};

/* A case of the figure; numbers[c] is its number in column c, or NULL. */
struct row {
	const struct number *of; /* any of its numbers, for the pick */
	const struct number **numbers;
};

struct sheet {
	struct arena *a;
	struct column *column;
	struct row *row;
	size_t ncolumns, nrows;
	const char **param; /* parameter names, in the order of the cases */
	size_t nparams;
};

/* --- gathering ------------------------------------------------------------------- */

static struct column own_column(const struct number *n, struct arena *a)
{
	const char *m = metric_info(n->metric)->name;
	switch (n->kind) {
	case NUMBER_VALUE:
		break;
	case NUMBER_RATIO:
		return (struct column){arena_printf(a, "%s ratio", m), "1", true, false};
	case NUMBER_SHARE_SPEC:
		return (struct column){arena_printf(a, "%s of %s", m, n->peak->key), "%", false,
		                       false};
	case NUMBER_SHARE_MEASURED:
		return (struct column){arena_printf(a, "%s of measured", m), "%", true, false};
	}
	return (struct column){m, n->si, false, false};
}

static struct column column_of(const struct number *n, struct arena *a)
{
	struct column c = own_column(n, a);
	c.cards = n->cards;
	if (n->cards)
		c.name = arena_printf(a, "%s over cards", c.name);
	return c;
}

static size_t find_column(struct sheet *s, const struct number *n)
{
	struct column c = column_of(n, s->a);
	for (size_t i = 0; i < s->ncolumns; i++)
		if (strcmp(s->column[i].name, c.name) == 0)
			return i;
	s->column[s->ncolumns] = c;
	return s->ncolumns++;
}

/* Finds or adds a row. A case has one row, unless it is compared with several others. */
static struct row *find_row(struct sheet *s, const struct number *n, size_t column)
{
	for (size_t i = 0; i < s->nrows; i++) {
		struct row *r = &s->row[i];
		const struct number *there = r->numbers[column];
		if (r->of->pick.d == n->pick.d && (!there || there->over.d == n->over.d))
			return r;
	}
	struct row *r = &s->row[s->nrows++];
	*r = (struct row){n, ARENA_ARRAY(s->a, const struct number *, s->ncolumns)};
	return r;
}

static void add_params(struct sheet *s, const struct run_case *c)
{
	for (size_t i = 0; i < c->nparams; i++) {
		size_t k = 0;
		while (k < s->nparams && strcmp(s->param[k], c->param[i].name) != 0)
			k++;
		if (k == s->nparams)
			s->param[s->nparams++] = c->param[i].name;
	}
}

static void gather(struct sheet *s, const struct quote *quotes, int figure)
{
	size_t n = 0;
	for (const struct quote *q = quotes; q; q = q->next)
		n += q->figure == figure;
	s->column = ARENA_ARRAY(s->a, struct column, n);
	s->row = ARENA_ARRAY(s->a, struct row, n);
	s->param = ARENA_ARRAY(s->a, const char *, n *RECORD_MAX_PARAMS);
	for (const struct quote *q = quotes; q; q = q->next)
		if (q->figure == figure)
			find_column(s, &q->n);
	for (const struct quote *q = quotes; q; q = q->next) {
		if (q->figure != figure)
			continue;
		size_t column = find_column(s, &q->n);
		find_row(s, &q->n, column)->numbers[column] = &q->n;
		add_params(s, q->n.pick.d->c);
	}
}

/* --- writing --------------------------------------------------------------------- */

/* field = plain text | '"' { char | '""' } '"' */
static void put(struct sb *to, const char *sep, const char *text)
{
	sb_cstr(to, sep);
	if (!strpbrk(text, ",\"\r\n")) {
		sb_cstr(to, text);
		return;
	}
	sb_char(to, '"');
	for (; *text; text++) {
		if (*text == '"')
			sb_char(to, '"');
		sb_char(to, *text);
	}
	sb_char(to, '"');
}

/* Writes the shortest text that reads back as the same number. */
static void put_number(struct sb *to, double v)
{
	char text[40];
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	put(to, ",", text);
}

static void head(const struct sheet *s, struct sb *to)
{
	put(to, "", "device");
	put(to, ",", "case");
	put(to, ",", "variant");
	for (size_t i = 0; i < s->nparams; i++)
		put(to, ",", s->param[i]);
	put(to, ",", "dtype");
	put(to, ",", "cache");
	put(to, ",", "run");
	put(to, ",", "launches");
	put(to, ",", "state");
	for (size_t i = 0; i < s->ncolumns; i++) {
		const struct column *c = &s->column[i];
		put(to, ",", arena_printf(s->a, "%s (%s)", c->name, c->unit));
		put(to, ",", arena_printf(s->a, "%s low (%s)", c->name, c->unit));
		put(to, ",", arena_printf(s->a, "%s high (%s)", c->name, c->unit));
		if (c->against)
			put(to, ",", arena_printf(s->a, "%s: against", c->name));
		if (c->cards)
			put(to, ",", arena_printf(s->a, "%s: cards", c->name));
	}
	sb_cstr(to, "\r\n");
}

static const char *param_text(const struct run_case *c, const char *name, struct arena *a)
{
	const struct run_pair *p = record_param(c, name);
	if (!p)
		return "";
	return p->word ? p->word : arena_printf(a, "%lld", (long long)p->num);
}

static void put_cell(const struct sheet *s, const struct column *c, const struct number *n,
                     struct sb *to)
{
	if (!n) {
		sb_printf(to, ",,,%s%s", c->against ? "," : "", c->cards ? "," : "");
		return;
	}
	put_number(to, n->value);
	put_number(to, n->lo);
	put_number(to, n->hi);
	if (c->against)
		put(to, ",",
		    arena_printf(s->a, "%s %s (run %s)", n->over.run->run.head.device,
		                 n->over.d->c->id, n->over.run->run.head.id));
	if (c->cards)
		sb_printf(to, ",%zu", n->cards->ncards);
}

static void line(const struct sheet *s, const struct row *r, struct sb *to)
{
	const struct pick *p = &r->of->pick;
	const struct run_case *c = p->d->c;
	put(to, "", p->run->run.head.device);
	put(to, ",", c->id);
	put(to, ",", c->variant);
	for (size_t i = 0; i < s->nparams; i++)
		put(to, ",", param_text(c, s->param[i], s->a));
	put(to, ",", c->dtype);
	put(to, ",", c->cache);
	put(to, ",", p->run->run.head.id);
	sb_printf(to, ",%zu", p->d->time.launches);
	put(to, ",", data_state_name(r->of->cards ? number_case(r->of)->state : p->d->state));
	for (size_t i = 0; i < s->ncolumns; i++)
		put_cell(s, &s->column[i], r->numbers[i], to);
	sb_cstr(to, "\r\n");
}

void figure_csv(const struct quote *quotes, int figure, struct arena *a, struct sb *to)
{
	struct sheet s = {.a = a};
	gather(&s, quotes, figure);
	head(&s, to);
	for (size_t i = 0; i < s.nrows; i++)
		line(&s, &s.row[i], to);
}

/* --- the same by columns ---------------------------------------------------------- */

/* The cells of a table, row by row; a cell of the head is a column's name. */
struct cells {
	struct arena *a;
	struct str *cell;
	size_t n, cap, columns;
};

/* Takes a field of the CSV off its beginning; *last: it ends its line. */
static struct str take_field(struct cells *t, struct str *rest, bool *last)
{
	struct sb b = {0};
	size_t i = 0;
	bool quoted = rest->n && rest->p[0] == '"';
	for (i = quoted; i < rest->n; i++) {
		char c = rest->p[i];
		if (quoted && c == '"' && i + 1 < rest->n && rest->p[i + 1] == '"')
			i++;
		else if (quoted ? c == '"' : c == ',' || c == '\r')
			break;
		sb_char(&b, c);
	}
	i += quoted;
	*last = i >= rest->n || rest->p[i] == '\r';
	*rest = str_sub(*rest, i + (*last ? 2 : 1), rest->n); /* "," or CR LF */
	return str_of(sb_take(t->a, &b));
}

static void read_cells(struct cells *t, struct str csv)
{
	while (csv.n) {
		bool last;
		t->cell = arena_grow(t->a, t->cell, t->n, &t->cap, sizeof *t->cell);
		t->cell[t->n++] = take_field(t, &csv, &last);
		if (last && !t->columns)
			t->columns = t->n;
	}
}

static bool all_numbers(const struct cells *t, size_t column)
{
	double v;
	for (size_t i = t->columns + column; i < t->n; i += t->columns)
		if (t->cell[i].n && !str_f64(t->cell[i], &v))
			return false;
	return true;
}

void figure_csv_columns(const struct quote *quotes, int figure, struct arena *a, struct sb *to)
{
	struct cells t = {.a = a};
	struct sb csv = {0};
	figure_csv(quotes, figure, a, &csv);
	read_cells(&t, sb_view(&csv));
	sb_cstr(to, "{\"schema\":\"" FIGURE_TABLE_SCHEMA "\",\"columns\":{");
	for (size_t c = 0; c < t.columns; c++) {
		bool numbers = all_numbers(&t, c);
		sb_cstr(to, c ? "],\n" : "\n");
		json_quote(to, t.cell[c]);
		sb_cstr(to, ":[");
		for (size_t i = t.columns + c; i < t.n; i += t.columns) {
			sb_cstr(to, i > t.columns + c ? "," : "");
			if (!t.cell[i].n)
				sb_cstr(to, "null");
			else if (numbers)
				sb_str(to, t.cell[i]);
			else
				json_quote(to, t.cell[i]);
		}
	}
	sb_cstr(to, "]}}\n");
	sb_free(&csv);
}
