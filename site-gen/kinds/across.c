/* across: the same cases on several devices, with the ratio of the first to each other. */
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"

static const char *const own_keys[] = {"metric", "over", "devices", "device", NULL};

enum { MOST_DEVICES = 4 };

struct across {
	struct str name[MOST_DEVICES]; /* as written */
	struct pick *picks[MOST_DEVICES];
	size_t n[MOST_DEVICES];
	size_t devices;
	struct pick *row; /* one pick for each case, of the first device that has it */
	size_t nrows;
	enum metric metric;
	bool cards; /* over=cards */
};

static bool add_device(const struct kind_call *k, struct across *a, struct str name, struct err *e)
{
	for (size_t i = 0; i < a->devices; i++)
		if (str_eq(a->name[i], name))
			return err_at(e, placeholder_loc(k->p, name),
			              "device '" STR_FMT "' is named twice", STR_ARG(name));
	if (a->devices == MOST_DEVICES)
		return err_at(e, placeholder_loc(k->p, name), "more than %d devices", MOST_DEVICES);
	a->name[a->devices++] = name;
	return true;
}

static bool read_devices(const struct kind_call *k, struct across *a, struct err *e)
{
	struct str list = placeholder_key(k->p, "devices"), one = placeholder_key(k->p, "device");
	struct str name;
	if (one.p)
		return err_at(e, placeholder_loc(k->p, one),
		              "a table across devices names them all, expected devices=A,B");
	for (bool more = list.p != NULL; more;) {
		more = str_cut(list, ',', &name, &list);
		if (!add_device(k, a, name, e))
			return false;
	}
	return a->devices > 1 ||
	       err_at(e, list.p ? placeholder_loc(k->p, list) : k->p->at,
	              "a table across devices needs two or more, expected <<bench:%s>>",
	              k->kind->usage);
}

static const struct pick *find(const struct across *a, size_t device, const char *id)
{
	for (size_t i = 0; i < a->n[device]; i++)
		if (strcmp(a->picks[device][i].d->c->id, id) == 0)
			return &a->picks[device][i];
	return NULL;
}

/* The rows: the cases of the first device in reading order, then those that only others have. */
static void list_rows(struct across *a, struct arena *arena)
{
	size_t most = 0;
	for (size_t d = 0; d < a->devices; d++)
		most += a->n[d];
	a->row = ARENA_ARRAY(arena, struct pick, most);
	for (size_t d = 0; d < a->devices; d++)
		for (size_t i = 0; i < a->n[d]; i++) {
			bool seen = false;
			for (size_t before = 0; before < d && !seen; before++)
				seen = find(a, before, a->picks[d][i].d->c->id) != NULL;
			if (!seen)
				a->row[a->nrows++] = a->picks[d][i];
		}
}

static bool find_cases(struct kind_call *k, struct across *a, struct err *e)
{
	struct query q;
	if (!query_parse(k->p, k->p->word[0], own_keys, true, &q, e))
		return false;
	if (q.run.p || q.device.p)
		return err_at(e, placeholder_loc(k->p, q.run.p ? q.run : q.device),
		              "a table across devices takes the newest run of each, named by "
		              "devices=A,B");
	for (size_t d = 0; d < a->devices; d++) {
		q.device = a->name[d];
		if (!query_all(k->ctx, &q, &a->picks[d], &a->n[d], e))
			return false;
	}
	list_rows(a, k->ctx->arena);
	return true;
}

/* The number of a cell. False: it has none. */
static bool value_of(const struct kind_call *k, const struct across *a, const struct pick *p,
                     struct number *out)
{
	if (!p || p->d->why_none)
		return false;
	if (a->cards)
		return number_over_cards(data_number_at(k->ctx->data, str_of(p->d->url)), a->metric,
		                         out);
	return number_of(p, a->metric, out);
}

/* The ratio of the first device to device d. False: there is none. */
static bool ratio_of(const struct kind_call *k, const struct across *a, const char *id, size_t d,
                     struct number *out)
{
	const struct pick *top = find(a, 0, id), *bottom = find(a, d, id);
	struct number x, y;
	if (!value_of(k, a, top, &x) || !value_of(k, a, bottom, &y) ||
	    !number_comparable(top, bottom))
		return false;
	*out = number_ratio(k->ctx->data, top, bottom, a->metric, k->ctx->arena);
	return !a->cards || out->cards;
}

/* over=cards: at least one row must have a ratio over cards. */
static bool has_cards(const struct kind_call *k, const struct across *a, struct err *e)
{
	struct number n;
	for (size_t i = 0; a->cards && i < a->nrows; i++)
		for (size_t d = 1; d < a->devices; d++)
			if (ratio_of(k, a, a->row[i].d->c->id, d, &n))
				return true;
	return !a->cards || err_at(e, placeholder_loc(k->p, placeholder_key(k->p, "over")),
	                           "no case of this table was measured with the same machine "
	                           "code on %d cards of two of the devices",
	                           DATA_CARDS_LEAST);
}

/* --- markup ------------------------------------------------------------------------------ */

static const char *name_of(const struct kind_call *k, const struct across *a, size_t d)
{
	const char *device = data_device_find(k->ctx->data, a->name[d]);
	return device ? data_device_name(k->ctx->data, device) : str_dup(k->ctx->arena, a->name[d]);
}

