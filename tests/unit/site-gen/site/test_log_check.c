/* Rule `noted` in a build: the log of published numbers beside a page, and adding to it. */
#include "site-gen/site/log_check.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/help/made_site.h"
#include "tests/unit/help/synthetic_repo.h"

#define PAGE "/posts/scans/"
#define TDP "spec h200 tdp"
#define HBM "spec h200 hbm"

/* A line of the log about a datasheet number, which has no run. */
static struct published line_of(const char *page, const char *number, const char *text, int line)
{
	return (struct published){.page = page,
	                          .number = number,
	                          .text = text,
	                          .unit = "W",
	                          .format = NUMBER_FORMAT,
	                          .line = line,
	                          .at = {PUBLISHED_PATH, line, 0}};
}

/* Gives the site a log of these lines, all of which HEAD has. */
static struct log_check *logged(struct made *m, struct published *line, size_t n)
{
	struct log_check *log = ARENA_NEW(&m->arena, struct log_check);
	log->log = (struct published_log){.line = line, .n = n, .committed = n, .exists = true};
	return m->site.log = log;
}

/* The author shows a datasheet number at this line of the page; line 0: the page shows it. */
static struct fact *shown(struct made *m, const char *key, const char *text, int line)
{
	struct fact *f = ARENA_NEW(&m->arena, struct fact);
	*f = (struct fact){.key = key,
	                   .text = text,
	                   .unit = "W",
	                   .at = {MADE_PATH, line, 3},
	                   .next = m->page.numbers.facts};
	return m->page.numbers.facts = f;
}

static const char *checked(struct made *m, bool strict)
{
	m->site.options.strict = strict;
	m->site.log->compared = false; /* as in a new build */
	log_check(&m->site, &m->problems);
	return made_said(m);
}

/* --- a build --- */

static void a_site_without_a_log_is_not_checked(void **state)
{
	struct made *m = *state;
	logged(m, NULL, 0)->log.exists = false;
	shown(m, TDP, "700 W", 5);
	assert_string_equal(checked(m, true), "");
	assert_null(m->site.log->diff);
}

/* A preview has read the log before, and reads no file of it again. */
static void a_kept_log_is_compared_like_a_read_one(void **state)
{
	struct made *m = *state;
	struct err e = ERR_NONE;
	struct published line[] = {line_of(PAGE, TDP, "600 W", 2)};
	const struct published_log kept = {.line = line, .n = 1, .committed = 1, .exists = true};
	m->site.reuse.log = &kept;
	must(log_check_load(&m->site, &e), &e); /* there is no repository to read */
	shown(m, TDP, "700 W", 5);
	assert_non_null(strstr(checked(m, false), "was published as '600 W'"));
}

static void other_digits_need_a_reason(void **state)
{
	struct made *m = *state;
	struct published line[] = {line_of(PAGE, TDP, "600 W", 2), line_of(PAGE, TDP, "650 W", 3)};
	logged(m, line, 2);
	shown(m, TDP, "700 W", 5);
	static const char said[] = MADE_PATH
	        ":5:3: '700 W' was published as '650 W' (data/published.jsonl:3) from the "
	        "same formatter: " TDP "; if that is right, run 'site-gen note --reason "
	        "WHY' and commit data/published.jsonl [noted]\n";
	assert_string_equal(checked(m, false), said);
	assert_string_equal(checked(m, true), said); /* once, not also as a number not noted */
	line[1].format = "0";                        /* a new formatter is a reason */
	assert_string_equal(checked(m, false), "");
	line[1].format = NUMBER_FORMAT;
	line[1].text = "700 W";
	assert_string_equal(checked(m, true), "");
}

/* The message says what stayed the same. */
static void other_digits_from_one_run(void **state)
{
	struct made *m = *state;
	struct published line[] = {line_of(PAGE, TDP, "650 W", 2)};
	logged(m, line, 1);
	line[0].run = MADE_NEW;
	shown(m, TDP, "700 W", 5)->run = MADE_NEW;
	assert_non_null(strstr(checked(m, false), "from the same run and formatter: " TDP));
	line[0].run = MADE_OLD; /* another run is a reason */
	assert_string_equal(checked(m, false), "");
}

