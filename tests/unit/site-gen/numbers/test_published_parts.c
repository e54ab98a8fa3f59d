/* The files of the log of published numbers: what is read, what is closed, what history allows. */
#include "site-gen/numbers/published_parts.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/gzip.h"
#include "site-gen/numbers/published.h"
#include "tests/unit/help/synthetic_repo.h"

#define HEAD "{\"schema\":\"" PUBLISHED_SCHEMA "\"}\n"
#define DAY "2026-01-02"
#define GONE(page, was)                                                                          \
	"{\"page\":\"" page "\",\"number\":\"n\",\"text\":null,\"was\":" was ",\"noted\":\"" DAY \
	"\"}\n"
#define ONE "data/published/0001.jsonl.gz"
#define TWO "data/published/0002.jsonl.gz"
#define BEGINS "does not begin with what HEAD has"

/* A repository in which the process stands: paths of the log are relative. */
struct place {
	struct repo r;
	int home;
};

static int arrive(void **state)
{
	struct place *p = calloc(1, sizeof *p);
	p->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	repo_make(&p->r, true);
	*state = p;
	return chdir(p->r.dir);
}

static int leave(void **state)
{
	struct place *p = *state;
	int rc = fchdir(p->home);
	close(p->home);
	repo_free(&p->r);
	free(p);
	return rc;
}

static struct str packed(struct repo *r, struct str lines)
{
	struct sb to = {0};
	assert_true(gzip_pack(lines, &to));
	struct str out = {arena_strndup(&r->arena, to.p, to.n), to.n};
	sb_free(&to);
	return out;
}

static void write_closed(struct repo *r, const char *path, const char *lines)
{
	repo_write(r, path, packed(r, str_of(lines)));
}

static void write_open(struct repo *r, const char *lines)
{
	repo_write(r, PUBLISHED_PATH, str_of(lines));
}

static void open_git(struct repo *r)
{
	struct err e = ERR_NONE;
	git_close(r->git);
	r->git = NULL;
	must(git_open(".", &r->git, &e), &e);
}

/* The parts in the work tree, or an error that has the text. */
static struct published_parts loads(struct repo *r, const char *says)
{
	struct err e = ERR_NONE;
	struct published_parts p;
	open_git(r);
	assert_int_equal(published_parts_load(r->git, &r->arena, &p, &e), !*says);
	if (!strstr(e.text, says))
		fail_msg("'%s' is not in '%s'", says, e.text);
	return p;
}

static void all_is(struct repo *r, const struct published_parts *p, const char *lines)
{
	assert_string_equal(published_parts_join(p, &r->arena).p, lines);
}

/* n lines of 64 bytes, of one letter */
static const char *many(struct repo *r, char letter, size_t n)
{
	struct sb text = {0};
	for (size_t i = 0; i < n; i++)
		sb_printf(&text, "%c%062zu\n", letter, i);
	return sb_take(&r->arena, &text);
}

static const char *both(struct repo *r, const char *x, const char *y)
{
	return arena_printf(&r->arena, "%s%s", x, y);
}

/* --- reading --- */

static void closed_parts_come_first(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	struct published_log log;
	write_closed(r, ONE, HEAD GONE("/a/", "null"));
	write_closed(r, TWO, GONE("/b/", "null") GONE("/c/", "null"));
	write_open(r, GONE("/d/", "null"));
	repo_commit(r);
	write_open(r, GONE("/d/", "null") GONE("/e/", "null"));
	open_git(r);
	must(published_load(r->git, &r->arena, &log, &e), &e);
	assert_true(log.exists);
	assert_int_equal(log.n, 5);
	assert_int_equal(log.committed, 4);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(log.line[i].page[1], 'a' + i);
		assert_int_equal(log.line[i].line, i + 2);
	}
	assert_string_equal(log.line[0].at.path, ONE);
	assert_int_equal(log.line[0].at.line, 2);
	assert_string_equal(log.line[2].at.path, TWO);
	assert_int_equal(log.line[2].at.line, 2);
	assert_string_equal(log.line[4].at.path, PUBLISHED_PATH);
	assert_int_equal(log.line[4].at.line, 2);
	assert_string_equal(published_bytes(&log).p,
	                    HEAD GONE("/a/", "null") GONE("/b/", "null") GONE("/c/", "null")
	                            GONE("/d/", "null") GONE("/e/", "null"));
}

