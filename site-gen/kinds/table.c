/* table: exact values as a pivot table. */
#include <stdio.h>
#include <string.h>

#include "lib/units.h"
#include "site-gen/base/html.h"
#include "site-gen/base/unicode.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/numbers/case.h"

static const char *const own_keys[] = {"metric", "rows", "cols", "over", "sort", NULL};

/* --- the pivot --- */

/* The value of a pivot key: a variant, a parameter, dtype or cache. */
static const char *pivot_value(const struct run_case *c, const char *key, struct arena *a)
{
	if (strcmp(key, "variant") == 0)
		return c->variant;
	const char *v = query_value(c, key, a);
	return v ? v : "";
}

struct pivot {
	const char *rows, *cols; /* cols NULL: one column */
	const struct pick **row; /* one pick for each distinct row value, in order */
	const struct pick **col;
	size_t nrows, ncols;
	bool sorts; /* readers can sort it */
};

static size_t distinct(const struct pick *picks, size_t n, const char *key, struct arena *a,
                       const struct pick **out)
{
	size_t count = 0;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < count && strcmp(pivot_value(out[k]->d->c, key, a),
		                           pivot_value(picks[i].d->c, key, a)) != 0)
			k++;
		if (k == count)
			out[count++] = &picks[i];
	}
	return count;
}

/* The pick of a cell; *many: the cell has several. */
static const struct pick *cell_of(const struct pivot *v, const struct pick *picks, size_t n,
                                  const struct run_case *row, const struct run_case *col,
                                  struct arena *a, bool *many)
{
	const struct pick *found = NULL;
	*many = false;
	for (size_t i = 0; i < n; i++) {
		const struct run_case *c = picks[i].d->c;
		if (strcmp(pivot_value(c, v->rows, a), pivot_value(row, v->rows, a)) != 0 ||
		    (v->cols &&
		     strcmp(pivot_value(c, v->cols, a), pivot_value(col, v->cols, a)) != 0))
			continue;
		*many = found != NULL;
		if (*many)
			return found;
		found = &picks[i];
	}
	return found;
}

static bool is_unique(const struct pivot *v, const struct pick *picks, size_t n, struct arena *a)
{
	for (size_t i = 0; i < n; i++) {
		bool many;
		cell_of(v, picks, n, picks[i].d->c, picks[i].d->c, a, &many);
		if (many)
			return false;
	}
	return true;
}

/* Chooses the column key: the author's, else the first that gives each case a cell of its own. */
static bool choose_cols(struct kind_call *k, struct pivot *v, const struct pick *picks, size_t n,
                        struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct str named = placeholder_key(k->p, "cols");
	size_t nkeys;
	const char **keys = query_keys(picks, n, a, &nkeys);
	if (named.p) {
		v->cols = str_dup(a, named);
	} else if (!is_unique(v, picks, n, a)) {
		for (size_t i = 0; i <= nkeys; i++) {
			v->cols = i < nkeys ? keys[i] : "variant";
			if (strcmp(v->cols, v->rows) != 0 && is_unique(v, picks, n, a))
				return true;
		}
		v->cols = NULL;
	}
	return is_unique(v, picks, n, a) ||
	       err_at(e, k->p->at,
	              "several cases fall into one cell of this table (rows=%s%s%s); say %s",
	              v->rows, v->cols ? ", cols=" : "", v->cols ? v->cols : "",
	              query_differs(k->ctx, picks, n));
}

static bool check_key(struct kind_call *k, const char *name, const char *key,
                      const struct pick *picks, size_t n, struct err *e)
{
	size_t nkeys;
	const char **keys = query_keys(picks, n, k->ctx->arena, &nkeys);
	struct sb all = {0};
	if (!key || strcmp(key, "variant") == 0)
		return true;
	for (size_t i = 0; i < nkeys; i++) {
		if (strcmp(keys[i], key) == 0) {
			sb_free(&all);
			return true;
		}
		sb_printf(&all, ", %s", keys[i]);
	}
	err_at(e, placeholder_loc(k->p, placeholder_key(k->p, name)),
	       "'%s' is no key of these cases, expected variant%s", key, all.p);
	sb_free(&all);
	return false;
}

