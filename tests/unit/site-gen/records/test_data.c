/* Loading records: numbers that may be shown, their states, and records that are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/gzip.h"
#include "site-gen/records/data.h"
#include "site-gen/records/judge.h"
#include "site-gen/records/launches.h"
#include "tests/unit/help/synthetic_repo.h"

static const struct data_case *find_case(const struct repo *r, const char *start)
{
	for (size_t i = 0; i < r->data.nruns; i++)
		for (size_t k = 0; k < r->data.runs[i].run.ncases; k++)
			if (strncmp(r->data.runs[i].run.cases[k].id, start, strlen(start)) == 0)
				return &r->data.runs[i].cases[k];
	return NULL;
}

static void committed_and_fresh_is_ok(void **state)
{
	(void)state;
	struct repo r;
	repo_ready(&r);
	assert_int_equal(r.data.nruns, 1);
	assert_true(r.data.runs[0].committed);
	assert_null(r.data.runs[0].why_none);
	assert_string_equal(r.data.runs[0].url, "/runs/" RUN_A "/");
	const struct data_case *d = find_case(&r, "transpose/tile:");
	assert_null(d->why_none);
	assert_int_equal(d->state, DATA_OK);
	assert_null(d->why_state);
	assert_int_equal(d->time.launches, 10);
	assert_string_equal(d->anchor, "transpose-tile-rows-4096-cols-4096-dtype-f32-cache-cold");
	d = find_case(&r, "transpose/ring:");
	assert_string_equal(d->why_none, "not measured: not built here");
	assert_int_equal(r.data.ndevices, 1);
	assert_true(r.data.nspecs > 8);
	repo_free(&r);
}

/* Its numbers are taken out of the runner's sentence, so that each language says it. */
static void too_long_for_a_burst(void **state)
{
	static const char heavy[] = "a call takes 3.9 ms, too long for a burst: the power limit "
	                            "lowers the clock after 25 ms of load; measure load=steady";
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.unavailable = heavy;
	repo_add_run(&r, &s);
	repo_load(&r);
	const struct data_case *d = find_case(&r, "transpose/ring:");
	assert_string_equal(d->none.word, "why_heavy");
	assert_string_equal(d->none.with[0], "3.9");
	assert_string_equal(d->none.with[1], "25");
	assert_string_equal(d->why_none, arena_printf(r.data.arena, "not measured: %s", heavy));
	repo_free(&r);
}

static void not_committed_is_a_preview(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	repo_load(&r);
	assert_int_equal(find_case(&r, "transpose/tile:")->state, DATA_PREVIEW);
	repo_free(&r);
	repo_make(&r, false);
	s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	repo_load(&r);
	assert_int_equal(find_case(&r, "transpose/tile:")->state, DATA_PREVIEW);
	repo_free(&r);
}

static void changed_source_is_stale(void **state)
{
	(void)state;
	struct repo r;
	repo_ready(&r);
	repo_write(&r, "kernels/transpose/tile.cu", STR("// another\n"));
	repo_load(&r); /* in the work tree only: HEAD counts */
	assert_int_equal(find_case(&r, "transpose/tile:")->state, DATA_OK);
	repo_commit(&r);
	repo_load(&r);
	const struct data_case *d = find_case(&r, "transpose/tile:");
	assert_int_equal(d->state, DATA_STALE);
	assert_string_equal(d->why_state, "kernels/transpose/tile.cu has changed since");
	assert_int_equal(find_case(&r, "transpose/naive:")->state, DATA_OK);
	repo_git(&r, "rm -q kernels/transpose/tile.cu");
	repo_commit(&r);
	repo_load(&r);
	assert_string_equal(find_case(&r, "transpose/tile:")->why_state,
	                    "kernels/transpose/tile.cu is not in HEAD");
	repo_free(&r);
}

static void a_case_without_sources_has_no_number(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.sourceless = "transpose/tile";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct data_case *d = find_case(&r, "transpose/tile:");
	assert_string_equal(d->why_none, "it names no source, so nothing says what was measured");
	assert_int_equal(d->none_rule, RULE_CLEAN);
	assert_int_equal(find_case(&r, "transpose/naive:")->state, DATA_OK);
	repo_free(&r);
}

