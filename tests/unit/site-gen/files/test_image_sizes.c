/* Smaller sizes of pictures: which there are, and at which addresses. */
#include "site-gen/files/image_sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "site-gen/markdown/markdown.h"
#include "tests/unit/help/bare_site.h"
#include "tests/unit/help/folder.h"

static struct page *with_picture(struct bare *b, const char *url, struct md_picture *picture)
{
	struct page *p = bare_page(b, "post", url, "content/posts/x/index.md");
	p->source.pictures = picture;
	p->source.npictures = 1;
	return p;
}

/* The addresses of the sizes, in their order. */
static const char *sizes(struct bare *b)
{
	const char *all = "";
	image_sizes_add(&b->site);
	for (size_t i = 0; i < b->site.pages.n; i++)
		if (page_kind_is(b->site.pages.all[i], "smaller"))
			all = arena_printf(&b->arena, "%s%s ", all, b->site.pages.all[i]->url);
	return all;
}

static void sizes_lie_beside_the_picture(void **state)
{
	struct bare *b = *state;
	struct md_picture photo = {
	        "photo.jpg", "content/posts/x/photo.jpg", {IMAGE_JPEG, 1000, 500, false}};
	struct md_picture other = {
	        "other.png", "content/posts/x/other.png", {IMAGE_PNG, 500, 500, false}};
	with_picture(b, "/posts/x/", &photo);
	with_picture(b, "/posts/y/", &other);
	assert_string_equal(sizes(b), "/posts/x/photo-1000.webp /posts/x/photo-480.webp "
	                              "/posts/x/photo-960.webp /posts/y/other-480.webp "
	                              "/posts/y/other-500.webp ");
	const struct page *p = b->site.pages.all[2];
	assert_string_equal(p->out, "posts/x/photo-1000.webp");
	assert_true(p->loaded);
}

static void a_picture_of_several_pages_is_made_once(void **state)
{
	struct bare *b = *state;
	struct md_picture own = {"photo.png",
	                         "content/posts/x/photo.png",
	                         {IMAGE_PNG, 600, 500, false}},
	                  elsewhere = own;
	elsewhere.url = "/posts/x/photo.png";
	with_picture(b, "/posts/x/", &own);
	with_picture(b, "/zh/posts/x/", &elsewhere);
	assert_string_equal(sizes(b), "/posts/x/photo-480.webp /posts/x/photo-600.webp ");
}

static void drawings_and_small_pictures_have_none(void **state)
{
	struct bare *b = *state;
	struct md_picture drawing = {"a.svg",
	                             "content/posts/x/a.svg",
	                             {IMAGE_SVG, 2000, 1000, false}},
	                  moving = {"b.gif",
	                            "content/posts/x/b.gif",
	                            {IMAGE_GIF, 2000, 1000, true}},
	                  small = {"c.png", "content/posts/x/c.png", {IMAGE_PNG, 300, 200, false}};
	with_picture(b, "/posts/a/", &drawing);
	with_picture(b, "/posts/b/", &moving);
	with_picture(b, "/posts/c/", &small);
	assert_string_equal(sizes(b), "");
}

/* The picture was there when its page was read. */
static void a_picture_that_is_gone(void **state)
{
	struct bare *b = *state;
	struct err e = ERR_NONE;
	struct sb to = {0};
	void *folder;
	assert_int_equal(folder_setup(&folder), 0);
	struct folder *f = folder;
	const char *paths = arena_strdup(&b->arena, getenv("PATH"));
	assert_int_equal(chmod(folder_put(f, "cwebp", ""), 0755), 0);
	setenv("PATH", f->path, 1); /* a program is looked for before the picture */
	struct md_picture photo = {
	        "photo.jpg", folder_path(f, "photo.jpg"), {IMAGE_JPEG, 500, 500, false}};
	b->site.options.cache = folder_path(f, "cache");
	with_picture(b, "/posts/x/", &photo);
	image_sizes_add(&b->site);
	bool ok = image_sizes_bytes(&b->maker, b->site.pages.all[1], &to, &e);
	setenv("PATH", paths, 1);
	folder_teardown(&folder);
	assert_false(ok);
	assert_non_null(strstr(e.text, "No such file"));
	assert_int_equal(to.n, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(sizes_lie_beside_the_picture),
	        TEST(a_picture_of_several_pages_is_made_once),
	        TEST(drawings_and_small_pictures_have_none),
	        TEST(a_picture_that_is_gone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
