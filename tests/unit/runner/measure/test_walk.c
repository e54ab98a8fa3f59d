/* A launch over variants that fail in every way: a failure affects no other variant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "lib/record.h"
#include "runner/base/clock.h"
#include "runner/records/head.h"
#include "runner/records/journal.h"
#include "runner/measure/survey.h"
#include "runner/measure/walk.h"
#include "runner/plan/method.h"
#include "runner/plan/order.h"
#include "tests/unit/help/faulty.h"

enum { SILENCE_S = 4 }; /* a busy machine may be slow */

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1 << 30,
                                     .threads = 2};

/* The outcome of each variant, by name. */
struct seen {
	const struct plan *plan;
	char status[32][24], why[32][240];
	size_t steps;
	struct sb lines;
};

static void note(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct seen *seen = ctx;
	size_t i = (size_t)(s->item - seen->plan->item);
	memcpy(seen->status[i], s->out.status, sizeof seen->status[0]);
	memcpy(seen->why[i], s->out.why, sizeof seen->why[0]);
	seen->steps++;
	if (s->line)
		sb_put(&seen->lines, s->line, s->line_n);
}

static void expect(const struct seen *s, const char *variant, const char *status, const char *why)
{
	bool found = false;
	for (size_t i = 0; i < s->plan->n; i++) {
		if (strcmp(s->plan->item[i].variant->id, variant) != 0)
			continue;
		found = true;
		if (strcmp(s->status[i], status) != 0 || !strstr(s->why[i], why))
			fail_msg("%s: got '%s' (%s), expected '%s' (%s)", s->plan->item[i].id,
			         s->status[i], s->why[i], status, why);
	}
	assert_true(found);
}

static void walk_all(enum walk_mode mode, struct plan *p, struct arena *a, struct seen *seen)
{
	struct err e = ERR_NONE;
	struct signals none = {.fd = -1};
	size_t *order = ARENA_ARRAY(a, size_t, p->n);
	p->set.seed = 11;
	p->set.timeout_s = SILENCE_S;
	p->tick_ns = 1;
	plan_number(p);
	order_shuffle(p->set.seed, 0, order, p->n);
	for (size_t i = 0; i < p->n; i++) {
		p->item[i].call_ns = 10000;
		method_choose_timer(&p->item[i], KERNEL_CPU);
	}
	*seen = (struct seen){.plan = p};
	struct walk w = {.mode = mode,
	                 .plan = p,
	                 .expected = expected_make(p, 0, CHECK_TERMS_RUN, 2, a),
	                 .order = order,
	                 .n = p->n,
	                 .start_ns = clock_ns(),
	                 .signals = &none,
	                 .done = note,
	                 .ctx = seen};
	if (!walk_run(&w, &e))
		fail_msg("%s", e.text);
	assert_int_equal(seen->steps, p->n);
}

static void make(enum plan_use use, struct arena *a, struct plan *p)
{
	struct err e = ERR_NONE;
	if (!plan_make(KERNEL_CPU, use, &machine, NULL, 0, a, p, &e))
		fail_msg("%s", e.text);
}

static void check_tells_right_from_wrong(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen s;
	make(PLAN_CHECK, &a, &p);
	walk_all(WALK_CHECK, &p, &a, &s);
	expect(&s, "good", "ok", "");
	expect(&s, "wrong", "wrong", "first call: error ");
	expect(&s, "nan", "wrong", "output 0 is ");
	expect(&s, "lazy", "wrong", "1 output elements never written");
	expect(&s, "outside", "wrong", "bytes written outside the buffers");
	expect(&s, "crash", "signal:11", "the process ended");
	expect(&s, "hang", "timeout", "no answer for 4 s");
	expect(&s, "error", "cpu:700", "error 700");
	expect(&s, "replay", "wrong", "second call, new input: error ");
	expect(&s, "gone", "unavailable", "libnowhere.so not found");
	arena_free(&a);
}

/* Begins a message and never ends it, like a process that is stopped halfway. */
static int mumble(const struct kernel_case *c, const struct kernel_env *env, void *const *buf,
                  void *state)
{
	(void)c, (void)env, (void)buf, (void)state;
	struct stat st;
	for (int fd = STDERR_FILENO + 1; fd < 64; fd++)
		if (fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode) &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY && write(fd, "half", 4) == 4)
			for (;;)
				pause();
	return 0;
}

