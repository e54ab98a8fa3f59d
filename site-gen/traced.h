/*
 * site-gen/traced.h - the rule `traced`: the lint (lint.h) runs over every
 * text that an author or a template can put on a page. What it finds is an
 * error at its place, unless it is waived:
 *
 *   in a text            <<bench:waive "reason">>3 times faster<</bench:waive>>
 *   in the front matter  waive:
 *                          - {rule: traced, in: title, why: "reason"}
 *
 * Every waiver is listed on /waivers/, and one that waives nothing is an error.
 * Predictions are not checked: their numbers are what is predicted. Texts of
 * records cannot be changed any more: what is found there is listed, too.
 */
#ifndef SITE_GEN_TRACED_H
#define SITE_GEN_TRACED_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lint.h"
#include "site-gen/problems.h"
#include "site-gen/rules.h"

/* An exception that an author asked for. */
struct waiver {
	enum rule rule;
	const char *in;   /* "text", "title", …; for `steady` the selector it is for */
	const char *why;  /* the reason, for readers */
	const char *text; /* what it waives, as readers see it; NULL: nothing was found so far */
	struct loc at;
	struct waiver *next;
};

/* What is wrong with a text: to be said when all of the page is known. */
struct traced_found {
	struct loc at;
	const char *what; /* the message, without the rule's id */
	struct traced_found *next;
};

/* Adds a finding: the message names the text and what it is. */
void traced_add(struct traced_found **list, struct arena *a, struct loc at, struct str text,
                const char *what);

/* Adds another message to the same list. */
void traced_add_message(struct traced_found **list, struct arena *a, struct loc at,
                        const char *message);

/* All of a list as problems of the build. */
void traced_say(const struct traced_found *list, struct problems *to);

#endif
