/*
 * site-gen/pages/figure_page.h - pages of single figures, for readers who share one:
 *
 *   /posts/<slug>/fig/<name>/           the figure, its finding as title, a link to its place
 *   /posts/<slug>/fig/<name>/card.png   its card (look/card.h)
 *
 * Each drawing of a post has one, in each language. It repeats the markup of the post, so it adds
 * no number to the log. Only the table of exact values moves here; the post links to it, at #exact.
 * Search engines are told that the post is the original.
 */
#ifndef SITE_GEN_PAGES_FIGURE_PAGE_H
#define SITE_GEN_PAGES_FIGURE_PAGE_H

struct maker;
struct page;
struct script;
struct site;

/*
 * In a worker, when a post is loaded: cuts its drawings out of its body, for their pages, and
 * leaves links in place of the tables of exact values. Other pages are left as they are.
 */
void figure_page_cut(struct maker *m, struct page *post);

/* Adds the pages. Call it when the posts are loaded. */
void figure_page_add(struct site *s);

/* `figure`: the variables of templates/figure.html. */
void figure_page_vars(struct maker *m, struct script *s, const struct page *p);

#endif
