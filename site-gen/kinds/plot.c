/* plot: a metric over a parameter, or over a count of the cost model. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/rules.h"
#include "site-gen/lint/typeset.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/numbers/roof.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/chart.h"
#include "site-gen/plot/plot.h"

static const char *const own_keys[] = {"metric",  "x",       "y",     "series", "log", "roof",
                                       "ceiling", "program", "names", "focus",  NULL};

/* --- choices for x --- */

static bool param_x(const struct pick *p, const void *name, double *x)
{
	const struct run_pair *v = record_param(p->d->c, name);
	*x = v && !v->word ? (double)v->num : 0;
	return v && !v->word;
}

/* True if the parameter is a knob that counts bytes. */
static bool in_bytes(const struct run_case *c, const char *param)
{
	return record_is_knob(c, param) && strcmp(c->knob.unit, "bytes") == 0;
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

/* Data that several passes touch counts once. */
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
 * To add an x, add a row with its function, its name and the key of its axis title
 * in lua/words.c, and extend the row `plot` of docs/placeholders.md.
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

/* "inflight, tiles": a knob that case_axis() does not know has the unit that its record names. */
static const char *knob_title(struct kind_call *k, const struct run_case *c, const char *param)
{
	const char *title = case_axis(k->ctx->words, c, param);
	bool unknown = record_is_knob(c, param) && strcmp(title, param) == 0;
	return unknown && strcmp(c->knob.unit, param) != 0 && !in_bytes(c, param)
	               ? arena_printf(k->ctx->arena, "%s, %s", param, c->knob.unit)
	               : title;
}

/* The title of an axis over a parameter; its name alone if the cases call it differently. */
static const char *param_title(struct kind_call *k, const struct pick *picks, size_t n,
                               const char *param)
{
	const char *title = knob_title(k, picks[0].d->c, param);
	for (size_t i = 1; i < n; i++)
		if (strcmp(title, knob_title(k, picks[i].d->c, param)) != 0)
			return param;
	return title;
}

/* --- x of words, for authors' programs: the values in their order of appearance --- */

struct word_x {
	const char *key, **word;
	size_t n;
	struct arena *a;
};

static bool word_of(const struct pick *p, const void *ctx, double *x)
{
	const struct word_x *w = ctx;
	const char *value = query_value(p->d->c, w->key, w->a);
	for (size_t i = 0; value && i < w->n; i++)
		if (strcmp(value, w->word[i]) == 0) {
			*x = (double)i + 1;
			return true;
		}
	return false;
}

/* False: a case has no such key. */
static bool find_words(const struct pick *picks, size_t n, struct word_x *w)
{
	double x;
	w->word = ARENA_ARRAY(w->a, const char *, n + 1);
	for (size_t i = 0; i < n; i++) {
		const char *value = query_value(picks[i].d->c, w->key, w->a);
		if (value && !word_of(&picks[i], w, &x))
			w->word[w->n++] = value;
		if (!value && !picks[i].d->why_none)
			return false;
	}
	return true;
}

/* The x axis of a call. */
struct plot_over {
	const char *name, *title;
	chart_x *of;
	const void *ctx;            /* for `of` */
	const struct word_x *words; /* NULL: x is a number */
};

static struct plot_over x_named(struct kind_call *k, const struct pick *picks, size_t n,
                                struct str name)
{
	const char *own = str_dup(k->ctx->arena, name);
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (str_is(name, known[i].name))
			return (struct plot_over){.name = own,
			                          .title = words_get(k->ctx->words, known[i].title),
			                          .of = known[i].of};
	return (struct plot_over){
	        .name = own, .title = param_title(k, picks, n, own), .of = param_x};
}

static const struct pick *without_x(const struct pick *picks, size_t n, const struct plot_over *x)
{
	double any;
	for (size_t i = 0; i < n; i++)
		if (!x->of(&picks[i], x->ctx, &any) && !picks[i].d->why_none)
			return &picks[i];
	return NULL;
}

/* Without x each case has a row. An author's program may have an x of words. */
static bool check_x(struct kind_call *k, const struct pick *picks, size_t n, struct plot_over *x,
                    struct err *e)
{
	struct str name = placeholder_key(k->p, "x");
	bool own = placeholder_key(k->p, "program").p != NULL;
	*x = (struct plot_over){0};
	if (!name.p)
		return true;
	*x = x_named(k, picks, n, name);
	x->ctx = x->name;
	const struct pick *lacks = without_x(picks, n, x);
	if (!lacks)
		return true;
	struct word_x *words = ARENA_NEW(k->ctx->arena, struct word_x);
	*words = (struct word_x){.key = x->name, .a = k->ctx->arena};
	if (!own || !find_words(picks, n, words))
		return err_at(e, placeholder_loc(k->p, name),
		              "'%s' is no %sparameter of %s, and not bytes, "
		              "working-set or intensity",
		              x->name, own ? "" : "numeric ", lacks->d->c->id);
	x->of = word_of;
	x->ctx = x->words = words;
	return true;
}

/* --- y and series --- */

/* y= and metric= mean the same. */
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

/* series=KEY; NULL: series are variants. */
static bool check_series(struct kind_call *k, const struct pick *picks, size_t n, const char **by,
                         struct err *e)
{
	struct str key = placeholder_key(k->p, "series");
	*by = NULL;
	if (!key.p || str_is(key, "variant"))
		return true;
	*by = str_dup(k->ctx->arena, key);
	for (size_t i = 0; i < n; i++)
		if (!query_value(picks[i].d->c, *by, k->ctx->arena))
			return err_at(
			        e, placeholder_loc(k->p, key),
			        "series=%s is no key of %s, expected variant, dtype, cache or "
			        "one of its parameters",
			        *by, picks[i].d->c->id);
	return true;
}

/* A series must not have two cases at the same x, which would not be a curve. */
static bool check_unique(struct kind_call *k, const struct pick *picks, size_t n,
                         const struct plot_over *x, const char *by, struct err *e)
{
	for (size_t i = 0; x->of && i < n; i++)
		for (size_t j = 0; j < i; j++) {
			double a, b;
			if (picks[i].d->why_none || picks[j].d->why_none ||
			    !x->of(&picks[i], x->ctx, &a) || !x->of(&picks[j], x->ctx, &b) ||
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

/* log=x, y, xy or none; by default the range of the values decides. */
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

/* Sizes are powers of two: uses a log 2 scale if they span more than a factor of 8. */
static struct plot_axis x_axis(struct kind_call *k, const struct plot_over *over,
                               const struct run_case *first, const double x[2],
                               const struct logs *l)
{
	enum { WIDE_SPAN = 8 };
	bool wide = x[0] > 0 && x[1] / x[0] >= WIDE_SPAN;
	bool log = x[0] > 0 && !over->words && (l->said ? l->x : wide);
	if (over->of == bytes_x || over->of == working_set_x || in_bytes(first, over->name))
		return chart_bytes_axis(k, over->title, x, log ? 2 : 0);
	return (struct plot_axis){.title = over->title,
	                          .lo = x[0],
	                          .hi = x[1],
	                          .scale = 1,
	                          .log = !log                      ? 0
	                                 : over->of == intensity_x ? 10
	                                                           : 2};
}

/* --- columns: the distinct x, for programs that draw no x axis --- */

/* 268435456 as 2²⁸, as on axes; other numbers unchanged. */
static const char *x_text(double x, struct arena *a)
{
	return typeset_sizes(arena_printf(a, x == floor(x) ? "%.0f" : "%.6g", x), a);
}

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void add_columns(struct kind_call *k, const struct plot_over *x, size_t n,
                        struct plot_chart *c)
{
	struct arena *a = k->ctx->arena;
	double *at = ARENA_ARRAY(a, double, n + 1);
	size_t all = 0;
	for (size_t i = 0; i < c->nseries; i++)
		for (size_t p = 0; p < c->series[i].n; p++)
			at[all++] = c->series[i].points[p].x;
	qsort(at, all, sizeof *at, by_size);
	c->column = ARENA_ARRAY(a, const char *, all + 1);
	for (size_t i = 0; i < all; i++) {
		if (i > 0 && at[i] == at[i - 1])
			continue;
		c->column[c->ncolumns++] =
		        x->words ? x->words->word[(size_t)at[i] - 1] : x_text(at[i], a);
		for (size_t s = 0; s < c->nseries; s++)
			for (size_t p = 0; p < c->series[s].n; p++)
				if (c->series[s].points[p].x == at[i])
					c->series[s].points[p].column = (int)c->ncolumns;
	}
}

/* --- roofs --- */

/* The roofs that roof= and ceiling= name. */
struct roofs {
	bool by_itself; /* neither key is given: use the roofs of the first case */
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

/* The top of the y axis. A theoretical roof that the author does not name counts only if near. */
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

/* --- the kind --- */

/* "stride" from "Stride, elements"; also handles the Chinese comma. "SMs" keeps its capitals. */
static const char *without_unit(const char *title, struct arena *a)
{
	const char *comma = strrchr(title, ','), *wide = strstr(title, "\xEF\xBC\x8C");
	const char *end = comma ? comma : wide ? wide : title + strlen(title);
	char *name = arena_strndup(a, title, (size_t)(end - title));
	if (isupper((unsigned char)name[0]) && islower((unsigned char)name[1]))
		name[0] = (char)tolower((unsigned char)name[0]);
	return name;
}

/* program=: the program in templates/plots/ that draws it. */
static bool read_program(struct kind_call *k, const char **out, struct err *e)
{
	struct err why = ERR_NONE;
	struct str name = placeholder_key(k->p, "program");
	*out = NULL;
	if (!name.p)
		return true;
	*out = arena_strndup(k->ctx->arena, name.p, name.n);
	return plotter_has(k->ctx->plots, name, &why) ||
	       err_at(e, placeholder_loc(k->p, name), "%s", why.text);
}

/* Has the plot a row for each case? An author who names an x gets curves over it, or an error. */
static bool in_rows(struct kind_call *k, const struct pick *picks, size_t n,
                    const struct plot_over *x, bool program, bool *rows, struct err *e)
{
	*rows = !x->of || (!program && chart_one_x(picks, n, x->of, x->ctx));
	return !x->of || !*rows || k->ctx->generated ||
	       rule_err(e, RULE_READABLE, placeholder_loc(k->p, placeholder_key(k->p, "x")),
	                "all cases have the same %s; leave out x=%s to draw a row for each",
	                x->name, x->name);
}

/* The options of a call. */
struct plot_call {
	struct pick *picks;
	size_t n;
	enum metric m;
	const char *by; /* the key that separates series; NULL: variants */
	struct plot_over x;
	struct logs logs;
	struct roofs roofs;
	const char *program; /* NULL: a built-in one */
	bool rows;           /* a row for each case, not curves over x */
};

static bool read_call(struct kind_call *k, struct plot_call *c, struct err *e)
{
	return chart_picks(k, own_keys, &c->picks, &c->n, e) && read_program(k, &c->program, e) &&
	       y_metric(k, &c->picks[0], &c->m, e) && check_x(k, c->picks, c->n, &c->x, e) &&
	       check_series(k, c->picks, c->n, &c->by, e) &&
	       check_unique(k, c->picks, c->n, &c->x, c->by, e) && read_log(k, &c->logs, e) &&
	       read_roofs(k, &c->picks[0], c->m, &c->roofs, e) &&
	       in_rows(k, c->picks, c->n, &c->x, c->program != NULL, &c->rows, e);
}

/* "1.5 MiB", or "6" of what the axis names. */
static const char *knob_amount(const struct run_knob *knob, struct arena *a)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB"};
	double value = (double)knob->chosen;
	size_t u = 0;
	if (strcmp(knob->unit, "bytes") != 0)
		return x_text(value, a);
	for (; u + 1 < ARRAY_LEN(units) && value >= 1024; u++)
		value /= 1024;
	return arena_printf(a, "%.4g" NBSP "%s", value, units[u]);
}

/* Over a knob: the value that the kernel has, if it is one value for all cases. */
static void mark_chosen(struct kind_call *k, const struct plot_call *call, struct plot_chart *c)
{
	const struct run_knob *knob = &call->picks[0].d->c->knob;
	if ((double)knob->chosen < c->x.lo || (double)knob->chosen > c->x.hi)
		return;
	for (size_t i = 0; i < call->n; i++) {
		const struct run_case *of = call->picks[i].d->c;
		if (call->x.of != param_x || !record_is_knob(of, call->x.name) ||
		    of->knob.chosen != knob->chosen)
			return;
	}
	c->chosen =
	        (struct plot_mark){.x = (double)knob->chosen,
	                           .text = words_fill(k->ctx->words, k->ctx->arena, "plot_chosen",
	                                              knob_amount(knob, k->ctx->arena), NULL)};
}

/* Adds points on curves or in columns; `ys` becomes their extent. */
static bool add_curves(struct kind_call *k, const struct plot_call *call, struct plot_chart *c,
                       double ys[2], struct err *e)
{
	double xs[2] = {0, 0};
	if (!c->program)
		c->program = "plot";
	chart_series(k, call->picks, call->n, call->m, call->by, call->x.of, call->x.ctx, c);
	if (!chart_extent(c, xs, ys))
		return err_at(e, k->p->at, "nothing to plot: no case of '" STR_FMT "' has a %s",
		              STR_ARG(k->p->word[0]), metric_info(call->m)->name);
	c->x = x_axis(k, &call->x, call->picks[0].d->c, xs, &call->logs);
	mark_chosen(k, call, c);
	if (call->program) {
		add_columns(k, &call->x, call->n, c);
		return true;
	}
	return chart_focus(k, call->m, c, e);
}

/* Rows have their names beside them, so those in focus share a colour, and the others are grey. */
static bool focus_rows(struct kind_call *k, const struct plot_call *call, struct plot_chart *c,
                       struct err *e)
{
	const struct plot_series *first = NULL;
	if (!placeholder_key(k->p, "focus").p)
		return true;
	if (!chart_focus(k, call->m, c, e))
		return false;
	for (size_t i = 0; i < c->nseries; i++) {
		if (strcmp(c->series[i].role, "context") == 0)
			continue;
		first = first ? first : &c->series[i];
		c->series[i].colour = first->colour;
	}
	return true;
}

bool kind_plot(struct kind_call *k, struct err *e)
{
	enum { WIDE_RANGE = 30 };
	struct plot_call call = {0};
	double ys[2] = {0, 0};
	if (!read_call(k, &call, e))
		return false;
	struct plot_chart c = {.program = call.program};
	const struct plot_over *x = &call.x;
	if (call.rows ? !chart_rows(k, call.picks, call.n, call.m, call.by, &c, ys, e)
	              : !add_curves(k, &call, &c, ys, e))
		return false;
	if (call.rows && !focus_rows(k, &call, &c, e))
		return false;
	bool log = ys[0] > 0 && chart_spread(&c) > WIDE_RANGE;
	chart_metric_axis(k, call.m, ys[0], top_of(&call.roofs, call.m, ys[1]),
	                  call.logs.said ? call.logs.y : log && !call.program, &c.y);
	draw_roofs(k, &call.picks[0], call.m, &call.roofs, &c);
	const char *what = case_metric_words(k->ctx, call.picks[0].d->c, call.m);
	if (!call.rows)
		what = words_fill(k->ctx->words, k->ctx->arena, "plot_over", what,
		                  without_unit(x->title, k->ctx->arena));
	return chart_print(k, &c, call.picks, call.n, call.m, what, e);
}