static void unknown_commit_is_not_clean(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.commit = "0123456789012345678901234567890123456789";
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	s.commit = NULL;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_int_equal(r.data.runs[1].cases[0].state, DATA_STALE);
	assert_non_null(strstr(r.data.runs[1].cases[0].why_state, "git fetch --unshallow"));
	assert_int_equal(r.data.runs[0].cases[0].state, DATA_STALE);
	assert_string_equal(r.data.runs[0].cases[0].why_state, "measured outside a git checkout");
	repo_free(&r);
}

static void few_launches_are_unsteady(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.launches = 5;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct data_case *d = find_case(&r, "transpose/tile:");
	assert_int_equal(d->state, DATA_UNSTEADY);
	assert_string_equal(d->why_state, "5 processes, at least 10 are needed");
	repo_free(&r);
}

static void wrong_results_publish_nothing(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.wrong = "transpose/tile";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct data_case *d = find_case(&r, "transpose/tile:");
	assert_true(d->failed);
	assert_string_equal(d->why_none, "its results were wrong in 10 of 10 processes");
	assert_null(find_case(&r, "transpose/naive:")->why_none);
	repo_free(&r);
}

static void more_than_the_peak_is_impossible(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.slower = 0.7;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_non_null(
	        strstr(find_case(&r, "transpose/padded:rows=16384")->why_none,
	               "impossible: its bandwidth is 115 % of the theoretical peak (HBM3e"));
	assert_null(find_case(&r, "transpose/naive:")->why_none);
	repo_free(&r);
}

/* Cold data comes from memory or over NVLink, whose peak holds hot data, too. */
static void where_the_bytes_come_from(void **state)
{
	(void)state;
	static const char cache[] = "impossible: it is cold, and its bytes come from 'cache'",
	                  peak[] = "% of the theoretical peak (NVLink";
	static const struct {
		const char *level;
		double slower;
		const char *cold, *hot; /* why the case has no number; NULL: it has one */
	} rows[] = {
	        {"cache", 1, cache, NULL}, {"nvlink", 10, NULL, NULL}, {"nvlink", 1, peak, peak}};
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct repo r;
		repo_make(&r, true);
		struct synthetic s = repo_run(&r, RUN_A);
		s.level = rows[i].level;
		s.slower = rows[i].slower;
		repo_add_run(&r, &s);
		repo_commit(&r);
		repo_load(&r);
		const char *want[] = {rows[i].cold, rows[i].hot};
		for (size_t hot = 0; hot < ARRAY_LEN(want); hot++) {
			const char *id = "stream/scalar:op=copy,n=268435456,dtype=f32,cache=";
			const char *why = find_case(&r, arena_printf(&r.arena, "%s%s", id,
			                                             hot ? "hot" : "cold"))
			                          ->why_none;
			if (!why != !want[hot] || (why && !strstr(why, want[hot])))
				fail_msg("row %zu, hot %zu: %s", i, hot, why ? why : "(none)");
		}
		repo_free(&r);
	}
}

static void interrupted(struct repo *r, const char *id, const char *start, int made)
{
	struct synthetic s = repo_run(r, id);
	s.start = start;
	s.status = "partial";
	s.made = made;
	repo_add_run(r, &s);
}

/* Number of launches that a run still has of its first such case. */
static size_t tally_of(const struct data_run *r, const char *start)
{
	const struct run_case *c = NULL;
	size_t n = 0;
	for (size_t i = r->run.ncases; i-- > 0;)
		if (strncmp(r->run.cases[i].id, start, strlen(start)) == 0)
			c = &r->run.cases[i];
	const struct run *whole = launches_of(r);
	for (size_t i = 0; i < whole->nlaunches; i++)
		n += whole->launches[i].of == c;
	return n;
}

