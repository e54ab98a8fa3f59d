/* From cases to charts: the parts that plot and roofline share. */
#include "site-gen/kinds/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/plot/plot.h"

const char *chart_amount(double value, const char *si, struct arena *a)
{
	struct unit_text u;
	unit_format(value, 0, si, &u);
	return arena_printf(a, "%s\xC2\xA0%s", u.number, u.unit);
}

const char *chart_spec_amount(double value, const char *si, struct arena *a)
{
	struct sb text = {0};
	const struct data_spec s = {.value = value, .si = si};
	number_spec_text(&s, &text);
	const char *out = arena_strndup(a, text.p, text.n);
	sb_free(&text);
	return out;
}

const char *chart_roof_amount(const struct number *n, struct arena *a)
{
	const char *amount = chart_amount(n->value, n->si, a);
	double percent = fmax(50 * (n->hi - n->lo) / n->value, 0.01); /* as number_interval() */
	return n->hi > n->lo ? arena_printf(a, "%s ±%.*f\xC2\xA0%%", amount,
	                                    percent < 0.095 ? 2 : 1, percent)
	                     : amount;
}

/* --- cases --- */

bool chart_picks(struct kind_call *k, const char *const *own, struct pick **out, size_t *n,
                 struct err *e)
{
	struct pick *all = NULL;
	*n = 0;
	for (size_t i = 0; i < k->p->nwords; i++) {
		struct query q;
		struct pick *picks;
		size_t count;
		if (!query_parse(k->p, k->p->word[i], own, true, &q, e) ||
		    !query_all(k->ctx, &q, &picks, &count, e))
			return false;
		struct pick *more = ARENA_ARRAY(k->ctx->arena, struct pick, *n + count);
		if (*n > 0)
			memcpy(more, all, *n * sizeof *more);
		memcpy(more + *n, picks, count * sizeof *more);
		all = more;
		*n += count;
	}
	*out = all;
	return true;
}

/* --- series --- */

static bool one_family(const struct pick *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(p[i].d->c->family, p[0].d->c->family) != 0)
			return false;
	return true;
}

static bool one_variant(const struct pick *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(p[i].d->c->variant, p[0].d->c->variant) != 0)
			return false;
	return one_family(p, n);
}

static bool one_device(const struct pick *p, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(p[i].run->run.head.device, p[0].run->run.head.device) != 0)
			return false;
	return true;
}

/* "warps = 8", or the word alone where the value is one; NULL: the case has no such key. */
static const char *value_of(const struct run_case *c, const char *key, struct arena *a)
{
	const struct run_pair *p = record_param(c, key);
	const char *value = query_value(c, key, a);
	return p && !p->word ? arena_printf(a, "%s\xC2\xA0=\xC2\xA0%s", key, value) : value;
}

/* "family/variant, value, device", of which only what the picks differ in. */
const char *chart_series_of(struct kind_call *k, const struct pick *picks, size_t n, size_t i,
                            const char *by)
{
	struct arena *a = k->ctx->arena;
	const struct run_case *c = picks[i].d->c;
	const char *value = by ? value_of(c, by, a) : NULL, *name = c->variant;
	if (!one_family(picks, n))
		name = arena_printf(a, "%s/%s", c->family, c->variant);
	if (value && one_variant(picks, n))
		name = value;
	else if (value)
		name = arena_printf(a, "%s, %s", name, value);
	if (one_device(picks, n))
		return name;
	return arena_printf(a, "%s, %s", name, picks[i].run->run.head.device);
}

/* "tile, rows = 4096, f32, cold: 2.85 TB/s (stale)" */
static const char *point_title(struct kind_call *k, const struct pick *p, const struct number *n)
{
	struct sb text = {0};
	sb_printf(&text, "%s, %s: ", p->d->c->variant, case_words(p->d->c, k->ctx->arena));
	number_text(n, &text);
	if (p->d->state != DATA_OK)
		sb_printf(&text, " (%s)", words_state(k->ctx->words, data_state_name(p->d->state)));
	const char *out = arena_strndup(k->ctx->arena, text.p, text.n);
	sb_free(&text);
	return out;
}

static int by_x(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;
	return (p->x > q->x) - (p->x < q->x);
}

