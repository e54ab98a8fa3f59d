/* plot: a metric over a parameter, one series a variant. */
#include <math.h>
#include <string.h>

#include "site-gen/kinds.h"
#include "site-gen/plot.h"

static const char *const own_keys[] = {"metric", "x", "y", "series", NULL};

static bool param_x(const struct pick *p, const void *ctx, double *x)
{
	const struct run_pair *v = record_param(p->d->c, ctx);
	if (!v || v->word)
		return false;
	*x = (double)v->num;
	return true;
}

/* y= and metric= say the same. */
static bool y_metric(struct kind_call *k, const struct run_case *c, enum metric *m, struct err *e)
{
	struct str y = placeholder_key(k->p, "y");
	const struct metric_info *info = y.p ? metric_find(y) : NULL;
	if (!y.p)
		return kind_metric(k, c, m, e);
	if (!info)
		return kind_no_metric(k, y, e);
	*m = info->id;
	return true;
}

static bool check_x(struct kind_call *k, const struct pick *picks, size_t n, const char **x,
                    struct err *e)
{
	struct str name = placeholder_key(k->p, "x"), series = placeholder_key(k->p, "series");
	if (!name.p)
		return err_at(e, k->p->at, "a plot needs its x axis, expected <<bench:%s>>",
		              k->kind->usage);
	if (series.p && !str_is(series, "variant"))
		return err_at(e, placeholder_loc(k->p, series),
		              "series=" STR_FMT " is not known, expected series=variant",
		              STR_ARG(series));
	*x = arena_strndup(k->ctx->arena, name.p, name.n);
	double any;
	for (size_t i = 0; i < n; i++)
		if (!param_x(&picks[i], *x, &any))
			return err_at(e, placeholder_loc(k->p, name),
			              "'%s' is no numeric parameter of %s", *x, picks[i].d->c->id);
	return true;
}

/* Two cases of one variant at the same x would be a scribble, not a curve. */
static bool check_unique(struct kind_call *k, const struct pick *picks, size_t n, const char *x,
                         struct err *e)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			const struct run_case *a = picks[i].d->c, *b = picks[j].d->c;
			if (strcmp(a->family, b->family) == 0 &&
			    strcmp(a->variant, b->variant) == 0 &&
			    record_param(a, x)->num == record_param(b, x)->num)
				return err_at(e, k->p->at, "%s and %s are at the same x; say %s",
				              b->id, a->id, query_differs(k->ctx, picks, n));
		}
	return true;
}

/* Parameters are sizes: log 2 where they span more than a factor of 8. */
static struct plot_axis x_axis(const char *name, const double x[2])
{
	enum { WIDE_SPAN = 8 };
	struct plot_axis a = {.title = name, .lo = x[0], .hi = x[1], .scale = 1};
	if (x[0] > 0 && x[1] / x[0] >= WIDE_SPAN) {
		a.log = 2;
		a.lo /= 1.15;
		a.hi *= 1.15;
	} else {
		double room = x[1] > x[0] ? 0.05 * (x[1] - x[0]) : 1;
		a.lo -= room;
		a.hi += room;
	}
	return a;
}

bool kind_plot(struct kind_call *k, struct err *e)
{
	enum { WIDE_RANGE = 30 };
	struct query q;
	struct pick *picks;
	size_t n;
	enum metric m;
	const char *x = NULL;
	double xs[2] = {0, 0}, ys[2] = {0, 0};
	struct plot_chart c = {0};
	if (!query_parse(k->p, k->p->word[0], own_keys, true, &q, e) ||
	    !query_all(k->ctx, &q, &picks, &n, e) || !y_metric(k, picks[0].d->c, &m, e) ||
	    !check_x(k, picks, n, &x, e) || !check_unique(k, picks, n, x, e))
		return false;
	chart_series(k, picks, n, m, param_x, x, &c);
	if (!chart_extent(&c, xs, ys))
		return err_at(e, k->p->at, "nothing to plot: no case of '" STR_FMT "' has a %s",
		              STR_ARG(k->p->word[0]), metric_info(m)->name);
	const struct data_spec *spec = roof_spec(k->ctx->data, &picks[0], m);
	double top = spec && spec->value < 4 * ys[1] ? fmax(ys[1], spec->value) : ys[1];
	c.x = x_axis(x, xs);
	chart_metric_axis(k, m, ys[0], top, m == METRIC_TIME || ys[1] / ys[0] > WIDE_RANGE, &c.y);
	chart_level_roofs(k, &picks[0], m, &c);
	return chart_print(k, &c, picks, n, m,
	                   words_fill(k->ctx->words, k->ctx->arena, "plot_over",
	                              words_label(k->ctx->words, metric_info(m)->name), x),
	                   e);
}
