/* Which files under content/ and static/ are pages, and at which addresses. */
#include "site-gen/site/content.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/bare_site.h"

/* Adds the pages of these files; returns what was reported. */
static const char *pages(struct bare *b, const char *const *path, size_t n)
{
	bare_files(b, path, n);
	content_pages(&b->site);
	return bare_said(b);
}

static const char *one(struct bare *b, const char *path)
{
	return pages(b, &path, 1);
}

static struct page *page_of(struct bare *b, const char *path)
{
	for (size_t i = 0; i < b->site.pages.n; i++)
		if (b->site.pages.all[i]->path && strcmp(b->site.pages.all[i]->path, path) == 0)
			return b->site.pages.all[i];
	return NULL;
}

static void each_folder_has_its_kind(void **state)
{
	static const struct {
		const char *path, *kind;
		enum front_kind front;
	} c[] = {
	        {"content/pages/about.md", "page", FRONT_PAGE},
	        {"content/paths/short.md", "path", FRONT_PATH},
	        {"content/posts/folder/index.md", "post", FRONT_POST},
	        {"content/posts/scan.md", "post", FRONT_POST},
	        {"content/sections/03-memory.md", "section", FRONT_SECTION},
	};
	struct bare *b = *state;
	const char *path[ARRAY_LEN(c)];
	for (size_t i = 0; i < ARRAY_LEN(c); i++)
		path[i] = c[i].path;
	assert_string_equal(pages(b, path, ARRAY_LEN(c)), "");
	assert_int_equal(b->site.pages.n, ARRAY_LEN(c));
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		const struct page *p = page_of(b, c[i].path);
		assert_non_null(p);
		assert_string_equal(p->kind->name, c[i].kind);
		assert_int_equal(content_front(p), c[i].front);
		assert_int_equal(p->language, EN);
		assert_null(p->versions);
	}
}

/* They have a page or a reader of their own. */
static void some_files_add_no_page(void **state)
{
	static const char *const path[] = {"content/kernels/words.lua", "content/pages/home.md",
	                                   "content/pages/home.zh.md", "content/site.lua",
	                                   "content/words.txt"};
	struct bare *b = *state;
	assert_string_equal(pages(b, path, ARRAY_LEN(path)), "");
	assert_int_equal(b->site.pages.n, 0);
	assert_string_equal(content_home(&b->site, EN), "content/pages/home.md");
	assert_string_equal(content_home(&b->site, ZH), "content/pages/home.zh.md");
	bare_files(b, path, 2);
	assert_null(content_home(&b->site, ZH));
}

#define PLACES                                                                        \
	"content/posts/NAME.md, content/posts/NAME/index.md, content/pages/NAME.md, " \
	"content/sections/NAME.md, content/paths/NAME.md, content/series/NAME.md, "   \
	"content/kernels/NAME.md\n"

static void any_other_file_is_an_error(void **state)
{
	static const struct {
		const char *path, *says;
	} c[] = {
	        {"content/stray.md", "content/stray.md: not content, expected one of " PLACES},
	        {"content/pages/a.txt",
	         "content/pages/a.txt: not content, expected one of " PLACES},
	        {"content/pages/a/index.md",
	         "content/pages/a/index.md: not content, expected one of " PLACES},
	        {"content/posts/a.txt",
	         "content/posts/a.txt: not a post, expected NAME.md or a folder with index.md\n"},
	        {"content/posts/a/data.csv", "content/posts/a/data.csv: in a folder without "
	                                     "index.md, expected content/posts/a/index.md\n"},
	        {"content/kernels/nope.md", "content/kernels/nope.md:1:1: there is no family "
	                                    "'nope', no run has measured any\n"},
	};
	struct bare *b = *state;
	for (size_t i = 0; i < ARRAY_LEN(c); i++) {
		assert_string_equal(one(b, c[i].path), c[i].says);
		assert_int_equal(b->site.pages.n, 0);
	}
}

static void a_version_is_linked_with_its_original(void **state)
{
	static const char *const path[] = {"content/posts/a.md", "content/posts/a.zh.md",
	                                   "content/posts/alone.zh.md", "content/posts/f/index.md",
	                                   "content/posts/f/index.zh.md"};
	struct bare *b = *state;
	assert_string_equal(pages(b, path, ARRAY_LEN(path)), "");
	struct page *en = page_of(b, path[0]), *zh = page_of(b, path[1]);
	assert_int_equal(zh->language, ZH);
	assert_ptr_equal(site_version(en, EN), en);
	assert_ptr_equal(site_version(en, ZH), zh);
	assert_ptr_equal(zh->versions, en->versions);
	const struct page *alone = page_of(b, path[2]);
	assert_int_equal(alone->language, ZH);
	assert_null(site_version(alone, EN));
	assert_ptr_equal(site_version(page_of(b, path[3]), ZH), page_of(b, path[4]));
}

