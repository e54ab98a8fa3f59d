/*
 * site-gen/records/reason.h - why a case is in a state, or why a case or a run publishes no
 * number. A reason is a word of lua/words.c and the texts that fill it, so that a page says it in
 * its own language.
 */
#ifndef SITE_GEN_RECORDS_REASON_H
#define SITE_GEN_RECORDS_REASON_H

#include "site-gen/lua/words.h"

struct reason {
	const char *word; /* "why_few"; NULL: there is no reason */
	const char *with[3];
	struct reason *next; /* another reason for the same state; NULL: none */
};

/* All of them in the words of a language, joined by "; ". A NULL `words` means English. */
const char *reason_text(const struct words *words, const struct reason *r, struct arena *a);

/* A reason's text for {1}, {2} or {3}: a number. */
const char *reason_number(size_t n, struct arena *a);

#endif