static void cut_runs_publish_nothing(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_B);
	s.status = NULL;
	s.start = "2026-01-02T00:00:00Z";
	repo_add_run(&r, &s);
	interrupted(&r, RUN_A, "2026-01-01T00:00:00Z", 4);
	repo_commit(&r);
	repo_load(&r);
	assert_non_null(strstr(r.data.runs[0].why_none, "not whole"));
	assert_non_null(strstr(r.data.runs[1].why_none,
	                       "interrupted: of 10 processes 4 are whole, and 5 are needed"));
	assert_non_null(r.data.runs[0].cases[0].why_none);
	/* the partial results were still seen, so no later prediction counts as made before them */
	assert_int_equal(tally_of(&r.data.runs[1], "gemv/warp:"), 5);
	assert_int_equal(r.data.families.n, 0);
	repo_free(&r);
}

/* Results of some cases from an incomplete launch do not count. */
static void of_an_interrupted_run_whole_launches_count(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	interrupted(&r, RUN_A, "2026-01-01T00:00:00Z", 6);
	repo_commit(&r);
	repo_load(&r);
	assert_null(r.data.runs[0].why_none);
	assert_int_equal(r.data.runs[0].kept, 6);
	assert_int_equal(find_case(&r, "transpose/naive:")->time.launches, 6);
	assert_int_equal(find_case(&r, "gemv/warp:")->time.launches, 6);
	repo_free(&r);
}

static void an_interrupted_run_lacks_something(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	interrupted(&r, RUN_A, "2026-01-01T00:00:00Z", 0);
	repo_commit(&r);
	repo_load(&r);
	assert_non_null(strstr(r.data.runs[0].why_none, "contradicts itself: it says that it was "
	                                                "interrupted, and nothing is missing"));
	repo_free(&r);
}

static void without_the_fifth(struct run_launch *l)
{
	l->i += l->i >= 4;
}

/* Interrupted runs as no runner leaves them. */
static void an_interruption_is_no_choice(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.status = "partial";
	s.made = 7;
	s.twist = without_the_fifth;
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	s.status = "aborted";
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_non_null(
	        strstr(r.data.runs[1].why_none, "contradicts itself: launch 4 of transpose/"));
	assert_non_null(strstr(r.data.runs[1].why_none, " is missing, and launch 5 follows"));
	assert_non_null(strstr(r.data.runs[0].why_none, "it ended as 'aborted'"));
	repo_free(&r);
}

/* Somebody's second measurement never takes the place of the run it checks. */
static void a_replication_publishes_nothing(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	s.replicates = RUN_A;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_string_equal(r.data.runs[0].why_none, "it is a replication of run " RUN_A);
	assert_null(r.data.runs[1].why_none);
	assert_true(data_case_offered(&r.data.runs[1].cases[0]));
	assert_null(r.data.runs[1].cases[0].why[DATA_SUPERSEDED]);
	repo_free(&r);
}

static void an_edited_record_is_refused(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_ready(&r);
	struct synthetic s = repo_run(&r, RUN_A);
	s.slower = 0.9; /* the same file, faster: valid, hashed, but not what was committed */
	repo_add_run(&r, &s);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "data/runs/h200/" RUN_A ".jsonl: differs from the record in "
	                               "HEAD"));
	assert_int_equal(unlink(arena_printf(&r.arena, "%s/%s", r.dir, repo_run_path(&r, &s))), 0);
	repo_load(&r); /* only missing in the work tree: HEAD's blob is read */
	assert_true(r.data.runs[0].committed);
	assert_null(find_case(&r, "transpose/tile:")->why_none);
	repo_add_run(&r, &s);
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "changed this record"));
	assert_non_null(strstr(e.text, "[whole]"));
	s.slower = 1; /* as it was measured: all is well again */
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_int_equal(unlink(arena_printf(&r.arena, "%s/%s", r.dir, repo_run_path(&r, &s))), 0);
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "data/runs/h200/" RUN_A ".jsonl: commit "));
	assert_non_null(strstr(e.text, "removed this record"));
	repo_free(&r);
}