static void half_a_message_is_a_silence(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen s;
	struct kernel_variant half = faulty_variants[0];
	make(PLAN_CHECK, &a, &p);
	half.launch = mumble;
	p.item[0].variant = &half;
	p.n = 1;
	walk_all(WALK_CHECK, &p, &a, &s);
	expect(&s, half.id, "timeout", "no answer for 4 s");
	arena_free(&a);
}

/* A run file: the lines of a walk, with head, cases and end around them. */
static void read_back(struct plan *p, struct seen *s, struct arena *a, struct run *out)
{
	struct calibration cal = {.tick_ns = 1};
	struct run_head h;
	struct sb text = {0};
	struct err e = ERR_NONE;
	char *argv[] = {"runner", "run"};
	const struct invocation inv = {2, argv};
	assert_true(head_make(p, &cal, NULL, &inv, a, &h, &(struct err){0}));
	struct run_case *c = ARENA_ARRAY(a, struct run_case, p->n);
	for (size_t i = 0; i < p->n; i++)
		head_case(&p->item[i], a, &c[i]);
	record_put_head(&text, &h);
	record_put_cases(&text, c, p->n);
	sb_str(&text, sb_view(&s->lines));
	struct sb end = {0};
	record_put_end(&end, "complete", "2026-01-01T00:00:00Z", 0, sb_view(&text));
	sb_str(&text, sb_view(&end));
	if (!record_read(sb_view(&text), "test", a, out, &e))
		fail_msg("%s", e.text);
	assert_true(out->whole);
	sb_free(&end);
	sb_free(&text);
}

static void only_what_passed_has_samples(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct seen s;
	struct run r;
	make(PLAN_MEASURE, &a, &p);
	walk_all(WALK_MEASURE, &p, &a, &s);
	expect(&s, "good", "ok", "");
	expect(&s, "wrong", "wrong", "before timing: ");
	expect(&s, "replay", "wrong", "after timing: ");
	expect(&s, "crash", "signal:11", "");
	expect(&s, "hang", "timeout", "");
	read_back(&p, &s, &a, &r);
	size_t ok = 0;
	for (size_t i = 0; i < r.nlaunches; i++) {
		const struct run_launch *l = &r.launches[i];
		bool good = strcmp(l->of->variant, "good") == 0;
		assert_int_equal(record_launch_ok(l), good);
		assert_int_equal(l->nsamples > 0, good);
		assert_int_equal(l->nwarmup > 0, good);
		ok += good;
	}
	assert_int_equal(ok, 2); /* hot and cold */
	sb_free(&s.lines);
	arena_free(&a);
}

static void survey_finds_what_is_missing(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct calibration cal;
	struct err e = ERR_NONE;
	struct signals none = {.fd = -1};
	make(PLAN_MEASURE, &a, &p);
	p.set.timeout_s = SILENCE_S;
	if (!survey_calibrate(&p, &cal, &e) || !survey(&p, &none, &a, &e))
		fail_msg("%s", e.text);
	assert_true(cal.tick_ns > 0 && cal.tick_ns < 1e6);
	for (size_t i = 0; i < p.n; i++) {
		const char *id = p.item[i].variant->id;
		if (strcmp(id, "gone") == 0)
			assert_string_equal(p.item[i].unavailable, "libnowhere.so not found");
		else
			assert_null(p.item[i].unavailable);
		if (strcmp(id, "good") == 0)
			assert_true(p.item[i].call_ns > 0);
		assert_int_equal(p.item[i].timeouts, strcmp(id, "hang") == 0);
		assert_true(p.item[i].batch >= 1);
	}
	arena_free(&a);
}

