/*
 * site-gen/pages/waivers.h - page of waivers: every waived rule with the author's reason,
 * and the texts of records in which the lint finds numbers.
 */
#ifndef SITE_GEN_PAGES_WAIVERS_H
#define SITE_GEN_PAGES_WAIVERS_H

#include "site-gen/lua/script.h"

struct maker;
struct page;

/* Sets page.waivers and page.recorded of templates/waivers.html. */
void waivers_list(struct maker *m, struct script *s, const struct page *p);

#endif