static void places_in_an_open_part_that_repeats(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	struct published_log log;
	write_closed(r, ONE, HEAD GONE("/a/", "null"));
	write_open(r, HEAD GONE("/a/", "null") GONE("/b/", "null"));
	repo_commit(r);
	open_git(r);
	must(published_load(r->git, &r->arena, &log, &e), &e);
	assert_int_equal(log.n, 2);
	assert_int_equal(log.committed, 2);
	assert_int_equal(log.line[1].line, 3);
	assert_int_equal(log.line[1].at.line, 3);
	write_open(r, HEAD GONE("/a/", "null") "[]\n");
	repo_commit(r);
	open_git(r);
	assert_false(published_load(r->git, &r->arena, &log, &e));
	assert_non_null(strstr(e.text, PUBLISHED_PATH ":3"));
}

static void only_the_first_part_has_the_head(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	struct published_log log;
	write_closed(r, ONE, GONE("/a/", "null"));
	write_open(r, HEAD);
	assert_false(published_load(NULL, &r->arena, &log, &e));
	assert_non_null(strstr(e.text, ONE ":1:1: "));
	assert_non_null(strstr(e.text, "expected {\"schema\""));
	e = ERR_NONE;
	write_closed(r, ONE, HEAD GONE("/a/", "null"));
	assert_false(published_load(NULL, &r->arena, &log, &e));
}

/* The only line of a log carries this date. */
static void date_says(struct repo *r, const char *date, const char *says)
{
	struct err e = ERR_NONE;
	struct published_log log;
	write_open(r, arena_printf(&r->arena,
	                           HEAD "{\"page\":\"/a/\",\"number\":\"n\",\"text\":null,"
	                                "\"was\":null,\"noted\":\"%s\"}\n",
	                           date));
	open_git(r);
	assert_int_equal(published_load(r->git, &r->arena, &log, &e), !*says);
	if (!strstr(e.text, says))
		fail_msg("'%s': '%s' is not in '%s'", date, says, e.text);
}

static void lines_carry_the_date_of_a_head(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	static const char at[] = PUBLISHED_PATH ":2: 'noted' is '";
	struct tm t;
	char day[3][16];
	open_git(r);
	for (int i = 0; i < 3; i++) {
		time_t head = (time_t)git_head_time(r->git), now = time(NULL);
		time_t then = (head > now ? head : now) + i * 24 * 60 * 60;
		assert_non_null(gmtime_r(&then, &t));
		assert_true(strftime(day[i], sizeof day[i], "%Y-%m-%d", &t) == 10);
	}
	date_says(r, "1970-01-01", "");
	date_says(r, day[0], "");
	date_says(r, day[1], "");
	date_says(r, day[2], both(r, at, day[2]));
	date_says(r, "2099-12-31", both(r, at, "2099-12-31', expected at most "));
	date_says(r, "2026-02-29",
	          both(r, at, "2026-02-29', expected a day that the calendar has"));
	date_says(r, "d", both(r, at, "d', expected a date like 2026-11-21"));
	date_says(r, "", both(r, at, "', expected a date like 2026-11-21"));
}

static void the_work_tree_begins_with_head(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct published_parts p;
	write_closed(r, ONE, "a\n");
	write_open(r, "b\nc\n");
	repo_commit(r);
	write_open(r, "b\nc\nd\n");
	p = loads(r, "");
	all_is(r, &p, "a\nb\nc\nd\n");
	assert_int_equal(p.committed, 6);
	write_open(r, "b\n");
	loads(r, PUBLISHED_PATH ": " BEGINS);
	write_open(r, "");
	loads(r, PUBLISHED_PATH ": " BEGINS);
	assert_int_equal(unlink(PUBLISHED_PATH), 0);
	p = loads(r, "");
	all_is(r, &p, "a\nb\nc\n");
	write_closed(r, ONE, "A\n");
	loads(r, ONE ": is not what HEAD has, and a closed part never changes: restore it with "
	             "'git checkout HEAD -- " ONE "' [noted]");
	assert_int_equal(unlink(ONE), 0);
	p = loads(r, "");
	all_is(r, &p, "a\nb\nc\n");
}

