#include "runner/measure.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "runner/roof.h"
#include "runner/stop.h"
#include "runner/warm.h"

enum {
	GROUP_NS = 5000000, /* device work enqueued at once, about */
	GROUP_MAX = 32,
	SURVEY_CALLS = 20,
	SURVEY_ROUNDS = 3,
	SURVEY_SHORT_NS = 2000000,
	CLOCK_SETTLE_MS = 200, /* longest wait for the clocks to settle */
	/*
	 * Longest wait for full clocks before a case, and for the driver's word that
	 * nothing holds them down: that comes late, and at a power limit not at all,
	 * while the clock itself is back in milliseconds.
	 */
	RECOVER_MS = 100,
	WORD_MS = 30,
};

/* --- where the time goes --- */

void measure_count(struct bench *b, enum run_part p)
{
	int64_t now = clock_ns();
	b->spent_ns[p] += now - b->counted_ns;
	b->counted_ns = now;
}

static void record_spent(struct bench *b, struct run_launch *l)
{
	for (int p = 0; p < RUN_PARTS; p++) {
		l->spent_us[p] = (b->spent_ns[p] + 500) / 1000;
		b->spent_ns[p] = 0;
	}
}

/* --- outcomes --- */

static void outcome_ok(struct outcome *o)
{
	*o = (struct outcome){.status = "ok"};
}

/* A device error ends the item, and the process with it. */
static bool failed(struct bench *b, int rc, struct outcome *o)
{
	if (rc == 0)
		return false;
	snprintf(o->status, sizeof o->status, "%s:%d", b->dev.backend->name, rc);
	snprintf(o->why, sizeof o->why, "%s error %d", b->dev.backend->name, rc);
	o->lost = true;
	return true;
}

static bool wrong(struct outcome *o, const struct verdict *v, const char *when)
{
	if (v->check.passed)
		return false;
	snprintf(o->status, sizeof o->status, "wrong");
	snprintf(o->why, sizeof o->why, "%s: %.200s", when, v->why);
	return true;
}

/* --- placing --- */

static void **kept_by(struct bench *b, const struct kernel_variant *v)
{
	size_t i = 0;
	while (i < b->nkept && b->kept[i].of != v)
		i++;
	if (i == b->nkept)
		b->kept[b->nkept++] = (struct kept){.of = v};
	return &b->kept[i].p;
}

/* Places the item and fills its sets. True: ready to call. */
static bool ready(struct bench *b, const struct item *it, size_t sets, struct job *j,
                  struct outcome *o)
{
	const struct expected *x = b->expected ? &b->expected[it->expected] : NULL;
	arena_reset(&b->arena);
	outcome_ok(o);
	int rc = job_place(j, &b->dev, it, sets, &b->arena);
	for (size_t s = 0; s < sets && !rc; s++)
		rc = s < 2 ? job_fill(j, s, x ? x->seed[s] : input_seed(b->plan->set.input, s))
		           : job_copy(j, s, s % 2);
	if (!rc)
		rc = job_poison(j, 0); /* the others before they are timed */
	if (!rc)
		rc = b->dev.backend->finish(&b->dev);
	measure_count(b, RUN_FILL);
	if (failed(b, rc, o))
		return false;
	b->dev.env.kept = kept_by(b, it->variant);
	const char *why = job_prepare(j);
	measure_count(b, RUN_PREPARE);
	if (why) {
		snprintf(o->status, sizeof o->status, "unavailable");
		snprintf(o->why, sizeof o->why, "%s", why);
	}
	return !why;
}

/* What the preparations of this item found: to be asked before it is released. */
static void ask_library(const struct item *it, struct outcome *o)
{
	if (it->variant->library)
		snprintf(o->library, sizeof o->library, "%s", it->variant->library());
}

/* --- survey --- */

