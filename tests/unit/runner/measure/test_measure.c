/*
 * Measuring variants whose library puts its result into memory of its own (struct kernel_result),
 * on the CPU, with its calls as they are and with calls that are captured and replayed as graphs
 * are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/input.h"
#include "lib/array.h"
#include "runner/measure/measure.h"
#include "runner/plan/method.h"

enum { N = 1 << 10, BATCH = 3, MOST_CAPTURED = 64, MOST_EVENTS = 1 << 20 };

/* --- a library that doubles: each call returns memory, and gives that of the last one back --- */

struct library {
	struct kernel_result hooks;
	float *memory[2], *result;
	float key[N]; /* of `remembers`: the input that the result belongs to */
	bool known;
};

/* What happened, a letter each: [ and ] around samples, Call, Spoil, cOllect, Graph. */
static char events[MOST_EVENTS];
static size_t nevents;

static void event(char what)
{
	assert_true(nevents < MOST_EVENTS - 1);
	events[nevents++] = what;
}

/* Work that waits for a replay; `capturing` while it is not done. */
struct work {
	const float *x;
	float *y;
};

static struct work captured[MOST_CAPTURED];
static size_t ncaptured;
static bool capturing;

static void work(struct work w)
{
	for (size_t i = 0; i < N; i++)
		w.y[i] = 2 * w.x[i];
}

static void enqueue(struct work w)
{
	if (!capturing) {
		work(w);
		return;
	}
	assert_true(ncaptured < MOST_CAPTURED);
	captured[ncaptured++] = w;
}

static int spoil(void *state, const struct kernel_env *env)
{
	struct library *l = state;
	assert_int_equal(env->gpus, 1);
	event('S');
	memset(l->result, kernel_dtype_poison(KERNEL_F32), N * sizeof(float));
	return 0;
}

static int collect(void *state, const struct kernel_env *env, void *const *buf)
{
	const struct library *l = state;
	assert_int_equal(env->gpus, 1);
	event('O');
	memcpy(buf[1], l->result, N * sizeof(float));
	return 0;
}

static int launch(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                  void *state)
{
	struct library *l = state;
	(void)c, (void)env;
	event('C');
	l->result = l->result == l->memory[0] ? l->memory[1] : l->memory[0];
	enqueue((struct work){buf[0], l->result});
	return 0;
}

/* Works only if its input is another than the one that its last result is of. */
static int launch_remembers(const struct kernel_case *c, const struct kernel_env *env,
                            void *const *buf, void *state)
{
	struct library *l = state;
	(void)c, (void)env;
	if (l->known && memcmp(l->key, buf[0], sizeof l->key) == 0)
		return 0;
	memcpy(l->key, buf[0], sizeof l->key);
	l->known = true;
	work((struct work){buf[0], l->result});
	return 0;
}

static struct library *new_library(void)
{
	struct library *l = calloc(1, sizeof *l);
	assert_non_null(l);
	l->hooks = (struct kernel_result){spoil, collect};
	for (int i = 0; i < 2; i++)
		assert_non_null(l->memory[i] = calloc(N, sizeof(float)));
	l->result = l->memory[0];
	return l;
}

/* Makes a call, as preparations in Python do. */
static const char *prepare(const struct kernel_case *c, const struct kernel_env *env,
                           void *const *buf, void **state)
{
	*state = new_library();
	launch_remembers(c, env, buf, *state);
	return NULL;
}

static void release(void *state)
{
	struct library *l = state;
	free(l->memory[0]);
	free(l->memory[1]);
	free(l);
}

#define OWNER(name, calls)                                                                 \
	{                                                                                  \
		.id = name, .title = name, .idea = "a test", .where = KERNEL_CPU,          \
		.file = "kernels/double/library.c", .prepare = prepare, .launch = (calls), \
		.release = release, .owns_result = true                                    \
	}

static const struct kernel_variant variants[] = {OWNER("honest", launch),
                                                 OWNER("remembers", launch_remembers)};

