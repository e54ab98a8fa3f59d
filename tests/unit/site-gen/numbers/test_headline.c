/* The headline case of a family: what its front matter may say, and what a device measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/lua/config.h"
#include "site-gen/numbers/headline.h"
#include "tests/unit/help/synthetic_repo.h"

#define AT "content/kernels/transpose.md:"

static struct config_language languages[] = {{.code = "en"}, {.code = "zh"}};
static const struct config config = {.language = "en", .languages = languages, .nlanguages = 2};

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic a = repo_run(&repo, RUN_A), b = repo_run(&repo, RUN_B);
	a.slower = 2;
	b.wrong = "transpose/padded"; /* the fastest has no number in the newer run */
	repo_add_run(&repo, &a);
	repo_add_run(&repo, &b);
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

static void write_front(const char *file, const char *keys)
{
	const char *text = arena_printf(
	        &repo.arena, "---\ntitle: Transpose\ndescription: It does.\n%s---\n\nText.\n",
	        keys);
	repo_write(&repo, arena_printf(&repo.arena, "content/kernels/%s", file), str_of(text));
}

static bool load(const char *keys, struct headlines *all, struct err *e)
{
	*e = ERR_NONE;
	write_front("transpose.md", keys);
	return headlines_load(&repo.data, &config, &repo.arena, all, e);
}

#define GOOD "headline: \"rows=16384 dtype=f32\"\ncase: large\ntask: move\n"

static struct headline_result result_of(const char *keys)
{
	struct headlines all;
	struct headline_result r;
	struct err e;
	if (!load(keys, &all, &e))
		fail_msg("%s", e.text);
	assert_int_equal(all.n, 1);
	assert_ptr_equal(headline_find(&all, "transpose"), &all.all[0]);
	assert_null(headline_find(&all, "stream"));
	assert_true(headline_result(&repo.ctx, &all.all[0], &r));
	return r;
}

static void refuses(const char *keys, const char *want)
{
	struct headlines all;
	struct err e;
	if (load(keys, &all, &e))
		fail_msg("accepted: %s", keys);
	if (!str_starts(str_of(e.text), want))
		assert_string_equal(e.text, want);
}

