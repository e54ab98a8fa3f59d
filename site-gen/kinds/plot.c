/* plot: a metric over a parameter, or over what the cost model counts. */
#include <math.h>
#include <string.h>

#include "site-gen/kinds/kinds.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/plot/plot.h"

static const char *const own_keys[] = {"metric", "x",    "y",       "series",
                                       "log",    "roof", "ceiling", NULL};

/* --- what x can be --- */

static bool param_x(const struct pick *p, const void *name, double *x)
{
	const struct run_pair *v = record_param(p->d->c, name);
	*x = v && !v->word ? (double)v->num : 0;
	return v && !v->word;
}

static double bytes_of(const struct run_case *c)
{
	return (double)c->model.bytes_read + (double)c->model.bytes_written;
}

static bool bytes_x(const struct pick *p, const void *name, double *x)
{
	(void)name;
	*x = bytes_of(p->d->c);
	return *x > 0;
}

/* What is touched again in each of several passes counts once. */
static bool working_set_x(const struct pick *p, const void *name, double *x)
{
	const struct run_pair *passes = record_param(p->d->c, "passes");
	(void)name;
	*x = bytes_of(p->d->c) /
	     (passes && !passes->word && passes->num > 0 ? (double)passes->num : 1);
	return *x > 0;
}

static bool intensity_x(const struct pick *p, const void *name, double *x)
{
	struct number n;
	(void)name;
	bool has = number_of(p, METRIC_INTENSITY, &n);
	*x = n.value;
	return has;
}

/*
 * To add a row: a function, a name, the key of its axis' title in lua/words.c, and
 * the row `plot` of docs/placeholders.md.
 */
static const struct known_x {
	const char *name;
	chart_x *of;
	const char *title;
} known[] = {
        {"bytes", bytes_x, "bytes_moved"},
        {"working-set", working_set_x, "axis_working_set"},
        {"intensity", intensity_x, "axis_intensity"},
};

/*
 * What numeric parameters count, for the titles of axes: a record has a parameter's name and value
 * only. Those that their name says (rows, cols, bins, blocks) have no row. To add one: the family,
 * or NULL for all that have no row of their own, the parameter, and the key of its unit in lua/words.c.
 */
static const struct param_unit {
	const char *family, *param, *unit;
} units[] = {
        {"gemv", "n", "unit_outputs"},
        {"gemv", "k", "unit_inputs"},
        {"gemv", "m", "unit_tokens"},
        {"atomics", "m", "unit_places"},
        {"atomics", "gap", "unit_elements"},
        {"sectors", "step", "unit_elements"},
        {"occupancy", "inflight", "unit_kib_sm"},
        {"occupancy", "unroll", "unit_loads_thread"},
        {"occupancy", "warps", "unit_of_sm"},
        {"launch", "nodes", "unit_steps"},
        {"ceiling-flight", "flight", "unit_b_sm"},
        {"ceiling-fma", "k", "unit_steps_element"},
        {"ceiling-special", "k", "unit_steps_element"},
        {"ceiling-atomic", "m", "unit_places"},
        {NULL, "n", "unit_elements"},
};

/* The unit of a case's parameter; NULL: none is known. */
static const char *unit_of(const struct run_case *c, const char *param)
{
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(units[i].param, param) == 0 &&
		    (!units[i].family || strcmp(units[i].family, c->family) == 0))
			return units[i].unit;
	return NULL;
}

/* "m, tokens"; the name alone where no unit is known, or not all cases have the same. */
static const char *param_title(struct kind_call *k, const struct pick *picks, size_t n,
                               const char *param)
{
	const char *unit = unit_of(picks[0].d->c, param);
	for (size_t i = 1; i < n; i++) {
		const char *other = unit_of(picks[i].d->c, param);
		if (!unit || !other || strcmp(unit, other) != 0)
			return param;
	}
	return unit ? arena_printf(k->ctx->arena, "%s, %s", param, words_get(k->ctx->words, unit))
	            : param;
}

/* The x axis of a call. */
struct plot_over {
	const char *name, *title;
	chart_x *of;
};

static struct plot_over x_named(struct kind_call *k, const struct pick *picks, size_t n,
                                struct str name)
{
	const char *own = arena_strndup(k->ctx->arena, name.p, name.n);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (str_is(name, known[i].name))
			return (struct plot_over){own, words_get(k->ctx->words, known[i].title),
			                          known[i].of};
	return (struct plot_over){own, param_title(k, picks, n, own), param_x};
}

