/*
 * site-gen/pages/number_page.h - the page of a number: everything behind it.
 *
 * The parts, in the order in which they stand; each is a section with a
 * heading, has the markup that its file describes, and needs what is in the
 * view alone:
 *
 *   #number      the number, its interval, the launches it is made of
 *   #figures     its other metrics, and every comparison that a page shows
 *   #samples     how the samples spread, and in which order
 *   #counters    what limits it, and its hardware counters
 *   #launches    each launch: time, clocks, power, temperature, what slowed it
 *   #history     every run of the case, newest first, with what changed
 *   #quoted      who shows it
 *   #conditions  machine, driver, toolkit, plan
 *   #source      the code as measured, the difference to now, what was built
 *   #model       what is counted, and what the results are checked against
 *   #again       the command that measures it again
 *   #cite        how to cite it, and its files
 */
#ifndef SITE_GEN_PAGES_NUMBER_PAGE_H
#define SITE_GEN_PAGES_NUMBER_PAGE_H

#include "site-gen/files/number_view.h"

enum { NUMBER_PAGE_PARTS = 2 };

/*
 * What the records alone say, whoever shows the number: the sections from
 * #samples to #history, and those from #conditions on. Most of the work of a
 * page is here, so a preview keeps it. In the view's arena.
 */
bool number_page_recorded(struct expand_ctx *ctx, const struct number_view *v,
                          struct str part[NUMBER_PAGE_PARTS], struct err *e);

/*
 * The body, as markup, with those parts. It has an element with the id of each
 * number_name() that any page links to, and "run-<id>" for each run.
 */
void number_page_body(struct expand_ctx *ctx, const struct number_view *v,
                      const struct str part[NUMBER_PAGE_PARTS], struct sb *to);

/* Opens a section with its heading; the next one closes it, number_page_end() the last. */
void number_section(struct sb *to, const char *id, const char *title);

/* --- its parts: number_counters.c, number_launches.c, number_past.c --- */
void number_page_counters(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_launches(const struct number_view *v, struct sb *to);
void number_page_history(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_quoted(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);
void number_page_cite(struct expand_ctx *ctx, const struct number_view *v, struct sb *to);

#endif
