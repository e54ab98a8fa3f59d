/*
 * site-gen/markdown/traced.h - rule `traced`: no performance number in an author's text.
 * The lint (lint/lint.h) reads every text that an author or a template can put on a
 * page. A finding is an error at its place, unless it is waived:
 *
 *   in a text            <<bench:waive "reason">>3 times faster<</bench:waive>>
 *   in the front matter  waive:
 *                          - {rule: traced, in: title, why: "reason"}
 *
 * /waivers/ lists every waiver, and a waiver without a finding is an error.
 * Predictions are not checked, because their numbers are the prediction. Texts of
 * records cannot change any more, so findings in them are only listed.
 */
#ifndef SITE_GEN_MARKDOWN_TRACED_H
#define SITE_GEN_MARKDOWN_TRACED_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lint/lint.h"
#include "site-gen/base/problems.h"
#include "site-gen/base/rules.h"

/* An exception that an author asked for. */
struct waiver {
	enum rule rule;
	const char *in;   /* "text", "title", …; for rule `steady` its selector */
	const char *why;  /* the reason, for readers */
	const char *text; /* the waived text as readers see it; NULL: no finding so far */
	struct loc at;
	struct waiver *next;
};

/* An error in a text, reported once the whole page is known. */
struct traced_found {
	struct loc at;
	const char *what; /* the message without the id of the rule */
	struct str text;  /* the typed number; empty: the message is about something else */
	struct traced_found *next;
};

/* Advice for a finding in a text, and for one on every page. */
extern const char traced_in_text[], traced_on_every_page[];

/* Adds a finding. Its message names the text and the kind of finding. */
void traced_add(struct traced_found **list, struct arena *a, struct loc at, struct str text,
                const char *what, const char *advice);

/* Adds another message to the same list. */
void traced_add_message(struct traced_found **list, struct arena *a, struct loc at,
                        const char *message);

/* Reports a whole list as problems of the build. */
void traced_say(const struct traced_found *list, struct problems *to);

#endif