static void bad_headlines_have_a_place(void **state)
{
	static const struct {
		const char *keys, *error;
	} row[] = {
	        {"headline: rows=16384 dtype=f32\n",
	         AT "4:11: headline without a name for readers, expected the key 'case', too"},
	        {"headline: rows=16384\ncase: x\n",
	         AT "4:11: a headline has one case of each variant, on h200 it has several; say "
	            "dtype="},
	        {"headline: rows=5 dtype=f32\ncase: x\n",
	         AT "4:16: no case of transpose/* has rows=5, expected one of 4096, 16384"},
	        {"headline: \"rows=16384 dtype=f32 metric=speed\"\ncase: x\n",
	         AT "4:40: unknown metric 'speed', expected bandwidth, time"},
	        {"headline: \"rows=16384 dtype=f32 run=20260101\"\ncase: x\n",
	         AT "4:37: a headline is the newest number of each device, expected neither"},
	        {"headline: \"tile rows=16384\"\ncase: x\n",
	         AT "4:12: 'tile' is no condition of a headline, expected key=value"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++)
		refuses(row[i].keys, row[i].error);
}

/* Loading the page says what is wrong with it. */
static void a_family_without_a_headline_has_none(void **state)
{
	struct headlines all;
	struct err e;
	(void)state;
	assert_true(load("", &all, &e));
	assert_int_equal(all.n, 0);
	assert_true(load("wrong: key\n", &all, &e));
	assert_int_equal(all.n, 0);
}

static void each_language_has_its_texts(void **state)
{
	const struct words en = {&config, "en"}, zh = {&config, "zh"};
	struct headlines all;
	struct err e;
	(void)state;
	write_front("transpose.zh.md", "case: 大\npost: /zh/posts/x/\n");
	assert_true(load(GOOD "post: /posts/x/\nread: Short\n", &all, &e));
	const struct headline *h = &all.all[0];
	assert_string_equal(h->task, "move");
	assert_string_equal(headline_words(h, NULL)->name, "large");
	assert_string_equal(headline_words(h, &en)->post, "/posts/x/");
	assert_string_equal(headline_words(h, &zh)->name, "大");
	assert_string_equal(headline_words(h, &zh)->post, "/zh/posts/x/");
	assert_string_equal(headline_words(h, &zh)->read, "Short");
}

static void own_kernels_come_before_libraries(void **state)
{
	static const char *const want[] = {"naive", "tile", "cublas"};
	struct headline_result r = result_of(GOOD);
	(void)state;
	assert_int_equal(r.metric, METRIC_BANDWIDTH);
	assert_int_equal(r.nsteps, ARRAY_LEN(want));
	assert_int_equal(r.nown, 2);
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		assert_string_equal(r.steps[i].pick.d->c->variant, want[i]);
}

/* `padded` was wrong in the newer run, so its older number does not count. */
static void the_newest_number_of_each_variant_counts(void **state)
{
	struct headline_result r = result_of(GOOD);
	(void)state;
	assert_string_equal(r.best.pick.d->c->variant, "tile");
	assert_string_equal(r.best.pick.run->run.head.id, RUN_B);
	assert_string_equal(r.library->pick.d->c->variant, "cublas");
	assert_null(r.eager);
	assert_false(r.has_over_eager);
	assert_true(r.has_over_library);
	assert_true(fabs(r.over_library.value - 0.62 / 0.79) < 0.01);
	assert_ptr_equal(r.over_library.pick.run, r.over_library.over.run);
	assert_string_equal(r.peak->key, "hbm");
	assert_true(fabs(r.share.value - 62) < 1);
	assert_int_equal(r.limiter.limiter, LIMITER_MEMORY);
	assert_int_equal(r.flop, 0);
	assert_int_equal(r.bytes, 2LL * 16384 * 16384 * 4);
}

/* A shorter time is better, and "times as fast" stays above one for the faster. */
static void times_turn_round(void **state)
{
	struct headline_result r =
	        result_of("headline: \"rows=16384 dtype=f32 metric=time\"\ncase: x\n");
	(void)state;
	assert_string_equal(r.best.pick.d->c->variant, "tile");
	assert_true(fabs(r.over_library.value - 0.62 / 0.79) < 0.01);
	assert_null(r.peak);
}

static void the_past_is_what_was_known_after_each_run(void **state)
{
	struct headline_result r = result_of(GOOD);
	(void)state;
	assert_int_equal(r.npast, 2);
	assert_string_equal(r.past[0].run->run.head.id, RUN_A);
	assert_string_equal(r.past[0].best.pick.d->c->variant, "padded");
	assert_string_equal(r.past[1].run->run.head.id, RUN_B);
	assert_string_equal(r.past[1].best.pick.d->c->variant, "tile");
	assert_true(r.past[1].best.value > r.past[0].best.value);
}

static void another_device_may_have_nothing(void **state)
{
	struct headlines all;
	struct headline_result r;
	struct expand_ctx ctx = repo.ctx;
	struct err e;
	(void)state;
	ctx.device = "h100";
	assert_true(load(GOOD, &all, &e));
	assert_false(headline_result(&ctx, &all.all[0], &r));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(bad_headlines_have_a_place),
	        cmocka_unit_test(a_family_without_a_headline_has_none),
	        cmocka_unit_test(each_language_has_its_texts),
	        cmocka_unit_test(own_kernels_come_before_libraries),
	        cmocka_unit_test(the_newest_number_of_each_variant_counts),
	        cmocka_unit_test(times_turn_round),
	        cmocka_unit_test(the_past_is_what_was_known_after_each_run),
	        cmocka_unit_test(another_device_may_have_nothing),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
