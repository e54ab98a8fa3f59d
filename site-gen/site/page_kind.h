/*
 * site-gen/site/page_kind.h - what a kind of page is: what its rows in the table of
 * build/page_kinds.c say. Whoever adds pages or asks for a kind needs no more than this.
 */
#ifndef SITE_GEN_SITE_PAGE_KIND_H
#define SITE_GEN_SITE_PAGE_KIND_H

#include "site-gen/site/site.h"

enum {
	PAGE_EACH_LANGUAGE = 1, /* one for each language of the site, below its prefix */
	PAGE_SEARCHED = 2,      /* readers find it through files/search.h */
	PAGE_WRITTEN = 4,       /* an author wrote it: its numbers are quoted to somebody */
	/*
	 * What its file depends on beside the records, the settings, the look and what pages show
	 * of each other (build/reuse.h): nothing; its own source; that of the page that is its subject;
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

/* A kind of the site's table (struct site, `kinds`); the name must be in it. */
const struct page_kind *page_kind(const struct site *s, const char *name);

/* Is the page of that kind? */
bool page_is(const struct page *p, const char *kind);

#endif
