/* What --strict refuses, and which waivers hold against it. */
#include "site-gen/site/strict.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/made_site.h"

static const char *checked(struct made *m)
{
	strict_check(&m->site, &m->problems);
	return made_said(m);
}

static const char *waived(struct made *m)
{
	strict_waivers(&m->site, &m->problems);
	return made_said(m);
}

/* Adds a waiver to the page. */
static struct waiver *waive(struct made *m, enum rule rule, const char *selector)
{
	struct waiver *w = ARENA_NEW(&m->arena, struct waiver);
	*w = (struct waiver){.rule = rule,
	                     .in = selector,
	                     .why = "SYNTHETIC",
	                     .at = {MADE_PATH, 2, 24},
	                     .next = m->page.source.waivers};
	return m->page.source.waivers = w;
}

/* --- numbers --- */

static void each_state_breaks_its_rule(void **state)
{
	struct made *m = *state;
	static const struct {
		enum data_state state;
		bool unclean;
		const char *said;
	} row[] = {
	        {DATA_SAME_CODE, false, ""},
	        {DATA_SUPERSEDED, false, ""},
	        {DATA_UNSTEADY, false,
	         MADE_PATH ":5:3: unsteady, '" MADE_WARP "' of run " MADE_NEW ": so [steady]\n"},
	        {DATA_STALE, false,
	         MADE_PATH ":5:3: stale, '" MADE_WARP "' of run " MADE_NEW ": so [fresh]\n"},
	        {DATA_STALE, true,
	         MADE_PATH ":5:3: stale, '" MADE_WARP "' of run " MADE_NEW ": so [clean]\n"},
	        {DATA_WITHDRAWN, false,
	         MADE_PATH ":5:3: withdrawn, '" MADE_WARP "' of run " MADE_NEW ": so [unpicked]\n"},
	        {DATA_PREVIEW, false,
	         MADE_PATH ":5:3: preview, '" MADE_WARP "' of run " MADE_NEW ": so [whole]\n"},
	};
	made_quote(m, 0, WARP, 5);
	assert_string_equal(checked(m), "");
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		m->d[0][WARP].why[row[i].state] = "so";
		m->d[0][WARP].unclean = row[i].unclean;
		assert_string_equal(checked(m), row[i].said);
		m->d[0][WARP].why[row[i].state] = NULL;
	}
}

/* A case that is in two states breaks two rules, and a page that only counts it has no line. */
static void every_state_of_a_case_is_reported(void **state)
{
	struct made *m = *state;
	made_quote(m, 1, BLOCK, 0);
	m->d[1][BLOCK].why[DATA_UNSTEADY] = "4 launches";
	m->d[1][BLOCK].why[DATA_STALE] = "scan.cu has changed";
	assert_string_equal(checked(m),
	                    MADE_PATH ": unsteady, '" MADE_BLOCK "' of run " MADE_OLD
	                              ": 4 launches [steady]\n" MADE_PATH ": stale, '" MADE_BLOCK
	                              "' of run " MADE_OLD ": scan.cu has changed [fresh]\n");
}

/* Its own lists show all states; there only what the author quotes counts, each case once. */
static void a_generated_page_answers_for_its_quotes(void **state)
{
	struct made *m = *state;
	m->kind.flags = 0;
	m->page.path = NULL;
	m->d[0][WARP].why[DATA_STALE] = m->d[0][BLOCK].why[DATA_STALE] = "so";
	made_quote(m, 0, WARP, 0);
	assert_string_equal(checked(m), "");
	made_quote(m, 0, WARP, 9);
	made_quote(m, 1, WARP, 8)->n.over = made_pick(m, 0, BLOCK);
	made_quote(m, 0, WARP, 7);
	assert_string_equal(checked(m),
	                    MADE_PATH ":7:3: stale, '" MADE_WARP "' of run " MADE_NEW
	                              ": so [fresh]\n" MADE_PATH ":8:3: stale, '" MADE_BLOCK
	                              "' of run " MADE_NEW ": so [fresh]\n");
	m->d[0][WARP].why[DATA_STALE] = m->d[0][BLOCK].why[DATA_STALE] = NULL;
	m->page.numbers.state = DATA_PREVIEW;
	assert_string_equal(checked(m), "/posts/scans/: preview: Measured, but its record is not "
	                                "committed yet. [whole]\n");
}