static bool check_x(struct kind_call *k, const struct pick *picks, size_t n, struct plot_over *x,
                    struct err *e)
{
	struct str name = placeholder_key(k->p, "x");
	double any;
	if (!name.p)
		return err_at(e, k->p->at, "a plot needs its x axis, expected <<bench:%s>>",
		              k->kind->usage);
	*x = x_named(k, picks, n, name);
	for (size_t i = 0; i < n; i++)
		if (!x->of(&picks[i], x->name, &any) && !picks[i].d->why_none)
			return err_at(e, placeholder_loc(k->p, name),
			              "'%s' is no numeric parameter of %s, and not bytes, "
			              "working-set or intensity",
			              x->name, picks[i].d->c->id);
	return true;
}

/* --- what y is, and which series --- */

/* y= and metric= say the same. */
static bool y_metric(struct kind_call *k, const struct pick *first, enum metric *m, struct err *e)
{
	struct str y = placeholder_key(k->p, "y");
	const struct metric_info *info = y.p ? metric_find(y) : NULL;
	if (!y.p)
		return kind_metric(k, first, m, e);
	if (!info)
		return kind_no_metric(k, y, e);
	*m = info->id;
	return true;
}

/* series=KEY: NULL for variants. */
static bool check_series(struct kind_call *k, const struct pick *picks, size_t n, const char **by,
                         struct err *e)
{
	struct str key = placeholder_key(k->p, "series");
	*by = NULL;
	if (!key.p || str_is(key, "variant"))
		return true;
	*by = arena_strndup(k->ctx->arena, key.p, key.n);
	for (size_t i = 0; i < n; i++)
		if (!query_value(picks[i].d->c, *by, k->ctx->arena))
			return err_at(
			        e, placeholder_loc(k->p, key),
			        "series=%s is no key of %s, expected variant, dtype, cache or "
			        "one of its parameters",
			        *by, picks[i].d->c->id);
	return true;
}

/* Two cases of one series at the same x would be a scribble, not a curve. */
static bool check_unique(struct kind_call *k, const struct pick *picks, size_t n,
                         const struct plot_over *x, const char *by, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			double a, b;
			if (picks[i].d->why_none || picks[j].d->why_none ||
			    !x->of(&picks[i], x->name, &a) || !x->of(&picks[j], x->name, &b) ||
			    a != b ||
			    strcmp(chart_series_of(k, picks, n, i, by),
			           chart_series_of(k, picks, n, j, by)) != 0)
				continue;
			return err_at(e, k->p->at, "%s and %s are at the same x; say %s",
			              picks[j].d->c->id, picks[i].d->c->id,
			              query_differs(k->ctx, picks, n));
		}
	return true;
}

/* --- axes --- */

/* log=x, y, xy or none; not said: as the values are. */
struct logs {
	bool said, x, y;
};

static bool read_log(struct kind_call *k, struct logs *out, struct err *e)
{
	struct str s = placeholder_key(k->p, "log");
	*out = (struct logs){.said = s.p != NULL};
	if (!s.p || str_is(s, "none"))
		return true;
	out->x = str_is(s, "x") || str_is(s, "xy");
	out->y = str_is(s, "y") || str_is(s, "xy");
	return out->x || out->y ||
	       err_at(e, placeholder_loc(k->p, s), "log=" STR_FMT ", expected x, y, xy or none",
	              STR_ARG(s));
}

/* Sizes are powers of two: log 2 where they span more than a factor of 8. */
static struct plot_axis x_axis(const struct plot_over *over, const double x[2],
                               const struct logs *l)
{
	enum { WIDE_SPAN = 8, DECIMAL_SPAN = 4096 };
	struct plot_axis a = {.title = over->title, .lo = x[0], .hi = x[1], .scale = 1};
	bool wide = x[0] > 0 && x[1] / x[0] >= WIDE_SPAN;
	if (x[0] > 0 && (l->said ? l->x : wide)) {
		a.log = over->of == intensity_x ? 10 : 2;
		a.lo /= 1.15;
		a.hi *= 1.15;
	} else {
		double room = x[1] > x[0] ? 0.05 * (x[1] - x[0]) : 1;
		a.lo = x[0] >= 0 && x[0] < room ? 0 : x[0] - room;
		a.hi += room;
	}
	return a;
}

/* --- roofs --- */

/* What roof= and ceiling= ask for. */
struct roofs {
	bool by_itself; /* neither is given: those that bound the first case */
	const struct data_spec *spec;
	bool has_measured;
	struct pick measured;
};

static bool read_spec(struct kind_call *k, const struct pick *first, enum metric m, struct str key,
                      struct roofs *out, struct err *e)
{
	if (str_is(key, "none"))
		return true;
	out->spec = kind_spec_find(k, str_of(first->run->run.head.device), key, e);
	if (!out->spec || strcmp(out->spec->si, metric_info(m)->si) == 0)
		return out->spec != NULL;
	return rule_err(e, RULE_TYPED, placeholder_loc(k->p, key),
	                "spec '%s' is in %s, which is no peak of %s", out->spec->key, out->spec->si,
	                metric_info(m)->name);
}

