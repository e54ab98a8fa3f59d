/* The order of the pages, their neighbours, tags and series, and addresses that two pages want. */
#include "site-gen/build/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "site-gen/site/outputs.h"
#include "tests/unit/help/bare_site.h"

static struct page *post(struct bare *b, const char *slug, const char *date)
{
	struct page *p = bare_page(b, "post", arena_printf(&b->arena, "/posts/%s/", slug),
	                           arena_printf(&b->arena, "content/posts/%s.md", slug));
	p->front.date = date;
	return p;
}

static struct page *translation(struct bare *b, struct page *of, const char *slug)
{
	struct page *p = bare_page(b, "post", arena_printf(&b->arena, "/zh/posts/%s/", slug),
	                           arena_printf(&b->arena, "content/posts/%s.zh.md", slug));
	p->front.date = of->front.date;
	bare_version(b, of, p, ZH);
	return p;
}

static void tag(struct page *p, const char **tags, size_t n)
{
	p->front.tags = tags;
	p->front.ntags = n;
}

static const char *build(struct bare *b)
{
	index_build(&b->maker);
	index_files(&b->maker);
	return bare_said(b);
}

static const struct page *at(struct bare *b, const char *path)
{
	return outputs_find(&b->site, str_of(path));
}

static void is_list(const struct page_list *l, struct page *const *want, size_t n)
{
	assert_int_equal(l->n, n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(l->all[i]->url, want[i]->url);
}

#define LIST(list, ...)                                    \
	is_list(list, (struct page *const[]){__VA_ARGS__}, \
	        ARRAY_LEN(((struct page *const[]){__VA_ARGS__})))

/*
 * Newest first, with the times of a day above the day alone; on one date by `order`, then those
 * that have none, by address.
 */
static void posts_are_in_order(void **state)
{
	struct bare *b = *state;
	struct page *old = post(b, "old", "2026-01-01"), *z = post(b, "z", "2026-01-02");
	struct page *second = post(b, "a-second", "2026-01-02T09:30:00Z");
	struct page *y = post(b, "y", "2026-01-02");
	struct page *first = post(b, "b-first", "2026-01-02T14:05:00Z");
	struct page *newer = post(b, "n", "2026-01-03"), *x = post(b, "x", "2026-01-02");
	struct page *also = post(b, "z-also", "2026-01-02T09:30:00Z");
	also->front.order = 1;
	assert_string_equal(build(b), "");
	LIST(&b->site.index.posts, newer, first, also, second, x, y, z, old);
	assert_null(newer->place.newer);
	assert_ptr_equal(newer->place.older, first);
	assert_ptr_equal(z->place.newer, y);
	assert_ptr_equal(z->place.older, old);
	assert_null(old->place.older);
}

static void what_is_not_published_has_no_output(void **state)
{
	struct bare *b = *state;
	struct page *shown = post(b, "shown", "2026-01-01"),
	            *draft = post(b, "draft", "2026-01-02");
	struct page *later = post(b, "later", "2027-01-01"),
	            *wrong = post(b, "wrong", "2026-01-03");
	struct page *zh = translation(b, shown, "shown");
	draft->loaded = later->loaded = wrong->loaded = zh->loaded = false;
	draft->front.draft = true;
	later->front.scheduled = later->front.date;
	assert_string_equal(build(b), "");
	LIST(&b->site.index.posts, shown);
	LIST(&b->site.index.unpublished, draft, later);
	assert_null(site_version(shown, ZH));
	assert_ptr_equal(at(b, "/posts/shown/"), shown);
	assert_null(at(b, "/posts/draft/"));
	assert_null(at(b, "/posts/later/"));
	assert_null(at(b, "/posts/wrong/"));
	assert_null(at(b, "/zh/posts/shown/"));
}

/* A list shows each post once: in its language if there is such a version, else the original. */
static void each_language_has_its_list(void **state)
{
	struct bare *b = *state;
	struct page *both = post(b, "both", "2026-01-02"), *zh = translation(b, both, "both");
	struct page *english = post(b, "english", "2026-01-03");
	struct page *alone = post(b, "alone", "2026-01-01");
	alone->language = ZH;
	assert_string_equal(build(b), "");
	LIST(&b->site.index.lists[EN].posts, english, both, alone);
	LIST(&b->site.index.lists[ZH].posts, english, zh, alone);
	assert_ptr_equal(both->place.older, alone);
	assert_ptr_equal(english->place.older, both);
	assert_ptr_equal(zh->place.newer, english);
	assert_ptr_equal(alone->place.newer, zh);
}

static void tags_are_sorted_and_have_pages(void **state)
{
	struct bare *b = *state;
	const char *two[] = {"warp", "gpu"}, *one[] = {"gpu"};
	struct page *old = post(b, "old", "2026-01-01"), *new = post(b, "new", "2026-01-02");
	tag(old, two, 2);
	tag(new, one, 1);
	assert_string_equal(build(b), "");
	const struct site_list *l = &b->site.index.lists[EN];
	assert_int_equal(l->ntags, 2);
	assert_string_equal(l->tags[0].name, "gpu");
	assert_string_equal(l->tags[0].url, "/tags/gpu/");
	LIST(&l->tags[0].posts, new, old);
	LIST(&l->tags[1].posts, old);
	assert_ptr_equal(old->place.tags[0], &l->tags[1]);
	assert_ptr_equal(old->place.tags[1], &l->tags[0]);
	assert_ptr_equal(at(b, "/tags/gpu/"), l->tags[0].page);
	assert_string_equal(l->tags[0].page->text.title, "gpu");
	assert_string_equal(at(b, "/tags/warp/feed.xml")->kind->name, "tag feed");
}

/* The page of a tag in one language leads to its page in the other. */
static void tags_of_one_name_are_versions(void **state)
{
	struct bare *b = *state;
	const char *gpu[] = {"gpu"}, *own[] = {"自己"};
	struct page *p = post(b, "p", "2026-01-01"), *zh = translation(b, p, "p");
	tag(p, gpu, 1);
	tag(zh, gpu, 1);
	struct page *more = post(b, "more", "2026-01-02");
	more->language = ZH;
	tag(more, own, 1);
	assert_string_equal(build(b), "");
	const struct page *en = at(b, "/tags/gpu/"), *other = at(b, "/zh/tags/gpu/");
	assert_non_null(en);
	assert_ptr_equal(site_version(en, ZH), other);
	assert_ptr_equal(site_version(other, EN), en);
	const struct page_group *tag = more->place.tags[0];
	assert_string_equal(tag->url, "/zh/tags/%E8%87%AA%E5%B7%B1/");
	assert_string_equal(tag->page->out, "zh/tags/自己/index.html");
}

static void tags_that_share_an_address(void **state)
{
	struct bare *b = *state;
	const char *one[] = {"GPU memory"}, *other[] = {"gpu-memory"};
	tag(post(b, "a", "2026-01-02"), one, 1);
	tag(post(b, "b", "2026-01-01"), other, 1);
	const char *said = build(b);
	assert_non_null(strstr(said, "have the same address /tags/gpu-memory/\n"));
	assert_non_null(strstr(said, "have the same address /zh/tags/gpu-memory/\n"));
	assert_true(strstr(said, "'GPU memory'") && strstr(said, "'gpu-memory'"));
	assert_null(strstr(said, "feed.xml")); /* follows from it */
}

static void a_tag_of_signs_has_no_address(void **state)
{
	struct bare *b = *state;
	const char *sign[] = {"++"};
	tag(post(b, "c", "2026-01-03"), sign, 1);
	assert_non_null(strstr(build(b), "content/posts/c.md: tag '++' has no letter or digit\n"));
}

/* By part, then by date: the way in which a reader reads it. */
static void a_series_is_in_reading_order(void **state)
{
	struct bare *b = *state;
	struct page *p[] = {post(b, "a", "2026-01-04"), post(b, "b", "2026-01-03"),
	                    post(b, "c", "2026-01-02"), post(b, "d", "2026-01-01"),
	                    post(b, "alone", "2026-01-05")};
	for (int i = 0; i < 4; i++)
		p[i]->front.series = "Scans";
	p[0]->front.part = 1;
	p[1]->front.part = 2;
	assert_string_equal(build(b), "");
	const struct site_list *l = &b->site.index.lists[EN];
	assert_int_equal(l->nseries, 1);
	assert_string_equal(l->series[0].name, "Scans");
	LIST(&l->series[0].posts, p[3], p[2], p[0], p[1]);
	assert_ptr_equal(p[2]->place.series, &l->series[0]);
	assert_null(p[4]->place.series);
}

/* The page whose source sorts later is reported, in whichever order the two were found. */
static void an_address_is_taken(void **state)
{
	static const char says[] = "content/posts/scan.md: its address /posts/SCAN/ is taken by "
	                           "content/posts/a.md\n";
	for (int order = 0; order < 2; order++) {
		struct bare *b = *state;
		b->site.pages.n = 0;
		for (int i = 0; i < 2; i++) {
			bool a = i == order;
			post(b, a ? "scan" : "SCAN", "2026-01-01")->path =
			        a ? "content/posts/a.md" : "content/posts/scan.md";
		}
		assert_string_equal(build(b), says);
		b->site.index = (struct site_index){0};
	}
}

/* A generated page has no source that could be renamed. */
static void an_authors_page_gives_way(void **state)
{
	struct bare *b = *state;
	bare_page(b, "page", "/tags/", "content/pages/tags.md");
	bare_page(b, "tags", "/tags/", NULL);
	assert_string_equal(build(b),
	                    "content/pages/tags.md: its address /tags/ is taken by tags\n");
}

static bool has_kind(struct bare *b, const char *kind)
{
	for (size_t i = 0; i < b->site.pages.n; i++)
		if (page_kind_is(b->site.pages.all[i], kind))
			return true;
	return false;
}

/* Lists that would be empty are left out. */
static void fixed_pages_need_no_content(void **state)
{
	static const char *const files[] = {"content/pages/home.md",
	                                    "content/sections/01-warps.md"};
	struct bare *b = *state;
	index_add_fixed(&b->site);
	assert_true(has_kind(b, "home") && has_kind(b, "posts") && has_kind(b, "feed"));
	assert_false(has_kind(b, "handbook") || has_kind(b, "predictions") ||
	             has_kind(b, "devices") || has_kind(b, "comparisons"));
	assert_null(b->site.pages.all[0]->path);
	b->site.pages.n = 0;
	bare_files(b, files, ARRAY_LEN(files));
	index_add_fixed(&b->site);
	assert_true(has_kind(b, "handbook"));
	const struct page *home = b->site.pages.all[0];
	assert_string_equal(home->url, "/");
	assert_string_equal(home->path, "content/pages/home.md");
	assert_false(home->loaded);
	const struct page *zh = site_version(home, ZH);
	assert_string_equal(zh->url, "/zh/");
	assert_int_equal(zh->language, ZH);
	assert_null(zh->path);
}

/* A preview takes over the pages that it has made from the same records. */
static void generated_pages_may_be_reused(void **state)
{
	struct bare *b = *state;
	struct data_family family[] = {{.id = "copy", .url = "/kernels/copy/"},
	                               {.id = "scan", .url = "/kernels/scan/"}};
	b->data.families.all = family;
	b->data.families.n = ARRAY_LEN(family);
	struct page made = {.kind = page_kind(&b->site, "family"),
	                    .url = "/kernels/scan/",
	                    .subject = &family[1],
	                    .loaded = true},
	            *all[] = {&made};
	b->site.reuse.generated = (struct page_list){.all = all, .n = 1};
	index_add_generated(&b->site);
	size_t lists = b->site.pages.n - 2; /* of families and of predictions, before them */
	assert_int_equal(lists, 2);
	assert_string_equal(b->site.pages.all[0]->url, "/kernels/");
	assert_string_equal(b->site.pages.all[lists]->url, "/kernels/copy/");
	assert_false(b->site.pages.all[lists]->loaded);
	assert_true(b->site.pages.all[lists + 1]->loaded);
	assert_ptr_not_equal(b->site.pages.all[lists + 1], &made);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(posts_are_in_order),
	        TEST(what_is_not_published_has_no_output),
	        TEST(each_language_has_its_list),
	        TEST(tags_are_sorted_and_have_pages),
	        TEST(tags_of_one_name_are_versions),
	        TEST(tags_that_share_an_address),
	        TEST(a_tag_of_signs_has_no_address),
	        TEST(a_series_is_in_reading_order),
	        TEST(an_address_is_taken),
	        TEST(an_authors_page_gives_way),
	        TEST(fixed_pages_need_no_content),
	        TEST(generated_pages_may_be_reused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
