/*
 * Judging numbers by the rules: every way in which a record, its history or its sources can
 * break a rule, each produced on purpose in a small repository.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/records/flags.h"
#include "site-gen/base/placeholder.h"
#include "tests/unit/help/synthetic_repo.h"

#define TILE "kernels/transpose/tile.cu"

static struct data_case *find_case(struct repo *r, const char *prefix)
{
	for (size_t i = 0; i < r->data.nruns; i++)
		for (size_t k = 0; k < r->data.runs[i].run.ncases; k++)
			if (strncmp(r->data.runs[i].cases[k].c->id, prefix, strlen(prefix)) == 0)
				return &r->data.runs[i].cases[k];
	fail_msg("no case %s", prefix);
	return NULL;
}

static void contains(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("'%s' is not in: %s", part, text ? text : "(nothing)");
}

static const char *expand(struct repo *r, const char *placeholder, struct err *e)
{
	struct placeholder p;
	struct sb text = {0};
	*e = ERR_NONE;
	bool ok = placeholder_parse(str_of(placeholder), (struct loc){"p.md", 1, 1}, &p, e) &&
	          expand_html(&r->ctx, &p, &text, e);
	const char *out = arena_strdup(&r->arena, ok ? text.p : e->text);
	sb_free(&text);
	return out;
}

#define VALUE "<<bench:value transpose/tile rows=16384 dtype=f32%s>>"

static const char *value(struct repo *r, const char *keys)
{
	struct err e;
	return expand(r, arena_printf(&r->arena, VALUE, keys), &e);
}

/* A committed run of so many launches, which were twisted; gemv's under `load`, if not NULL. */
static void loaded(struct repo *r, void (*twist)(struct run_launch *l), const char *load,
                   int launches)
{
	repo_make(r, true);
	struct synthetic s = repo_run(r, RUN_A);
	s.twist = twist;
	s.load = load;
	s.launches = launches;
	repo_add_run(r, &s);
	repo_commit(r);
	repo_load(r);
}

static void twisted(struct repo *r, void (*twist)(struct run_launch *l))
{
	loaded(r, twist, NULL, 10);
}

/* --- correct -------------------------------------------------------------------------------- */

static void above_tolerance(struct run_launch *l)
{
	if (l->i == 3)
		l->after.error = 1e-9; /* the tolerance is 0, and passed still says true */
}

static void not_finite(struct run_launch *l)
{
	l->before.error = -1;
}

static void looked_at_nothing(struct run_launch *l)
{
	l->before.looked_at = 0;
}

