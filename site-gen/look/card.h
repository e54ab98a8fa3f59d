/*
 * site-gen/look/card.h - social cards: a picture of a post for those who meet a link
 * to it, with its title, description, key result and its own first plot.
 *
 *   /posts/<slug>/card.png   of a post
 *   /card.png                of the home page, and of every page that has none of its own
 *
 * The look draws it, as SVG (templates/card.svg); what is here measures the
 * texts, breaks them into lines, and takes the plot from the post.
 * A site has cards if its settings say `cards = true` and its look has that
 * template. Numbers on a card are those of the page: they stand in its
 * numbers.json, and a state is in words.
 */
#ifndef SITE_GEN_LOOK_CARD_H
#define SITE_GEN_LOOK_CARD_H

#include "site-gen/look/picture.h"
#include "site-gen/site/site.h"

enum { CARD_WIDTH = 1200, CARD_HEIGHT = 630, CARD_MARGIN = 64, CARD_MOST_LINES = 6 };

struct card_text {
	struct str line[CARD_MOST_LINES];
	size_t n;
	int size; /* of the letters, in pixels */
};

/*
 * Breaks a text into at most `most` lines of `width` pixels, at spaces and between Chinese characters,
 * in the largest of the sizes (0 ends them) in which it fits; in the last it is cut short with "…".
 * Letters that no font has are left out: *missing is the first of them, or 0. False: it was cut.
 */
bool card_break(const struct picture_fonts *f, const char *font, struct str text, const int *sizes,
                int width, size_t most, struct arena *a, struct card_text *out, uint32_t *missing);

/* A row of a ladder: what its bar is drawn of, in a box of 100 by 10. */
struct card_bar {
	struct str name, inside;
};

enum { CARD_PLOT_WIDTH = 512, CARD_MOST_BARS = 9 };

/* What a card draws of a post. */
struct card_figure {
	struct str inside; /* of the plot's svg element */
	struct str box;    /* its viewBox */
	int height;        /* on the card; 0: there is none */
	struct card_bar bar[CARD_MOST_BARS];
	size_t nbars;
};

/*
 * The first roofline of a body, else its first plot, else the bars of its first ladder; figures
 * with a marked number (rule `unmarked`) are passed over. `quotes` are the page's. False: none.
 */
bool card_figure(struct str body, const struct quote *quotes, struct card_figure *out);

/* Adds the cards of a site that has any; when its pages are loaded. */
void card_add(struct site *s);

/* The row function of cards (build/page_kinds.h). */
bool card_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
