#include "runner/measure/measure.h"

#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "runner/base/clock.h"
#include "runner/measure/timing.h"
#include "runner/measure/warm.h"

enum {
	SURVEY_CALLS = 20,
	SURVEY_ROUNDS = 3,
	SURVEY_SHORT_NS = 2000000,
};

/* --- where the time goes --- */

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

/* Places the item, fills its sets and prepares the variant. True if it is ready to call. */
static bool ready(struct bench *b, const struct item *it, size_t sets, struct job *j,
                  struct outcome *o)
{
	const struct expected *x = b->expected ? &b->expected[it->expected] : NULL;
	arena_reset(&b->arena);
	outcome_ok(o);
	int rc = job_place(j, &b->dev, it, sets, &b->arena);
	for (size_t s = 0; s < sets && !rc; s++, bench_alive(b))
		rc = s < 2 ? job_fill(j, s, x ? x->seed[s] : input_seed(it->way.input, s))
		           : job_copy(j, s, s % 2);
	if (!rc)
		rc = b->dev.backend->finish(&b->dev);
	bench_count(b, RUN_FILL);
	if (failed(b, rc, o))
		return false;
	b->dev.env.kept = kept_by(b, it->variant);
	b->dev.env.choice = it->variant->chooses == KERNEL_CHOOSES_ONCE ? it->choice : NULL;
	b->dev.env.gpus = j->gpus;
	const char *why = job_prepare(j);
	bench_count(b, RUN_PREPARE);
	if (why) {
		snprintf(o->status, sizeof o->status, "unavailable");
		snprintf(o->why, sizeof o->why, "%s", why);
		return false;
	}
	/* not earlier: prepare() may make a call; and timing poisons the other sets */
	rc = job_poison(j, 0);
	if (!rc)
		rc = b->dev.backend->finish(&b->dev);
	bench_count(b, RUN_FILL);
	return !failed(b, rc, o);
}

/* Asks what the item's preparation found and chose. Call it before job_release(). */
static void ask_found(const struct job *j, struct outcome *o)
{
	const struct kernel_variant *v = j->it->variant;
	const char *chosen = job_chosen(j);
	if (v->library && !j->d->backend->call)
		snprintf(o->library, sizeof o->library, "%s", v->library());
	if (chosen)
		snprintf(o->choice, sizeof o->choice, "%s", chosen);
}

/* Records what this process found and chose, if it is not what the case says. */
static void record_found(const struct item *it, const struct outcome *o, struct arena *a,
                         struct run_launch *l)
{
	if (o->library[0] && (!it->library || strcmp(o->library, it->library) != 0))
		l->library = arena_strdup(a, o->library);
	if (o->choice[0] && (!it->choice || strcmp(o->choice, it->choice) != 0) &&
	    !record_choice_parse(str_of(o->choice), a, &l->choice))
		l->choice.n = 0;
}

/* --- survey --- */

static bool time_calls(struct bench *b, struct job *j, int n, int64_t *ns, struct outcome *o)
{
	int64_t t0 = device_now(&b->dev);
	int rc = 0;
	for (int i = 0; i < n && !rc; i++)
		rc = job_call(j);
	if (!rc)
		rc = b->dev.backend->finish(&b->dev);
	*ns = (device_now(&b->dev) - t0) / n;
	return !failed(b, rc, o);
}

