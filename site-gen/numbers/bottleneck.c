#include "site-gen/numbers/bottleneck.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/numbers/roof.h"

static const char *const names[LIMITER_COUNT] = {"", "memory", "compute", "latency", "launch"};

const char *limiter_name(enum limiter l)
{
	return names[l];
}

enum limiter limiter_find(struct str name)
{
	for (int i = LIMITER_MEMORY; i < LIMITER_COUNT; i++)
		if (str_is(name, names[i]))
			return (enum limiter)i;
	return LIMITER_NONE;
}

static bool share(const struct data *d, const struct pick *p, enum metric m, struct number *out)
{
	const struct data_spec *roof = roof_spec(d, p, m);
	struct number n;
	if (!roof || !number_of(p, m, &n))
		return false;
	*out = number_percent(&n, roof);
	return true;
}

/* Seconds that an empty kernel takes, timed in the same way as this case; 0: unknown. */
static double empty_kernel(const struct pick *p)
{
	const struct run *r = &p->run->run;
	bool graph = p->d->timer && strcmp(p->d->timer, "graph") == 0;
	const int64_t *ns = graph ? r->head.graph_node_ns : r->head.empty_kernel_ns;
	size_t n = graph ? r->head.ngraph_node : r->head.nempty_kernel;
	if (n == 0 || strcmp(p->d->c->device, "cuda") != 0)
		return 0;
	double *x = calloc(n, sizeof *x);
	if (!x)
		abort();
	for (size_t i = 0; i < n; i++)
		x[i] = (double)ns[i] * 1e-9;
	double median = stats_median(x, n);
	free(x);
	return median;
}

static struct limiter_finding open_because(struct limiter_finding f, const char *why)
{
	f.open = true;
	f.why_none = why;
	return f;
}

static struct limiter_finding told(struct limiter_finding f, enum limiter l)
{
	f.limiter = l;
	return f;
}

/* The limiter of a case that is not bound by its launch. */
static struct limiter_finding by_shares(struct limiter_finding f)
{
	const struct number *m = &f.memory, *c = &f.compute;
	if (m->lo >= LIMITER_SHARE && m->lo > c->hi)
		return told(f, LIMITER_MEMORY);
	if (c->lo >= LIMITER_SHARE && c->lo > m->hi)
		return told(f, LIMITER_COMPUTE);
	if (m->hi < LIMITER_SHARE && c->hi < LIMITER_SHARE)
		return told(f, LIMITER_LATENCY);
	return open_because(f, "the intervals of its shares of the peaks do not tell");
}

struct limiter_finding limiter_of(const struct data *d, const struct pick *p)
{
	struct limiter_finding f = {.empty = empty_kernel(p)};
	const struct stats_summary *t = &p->d->time;
	struct number flops;
	bool counts = number_of(p, METRIC_THROUGHPUT, &flops);
	if (f.empty > 0 && t->hi < LIMITER_LAUNCHES * f.empty)
		return told(f, LIMITER_LAUNCH);
	f.has_memory = share(d, p, METRIC_BANDWIDTH, &f.memory);
	f.has_compute = counts && share(d, p, METRIC_THROUGHPUT, &f.compute);
	if (!f.has_memory)
		f.why_none = "the data sheet has no peak for the memory it works on";
	else if (counts && !f.has_compute)
		f.why_none = "the data sheet has no peak for its arithmetic";
	if (f.why_none)
		return f;
	if (f.empty > 0 && t->lo < LIMITER_LAUNCHES * f.empty)
		return open_because(f, "its time is too close to that of empty launches");
	return by_shares(f);
}
