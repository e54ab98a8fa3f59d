/*
 * site-gen/numbers/goal.h - goals: sentences with a condition that, unlike a claim's
 * (claim.h), may be missed.
 *
 *   <<bench:goal softmax/{cluster,warp} role=kernel dtype=f16 >= 88 % of spec:hbm>>…<</bench:goal>>
 *
 * Markup of a goal:
 *
 *   span.goal                                   the sentence
 *   span.verdict[data-goal][data-device][data-verdict][title]   "met", "missed: …", "open"
 *   a.num                                       the number of the case farthest from the goal;
 *                                               not if none was measured
 *   span.goal-at                                the name of that case, if there are several
 */
#ifndef SITE_GEN_NUMBERS_GOAL_H
#define SITE_GEN_NUMBERS_GOAL_H

#include "site-gen/numbers/claim.h"

/* A goal on a page; newest first in expand_ctx.goals. */
struct goal {
	const char *text;      /* the sentence, plain */
	const char *condition; /* as in the placeholder */
	struct claim_result r;
	struct goal *next;
};

/* "held", "missed", "undecided": the value of data-verdict, as for predictions. */
const char *goal_verdict(const struct claim_result *r);
/* "met", "missed: 3.2 points too low", "open": for readers. */
void goal_outcome(const struct claim_result *r, const struct words *w, struct sb *to);
/* Writes the markup after the sentence, and records the number as a quote of the page. */
void goal_result(struct expand_ctx *ctx, const struct goal *g, struct sb *to);

#endif
