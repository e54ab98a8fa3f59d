/*
 * Comparing two runs. Markup: dl.facts (what else differs), then
 * table.numbers.comparison > tr[data-verdict] with span.change, as in the
 * history of a number (number_past.c).
 */
#include "site-gen/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"
#include "site-gen/html.h"
#include "site-gen/kinds.h"

static const double ALARMS = 0.05; /* share of false ones among the alarms of a page */

/* --- which pairs there are --- */

static const struct data_case *same_case(const struct data_run *r, const char *id)
{
	const struct run_case *c = record_case(&r->run, id);
	return c ? data_case_of(r, c) : NULL;
}

/* A case that both have a number for. */
static bool in_common(const struct data_run *a, const struct data_run *b)
{
	for (size_t i = 0; i < a->run.ncases; i++) {
		const struct data_case *o = same_case(b, a->run.cases[i].id);
		if (!a->cases[i].why_none && o && !o->why_none)
			return true;
	}
	return false;
}

static bool same_device(const struct data_run *a, const struct data_run *b)
{
	return strcmp(a->run.head.device, b->run.head.device) == 0;
}

/* The first run after index i (older) on the same device with something in common. */
static const struct data_run *run_before(const struct data *d, size_t i)
{
	for (size_t k = i + 1; k < d->nruns; k++)
		if (!d->runs[k].why_none && same_device(&d->runs[i], &d->runs[k]) &&
		    in_common(&d->runs[i], &d->runs[k]))
			return &d->runs[k];
	return NULL;
}

static bool is_newest_of_device(const struct data *d, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!d->runs[k].why_none && same_device(&d->runs[i], &d->runs[k]))
			return false;
	return true;
}

static void add(struct comparison *all, size_t *n, const struct data_run *now,
                const struct data_run *then, struct arena *a)
{
	all[(*n)++] = (struct comparison){
	        now, then, arena_printf(a, "/compared/%s/%s/", now->run.head.id, then->run.head.id),
	        !same_device(now, then)};
}

struct comparison *comparison_all(const struct data *d, struct arena *a, size_t *n)
{
	struct comparison *all =
	        ARENA_ARRAY(a, struct comparison, d->nruns + d->ndevices * d->ndevices + 1);
	*n = 0;
	for (size_t i = 0; i < d->nruns; i++) {
		if (d->runs[i].why_none)
			continue;
		const struct data_run *before = run_before(d, i);
		if (before)
			add(all, n, &d->runs[i], before, a);
		for (size_t k = i + 1; is_newest_of_device(d, i) && k < d->nruns; k++)
			if (!d->runs[k].why_none && !same_device(&d->runs[i], &d->runs[k]) &&
			    is_newest_of_device(d, k) && in_common(&d->runs[i], &d->runs[k]))
				add(all, n, &d->runs[i], &d->runs[k], a);
	}
	return all;
}

void comparison_links(struct expand_ctx *ctx, const struct data_run *r, struct sb *to)
{
	size_t n, shown = 0;
	const struct comparison *all = comparison_all(ctx->data, ctx->arena, &n);
	for (size_t i = 0; i < n; i++) {
		if (all[i].now != r)
			continue;
		html_raw(to, shown++ ? ", " : "<p class=\"fine\">Compared with ");
		html_raw(to, "<a href=\"");
		html_url(to, str_of(ctx->base));
		html_url(to, str_of(all[i].url));
		html_raw(to, "\">");
		html_text(to, str_of(all[i].then->run.head.id));
		html_raw(to, "</a>");
	}
	if (shown)
		html_raw(to, "</p>\n");
}

/* --- the cases of a pair --- */

struct row {
	struct pick now, then;
	enum metric metric;
	struct stats_comparison c;
	bool alarm; /* among the discoveries of the page */
};

static struct row *rows_of(const struct data *d, const struct comparison *c, struct arena *a,
                           size_t *n)
{
	struct row *row = ARENA_ARRAY(a, struct row, c->now->run.ncases + 1);
	*n = 0;
	for (size_t i = 0; i < c->now->run.ncases; i++) {
		const struct data_case *now = &c->now->cases[i];
		const struct data_case *then = same_case(c->then, now->c->id);
		if (now->why_none || !then || then->why_none || now->time.launches < 2 ||
		    then->time.launches < 2)
			continue;
		row[(*n)++] = (struct row){
		        .now = {c->now, now},
		        .then = {c->then, then},
		        .metric = case_metric(d, &(struct pick){c->now, now}),
		        .c = stats_compare_unpaired(now->medians, now->time.launches, then->medians,
		                                    then->time.launches, stats_band(NULL, 0))};
	}
	return row;
}

static void find_alarms(struct row *row, size_t n, struct arena *a)
{
	double *p = ARENA_ARRAY(a, double, n + 1);
	bool *found = ARENA_ARRAY(a, bool, n + 1);
	for (size_t i = 0; i < n; i++)
		p[i] = row[i].c.p;
	stats_discoveries(p, n, ALARMS, found);
	for (size_t i = 0; i < n; i++)
		row[i].alarm = found[i] && (row[i].c.verdict == STATS_FASTER ||
		                            row[i].c.verdict == STATS_SLOWER);
}

/* What changed most comes first; the undecided and the equivalent follow. */
static int rank(const struct row *r)
{
	return r->alarm ? 0 : r->c.verdict == STATS_EQUIVALENT ? 2 : 1;
}

static int by_change(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	double dx = fabs(log(x->c.ratio.typical)), dy = fabs(log(y->c.ratio.typical));
	int d = rank(x) - rank(y);
	if (d || rank(x) > 0)
		return d ? d : strcmp(x->now.d->c->id, y->now.d->c->id);
	return dx > dy ? -1 : dx < dy ? 1 : strcmp(x->now.d->c->id, y->now.d->c->id);
}

