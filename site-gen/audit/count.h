/*
 * site-gen/audit/count.h - how many families, variants, cases, runs, launches or samples there
 * are, counted again from the number's key:
 *
 *   count <what> [<selector>] {<key>=<value>} on <device>
 */
#ifndef SITE_GEN_AUDIT_COUNT_H
#define SITE_GEN_AUDIT_COUNT_H

#include "site-gen/audit/state.h"

/* `rest` is the key after "count ". False if it is no such key. */
MUST_CHECK bool audit_count(struct audit *a, struct str rest, size_t *n);

#endif
