#include "site-gen/kinds/block.h"

#include <stdio.h>
#include <string.h>

#include "site-gen/numbers/case.h"
#include "site-gen/kinds/figure.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/base/html.h"

/* --- the figure --- */

/* A link to the figure for readers who share it: "#fig-sizes", or "#b3" if it has no label. */
static void put_anchor(struct kind_call *k, const char *id)
{
	html_raw(k->to, " <a class=\"anchor\" href=\"#");
	html_attr(k->to, str_of(id ? id : arena_printf(k->ctx->arena, "b%d", k->ctx->blocks)));
	html_raw(k->to, "\" aria-label=\"");
	html_attr(k->to, str_of(words_get(k->ctx->words, "link_to_figure")));
	html_raw(k->to, "\">#</a>");
}

/* " id=…>Figure 2" for a block that the text numbers, if it is the first of its placeholder. */
static void put_caption_no(struct kind_call *k)
{
	struct expand_ctx *ctx = k->ctx;
	if (ctx->caption_id) {
		html_raw(k->to, " id=\"");
		html_attr(k->to, str_of(ctx->caption_id));
		sb_char(k->to, '"');
	}
	sb_char(k->to, '>');
	if (ctx->caption_no) {
		html_raw(k->to, "<span class=\"caption-no\">");
		html_text(k->to, str_of(ctx->caption_no));
		html_raw(k->to, "</span>");
		if (k->kind->numbered == EXPAND_FIGURE)
			put_anchor(k, ctx->caption_id);
		html_raw(k->to, " ");
	}
	ctx->caption_no = ctx->caption_id = NULL;
}

/* The finding stands before the words that say what is drawn. */
static void put_caption(struct kind_call *k, const char *caption)
{
	if (!k->finding.html) {
		html_raw(k->to, caption);
		return;
	}
	html_raw(k->to, "<strong class=\"finding\">");
	html_raw(k->to, k->finding.html);
	html_raw(k->to, "</strong> <span class=\"about\">");
	html_raw(k->to, caption);
	html_raw(k->to, "</span>");
}

void block_open(struct kind_call *k, const char *caption)
{
	struct expand_ctx *ctx = k->ctx;
	const char *device = ctx->device_no ? ctx->device : NULL;
	struct expand_figure *f = figure_begin(ctx, figure_name(k->p, device, ctx->arena));
	f->finding = k->finding.text;
	f->finding_html = k->finding.html;
	f->says = k->finding.says;
	html_raw(k->to, "<figure class=\"bench ");
	html_raw(k->to, k->kind->name);
	html_raw(k->to, "\" id=\"");
	sb_printf(k->to, "b%d", f->number);
	html_raw(k->to, "\">\n");
	if (caption) {
		html_raw(k->to, "<figcaption");
		put_caption_no(k);
		put_caption(k, caption);
		html_raw(k->to, "</figcaption>\n");
	}
}

/* Does the figure have numbers, and so a CSV (files/data_files.c)? */
static bool has_csv(const struct kind_call *k)
{
	const struct quote *q = k->ctx->quotes; /* the newest */
	return q && q->block && q->figure == k->ctx->blocks;
}

static void put_file(struct kind_call *k, const char *type, const char *key, const char *text)
{
	html_raw(k->to, type);
	html_raw(k->to, " aria-label=\"");
	html_attr(k->to, str_of(words_get(k->ctx->words, key)));
	html_raw(k->to, "\">");
	html_text(k->to, str_of(text));
	html_raw(k->to, "</a>");
}

/* Links to the page of the figure (pages/figure_page.h) and to its CSV. */
static void link_files(struct kind_call *k)
{
	const struct expand_figure *f = k->ctx->figures;
	bool page = k->ctx->shares && f->drawn, csv = has_csv(k);
	if (!page && !csv)
		return;
	html_raw(k->to, "<p class=\"figure-data\">");
	if (page) {
		sb_printf(k->to, "<a href=\"fig/%s/\"", f->name);
		put_file(k, "", "figure_page", words_get(k->ctx->words, "figure_share"));
		html_raw(k->to, csv ? " " : "");
	}
	if (csv) {
		sb_printf(k->to, "<a href=\"%s.csv\"", f->name);
		put_file(k, " type=\"text/csv\"", "figure_csv", "CSV");
	}
	html_raw(k->to, "</p>\n");
}

