/*
 * site-gen/look/cite.h - citation of a post, as a BibTeX entry or an e-mail.
 */
#ifndef SITE_GEN_LOOK_CITE_H
#define SITE_GEN_LOOK_CITE_H

struct arena;
struct page;
struct site;

/*
 * "@online{ridgepoint-the-transpose-staircase, …}": biblatex's entry type for a web
 * page, with author (the post's, else the site's, else the site), title, date, URL and
 * language. TeX's special characters are escaped.
 */
const char *cite_bibtex(const struct site *s, const struct page *p, struct arena *a);

/* A mailto: address with the title as subject and the URL as text. */
const char *cite_mail(const struct site *s, const struct page *p, struct arena *a);

#endif
