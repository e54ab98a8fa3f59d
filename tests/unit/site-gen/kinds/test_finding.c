/* The finding of a figure: its markup, its numbers, and the rules for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/lint/lint.h"
#include "site-gen/numbers/case.h"
#include "tests/unit/help/synthetic_repo.h"

static struct repo repo;

static int make(void **state)
{
	(void)state;
	repo_ready(&repo);
	repo.ctx.lint = lint_new(&repo.arena);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static void says(const char *inside, const char *want)
{
	const char *html = repo_expand(&repo, inside, true);
	if (!strstr(html, want))
		fail_msg("'%s' lacks '%s':\n%s", inside, want, html);
}

#define SAMPLES "samples transpose/tile rows=16384 dtype=f32 title="
#define TILE "transpose/tile:rows=16384,dtype=f32"

static void stands_before_the_caption(void **state)
{
	(void)state;
	says(SAMPLES "\"The processes <agree>\"",
	     "<figcaption><strong class=\"finding\">The processes &lt;agree&gt;</strong> "
	     "<span class=\"about\">");
}

static void every_figure_of_an_author_has_one(void **state)
{
	(void)state;
	says("samples transpose/tile rows=16384 dtype=f32",
	     "a figure needs title=\"…\", a sentence that says what it shows [readable]");
	says("plot transpose/* x=rows dtype=f32 title=\" \"", "[readable]");
	says("roofline transpose/* dtype=f32", "[readable]");
	says("history transpose/tile rows=16384 dtype=f32", "[readable]");
	says("table transpose/* dtype=f32", "<table");
	repo.ctx.generated = true;
	says("samples transpose/tile rows=16384 dtype=f32", "<figcaption>Matrix");
	repo.ctx.generated = false;
}

static void its_numbers_are_numbers_of_the_page(void **state)
{
	(void)state;
	says(SAMPLES "\"It reaches <<bench:value " TILE ">>\"", "It reaches <a class=\"num\"");
	says(SAMPLES "\"It reaches 4.1 TB/s\"", "'4.1 TB/s' is a");
	says(SAMPLES "\"It reaches <<bench:value " TILE "\"", "placeholder is not closed");
	says(SAMPLES "\"It reaches <<bench:value transpose/no>>\"",
	     "post.md:3:95: family 'transpose' has no variant 'no'");
	says("plot transpose/* x=rows dtype=f32 title=\"<<bench:value " TILE ">> at most\"",
	     "-wide-t\">2.");
}

static void a_claim_decides(void **state)
{
	(void)state;
	says(SAMPLES "\"<<bench:claim " TILE
	             " bandwidth > transpose/naive>>It wins<</bench:claim>> "
	             "here\"",
	     "It wins</span> here</strong>");
	says(SAMPLES "\"<<bench:claim " TILE " bandwidth < transpose/naive>>It loses"
	             "<</bench:claim>>\"",
	     "claim is false: “It loses”");
	says(SAMPLES "\"<<bench:claim " TILE " bandwidth > transpose/naive>>It wins\"",
	     "is not closed, expected '<</bench:claim>>'");
}

static void curves_have_more_than_one_x(void **state)
{
	(void)state;
	says("plot transpose/* rows=16384 dtype=f32 x=rows title=\"Tiles win\"",
	     "all cases have the same rows; leave out x=rows to draw a row for each [readable]");
	says("plot transpose/* rows=16384 dtype=f32 title=\"Tiles win\"",
	     "<svg class=\"plot wide\"");
}

static void series_have_the_authors_names(void **state)
{
	(void)state;
	says("plot transpose/tile transpose/naive x=rows dtype=f32 title=\"Tiles win\" "
	     "names=\"in tiles; straight across\"",
	     ">straight across</text>");
	says("plot transpose/tile transpose/naive x=rows dtype=f32 title=\"Tiles win\" "
	     "names=\"in tiles\"",
	     "has 1 for 2 selectors, expected");
	says("plot transpose/tile transpose/naive x=rows dtype=f32 title=\"Tiles win\" "
	     "names=\"in tiles; \"",
	     "name 2 is empty");
	says("roofline gemv/warp gemv/naive title=\"Warps win\" names=\"4 TB/s; the other\"",
	     "typed by hand");
}

static size_t times(const char *s, const char *what)
{
	size_t n = 0;
	for (; (s = strstr(s, what)); s++)
		n++;
	return n;
}

/* The rank of a variant, as if the family had so many before it. */
static void move_ranks(const char *variant, int64_t by)
{
	for (size_t i = 0; i < repo.ctx.data->nruns; i++) {
		const struct run *r = &repo.ctx.data->runs[i].run;
		for (size_t k = 0; k < r->ncases; k++)
			if (strcmp(r->cases[k].variant, variant) == 0)
				((struct run_case *)&r->cases[k])->rank += by;
	}
}

static void no_two_curves_have_one_colour(void **state)
{
	(void)state;
	const char *plot = "plot transpose/{naive,tile} x=rows dtype=f32 title=\"Tiles win\"";
	const char *html = repo_expand(&repo, plot, true);
	assert_true(strstr(html, "class=\"line s-0\"") && strstr(html, "class=\"line s-1\""));
	move_ranks("naive", CASE_COLOURS + 1);
	html = repo_expand(&repo, plot, true);
	move_ranks("naive", -CASE_COLOURS - 1);
	assert_int_equal(times(html, "class=\"line s-1\""), 2); /* wide and narrow */
	assert_int_equal(times(html, "class=\"line s-2\""), 2);
}

static void the_others_are_grey(void **state)
{
	(void)state;
	const char *plot = "plot transpose/* x=rows dtype=f32 title=\"Tiles win\"";
	const char *html = repo_expand(&repo, plot, true);
	assert_int_equal(times(html, "context"), 0);
	html = repo_expand(&repo, arena_printf(&repo.arena, "%s focus=tile", plot), true);
	assert_true(times(html, "class=\"line s-1\"") == 2 && times(html, " context\"") > 4);
	assert_int_equal(times(html, "class=\"label "), 2); /* wide and narrow */
	html = repo_expand(&repo, arena_printf(&repo.arena, "%s focus=best", plot), true);
	assert_int_equal(times(html, "class=\"label "), 4); /* an own one and a library's */
	says("plot transpose/* x=rows dtype=f32 title=\"Tiles win\" focus=no",
	     "focus=no names no series, expected one of those drawn, such as ");
	says("plot transpose/tile transpose/tile transpose/tile transpose/tile transpose/naive "
	     "transpose/naive transpose/naive x=rows dtype=f32 names=\"a; b; c; d; e; f; g\" "
	     "title=\"Tiles win\"",
	     "7 curves in colour are more than 6; focus=NAMES draws the others in grey "
	     "[readable]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(stands_before_the_caption),
	        cmocka_unit_test(every_figure_of_an_author_has_one),
	        cmocka_unit_test(its_numbers_are_numbers_of_the_page),
	        cmocka_unit_test(a_claim_decides),
	        cmocka_unit_test(curves_have_more_than_one_x),
	        cmocka_unit_test(series_have_the_authors_names),
	        cmocka_unit_test(no_two_curves_have_one_colour),
	        cmocka_unit_test(the_others_are_grey),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
