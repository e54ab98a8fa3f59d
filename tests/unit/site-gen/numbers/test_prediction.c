/*
 * Predictions against histories: each test makes a repository of its own,
 * commits predictions and runs in some order, and asks what became of them.
 * The values a prediction is built around come from the record.
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
#include "site-gen/kinds/kinds.h"
#include "site-gen/kinds/ledger.h"
#include "site-gen/markdown/reasoning.h"
#include "site-gen/numbers/statements.h"
#include "site-gen/kinds/prediction.h"
#include "tests/unit/help/synthetic_repo.h"

#define PADDED "transpose/padded rows=16384 dtype=f32"
#define FILE_OF(id) "data/predictions/" id ".md"

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_make(&repo, true);
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

/* A prediction file; `what` are its lines beyond title, selector and confidence. */
static void predict(const char *id, const char *selector, const char *what)
{
	repo_write(&repo, arena_printf(&repo.arena, FILE_OF("%s"), id),
	           str_of(arena_printf(&repo.arena,
	                               "---\ntitle: The %s one\nselector: %s\n%s\nconfidence: 0.6\n"
	                               "---\n\nBecause it *must*.\n",
	                               id, selector, what)));
}

static void commit(void)
{
	repo_commit(&repo);
	repo_head(&repo, repo.commit);
}

/* A run measured at the newest commit, and committed. */
static void measure(const char *id, double slower)
{
	struct synthetic s = repo_run(&repo, id);
	s.slower = slower;
	s.start = arena_printf(&repo.arena, "%.4s-%.2s-%.2sT%.2s:%.2s:00Z", id, id + 4, id + 6,
	                       id + 9, id + 11);
	repo_add_run(&repo, &s);
	repo_commit(&repo);
}

static bool try_load(struct err *e)
{
	return repo_try_load(&repo, e) && statements_load(&repo.data, e) &&
	       reasoning_render(&repo.data, "", repo.ctx.plots, "", e);
}

static const struct prediction *found(const char *id)
{
	struct err e = ERR_NONE;
	must(try_load(&e), &e);
	const struct prediction *p = prediction_find(repo.data.predictions, str_of(id));
	assert_non_null(p);
	return p;
}

static void is(const char *id, enum prediction_verdict v)
{
	const struct prediction *p = found(id);
	if (p->verdict != v)
		fail_msg("%s is %s (%s), expected %s", id, prediction_verdict_name(p->verdict),
		         p->why ? p->why : "", prediction_verdict_name(v));
}

/* % of the bandwidth of the data sheet, of the newest run. */
static struct number padded_share(void)
{
	struct err e = ERR_NONE;
	struct number n;
	must(try_load(&e), &e);
	const struct data_run *r = &repo.data.runs[0];
	struct pick p = {r, data_case_of(r, record_case(&r->run, "transpose/padded:rows=16384,"
	                                                         "cols=16384,dtype=f32,"
	                                                         "cache=cold"))};
	assert_true(number_of(&p, METRIC_BANDWIDTH, &n));
	return number_percent(&n, data_spec_find(&repo.data, STR("h200"), STR("hbm")));
}

/* --- verdicts --------------------------------------------------------------- */

static void held_and_missed(void **state)
{
	(void)state;
	predict("both", PADDED, "metric: percent of spec:hbm\nlow: 70\nhigh: 90");
	predict("low", PADDED, "metric: percent of spec:hbm\nlow: 60");
	predict("high", PADDED, "metric: percent of spec:hbm\nhigh: 60");
	predict("above", PADDED, "metric: percent of spec:hbm\nlow: 95");
	predict("time", PADDED, "metric: time\nhigh: 1e-3");
	predict("rate", PADDED, "metric: bandwidth\nlow: 4.5e12");
	predict("ratio", PADDED, "metric: ratio over transpose/tile\nlow: 1.2\nhigh: 1.4");
	predict("slow", PADDED, "metric: ratio of time over transpose/tile\nhigh: 0.7");
	commit();
	measure(RUN_A, 1);
	is("both", PREDICTION_HELD);
	is("low", PREDICTION_HELD);
	is("high", PREDICTION_MISSED);
	is("above", PREDICTION_MISSED);
	is("time", PREDICTION_HELD);
	is("rate", PREDICTION_MISSED);
	is("ratio", PREDICTION_HELD);
	is("slow", PREDICTION_MISSED);
	/* by how much, and which way */
	double share = padded_share().value;
	assert_float_equal(found("high")->main->error, share - 60, 1e-9);
	assert_float_equal(found("above")->main->error, share - 95, 1e-9);
	double rate = share / 100 * 4.8e12;
	assert_float_equal(found("rate")->main->error, 100 * (rate - 4.5e12) / 4.5e12, 1e-9);
	struct sb text = {0};
	prediction_outcome(found("above"), NULL, &text);
	contains(text.p, "missed: ");
	contains(text.p, "\xC2\xA0points too low");
	sb_free(&text);
}

