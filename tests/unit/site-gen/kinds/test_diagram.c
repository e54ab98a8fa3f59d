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
	repo_make(&repo, true);
	struct synthetic all = repo_run(&repo, RUN_A), counts = repo_run(&repo, RUN_B);
	repo_add_run(&repo, &all);
	counts.brief = true;
	counts.op = "load";
	repo_add_run(&repo, &counts);
	repo_commit(&repo);
	repo_load(&repo);
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

static void steps_are_to_scale(void **state)
{
	(void)state;
	const char *inside = "diagram timeline transpose/{naive,tile} rows=16384 dtype=f32 "
	                     "metric=time" TITLE;
	says(inside, "#time\"><title>shared-memory tile, 16384 × 16384");
	says(inside, "<details class=\"exact\">");
	says("diagram timeline transpose/tile rows=16384 dtype=f32 metric=bandwidth" TITLE,
	     "a timeline draws times, and bandwidth is in B/s");
	says("diagram timeline transpose/{naive,tile} rows=16384 dtype=f32 metric=time "
	     "work=transpose/naive" TITLE,
	     "is longer than one of");
	says("diagram timeline transpose/tile rows=16384 dtype=f32 metric=time steps=0" TITLE,
	     "expected a number from 1 to 20");
}

static void roles_and_barriers(void **state)
{
	(void)state;
	says("diagram pipeline names=\"loader: 1 thread; adder\" steps=\"0 0-10 a 0 *3+10; 1 11-15 "
	     "b "
	     "0 *3+10\" links=\"full 0.1>1.1\" legend=\"a: copy\" mark=1" TITLE,
	     "Roles: loader, 1 thread; adder. Barriers: from loader to adder: full.");
	says("diagram pipeline " TILE " legend=\"load: copy\"" TITLE,
	     "no trace of transpose/tile:rows=16384");
	says("diagram tickets " TILE TITLE, "`runner trace` records one");
	says("diagram tickets" TITLE, "needs one selector");
	says("diagram timeline " TILE " kernels=3" TITLE, "no trace of transpose/tile");
	says("diagram pipeline names=\"loader\" steps=\"1 0-10 a\"" TITLE, "'1 0-10 a' is no step");
	says("diagram pipeline names=\"loader\" steps=\"0 10-10 a\"" TITLE, "is no step");
	says("diagram pipeline names=\"loader\" steps=\"0 0-10 d\"" TITLE, "is no step");
	says("diagram pipeline names=\"loader\" steps=\"0 0-10 a 0 *200+10\"" TITLE, "is no step");
	says("diagram pipeline names=\"loader\" steps=\"0 0-10 a 0\" links=\"x 0.0>0.1\"" TITLE,
	     "is no link");
	says("diagram pipeline names=\"a\" steps=\"0 0-10 a\" legend=\"z: copy\"" TITLE,
	     "expected 'TONE: words'");
	says("diagram pipeline " TILE " names=\"a\" steps=\"0 0-9 a 0 *2+10\" links=\"full "
	     "0.0>0.1\"" TITLE,
	     "'full' is not in the source of transpose/tile");
}

#define TO_SCALE(names, steps, lengths)                                               \
	"diagram pipeline names=\"" names "\" steps=\"" steps "\" lengths=\"" lengths \
	"\" unit=s scale=\"the time of a call\" rows=16384 dtype=f32 metric=time" TITLE
#define NAIVE "naive = [transpose/naive]; "
#define CALLS NAIVE "tile = [transpose/tile]"

static void boxes_are_as_long_as_numbers(void **state)
{
	(void)state;
	const char *inside = TO_SCALE("one; two",
	                              "0 0-tile a; 0 tile-naive mark; 1 +tile a; 1 "
	                              "+tile b last",
	                              CALLS);
	says(inside, "<title>724\xC2\xA0µs</title><rect class=\"tone-1\" x=\"108\" y=\"22\" "
	             "width=\"312.5\"");
	says(inside, "<title>722\xC2\xA0µs</title><rect class=\"hot\" x=\"422\" y=\"22\" "
	             "width=\"311.63\"");
	says(inside, "-wide-d\">one: 724\xC2\xA0µs, 722\xC2\xA0µs; two: 724\xC2\xA0µs, last "
	             "724\xC2\xA0µs.<");
	says(inside, "data-label=\"Begins at\">0</td><td class=\"right box-length\" "
	             "data-label=\"Length\"><a class=\"num derived\"");
	says(inside, "data-n=\"derived h200 [h200 transpose/naive:rows=16384,cols=16384,dtype=f32,"
	             "cache=cold time] - [h200 transpose/tile:rows=16384,cols=16384,dtype=f32,"
	             "cache=cold time] s\">722");
	says(inside, ": the time of a call; 16384 × 16384, f32, cold cache.");
	says("diagram pipeline names=\"a\" steps=\"0 0-w+c+c a\" lengths=\"w = 8 B; c = 2 * 4 "
	     "B\" unit=B scale=\"bytes\"" TITLE,
	     "data-n=\"derived h200 8 B + 2 * (2 * 4 B) B\">24");
}

