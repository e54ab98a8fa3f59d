/*
 * roofline: what was attained against what is possible. Families that compute
 * get the classical chart, throughput over arithmetic intensity, log-log,
 * with a theoretical and a measured roof (Williams, Waterman & Patterson,
 * CACM 52(4), 2009, doi 10.1145/1498765.1498785). Where the intensity is zero
 * or everywhere the same, that chart would be one column of points; then
 * bandwidth stands against the roof of the memory, over the bytes moved, or
 * one row a case where the size is one.
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
	struct number n; /* of the cost model: where it counts other operations there is none */
	bool has = number_of(p, METRIC_INTENSITY, &n);
	*x = n.value;
	return has;
}

static bool is_measured(const struct kind_call *k)
{
	return str_is(placeholder_key(k->p, "bytes"), "measured");
}

/* FLOPs over the bytes that went to and from DRAM, as counted. */
static bool counted_x(const struct pick *p, const void *data, double *x)
{
	double bytes;
	if (!intensity_x(p, NULL, x) || !counters_bytes(data, p, &bytes) || !(bytes > 0))
		return false;
	*x = (double)p->d->c->model.flop / bytes;
	return true;
}

/* --- FLOP/s over FLOP/B --- */

/* Memory and arithmetic peak; 0: not known. */
struct roof {
	double bandwidth, compute;
	const char *line, *label;
	double limit; /* where the slope ends if there is no compute peak; 0: nowhere */
	struct number measured[2]; /* bandwidth and compute, where they are */
};

static void add_label(struct plot_chart *c, struct plot_label l)
{
	if (c->nlabels < PLOT_MAX_LABELS)
		c->label[c->nlabels++] = l;
}

static void add_line(struct plot_chart *c, struct plot_line l)
{
	if (c->nlines < PLOT_MAX_LINES)
		c->line[c->nlines++] = l;
}

/* "4.8 TB/s" as a datasheet has it, "4.35 TB/s ±0.1 %" as measured. */
static const char *roof_amount(const struct roof *r, bool compute, bool spec, struct arena *a)
{
	if (spec)
		return chart_spec_amount(compute ? r->compute : r->bandwidth,
		                         compute ? "FLOP/s" : "B/s", a);
	return chart_roof_amount(&r->measured[compute], a);
}

/* "measured 4.35 TB/s": on a phone without the interval. */
static const char *short_text(struct kind_call *k, const char *word, const struct roof *r,
                              bool compute, bool spec)
{
	struct arena *a = k->ctx->arena;
	const struct number *n = &r->measured[compute];
	return words_fill(
	        k->ctx->words, a, word,
	        spec ? roof_amount(r, compute, true, a) : chart_amount(n->value, n->si, a), NULL);
}

/* The slope of the memory up to the ridge, then level; or what there is of it. */
static void draw_roof(struct kind_call *k, struct plot_chart *c, const struct roof *r, bool spec)
{
	struct arena *a = k->ctx->arena;
	const char *word = spec ? "roof_theoretical" : "roof_measured";
	double ridge = r->bandwidth > 0 && r->compute > 0 ? r->compute / r->bandwidth : c->x.hi;
	if (r->bandwidth > 0) {
		double from = fmax(c->x.lo, c->y.lo / r->bandwidth);
		double most = r->limit > 0 ? r->limit : c->y.hi;
		double to = fmin(fmin(ridge, c->x.hi), most / r->bandwidth);
		struct plot_line l = {.class = r->line,
		                      .at = {{from, from * r->bandwidth}, {to, to * r->bandwidth}},
		                      .n = 2};
		if (r->compute > 0 && ridge < c->x.hi)
			l.at[l.n++] = (struct plot_xy){c->x.hi, r->compute};
		add_line(c, l);
		/* the two slopes run close: one label above, the other below */
		double at = from * pow(to / from, spec ? 0.50 : 0.64);
		const char *amount = roof_amount(r, false, spec, a);
		add_label(c, (struct plot_label){
		                     .class = r->label,
		                     .text = words_fill(k->ctx->words, a, word, amount, NULL),
		                     .narrow = short_text(k, word, r, false, spec),
		                     .x = at,
		                     .y = at * r->bandwidth,
		                     .dx = spec ? -9 : 9,
		                     .dy = spec ? -4 : 8,
		                     .anchor = spec ? 'r' : 'l',
		                     .line = {l.at[0], l.at[1]}});
	}
	if (r->compute > 0) {
		if (!(r->bandwidth > 0))
			add_line(c, (struct plot_line){
			                    .class = r->line,
			                    .at = {{c->x.lo, r->compute}, {c->x.hi, r->compute}},
			                    .n = 2});
		const char *amount = roof_amount(r, true, spec, a);
		add_label(c, (struct plot_label){
		                     .class = r->label,
		                     .text = words_fill(k->ctx->words, a, word, amount, NULL),
		                     .narrow = short_text(k, word, r, true, spec),
		                     .x = c->x.hi,
		                     .y = r->compute,
		                     .dx = -4,
		                     .dy = spec ? -9 : 11,
		                     .anchor = 'r',
		                     .line = {{fmax(ridge < c->x.hi ? ridge : c->x.lo, c->x.lo),
		                               r->compute},
		                              {c->x.hi, r->compute}}});
		c->keep_below = c->keep_below > 0 ? fmin(c->keep_below, r->compute) : r->compute;
	}
}

static bool has_ridge(const struct plot_chart *c)
{
	for (size_t i = 0; i < c->nlabels; i++)
		if (strcmp(c->label[i].class, "ridge-label") == 0)
			return true;
	return false;
}