static const char *ratio_title(const struct kind_call *k, const struct across *a, size_t d)
{
	return words_fill(k->ctx->words, k->ctx->arena, "across_ratio", name_of(k, a, 0),
	                  name_of(k, a, d));
}

static void head_cell(struct sb *to, const char *text)
{
	html_raw(to, "<th scope=\"col\" class=\"right\">");
	html_text(to, str_of(text));
	html_raw(to, "</th>");
}

static void put_head(struct kind_call *k, const struct across *a)
{
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	html_text(k->to, str_of(words_get(k->ctx->words, "head_case")));
	html_raw(k->to, "</th>");
	for (size_t d = 0; d < a->devices; d++)
		head_cell(k->to, name_of(k, a, d));
	for (size_t d = 1; d < a->devices; d++)
		head_cell(k->to, ratio_title(k, a, d));
	html_raw(k->to, "</tr></thead><tbody>\n");
}

/* Why a cell has no number. */
static const char *why_none(const struct kind_call *k, const struct across *a, const struct pick *p)
{
	const struct words *w = k->ctx->words;
	struct number n;
	if (!p)
		return words_get(w, "none_measured");
	if (p->d->why_none)
		return reason_text(w, &p->d->none, k->ctx->arena);
	if (!number_of(p, a->metric, &n))
		return words_get(w, "none_metric");
	const struct data_number *of = data_number_at(k->ctx->data, str_of(p->d->url));
	return words_fill(w, k->ctx->arena, "none_cards",
	                  arena_printf(k->ctx->arena, "%zu", of->ncards),
	                  arena_printf(k->ctx->arena, "%d", DATA_CARDS_LEAST));
}

static void put_cells(struct kind_call *k, const struct across *a, const char *id)
{
	struct number n;
	for (size_t d = 0; d < a->devices; d++) {
		const struct pick *p = find(a, d, id);
		table_cell(k->to, "right", name_of(k, a, d));
		if (value_of(k, a, p, &n))
			table_number(k, &n);
		else
			number_none(why_none(k, a, p), k->to);
		html_raw(k->to, "</td>");
	}
	for (size_t d = 1; d < a->devices; d++) {
		table_cell(k->to, "right", ratio_title(k, a, d));
		if (ratio_of(k, a, id, d, &n)) {
			number_link(k->ctx, &n, "ratio", NULL, k->to);
			number_interval(&n, k->to);
		} else {
			number_none(words_get(k->ctx->words, "across_none"), k->to);
		}
		html_raw(k->to, "</td>");
	}
}

static void put_row(struct kind_call *k, const struct across *a, size_t i)
{
	const struct run_case *c = a->row[i].d->c;
	const char *words = block_own_words(k, a->row, a->nrows, i);
	html_raw(k->to, "<tr class=\"");
	html_attr(k->to, str_of(c->role));
	html_raw(k->to, "\"><th scope=\"row\">");
	table_variant(c, k->ctx->words, k->to);
	if (*words) {
		html_raw(k->to, "<span class=\"idea\">");
		html_text(k->to, str_of(words));
		html_raw(k->to, "</span>");
	}
	html_raw(k->to, "</th>");
	put_cells(k, a, c->id);
	html_raw(k->to, "</tr>\n");
}

/* The word for what the ratios compare, if some are of one card each; else NULL. */
static const char *one_each(const struct kind_call *k, const struct across *a)
{
	const char *word = NULL;
	struct number n;
	for (size_t i = 0; i < a->nrows; i++)
		for (size_t d = 1; d < a->devices; d++)
			if (ratio_of(k, a, a->row[i].d->c->id, d, &n) && number_one_each(&n))
				word = number_one_each(&n);
	return word;
}

static void put_note(struct kind_call *k, const struct across *a)
{
	const char *word = one_each(k, a);
	if (!word)
		return;
	html_raw(k->to, "<p class=\"fine\">");
	html_text(k->to, str_of(words_fill(k->ctx->words, k->ctx->arena, "across_one",
	                                   words_get(k->ctx->words, word), NULL)));
	html_raw(k->to, "</p>\n");
}

/* All picks, so that the caption links each run. */
static const char *caption(struct kind_call *k, const struct across *a)
{
	struct arena *m = k->ctx->arena;
	const char *what = words_label(k->ctx->words, metric_info(a->metric)->name);
	size_t n = 0, most = 0;
	for (size_t d = 0; d < a->devices; d++)
		most += a->n[d];
	struct pick *all = ARENA_ARRAY(m, struct pick, most);
	for (size_t d = 0; d < a->devices; d++)
		for (size_t i = 0; i < a->n[d]; i++)
			all[n++] = a->picks[d][i];
	if (a->cards)
		what = words_fill(k->ctx->words, m, "over_cards", what, NULL);
	return block_caption(k, all, n, what);
}

bool kind_across(struct kind_call *k, struct err *e)
{
	struct across a = {.cards = kind_over_cards(k)};
	if (!number_check_cards(k->p, e) || !read_devices(k, &a, e) || !find_cases(k, &a, e) ||
	    !kind_metric(k, &a.row[0], &a.metric, e) || !has_cards(k, &a, e))
		return false;
	block_open(k, caption(k, &a));
	table_open(k->to, "across labelled stack");
	put_head(k, &a);
	for (size_t i = 0; i < a.nrows; i++)
		put_row(k, &a, i);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	put_note(k, &a);
	block_close(k);
	return true;
}
