/* site-gen/audit/link.h - what a number's link says beside its digits: its title and its interval.
 */
#ifndef SITE_GEN_AUDIT_LINK_H
#define SITE_GEN_AUDIT_LINK_H

#include "lib/err.h"
#include "site-gen/audit/number.h"

/*
 * Checks the attributes `title` and `data-ci` of the number's link, as written on the page; an
 * attribute that the link lacks has .p == NULL. False: e says which words differ from the record.
 */
MUST_CHECK bool audit_link_says(const struct audit_number *n, struct str title, struct str ci,
                                struct err *e);

#endif
