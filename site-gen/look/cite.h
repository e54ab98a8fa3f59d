/*
 * site-gen/look/cite.h - a post as others name it: a BibTeX entry, a letter.
 */
#ifndef SITE_GEN_LOOK_CITE_H
#define SITE_GEN_LOOK_CITE_H

#include "site-gen/site/site.h"

/*
 * "@online{ridgepoint-the-transpose-staircase, …}": the entry type of
 * biblatex for a page, with author (else the site), title, date, URL and
 * language. What TeX would read as a command is escaped.
 */
const char *cite_bibtex(const struct site *s, const struct page *p, struct arena *a);

/* A mailto: address with the title as subject and the URL as text. */
const char *cite_mail(const struct site *s, const struct page *p, struct arena *a);

#endif
