/*
 * The pretended device: all families plan, check and measure on it for GPUs of two shapes,
 * and the runner finds faults on it as on a real one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "kernels/ceilings/ceilings.h"
#include "runner/base/clock.h"
#include "runner/records/head.h"
#include "runner/device/pretended_memory.h"
#include "runner/machine/pretend.h"
#include "runner/base/rng.h"
#include "runner/measure/walk.h"
#include "runner/plan/method.h"

static const char *const shapes[] = {"132", "84"};
enum { SHAPES = ARRAY_LEN(shapes) };

static void pretend_to_be(const char *text, struct facts *f)
{
	setenv("RIDGEPOINT_PRETEND", text, 1);
	backend_of(KERNEL_CUDA)->facts(f, KERNEL_MAX_GPUS);
	if (!f->usable)
		fail_msg("%s", f->why);
}

static size_t count(const struct plan *p, const char *part)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += strstr(p->item[i].id, part) != NULL;
	return n;
}

/* No two cases of a family collide, on any device and for any use. */
static void all_families_have_plans(void **state)
{
	(void)state;
	for (size_t s = 0; s < SHAPES; s++)
		for (int use = PLAN_MEASURE; use <= PLAN_SMALL; use++) {
			struct facts f;
			struct arena a = {0};
			struct plan p, roofs;
			struct err e = ERR_NONE;
			size_t n, large = 0;
			pretend_to_be(shapes[s], &f);
			const struct kernel_family *const *family = kernel_ceilings(&n);
			if (!plan_make(KERNEL_CUDA, (enum plan_use)use, &f, NULL, 0, &a, &p, &e) ||
			    !plan_make_of(family, n, KERNEL_CUDA, (enum plan_use)use, &f, NULL, 0,
			                  &a, &roofs, &e))
				fail_msg("%s", e.text);
			assert_true(p.n > 500 && roofs.n > 20);
			for (size_t i = 0; i < p.n; i++)
				large += p.item[i].unavailable &&
				         strstr(p.item[i].unavailable, "of memory") != NULL &&
				         (use != PLAN_SMALL ||
				          strncmp(p.item[i].variant->id, "torch", 5) != 0);
			/* only the small GPU has too little memory, and never for small cases;
			 * PyTorch's rows of a whole model have no small one */
			assert_int_equal(large > 0, s == 1 && use != PLAN_SMALL);
			arena_free(&a);
		}
}

/* Rows that differ only in how they are timed are one case where nothing is timed. */
static void what_is_not_timed_is_one_case(void **state)
{
	(void)state;
	struct facts f;
	struct arena a = {0};
	struct plan timed, checked;
	struct selector sel;
	struct err e = ERR_NONE;
	pretend_to_be("132", &f);
	assert_true(select_parse("launch/graph:nodes=16,blocks=132", &sel, &e));
	assert_true(plan_make(KERNEL_CUDA, PLAN_MEASURE, &f, &sel, 1, &a, &timed, &e));
	assert_true(plan_make(KERNEL_CUDA, PLAN_CHECK, &f, &sel, 1, &a, &checked, &e));
	assert_int_equal(timed.n, 2);
	assert_int_equal(count(&timed, "side=host"), 1);
	assert_int_equal(checked.n, 1);
	assert_int_equal(checked.ncases, 1);
	/* as `runner resume` selects, and users who name a case by its id */
	const char *const id = "launch/graph:nodes=16,blocks=132,side=host,dtype=f32,cache=hot";
	assert_true(select_parse(id, &sel, &e));
	assert_true(plan_make(KERNEL_CUDA, PLAN_MEASURE, &f, &sel, 1, &a, &timed, &e));
	assert_int_equal(timed.n, 1);
	assert_string_equal(timed.item[0].id, id);
	arena_free(&a);
}

/* --- checks --- */

struct seen {
	char status[32], why[256];
	size_t n, wrong;
};

static void note(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct seen *seen = ctx;
	bool ok = strcmp(s->out.status, "ok") == 0;
	seen->n++;
	seen->wrong += !ok;
	if (!ok) {
		snprintf(seen->status, sizeof seen->status, "%s", s->out.status);
		snprintf(seen->why, sizeof seen->why, "%s", s->out.why);
	}
}