static void in_short(void **state)
{
	static const struct {
		const char *id, *bounds, *says;
	} row[] = {{"least", "metric: percent of spec:hbm\nlow: 70",
	            "≥\xC2\xA0"
	            "70\xC2\xA0%"},
	           {"most", "metric: percent of spec:hbm\nhigh: 70",
	            "≤\xC2\xA0"
	            "70\xC2\xA0%"},
	           {"within", "metric: bandwidth\nlow: 2e12\nhigh: 3e12", "2–3\xC2\xA0TB/s"},
	           {"limit", "limiter: memory", "limited by memory"}};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(row); i++)
		predict(row[i].id, PADDED, row[i].bounds);
	commit();
	measure(RUN_A, 1);
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		struct sb text = {0};
		struct arena a = {0};
		prediction_range(found(row[i].id), NULL, &a, &text);
		assert_string_equal(text.p, row[i].says);
		sb_free(&text);
		arena_free(&a);
	}
}

/* What a ratio is over is said by its name, as soon as it was measured. */
static void over_a_case(void **state)
{
	struct arena a = {0};
	struct sb text = {0};
	(void)state;
	predict("ratio", PADDED, "metric: ratio over transpose/tile\nlow: 1.2");
	commit();
	prediction_says(found("ratio"), NULL, &a, &text);
	contains(text.p, "over transpose/tile");
	measure(RUN_A, 1);
	sb_clear(&text);
	prediction_says(found("ratio"), NULL, &a, &text);
	contains(text.p, "over shared-memory tile");
	sb_free(&text);
	arena_free(&a);
}

static void undecided_until_a_run_decides(void **state)
{
	(void)state;
	measure(RUN_A, 1);
	double value = padded_share().value;
	repo_git(&repo, "rm -q -r data/runs");
	repo_git(&repo, "commit -q --amend --allow-empty -m again");
	predict("edge", PADDED,
	        arena_printf(&repo.arena, "metric: percent of spec:hbm\nlow: %.6f", value));
	commit();
	measure(RUN_A, 1);
	is("edge", PREDICTION_UNDECIDED);
	contains(found("edge")->why, "a bound of the prediction lies within");
	measure(RUN_B, 1.1);
	is("edge", PREDICTION_MISSED);
	assert_string_equal(found("edge")->main->pick.run->run.head.id, RUN_B);
	assert_int_equal(found("edge")->ntests, 2);
}

static void a_later_run_changes_nothing(void **state)
{
	(void)state;
	predict("first", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_A, 1);
	measure(RUN_B, 2);
	is("first", PREDICTION_HELD);
	const struct prediction *p = found("first");
	assert_string_equal(p->main->pick.run->run.head.id, RUN_A);
	assert_int_equal(p->tests[1].verdict, PREDICTION_MISSED);
	assert_false(p->tests[1].decides);
}

/* One case that misses is enough; each case has its own first run. */
static void several_cases(void **state)
{
	(void)state;
	predict("all", "transpose/* rows=16384 dtype=f32", "metric: percent of spec:hbm\nlow: 25");
	predict("most", "transpose/* rows=16384 dtype=f32", "metric: percent of spec:hbm\nlow: 50");
	commit();
	measure(RUN_A, 1);
	is("all", PREDICTION_HELD);
	assert_int_equal(found("all")->ntests, 4); /* the ring could not run */
	is("most", PREDICTION_MISSED);
	assert_string_equal(found("most")->main->pick.d->c->variant, "naive");
}

/* Of cases that miss alike the run that tested first is shown, and of that run the furthest miss.
 */
