/*
 * site-gen/audit/stamps.h - numbers of time stamps inside kernels, derived again from a trace's
 * cycles (numbers/stamps.h names them): "trace <run> <case> <what>".
 */
#ifndef SITE_GEN_AUDIT_STAMPS_H
#define SITE_GEN_AUDIT_STAMPS_H

#include "lib/err.h"
#include "site-gen/audit/state.h"

/* Appends the text that the page must have; `rest` is the key after "trace ". */
MUST_CHECK bool audit_stamps(struct audit *a, struct str rest, struct sb *to, double *value,
                             struct err *e);

#endif
