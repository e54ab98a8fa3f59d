#include "lib/record.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct run_case *case_in(const struct run_case *c, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(c[i].id, id) == 0)
			return &c[i];
	return NULL;
}

const char *record_commit(const struct run_head *h)
{
	return h->commit ? h->commit : "none";
}

const struct run_case *record_case(const struct run *r, const char *id)
{
	return case_in(r->cases, r->ncases, id);
}

const struct run_case *record_null(const struct run *r, const char *id)
{
	return case_in(r->nulls, r->nnulls, id);
}

const struct run_pair *record_param(const struct run_case *c, const char *name)
{
	for (size_t i = 0; i < c->nparams; i++)
		if (strcmp(c->param[i].name, name) == 0)
			return &c->param[i];
	return NULL;
}

bool record_is_knob(const struct run_case *c, const char *name)
{
	return c->knob.name && strcmp(c->knob.name, name) == 0;
}

const char *record_tool(const struct run_head *h, const char *name)
{
	for (size_t i = 0; i < h->ntoolchain; i++)
		if (strcmp(h->toolchain[i].name, name) == 0)
			return h->toolchain[i].word;
	return NULL;
}

static bool is_c(const struct run_case *c)
{
	return c->nsource > 0 && !str_ends(str_of(c->source[0].path), ".cu");
}

const char *record_compiler(const struct run_head *h, const struct run_case *c)
{
	return record_tool(h, is_c(c) ? "cc" : "nvcc");
}

const char *record_flags(const struct run_head *h, const struct run_case *c)
{
	const char *flags = is_c(c) ? record_tool(h, "flags_c") : NULL;
	return flags ? flags : c->build.flags;
}

const char *record_case_id(const struct run_case *c, struct arena *a)
{
	struct sb id = {0};
	sb_printf(&id, "%s/%s:", c->family, c->variant);
	for (size_t i = 0; i < c->nparams; i++) {
		const struct run_pair *p = &c->param[i];
		if (p->word)
			sb_printf(&id, "%s=%s,", p->name, p->word);
		else
			sb_printf(&id, "%s=%lld,", p->name, (long long)p->num);
	}
	sb_printf(&id, "dtype=%s,cache=%s", c->dtype, c->cache);
	return sb_take(a, &id);
}

bool record_launch_ok(const struct run_launch *l)
{
	bool checked = l->before.passed && l->after.passed;
	return strcmp(l->status, "ok") == 0 && l->nsamples > 0 &&
	       (checked || (l->of && l->of->foreign));
}

/* The samples of a launch in seconds per call. */
static double *per_call(const struct run_launch *l)
{
	double *x = malloc(l->nsamples * sizeof *x);
	if (!x)
		arena_die("out of memory");
	for (size_t i = 0; i < l->nsamples; i++)
		x[i] = (double)l->sample_ns[i] * 1e-9 / (double)l->batch;
	return x;
}

const char *record_part_name(enum run_part p)
{
	static const char *const name[RUN_PARTS] = {
	        [RUN_EXPECT] = "expect",   [RUN_OPEN] = "open",       [RUN_FILL] = "fill",
	        [RUN_PREPARE] = "prepare", [RUN_CHECK] = "check",     [RUN_BUILD] = "build",
	        [RUN_CLOCKS] = "clocks",   [RUN_WARM_UP] = "warm_up", [RUN_SAMPLES] = "samples",
	        [RUN_RELEASE] = "release",
	};
	return name[p];
}

double record_launch_median(const struct run_launch *l)
{
	assert(record_launch_ok(l));
	double *x = per_call(l);
	double m = stats_median(x, l->nsamples);
	free(x);
	return m;
}

/* The median over samples of the clock of their group, in Hz, or of the cycles of a call. */
static double over_groups(const struct run_launch *l, bool cycles)
{
	double *x = per_call(l);
	size_t at = 0;
	for (size_t g = 0; g < l->ngroups; g++)
		for (int64_t k = 0; k < l->group[g].samples && at < l->nsamples; k++, at++)
			x[at] = (cycles ? x[at] : 1) * (double)l->group[g].cycles * 1e9 /
			        (double)l->group[g].ns;
	double median = stats_median(x, at);
	free(x);
	return median;
}

bool record_launch_clock(const struct run_launch *l, double *hz)
{
	if (l->ngroups && l->nsamples)
		*hz = over_groups(l, false);
	else if (l->sm_cycles > 0 && l->sm_cycles_ns > 0)
		*hz = (double)l->sm_cycles / (double)l->sm_cycles_ns * 1e9;
	else if (l->sm_clock_mhz[1] > 0)
		*hz = (double)l->sm_clock_mhz[1] * 1e6;
	else
		return false;
	return true;
}

bool record_launch_cycles(const struct run_launch *l, double *cycles)
{
	double hz;
	if (!record_launch_ok(l) || !record_launch_clock(l, &hz))
		return false;
	*cycles = l->ngroups ? over_groups(l, true) : record_launch_median(l) * hz;
	return true;
}