/* If all numbers of the figure share a state, says so once, instead of beside each. */
static void say_state(struct kind_call *k)
{
	const struct quote *newest = k->ctx->quotes, *end = newest;
	while (end && end->block && end->figure == k->ctx->blocks)
		end = end->next;
	number_say_common(k->ctx->words, number_common_state(newest, end), k->to);
}

void block_drawn(struct kind_call *k)
{
	k->ctx->figures->drawn = k->finding.text != NULL;
}

void block_close(struct kind_call *k)
{
	say_state(k);
	link_files(k);
	html_raw(k->to, "</figure>\n");
}

/* --- its caption --- */

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

/* The conditions that all picks share, or those that they do not: "16384 × 16384, f32". */
static const char *conditions(struct kind_call *k, const struct pick *picks, size_t n, size_t own,
                              bool common)
{
	size_t nkeys, used = 0;
	const char **keys = query_keys(picks, n, k->ctx->arena, &nkeys);
	const struct run_case *c = picks[own].d->c;
	for (size_t i = 0; i < nkeys; i++)
		if (is_common(picks, n, keys[i], k->ctx->arena) == common)
			keys[used++] = keys[i];
	return case_parts(k->ctx->words, c, keys, used, k->ctx->arena);
}

static void common_words(struct kind_call *k, const struct pick *picks, size_t n, struct sb *to)
{
	const char *shared = conditions(k, picks, n, 0, true);
	if (*shared)
		sb_printf(to, "%s%s", words_get(k->ctx->words, "semicolon"), shared);
}

const char *block_own_words(struct kind_call *k, const struct pick *picks, size_t n, size_t own)
{
	return conditions(k, picks, n, own, false);
}

static bool run_seen(const struct pick *picks, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (picks[k].run == picks[i].run)
			return true;
	return false;
}

/* "run of 2026-01-31"; only the time, ", 14:05", if the caption already has the day. */
static void run_link(struct kind_call *k, const struct pick *picks, size_t i, struct sb *to)
{
	const struct run *r = &picks[i].run->run;
	const char *date = case_date(r, k->ctx->arena);
	bool seen = false;
	for (size_t m = 0; m < i && !seen; m++)
		seen = strcmp(case_date(&picks[m].run->run, k->ctx->arena), date) == 0;
	sb_cstr(to, i ? words_get(k->ctx->words, "comma") : "");
	kind_link(k->ctx, picks[i].run->url,
	          seen ? arena_strndup(k->ctx->arena, r->head.start + strlen("2026-01-31T"), 5)
	               : words_fill(k->ctx->words, k->ctx->arena, "run_of", date, NULL),
	          to);
}

/* Does the page show the same for this device? */
static bool is_shown(const struct expand_ctx *ctx, const char *device)
{
	for (size_t i = 0; i < ctx->ndevices; i++)
		if (strcmp(ctx->devices[i], device) == 0)
			return true;
	return false;
}

/* Links to other devices that measured any of these cases, on the family's page. */
static void put_elsewhere(struct kind_call *k, const struct pick *picks, size_t n, struct sb *to)
{
	const struct data *d = k->ctx->data;
	size_t shown = 0;
	if (data_is_apart(picks[0].d->c->family))
		return;
	for (size_t i = 0; i < d->ndevices; i++) {
		const struct data_case *of = NULL; /* cases may be of several families */
		for (size_t p = 0; p < n && !of; p++)
			if (data_number_on(d, d->devices[i], picks[p].d, k->ctx->arena))
				of = picks[p].d;
		for (size_t p = 0; p < n && of; p++)
			if (strcmp(d->devices[i], picks[p].run->run.head.device) == 0)
				of = NULL;
		if (!of || is_shown(k->ctx, d->devices[i]))
			continue;
		html_raw(to, shown ? "" : " ");
		html_text(to, str_of(words_get(k->ctx->words, shown ? "comma" : "also_on")));
		html_raw(to, shown++ ? "" : " ");
		kind_link(k->ctx, data_family_part(d, of->c->family, d->devices[i], k->ctx->arena),
		          data_device_name(d, d->devices[i]), to);
	}
	if (shown)
		html_text(to, str_of(words_get(k->ctx->words, "stop")));
}

/* Does an earlier pick come from the same device? */
static bool device_seen(const struct pick *picks, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(picks[k].run->run.head.device, picks[i].run->run.head.device) == 0)
			return true;
	return false;
}

enum { MOST_RUNS = 3 }; /* links in a caption; every number leads to its run, too */