static void a_new_part_holds_lines_of_head(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct published_parts p;
	write_closed(r, ONE, "a\n");
	write_open(r, "b\nc\n");
	repo_commit(r);
	write_closed(r, TWO, "b\nc\n");
	p = loads(r, ""); /* killed after the closed part */
	all_is(r, &p, "a\nb\nc\n");
	assert_int_equal(p.committed, 6);
	assert_int_equal(p.open.n, 0);
	write_open(r, "b\nc\nd\n");
	p = loads(r, "");
	all_is(r, &p, "a\nb\nc\nd\n");
	write_open(r, "d\n");
	p = loads(r, "");
	all_is(r, &p, "a\nb\nc\nd\n");
	assert_int_equal(p.committed, 6);
	write_closed(r, TWO, "b\nc\nd\n");
	loads(r, TWO ": does not hold lines that HEAD's " PUBLISHED_PATH " begins with");
	write_closed(r, TWO, "B\nc\n");
	loads(r, TWO ": does not hold lines");
	write_closed(r, TWO, "b\n");
	loads(r, PUBLISHED_PATH ": " BEGINS);
}

static void numbers_follow(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct published_parts p;
	write_closed(r, ONE, "a\n");
	write_closed(r, "data/published/0003.jsonl.gz", "b\n");
	loads(r, "data/published/0003.jsonl.gz: is not the next closed part of the log, expected "
	         "the name " TWO " [noted]");
	assert_int_equal(unlink("data/published/0003.jsonl.gz"), 0);
	write_closed(r, "data/published/2.jsonl.gz", "b\n");
	loads(r, "data/published/2.jsonl.gz: is not the next closed part");
	assert_int_equal(unlink("data/published/2.jsonl.gz"), 0);
	write_closed(r, "data/published/.0003.jsonl.gz", "b\n");
	write_closed(r, TWO ".kIlLeD", "b\n");
	p = loads(r, "");
	all_is(r, &p, "a\n");
	assert_true(published_parts_has(ONE) && published_parts_has(PUBLISHED_PATH));
	assert_false(published_parts_has(TWO ".kIlLeD") ||
	             published_parts_has("data/published/0000.jsonl.gz") ||
	             published_parts_has("data/published/x001.jsonl.gz") ||
	             published_parts_has("data/0001.jsonl.gz"));
}

static void damaged_parts_are_errors(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct str whole = packed(r, str_of(many(r, 'a', 9)));
	char *large = arena_strndup(&r->arena, whole.p, whole.n);
	repo_write(r, ONE, str_sub(whole, 0, whole.n - 1));
	loads(r, ONE);
	repo_write(r, ONE, STR(""));
	loads(r, ONE ": not a gzip file [noted]");
	large[whole.n - 1] = 4; /* states 64 MiB and a little */
	repo_write(r, ONE, (struct str){large, whole.n});
	loads(r, "bytes when inflated, expected at most 67108864 [noted]");
	write_closed(r, ONE, "a\nb");
	loads(r, ONE ": the last line is cut off, expected a newline [noted]");
	write_closed(r, ONE, "");
	loads(r, ONE ": the last line is cut off, expected a newline [noted]");
}

/* --- adding --- */

/* Adds lines as a note does; the path of the part that it closes, or NULL. */
static const char *adds(struct repo *r, const char *added)
{
	struct err e = ERR_NONE;
	struct published_parts p = loads(r, "");
	const char *closed;
	must(published_parts_add(&p, str_of(added), &r->arena, &closed, &e), &e);
	return closed;
}