static bool time_calls(struct bench *b, struct job *j, int n, int64_t *ns, struct outcome *o)
{
	int64_t t0 = clock_ns();
	int rc = 0;
	for (int i = 0; i < n && !rc; i++)
		rc = job_call(j);
	if (!rc)
		rc = b->dev.backend->finish(&b->dev);
	*ns = (clock_ns() - t0) / n;
	return !failed(b, rc, o);
}

/* The least of a few rounds: a busy moment must not decide how a case is timed. */
static void time_short(struct bench *b, struct job *j, int64_t *least, struct outcome *o)
{
	int64_t ns;
	for (int i = 0; i < SURVEY_ROUNDS; i++) {
		if (!time_calls(b, j, SURVEY_CALLS, &ns, o))
			return; /* the device is lost */
		if (i == 0 || ns < *least)
			*least = ns;
	}
}

void measure_survey(struct bench *b, const struct item *it, struct outcome *o)
{
	struct job j;
	if (!ready(b, it, 1, &j, o))
		return;
	int64_t ns = 0;
	ask_library(it, o);
	if (time_calls(b, &j, 1, &ns, o) && time_calls(b, &j, 1, &ns, o) && ns < SURVEY_SHORT_NS)
		time_short(b, &j, &ns, o);
	o->call_ns = ns > 0 ? ns : 1;
	if (!o->lost)
		job_release(&j);
}

/* --- check --- */

/*
 * One call of a check: on which input, which may begin like another (WHOLE: it does
 * not), and does it find a poisoned output?
 *
 * Two calls on the same input of two halves, and one over poison between them: who
 * keeps an answer and looks at some of the input only, or leaves out one call in two
 * or three, gives two answers to it.
 */
struct trial {
	int seed, head;
	bool poison;
	const char *name;
};

enum { WHOLE = -1 };

static const struct trial trials[CHECK_CALLS] = {
        {0, WHOLE, true, "first call"},
        {1, WHOLE, true, "second call, new input"},
        {0, WHOLE, false, "third call, new input, old output"},
        {1, 0, false, "fourth call, input that begins like the last one"},
        {1, WHOLE, true, "fifth call, input that ends like the last one"},
        {1, 0, false, "sixth call, input of the fourth"},
        {EXPECTED_NAN, WHOLE, true, "input with NaN"},
        {EXPECTED_INF, WHOLE, true, "input with infinities"},
};

/* Calls of a check on one buffer set. */
struct trying {
	struct bench *b;
	struct job *j;
	size_t set;
	const struct expected *x;
	double *halves; /* what came of the input of two halves */
};

static int try(struct trying *y, const struct trial *t, struct verdict *v)
{
	const struct expected *x = y->x;
	int rc = job_fill(y->j, y->set, x->seed[t->seed]);
	if (!rc && t->head != WHOLE)
		rc = job_fill_head(y->j, y->set, x->seed[t->head]);
	if (!rc && t->poison)
		rc = job_poison(y->j, y->set);
	job_end_on(y->j, y->set, 1);
	if (!rc)
		rc = job_call(y->j);
	if (rc)
		return rc;
	return t->head == WHOLE ? check_output(y->j, y->set, t->seed, x, &y->b->arena, v)
	                        : check_again(y->j, y->set, t->head, t->seed, x, &y->b->arena,
	                                      &y->halves, v);
}

void measure_check(struct bench *b, const struct item *it, struct outcome *o)
{
	const struct expected *x = &b->expected[it->expected];
	struct job j;
	if (!ready(b, it, 1, &j, o))
		return;
	struct trying y = {.b = b, .j = &j, .x = x};
	for (size_t i = 0; i < CHECK_CALLS; i++) {
		const struct trial *t = &trials[i];
		struct verdict v;
		if (t->seed >= x->nseeds || (int64_t)i >= b->plan->set.check_calls)
			continue;
		if (failed(b, try(&y, t, &v), o))
			return;
		if (i == 0)
			o->before = v;
		else if (i == 1)
			o->after = v;
		else
			verdict_join(&o->after, &v);
		if (wrong(o, &v, t->name))
			break;
	}
	job_release(&j);
}

