/*
 * site-gen/look/card.h - social cards: pictures of pages that appear beside shared links.
 * A card shows the title, description, key result and first plot of its page.
 *
 *   /posts/<slug>/card.png              card of a post
 *   /posts/<slug>/fig/<name>/card.png   card of a figure: its finding, and the whole drawing
 *   /kernels/<family>/card.png, …       cards of families, handbook sections and the lists of both
 *   /card.png                           card of the home page and of every page without its own
 *
 * The look draws a card as SVG (templates/card.svg). This module measures the texts,
 * breaks them into lines, and takes the plot from the post. A site has cards if its
 * settings say `cards = true` and its look has that template. A card shows only numbers
 * of its page, which are in the page's numbers.json, and spells out their states.
 */
#ifndef SITE_GEN_LOOK_CARD_H
#define SITE_GEN_LOOK_CARD_H

#include "lib/err.h"
#include "site-gen/look/picture.h"

struct maker;
struct page;
struct quote;

enum { CARD_WIDTH = 1200, CARD_HEIGHT = 630, CARD_MARGIN = 64, CARD_MOST_LINES = 6 };

struct card_text {
	struct str line[CARD_MOST_LINES];
	size_t n;
	int size; /* font size in pixels */
};

/*
 * Breaks a text into at most `most` lines of `width` pixels, at spaces and between Chinese
 * characters. Uses the largest of the sizes (0 ends the list) in which the text fits. If none does,
 * uses the last size, ends the text early with "…" and returns false. Characters that no font has
 * are left out; *missing is the first of them, or 0.
 */
bool card_break(const struct picture_fonts *f, const char *font, struct str text, const int *sizes,
                int width, size_t most, struct arena *a, struct card_text *out, uint32_t *missing);

/* A row of a ladder: its name, and its bar's markup in a box of 100 by 10. */
struct card_bar {
	struct str name, inside;
};

enum { CARD_PLOT_WIDTH = 512, CARD_PLOT_HEIGHT = 540, CARD_MOST_BARS = 9 };

/* The figure of a post that its card shows. */
struct card_figure {
	struct str inside; /* content of the drawing's svg element */
	struct str box;    /* its viewBox */
	struct str class;  /* its class: "plot narrow" */
	int font;          /* its font-size, in units of its viewBox */
	int width, height; /* on the card; height 0: no drawing */
	bool below;        /* it stands below the texts, else beside them */
	struct card_bar bar[CARD_MOST_BARS];
	size_t nbars;
};

/*
 * Finds the first roofline of a body, else its first plot, else the bars of its first ladder or of
 * the scoreboard, else its first diagram. Skips figures, and rows of the scoreboard, with a marked
 * number (rule `unmarked`). `quotes` are the page's. False if there is none.
 */
bool card_figure(struct str body, const struct quote *quotes, struct card_figure *out);

/*
 * The drawing of a page that shows one figure (pages/figure_page.h): in its wide form if that is
 * about as legible in a box of `width` by `height` as its narrow form beside the texts.
 */
bool card_drawing(struct str body, int width, int height, struct card_figure *out);

/* Adds the cards of a site that has cards. Call it when the pages are loaded. */
void card_add(struct site *s);

/* The row function of cards (build/page_kinds.h). */
MUST_CHECK bool card_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e);

#endif