static void a_shallow_clone_proves_nothing(void **state)
{
	struct made *m = *state;
	m->data.history.shallow = true;
	assert_string_equal(checked(m),
	                    "this clone is shallow, so whether a record was ever changed or "
	                    "removed is not known: git fetch --unshallow [whole]\n");
}

/* --- waivers --- */

static void a_waiver_covers_what_its_selector_finds(void **state)
{
	struct made *m = *state;
	static const struct {
		const char *selector, *covers;
	} row[] = {
	        {"scan/warp", MADE_WARP},
	        {"scan/*:n=8", MADE_BLOCK "; " MADE_WARP},
	        {"scan/*:device=h200,run=20260102", MADE_BLOCK "; " MADE_WARP},
	};
	made_quote(m, 0, WARP, 5);
	made_quote(m, 0, BLOCK, 6);
	m->d[0][WARP].why[DATA_UNSTEADY] = m->d[0][BLOCK].why[DATA_UNSTEADY] = "so";
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		m->page.source.waivers = NULL;
		struct waiver *w = waive(m, RULE_STEADY, row[i].selector);
		assert_string_equal(waived(m), "");
		assert_string_equal(w->text, row[i].covers);
		assert_string_equal(checked(m), i > 0 ? ""
		                                      : MADE_PATH ":6:3: unsteady, '" MADE_BLOCK
		                                                  "' of run " MADE_NEW
		                                                  ": so [steady]\n");
	}
}

static void a_waiver_without_effect_is_a_problem(void **state)
{
	struct made *m = *state;
	static const struct {
		enum rule rule;
		const char *selector;
	} row[] = {
	        {RULE_FRESH, "scan/warp"}, /* the case breaks another rule */
	        {RULE_STEADY, "scan/warp:n=9"},
	        {RULE_STEADY, "scan/block"}, /* it breaks none */
	        {RULE_STEADY, "scan/warp:device=h100"},
	        {RULE_STEADY, "scan/warp:run=20260101"},
	        {RULE_CLEAN, "scan/warp"},
	};
	made_quote(m, 0, WARP, 5);
	made_quote(m, 0, BLOCK, 6);
	m->d[0][WARP].why[DATA_UNSTEADY] = "so";
	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		m->page.source.waivers = NULL;
		struct waiver *w = waive(m, row[i].rule, row[i].selector);
		const char *want = arena_printf(
		        &m->arena,
		        MADE_PATH ":2:24: the waiver waives nothing: no number of this page that "
		                  "'%s' finds breaks this rule [%s]\n",
		        row[i].selector, rule_info(row[i].rule)->id);
		assert_string_equal(waived(m), want);
		assert_null(w->text);
		assert_string_not_equal(checked(m), "");
	}
}

static void a_malformed_selector_names_its_place(void **state)
{
	struct made *m = *state;
	made_quote(m, 0, WARP, 5);
	m->d[0][WARP].why[DATA_UNSTEADY] = "so";
	waive(m, RULE_STEADY, "/warp");
	assert_string_equal(waived(m),
	                    MADE_PATH ":2:24: '/warp' is no selector, expected family/variant\n");
}

/* Waivers of rule `traced` are about texts; they neither find nor excuse a case. */
static void a_waiver_of_a_text_is_not_ours(void **state)
{
	struct made *m = *state;
	struct waiver *w = waive(m, RULE_TRACED, "scan/warp");
	made_quote(m, 0, WARP, 5);
	m->d[0][WARP].why[DATA_UNSTEADY] = "so";
	assert_string_equal(waived(m), "");
	assert_null(w->text);
	assert_string_not_equal(checked(m), "");
}

/* --- counters --- */

