/*
 * site-gen/kinds/figure.h - the numbered blocks of a page, and their names. A name is part of
 * addresses: <page><name>.csv, and <page>fig/<name>/ (pages/figure_page.h). So it must not depend
 * on what stands above the block: it is the block's label (id=), else made of its placeholder,
 *
 *   plot stream/{vector,ahead} x=n op=copy title="…"  ->  plot-stream-vector-ahead-x-n-op-copy
 *
 * without values with a space, which are texts or formulas, and without focus=. On a page over
 * several devices the device follows. A name that an earlier block has gets "-2".
 */
#ifndef SITE_GEN_KINDS_FIGURE_H
#define SITE_GEN_KINDS_FIGURE_H

#include "lib/arena.h"
#include "site-gen/base/placeholder.h"
#include "site-gen/records/context.h"

/* The name of a placeholder's block; device NULL: the page is over one. */
const char *figure_name(const struct placeholder *p, const char *device, struct arena *a);

/* Counts a block in ctx->blocks, and adds it to ctx->figures. */
struct expand_figure *figure_begin(struct expand_ctx *ctx, const char *name);

/* The block with this number; NULL: there is none. */
const struct expand_figure *figure_find(const struct expand_figure *all, int number);

#endif