/* The minimum of a few rounds, because a busy moment must not decide how a case is timed. */
static void time_short(struct bench *b, struct job *j, int64_t *least, struct outcome *o)
{
	int64_t ns;
	for (int i = 0; i < SURVEY_ROUNDS; i++) {
		if (!time_calls(b, j, SURVEY_CALLS, &ns, o))
			return; /* the device is unusable now */
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
	ask_found(&j, o);
	if (time_calls(b, &j, 1, &ns, o) && time_calls(b, &j, 1, &ns, o) && ns < SURVEY_SHORT_NS)
		time_short(b, &j, &ns, o);
	o->call_ns = ns > 0 ? ns : 1;
	if (!o->lost && j.gpus > 1 && b->dev.backend->captures)
		failed(b, b->dev.backend->captures(&b->dev, &j, &o->captured), o);
	if (!o->lost)
		job_release(&j);
}

/* --- check --- */

/*
 * One call of a check: the seed of its input, the seed of the input's first half (WHOLE:
 * the same), and whether the output is poisoned before.
 *
 * Two calls have the same input, made of two halves, and another call lies between them.
 * They find kernels that keep an old answer after looking at only part of the input, and
 * kernels that skip every second or third call: those give two different answers.
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

/*
 * One call on the grid, over poison, all of whose outputs have one right value. What a kernel does
 * for it, it does for any input: copies, barriers and instructions are the same.
 */
static int try_exact(struct bench *b, struct job *j, size_t set, const struct expected *x,
                     struct verdict *v)
{
	bench_alive(b);
	int rc = job_fill(j, set, x->seed[EXPECTED_GRID]);
	if (!rc)
		rc = job_poison(j, set);
	if (!rc)
		rc = job_settle(j);
	job_end_on(j, set, 1);
	bench_alive(b);
	if (!rc)
		rc = job_call(j);
	bench_alive(b);
	return rc ? rc : check_exact(j, set, x, v);
}

/* Calls of a check on one buffer set. */
struct trying {
	struct bench *b;
	struct job *j;
	size_t set;
	const struct expected *x;
	double *halves; /* answer to the input made of two halves */
};

static int try(struct trying *y, const struct trial *t, struct verdict *v)
{
	const struct expected *x = y->x;
	bench_alive(y->b);
	int rc = job_fill(y->j, y->set, x->seed[t->seed]);
	if (!rc && t->head != WHOLE)
		rc = job_fill_head(y->j, y->set, x->seed[t->head]);
	if (!rc && t->poison)
		rc = job_poison(y->j, y->set);
	if (!rc)
		rc = job_settle(y->j);
	job_end_on(y->j, y->set, 1);
	bench_alive(y->b);
	if (!rc)
		rc = job_call(y->j);
	bench_alive(y->b);
	if (rc)
		return rc;
	return t->head == WHOLE ? check_output(y->j, y->set, t->seed, x, &y->b->arena, v)
	                        : check_again(y->j, y->set, t->head, t->seed, x, &y->b->arena,
	                                      &y->halves, v);
}

/* A case whose GPUs meet: holds back one after the other, and sees that the others wait. */
static int check_meets(struct bench *b, struct job *j, struct verdict *v)
{
	int rc = 0;
	bool early = false;
	*v = (struct verdict){.check = {.passed = true, .norm = 0, .ulp = 0}};
	if (!(j->it->kcase->use & KERNEL_MEETS) || !b->dev.backend->hold)
		return 0;
	for (int g = 0; g < j->gpus && !rc && !early; g++) {
		bench_alive(b);
		rc = b->dev.backend->hold(&b->dev, j, g, &early);
		if (early)
			snprintf(v->why, sizeof v->why,
			         "a GPU ended a call that GPU %d had not begun", g);
	}
	v->check.passed = !early;
	return rc;
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
		if (i == 0 && failed(b, check_digest(&j, 0, &o->digest), o))
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
	struct verdict meets, exact;
	if (strcmp(o->status, "ok") == 0 && x->exact) {
		if (failed(b, try_exact(b, &j, 0, x, &exact), o))
			return;
		verdict_join(&o->after, &exact);
		wrong(o, &exact, "input on the grid");
	}
	if (strcmp(o->status, "ok") == 0 && failed(b, check_meets(b, &j, &meets), o))
		return;
	if (strcmp(o->status, "ok") == 0)
		wrong(o, &meets, "one GPU held back");
	job_release(&j);
}

/* --- a profiler --- */

static int call_profiled(struct bench *b, struct job *j)
{
	const struct backend *be = b->dev.backend;
	int rc = job_poison(j, 0);
	if (!rc)
		rc = job_settle(j);
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
	ask_found(&j, o);
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

/* --- time stamps --- */

enum { TRACE_WARM_UP = 20, TRACE_SAMPLES = 30 };

/* Times single calls one after the other, after some to warm up. */
static int time_single(struct bench *b, struct job *j, int64_t **ns, size_t *n)
{
	const struct backend *be = b->dev.backend;
	int64_t *all = ARENA_ARRAY(&b->arena, int64_t, TRACE_WARM_UP + TRACE_SAMPLES), wall;
	enum timer timer = b->plan->where == KERNEL_CUDA ? TIMER_EVENTS : TIMER_CLOCK;
	int rc = be->begin(&b->dev, j, timer, 1);
	if (!rc)
		rc = be->sample(&b->dev, j, all, TRACE_WARM_UP + TRACE_SAMPLES, &wall);
	be->end(&b->dev);
	*ns = all + TRACE_WARM_UP;
	*n = TRACE_SAMPLES;
	return rc;
}

/* A call on the first set, over poison, as cold or hot as the item is. */
static int call_traced(struct bench *b, struct job *j, struct run_trace *t, const char **why)
{
	int rc = job_poison(j, 0);
	job_end_on(j, 0, (int64_t)j->sets);
	for (size_t s = 1; s < j->sets && !rc; s++)
		rc = job_call(j);
	return rc ? rc : b->dev.backend->trace_call(&b->dev, j, &b->arena, t, why);
}

static int trace_placed(struct bench *b, struct job *j, struct run_trace *t, struct outcome *o)
{
	const struct backend *be = b->dev.backend;
	int rc = be->trace_begin(&b->dev, j, &t->unavailable);
	if (rc || t->unavailable)
		return rc;
	rc = time_single(b, j, &t->traced_ns, &t->ntraced);
	if (!rc)
		rc = call_traced(b, j, t, &t->unavailable);
	if (!rc)
		rc = be->trace_end(&b->dev);
	if (!rc)
		rc = check_output(j, 0, 0, &b->expected[j->it->expected], &b->arena, &o->after);
	t->error = o->after.check.error;
	t->looked_at = o->after.check.looked_at;
	return rc;
}

void measure_trace(struct bench *b, const struct item *it, bool marks, struct outcome *o,
                   struct run_trace *t)
{
	struct job j;
	*t = (struct run_trace){0};
	if (!ready(b, it, it->sets, &j, o))
		return;
	int rc = job_call(&j);
	if (!rc)
		rc = check_output(&j, 0, 0, &b->expected[it->expected], &b->arena, &o->before);
	if (failed(b, rc, o) || wrong(o, &o->before, "before the trace"))
		return;
	o->after = o->before;
	if (!marks)
		rc = time_single(b, &j, &t->plain_ns, &t->nplain);
	else if (b->dev.backend->trace_begin)
		rc = trace_placed(b, &j, t, o);
	else
		t->unavailable = "marks are in CUDA kernels only";
	if (failed(b, rc, o))
		return;
	wrong(o, &o->after, "the traced call");
	job_release(&j);
}

/* --- the whole --- */

/*
 * Checks after timing. First the output that the timed loop left. Then exactly what was
 * timed runs once more, including its graph, on a new input and over the old output. That
 * finds kernels that skip work because an answer is already there, and state of the first
 * input that was captured in a graph.
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
 * Then single calls: on an input that begins like the last one; on the first input, over
 * poison, to see that all of the output is written; and on the first of these again, for
 * the reason that struct trial explains.
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
	for (size_t i = 0; i < ARRAY_LEN(calls) && !rc; i++) {
		struct verdict v;
		rc = try(&y, &calls[i], &v);
		if (!rc)
			verdict_join(&o->after, &v);
	}
	if (!rc && x->exact) {
		struct verdict v;
		rc = try_exact(b, j, y.set, x, &v);
		if (!rc)
			verdict_join(&o->after, &v);
	}
	return rc;
}

/* The exact check before timing; then set 0 has its first input again, and poison. */
static int check_exact_before(struct bench *b, struct job *j, const struct expected *x,
                              struct outcome *o)
{
	struct verdict v;
	int rc = try_exact(b, j, 0, x, &v);
	if (!rc)
		verdict_join(&o->before, &v);
	if (!rc)
		rc = job_fill(j, 0, x->seed[0]);
	if (!rc)
		rc = job_poison(j, 0);
	return rc ? rc : b->dev.backend->finish(&b->dev);
}

static int check_before(struct bench *b, struct job *j, const struct expected *x, struct outcome *o)
{
	struct verdict meets;
	int rc = job_call(j);
	if (!rc)
		rc = check_output(j, 0, 0, x, &b->arena, &o->before);
	if (!rc && j->gpus > 1)
		rc = check_meets(b, j, &meets);
	if (!rc && j->gpus > 1)
		verdict_join(&o->before, &meets);
	if (!rc && x->exact)
		rc = check_exact_before(b, j, x, o);
	return rc;
}

/* Checks the item, times it, and checks it again. */
static void measure_placed(struct timing *t, const struct expected *x, struct outcome *o,
                           struct run_launch *l)
{
	struct bench *b = t->b;
	int rc = check_before(b, t->j, x, o);
	bench_count(b, RUN_CHECK);
	if (failed(b, rc, o) || wrong(o, &o->before, "before timing"))
		return;
	t->j->calls = 0;
	rc = timing_run(t, l, o);
	if (failed(b, rc, o))
		return;
	rc = check_after(b, t->j, x, o);
	bench_count(b, RUN_CHECK);
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
	struct timing t = timing_of(b, &j, &set);
	measure_placed(&t, &b->expected[it->expected], o, l);
	o->moved = warm_moved(l, set.warmup_ms == whole_ms, WARMUP_KEPT, &set, t.work);
	if (!o->lost) {
		ask_found(&j, o);
		job_release(&j);
	}
	record_found(it, o, &b->arena, l);
	bench_count(b, RUN_RELEASE);
	record_spent(b, l);
	l->before = o->before.check;
	l->after = o->after.check;
	if (strcmp(o->status, "ok") != 0)
		l->nsamples = l->nwarmup = l->ngroups = 0;
}
