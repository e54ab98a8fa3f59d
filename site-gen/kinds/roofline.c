/*
 * roofline: attained performance against its roofs. Families that compute get the
 * classical log-log chart of throughput over arithmetic intensity, with a
 * theoretical and a measured roof (Williams, Waterman & Patterson, CACM 52(4),
 * 2009, doi 10.1145/1498765.1498785). If the intensity is zero or the same
 * everywhere, that chart would be one column of points. Then the chart shows
 * bandwidth over the bytes moved, with the roof of the memory; or one row a case
 * if all sizes are equal.
 */
#include <math.h>
#include <string.h>

#include "site-gen/numbers/counters.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/plot/plot.h"

static double bytes_of(const struct run_case *c)
{
	return (double)c->model.bytes_read + (double)c->model.bytes_written;
}

static bool bytes_x(const struct pick *p, const void *ctx, double *x)
{
	(void)ctx;
	*x = bytes_of(p->d->c);
	return *x > 0;
}

static bool intensity_x(const struct pick *p, const void *ctx, double *x)
{
	(void)ctx;
	struct number n; /* from the cost model; absent if that counts other operations */
	bool has = number_of(p, METRIC_INTENSITY, &n);
	*x = n.value;
	return has;
}

static bool is_measured(const struct kind_call *k)
{
	return str_is(placeholder_key(k->p, "bytes"), "measured");
}

/* FLOPs over the counted bytes to and from DRAM. */
static bool counted_x(const struct pick *p, const void *data, double *x)
{
	double bytes;
	if (!intensity_x(p, NULL, x) || !counters_bytes(data, p, &bytes) || !(bytes > 0))
		return false;
	*x = (double)p->d->c->model.flop / bytes;
	return true;
}

/* --- FLOP/s over FLOP/B --- */

/* "4.8 TB/s data sheet", in the datasheet's digits. */
static const char *spec_text(struct kind_call *k, const struct data_spec *s)
{
	struct arena *a = k->ctx->arena;
	return words_fill(k->ctx->words, a, "roof_theoretical",
	                  chart_spec_amount(s->value, s->si, a), NULL);
}

/* "4.35 TB/s best measured" */
static const char *measured_text(struct kind_call *k, const struct number *n)
{
	struct arena *a = k->ctx->arena;
	return words_fill(k->ctx->words, a, "roof_measured", chart_amount(n->value, n->si, a),
	                  NULL);
}

static void add_ridge(struct kind_call *k, struct plot_roof *r)
{
	struct arena *a = k->ctx->arena;
	if (r->slope > 0 && r->level > 0)
		r->ridge_text = words_fill(k->ctx->words, a, "roof_ridge",
		                           chart_amount(r->level / r->slope, "FLOP/B", a), NULL);
}

static struct plot_roof spec_roof(struct kind_call *k, const struct pick *p)
{
	const struct data_spec *b = roof_spec(k->ctx->data, p, METRIC_BANDWIDTH);
	const struct data_spec *f = roof_spec(k->ctx->data, p, METRIC_THROUGHPUT);
	struct plot_roof r = {.slope = b ? b->value : 0, .level = f ? f->value : 0};
	if (b)
		r.slope_text = r.slope_short = spec_text(k, b);
	if (f)
		r.level_text = r.level_short = spec_text(k, f);
	add_ridge(k, &r);
	return r;
}

static bool measured(struct kind_call *k, const struct pick *p, enum metric m, struct number *out)
{
	struct pick ceiling;
	return roof_measured(k->ctx->data, p, m, &ceiling) && number_of(&ceiling, m, out);
}

static struct plot_roof measured_roof(struct kind_call *k, const struct pick *p)
{
	struct plot_roof r = {0};
	struct number n;
	if (measured(k, p, METRIC_BANDWIDTH, &n)) {
		r.slope = n.value;
		r.slope_text = r.slope_short = measured_text(k, &n);
	}
	if (measured(k, p, METRIC_THROUGHPUT, &n)) {
		r.level = n.value;
		r.level_text = r.level_short = measured_text(k, &n);
	}
	add_ridge(k, &r);
	return r;
}

static bool classical(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	enum { MOST_NAMED = 6 };
	struct plot_chart c = {.program = "roofline"};
	double x[2] = {0, 0}, y[2] = {0, 0};
	struct unit_text u;
	c.roof[PLOT_SPEC] = spec_roof(k, &picks[0]);
	c.roof[PLOT_MEASURED] = measured_roof(k, &picks[0]);
	/* counted bytes are no axis that a curve follows: each case is named */
	bool each = is_measured(k) && n <= MOST_NAMED;
	chart_series(k, picks, n, METRIC_THROUGHPUT, each ? "" : NULL,
	             is_measured(k) ? counted_x : intensity_x, k->ctx->data, &c);
	if (!chart_extent(&c, x, y))
		return err_at(e, k->p->at, "nothing to plot: no case has a throughput");
	if (!chart_focus(k, METRIC_THROUGHPUT, &c, e))
		return false;
	c.x = (struct plot_axis){
	        .title = arena_printf(k->ctx->arena, "%s, FLOP/B",
	                              words_label(k->ctx->words, "Arithmetic intensity")),
	        .lo = x[0],
	        .hi = x[1],
	        .scale = 1,
	        .log = 10};
	double peak = fmax(y[1], fmax(c.roof[PLOT_SPEC].level, c.roof[PLOT_MEASURED].level));
	unit_format(peak, 0, "FLOP/s", &u);
	c.y = (struct plot_axis){.title = arena_printf(k->ctx->arena, "%s, %s",
	                                               words_label(k->ctx->words, "Throughput"),
	                                               u.unit),
	                         .lo = y[0],
	                         .hi = peak,
	                         .scale = u.scale,
	                         .log = 10};
	return chart_print(
	        k, &c, picks, n, METRIC_THROUGHPUT,
	        words_get(k->ctx->words, is_measured(k) ? "roofline_counted" : "roofline"), e);
}

