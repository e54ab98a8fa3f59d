/* A translation beside its original: what must agree, what is older, and `site-gen translated`. */
#include "site-gen/site/translation.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/array.h"
#include "lib/hash.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "tests/unit/help/synthetic_repo.h"

#define HEAD_OF(title) "---\ntitle: " title "\ndescription: About scans.\ndate: 2026-01-01\n---\n"
#define INTRO "\nFirst, <<bench:value scan/warp n=8 m=4>>.\n"
#define HEADING "\n## Results {#results}\n"
#define SECOND "\nSecond.\n"
#define LIST "\n- a list\n"

/* The original as it was committed, and as it was translated. */
#define WAS HEAD_OF("Scans") INTRO HEADING SECOND LIST
/* A translation of it, after its source. */
#define T_BODY "\n甲 <<bench:value scan/warp m=4 n=8>>。\n\n## 结果\n\n乙。\n\n- 丙\n"
#define T_HEAD "title: 扫描\ndescription: 关于扫描。\n---\n"
#define ORIGINAL "content/posts/x.md"
#define TRANSLATION "content/posts/x.zh.md"

/* A repository in which the process stands, with the original committed. */
struct desk {
	struct repo r;
	int home;
	char was[HASH_GIT_HEX + 1]; /* its blob id */
	struct site site;
	struct maker m;
	struct problems problems;
	struct page original, page, *versions[2];
	struct front front;
	struct translation_pair pair;
	struct err e;
};

static int desk_setup(void **state)
{
	struct desk *d = calloc(1, sizeof *d);
	if (!d)
		return -1;
	repo_make(&d->r, true);
	hash_git_blob(STR(WAS), d->was);
	repo_write(&d->r, ORIGINAL, STR(WAS));
	repo_commit(&d->r);
	must(git_open(d->r.dir, &d->r.git, &d->e), &d->e);
	d->home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*state = d;
	return chdir(d->r.dir);
}

static int desk_teardown(void **state)
{
	struct desk *d = *state;
	int failed = fchdir(d->home);
	close(d->home);
	arena_free(&d->m.scratch);
	repo_free(&d->r);
	free(d);
	return failed;
}

/* Writes the original as it is now. */
static void now(struct desk *d, const char *text)
{
	repo_write(&d->r, ORIGINAL, str_of(text));
}

/* Writes the translation: `source` NULL names none, then its front matter and its text. */
static void translated(struct desk *d, const char *source, const char *rest)
{
	const char *line = source ? arena_printf(&d->r.arena, "source: %s\n", source) : "";
	repo_write(&d->r, TRANSLATION, str_of(arena_printf(&d->r.arena, "---\n%s%s", line, rest)));
}

/* Compares both files; the result is in `pair`, and an error in `e`. */
static bool compare(struct desk *d, bool with_git)
{
	struct str text;
	d->e = (struct err)ERR_NONE;
	d->problems = (struct problems){.arena = &d->r.arena};
	d->site = (struct site){.repo.git = with_git ? d->r.git : NULL};
	d->m.site = &d->site;
	d->m.shared = &d->r.arena;
	d->m.problems = &d->problems;
	d->original.path = ORIGINAL;
	d->versions[0] = &d->original;
	d->versions[1] = &d->page;
	d->page = (struct page){.path = TRANSLATION, .language = 1, .versions = d->versions};
	must(file_read(TRANSLATION, 1 << 16, &d->r.arena, &text, &d->e), &d->e);
	must(front_parse(text, TRANSLATION, FRONT_TRANSLATION, &d->r.arena, &d->front, &d->e),
	     &d->e);
	return translation_compare(&d->m, &d->page, &d->front, FRONT_POST, &d->pair, &d->e);
}

/* --- as translated --- */