/* --- a profiler --- */

static int call_profiled(struct bench *b, struct job *j)
{
	const struct backend *be = b->dev.backend;
	int rc = job_poison(j, 0);
	if (!rc && be->profile)
		rc = be->profile(&b->dev, true);
	if (!rc)
		rc = job_call(j);
	if (!rc && be->profile)
		rc = be->profile(&b->dev, false);
	return rc;
}

void measure_profile(struct bench *b, const struct item *it, struct outcome *o)
{
	struct job j;
	if (!ready(b, it, 1, &j, o))
		return;
	int rc = job_call(&j);
	if (!rc)
		rc = call_profiled(b, &j);
	if (!rc)
		rc = check_written(&j, 0, &o->after);
	if (failed(b, rc, o))
		return;
	wrong(o, &o->after, "under the profiler");
	job_release(&j);
}

/* --- timing --- */

/* Room for the samples of one item. */
struct timing {
	struct bench *b;
	struct job *j;
	const struct settings *set;
	int64_t *ns, wall_ns, sum_ns;
	double *work;
	size_t n, group;
};

static size_t group_size(const struct item *it)
{
	int64_t each = it->call_ns > 0 ? it->call_ns * it->batch : 1000000;
	int64_t n = GROUP_NS / (each > 0 ? each : 1);
	return n < 1 ? 1 : n > GROUP_MAX ? GROUP_MAX : (size_t)n;
}

static int take(struct timing *t, int64_t *ns, size_t n)
{
	int64_t wall = 0;
	int rc = t->b->dev.backend->sample(&t->b->dev, t->j, ns, n, &wall);
	t->wall_ns += wall;
	for (size_t i = 0; i < n; i++)
		t->sum_ns += ns[i];
	return rc;
}

/* The clock has stayed within 2 % since the last look. */
static bool settled(struct bench *b, int64_t *last)
{
	int64_t now = nvml_sm_clock(b->nvml), before = *last;
	*last = now;
	if (now == RECORD_NONE)
		return true;
	return before > 0 && now * 100 >= before * 98 && now * 98 <= before * 100;
}

/*
 * Waits until a clock that an earlier case's power draw pulled down is back:
 * each case starts from the full clock, whatever ran before it.
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

/* Samples of the next group of a warm-up: no more than are missing, if any are. */
static size_t warm_up_group(const struct timing *t, int64_t missing_ns, int64_t each_ns)
{
	if (missing_ns <= 0 || each_ns <= 0 || missing_ns / each_ns >= (int64_t)t->group)
		return t->group;
	return (size_t)(missing_ns / each_ns) + 1;
}

static int warm_up(struct timing *t, struct run_launch *l)
{
	int64_t start = clock_ns(), clock = 0, ns[GROUP_MAX] = {0}, spent = 0;
	int64_t calls = 0, least = t->set->warmup_ms * 1000000;
	int rc = 0;
	l->warmup_ns = ARENA_ARRAY(&t->b->arena, int64_t, WARMUP_KEPT);
	settled(t->b, &clock); /* a first look: a short warm-up is a single group */
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
		if (t->j->it->timer == TIMER_HOST) /* what it times is little of what it does */
			spent = wall;
		/* also one before the last group, so that the next can be the last look */
		bool steady = spent + GROUP_NS >= least && settled(t->b, &clock);
		if (spent >= least && calls >= 3 && (steady || late))
			break;
	}
	t->wall_ns = t->sum_ns = 0;
	return rc;
}

/* Samples until the stop rule is content. */
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

/*
 * The host's clock must agree that nothing ran on after the samples ended: a
 * variant whose work hides from the events has a long wall and short samples.
 * (Of the host's part of a call nothing is to be said: there wall and samples
 * are one.)
 */
static bool stopwatch_honest(const struct timing *t)
{
	int64_t slack = 500000 + (int64_t)t->n * 20000 + t->wall_ns / 20;
	return t->wall_ns - t->sum_ns <= slack + t->sum_ns / 4;
}