/* Replaces the run file by its packed form, of the text with `slower`. */
static void pack(struct repo *r, struct synthetic *s, double slower)
{
	struct sb text = {0}, small = {0};
	const char *plain = repo_run_path(r, s);
	s->slower = slower;
	synthetic_run(&text, s, &r->arena);
	assert_true(gzip_pack(sb_view(&text), &small));
	repo_write(r, arena_printf(&r->arena, "%s.gz", plain), sb_view(&small));
	unlink(arena_printf(&r->arena, "%s/%s", r->dir, plain));
	sb_free(&text);
	sb_free(&small);
}

static void a_record_may_be_packed(void **state)
{
	(void)state;
	struct repo r;
	repo_ready(&r);
	struct synthetic s = repo_run(&r, RUN_A);
	const char *recorded = arena_strdup(&r.arena, r.data.runs[0].recorded);
	const char *plain = arena_strdup(&r.arena, r.data.runs[0].blob);
	pack(&r, &s, 1);
	repo_commit(&r);
	repo_load(&r);
	const struct data_run *run = &r.data.runs[0];
	assert_int_equal(r.data.nruns, 1);
	assert_string_equal(run->path, "data/runs/h200/" RUN_A ".jsonl.gz");
	assert_string_equal(run->recorded, recorded); /* the commit that had it first */
	assert_string_equal(run->lines_blob, plain);
	assert_string_not_equal(run->blob, plain);
	assert_null(find_case(&r, "transpose/tile:")->why_none);
	size_t packed = 0;
	for (size_t i = 0; i < r.data.history.n; i++)
		packed += judge_packed(&r.data, &r.data.history.change[i]);
	assert_int_equal(packed, 1);
	repo_free(&r);
}

static void a_record_packed_with_other_lines_is_refused(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_ready(&r);
	struct synthetic s = repo_run(&r, RUN_A);
	pack(&r, &s, 0.9);
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "data/runs/h200/" RUN_A ".jsonl: commit "));
	assert_non_null(strstr(e.text, "removed this record"));
	pack(&r, &s, 1);
	repo_commit(&r);
	repo_load(&r);
	pack(&r, &s, 0.9); /* later than its packing */
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "changed this record"));
	repo_free(&r);
}

/* One byte of the lines differs: first in the commit that packs the record, then in later ones. */
static void a_byte_of_a_packed_record_counts(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	struct sb text = {0}, small = {0};
	repo_ready(&r);
	struct synthetic s = repo_run(&r, RUN_A);
	const char *plain = arena_strdup(&r.arena, repo_run_path(&r, &s));
	const char *gz = arena_printf(&r.arena, "%s.gz", plain);
	synthetic_run(&text, &s, &r.arena);
	const size_t at[] = {1, text.n / 3, text.n - 3};
	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		char *byte = text.p + at[i];
		*byte ^= 1;
		sb_clear(&small);
		assert_true(gzip_pack(sb_view(&text), &small));
		*byte ^= 1;
		repo_write(&r, gz, sb_view(&small));
		unlink(arena_printf(&r.arena, "%s/%s", r.dir, plain));
		repo_commit(&r);
		assert_false(repo_try_load(&r, &e));
		assert_non_null(strstr(e.text, "[whole]"));
		sb_clear(&small);
		assert_true(gzip_pack(sb_view(&text), &small));
		repo_write(&r, gz, sb_view(&small));
		repo_commit(&r);
		repo_load(&r);
	}
	sb_free(&text);
	sb_free(&small);
	repo_free(&r);
}

/* The same lines, compressed by another program; and plain again. */
static void the_container_of_a_record_may_change(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	pack(&r, &s, 1);
	repo_commit(&r);
	repo_load(&r);
	const char *first = arena_strdup(&r.arena, r.data.runs[0].blob);
	const char *lines = arena_strdup(&r.arena, r.data.runs[0].lines_blob);
	const char *path = arena_printf(&r.arena, "%s/%s", r.dir, r.data.runs[0].path);
	assert_int_equal(
	        system(arena_printf(&r.arena, "gzip -dc %s | gzip -n1 >%s.new && mv %s.new %s",
	                            path, path, path, path)),
	        0);
	repo_commit(&r);
	repo_load(&r);
	assert_string_not_equal(r.data.runs[0].blob, first);
	assert_string_equal(r.data.runs[0].lines_blob, lines);
	assert_int_equal(unlink(path), 0);
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	assert_string_equal(r.data.runs[0].blob, lines);
	repo_free(&r);
}

