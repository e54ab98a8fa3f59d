/* What a build has read of a source comes back as it was, and only while nothing has changed. */
#include "site-gen/build/kept_pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/build/reuse.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/handbook.h"
#include "site-gen/site/translation.h"
#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

#define A "content/posts/a.md"
#define A_ZH "content/posts/a.zh.md"
#define B "content/posts/b.md"
#define STYLE "static/site.css"

struct kept {
	struct bare *b;
	struct folder *f;
	struct page *a, *bb;
};

static int setup(void **state)
{
	static const char *const path[] = {A, A_ZH, B, STYLE};
	struct kept *k = calloc(1, sizeof *k);
	void *bare, *folder;
	struct err e = ERR_NONE;
	if (!k || bare_setup(&bare) != 0 || folder_setup(&folder) != 0)
		return -1;
	k->b = bare;
	k->f = folder;
	bare_files(k->b, path, ARRAY_LEN(path));
	struct site *s = &k->b->site;
	s->reuse.digest = "the records";
	s->options.write = true;
	s->options.cache = folder_path(k->f, "cache");
	s->options.out = folder_path(k->f, "site");
	k->a = bare_page(k->b, "post", "/posts/a/", A);
	k->bb = bare_page(k->b, "post", "/posts/b/", B);
	*state = k;
	return file_mkdirs(s->options.cache, &e) ? 0 : -1;
}

static int teardown(void **state)
{
	struct kept *k = *state;
	void *bare = k->b, *folder = k->f;
	folder_teardown(&folder);
	bare_teardown(&bare);
	free(k);
	return 0;
}

static struct input *file_of(struct kept *k, const char *path)
{
	struct inputs *in = &k->b->site.repo.files;
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->file[i].path, path) == 0)
			return &in->file[i];
	fail_msg("no file %s", path);
	return NULL;
}

static void leave(struct kept *k)
{
	reuse_surroundings(&k->b->site, k->b->site.reuse.around);
	kept_pages_leave(&k->b->site);
}

/* The pages as the next build finds them, before they are loaded. */
static void take(struct kept *k)
{
	struct page *const pages[] = {k->a, k->bb};
	for (size_t i = 0; i < ARRAY_LEN(pages); i++)
		*pages[i] = (struct page){.kind = pages[i]->kind,
		                          .path = pages[i]->path,
		                          .language = pages[i]->language,
		                          .versions = pages[i]->versions};
	k->b->site.reuse.pieces_of = NULL;
	kept_pages_take(&k->b->site);
}

static void a_page_comes_back(void **state)
{
	struct kept *k = *state;
	struct md_heading heading = {2, "why", "Why"};
	struct md_link link = {"/about/", {A, 7, 3}};
	struct expand_figure last = {.number = 2, .name = "t"},
	                     first = {.number = 1, .next = &last};
	const char *tags[] = {"gpu", "memory"};
	k->a->text.title_html = STR("A <b>title</b>");
	k->a->text.body = STR("<p>Text.</p>");
	k->a->text.headings = &heading;
	k->a->text.nheadings = 1;
	k->a->front.date = "2026-01-02";
	k->a->front.tags = tags;
	k->a->front.ntags = 2;
	k->a->front.take[1] = "a take-away";
	k->a->front.take_html[1] = STR("a <i>take-away</i>");
	k->a->source.minutes = 3;
	k->a->source.links = &link;
	k->a->source.nlinks = 1;
	k->a->numbers.figures = &first;
	k->a->numbers.blocks = 2;
	k->a->kept.piece = (struct page_piece){10, 20};
	const char *title = k->a->text.title;
	leave(k);
	take(k);
	assert_true(k->a->loaded);
	assert_string_equal(k->a->url, "/posts/a/");
	assert_string_equal(k->a->text.title, title);
	assert_true(str_is(k->a->text.title_html, "A <b>title</b>"));
	assert_true(str_is(k->a->text.body, "<p>Text.</p>"));
	assert_false(k->a->kept.unread);
	assert_string_equal(k->a->text.headings[0].id, "why");
	assert_string_equal(k->a->front.tags[1], "memory");
	assert_string_equal(k->a->front.take[1], "a take-away");
	assert_true(str_is(k->a->front.take_html[1], "a <i>take-away</i>"));
	assert_null(k->a->front.take[0]);
	assert_null(k->a->front.series);
	assert_int_equal(k->a->source.minutes, 3);
	assert_string_equal(k->a->source.links[0].at.path, A);
	assert_int_equal(k->a->source.links[0].at.line, 7);
	assert_int_equal(k->a->numbers.figures->next->number, 2);
	assert_null(k->a->numbers.figures->next->next);
	assert_int_equal(k->a->kept.piece.n, 20);
	leave(k); /* as it was kept, not packed again */
	take(k);
	assert_true(k->a->loaded && k->bb->loaded);
	assert_string_equal(k->a->front.tags[0], "gpu");
}