static void draw_ridge(struct kind_call *k, struct plot_chart *c, const struct roof *r, bool spec)
{
	if (!(r->bandwidth > 0) || !(r->compute > 0))
		return;
	double x = r->compute / r->bandwidth;
	if (x <= c->x.lo || x >= c->x.hi)
		return;
	add_line(c, (struct plot_line){
	                    .class = "ridge", .at = {{x, c->y.lo}, {x, r->compute}}, .n = 2});
	const char *amount = chart_amount(x, "FLOP/B", k->ctx->arena);
	add_label(c, (struct plot_label){.class = "ridge-label",
	                                 .text = words_fill(k->ctx->words, k->ctx->arena,
	                                                    "roof_ridge", amount, NULL),
	                                 .narrow = has_ridge(c) ? ""
	                                                        : NULL, /* there is room for one */
	                                 .x = x,
	                                 .y = c->y.lo,
	                                 .dx = spec ? 4 : -4,
	                                 .dy = -10,
	                                 .anchor = spec ? 'l' : 'r'});
}

static struct roof spec_roof(struct kind_call *k, const struct pick *p)
{
	const struct data_spec *b = roof_spec(k->ctx->data, p, METRIC_BANDWIDTH);
	const struct data_spec *f = roof_spec(k->ctx->data, p, METRIC_THROUGHPUT);
	return (struct roof){.bandwidth = b ? b->value : 0,
	                     .compute = f ? f->value : 0,
	                     .line = "roof-spec",
	                     .label = "roof-spec-label"};
}

static struct roof measured_roof(struct kind_call *k, const struct pick *p)
{
	struct roof r = {.line = "roof-measured", .label = "roof-measured-label"};
	struct pick ceiling;
	struct number *n = r.measured;
	if (roof_measured(k->ctx->data, p, METRIC_BANDWIDTH, &ceiling) &&
	    number_of(&ceiling, METRIC_BANDWIDTH, &n[0]))
		r.bandwidth = n[0].value;
	if (roof_measured(k->ctx->data, p, METRIC_THROUGHPUT, &ceiling) &&
	    number_of(&ceiling, METRIC_THROUGHPUT, &n[1]))
		r.compute = n[1].value;
	return r;
}

/* Right of the ridge and of all points there is room for the names of the level roofs. */
enum { ROOM_FOR_NAMES = 32 };

static bool classical(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	struct plot_chart c = {0};
	double x[2] = {0, 0}, y[2] = {0, 0};
	struct unit_text u;
	struct roof spec = spec_roof(k, &picks[0]), measured = measured_roof(k, &picks[0]);
	chart_series(k, picks, n, METRIC_THROUGHPUT, NULL, is_measured(k) ? counted_x : intensity_x,
	             k->ctx->data, &c);
	if (!chart_extent(&c, x, y))
		return err_at(e, k->p->at, "nothing to plot: no case has a throughput");
	double ridge =
	        spec.bandwidth > 0 && spec.compute > 0 ? spec.compute / spec.bandwidth : x[1];
	double peak = fmax(y[1], fmax(spec.compute, measured.compute));
	c.x = (struct plot_axis){
	        .title = arena_printf(k->ctx->arena, "%s, FLOP/B",
	                              words_label(k->ctx->words, "Arithmetic intensity")),
	        .lo = x[0] / 3,
	        .hi = ROOM_FOR_NAMES * fmax(x[1], ridge),
	        .scale = 1,
	        .log = 10};
	unit_format(peak, 0, "FLOP/s", &u);
	c.y = (struct plot_axis){.title = arena_printf(k->ctx->arena, "%s, %s",
	                                               words_label(k->ctx->words, "Throughput"),
	                                               u.unit),
	                         .lo = y[0] / 4,
	                         .hi = 2.5 * peak,
	                         .scale = u.scale,
	                         .log = 10};
	measured.limit = spec.compute;
	draw_roof(k, &c, &spec, true);
	draw_roof(k, &c, &measured, false);
	draw_ridge(k, &c, &spec, true);
	draw_ridge(k, &c, &measured, false);
	return chart_print(
	        k, &c, picks, n, METRIC_THROUGHPUT,
	        words_get(k->ctx->words, is_measured(k) ? "roofline_counted" : "roofline"), e);
}

/* --- B/s over bytes --- */

static bool over_bytes(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	const struct data_spec *spec = roof_spec(k->ctx->data, &picks[0], METRIC_BANDWIDTH);
	struct plot_chart c = {0};
	double x[2] = {0, 0}, y[2] = {0, 0};
	chart_series(k, picks, n, METRIC_BANDWIDTH, NULL, bytes_x, NULL, &c);
	if (!chart_extent(&c, x, y))
		return err_at(e, k->p->at, "nothing to plot: no case has a bandwidth");
	c.x = (struct plot_axis){.title = words_get(k->ctx->words, "bytes_moved"),
	                         .lo = x[0] / 1.15,
	                         .hi = 1.15 * x[1],
	                         .scale = 1,
	                         .log = 2};
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
	                  fmax(fmax(extent[1], spec ? spec->value : 0), roof.value), false, &c.x);
	chart_level_roofs(k, &picks[0], METRIC_BANDWIDTH, &c);
	return chart_print(k, &c, picks, n, METRIC_BANDWIDTH, words_get(k->ctx->words, "attained"),
	                   e);
}

static bool bandwidth_only(struct kind_call *k, const struct pick *picks, size_t n, struct err *e)
{
	return chart_one_x(picks, n, bytes_x, NULL) ? in_rows(k, picks, n, e)
	                                            : over_bytes(k, picks, n, e);
}

/* --- which of the three --- */

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

/* bytes=measured: points stand at the bytes that a profiler counted. */
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
	static const char *const own[] = {"bytes", NULL};
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