/* ". NVIDIA H200, run of 2026-01-31": a device, and those of the picks that come from it. */
static void put_device(struct kind_call *k, const struct pick *picks, size_t n, size_t first,
                       struct sb *to)
{
	const struct run_head *h = &picks[first].run->run.head;
	const struct words *w = k->ctx->words;
	struct pick *own = ARENA_ARRAY(k->ctx->arena, struct pick, n);
	size_t nown = 0;
	for (size_t i = first; i < n; i++)
		if (strcmp(picks[i].run->run.head.device, h->device) == 0)
			own[nown++] = picks[i];
	html_text(to, str_of(words_get(w, "stop_next")));
	html_text(to, str_of(h->gpu.name ? h->gpu.name : h->machine.cpu));
	html_text(to, str_of(words_get(w, "comma")));
	size_t runs = 0;
	for (size_t i = 0; i < nown; i++)
		runs += !run_seen(own, i);
	size_t shown = runs > MOST_RUNS ? MOST_RUNS - 1 : runs, more = runs - shown;
	for (size_t i = 0; i < nown && shown > 0; i++)
		if (!run_seen(own, i)) {
			run_link(k, own, i, to);
			shown--;
		}
	if (more)
		html_text(to, str_of(words_fill(w, k->ctx->arena, "runs_more",
		                                arena_printf(k->ctx->arena, "%zu", more), NULL)));
}

static bool of_one_family(const struct pick *picks, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(picks[i].d->c->family, picks[0].d->c->family) != 0)
			return false;
	return true;
}

const char *block_caption(struct kind_call *k, const struct pick *picks, size_t n, const char *what)
{
	struct sb text = {0}, html = {0};
	const struct words *w = k->ctx->words;
	struct words_said family = of_one_family(picks, n)
	                                   ? words_said(w, picks[0].d->c->family_title)
	                                   : (struct words_said){words_get(w, "many_families"), ""};
	sb_printf(&html, *family.lang ? "<span%s>" : "%s", family.lang);
	html_text(&html, str_of(family.text));
	html_raw(&html, *family.lang ? "</span>" : "");
	sb_printf(&text, "%s%s", words_get(w, "colon"), what);
	common_words(k, picks, n, &text);
	html_text(&html, sb_view(&text));
	for (size_t i = 0; i < n; i++)
		if (!device_seen(picks, i))
			put_device(k, picks, n, i, &html);
	html_text(&html, str_of(words_get(w, "stop")));
	put_elsewhere(k, picks, n, &html);
	const char *out = str_dup(k->ctx->arena, sb_view(&html));
	sb_free(&text);
	sb_free(&html);
	return out;
}

/* A column; its class identifies it for programs that read only the page. */
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

/* "237.4–237.6 µs": lo and hi, in as many digits as their distance needs. */
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
	html_raw(to, NBSP);
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
	html_text(k->to, str_of(case_words(k->ctx->words, p->d->c, k->ctx->arena)));
	html_raw(k->to, "</th>");
	if (!number_of(p, m, &n)) {
		html_raw(k->to, "<td colspan=\"6\">");
		html_text(k->to, str_of(p->d->why_none ? reason_text(k->ctx->words, &p->d->none,
		                                                     k->ctx->arena)
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
	snprintf(text, sizeof text, "%.2f" NBSP "%%", 100 * t->between_sd);
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

static void exact_table(struct kind_call *k, const struct block_values *v)
{
	const struct words *w = k->ctx->words;
	table_open(k->to, "labelled stack");
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	html_text(k->to, str_of(words_get(w, "head_case")));
	html_raw(k->to, "</th>");
	head_cell(k->to, words_label(w, metric_info(v->m)->title));
	for (int i = 0; i < EXACT_COLUMNS; i++)
		head_cell(k->to, words_get(w, exact_columns[i].head));
	html_raw(k->to, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < v->n; i++)
		exact_row(k, &v->picks[i], v->m);
	html_raw(k->to, "</tbody>");
	table_close(k->to);
}

void block_exact_tables(struct kind_call *k, const struct block_values *v, size_t count)
{
	html_raw(k->to, "<details class=\"exact\"><summary>");
	html_text(k->to, str_of(words_get(k->ctx->words, "exact_values")));
	html_raw(k->to, "</summary>\n");
	for (size_t i = 0; i < count; i++)
		if (v[i].n)
			exact_table(k, &v[i]);
	html_raw(k->to, "</details>\n");
}

void block_exact(struct kind_call *k, const struct pick *picks, size_t n, enum metric m)
{
	block_exact_tables(k, &(struct block_values){picks, n, m}, 1);
}