/* Walks the cases of a family, or of a ceiling. */
static void walk_selected(const char *as, const char *selector, enum walk_mode mode,
                          struct seen *seen)
{
	size_t n;
	const bool ceiling = strncmp(selector, "ceiling-", 8) == 0;
	const struct kernel_family *const *family =
	        ceiling ? kernel_ceilings(&n) : kernel_families(&n);
	struct facts f;
	struct arena a = {0};
	struct plan p;
	struct selector sel;
	struct err e = ERR_NONE;
	struct signals none = {.fd = -1};
	pretend_to_be(as, &f);
	assert_true(select_read(selector, &sel, &e));
	if (!plan_make_of(family, n, KERNEL_CUDA, mode == WALK_CHECK ? PLAN_SMALL : PLAN_MEASURE,
	                  &f, &sel, 1, &a, &p, &e))
		fail_msg("%s", e.text);
	p.set.timeout_s = strstr(as, "silent") ? 30 : 1;
	p.tick_ns = 32;
	size_t *order = ARENA_ARRAY(&a, size_t, p.n);
	for (size_t i = 0; i < p.n; i++) {
		order[i] = i;
		p.item[i].call_ns = 10000;
		method_choose_timer(&p.item[i], KERNEL_CUDA);
	}
	*seen = (struct seen){0};
	struct walk w = {
	        .mode = mode,
	        .plan = &p,
	        .expected = expected_make(
	                &p, 0, mode == WALK_CHECK ? CHECK_TERMS_CHECK : CHECK_TERMS_RUN, 1, &a),
	        .order = order,
	        .n = p.n,
	        .start_ns = clock_ns(),
	        .signals = &none,
	        .done = note,
	        .ctx = seen};
	if (!walk_run(&w, &e))
		fail_msg("%s", e.text);
	assert_int_equal(seen->n, p.n);
	arena_free(&a);
}

static void a_right_one_passes(void **state)
{
	(void)state;
	struct seen seen;
	walk_selected("84", "norm", WALK_CHECK, &seen);
	assert_int_equal(seen.wrong, 0);
	assert_true(seen.n > 20);
	walk_selected("132", "softmax:dtype=f32", WALK_MEASURE, &seen);
	assert_int_equal(seen.wrong, 0);
}

static const struct {
	const char *as, *status, *why;
} faults[] = {
        {"132:wrong@reduce/tree", "wrong", "first call: error"},
        {"132:unwritten@reduce/tree", "wrong", "first call: 1 output elements never written"},
        {"132:outside@reduce/tree", "wrong", "first call: 1 bytes written outside the buffers"},
        {"132:input@reduce/tree", "wrong", "first call: 1 input elements changed"},
        {"132:stale@reduce/tree", "wrong", "second call, new input"},
        {"132:error@reduce/tree", "cuda:700", "cuda error 700"},
        {"132:crash@reduce/tree", "signal:6", "the process ended"},
        {"132:hang@reduce/tree", "timeout", "no answer for 1 s"},
};

static void each_fault_is_found(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		struct seen seen;
		walk_selected(faults[i].as, "reduce:n=1", WALK_CHECK, &seen);
		if (strcmp(seen.status, faults[i].status) != 0 || !strstr(seen.why, faults[i].why))
			fail_msg("%s: %s: %s", faults[i].as, seen.status, seen.why);
		assert_int_equal(seen.wrong, 1);
		assert_true(seen.n > 1);
	}
}

/* --- several GPUs --- */

static void let_several(void)
{
	setenv("NCCL_NVLS_ENABLE", "0", 1);
	setenv("TORCH_SYMM_MEM_DISABLE_MULTICAST", "1", 1);
	setenv("NVSHMEM_DISABLE_NVLS", "1", 1);
}

static void several_gpus_pass(void **state)
{
	(void)state;
	struct seen seen;
	let_several();
	walk_selected("132x4", "ceiling-peer:gpus=4", WALK_CHECK, &seen);
	assert_int_equal(seen.wrong, 0);
	assert_int_equal(seen.n, 12);
	walk_selected("132x2", "ceiling-flag", WALK_MEASURE, &seen);
	assert_int_equal(seen.wrong, 0);
	assert_int_equal(seen.n, 2);
	walk_selected("132x2", "ceiling-peer:gpus=2", WALK_MEASURE, &seen);
	assert_int_equal(seen.wrong, 0);
}

