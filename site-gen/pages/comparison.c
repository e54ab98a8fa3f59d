/*
 * Comparing two runs. Markup: dl.facts (other differences), then
 * table.numbers.comparison > tr[data-verdict] with span.change, as in the
 * history of a number (number_past.c).
 */
#include "site-gen/pages/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/stats.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/body.h"

static const double ALARMS = 0.05; /* expected share of false alarms among a page's alarms */

/* --- the pairs --- */

static const struct data_case *same_case(const struct data_run *r, const char *id)
{
	const struct run_case *c = data_run_case(r, id);
	return c ? data_case_of(r, c) : NULL;
}

/* True if the runs share a case with a number. */
static bool in_common(const struct data_run *a, const struct data_run *b)
{
	for (size_t i = 0; i < a->run.ncases; i++) {
		const struct data_case *o =
		        a->cases[i].why_none ? NULL : same_case(b, a->run.cases[i].id);
		if (o && !o->why_none)
			return true;
	}
	return false;
}

static bool same_device(const struct data_run *a, const struct data_run *b)
{
	return strcmp(a->run.head.device, b->run.head.device) == 0;
}

/* The number of cases for which both runs have a number. */
static size_t count_common(const struct data_run *a, const struct data_run *b)
{
	size_t n = 0;
	for (size_t i = 0; i < a->run.ncases; i++) {
		const struct data_case *o =
		        a->cases[i].why_none ? NULL : same_case(b, a->run.cases[i].id);
		n += o && !o->why_none;
	}
	return n;
}

/* The newest older run (after index i) on the same device that shares a case. */
static const struct data_run *run_before(const struct data *d, size_t i)
{
	for (size_t k = i + 1; k < d->nruns; k++)
		if (!d->runs[k].why_none && same_device(&d->runs[i], &d->runs[k]) &&
		    in_common(&d->runs[i], &d->runs[k]))
			return &d->runs[k];
	return NULL;
}

/*
 * The older run on the same device that shares most cases with run i, if they are at least twice as
 * many as `before` shares. Otherwise a whole suite would be compared only with the few cases that
 * were measured since the previous suite.
 */
static const struct data_run *run_alike(const struct data *d, size_t i,
                                        const struct data_run *before)
{
	const struct data_run *best = NULL;
	size_t most = 2 * count_common(&d->runs[i], before) - 1;
	for (size_t k = i + 1; k < d->nruns; k++) {
		if (d->runs[k].why_none || !same_device(&d->runs[i], &d->runs[k]))
			continue;
		size_t n = count_common(&d->runs[i], &d->runs[k]);
		if (n > most) {
			best = &d->runs[k];
			most = n;
		}
	}
	return best;
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

/* The largest number of pairs whose newer run is the same. */
static size_t most_pairs(const struct data *d)
{
	return 2 + d->ndevices;
}

/* Appends the pairs whose newer run is i. */
static void add_pairs(const struct data *d, size_t i, struct comparison *all, size_t *n,
                      struct arena *a)
{
	const struct data_run *now = &d->runs[i];
	if (now->why_none)
		return;
	const struct data_run *before = run_before(d, i);
	const struct data_run *alike = before ? run_alike(d, i, before) : NULL;
	if (before)
		add(all, n, now, before, a);
	if (alike)
		add(all, n, now, alike, a);
	for (size_t k = i + 1; is_newest_of_device(d, i) && k < d->nruns; k++)
		if (!d->runs[k].why_none && !same_device(now, &d->runs[k]) &&
		    is_newest_of_device(d, k) && in_common(now, &d->runs[k]))
			add(all, n, now, &d->runs[k], a);
}

struct comparison *comparison_all(const struct data *d, struct arena *a, size_t *n)
{
	struct comparison *all = ARENA_ARRAY(a, struct comparison, d->nruns * most_pairs(d) + 1);
	*n = 0;
	for (size_t i = 0; i < d->nruns; i++)
		add_pairs(d, i, all, n, a);
	return all;
}

bool comparison_any(const struct data *d)
{
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = i + 1; !d->runs[i].why_none && k < d->nruns; k++)
			if (!d->runs[k].why_none && in_common(&d->runs[i], &d->runs[k]) &&
			    (same_device(&d->runs[i], &d->runs[k]) ||
			     (is_newest_of_device(d, i) && is_newest_of_device(d, k))))
				return true;
	return false;
}