/* Null controls copy the fastest, the middle and the slowest available item, at the end. */
static void null_controls_are_copies(void **state)
{
	(void)state;
	struct arena a = {0};
	struct plan p;
	struct run_case c;
	make(PLAN_MEASURE, &a, &p);
	size_t n = p.n;
	for (size_t i = 0; i < n; i++)
		p.item[i].call_ns = 1000 * (int64_t)((i * 7) % n + 1);
	p.item[0].unavailable = "not here"; /* this was the fastest */
	plan_add_nulls(&p, 3, NULL, &a);
	assert_int_equal(p.n, n + 3);
	assert_int_equal(p.item[n].call_ns, 2000);
	assert_int_equal(p.item[n + 2].call_ns, 1000 * (int64_t)n);
	for (size_t i = n; i < p.n; i++) {
		head_case(&p.item[i], &a, &c);
		assert_string_equal(c.role, "null");
		assert_non_null(record_param(&c, "null"));
		assert_string_equal(c.id, record_case_id(&c, &a));
		assert_non_null(strstr(c.id, ",null=1,dtype="));
	}
	plan_add_nulls(&p, 0, NULL, &a);
	assert_int_equal(p.n, n + 3);
	/* load=steady has controls of its own: of five items two */
	for (size_t i = 1; i <= 5; i++)
		p.item[i].way.load = WAY_STEADY;
	struct plan more = p;
	plan_add_nulls(&more, 3, NULL, &a);
	assert_int_equal(more.n, n + 8);
	for (size_t i = n + 3; i < more.n; i++)
		assert_int_equal(more.item[i].way.load == WAY_STEADY, i >= n + 6);
	for (size_t i = 1; i < n; i++)
		p.item[i].way.load = WAY_SUSTAINED;
	for (size_t i = n; i < n + 3; i++)
		p.item[i].unavailable = "not here";
	more = p;
	plan_add_nulls(&more, 3, NULL, &a); /* sustained, if there is nothing else */
	assert_int_equal(more.n, n + 6);
	for (size_t i = 0; i < n + 3; i++)
		p.item[i].way.load = WAY_BURST;
	plan_add_copies(&p, 1, 2, &a);
	assert_int_equal(p.n, n + 5);
	assert_non_null(strstr(p.item[n + 3].id, ",null=1,dtype="));
	assert_non_null(strstr(p.item[n + 4].id, ",null=2,dtype="));
	assert_ptr_equal(p.item[n + 4].variant, p.item[1].variant);
	arena_free(&a);
}

/* Data is never cold if it is so small that a thousand copies do not fill the cache twice. */
static void cold_is_claimed_only_where_it_is(void **state)
{
	(void)state;
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct facts large = machine;
	struct plan p;
	large.cache_bytes = 1 << 28; /* 32 KiB of data: 2^14 sets */
	large.free_bytes = 1LL << 40;
	if (!plan_make(KERNEL_CPU, PLAN_MEASURE, &large, NULL, 0, &a, &p, &e))
		fail_msg("%s", e.text);
	for (size_t i = 0; i < p.n; i++) {
		assert_int_equal(p.item[i].unavailable != NULL, p.item[i].way.cold);
		assert_true(!p.item[i].way.cold || strstr(p.item[i].unavailable, "to be cold"));
	}
	arena_free(&a);
}

static void a_file_stays_readable(void **state)
{
	(void)state;
	struct journal j = {.text = {.n = 1000}};
	assert_true(journal_has_room(&j, 1 << 20));
	assert_false(journal_has_room(&j, RECORD_MAX_BYTES));
	assert_false(journal_has_room(&j, RECORD_MAX_BYTES - 1000)); /* `end` needs some */
	j.text.n = RECORD_MAX_BYTES;
	assert_false(journal_has_room(&j, 0));
}

static void errors_are_relative_and_nan_fails(void **state)
{
	(void)state;
	size_t at;
	const double value[] = {1, 2, 4}, magnitude[] = {1, 2, 4};
	assert_true(check_error((const double[]){1, 2, 4}, value, magnitude, 3, &at) == 0);
	assert_true(check_error((const double[]){1, 3, 4}, value, magnitude, 3, &at) == 0.5);
	assert_int_equal(at, 1);
	assert_true(check_error((const double[]){1, 2, NAN}, value, magnitude, 3, &at) == -1);
	assert_int_equal(at, 2);
	assert_true(check_error((const double[]){1, INFINITY, 4}, value, magnitude, 3, &at) == -1);
	const double zero[] = {0};
	assert_true(check_error((const double[]){0}, zero, zero, 1, &at) == 0);
	assert_true(check_error((const double[]){1e-30}, zero, zero, 1, &at) == -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(check_tells_right_from_wrong),
	        cmocka_unit_test(half_a_message_is_a_silence),
	        cmocka_unit_test(only_what_passed_has_samples),
	        cmocka_unit_test(survey_finds_what_is_missing),
	        cmocka_unit_test(null_controls_are_copies),
	        cmocka_unit_test(cold_is_claimed_only_where_it_is),
	        cmocka_unit_test(a_file_stays_readable),
	        cmocka_unit_test(errors_are_relative_and_nan_fails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
