/* site-gen/pages/prediction_page.h - bodies of /predictions/ and /predictions/<id>/. */
#ifndef SITE_GEN_PAGES_PREDICTION_PAGE_H
#define SITE_GEN_PAGES_PREDICTION_PAGE_H

#include "lib/err.h"
#include "site-gen/numbers/prediction.h"
#include "site-gen/pages/body_writer.h"

/* Writes the page of all predictions, with their results in sum. */
bool prediction_page_all(struct expand_ctx *ctx, const struct predictions *all, struct body *body);
/* Writes the page of one prediction. */
MUST_CHECK bool prediction_page(struct expand_ctx *ctx, const struct prediction *p,
                                struct body *body, struct err *e);

#endif