/*
 * Two branches add a record of one id, and their merge keeps that of the branch `other`, which
 * has the lines with `slower`, packed or plain. `other_first`: that branch is the first parent.
 */
static bool merged(struct repo *r, double slower, bool packed, bool other_first, struct err *e)
{
	repo_make(r, true);
	struct synthetic s = repo_run(r, RUN_A);
	repo_git(r, "checkout -q -b other");
	if (packed)
		pack(r, &s, slower);
	s.slower = slower;
	if (!packed)
		repo_add_run(r, &s);
	repo_commit(r);
	repo_git(r, "checkout -q main");
	s.slower = 1;
	repo_add_run(r, &s);
	repo_commit(r);
	if (other_first)
		repo_git(r, "checkout -q other");
	repo_git(r, arena_printf(&r->arena, "merge -q -s ours -m merge %s",
	                         other_first ? "main" : "other"));
	repo_git(r, "rm -rq data/runs");
	repo_git(r, "checkout -q other -- data/runs");
	repo_git(r, "commit -q --amend --allow-empty -m merge");
	return repo_try_load(r, e);
}

static void a_record_has_one_first_form(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++) {
		struct repo r;
		struct err e;
		bool packed = i & 1, other_first = i & 2, same = i & 4;
		assert_int_equal(merged(&r, same ? 1 : 0.9, packed, other_first, &e), same);
		if (!same) {
			assert_non_null(
			        strstr(e.text, ", neither after the other, added this record"));
			assert_non_null(strstr(e.text, "[whole]"));
		}
		repo_free(&r);
	}
}

/* One that was removed and added again has a first form: it is mended by that alone. */
static void a_record_that_comes_back_is_the_first(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_ready(&r);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_git(&r, "rm -q -r data/runs");
	repo_git(&r, "commit -q -m removed");
	s.slower = 0.9;
	repo_add_run(&r, &s);
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "removed this record"));
	s.slower = 1;
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	repo_free(&r);
}

static void a_record_in_both_forms_is_refused(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_ready(&r);
	struct synthetic s = repo_run(&r, RUN_A);
	pack(&r, &s, 1);
	repo_add_run(&r, &s);
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, RUN_A ".jsonl.gz: is there plain, too"));
	repo_free(&r);
}

static void a_run_in_the_wrong_place_is_refused(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	struct sb text = {0};
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	synthetic_run(&text, &s, &r.arena);
	repo_write(&r, "data/runs/h100/" RUN_A ".jsonl", sb_view(&text));
	sb_free(&text);
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "belongs in data/runs/h200/" RUN_A ".jsonl"));
	repo_free(&r);
}

static void broken_lines_name_their_place(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_make(&r, true);
	repo_write(&r, "data/runs/h200/x.jsonl", STR("{\"type\":\"run\"\n"));
	assert_false(repo_try_load(&r, &e));
	assert_non_null(strstr(e.text, "data/runs/h200/x.jsonl:1"));
	repo_free(&r);
}

static void families_come_from_the_newest_run(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	s = repo_run(&r, RUN_B);
	s.start = "2026-01-02T00:00:00Z";
	repo_add_run(&r, &s);
	repo_load(&r);
	const struct data_families *f = &r.data.families;
	assert_int_equal(f->n, 3);
	assert_string_equal(f->all[0].id, "gemv");
	assert_string_equal(f->all[2].url, "/kernels/transpose/");
	assert_string_equal(f->all[2].newest->run.head.id, RUN_B);
	repo_free(&r);
}

