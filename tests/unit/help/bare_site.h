/*
 * tests/unit/help/bare_site.h - a site in two languages, English and Chinese, without pages,
 * records and files, as it is before its sources are found. Nothing of it is read from a file. A
 * test adds what it is about.
 */
#ifndef TESTS_UNIT_HELP_BARE_SITE_H
#define TESTS_UNIT_HELP_BARE_SITE_H

#include <stdlib.h>
#include <string.h>

#include "site-gen/base/problems.h"
#include "site-gen/build/page_kinds.h"
#include "site-gen/lua/config.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/records/data.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"

enum { EN, ZH, BARE_LANGUAGES };

struct bare {
	struct arena arena;
	struct problems problems;
	struct config_language language[BARE_LANGUAGES];
	struct config config;
	struct predictions predictions;
	struct data data;
	struct site site;
	struct maker maker;
};

static inline int bare_setup(void **state)
{
	struct bare *b = calloc(1, sizeof *b);
	if (!b)
		return -1;
	b->language[EN] =
	        (struct config_language){"en", "English", "en", "A blog", "", "", "", NULL, 0};
	b->language[ZH] =
	        (struct config_language){"zh", "中文", "zh-Hans", "A blog", "", "", "/zh", NULL, 0};
	b->config = (struct config){.title = "A blog",
	                            .tagline = "",
	                            .base_url = "https://example.org",
	                            .description = "",
	                            .author = "",
	                            .language = "en",
	                            .look = {.own = ""},
	                            .base = "",
	                            .languages = b->language,
	                            .nlanguages = BARE_LANGUAGES};
	b->problems.arena = &b->arena;
	b->data = (struct data){
	        .arena = &b->arena, .default_device = "h200", .predictions = &b->predictions};
	b->site = (struct site){.arena = &b->arena,
	                        .shared = &b->arena,
	                        .kinds = page_kinds_table(),
	                        .workers.problems = &b->problems,
	                        .config = &b->config,
	                        .data = &b->data};
	b->maker = (struct maker){
	        .site = &b->site, .shared = &b->arena, .problems = &b->problems, .lang = "en"};
	*state = b;
	return 0;
}

static inline int bare_teardown(void **state)
{
	struct bare *b = *state;
	arena_free(&b->maker.scratch);
	arena_free(&b->arena);
	free(b);
	return 0;
}

/* Adds a loaded page with an empty text. */
static inline struct page *bare_page(struct bare *b, const char *kind, const char *url,
                                     const char *path)
{
	struct page *p = site_add(&b->site, page_kind(&b->site, kind), url, NULL);
	p->path = path;
	p->loaded = true;
	p->text.title = p->text.description = "";
	p->text.lang = "en";
	return p;
}

/* Makes `other` a page of another language, and a version of `p`. */
static inline void bare_version(struct bare *b, struct page *p, struct page *other, int language)
{
	if (!p->versions)
		p->versions = ARENA_ARRAY(&b->arena, struct page *, BARE_LANGUAGES);
	p->versions[p->language] = p;
	other->language = language;
	other->text.lang = b->language[language].code;
	other->versions = p->versions;
	other->versions[language] = other;
}

/* Sets the files of the work tree. */
static inline void bare_files(struct bare *b, const char *const *path, size_t n)
{
	struct inputs *in = &b->site.repo.files;
	*in = (struct inputs){.file = ARENA_ARRAY(&b->arena, struct input, n), .n = n};
	for (size_t i = 0; i < n; i++)
		in->file[i] = (struct input){.path = path[i], .size = 1, .inode = i + 1};
	inputs_sort(in);
}

/* What was reported, oldest first, each on a line. Forgets it. */
static inline const char *bare_said(struct bare *b)
{
	const char *all = "";
	for (const struct problem *p = b->problems.first; p; p = p->next)
		all = arena_printf(&b->arena, "%s\n%s", p->text, all);
	b->problems.first = NULL;
	return all;
}

#endif
