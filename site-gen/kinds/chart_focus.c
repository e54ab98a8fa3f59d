/* Focus and context: which series of a plot are in colour, and which are grey. */
#include <math.h>
#include <string.h>

#include "site-gen/base/rules.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/plot/plot.h"

static bool is_context(const struct plot_series *s)
{
	return strcmp(s->role, "context") == 0;
}

enum { MOST_COLOURS = 6, FEW_SERIES = 3 };

double chart_spread(const struct plot_chart *c)
{
	double lo = INFINITY, hi = 0;
	for (size_t i = 0; i < c->nseries; i++)
		for (size_t k = 0; k < c->series[i].n && !is_context(&c->series[i]); k++) {
			lo = fmin(lo, c->series[i].points[k].y);
			hi = fmax(hi, c->series[i].points[k].y);
		}
	return hi / lo;
}

/* The y of a series at x; false: it has no point there. */
static bool y_at(const struct plot_series *s, double x, double *y)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->points[k].x == x) {
			*y = s->points[k].y;
			return true;
		}
	return false;
}

/* At how many of its x is series i the best of those that are, as it is, a library or not? */
static size_t wins(const struct plot_chart *c, size_t i, bool higher)
{
	const struct plot_series *s = &c->series[i];
	bool own = strcmp(s->role, "kernel") == 0;
	size_t n = 0;
	for (size_t k = 0; k < s->n; k++) {
		bool best = true;
		double y;
		for (size_t o = 0; o < c->nseries && best; o++)
			if ((strcmp(c->series[o].role, "kernel") == 0) == own &&
			    y_at(&c->series[o], s->points[k].x, &y))
				best = y == s->points[k].y || (y < s->points[k].y) == higher;
		n += best;
	}
	return n;
}

/* Marks the best own series and the best library's. */
static void keep_best(const struct plot_chart *c, bool higher, bool *keep)
{
	for (int own = 0; own < 2; own++) {
		size_t most = 0, best = c->nseries;
		for (size_t i = 0; i < c->nseries; i++)
			if ((strcmp(c->series[i].role, "kernel") == 0) == (own == 1) &&
			    wins(c, i, higher) > most) {
				most = wins(c, i, higher);
				best = i;
			}
		if (best < c->nseries)
			keep[best] = true;
	}
}

static bool is_named(const struct plot_series *s, struct str name)
{
	return str_glob(name, str_of(s->short_name)) ||
	       (s->variant && str_glob(name, str_of(s->variant)));
}

/* Marks the series that a list names, each by its words or its variant. */
static bool keep_named(struct kind_call *k, const struct plot_chart *c, struct str list, bool *keep,
                       struct err *e)
{
	struct str name;
	for (bool more = true; more;) {
		bool any = false;
		more = str_cut(list, ',', &name, &list);
		for (size_t i = 0; i < c->nseries; i++)
			if (is_named(&c->series[i], name)) {
				keep[i] = true;
				any = true;
			}
		if (!any)
			return err_at(e, placeholder_loc(k->p, name),
			              "focus=" STR_FMT
			              " names no series, expected one of those drawn, "
			              "such as %s, or best",
			              STR_ARG(name), c->series[0].short_name);
	}
	return true;
}

bool chart_focus(struct kind_call *k, enum metric m, struct plot_chart *c, struct err *e)
{
	struct str focus = placeholder_key(k->p, "focus");
	bool *keep = ARENA_ARRAY(k->ctx->arena, bool, c->nseries + 1);
	bool best = str_is(focus, "best") || (!focus.p && k->ctx->generated);
	size_t few = focus.p ? FEW_SERIES : MOST_COLOURS, coloured = 0;
	if (best && c->nseries > few)
		keep_best(c, metric_info(m)->higher_is_better, keep);
	else if (best || !focus.p)
		memset(keep, true, c->nseries * sizeof *keep);
	else if (!keep_named(k, c, focus, keep, e))
		return false;
	for (size_t i = 0; i < c->nseries; i++) {
		coloured += keep[i] && c->series[i].n > 1; /* a lone point has its name beside it */
		if (!keep[i])
			c->series[i].role = "context";
	}
	return coloured <= MOST_COLOURS || k->ctx->generated ||
	       rule_err(e, RULE_READABLE, focus.p ? placeholder_loc(k->p, focus) : k->p->at,
	                "%zu curves in colour are more than %d; focus=NAMES draws the others in "
	                "grey",
	                coloured, MOST_COLOURS);
}