/* Nor can one in the past put a run before the commit that it measured. */
static void a_run_before_its_commit_publishes_nothing(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic now = repo_run(&r, RUN_A), before = repo_run(&r, RUN_A);
	before.id = "20251231T230000Z-synthetic-0000000b"; /* two hours before its commit */
	before.start = "2025-12-31T23:00:00Z";
	repo_add_run(&r, &now);
	repo_add_run(&r, &before);
	repo_commit(&r);
	repo_load(&r);
	assert_null(r.data.runs[0].why_none);
	assert_non_null(strstr(r.data.runs[1].why_none,
	                       "it began on 2025-12-31T23:00:00Z, before the commit "));
	assert_int_equal(r.data.runs[1].cases[0].none_rule, RULE_WHOLE);
	repo_free(&r);
}

/* A wrong clock must not make a run the newest forever. */
static void a_run_from_the_future_publishes_nothing(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic now = repo_run(&r, RUN_A), later = repo_run(&r, RUN_A);
	later.id = "20270101T000000Z-synthetic-0000000b"; /* a year after its commit */
	later.start = "2027-01-01T00:00:00Z";
	repo_add_run(&r, &now);
	repo_add_run(&r, &later);
	repo_commit(&r);
	repo_load(&r);
	assert_string_equal(r.data.runs[0].run.head.id, later.id);
	assert_non_null(strstr(r.data.runs[0].why_none, "it began on 2027-01-01, after commit "));
	assert_int_equal(r.data.runs[0].cases[0].none_rule, RULE_WHOLE);
	assert_null(r.data.runs[1].why_none);
	for (size_t i = 0; i < r.data.nnumbers; i++)
		if (r.data.numbers[i].newest < r.data.numbers[i].nruns)
			assert_string_equal(
			        r.data.numbers[i].runs[r.data.numbers[i].newest]->run.head.id,
			        RUN_A);
	repo_free(&r);
}

/* Not even one that is not whole, or in data/profiles: it stops every build, audit and deploy. */
static void a_made_up_run_is_refused(void **state)
{
	(void)state;
	static const char *const path[] = {"data/runs/h200/" RUN_A ".jsonl",
	                                   "data/profiles/h200/" RUN_A ".jsonl"};
	for (size_t i = 0; i < ARRAY_LEN(path); i++) {
		struct repo r;
		struct err e;
		struct sb text = {0}, made_up = {0};
		repo_make(&r, true);
		struct synthetic s = repo_run(&r, RUN_A);
		synthetic_run(&text, &s, &r.arena);
		size_t at = (size_t)(strstr(text.p, RECORD_SCHEMA) - text.p);
		sb_put(&made_up, text.p, at);
		sb_cstr(&made_up, RECORD_PRETENDED_SCHEMA);
		sb_cstr(&made_up, text.p + at + strlen(RECORD_SCHEMA));
		repo_write(&r, path[i], sb_view(&made_up));
		assert_false(repo_try_load(&r, &e));
		assert_non_null(strstr(e.text, path[i]));
		assert_non_null(strstr(e.text, "of a pretended device"));
		sb_free(&text);
		sb_free(&made_up);
		repo_free(&r);
	}
}

