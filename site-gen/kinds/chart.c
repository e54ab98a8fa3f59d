/* Turns cases into charts: code shared by plot and roofline. */
#include "site-gen/kinds/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/plot/plot.h"
#include "site-gen/records/launches.h"

const char *chart_amount(double value, const char *si, struct arena *a)
{
	struct unit_text u;
	unit_format(value, 0, si, &u);
	return arena_printf(a, "%s" NBSP "%s", u.number, u.unit);
}

const char *chart_spec_amount(double value, const char *si, struct arena *a)
{
	struct sb text = {0};
	const struct data_spec s = {.value = value, .si = si};
	number_spec_text(&s, &text);
	return sb_take(a, &text);
}

/* A measured roof with its interval: "4.35 TB/s ±0.1 %". */
static const char *roof_amount(const struct number *n, struct arena *a)
{
	const char *amount = chart_amount(n->value, n->si, a);
	double percent = fmax(50 * (n->hi - n->lo) / n->value, 0.01); /* as number_interval() */
	return n->hi > n->lo ? arena_printf(a, "%s ±%.*f" NBSP "%%", amount,
	                                    percent < 0.095 ? 2 : 1, percent)
	                     : amount;
}

/* --- cases --- */

/* Part i of a list with `;` between its parts. */
static struct str part_of(struct str list, size_t i)
{
	struct str part;
	while (str_cut(list, ';', &part, &list) && i > 0)
		i--;
	return str_trim(part);
}

/* names="a; b": one for each selector, the same words where series are to be one. */
static bool read_names(struct kind_call *k, struct str *names, struct err *e)
{
	*names = placeholder_key(k->p, "names");
	if (!names->p)
		return true;
	size_t n = 1;
	for (size_t i = 0; i < names->n; i++)
		n += names->p[i] == ';';
	if (n != k->p->nwords)
		return err_at(
		        e, placeholder_loc(k->p, *names),
		        "names=\"…\" has %zu for %zu selectors, expected one each, with ; between",
		        n, k->p->nwords);
	for (size_t i = 0; i < n; i++)
		if (part_of(*names, i).n == 0)
			return err_at(e, placeholder_loc(k->p, *names),
			              "name %zu is empty, expected words for readers", i + 1);
	return kind_traced(k, *names, e);
}

/*
 * An x that is the knob of some case: keeps the cases of sweeps alone, since no other case has one.
 * Returns how many there are.
 */
static size_t keep_swept(struct pick *picks, size_t n, const char *x)
{
	size_t swept = 0;
	for (size_t i = 0; i < n; i++)
		if (record_is_knob(picks[i].d->c, x))
			picks[swept++] = picks[i];
	return swept ? swept : n;
}

/* Appends the picks of one selector; they share its name. */
static void add_picks(struct kind_call *k, const struct pick *picks, size_t count, struct str name,
                      struct pick **all, size_t *n)
{
	struct arena *a = k->ctx->arena;
	struct pick *more = ARENA_ARRAY(a, struct pick, *n + count);
	if (*n > 0)
		memcpy(more, *all, *n * sizeof *more);
	memcpy(more + *n, picks, count * sizeof *more);
	if (name.p) {
		const char **names = ARENA_ARRAY(a, const char *, *n + count);
		if (*n > 0)
			memcpy(names, k->names, *n * sizeof *names);
		for (size_t i = 0; i < count; i++)
			names[*n + i] = arena_strndup(a, name.p, name.n);
		k->names = names;
	}
	*all = more;
	*n += count;
}

