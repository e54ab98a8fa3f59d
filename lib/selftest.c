#include "lib/selftest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double selftest_band = STATS_BAND_PERCENT / 100.0;

/* --- samples of one process --- */

static double *seconds(const struct run_launch *l, struct arena *a)
{
	double *x = ARENA_ARRAY(a, double, l->nsamples);
	for (size_t i = 0; i < l->nsamples; i++)
		x[i] = (double)l->sample_ns[i] / (double)l->batch;
	return x;
}

static double mean_of(const double *x, size_t n, double *noise)
{
	double mean = 0, ss = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		ss += (x[i] - mean) * (x[i] - mean);
	*noise = n > 1 ? sqrt(ss / (double)(n - 1)) / mean : INFINITY;
	return mean;
}

static bool nvbench_differs(const double *x, size_t nx, const double *y, size_t ny)
{
	double noise_x, noise_y;
	double mx = mean_of(x, nx, &noise_x), my = mean_of(y, ny, &noise_y);
	return fabs(my / mx - 1) > fmin(noise_x, noise_y);
}

static void judge_samples(const struct run_launch *a, const struct run_launch *b,
                          struct arena *arena, struct selftest_tally *t)
{
	double *x = seconds(a, arena), *y = seconds(b, arena);
	t->processes++;
	t->nvbench += nvbench_differs(x, a->nsamples, y, b->nsamples);
	t->mann_whitney += stats_mann_whitney(x, a->nsamples, y, b->nsamples, NULL) < 0.05;
}

/* --- which cases, which launches --- */

static const struct run_launch *find_ok(const struct run_launch *l, size_t n,
                                        const struct run_case *c, int64_t i)
{
	for (size_t k = 0; k < n; k++)
		if (l[k].of == c && l[k].i == i && record_launch_ok(&l[k]))
			return &l[k];
	return NULL;
}

static const struct run_launch *launch_of(const struct run *r, const struct run_case *c, int64_t i)
{
	const struct run_launch *l = find_ok(r->launches, r->nlaunches, c, i);
	return l ? l : find_ok(r->null_launches, r->nnull_launches, c, i);
}

/* The padding of a selftest case; -1 for any other case. */
static int64_t pad_of(const struct run_case *c)
{
	const struct run_pair *p = record_param(c, "pad");
	return p && !p->word && strcmp(c->family, "selftest") == 0 ? p->num : -1;
}

/* The cases of equal code: the one without padding, and its null controls. */
static size_t equal_cases(const struct run *r, const struct run_case **out)
{
	size_t n = 0;
	for (size_t i = 0; i < r->ncases; i++)
		if (pad_of(&r->cases[i]) == 0 && n == 0)
			out[n++] = &r->cases[i];
	for (size_t i = 0; i < r->nnulls && n > 0; i++)
		if (record_null_of(r, &r->nulls[i]) == out[0])
			out[n++] = &r->nulls[i];
	return n;
}

/* Two cases to compare. */
struct couple {
	const struct run_case *x, *y;
};

static size_t couples(const struct run *r, int64_t pad, struct arena *a, struct couple **out)
{
	const struct run_case **equal = ARENA_ARRAY(a, const struct run_case *, r->nnulls + 1);
	size_t n = equal_cases(r, equal), count = 0;
	*out = ARENA_ARRAY(a, struct couple, n * n + n * r->ncases + 1);
	for (size_t i = 0; i < n && pad == 0; i++)
		for (size_t k = i + 1; k < n; k++)
			(*out)[count++] = (struct couple){equal[i], equal[k]};
	for (size_t i = 0; i < r->ncases && pad > 0; i++)
		for (size_t k = 0; k < n && pad_of(&r->cases[i]) == pad; k++)
			(*out)[count++] = (struct couple){equal[k], &r->cases[i]};
	return count;
}

/* --- comparisons --- */

/* The launches of a couple from `first` on. False if one of them is not ok. */
static bool compare_block(const struct run *r, struct couple c, int64_t first, struct arena *a,
                          struct selftest_tally *t, struct stats_comparison *out)
{
	double mx[SELFTEST_BLOCK], my[SELFTEST_BLOCK];
	size_t n = 0;
	for (int64_t i = first; i < first + SELFTEST_BLOCK; i++) {
		const struct run_launch *x = launch_of(r, c.x, i), *y = launch_of(r, c.y, i);
		if (!x || !y)
			continue;
		judge_samples(x, y, a, t);
		mx[n] = record_launch_median(x);
		my[n++] = record_launch_median(y);
	}
	if (n == SELFTEST_BLOCK)
		*out = stats_compare(my, mx, n, selftest_band);
	return n == SELFTEST_BLOCK;
}

