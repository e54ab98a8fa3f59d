/* Pages over several devices: what is printed for each, and what is wrong on one of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "site-gen/markdown/markdown.h"
#include "site-gen/numbers/goal.h"
#include "site-gen/numbers/number.h"
#include "tests/unit/help/synthetic_repo.h"

#define H100 "h100-80gb-hbm3"
#define TILE "transpose/tile rows=16384 dtype=f32"

static const char *const devices[] = {"h200", H100};
static struct repo repo;

/* Two devices, of which the second takes twice the time, and one of its kernels four times that. */
static int make(void **state)
{
	struct err e = ERR_NONE;
	struct str sheet;
	(void)state;
	repo_make(&repo, true);
	must(file_read("data/specs/h100.json", 1 << 20, &repo.arena, &sheet, &e), &e);
	repo_write(&repo, "data/specs/h100.json", sheet);
	struct synthetic s = repo_run(&repo, RUN_A);
	repo_add_run(&repo, &s);
	s = repo_run(&repo, RUN_B);
	s.device = H100;
	s.slower = 2;
	repo_add_run(&repo, &s);
	repo_commit(&repo);
	repo_load(&repo);
	repo.ctx.devices = devices;
	repo.ctx.ndevices = 2;
	return 0;
}

static int drop(void **state)
{
	(void)state;
	repo_free(&repo);
	return 0;
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;
	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

static void has(const char *text, const char *part, size_t times)
{
	if (count(text, part) != times)
		fail_msg("'%s' is there %zu times, expected %zu:\n%.3000s", part, count(text, part),
		         times, text);
}

/* The page as markup, or its first error. */
static const char *page(const char *text)
{
	struct expand_ctx ctx = repo.ctx;
	struct md_doc doc;
	struct err e = ERR_NONE;
	bool ok = markdown_render(&ctx, str_of(text), "post.md", 7, &doc, &e);
	assert_string_equal(ctx.device, "h200");
	assert_int_equal(ctx.device_no, 0);
	return ok ? str_dup(&repo.arena, doc.html) : arena_strdup(&repo.arena, e.text);
}

static void numbers(void **state)
{
	(void)state;
	const char *html = page("It reaches <<bench:value " TILE ">>.\n");
	has(html,
	    "<span class=\"dev dev-1\" data-device=\"h200\"><a class=\"num\" "
	    "href=\"/numbers/h200/",
	    1);
	has(html,
	    "<span class=\"dev dev-2\" data-device=\"" H100 "\"><a class=\"num\" "
	    "href=\"/numbers/" H100 "/",
	    1);
	has(html, "<span class=\"dev-name\"> (H200)</span>", 1);
	has(html, "<span class=\"dev-name\"> (H100)</span>", 1);
	has(html, "<span class=\"dev-sep\">, </span>", 1);
	const char *text = repo_expand(&repo, "value " TILE, false);
	has(text, " (H200), ", 1);
	assert_true(str_ends(str_of(text), " (H100)"));
	/* links do not nest, but a link's text has a switch, too */
	html = page("[It reaches <<bench:value " TILE ">>](/x/)\n");
	has(html, "<a ", 1);
	has(html, "class=\"dev dev-2\"", 1);
}

/* A device may be named by its slug or by that of its data sheet, in any selector. */
static void named_devices(void **state)
{
	(void)state;
	static const char *const named[] = {"value " TILE " device=h100",
	                                    "value " TILE " device=" H100,
	                                    "value transpose/tile:device=h100 rows=16384 dtype=f32",
	                                    "percent " TILE " device=h100 of=spec:hbm"};
	for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
		const char *html = repo_expand(&repo, named[i], true);
		has(html, "class=\"dev ", 0);
		has(html, "<span class=\"dev-only only-2\"><a ", 1);
		has(html, "<span class=\"dev-name\"> (H100)</span></span>", 1);
	}
	has(repo_expand(&repo, "value " TILE " run=20260101", true), "dev-", 0);
	has(repo_expand(&repo, "cited 3 GB source=x", true), "this is about", 0);
}

