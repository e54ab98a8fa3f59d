/* Posts beside a post: which are related, and in which order. */
#include "site-gen/site/related.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"
#include "lib/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POSTS = 6, TAGS = 2 };

/* A blog of one language, newest first; every post knows its neighbours. */
struct blog {
	struct site site;
	struct site_list list;
	struct page page[POSTS], *posts[POSTS];
	struct page_group common, rare;
	const char *tags[POSTS][TAGS];
	const struct page_group *tag[POSTS][TAGS];
	const char *families[POSTS][1];
};

static void blog_make(struct blog *b)
{
	*b = (struct blog){.common = {.name = "gpu", .posts.n = POSTS},
	                   .rare = {.name = "warp", .posts.n = 2}};
	for (size_t i = 0; i < POSTS; i++) {
		struct page *p = b->posts[i] = &b->page[i];
		p->place.newer = i > 0 ? &b->page[i - 1] : NULL;
		p->place.older = i + 1 < POSTS ? &b->page[i + 1] : NULL;
		p->front.tags = b->tags[i];
		p->place.tags = b->tag[i];
		p->numbers.families = b->families[i];
	}
	b->list = (struct site_list){.posts.all = b->posts, .posts.n = POSTS};
	b->site.index.lists = &b->list;
}

static void blog_tag(struct blog *b, size_t i, const struct page_group *t)
{
	struct page *p = &b->page[i];
	b->tags[i][p->front.ntags] = t->name;
	b->tag[i][p->front.ntags++] = t;
}

static size_t blog_related(struct blog *b, size_t i, const struct page *out[RELATED_MOST])
{
	for (size_t k = 0; k < POSTS; k++)
		b->page[k].place.topics = related_kin(&b->page[k]);
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
	b.page[0].numbers.nfamilies = b.page[4].numbers.nfamilies = 1;
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
	b.page[2].front.series = b.page[5].front.series = "Rooflines";
	assert_int_equal(blog_related(&b, 2, out), 2);
	assert_ptr_equal(out[0], &b.page[0]);
	assert_ptr_equal(out[1], &b.page[4]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(nothing_shared_is_not_related),
	        cmocka_unit_test(nearest_come_first),
	        cmocka_unit_test(what_is_linked_already_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
