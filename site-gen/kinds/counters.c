/* counter: one hardware counter of a case; counters: a table of them. */
#include <string.h>

#include "site-gen/numbers/counters.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"

static const char *const own_keys[] = {"show", "only", NULL};

/* --- in a sentence ------------------------------------------------------------------- */

static bool no_such_counter(struct kind_call *k, struct str name, struct err *e)
{
	struct sb all = {0};
	size_t n;
	const struct counter_info *t = counter_table(&n);
	for (size_t i = 0; i < n; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", t[i].name);
	err_at(e, placeholder_loc(k->p, name), "no counter '" STR_FMT "', expected one of %s",
	       STR_ARG(name), all.p);
	sb_free(&all);
	return false;
}

/* Finds the counters of a case, and marks them if they belong to other code than was measured. */
static bool find(struct kind_call *k, const struct pick *p, struct counters *out, const char **why)
{
	if (!counters_of(k->ctx->data, p->run->run.head.device, p->d->c->id, out))
		*why = words_get(k->ctx->words, "counters_none");
	else if (out->c->unavailable)
		*why = out->c->unavailable;
	else {
		counters_hold(out, k->ctx->data);
		return true;
	}
	return false;
}

bool kind_counter(struct kind_call *k, struct err *e)
{
	const struct counter_info *i = counter_find(k->p->word[1]);
	struct query q;
	struct pick p;
	struct counters c;
	const char *why;
	double v;
	if (!i)
		return no_such_counter(k, k->p->word[1], e);
	if (!query_parse(k->p, k->p->word[0], NULL, true, &q, e) || !query_one(k->ctx, &q, &p, e))
		return false;
	if (!find(k, &p, &c, &why))
		return err_at(e, k->p->at, "no counters of %s: %s", p.d->c->id, why);
	if (!counter_value(&c, i, &v))
		return err_at(e, k->p->at, "no %s of %s: %s", i->name, p.d->c->id,
		              counter_missing(&c, i, NULL, k->ctx->arena));
	number_use(k->ctx, &p);
	if (k->html)
		counter_link(k->ctx, &c, i, v, k->to);
	else
		counter_plain(k->ctx, &c, i, v, k->to);
	return true;
}

/* --- a table ------------------------------------------------------------------------- */

enum { MOST_SHOWN = 12 };

struct shown {
	const struct counter_info *col[MOST_SHOWN]; /* NULL: the largest stall reason */
	size_t n;
};

static bool add_column(struct kind_call *k, struct str name, struct shown *out, struct err *e)
{
	const struct counter_info *i = counter_find(name);
	if (!i && !str_is(name, "stall"))
		return no_such_counter(k, name, e);
	if (out->n == MOST_SHOWN)
		return err_at(e, placeholder_loc(k->p, name), "more than %d counters", MOST_SHOWN);
	out->col[out->n++] = i;
	return true;
}

static bool columns(struct kind_call *k, struct shown *out, struct err *e)
{
	struct str list = placeholder_key(k->p, "show"), name;
	*out = (struct shown){0};
	if (!list.p)
		list = STR("dram_bytes,dram_over_model,l2_hit_percent,occupancy_percent,stall");
	for (bool more = true; more;) {
		more = str_cut(list, ',', &name, &list);
		if (!add_column(k, name, out, e))
			return false;
	}
	return true;
}

/* The column title of a counter; for NULL, that of the stall reason. */
static const char *column_title(struct kind_call *k, const struct counter_info *i)
{
	return i ? words_label(k->ctx->words, i->title) : words_get(k->ctx->words, "counter_stall");
}

static void head(struct kind_call *k, const struct shown *s)
{
	const struct words *w = k->ctx->words;
	html_raw(k->to, "<thead><tr><th scope=\"col\">");
	html_text(k->to, str_of(words_get(w, "head_case")));
	html_raw(k->to, "</th>");
	for (size_t i = 0; i < s->n; i++) {
		html_raw(k->to, "<th scope=\"col\" class=\"right\">");
		html_text(k->to, str_of(column_title(k, s->col[i])));
		html_raw(k->to, "</th>");
	}
	html_raw(k->to, "</tr></thead><tbody>\n");
}

static void cell(struct kind_call *k, const struct counters *c, const struct counter_info *i)
{
	const struct counter_info *is = i ? i : counter_top_stall(c);
	double v;
	table_cell(k->to, "right", column_title(k, i));
	if (is && counter_value(c, is, &v)) {
		counter_link(k->ctx, c, is, v, k->to);
		if (!i) {
			html_raw(k->to, " <span class=\"idea\">");
			html_text(k->to, str_of(words_label(k->ctx->words, is->title)));
			html_raw(k->to, "</span>");
		}
	} else {
		number_none(is ? counter_missing(c, is, k->ctx->words, k->ctx->arena)
		               : words_get(k->ctx->words, "counters_none"),
		            k->to);
	}
	html_raw(k->to, "</td>");
}

static void row(struct kind_call *k, const struct pick *p, const struct shown *s, const char *words)
{
	struct counters c;
	const char *why;
	bool has = find(k, p, &c, &why);
	html_raw(k->to, "<tr class=\"");
	html_attr(k->to, str_of(has ? p->d->c->role : "none"));
	html_raw(k->to, "\"><th scope=\"row\">");
	table_variant(p->d->c, k->ctx->words, k->to);
	if (*words) {
		html_raw(k->to, "<span class=\"idea\">");
		html_text(k->to, str_of(words));
		html_raw(k->to, "</span>");
	}
	html_raw(k->to, "</th>");
	if (!has) {
		sb_printf(k->to, "<td class=\"left\" colspan=\"%zu\">", s->n);
		html_text(k->to, str_of(why));
		html_raw(k->to, "</td></tr>\n");
		return;
	}
	number_use(k->ctx, p);
	for (size_t i = 0; i < s->n; i++)
		cell(k, &c, s->col[i]);
	html_raw(k->to, "</tr>\n");
}

/* only=recorded: leaves out cases that were never profiled. */
static bool keep_recorded(struct kind_call *k, struct pick *picks, size_t *n, struct err *e)
{
	struct str only = placeholder_key(k->p, "only");
	size_t kept = 0;
	if (!only.p)
		return true;
	if (!str_is(only, "recorded"))
		return err_at(e, placeholder_loc(k->p, only), "only=" STR_FMT ", expected recorded",
		              STR_ARG(only));
	for (size_t i = 0; i < *n; i++) {
		struct counters c;
		if (counters_of(k->ctx->data, picks[i].run->run.head.device, picks[i].d->c->id, &c))
			picks[kept++] = picks[i];
	}
	*n = kept;
	return kept > 0 ||
	       err_at(e, k->p->at, "no counters of '" STR_FMT "'", STR_ARG(k->p->word[0]));
}

/* --- how the table was read --- */

/* Calls each() with every metric of a column; of the largest stall reason (NULL), all reasons. */
static void each_metric(const struct counter_info *i, void (*each)(struct sb *to, const char *name),
                        struct sb *to)
{
	size_t n;
	const struct counter_info *all = counter_table(&n);
	for (size_t c = 0; c < n; c++) {
		const char *name[2];
		if (i ? &all[c] != i : !all[c].stall)
			continue;
		size_t names = counter_metrics(&all[c], name);
		for (size_t m = 0; m < names; m++)
			each(to, name[m]);
	}
}

static void put_metric(struct sb *to, const char *name)
{
	html_raw(to, "<code>");
	html_text(to, str_of(name));
	html_raw(to, "</code> ");
}

/* Adds a metric to a list, once. */
static void add_metric(struct sb *to, const char *name)
{
	if (to->n == 0 || !memmem(to->p, to->n, name, strlen(name)))
		sb_printf(to, "%s%s", to->n ? "," : "", name);
}

/* The command for one case, with the metrics of these columns. */
static void put_command(struct kind_call *k, const struct shown *s, const struct run_case *c)
{
	struct sb metrics = {0};
	for (size_t i = 0; i < s->n; i++)
		each_metric(s->col[i], add_metric, &metrics);
	const char *command = arena_printf(
	        k->ctx->arena,
	        "ncu --clock-control none --cache-control %s --profile-from-start off \\\n"
	        "  --metrics %s \\\n  build/runner profile --call '%s'\n",
	        strcmp(c->cache, "cold") == 0 ? "all" : "none", metrics.n ? metrics.p : "", c->id);
	highlight_block(highlight_find(STR("sh")), str_of(command), NULL, k->to);
	sb_free(&metrics);
}

/* details.how: the metrics of each column, and the command of the first case with counters. */
static void put_how(struct kind_call *k, const struct shown *s, const struct run_case *c)
{
	const struct words *w = k->ctx->words;
	html_raw(k->to, "<details class=\"exact how\"><summary>");
	html_text(k->to, str_of(words_get(w, "counters_how")));
	html_raw(k->to, "</summary>\n<ul>\n");
	for (size_t i = 0; i < s->n; i++) {
		html_raw(k->to, "<li>");
		html_text(k->to, str_of(column_title(k, s->col[i])));
		html_text(k->to, str_of(words_get(w, "colon")));
		each_metric(s->col[i], put_metric, k->to);
		html_raw(k->to, "</li>\n");
	}
	html_raw(k->to, "</ul>\n<p class=\"fine\">");
	html_text(k->to, str_of(words_get(w, "counters_command")));
	html_raw(k->to, "</p>\n");
	put_command(k, s, c);
	html_raw(k->to, "</details>\n");
}

/* The first case that has counters; NULL: none has. */
static const struct run_case *first_counted(struct kind_call *k, const struct pick *picks, size_t n)
{
	struct counters c;
	const char *why;
	for (size_t i = 0; i < n; i++)
		if (find(k, &picks[i], &c, &why))
			return picks[i].d->c;
	return NULL;
}

bool kind_counters(struct kind_call *k, struct err *e)
{
	struct pick *picks;
	struct shown s;
	size_t n;
	if (!columns(k, &s, e) || !chart_picks(k, own_keys, &picks, &n, e) ||
	    !keep_recorded(k, picks, &n, e))
		return false;
	block_open(k, block_caption(k, picks, n, words_get(k->ctx->words, "counters")));
	table_open(k->to, "counters labelled stack");
	head(k, &s);
	for (size_t i = 0; i < n; i++)
		row(k, &picks[i], &s, block_own_words(k, picks, n, i));
	html_raw(k->to, "</tbody>");
	table_close(k->to);
	const struct run_case *first = first_counted(k, picks, n);
	if (first)
		put_how(k, &s, first);
	block_close(k);
	return true;
}