static void only_the_same_source_counts(void **state)
{
	struct kept *k = *state;
	leave(k);
	file_of(k, A)->ctime_ns++;
	take(k);
	assert_false(k->a->loaded);
	assert_true(k->bb->loaded);
}

/* Its times may be those of another text, so they prove nothing once the build is done. */
static void a_young_source_is_read_again(void **state)
{
	struct kept *k = *state;
	file_of(k, A)->young = true;
	leave(k);
	file_of(k, A)->young = false;
	take(k);
	assert_false(k->a->loaded);
	assert_true(k->bb->loaded);
}

static void everything_around_counts(void **state)
{
	struct kept *k = *state;
	leave(k);
	file_of(k, STYLE)->mtime_ns++;
	take(k);
	assert_false(k->a->loaded);
	leave(k);
	k->b->site.reuse.digest = "other records";
	take(k);
	assert_false(k->a->loaded);
}

static void a_changed_version_counts(void **state)
{
	struct kept *k = *state;
	struct page *zh = bare_page(k->b, "post", "/zh/posts/a/", A_ZH);
	bare_version(k->b, k->a, zh, ZH);
	leave(k);
	take(k);
	assert_true(k->a->loaded);
	file_of(k, A_ZH)->size++;
	take(k);
	assert_false(k->a->loaded);
}

/* What points into records or into other pages is read again. */
static void only_plain_pages_are_kept(void **state)
{
	struct kept *k = *state;
	struct quote quote = {.text = "4.31 TB/s"};
	struct fact fact = {.text = "4.8 TB/s"};
	struct waiver waiver = {.text = "3 ms"};
	struct section section = {.id = "a"};
	struct translation translation = {.original = k->bb};
	struct expand_figure drawn = {.number = 1, .drawn = true};
	for (int i = 0; i < 7; i++) {
		const struct page was = *k->a;
		k->a->numbers.quotes = i == 0 ? &quote : NULL;
		k->a->numbers.facts = i == 1 ? &fact : NULL;
		k->a->source.waivers = i == 2 ? &waiver : NULL;
		k->a->section = i == 3 ? &section : NULL;
		k->a->source.translation = i == 4 ? &translation : NULL;
		k->a->numbers.figures = i == 5 ? &drawn : NULL;
		k->a->source.has_problems = i == 6;
		leave(k);
		take(k);
		assert_false(k->a->loaded);
		assert_true(k->bb->loaded);
		*k->a = was;
	}
}

static void some_builds_keep_none(void **state)
{
	struct kept *k = *state;
	leave(k);
	k->b->site.options.whole = true;
	take(k);
	assert_false(k->a->loaded);
	k->b->site.options.whole = false;
	k->b->site.options.write = false;
	take(k);
	assert_false(k->a->loaded);
	k->b->site.options.write = true;
	take(k);
	assert_true(k->a->loaded);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_page_comes_back),
	        TEST(only_the_same_source_counts),
	        TEST(a_young_source_is_read_again),
	        TEST(everything_around_counts),
	        TEST(a_changed_version_counts),
	        TEST(only_plain_pages_are_kept),
	        TEST(some_builds_keep_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
