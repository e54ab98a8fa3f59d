/*
 * Hardware counters: found, printed, held against the cost model. The values
 * are SYNTHETIC.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/numbers/counters.h"
#include "site-gen/pages/number_page.h"
#include "tests/unit/help/synthetic_rows.h"

#define PROFILE "20260101T000000Z-synthetic-0000000d"
#define OLDER "20260101T000000Z-synthetic-0000000b"
enum { M = 1, N = 28672, K = 8192 };

static const double WEIGHTS = 2.0 * N * K;

#define GEMV(variant_, rank_)                                                     \
	{                                                                         \
		"gemv", variant_, "kernel", "bandwidth", rank_,                   \
		        {{"layer", "ffn", 0}, {"m", NULL, M}}, 2, "bf16", "cold", \
		        {.flop = 2LL * M * N * K,                                 \
		         .bytes_read = 2LL * N * K + 2 * M * K,                   \
		         .bytes_written = 2LL * M * N,                            \
		         .unit = "bf16",                                          \
		         .level = "hbm"},                                         \
		        .seconds = 0                                              \
	}

static const struct synthetic_row rows[] = {GEMV("naive", 0), GEMV("warp", 1), GEMV("cublas", 2)};
enum { NROWS = ARRAY_LEN(rows) };

static struct repo repo;

/* The cases as synthetic.h wrote them: of their own source. */
static struct run_case case_of(const struct synthetic_row *row, bool other_source)
{
	struct run_case c = row_case(row, &repo.arena);
	struct run_source *s = ARENA_NEW(&repo.arena, struct run_source);
	char *blob = arena_alloc(&repo.arena, HASH_GIT_HEX + 1);
	hash_git_blob(synthetic_source("gemv", other_source ? "other" : row->variant, &repo.arena),
	              blob);
	*s = (struct run_source){synthetic_path("gemv", row->variant, &repo.arena), blob};
	c.source = s;
	return c;
}

static void put_profile(const char *id, double traffic, bool other_source)
{
	struct synthetic s = repo_run(&repo, id);
	struct run_head h = synthetic_head(&s);
	struct sb text = {0};
	h.launches = 0;
	struct run_case of[NROWS];
	for (size_t i = 0; i < NROWS; i++)
		of[i] = case_of(&rows[i], other_source);
	record_put_head(&text, &h);
	record_put_cases(&text, of, NROWS);
	for (size_t i = 0; i < NROWS; i++) {
		struct run_counter v[] = {{"time_ns", 1e5},
		                          {"dram_read_bytes", traffic * WEIGHTS},
		                          {"dram_written_bytes", (i ? 2.0 : 1.0) * M * N},
		                          {"occupancy_percent", 75.25},
		                          {"shared_bank_conflicts", 3500000},
		                          {"local_loads", 12},
		                          {"shared_pipe_percent", 20.5},
		                          {"dram_percent", i ? 83.5 : 40.25},
		                          {"stall_memory_warps", 21.5},
		                          {"stall_barrier_warps", 2.25},
		                          {"issue_percent", 134.6}};
		struct run_pair missing[] = {{"l2_hit_percent", "n/a", 0}};
		struct run_counters c = {.of = &of[i],
		                         .tool = "ncu 2025.3",
		                         .kernels = 1,
		                         .value = v,
		                         .n = ARRAY_LEN(v),
		                         .missing = missing,
		                         .nmissing = 1};
		if (i == 2)
			c = (struct run_counters){.of = c.of,
			                          .unavailable = "the profiler did not answer"};
		record_put_counters(&text, &c);
	}
	record_put_end(&text, "complete", h.start, 0, sb_view(&text));
	repo_write(&repo, arena_printf(&repo.arena, "data/profiles/h200/%s.jsonl", id),
	           sb_view(&text));
	sb_free(&text);
}

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
	struct synthetic s = repo_run(&repo, RUN_A);
	repo_add_run(&repo, &s);
	put_profile(OLDER, 9, false);
	put_profile(PROFILE, 1.5, false);
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
		fail_msg("'%s' is not in:\n%.3000s", part, text);
}

static const char *text_of(const char *inside)
{
	return repo_expand(&repo, inside, false);
}

