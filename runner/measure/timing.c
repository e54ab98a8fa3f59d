#include "runner/measure/timing.h"

#include <stdio.h>
#include <time.h>

#include "runner/base/clock.h"
#include "runner/measure/stop.h"
#include "runner/plan/heavy.h"
#include "runner/plan/roof.h"

enum {
	GROUP_NS = 5000000, /* approximate device work enqueued at once */
	GROUP_MAX = 32,
	CLOCK_SETTLE_MS = 200, /* longest wait for the clocks to settle */
	/*
	 * Longest waits before a case: for full clocks, and for the driver to report no
	 * throttle reason. The clock is back in milliseconds, but the report comes late,
	 * and at a power limit never.
	 */
	RECOVER_MS = 100,
	WORD_MS = 30,
	/*
	 * After a longer time without heavy load, load=steady begins as at first: with seconds of
	 * load. What a card saves in a shorter pause, the settling of a case uses up.
	 */
	STEADY_PAUSE_MS = 1000,
};

static size_t group_size(const struct item *it)
{
	int64_t each = it->call_ns > 0 ? it->call_ns * it->batch : 1000000;
	int64_t n = GROUP_NS / (each > 0 ? each : 1);
	return n < 1 ? 1 : n > GROUP_MAX ? GROUP_MAX : (size_t)n;
}

struct timing timing_of(struct bench *b, struct job *j, const struct settings *set)
{
	struct timing t = {
	        .b = b, .j = j, .set = set, .warm_ms = set->warmup_ms, .group = group_size(j->it)};
	t.ns = ARENA_ARRAY(&b->arena, int64_t, (size_t)set->max_samples);
	t.work = ARENA_ARRAY(&b->arena, double, (size_t)set->max_samples);
	return t;
}

/* Takes a group of n samples. */
static int take(struct timing *t, int64_t *ns, size_t n)
{
	int64_t wall = 0, sum = 0;
	int rc = t->b->dev.backend->sample(&t->b->dev, t->j, ns, n, &wall);
	for (size_t i = 0; i < n; i++)
		sum += ns[i];
	t->wall_ns += wall;
	t->sum_ns += sum;
	if (t->groups++ == 0 || wall - sum > t->worst_wall_ns - t->worst_sum_ns) {
		t->worst_wall_ns = wall;
		t->worst_sum_ns = sum;
	}
	return rc;
}

/* The samples begin after the warm-up. */
static void forget_warm_up(struct timing *t)
{
	t->wall_ns = t->sum_ns = 0;
	t->worst_wall_ns = t->worst_sum_ns = 0;
	t->groups = 0;
}

/* True if the clock has changed by at most 2 % since the last look. */
static bool settled(struct bench *b, int64_t *last)
{
	int64_t now = nvml_sm_clock(b->nvml), before = *last;
	*last = now;
	if (now == RECORD_NONE)
		return true;
	return before > 0 && now * 100 >= before * 98 && now * 98 <= before * 100;
}

/*
 * Waits until the clock has recovered from an earlier case's power draw, so that each case
 * starts at the full clock, whatever ran before it.
 */
static void recover(struct bench *b)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	int64_t full = b->plan->facts.sm_clock_max_mhz, start = clock_ns();
	for (int64_t ms = 0; full > 0; ms = (clock_ns() - start) / 1000000) {
		bool enough =
		        ms >= WORD_MS ? nvml_is_fast(b->nvml, full) : nvml_recovered(b->nvml, full);
		if (enough || ms >= RECOVER_MS)
			return;
		nanosleep(&pause, NULL);
	}
}

/* Number of samples in the warm-up's next group: no more than are still missing. */
static size_t warm_up_group(const struct timing *t, int64_t missing_ns, int64_t each_ns)
{
	if (missing_ns <= 0 || each_ns <= 0 || missing_ns / each_ns >= (int64_t)t->group)
		return t->group;
	return (size_t)(missing_ns / each_ns) + 1;
}