/* Faults that only several GPUs can have, and one in an output that GPU 0 does not have. */
static void each_fault_between_gpus_is_found(void **state)
{
	(void)state;
	static const struct {
		const char *as, *selector, *status, *why;
	} between[] = {
	        {"132x2:late@ceiling-peer/write", "ceiling-peer:gpus=2,n=4099,way=one", "wrong",
	         "GPU 1: to["},
	        {"132x2:late@ceiling-flag/here", "ceiling-flag", "wrong", "GPU 1: sum[0]"},
	        {"132x2:silent@ceiling-flag/here", "ceiling-flag", "cuda:719", "cuda error 719"},
	        {"132x2:apart@ceiling-flag/here", "ceiling-flag", "wrong",
	         "GPU 1 has other bits than GPU 0"},
	        {"132x2:unwritten@ceiling-peer/read", "ceiling-peer:gpus=2,n=1,way=one", "wrong",
	         "1 output elements never written"},
	        {"132x2:outside@ceiling-peer/read", "ceiling-peer:gpus=2,n=1,way=ring", "wrong",
	         "2 bytes written outside"},
	};
	let_several();
	for (size_t i = 0; i < ARRAY_LEN(between); i++) {
		struct seen seen;
		walk_selected(between[i].as, between[i].selector, WALK_CHECK, &seen);
		if (strcmp(seen.status, between[i].status) != 0 ||
		    !strstr(seen.why, between[i].why))
			fail_msg("%s: %s: %s", between[i].as, seen.status, seen.why);
		assert_true(seen.n > seen.wrong);
	}
}

/* A case that needs more GPUs than there are, or others, or an environment that it lacks. */
static void several_gpus_must_fit(void **state)
{
	(void)state;
	size_t n;
	struct facts f;
	struct arena a = {0};
	struct plan p;
	struct selector sel;
	const struct kernel_family *const *family = kernel_ceilings(&n);
	struct err e = ERR_NONE, unequal = ERR_NONE, multicast = ERR_NONE;
	let_several();
	assert_true(select_read("ceiling-peer:gpus={2,4},n=2^26", &sel, &e));
	pretend_to_be("132x2", &f);
	assert_true(plan_make_of(family, n, KERNEL_CUDA, PLAN_MEASURE, &f, &sel, 1, &a, &p, &e));
	assert_int_equal(p.gpus, 2);
	for (size_t i = 0; i < p.n; i++)
		assert_int_equal(p.item[i].unavailable != NULL, kernel_gpus(p.item[i].kcase) == 4);
	assert_string_equal(p.item[p.n - 1].unavailable,
	                    "needs 4 GPUs, the run may use 2 (--gpus)");
	setenv("NVSHMEM_DISABLE_NVLS", "0", 1);
	assert_false(plan_make_of(family, n, KERNEL_CUDA, PLAN_MEASURE, &f, &sel, 1, &a, &p,
	                          &multicast));
	assert_non_null(strstr(multicast.text, "the environment lacks NVSHMEM_DISABLE_NVLS=1"));
	let_several();
	pretend_to_be("132+84", &f);
	assert_false(
	        plan_make_of(family, n, KERNEL_CUDA, PLAN_MEASURE, &f, &sel, 1, &a, &p, &unequal));
	assert_non_null(strstr(unequal.text, "must be of one kind"));
	/* the suite has the cases for as many GPUs as there are, and needs nothing for one */
	unsetenv("NCCL_NVLS_ENABLE");
	pretend_to_be("132", &f);
	assert_true(plan_make_of(family, n, KERNEL_CUDA, PLAN_MEASURE, &f, NULL, 0, &a, &p, &e));
	assert_int_equal(p.gpus, 1);
	assert_int_equal(count(&p, "gpus="), 0);
	arena_free(&a);
}

/* A check of 2.4 s may not time out: no step is longer than the second of silence allowed. */
static void one_that_is_slow_is_not_silent(void **state)
{
	(void)state;
	struct seen seen;
	walk_selected("132:slow@reduce/tree", "reduce/tree:n=1", WALK_CHECK, &seen);
	assert_int_equal(seen.wrong, 0);
	assert_int_equal(seen.n, 1);
}

static void what_is_too_fast_is_impossible(void **state)
{
	(void)state;
	struct seen seen;
	walk_selected("132:impossible@reduce/vector", "reduce/vector:n=2^28,cache=cold",
	              WALK_MEASURE, &seen);
	assert_string_equal(seen.status, "impossible");
}

