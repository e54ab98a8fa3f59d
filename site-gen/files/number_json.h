/*
 * site-gen/files/number_json.h - numbers as JSON, for programs. docs/published-data.md
 * lists every member.
 */
#ifndef SITE_GEN_FILES_NUMBER_JSON_H
#define SITE_GEN_FILES_NUMBER_JSON_H

#include "site-gen/site/backlinks.h"

#define NUMBER_JSON_SCHEMA "ridgepoint-number/1.0"
#define NUMBER_JSON_PAGE_SCHEMA "ridgepoint-page-numbers/1.0"

struct number_view;

/*
 * Appends one number with everything known about it: value and interval, other
 * quantities, conditions, cost model, every sample, history, quotes, and provenance
 * as W3C PROV-JSON (https://www.w3.org/submissions/prov-json/).
 */
void number_json(const struct site *s, const struct data_number *n, const struct backlinks *quoted,
                 struct arena *a, struct sb *to);

/* Appends every number that a page shows, in the page's order. */
void number_json_page(const struct site *s, const struct page *p, struct arena *a, struct sb *to);

#endif