static void a_name_says_a_language_of_the_site(void **state)
{
	struct bare *b = *state;
	assert_string_equal(one(b, "content/posts/a.de.md"),
	                    "content/posts/a.de.md: warning: not published, because 'de' is no "
	                    "language of the site; 'languages' in content/site.lua turns it on\n");
	assert_string_equal(one(b, "content/posts/a.en.md"),
	                    "content/posts/a.en.md: 'en' is the site's own language, expected "
	                    "content/posts/a.md [bilingual]\n");
	assert_int_equal(b->site.pages.n, 0);
}

static void a_text_belongs_to_the_page_of_its_family(void **state)
{
	static const char *const path[] = {"content/kernels/nope.md", "content/kernels/scan.md",
	                                   "content/kernels/scan.zh.md"};
	struct bare *b = *state;
	struct data_family scan = {.id = "scan", .url = "/kernels/scan/"};
	b->data.families.all = &scan;
	b->data.families.n = 1;
	struct page *p = bare_page(b, "family", scan.url, NULL);
	p->subject = &scan;
	assert_string_equal(pages(b, path, ARRAY_LEN(path)),
	                    "content/kernels/nope.md:1:1: there is no family 'nope', expected one "
	                    "of scan\n");
	assert_string_equal(p->path, "content/kernels/scan.md");
	assert_false(p->loaded); /* again, with its text */
	assert_int_equal(b->site.pages.n, 2);
	const struct page *zh = site_version(p, ZH);
	assert_string_equal(zh->url, "/zh/kernels/scan/");
	assert_string_equal(zh->path, "content/kernels/scan.zh.md");
	assert_ptr_equal(zh->subject, &scan);
}

static void a_text_may_wait_for_the_first_run_of_its_family(void **state)
{
	struct bare *b = *state;
	assert_string_equal(one(b, "content/kernels/scan.md"),
	                    "content/kernels/scan.md: warning: not published, because no run has "
	                    "measured the family 'scan'\n");
	assert_int_equal(b->site.pages.n, 0);
}

static void files_lie_below_the_address_of_their_post(void **state)
{
	static const char *const path[] = {"content/posts/f/data.csv", "content/posts/f/index.md",
	                                   "content/posts/f/index.zh.md",
	                                   "content/posts/f/more/b c.csv",
	                                   "content/posts/f/more/b.csv"};
	struct bare *b = *state;
	assert_string_equal(pages(b, path, ARRAY_LEN(path)), "");
	struct page *post = page_of(b, path[1]), *all[] = {post};
	post->url = "/posts/other-slug/";
	assert_string_equal(content_folder(post, &b->arena), "content/posts/f/");
	b->site.index.posts = (struct page_list){.all = all, .n = 1};
	content_post_files(&b->site);
	assert_string_equal(bare_said(b),
	                    "content/posts/f/more/b c.csv: the file's name becomes an address, "
	                    "expected letters, digits, '.', '_' and '-' only\n");
	assert_int_equal(b->site.pages.n, 4);
	const struct page *csv = page_of(b, path[0]);
	assert_string_equal(csv->url, "/posts/other-slug/data.csv");
	assert_string_equal(csv->kind->name, "file");
	assert_string_equal(page_of(b, path[4])->url, "/posts/other-slug/more/b.csv");
}

static void only_a_post_with_files_has_a_folder(void **state)
{
	static const char *const path[] = {"content/pages/about.md", "content/posts/scan.md"};
	struct bare *b = *state;
	assert_string_equal(pages(b, path, ARRAY_LEN(path)), "");
	for (size_t i = 0; i < ARRAY_LEN(path); i++)
		assert_null(content_folder(page_of(b, path[i]), &b->arena));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(each_folder_has_its_kind),
	        TEST(some_files_add_no_page),
	        TEST(any_other_file_is_an_error),
	        TEST(a_version_is_linked_with_its_original),
	        TEST(a_name_says_a_language_of_the_site),
	        TEST(a_text_belongs_to_the_page_of_its_family),
	        TEST(a_text_may_wait_for_the_first_run_of_its_family),
	        TEST(files_lie_below_the_address_of_their_post),
	        TEST(only_a_post_with_files_has_a_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
