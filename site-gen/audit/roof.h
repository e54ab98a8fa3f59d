/* site-gen/audit/roof.h - rule `roofed`: is what a share is held against the highest there is? */
#ifndef SITE_GEN_AUDIT_ROOF_H
#define SITE_GEN_AUDIT_ROOF_H

#include "site-gen/audit/number.h"

/* The share n of a measured bandwidth. False: another case has reached more; e names it. */
bool audit_roof_holds(struct audit_records *r, const struct audit_number *n, struct err *e);

#endif
