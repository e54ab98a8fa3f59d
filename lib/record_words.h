/*
 * lib/record_words.h - the words that a run file may use where only some mean
 * anything. Rules follow from them: the level and the unit of a case say which
 * peak it must not exceed. To add a word: its list in record_words.c, the next
 * minor version (RECORD_SCHEMA), a line in data/FORMAT.md.
 */
#ifndef LIB_RECORD_WORDS_H
#define LIB_RECORD_WORDS_H

#include "lib/json.h"

enum record_words {
	RECORD_ROLES,    /* of a case: "kernel", "peer", … */
	RECORD_DEVICES,  /* what runs it: "cuda", "cpu" */
	RECORD_METRICS,  /* lib/units.h has the list */
	RECORD_CACHES,   /* "cold", "hot" */
	RECORD_LEVELS,   /* where its bytes come from */
	RECORD_UNITS,    /* what does its operations */
	RECORD_TIMERS,   /* of a launch */
	RECORD_STOPS,    /* why a launch took no more samples */
	RECORD_STATUSES, /* of the end */
};

/* Is it one of them? NULL is not. */
bool record_knows(enum record_words list, const char *word);

/*
 * The member `key` of v is `word` (NULL: it has none, which is fine). False, and an error that
 * lists what is known, if it is none of them; a `newer` minor version may have more.
 */
bool record_want_word(struct json v, const char *key, enum record_words list, const char *word,
                      bool newer, struct err *e);

#endif