static int poison_and_finish(struct timing *t)
{
	int rc = job_poison_all(t->j);
	return rc ? rc : t->b->dev.backend->finish(&t->b->dev);
}

/*
 * Outputs are poisoned between warm-up and samples, or before both where
 * nothing may come between them.
 */
static int load(struct timing *t, struct run_launch *l)
{
	bool sustained = t->j->it->way.sustained;
	int rc = sustained ? poison_and_finish(t) : 0;
	measure_count(t->b, RUN_FILL);
	recover(t->b);
	measure_count(t->b, RUN_CLOCKS);
	if (!rc)
		rc = warm_up(t, l);
	measure_count(t->b, RUN_WARM_UP);
	if (!rc && !sustained)
		rc = poison_and_finish(t);
	measure_count(t->b, RUN_FILL);
	return rc;
}

/* How long the samples will take at least. */
static int64_t expected_ns(const struct timing *t)
{
	const struct item *it = t->j->it;
	int64_t least = (int64_t)stop_next_look(t->set, 0) * it->call_ns * it->batch;
	return it->way.sustained ? t->set->cap_ms * 1000000 : least;
}

/* Samples, and what was seen of the device meanwhile. */
static int watched(struct timing *t, struct run_launch *l)
{
	struct device *d = &t->b->dev;
	d->gates_expired = d->cycles = d->cycles_ns = 0; /* not those of the warm-up */
	watch_start(&t->b->watch, t->set->unwatched ? NULL : t->b->nvml, expected_ns(t));
	int rc = sample(t, t->b->plan->tick_ns, l);
	watch_stop(&t->b->watch, l);
	if (!rc)
		rc = d->backend->rest(d);
	t->wall_ns += d->late_ns;
	l->sample_ns = t->ns;
	l->nsamples = t->n;
	l->gates_expired = d->gates_expired;
	l->sm_cycles = d->cycles_ns > 0 ? d->cycles : RECORD_NONE;
	l->sm_cycles_ns = d->cycles_ns > 0 ? d->cycles_ns : RECORD_NONE;
	return rc;
}

static double call_seconds(const struct timing *t)
{
	for (size_t i = 0; i < t->n; i++)
		t->work[i] = (double)t->ns[i] * 1e-9;
	return stats_median(t->work, t->n) / (double)t->j->it->batch;
}

static void judge(const struct timing *t, struct outcome *o)
{
	if (!stopwatch_honest(t)) {
		snprintf(o->status, sizeof o->status, "stopwatch");
		snprintf(o->why, sizeof o->why,
		         "the samples add up to %.3f ms, but the device was busy for %.3f ms",
		         (double)t->sum_ns * 1e-6, (double)t->wall_ns * 1e-6);
	} else if (!roof_allows(&t->b->plan->facts, t->j->it, call_seconds(t), o->why,
	                        sizeof o->why)) {
		snprintf(o->status, sizeof o->status, "impossible");
	}
}

static int timed(struct timing *t, struct run_launch *l, struct outcome *o)
{
	const struct item *it = t->j->it;
	l->batch = it->batch;
	l->timer = timer_name(it->timer);
	int rc = t->b->dev.backend->begin(&t->b->dev, t->j, it->timer, it->batch);
	measure_count(t->b, RUN_BUILD);
	if (!rc)
		rc = load(t, l);
	if (!rc)
		rc = watched(t, l);
	measure_count(t->b, RUN_SAMPLES);
	if (!rc)
		judge(t, o);
	return rc;
}

/* --- the whole --- */

/*
 * After timing: the output the timed loop left. Then the very thing that was
 * timed once more, with its graph if it has one, on an input it has not seen
 * and over the output it left: what skips its work because an answer stands
 * there already, or what a graph froze of the first input, passes no longer.
 */