static bool read_ceiling(struct kind_call *k, const struct pick *first, enum metric m,
                         struct str selector, struct roofs *out, struct err *e)
{
	struct query q;
	struct number n;
	if (!query_parse(k->p, selector, own_keys, false, &q, e) ||
	    !query_beside(k->ctx, &q, first, &out->measured, e))
		return false;
	out->has_measured = number_of(&out->measured, m, &n);
	struct loc at = placeholder_loc(k->p, selector);
	if (!out->has_measured)
		return rule_err(e, RULE_TYPED, at, "%s has no %s", out->measured.d->c->id,
		                metric_info(m)->name);
	return roof_holds(k->ctx->data, first, &out->measured, m, at, e);
}

static bool read_roofs(struct kind_call *k, const struct pick *first, enum metric m,
                       struct roofs *out, struct err *e)
{
	struct str roof = placeholder_key(k->p, "roof"), ceiling = placeholder_key(k->p, "ceiling");
	*out = (struct roofs){.by_itself = !roof.p && !ceiling.p};
	if (out->by_itself)
		out->spec = roof_spec(k->ctx->data, first, m);
	return (!roof.p || read_spec(k, first, m, roof, out, e)) &&
	       (!ceiling.p || read_ceiling(k, first, m, ceiling, out, e));
}

static void draw_roofs(struct kind_call *k, const struct pick *first, enum metric m,
                       const struct roofs *r, struct plot_chart *c)
{
	if (r->by_itself) {
		chart_level_roofs(k, first, m, c);
		return;
	}
	if (r->spec)
		chart_level_spec(k, r->spec, c);
	if (r->has_measured)
		chart_level_measured(k, &r->measured, m, c);
}

/* Roofs that were asked for are in the chart; others, where they are near. */
static double top_of(const struct roofs *r, enum metric m, double most)
{
	enum { NEAR = 4 };
	struct number n;
	double top = most;
	if (r->spec && (!r->by_itself || r->spec->value < NEAR * most))
		top = fmax(top, r->spec->value);
	if (r->has_measured && number_of(&r->measured, m, &n))
		top = fmax(top, n.value);
	return top;
}

/* --- all of it --- */

/* "Working set" of "Working set, B", also with the comma of Chinese */
static const char *without_unit(const char *title, struct arena *a)
{
	const char *comma = strrchr(title, ','), *wide = strstr(title, "\xEF\xBC\x8C");
	const char *end = comma ? comma : wide;
	return end ? arena_strndup(a, title, (size_t)(end - title)) : title;
}

bool kind_plot(struct kind_call *k, struct err *e)
{
	enum { WIDE_RANGE = 30 };
	struct pick *picks;
	size_t n;
	enum metric m;
	struct plot_over x = {0};
	struct logs logs;
	struct roofs roofs;
	const char *by;
	double xs[2] = {0, 0}, ys[2] = {0, 0};
	struct plot_chart c = {0};
	if (!chart_picks(k, own_keys, &picks, &n, e) || !y_metric(k, &picks[0], &m, e) ||
	    !check_x(k, picks, n, &x, e) || !check_series(k, picks, n, &by, e) ||
	    !check_unique(k, picks, n, &x, by, e) || !read_log(k, &logs, e) ||
	    !read_roofs(k, &picks[0], m, &roofs, e))
		return false;
	if (chart_one_x(picks, n, x.of, x.name)) {
		if (!chart_rows(k, picks, n, m, by, &c, ys, e))
			return false;
	} else {
		chart_series(k, picks, n, m, by, x.of, x.name, &c);
		if (!chart_extent(&c, xs, ys))
			return err_at(e, k->p->at,
			              "nothing to plot: no case of '" STR_FMT "' has a %s",
			              STR_ARG(k->p->word[0]), metric_info(m)->name);
		c.x = x_axis(&x, xs, &logs);
	}
	bool log = ys[0] > 0 && (m == METRIC_TIME || ys[1] / ys[0] > WIDE_RANGE);
	chart_metric_axis(k, m, ys[0], top_of(&roofs, m, ys[1]), logs.said ? logs.y : log,
	                  c.rows ? &c.x : &c.y);
	draw_roofs(k, &picks[0], m, &roofs, &c);
	const char *what = case_metric_words(k->ctx, picks[0].d->c, m);
	if (!c.rows)
		what = words_fill(k->ctx->words, k->ctx->arena, "plot_over", what,
		                  without_unit(x.title, k->ctx->arena));
	return chart_print(k, &c, picks, n, m, what, e);
}
