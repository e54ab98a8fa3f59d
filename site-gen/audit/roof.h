/* site-gen/audit/roof.h - rule `roofed`: a share's roof must be the highest that was measured. */
#ifndef SITE_GEN_AUDIT_ROOF_H
#define SITE_GEN_AUDIT_ROOF_H

#include "lib/err.h"
#include "site-gen/audit/number.h"

/* Checks the share n of a measured bandwidth. False: another case is faster; e names it. */
MUST_CHECK bool audit_roof_holds(struct audit_records *r, const struct audit_number *n,
                                 struct err *e);

#endif
