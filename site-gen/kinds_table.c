/* table: exact values as a pivot; and the parts that other tables share. */
#include <stdio.h>
#include <string.h>

#include "site-gen/html.h"
#include "site-gen/kinds.h"

static const char *const own_keys[] = {"metric", "rows", "cols", NULL};

/* --- shared parts --- */

void table_open(struct sb *to, const char *classes)
{
	html_raw(to, "<div class=\"scroll\" tabindex=\"0\"><table class=\"numbers");
	if (*classes) {
		html_raw(to, " ");
		html_raw(to, classes);
	}
	html_raw(to, "\">\n");
}

void table_close(struct sb *to)
{
	html_raw(to, "</table></div>\n");
}

void table_cell(struct sb *to, const char *classes, const char *label)
{
	html_raw(to, "<td class=\"");
	html_raw(to, classes);
	html_raw(to, "\" data-label=\"");
	html_attr(to, str_of(label));
	html_raw(to, "\">");
}

void table_number(struct kind_call *k, const struct number *n)
{
	number_link(k->ctx, n, "",
	            arena_printf(k->ctx->arena, "%s, %s", n->pick.d->c->id,
	                         words_label(k->ctx->words, metric_info(n->metric)->name)),
	            k->to);
	number_interval(n, k->to);
}

void table_state(const struct data_case *d, struct sb *to)
{
	html_raw(to, "<td class=\"left\">");
	if (d->state != DATA_OK) {
		html_raw(to, "<span class=\"state\" data-state=\"");
		html_attr(to, str_of(data_state_name(d->state)));
		html_raw(to, "\" title=\"");
		html_attr(to, str_of(d->why_state));
		html_raw(to, "\">");
		html_text(to, str_of(data_state_name(d->state)));
		html_raw(to, "</span>");
	}
	html_raw(to, "</td>");
}

