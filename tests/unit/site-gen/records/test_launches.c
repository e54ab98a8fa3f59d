/* Launches that are read when somebody asks for them. */
#include "site-gen/records/launches.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/help/synthetic_repo.h"

static struct repo repo;

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

/* A run whose launches loading did not leave open, because it came from the cache. */
static struct data load(void)
{
	struct data d;
	struct err e = ERR_NONE;
	const struct data_cache c = {arena_printf(&repo.arena, "%s/cache", repo.dir), false};
	for (int i = 0; i < 2; i++)
		must(data_load(repo.dir, repo.git, &c, "h200", &repo.arena, &d, &e), &e);
	return d;
}

static void they_are_those_of_the_record(void **state)
{
	(void)state;
	struct data d = load();
	struct err e = ERR_NONE;
	const struct data_run *r = &d.runs[0];
	const struct run *now = launches_of(r), *kept = launches_of(&repo.data.runs[0]);
	assert_null(r->run.launches);
	assert_ptr_not_equal(now->launches, kept->launches);
	assert_ptr_equal(launches_of(r), now);
	assert_true(now->nlaunches == kept->nlaunches && now->nlaunches == r->run.nlaunches);
	assert_true(now->cases == r->run.cases && now->nulls == r->run.nulls);
	for (size_t i = 0; i < now->nlaunches; i++) {
		const struct run_launch *x = &now->launches[i], *y = &kept->launches[i];
		assert_ptr_equal(x->of, &r->run.cases[y->of - repo.data.runs[0].run.cases]);
		assert_true(x->i == y->i && x->nsamples == y->nsamples);
		assert_memory_equal(x->sample_ns, y->sample_ns, x->nsamples * sizeof(int64_t));
	}
	for (size_t i = 0; i < now->nnull_launches; i++)
		assert_true(now->null_launches[i].of >= r->run.nulls &&
		            now->null_launches[i].of < r->run.nulls + r->run.nnulls);
	assert_true(launches_sound(&d, &e));
	launches_close(&d);
}

/* What a case keeps of its launches is what they say. */
static void a_case_keeps_what_pages_need(void **state)
{
	(void)state;
	struct data d = load();
	const struct run *r = launches_of(&d.runs[0]);
	size_t measured = 0;
	for (size_t i = 0; i < r->ncases; i++) {
		const struct data_case *k = &d.runs[0].cases[i];
		const char *timer = NULL;
		int64_t us = 0, all = 0;
		size_t n = 0;
		for (size_t l = 0; l < r->nlaunches; l++) {
			const struct run_launch *x = &r->launches[l];
			if (x->of != k->c)
				continue;
			us += x->spent_us[RUN_WARM_UP] + x->spent_us[RUN_SAMPLES];
			for (int part = 0; part < RUN_PARTS; part++)
				all += x->spent_us[part];
			if (!record_launch_ok(x))
				continue;
			timer = timer ? timer : x->timer;
			struct run_reading is = record_launch_reading(x);
			if (!k->why_none)
				assert_memory_equal(&is, &k->reading[n], sizeof is);
			n++;
		}
		assert_true(k->measured == (n > 0) && k->busy_s == (double)us * 1e-6);
		assert_true(k->spent_s == (double)all * 1e-6 && k->spent_s >= k->busy_s);
		assert_true(timer ? strcmp(timer, k->timer) == 0 : !k->timer);
		measured += k->measured;
	}
	assert_true(measured > 1);
	launches_close(&d);
}

static void closing_and_opening_again(void **state)
{
	(void)state;
	struct data d = load();
	struct err e = ERR_NONE;
	size_t n = launches_of(&d.runs[0])->nlaunches;
	launches_rest(&d); /* it is small, so it stays open */
	assert_non_null(launches_of(&d.runs[0])->launches);
	launches_close(&d);
	assert_int_equal(launches_of(&d.runs[0])->nlaunches, n);
	launches_close(&d);
	launches_close(&d);
	assert_true(launches_sound(&d, &e));
}

/* A record that has changed since it was loaded is an error, and not another number. */
static void a_record_that_changes_is_an_error(void **state)
{
	(void)state;
	struct data d = load();
	struct err e = ERR_NONE;
	struct str was;
	const char *path = d.runs[0].path;
	must(file_read(arena_printf(&repo.arena, "%s/%s", repo.dir, path), 1 << 26, &repo.arena,
	               &was, &e),
	     &e);
	repo_write(&repo, path, STR("{}\n"));
	assert_int_equal(launches_of(&d.runs[0])->nlaunches, 0);
	assert_false(launches_sound(&d, &e));
	assert_non_null(strstr(e.text, "differs from the record in HEAD"));
	launches_close(&d);
	repo_write(&repo, path, was);
	/* one that was removed is read from HEAD */
	d = load();
	must(unlink(arena_printf(&repo.arena, "%s/%s", repo.dir, path)) == 0, &e);
	assert_int_equal(launches_of(&d.runs[0])->nlaunches, d.runs[0].run.nlaunches);
	e = ERR_NONE;
	assert_true(launches_sound(&d, &e));
	launches_close(&d);
	repo_write(&repo, path, was);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(they_are_those_of_the_record),
	        cmocka_unit_test(a_case_keeps_what_pages_need),
	        cmocka_unit_test(closing_and_opening_again),
	        cmocka_unit_test(a_record_that_changes_is_an_error),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
