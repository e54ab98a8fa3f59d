/* Ceilings are checked like any other case, and timed only if they pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernels/ceilings/ceilings.h"
#include "runner/base/clock.h"
#include "runner/measure/walk.h"
#include "runner/plan/method.h"

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1LL << 32,
                                     .threads = 2};

struct seen {
	size_t ok, samples;
};

static void note(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct seen *seen = ctx;
	if (strcmp(s->out.status, "ok") != 0)
		fail_msg("%s: %s: %s", s->item->id, s->out.status, s->out.why);
	seen->ok++;
	seen->samples += s->line && !strstr(s->line, "\"above_base\":[]");
}

static void make(enum kernel_where where, enum plan_use use, struct arena *a, struct plan *p)
{
	struct err e = ERR_NONE;
	size_t n;
	const struct kernel_family *const *f = kernel_ceilings(&n);
	if (!plan_make_of(f, n, where, use, &machine, NULL, 0, a, p, &e))
		fail_msg("%s", e.text);
}

static void walk_all(enum walk_mode mode, enum plan_use use, struct seen *seen)
{
	struct arena a = {0};
	struct plan p;
	struct err e = ERR_NONE;
	struct signals none = {.fd = -1};
	make(KERNEL_CPU, use, &a, &p);
	p.set.seed = 3;
	p.set.cap_ms = 5; /* that there are samples, not what they say */
	p.set.warmup_ms = 1;
	p.tick_ns = 1;
	size_t *order = ARENA_ARRAY(&a, size_t, p.n);
	for (size_t i = 0; i < p.n; i++) {
		order[i] = i;
		p.item[i].call_ns = 1000000;
		method_choose_timer(&p.item[i], KERNEL_CPU);
	}
	*seen = (struct seen){0};
	struct walk w = {
	        .mode = mode,
	        .plan = &p,
	        .expected = expected_make(
	                &p, 0, mode == WALK_CHECK ? CHECK_TERMS_CHECK : CHECK_TERMS_RUN, 2, &a),
	        .order = order,
	        .n = p.n,
	        .start_ns = clock_ns(),
	        .signals = &none,
	        .done = note,
	        .ctx = seen};
	if (!walk_run(&w, &e))
		fail_msg("%s", e.text);
	assert_int_equal(seen->ok, p.n);
	assert_true(p.n > 0);
	arena_free(&a);
}

static void those_of_a_cpu_are_right(void **state)
{
	(void)state;
	struct seen s;
	walk_all(WALK_CHECK, PLAN_CHECK, &s);
	assert_int_equal(s.samples, 0);
}

static void those_of_a_cpu_are_timed(void **state)
{
	(void)state;
	struct seen s;
	walk_all(WALK_MEASURE, PLAN_MEASURE, &s);
	assert_int_equal(s.samples, s.ok);
}

static size_t out_of(const struct kernel_family *f, const struct kernel_case *c, size_t *n)
{
	struct kernel_buffer b[KERNEL_MAX_BUFFERS];
	size_t outs = 0, count = 0, buffers = f->buffers(c, b);
	assert_true(buffers >= 1 && buffers <= KERNEL_MAX_BUFFERS);
	for (size_t i = 0; i < buffers; i++)
		if (b[i].access == KERNEL_OUT) {
			outs++;
			count = b[i].count;
		}
	*n = count;
	return outs;
}

/* Checks the runner's assumptions for every case, even for those that no CPU can run. */
static void every_row_keeps_the_contract(void **state)
{
	(void)state;
	size_t n;
	const struct kernel_family *const *f = kernel_ceilings(&n);
	for (size_t i = 0; i < n; i++) {
		bool checked = false, measured = false;
		for (size_t k = 0; k < f[i]->ncases; k++) {
			const struct kernel_case *c = &f[i]->cases[k];
			struct kernel_model m;
			const char *why = NULL;
			size_t count;
			f[i]->model(c, &m);
			assert_int_equal(out_of(f[i], c, &count), 1);
			assert_true(count > 0 && m.formula && m.level);
			assert_true(m.flop > 0 || m.bytes_read + m.bytes_written > 0);
			assert_true(m.flop == 0 || m.unit || m.op);
			assert_true(f[i]->tolerance(c, &why) >= 0 && why);
			checked = checked || (c->use & KERNEL_CHECK);
			measured = measured || (c->use & KERNEL_MEASURE_CUDA);
			if (c->use & KERNEL_COLD) /* the proof that caches are emptied */
				assert_string_equal(m.level, "hbm");
		}
		assert_true(checked && measured);
		for (size_t v = 0; v < f[i]->nvariants; v++) {
			assert_int_equal(f[i]->variants[v].role, KERNEL_CEILING);
			assert_int_equal(access(f[i]->variants[v].file, R_OK), 0);
		}
		assert_int_equal(access(f[i]->file, R_OK), 0);
		assert_null(kernel_family_find(f[i]->id)); /* in no suite */
	}
}

/* Leaving out a pass or a term exceeds the tolerance. */
static void a_missing_pass_is_seen(void **state)
{
	(void)state;
	static const char *const passes[] = {"passes", "k"};
	size_t n, looked = 0;
	const struct kernel_family *const *f = kernel_ceilings(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < f[i]->ncases; k++) {
			struct kernel_case c = f[i]->cases[k];
			const char *why;
			double value, magnitude, less, ignored;
			const size_t first = 0;
			if (!(c.use & KERNEL_CHECK) || f[i] == &ceiling_fma ||
			    f[i] == &ceiling_special) /* these tend to a limit */
				continue;
			if (c.dtype == KERNEL_E4M3) /* drops terms; checked on the grid */
				continue;
			f[i]->expect(&c, 99, &first, 1, &value, &magnitude);
			double tolerance = f[i]->tolerance(&c, &why);
			for (int q = 0; q < c.nparams; q++)
				for (size_t w = 0; w < 2; w++)
					if (strcmp(c.param[q].name, passes[w]) == 0)
						c.param[q].num--;
			f[i]->expect(&c, 99, &first, 1, &less, &ignored);
			if (less == value) /* no passes, or they leave no trace: copy, triad */
				continue;
			looked++;
			assert_true(value - less > tolerance * magnitude ||
			            less - value > tolerance * magnitude);
		}
	assert_true(looked >= 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(those_of_a_cpu_are_right),
	        cmocka_unit_test(those_of_a_cpu_are_timed),
	        cmocka_unit_test(every_row_keeps_the_contract),
	        cmocka_unit_test(a_missing_pass_is_seen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