static void strict_wants_all_noted(void **state)
{
	struct made *m = *state;
	struct published line[] = {line_of("/old/", TDP, "700 W", 2),
	                           line_of("/old/", HBM, "4.8 TB/s", 3)};
	struct log_check *log = logged(m, line, 2);
	shown(m, TDP, "700 W", 6);
	shown(m, HBM, "4.8 TB/s", 5);
	assert_string_equal(checked(m, false), "");
	assert_string_equal(
	        checked(m, true), /* one for each page, for the first number by name */
	        "data/published.jsonl:3: /old/ shows other numbers than were noted, " HBM
	        " the first: run 'site-gen note' and commit data/published.jsonl "
	        "[noted]\n" MADE_PATH ":5:3: " PAGE " shows other numbers than were noted, " HBM
	        " the first: run 'site-gen note' and commit data/published.jsonl [noted]\n");
	log->log.committed = 1;
	assert_non_null(strstr(checked(m, true),
	                       "data/published.jsonl:3: 1 lines are not committed yet [noted]"));
	assert_string_equal(checked(m, false), "");
}

/* Drafts, pages without a source and what a page adds by itself are not published numbers. */
static void what_counts_as_published(void **state)
{
	struct made *m = *state;
	logged(m, NULL, 0);
	shown(m, TDP, "700 W", 0);
	assert_string_equal(checked(m, true), "");
	shown(m, TDP, "700 W", 5);
	m->page.front.draft = true;
	assert_string_equal(checked(m, true), "");
	m->page.front.draft = false;
	m->page.path = NULL;
	assert_string_equal(checked(m, true), "");
	m->page.path = MADE_PATH;
	assert_string_not_equal(checked(m, true), "");
}

/* --- the lines of a page --- */

static void lines(const struct log_check *n, const char *page, size_t from, size_t to)
{
	size_t x, y;
	log_check_lines_of(n, page, &x, &y);
	assert_int_equal(x, from);
	assert_int_equal(y, to);
}

static void the_lines_of_each_page(void **state)
{
	struct made *m = *state;
	struct published line[] = {line_of("/c/", TDP, "1 W", 2), line_of("/a/", TDP, "2 W", 3),
	                           line_of("/c/", HBM, "3 W", 4), line_of("/c/", TDP, "4 W", 5)};
	struct log_check *n = logged(m, line, 4);
	size_t from, to;
	lines(n, "/c/", 0, 0); /* not compared yet */
	log_check_now_of(n, PAGE, &from, &to);
	assert_int_equal(from, to);
	shown(m, TDP, "700 W", 6);
	shown(m, HBM, "4.8 TB/s", 5);
	checked(m, false);
	lines(n, "/a/", 0, 1);
	lines(n, "/b/", 1, 1);
	lines(n, "/c/", 1, 4);
	lines(n, "/d/", 4, 4);
	assert_ptr_equal(n->by_name[1], &line[2]); /* by number, and then as in the log */
	assert_ptr_equal(n->by_name[2], &line[0]);
	assert_ptr_equal(n->by_name[3], &line[3]);
	assert_int_equal(n->nlast, 3);
	log_check_now_of(n, PAGE, &from, &to);
	assert_int_equal(from, 0);
	assert_int_equal(to, 2);
	assert_string_equal(n->now[0].number, HBM);
	log_check_now_of(n, "/z/", &from, &to);
	assert_int_equal(from, 2);
	assert_int_equal(to, 2);
}

/* --- adding --- */

static void nothing_is_added_without_a_commit(void **state)
{
	struct made *m = *state;
	struct err e = ERR_NONE;
	struct log_written did = {.added = 9};
	logged(m, NULL, 0);
	assert_false(log_check_write(&m->site, NULL, &did, &e));
	assert_string_equal(e.text, "there is no commit whose date a note could carry");
	assert_int_equal(did.added, 0);
}

/* Loads the log of a repository in which the process stands, and adds to it. */
static bool note(struct made *m, struct repo *r, const char *reason, struct log_written *did,
                 struct err *e)
{
	*e = ERR_NONE;
	git_close(r->git);
	r->git = NULL;
	must(git_open(".", &r->git, e), e);
	m->site.repo.git = m->data.git = r->git;
	must(log_check_load(&m->site, e), e);
	return log_check_write(&m->site, reason, did, e);
}