static int warm_up(struct timing *t, struct run_launch *l)
{
	int64_t start = clock_ns(), clock = 0, ns[GROUP_MAX] = {0}, spent = 0;
	int64_t calls = 0, least = t->warm_ms * 1000000;
	int rc = 0;
	l->warmup_ns = ARENA_ARRAY(&t->b->arena, int64_t, WARMUP_KEPT);
	settled(t->b, &clock); /* first look; a short warm-up has a single group after it */
	while (!rc) {
		size_t n = warm_up_group(t, least - spent, ns[0]);
		rc = take(t, ns, n);
		for (size_t i = 0; i < n && !rc; i++) {
			spent += ns[i];
			calls += t->j->it->batch;
			if (l->nwarmup < WARMUP_KEPT)
				l->warmup_ns[l->nwarmup++] = ns[i];
		}
		int64_t wall = clock_ns() - start;
		bool late = wall > least + CLOCK_SETTLE_MS * 1000000ll;
		if (t->j->it->timer == TIMER_HOST) /* it times only a small part of the work */
			spent = wall;
		/* look one group early, too, so that the next look can be the last */
		bool steady = spent + GROUP_NS >= least && settled(t->b, &clock);
		if (spent >= least && calls >= 3 && (steady || late))
			break;
	}
	forget_warm_up(t);
	return rc;
}

/*
 * The warm-up of a heavy burst: the first call, which is slow because the clock ramps up, and
 * three more. They count as load, so there are no more than that.
 */
static int warm_up_heavy(struct timing *t, struct run_launch *l)
{
	size_t n = (size_t)((HEAVY_WARM_UP_CALLS + t->j->it->batch - 1) / t->j->it->batch);
	l->warmup_ns = ARENA_ARRAY(&t->b->arena, int64_t, WARMUP_KEPT);
	l->nwarmup = n;
	int rc = take(t, l->warmup_ns, n);
	t->load_ns = t->sum_ns;
	forget_warm_up(t);
	return rc;
}

/* Takes the samples of a heavy burst, as long as the budget of load lasts. */
static int sample_heavy(struct timing *t, struct run_launch *l)
{
	int64_t longest = l->warmup_ns[l->nwarmup - 1];
	int rc = 0;
	while (!rc) {
		size_t n = stop_burst_next(t->set, t->n, t->group, t->load_ns + t->sum_ns, longest,
		                           &l->stop);
		if (n == 0)
			break;
		rc = take(t, t->ns + t->n, n);
		for (size_t i = t->n; i < t->n + n; i++)
			longest = t->ns[i] > longest ? t->ns[i] : longest;
		t->n += n;
	}
	return rc;
}

/* Takes samples until the stop rule is satisfied. */
static int sample(struct timing *t, double tick_ns, struct run_launch *l)
{
	int64_t start = clock_ns();
	int rc = 0;
	while (!rc && !l->stop) {
		size_t look = stop_next_look(t->set, 0);
		while (look <= t->n && look < (size_t)t->set->max_samples)
			look = stop_next_look(t->set, look);
		size_t n = look - t->n < t->group ? look - t->n : t->group;
		rc = take(t, t->ns + t->n, n);
		t->n += n;
		l->stop = stop_reason(t->set, t->ns, t->n, tick_ns, (clock_ns() - start) / 1000000,
		                      t->work);
	}
	return rc;
}

/* Takes samples with load=steady: for as long as any other case, without a pause. */
static int sample_steady(struct timing *t, struct run_launch *l)
{
	int rc = 0;
	while (!rc && !(l->stop = stop_window(t->set, t->n, t->sum_ns))) {
		size_t left = (size_t)t->set->max_samples - t->n;
		size_t n = left < t->group ? left : t->group;
		rc = take(t, t->ns + t->n, n);
		t->n += n;
	}
	return rc;
}

static int take_samples(struct timing *t, struct run_launch *l)
{
	if (heavy_bursts(t->j->it))
		return sample_heavy(t, l);
	if (t->j->it->way.load == WAY_STEADY)
		return sample_steady(t, l);
	return sample(t, t->b->plan->tick_ns, l);
}

