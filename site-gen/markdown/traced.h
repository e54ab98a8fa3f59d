/*
 * site-gen/markdown/traced.h - the rule `traced`: the lint (lint/lint.h) runs over every
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
	const char *in;   /* "text", "title", …; for `steady` the selector it is for */
	const char *why;  /* the reason, for readers */
	const char *text; /* what it waives, as readers see it; NULL: nothing was found so far */
	struct loc at;
	struct waiver *next;
};

struct site;
struct maker;
struct page;
struct front;
struct md_doc;

/* What is wrong with a text: to be said when all of the page is known. */
struct traced_found {
	struct loc at;
	const char *what; /* the message, without the rule's id */
	struct traced_found *next;
};

/* What to do about a finding, by where it stands. */
extern const char traced_in_text[], traced_on_every_page[];

/* Adds a finding: the message names the text and what it is. */
void traced_add(struct traced_found **list, struct arena *a, struct loc at, struct str text,
                const char *what, const char *advice);

/* Adds another message to the same list. */
void traced_add_message(struct traced_found **list, struct arena *a, struct loc at,
                        const char *message);

/* All of a list as problems of the build. */
void traced_say(const struct traced_found *list, struct problems *to);

/* --- where texts come from (site/traced_site.c, site/traced_template.c) --- */

/* A source: what Markdown found in its body, and its front matter; keeps its waivers. */
void traced_page(struct maker *m, struct page *p, const struct front *f, const struct md_doc *d);

/* content/site.lua, templates/words.lua and content/kernels/words.lua. */
void traced_settings(struct site *s, struct problems *to);

/* The words of a template, which are those outside of Lua and markup. */
void traced_template(const struct lint *l, struct str src, const char *path, struct problems *to);

/* A text of a record in which the lint finds something: it cannot be changed any more. */
struct traced_record {
	const char *what; /* "idea", … */
	const char *name; /* what it describes: "reduce/cub" */
	const char *text;
	const char *found;          /* the words in it */
	const struct data_run *run; /* the newest that says so */
};
/* All of them, each text once. */
struct traced_record *traced_records(const struct site *s, struct arena *a, size_t *n);

#endif