static const char *log_now(struct made *m)
{
	struct err e = ERR_NONE;
	struct str text;
	must(file_read(PUBLISHED_PATH, 1 << 20, &m->arena, &text, &e), &e);
	return str_dup(&m->arena, text);
}

#define FIRST_LINES                                                                                \
	"{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n"                                                  \
	"{\"page\":\"" PAGE "\",\"number\":\"" TDP "\",\"text\":\"650 W\",\"value\":0.0,\"unit\":" \
	"\"W\",\"run\":\"" MADE_NEW "\",\"format\":\"" NUMBER_FORMAT "\",\"was\":null,\"noted\":"  \
	"\"2026-01-01\"}\n"

/* In a repository in which the process stands. */
static void grows(struct made *m, struct repo *r)
{
	struct err e;
	struct log_written did;
	struct fact *f = shown(m, TDP, "650 W", 5);
	f->run = MADE_NEW;
	m->run[0].committed = false;
	assert_false(note(m, r, NULL, &did, &e));
	assert_string_equal(e.text, MADE_PATH ":5:3: '650 W' comes from a run that is not "
	                                      "committed; commit " MADE_NEW " first [noted]");
	assert_false(file_exists(PUBLISHED_PATH));
	m->run[0].committed = true;
	assert_true(note(m, r, "not for a first line", &did, &e));
	assert_int_equal(did.added, 1);
	assert_string_equal(log_now(m), FIRST_LINES);
	repo_commit(r);

	assert_true(note(m, r, NULL, &did, &e));
	assert_int_equal(did.added, 0);
	assert_string_equal(log_now(m), FIRST_LINES);

	f->text = "700 W";
	assert_false(note(m, r, NULL, &did, &e));
	assert_string_equal(e.text, MADE_PATH ":5:3: '700 W' was '650 W' from the same run and "
	                                      "formatter; a change without a new run needs "
	                                      "--reason WHY [noted]");
	assert_string_equal(log_now(m), FIRST_LINES);
	assert_true(note(m, r, "a slip", &did, &e));
	assert_int_equal(did.added, 1);
	assert_non_null(strstr(log_now(m), "\"was\":\"650 W\",\"reason\":\"a slip\",\"noted\""));
	repo_commit(r);

	m->page.numbers.facts = NULL; /* the number leaves its page */
	assert_true(note(m, r, "not for a number that leaves", &did, &e));
	assert_int_equal(did.added, 1);
	assert_true(str_ends(str_of(log_now(m)),
	                     "\"text\":null,\"was\":\"700 W\",\"noted\":\"2026-01-01\"}\n"));
}

/* Another note was faster: nothing is lost. */
static void keeps_what_another_wrote(struct made *m, struct repo *r)
{
	struct err e = ERR_NONE;
	struct log_written did;
	shown(m, TDP, "650 W", 5);
	must(git_open(".", &r->git, &e), &e);
	m->site.repo.git = m->data.git = r->git;
	must(log_check_load(&m->site, &e), &e);
	repo_write(r, PUBLISHED_PATH, STR("{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n"));
	assert_false(log_check_write(&m->site, NULL, &did, &e));
	assert_string_equal(e.text, "data/published.jsonl has changed since this note began; run "
	                            "it again");
	assert_int_equal(did.added, 0);
	assert_string_equal(log_now(m), "{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n");
}

/* The log's path is relative, so the process goes to a repository of its own and comes back. */
static void in_a_repository(struct made *m, void (*what)(struct made *m, struct repo *r))
{
	struct repo r;
	int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	repo_make(&r, true);
	assert_int_equal(chdir(r.dir), 0);
	what(m, &r);
	assert_int_equal(fchdir(home), 0);
	close(home);
	repo_free(&r);
}

static void the_log_only_grows(void **state)
{
	in_a_repository(*state, grows);
}

static void two_notes_at_once(void **state)
{
	in_a_repository(*state, keeps_what_another_wrote);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, made_setup, made_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_site_without_a_log_is_not_checked),
	        TEST(a_kept_log_is_compared_like_a_read_one),
	        TEST(other_digits_need_a_reason),
	        TEST(other_digits_from_one_run),
	        TEST(strict_wants_all_noted),
	        TEST(what_counts_as_published),
	        TEST(the_lines_of_each_page),
	        TEST(nothing_is_added_without_a_commit),
	        TEST(the_log_only_grows),
	        TEST(two_notes_at_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
