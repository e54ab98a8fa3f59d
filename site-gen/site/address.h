/*
 * site-gen/site/address.h - addresses of the files beside pages, for links to them.
 * files/data_files.h, files/markdown_copy.h and look/card.h write these files.
 */
#ifndef SITE_GEN_SITE_ADDRESS_H
#define SITE_GEN_SITE_ADDRESS_H

#include <stdbool.h>

struct arena;
struct data_number;
struct data_run;
struct page;
struct site;

/* "https://ridgepoint.example/numbers/…/" of "/numbers/…/" */
const char *address_absolute(const struct site *s, const char *url, struct arena *a);
/* "/numbers/<device>/<case>/number.json", "/runs/<id>/<id>.jsonl.gz", as in data/runs */
const char *address_number(const struct data_number *n, struct arena *a);
const char *address_record(const struct data_run *r, struct arena *a);

/* Does the page have a numbers.json beside it? */
bool address_has_numbers(const struct page *p);

/* Does the page have an index.md beside it? */
bool address_has_markdown(const struct site *s, const struct page *p);
const char *address_markdown(const struct site *s, const struct page *p, struct arena *a);

#define ADDRESS_CARD_TEMPLATE "card.svg" /* the look's template for cards */

/* Does the site have social cards; does the page have one of its own? */
bool address_has_cards(const struct site *s);
bool address_has_card(const struct page *p);
/*
 * The card of a page: its own, or that of its figure's post, or of its language's home page; "" if
 * the site has none.
 */
const char *address_card(const struct site *s, const struct page *p, struct arena *a);

#endif
