/* site-gen/number_page.h - the page of a number: everything behind it. */
#ifndef SITE_GEN_NUMBER_PAGE_H
#define SITE_GEN_NUMBER_PAGE_H

#include "site-gen/quoted.h"

/*
 * The body, as markup. It has an element with the id of each number_name()
 * that any page links to, and "run-<id>" for each run.
 */
void number_page_body(struct expand_ctx *ctx, const struct data_number *n,
                      const struct site_quoted *quoted, struct sb *to);

#endif
