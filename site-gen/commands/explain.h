/*
 * site-gen/commands/explain.h - printing of a number's origin, for `site-gen explain`
 * and `site-gen why`.
 */
#ifndef SITE_GEN_COMMANDS_EXPLAIN_H
#define SITE_GEN_COMMANDS_EXPLAIN_H

#include "lib/err.h"
#include "site-gen/numbers/number.h"
#include "site-gen/base/placeholder.h"

/*
 * Appends a placeholder's text and, for each case that it uses, the numbers with
 * their intervals, the conditions, the state and its reason, the record file, the
 * sources with blob ids, and the command that measures it again.
 */
MUST_CHECK bool explain_placeholder(struct expand_ctx *ctx, const struct placeholder *p,
                                    struct sb *to, struct err *e);

/*
 * Appends a number: value and interval, name, page, run and why that run was chosen;
 * for a ratio also the other case, the pairing and the verdict; and every state with
 * its reason. The caller starts the line.
 */
void explain_number(struct expand_ctx *ctx, const struct number *n, struct sb *to);
/* Appends a datasheet number, a derivation or a count. */
void explain_fact(const struct fact *f, struct sb *to);
/* Appends "  label              value\n"; nothing if there is no value. */
void explain_field(struct sb *to, const char *label, const char *value);

#endif
