/*
 * site-gen/pages/terminal.h - terminal view of the newest run of the site's device, for the
 * home page. It shows the command that prints it, the device, and each kernel family's best cold
 * result without a mark. Each number is an ordinary link, so the audit derives it again.
 */
#ifndef SITE_GEN_PAGES_TERMINAL_H
#define SITE_GEN_PAGES_TERMINAL_H

#include "site-gen/records/data.h"
#include "site-gen/kinds/expand.h"

/* Appends the content of a `pre`; nothing if no committed run has such a result. */
void terminal_lines(struct expand_ctx *ctx, struct sb *to);

#endif
