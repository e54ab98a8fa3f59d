/*
 * site-gen/site/address.h - the addresses of the files beside the pages, for those
 * that link to them. Their makers are files/data_files.h, files/markdown_copy.h and look/card.h.
 */
#ifndef SITE_GEN_SITE_ADDRESS_H
#define SITE_GEN_SITE_ADDRESS_H

#include "site-gen/site/site.h"

/* "/numbers/<device>/<case>/number.json", "/runs/<id>/<id>.jsonl" */
const char *address_number(const struct data_number *n, struct arena *a);
const char *address_record(const struct data_run *r, struct arena *a);

/* Has the page a numbers.json beside it? */
bool address_has_numbers(const struct page *p);

/* Has it an index.md? "/posts/x/index.md", or "" if it has none. */
bool address_has_markdown(const struct site *s, const struct page *p);
const char *address_markdown(const struct site *s, const struct page *p, struct arena *a);

#define ADDRESS_CARD_TEMPLATE "card.svg" /* of the look: draws the cards */

/* Has the site social cards; has the page one of its own? */
bool address_has_cards(const struct site *s);
bool address_has_card(const struct page *p);
/* The card of a page: its own, or that of its language's home page. "": the site has none. */
const char *address_card(const struct site *s, const struct page *p, struct arena *a);

#endif