static void specs_are_checked(void **state)
{
	(void)state;
	static const struct {
		const char *text, *error;
	} bad[] = {
	        {"[]", "data/specs/h999.json: expected an object"},
	        {"{\"device\":\"h1\",\"name\":\"x\",\"sources\":{},\"specs\":[]}",
	         "device 'h1' must be the name of its file, 'h999'"},
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{},\"specs\":[],\"z\":1}",
	         "unknown member 'z'"},
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{},\"specs\":[{\"key\":\"a\","
	         "\"title\":\"t\",\"value\":1,\"unit\":\"furlong\",\"source\":\"s\",\"quote\":\"q\""
	         "}]}",
	         "unknown unit 'furlong'"},
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{},\"specs\":[{\"key\":\"a\","
	         "\"title\":\"t\",\"value\":1,\"unit\":\"B/s\",\"source\":\"s\",\"quote\":\"1 "
	         "B/s\"}]}",
	         "names the source 's'"},
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{},\"specs\":[{\"key\":\"a\","
	         "\"title\":\"t\",\"value\":5.8e12,\"unit\":\"B/s\",\"source\":\"s\","
	         "\"quote\":\"up to 4.8TB/s, 5.8 GB/s\"}]}",
	         "its value 5.8e+12 B/s does not stand in its quote: “up to 4.8TB/s, 5.8 GB/s” "
	         "[traced]"},
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{},\"specs\":[{\"key\":\"a\","
	         "\"title\":\"t\",\"value\":9.895e14,\"unit\":\"FLOP/s\",\"source\":\"s\","
	         "\"quote\":\"1,979 teraFLOPS\"}]}",
	         "does not stand in its quote"}, /* half of it, and no note says so */
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{\"s\":{\"title\":\"t\","
	         "\"url\":\"http://x\",\"date\":\"2026\"}},\"specs\":[]}",
	         "must begin with https://"},
	        {"{\"device\":\"h999\",\"name\":\"x\",\"sources\":{\"s\":{\"title\":\"t\","
	         "\"url\":\"https://x\",\"date\":\"soon\"}},\"specs\":[]}",
	         "date 'soon'"},
	};
	struct repo r;
	struct err e;
	repo_make(&r, false);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		repo_write(&r, "data/specs/h999.json", str_of(bad[i].text));
		assert_false(repo_try_load(&r, &e));
		if (!strstr(e.text, bad[i].error) || !strstr(e.text, "data/specs/h999.json"))
			fail_msg("%s", e.text);
	}
	repo_free(&r);
}

/* A file is for the devices that it names, by the driver's name or the slug; no device has two. */
static void a_spec_names_its_devices(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	const char *text =
	        "{\"device\":\"h999\",\"devices\":[%s],\"name\":\"x\",\"sources\":{\"s\":{"
	        "\"title\":\"t\",\"url\":\"https://x\",\"date\":\"2026\"}},\"specs\":[{"
	        "\"key\":\"hbm\",\"title\":\"t\",\"value\":7,\"unit\":\"B/s\","
	        "\"source\":\"s\",\"quote\":\"7 B/s\"}]}";
	static const struct {
		const char *devices, *error;
	} bad[] = {{"\"NVIDIA H200\"", "device 'h200' has the datasheet numbers of 'h200' already"},
	           {"\"NVIDIA\"", "'NVIDIA' names no device"},
	           {"3", "each of 'devices' must be a name"}};
	repo_make(&r, false);
	repo_write(&r, "data/specs/h999.json",
	           str_of(arena_printf(&r.arena, text, "\"NVIDIA H999 1TB HBM9\",\"h999-odd\"")));
	assert_true(repo_try_load(&r, &e));
	const struct data_spec *s = data_spec_find(&r.data, STR("h999"), STR("hbm"));
	assert_non_null(s);
	assert_ptr_equal(data_spec_find(&r.data, STR("h999-1tb-hbm9"), STR("hbm")), s);
	assert_ptr_equal(data_spec_find(&r.data, STR("h999-odd"), STR("hbm")), s);
	assert_null(data_spec_find(&r.data, STR("h999-pcie"), STR("hbm")));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		repo_write(&r, "data/specs/h999.json",
		           str_of(arena_printf(&r.arena, text, bad[i].devices)));
		assert_false(repo_try_load(&r, &e));
		if (!strstr(e.text, bad[i].error))
			fail_msg("%s", e.text);
	}
	repo_free(&r);
}

/* With runs of several devices the site's is not guessed from what was measured last. */
static void the_device_of_a_site_is_not_guessed(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct data d;
	repo_make(&r, false);
	assert_true(data_load(r.dir, NULL, NULL, NULL, &r.arena, &d, &e));
	assert_string_equal(d.default_device, "");
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	assert_true(data_load(r.dir, NULL, NULL, NULL, &r.arena, &d, &e));
	assert_string_equal(d.default_device, "h200");
	s = repo_run(&r, "20260101T000000Z-synthetic-0000000c");
	s.device = "cpu-some";
	repo_add_run(&r, &s);
	assert_true(data_load(r.dir, NULL, NULL, NULL, &r.arena, &d, &e));
	assert_string_equal(d.default_device, "h200"); /* the only GPU */
	assert_string_equal(data_device_find(&d, STR("cpu")), "cpu-some");
	s = repo_run(&r, RUN_B);
	s.device = "h100-80gb-hbm3";
	repo_add_run(&r, &s);
	assert_false(data_load(r.dir, NULL, NULL, NULL, &r.arena, &d, &e));
	assert_non_null(strstr(e.text, "runs of several devices (cpu-some, h100-80gb-hbm3, h200)"));
	e = ERR_NONE;
	assert_true(data_load(r.dir, NULL, NULL, "h200", &r.arena, &d, &e));
	assert_string_equal(d.default_device, "h200");
	repo_free(&r);
}