static size_t buffers(const struct kernel_case *c, struct kernel_buffer b[])
{
	b[0] = kernel_in("x", c->dtype, N);
	b[1] = kernel_out("y", c->dtype, N);
	return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
	(void)c;
	*m = (struct kernel_model){N, 4 * N, 4 * N, "one multiplication each", "fp32", "hbm", NULL};
}

static void doubled(const struct kernel_case *c, uint64_t seed, const size_t *idx, size_t n,
                    double *value, double *magnitude)
{
	for (size_t i = 0; i < n; i++) {
		value[i] = 2.0 * (double)input_value(c->dtype, seed, 0, idx[i]);
		magnitude[i] = fabs(value[i]);
	}
}

static size_t one_term(const struct kernel_case *c)
{
	(void)c;
	return 1;
}

static double exactly(const struct kernel_case *c, const char **why)
{
	(void)c;
	*why = "doubling is exact";
	return 0;
}

static const struct kernel_case cases[] = {
        {{{"n", N, NULL}},
         1,
         KERNEL_F32,
         KERNEL_CHECK | KERNEL_MEASURE_CPU | KERNEL_COLD | KERNEL_HOT}};

static const struct kernel_family double_family = {.id = "double",
                                                   .title = "Double",
                                                   .problem = "A test.",
                                                   .metric = "bandwidth",
                                                   .file = "kernels/double/family.c",
                                                   .cases = cases,
                                                   .ncases = ARRAY_LEN(cases),
                                                   .variants = variants,
                                                   .nvariants = ARRAY_LEN(variants),
                                                   .buffers = buffers,
                                                   .model = model,
                                                   .expect = doubled,
                                                   .terms = one_term,
                                                   .tolerance = exactly};

static const struct kernel_family *const table_families[] = {&double_family};

#include "tests/unit/help/kernel_table.h"

/* --- the CPU, with marks around samples, and with graphs --- */

static int marked_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall)
{
	event('[');
	int rc = backend_cpu.sample(d, j, ns, n, wall);
	event(']');
	return rc;
}

static int graph_begin(struct device *d, struct job *j, enum timer t, int64_t batch)
{
	int rc = backend_cpu.begin(d, j, t, batch);
	ncaptured = 0;
	capturing = true;
	for (int i = 0; i < BATCH && !rc; i++)
		rc = job_call(j);
	capturing = false;
	return rc;
}

static int graph_sample(struct device *d, struct job *j, int64_t *ns, size_t n, int64_t *wall)
{
	(void)d, (void)j;
	event('[');
	*wall = 0;
	for (size_t i = 0; i < n; i++) {
		event('G');
		for (size_t k = 0; k < ncaptured; k++)
			work(captured[k]);
		*wall += ns[i] = 2000000;
	}
	event(']');
	return 0;
}

/* --- a process that measures --- */

struct process {
	struct arena a;
	struct plan p;
	struct bench b;
	struct backend backend;
};

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 4096,
                                     .free_bytes = 1 << 30,
                                     .threads = 2};

static struct process *begin(const char *selector, enum plan_use use, bool graphs)
{
	struct process *x = calloc(1, sizeof *x);
	struct selector sel;
	struct err e = ERR_NONE;
	assert_non_null(x);
	if (!select_parse(selector, &sel, &e) ||
	    !plan_make(KERNEL_CPU, use, &machine, &sel, 1, &x->a, &x->p, &e))
		fail_msg("%s", e.text);
	x->p.tick_ns = 1;
	x->p.set.warmup_ms = 1;
	x->p.set.min_samples = x->p.set.max_samples = 20;
	x->p.set.window_ms = 0;
	for (size_t i = 0; i < x->p.n; i++) {
		x->p.item[i].call_ns = 1000000;
		method_choose_timer(&x->p.item[i], KERNEL_CPU);
		x->p.item[i].batch = graphs ? BATCH : x->p.item[i].batch;
	}
	x->b.plan = &x->p;
	x->b.expected = expected_make(&x->p, 0, CHECK_TERMS_RUN, 1, &x->a);
	x->b.kept = calloc(x->p.n + 1, sizeof *x->b.kept);
	if (!backend_cpu.open(&x->b.dev, &machine, x->p.memory, &e))
		fail_msg("%s", e.text);
	x->backend = backend_cpu;
	x->backend.sample = graphs ? graph_sample : marked_sample;
	x->backend.begin = graphs ? graph_begin : backend_cpu.begin;
	x->b.dev.backend = &x->backend;
	return x;
}

