/*
 * site-gen/site/outputs.h - the table of all addresses of the site, with their pages.
 */
#ifndef SITE_GEN_SITE_OUTPUTS_H
#define SITE_GEN_SITE_OUTPUTS_H

struct site;
struct str;

struct site_output {
	const char *key; /* path of the file in lower case */
	struct page *page;
};

/* Empties the table, with room for every page of the site. */
void outputs_begin(struct site *s);

/* Enters a page. Returns NULL, or the page that already has its address, letter case aside. */
const struct page *outputs_enter(struct site *s, struct page *p);

/* The page at an absolute path without the site's prefix, or NULL. */
const struct page *outputs_find(const struct site *s, struct str path);

#endif
