/*
 * site-gen/pages/body.h - bodies of the pages of families and runs, written with the
 * placeholders that posts use. A family has ladders, rooflines, the measured sources and the
 * differences between variants. A run has its conditions and every case with its anchor.
 */
#ifndef SITE_GEN_PAGES_BODY_H
#define SITE_GEN_PAGES_BODY_H

#include "lib/err.h"
#include "site-gen/numbers/headline.h"
#include "site-gen/pages/body_writer.h"

/*
 * *lead is what stands before the author's text: the headline case (`h`; NULL: none). *out is what
 * follows the text: other cases, counters and variants, folded.
 */
MUST_CHECK bool body_family(struct expand_ctx *ctx, const struct data_family *f,
                            const struct headline *h, struct str *lead, struct body *out,
                            struct err *e);
/*
 * The devices of a family's page, of which a switch shows one; at most EXPAND_DEVICES. First stands
 * one that has the headline case: that of the family's text, else the site's own, else any. Returns
 * their number.
 */
size_t body_family_devices(const struct data *d, const struct data_family *f,
                           const struct headline *h, const char **out);
MUST_CHECK bool body_run(struct expand_ctx *ctx, const struct data_run *r, struct body *out,
                         struct err *e);

#endif
