#include "site-gen/numbers/stamps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/stats.h"
#include "lib/units.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/counters.h"

/* --- finding a trace ------------------------------------------------------------------ */

bool stamps_of(const struct data *d, const struct pick *p, struct stamps *out)
{
	for (size_t i = 0; i < d->ntraces; i++) {
		const struct data_run *r = &d->traces[i];
		const struct run_case *c = data_run_case(r, p->d->c->id);
		const struct run_trace *t = c ? record_trace(&r->run, c) : NULL;
		if (!t || t->unavailable || r->why_none ||
		    strcmp(r->run.head.device, p->run->run.head.device) != 0)
			continue;
		struct counters k = {.file = r, .of = c};
		counters_hold(&k, d);
		*out = (struct stamps){.file = r, .t = t, .of = c, .not_of = k.not_of};
		return true;
	}
	return false;
}

/* --- what it says --------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

struct stamps_kernel *stamps_kernels(const struct run_trace *t, size_t *n, struct arena *a)
{
	const size_t *kernel = trace_kernels(t, n, a);
	struct stamps_kernel *k = ARENA_ARRAY(a, struct stamps_kernel, *n + 1);
	const double zero = trace_begin(t);
	for (size_t i = 0; i < *n; i++)
		k[i] = (struct stamps_kernel){INFINITY, -INFINITY, INFINITY, -INFINITY};
	for (size_t i = 0; i < t->nrings; i++) {
		struct stamps_kernel *own = &k[kernel[i]];
		double begin = trace_ns(t, i, t->ring[i].begin) - zero;
		double end = trace_ns(t, i, t->ring[i].end) - zero;
		own->first_begin = fmin(own->first_begin, begin);
		own->last_begin = fmax(own->last_begin, begin);
		own->first_end = fmin(own->first_end, end);
		own->last_end = fmax(own->last_end, end);
	}
	return k;
}

size_t stamps_by_sm(const struct run_trace *t, size_t event, struct arena *a, int64_t **sm,
                    double **times)
{
	size_t n = 0;
	*sm = ARENA_ARRAY(a, int64_t, t->nclocks + 1);
	*times = ARENA_ARRAY(a, double, t->nclocks + 1);
	for (size_t c = 0; c < t->nclocks; c++) {
		double sum = 0;
		for (size_t i = 0; i < t->nrings; i++)
			if ((size_t)t->ring[i].clock == c)
				sum += (double)t->count[i * t->nevents + event];
		if (sum > 0) {
			(*sm)[n] = t->clock[c].sm;
			(*times)[n++] = sum;
		}
	}
	return n;
}

static bool by_sm(const struct run_trace *t, size_t event, struct str what, struct arena *a,
                  double *out)
{
	int64_t *sm;
	double *x, sum = 0, squares = 0;
	size_t n = stamps_by_sm(t, event, a, &sm, &x);
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
	if (n < 2)
		return false;
	qsort(x, n, sizeof *x, by_value);
	*out = str_is(what, "sms")     ? (double)n
	       : str_is(what, "sum")   ? sum
	       : str_is(what, "mean")  ? sum / (double)n
	       : str_is(what, "sd")    ? sqrt(squares / (double)(n - 1))
	       : str_is(what, "least") ? x[0]
	       : str_is(what, "most")  ? x[n - 1]
	                               : -1;
	return *out >= 0;
}

/* Mean seconds of an event in the median block. */
static bool mean_time(const struct run_trace *t, size_t event, struct arena *a, double *out)
{
	const int64_t block = trace_median_block(t, a);
	double sum = 0;
	size_t times = 0;
	for (size_t i = 0; i < t->nkept; i++) {
		size_t n;
		if (t->ring[t->kept[i].ring].block != block)
			continue;
		struct trace_span *x = trace_spans(t, &t->kept[i], &n, a);
		for (size_t k = 0; k < n; k++)
			if (x[k].event == event && !x[k].moment) {
				sum += x[k].to - x[k].from;
				times++;
			}
	}
	*out = times ? sum / (double)times * 1e-9 : 0;
	return times > 0;
}

static bool of_event(const struct run_trace *t, struct str name, struct str what, struct arena *a,
                     double *out)
{
	size_t event = trace_event(t, name);
	if (event == t->nevents)
		return false;
	return str_is(what, "time") ? mean_time(t, event, a, out) : by_sm(t, event, what, a, out);
}

