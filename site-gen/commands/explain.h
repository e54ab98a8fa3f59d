/*
 * site-gen/commands/explain.h - what stands behind a number, in a terminal: for
 * `site-gen explain` and `site-gen why`.
 */
#ifndef SITE_GEN_COMMANDS_EXPLAIN_H
#define SITE_GEN_COMMANDS_EXPLAIN_H

#include "site-gen/numbers/number.h"
#include "site-gen/base/placeholder.h"

/*
 * What a placeholder comes from, for a terminal: its text, then for each case
 * it uses the numbers with their intervals, the conditions, the state and its
 * reason, the file and the sources with blob ids, and the command that
 * measures it again.
 */
bool explain_placeholder(struct expand_ctx *ctx, const struct placeholder *p, struct sb *to,
                         struct err *e);

/*
 * The number itself: value and interval, its name, its page, its run and why
 * that one; of a ratio the other case, how the two are paired, and the
 * verdict; every state with its reason. No newline before.
 */
void explain_number(struct expand_ctx *ctx, const struct number *n, struct sb *to);
/* A datasheet number, a derivation, a count. */
void explain_fact(const struct fact *f, struct sb *to);
/* "  label              value\n", nothing without a value. */
void explain_field(struct sb *to, const char *label, const char *value);

#endif
