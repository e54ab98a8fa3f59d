/*
 * site-gen/audit/drawn.h - numbers of diagrams, derived again from the index expressions in their
 * keys (kinds/diagram.h):
 *
 *   drawn <what> <bytes> <expression>
 *   expression -> number | 'lane' | '(' expression operator expression ')'
 *
 * The expression is the byte address at which a lane's `bytes` begin. Operators are those of
 * diagram/index.h, '<' and '>' for the shifts. `what` is sectors, moved, used, share, lines,
 * line-bytes or line-share of global memory; passes, least or conflicts of shared memory.
 */
#ifndef SITE_GEN_AUDIT_DRAWN_H
#define SITE_GEN_AUDIT_DRAWN_H

#include "lib/err.h"
#include "lib/str.h"

/* `rest` is the key after "drawn ". Appends the text that the page must have. */
MUST_CHECK bool audit_drawn(struct str rest, struct sb *to, double *value, struct err *e);

#endif
