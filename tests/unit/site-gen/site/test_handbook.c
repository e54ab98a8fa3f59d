/* The handbook: the order of its sections, what each needs, and reading paths through them. */
#include "site-gen/site/handbook.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/array.h"
#include "tests/unit/help/bare_site.h"

static struct page *section_page(struct bare *b, const char *name)
{
	const char *id = strchr(name, '-') + 1;
	return bare_page(b, "section", arena_printf(&b->arena, "/handbook/%s/", id),
	                 arena_printf(&b->arena, "content/sections/%s.md", name));
}

/* Adds a section that needs at most one other. */
static struct page *section(struct bare *b, const char *name, const char *needs)
{
	const char *word[] = {needs};
	struct page *p = section_page(b, name);
	p->section = handbook_keep(
	        &b->maker, p,
	        &(struct front){.status = "wip", .needs = word, .nneeds = needs != NULL});
	return p;
}

static struct page *path(struct bare *b, const char *name, const char **sections, size_t n)
{
	struct page *p = bare_page(b, "path", arena_printf(&b->arena, "/paths/%s/", name),
	                           arena_printf(&b->arena, "content/paths/%s.md", name));
	p->section =
	        handbook_keep(&b->maker, p, &(struct front){.sections = sections, .nsections = n});
	return p;
}

/* Builds the lists; returns what was reported. */
static const char *build(struct bare *b)
{
	b->site.index.lists = ARENA_ARRAY(&b->arena, struct site_list, BARE_LANGUAGES);
	handbook_build(&b->maker);
	return bare_said(b);
}

static void a_section_is_read(void **state)
{
	struct bare *b = *state;
	const char *needs[] = {"warps"}, *families[] = {"scan", "reduce"};
	struct front f = {.status = "planned",
	                  .needs = needs,
	                  .nneeds = 1,
	                  .families = families,
	                  .nfamilies = ARRAY_LEN(families)};
	const struct section *s = handbook_keep(&b->maker, section_page(b, "03-memory"), &f);
	assert_string_equal(s->id, "memory");
	assert_string_equal(s->number, "03");
	assert_string_equal(s->status, "planned");
	assert_int_equal(s->nneeds, 1);
	assert_string_equal(s->needs[0], "warps");
	assert_int_equal(s->nfamilies, 2);
	assert_string_equal(s->families[1], "reduce");
}

static void a_translation_has_the_same_id(void **state)
{
	struct bare *b = *state;
	struct page *p =
	        bare_page(b, "section", "/zh/handbook/memory/", "content/sections/03-memory.zh.md");
	const struct section *s = handbook_keep(&b->maker, p, &(struct front){.status = "wip"});
	assert_string_equal(s->id, "memory");
	assert_string_equal(s->number, "03");
}

static void a_path_has_neither_number_nor_status(void **state)
{
	struct bare *b = *state;
	const char *sections[] = {"memory", "warps"};
	const struct section *s = path(b, "short-way", sections, 2)->section;
	assert_string_equal(s->id, "short-way");
	assert_string_equal(s->number, "");
	assert_null(s->status);
	assert_int_equal(s->nsections, 2);
	assert_string_equal(s->sections[0], "memory");
	assert_null(handbook_keep(&b->maker,
	                          bare_page(b, "post", "/posts/x/", "content/posts/x.md"),
	                          &(struct front){0}));
}

/* By number, whatever their addresses; what needs a section is listed in that order, too. */
static void sections_are_in_the_order_of_their_numbers(void **state)
{
	struct bare *b = *state;
	struct page *third = section(b, "10-atoms", "warps");
	struct page *second = section(b, "09-memory", "warps");
	struct page *first = section(b, "02-warps", NULL);
	assert_string_equal(build(b), "");
	const struct page_list *l = &b->site.index.lists[EN].sections;
	assert_int_equal(l->n, 3);
	assert_ptr_equal(l->all[0], first);
	assert_ptr_equal(l->all[1], second);
	assert_ptr_equal(l->all[2], third);
	assert_int_equal(third->section->nneed, 1);
	assert_ptr_equal(third->section->need[0], first);
	assert_int_equal(first->section->nneeded_by, 2);
	assert_ptr_equal(first->section->needed_by[0], second);
	assert_ptr_equal(first->section->needed_by[1], third);
	assert_int_equal(third->section->nneeded_by, 0);
}

static void a_path_keeps_its_own_order(void **state)
{
	struct bare *b = *state;
	const char *steps[] = {"memory", "warps", "memory"};
	struct page *warps = section(b, "02-warps", NULL), *memory = section(b, "03-memory", NULL);
	struct page *z = path(b, "z-way", steps, 3), *a = path(b, "a-way", steps, 1);
	assert_string_equal(build(b), "");
	assert_int_equal(z->section->nsteps, 3);
	assert_ptr_equal(z->section->step[0], memory);
	assert_ptr_equal(z->section->step[1], warps);
	assert_ptr_equal(z->section->step[2], memory);
	const struct page_list *l = &b->site.index.lists[EN].paths;
	assert_int_equal(l->n, 2);
	assert_ptr_equal(l->all[0], a);
	assert_ptr_equal(l->all[1], z);
}