bool record_launch_energy(const struct run_launch *l, double *joules)
{
	if (l->energy_mj <= 0 || !record_launch_ok(l))
		return false;
	double sampled = 0;
	for (size_t i = 0; i < l->nsamples; i++)
		sampled += (double)l->sample_ns[i];
	double share = l->energy_ns > 0 ? sampled / (double)l->energy_ns : 1;
	*joules = (double)l->energy_mj * 1e-3 * share / ((double)l->nsamples * (double)l->batch);
	return true;
}

/* Both ends of energy_ns are steps of the counter, each known to 5 ms. */
static const double ENERGY_STEP_S = 0.01;

/* The driver's reading of the clock is rounded, late and an average, so it does not count. */
struct run_reading record_launch_reading(const struct run_launch *l)
{
	struct run_reading r = {
	        .clock_hz = -1, .cycles = -1, .joules = -1, .error = l->before.norm};
	if (l->sm_cycles <= 0 || !record_launch_clock(l, &r.clock_hz))
		r.clock_hz = -1;
	if (l->ngroups == 0 || !record_launch_cycles(l, &r.cycles))
		r.cycles = -1;
	if (!record_launch_energy(l, &r.joules))
		r.joules = -1;
	for (size_t i = 0; i < l->nsamples; i++)
		r.window_s += (double)l->sample_ns[i] * 1e-9;
	if (l->energy_ns > 0) {
		r.window_s = (double)l->energy_ns * 1e-9;
		r.step_s = ENERGY_STEP_S;
	}
	return r;
}

/* The good launches of a case in launch order, and their number of samples. */
static size_t ok_launches(const struct run *r, const struct run_case *c,
                          const struct run_launch **out, size_t *samples)
{
	bool null = strcmp(c->role, "null") == 0;
	const struct run_launch *all = null ? r->null_launches : r->launches;
	size_t n = 0, total = null ? r->nnull_launches : r->nlaunches;
	*samples = 0;
	for (size_t i = 0; i < total; i++) {
		const struct run_launch *l = &all[i];
		if (l->of != c || !record_launch_ok(l))
			continue;
		if (out)
			out[n] = l;
		n++;
		*samples += l->nsamples;
	}
	return n;
}

struct at_node {
	const char *node; /* may be NULL */
	size_t i;
};

static int by_node(const void *a, const void *b)
{
	const struct at_node *x = a, *y = b;
	int c = x->node && y->node ? strcmp(x->node, y->node) : (x->node != 0) - (y->node != 0);
	return c ? c : (x->i > y->i) - (x->i < y->i);
}

/* Sorts, because a file may have 100,000 launches: equal nodes become neighbours. */
size_t record_nodes(const struct run_launch *const *l, size_t n, size_t *node)
{
	struct at_node *at = malloc((n + 1) * sizeof *at);
	size_t nodes = 0, first = 0;
	if (!at)
		arena_die("out of memory");
	for (size_t i = 0; i < n; i++)
		at[i] = (struct at_node){l[i]->node, i};
	qsort(at, n, sizeof *at, by_node);
	for (size_t k = 0; k < n; k++) {
		const char *was = at[first].node, *is = at[k].node;
		if (was && is ? strcmp(was, is) != 0 : was != is)
			first = k;
		node[at[k].i] = at[first].i;
	}
	for (size_t i = 0; i < n; i++)
		node[i] = node[i] == i ? nodes++ : node[node[i]];
	free(at);
	return nodes;
}

static double cv_of(const double *x, size_t n)
{
	double mean = 0, ss = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		ss += (x[i] - mean) * (x[i] - mean);
	return n < 2 ? 0 : sqrt(ss / (double)(n - 1)) / mean;
}

bool record_summary(const struct run *r, const struct run_case *c, struct arena *a,
                    struct stats_summary *out, double **medians)
{
	size_t total, at = 0, n = ok_launches(r, c, NULL, &total);
	if (n == 0)
		return false;
	const struct run_launch **ok = ARENA_ARRAY(a, const struct run_launch *, n);
	double *m = ARENA_ARRAY(a, double, n), *cv = ARENA_ARRAY(a, double, n);
	double *all = ARENA_ARRAY(a, double, total);
	ok_launches(r, c, ok, &total);
	for (size_t i = 0; i < n; i++) {
		double *x = per_call(ok[i]);
		memcpy(all + at, x, ok[i]->nsamples * sizeof *x);
		at += ok[i]->nsamples;
		cv[i] = cv_of(x, ok[i]->nsamples);
		m[i] = stats_median(x, ok[i]->nsamples);
		free(x);
	}
	size_t *node = ARENA_ARRAY(a, size_t, n);
	record_nodes(ok, n, node);
	*out = stats_over_nodes(m, node, n);
	stats_median(all, total); /* sorts */
	out->samples = total;
	out->min = all[0];
	out->p5 = stats_quantile_sorted(all, total, 0.05);
	out->p95 = stats_quantile_sorted(all, total, 0.95);
	out->within_cv = stats_median(cv, n);
	if (medians)
		*medians = m;
	return true;
}

