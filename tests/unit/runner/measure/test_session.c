/* A measurement from the survey to the closed file, with variants of which some hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/record_file.h"
#include "runner/measure/session.h"
#include "tests/unit/help/faulty.h"

static const struct facts machine = {.usable = true,
                                     .slug = "test",
                                     .name = "test",
                                     .cache_bytes = 65536,
                                     .free_bytes = 1 << 30,
                                     .threads = 2};

static char folder[] = "/tmp/ridgepoint-session-XXXXXX";
static char *arguments[] = {"runner", "run"};
static const struct invocation typed = {2, arguments};

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char command[64];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	return system(command);
}

/* Replaces the plan's variants; may be NULL. */
static const struct kernel_variant *instead;

static struct session *begin(const char *selector, size_t launches, struct err *e)
{
	struct session *s = session_new(e);
	struct selector sel;
	struct session_about about = {
	        .out = folder, .reason = "a test", .replicates = "other", .inv = &typed};
	bool ok = select_parse(selector, &sel, e) &&
	          plan_make(KERNEL_CPU, PLAN_MEASURE, &machine, &sel, 1, &s->arena, &s->plan, e);
	for (size_t i = 0; ok && instead && i < s->plan.n; i++)
		s->plan.item[i].variant = instead;
	s->plan.set.seed = 5;
	s->plan.set.launches = (int64_t)launches;
	s->plan.set.timeout_s = 4; /* a busy machine may be slow */
	if (!ok || !session_survey(s, 3) || !session_begin(s, &about, launches))
		fail_msg("%s", e->text);
	return s;
}

/* Reads the file that the session wrote. */
static void read_file(struct session *s, struct run *out)
{
	struct err e = ERR_NONE;
	if (!record_file_load(s->journal.path, &s->arena, out, &e))
		fail_msg("%s", e.text);
	assert_true(out->whole);
}

static void what_hangs_is_skipped_at_its_place(void **state)
{
	(void)state;
	enum { LAUNCHES = 4 };
	struct err e = ERR_NONE;
	struct run r;
	struct session *s = begin("faulty/{good,hang}:cache=hot", LAUNCHES, &e);
	size_t timeouts = 0, skipped = 0, later = 0;
	for (int64_t i = 0; i < LAUNCHES; i++)
		assert_true(session_launch(s, i, NULL));
	assert_true(session_end(s, true));
	read_file(s, &r);
	assert_string_equal(r.status, "complete");
	assert_string_equal(r.head.replicates, "other");
	assert_string_equal(r.head.order, "random within each launch");
	assert_int_equal(r.ncases, 2);
	assert_int_equal(r.nnulls, 1); /* of what answers */
	for (size_t i = 0; i < r.nlaunches; i++) {
		const struct run_launch *l = &r.launches[i];
		bool skip = strcmp(l->status, "skipped") == 0;
		timeouts += strcmp(l->status, "timeout") == 0;
		skipped += skip;
		later += skip && l->at > 0;
		assert_true(l->at >= 0 && l->at < 3);
		assert_true(!skip || l->t_ms > 0);
	}
	/* one timeout in the survey, one here; after that the case is only recorded */
	assert_int_equal(timeouts, 1);
	assert_int_equal(skipped, LAUNCHES - 1);
	assert_true(later > 0);
	assert_true(r.null_ratio > 0 && r.null_ratio == record_null_ratio(&r, &s->arena));
	session_free(s);
}

static void a_launch_that_would_not_fit_is_not_begun(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct run r;
	struct session *s = begin("faulty/good:cache=hot", 9, &e);
	assert_true(session_launch(s, 0, NULL));
	assert_true(s->largest > 0);
	s->largest = RECORD_MAX_BYTES / 2;
	assert_false(session_launch(s, 1, NULL));
	assert_non_null(
	        strstr(e.text, "would exceed 64 MiB, the most that is read back: 1 launch"));
	assert_true(session_end(s, false));
	read_file(s, &r);
	assert_string_equal(r.status, "partial");
	assert_int_equal(r.nlaunches, 1);
	session_free(s);
}

static void a_launch_may_have_some_items_only(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct run r;
	struct session *s = begin("faulty/good", 1, &e);
	bool in[8] = {true};
	assert_true(s->plan.n <= 8);
	assert_true(session_launch(s, 0, in));
	assert_true(session_end(s, true));
	read_file(s, &r);
	assert_int_equal(r.nlaunches + r.nnull_launches, 1);
	assert_string_equal(r.launches[0].of->id, s->plan.item[0].id);
	session_free(s);
}

/* What each process chooses, as one that tries what is fastest; processes have it from here. */
static int choice;

static const char *chosen(void)
{
	static const char *const choices[] = {"tool 1.0; 4 warps", "tool 1.0; 8 warps",
	                                      "tool 1.0; 8 warps, STAGES 1"};
	return choices[choice];
}

