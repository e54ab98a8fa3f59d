#include "lib/trace.h"

#include <stdlib.h>
#include <string.h>

#include "lib/stats.h"

/* --- times --- */

double trace_ns(const struct run_trace *t, size_t ring, int64_t cycles)
{
	const struct run_trace_clock *c = &t->clock[t->ring[ring].clock];
	return (double)c->before_ns +
	       (double)cycles * (double)(c->after_ns - c->before_ns) / (double)c->cycles;
}

double trace_begin(const struct run_trace *t)
{
	double first = 0;
	for (size_t i = 0; i < t->nrings; i++) {
		double ns = trace_ns(t, i, t->ring[i].begin);
		first = i == 0 || ns < first ? ns : first;
	}
	return first;
}

double trace_end(const struct run_trace *t)
{
	double last = 0;
	for (size_t i = 0; i < t->nrings; i++) {
		double ns = trace_ns(t, i, t->ring[i].end);
		last = i == 0 || ns > last ? ns : last;
	}
	return last;
}

/* --- kernels of a call --- */

struct begun {
	const struct run_trace_ring *r;
	double ns;
	size_t at;
};

static int order(int64_t x, int64_t y)
{
	return (x > y) - (x < y);
}

static int by_worker(const void *x, const void *y)
{
	const struct begun *a = x, *b = y;
	int c = order(a->r->block, b->r->block);
	c = c ? c : order(a->r->role, b->r->role);
	c = c ? c : order(a->r->member, b->r->member);
	return c ? c : (a->ns > b->ns) - (a->ns < b->ns);
}

static bool same_worker(const struct run_trace_ring *a, const struct run_trace_ring *b)
{
	return a->block == b->block && a->role == b->role && a->member == b->member;
}

size_t *trace_kernels(const struct run_trace *t, size_t *n, struct arena *a)
{
	struct begun *all = ARENA_ARRAY(a, struct begun, t->nrings + 1);
	size_t *kernel = ARENA_ARRAY(a, size_t, t->nrings + 1);
	*n = 0;
	for (size_t i = 0; i < t->nrings; i++)
		all[i] = (struct begun){&t->ring[i], trace_ns(t, i, t->ring[i].begin), i};
	qsort(all, t->nrings, sizeof *all, by_worker);
	for (size_t i = 0; i < t->nrings; i++) {
		bool next = i > 0 && same_worker(all[i].r, all[i - 1].r);
		kernel[all[i].at] = next ? kernel[all[i - 1].at] + 1 : 0;
		*n = kernel[all[i].at] >= *n ? kernel[all[i].at] + 1 : *n;
	}
	return kernel;
}

/* --- the block that stands for all --- */

struct busy {
	int64_t block, stamps;
};

static int by_block(const void *x, const void *y)
{
	return order(((const struct busy *)x)->block, ((const struct busy *)y)->block);
}

static int by_stamps(const void *x, const void *y)
{
	int c = order(((const struct busy *)x)->stamps, ((const struct busy *)y)->stamps);
	return c ? c : by_block(x, y);
}

int64_t trace_median_block(const struct run_trace *t, struct arena *a)
{
	struct busy *all = ARENA_ARRAY(a, struct busy, t->nrings + 1);
	size_t kernels, n = 0, m = 0;
	const size_t *kernel = trace_kernels(t, &kernels, a);
	for (size_t i = 0; i < t->nrings; i++)
		if (kernel[i] == 0)
			all[n++] = (struct busy){t->ring[i].block, t->ring[i].stamps};
	qsort(all, n, sizeof *all, by_block);
	for (size_t i = 0; i < n; i++) {
		if (m > 0 && all[m - 1].block == all[i].block)
			all[m - 1].stamps += all[i].stamps;
		else
			all[m++] = all[i];
	}
	qsort(all, m, sizeof *all, by_stamps);
	return all[m / 2].block;
}

void trace_kept(const struct run_trace *t, struct arena *a, int64_t block[TRACE_KEPT])
{
	int64_t last = 0;
	for (size_t i = 0; i < t->nrings; i++)
		last = t->ring[i].block > last ? t->ring[i].block : last;
	block[0] = trace_median_block(t, a);
	block[1] = 0;
	block[2] = last;
}

/* --- stamps --- */

size_t trace_event(const struct run_trace *t, struct str name)
{
	size_t i = 0;
	while (i < t->nevents && !str_is(name, t->event[i]))
		i++;
	return i;
}

/* The end of the begin at `i`; s->n if it has none. */
static size_t end_of(const struct run_trace_stamps *s, size_t i)
{
	size_t k = i + 1;
	const int64_t end = s->what[i] - RECORD_TRACE_BEGIN + RECORD_TRACE_END;
	while (k < s->n && !(s->what[k] == end && s->step[k] == s->step[i]))
		k++;
	return k;
}

struct trace_span *trace_spans(const struct run_trace *t, const struct run_trace_stamps *s,
                               size_t *n, struct arena *a)
{
	struct trace_span *span = ARENA_ARRAY(a, struct trace_span, s->n + 1);
	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		const int64_t kind = s->what[i] % RECORD_TRACE_KINDS;
		size_t end = kind == RECORD_TRACE_BEGIN ? end_of(s, i) : i;
		if (kind == RECORD_TRACE_END || end == s->n)
			continue;
		span[(*n)++] =
		        (struct trace_span){.ring = s->ring,
		                            .event = (size_t)(s->what[i] / RECORD_TRACE_KINDS),
		                            .step = s->step[i],
		                            .from = trace_ns(t, s->ring, s->cycles[i]),
		                            .to = trace_ns(t, s->ring, s->cycles[end]),
		                            .moment = kind == RECORD_TRACE_MARK};
	}
	return span;
}

double trace_slowdown(const struct run_trace *t, struct arena *a)
{
	double *x = ARENA_ARRAY(a, double, t->nplain + t->ntraced + 1), *y = x + t->nplain;
	if (!t->nplain || !t->ntraced)
		return 0;
	for (size_t i = 0; i < t->nplain; i++)
		x[i] = (double)t->plain_ns[i];
	for (size_t i = 0; i < t->ntraced; i++)
		y[i] = (double)t->traced_ns[i];
	double plain = stats_median(x, t->nplain);
	return plain > 0 ? stats_median(y, t->ntraced) / plain : 0;
}
