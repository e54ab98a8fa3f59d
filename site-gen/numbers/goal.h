/*
 * site-gen/numbers/goal.h - what the author set out to reach, and what became of it:
 * a sentence with the condition of a claim (claim.h) that may be missed.
 *
 *   <<bench:goal softmax/{cluster,warp} role=kernel dtype=bf16 >= 88 % of spec:hbm>>…<</bench:goal>>
 *
 * Markup, wherever one stands:
 *
 *   span.goal                                   the sentence
 *   span.verdict[data-goal][data-device][data-verdict][title]   "met", "missed by …", "open"
 *   a.num                                       what was measured, of the case farthest from it
 *   span.goal-at                                which case that is, where there are several
 */
#ifndef SITE_GEN_NUMBERS_GOAL_H
#define SITE_GEN_NUMBERS_GOAL_H

#include "site-gen/numbers/claim.h"

/* One that stands on a page; newest first in expand_ctx.goals. */
struct goal {
	const char *text;      /* the sentence, plain */
	const char *condition; /* as in the placeholder */
	struct claim_result r;
	struct goal *next;
};

/* "held", "missed", "undecided": in data-verdict, the words of predictions. */
const char *goal_verdict(const struct claim_result *r);
/* "met", "missed by −3.2 points", "open": for readers. */
void goal_outcome(const struct claim_result *r, const struct words *w, struct sb *to);
/* All but the sentence; the number is a quote of the page. */
void goal_result(struct expand_ctx *ctx, const struct goal *g, struct sb *to);

#endif
