/*
 * site-gen/audit/said.h - decides again, from the records, what a page says beside
 * its numbers: that a claim is true (numbers/claim.h), the verdict on a goal
 * (numbers/goal.h), a prediction and its verdict (numbers/prediction.h). In
 * languages other than English, only the figures are checked, not their words.
 */
#ifndef SITE_GEN_AUDIT_SAID_H
#define SITE_GEN_AUDIT_SAID_H

#include "lib/err.h"
#include "site-gen/audit/state.h"

/* Attributes and text of a statement's element, with character references resolved. */
struct audit_said {
	struct str claim, goal, device, prediction, verdict, title, text;
	bool english;
};

/* Each returns false if the page says something else; e has the difference, without a place. */
MUST_CHECK bool audit_said_claim(struct audit *a, const struct audit_said *s, struct err *e);
MUST_CHECK bool audit_said_goal(struct audit *a, const struct audit_said *s, struct err *e);
MUST_CHECK bool audit_said_predicted(struct audit *a, const struct audit_said *s, struct err *e);
MUST_CHECK bool audit_said_verdict(struct audit *a, const struct audit_said *s, struct err *e);

#endif
