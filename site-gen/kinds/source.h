/*
 * site-gen/kinds/source.h - listings of measured code, and of differences in it.
 */
#ifndef SITE_GEN_KINDS_SOURCE_H
#define SITE_GEN_KINDS_SOURCE_H

#include "lib/err.h"
#include "site-gen/kinds/kinds.h"

/*
 * The measured text of source[i] of a case. False with e unset: it is not available, and *why has
 * the reason.
 */
MUST_CHECK bool source_text(struct expand_ctx *ctx, const struct pick *p, size_t i, struct str *out,
                            const char **why, struct err *e);
/* The error for file= that matches no source of a case; lists them. Returns false. */
MUST_CHECK bool source_no_file(const struct kind_call *k, const struct pick *p, struct str file,
                               struct err *e);
/* Did source[i] change since it was measured? */
bool source_changed(struct expand_ctx *ctx, const struct pick *p, size_t i);
/*
 * Any case of the one variant that the placeholder's selector names, of the newest run: its cases
 * share their source. `own`: keys that do not select.
 */
MUST_CHECK bool source_variant(struct kind_call *k, const char *const *own, struct pick *out,
                               struct err *e);
/* details.listing with the case's own file, folded unless `open`. */
MUST_CHECK bool source_listing(struct kind_call *k, const struct pick *p, bool open, struct err *e);
/* details.listing with the difference from another case's file. */
MUST_CHECK bool source_diff(struct kind_call *k, const struct pick *before,
                            const struct pick *after, bool open, struct err *e);
/*
 * The code of a step: details.listing with the difference from the step before, in the part that
 * the placeholder's region= or part= names. Without a step before, or where little of its part is
 * left, it is the part as measured.
 */
MUST_CHECK bool source_step(struct kind_call *k, const struct pick *before,
                            const struct pick *after, struct err *e);
/* div.code with a whole file, without marks of regions. */
void source_whole(struct kind_call *k, const char *path, struct str text);
/* The changes of source[i] since it was measured: pre.diff, or p.changed if it is not available. */
MUST_CHECK bool source_since(struct kind_call *k, const struct pick *p, size_t i, struct err *e);
/* The variant before this one in its family, measured in the same run on the same device. */
bool source_variant_before(const struct pick *p, struct pick *out);

#endif
