/*
 * site-gen/site/maker.h - the state of a process that makes pages: the parent or a worker.
 */
#ifndef SITE_GEN_SITE_MAKER_H
#define SITE_GEN_SITE_MAKER_H

#include "lib/arena.h"
#include "lib/str.h"

struct audit;         /* audit/state.h */
struct feed_text;     /* files/feed_content.c */
struct page;          /* page.h */
struct picture_fonts; /* look/picture.h */
struct problems;      /* base/problems.h */
struct script;        /* lua/script.h */
struct site;          /* site.h */

struct maker {
	struct site *site;
	struct arena *shared; /* for results */
	struct arena scratch; /* reset after each page */
	struct problems *problems;
	struct script *script;             /* NULL while pages are loaded */
	const struct picture_fonts *fonts; /* for social cards; NULL until one is drawn */
	struct feed_text *feed_texts;      /* texts of posts in feeds, as made so far */
	struct str style;                  /* static/site.css; empty until a colour is needed */
	struct audit *audit;               /* NULL: no audit */
	size_t *audited;                   /* this process's entry in site->workers.audited */
	struct sb html;                    /* markup of the current page */
	const struct page *page;           /* the current page */
	const char *lang;                  /* language of the script's functions */
	int language;                      /* its index among the site's languages */
};

#endif