static void the_newest_counts(void **state)
{
	(void)state;
	struct counters k;
	assert_int_equal(repo.data.nprofiles, 2);
	assert_true(counters_of(&repo.data, "h200", case_of(&rows[0], false).id, &k));
	assert_string_equal(k.file->run.head.id, PROFILE);
	assert_true(counters_same_code(&k, k.of));
	assert_false(counters_of(&repo.data, "h200", "gemv/none:m=1", &k));
	assert_false(counters_of(&repo.data, "h100", case_of(&rows[0], false).id, &k));
	/* a profile is no run: nothing of it is published as a number */
	assert_int_equal(repo.data.nruns, 1);
}

/* The unit with the largest share is marked; one without a counter, or above all, is not recorded.
 */
static void the_fullest_unit_of_a_step(void **state)
{
	(void)state;
	const char *html = repo_expand(
	        &repo, "staircase gemv/{naive,warp} layer=ffn m=1 title=\"Steps\"", true);
	contains(html,
	         "<div class=\"unit unit-issue unknown\"><dt>Issue slots</dt><dd>not recorded");
	contains(html, "<div class=\"unit unit-shared\"><dt>Shared memory</dt><dd><a class=\"num "
	               "counter\"");
	contains(html, "<div class=\"unit unit-dram fullest\"><dt>DRAM <span class=\"word\">fullest"
	               "</span></dt>");
	contains(html, "<rect width=\"83.5\" height=\"1\"/>");
	/* the first is far from full, so its warps wait; the second is not */
	const char *slack =
	        strstr(html, "No counted unit is nearly full. Cycles waited for memory");
	assert_non_null(slack);
	assert_null(strstr(slack + 1, "No counted unit is nearly full"));
}

static void large_counts_have_three_digits(void **state)
{
	static const struct {
		double value;
		const char *says;
	} c[] = {
	        {999999, "999999"},
	        {1e6, "1\xC2\xA0million"},
	        {268435456, "268\xC2\xA0million"},
	        {999499999, "999\xC2\xA0million"},
	        {999500000, "1\xC2\xA0"
	                    "billion"},
	        {1034000000, "1.03\xC2\xA0"
	                     "billion"},
	        {1234567890123, "1230\xC2\xA0"
	                        "billion"},
	};
	const struct counter_info *plain = counter_find(STR("instructions"));
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct sb text = {0};
		counter_text(plain, c[i].value, NULL, &text);
		assert_string_equal(text.p, c[i].says);
		sb_free(&text);
	}
}

/* 10^4 and 10^8 have words where 10^6 and 10^9 have none. */
static void other_languages_count_otherwise(void **state)
{
	static const struct {
		double value;
		const char *says;
	} c[] = {
	        {1220000, "122\xC2\xA0万"},       {97600000, "9760\xC2\xA0万"},
	        {99960000, "1\xC2\xA0亿"},        {268435456, "2.68\xC2\xA0亿"},
	        {34359738368.0, "344\xC2\xA0亿"},
	};
	struct config_word word[] = {{"zh", "large_counts", "10000 万 100000000 亿"}};
	struct config config = {.language = "en", .word = word, .nwords = 1};
	const struct words zh = {&config, "zh"};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		struct sb text = {0};
		counter_text(counter_find(STR("instructions")), c[i].value, &zh, &text);
		assert_string_equal(text.p, c[i].says);
		sb_free(&text);
	}
}

static void in_a_sentence(void **state)
{
	(void)state;
	assert_string_equal(text_of("counter gemv/warp occupancy_percent m=1"), "75.2\xC2\xA0%");
	assert_string_equal(text_of("counter gemv/warp shared_bank_conflicts m=1"),
	                    "3.5\xC2\xA0million");
	assert_string_equal(text_of("counter gemv/warp local_loads m=1"), "12");
	assert_string_equal(text_of("counter gemv/warp stall_memory_warps m=1"), "21.5");
	contains(text_of("counter gemv/warp dram_over_model m=1"), "1.50×");
	contains(text_of("counter gemv/warp dram_bytes m=1"), "705\xC2\xA0MB");
	const char *html = repo_expand(&repo, "counter gemv/warp dram_bytes m=1", true);
	contains(html,
	         "<a class=\"num counter\" href=\"/numbers/h200/gemv-warp-layer-ffn-m-1-dtype-"
	         "bf16-cache-cold/#counters\" data-n=\"counter h200 "
	         "gemv/warp:layer=ffn,m=1,dtype=bf16,cache=cold dram_bytes\"");
	assert_non_null(repo.ctx.facts);
}