static void open_is(struct repo *r, const char *lines)
{
	struct err e = ERR_NONE;
	struct str text;
	must(file_read(PUBLISHED_PATH, 1 << 24, &r->arena, &text, &e), &e);
	assert_string_equal(text.p, lines);
}

enum { MIB = (1 << 20) / 64, LEAST = (64 << 10) / 64 };

static void a_large_part_is_closed(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	const char *old = many(r, 'a', MIB - 2), *wait = many(r, 'b', 1), *next = many(r, 'c', 1);
	write_open(r, old);
	repo_commit(r);
	assert_null(adds(r, wait));
	assert_null(adds(r, next)); /* 1 MiB, and not more */
	assert_false(file_exists("data/published"));
	assert_string_equal(adds(r, next), ONE);
	open_is(r, both(r, wait, both(r, next, next))); /* what waits for a commit stays */
	struct published_parts p = loads(r, "");
	assert_true(str_is(p.closed[0].lines, old));
	assert_null(adds(r, many(r, 'd', MIB))); /* none of it is committed */
	repo_commit(r);
	p = loads(r, "");
	assert_int_equal(p.committed, p.closed[0].lines.n + p.open.n);
	assert_string_equal(adds(r, ""), TWO);
	open_is(r, "");
	assert_null(adds(r, ""));
	p = loads(r, "");
	assert_int_equal(p.n, 2);
	all_is(r, &p, both(r, old, both(r, wait, both(r, next, both(r, next, many(r, 'd', MIB))))));
}

/* Later lines could repeat a small part by chance. */
static void a_small_part_stays_open(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	write_open(r, many(r, 'a', LEAST - 1));
	repo_commit(r);
	assert_null(adds(r, many(r, 'b', MIB)));
	write_open(r, many(r, 'a', LEAST));
	repo_commit(r);
	assert_string_equal(adds(r, many(r, 'b', MIB)), ONE);
}

/* Killed between its two writes, committed or not: the next note completes it. */
static void what_was_killed_is_completed(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	const char *old = many(r, 'a', MIB), *next = many(r, 'b', 3);
	write_open(r, old);
	repo_commit(r);
	write_closed(r, ONE, old);
	assert_null(adds(r, next));
	open_is(r, next);
	write_open(r, both(r, old, next));
	repo_commit(r);
	assert_null(adds(r, ""));
	open_is(r, next);
	struct published_parts p = loads(r, "");
	all_is(r, &p, both(r, old, next));
}

/*
 * Killed after a closed part, committed so, and killed after the next one. A file in place of the
 * folder stops the second note before that part: the open part is without its copy by then.
 */
static void two_kills_repeat_no_line(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	const char *closed, *old = many(r, 'a', MIB), *next = many(r, 'b', MIB);
	write_closed(r, ONE, old);
	write_open(r, both(r, old, next));
	repo_commit(r);
	struct published_parts p = loads(r, "");
	assert_int_equal(rename("data/published", "away"), 0);
	repo_write(r, "data/published", STR(""));
	assert_false(published_parts_add(&p, STR("c\n"), &r->arena, &closed, &e));
	assert_int_equal(unlink("data/published"), 0);
	assert_int_equal(rename("away", "data/published"), 0);
	assert_null(closed);
	open_is(r, next);
	write_closed(r, TWO, next); /* killed one write later */
	p = loads(r, "");
	all_is(r, &p, both(r, old, next));
	repo_commit(r);
	assert_null(adds(r, "c\n"));
	open_is(r, "c\n");
	p = loads(r, "");
	all_is(r, &p, both(r, both(r, old, next), "c\n"));
}

