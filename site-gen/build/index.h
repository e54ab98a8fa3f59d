/*
 * site-gen/build/index.h - order of the pages, and the table of all outputs. It links
 * neighbours, tags and series, and adds the pages that follow from other pages.
 */
#ifndef SITE_GEN_BUILD_INDEX_H
#define SITE_GEN_BUILD_INDEX_H

struct maker;
struct site;

/* Adds the pages that need no content: home, lists, families, runs, feed. */
void index_add_fixed(struct site *s);

/* Adds those of these pages which may have a text of an author: home and the families. */
void index_add_written(struct site *s);

/* Adds only the pages made from records: families, runs and the scoreboard, for example. */
void index_add_generated(struct site *s);

/*
 * Call it when all pages are loaded. Sorts posts, adds tag pages, and drops unpublished pages: then
 * a page that an author wrote can be rendered.
 */
void index_build(struct maker *m);

/*
 * Adds the files that follow from the pages, those of posts and figures for example, and enters
 * every output. Two outputs whose names differ at most in case are a problem; so are two tags with
 * the same address.
 */
void index_files(struct maker *m);

#endif