/* The datasheets in the repository itself. */
static void our_specs_load(void **state)
{
	(void)state;
	struct arena a = {0};
	struct data d;
	struct err e = ERR_NONE;
	assert_true(data_load(".", NULL, NULL, "h200", &a, &d, &e));
	const struct data_spec *s = data_spec_find(&d, STR("h200"), STR("hbm"));
	assert_non_null(s);
	assert_string_equal(s->si, "B/s");
	assert_true(s->value > data_spec_find(&d, STR("h100"), STR("hbm"))->value);
	assert_null(data_spec_find(&d, STR("h200"), STR("none")));
	/* of the SXM part alone: the others have other peaks */
	assert_non_null(data_spec_find(&d, STR("h100-80gb-hbm3"), STR("hbm")));
	assert_null(data_spec_find(&d, STR("h100-pcie"), STR("hbm")));
	assert_null(data_spec_find(&d, STR("h100-nvl"), STR("hbm")));
	assert_null(data_spec_find(&d, STR("h200-nvl"), STR("hbm")));
	for (size_t i = 0; i < d.nspecs; i++)
		assert_true(strlen(d.specs[i].quote) < 150); /* a sentence or a row, no page */
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(committed_and_fresh_is_ok),
	        cmocka_unit_test(too_long_for_a_burst),
	        cmocka_unit_test(not_committed_is_a_preview),
	        cmocka_unit_test(changed_source_is_stale),
	        cmocka_unit_test(a_case_without_sources_has_no_number),
	        cmocka_unit_test(unknown_commit_is_not_clean),
	        cmocka_unit_test(few_launches_are_unsteady),
	        cmocka_unit_test(wrong_results_publish_nothing),
	        cmocka_unit_test(more_than_the_peak_is_impossible),
	        cmocka_unit_test(where_the_bytes_come_from),
	        cmocka_unit_test(cut_runs_publish_nothing),
	        cmocka_unit_test(of_an_interrupted_run_whole_launches_count),
	        cmocka_unit_test(an_interrupted_run_lacks_something),
	        cmocka_unit_test(an_interruption_is_no_choice),
	        cmocka_unit_test(a_replication_publishes_nothing),
	        cmocka_unit_test(an_edited_record_is_refused),
	        cmocka_unit_test(a_record_may_be_packed),
	        cmocka_unit_test(a_record_packed_with_other_lines_is_refused),
	        cmocka_unit_test(a_byte_of_a_packed_record_counts),
	        cmocka_unit_test(the_container_of_a_record_may_change),
	        cmocka_unit_test(a_record_has_one_first_form),
	        cmocka_unit_test(a_record_that_comes_back_is_the_first),
	        cmocka_unit_test(a_record_in_both_forms_is_refused),
	        cmocka_unit_test(a_run_in_the_wrong_place_is_refused),
	        cmocka_unit_test(broken_lines_name_their_place),
	        cmocka_unit_test(families_come_from_the_newest_run),
	        cmocka_unit_test(a_run_before_its_commit_publishes_nothing),
	        cmocka_unit_test(a_run_from_the_future_publishes_nothing),
	        cmocka_unit_test(a_made_up_run_is_refused),
	        cmocka_unit_test(specs_are_checked),
	        cmocka_unit_test(a_spec_names_its_devices),
	        cmocka_unit_test(the_device_of_a_site_is_not_guessed),
	        cmocka_unit_test(our_specs_load),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