static void a_check_is_recomputed(void **state)
{
	(void)state;
	static const struct {
		void (*twist)(struct run_launch *l);
		const char *why;
	} bad[] = {
	        {above_tolerance, "its results were wrong in 1 of 10 processes"},
	        {not_finite, "its results were wrong in 10 of 10 processes"},
	        {looked_at_nothing, "its results were wrong in 10 of 10 processes"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct repo r;
		twisted(&r, bad[i].twist);
		const struct data_case *k = find_case(&r, "transpose/tile:");
		assert_string_equal(k->why_none, bad[i].why);
		assert_int_equal(k->none_rule, RULE_CORRECT);
		assert_true(k->failed);
		contains(value(&r, ""), "[correct]");
		repo_free(&r);
	}
}

/* --- steady --------------------------------------------------------------------------------- */

static void times_out(struct run_launch *l)
{
	if (l->i < 2) {
		l->status = "timeout";
		l->before.passed = l->after.passed = false;
		l->nsamples = 0;
	}
}

static void slows_down(struct run_launch *l)
{
	l->throttle_reasons = l->i == 0 ? 0x20 : 0;
}

static void reasons_unread(struct run_launch *l)
{
	l->throttle_reasons = RECORD_NONE;
}

static void clock_off_in_three(struct run_launch *l)
{
	if (l->i < 3)
		l->sm_clock_mhz[1] = 1900;
}

static void clock_off_in_two(struct run_launch *l)
{
	if (l->i < 2)
		l->sm_clock_mhz[1] = 1900;
}

/* The driver's readings agree; what the groups of samples counted does not. */
static void counted_clock_off_in_three(struct run_launch *l)
{
	static struct run_group group;
	group = (struct run_group){(int64_t)l->nsamples, l->i < 3 ? 19000 : 19800, 10000};
	l->group = &group; /* written out before the next launch is made */
	l->ngroups = 1;
}

static void counted(struct run_launch *l, int64_t mhz)
{
	l->sm_cycles = mhz * 1000;
	l->sm_cycles_ns = 1000000;
}

/* The SMs counted another clock than the driver says, or the same where the driver's differs. */
static void counted_off_in_three(struct run_launch *l)
{
	counted(l, l->i < 3 ? 1900 : 1980);
}

static void only_the_driver_is_off(struct run_launch *l)
{
	clock_off_in_three(l);
	counted(l, 1980);
}

static void above_the_maximum_in_three(struct run_launch *l)
{
	counted(l, l->i < 3 ? 2040 : 1980);
}

static void power_capped(struct run_launch *l)
{
	l->throttle_reasons = 4;
}

static void limiter_steps_in_three(struct run_launch *l)
{
	clock_off_in_three(l);
	power_capped(l);
}

static void too_short(struct run_launch *l)
{
	for (size_t i = 0; i < l->nsamples; i++)
		l->sample_ns[i] = 3199;
}

enum { MANY = 40 };

static void many(struct run_launch *l, double (*factor)(int k))
{
	static int64_t samples[MANY]; /* written out before the next launch is made */
	for (int k = 0; k < MANY; k++)
		samples[k] =
		        (int64_t)((double)l->sample_ns[0] * factor(k) * (1 + 0.0001 * (k % 3)));
	memmove(l->sample_ns, samples, 5 * sizeof *samples);
	l->sample_ns = samples;
	l->nsamples = MANY;
}

static double rises(int k)
{
	return 1 + 0.002 * k;
}

static double two_levels(int k)
{
	return k % 2 ? 1.1 : 1;
}

static double outliers(int k)
{
	return k % 10 == 9 ? 1.5 : 1;
}

static void samples_drift(struct run_launch *l)
{
	many(l, rises);
}

static void samples_have_two_humps(struct run_launch *l)
{
	many(l, two_levels);
}

static void samples_have_outliers(struct run_launch *l)
{
	many(l, outliers);
}

static void launches_differ(struct run_launch *l)
{
	for (size_t i = 0; i < l->nsamples && l->i % 2; i++)
		l->sample_ns[i] += l->sample_ns[i] / 10;
}

static void what_disturbs_is_told(void **state)
{
	(void)state;
	static const struct {
		void (*twist)(struct run_launch *l);
		const char *why; /* NULL: steady */
	} cases[] = {
	        {NULL, NULL},
	        {times_out, "2 of 10 processes failed (timeout)"},
	        {slows_down, "the clock was slowed down in 1 of 10 processes"},
	        {reasons_unread, "was not read in 10 of 10 processes"},
	        {clock_off_in_three, "the SM clock was off by more than 1 % in 3 of 10 processes"},
	        {clock_off_in_two, NULL},
	        {counted_clock_off_in_three,
	         "the SM clock was off by more than 1 % in 3 of 10 processes"},
	        {counted_off_in_three,
	         "the SM clock was off by more than 1 % in 3 of 10 processes"},
	        {only_the_driver_is_off, NULL},
	        {above_the_maximum_in_three, NULL},
	        {power_capped, NULL},
	        {too_short, "samples were shorter than 100 ticks"},
	        {samples_drift, "the time drifted by more than 2 % in 10 of 10 processes"},
	        {samples_have_two_humps, "the samples had two humps in 10 of 10 processes"},
	        {samples_have_outliers, NULL},
	        {launches_differ, "the 95 % interval is ±3.6 %"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct repo r;
		twisted(&r, cases[i].twist);
		const struct data_case *k = find_case(&r, "gemv/cublas:");
		assert_int_equal(k->state, cases[i].why ? DATA_UNSTEADY : DATA_OK);
		if (cases[i].why)
			contains(k->why[DATA_UNSTEADY], cases[i].why);
		assert_int_equal(k->power_limited, cases[i].twist == power_capped ? 10 : 0);
		repo_free(&r);
	}
}

/* Under load the limiter chooses the clock, and a process times the case for long enough. */
static void under_load_the_limiter_sets_the_clock(void **state)
{
	(void)state;
	static const struct {
		const char *load;
		void (*twist)(struct run_launch *l);
		int launches;
		const char *why; /* NULL: steady */
	} cases[] = {
	        {"steady", limiter_steps_in_three, 10, NULL},
	        {"sustained", limiter_steps_in_three, 10, NULL},
	        {NULL, limiter_steps_in_three, 10, "the SM clock was off by more than 1 % in 3"},
	        {"steady", clock_off_in_three, 10, "the SM clock was off by more than 1 % in 3"},
	        {"steady", power_capped, 5, NULL},
	        {"steady", power_capped, 4, "4"},
	        {NULL, power_capped, 9, "9"},
	};
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct repo r;
		loaded(&r, cases[i].twist, cases[i].load, cases[i].launches);
		const struct data_case *k = find_case(&r, "gemv/cublas:");
		assert_int_equal(k->state, cases[i].why ? DATA_UNSTEADY : DATA_OK);
		if (cases[i].why)
			contains(k->why[DATA_UNSTEADY], cases[i].why);
		repo_free(&r);
	}
}

/* --- whole ---------------------------------------------------------------------------------- */

static void beyond_the_plan(struct run_launch *l)
{
	if (l->i == 4)
		l->i = 10;
}

static void dropped_samples(struct run_launch *l)
{
	l->nsamples = 4;
}

static void stopped_early(struct run_launch *l)
{
	l->stop = "samples";
}

static void too_late(struct run_launch *l)
{
	l->t_ms = 2000;
}

static void overlapping(struct run_launch *l)
{
	l->i = 0;
	l->pid = 1;
	l->sample_ns[0] = 500000000;
}

static void a_record_agrees_with_itself(void **state)
{
	(void)state;
	static const struct {
		void (*twist)(struct run_launch *l);
		const char *why;
		int launches;
	} bad[] = {
	        {beyond_the_plan, "it has launch 10 of transpose/naive", 10},
	        {dropped_samples, "has 4 samples in launch 0, which stopped at 'halfwidth'", 10},
	        {stopped_early, "has 5 samples in launch 0, which stopped at 'samples'", 10},
	        {too_late, "it ended 0 s after its start, but a launch began at 2000 ms", 10},
	        {overlapping, "last longer than until its process began the next case", 1},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct repo r;
		repo_make(&r, true);
		struct synthetic s = repo_run(&r, RUN_A);
		s.twist = bad[i].twist;
		s.launches = bad[i].launches;
		repo_add_run(&r, &s);
		repo_load(&r);
		contains(r.data.runs[0].why_none, "contradicts itself");
		contains(r.data.runs[0].why_none, bad[i].why);
		contains(value(&r, ""), "[whole]");
		repo_free(&r);
	}
}

static void an_id_begins_with_the_start(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.start = "2026-01-01T00:00:01Z";
	repo_add_run(&r, &s);
	repo_load(&r);
	contains(r.data.runs[0].why_none, "its id does not begin with its start");
	repo_free(&r);
}

/* --- clean and fresh ------------------------------------------------------------------------ */

static void blobs_must_be_in_their_commit(void **state)
{
	(void)state;
	struct repo r;
	struct err e = ERR_NONE;
	struct str text;
	repo_make(&r, true);
	must(file_read(arena_printf(&r.arena, "%s/" TILE, r.dir), 1 << 20, &r.arena, &text, &e),
	     &e);
	repo_write(&r, TILE, STR("another\n"));
	repo_commit(&r);
	repo_head(&r, r.commit); /* says that it was measured here … */
	repo_write(&r, TILE, text);
	struct synthetic s = repo_run(&r, RUN_A); /* … with the blob of before and after */
	repo_add_run(&r, &s);
	repo_commit(&r);
	repo_load(&r);
	const struct data_case *k = find_case(&r, "transpose/tile:");
	contains(k->why_none, "which its commit");
	assert_int_equal(k->none_rule, RULE_CLEAN);
	assert_null(find_case(&r, "transpose/naive:")->why_none);
	contains(value(&r, ""), "[clean]");
	repo_free(&r);
}

/* Each variable is twice the one before: 2^30 words, or 2^30 times none. */
static void flags_that_double_are_refused(void **state)
{
	(void)state;
	static const char *const first[] = {"-x", ""};
	for (size_t k = 0; k < 2; k++) {
		struct arena a = {0};
		struct err e = ERR_NONE;
		struct sb text = {0};
		const char *flags;
		sb_printf(&text, "V0 = %s\n", first[k]);
		for (int i = 1; i <= 30; i++)
			sb_printf(&text, "V%d = $(V%d) $(V%d)\n", i, i - 1, i - 1);
		sb_cstr(&text, "NVFLAGS = $(V30)\n");
		assert_false(flags_of(sb_view(&text), FLAGS_CUDA, &a, &flags, &e));
		contains(e.text, "NVFLAGS grows without end");
		sb_free(&text);
		arena_free(&a);
	}
}

static void flags_of_makefiles(void **state)
{
	(void)state;
	static const struct {
		const char *makefile, *flags;
	} cases[] = {
	        {"NVFLAGS = -O3 -g\n", "-O3 -g"},
	        {"NVFLAGS := -O3 # fast\nNVFLAGS += -g\n", "-O3 -g"},
	        {"ARCH = 90a\nNVFLAGS = -arch=sm_$(patsubst sm_%,%,$(ARCH)) \\\n  -I. -I$(CUDA)/x "
	         "-Wall\n",
	         "-arch=sm_90a"},
	        {"SAN =\nNVFLAGS = $(if $(SAN),-fsanitize=address,-fPIE)\n", "-fPIE"},
	        {"SAN = 1\nNVFLAGS = $(if $(SAN),-fsanitize=address,-fPIE)\n",
	         "-fsanitize=address"},
	        {"SAN =\nO = -O1\nifneq ($(SAN),)\nO = -O0\nelse\nO = -O2\nendif\nNVFLAGS = $(O)\n",
	         "-O2"},
	        {"NVFLAGS ?= -O1\nNVFLAGS ?= -O2\n", "-O1"},
	        {"NVFLAGS = $(shell uname) $(NVFLAGS)\n", "?"},
	        {"x: NVFLAGS += -O0\n\tNVFLAGS = -O0\n", NULL},
	        {"NVFLAGS = $(NOT_CLOSED", ""},
	};
	struct arena a = {0};
	struct err e = ERR_NONE;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *got;
		assert_true(flags_of(str_of(cases[i].makefile), FLAGS_CUDA, &a, &got, &e));
		if (!cases[i].flags)
			assert_null(got);
		else if (!got || strncmp(got, cases[i].flags, strlen(cases[i].flags)) != 0)
			fail_msg("%s: '%s'", cases[i].makefile, got ? got : "(none)");
	}
	struct reason r = flags_difference("-O3 -g", "-O2 -g", &a);
	assert_string_equal(reason_text(NULL, &r, &a),
	                    "the compile flags have changed (-O3 was measured, -O2 is at HEAD)");
	r = flags_difference("-O3", "-O3 -g", &a);
	assert_string_equal(reason_text(NULL, &r, &a),
	                    "the compile flags have changed (no flag was measured, -g is at HEAD)");
	arena_free(&a);
}

