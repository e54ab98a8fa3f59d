/*
 * site-gen/files/number_json.h - numbers for programs. docs/published-data.md has
 * every member.
 */
#ifndef SITE_GEN_FILES_NUMBER_JSON_H
#define SITE_GEN_FILES_NUMBER_JSON_H

#include "site-gen/site/backlinks.h"

#define NUMBER_JSON_SCHEMA "ridgepoint-number/1.0"
#define NUMBER_JSON_PAGE_SCHEMA "ridgepoint-page-numbers/1.0"

struct number_view;

/*
 * One number, whole: value and interval, its other quantities, conditions,
 * cost model, every sample, its history, who quotes it, and where it comes
 * from as W3C PROV-JSON (https://www.w3.org/submissions/prov-json/).
 */
void number_json(const struct site *s, const struct data_number *n,
                 const struct site_quoted *quoted, struct arena *a, struct sb *to);

/* Every number that a page shows, in its order. */
void number_json_page(const struct site *s, const struct page *p, struct arena *a, struct sb *to);

/*
 * schema.org Dataset as JSON-LD (https://schema.org/Dataset), for a <script>
 * element: '<' is written as an escape.
 */
void number_json_ld(const struct number_view *v, struct sb *to);
void number_json_ld_run(const struct site *s, const struct data_run *r, struct arena *a,
                        struct sb *to);

#endif