static void a_launch_says_what_it_found_if_it_is_not_the_same(void **state)
{
	(void)state;
	static const int choices[] = {0, 1, 2, 1, 0};
	enum { LAUNCHES = ARRAY_LEN(choices) };
	struct err e = ERR_NONE;
	struct run r;
	struct kernel_variant choosy = faulty_variants[0];
	choosy.library = chosen;
	instead = &choosy;
	choice = 0;
	struct session *s = begin("faulty/good:cache=hot", LAUNCHES, &e);
	for (int64_t i = 0; i < LAUNCHES; i++) {
		choice = choices[i];
		assert_true(session_launch(s, i, NULL));
	}
	instead = NULL;
	assert_true(session_end(s, true));
	read_file(s, &r);
	assert_string_equal(r.cases[0].build.library, "tool 1.0; 4 warps");
	for (int64_t i = 0; i < LAUNCHES; i++) {
		const struct run_launch *l = &r.launches[i];
		choice = choices[l->i];
		assert_string_equal(record_launch_library(l), chosen());
		assert_true((l->library == NULL) == (choice == 0));
	}
	assert_string_equal(record_choices(&r, &r.cases[0], &s->arena),
	                    "chosen differently in 3 of 5 processes: 8 warps (2); "
	                    "8 warps, STAGES 1 (1)");
	session_free(s);
}

/* What prepare() would choose in each process, and what it uses. */
static const char *const options[] = {"threads=128 tile=8x8", "threads=256 tile=8x8",
                                      "threads=64 tile=16x8"};
static char used[KERNEL_CHOICE];

static const char *choosy_prepare(const struct kernel_case *c, const struct kernel_env *env,
                                  void *const *buf, void **state)
{
	(void)c, (void)buf;
	snprintf(used, sizeof used, "%s", env->choice ? env->choice : options[choice]);
	*state = used;
	return NULL;
}

static const char *choosy_chosen(void *state)
{
	return state;
}

/* Measures with a variant that would choose this in the survey and in each launch. */
static struct session *choosing(enum kernel_chooses chooses, const int *choices, size_t n,
                                struct run *r, struct err *e)
{
	static struct kernel_variant choosy;
	choosy = faulty_variants[0];
	choosy.prepare = choosy_prepare;
	choosy.chosen = choosy_chosen;
	choosy.chooses = chooses;
	instead = &choosy;
	choice = 0;
	struct session *s = begin("faulty/good:cache=hot", n, e);
	for (size_t i = 0; i < n; i++) {
		choice = choices[i];
		assert_true(session_launch(s, (int64_t)i, NULL));
	}
	instead = NULL;
	assert_true(session_end(s, true));
	read_file(s, r);
	assert_string_equal(record_choice_text(&r->cases[0].build.choice, &s->arena), options[0]);
	assert_true(record_choice_same(&r->cases[0].build.choice, &r->nulls[0].build.choice));
	return s;
}

static void a_choice_is_made_once_for_all_processes(void **state)
{
	(void)state;
	static const int choices[] = {1, 2};
	struct err e = ERR_NONE;
	struct run r;
	struct session *s = choosing(KERNEL_CHOOSES_ONCE, choices, ARRAY_LEN(choices), &r, &e);
	for (size_t i = 0; i < r.nlaunches; i++) {
		assert_int_equal(r.launches[i].choice.n, 0);
		assert_ptr_equal(record_launch_choice(&r.launches[i]), &r.cases[0].build.choice);
	}
	assert_null(record_choices(&r, &r.cases[0], &s->arena));
	session_free(s);
}

static void a_variant_may_choose_in_each_process(void **state)
{
	(void)state;
	static const int choices[] = {0, 1, 2, 1, 0};
	struct err e = ERR_NONE;
	struct run r;
	struct session *s = choosing(KERNEL_CHOOSES_ANEW, choices, ARRAY_LEN(choices), &r, &e);
	for (size_t i = 0; i < r.nlaunches; i++) {
		const struct run_launch *l = &r.launches[i];
		assert_int_equal(l->choice.n, choices[l->i] ? 2 : 0);
		assert_string_equal(record_choice_text(record_launch_choice(l), &s->arena),
		                    options[choices[l->i]]);
	}
	assert_string_equal(record_choices(&r, &r.cases[0], &s->arena),
	                    "chosen differently in 3 of 5 processes: threads 256, tile 8x8 (2); "
	                    "threads 64, tile 16x8 (1)");
	session_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(what_hangs_is_skipped_at_its_place),
	        cmocka_unit_test(a_launch_that_would_not_fit_is_not_begun),
	        cmocka_unit_test(a_launch_may_have_some_items_only),
	        cmocka_unit_test(a_launch_says_what_it_found_if_it_is_not_the_same),
	        cmocka_unit_test(a_choice_is_made_once_for_all_processes),
	        cmocka_unit_test(a_variant_may_choose_in_each_process),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