void link_inside(const struct expand_ctx *ctx, const char *url, const char *text, struct sb *to)
{
	html_raw(to, "<a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(url));
	html_raw(to, "\">");
	html_text(to, str_of(text));
	html_raw(to, "</a>");
}

/* <span class="…" lang="…">, the text of a record; its caller ends it. */
static void open_said(const char *classes, const char *recorded, const struct words *w,
                      struct sb *to)
{
	struct words_said s = words_said(w, recorded);
	sb_printf(to, "<span class=\"%s\"%s>", classes, s.lang);
	html_text(to, str_of(s.text));
}

void table_variant(const struct run_case *c, bool idea, const struct words *w, struct sb *to)
{
	html_raw(to, "<span class=\"swatch s-");
	sb_printf(to, "%d", case_colour(c));
	html_raw(to, "\"></span>");
	open_said("step-title", c->variant_title, w, to);
	html_raw(to, " <code>");
	html_text(to, str_of(c->variant));
	html_raw(to, "</code></span>");
	if (idea) {
		open_said("idea", c->idea, w, to);
		html_raw(to, "</span>");
	}
}

static bool is_common(const struct pick *picks, size_t n, const char *key, struct arena *a)
{
	const char *v = query_value(picks[0].d->c, key, a);
	for (size_t i = 1; v && i < n; i++) {
		const char *w = query_value(picks[i].d->c, key, a);
		if (!w || strcmp(v, w) != 0)
			return false;
	}
	return v != NULL;
}

/* "rows = 4096", or the word alone where the value is one. */
static void key_words(const struct run_case *c, const char *key, const char *v, struct sb *to)
{
	const struct run_pair *p = record_param(c, key);
	if (p && !p->word)
		sb_printf(to, "%s\xC2\xA0=\xC2\xA0", key);
	sb_cstr(to, v);
}

/* What all picks have in common: "rows = 4096, f32, cold". */
static void common_words(struct kind_call *k, const struct pick *picks, size_t n, struct sb *to)
{
	size_t nkeys;
	const char **keys = query_keys(picks, n, k->ctx->arena, &nkeys);
	const char *sep = words_get(k->ctx->words, "semicolon");
	for (size_t i = 0; i < nkeys; i++) {
		if (!is_common(picks, n, keys[i], k->ctx->arena))
			continue;
		sb_cstr(to, sep);
		key_words(picks[0].d->c, keys[i],
		          query_value(picks[0].d->c, keys[i], k->ctx->arena), to);
		sep = ", ";
	}
}

const char *block_own_words(struct kind_call *k, const struct pick *picks, size_t n, size_t own)
{
	size_t nkeys;
	const char **keys = query_keys(picks, n, k->ctx->arena, &nkeys);
	const struct run_case *c = picks[own].d->c;
	struct sb text = {0};
	for (size_t i = 0; i < nkeys; i++) {
		const char *v = query_value(c, keys[i], k->ctx->arena);
		if (!v || is_common(picks, n, keys[i], k->ctx->arena))
			continue;
		sb_cstr(&text, text.n ? ", " : "");
		key_words(c, keys[i], v, &text);
	}
	const char *out = arena_strndup(k->ctx->arena, text.p ? text.p : "", text.n);
	sb_free(&text);
	return out;
}

static bool run_seen(const struct pick *picks, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (picks[k].run == picks[i].run)
			return true;
	return false;
}

/* "run of 2026-01-31"; of a day that was named already, the time alone: ", 14:05". */
static void run_link(struct kind_call *k, const struct pick *picks, size_t i, struct sb *to)
{
	const struct run *r = &picks[i].run->run;
	const char *date = run_date(r, k->ctx->arena);
	bool seen = false;
	for (size_t m = 0; m < i && !seen; m++)
		seen = strcmp(run_date(&picks[m].run->run, k->ctx->arena), date) == 0;
	sb_cstr(to, i ? words_get(k->ctx->words, "comma") : "");
	link_inside(k->ctx, picks[i].run->url,
	            seen ? arena_strndup(k->ctx->arena, r->head.start + strlen("2026-01-31T"), 5)
	                 : words_fill(k->ctx->words, k->ctx->arena, "run_of", date, NULL),
	            to);
}

/* Where another device has measured any of these cases: its part of the family's page. */
static void put_elsewhere(struct kind_call *k, const struct pick *picks, size_t n, struct sb *to)
{
	const struct data *d = k->ctx->data;
	size_t shown = 0;
	if (data_is_instrument(picks[0].d->c->family))
		return;
	for (size_t i = 0; i < d->ndevices; i++) {
		bool here = false;
		for (size_t p = 0; p < n && !here; p++)
			here = data_number_on(d, d->devices[i], picks[p].d, k->ctx->arena) != NULL;
		if (!here || strcmp(d->devices[i], picks[0].run->run.head.device) == 0)
			continue;
		html_raw(to, shown ? "" : " ");
		html_text(to, str_of(words_get(k->ctx->words, shown ? "comma" : "also_on")));
		html_raw(to, shown++ ? "" : " ");
		link_inside(
		        k->ctx,
		        data_family_part(d, picks[0].d->c->family, d->devices[i], k->ctx->arena),
		        d->devices[i], to);
	}
	if (shown)
		html_text(to, str_of(words_get(k->ctx->words, "stop")));
}

const char *block_caption(struct kind_call *k, const struct pick *picks, size_t n, const char *what)
{
	struct sb text = {0}, html = {0};
	const struct run_head *h = &picks[0].run->run.head;
	const struct words *w = k->ctx->words;
	struct words_said family = words_said(w, picks[0].d->c->family_title);
	sb_printf(&html, *family.lang ? "<span%s>" : "%s", family.lang);
	html_text(&html, str_of(family.text));
	html_raw(&html, *family.lang ? "</span>" : "");
	sb_printf(&text, "%s%s", words_get(w, "colon"), what);
	common_words(k, picks, n, &text);
	sb_printf(&text, "%s%s%s", words_get(w, "stop_next"),
	          h->gpu.name ? h->gpu.name : h->machine.cpu, words_get(w, "comma"));
	html_text(&html, sb_view(&text));
	for (size_t i = 0; i < n; i++)
		if (!run_seen(picks, i))
			run_link(k, picks, i, &html);
	html_text(&html, str_of(words_get(w, "stop")));
	put_elsewhere(k, picks, n, &html);
	const char *out = arena_strndup(k->ctx->arena, html.p, html.n);
	sb_free(&text);
	sb_free(&html);
	return out;
}

/* A column: the class says what it is, for a program that reads only the page. */
static const struct exact_column {
	const char *classes, *head;
} exact_columns[] = {
        {"right exact-interval", "head_interval"},
        {"right exact-time", "head_time_interval"},
        {"right exact-samples", "head_samples"},
        {"right exact-between", "head_between"},
        {"right exact-launches", "head_launches_samples"},
};
enum { COL_INTERVAL, COL_TIME, COL_SAMPLES, COL_BETWEEN, COL_LAUNCHES, EXACT_COLUMNS };

static void cell_open(struct kind_call *k, int column)
{
	table_cell(k->to, exact_columns[column].classes,
	           words_get(k->ctx->words, exact_columns[column].head));
}

static void cell_text(struct kind_call *k, int column, const char *s)
{
	cell_open(k, column);
	html_text(k->to, str_of(s));
	html_raw(k->to, "</td>");
}

/* "237.4–237.6 µs": lo and hi with the digits of their distance. */
static void cell_range(struct kind_call *k, int column, double lo, double hi, const char *si)
{
	struct sb *to = k->to;
	struct unit_text a, b;
	unit_format(lo, (hi - lo) / 2, si, &a);
	unit_format_as(hi, a.scale, a.decimals, a.unit, &b);
	cell_open(k, column);
	html_text(to, str_of(a.number));
	if (strcmp(a.number, b.number) != 0) {
		html_raw(to, "–");
		html_text(to, str_of(b.number));
	}
	html_raw(to, "\xC2\xA0");
	html_text(to, str_of(a.unit));
	html_raw(to, "</td>");
}

static void exact_row(struct kind_call *k, const struct pick *p, enum metric m)
{
	struct number n;
	const struct stats_summary *t = &p->d->time;
	char text[64];
	html_raw(k->to, "<tr><th scope=\"row\"><code>");
	html_text(k->to, str_of(p->d->c->variant));
	html_raw(k->to, "</code> ");
	html_text(k->to, str_of(case_words(p->d->c, k->ctx->arena)));
	html_raw(k->to, "</th>");
	if (!number_of(p, m, &n)) {
		html_raw(k->to, "<td colspan=\"6\">");
		html_text(k->to, str_of(p->d->why_none ? p->d->why_none
		                                       : words_get(k->ctx->words, "none_metric")));
		html_raw(k->to, "</td></tr>\n");
		return;
	}
	table_cell(k->to, "right", words_label(k->ctx->words, metric_info(m)->title));
	number_link(k->ctx, &n, "", NULL, k->to);
	html_raw(k->to, "</td>");
	cell_range(k, COL_INTERVAL, n.lo, n.hi, n.si);
	cell_range(k, COL_TIME, t->lo, t->hi, "s");
	cell_range(k, COL_SAMPLES, t->p5, t->p95, "s");
	snprintf(text, sizeof text, "%.2f\xC2\xA0%%", 100 * t->between_sd);
	cell_text(k, COL_BETWEEN, text);
	snprintf(text, sizeof text, "%zu × %zu", t->launches, t->samples / t->launches);
	cell_text(k, COL_LAUNCHES, text);
	html_raw(k->to, "</tr>\n");
}

static void head_cell(struct sb *to, const char *text)
{
	html_raw(to, "<th scope=\"col\" class=\"right\">");
	html_text(to, str_of(text));
	html_raw(to, "</th>");
}

void block_exact(struct kind_call *k, const struct pick *picks, size_t n, enum metric m)
{
	const struct words *w = k->ctx->words;
	html_raw(k->to, "<details class=\"exact\"><summary>");
	html_text(k->to, str_of(words_get(w, "exact_values")));
	html_raw(k->to, "</summary>\n");
	table_open(k->to, "labelled stack");
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	html_text(k->to, str_of(words_get(w, "head_case")));
	html_raw(k->to, "</th>");
	head_cell(k->to, words_label(w, metric_info(m)->title));
	for (int i = 0; i < EXACT_COLUMNS; i++)
		head_cell(k->to, words_get(w, exact_columns[i].head));
	html_raw(k->to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		exact_row(k, &picks[i], m);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	html_raw(k->to, "</details>\n");
}

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

/* The pick of a cell; *many: there is more than one. */
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

/* A key must exist; keys that the author named win, else the first that separates all cases. */
static bool choose_cols(struct kind_call *k, struct pivot *v, const struct pick *picks, size_t n,
                        struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct str named = placeholder_key(k->p, "cols");
	size_t nkeys;
	const char **keys = query_keys(picks, n, a, &nkeys);
	if (named.p) {
		v->cols = arena_strndup(a, named.p, named.n);
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

static void pivot_head(struct kind_call *k, const char *key, const struct run_case *c, bool row)
{
	html_raw(k->to, row ? "<th scope=\"row\">" : "<th scope=\"col\" class=\"right\">");
	if (strcmp(key, "variant") == 0) {
		if (row)
			table_variant(c, false, k->ctx->words, k->to);
		else
			html_text(k->to, str_of(c->variant));
	} else {
		const struct run_pair *p = record_param(c, key);
		if (!row && p && !p->word) {
			html_text(k->to, str_of(key));
			html_raw(k->to, "\xC2\xA0=\xC2\xA0");
		}
		html_text(k->to, str_of(pivot_value(c, key, k->ctx->arena)));
	}
	html_raw(k->to, "</th>");
}

static void pivot_cell(struct kind_call *k, const struct pick *p, enum metric m)
{
	struct number n;
	html_raw(k->to, "<td class=\"right\">");
	if (!p) {
		number_none(words_get(k->ctx->words, "none_measured"), k->to);
	} else if (!number_of(p, m, &n)) {
		number_none(p->d->why_none ? p->d->why_none
		                           : words_get(k->ctx->words, "none_metric"),
		            k->to);
	} else {
		table_number(k, &n);
	}
	html_raw(k->to, "</td>");
}

static void pivot_print(struct kind_call *k, const struct pivot *v, const struct pick *picks,
                        size_t n, enum metric m)
{
	bool many;
	block_open(k, block_caption(k, picks, n, words_label(k->ctx->words, metric_info(m)->name)));
	table_open(k->to, "pivot");
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	/* the other keys are names of parameters */
	html_text(k->to,
	          str_of(strcmp(v->rows, "variant") == 0 ? words_label(k->ctx->words, "variant")
	                                                 : v->rows));
	html_raw(k->to, "</th>");
	for (size_t c = 0; c < v->ncols; c++)
		pivot_head(k, v->cols, v->col[c]->d->c, false);
	if (!v->cols) {
		html_raw(k->to, "<th scope=\"col\" class=\"right\">");
		html_text(k->to, str_of(words_label(k->ctx->words, metric_info(m)->title)));
		html_raw(k->to, "</th>");
	}
	html_raw(k->to, "</tr></thead><tbody>\n");
	for (size_t r = 0; r < v->nrows; r++) {
		const struct run_case *row = v->row[r]->d->c;
		html_raw(k->to, "<tr>");
		pivot_head(k, v->rows, row, true);
		for (size_t c = 0; c < (v->cols ? v->ncols : 1); c++)
			pivot_cell(k,
			           cell_of(v, picks, n, row, v->cols ? v->col[c]->d->c : row,
			                   k->ctx->arena, &many),
			           m);
		html_raw(k->to, "</tr>\n");
	}
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	block_close(k);
}

bool kind_table_block(struct kind_call *k, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct pick *picks;
	size_t n;
	enum metric m;
	if (!kind_picks(k, own_keys, &picks, &n, e) || !kind_metric(k, &picks[0], &m, e))
		return false;
	struct str rows = placeholder_key(k->p, "rows");
	struct pivot v = {.rows = rows.p ? arena_strndup(a, rows.p, rows.n) : "variant"};
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