static void with_makefile(struct repo *r, const char *text)
{
	repo_write(r, "Makefile", str_of(text));
	repo_commit(r);
}

static void other_flags_are_stale(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	with_makefile(&r, "CUDA = /usr\nNVFLAGS = -O3 -I$(CUDA)\n");
	repo_head(&r, r.commit);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	with_makefile(&r, "# a comment\nCUDA = /opt\nNVFLAGS = -O3 -I$(CUDA) -Wall\n");
	repo_load(&r);
	assert_int_equal(find_case(&r, "transpose/tile:")->state, DATA_OK);
	with_makefile(&r, "NVFLAGS = -O2\n");
	repo_load(&r);
	const struct data_case *k = find_case(&r, "transpose/tile:");
	assert_int_equal(k->state, DATA_STALE);
	assert_string_equal(k->why_state,
	                    "the compile flags have changed (-O3 was measured, -O2 is at HEAD)");
	assert_int_equal(data_case_rule(k, DATA_STALE), RULE_FRESH);
	repo_free(&r);
}

/* A file of data/builds/ with one unit. */
static const char *build_of(struct repo *r, struct str source, const char *code)
{
	char blob[HASH_GIT_HEX + 1];
	hash_git_blob(source, blob);
	return arena_printf(&r->arena,
	                    "{\"schema\":\"ridgepoint-build/1.0\",\"dirty\":false,\"units\":["
	                    "{\"file\":\"" TILE "\",\"compiler\":\"13.0.88\",\"flags\":\"-O3\","
	                    "\"source\":[[\"" TILE "\",\"%s\"]],\"code_sha256\":\"%064d\"}]}\n",
	                    blob, atoi(code));
}