/* The lengths alone decide, so no test needs 64 MiB. */
static void a_log_beyond_its_limit_is_not_written(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	const char *closed;
	write_open(r, "a\n");
	repo_commit(r);
	struct published_parts p = loads(r, "");
	struct published_part part = {.path = ONE, .lines = {"", (64 << 20) - 4}};
	p.closed = &part;
	p.n = 1;
	assert_false(published_parts_add(&p, STR("bc\n"), &r->arena, &closed, &e));
	assert_non_null(strstr(e.text, PUBLISHED_PATH ": with 3 bytes more"));
	assert_non_null(strstr(e.text, " 67108864 bytes "));
	assert_null(closed);
	open_is(r, "a\n");
	e = ERR_NONE;
	must(published_parts_add(&p, STR("b\n"), &r->arena, &closed, &e), &e);
	open_is(r, "a\nb\n");
}

static void another_writer_loses_nothing(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	const char *closed, *old = many(r, 'a', MIB);
	write_open(r, old);
	repo_commit(r);
	struct published_parts p = loads(r, "");
	write_closed(r, ONE, old);
	assert_false(published_parts_add(&p, STR("b\n"), &r->arena, &closed, &e));
	assert_string_equal(e.text, PUBLISHED_PATH " has changed since this note began; run it "
	                                           "again");
	assert_null(closed);
	open_is(r, old);
}

/* --- history --- */

static void history_says(struct repo *r, const char *says)
{
	struct err e = ERR_NONE;
	open_git(r);
	r->data = (struct data){.git = r->git};
	must(git_history(r->git, "data", &r->arena, &r->data.history, &e), &e);
	assert_int_equal(published_check_history(&r->data, NULL, &r->arena, &e), !*says);
	if (!strstr(e.text, says))
		fail_msg("'%s' is not in '%s'", says, e.text);
	if (*says) {
		char commit[41];
		repo_head(r, commit);
		assert_non_null(strstr(e.text, arena_printf(&r->arena, "commit %.12s ", commit)));
		assert_true(str_ends(str_of(e.text), " [noted]"));
	}
}

/* Commits what is there; an error must have the text, and then the commit is taken back. */
static void committed(struct repo *r, const char *says)
{
	repo_git(r, "add -A");
	repo_git(r, "commit -q --allow-empty -m more");
	history_says(r, says);
	if (*says)
		repo_git(r, "reset -q --hard HEAD~1");
}

static void history_only_grows(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct str same = packed(r, STR("a\nb\n"));
	write_open(r, "a\n");
	committed(r, "");
	write_open(r, "a\nb\n");
	committed(r, "");
	write_closed(r, ONE, "a\nb\n");
	committed(r, ""); /* killed, and committed so */
	write_open(r, "c\n");
	committed(r, "");
	assert_int_equal(unlink(PUBLISHED_PATH), 0);
	committed(r, PUBLISHED_PATH ": commit ");
	write_closed(r, ONE, "a\nB\n");
	committed(r, ONE ": commit ");
	((char *)same.p)[9] ^= 1; /* the operating system: the same lines, packed again */
	repo_write(r, ONE, same);
	committed(r, " changed it; a closed part of the log of published numbers never changes");
	repo_write(r, ONE, STR("no gzip"));
	committed(r, " changed it; a closed part");
	assert_int_equal(unlink(ONE), 0);
	committed(r, " removed it; a closed part");
	assert_int_equal(unlink(ONE), 0);
	write_open(r, "a\nb\nc\n");
	committed(r, ONE ": commit ");
	write_closed(r, TWO, "c\n");
	write_open(r, "d\n");
	committed(r, "");
	write_closed(r, "data/published/0003.jsonl.gz", "d\ne\n");
	write_closed(r, "data/published/0004.jsonl.gz", "f\n");
	write_open(r, "");
	committed(r, ""); /* two in one commit, as if commits had been squashed */
	assert_int_equal(unlink(PUBLISHED_PATH), 0);
	committed(r, ""); /* it was empty */
	write_open(r, "g\n");
	committed(r, "");
}

