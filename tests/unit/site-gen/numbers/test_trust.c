/*
 * What pages say of the instrument: a selftest, null controls, runs of the
 * same code. SYNTHETIC; each figure is held against a plain second count.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/numbers/trust.h"
#include "tests/unit/help/synthetic_rows.h"

#define SELFTEST "20260102T010000Z-synthetic-0000000f"
#define ORDINARY "20260102T010000Z-synthetic-00000010"
enum { LAUNCHES = 20, COPIES = 4, NCASES = 2 + COPIES };

static struct repo repo;

/* pad=0, pad=20, then copies of the first. */
static struct run_case case_at(const char *family, int i)
{
	const struct synthetic_row row = {family,
	                                  "chain",
	                                  i < 2 ? "kernel" : "null",
	                                  "throughput",
	                                  0,
	                                  {{"pad", NULL, i == 1 ? 20 : 0}, {"null", NULL, i - 1}},
	                                  i < 2 ? 1 : 2,
	                                  "f32",
	                                  "hot",
	                                  {.flop = 1000, .unit = "fp32", .level = "cache"},
	                                  .seconds = 0};
	return row_case(&row, &repo.arena);
}

static void put_run(const char *family, const char *id)
{
	struct synthetic s = repo_run(&repo, id);
	s.start = "2026-01-02T01:00:00Z";
	s.launches = LAUNCHES;
	struct run_head h = synthetic_head(&s);
	struct sb text = {0};
	struct run_case c[NCASES];
	for (int i = 0; i < NCASES; i++)
		c[i] = case_at(family, i);
	record_put_head(&text, &h);
	record_put_cases(&text, c, NCASES);
	for (int i = 0; i < NCASES; i++) {
		s.launches = LAUNCHES;
		/* each case wobbles in its own order */
		struct sb lines = {0};
		row_launches(&lines, &s, &c[i], 1e-4 * (i == 1 ? 1.02 : 1 + 1e-5 * i));
		sb_str(&text, sb_view(&lines));
		sb_free(&lines);
	}
	record_put_end(&text, "complete", h.start, 0, sb_view(&text));
	repo_write(&repo, repo_run_path(&repo, &s), sb_view(&text));
	sb_free(&text);
}

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic a = repo_run(&repo, RUN_A), b = repo_run(&repo, RUN_B);
	b.slower = 1.01;
	repo_add_run(&repo, &a);
	repo_add_run(&repo, &b);
	put_run("selftest", SELFTEST);
	put_run("adding", ORDINARY);
	repo_commit(&repo);
	repo_load(&repo);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static void contains(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%.4000s", part, text);
}

static void a_selftest_is_drawn(void **state)
{
	(void)state;
	const struct data_run *r = trust_selftest(&repo.data, "h200");
	assert_non_null(r);
	assert_ptr_equal(trust_selftest(&repo.data, "elsewhere"), r); /* better than none */
	struct selftest_tally t = selftest_judge(launches_of(r), 20, &repo.arena);
	assert_int_equal(t.pairs, (COPIES + 1) * LAUNCHES / SELFTEST_BLOCK);
	assert_int_equal(t.found, t.pairs); /* 2 % is far more than their wobble */
	const char *html = repo_expand(&repo, "selftest", true);
	contains(html, "data-n=\"selftest " SELFTEST " 20 interval\">100\xC2\xA0%</span>");
	contains(html, "data-n=\"selftest " SELFTEST " 0 mann-whitney\"");
	contains(html, "Equal code against itself");
	contains(html, "<g><title>");
	/* no result of the blog */
	const struct data_families *f = &repo.data.families;
	for (size_t i = 0; i < f->n; i++)
		assert_string_not_equal(f->all[i].id, "selftest");
}

static void without_a_selftest_it_says_so(void **state)
{
	(void)state;
	struct data none = repo.data;
	struct expand_ctx was = repo.ctx;
	none.nruns = 0;
	repo.ctx.data = &none;
	contains(repo_expand(&repo, "selftest", true), "is committed yet");
	contains(repo_expand(&repo, "nulls", true), "null controls yet");
	repo.ctx = was;
}

static void runs_of_the_same_code(void **state)
{
	(void)state;
	struct trust_spread *s;
	size_t n = trust_spreads(&repo.data, "h200", &repo.arena, &s);
	assert_int_equal(n, 1 + SYNTHETIC_FAMILIES);
	assert_null(s[0].family);
	/* every case took 1 % longer in the second run */
	for (size_t i = 0; i < n; i++) {
		if (!(fabs(s[i].median - log(1.01)) < 2e-4))
			fail_msg("median %g", s[i].median);
		assert_int_equal(s[i].outside, s[i].cases);
	}
	const char *html = repo_expand(&repo, "spread", true);
	contains(html, "data-n=\"spread h200 * median\">");
	contains(html, "data-n=\"spread h200 gemv outside\">100\xC2\xA0%</span>");
}

/* Every case of both families against a plain second count. */
static void intervals_have_widths(void **state)
{
	(void)state;
	struct trust_width *w;
	size_t n = trust_widths(&repo.data, "h200", &repo.arena, &w), cases = 0, reached = 0;
	assert_true(n > 1);
	assert_null(w[0].family);
	for (size_t i = 0; i < repo.data.nnumbers; i++) {
		const struct data_number *d = &repo.data.numbers[i];
		if (d->newest == d->nruns || data_is_instrument(d->in[0]->c->family) ||
		    d->in[d->newest]->time.typical > 1e-3)
			continue;
		cases++;
		reached += stats_halfwidth(&d->in[d->newest]->time) <= 0.0025;
	}
	assert_true(cases > 0);
	assert_int_equal(w[0].cases, cases);
	assert_int_equal(w[0].reached, reached);
	assert_int_equal(w[0].quick, cases); /* these records say nothing of where time went */
	assert_true(w[0].median <= w[0].p90);
	size_t sum = 0;
	for (size_t i = 1; i < n; i++)
		sum += w[i].cases;
	assert_int_equal(sum, cases);
	assert_int_equal(trust_widths(&repo.data, "elsewhere", &repo.arena, &w), 0);
	contains(repo_expand(&repo, "widths", true), "data-n=\"width h200 * reached\">");
	contains(repo_expand(&repo, "widths device=elsewhere", true), "No case of at most 1" NBSP "ms");
}

static void nulls_are_held_against_their_cases(void **state)
{
	(void)state;
	struct trust_null *all;
	size_t n = trust_nulls(&repo.data, "h200", 6, &repo.arena, &all);
	assert_int_equal(n, COPIES); /* those of a selftest are its copies, and not among them */
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(all[i].run->run.head.id, ORDINARY);
		assert_true(fabs(all[i].ratio.typical - (1 + 1e-5 * ((double)i + 2))) < 1e-6);
	}
	const char *html = repo_expand(&repo, "nulls", true);
	contains(html, "data-n=\"null " ORDINARY " adding/chain:pad=0,null=1,dtype=f32,cache=hot\">"
	               "0.002");
	contains(html, " high\">");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_selftest_is_drawn),
	        cmocka_unit_test(without_a_selftest_it_says_so),
	        cmocka_unit_test(runs_of_the_same_code),
	        cmocka_unit_test(intervals_have_widths),
	        cmocka_unit_test(nulls_are_held_against_their_cases),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
