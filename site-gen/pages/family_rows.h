/*
 * site-gen/pages/family_rows.h - every family with what a device reached on its headline case
 * (numbers/headline.h), in the order of their shares of the roof.
 */
#ifndef SITE_GEN_PAGES_FAMILY_ROWS_H
#define SITE_GEN_PAGES_FAMILY_ROWS_H

#include "site-gen/numbers/headline.h"

struct family_row {
	const struct data_family *f;
	const struct headline *h; /* NULL: it has no headline */
	const char *title;
	bool has;           /* a device has measured it */
	const char *device; /* whose result it is, if not that of the context; else NULL */
	struct headline_result r;
};

/*
 * Large shares first; then families without a roof, those without a headline, by title. Where the
 * context's device has measured nothing, the first of these that has stands in. The rows live in
 * ctx->arena. Returns their number.
 */
size_t family_rows(const struct expand_ctx *ctx, const struct headlines *h,
                   const char *const *device, size_t ndevices, struct family_row **out);

/* Address of the family's page, in the context's language if there is one. */
const char *family_row_page(const struct expand_ctx *ctx, const struct family_row *r);

#endif