static void lines_stay_where_they_are(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	static const char says[] = "; the log of published numbers only ever grows";
	write_closed(r, ONE, "a\nb\n");
	write_open(r, "c\nd\n");
	committed(r, "");
	write_closed(r, TWO, "c\nD\n"); /* another line is closed */
	write_open(r, "e\n");
	committed(r, says);
	write_closed(r, TWO, "c\n"); /* a line gets lost */
	write_open(r, "e\n");
	committed(r, says);
	write_closed(r, TWO, "d\n"); /* the order */
	write_open(r, "c\n");
	committed(r, says);
	write_open(r, "b\nc\nd\n"); /* a line of a closed part in the open one */
	committed(r, says);
	write_closed(r, ONE, "a\nb\nc\n"); /* a line of the open part in the closed one */
	write_open(r, "d\n");
	committed(r, ONE ": commit ");
}

/* A shallow clone sees no history, so it must not vouch for HEAD. */
static void a_shallow_clone_leaves_no_stamp(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	struct err e = ERR_NONE;
	write_open(r, "a\nb\n");
	committed(r, "");
	write_open(r, "a\n");
	repo_commit(r);
	open_git(r);
	r->data = (struct data){.git = r->git, .history = {.shallow = true}};
	assert_int_equal(mkdir("cache", 0700), 0);
	must(published_check_history(&r->data, "cache", &r->arena, &e), &e);
	assert_false(file_exists("cache/noted"));
	must(git_history(r->git, "data", &r->arena, &r->data.history, &e), &e);
	assert_false(published_check_history(&r->data, "cache", &r->arena, &e));
	assert_false(file_exists("cache/noted"));
}

/* The branch `side` closes and adds a line; main adds another. */
static void two_sides(struct repo *r)
{
	write_open(r, "a\nb\n");
	committed(r, "");
	repo_git(r, "checkout -q -b side");
	write_closed(r, ONE, "a\nb\n");
	write_open(r, "side\n");
	committed(r, "");
	repo_git(r, "checkout -q main");
	write_open(r, "a\nb\nmain\n");
	committed(r, "");
	repo_git(r, "merge -q --no-commit -s ours side > /dev/null 2>&1");
}

static void a_merge_begins_with_one_side(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	two_sides(r);
	write_closed(r, ONE, "a\nb\n");
	write_open(r, "side\nmain\n");
	committed(r, "");
	repo_git(r, "reset -q --hard HEAD~1");
	repo_git(r, "merge -q --no-commit -s ours side > /dev/null 2>&1");
	write_open(r, "a\nb\nmain\nside\n"); /* without the closed part of the other side */
	committed(r, "");
}

static void a_merge_has_the_lines_of_both(void **state)
{
	struct repo *r = &((struct place *)*state)->r;
	static const struct {
		const char *closed, *open;
	} bad[] = {
	        {"a\nb\n", "side\n"},    {"a\nb\n", "main\n"},   {"a\n", "b\nsi\nmain\n"},
	        {"b\n", "side\nmain\n"}, {NULL, "a\nb\nmain\n"}, {NULL, "side\nmain\n"},
	};
	two_sides(r);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		if (bad[i].closed)
			write_closed(r, ONE, bad[i].closed);
		write_open(r, bad[i].open);
		committed(r, "commit ");
		repo_git(r, "merge -q --no-commit -s ours side > /dev/null 2>&1");
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, arrive, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(closed_parts_come_first),
	        TEST(places_in_an_open_part_that_repeats),
	        TEST(only_the_first_part_has_the_head),
	        TEST(lines_carry_the_date_of_a_head),
	        TEST(the_work_tree_begins_with_head),
	        TEST(a_new_part_holds_lines_of_head),
	        TEST(numbers_follow),
	        TEST(damaged_parts_are_errors),
	        TEST(a_large_part_is_closed),
	        TEST(a_small_part_stays_open),
	        TEST(what_was_killed_is_completed),
	        TEST(two_kills_repeat_no_line),
	        TEST(a_log_beyond_its_limit_is_not_written),
	        TEST(another_writer_loses_nothing),
	        TEST(history_only_grows),
	        TEST(lines_stay_where_they_are),
	        TEST(a_shallow_clone_leaves_no_stamp),
	        TEST(a_merge_begins_with_one_side),
	        TEST(a_merge_has_the_lines_of_both),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