/* The series called `name`; a new one has the colour of its variant if names are of variants. */
static struct plot_series *series_named(struct plot_chart *c, const char *name,
                                        const struct run_case *r, const struct words *w, size_t n,
                                        struct arena *a)
{
	for (size_t i = 0; i < c->nseries; i++)
		if (strcmp(c->series[i].short_name, name) == 0)
			return &c->series[i];
	bool variants = strcmp(name, r->variant) == 0;
	struct plot_series *s = &c->series[c->nseries];
	*s = (struct plot_series){.name = variants ? words_label(w, r->variant_title) : name,
	                          .short_name = name,
	                          .colour = variants ? case_colour(r)
	                                             : (int)(c->nseries % CASE_COLOURS),
	                          .role = r->role,
	                          .points = ARENA_ARRAY(a, struct plot_point, n)};
	c->nseries++;
	return s;
}

/* Columns of a text: a character of three bytes or more is Chinese, and takes two. */
static size_t columns(const char *s)
{
	size_t n = 0;
	for (; *s; s++)
		n += ((unsigned char)*s & 0xC0) == 0x80 ? 0 : (unsigned char)*s >= 0xE0 ? 2 : 1;
	return n;
}

/* Titles as labels, if all of them are short; else ids, for all. */
static void short_names(struct plot_chart *c)
{
	enum { LONG_NAME = 23 };
	bool fits = true;
	for (size_t i = 0; i < c->nseries; i++)
		fits = fits && columns(c->series[i].name) <= LONG_NAME;
	for (size_t i = 0; i < c->nseries && !fits; i++)
		c->series[i].name = c->series[i].short_name;
}

/* What is nobody's peer needs no dashes: where all are ceilings, say. */
static void plain_roles(struct plot_chart *c)
{
	bool same = true;
	for (size_t i = 1; i < c->nseries; i++)
		same = same && strcmp(c->series[i].role, c->series[0].role) == 0;
	for (size_t i = 0; same && i < c->nseries; i++)
		c->series[i].role = "kernel";
}

static struct plot_point point_of(struct kind_call *k, const struct pick *p, const struct number *n,
                                  double x)
{
	number_quote(k->ctx, n);
	return (struct plot_point){.x = x,
	                           .y = n->value,
	                           .href = number_url(k->ctx, n),
	                           .title = point_title(k, p, n),
	                           .hollow = p->d->state != DATA_OK};
}

void chart_series(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                  const char *by, chart_x *x, const void *ctx, struct plot_chart *chart)
{
	struct arena *a = k->ctx->arena;
	chart->series = ARENA_ARRAY(a, struct plot_series, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct number v;
		double at;
		if (!number_of(&picks[i], m, &v) || !x(&picks[i], ctx, &at))
			continue;
		struct plot_series *s = series_named(chart, chart_series_of(k, picks, n, i, by),
		                                     picks[i].d->c, k->ctx->words, n, a);
		s->points[s->n++] = point_of(k, &picks[i], &v, at);
	}
	short_names(chart);
	plain_roles(chart);
	for (size_t i = 0; i < chart->nseries; i++)
		qsort(chart->series[i].points, chart->series[i].n, sizeof(struct plot_point), by_x);
}

bool chart_extent(const struct plot_chart *c, double x[2], double y[2])
{
	bool any = false;
	for (size_t i = 0; i < c->nseries; i++)
		for (size_t k = 0; k < c->series[i].n; k++) {
			const struct plot_point *p = &c->series[i].points[k];
			x[0] = any ? fmin(x[0], p->x) : p->x;
			x[1] = any ? fmax(x[1], p->x) : p->x;
			y[0] = any ? fmin(y[0], p->y) : p->y;
			y[1] = any ? fmax(y[1], p->y) : p->y;
			any = true;
		}
	return any;
}

/* --- one x: rows --- */

bool chart_one_x(const struct pick *picks, size_t n, chart_x *x, const void *ctx)
{
	double first = 0, at;
	bool any = false;
	for (size_t i = 0; i < n; i++) {
		if (picks[i].d->why_none || !x(&picks[i], ctx, &at))
			continue;
		if (any && at != first)
			return false;
		first = at;
		any = true;
	}
	return any;
}