static void an_original_is_the_first_version(void **state)
{
	(void)state;
	struct page first = {.path = ORIGINAL}, made = {0}, second = {.language = 1};
	struct page *both[] = {&first, &second}, *alone[] = {NULL, &second},
	            *generated[] = {&made, &second};
	first.versions = second.versions = both;
	assert_ptr_equal(translation_original(&second), &first);
	assert_null(translation_original(&first));
	second.versions = alone;
	assert_null(translation_original(&second));
	second.versions = generated; /* no file to compare it with */
	assert_null(translation_original(&second));
	second.versions = NULL;
	assert_null(translation_original(&second));
}

static void nothing_changed(void **state)
{
	struct desk *d = *state;
	translated(d, d->was, T_HEAD T_BODY);
	for (int with_git = 0; with_git < 2; with_git++) { /* the present text needs no history */
		assert_true(compare(d, with_git));
		const struct translation *t = d->pair.state;
		assert_ptr_equal(t->original, &d->original);
		assert_null(t->older);
		assert_null(t->added);
		assert_false(t->head_older);
		assert_false(t->unknown);
		assert_int_equal(d->pair.options.nblocks, 4);
		assert_string_equal(d->pair.options.ids[0], "results");
		for (int i = 0; i < 4; i++) {
			assert_int_equal(d->pair.options.blocks[i].anchor, i + 1);
			assert_null(d->pair.options.blocks[i].older);
		}
	}
	assert_string_equal(d->front.date, "2026-01-01"); /* from the original */
	assert_string_equal(d->front.slug, "x");
	assert_true(str_is(d->front.title.s, "扫描"));
}

/* --- the original has changed since --- */

static void changed_blocks_are_paired(void **state)
{
	struct desk *d = *state;
	translated(d, d->was, T_HEAD T_BODY);
	now(d, HEAD_OF("Scans") INTRO HEADING "\nA new paragraph.\n" SECOND "\n- another list\n");
	assert_true(compare(d, true));
	const struct translation *t = d->pair.state;
	assert_int_equal(t->nolder, 1);
	assert_string_equal(t->older->anchor, "para-5");
	assert_string_equal(t->older->original, "para-5");
	assert_int_equal(t->nadded, 1);
	assert_null(t->added->anchor);
	assert_string_equal(t->added->original, "para-3");
	assert_false(t->head_older);
	assert_int_equal(d->pair.options.blocks[2].anchor, 4); /* moved, but the same */
	assert_null(d->pair.options.blocks[2].older);
	assert_string_equal(d->pair.options.blocks[3].older, "para-5");
}

static void a_removed_block_has_no_original(void **state)
{
	struct desk *d = *state;
	translated(d, d->was, T_HEAD T_BODY);
	now(d, HEAD_OF("Prefix sums") INTRO HEADING LIST);
	assert_true(compare(d, true));
	const struct translation *t = d->pair.state;
	assert_int_equal(t->nolder, 1);
	assert_null(t->older->original);
	assert_string_equal(t->older->anchor, "para-6"); /* no anchor of a present block */
	assert_int_equal(t->nadded, 0);
	assert_true(t->head_older);
	assert_string_equal(d->pair.options.blocks[2].older, "");
	assert_int_equal(d->pair.options.blocks[3].anchor, 3);
	now(d, HEAD_OF("Scans") INTRO HEADING "\n> a quote\n" LIST);
	assert_true(compare(d, true)); /* a paragraph does not become a quote */
	assert_null(d->pair.state->older->original);
	assert_string_equal(d->pair.state->added->original, "para-3");
	assert_false(d->pair.state->head_older);
}

static void without_a_repository_changes_are_unknown(void **state)
{
	struct desk *d = *state;
	translated(d, d->was, T_HEAD T_BODY);
	now(d, HEAD_OF("Scans") INTRO HEADING);
	assert_true(compare(d, false));
	assert_true(d->pair.state->unknown);
	assert_null(d->pair.state->older);
	assert_null(d->pair.options.blocks);
}

/* --- what is refused --- */

#define LOST "0123456789012345678901234567890123456789"

