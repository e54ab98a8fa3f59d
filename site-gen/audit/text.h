/*
 * site-gen/audit/text.h - searches the visible text of a page for digits outside of
 * numbers. Each paragraph goes to the lint (lint/lint.h). Numbers were checked
 * elsewhere and become one opaque word. Code, and text that an author waived or
 * claimed, is skipped. An imported post may hold typed numbers if it says so at its
 * end, and shows none of a record.
 */
#ifndef SITE_GEN_AUDIT_TEXT_H
#define SITE_GEN_AUDIT_TEXT_H

#include "site-gen/audit/state.h"
#include "site-gen/audit/html.h"

struct audit_typed;

struct audit_text {
	struct audit *a;
	bool wanted;                      /* false: skip this file */
	const char *from;                 /* start of the current paragraph */
	struct sb text;                   /* the paragraph without markup */
	size_t skip;                      /* depth of the element whose text is skipped; 0: none */
	struct audit_typed *typed;        /* findings; errors unless the page is an imported post */
	const struct audit_plain *before; /* the titles and summaries of earlier pages */
	bool imported;                    /* it has the note of site/imported.h */
	bool numbers;   /* and numbers of records, so that the note excuses none */
	size_t repeats; /* depth of a text that repeats another without its links; 0: none */
};

void audit_text_start(struct audit_text *t, const struct audit_html *h);
void audit_text_end(struct audit_text *t, const struct audit_html *h);
void audit_text_add(struct audit_text *t, const struct audit_html *h);
/* Call it at the end of the page. */
void audit_text_done(struct audit_text *t, const struct audit_html *h);

/* Records a number that agrees with the records; titles and summaries may repeat it as text. */
void audit_text_number(struct audit *a, struct str text);
/* Checks titles and summaries. Call it after the last page. */
void audit_text_finish(struct audit *a);

/* Does this file contain an author's text? Lists made of records do not. */
bool audit_text_wanted(const char *path);

#endif
