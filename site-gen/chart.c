/* From cases to charts: the parts that plot and roofline share. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/html.h"
#include "site-gen/kinds.h"
#include "site-gen/plot.h"

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

/* --- series --- */

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

static struct plot_series *series_of(struct plot_chart *c, const struct run_case *r, size_t n,
                                     struct arena *a)
{
	for (size_t i = 0; i < c->nseries; i++)
		if (strcmp(c->series[i].short_name, r->variant) == 0)
			return &c->series[i];
	struct plot_series *s = &c->series[c->nseries++];
	*s = (struct plot_series){.name = r->variant_title,
	                          .short_name = r->variant,
	                          .colour = case_colour(r),
	                          .role = r->role,
	                          .points = ARENA_ARRAY(a, struct plot_point, n)};
	return s;
}

/* Titles as labels, if all of them are short; else ids, for all. */
static void short_names(struct plot_chart *c)
{
	enum { LONG_NAME = 23 };
	bool fits = true;
	for (size_t i = 0; i < c->nseries; i++)
		fits = fits && strlen(c->series[i].name) <= LONG_NAME;
	for (size_t i = 0; i < c->nseries && !fits; i++)
		c->series[i].name = c->series[i].short_name;
}

void chart_series(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                  chart_x *x, const void *ctx, struct plot_chart *chart)
{
	struct arena *a = k->ctx->arena;
	chart->series = ARENA_ARRAY(a, struct plot_series, n + 1);
	for (size_t i = 0; i < n; i++) {
		struct number v;
		double at;
		if (!number_of(&picks[i], m, &v) || !x(&picks[i], ctx, &at))
			continue;
		struct plot_series *s = series_of(chart, picks[i].d->c, n, a);
		s->points[s->n++] = (struct plot_point){
		        .x = at,
		        .y = v.value,
		        .href = number_url(k->ctx, &v),
		        .title = point_title(k, &picks[i], &v),
		        .hollow = picks[i].d->state != DATA_OK,
		};
		number_quote(k->ctx, &v);
	}
	short_names(chart);
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

static void add_level(struct plot_chart *c, double level, const char *class,
                      const char *label_class, const char *label, double dy)
{
	c->line[c->nlines++] = (struct plot_line){
	        .class = class, .at = {{c->x.lo, level}, {c->x.hi, level}}, .n = 2};
	c->label[c->nlabels++] = (struct plot_label){.class = label_class,
	                                             .text = label,
	                                             .x = c->x.lo,
	                                             .y = level,
	                                             .dx = 6,
	                                             .dy = dy,
	                                             .anchor = 'l'};
}

void chart_level_roofs(struct kind_call *k, const struct pick *p, enum metric m,
                       struct plot_chart *c)
{
	struct arena *a = k->ctx->arena;
	const struct data_spec *spec = roof_spec(k->ctx->data, p, m);
	struct pick ceiling;
	struct number n;
	if (spec && spec->value <= c->y.hi)
		add_level(c, spec->value, "roof-spec", "roof-spec-label",
		          words_fill(k->ctx->words, a, "roof_theoretical",
		                     chart_spec_amount(spec->value, spec->si, a), NULL),
		          -8);
	if (roof_measured(p, m, &ceiling) && number_of(&ceiling, m, &n) && n.value <= c->y.hi)
		add_level(c, n.value, "roof-measured", "roof-measured-label",
		          words_fill(k->ctx->words, a, "roof_measured",
		                     arena_printf(a, "%s (%s/%s)", chart_amount(n.value, n.si, a),
		                                  ceiling.d->c->family, ceiling.d->c->variant),
		                     NULL),
		          10);
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
	c->title = arena_printf(a, "%s: %s", picks[0].d->c->family_title, what);
	c->desc = describe(k, c, m);
	if (!plot_svg(c, arena_printf(a, "b%d", k->ctx->blocks), program, k->ctx->plot_cache, a,
	              k->to, &why))
		return err_at(e, k->p->at, "%s", why.text);
	block_exact(k, picks, n, m);
	block_close(k);
	return true;
}