static void the_same_machine_code(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_ready(&r);
	struct str before = synthetic_source("transpose", "tile", &r.arena),
	           now = STR("// again\n");
	repo_write(&r, TILE, now);
	repo_write(&r, "data/builds/a.json", str_of(build_of(&r, before, "1")));
	repo_commit(&r);
	repo_write(&r, "data/builds/b.json", str_of(build_of(&r, now, "1")));
	repo_load(&r); /* what is not committed states nothing */
	assert_int_equal(find_case(&r, "transpose/tile:")->state, DATA_STALE);
	repo_commit(&r);
	repo_load(&r);
	const struct data_case *k = find_case(&r, "transpose/tile:");
	assert_int_equal(k->state, DATA_SAME_CODE);
	assert_string_equal(k->why_state, TILE " has changed since, but its machine code has not "
	                                       "(data/builds/b.json)");
	assert_string_equal(k->changed, TILE);
	contains(value(&r, ""), "data-state=\"same-code\"");
	repo_write(&r, "data/builds/c.json", str_of(build_of(&r, now, "2")));
	repo_commit(&r);
	repo_load(&r); /* two statements that contradict each other */
	assert_int_equal(find_case(&r, "transpose/tile:")->state, DATA_STALE);
	repo_write(&r, "data/builds/d.json",
	           STR("{\"schema\":\"ridgepoint-build/1.0\",\"units\":[7]}"));
	repo_commit(&r);
	assert_false(repo_try_load(&r, &e));
	contains(e.text, "data/builds/d.json: each of 'units' must be an object");
	repo_free(&r);
}