static void the_first_miss_is_shown(void **state)
{
	(void)state;
	predict("far", "transpose/* rows=16384 dtype=f32", "metric: percent of spec:hbm\nhigh: 70");
	commit();
	measure(RUN_A, 1);
	assert_string_equal(found("far")->main->pick.d->c->variant, "padded");
	repo_git(&repo, "rm -q -r data/runs");
	repo_git(&repo, "commit -q --amend --allow-empty -m again");
	struct synthetic s = repo_run(&repo, RUN_A);
	s.wrong = "transpose/cublas";
	repo_add_run(&repo, &s);
	measure(RUN_B, 0.9); /* of all cases, and of cublas for the first time */
	const struct prediction *p = found("far");
	assert_string_equal(p->main->pick.d->c->variant, "padded");
	assert_string_equal(p->main->pick.run->run.head.id, RUN_A);
	for (size_t i = 0; i < p->ntests; i++)
		if (strcmp(p->tests[i].pick.d->c->variant, "cublas") == 0)
			assert_true(p->tests[i].decides && p->tests[i].error > p->main->error);
}

static void untested(void **state)
{
	(void)state;
	predict("later", "scan/lookback n=2^28", "metric: percent of spec:hbm\nlow: 85");
	predict("ring", "transpose/ring rows=16384 dtype=f32", "metric: bandwidth\nlow: 1e12");
	predict("none", PADDED, "metric: throughput\nlow: 1e12");
	commit();
	measure(RUN_A, 1);
	is("later", PREDICTION_UNTESTED);
	contains(found("later")->why, "no run has measured such a case");
	is("ring", PREDICTION_UNTESTED);
	is("none", PREDICTION_UNTESTED);
	contains(found("none")->why, "its cost model counts no such metric");
}

/* The other side takes the rest of its parameters from the case: one that nobody can measure. */
static void never_tested(void **state)
{
	(void)state;
	predict("alone", PADDED, "metric: ratio over transpose/tile:rows=4096\nlow: 1");
	predict("gone", PADDED, "metric: ratio over transpose/ring\nlow: 1");
	commit();
	measure(RUN_A, 1);
	is("alone", PREDICTION_UNTESTED);
	contains(found("alone")->why, "it does not name from this case, and no case of that run");
	is("gone", PREDICTION_UNTESTED);
	contains(found("gone")->why, "the other side of the ratio has no number in that run");
}

/* --- order ------------------------------------------------------------------- */

static void not_foretold(void **state)
{
	(void)state;
	measure(RUN_A, 1);
	predict("late", PADDED, "metric: percent of spec:hbm\nlow: 70");
	is("late", PREDICTION_NOT_FORETOLD); /* not even committed */
	assert_false(found("late")->committed);
	commit();
	is("late", PREDICTION_NOT_FORETOLD);
	/* measuring again does not help: the answer was there */
	measure(RUN_B, 1);
	is("late", PREDICTION_NOT_FORETOLD);
	contains(found("late")->why, RUN_A);
	assert_string_equal(found("late")->none.word, "prediction_seen_before");
	assert_string_equal(found("late")->none.with[0], RUN_A);
	struct sb proof = {0};
	prediction_proof(found("late"), NULL, &repo.arena, &proof);
	contains(proof.p, "which does not contain this prediction");
	sb_free(&proof);
}

#define EARLY "20260101T003000Z-synthetic-0000000e" /* its clock is before that of RUN_B */