#define LOADED_SECTIONS "expected one of warps, memory\n"

static void a_missing_section_is_reported_once(void **state)
{
	struct bare *b = *state;
	const char *steps[] = {"warps", "wraps"};
	section(b, "02-warps", NULL);
	struct page *memory = section(b, "03-memory", "wraps");
	struct page *way = path(b, "way", steps, 2);
	assert_string_equal(build(b), "content/sections/03-memory.md:1:1: there is no section "
	                              "'wraps', " LOADED_SECTIONS
	                              "content/paths/way.md:1:1: there is no section "
	                              "'wraps', " LOADED_SECTIONS);
	assert_int_equal(memory->section->nneed, 0);
	assert_int_equal(way->section->nsteps, 1);
}

/* A translation needs the same sections, so its original says what is missing. */
static void a_translation_does_not_report_it_again(void **state)
{
	struct bare *b = *state;
	struct page *memory = section(b, "03-memory", "wraps");
	struct page *zh =
	        bare_page(b, "section", "/zh/handbook/memory/", "content/sections/03-memory.zh.md");
	zh->section = memory->section;
	bare_version(b, memory, zh, ZH);
	assert_string_equal(build(b), "content/sections/03-memory.md:1:1: there is no section "
	                              "'wraps', expected one of memory\n");
}

static void a_path_without_any_section(void **state)
{
	struct bare *b = *state;
	const char *steps[] = {"warps"};
	path(b, "way", steps, 1);
	assert_string_equal(build(b), "content/paths/way.md:1:1: there is no section 'warps', "
	                              "expected one of none: content/sections is empty\n");
}

/* Then the section may be missing only because its page has an error. */
static void a_missing_section_is_no_news_after_an_error(void **state)
{
	struct bare *b = *state;
	section(b, "03-memory", "wraps");
	section(b, "02-wraps", NULL)->loaded = false;
	problems_say(&b->problems, (struct loc){"content/sections/02-wraps.md", 4, 1}, "wrong");
	assert_string_equal(build(b), "content/sections/02-wraps.md:4:1: wrong\n");
	assert_int_equal(b->site.index.lists[EN].sections.n, 1);
}

static void a_circle_is_reported_at_each_of_its_sections(void **state)
{
	struct bare *b = *state;
	section(b, "01-a", "c");
	section(b, "02-b", "a");
	section(b, "03-c", "b");
	section(b, "04-d", "a"); /* leads into the circle, and is not on it */
	section(b, "05-e", "e");
	assert_string_equal(build(b), "content/sections/01-a.md:1:1: section 'a' needs itself, "
	                              "through those that it needs\n"
	                              "content/sections/02-b.md:1:1: section 'b' needs itself, "
	                              "through those that it needs\n"
	                              "content/sections/03-c.md:1:1: section 'c' needs itself, "
	                              "through those that it needs\n"
	                              "content/sections/05-e.md:1:1: section 'e' needs itself, "
	                              "through those that it needs\n");
}

/* A list shows each section once: in its language if there is such a version, else the original. */
static void versions_are_linked_where_they_exist(void **state)
{
	struct bare *b = *state;
	struct page *warps = section(b, "02-warps", NULL),
	            *memory = section(b, "03-memory", "warps");
	struct page *zh =
	        bare_page(b, "section", "/zh/handbook/memory/", "content/sections/03-memory.zh.md");
	const char *needs[] = {"warps"};
	zh->section = handbook_keep(&b->maker, zh,
	                            &(struct front){.status = "wip", .needs = needs, .nneeds = 1});
	bare_version(b, memory, zh, ZH);
	assert_string_equal(build(b), "");
	const struct site_list *l = b->site.index.lists;
	assert_int_equal(l[EN].sections.n, 2);
	assert_ptr_equal(l[EN].sections.all[1], memory);
	assert_int_equal(l[ZH].sections.n, 2);
	assert_ptr_equal(l[ZH].sections.all[0], warps);
	assert_ptr_equal(l[ZH].sections.all[1], zh);
	assert_ptr_equal(zh->section->need[0], warps);
	assert_int_equal(warps->section->nneeded_by, 1);
	assert_ptr_equal(warps->section->needed_by[0], memory);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(a_section_is_read),
	        TEST(a_translation_has_the_same_id),
	        TEST(a_path_has_neither_number_nor_status),
	        TEST(sections_are_in_the_order_of_their_numbers),
	        TEST(a_path_keeps_its_own_order),
	        TEST(a_missing_section_is_reported_once),
	        TEST(a_translation_does_not_report_it_again),
	        TEST(a_path_without_any_section),
	        TEST(a_missing_section_is_no_news_after_an_error),
	        TEST(a_circle_is_reported_at_each_of_its_sections),
	        TEST(versions_are_linked_where_they_exist),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