static struct fact *counter(struct made *m, int i, int line)
{
	struct fact *f = ARENA_NEW(&m->arena, struct fact);
	*f = (struct fact){.key = "counter h200 dram_read_bytes",
	                   .run = "20260103T000000Z-h200-0000000c",
	                   .at = {MADE_PATH, line, 3},
	                   .next = m->page.numbers.facts};
	if (i >= 0)
		f->not_of = made_pick(m, 0, i);
	return m->page.numbers.facts = f;
}

/* Stale: once for each case, and not where the page itself shows them. */
static void counters_of_another_build_are_stale(void **state)
{
	struct made *m = *state;
	static const char said[] = MADE_PATH ":4:3: stale, '" MADE_WARP "' of run " MADE_NEW
	                                     ": its counters, of 20260103T000000Z-h200-0000000c, "
	                                     "are of another build of this variant [fresh]\n";
	counter(m, BLOCK, 0);
	counter(m, WARP, 6);
	counter(m, WARP, 4);
	counter(m, -1, 3);
	assert_string_equal(checked(m), said);
	waive(m, RULE_STEADY, "scan/warp");
	assert_string_equal(checked(m), said);
	m->page.source.waivers = NULL;
	struct waiver *w = waive(m, RULE_FRESH, "scan/*");
	assert_string_equal(waived(m), "");
	assert_string_equal(w->text, MADE_WARP);
	assert_string_equal(checked(m), "");
}

static void counters_must_be_committed(void **state)
{
	struct made *m = *state;
	struct data_run profile = {
	        .path = "data/profiles/h200/c.jsonl",
	        .run.head.id = "20260103T000000Z-h200-0000000c",
	};
	m->data.profiles = &profile;
	m->data.nprofiles = 1;
	counter(m, -1, 4);
	counter(m, -1, 5)->run = MADE_NEW;
	counter(m, -1, 6)->run = NULL;
	assert_string_equal(checked(m),
	                    MADE_PATH ":4:3: preview, 'counter h200 dram_read_bytes': "
	                              "data/profiles/h200/c.jsonl is not committed yet [whole]\n");
	profile.committed = true;
	assert_string_equal(checked(m), "");
}

/* --- records --- */

static void records_that_publish_nothing(void **state)
{
	struct made *m = *state;
	const char *foreign[] = {"data/runs/h200/notes.txt"};
	m->run[1].run.whole = false;
	m->run[1].run.why_not_whole = "it has no end";
	m->run[0].run.head.newer = true;
	m->run[0].run.head.schema = "ridgepoint-run/1.99";
	m->data.foreign = foreign;
	m->data.nforeign = 1;
	strict_records(&m->site, &m->problems);
	assert_false(problems_any(&m->problems, false));
	assert_string_equal(
	        made_said(m),
	        "data/runs/h200/new.jsonl: warning: has the schema 'ridgepoint-run/1.99', and this "
	        "program knows '" RECORD_SCHEMA "': new members are ignored\n"
	        "data/runs/h200/old.jsonl: warning: is not whole: it has no end; it publishes "
	        "nothing\n"
	        "data/runs/h200/notes.txt: warning: is no record, expected <device>/<id>.jsonl.gz "
	        "and "
	        "nothing else here: it is not looked at\n");
	m->site.options.strict = true;
	m->run[0].run.head.newer = false;
	strict_records(&m->site, &m->problems);
	assert_string_equal(
	        made_said(m),
	        "data/runs/h200/old.jsonl: is not whole: it has no end; it publishes nothing "
	        "[whole]\n"
	        "data/runs/h200/notes.txt: is no record, expected <device>/<id>.jsonl.gz "
	        "and nothing "
	        "else here [whole]\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, made_setup, made_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(each_state_breaks_its_rule),
	        TEST(every_state_of_a_case_is_reported),
	        TEST(a_generated_page_answers_for_its_quotes),
	        TEST(a_shallow_clone_proves_nothing),
	        TEST(a_waiver_covers_what_its_selector_finds),
	        TEST(a_waiver_without_effect_is_a_problem),
	        TEST(a_malformed_selector_names_its_place),
	        TEST(a_waiver_of_a_text_is_not_ours),
	        TEST(counters_of_another_build_are_stale),
	        TEST(counters_must_be_committed),
	        TEST(records_that_publish_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
