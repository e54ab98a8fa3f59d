/* Selectors: their matches, the choice of runs, and their error texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/records/query.h"
#include "tests/unit/help/synthetic_repo.h"

static struct repo repo; /* one committed run, shared by the tests that only read */

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static size_t find(struct repo *r, const char *inside, struct pick **picks, struct err *e)
{
	struct placeholder p;
	struct query q;
	size_t n = 0;
	const char *text = arena_printf(&r->arena, "<<bench:value %s>>", inside);
	*e = ERR_NONE;
	if (!placeholder_parse(str_of(text), (struct loc){"a.md", 1, 1}, &p, e) ||
	    !query_parse(&p, p.word[0], NULL, true, &q, e) || !query_all(&r->ctx, &q, picks, &n, e))
		return 0;
	return n;
}

static void check(const char *inside, size_t want)
{
	struct pick *p;
	struct err e;
	size_t n = find(&repo, inside, &p, &e);
	if (n != want)
		fail_msg("%s: %zu cases, expected %zu; %s", inside, n, want, e.text);
}

static void counts(void **state)
{
	(void)state;
	check("transpose/tile", 4);
	check("transpose", 20);
	check("transpose/*", 20);
	check("transpose/{tile,naive}", 8);
	check("transpose/tile dtype=f32", 2);
	check("transpose/tile dtype=f32,bf16", 4);
	check("transpose/tile dtype=f32 rows=16384", 1);
	check("transpose/tile dtype=f32 rows=16Ki", 1);
	check("transpose/tile dtype=f32 rows=2^12,2^14", 2);
	check("transpose/tile:dtype=f32,rows=4096,16384", 2);
	check("transpose/tile dtype=f32 rows={2^12,2^14}", 2);
	check("transpose/tile:dtype={f32},rows={4096,16384}", 2);
	check("stream/*:op=copy,n=2^28 cache=cold", 2);
	check("stream role=ceiling", 2);
	check("*/cublas m=4", 1);
	check("transpose/tile run=20260101T000000Z", 4);
}

static void reading_order(void **state)
{
	(void)state;
	struct pick *p;
	struct err e;
	size_t n = find(&repo, "*", &p, &e);
	assert_int_equal(n, 39);
	for (size_t i = 1; i < n; i++) {
		const struct run_case *a = p[i - 1].d->c, *b = p[i].d->c;
		int c = strcmp(a->family, b->family);
		assert_true(c <= 0);
		if (c == 0)
			assert_true(a->rank < b->rank ||
			            (a->rank == b->rank && query_order(a, b) < 0));
	}
}

