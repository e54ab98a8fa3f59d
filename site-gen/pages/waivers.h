/*
 * site-gen/pages/waivers.h - the page of waivers: every exception from a rule that
 * an author asked for, with the reason, and the texts of records in which the
 * lint finds numbers.
 */
#ifndef SITE_GEN_PAGES_WAIVERS_H
#define SITE_GEN_PAGES_WAIVERS_H

#include "site-gen/lua/script.h"
#include "site-gen/site/site.h"

/* page.waivers and page.recorded of templates/waivers.html. */
void waivers_list(struct maker *m, struct script *s, const struct page *p);

#endif
