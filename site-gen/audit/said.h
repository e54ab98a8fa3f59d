/*
 * site-gen/audit/said.h - what a page says beside its numbers, decided again:
 * that a claim is true (numbers/claim.h), what became of a goal (numbers/goal.h), what was
 * predicted and what became of it (numbers/prediction.h). The records decide; only the words around the figures, in
 * another language than English, are taken as they are.
 */
#ifndef SITE_GEN_AUDIT_SAID_H
#define SITE_GEN_AUDIT_SAID_H

#include "site-gen/audit/state.h"

/* An element of such a statement: its attributes and text, references resolved. */
struct audit_said {
	struct str claim, goal, device, prediction, verdict, title, text;
	bool english;
};

/* Each is false where the page says something else: e has what, without a place. */
bool audit_said_claim(struct audit *a, const struct audit_said *s, struct err *e);
bool audit_said_goal(struct audit *a, const struct audit_said *s, struct err *e);
bool audit_said_predicted(struct audit *a, const struct audit_said *s, struct err *e);
bool audit_said_verdict(struct audit *a, const struct audit_said *s, struct err *e);

#endif