size_t record_pairs(const struct run *r, const struct run_case *x, const struct run_case *y,
                    struct arena *a, double **mx, double **my)
{
	size_t ignored, n = 0, nx = ok_launches(r, x, NULL, &ignored),
	                ny = ok_launches(r, y, NULL, &ignored);
	const struct run_launch **lx = ARENA_ARRAY(a, const struct run_launch *, nx + 1);
	const struct run_launch **ly = ARENA_ARRAY(a, const struct run_launch *, ny + 1);
	ok_launches(r, x, lx, &ignored);
	ok_launches(r, y, ly, &ignored);
	*mx = ARENA_ARRAY(a, double, nx + 1);
	*my = ARENA_ARRAY(a, double, nx + 1);
	for (size_t i = 0; i < nx; i++)
		for (size_t k = 0; k < ny; k++)
			if (lx[i]->i == ly[k]->i) {
				(*mx)[n] = record_launch_median(lx[i]);
				(*my)[n++] = record_launch_median(ly[k]);
			}
	return n;
}

/* True if c has the parameter `p` with the same value. */
static bool has_param(const struct run_case *c, const struct run_pair *p)
{
	const struct run_pair *own = record_param(c, p->name);
	if (!own || !own->word != !p->word)
		return false;
	return p->word ? strcmp(own->word, p->word) == 0 : own->num == p->num;
}

const struct run_case *record_null_of(const struct run *r, const struct run_case *null)
{
	for (size_t i = 0; i < r->ncases; i++) {
		const struct run_case *c = &r->cases[i];
		size_t same = 0;
		for (size_t k = 0; k < c->nparams; k++)
			same += has_param(null, &c->param[k]);
		if (same == c->nparams && null->nparams == same + 1 &&
		    strcmp(c->family, null->family) == 0 &&
		    strcmp(c->variant, null->variant) == 0 && strcmp(c->dtype, null->dtype) == 0 &&
		    strcmp(c->cache, null->cache) == 0)
			return c;
	}
	return NULL;
}

size_t record_null_ratios(const struct run *r, struct arena *a, double *ratio)
{
	size_t n = 0;
	for (size_t i = 0; i < r->nnulls; i++) {
		const struct run_case *of = record_null_of(r, &r->nulls[i]);
		double *null, *own;
		size_t pairs = of ? record_pairs(r, &r->nulls[i], of, a, &null, &own) : 0;
		if (pairs >= 2)
			ratio[n++] = stats_paired_ratio(null, own, pairs).typical;
	}
	return n;
}

/* Counts, for each process number, the launches of measurable cases (or null controls). */
static void count_by_number(const struct run_launch *l, size_t n, size_t planned, size_t *has)
{
	for (size_t i = 0; i < n; i++)
		if (!l[i].of->unavailable && l[i].i >= 0 && (uint64_t)l[i].i < planned)
			has[l[i].i]++;
}

static size_t measurable(const struct run_case *c, size_t n)
{
	size_t can = 0;
	for (size_t i = 0; i < n; i++)
		can += !c[i].unavailable;
	return can;
}

static size_t planned_launches(const struct run *r)
{
	int64_t n = r->head.launches;
	return n < 0 ? 0 : n > RECORD_MAX_LAUNCHES ? RECORD_MAX_LAUNCHES : (size_t)n;
}

size_t record_whole_launches(const struct run *r, struct arena *a, bool **whole)
{
	size_t planned = planned_launches(r), n = 0;
	size_t *has = ARENA_ARRAY(a, size_t, planned + 1);
	size_t can = measurable(r->cases, r->ncases) + measurable(r->nulls, r->nnulls);
	*whole = ARENA_ARRAY(a, bool, planned + 1);
	count_by_number(r->launches, r->nlaunches, planned, has);
	count_by_number(r->null_launches, r->nnull_launches, planned, has);
	for (size_t i = 0; i < planned; i++)
		n += (*whole)[i] = can > 0 && has[i] == can;
	return n;
}

static size_t keep_those(struct run_launch *l, size_t n, const bool *whole, size_t planned)
{
	size_t left = 0;
	for (size_t i = 0; i < n; i++)
		if (l[i].i >= 0 && (uint64_t)l[i].i < planned && whole[l[i].i])
			l[left++] = l[i];
	return left;
}

void record_keep_launches(struct run *r, const bool *whole)
{
	size_t planned = planned_launches(r);
	r->nlaunches = keep_those(r->launches, r->nlaunches, whole, planned);
	r->nnull_launches = keep_those(r->null_launches, r->nnull_launches, whole, planned);
}

void record_keep_compared(struct run *r, struct arena *a)
{
	bool *whole;
	if (r->whole && strcmp(r->status, "complete") != 0 &&
	    record_whole_launches(r, a, &whole) > 0)
		record_keep_launches(r, whole);
}

double record_null_ratio(const struct run *r, struct arena *a)
{
	double *ratio = ARENA_ARRAY(a, double, r->nnulls + 1), worst = 0;
	size_t n = record_null_ratios(r, a, ratio);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || fabs(log(ratio[i])) > fabs(log(worst)))
			worst = ratio[i];
	return worst;
}