/* --- titles --- */

enum { MOST_NAMED = 3 };

/* The families for which both runs have a number: their names, or their number. */
static const char *families(const struct words *w, const struct comparison *c, struct arena *a)
{
	const struct run *r = &c->now->run;
	const char *last = "", *names = "";
	size_t n = 0;
	for (size_t i = 0; i < r->ncases; i++) {
		const struct data_case *then = same_case(c->then, r->cases[i].id);
		if (c->now->cases[i].why_none || !then || then->why_none ||
		    strcmp(r->cases[i].family, last) == 0)
			continue;
		last = r->cases[i].family; /* in a record, the cases of a family are adjacent */
		names = arena_printf(a, "%s%s%s", names, n++ ? ", " : "", last);
	}
	return n <= MOST_NAMED
	               ? names
	               : words_fill(w, a, "comparison_families", arena_printf(a, "%zu", n), NULL);
}

/* "2026-11-21 17:45 against 12:09": a common day appears once. */
static const char *dates(const struct words *w, const struct comparison *c, struct arena *a)
{
	const char *now = c->now->run.head.start, *then = c->then->run.head.start;
	bool same = strncmp(now, then, 10) == 0;
	return words_fill(w, a, "comparison_against", arena_printf(a, "%.10s %.5s", now, now + 11),
	                  same ? arena_printf(a, "%.5s", then + 11)
	                       : arena_printf(a, "%.10s %.5s", then, then + 11));
}

const char *comparison_title(const struct data *d, const struct words *w,
                             const struct comparison *c, struct arena *a)
{
	const char *what = families(w, c, a);
	const char *device = data_device_name(d, c->now->run.head.device);
	if (c->devices)
		return words_fill(w, a, "comparison_title", what,
		                  words_fill(w, a, "comparison_against", device,
		                             data_device_name(d, c->then->run.head.device)));
	return words_fill(w, a, "comparison_title", words_fill(w, a, "comparison_on", what, device),
	                  dates(w, c, a));
}

