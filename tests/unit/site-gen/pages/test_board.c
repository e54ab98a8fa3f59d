/* The scoreboard: the order of its rows, wins and losses, and families without a number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/lua/config.h"
#include "site-gen/pages/board.h"
#include "tests/unit/help/synthetic_repo.h"

static struct config_language languages[] = {{.code = "en"}};
static const struct config config = {.language = "en", .languages = languages, .nlanguages = 1};

static struct repo repo;
static struct headlines all;
static const char *board;

static void write_front(const char *family, const char *headline)
{
	const char *text =
	        arena_printf(&repo.arena,
	                     "---\ntitle: The %s\ndescription: D.\nheadline: \"%s\"\n"
	                     "case: the case\ntask: move\npost: /posts/x/\n---\n\nText.\n",
	                     family, headline);
	repo_write(&repo, arena_printf(&repo.arena, "content/kernels/%s.md", family), str_of(text));
}

static int make(void **state)
{
	struct sb to = {0};
	struct err e = ERR_NONE;
	static const char *const devices[] = {"h200"};
	(void)state;
	repo_ready(&repo);
	write_front("transpose", "rows=16384 dtype=f32");
	write_front("gemv", "m=1");
	must(headlines_load(&repo.data, &config, &repo.arena, &all, &e), &e);
	board_write(&repo.ctx, &all, devices, 1, &to);
	board = str_dup(&repo.arena, sb_view(&to));
	sb_free(&to);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

/* The place of a text on the scoreboard, from `from`. */
static const char *at(const char *from, const char *part)
{
	const char *p = strstr(from, part);
	if (!p)
		fail_msg("'%s' is not in '%s'", part, from);
	return p;
}

static void only_devices_with_numbers_have_one(void **state)
{
	const char *device[EXPAND_DEVICES];
	(void)state;
	assert_int_equal(board_devices(&repo.data, &all, device), 1);
	assert_string_equal(device[0], "h200");
	assert_int_equal(board_devices(&repo.data, &(struct headlines){0}, device), 0);
}

/* gemv/warp reaches 83 % of the roof, transpose/padded 81 %; stream has no headline. */
static void large_shares_come_first(void **state)
{
	(void)state;
	const char *gemv = at(board, "The gemv"), *transpose = at(gemv, "The transpose");
	at(at(transpose, "Streaming copy"), "no headline case");
}

static void a_row_says_what_the_case_reaches(void **state)
{
	(void)state;
	const char *row = at(board, "<tr data-task=\"move\" data-dtype=\"f32\">");
	at(row, "<span class=\"case\">the case</span>");
	at(row, "class=\"num percent\"");
	at(row, "class=\"bar-roof\"");
	at(row, "<span class=\"chip\">memory</span>");
	at(row, "href=\"/posts/x/\"");
	at(board, "href=\"board.csv\"");
}

/* What rows can be filtered by stands on the page, so that nothing moves when the script comes. */
static void rows_can_be_filtered(void **state)
{
	(void)state;
	const char *task =
	        at(board, "<button type=\"button\" class=\"chip\" name=\"task\" value=\"\"");
	const char *move = at(task, "value=\"move\" aria-pressed=\"false\">move</button>");
	assert_null(strstr(move + 1, "name=\"task\" value=\"move\""));
	const char *dtype = at(task, "name=\"dtype\" value=\"f32\"");
	at(dtype, "<span class=\"found\"");
	at(dtype, "<figure class=\"bench board\"");
}

/* transpose/padded beats the library by 2.5 %. */
static void a_decided_ratio_looks_like_it(void **state)
{
	(void)state;
	at(at(board, "The transpose"), "<span class=\"win\"><a class=\"num ratio\"");
	assert_null(strstr(board, "class=\"loss\""));
}

/* Bars of own kernels, the best among them, then the library; a single run has no history. */
static void steps_are_drawn_in_order(void **state)
{
	(void)state;
	const char *steps = at(at(board, "The transpose"), "<svg class=\"steps\"");
	at(at(at(at(steps, "class=\"own\""), "class=\"own\""), "class=\"best\""), "class=\"peer\"");
	assert_null(strstr(board, "<svg class=\"past\""));
}

static void every_number_is_quoted(void **state)
{
	size_t n = 0;
	(void)state;
	for (const struct quote *q = repo.ctx.quotes; q; q = q->next) {
		assert_int_equal(q->figure, 1);
		n++;
	}
	assert_int_equal(n, 6); /* of two families: best, share, ratio */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(only_devices_with_numbers_have_one),
	        cmocka_unit_test(large_shares_come_first),
	        cmocka_unit_test(a_row_says_what_the_case_reaches),
	        cmocka_unit_test(rows_can_be_filtered),
	        cmocka_unit_test(a_decided_ratio_looks_like_it),
	        cmocka_unit_test(steps_are_drawn_in_order),
	        cmocka_unit_test(every_number_is_quoted),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