bool chart_picks(struct kind_call *k, const char *const *own, struct pick **out, size_t *n,
                 struct err *e)
{
	struct str names, x = placeholder_key(k->p, "x");
	*out = NULL;
	*n = 0;
	if (!read_names(k, &names, e))
		return false;
	for (size_t i = 0; i < k->p->nwords; i++) {
		struct query q;
		struct pick *picks;
		size_t count;
		if (!query_parse(k->p, k->p->word[i], own, true, &q, e))
			return false;
		q.axis = x;
		if (!query_all(k->ctx, &q, &picks, &count, e))
			return false;
		if (x.p)
			count = keep_swept(picks, count, str_dup(k->ctx->arena, x));
		add_picks(k, picks, count, names.p ? part_of(names, i) : names, out, n);
	}
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

/* "family/variant, value, device", with only the parts in which the picks differ. */
const char *chart_series_of(struct kind_call *k, const struct pick *picks, size_t n, size_t i,
                            const char *by)
{
	struct arena *a = k->ctx->arena;
	const struct run_case *c = picks[i].d->c;
	const char *value = by ? case_part(k->ctx->words, c, by, a) : NULL, *name = c->variant;
	if (k->names)
		return typeset_sizes(k->names[i], a);
	if (value)
		value = typeset_sizes(value, a);
	if (!one_family(picks, n))
		name = arena_printf(a, "%s/%s", c->family, c->variant);
	if (value && one_variant(picks, n))
		name = value;
	else if (value)
		name = arena_printf(a, "%s, %s", name, value);
	if (one_device(picks, n))
		return name;
	const char *device = data_device_name(k->ctx->data, picks[i].run->run.head.device);
	return one_variant(picks, n) && !value ? device : arena_printf(a, "%s, %s", name, device);
}

/* "tile, rows = 4096, f32, cold: 2.85 TB/s (stale)" */
static const char *point_title(struct kind_call *k, const struct pick *p, const struct number *n)
{
	struct sb text = {0};
	sb_printf(&text, "%s, %s: ", p->d->c->variant,
	          case_words(k->ctx->words, p->d->c, k->ctx->arena));
	number_text(n, &text);
	if (p->d->state != DATA_OK)
		sb_printf(&text, " (%s)", words_state(k->ctx->words, data_state_name(p->d->state)));
	return sb_take(k->ctx->arena, &text);
}

static int by_x(const void *a, const void *b)
{
	const struct plot_point *p = a, *q = b;
	return (p->x > q->x) - (p->x < q->x);
}

/* The series `name`, added if new. It has its variant's colour if series stand for variants. */
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
	                          .variant = r->variant,
	                          .colour = variants ? case_colour(r)
	                                             : (int)(c->nseries % CASE_COLOURS),
	                          .role = r->role,
	                          .points = ARENA_ARRAY(a, struct plot_point, n)};
	c->nseries++;
	return s;
}

/* Width of a text in columns; a character of three or more bytes is Chinese and takes two. */
static size_t columns(const char *s)
{
	size_t n = 0;
	for (; *s; s++)
		n += ((unsigned char)*s & 0xC0) == 0x80 ? 0 : (unsigned char)*s >= 0xE0 ? 2 : 1;
	return n;
}

/* Labels all series with their titles if all are short, else with their ids. */
static void short_names(struct plot_chart *c)
{
	enum { LONG_NAME = 23 };
	bool fits = true;
	for (size_t i = 0; i < c->nseries; i++)
		fits = fits && columns(c->series[i].name) <= LONG_NAME;
	for (size_t i = 0; i < c->nseries && !fits; i++)
		c->series[i].name = c->series[i].short_name;
}

/* Removes dashes if all series have the same role, for example if all are ceilings. */
static void plain_roles(struct plot_chart *c)
{
	bool same = true;
	for (size_t i = 1; i < c->nseries; i++)
		same = same && strcmp(c->series[i].role, c->series[0].role) == 0;
	for (size_t i = 0; same && i < c->nseries; i++)
		c->series[i].role = "kernel";
}

/* A variant's colour repeats in a family of many. Here the later series takes the next free one. */
static void part_colours(struct plot_chart *c)
{
	bool taken[CASE_COLOURS] = {false};
	for (size_t i = 0; i < c->nseries && i < CASE_COLOURS; i++) {
		int *colour = &c->series[i].colour;
		while (taken[*colour])
			*colour = (*colour + 1) % CASE_COLOURS;
		taken[*colour] = true;
	}
}

/* --- samples --- */

enum { MOST_SAMPLES = 500 }; /* of a case, for programs that draw how samples are distributed */

/* Converts a time per call to the metric. */
static double in_metric(const struct run_case *c, enum metric m, double seconds)
{
	struct stats_summary t = {.typical = seconds, .lo = seconds, .hi = seconds};
	double value = seconds, lo, hi;
	metric_of(m, c, &t, &value, &lo, &hi);
	return value;
}