/*
 * True if by the host's clock, too, no work went on after the samples ended. A variant
 * that hides work from the events has short samples but a long wall time. (With side=host
 * this test says nothing: there wall time and samples are the same.)
 *
 * Of three groups or more, the worst does not count. Hidden work shows in each of them, but
 * a host that gives its core to somebody else is late in one.
 */
static bool stopwatch_honest(const struct timing *t)
{
	int64_t wall = t->wall_ns, sum = t->sum_ns;
	if (t->groups >= 3) {
		wall -= t->worst_wall_ns;
		sum -= t->worst_sum_ns;
	}
	int64_t slack = 500000 + (int64_t)t->n * 20000 + wall / 20;
	return wall - sum <= slack + sum / 4;
}

static int poison_and_finish(struct timing *t)
{
	int rc = job_poison_all(t->j);
	return rc ? rc : t->b->dev.backend->finish(&t->b->dev);
}

/* Poisons outputs, leaves the device idle until the power limit's budget is back, warms up. */
static int load_heavy(struct timing *t, struct run_launch *l)
{
	int rc = poison_and_finish(t);
	bench_count(t->b, RUN_FILL);
	device_idle(&t->b->dev, t->set->idle_ms * 1000000);
	bench_count(t->b, RUN_CLOCKS);
	if (!rc)
		rc = warm_up_heavy(t, l);
	bench_count(t->b, RUN_WARM_UP);
	return rc;
}

/*
 * Poisons outputs, and settles at the power limit: with the whole load if the device has not
 * been there, or if it rested for too long since.
 */
static int load_steady(struct timing *t, struct run_launch *l)
{
	int rc = poison_and_finish(t);
	bench_count(t->b, RUN_FILL);
	int64_t pause_ns = clock_ns() - t->b->heavy_ns;
	if (t->b->heavy_ns == 0 || pause_ns > STEADY_PAUSE_MS * 1000000ll)
		t->warm_ms = t->set->load_ms;
	if (t->b->heavy_ns != 0)
		l->pause_ms = pause_ns / 1000000 + 1;
	if (!rc)
		rc = warm_up(t, l);
	bench_count(t->b, RUN_WARM_UP);
	return rc;
}

/*
 * Poisons outputs, waits for full clocks and warms up. Outputs are poisoned after the
 * warm-up, but before it under sustained load, where nothing may interrupt the calls.
 */
static int load(struct timing *t, struct run_launch *l)
{
	bool loaded = t->j->it->way.load == WAY_SUSTAINED;
	int rc = loaded ? poison_and_finish(t) : 0;
	bench_count(t->b, RUN_FILL);
	recover(t->b);
	bench_count(t->b, RUN_CLOCKS);
	if (!rc)
		rc = warm_up(t, l);
	bench_count(t->b, RUN_WARM_UP);
	if (!rc && !loaded)
		rc = poison_and_finish(t);
	bench_count(t->b, RUN_FILL);
	return rc;
}

/* Shortest time that the samples will take, ns. */
static int64_t expected_ns(const struct timing *t)
{
	const struct item *it = t->j->it;
	int64_t least = (int64_t)stop_next_look(t->set, 0) * it->call_ns * it->batch;
	return it->way.load != WAY_BURST ? t->set->cap_ms * 1000000 : least;
}

/* Records the clocks of the samples: in all, and of a heavy case by groups, if all were read. */
static void record_clocks(const struct timing *t, struct run_launch *l)
{
	const struct device *d = &t->b->dev;
	int64_t cycles = 0, ns = 0;
	bool all = t->j->it->heavy;
	l->group = ARENA_ARRAY(&t->b->arena, struct run_group, d->nclocked + 1);
	for (size_t i = 0; i < d->nclocked; i++) {
		const struct clocked *c = &d->clocked[i];
		l->group[i] = (struct run_group){(int64_t)c->samples, c->cycles, c->ns};
		cycles += c->cycles;
		ns += c->ns;
		all = all && c->cycles > 0 && c->ns > 0;
	}
	l->ngroups = all ? d->nclocked : 0;
	l->sm_cycles = ns > 0 ? cycles : RECORD_NONE;
	l->sm_cycles_ns = ns > 0 ? ns : RECORD_NONE;
}

