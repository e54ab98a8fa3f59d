/* Diagrams: their facts, and the errors of their placeholders. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/lint/lint.h"
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

#define TITLE " title=\"It moves what it wants\""
#define TILE "transpose/tile rows=16384 dtype=f32"

static void sectors_of_an_expression(void **state)
{
	(void)state;
	says("diagram access expr=\"lane * 4\"" TITLE,
	     "touched: <span class=\"num drawn\" data-n=\"drawn sectors 4 (lane*4)\">4</span>");
	says("diagram access expr=\"lane * 128\"" TITLE, ">32</span>");
	says("diagram access expr=\"lane * 128\"" TITLE, ">12.5\xC2\xA0%</span>");
	says("diagram access expr=\"lane * 128\" unit=line" TITLE, ">4096\xC2\xA0"
	                                                           "B</span>");
	says("diagram access expr=\"lane * 4\"" TITLE,
	     "<strong class=\"finding\">It moves what it wants</strong>");
	says("diagram access expr=\"lane * 4\"" TITLE, "svg class=\"diagram at-narrow\"");
	says("diagram access expr=\"lane * 4\"" TITLE,
	     "-wide-d\">Sectors of 32 bytes touched: 4. Of 128");
}

static void banks_of_an_expression(void **state)
{
	(void)state;
	says("diagram access unit=bank expr=\"lane * 128\"" TITLE,
	     "data-n=\"drawn conflicts 4 (lane*128)\">31</span>");
	says("diagram access unit=bank expr=\"lane * 132\"" TITLE, "the fewest possible");
}

static void layouts(void **state)
{
	(void)state;
	says("diagram swizzle tile=32x32 names=\"plain; padded; xor\" layouts=\"row * 32 + col; "
	     "row "
	     "* 33 + col; row * 32 + (col ^ row)\"" TITLE,
	     "plain: passes to read a column 32, to write a row 1; padded: passes to read a column "
	     "1, to write a row 1; xor: passes to read a column 1, to write a row 1.");
	says("diagram swizzle tile=32x32 names=\"plain\" layouts=\"row * 32 + col\"" TITLE,
	     "data-n=\"drawn passes 4 ((((lane%32)*32)+0)*4)\">32</span>");
	says("diagram swizzle tile=32x32 names=\"a\" layouts=\"col\"" TITLE,
	     "element (1, 0) is at place 0, where another is already");
	says("diagram swizzle tile=32x32 names=\"a; b\" layouts=\"row * 32 + col\"" TITLE,
	     "2 names for 1 layouts");
	says("diagram swizzle tile=32x320 names=\"a\" layouts=\"col\"" TITLE,
	     "expected rows and columns up to 64");
	says("diagram swizzle tile=32x32 names=\"a\"" TITLE, "needs layouts=");
}

static void an_index_is_that_of_the_source(void **state)
{
	(void)state;
	says("diagram access " TILE " index=\"out[threadIdx.x]\" let=\"threadIdx.x = lane\"" TITLE,
	     "data-n=\"drawn sectors 4 (lane*4)\">4</span>");
	says("diagram access " TILE
	     " index=\"out[2 * threadIdx.x]\" let=\"threadIdx.x = lane\"" TITLE,
	     "'out[2 * threadIdx.x]' is not in the source of transpose/tile");
	says("diagram access " TILE " index=\"out[threadIdx.x]\" let=\"threadIdx.x = lane, TILE = "
	     "32\"" TITLE,
	     "'TILE = 32' is not in the source");
	says("diagram access " TILE " expr=\"lane * cols * 4\"" TITLE, ">32</span>");
}

static void wrong_use(void **state)
{
	(void)state;
	says("diagram acess expr=\"lane\"" TITLE, "no diagram 'acess', expected one of access, ");
	says("diagram access expr=\"lane * 4\"", "a diagram needs title=");
	says("diagram access expr=\"lane * 4\" title=\"At 4.1 TB/s it is fast\"",
	     "typed by hand, expected words [traced]");
	says("diagram access" TITLE, "needs either index=");
	says("diagram access expr=\"lane\" index=\"in[lane]\"" TITLE, "needs either index=");
	says("diagram access index=\"in[lane]\"" TITLE, "expected a selector after 'access'");
	says("diagram access expr=\"lane - 1\"" TITLE, "lane 0 asks for place -1");
	says("diagram access expr=\"lane\" bytes=3" TITLE, "has to be 1, 2, 4, 8 or 16");
	says("diagram access expr=\"lane\" bytes=32" TITLE, "expected a number from 1 to 16");
	says("diagram access expr=\"lane\" unit=page" TITLE, "expected sector, line or bank");
	says("diagram access expr=\"lane\" tile=32x32" TITLE, "diagram access has no key 'tile'");
	says("diagram access expr=\"lane\" check=load_sectors_per_request" TITLE,
	     "check= needs a selector");
	says("diagram access " TILE " expr=\"lane\" check=registers" TITLE,
	     "counts no sectors of an access");
	says("diagram access " TILE " expr=\"lane\" check=load_sectors_per_request" TITLE,
	     "no counter load_sectors_per_request of");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(sectors_of_an_expression),
	        cmocka_unit_test(banks_of_an_expression),
	        cmocka_unit_test(layouts),
	        cmocka_unit_test(an_index_is_that_of_the_source),
	        cmocka_unit_test(wrong_use),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
