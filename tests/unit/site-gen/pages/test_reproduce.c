/* What it takes to measure a post again, and what should come out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/kinds/expand.h"
#include "site-gen/pages/reproduce.h"
#include "site-gen/site/page.h"
#include "tests/unit/help/synthetic_repo.h"

enum { CASES = 3, RUNS = 3 };

/* Runs of 600 s with three cases; the first two runs are of one commit. */
static void costs(void **state)
{
	(void)state;
	struct arena a = {0};
	struct run_case c[RUNS][CASES] = {0};
	struct data_case k[RUNS][CASES] = {0};
	struct data_run r[RUNS] = {0};
	const struct data d = {.runs = r, .nruns = RUNS};
	for (size_t i = 0; i < RUNS; i++) {
		r[i].run.cases = c[i];
		r[i].run.ncases = CASES;
		r[i].cases = k[i];
		r[i].run.head.commit = i < 2 ? "aa" : "bb";
		r[i].run.head.start = "2026-01-01T00:00:00Z";
		r[i].run.end = "2026-01-01T00:10:00Z";
		k[i][0].spent_s = 61;
	}
	struct page p = {0};
	assert_int_equal(reproduce_cost(&p, &d, &a).builds, 0);
	struct expand_use use[] = {{.run = &r[0].run, .c = &c[0][0]},
	                           {.run = &r[1].run, .c = &c[1][0], .next = &use[0]},
	                           {.run = &r[2].run, .c = &c[2][2], .next = &use[1]}};
	p.numbers.uses = &use[0];
	assert_int_equal(reproduce_cost(&p, &d, &a).minutes, 2); /* a begun minute counts */
	p.numbers.uses = &use[1];
	assert_int_equal(reproduce_cost(&p, &d, &a).minutes, 3); /* 122 s */
	assert_int_equal(reproduce_cost(&p, &d, &a).builds, 1);
	p.numbers.uses = &use[2];
	assert_int_equal(reproduce_cost(&p, &d, &a).minutes, 6); /* and a third of 600 s */
	assert_int_equal(reproduce_cost(&p, &d, &a).builds, 2);
	r[2].run.end = NULL; /* interrupted: it says nothing */
	assert_int_equal(reproduce_cost(&p, &d, &a).minutes, 3);
	arena_free(&a);
}

#define KEY                                                                         \
	"<<bench:value transpose/naive rows=16384 dtype=f32>> and <<bench:percent " \
	"transpose/naive rows=16384 dtype=f32 "                                     \
	"of=spec:hbm>>, <<bench:value transpose/naive rows=16384 dtype=f32>>"

/* The numbers of the key result alone, in its order, each once and with its interval. */
static void expects(void **state)
{
	(void)state;
	struct repo repo;
	struct err e = ERR_NONE;
	struct sb text = {0}, to = {0};
	repo_ready(&repo);
	struct expand_ctx ctx = repo.ctx;
	must(expand_all(&ctx, STR(KEY), (struct loc){"a.md", 4, 1}, true, &text, &e), &e);
	must(expand_all(&ctx, STR("<<bench:value transpose/padded rows=16384 dtype=f32>>"),
	                (struct loc){"a.md", 9, 1}, true, &text, &e),
	     &e);
	struct page p = {.path = "a.md", .numbers.quotes = ctx.quotes};
	reproduce_expected(&ctx, &p, &to);
	assert_int_equal(to.n, 0); /* no key result */
	p.front.key_line = 4;
	reproduce_expected(&ctx, &p, &to);
	const char *list = sb_view(&to).p, *first = strstr(list, "<li>");
	assert_non_null(first);
	const char *second = strstr(first + 1, "<li>");
	assert_non_null(second);
	assert_null(strstr(second + 1, "<li>"));
	assert_null(strstr(list, "padded"));
	assert_non_null(strstr(list, "<span class=\"ci\">"));
	assert_null(strstr(second, "class=\"num\""));
	assert_non_null(strstr(second, "percent"));
	sb_free(&text);
	sb_free(&to);
	repo_free(&repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(costs),
	        cmocka_unit_test(expects),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
