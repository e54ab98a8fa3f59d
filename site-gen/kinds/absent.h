/*
 * site-gen/kinds/absent.h - a line below a table of steps that names those without a case there,
 * and says why: "Not measured with these inputs: cluster, split."
 */
#ifndef SITE_GEN_KINDS_ABSENT_H
#define SITE_GEN_KINDS_ABSENT_H

#include "site-gen/kinds/kinds.h"

/* Writes p.absent; nothing if the picks have every variant that the placeholder's selector names.
 */
MUST_CHECK bool absent_print(struct kind_call *k, const char *const *own, const struct pick *picks,
                             size_t n, struct err *e);

#endif