/* --- unpicked ------------------------------------------------------------------------------- */

static void two_runs(struct repo *r)
{
	repo_make(r, true);
	struct synthetic s = repo_run(r, RUN_A);
	repo_add_run(r, &s);
	s = repo_run(r, RUN_B);
	s.slower = 1.5;
	repo_add_run(r, &s);
	repo_commit(r);
	repo_load(r);
}

static void an_older_run_is_superseded(void **state)
{
	(void)state;
	struct repo r;
	two_runs(&r);
	contains(value(&r, ""), "data-run=\"" RUN_B "\"");
	contains(value(&r, ""), "data-state=\"ok\"");
	const char *pinned = value(&r, " run=20260101");
	contains(pinned, "data-state=\"superseded\"");
	contains(pinned, "run " RUN_B " measured it again");
	assert_false(data_state_refused(DATA_SUPERSEDED));
	repo_free(&r);
}

static void withdraw(struct repo *r, const char *cases)
{
	repo_write(r, "data/withdrawn/" RUN_B ".md",
	           str_of(arena_printf(&r->arena, "---\ndate: 2026-01-03\ncases: %s\n---\nWrong.\n",
	                               cases)));
}

static void a_withdrawn_number_is_not_found(void **state)
{
	(void)state;
	struct repo r;
	two_runs(&r);
	withdraw(&r, "transpose/tile:rows=16384 stream/*");
	repo_commit(&r);
	repo_load(&r);
	assert_int_equal(r.data.nwithdrawn, 1);
	assert_int_equal(r.data.withdrawn[0].cases, 6);
	assert_string_equal(r.data.withdrawn[0].reason, "Wrong.");
	contains(value(&r, ""), "data-run=\"" RUN_A "\""); /* the older run takes its place … */
	contains(value(&r, ""), "data-state=\"ok\"");      /* … and is superseded by nothing */
	contains(value(&r, " run=20260102"), "data-state=\"withdrawn\"");
	struct err e;
	contains(expand(&r, "<<bench:value transpose/naive rows=16384 dtype=f32>>", &e),
	         "data-run=\"" RUN_B "\"");
	assert_true(data_state_refused(DATA_WITHDRAWN));
	repo_free(&r);
}

