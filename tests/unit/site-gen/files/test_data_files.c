/* Files beside pages for programs: which exist, and that a record is published as it was read. */
#include "site-gen/files/data_files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/hash.h"
#include "site-gen/numbers/number.h"
#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

/* "kind address" of each file that was added, in their order. */
static const char *added(struct bare *b)
{
	size_t before = b->site.pages.n;
	const char *all = "";
	data_files_add(&b->site);
	for (size_t i = before; i < b->site.pages.n; i++) {
		const struct page *p = b->site.pages.all[i];
		assert_true(p->loaded);
		all = arena_printf(&b->arena, "%s%s %s\n", all, p->kind->name, p->url);
	}
	return all;
}

static void a_page_with_numbers_has_files(void **state)
{
	struct bare *b = *state;
	struct quote third = {.figure = 2}, second = {.figure = 1, .next = &third},
	             again = {.figure = 1, .next = &second}, first = {.next = &again};
	struct expand_figure ladder = {.number = 1, .name = "ladder-x"},
	                     plot = {.number = 2, .name = "fig-sizes", .next = &ladder};
	struct page *p = bare_page(b, "post", "/posts/x/", "content/posts/x.md");
	p->numbers.quotes = &first;
	p->numbers.figures = &plot;
	bare_page(b, "post", "/posts/silent/", "content/posts/silent.md");
	assert_string_equal(added(b), "page numbers /posts/x/numbers.json\n"
	                              "figure data /posts/x/ladder-x.csv\n"
	                              "figure table /posts/x/ladder-x.columns.json\n"
	                              "figure data /posts/x/fig-sizes.csv\n"
	                              "figure table /posts/x/fig-sizes.columns.json\n");
}

static void each_number_and_each_record_has_a_file(void **state)
{
	struct bare *b = *state;
	struct data_number number = {.url = "/numbers/h200/x/"};
	struct data_run run = {.run.head.id = "20260101T000000Z-h200-0000000a",
	                       .path = "data/runs/h200/20260101T000000Z-h200-0000000a.jsonl.gz",
	                       .url = "/runs/20260101T000000Z-h200-0000000a/"};
	b->data.numbers = &number;
	b->data.runs = &run;
	b->data.nnumbers = b->data.nruns = 1;
	assert_string_equal(added(b), "number data /numbers/h200/x/number.json\n"
	                              "record /runs/20260101T000000Z-h200-0000000a/"
	                              "20260101T000000Z-h200-0000000a.jsonl.gz\n");
}

/* --- a record --- */

struct record {
	struct folder *f;
	struct data_run run;
	struct page page;
	char blob[HASH_GIT_HEX + 1];
};

#define LINES "{\"schema\": \"SYNTHETIC\"}\n{}\n"

static void record_of(struct bare *b, struct record *r)
{
	void *folder;
	*r = (struct record){.run.path = "data/runs/h200/a.jsonl"};
	assert_int_equal(folder_setup(&folder), 0);
	r->f = folder;
	hash_git_blob(STR(LINES), r->blob);
	r->run.blob = r->blob;
	r->page.subject = &r->run;
	b->data.root = r->f->path;
}

static const char *bytes(struct bare *b, struct record *r, bool works)
{
	struct sb to = {0};
	struct err e = ERR_NONE;
	assert_int_equal(data_files_record_bytes(&b->maker, &r->page, &to, &e), works);
	const char *out = works ? sb_take(&b->arena, &to) : arena_strdup(&b->arena, e.text);
	if (!works) {
		assert_int_equal(to.n, 0);
		sb_free(&to);
	}
	return out;
}

static void a_record_is_published_byte_for_byte(void **state)
{
	struct bare *b = *state;
	struct record r;
	record_of(b, &r);
	folder_put(r.f, r.run.path, LINES);
	assert_string_equal(bytes(b, &r, true), LINES);
	void *folder = r.f;
	folder_teardown(&folder);
}

/* No reader may get another record than the one behind the numbers. */
static void a_record_that_changed_stops_the_build(void **state)
{
	struct bare *b = *state;
	struct record r;
	record_of(b, &r);
	const char *says = arena_printf(&b->arena,
	                                "data/runs/h200/a.jsonl: changed while the site was made; "
	                                "its blob was %s",
	                                r.blob);
	assert_string_equal(bytes(b, &r, false), says); /* it is gone */
	folder_put(r.f, r.run.path, LINES "{\"one\": \"more\"}\n");
	assert_string_equal(bytes(b, &r, false), says);
	void *folder = r.f;
	folder_teardown(&folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_page_with_numbers_has_files),
	        TEST(each_number_and_each_record_has_a_file),
	        TEST(a_record_is_published_byte_for_byte),
	        TEST(a_record_that_changed_stops_the_build),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