static void another_word_is_refused(void **state)
{
	(void)state;
	static const char *const words[] = {"h200",    "132:",  "132:never", "132:wrong:@x",
	                                    "cpu",     "132x1", "132x99",    "132x",
	                                    "132+132", "132+x"};
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct pretence as;
		struct err e = ERR_NONE;
		assert_false(pretend_read(words[i], &as, &e));
		assert_non_null(strstr(e.text, "expected 132 or 84"));
	}
	unsetenv("RIDGEPOINT_PRETEND");
	assert_false(pretend_wanted());
}

/* --- its memory --- */

enum { BYTES = 96 };

/* The same operations on real bytes. */
static void memory_is_as_bytes_are(void **state)
{
	(void)state;
	static char at[BYTES];
	int is[BYTES];
	struct pretended_memory m;
	uint64_t seed = 5;
	pretended_memory_open(&m, (uintptr_t)at, BYTES);
	pretended_memory_hold(&m, at, BYTES, (struct contents){.kind = CONTENTS_BYTE});
	memset(is, 0, sizeof is);
	for (int round = 1; round < 5000; round++) {
		size_t from = rng_below(&seed, BYTES), n = rng_below(&seed, BYTES - from + 1);
		size_t to = rng_below(&seed, BYTES - n + 1);
		bool apart = from + n <= to || to + n <= from;
		if (round % 3 == 0 && apart) {
			pretended_memory_copy(&m, at + to, at + from, n);
			memcpy(is + to, is + from, n * sizeof *is);
		} else {
			pretended_memory_hold(
			        &m, at + from, n,
			        (struct contents){.kind = CONTENTS_BYTE, .byte = round});
			for (size_t i = 0; i < n; i++)
				is[from + i] = round;
		}
		for (size_t i = 0; i < BYTES; i++)
			assert_int_equal(
			        m.s[pretended_memory_find(&m, (uintptr_t)(at + i))].is.byte, is[i]);
	}
	const struct zone zone[] = {{at + 8, 8, 1}, {at + 16, 4, 2}, {at + 40, 8, 3}};
	pretended_memory_lay_out(&m, zone, 3);
	assert_int_equal(m.s[pretended_memory_find(&m, (uintptr_t)(at + 17))].is.byte, 2);
	assert_int_equal(m.s[pretended_memory_find(&m, (uintptr_t)(at + 20))].is.kind,
	                 CONTENTS_NOTHING);
	assert_int_equal(m.s[pretended_memory_find(&m, (uintptr_t)(at + 47))].is.byte, 3);
	assert_int_equal(m.s[pretended_memory_find(&m, (uintptr_t)(at + 95))].is.kind,
	                 CONTENTS_NOTHING);
	free(m.s);
}

/* --- its records --- */

static void nothing_of_it_goes_to_data(void **state)
{
	(void)state;
	const struct run_head made_up = {.schema = RECORD_PRETENDED_SCHEMA},
	                      real = {.schema = RECORD_SCHEMA};
	static const char *const below[] = {"data/runs", "data/other", "./data/runs"};
	struct err e = ERR_NONE;
	for (size_t i = 0; i < ARRAY_LEN(below); i++) {
		struct err no = ERR_NONE;
		assert_true(head_may_lie_in(&real, below[i], &e));
		assert_false(head_may_lie_in(&made_up, below[i], &no));
		assert_non_null(strstr(no.text, "pretended device records nothing under data/"));
	}
	assert_true(head_may_lie_in(&made_up, "build/pretended", &e));
	assert_true(head_may_lie_in(&made_up, "/tmp", &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(all_families_have_plans),
	        cmocka_unit_test(what_is_not_timed_is_one_case),
	        cmocka_unit_test(a_right_one_passes),
	        cmocka_unit_test(each_fault_is_found),
	        cmocka_unit_test(several_gpus_pass),
	        cmocka_unit_test(each_fault_between_gpus_is_found),
	        cmocka_unit_test(several_gpus_must_fit),
	        cmocka_unit_test(one_that_is_slow_is_not_silent),
	        cmocka_unit_test(what_is_too_fast_is_impossible),
	        cmocka_unit_test(another_word_is_refused),
	        cmocka_unit_test(memory_is_as_bytes_are),
	        cmocka_unit_test(nothing_of_it_goes_to_data),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
