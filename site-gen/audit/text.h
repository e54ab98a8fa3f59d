/*
 * site-gen/audit/text.h - the digits outside of numbers: what a reader sees of
 * a page, paragraph by paragraph, given to the lint (lint/lint.h). Numbers were
 * derived again already, and stand there as one opaque word; code, and what
 * an author waived or claimed, is passed over.
 */
#ifndef SITE_GEN_AUDIT_TEXT_H
#define SITE_GEN_AUDIT_TEXT_H

#include "site-gen/audit/state.h"
#include "site-gen/audit/html.h"

struct audit_text {
	struct audit *a;
	bool wanted;                    /* false: nothing is looked for */
	const struct audit_html *outer; /* an entry of this feed; NULL: the file itself */
	const char *outer_at;           /* where it stands there: the place of findings */
	const char *from;               /* where the paragraph at hand begins */
	struct sb text;                 /* it, without markup */
	size_t skip;    /* depth of the element whose text is passed over; 0: none */
	size_t repeats; /* depth of what repeats another page, without its links; 0: none */
};

void audit_text_start(struct audit_text *t, const struct audit_html *h);
void audit_text_end(struct audit_text *t, const struct audit_html *h);
void audit_text_add(struct audit_text *t, const struct audit_html *h);
/* When the page has been read. */
void audit_text_done(struct audit_text *t, const struct audit_html *h);

/* A number that agrees with the record: titles and summaries may say it without a link. */
void audit_text_number(struct audit *a, struct str text);
/* When all pages have been read: titles and summaries. */
void audit_text_finish(struct audit *a);

/* Is this file the author's words? Lists that are made of records are not. */
bool audit_text_wanted(const char *path);

#endif