/* A clock that was set back puts no run before what its own commit has on record. */
static void a_clock_set_back_foretells_nothing(void **state)
{
	(void)state;
	measure(RUN_B, 1);
	predict("late", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(EARLY, 1);
	const struct prediction *p = found("late");
	assert_int_equal(p->verdict, PREDICTION_NOT_FORETOLD);
	contains(p->why, RUN_B);
	assert_string_equal(p->tests[0].pick.run->run.head.id, RUN_B);
}

/* Nor does it make a second try the first. */
static void a_clock_set_back_decides_nothing(void **state)
{
	(void)state;
	predict("missed", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_B, 2);
	repo_head(&repo, repo.commit);
	measure(EARLY, 1);
	is("missed", PREDICTION_MISSED);
	assert_string_equal(found("missed")->main->pick.run->run.head.id, RUN_B);
	assert_int_equal(found("missed")->tests[1].verdict, PREDICTION_HELD);
}

/* A branch that does not have the record that was published does not undo it. */
static void a_branch_foretells_nothing(void **state)
{
	(void)state;
	repo_git(&repo, "branch side");
	measure(RUN_B, 1);
	repo_git(&repo, "checkout -q side");
	predict("late", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(EARLY, 1);
	repo_git(&repo, "checkout -q main");
	repo_git(&repo, "merge -q --no-ff -m merge side");
	is("late", PREDICTION_NOT_FORETOLD);
}

/* Of two tries that the history does not order the miss counts. */
static void a_branch_decides_nothing(void **state)
{
	(void)state;
	predict("missed", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	repo_git(&repo, "branch side");
	measure(RUN_B, 2);
	repo_git(&repo, "checkout -q side");
	measure(EARLY, 1);
	repo_git(&repo, "checkout -q main");
	repo_git(&repo, "merge -q --no-ff -m merge side");
	is("missed", PREDICTION_MISSED);
}

/* An old program measures again what was foretold and published: the prediction stands. */
static void an_older_commit_measures_later(void **state)
{
	char old[41];
	(void)state;
	memcpy(old, repo.commit, sizeof old);
	predict("first", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_B, 1);
	memcpy(repo.commit, old, sizeof old);
	measure(EARLY, 1);
	is("first", PREDICTION_HELD);
	assert_string_equal(found("first")->main->pick.run->run.head.id, RUN_B);
}

/* One commit recorded both: which was first is not to be told, so it was registered too late. */
static void recorded_together(void **state)
{
	struct synthetic s;
	(void)state;
	s = repo_run(&repo, RUN_B);
	s.commit = arena_strdup(&repo.arena, repo.commit);
	predict("p", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	repo_add_run(&repo, &s);
	measure(EARLY, 1);
	is("p", PREDICTION_NOT_FORETOLD);
}

/* A run from outside of this history, or from none, proves nothing. */
static void unknown_commits(void **state)
{
	(void)state;
	predict("p", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	struct synthetic s = repo_run(&repo, RUN_A);
	s.commit = "0123456789012345678901234567890123456789";
	repo_add_run(&repo, &s);
	repo_commit(&repo);
	const struct prediction *p = found("p");
	assert_int_not_equal(p->verdict, PREDICTION_HELD);
}

static void amended(void **state)
{
	(void)state;
	predict("moved", PADDED, "metric: percent of spec:hbm\nlow: 95");
	commit();
	measure(RUN_A, 1);
	is("moved", PREDICTION_MISSED);
	predict("moved", PADDED, "metric: percent of spec:hbm\nlow: 70");
	is("moved", PREDICTION_AMENDED); /* in the work tree already */
	commit();
	is("moved", PREDICTION_AMENDED);
	measure(RUN_B, 1);
	is("moved", PREDICTION_AMENDED);
	assert_string_equal(found("moved")->none.word, "prediction_since_amended");
	struct sb proof = {0};
	prediction_proof(found("moved"), NULL, &repo.arena, &proof);
	contains(proof.p, " registered it on 2026-01-01 01:00 UTC.");
	contains(proof.p, " last changed its text, on 2026-01-01 01:00 UTC.");
	contains(proof.p, "which contains another text of the prediction");
	sb_free(&proof);
	/* one space is a change, too */
	predict("moved", PADDED, "metric: percent of spec:hbm\nlow:  95");
	commit();
	is("moved", PREDICTION_AMENDED);
}

static void changed_in_time(void **state)
{
	(void)state;
	predict("draft", PADDED, "metric: percent of spec:hbm\nlow: 95");
	commit();
	predict("draft", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_A, 1);
	is("draft", PREDICTION_HELD);
	assert_non_null(found("draft")->changed);
	struct sb proof = {0};
	prediction_proof(found("draft"), NULL, &repo.arena, &proof);
	contains(proof.p, "which contains the prediction word for word");
	contains(proof.p, "as strong as the published history");
	sb_free(&proof);
}

static void removed(void **state)
{
	struct err e = ERR_NONE;
	(void)state;
	predict("gone", PADDED, "metric: percent of spec:hbm\nlow: 95");
	commit();
	measure(RUN_A, 1);
	repo_git(&repo, "mv data/predictions/gone.md data/predictions/new.md");
	repo_git(&repo, "commit -q -m moved");
	assert_false(try_load(&e));
	contains(e.text, FILE_OF("gone") ": commit ");
	contains(e.text, " removed or renamed this prediction");
	contains(e.text, " [foretold]");
	/* put back as it was, it is what it was */
	repo_git(&repo, "mv data/predictions/new.md data/predictions/gone.md");
	repo_git(&repo, "commit -q -m back");
	e = ERR_NONE;
	assert_false(try_load(&e)); /* it is gone now */
	contains(e.text, FILE_OF("new"));
}

/* Missing in the work tree only: HEAD has it. */
static void read_from_head(void **state)
{
	(void)state;
	predict("kept", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_A, 1);
	unlink(arena_printf(&repo.arena, "%s/" FILE_OF("kept"), repo.dir));
	is("kept", PREDICTION_HELD);
	assert_true(found("kept")->committed);
}

static void withdrawn_runs_test_nothing(void **state)
{
	(void)state;
	predict("w", PADDED, "metric: percent of spec:hbm\nlow: 95");
	commit();
	measure(RUN_A, 1);
	is("w", PREDICTION_MISSED);
	repo_write(&repo, "data/withdrawn/" RUN_A ".md",
	           STR("---\ncases: all\ndate: 2026-01-04\n---\n\nThe fan had failed.\n"));
	repo_commit(&repo);
	is("w", PREDICTION_UNTESTED);
	contains(found("w")->why, "took it back");
	/* it was foretold, so another run may still decide */
	measure(RUN_B, 1);
	is("w", PREDICTION_MISSED);
}

/* Taking a run back does not unsee what it measured. */
static void withdrawn_runs_were_seen(void **state)
{
	(void)state;
	measure(RUN_A, 1);
	repo_write(&repo, "data/withdrawn/" RUN_A ".md",
	           STR("---\ncases: all\ndate: 2026-01-04\n---\n\nNoise.\n"));
	predict("late", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_B, 1);
	is("late", PREDICTION_NOT_FORETOLD);
	contains(found("late")->why, RUN_A);
}

/* Nor does cutting it short. */
static void partial_runs_were_seen(void **state)
{
	(void)state;
	struct synthetic s = repo_run(&repo, RUN_A);
	s.status = "partial";
	repo_add_run(&repo, &s);
	repo_commit(&repo);
	predict("late", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_B, 1);
	is("late", PREDICTION_NOT_FORETOLD);
}

static void stronger_proof(void **state)
{
	(void)state;
	predict("tagged", PADDED, "metric: percent of spec:hbm\nlow: 70");
	repo_write(&repo, "data/predictions/tagged.ots", STR("SYNTHETIC"));
	commit();
	repo_git(&repo, "tag -a plain -m said");
	repo_git(&repo, "tag -a sealed -m '-----BEGIN PGP SIGNATURE-----\nSYNTHETIC\n"
	                "-----END PGP SIGNATURE-----'");
	measure(RUN_A, 1);
	repo_git(&repo, "tag -a after -m '-----BEGIN PGP SIGNATURE-----\nSYNTHETIC\n"
	                "-----END PGP SIGNATURE-----'");
	const struct prediction *p = found("tagged");
	assert_string_equal(p->tag->name, "sealed");
	assert_string_equal(p->stamp, "tagged.ots");
	struct sb proof = {0};
	prediction_proof(p, NULL, &repo.arena, &proof);
	contains(proof.p, "The annotated tag sealed of 2026-01-01 01:00 UTC was set on this "
	                  "text before the run and is signed");
	contains(proof.p, "An external time stamp, tagged.ots, is beside the file.");
	sb_free(&proof);
	repo_git(&repo, "tag -d sealed plain >/dev/null");
	assert_null(found("tagged")->tag); /* the one after the run proves nothing */
}

/* --- limiters ---------------------------------------------------------------- */

static void limiters(void **state)
{
	(void)state;
	predict("m", PADDED, "limiter: memory");
	predict("l", "transpose/naive rows=16384 dtype=f32", "limiter: latency");
	predict("wrong", "transpose/naive rows=16384 dtype=f32", "limiter: memory");
	predict("hot", "stream/memcpy op=copy cache=hot", "limiter: memory");
	predict("two", PADDED, "limiter: memory\nmetric: percent of spec:hbm\nlow: 95");
	commit();
	measure(RUN_A, 1);
	is("m", PREDICTION_HELD);
	is("l", PREDICTION_HELD);
	is("wrong", PREDICTION_MISSED);
	struct sb text = {0};
	prediction_outcome(found("wrong"), NULL, &text);
	assert_string_equal(text.p, "missed: limited by latency");
	sb_free(&text);
	is("hot", PREDICTION_UNTESTED);
	contains(found("hot")->why, "no peak for the memory it works on");
	is("two", PREDICTION_MISSED);
	assert_int_equal(found("two")->main->limiter, PREDICTION_HELD);
}

static void launch_limited(void **state)
{
	(void)state;
	measure(RUN_A, 1);
	struct err e = ERR_NONE;
	must(try_load(&e), &e);
	struct data_run *r = &repo.data.runs[0];
	struct pick p = {r, &r->cases[0]};
	int64_t ns = (int64_t)(p.d->time.typical * 1e9), empty[3] = {ns, ns, ns};
	r->run.head.empty_kernel_ns = empty;
	r->run.head.nempty_kernel = 3;
	assert_int_equal(limiter_of(&repo.data, &p).limiter, LIMITER_LAUNCH);
	empty[0] = empty[1] = empty[2] = ns / 3;
	assert_int_not_equal(limiter_of(&repo.data, &p).limiter, LIMITER_LAUNCH);
	empty[0] = empty[1] = empty[2] = ns / 2; /* the interval holds the bound */
	assert_true(limiter_of(&repo.data, &p).open);
}

/* --- the ledger ---------------------------------------------------------------- */

static void a_ledger(void **state)
{
	(void)state;
	predict("a", PADDED, "metric: percent of spec:hbm\nlow: 70\nseries: one");
	predict("b", PADDED, "metric: percent of spec:hbm\nlow: 95\nseries: one");
	predict("c", PADDED, "limiter: memory\nseries: two");
	predict("d", "scan/x", "limiter: memory\nseries: two");
	commit();
	measure(RUN_A, 1);
	found("a");
	struct ledger l = ledger_of(repo.data.predictions, NULL, &repo.arena);
	assert_int_equal(l.n, 4);
	assert_string_equal(l.row[0]->id, "b"); /* misses first */
	assert_string_equal(l.row[3]->id, "d");
	assert_int_equal(l.interval.hits, 1);
	assert_int_equal(l.interval.decided, 2);
	assert_int_equal(l.limiter.hits, 1);
	assert_int_equal(l.limiter.decided, 1);
	assert_int_equal(l.below, 1);
	assert_int_equal(l.above, 0);
	assert_int_equal(l.sure[1].decided, 3); /* 0.6 lies in the second bucket */
	assert_float_equal(l.stated[1], 0.6, 1e-12);
	assert_float_equal(l.brier, (0.16 + 0.36 + 0.16) / 3, 1e-12);
	l = ledger_of(repo.data.predictions, "one", &repo.arena);
	assert_int_equal(l.n, 2);
	const char *html = repo_expand(&repo, "ledger", true);
	contains(html, "<span data-verdict=\"missed\">1 missed</span>");
	assert_true(strstr(html, "The b one</a>") < strstr(html, "The a one</a>"));
	contains(html, "aria-label=\"The b one: missed: ");
	contains(html, "<text class=\"tick mid\""); /* the curve has a point: */
	contains(html, ">2/3</text>");
	contains(repo_expand(&repo, "ledger series=three", true),
	         "post.md:3:23: no prediction has the series 'three'");
}

static void a_ledger_by_family(void **state)
{
	size_t n;
	(void)state;
	predict("a", PADDED, "limiter: memory");
	predict("b", "scan/x", "limiter: memory");
	predict("c", PADDED, "metric: percent of spec:hbm\nlow: 95");
	commit();
	measure(RUN_A, 1);
	found("a");
	struct ledger all = ledger_of(repo.data.predictions, NULL, &repo.arena);
	const char **family = ledger_families(&all, &repo.arena, &n);
	assert_int_equal(n, 2);
	assert_string_equal(family[0], "scan");
	assert_string_equal(family[1], "transpose");
	struct ledger l = ledger_of_family(&all, "transpose", &repo.arena);
	assert_int_equal(l.n, 2);
	assert_string_equal(l.row[0]->id, "c"); /* misses first */
	assert_int_equal(l.count[PREDICTION_MISSED], 1);
	assert_int_equal(l.count[PREDICTION_HELD], 1);
	assert_int_equal(ledger_of_family(&all, "softmax", &repo.arena).n, 0);
}

static void in_a_text(void **state)
{
	(void)state;
	predict("a", PADDED, "metric: percent of spec:hbm\nlow: 70");
	commit();
	measure(RUN_A, 1);
	found("a");
	assert_string_equal(
	        repo_expand(&repo, "predicted a", false),
	        "at least 70\xC2\xA0% of the theoretical peak (HBM3e bandwidth) (held)");
	const char *html = repo_expand(&repo, "predicted a", true);
	contains(html, "<a class=\"num predicted\" data-prediction=\"a\" href=\"/predictions/a/\"");
	contains(html, "<span class=\"verdict\" data-prediction=\"a\" "
	               "data-verdict=\"held\">held</span>: <a class=\"num\"");
	html = repo_expand(&repo, "prediction a", true);
	contains(html, "<figure class=\"bench prediction\" id=\"b1\">");
	contains(html, "<p>Because it <em>must</em>.</p>");
	contains(html, "<svg class=\"pred\"");
	contains(repo_expand(&repo, "prediction b", true),
	         "post.md:3:20: no prediction 'b', nearest is 'a'");
}

/* --- files that are wrong ------------------------------------------------------- */

static void wrong_files(void **state)
{
	static const struct {
		const char *text, *error;
	} wrong[] = {
	        {"title: x\n", ":1:1: no front matter"},
	        {"---\ntitle: T\nselector: a/b\nlow: 1\nmetric: time\n---\nR\n",
	         ":1:1: prediction has no 'confidence'"},
	        {"---\ntitle: T\nselector: a/b\nconfidence: 0.5\n---\nR\n",
	         ":1:1: prediction has no 'low', 'high' or 'limiter': it predicts nothing"},
	        {"---\ntitle: T\nselector: a/b\nlow: 1\nconfidence: 0.5\n---\nR\n",
	         ":1:1: prediction has no 'metric'"},
	        {"---\ntitle: T\nselector: a/b\nmetric: time\nlimiter: memory\nconfidence: "
	         "1\n---\nR\n",
	         ":4:9: a metric without low or high predicts nothing"},
	        {"---\ntitle: T\nselector: a/b\nmetric: time\nlow: 2\nhigh: 1\nconfidence: "
	         "1\n---\nR\n",
	         ":6:7: high is 1, expected more than low, 2"},
	        {"---\ntitle: T\nselector: a/b\nmetric: time\nlow: fast\nconfidence: 1\n---\nR\n",
	         ":5:6: low is 'fast', expected a number in the SI unit of the metric"},
	        {"---\ntitle: T\nselector: a/b\nmetric: percent\nlow: 2\nconfidence: 1\n---\nR\n",
	         ":4:9: metric is 'percent': a percentage names its peak, expected 'percent of "
	         "spec:KEY' [typed]"},
	        {"---\ntitle: T\nselector: a/b\nmetric: percent of spec:hbn\nlow: 2\nconfidence: "
	         "1\n---\n"
	         "R\n",
	         ":4:25: device 'h200' has no spec 'hbn'"},
	        {"---\ntitle: T\nselector: a/b\nmetric: percent of spec:tdp\nlow: 2\nconfidence: "
	         "1\n---\n"
	         "R\n",
	         ":4:25: spec 'tdp' is in W, which is no peak of a metric [typed]"},
	        {"---\ntitle: T\nselector: a/b\nmetric: speed\nlow: 2\nconfidence: 1\n---\nR\n",
	         ":4:9: metric is 'speed', expected time, bandwidth, throughput"},
	        {"---\ntitle: T\nselector: a/b\nmetric: ratio of c/d\nlow: 2\nconfidence: "
	         "1\n---\nR\n",
	         ":4:9: no metric 'c/d'"},
	        {"---\ntitle: T\nselector: a/b\nmetric: ratio over /d\nlow: 2\nconfidence: "
	         "1\n---\nR\n",
	         ":4:20: '/d' is no selector"},
	        {"---\ntitle: T\nselector: a/b c/d\nlimiter: memory\nconfidence: 1\n---\nR\n",
	         ":3:15: expected one selector and key=value"},
	        {"---\ntitle: T\nselector: a/b run=2026\nlimiter: memory\nconfidence: 1\n---\nR\n",
	         ":3:19: a prediction names no run"},
	        {"---\ntitle: T\nselector: a/b\nlimiter: ram\nconfidence: 1\n---\nR\n",
	         ":4:10: limiter is 'ram', expected memory, compute, latency or launch"},
	        {"---\ntitle: T\nselector: a/b\nlimiter: memory\nconfidence: 60\n---\nR\n",
	         ":5:13: confidence is '60', expected a number from 0 to 1"},
	        {"---\ntitle: T\nselector: a/b\nlimiter: memory\nconfidence: 0\n---\nR\n",
	         ":5:13: confidence is '0', expected"},
	        {"---\ntitle: T\nselector: a/b\nlimiter: memory\nlimits: x\nconfidence: "
	         "1\n---\nR\n",
	         ":5:1: unknown key 'limits' of a prediction"},
	        {"---\ntitle: T\nselector: a/b\nlimiter: memory\nconfidence: 1\n---\n\n",
	         "prediction without reasoning"},
	        {"---\ntitle: T\nselector: a/b\nlimiter: memory\nconfidence: 1\n---\n"
	         "<<bench:vlaue a>>\n",
	         ":7:9: no placeholder kind 'vlaue'"},
	};
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct err e = ERR_NONE;
		repo_write(&repo, FILE_OF("x"), str_of(wrong[i].text));
		if (try_load(&e))
			fail_msg("no error for case %zu, expected %s", i, wrong[i].error);
		contains(e.text, arena_printf(&repo.arena, "%s%s",
		                              wrong[i].error[0] == ':' ? FILE_OF("x") : "",
		                              wrong[i].error));
	}
}

static void wrong_names(void **state)
{
	struct err e = ERR_NONE;
	(void)state;
	predict("Big", PADDED, "limiter: memory");
	assert_false(try_load(&e));
	contains(e.text, FILE_OF("Big") ": the file's name is the prediction's, expected ");
	unlink(arena_printf(&repo.arena, "%s/" FILE_OF("Big"), repo.dir));
	repo_write(&repo, "data/predictions/notes.txt", STR("x"));
	e = ERR_NONE;
	assert_false(try_load(&e));
	contains(e.text, "data/predictions/notes.txt: not a prediction");
}

/* A title in another language may be edited at any time, but says the figures that were registered.
 */
static void titles_in_other_languages(void **state)
{
	static const char *const bad[][2] = {
	        {"---\nnothing: x\n---\n", "2:1: no prediction is called 'nothing'"},
	        {"---\nboth: \"85 or 70.5 2^28\"\n---\n", "the figure 85 is not as often in"},
	        {"---\nboth: \"none 2^28\"\n---\n", "the figure 70.5 is not as often in"},
	};
	struct err e = ERR_NONE;
	const struct words zh = {.lang = "zh"}, de = {.lang = "de"};
	(void)state;
	repo_write(&repo, FILE_OF("both"),
	           str_of("---\ntitle: More than 70.5 at 2^28\nselector: " PADDED
	                  "\nlimiter: memory\n"
	                  "confidence: 0.5\n---\n\nBecause.\n"));
	repo_write(&repo, "data/predictions/titles.zh.md",
	           str_of("---\nboth: \"zh 2^28 70.5\"\n---\n"));
	assert_string_equal(prediction_title(found("both"), &zh), "zh 2²⁸ 70.5");
	assert_string_equal(prediction_title(found("both"), &de), "More than 70.5 at 2²⁸");
	assert_string_equal(prediction_title(found("both"), NULL), "More than 70.5 at 2²⁸");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		repo_write(&repo, "data/predictions/titles.zh.md", str_of(bad[i][0]));
		e = ERR_NONE;
		assert_false(try_load(&e));
		contains(e.text, "data/predictions/titles.zh.md:2:");
		contains(e.text, bad[i][1]);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(held_and_missed),
	        TEST(in_short),
	        TEST(over_a_case),
	        TEST(undecided_until_a_run_decides),
	        TEST(a_later_run_changes_nothing),
	        TEST(several_cases),
	        TEST(the_first_miss_is_shown),
	        TEST(untested),
	        TEST(never_tested),
	        TEST(not_foretold),
	        TEST(a_clock_set_back_foretells_nothing),
	        TEST(a_clock_set_back_decides_nothing),
	        TEST(a_branch_foretells_nothing),
	        TEST(a_branch_decides_nothing),
	        TEST(an_older_commit_measures_later),
	        TEST(recorded_together),
	        TEST(unknown_commits),
	        TEST(amended),
	        TEST(changed_in_time),
	        TEST(removed),
	        TEST(read_from_head),
	        TEST(withdrawn_runs_test_nothing),
	        TEST(withdrawn_runs_were_seen),
	        TEST(partial_runs_were_seen),
	        TEST(stronger_proof),
	        TEST(limiters),
	        TEST(launch_limited),
	        TEST(a_ledger),
	        TEST(a_ledger_by_family),
	        TEST(in_a_text),
	        TEST(wrong_files),
	        TEST(wrong_names),
	        TEST(titles_in_other_languages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
