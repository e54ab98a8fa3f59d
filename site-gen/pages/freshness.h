/*
 * site-gen/pages/freshness.h - pages /freshness/ and /rules/. The first lists the state
 * of every quoted number against the repository. The second lists the rules, and how
 * often each marks a number or is waived.
 */
#ifndef SITE_GEN_PAGES_FRESHNESS_H
#define SITE_GEN_PAGES_FRESHNESS_H

#include "site-gen/site/backlinks.h"
#include "site-gen/lua/script.h"

struct maker;

/* Sets the variables of templates/freshness.html and templates/rules.html. */
void freshness_vars(struct maker *m, struct script *s, const struct page *p);
void freshness_vars_rules(struct maker *m, struct script *s, const struct page *p);

#endif