/* Its series' name, with what tells it from the others of that series, if there are any. */
static const char *row_name(struct kind_call *k, const struct pick *picks, size_t n, size_t own,
                            const char *by)
{
	const char *series = chart_series_of(k, picks, n, own, by);
	size_t same = 0;
	for (size_t i = 0; i < n; i++)
		same += strcmp(chart_series_of(k, picks, n, i, by), series) == 0;
	if (same == 1)
		return series;
	const char *words = block_own_words(k, picks, n, own);
	return same == n ? words : arena_printf(k->ctx->arena, "%s, %s", series, words);
}

bool chart_rows(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                const char *by, struct plot_chart *c, double extent[2], struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct number v;
	c->rows = true;
	c->series = ARENA_ARRAY(a, struct plot_series, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (!number_of(&picks[i], m, &v))
			continue;
		struct plot_series *s = series_named(c, row_name(k, picks, n, i, by), picks[i].d->c,
		                                     k->ctx->words, 1, a);
		s->points[0] = point_of(k, &picks[i], &v, v.value);
		s->points[0].value = chart_amount(v.value, v.si, a);
		s->n = 1;
		extent[0] = c->nseries > 1 ? fmin(extent[0], v.value) : v.value;
		extent[1] = c->nseries > 1 ? fmax(extent[1], v.value) : v.value;
	}
	if (c->nseries == 0)
		return err_at(e, k->p->at, "nothing to plot: no case has a %s",
		              metric_info(m)->name);
	if (c->nseries > PLOT_MAX_ROWS)
		return err_at(e, k->p->at,
		              "%zu cases have the same x, and a plot of rows has room for %d: "
		              "choose fewer, or write <<bench:table …>>",
		              c->nseries, PLOT_MAX_ROWS);
	short_names(c);
	plain_roles(c);
	for (size_t i = 0; i < c->nseries; i++) /* the first on top */
		c->series[i].points[0].y = (double)(c->nseries - i);
	c->y = (struct plot_axis){
	        .title = "", .lo = 0.5, .hi = (double)c->nseries + 0.5, .scale = 1};
	return true;
}

/* --- axes --- */

void chart_metric_axis(struct kind_call *k, enum metric m, double lo, double hi, bool log,
                       struct plot_axis *out)
{
	const struct metric_info *info = metric_info(m);
	struct unit_text u;
	unit_format(hi, 0, info->si, &u);
	*out = (struct plot_axis){
	        .title = arena_printf(k->ctx->arena, "%s, %s",
	                              words_label(k->ctx->words, info->title), u.unit),
	        .lo = log ? lo / 1.5 : 0,
	        .hi = log ? hi * 1.5 : hi * 1.06,
	        .scale = u.scale,
	        .log = log ? 10 : 0,
	};
}

/* --- roofs --- */

/* The axis that a roof has its value on. */
static const struct plot_axis *value_axis(const struct plot_chart *c)
{
	return c->rows ? &c->x : &c->y;
}

static void add_roof(struct plot_chart *c, struct plot_line line, struct plot_label label)
{
	if (c->nlines == PLOT_MAX_LINES || c->nlabels == PLOT_MAX_LABELS)
		return;
	c->line[c->nlines++] = line;
	c->label[c->nlabels++] = label;
}

static void add_level(struct plot_chart *c, double level, const char *class, struct plot_label l)
{
	l.x = c->x.lo;
	l.y = level;
	l.dx = 6;
	l.anchor = 'l';
	l.line[0] = (struct plot_xy){c->x.lo, level};
	l.line[1] = (struct plot_xy){c->x.hi, level};
	add_roof(c, (struct plot_line){.class = class, .at = {l.line[0], l.line[1]}, .n = 2}, l);
}

/* Above the rows; an earlier roof's name makes room. */
static void add_upright(struct plot_chart *c, double at, const char *class, struct plot_label l)
{
	enum { ABOVE = 8, ONE_LINE = 16 };
	for (size_t i = 0; i < c->nlabels; i++)
		c->label[i].dy -= ONE_LINE;
	l.x = at;
	l.y = c->y.hi;
	l.dx = 2;
	l.dy = -ABOVE;
	l.anchor = 'r';
	add_roof(c,
	         (struct plot_line){.class = class, .at = {{at, c->y.lo}, {at, c->y.hi}}, .n = 2},
	         l);
}