/* --- B/s over bytes --- */

static bool over_bytes(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	const struct data_spec *spec = roof_spec(k->ctx->data, &picks[0], METRIC_BANDWIDTH);
	struct plot_chart c = {.program = "plot"};
	double x[2] = {0, 0}, y[2] = {0, 0};
	chart_series(k, picks, n, METRIC_BANDWIDTH, NULL, bytes_x, NULL, &c);
	if (!chart_extent(&c, x, y))
		return err_at(e, k->p->at, "nothing to plot: no case has a bandwidth");
	if (!chart_focus(k, METRIC_BANDWIDTH, &c, e))
		return false;
	c.x = chart_bytes_axis(k, words_get(k->ctx->words, "bytes_moved"), x, 2);
	chart_metric_axis(k, METRIC_BANDWIDTH, y[0], fmax(y[1], spec ? spec->value : 0), false,
	                  &c.y);
	chart_level_roofs(k, &picks[0], METRIC_BANDWIDTH, &c);
	return chart_print(k, &c, picks, n, METRIC_BANDWIDTH, words_get(k->ctx->words, "attained"),
	                   e);
}

/* --- one row a case --- */

static bool in_rows(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	const struct data_spec *spec = roof_spec(k->ctx->data, &picks[0], METRIC_BANDWIDTH);
	struct plot_chart c = {0};
	struct pick ceiling;
	struct number roof = {0};
	double extent[2];
	if (!chart_rows(k, picks, n, METRIC_BANDWIDTH, NULL, &c, extent, e))
		return false;
	if (roof_measured(k->ctx->data, &picks[0], METRIC_BANDWIDTH, &ceiling))
		number_of(&ceiling, METRIC_BANDWIDTH, &roof);
	chart_metric_axis(k, METRIC_BANDWIDTH, extent[0],
	                  fmax(fmax(extent[1], spec ? spec->value : 0), roof.value), false, &c.y);
	chart_level_roofs(k, &picks[0], METRIC_BANDWIDTH, &c);
	return chart_print(k, &c, picks, n, METRIC_BANDWIDTH, words_get(k->ctx->words, "attained"),
	                   e);
}

static bool bandwidth_only(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	return chart_one_x(picks, n, bytes_x, NULL) ? in_rows(k, picks, n, e)
	                                            : over_bytes(k, picks, n, e);
}

/* --- choice of the chart --- */

bool roofline_has_slope(const struct pick *picks, size_t n)
{
	static const double LEAST_SPAN = 1.5;
	double lo = INFINITY, hi = 0, x;
	for (size_t i = 0; i < n; i++) {
		if (picks[i].d->why_none || !intensity_x(&picks[i], NULL, &x))
			continue;
		lo = fmin(lo, x);
		hi = fmax(hi, x);
	}
	return hi >= LEAST_SPAN * lo;
}

/* bytes=measured: the x of a point comes from the bytes that a profiler counted. */
static bool by_counters(struct kind_call *k, struct pick *picks, size_t n, struct err *e)
{
	struct str by = placeholder_key(k->p, "bytes");
	bool measured = str_is(by, "measured"), any = false;
	double bytes;
	if (by.p && !measured && !str_is(by, "model"))
		return err_at(e, placeholder_loc(k->p, by),
		              "bytes=" STR_FMT ", expected model or measured", STR_ARG(by));
	for (size_t i = 0; measured && i < n; i++)
		any = any || counters_bytes(k->ctx->data, &picks[i], &bytes);
	return !measured || any ||
	       err_at(e, placeholder_loc(k->p, by),
	              "no case of '" STR_FMT "' has counters of its bytes", STR_ARG(k->p->word[0]));
}

bool kind_roofline(struct kind_call *k, struct err *e)
{
	static const char *const own[] = {"bytes", "names", "focus", NULL};
	struct pick *picks;
	size_t n;
	if (!chart_picks(k, own, &picks, &n, e) || !by_counters(k, picks, n, e))
		return false;
	if (is_measured(k))
		return classical(k, picks, n, e);
	bool throughput = roof_metric(k->ctx->data, &picks[0]) == METRIC_THROUGHPUT;
	return throughput || roofline_has_slope(picks, n) ? classical(k, picks, n, e)
	                                                  : bandwidth_only(k, picks, n, e);
}
