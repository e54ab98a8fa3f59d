/*
 * site-gen/site/page_kind.h - a kind of page: the type of the rows in build/page_kinds.c,
 * for code that adds pages or tests for a kind.
 */
#ifndef SITE_GEN_SITE_PAGE_KIND_H
#define SITE_GEN_SITE_PAGE_KIND_H

#include <stdbool.h>

#include "lib/err.h"

struct maker;
struct page;
struct sb;
struct script;
struct site;

enum {
	PAGE_EACH_LANGUAGE = 1, /* one page for each language of the site, below its prefix */
	PAGE_SEARCHED = 2,      /* readers find it through files/search.h */
	PAGE_WRITTEN = 4,       /* written by an author, so its numbers count as quoted */
	/*
	 * Inputs of its file, beside the records, the settings, the look and the parts that pages
	 * show of each other (build/reuse.h). In the order of the flags: none; its own source; the
	 * source of its subject, a page; the sources of the posts of a tag, or of its language; the
	 * lines where its number is quoted. Without any of these flags: all sources.
	 */
	PAGE_OF_FACES = 8,
	PAGE_OF_ITSELF = 16,
	PAGE_OF_SUBJECT = 32,
	PAGE_OF_POSTS = 64,
	PAGE_OF_LINES = 128,
	/* its body depends only on the records, the settings and the words: a preview keeps it */
	PAGE_OF_RECORDS = 256,
};

struct page_kind {
	const char *name;       /* page.kind */
	const char *template;   /* "post.html"; NULL: `bytes` makes the file */
	const char *list_url;   /* address, if there is exactly one such page; else NULL */
	const char *list_title; /* its title: a key of the words, or NULL */
	bool in_sitemap;
	/* Makes the body, in a worker, before the index exists. NULL: no body. */
	MUST_CHECK bool (*load)(struct maker *m, struct page *p, struct err *e);
	/* Sets variables beyond those that every page has. NULL: none. */
	void (*variables)(struct maker *m, struct script *s, const struct page *p);
	/* Writes the whole file, for kinds without a template. */
	MUST_CHECK bool (*bytes)(struct maker *m, const struct page *p, struct sb *to,
	                         struct err *e);
	int flags; /* PAGE_… */
};

/* The kind with this name in the site's table (struct site, `kinds`); it must exist. */
const struct page_kind *page_kind(const struct site *s, const char *name);

/* Is the page of that kind? */
bool page_kind_is(const struct page *p, const char *kind);

#endif