static void errors_help(void **state)
{
	(void)state;
	static const struct {
		const char *inside, *error;
	} bad[] = {
	        {"trnspose/tile", "a.md:1:15: no family 'trnspose' is measured on h200, expected "
	                          "one of transpose, "},
	        {"transpose/tlie", "a.md:1:25: family 'transpose' has no variant 'tlie' measured "
	                           "on h200, expected one of tile, "},
	        {"transpose/tile rows=5", "a.md:1:35: no case of transpose/tile has rows=5, "
	                                  "expected one of 4096, 16384"},
	        {"transpose/tile dtype=f16", "a.md:1:36: no case of transpose/tile has dtype=f16"},
	        {"transpose/tile cache=hot", "a.md:1:36: no case of transpose/tile has cache=hot"},
	        {"transpose/tile row=4096", "a.md:1:30: key 'row' is neither known here nor a "
	                                    "parameter of transpose/tile, expected one of rows"},
	        {"transpose/tile rows=4096 cols=16384",
	         "a.md:1:15: no case matches all conditions"},
	        {"transpose/tile device=h100", "a.md:1:37: device 'h100' has no run, expected one "
	                                       "of h200"},
	        {"transpose/tile run=2025", "a.md:1:34: no run '2025', expected one of " RUN_A},
	        {"/tile", "a.md:1:15: '/tile' is no selector"},
	        {"transpose/tile:rows", "a.md:1:30: 'rows' is no condition, expected key=value"},
	        {"transpose/tile:rows=4096 rows=4096", "parameter 'rows' is given twice"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct pick *p;
		struct err e;
		assert_int_equal(find(&repo, bad[i].inside, &p, &e), 0);
		if (!strstr(e.text, bad[i].error))
			fail_msg("%s: got '%s'", bad[i].inside, e.text);
	}
}

static struct err one(struct repo *r, const char *inside, struct pick *out)
{
	struct err e = ERR_NONE;
	struct placeholder p;
	struct query q;
	const char *text = arena_printf(&r->arena, "<<bench:value %s>>", inside);
	if (placeholder_parse(str_of(text), (struct loc){"a.md", 1, 1}, &p, &e) &&
	    query_parse(&p, p.word[0], NULL, true, &q, &e))
		unchecked(query_one(&r->ctx, &q, out, &e)); /* the caller reads e */
	return e;
}

static void ambiguity_lists_what_to_say(void **state)
{
	(void)state;
	struct pick p;
	struct err e = one(&repo, "transpose/tile", &p);
	assert_non_null(strstr(e.text, "matches 4 cases where one is needed; say rows= (4096, "
	                               "16384), cols= (4096, 16384), dtype= (bf16, f32): "
	                               "transpose/tile:rows=4096"));
	e = one(&repo, "transpose/* rows=4096 dtype=f32", &p);
	assert_non_null(strstr(e.text, "matches 5 variants where one is needed: transpose/naive"));
	e = one(&repo, "transpose/ring rows=4096 dtype=f32", &p);
	assert_non_null(strstr(e.text, "has no number to show in run " RUN_A ": not measured"));
	e = one(&repo, "transpose/tile rows=4096 dtype=f32", &p);
	assert_false(e.set);
}

/* Never the best: the newest valid run counts, whatever it says; run= pins. */
static void unpicked(void **state)
{
	(void)state;
	struct repo r;
	struct pick p;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	s.slower = 1.5;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const char *sel = "transpose/tile rows=4096 dtype=f32";
	assert_false(one(&r, sel, &p).set);
	assert_string_equal(p.run->run.head.id, RUN_B);
	assert_false(one(&r, arena_printf(&r.arena, "%s run=20260101", sel), &p).set);
	assert_string_equal(p.run->run.head.id, RUN_A);
	assert_non_null(strstr(one(&r, arena_printf(&r.arena, "%s run=2026", sel), &p).text,
	                       "run '2026' is ambiguous"));
	repo_free(&r);
}

/* A newer run that is cut short or failed its check is not the newest valid one. */
static void invalid_runs_do_not_count(void **state)
{
	(void)state;
	struct repo r;
	struct pick p;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	s.status = "partial";
	s.made = 2;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const char *sel = "transpose/tile rows=4096 dtype=f32";
	assert_false(one(&r, sel, &p).set);
	assert_string_equal(p.run->run.head.id, RUN_A);
	struct err e = one(&r, arena_printf(&r.arena, "%s run=20260102", sel), &p);
	assert_non_null(strstr(e.text, "which publishes nothing: its run was interrupted"));
	repo_free(&r);
	/* a wrong result is a result: it hides the older number and says so */
	repo_make(&r, true);
	s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	s.wrong = "transpose/tile";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	e = one(&r, sel, &p);
	assert_non_null(strstr(e.text, "its results were wrong in 10 of 10 processes"));
	repo_free(&r);
}

/* A record that was cut after its head: its device is known, and that is all. */
static void a_run_without_cases(void **state)
{
	(void)state;
	struct repo r;
	struct pick p;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	struct sb text = {0};
	synthetic_run(&text, &s, &r.arena);
	repo_write(&r, repo_run_path(&r, &s),
	           str_sub(sb_view(&text), 0, str_find(sb_view(&text), '\n', 0) + 1));
	sb_free(&text);
	repo_load(&r);
	struct err e = one(&r, "transpose/tile rows=4096 dtype=f32", &p);
	assert_non_null(strstr(e.text, "the runs of device 'h200' hold no case"));
	repo_free(&r);
}

/* Unusual inputs have to be named, unless the family was measured on no others. */
static void the_only_inputs_are_the_usual_ones(void **state)
{
	(void)state;
	struct repo r;
	struct pick *p;
	struct err e;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.input = "full";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_int_equal(find(&r, "gemv/cublas m=4", &p, &e), 1);
	assert_int_equal(find(&r, "gemv/cublas m=4 input=full", &p, &e), 1);
	assert_int_equal(find(&r, "gemv/cublas m=4 input=uniform", &p, &e), 0);
	s = repo_run(&r, RUN_B);
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_int_equal(find(&r, "gemv/cublas m=4", &p, &e), 1);
	assert_null(record_param(p->d->c, "input"));
	assert_int_equal(find(&r, "gemv/cublas m=4 input=full", &p, &e), 1);
	repo_free(&r);
}

static void devices_never_mix(void **state)
{
	(void)state;
	struct repo r;
	struct pick *p;
	struct err e;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.device = "cpu-synthetic";
	s.start = "2026-01-02T00:00:00Z";
	repo_add_run(&r, &s);
	repo_load(&r);
	assert_int_equal(find(&r, "transpose/tile", &p, &e), 4);
	assert_string_equal(p[0].run->run.head.device, "h200");
	assert_int_equal(find(&r, "transpose/tile device=cpu-synthetic", &p, &e), 4);
	assert_string_equal(p[0].run->run.head.device, "cpu-synthetic");
	r.ctx.device = "cpu-synthetic";
	assert_int_equal(find(&r, "transpose/tile", &p, &e), 4);
	assert_string_equal(p[0].run->run.head.device, "cpu-synthetic");
	repo_free(&r);
}

static void beside(void **state)
{
	(void)state;
	struct placeholder p;
	struct query q;
	struct pick base, out;
	struct err e = ERR_NONE;
	assert_false(one(&repo, "transpose/tile rows=4096 dtype=bf16", &base).set);
	assert_true(placeholder_parse(STR("<<bench:ratio x over=transpose/naive>>"),
	                              (struct loc){"a.md", 1, 1}, &p, &e));
	assert_true(query_parse(&p, placeholder_key(&p, "over"), NULL, false, &q, &e));
	assert_true(query_beside(&repo.ctx, &q, &base, &out, &e));
	assert_string_equal(out.d->c->id,
	                    "transpose/naive:rows=4096,cols=4096,dtype=bf16,cache=cold");
}

/* The run of the first case of a ratio of two, or the error. */
static const char *run_of_ratio(struct repo *r, const char *of, const char *over)
{
	static struct err e;
	struct placeholder p;
	struct query q;
	struct pick base, out;
	const char *text = arena_printf(&r->arena, "<<bench:ratio x over=%s>>", over);
	assert_false(one(r, of, &base).set);
	e = ERR_NONE;
	assert_true(placeholder_parse(str_of(text), (struct loc){"a.md", 1, 1}, &p, &e));
	assert_true(query_parse(&p, placeholder_key(&p, "over"), NULL, false, &q, &e));
	if (!query_pair(&r->ctx, &q, &base, &out, &e))
		return e.text;
	assert_true(base.run == out.run || strstr(over, "run="));
	return base.run->run.head.id;
}

/* The newer run measured only the last family, and then `wrong` went wrong in it. */
static void pairs(void **state)
{
	(void)state;
	const char *gemv = "gemv/cublas m=1", *tile = "transpose/tile rows=4096 dtype=bf16";
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.brief = true;
	repo_add_run(&r, &s);
	repo_load(&r);
	assert_string_equal(run_of_ratio(&r, gemv, "gemv/naive"), RUN_B);
	assert_string_equal(run_of_ratio(&r, gemv, "transpose/tile:rows=4096"), RUN_A);
	assert_string_equal(run_of_ratio(&r, tile, "transpose/naive"), RUN_A);
	assert_string_equal(run_of_ratio(&r, gemv, "transpose/tile:rows=4096,run=20260101"), RUN_B);
	s.brief = false;
	s.wrong = "transpose/naive";
	repo_add_run(&r, &s);
	repo_load(&r);
	assert_non_null(strstr(run_of_ratio(&r, tile, "transpose/naive"), "[correct]"));
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(counts),
	        cmocka_unit_test(reading_order),
	        cmocka_unit_test(errors_help),
	        cmocka_unit_test(ambiguity_lists_what_to_say),
	        cmocka_unit_test(unpicked),
	        cmocka_unit_test(invalid_runs_do_not_count),
	        cmocka_unit_test(a_run_without_cases),
	        cmocka_unit_test(the_only_inputs_are_the_usual_ones),
	        cmocka_unit_test(devices_never_mix),
	        cmocka_unit_test(beside),
	        cmocka_unit_test(pairs),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
