/*
 * site-gen/pages.h - the kinds of pages a site has: one table, from which
 * everything follows. How to add one is said in pages.c.
 */
#ifndef SITE_GEN_PAGES_H
#define SITE_GEN_PAGES_H

#include "site-gen/site.h"

enum {
	PAGE_EACH_LANGUAGE = 1, /* one for each language of the site, below its prefix */
	PAGE_SEARCHED = 2,      /* readers find it through search.h */
	PAGE_WRITTEN = 4,       /* an author wrote it: its numbers are quoted to somebody */
	/*
	 * What its file depends on beside the records, the settings, the look and what pages show
	 * of each other (reuse.h): nothing; its own source; that of the page that is its subject;
	 * those of the posts of a tag, or of its language; the lines where its number is quoted.
	 * None of these: all sources.
	 */
	PAGE_OF_FACES = 8,
	PAGE_OF_ITSELF = 16,
	PAGE_OF_SUBJECT = 32,
	PAGE_OF_POSTS = 64,
	PAGE_OF_LINES = 128,
};

struct page_kind {
	const char *name;       /* page.kind */
	const char *template;   /* "post.html"; NULL: `bytes` makes the file */
	const char *list_url;   /* the page of which there is one; NULL: many, or none */
	const char *list_title; /* its title: a key of the words, or NULL */
	bool in_sitemap;
	/* Makes the body, in a worker, before the index is there. NULL: none. */
	bool (*load)(struct maker *m, struct page *p, struct err *e);
	/* Variables beyond those every page has. NULL: none. */
	void (*variables)(struct maker *m, struct script *s, const struct page *p);
	/* The whole file, for kinds without a template. */
	bool (*bytes)(struct maker *m, const struct page *p, struct sb *to, struct err *e);
	int flags; /* PAGE_… */
};

/* A row of the table; the name must be in it. */
const struct page_kind *page_kind(const char *name);
const struct page_kind *page_kinds(size_t *n);

#endif