void comparison_links(struct expand_ctx *ctx, const struct data_run *r, struct sb *to)
{
	const struct data *d = ctx->data;
	struct comparison *all = ARENA_ARRAY(ctx->arena, struct comparison, most_pairs(d));
	size_t n = 0, shown = 0;
	add_pairs(d, (size_t)(r - d->runs), all, &n, ctx->arena);
	for (size_t i = 0; i < n; i++) {
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

/* False for a case that gets no verdict: without a number, withdrawn, or of one process. */
static bool is_told(const struct data_case *c)
{
	return !c->why_none && c->state != DATA_WITHDRAWN && c->time.launches > 1;
}

static struct row *rows_of(const struct data *d, const struct comparison *c, struct arena *a,
                           size_t *n)
{
	struct row *row = ARENA_ARRAY(a, struct row, c->now->run.ncases + 1);
	*n = 0;
	for (size_t i = 0; i < c->now->run.ncases; i++) {
		const struct data_case *now = &c->now->cases[i];
		const struct data_case *then = same_case(c->then, now->c->id);
		if (!is_told(now) || !then || !is_told(then))
			continue;
		row[(*n)++] = (struct row){
		        .now = {c->now, now},
		        .then = {c->then, then},
		        .metric = roof_metric(d, &(struct pick){c->now, now}),
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

/* Order of the rows: the largest changes, then undecided cases, then equivalent ones. */
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

static void put_word(struct expand_ctx *ctx, const char *key, struct sb *to)
{
	html_text(to, str_of(words_get(ctx->words, key)));
}

/* Writes both runs as links, the older one first. */
static void put_runs(struct expand_ctx *ctx, const struct comparison *c, struct sb *to)
{
	html_raw(to, "<div><dt>");
	put_word(ctx, "comparison_runs", to);
	html_raw(to, "</dt><dd>");
	kind_link(ctx, c->then->url, c->then->run.head.id, to);
	html_raw(to, " → ");
	kind_link(ctx, c->now->url, c->now->run.head.id, to);
	html_raw(to, "</dd></div>\n");
}

static const struct data_fact *same_label(const struct data_fact *f, size_t n, const char *label)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(f[i].label, label) == 0)
			return &f[i];
	return NULL;
}

/* Writes a condition in which the runs differ. */
static void put_fact(struct expand_ctx *ctx, const struct data_fact *now,
                     const struct data_fact *then, struct sb *to)
{
	if (then && strcmp(now->value, then->value) == 0)
		return;
	html_raw(to, "<div><dt>");
	html_text(to, str_of(words_label(ctx->words, now->label)));
	html_raw(to, "</dt><dd>");
	html_text(to, str_of(then ? data_fact_text(ctx->words, then, ctx->arena) : "–"));
	html_raw(to, " → ");
	html_text(to, str_of(data_fact_text(ctx->words, now, ctx->arena)));
	html_raw(to, "</dd></div>\n");
}

/* Writes the runs and their differences: driver, toolkit, clocks, commit, … */
static void put_differences(struct expand_ctx *ctx, const struct comparison *c, struct sb *to)
{
	size_t n, o;
	const struct data_fact *now = data_conditions(c->now, &n);
	const struct data_fact *then = data_conditions(c->then, &o);
	html_raw(to, "<dl class=\"facts wide\">\n");
	put_runs(ctx, c, to);
	for (size_t i = 0; i < n; i++)
		put_fact(ctx, &now[i], same_label(then, o, now[i].label), to);
	html_raw(to, "</dl>\n");
}

/* `label`: key of its column's head, which narrow pages print beside the number. */
static void put_value(struct expand_ctx *ctx, const struct pick *p, enum metric m,
                      const char *label, struct sb *to)
{
	struct number n;
	html_raw(to, "<td class=\"right\" data-label=\"");
	html_attr(to, str_of(words_get(ctx->words, label)));
	html_raw(to, "\">");
	if (number_of(p, m, &n)) {
		number_link(ctx, &n, "", NULL, to);
		number_interval(&n, to);
	} else {
		number_none(words_get(ctx->words, "none_metric"), to);
	}
	html_raw(to, "</td>");
}

/* The row's verdict. The intervals alone do not decide it; see rank(). */
static enum stats_verdict verdict_of(const struct row *r)
{
	return rank(r) == 1 ? STATS_UNDECIDED : r->c.verdict;
}

static const char *verdict_word(struct expand_ctx *ctx, enum stats_verdict v)
{
	return words_get(ctx->words,
	                 arena_printf(ctx->arena, "comparison_%s", stats_verdict_name(v)));
}

/* "−6.9", with a typographic minus */
static const char *percent_text(double ratio, struct arena *a)
{
	double percent = 100 * (ratio - 1);
	return arena_printf(a, "%s%.1f", percent < 0 ? "−" : "+", fabs(percent));
}

const char *comparison_change(const struct words *w, double lo, double hi, struct arena *a)
{
	return words_fill(w, a, "comparison_change", percent_text(lo, a), percent_text(hi, a));
}

/* Says what a library chose by trying, if it was something else. */
static void put_choices(struct expand_ctx *ctx, const struct run_choice *then,
                        const struct run_choice *now, struct sb *to)
{
	struct arena *a = ctx->arena;
	if (record_choice_agrees(then, now))
		return;
	html_raw(to, " <span class=\"change\">");
	html_text(to,
	          str_of(words_fill(ctx->words, a, "comparison_choice",
	                            record_choice_words(then, a), record_choice_words(now, a))));
	html_raw(to, "</span>");
}

static void put_row(struct expand_ctx *ctx, const struct row *r, struct sb *to)
{
	struct arena *a = ctx->arena;
	const struct run_case *c = r->now.d->c;
	enum stats_verdict verdict = verdict_of(r);
	html_raw(to, "<tr data-verdict=\"");
	html_attr(to, str_of(stats_verdict_name(verdict)));
	html_raw(to, "\"><th scope=\"row\"><code>");
	html_text(to, str_of(arena_printf(a, "%s/%s", c->family, c->variant)));
	html_raw(to, "</code> ");
	html_text(to, str_of(case_words(ctx->words, c, a)));
	html_raw(to, "</th>");
	put_value(ctx, &r->then, r->metric, "comparison_then", to);
	put_value(ctx, &r->now, r->metric, "comparison_now", to);
	html_raw(to, "<td class=\"left\">");
	html_text(to, str_of(verdict_word(ctx, verdict)));
	html_raw(to, " <span class=\"change\">");
	html_text(to, str_of(comparison_change(ctx->words, r->c.ratio.lo, r->c.ratio.hi, a)));
	html_raw(to, "</span>");
	put_choices(ctx, &r->then.d->c->build.choice, &c->build.choice, to);
	html_raw(to, "</td></tr>\n");
}

/* "203 cases: faster 47, slower 52, …" */
static void put_count(struct expand_ctx *ctx, const struct row *row, size_t n, struct sb *to)
{
	static const enum stats_verdict order[] = {STATS_FASTER, STATS_SLOWER, STATS_EQUIVALENT,
	                                           STATS_UNDECIDED};
	struct arena *a = ctx->arena;
	html_raw(to, "<p class=\"verdicts\">");
	html_text(to, str_of(words_fill(ctx->words, a, "comparison_cases",
	                                arena_printf(a, "%zu", n), NULL)));
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		size_t count = 0;
		for (size_t k = 0; k < n; k++)
			count += verdict_of(&row[k]) == order[i];
		html_text(to, str_of(words_get(ctx->words,
		                               i ? "comparison_between" : "comparison_colon")));
		html_text(to, str_of(words_fill(ctx->words, a, "comparison_count",
		                                arena_printf(a, "%zu", count),
		                                verdict_word(ctx, order[i]))));
	}
	put_word(ctx, "comparison_stop", to);
	html_raw(to, "</p>\n");
}

static void put_table(struct expand_ctx *ctx, const struct row *row, size_t n, struct sb *to)
{
	table_open(to, "comparison stack");
	html_raw(to, "<thead><tr><th scope=\"col\">");
	put_word(ctx, "comparison_case", to);
	html_raw(to, "</th><th scope=\"col\" class=\"right\">");
	put_word(ctx, "comparison_then", to);
	html_raw(to, "</th><th scope=\"col\" class=\"right\">");
	put_word(ctx, "comparison_now", to);
	html_raw(to, "</th><th scope=\"col\">");
	put_word(ctx, "comparison_verdict", to);
	html_raw(to, "</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++)
		put_row(ctx, &row[i], to);
	html_raw(to, "</tbody>");
	table_close(to);
}

/* Writes only names, which link to the pages with the numbers. */
static void put_equivalent(struct expand_ctx *ctx, const struct row *row, size_t n, struct sb *to)
{
	html_raw(to, "<details class=\"exact\"><summary>");
	put_word(ctx, "comparison_same", to);
	html_raw(to, "</summary>\n<ul>\n");
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

/* Writes rows that few readers need, closed. */
static void put_folded(struct expand_ctx *ctx, const struct row *row, size_t n, const char *key,
                       struct sb *to)
{
	if (n == 0)
		return;
	html_raw(to, "<details class=\"exact\"><summary>");
	html_text(to, str_of(words_fill(ctx->words, ctx->arena, key,
	                                arena_printf(ctx->arena, "%zu", n), NULL)));
	html_raw(to, "</summary>\n");
	put_table(ctx, row, n, to);
	html_raw(to, "</details>\n");
}

/* The largest changes are open; smaller ones, undecided and equivalent cases are folded. */
static void put_rows(struct expand_ctx *ctx, const struct row *row, size_t n, struct sb *to)
{
	enum { MOST_OPEN = 60 }; /* more than that nobody reads in order */
	size_t changed = 0, told = 0;
	while (changed < n && rank(&row[changed]) == 0)
		changed++;
	for (told = changed; told < n && rank(&row[told]) < 2;)
		told++;
	size_t open = changed < MOST_OPEN ? changed : MOST_OPEN;
	if (open)
		put_table(ctx, row, open, to);
	put_folded(ctx, row + open, changed - open, "comparison_smaller", to);
	put_folded(ctx, row + changed, told - changed, "comparison_open", to);
	if (told < n)
		put_equivalent(ctx, row + told, n - told, to);
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
	put_count(ctx, row, n, &to);
	html_raw(&to, "<p>");
	put_word(ctx, "comparison_method", &to);
	html_raw(&to, "</p>\n");
	put_differences(ctx, c, &to);
	put_rows(ctx, row, n, &to);
	out->html = str_keep(ctx->arena, sb_view(&to));
	sb_free(&to);
	return true;
}
