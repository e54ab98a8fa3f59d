#include "site-gen/audit/stamps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record_trace.h"
#include "site-gen/audit/number.h"

/* A trace, and room for what is made of it. */
struct trace {
	const struct run_trace *t;
	struct arena *a;
	double *begin, *end; /* of each ring, ns */
	size_t *kernel;      /* of each ring */
	size_t kernels;
};

/* --- times ---------------------------------------------------------------------------------- */

static double time_of(const struct run_trace *t, const struct run_trace_ring *r, int64_t cycles)
{
	const struct run_trace_clock *c = &t->clock[r->clock];
	const double ns_a_cycle = (double)(c->after_ns - c->before_ns) / (double)c->cycles;
	return (double)c->before_ns + ns_a_cycle * (double)cycles;
}

static bool same_worker(const struct run_trace_ring *x, const struct run_trace_ring *y)
{
	return x->block == y->block && x->role == y->role && x->member == y->member;
}

/* Slots of a hash table: how many rings of this worker were seen. */
struct seen {
	const struct run_trace_ring *r;
	size_t times;
};

struct begun {
	size_t ring;
	double at;
};

static int by_begin(const void *a, const void *b)
{
	const struct begun *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

/* A ring is of kernel k if k rings of the same worker began before it. */
static void number_kernels(struct trace *x)
{
	const size_t n = x->t->nrings, slots = 4 * n + 1;
	struct begun *order = ARENA_ARRAY(x->a, struct begun, n + 1);
	struct seen *seen = ARENA_ARRAY(x->a, struct seen, slots);
	for (size_t i = 0; i < n; i++)
		order[i] = (struct begun){i, x->begin[i]};
	qsort(order, n, sizeof *order, by_begin);
	for (size_t i = 0; i < n; i++) {
		const struct run_trace_ring *r = &x->t->ring[order[i].ring];
		size_t at =
		        ((size_t)r->block * 31 + (size_t)r->role * 7 + (size_t)r->member) % slots;
		while (seen[at].r && !same_worker(seen[at].r, r))
			at = (at + 1) % slots;
		seen[at].r = r;
		x->kernel[order[i].ring] = seen[at].times++;
		x->kernels = seen[at].times > x->kernels ? seen[at].times : x->kernels;
	}
}

static struct trace open_trace(const struct run_trace *t, struct arena *a)
{
	struct trace x = {.t = t,
	                  .a = a,
	                  .begin = ARENA_ARRAY(a, double, t->nrings + 1),
	                  .end = ARENA_ARRAY(a, double, t->nrings + 1),
	                  .kernel = ARENA_ARRAY(a, size_t, t->nrings + 1)};
	for (size_t i = 0; i < t->nrings; i++) {
		x.begin[i] = time_of(t, &t->ring[i], t->ring[i].begin);
		x.end[i] = time_of(t, &t->ring[i], t->ring[i].end);
	}
	number_kernels(&x);
	return x;
}

static double least_of(const double *v, const struct trace *x, size_t kernel)
{
	double least = INFINITY;
	for (size_t i = 0; i < x->t->nrings; i++)
		if (x->kernel[i] == kernel || kernel == SIZE_MAX)
			least = v[i] < least ? v[i] : least;
	return least;
}

static double most_of(const double *v, const struct trace *x, size_t kernel)
{
	double most = -INFINITY;
	for (size_t i = 0; i < x->t->nrings; i++)
		if (x->kernel[i] == kernel || kernel == SIZE_MAX)
			most = v[i] > most ? v[i] : most;
	return most;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double middle(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* --- what the key asks for ------------------------------------------------------------------ */

static double of_chain(const struct trace *x, struct str what)
{
	double *v = ARENA_ARRAY(x->a, double, x->kernels + 1);
	size_t n = 0;
	for (size_t k = 0; k < x->kernels; k++) {
		bool last = k + 1 == x->kernels;
		if (str_is(what, "ramp"))
			v[n++] = most_of(x->begin, x, k) - least_of(x->begin, x, k);
		else if (str_is(what, "drain"))
			v[n++] = most_of(x->end, x, k) - least_of(x->end, x, k);
		else if (str_is(what, "step") && !last)
			v[n++] = least_of(x->begin, x, k + 1) - least_of(x->begin, x, k);
		else if (str_is(what, "gap") && !last)
			v[n++] = least_of(x->begin, x, k + 1) - most_of(x->end, x, k);
		else if (str_is(what, "lead") && !last)
			v[n++] = most_of(x->end, x, k) - least_of(x->begin, x, k + 1);
	}
	return n ? middle(v, n) / 1e9 : NAN;
}

static int64_t last_block(const struct trace *x)
{
	int64_t last = 0;
	for (size_t i = 0; i < x->t->nrings; i++)
		last = x->t->ring[i].block > last ? x->t->ring[i].block : last;
	return last;
}

/* The block that as many blocks stand before as behind, by stamps and then by number. */
static int64_t median_block(const struct trace *x)
{
	const size_t blocks = (size_t)last_block(x) + 1;
	int64_t *sum = ARENA_ARRAY(x->a, int64_t, blocks);
	bool *there = ARENA_ARRAY(x->a, bool, blocks);
	struct begun *all = ARENA_ARRAY(x->a, struct begun, blocks);
	size_t n = 0;
	for (size_t i = 0; i < x->t->nrings; i++)
		if (x->kernel[i] == 0) {
			sum[x->t->ring[i].block] += x->t->ring[i].stamps;
			there[x->t->ring[i].block] = true;
		}
	for (size_t b = 0; b < blocks; b++)
		if (there[b])
			all[n++] = (struct begun){b, (double)sum[b] * (double)blocks + (double)b};
	qsort(all, n, sizeof *all, by_begin);
	return n ? (int64_t)all[n / 2].ring : 0;
}

static size_t event_of(const struct run_trace *t, struct str name)
{
	for (size_t i = 0; i < t->nevents; i++)
		if (str_is(name, t->event[i]))
			return i;
	return t->nevents;
}

/* Mean time from each begin of an event to the next end of the same step, in the median block. */
static double mean_time(const struct trace *x, size_t event)
{
	const struct run_trace *t = x->t;
	const int64_t block = median_block(x), begin = (int64_t)event * RECORD_TRACE_KINDS;
	double sum = 0;
	size_t n = 0;
	for (size_t k = 0; k < t->nkept; k++) {
		const struct run_trace_stamps *s = &t->kept[k];
		const struct run_trace_ring *r = &t->ring[s->ring];
		for (size_t i = 0; i < s->n && r->block == block; i++)
			for (size_t j = i + 1; j < s->n && s->what[i] == begin; j++)
				if (s->what[j] == begin + RECORD_TRACE_END &&
				    s->step[j] == s->step[i]) {
					sum += time_of(t, r, s->cycles[j]) -
					       time_of(t, r, s->cycles[i]);
					n++;
					break;
				}
	}
	return n ? sum / (double)n / 1e9 : NAN;
}

/* Counts of an event by SM: how many SMs have any, and of these the sums. */
static double by_sm(const struct trace *x, size_t event, struct str what)
{
	const struct run_trace *t = x->t;
	double *v = ARENA_ARRAY(x->a, double, t->nclocks + 1), sum = 0, far = 0;
	size_t n = 0;
	for (size_t i = 0; i < t->nrings; i++)
		v[t->ring[i].clock] += (double)t->count[i * t->nevents + event];
	for (size_t i = 0; i < t->nclocks; i++)
		if (v[i] > 0)
			v[n++] = v[i];
	for (size_t i = 0; i < n; i++)
		sum += v[i];
	const double mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		far += pow(v[i] - mean, 2);
	if (n < 2)
		return NAN;
	qsort(v, n, sizeof *v, by_value);
	return str_is(what, "sms")     ? (double)n
	       : str_is(what, "sum")   ? sum
	       : str_is(what, "mean")  ? mean
	       : str_is(what, "sd")    ? sqrt(far / (double)(n - 1))
	       : str_is(what, "least") ? v[0]
	       : str_is(what, "most")  ? v[n - 1]
	                               : NAN;
}

static double middle_of(const int64_t *ns, size_t n, struct arena *a)
{
	double *v = ARENA_ARRAY(a, double, n + 1);
	for (size_t i = 0; i < n; i++)
		v[i] = (double)ns[i];
	return n ? middle(v, n) : NAN;
}

static double derive(const struct trace *x, struct str what)
{
	const struct run_trace *t = x->t;
	struct str event, part;
	if (str_cut(what, '.', &event, &part)) {
		size_t i = event_of(t, event);
		if (i == t->nevents)
			return NAN;
		return str_is(part, "time") ? mean_time(x, i) : by_sm(x, i, part);
	}
	if (str_is(what, "slowdown"))
		return middle_of(t->traced_ns, t->ntraced, x->a) /
		       middle_of(t->plain_ns, t->nplain, x->a);
	if (str_is(what, "span"))
		return (most_of(x->end, x, SIZE_MAX) - least_of(x->begin, x, SIZE_MAX)) / 1e9;
	if (str_is(what, "blocks"))
		return (double)(last_block(x) + 1);
	if (str_is(what, "median"))
		return (double)median_block(x);
	if (str_is(what, "kernels"))
		return (double)x->kernels;
	return of_chain(x, what);
}

/* --- the text ------------------------------------------------------------------------------- */

static void put_text(struct str what, double value, struct sb *to)
{
	const bool ratio = str_is(what, "slowdown");
	const bool tenths = str_ends(what, ".mean") || str_ends(what, ".sd");
	const bool count = str_find(what, '.', 0) < what.n
	                           ? !str_ends(what, ".time")
	                           : str_is(what, "blocks") || str_is(what, "median") ||
	                                     str_is(what, "kernels");
	const struct audit_number n = {.value = value, .si = ratio ? "×" : "s"};
	if (count)
		sb_printf(to, tenths ? "%.1f" : "%.0f", value);
	else
		audit_number_amount(&n, to);
}

static const struct run_trace *find(struct audit *a, struct str run, struct str id)
{
	for (size_t i = 0; i < a->data->ntraces; i++) {
		const struct data_run *r = &a->data->traces[i];
		const struct run_case *c =
		        str_is(run, r->run.head.id) && !r->why_none
		                ? data_run_case(r, str_dup(&a->records.scratch, id))
		                : NULL;
		if (c)
			return record_trace(&r->run, c);
	}
	return NULL;
}

bool audit_stamps(struct audit *a, struct str rest, struct sb *to, double *value, struct err *e)
{
	struct str run, id, what = STR("");
	bool whole = str_cut(rest, ' ', &run, &id) && str_cut(id, ' ', &id, &what);
	const struct run_trace *t = whole ? find(a, run, id) : NULL;
	if (!t || t->unavailable || t->nrings == 0)
		return err_set(e, "'" STR_FMT "' is no number of a trace in data/traces",
		               STR_ARG(rest));
	const struct trace x = open_trace(t, &a->records.scratch);
	*value = derive(&x, what);
	if (!isfinite(*value))
		return err_set(e, "the trace has no '" STR_FMT "'", STR_ARG(what));
	put_text(what, *value, to);
	return true;
}