/* The value of a key, with powers set as powers: "2²⁸". */
static void put_value(const struct run_case *c, const char *key, struct arena *a, struct sb *to)
{
	struct sb set = {0};
	unicode_powers(&set, str_of(pivot_value(c, key, a)));
	html_text(to, sb_view(&set));
	sb_free(&set);
}

/* Does the head of its column name the key, so that a value alone says all? */
static bool has_axis(const struct kind_call *k, const char *key, const struct run_case *c)
{
	return strcmp(case_axis(k->ctx->words, c, key), key) != 0;
}

static void open_row(struct kind_call *k, const struct pivot *v, const struct run_case *c)
{
	int64_t size;
	html_raw(k->to, "<th scope=\"row\"");
	if (v->sorts && unit_parse_size(str_of(pivot_value(c, v->rows, k->ctx->arena)), &size))
		table_sorted(k->to, (double)size);
	sb_char(k->to, '>');
}

static void pivot_head(struct kind_call *k, const struct pivot *v, const struct run_case *c,
                       bool row)
{
	const char *key = row ? v->rows : v->cols;
	if (row)
		open_row(k, v, c);
	else
		table_head_open(k->to, "right", v->sorts);
	if (strcmp(key, "variant") == 0) {
		if (row)
			table_variant(c, k->ctx->words, k->to);
		else
			table_name(c, k->ctx->words, k->to);
	} else {
		const char *part = case_part(k->ctx->words, c, key, k->ctx->arena);
		if (!part || (row && has_axis(k, key, c)))
			put_value(c, key, k->ctx->arena, k->to);
		else
			html_text(k->to, str_of(part));
	}
	if (row)
		html_raw(k->to, "</th>");
	else
		table_head_close(k->to, v->sorts);
}

static const struct data_number *number_of_pick(const struct kind_call *k, const struct pick *p)
{
	return data_number_at(k->ctx->data, str_of(p->d->url));
}

/* Says why a case has no value over cards. */
static const char *why_no_cards(struct kind_call *k, const struct data_number *of)
{
	struct arena *a = k->ctx->arena;
	return of->ncards >= DATA_CARDS_LEAST ? words_get(k->ctx->words, "none_metric")
	                                      : words_fill(k->ctx->words, a, "none_cards",
	                                                   arena_printf(a, "%zu", of->ncards),
	                                                   arena_printf(a, "%d", DATA_CARDS_LEAST));
}

/* Sets the number of a cell and returns NULL; otherwise returns why the cell lacks one. */
static const char *cell_number(struct kind_call *k, const struct pick *p, enum metric m,
                               struct number *out)
{
	if (!p)
		return words_get(k->ctx->words, "none_measured");
	if (kind_over_cards(k) && !p->d->why_none) {
		const struct data_number *of = number_of_pick(k, p);
		return number_over_cards(of, m, out) ? NULL : why_no_cards(k, of);
	}
	if (number_of(p, m, out))
		return NULL;
	return p->d->why_none ? reason_text(k->ctx->words, &p->d->none, k->ctx->arena)
	                      : words_get(k->ctx->words, "none_metric");
}

static void pivot_cell(struct kind_call *k, const struct pivot *v, const struct pick *p,
                       enum metric m)
{
	struct number n;
	const char *none = cell_number(k, p, m, &n);
	html_raw(k->to, "<td class=\"right\"");
	if (v->sorts && !none)
		table_sorted(k->to, n.value);
	sb_char(k->to, '>');
	if (none)
		number_none(none, k->to);
	else
		table_number(k, &n);
	html_raw(k->to, "</td>");
}