static void what_is_not_there(void **state)
{
	(void)state;
	contains(text_of("counter gemv/warp speed m=1"),
	         "no counter 'speed', expected one of dram_");
	contains(text_of("counter gemv/warp l2_hit_percent m=1"), "ncu 2025.3 says: n/a");
	contains(text_of("counter gemv/warp tensor_pipe_percent m=1"),
	         "gave no tensor_pipe_percent");
	contains(text_of("counter gemv/cublas dram_bytes m=1"), "the profiler did not answer");
	contains(text_of("counter gemv/warp dram_bytes m=4"), "no counters of this case");
}

static void in_a_table(void **state)
{
	(void)state;
	const char *html = repo_expand(&repo, "counters gemv/* m=1", true);
	contains(html, "DRAM traffic: <code>dram__bytes_read.sum</code> "
	               "<code>dram__bytes_write.sum</code>");
	contains(html, "ncu --clock-control none --cache-control all --profile-from-start off");
	contains(html,
	         "--metrics dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sector_hit_rate");
	contains(html, "build/runner profile --call <span class=\"s\">'gemv/");
	contains(html, "<th scope=\"col\" class=\"right\">DRAM traffic</th>");
	contains(html, "Cycles waited for memory, per instruction</span>");
	contains(html, "colspan=\"5\">the profiler did not answer</td>");
	html = repo_expand(&repo, "counters gemv/* show=local_loads", true);
	contains(html, ">12</a>");
	contains(html, "no counters of this case are recorded");
	contains(repo_expand(&repo, "counters gemv/* show=loads", true), "no counter 'loads'");
	/* what no profiler was asked about may stay out; what is of other code says so */
	html = repo_expand(&repo, "counters gemv/* only=recorded", true);
	assert_null(strstr(html, "no counters of this case are recorded"));
	contains(html, "<tr class=\"kernel\">");
	contains(repo_expand(&repo, "counters transpose/* only=recorded", true),
	         "no counters of 'transpose/*'");
	contains(repo_expand(&repo, "counters gemv/* only=some", true), "expected recorded");
}

static const char *x_of(const char *html, const char *title)
{
	const char *at = strstr(html, title), *cx = at ? strstr(at, " cx=\"") : NULL;
	if (!cx)
		fail_msg("no point '%s' in %.2000s", title, html);
	return arena_strndup(&repo.arena, cx, 12);
}

static void a_roofline_by_counted_bytes(void **state)
{
	(void)state;
	repo.ctx.generated = true; /* it has no title */
	const char *html = repo_expand(&repo, "roofline gemv/* bytes=measured", true);
	contains(html, "roofline, over the counted DRAM traffic");
	x_of(html, "warp, ffn, 1 token,");
	assert_null(strstr(html, "warp, ffn, 4 tokens, bf16, cold cache: "));
	contains(repo_expand(&repo, "roofline gemv/* bytes=guessed", true),
	         "expected model or measured");
	contains(repo_expand(&repo, "roofline gemv/*:m=4 bytes=measured", true),
	         "has counters of its bytes");
}

static void where_the_model_is_blind(void **state)
{
	(void)state;
	struct counted_case *c;
	size_t n = counters_differing(&repo.data, "h200", &repo.arena, &c);
	assert_int_equal(n, 2); /* of the third there are none */
	assert_true(fabs(c[0].ratio - 1.5) < 0.01);
}

/* The section of a case's page that says what its counters say. */
static const char *section_of(const struct synthetic_row *row)
{
	struct data_number n = {.device = "h200", .id = case_of(row, false).id};
	struct number_view v = {.n = &n, .a = &repo.arena};
	struct sb to = {0};
	number_page_counters(&repo.ctx, &v, &to);
	return sb_take(&repo.arena, &to);
}