static const double *values_of(const struct pick *p, enum metric m, struct arena *a, size_t *n)
{
	const struct data_case *d = p->d;
	double *v = ARENA_ARRAY(a, double, d->time.launches + 1);
	*n = 0;
	for (size_t i = 0; i < d->time.launches; i++)
		if (!metric_is_read(m))
			v[(*n)++] = in_metric(d->c, m, d->medians[i]);
		else if (metric_of_launch(m, d->c, &d->reading[i], d->medians[i], &v[*n]))
			(*n)++;
	return v;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* Samples in ascending order, thinned out evenly to MOST_SAMPLES. Counter readings have none. */
static const double *samples_of(const struct pick *p, enum metric m, struct arena *a, size_t *n)
{
	const struct data_case *d = p->d;
	const struct run *r = metric_is_read(m) ? &p->run->run : launches_of(p->run);
	size_t all = 0;
	double *v = ARENA_ARRAY(a, double, d->time.samples + 1);
	*n = 0;
	for (size_t i = 0; !metric_is_read(m) && i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (l->of != d->c || !record_launch_ok(l))
			continue;
		for (size_t k = 0; k < l->nsamples && all < d->time.samples; k++)
			v[all++] = in_metric(d->c, m,
			                     (double)l->sample_ns[k] / 1e9 / (double)l->batch);
	}
	qsort(v, all, sizeof *v, by_value);
	*n = all < MOST_SAMPLES ? all : MOST_SAMPLES;
	for (size_t i = 0; i < *n; i++)
		v[i] = v[*n > 1 ? i * (all - 1) / (*n - 1) : 0];
	return v;
}

static struct plot_point point_of(struct kind_call *k, const struct plot_chart *c,
                                  const struct pick *p, const struct number *n, double x)
{
	struct arena *a = k->ctx->arena;
	number_quote(k->ctx, n);
	struct plot_point out = {.x = x,
	                         .y = n->value,
	                         .lo = n->lo,
	                         .hi = n->hi,
	                         .href = number_url(k->ctx, n),
	                         .title = point_title(k, p, n),
	                         .hollow = data_state_marked(p->d->state)};
	if (plotter_reads(k->ctx->plots, c->program, "value["))
		out.value = chart_amount(n->value, n->si, a);
	if (plotter_reads(k->ctx->plots, c->program, "$launches"))
		out.launches = values_of(p, n->metric, a, &out.nlaunches);
	if (plotter_reads(k->ctx->plots, c->program, "$samples"))
		out.samples = samples_of(p, n->metric, a, &out.nsamples);
	return out;
}

/* The name of a row: its series, and words that tell it from other cases of the series. */
static const char *row_name(struct kind_call *k, const struct pick *picks, size_t n, size_t own,
                            const char *by)
{
	const char *series = chart_series_of(k, picks, n, own, by);
	size_t same = 0;
	for (size_t i = 0; i < n; i++)
		same += strcmp(chart_series_of(k, picks, n, i, by), series) == 0;
	if (same == 1)
		return series;
	const char *words = typeset_sizes(block_own_words(k, picks, n, own), k->ctx->arena);
	return same == n ? words : arena_printf(k->ctx->arena, "%s, %s", series, words);
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
		const char *name = by && !*by ? row_name(k, picks, n, i, NULL)
		                              : chart_series_of(k, picks, n, i, by);
		struct plot_series *s =
		        series_named(chart, name, picks[i].d->c, k->ctx->words, n, a);
		s->points[s->n++] = point_of(k, chart, &picks[i], &v, at);
	}
	short_names(chart);
	plain_roles(chart);
	part_colours(chart);
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

bool chart_rows(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                const char *by, struct plot_chart *c, double extent[2], struct err *e)
{
	enum { MOST_ROWS = 20 };
	struct arena *a = k->ctx->arena;
	struct number v;
	if (!c->program)
		c->program = "rows";
	c->series = ARENA_ARRAY(a, struct plot_series, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (!number_of(&picks[i], m, &v))
			continue;
		struct plot_series *s = series_named(c, row_name(k, picks, n, i, by), picks[i].d->c,
		                                     k->ctx->words, 1, a);
		s->points[0] = point_of(k, c, &picks[i], &v, 0);
		s->points[0].column = 1;
		s->n = 1;
		extent[0] = c->nseries > 1 ? fmin(extent[0], v.value) : v.value;
		extent[1] = c->nseries > 1 ? fmax(extent[1], v.value) : v.value;
	}
	if (c->nseries == 0)
		return err_at(e, k->p->at, "nothing to plot: no case has a %s",
		              metric_info(m)->name);
	if (c->nseries > MOST_ROWS)
		return err_at(e, k->p->at,
		              "%zu cases have the same x, and a plot of rows has room for %d: "
		              "choose fewer, or write <<bench:table …>>",
		              c->nseries, MOST_ROWS);
	short_names(c);
	plain_roles(c);
	part_colours(c);
	c->x = (struct plot_axis){.title = "", .scale = 1};
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
	        .lo = lo,
	        .hi = hi,
	        .scale = u.scale,
	        .log = log ? 10 : 0,
	};
}