static bool of_chain(const struct run_trace *t, struct str what, struct arena *a, double *out)
{
	size_t n;
	const struct stamps_kernel *k = stamps_kernels(t, &n, a);
	double *x = ARENA_ARRAY(a, double, n + 1);
	const bool within = str_is(what, "ramp") || str_is(what, "drain");
	if (n < 2)
		return false;
	for (size_t i = 0; i + !within < n; i++)
		x[i] = str_is(what, "ramp")    ? k[i].last_begin - k[i].first_begin
		       : str_is(what, "drain") ? k[i].last_end - k[i].first_end
		       : str_is(what, "step")  ? k[i + 1].first_begin - k[i].first_begin
		       : str_is(what, "gap")   ? k[i + 1].first_begin - k[i].last_end
		       : str_is(what, "lead")  ? k[i].last_end - k[i + 1].first_begin
		                               : NAN;
	*out = stats_median(x, within ? n : n - 1) * 1e-9;
	return !isnan(*out);
}

static double blocks(const struct run_trace *t)
{
	int64_t last = 0;
	for (size_t i = 0; i < t->nrings; i++)
		last = t->ring[i].block > last ? t->ring[i].block : last;
	return (double)last + 1;
}

bool stamps_value(const struct run_trace *t, struct str what, struct arena *a, double *out)
{
	struct str event, part;
	size_t n;
	if (t->nrings == 0)
		return false;
	if (str_cut(what, '.', &event, &part))
		return of_event(t, event, part, a, out);
	if (str_is(what, "slowdown"))
		*out = trace_slowdown(t, a);
	else if (str_is(what, "span"))
		*out = (trace_end(t) - trace_begin(t)) * 1e-9;
	else if (str_is(what, "blocks"))
		*out = blocks(t);
	else if (str_is(what, "median"))
		*out = (double)trace_median_block(t, a);
	else if (str_is(what, "kernels"))
		*out = (trace_kernels(t, &n, a), (double)n);
	else
		return of_chain(t, what, a, out);
	return !str_is(what, "slowdown") || *out > 0;
}

/* --- as numbers of a page ------------------------------------------------------------- */

/* The unit of a number by its name: "s", "×", or "" for a count. */
static const char *unit_of(struct str what)
{
	static const char *const times[] = {"span", "step", "gap", "lead", "ramp", "drain"};
	for (size_t i = 0; i < ARRAY_LEN(times); i++)
		if (str_is(what, times[i]))
			return "s";
	return str_is(what, "slowdown") ? "×" : str_ends(what, ".time") ? "s" : "";
}

/* Means and deviations of counts have a decimal. */
static const char *text_of(struct str what, double value, struct arena *a)
{
	const char *si = unit_of(what);
	struct unit_text u;
	if (!*si)
		return arena_printf(
		        a, str_ends(what, ".mean") || str_ends(what, ".sd") ? "%.1f" : "%.0f",
		        value);
	unit_format(value, 0, si, &u);
	return str_is(what, "slowdown") ? arena_printf(a, "%s×", u.number)
	                                : arena_printf(a, "%s" NBSP "%s", u.number, u.unit);
}

const char *stamps_fact(struct expand_ctx *ctx, const struct stamps *s, const char *what)
{
	struct arena *a = ctx->arena;
	struct sb html = {0};
	double value;
	if (!stamps_value(s->t, str_of(what), a, &value))
		return NULL;
	const char *key = arena_printf(a, "trace %s %s %s", s->file->run.head.id, s->of->id, what);
	const char *text = text_of(str_of(what), value, a);
	number_fact(ctx, (struct fact){.key = key,
	                               .text = text,
	                               .unit = unit_of(str_of(what)),
	                               .value = value,
	                               .run = s->file->run.head.id,
	                               .source = "time stamps of one call",
	                               .not_of = s->not_of});
	html_raw(&html, "<span class=\"num drawn\" data-n=\"");
	html_attr(&html, str_of(key));
	html_raw(&html, "\">");
	html_text(&html, str_of(text));
	html_raw(&html, "</span>");
	return sb_take(a, &html);
}
