/*
 * Checks that a record is consistent. Its last line proves that nothing was
 * lost; these checks find records that no runner writes. They do not stop a
 * patient forger, but they find a dropped process, a dropped sample or a copied
 * line.
 */
#include <stdio.h>
#include <string.h>

#include "lib/ways.h"
#include "site-gen/records/run.h"

bool run_seconds_of(const char *s, int64_t *out)
{
	int y, mo, d, h, mi, sec, end = 0;
	if (strlen(s) != 20 ||
	    sscanf(s, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", &y, &mo, &d, &h, &mi, &sec, &end) != 6 ||
	    end != 20)
		return false;
	/* days since the epoch: the year starts in March, so the leap day comes last */
	int64_t years = y - (mo <= 2), months = (mo + 9) % 12;
	int64_t days = years * 365 + years / 4 - years / 100 + years / 400 +
	               (months * 153 + 2) / 5 + d - 1 - 719468;
	*out = ((days * 24 + h) * 60 + mi) * 60 + sec;
	return true;
}

/* Does the id begin with the start time? 2026-01-31T04:05:06Z, 20260131T040506Z-h200-… */
static bool id_agrees(const struct run_head *h)
{
	char compact[24];
	size_t n = 0;
	for (const char *p = h->start; *p && n + 1 < sizeof compact; p++)
		if (*p != '-' && *p != ':')
			compact[n++] = *p;
	compact[n] = 0;
	return strncmp(h->id, compact, n) == 0 && h->id[n] == '-';
}

static const char *times(const struct run *r, struct arena *a)
{
	int64_t start, end, last = 0;
	if (!run_seconds_of(r->head.start, &start) || !run_seconds_of(r->end, &end))
		return "its start or its end is no time";
	if (!id_agrees(&r->head))
		return arena_printf(a, "its id does not begin with its start, %s", r->head.start);
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].t_ms > last)
			last = r->launches[i].t_ms;
	if (end < start || (double)(end - start + 1) * 1000 < (double)last)
		return arena_printf(
		        a, "it ended %lld s after its start, but a launch began at %lld ms",
		        (long long)(end - start), (long long)last);
	return NULL;
}

/* Total time of the samples; a double, since a wrong record may sum up beyond an integer. */
static double sampled_ms(const struct run_launch *l)
{
	double sum = 0;
	for (size_t i = 0; i < l->nsamples; i++)
		sum += (double)l->sample_ns[i] * 1e-6;
	return sum;
}

/* A process measures one case after the other: the next begins after this one's last sample. */
static const char *overlap(const struct run *r, size_t i, struct arena *a)
{
	const struct run_launch *l = &r->launches[i], *next = l + 1;
	if (i + 1 == r->nlaunches || next->i != l->i || next->pid != l->pid ||
	    !record_launch_ok(l) || !record_launch_ok(next))
		return NULL;
	if ((double)next->t_ms - (double)l->t_ms + 1 >= sampled_ms(l))
		return NULL;
	return arena_printf(a,
	                    "the samples of %s in launch %lld last longer than until its process "
	                    "began the next case",
	                    l->of->id, (long long)l->i);
}

/* Does the number of samples fit the reason to stop? A heavy case's burst wants min_samples. */
static bool fits(const struct run_head *h, const struct run_launch *l)
{
	const int64_t n = (int64_t)l->nsamples;
	const bool burst = l->of->heavy && !record_param(l->of, ways_keys[WAYS_LOAD].name);
	if (strcmp(l->stop, "halfwidth") == 0)
		return n >= h->min_samples && n <= h->max_samples;
	if (strcmp(l->stop, "samples") == 0)
		return n == (burst ? h->min_samples : h->max_samples);
	if (strcmp(l->stop, "budget") == 0)
		return burst && n < h->min_samples;
	return n <= h->max_samples;
}

static const char *stopped(const struct run *r, const struct run_launch *l, struct arena *a)
{
	if (!record_launch_ok(l) || !l->stop || fits(&r->head, l))
		return NULL;
	return arena_printf(a,
	                    "%s has %lld samples in launch %lld, which stopped at '%s' of a plan "
	                    "of %lld to %lld",
	                    l->of->id, (long long)l->nsamples, (long long)l->i, l->stop,
	                    (long long)r->head.min_samples, (long long)r->head.max_samples);
}

