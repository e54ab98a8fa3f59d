/*
 * site-gen/pages/terminal.h - the newest run as a terminal shows it, for the home
 * page: the command that prints it, its device, and for each kernel family the
 * best cold result of a kernel that nothing speaks against. Each number is a
 * link like any other, so the audit derives it again.
 */
#ifndef SITE_GEN_PAGES_TERMINAL_H
#define SITE_GEN_PAGES_TERMINAL_H

#include "site-gen/records/data.h"
#include "site-gen/kinds/expand.h"

/* Markup of a `pre`; nothing if no committed run has such a result. */
void terminal_lines(struct expand_ctx *ctx, struct sb *to);

#endif