static void what_must_agree(void **state)
{
	struct desk *d = *state;
	char id[HASH_GIT_HEX + 1];
	hash_git_blob(STR(WAS), id);
	const struct {
		const char *source, *rest, *said;
	} bad[] = {
	        {NULL, T_HEAD T_BODY,
	         ":1:1: front matter has no 'source', which every translation needs: the blob id "
	         "of the original as translated; of " ORIGINAL " as it is now: 'source: %s' "
	         "[bilingual]"},
	        {LOST, T_HEAD T_BODY,
	         ":2:1: blob " LOST
	         " is in no commit of this repository, expected a committed version of " ORIGINAL
	         " (a shallow clone lacks old ones); as it is now it is %s [bilingual]"},
	        {id, T_HEAD "\n甲 <<bench:value scan/warp n=8 m=4>>。\n\n## 结果\n\n- 丙\n",
	         ":11: block 3 is a list (line 11), where " ORIGINAL " has a paragraph (line 11); "
	         "expected a block for each block [bilingual]"},
	        {id, T_HEAD "\n甲 <<bench:value scan/warp n=8 m=4>>。\n",
	         ":6: block 2 is its end, where " ORIGINAL " has a heading (line 9); expected a "
	         "block for each block [bilingual]"},
	        {id,
	         T_HEAD "\n甲 <<bench:value scan/warp n=8 m=4>>。\n\n## 结果 {#jieguo}\n\n乙。\n\n"
	                "- 丙\n",
	         ":9:1: heading has the id 'jieguo', its original in " ORIGINAL " has 'results' "
	         "[bilingual]"},
	        {id, "device: h100\n" T_HEAD T_BODY,
	         ":1:1: device is 'h100', the original has 'the site's'; leave it out "
	         "[bilingual]"},
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const char *at = strstr(bad[i].said, "%s");
		translated(d, bad[i].source, bad[i].rest);
		assert_false(compare(d, true));
		assert_string_equal(d->e.text,
		                    at ? arena_printf(&d->r.arena, TRANSLATION "%.*s%s%s",
		                                      (int)(at - bad[i].said), bad[i].said, id,
		                                      at + 2)
		                       : arena_printf(&d->r.arena, TRANSLATION "%s", bad[i].said));
	}
}

/* Each number that only one of them has is a problem of the build, not the first error. */
static void both_quote_the_same_numbers(void **state)
{
	struct desk *d = *state;
	translated(d, d->was,
	           "title: 扫描\ndescription: 到 <<bench:spec hbm>>。\n---\n"
	           "\n甲 <<bench:value scan/warp n=9>>。\n\n## 结果\n\n乙。\n\n- 丙\n");
	assert_false(compare(d, true));
	assert_false(d->e.set);
	size_t n = 0;
	const char *all = "";
	for (const struct problem *p = d->problems.first; p; p = p->next, n++)
		all = arena_printf(&d->r.arena, "%s%s\n", all, p->text);
	assert_int_equal(n, 3);
	assert_non_null(strstr(all, TRANSLATION ":4:16: '<<bench:spec hbm>>' is not in the "
	                                        "original, " ORIGINAL));
	assert_non_null(strstr(all, TRANSLATION ":7:3: '<<bench:value scan/warp n=9>>' is not in"));
	assert_non_null(strstr(all, ORIGINAL ":7:8: '<<bench:value scan/warp n=8 m=4>>' is missing "
	                                     "in the translation, " TRANSLATION));
}

/* It has every block of the present original, but names the one before. */
static void a_translation_that_followed_says_so(void **state)
{
	struct desk *d = *state;
	translated(d, d->was,
	           T_HEAD "\n甲 <<bench:value scan/warp n=8 m=4>>。\n\n## 结果\n\n- 丙\n");
	now(d, HEAD_OF("Scans") INTRO HEADING LIST);
	assert_false(compare(d, true));
	assert_string_equal(d->e.text, TRANSLATION
	                    ":2:1: the translation has followed the original, but names an older "
	                    "one; expected 'site-gen translated " TRANSLATION "' [bilingual]");
}

