#include "runner/plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/clock.h"
#include "runner/base/rng.h"

/*
 * Warm-up: 20 ms and three calls outlast the ramp from idle clocks, and the 15 ms after
 * which a GPU under heavy load lowers its clock. runner/measure/warm.h shortens it for
 * cases that need less.
 * Stop rule: 12…1000 samples and 0.5 %. Of 12 samples, the 3rd and the 10th enclose the
 * median with 96 % (lib/stats.h has the interval). More samples would hardly narrow the
 * interval over processes, most of whose width comes from differences between processes.
 * Cap: a case that never reaches 0.5 % stops after 100 ms.
 * Window: 12 ms give ten readings of the clocks, at one per millisecond.
 */
const struct settings settings_default = {
        .launches = SETTINGS_LAUNCHES,
        .warmup_ms = 20,
        .min_samples = 12,
        .max_samples = 1000,
        .cap_ms = 100,
        .window_ms = 12,
        .idle_ms = 100,
        .burst_ms = 25,
        .load_ms = 3000,
        .settle_ms = 500,
        .steady_ms = 1000,
        .halfwidth = 0.005,
        .check_calls = CHECK_CALLS,
        .timeout_s = SETTINGS_TIMEOUT_S,
};

/*
 * A GPU at its power limit settles within three seconds, since clocks follow the power
 * averaged over some hundred milliseconds. One second of samples is then enough for the
 * energy counter, which is updated ten times a second.
 */
static struct settings settings_sustained(const struct settings *s)
{
	struct settings out = *s;
	out.warmup_ms = s->warmup_ms > 3000 ? s->warmup_ms : 3000;
	out.short_warmup_ms = 0;
	out.window_ms = 1000;
	out.cap_ms = 2000;
	return out;
}

/*
 * On a device that is at its limit already, half a second of a case's own calls lets it find its
 * own clock. The limiter of an H200 then swings: its clock dips by 5 % once in a second. So a
 * second of samples follows, a whole swing. Half of one held the dip or not, as the phase fell.
 */
static struct settings settings_steady(const struct settings *s)
{
	struct settings out = *s;
	out.warmup_ms = s->settle_ms;
	out.short_warmup_ms = 0;
	out.window_ms = out.cap_ms = s->steady_ms;
	return out;
}

/*
 * The host's time to enqueue a call differs between processes by percents, so measuring it
 * to half a percent within one process is useless.
 */
static struct settings settings_host(const struct settings *s)
{
	struct settings out = *s;
	out.halfwidth = 0.02;
	out.short_warmup_ms = 0; /* it times only a small part of what it does */
	return out;
}

struct settings settings_of(const struct settings *s, const struct way *w)
{
	return w->load == WAY_SUSTAINED ? settings_sustained(s)
	       : w->load == WAY_STEADY  ? settings_steady(s)
	       : w->host                ? settings_host(s)
	                                : *s;
}

const char *timer_name(enum timer t)
{
	static const char *const names[] = {"clock", "events", "graph", "host"};
	return names[t];
}

int64_t plan_flush_bytes(const struct facts *f)
{
	return 2 * f->cache_bytes;
}

bool settings_launches(int64_t launches, int64_t least, struct err *e)
{
	return (launches >= least && launches <= SETTINGS_MAX_LAUNCHES) ||
	       err_set(e, "--launches: expected %" PRId64 " to %d", least, SETTINGS_MAX_LAUNCHES);
}

uint64_t settings_seed(long given)
{
	if (given >= 0)
		return (uint64_t)given;
	return rng_derive((uint64_t)clock_ns(), (uint64_t)getpid(), 0) & 0xffffffff;
}

/* --- items --- */

void item_params(const struct item *it, struct run_case *c)
{
	c->nparams = 0;
	for (int i = 0; i < it->kcase->nparams; i++)
		c->param[c->nparams++] =
		        (struct run_pair){it->kcase->param[i].name, it->kcase->param[i].word,
		                          it->kcase->param[i].num};
	way_params(&it->way, c);
	if (it->null)
		c->param[c->nparams++] = (struct run_pair){"null", NULL, it->null};
}