static int check_replay(struct bench *b, struct job *j, const struct expected *x, struct outcome *o)
{
	struct verdict second;
	size_t set = job_last_set(j);
	int first_seed = (int)(set % 2), fresh = 1 - first_seed;
	int64_t ns, wall;
	int rc = check_output(j, set, first_seed, x, &b->arena, &o->after);
	if (!rc)
		rc = job_fill(j, set, x->seed[fresh]);
	if (!rc)
		rc = b->dev.backend->finish(&b->dev);
	job_end_on(j, set, j->it->batch);
	if (!rc)
		rc = b->dev.backend->sample(&b->dev, j, &ns, 1, &wall);
	if (!rc)
		rc = check_output(j, set, fresh, x, &b->arena, &second);
	if (!rc)
		verdict_join(&o->after, &second);
	return rc;
}

/*
 * And single calls: on an input that begins like the one before; on the first input
 * again, over poison: is all of it written? And on the one before that: see `trials`.
 */
static int check_after(struct bench *b, struct job *j, const struct expected *x, struct outcome *o)
{
	struct trying y = {.b = b, .j = j, .set = job_last_set(j), .x = x};
	const int first = (int)(y.set % 2), fresh = 1 - first;
	const struct trial calls[] = {{.seed = first, .head = fresh},
	                              {.seed = first, .head = WHOLE, .poison = true},
	                              {.seed = first, .head = fresh}};
	int rc = check_replay(b, j, x, o);
	b->dev.backend->end(&b->dev);
	for (size_t i = 0; i < sizeof calls / sizeof calls[0] && !rc; i++) {
		struct verdict v;
		rc = try(&y, &calls[i], &v);
		if (!rc)
			verdict_join(&o->after, &v);
	}
	return rc;
}

static int check_before(struct bench *b, struct job *j, const struct expected *x, struct outcome *o)
{
	int rc = job_call(j);
	return rc ? rc : check_output(j, 0, 0, x, &b->arena, &o->before);
}

/* Checked, timed, checked again. */
static void measure_placed(struct timing *t, const struct expected *x, struct outcome *o,
                           struct run_launch *l)
{
	struct bench *b = t->b;
	int rc = check_before(b, t->j, x, o);
	measure_count(b, RUN_CHECK);
	if (failed(b, rc, o) || wrong(o, &o->before, "before timing"))
		return;
	t->j->calls = 0;
	rc = timed(t, l, o);
	if (failed(b, rc, o))
		return;
	rc = check_after(b, t->j, x, o);
	measure_count(b, RUN_CHECK);
	if (!failed(b, rc, o))
		wrong(o, &o->after, "after timing");
}

void measure_launch(struct bench *b, const struct item *it, struct outcome *o, struct run_launch *l)
{
	struct job j;
	nvml_clear(l);
	b->counted_ns = clock_ns();
	if (!ready(b, it, it->sets, &j, o)) {
		record_spent(b, l);
		return;
	}
	struct settings set = settings_of(&b->plan->set, &it->way);
	int64_t whole_ms = set.warmup_ms;
	set.warmup_ms = warm_ms(&it->warm, &set);
	struct timing t = {.b = b, .j = &j, .set = &set, .group = group_size(it)};
	t.ns = ARENA_ARRAY(&b->arena, int64_t, (size_t)t.set->max_samples);
	t.work = ARENA_ARRAY(&b->arena, double, (size_t)t.set->max_samples);
	measure_placed(&t, &b->expected[it->expected], o, l);
	o->moved = warm_moved(l, set.warmup_ms == whole_ms, WARMUP_KEPT, &set, t.work);
	if (!o->lost) {
		ask_library(it, o);
		job_release(&j);
	}
	if (o->library[0] && (!it->library || strcmp(o->library, it->library) != 0))
		l->library = arena_strdup(&b->arena, o->library);
	measure_count(b, RUN_RELEASE);
	record_spent(b, l);
	l->before = o->before.check;
	l->after = o->after.check;
	if (strcmp(o->status, "ok") != 0)
		l->nsamples = l->nwarmup = 0;
}
