/*
 * site-gen/site/imported.h - posts that came by import, with the numbers that their authors typed.
 *
 * `site-gen import` writes `imported: FILE` into a post's front matter. Numbers typed in such a
 * post are listed on /waivers/ instead of stopping the build (rule `traced`): one warning says how
 * many there are, and the post ends with a note that no run stands behind them. The audit accepts
 * typed numbers only above that note. A post that shows a number from the repository is none of
 * these: there a reader could not tell one from the other.
 */
#ifndef SITE_GEN_SITE_IMPORTED_H
#define SITE_GEN_SITE_IMPORTED_H

struct front;
struct maker;
struct page;
struct script;
struct traced_found;

/* A number that an author typed, in the order of the text. */
struct imported_number {
	const char *text; /* "3 ms" */
	int line;         /* in the source */
};

/* Reports a page's findings: errors, or in an imported post numbers for the list. */
void imported_say(struct maker *m, struct page *p, const struct front *f,
                  const struct traced_found *found);

/* Warns of the numbers that imported_say() kept, and adds the note to the body. */
void imported_end(struct maker *m, struct page *p);

/* Sets page.imported of templates/waivers.html. */
void imported_list(struct maker *m, struct script *s);

#endif