static void wrong_lengths(void **state)
{
	(void)state;
	says(TO_SCALE("a", "0 0-tile+x a", CALLS),
	     "post.md:3:52: no length 'x' in lengths=, expected 0 or "
	     "a sum of some of naive, tile");
	says(TO_SCALE("a", "0 5-tile a", CALLS), "no length '5' in lengths=");
	says(TO_SCALE("a", "0 naive-tile a", CALLS), "'naive-tile' has no length: it begins at "
	                                             "0.00145 and ends at 0.000724 s");
	says(TO_SCALE("a", "0 tile a", CALLS), "'tile' in a step, expected FROM-TO or +LENGTH");
	says(TO_SCALE("a", "0 0-tile a", CALLS), "the length 'naive' is in no step");
	says(TO_SCALE("a", "0 0-tile a *2+1", CALLS), "'*2+1' in a step beside lengths=");
	says(TO_SCALE("a", "0 0-tile a 12", CALLS), "a label without digits");
	says(TO_SCALE("a", "0 0-tile a", "tile = [transpose/til]"), "no variant 'til'");
	says(TO_SCALE("a", "0 0-x a", "x = [transpose/tile bandwidth]"), "which is not 's'");
	says(TO_SCALE("a", "0 0-x a", "x = [transpose/tile] - [transpose/naive]"),
	     "the length 'x' is -0.000722 s, expected more than 0");
	says(TO_SCALE("a", "0 0-x a", "x = [transpose/tile"), "']' after a measured number");
	says(TO_SCALE("a", "0 0-x a", "x = 2 s"), "a number typed by hand");
	says(TO_SCALE("a", "0 0-naive a", NAIVE NAIVE "X = 1 s"), "'naive' is there twice");
	says(TO_SCALE("a", "0 0-naive a", NAIVE),
	     "'' does not name a length, expected NAME = EXPRESSION");
	says(TO_SCALE("a", "0 0-naive a", NAIVE "X = 1 s"), "'X = 1 s' does not name a length");
	says("diagram pipeline names=\"a\" steps=\"0 0-w a\" lengths=\"w = 8 B\" unit=B" TITLE,
	     "needs scale=");
	says("diagram pipeline names=\"a\" steps=\"0 0-w a\" lengths=\"w = 8 B\" scale=\"x\"" TITLE,
	     "a derivation needs its unit");
	says("diagram pipeline names=\"a\" lengths=\"w = 8 B\" unit=B scale=\"x\"" TITLE,
	     "needs steps=");
	says("diagram pipeline names=\"a\" steps=\"0 0-1 a\" unit=B scale=\"x\"" TITLE,
	     "unit= is that of lengths=");
}

#define OUT "diagram tile " TILE " index=\"out[threadIdx.x]\" let=\"threadIdx.x = "

static void threads_of_a_tile(void **state)
{
	(void)state;
	says(OUT "thread * 2 + step\" tile=2x32 steps=2 mark=17" TITLE,
	     "out[threadIdx.x]: lane 17 has 34, 35. ");
	says(OUT "lane * 16 + step\" tile=8x64 pitch=64 names=\"Rows\" mark=4" TITLE,
	     "Rows: lane 4 has (1, 0). ");
	says(OUT
	     "thread * vector\" tile=4x128 threads=64 vector=4 bytes=4 mark=33 unit=sector" TITLE,
	     "thread 33 has 132–135. The first access of warp 0 touches <span class=\"num drawn\" "
	     "data-n=\"drawn sectors 16 ((lane*4)*4)\">16</span> sectors");
	says(OUT "lane * 32\" tile=32x32 bytes=4 unit=bank" TITLE,
	     "data-n=\"drawn passes 4 ((lane*32)*4)\">32</span>, where ");
	says(OUT "lane\" tile=1x32" TITLE, ">lane 0</text>");
	says(OUT "lane\" tile=2x32" TITLE, ">no thread has it</text>");
	says(OUT "lane\" tile=2x16 need=1x16" TITLE, ">held, and needed by nobody</text>");
}

