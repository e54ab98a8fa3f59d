/*
 * site-gen/kinds/source.h - listings of the code that was measured, and of differences in it.
 */
#ifndef SITE_GEN_KINDS_SOURCE_H
#define SITE_GEN_KINDS_SOURCE_H

#include "site-gen/kinds/kinds.h"

/* The code a case was measured with (source[i]); false: it is not to be had here, *why says so. */
bool source_text(struct expand_ctx *ctx, const struct pick *p, size_t i, struct str *out,
                 const char **why, struct err *e);
/* Has that file changed since? */
bool source_changed(struct expand_ctx *ctx, const struct pick *p, size_t i);
/* details.listing of the case's own file, folded unless `open`. */
bool source_listing(struct kind_call *k, const struct pick *p, bool open, struct err *e);
/* details.listing of the difference to another case's file. */
bool source_diff(struct kind_call *k, const struct pick *before, const struct pick *after,
                 bool open, struct err *e);
/* details.listing of what changed in source[i] since it was measured. */
bool source_diff_now(struct kind_call *k, const struct pick *p, size_t i, struct err *e);
/* The variant before this one in its family, measured in the same run on the same device. */
bool variant_before(const struct pick *p, struct pick *out);

#endif