static void what_was_written_and_what_is_none(void **state)
{
	(void)state;
	contains(section_of(&rows[0]), "were still in the L2 when it ended");
	contains(section_of(&rows[1]), "the least that the problem needs.</p>");
	contains(section_of(&rows[1]), "Not shown: <code>issue_percent</code>");
	contains(section_of(&rows[2]), "the profiler did not answer");
}

/* A share of more than all is none, wherever it would stand; what is left for rounding is one. */
static void more_than_all_is_no_share(void **state)
{
	struct counters k = {0};
	struct run_counter v = {"l2_hit_percent", 134.6};
	struct run_counters c = {.tool = "ncu 2025.3", .value = &v, .n = 1};
	const struct counter_info *hits = counter_find(STR("l2_hit_percent"));
	double value;
	(void)state;
	k.c = &c;
	assert_true(counter_is_refused(&k, hits));
	assert_false(counter_value(&k, hits, &value));
	contains(counter_missing(&k, hits, NULL, &repo.arena), "above its maximum");
	v.value = 100.09;
	assert_false(counter_is_refused(&k, hits));
	assert_true(counter_value(&k, hits, &value) && value == 100.09);
	v = (struct run_counter){"stall_memory_warps", 134.6}; /* cycles per instruction */
	assert_true(counter_value(&k, counter_find(STR("stall_memory_warps")), &value));
	contains(text_of("counter gemv/naive issue_percent m=1"), "above its maximum");
	assert_null(strstr(repo_expand(&repo, "counters gemv/naive m=1 show=issue_percent", true),
	                   "134"));
}

/* Last: it changes the records. */
/* What a library chose by trying is part of what was looked at. */
static void counters_of_another_choice(void **state)
{
	(void)state;
	struct run_case measured = case_of(&rows[0], false), looked_at = measured;
	measured.build.library = looked_at.build.library = "Synthetic 1.0; 8 warps";
	struct run_counters c = {.of = &looked_at};
	const struct counters k = {.c = &c, .of = &looked_at};
	assert_true(counters_same_code(&k, &measured));
	c.library = "Synthetic 1.0; 4 warps";
	assert_false(counters_same_code(&k, &measured));
	measured.build.library = c.library;
	assert_true(counters_same_code(&k, &measured));
	measured.build.library = NULL;
	assert_true(counters_same_code(&k, &measured));
}

static void counters_of_other_code(void **state)
{
	(void)state;
	put_profile("20260102T000000Z-synthetic-0000000e", 1.5, true);
	repo_commit(&repo);
	repo_load(&repo);
	assert_string_equal(text_of("counter gemv/warp local_loads m=1"),
	                    "12 (code changed since)");
	const struct fact *f = repo.ctx.facts;
	assert_non_null(f->not_of.d);
	assert_string_equal(f->not_of.d->c->id, case_of(&rows[1], false).id);
	const char *html = repo_expand(&repo, "counter gemv/warp local_loads m=1", true);
	contains(html,
	         "; code changed since: these counters come from a later build of this variant\"");
	contains(html, " data-state=\"stale\">12<sup class=\"mark\" data-state=\"stale\">code "
	               "changed since</sup></a>");
	html = repo_expand(&repo, "counters gemv/* m=1 show=local_loads", true);
	contains(html, ">12<sup class=\"mark\" data-state=\"stale\">code changed since</sup></a>");
	contains(html, "the profiler did not answer</td>");
	struct counted_case *c;
	assert_int_equal(counters_differing(&repo.data, "h200", &repo.arena, &c), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_newest_counts),
	        cmocka_unit_test(the_fullest_unit_of_a_step),
	        cmocka_unit_test(large_counts_have_three_digits),
	        cmocka_unit_test(other_languages_count_otherwise),
	        cmocka_unit_test(in_a_sentence),
	        cmocka_unit_test(what_is_not_there),
	        cmocka_unit_test(in_a_table),
	        cmocka_unit_test(a_roofline_by_counted_bytes),
	        cmocka_unit_test(where_the_model_is_blind),
	        cmocka_unit_test(what_was_written_and_what_is_none),
	        cmocka_unit_test(more_than_all_is_no_share),
	        cmocka_unit_test(counters_of_other_code),
	        cmocka_unit_test(counters_of_another_choice),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
