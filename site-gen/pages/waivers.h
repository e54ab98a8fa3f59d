/*
 * site-gen/pages/waivers.h - page of waivers: every waived rule with the author's reason,
 * the texts of records in which the lint finds numbers, and imported posts with typed ones.
 */
#ifndef SITE_GEN_PAGES_WAIVERS_H
#define SITE_GEN_PAGES_WAIVERS_H

#include "site-gen/lua/script.h"

struct maker;
struct page;

/* Sets page.waivers, page.recorded and page.imported of templates/waivers.html. */
void waivers_list(struct maker *m, struct script *s, const struct page *p);

#endif