static void end(struct process *x)
{
	free(x->b.dev.own);
	arena_free(&x->b.arena);
	arena_free(&x->a);
	free(x->b.kept);
	free(x);
}

/* Measures each item of a selector, one process for all. */
static void measure(const char *selector, bool graphs, const char *status, const char *why)
{
	struct process *x = begin(selector, PLAN_MEASURE, graphs);
	assert_int_equal(x->p.n, 2); /* cold and hot */
	for (size_t i = 0; i < x->p.n; i++) {
		struct outcome o;
		struct run_launch l = {0};
		nevents = 0;
		measure_launch(&x->b, &x->p.item[i], &o, &l);
		events[nevents] = 0;
		if (strcmp(o.status, status) != 0 || !strstr(o.why, why))
			fail_msg("%s: %s: %s", x->p.item[i].id, o.status, o.why);
		assert_int_equal(l.nsamples > 0, strcmp(status, "ok") == 0);
	}
	end(x);
}

/* Nothing but calls, or replays, while the stopwatch runs. */
static void assert_samples_are_pure(char calls)
{
	bool inside = false;
	size_t samples = 0;
	for (const char *p = events; *p; p++) {
		if (*p == '[' || *p == ']') {
			assert_int_equal(inside, *p == ']');
			inside = *p == '[';
			samples += inside;
		} else if (inside) {
			assert_int_equal(*p, calls);
		}
	}
	assert_true(samples > 2);
	assert_non_null(strchr(events, 'S'));
}

static void a_result_is_copied_outside_of_samples(void **state)
{
	(void)state;
	measure("double/honest", false, "ok", "");
	assert_samples_are_pure('C');
	/* the first check, and the last four: replay on both inputs, and three calls */
	assert_memory_equal(events, "SCO", 3);
	assert_non_null(strstr(events, "]O["));
	assert_non_null(strstr(events, "]OCOSCOCO"));
	assert_int_equal(strlen(strstr(events, "]OCOSCOCO")), strlen("]OCOSCOCO"));
}

static void a_graph_writes_the_result_of_its_last_call(void **state)
{
	(void)state;
	measure("double/honest", true, "ok", "");
	assert_samples_are_pure('G');
	assert_non_null(strstr(events, "]O[G]O"));
}

/* prepare() has left the right result of the right input: only poison tells. */
static void an_old_result_is_not_a_new_one(void **state)
{
	(void)state;
	measure("double/remembers", false, "wrong",
	        "before timing: 1024 output elements never written");
}

static void check(const char *selector, const char *status, const char *why)
{
	struct process *x = begin(selector, PLAN_CHECK, false);
	struct outcome o;
	assert_int_equal(x->p.n, 1);
	nevents = 0;
	measure_check(&x->b, &x->p.item[0], &o);
	if (strcmp(o.status, status) != 0 || !strstr(o.why, why))
		fail_msg("%s: %s: %s", x->p.item[0].id, o.status, o.why);
	end(x);
}

static void checks_collect_and_spoil(void **state)
{
	(void)state;
	check("double/honest", "ok", "");
	check("double/remembers", "wrong", "first call: 1024 output elements never written");
}

static void a_profile_sees_a_written_result(void **state)
{
	(void)state;
	struct process *x = begin("double/honest:cache=hot", PLAN_MEASURE, false);
	struct outcome o;
	nevents = 0;
	measure_profile(&x->b, &x->p.item[0], &o);
	events[nevents] = 0;
	assert_string_equal(o.status, "ok");
	assert_string_equal(events, "SCSCO");
	end(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_result_is_copied_outside_of_samples),
	        cmocka_unit_test(a_graph_writes_the_result_of_its_last_call),
	        cmocka_unit_test(an_old_result_is_not_a_new_one),
	        cmocka_unit_test(checks_collect_and_spoil),
	        cmocka_unit_test(a_profile_sees_a_written_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