/* --- site-gen translated --- */

/* Its exit status; *said is what it printed on both streams. */
static int marked(struct desk *d, const char *path, const char **said)
{
	struct str text;
	int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
	int file = open("said", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	fflush(NULL);
	dup2(file, STDOUT_FILENO);
	dup2(file, STDERR_FILENO);
	int status = translation_mark(path);
	fflush(NULL);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	close(file);
	must(file_read("said", 1 << 16, &d->r.arena, &text, &d->e), &d->e);
	*said = str_dup(&d->r.arena, text);
	return status;
}

static const char *file_now(struct desk *d)
{
	struct str text;
	must(file_read(TRANSLATION, 1 << 16, &d->r.arena, &text, &d->e), &d->e);
	return str_dup(&d->r.arena, text);
}

static void the_id_is_written(void **state)
{
	struct desk *d = *state;
	const char *said;
	char id[HASH_GIT_HEX + 1];
	static const char new[] = HEAD_OF("Scans") INTRO HEADING "\nSecond, again.\n" LIST;
	translated(d, NULL, T_HEAD T_BODY);
	assert_int_equal(marked(d, TRANSLATION, &said), 0);
	assert_string_equal(file_now(d),
	                    arena_printf(&d->r.arena,
	                                 "---\ntitle: 扫描\ndescription: 关于扫描。\nsource: %s\n"
	                                 "---\n" T_BODY,
	                                 d->was));
	translated(d, d->was, T_HEAD T_BODY);
	now(d, new);
	hash_git_blob(STR(new), id);
	assert_int_equal(marked(d, TRANSLATION, &said), 0);
	assert_string_equal(file_now(d),
	                    arena_printf(&d->r.arena, "---\nsource: %s\n" T_HEAD T_BODY, id));
	assert_string_equal(said, arena_printf(&d->r.arena,
	                                       "site-gen: " TRANSLATION ": translated from %.12s\n"
	                                       "  " ORIGINAL ":11: changed since the last time\n",
	                                       id));
}

static void nothing_is_written_unless_both_agree(void **state)
{
	struct desk *d = *state;
	const char *said;
	static const char *const bad[] = {
	        T_HEAD "\n甲 <<bench:value scan/warp n=9>>。\n\n## 结果\n\n乙。\n\n- 丙\n",
	        T_HEAD "\n甲 <<bench:value scan/warp n=8 m=4>>。\n",
	};
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		translated(d, LOST, bad[i]);
		const char *before = file_now(d);
		assert_int_equal(marked(d, TRANSLATION, &said), 1);
		assert_non_null(strstr(said, "[bilingual]"));
		assert_string_equal(file_now(d), before);
	}
	assert_int_equal(marked(d, ORIGINAL, &said), 1);
	assert_string_equal(said, "site-gen: " ORIGINAL
	                          ": is no translation, expected NAME.LANGUAGE.md\n");
	assert_int_equal(marked(d, "content/posts/y.zh.md", &said), 1);
	assert_non_null(strstr(said, "content/posts/y.zh.md"));
}

/* Every test begins with the committed original. */
static int begin(void **state)
{
	now(*state, WAS);
	return 0;
}

#define TEST(f) cmocka_unit_test_setup(f, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(an_original_is_the_first_version),
	        TEST(nothing_changed),
	        TEST(changed_blocks_are_paired),
	        TEST(a_removed_block_has_no_original),
	        TEST(without_a_repository_changes_are_unknown),
	        TEST(what_must_agree),
	        TEST(both_quote_the_same_numbers),
	        TEST(a_translation_that_followed_says_so),
	        TEST(the_id_is_written),
	        TEST(nothing_is_written_unless_both_agree),
	};
	return cmocka_run_group_tests(tests, desk_setup, desk_teardown);
}