static void blocks(void **state)
{
	(void)state;
	const char *html = page("See [](#tab-a).\n\n<<bench:ladder transpose/* rows=16384 "
	                        "dtype=f32 id=tab-a>>\n");
	has(html, "<div class=\"devs\" id=\"tab-a\">", 1);
	has(html, "id=\"tab-a\"", 1);
	has(html, "<p class=\"dev-name\">H200</p>", 1);
	has(html, "<p class=\"dev-name\">H100</p>", 1);
	has(html, "Table 1:", 2);
	has(html, "id=\"b1\"", 1);
	has(html, "id=\"b2\"", 1);
	/* the same code stands once */
	html = page("<<bench:source transpose/tile>>\n");
	has(html, "<details class=\"listing\"", 1);
	has(html, "dev-", 0);
	/* and a drawing of no measured case */
	html = page("<<bench:diagram access expr=\"lane * 4\" id=fig-a title=\"Four sectors\">>\n");
	has(html, "id=\"fig-a\"", 1);
	has(html, "dev-", 0);
}

/* A derivation is for each device only if a data sheet changes it. */
static void derivations(void **state)
{
	(void)state;
	has(page("It has <<bench:derived \"2 * 3000 B\" unit=B>>.\n"), "dev-", 0);
	has(page("At least <<bench:derived \"3000 B / spec:hbm\" unit=s>>.\n"), "class=\"dev dev-",
	    2);
}

static void spans(void **state)
{
	(void)state;
	const char *html = page("<<bench:claim transpose/padded rows=16384 dtype=f32 > "
	                        "transpose/tile>>It wins.<</bench:claim>>\n");
	has(html, "It wins.", 1);
	has(html, "<span class=\"claim\" ", 2);
	has(html, "data-device=\"h200\" title", 1);
	has(html, "data-device=\"" H100 "\" title", 1);
	has(html, "<span", count(html, "</span>"));
	html = page("<<bench:goal transpose/padded rows=16384 dtype=f32 >= 60 % of spec:hbm>>Goal."
	            "<</bench:goal>>\n");
	has(html, "Goal.", 1);
	has(html, "data-verdict=\"held\"", 1);
	has(html, "data-verdict=\"missed\"", 1);
	has(html, "<span", count(html, "</span>"));
}

/* An error says on which device, and how to leave that out. */
static void errors(void **state)
{
	(void)state;
	static const char about[] = "; this is about " H100 ", one of the page's 'devices': "
	                            "'device=NAME' in the placeholder limits it to one of them";
	const char *said = page("<<bench:claim " TILE " > 2.5 TB/s>>Fast.<</bench:claim>>\n");
	has(said, "post.md:7:1: claim is false: “Fast.”", 1);
	has(said, about, 1);
	has(page("<<bench:claim " TILE " > 2.5 TB/s device=h200>>Fast.<</bench:claim>>\n"),
	    "data-device=\"h200\"", 1);
	said = page("<<bench:spec power9>>\n");
	has(said, "device 'h200' has no spec 'power9'", 1);
	has(said, "this is about h200,", 1);
	has(page("<<bench:value transpose/naive rows=5>>\n"), "this is about h200", 1);
}

/* Each has a place of its own in the log of published numbers. */
static void keys_are_distinct(void **state)
{
	(void)state;
	struct expand_ctx ctx = repo.ctx;
	struct md_doc doc;
	struct err e = ERR_NONE;
	assert_true(markdown_render(&ctx, STR("<<bench:value " TILE ">> of <<bench:spec hbm>>\n"),
	                            "post.md", 1, &doc, &e));
	assert_non_null(ctx.quotes->next);
	assert_string_not_equal(number_key(&ctx.quotes->n, ctx.arena),
	                        number_key(&ctx.quotes->next->n, ctx.arena));
	assert_string_equal(ctx.facts->key, "spec h100 hbm");
	assert_string_equal(ctx.facts->next->key, "spec h200 hbm");
}

/* Data sheets are for parts, of which several devices may be one. */
static void names_of_devices(void **state)
{
	(void)state;
	const struct data *d = &repo.data;
	assert_string_equal(data_device_name(d, H100), "H100");
	assert_string_equal(data_device_name(d, "cpu-x"), "cpu-x");
	assert_string_equal(data_device_sheet(d, H100), "h100");
	assert_string_equal(data_device_sheet(d, "cpu-x"), "cpu-x");
	assert_string_equal(data_device_find(d, STR("h100")), H100);
	assert_string_equal(data_device_find(d, STR(H100)), H100);
	assert_null(data_device_find(d, STR("h1")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(numbers),
	        cmocka_unit_test(named_devices),
	        cmocka_unit_test(blocks),
	        cmocka_unit_test(spans),
	        cmocka_unit_test(derivations),
	        cmocka_unit_test(errors),
	        cmocka_unit_test(keys_are_distinct),
	        cmocka_unit_test(names_of_devices),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
