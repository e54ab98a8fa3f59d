/*
 * site-gen/pages/freshness.h - two pages about trust: how every number that a page
 * shows stands to the repository (/freshness/), and what each rule says and
 * how often it marks or is waived (/rules/).
 */
#ifndef SITE_GEN_PAGES_FRESHNESS_H
#define SITE_GEN_PAGES_FRESHNESS_H

#include "site-gen/site/backlinks.h"
#include "site-gen/lua/script.h"

/* A case that pages quote, of one run: a row of the page. */
struct fresh {
	const struct data_run *run;
	const struct data_case *k;
	const struct quoted *by; /* what shows its state, in the order of pages */
	size_t n;
};

/*
 * Every case whose state some page shows beside a number, worst state first,
 * then by address. A ratio counts where its worse case is.
 */
struct fresh *fresh_all(const struct site *s, struct arena *a, size_t *n);

/* The variables of templates/freshness.html and templates/rules.html. */
void vars_freshness(struct maker *m, struct script *s, const struct page *p);
void vars_rules(struct maker *m, struct script *s, const struct page *p);

#endif
