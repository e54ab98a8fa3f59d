/*
 * site-gen/numbers/claim_said.h - what decided a claim, for readers: the cases by their titles,
 * in the words of the page. claim_decide() says the same with ids, for whoever mends a claim.
 */
#ifndef SITE_GEN_NUMBERS_CLAIM_SAID_H
#define SITE_GEN_NUMBERS_CLAIM_SAID_H

#include "site-gen/numbers/claim.h"

/*
 * "Warp, 2²⁸ elements, f32, cold cache: 2.602 TB/s (2.5983–2.6062 TB/s); Shuffle: 2.678 TB/s
 * (…); their ratio 0.972× (…), asked < 1×". `peak` is the title of the data sheet's number that
 * the claim is held against, "" if it is none. In the arena of ctx.
 */
const char *claim_said(const struct expand_ctx *ctx, const struct claim *c,
                       const struct claim_result *r, const char *peak);

#endif