/* Of each GPU the median of its samples' skew. */
static void put_skew(struct timing *t, struct run_launch *l)
{
	struct device *d = &t->b->dev;
	size_t gpus = (size_t)t->j->gpus, n = d->nskew / gpus;
	if (n == 0)
		return;
	l->skew_ns = ARENA_ARRAY(&t->b->arena, int64_t, gpus);
	for (l->nskew = 0; l->nskew < gpus; l->nskew++) {
		for (size_t i = 0; i < n; i++)
			t->work[i] = (double)d->skew_ns[i * gpus + l->nskew];
		l->skew_ns[l->nskew] = (int64_t)stats_median(t->work, n);
	}
	d->skew_ns = NULL;
	d->nskew = 0;
}

/* Takes the samples and watches the device meanwhile. */
static int watched(struct timing *t, struct run_launch *l)
{
	struct device *d = &t->b->dev;
	d->gates_expired = 0; /* forget those of the warm-up */
	d->nclocked = 0;
	d->nskew = 0;
	if (t->j->gpus > 1)
		d->skew_ns = ARENA_ARRAY(&t->b->arena, int64_t,
		                         (size_t)t->set->max_samples * (size_t)t->j->gpus);
	watch_start(&t->b->watch, t->set->unwatched ? NULL : t->b->nvml, expected_ns(t));
	int rc = take_samples(t, l);
	watch_stop(&t->b->watch, l);
	if (!rc)
		rc = d->backend->rest(d);
	put_skew(t, l);
	t->wall_ns += d->late_ns;
	l->sample_ns = t->ns;
	l->nsamples = t->n;
	l->gates_expired = d->gates_expired;
	record_clocks(t, l);
	if (t->j->it->heavy && t->j->it->way.load == WAY_STEADY)
		t->b->heavy_ns = clock_ns();
	return rc;
}

static double call_seconds(const struct timing *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->work[i] = (double)t->ns[i] * 1e-9;
	return stats_median(t->work, t->n) / (double)t->j->it->batch;
}

/* The clock that an SM counted while samples ran; 0: it did not. */
static double counted_hz(const struct run_launch *l)
{
	double hz = 0;
	return l->sm_cycles > 0 && record_launch_clock(l, &hz) ? hz : 0;
}

static void judge(const struct timing *t, const struct run_launch *l, struct outcome *o)
{
	if (!stopwatch_honest(t)) {
		snprintf(o->status, sizeof o->status, "stopwatch");
		snprintf(o->why, sizeof o->why,
		         "the samples add up to %.3f ms, but the device was busy for %.3f ms",
		         (double)t->sum_ns * 1e-6, (double)t->wall_ns * 1e-6);
	} else if (!roof_allows(&t->b->plan->facts, t->j->it, call_seconds(t), counted_hz(l),
	                        o->why, sizeof o->why)) {
		snprintf(o->status, sizeof o->status, "impossible");
	}
}

int timing_run(struct timing *t, struct run_launch *l, struct outcome *o)
{
	const struct item *it = t->j->it;
	l->batch = it->batch;
	l->timer = timer_name(it->timer);
	int rc = t->b->dev.backend->begin(&t->b->dev, t->j, it->timer, it->batch);
	bench_count(t->b, RUN_BUILD);
	if (!rc)
		rc = heavy_bursts(it)             ? load_heavy(t, l)
		     : it->way.load == WAY_STEADY ? load_steady(t, l)
		                                  : load(t, l);
	if (!rc)
		rc = watched(t, l);
	bench_count(t->b, RUN_SAMPLES);
	if (!rc)
		judge(t, l, o);
	return rc;
}
