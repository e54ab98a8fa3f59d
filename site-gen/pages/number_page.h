/*
 * site-gen/pages/number_page.h - page of a number, with everything behind it.
 *
 * These are its parts in order. Each is a section with a heading, has the markup that
 * its file describes, and needs only the view. A number of another harness has no #counters, no
 * #launches, no #source and no #model.
 *
 *   #number      the number, its interval, the launches it is made of
 *   #figures     its other metrics, and every comparison that a page shows
 *   #samples     spread and order of the samples
 *   #counters    what limits it, and its hardware counters
 *   #launches    each launch: time, clocks, power, temperature, what slowed it
 *   #cards       the newest run of each card that ran the same machine code
 *   #history     every run of the case, newest first, with what changed
 *   #quoted      the pages that show it
 *   #conditions  machine, driver, toolkit, plan
 *   #source      links to the measured code (code_page.h), its files, the compiler's output
 *   #model       the cost model, and the reference that results are checked against
 *   #again       the command that measures it again
 *   #cite        how to cite it, and its files
 */
#ifndef SITE_GEN_PAGES_NUMBER_PAGE_H
#define SITE_GEN_PAGES_NUMBER_PAGE_H

#include "lib/err.h"
#include "site-gen/files/number_view.h"

enum { NUMBER_PAGE_PARTS = 2 };

/*
 * Makes the sections that depend only on the records: #samples to #history, and all
 * from #conditions on. They are most of a page's work, so a preview reuses them. The
 * result is in the view's arena.
 */
MUST_CHECK bool number_page_recorded(struct expand_ctx *ctx, const struct number_view *v,
                                     struct str part[NUMBER_PAGE_PARTS], struct err *e);

/*
 * Makes the body, as markup, with those parts. It has an element with the id
 * number_name() for each number that a page links to, and "run-<id>" for each run.
 */
void number_page_body(struct expand_ctx *ctx, const struct number_view *v,
                      const struct str part[NUMBER_PAGE_PARTS], struct sb *to);

/* Begins a section: writes its heading with an anchor. */
void number_page_section(struct sb *to, const char *id, const char *title);

/* --- the parts in number_cards.c, number_counters.c, number_launches.c and number_past.c --- */
/* Writes the card of the run, and the value over cards, for #number; then the section #cards. */
void number_page_card(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_cards(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_counters(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_launches(const struct number_view *v, struct sb *to);
void number_page_history(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_quoted(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_cite(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);

#endif