/* The processes present, as [process][case], with null controls after the cases. */
struct table {
	const struct run *r;
	size_t planned, n;
	bool *seen;
	struct arena *a;
};

static const struct run_case *case_at(const struct table *t, size_t k)
{
	return k < t->r->ncases ? &t->r->cases[k] : &t->r->nulls[k - t->r->ncases];
}

/* Enters the processes of one kind, whose cases begin at `first`. Each is planned, and unique. */
static const char *enter(struct table *t, const struct run_launch *l, size_t n,
                         const struct run_case *cases, size_t first)
{
	for (size_t i = 0; i < n; i++, l++) {
		size_t k = first + (size_t)(l->of - cases);
		if (l->i < 0 || (size_t)l->i >= t->planned)
			return arena_printf(t->a, "it has launch %lld of %s, the plan has %zu",
			                    (long long)l->i, l->of->id, t->planned);
		if (l->of->unavailable)
			return arena_printf(t->a, "it has launch %lld of %s, which is unavailable",
			                    (long long)l->i, l->of->id);
		bool *seen = &t->seen[(size_t)l->i * t->n + k];
		if (*seen)
			return arena_printf(t->a, "it has launch %lld of %s twice", (long long)l->i,
			                    l->of->id);
		*seen = true;
	}
	return NULL;
}

/* The first case without process i; NULL: none. */
static const struct run_case *lacking(const struct table *t, size_t i)
{
	for (size_t k = 0; k < t->n; k++)
		if (!t->seen[i * t->n + k] && !case_at(t, k)->unavailable)
			return case_at(t, k);
	return NULL;
}

/*
 * Processes run one after the other, so an interruption leaves no gap, but
 * removing an unwelcome process does. Shards of a plan run at the same time.
 */
static const char *gap(const struct table *t, size_t from, const char *id)
{
	for (size_t i = from + 1; i < t->planned; i++)
		for (size_t k = 0; k < t->n; k++)
			if (t->seen[i * t->n + k])
				return arena_printf(t->a,
				                    "launch %zu of %s is missing, and launch %zu "
				                    "follows",
				                    from, id, i);
	return NULL;
}

/* Nothing may be missing, except the end of an interrupted run. */
static const char *missing(const struct table *t, bool complete)
{
	for (size_t i = 0; i < t->planned; i++) {
		const struct run_case *c = lacking(t, i);
		if (c && complete)
			return arena_printf(t->a, "launch %zu of %s is missing", i, c->id);
		if (c)
			return t->r->head.nshards ? NULL : gap(t, i, c->id);
	}
	return complete || !t->r->nlaunches
	               ? NULL
	               : "it says that it was interrupted, and nothing is missing";
}

/* Each planned process of each case must be there exactly once. */
static const char *launches(const struct run *r, struct arena *a)
{
	bool complete = strcmp(r->status, "complete") == 0;
	struct table t = {.r = r,
	                  .planned = r->head.launches > 0 ? (size_t)r->head.launches : 0,
	                  .n = r->ncases + r->nnulls,
	                  .a = a};
	if (!complete && strcmp(r->status, "partial") != 0)
		return arena_printf(a, "it ended as '%s', expected complete or partial", r->status);
	if (t.planned > RECORD_MAX_LAUNCHES)
		return arena_printf(a, "it plans %zu launches", t.planned);
	t.seen = ARENA_ARRAY(a, bool, t.n *t.planned + 1);
	const char *why = enter(&t, r->launches, r->nlaunches, r->cases, 0);
	if (!why)
		why = enter(&t, r->null_launches, r->nnull_launches, r->nulls, r->ncases);
	return why ? why : missing(&t, complete);
}

const char *run_contradiction(const struct run *r, struct arena *a)
{
	const char *why = times(r, a);
	if (r->head.foreign)
		return why; /* another harness has other plans, or tells none */
	if (!why)
		why = launches(r, a);
	for (size_t i = 0; i < r->nlaunches && !why; i++) {
		why = stopped(r, &r->launches[i], a);
		if (!why)
			why = overlap(r, i, a);
	}
	return why;
}