static void pivot_heads(struct kind_call *k, const struct pivot *v, enum metric m)
{
	const struct words *w = k->ctx->words;
	const struct run_case *first = v->row[0]->d->c;
	html_raw(k->to, "<thead><tr>");
	table_head_open(k->to, "", v->sorts);
	html_text(k->to, str_of(strcmp(v->rows, "variant") == 0 ? words_label(w, "variant")
	                        : has_axis(k, v->rows, first)   ? case_axis(w, first, v->rows)
	                                                        : words_get(w, "head_case")));
	table_head_close(k->to, v->sorts);
	for (size_t c = 0; c < v->ncols; c++)
		pivot_head(k, v, v->col[c]->d->c, false);
	if (!v->cols) {
		table_head_open(k->to, "right", v->sorts);
		html_text(k->to, str_of(words_label(w, metric_info(m)->title)));
		table_head_close(k->to, v->sorts);
	}
	html_raw(k->to, "</tr></thead>");
}

static void pivot_print(struct kind_call *k, const struct pivot *v, const struct pick *picks,
                        size_t n, enum metric m)
{
	bool many;
	const char *what = words_label(k->ctx->words, metric_info(m)->name);
	if (kind_over_cards(k))
		what = words_fill(k->ctx->words, k->ctx->arena, "over_cards", what, NULL);
	block_open(k, block_caption(k, picks, n, what));
	table_open(k->to, v->sorts ? "pivot sorts" : "pivot");
	pivot_heads(k, v, m);
	html_raw(k->to, "<tbody>\n");
	for (size_t r = 0; r < v->nrows; r++) {
		const struct run_case *row = v->row[r]->d->c;
		html_raw(k->to, "<tr>");
		pivot_head(k, v, row, true);
		for (size_t c = 0; c < (v->cols ? v->ncols : 1); c++)
			pivot_cell(k, v,
			           cell_of(v, picks, n, row, v->cols ? v->col[c]->d->c : row,
			                   k->ctx->arena, &many),
			           m);
		html_raw(k->to, "</tr>\n");
	}
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	block_close(k);
}

static bool any_over_cards(const struct kind_call *k, const struct pick *picks, size_t n,
                           enum metric m)
{
	struct number ignored;
	for (size_t i = 0; i < n; i++)
		if (!picks[i].d->why_none &&
		    number_over_cards(number_of_pick(k, &picks[i]), m, &ignored))
			return true;
	return false;
}

bool kind_table_block(struct kind_call *k, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct pick *picks;
	size_t n;
	enum metric m;
	if (!number_check_cards(k->p, e) || !kind_picks(k, own_keys, &picks, &n, e) ||
	    !kind_metric(k, &picks[0], &m, e))
		return false;
	if (kind_over_cards(k) && !any_over_cards(k, picks, n, m))
		return err_at(e, placeholder_loc(k->p, placeholder_key(k->p, "over")),
		              "no case of this table was measured with the same machine code on "
		              "%d cards or more, as a value over cards needs",
		              DATA_CARDS_LEAST);
	struct str rows = placeholder_key(k->p, "rows"), sort = placeholder_key(k->p, "sort");
	if (sort.p && !str_is(sort, "yes"))
		return err_at(e, placeholder_loc(k->p, sort), "sort=" STR_FMT ", expected yes",
		              STR_ARG(sort));
	struct pivot v = {.rows = rows.p ? str_dup(a, rows) : "variant", .sorts = sort.p};
	if (!check_key(k, "rows", v.rows, picks, n, e) || !choose_cols(k, &v, picks, n, e) ||
	    !check_key(k, "cols", v.cols, picks, n, e))
		return false;
	v.row = ARENA_ARRAY(a, const struct pick *, n);
	v.col = ARENA_ARRAY(a, const struct pick *, n);
	v.nrows = distinct(picks, n, v.rows, a, v.row);
	v.ncols = v.cols ? distinct(picks, n, v.cols, a, v.col) : 0;
	pivot_print(k, &v, picks, n, m);
	return true;
}