/* --- markup --- */

static void put_fact(struct sb *to, const char *label, const char *now, const char *then)
{
	if (strcmp(now, then) == 0)
		return;
	html_raw(to, "<div><dt>");
	html_text(to, str_of(label));
	html_raw(to, "</dt><dd>");
	html_text(to, str_of(then));
	html_raw(to, " → ");
	html_text(to, str_of(now));
	html_raw(to, "</dd></div>\n");
}

static const char *value_of(const struct data_fact *f, size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i].label, label) == 0)
			return f[i].value;
	return "–";
}

/* The conditions in which the runs differ: driver, toolkit, clocks, commit, … */
static void put_differences(const struct comparison *c, struct sb *to)
{
	size_t n, o;
	const struct data_fact *now = data_conditions(c->now, &n);
	const struct data_fact *then = data_conditions(c->then, &o);
	html_raw(to, "<dl class=\"facts wide\">\n");
	for (size_t i = 0; i < n; i++)
		put_fact(to, now[i].label, now[i].value, value_of(then, o, now[i].label));
	html_raw(to, "</dl>\n");
}

static void put_value(struct expand_ctx *ctx, const struct pick *p, enum metric m, struct sb *to)
{
	struct number n;
	html_raw(to, "<td class=\"right\">");
	if (number_of(p, m, &n)) {
		number_link(ctx, &n, "", NULL, to);
		number_interval(&n, to);
	} else {
		number_none("has no such metric", to);
	}
	html_raw(to, "</td>");
}

static void put_row(struct expand_ctx *ctx, const struct row *r, struct sb *to)
{
	const struct run_case *c = r->now.d->c;
	const char *verdict = rank(r) == 0 ? stats_verdict_name(r->c.verdict) : "undecided";
	html_raw(to, "<tr data-verdict=\"");
	html_attr(to, str_of(verdict));
	html_raw(to, "\"><th scope=\"row\"><code>");
	html_text(to, str_of(arena_printf(ctx->arena, "%s/%s", c->family, c->variant)));
	html_raw(to, "</code> ");
	html_text(to, str_of(case_words(c, ctx->arena)));
	html_raw(to, "</th>");
	put_value(ctx, &r->then, r->metric, to);
	put_value(ctx, &r->now, r->metric, to);
	html_raw(to, "<td class=\"left\">");
	html_text(to, str_of(verdict));
	sb_printf(to, " <span class=\"change\">time %+.1f to %+.1f\xC2\xA0%%</span></td></tr>\n",
	          100 * (r->c.ratio.lo - 1), 100 * (r->c.ratio.hi - 1));
}

static void put_count(struct sb *to, const struct row *row, size_t n)
{
	size_t faster = 0, slower = 0, equal = 0;
	for (size_t i = 0; i < n; i++) {
		faster += row[i].alarm && row[i].c.verdict == STATS_FASTER;
		slower += row[i].alarm && row[i].c.verdict == STATS_SLOWER;
		equal += row[i].c.verdict == STATS_EQUIVALENT;
	}
	sb_printf(to,
	          "<p class=\"verdicts\">%zu cases: %zu faster, %zu slower, %zu equivalent, %zu "
	          "undecided.</p>\n",
	          n, faster, slower, equal, n - faster - slower - equal);
}

static void put_table(struct expand_ctx *ctx, const struct row *row, size_t n, struct sb *to)
{
	table_open(to, "comparison");
	html_raw(to, "<thead><tr><th scope=\"col\">Case</th><th scope=\"col\" class=\"right\">Then"
	             "</th><th scope=\"col\" class=\"right\">Now</th><th scope=\"col\">Verdict</th>"
	             "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		put_row(ctx, &row[i], to);
	html_raw(to, "</tbody>");
	table_close(to);
}

/* Names only: their numbers stand on their pages, which these link to. */
static void put_equivalent(struct expand_ctx *ctx, const struct row *row, size_t n, struct sb *to)
{
	html_raw(to, "<details class=\"exact\"><summary>The equivalent cases</summary>\n<ul>\n");
	for (size_t i = 0; i < n; i++) {
		html_raw(to, "<li><a href=\"");
		html_url(to, str_of(ctx->base));
		html_url(to, str_of(row[i].now.d->url));
		html_raw(to, "\"><code>");
		html_text(to, str_of(row[i].now.d->c->id));
		html_raw(to, "</code></a></li>\n");
	}
	html_raw(to, "</ul>\n</details>\n");
}

bool comparison_body(struct expand_ctx *ctx, const struct comparison *c, struct body *out,
                     struct err *e)
{
	size_t n;
	struct sb to = {0};
	struct row *row = rows_of(ctx->data, c, ctx->arena, &n);
	(void)e;
	*out = (struct body){0};
	find_alarms(row, n, ctx->arena);
	if (n)
		qsort(row, n, sizeof *row, by_change);
	put_count(&to, row, n);
	html_raw(&to,
	         "<p>Launches of two runs do not pair, so the interval is that of Welch's t on "
	         "their logarithms. Within the band of equivalence a case is called equivalent; "
	         "called faster or slower are those that the procedure of Benjamini and "
	         "Hochberg lets stand.</p>\n");
	put_differences(c, &to);
	size_t open = 0; /* sorted: the equivalent ones are last */
	while (open < n && rank(&row[open]) < 2)
		open++;
	if (open)
		put_table(ctx, row, open, &to);
	if (open < n)
		put_equivalent(ctx, row + open, n - open, &to);
	out->html = (struct str){arena_strndup(ctx->arena, to.p, to.n), to.n};
	sb_free(&to);
	return true;
}