const char *item_id(const struct item *it, struct arena *a)
{
	struct run_case c = {
	        .family = it->family->id,
	        .variant = it->variant->id,
	        .dtype = kernel_dtype_name(it->kcase->dtype),
	        .cache = way_word(&it->way, STR("cache")),
	};
	item_params(it, &c);
	return record_case_id(&c, a);
}

static int by_call(const void *a, const void *b)
{
	const struct item *x = *(const struct item *const *)a, *y = *(const struct item *const *)b;
	return x->call_ns != y->call_ns ? (x->call_ns > y->call_ns) - (x->call_ns < y->call_ns)
	                                : strcmp(x->id, y->id);
}

/* Appends a null control for each of n items; the k'th control of one item gets null=k. */
static void add_copies(struct plan *p, const struct item *const *of, size_t n, struct arena *a)
{
	struct item *all = ARENA_ARRAY(a, struct item, p->n + n);
	memcpy(all, p->item, p->n * sizeof *all);
	for (size_t i = 0; i < n; i++) {
		struct item *null = &all[p->n + i];
		*null = *of[i];
		null->timeouts = 0;
		null->warm = (struct warm){0};
		null->null = 1;
		for (size_t k = 0; k < i; k++)
			null->null += of[k] == of[i];
		null->id = item_id(null, a);
	}
	p->item = all;
	p->n += n;
}

/* Lists the available items with of[item] under this load. */
static size_t answering(const struct plan *p, const bool *of, enum way_load load,
                        const struct item **by)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (!p->item[i].unavailable && !p->item[i].timeouts && (!of || of[i]) &&
		    p->item[i].way.load == load)
			by[n++] = &p->item[i];
	return n;
}

/* Chooses n of `can` items, or all: from the fastest to the slowest at even steps. */
static size_t spread(const struct item **by, size_t can, size_t n)
{
	qsort(by, can, sizeof *by, by_call);
	n = n < can ? n : can;
	for (size_t i = 0; n > 1 && i < n; i++)
		by[i] = by[i * (can - 1) / (n - 1)];
	return n;
}

void plan_add_nulls(struct plan *p, size_t n, const bool *of, struct arena *a)
{
	enum { STEADY_ITEMS = 4 }; /* of so many one is copied: a copy takes a second */
	const struct item **by = ARENA_ARRAY(a, const struct item *, 2 * p->n + 1);
	size_t usual = spread(by, answering(p, of, WAY_BURST, by), n);
	size_t can = answering(p, of, WAY_STEADY, by + usual);
	size_t want = (can + STEADY_ITEMS - 1) / STEADY_ITEMS;
	size_t steady = spread(by + usual, can, want < n ? want : n);
	if (steady == 1) /* the slowest, which loads the device most */
		by[usual] = by[usual + can - 1];
	if (usual + steady ==
	    0) /* sustained items take seconds each: only if there are no others */
		usual = spread(by, answering(p, of, WAY_SUSTAINED, by), n);
	add_copies(p, by, usual + steady, a);
}

void plan_add_copies(struct plan *p, size_t item, size_t copies, struct arena *a)
{
	const struct item **of = ARENA_ARRAY(a, const struct item *, copies + 1);
	for (size_t i = 0; i < copies; i++)
		of[i] = &p->item[item];
	add_copies(p, of, copies, a);
}

void plan_number(struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		p->item[i].number = i;
}

int64_t item_entries(const struct item *it)
{
	int n = it->variant->queued ? it->variant->queued(it->kcase) : 1;
	return n > 1 ? n : 1;
}

uint64_t plan_input_seed(uint64_t seed, int64_t launch, size_t set)
{
	return input_seed(INPUT_UNIFORM, rng_derive(seed, 2 + set % 2, (uint64_t)launch));
}