struct plot_axis chart_bytes_axis(struct kind_call *k, const char *title, const double x[2],
                                  int log)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	size_t u = 0;
	double scale = 1;
	for (; u + 1 < ARRAY_LEN(units) && x[0] >= 1024 * scale; u++)
		scale *= 1024;
	return (struct plot_axis){.title = arena_printf(k->ctx->arena, "%s, %s", title, units[u]),
	                          .lo = x[0],
	                          .hi = x[1],
	                          .scale = scale,
	                          .log = log};
}

/* --- roofs --- */

void chart_level_spec(struct kind_call *k, const struct data_spec *spec, struct plot_chart *c)
{
	struct plot_roof *r = &c->roof[PLOT_SPEC];
	const char *amount = chart_spec_amount(spec->value, spec->si, k->ctx->arena);
	r->level = spec->value;
	r->level_text = r->level_short =
	        words_fill(k->ctx->words, k->ctx->arena, "roof_theoretical", amount, NULL);
}

void chart_level_measured(struct kind_call *k, const struct pick *roof, enum metric m,
                          struct plot_chart *c)
{
	struct arena *a = k->ctx->arena;
	const struct run_case *of = roof->d->c;
	const struct words *w = k->ctx->words;
	struct plot_roof *r = &c->roof[PLOT_MEASURED];
	struct number n;
	if (!number_of(roof, m, &n))
		return;
	const char *amount = roof_amount(&n, a), *brief = chart_amount(n.value, n.si, a);
	if (strcmp(c->program, "plot") == 0) /* only this program has room for it */
		amount = arena_printf(a, "%s%s%s%s", amount, words_get(w, "bracket_open"),
		                      words_said(w, of->variant_title).text,
		                      words_get(w, "bracket_close"));
	r->level = n.value;
	r->level_text = words_fill(w, a, "roof_measured", amount, NULL);
	r->level_short = words_fill(w, a, "roof_measured", brief, NULL);
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

/* The description for screen readers: the range of each series, and a chosen x. */
static const char *describe(struct kind_call *k, const struct plot_chart *c, enum metric m)
{
	struct sb text = {0};
	for (size_t i = 0; i < c->nseries; i++) {
		const struct plot_series *s = &c->series[i];
		double lo = s->points[0].y, hi = lo;
		for (size_t p = 0; p < s->n; p++) {
			double v = s->points[p].y;
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
	if (c->chosen.text)
		sb_printf(&text, "; %s", c->chosen.text);
	sb_printf(&text, ". %s", words_get(k->ctx->words, "plot_exact"));
	return sb_take(k->ctx->arena, &text);
}

bool chart_print(struct kind_call *k, struct plot_chart *c, const struct pick *picks, size_t n,
                 enum metric m, const char *what, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct err why = ERR_NONE;
	block_open(k, block_caption(k, picks, n, what));
	c->title = k->finding.text
	                   ? k->finding.text
	                   : arena_printf(a, "%s%s%s",
	                                  words_label(k->ctx->words, picks[0].d->c->family_title),
	                                  words_get(k->ctx->words, "colon"), what);
	c->desc = describe(k, c, m);
	if (!plot_svg(k->ctx->plots, c, arena_printf(a, "b%d", k->ctx->blocks), a, k->to, &why))
		return err_at(e, k->p->at, "%s", why.text);
	block_drawn(k);
	block_exact(k, picks, n, m);
	block_close(k);
	return true;
}