static void count(const struct stats_comparison *c, struct selftest_tally *t)
{
	double planted = 1 + (double)t->pad / 1000;
	t->pairs++;
	t->equivalent += c->verdict == STATS_EQUIVALENT;
	t->undecided += c->verdict == STATS_UNDECIDED;
	t->different += c->verdict == STATS_FASTER || c->verdict == STATS_SLOWER;
	t->found += c->ratio.lo > 1 || c->ratio.hi < 1;
	t->covered += c->ratio.lo <= planted && planted <= c->ratio.hi;
	t->halfwidth += stats_halfwidth(&c->ratio);
	t->ratio += c->ratio.typical;
}

/* Tallies every comparison in t and, if `out` is not NULL, keeps it. */
static size_t compare_all(const struct run *r, int64_t pad, struct arena *a,
                          struct selftest_tally *t, struct selftest_pair *out)
{
	struct couple *c;
	size_t n = couples(r, pad, a, &c), kept = 0;
	for (size_t i = 0; i < n; i++)
		for (int64_t first = 0; first + SELFTEST_BLOCK <= r->head.launches;
		     first += SELFTEST_BLOCK) {
			struct stats_comparison cmp;
			if (!compare_block(r, c[i], first, a, t, &cmp))
				continue;
			count(&cmp, t);
			if (out)
				out[kept++].ratio = cmp.ratio;
		}
	return kept;
}

struct selftest_tally selftest_judge(const struct run *r, int64_t pad, struct arena *a)
{
	struct selftest_tally t = {.pad = pad};
	compare_all(r, pad, a, &t, NULL);
	if (t.pairs) {
		t.ratio /= (double)t.pairs;
		t.halfwidth /= (double)t.pairs;
	}
	return t;
}

size_t selftest_pairs(const struct run *r, int64_t pad, struct arena *a, struct selftest_pair **out)
{
	struct selftest_tally ignored = {0};
	struct couple *c;
	size_t blocks = r->head.launches > 0 ? (size_t)r->head.launches / SELFTEST_BLOCK : 0;
	*out = ARENA_ARRAY(a, struct selftest_pair, couples(r, pad, a, &c) * blocks + 1);
	return compare_all(r, pad, a, &ignored, *out);
}

/* --- sides exchanged --- */

/* Log ratios of the launches of a couple from `first` on. False if one of them is not ok. */
static bool block_logs(const struct run *r, struct couple c, int64_t first, double *d)
{
	for (int64_t i = 0; i < SELFTEST_BLOCK; i++) {
		const struct run_launch *x = launch_of(r, c.x, first + i),
		                        *y = launch_of(r, c.y, first + i);
		if (!x || !y)
			return false;
		d[i] = log(record_launch_median(y) / record_launch_median(x));
	}
	return true;
}

/* Does the t-interval of d contain 0 when the signs given by the bits are flipped? */
static bool holds(const double *d, unsigned signs)
{
	double mean = 0, ss = 0, n = SELFTEST_BLOCK, t = stats_t975(SELFTEST_BLOCK - 1);
	for (unsigned i = 0; i < SELFTEST_BLOCK; i++)
		mean += (signs >> i & 1 ? -d[i] : d[i]) / n;
	for (unsigned i = 0; i < SELFTEST_BLOCK; i++) {
		double off = (signs >> i & 1 ? -d[i] : d[i]) - mean;
		ss += off * off;
	}
	return mean * mean <= t * t * ss / (n - 1) / n;
}

double selftest_exchanged(const struct run *r, struct arena *a)
{
	enum { WAYS = 1 << (SELFTEST_BLOCK - 1) }; /* half: flipping all signs changes nothing */
	struct couple *c;
	size_t n = couples(r, 0, a, &c), held = 0, all = 0;
	for (size_t i = 0; i < n; i++)
		for (int64_t first = 0; first + SELFTEST_BLOCK <= r->head.launches;
		     first += SELFTEST_BLOCK) {
			double d[SELFTEST_BLOCK];
			if (!block_logs(r, c[i], first, d))
				continue;
			for (unsigned signs = 0; signs < WAYS; signs++)
				held += holds(d, signs);
			all += WAYS;
		}
	return all ? (double)held / (double)all : 0;
}

size_t selftest_pads(const struct run *r, int64_t *pad, size_t n)
{
	size_t count = 0;
	for (int64_t last = 0;;) {
		int64_t next = INT64_MAX;
		for (size_t i = 0; i < r->ncases; i++)
			if (pad_of(&r->cases[i]) > last && pad_of(&r->cases[i]) < next)
				next = pad_of(&r->cases[i]);
		if (next == INT64_MAX || count == n)
			return count;
		pad[count++] = last = next;
	}
}

bool selftest_is(const struct run *r)
{
	bool copies = false;
	for (size_t i = 0; i < r->nnulls; i++)
		copies = copies || pad_of(&r->nulls[i]) == 0;
	return copies && r->head.launches >= SELFTEST_BLOCK;
}