void chart_level_spec(struct kind_call *k, const struct data_spec *spec, struct plot_chart *c)
{
	if (spec->value > value_axis(c)->hi)
		return;
	struct plot_label l = {
	        .class = "roof-spec-label",
	        .text = words_fill(k->ctx->words, k->ctx->arena, "roof_theoretical",
	                           chart_spec_amount(spec->value, spec->si, k->ctx->arena), NULL),
	        .dy = -8};
	(c->rows ? add_upright : add_level)(c, spec->value, "roof-spec", l);
}

void chart_level_measured(struct kind_call *k, const struct pick *roof, enum metric m,
                          struct plot_chart *c)
{
	struct arena *a = k->ctx->arena;
	const struct run_case *r = roof->d->c;
	struct number n;
	if (!number_of(roof, m, &n) || n.value > value_axis(c)->hi)
		return;
	const char *amount = chart_roof_amount(&n, a);
	if (!c->rows)
		amount = arena_printf(a, "%s (%s/%s)", amount, r->family, r->variant);
	struct plot_label l = {.class = "roof-measured-label",
	                       .text = words_fill(k->ctx->words, a, "roof_measured", amount, NULL),
	                       .narrow = words_fill(k->ctx->words, a, "roof_measured",
	                                            chart_amount(n.value, n.si, a), NULL),
	                       .dy = 10};
	(c->rows ? add_upright : add_level)(c, n.value, "roof-measured", l);
}

void chart_level_roofs(struct kind_call *k, const struct pick *p, enum metric m,
                       struct plot_chart *c)
{
	const struct data_spec *spec = roof_spec(k->ctx->data, p, m);
	struct pick ceiling;
	if (spec)
		chart_level_spec(k, spec, c);
	if (roof_measured(k->ctx->data, p, m, &ceiling))
		chart_level_measured(k, &ceiling, m, c);
}

/* --- the figure --- */

/* What a screen reader says: how many series, and the best of each. */
static const char *describe(struct kind_call *k, const struct plot_chart *c, enum metric m)
{
	struct sb text = {0};
	for (size_t i = 0; i < c->nseries; i++) {
		const struct plot_series *s = &c->series[i];
		double lo = s->points[0].y, hi = lo;
		for (size_t p = 0; p < s->n; p++) {
			double v = c->rows ? s->points[p].x : s->points[p].y;
			lo = p == 0 ? v : fmin(lo, v);
			hi = p == 0 ? v : fmax(hi, v);
		}
		const char *si = metric_info(m)->si;
		const char *amount = chart_amount(lo, si, k->ctx->arena);
		if (s->n > 1)
			amount = words_fill(k->ctx->words, k->ctx->arena, "range", amount,
			                    chart_amount(hi, si, k->ctx->arena));
		sb_printf(&text, "%s%s: %s", i ? "; " : "", s->name, amount);
	}
	sb_printf(&text, ". %s", words_get(k->ctx->words, "plot_exact"));
	const char *out = arena_strndup(k->ctx->arena, text.p, text.n);
	sb_free(&text);
	return out;
}

bool chart_print(struct kind_call *k, struct plot_chart *c, const struct pick *picks, size_t n,
                 enum metric m, const char *what, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct err why = ERR_NONE;
	const char *program = arena_printf(a, "%s/templates/plots/plot.gp", k->ctx->data->root);
	block_open(k, block_caption(k, picks, n, what));
	c->title =
	        arena_printf(a, "%s%s%s", words_label(k->ctx->words, picks[0].d->c->family_title),
	                     words_get(k->ctx->words, "colon"), what);
	c->desc = describe(k, c, m);
	if (!plot_svg(c, arena_printf(a, "b%d", k->ctx->blocks), program, k->ctx->plot_cache, a,
	              k->to, &why))
		return err_at(e, k->p->at, "%s", why.text);
	block_exact(k, picks, n, m);
	block_close(k);
	return true;
}