static void wrong_tiles(void **state)
{
	(void)state;
	says(OUT "lane / 2\" tile=4x8" TITLE, "element 0 belongs to thread 0 and to thread 1");
	says(OUT "lane\" tile=4x4" TITLE, "thread 16 has element 16, which is beyond the tile");
	says(OUT "lane\" tile=4x32 vector=2" TITLE,
	     "element 1, which is not the first of a vector");
	says(OUT "lane\" tile=4by4" TITLE, "tile='4by4', expected rows and columns");
	says(OUT "lane\" tile=99x99" TITLE, "at most 4096 in all");
	says(OUT "lane\" tile=1x32 names=\"a; b\"" TITLE, "2 names= for 1 panels");
	says(OUT "lane\" tile=1x32 unit=line" TITLE, "expected sector or bank");
	says(OUT "lane\" tile=1x32 check=load_sectors_per_request" TITLE, "check= needs unit=");
	says(OUT "lane\" tile=1x32 pitch=8" TITLE, "a pitch of 8 elements, expected 32 or more");
	says(OUT "lane\" tile=1x32 bytes=4 vector=8" TITLE, "at most 16 bytes together");
	says(OUT "lane, TILE = 32\" tile=1x32" TITLE, "'TILE = 32' is not in the source");
	says(OUT "lane, TILE = threads\" tile=1x32" TITLE, "lane 0 has 0. ");
	says("diagram tile index=\"out[lane]\" tile=1x32" TITLE, "needs one selector");
	says("diagram tile " TILE " index=\"in[lane]\" tile=1x32" TITLE,
	     "'in[lane]' is not in the source");
}

static void levels_and_pipes(void **state)
{
	(void)state;
	says("diagram map transpose/tile:rows=16384,dtype=f32 names=\"memory; registers\" "
	     "pipes=\"a copy\"" TITLE,
	     "from memory to registers: ");
	says("diagram map transpose/tile:rows=16384,dtype=f32 names=\"memory\" pipes=\"x\"" TITLE,
	     "1 names and 1 selectors");
	says("diagram map - names=\"memory; registers\" pipes=\"x\"" TITLE,
	     "needs a measured pipe at least");
	says("diagram map - names=\"memory; registers\" pipes=\"x; y\"" TITLE, "expected 1 words");
}

#define MAP \
	"diagram map transpose/tile:rows=16384,dtype=f32 names=\"memory; registers\" pipes=\"x\""
#define LOAD "gemv/naive:m=1"

/* One for each level; the drawing, the words for it and the exact values have it. */
static void latencies_of_levels(void **state)
{
	(void)state;
	says(MAP " latencies=\"" LOAD "; -\"" TITLE, "; a load from memory: ");
	says(MAP " latencies=\"" LOAD "; -\"" TITLE, "A time at the right is how long one load");
	says(MAP " latencies=\"" LOAD "; -\"" TITLE,
	     "<text class=\"value\" x=\"720\" y=\"126\" text-anchor=\"end\">");
	says(MAP " latencies=\"-; " LOAD "\"" TITLE,
	     "<text class=\"value\" x=\"342\" y=\"28\" text-anchor=\"end\">");
	says(MAP " latencies=\"" LOAD "; -\"" TITLE, ">Time per operation</th>");
	says(MAP " latencies=\"" LOAD "\"" TITLE, "1 latencies, expected one for each of 2 levels");
	says(MAP " latencies=\"-; -; -\"" TITLE, "3 latencies, expected one");
	says(MAP " latencies=\"transpose/tile:rows=16384,dtype=f32; -\"" TITLE, "has no latency");
	says(MAP " latencies=\"gemv/none; -\"" TITLE, "has no variant 'none'");
}

static void clocks(void **state)
{
	(void)state;
	says("diagram clock transpose/tile rows=16384 dtype=f32" TITLE,
	     "has no cycles for every process");
	says("diagram clock transpose/*" TITLE, "expected at most 4");
}

static void wrong_use(void **state)
{
	(void)state;
	says("diagram acess expr=\"lane\"" TITLE, "no diagram 'acess', expected one of access, ");
	says("diagram access expr=\"lane * 4\"", "a figure needs title=");
	says("diagram access expr=\"lane * 4\" title=\"At 4.1 TB/s it is fast\"",
	     "typed by hand, expected words or a placeholder [traced]");
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
	        cmocka_unit_test(steps_are_to_scale),
	        cmocka_unit_test(roles_and_barriers),
	        cmocka_unit_test(boxes_are_as_long_as_numbers),
	        cmocka_unit_test(wrong_lengths),
	        cmocka_unit_test(threads_of_a_tile),
	        cmocka_unit_test(wrong_tiles),
	        cmocka_unit_test(levels_and_pipes),
	        cmocka_unit_test(latencies_of_levels),
	        cmocka_unit_test(clocks),
	        cmocka_unit_test(wrong_use),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
