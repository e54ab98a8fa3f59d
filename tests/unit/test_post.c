/* Posts beside posts, and as others name them. */
#include "site-gen/look/cite.h"
#include "site-gen/site/related.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { POSTS = 6, TAGS = 2 };

/* A blog of one language, newest first; every post knows its neighbours. */
struct blog {
	struct site site;
	struct site_list list;
	struct page page[POSTS], *posts[POSTS];
	struct site_tag common, rare;
	const char *tags[POSTS][TAGS];
	const struct site_tag *tag[POSTS][TAGS];
	const char *families[POSTS][1];
};

static void blog_make(struct blog *b)
{
	*b = (struct blog){.common = {.name = "gpu", .nposts = POSTS},
	                   .rare = {.name = "warp", .nposts = 2}};
	for (size_t i = 0; i < POSTS; i++) {
		struct page *p = b->posts[i] = &b->page[i];
		p->newer = i > 0 ? &b->page[i - 1] : NULL;
		p->older = i + 1 < POSTS ? &b->page[i + 1] : NULL;
		p->tags = b->tags[i];
		p->tag = b->tag[i];
		p->families = b->families[i];
	}
	b->list = (struct site_list){.posts = b->posts, .nposts = POSTS};
	b->site.lists = &b->list;
}

static void blog_tag(struct blog *b, size_t i, const struct site_tag *t)
{
	struct page *p = &b->page[i];
	b->tags[i][p->ntags] = t->name;
	b->tag[i][p->ntags++] = t;
}

static size_t blog_related(struct blog *b, size_t i, const struct page *out[RELATED_MOST])
{
	for (size_t k = 0; k < POSTS; k++)
		b->page[k].kin = related_kin(&b->page[k]);
	return related_posts(&b->site, &b->page[i], out);
}

static void nothing_shared_is_not_related(void **state)
{
	(void)state;
	struct blog b;
	const struct page *out[RELATED_MOST];
	blog_make(&b);
	assert_int_equal(blog_related(&b, 0, out), 0);
}

/* A rare tag before a common one, a family between them, newer ones first among equals. */
static void nearest_come_first(void **state)
{
	(void)state;
	struct blog b;
	const struct page *out[RELATED_MOST];
	blog_make(&b);
	for (size_t i = 0; i < POSTS; i++)
		blog_tag(&b, i, &b.common);
	blog_tag(&b, 0, &b.rare);
	blog_tag(&b, 5, &b.rare);
	b.families[0][0] = b.families[4][0] = "reduce";
	b.page[0].nfamilies = b.page[4].nfamilies = 1;
	assert_int_equal(blog_related(&b, 0, out), 3);
	assert_ptr_equal(out[0], &b.page[5]);
	assert_ptr_equal(out[1], &b.page[4]);
	assert_ptr_equal(out[2], &b.page[2]);
}

/* The page leads to its neighbours and its series anyway. */
static void what_is_linked_already_is_left_out(void **state)
{
	(void)state;
	struct blog b;
	const struct page *out[RELATED_MOST];
	blog_make(&b);
	for (size_t i = 0; i < POSTS; i++)
		blog_tag(&b, i, &b.common);
	b.page[2].series = b.page[5].series = "Rooflines";
	assert_int_equal(blog_related(&b, 2, out), 2);
	assert_ptr_equal(out[0], &b.page[0]);
	assert_ptr_equal(out[1], &b.page[4]);
}

static struct site named_site(const char *author)
{
	return (struct site){.config = {.title = "My blog",
	                                .author = author,
	                                .base_url = "https://blog.example"}};
}

static void bibtex_escapes_what_tex_reads(void **state)
{
	(void)state;
	struct arena a = {0};
	struct site s = named_site("");
	struct page p = {.title = "86.1\xC2\xA0% of {peak}: C & C_1 ~ x^2",
	                 .url = "/zh/posts/a-b/",
	                 .lang = "zh",
	                 .date = "2026-11-21"};
	assert_string_equal(cite_bibtex(&s, &p, &a),
	                    "@online{my-blog-a-b-zh,\n"
	                    "  author = {My blog},\n"
	                    "  title = {{86.1\xC2\xA0\\% of \\{peak\\}: C \\& C\\_1 "
	                    "\\textasciitilde{} x\\textasciicircum{}2}},\n"
	                    "  date = {2026-11-21},\n"
	                    "  organization = {My blog},\n"
	                    "  url = {https://blog.example/zh/posts/a-b/}\n}");
	s = named_site("A. Author");
	p.updated = "2026-12-01";
	assert_non_null(strstr(cite_bibtex(&s, &p, &a), "  author = {A. Author},\n"));
	assert_non_null(strstr(cite_bibtex(&s, &p, &a), "  date = {2026-12-01},\n"));
	arena_free(&a);
}

static void mail_has_no_byte_that_an_address_may_not_have(void **state)
{
	(void)state;
	struct arena a = {0};
	struct site s = named_site("");
	struct page p = {.title = "5 % & \"more\"", .url = "/posts/x/"};
	assert_string_equal(cite_mail(&s, &p, &a),
	                    "mailto:?subject=5%20%25%20%26%20%22more%22"
	                    "&body=https%3A%2F%2Fblog.example%2Fposts%2Fx%2F");
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nothing_shared_is_not_related),
	        cmocka_unit_test(nearest_come_first),
	        cmocka_unit_test(what_is_linked_already_is_left_out),
	        cmocka_unit_test(bibtex_escapes_what_tex_reads),
	        cmocka_unit_test(mail_has_no_byte_that_an_address_may_not_have),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