static void a_withdrawn_number_that_nothing_replaces(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_B);
	repo_add_run(&r, &s);
	withdraw(&r, "all");
	repo_commit(&r);
	repo_load(&r);
	assert_true(r.data.withdrawn[0].all);
	const char *said = value(&r, "");
	contains(said, "of run " RUN_B " was taken back on 2026-01-03");
	contains(said, "[unpicked]");
	assert_int_equal(r.data.families.n, 0);
	repo_free(&r);
}

static void malformed_withdrawals(void **state)
{
	(void)state;
	static const struct {
		const char *name, *text, *error;
	} bad[] = {
	        {RUN_B, "---\ncases: all\n---\nx\n", ":1:1: 'date' is missing"},
	        {RUN_B, "---\ndate: 2026-01-03\n---\nx\n", ":1:1: 'cases' is missing"},
	        {RUN_B, "---\ndate: soon\ncases: all\n---\nx\n", ":2:7: 'soon' is no date"},
	        {RUN_B, "---\ndate: 2026-01-03\ncases: all\n---\n", "the reason is missing"},
	        {RUN_B, "---\ndate: 2026-01-03\ncases: all\nwhy: x\n---\nx\n",
	         ":4:1: unknown key 'why'"},
	        {RUN_B, "---\ndate: 2026-01-03\ncases: transpose/tile none/*\n---\nx\n",
	         ":3:23: 'none/*' finds no case of run " RUN_B},
	        {"20990101T000000Z-none-00000000", "---\ndate: 2026-01-03\ncases: all\n---\nx\n",
	         ":1:1: there is no run '20990101T000000Z-none-00000000'"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct repo r;
		struct err e;
		two_runs(&r);
		repo_write(&r, arena_printf(&r.arena, "data/withdrawn/%s.md", bad[i].name),
		           str_of(bad[i].text));
		assert_false(repo_try_load(&r, &e));
		contains(e.text, bad[i].error);
		contains(e.text, "data/withdrawn/");
		repo_free(&r);
	}
}

/* --- several at once ------------------------------------------------------------------------ */

static void all_reasons_are_kept(void **state)
{
	(void)state;
	struct repo r;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	s.launches = 9;
	s.commit = NULL;
	repo_add_run(&r, &s);
	repo_write(&r, TILE, STR("another\n"));
	repo_git(&r, "add kernels");
	repo_git(&r, "commit -q -m source");
	repo_load(&r);
	const struct data_case *k = find_case(&r, "transpose/tile:");
	assert_int_equal(k->state, DATA_PREVIEW);
	assert_string_equal(k->why_state,
	                    "its run file is not committed yet; " TILE
	                    " has changed since; measured outside a git checkout; 9 processes, at "
	                    "least 10 are needed");
	contains(value(&r, ""), "9 processes, at least 10 are needed");
	/* a changed source must not make it waivable, as stale by `fresh` alone would be */
	assert_int_equal(data_case_rule(k, DATA_STALE), RULE_CLEAN);
	k = find_case(&r, "transpose/naive:"); /* its sources are those of HEAD */
	assert_int_equal(data_case_rule(k, DATA_STALE), RULE_CLEAN);
	assert_int_equal(data_case_rule(k, DATA_PREVIEW), RULE_WHOLE);
	repo_free(&r);
}

static void a_count_of_previews_is_marked(void **state)
{
	(void)state;
	struct repo r;
	struct err e;
	repo_make(&r, true);
	struct synthetic s = repo_run(&r, RUN_A);
	repo_add_run(&r, &s);
	repo_load(&r);
	contains(expand(&r, "<<bench:count cases>>", &e), "data-state=\"preview\"");
	contains(expand(&r, "<<bench:count runs>>", &e),
	         "<sup class=\"mark\" data-state=\"preview\">preview</sup>");
	assert_int_equal(data_worst(&r.data, r.ctx.uses), DATA_PREVIEW);
	repo_commit(&r);
	repo_load(&r);
	assert_null(strstr(expand(&r, "<<bench:count cases>>", &e), "preview"));
	repo_free(&r);
}

/* --- typed ---------------------------------------------------------------------------------- */

static void peaks_are_not_mixed(void **state)
{
	(void)state;
	static const struct {
		const char *placeholder, *error;
	} bad[] = {
	        {"<<bench:percent transpose/tile rows=16384 dtype=f32>>", "names its peak"},
	        {"<<bench:percent transpose/tile rows=16384 dtype=f32 of=hbm>>", "names no peak"},
	        {"<<bench:percent transpose/tile rows=16384 dtype=f32 of=spec:nope>>",
	         "has no spec 'nope'"},
	        {"<<bench:percent transpose/tile rows=16384 dtype=f32 of=spec:nvlink>>",
	         "does not bound transpose/tile:rows=16384"},
	        {"<<bench:percent transpose/tile rows=16384 dtype=f32 of=spec:tdp>>",
	         "is no peak of bandwidth"},
	        {"<<bench:percent stream/scalar cache=hot of=spec:hbm>>",
	         "its data is hot and comes from a cache"},
	        {"<<bench:percent gemv/warp m=4 metric=throughput of=spec:fp32>>",
	         "its operations are done in bf16"},
	        {"<<bench:percent stream/scalar cache=hot of=measured:stream/memcpy:cache=cold>>",
	         "their bytes come from different places"},
	        {"<<bench:percent stream/scalar cache=hot metric=time of=measured:memcpy>>",
	         "not of time"},
	};
	struct repo r;
	struct err e;
	repo_ready(&r);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const char *said = expand(&r, bad[i].placeholder, &e);
		assert_true(e.set);
		contains(said, bad[i].error);
		contains(said, "[typed]");
	}
	repo_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(a_check_is_recomputed),
	        cmocka_unit_test(what_disturbs_is_told),
	        cmocka_unit_test(under_load_the_limiter_sets_the_clock),
	        cmocka_unit_test(a_record_agrees_with_itself),
	        cmocka_unit_test(an_id_begins_with_the_start),
	        cmocka_unit_test(blobs_must_be_in_their_commit),
	        cmocka_unit_test(flags_of_makefiles),
	        cmocka_unit_test(flags_that_double_are_refused),
	        cmocka_unit_test(other_flags_are_stale),
	        cmocka_unit_test(the_same_machine_code),
	        cmocka_unit_test(an_older_run_is_superseded),
	        cmocka_unit_test(a_withdrawn_number_is_not_found),
	        cmocka_unit_test(a_withdrawn_number_that_nothing_replaces),
	        cmocka_unit_test(malformed_withdrawals),
	        cmocka_unit_test(all_reasons_are_kept),
	        cmocka_unit_test(a_count_of_previews_is_marked),
	        cmocka_unit_test(peaks_are_not_mixed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
