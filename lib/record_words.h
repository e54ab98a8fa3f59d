/*
 * lib/record_words.h - the closed lists of words in a run file. Rules depend on
 * them: the level and the unit of a case say which peak it must not exceed. To add
 * a word: extend its list in record_words.c, raise the minor version
 * (RECORD_SCHEMA), and add a line to data/FORMAT.md.
 */
#ifndef LIB_RECORD_WORDS_H
#define LIB_RECORD_WORDS_H

#include "lib/err.h"
#include "lib/json.h"

enum record_words {
	RECORD_ROLES,    /* role of a case: "kernel", "peer", … */
	RECORD_DEVICES,  /* device that runs it: "cuda", "cpu" */
	RECORD_METRICS,  /* headline metric; lib/units.h has the list */
	RECORD_CACHES,   /* cache state: "cold", "hot"; "unknown" of another harness */
	RECORD_LEVELS,   /* memory level that its bytes come from */
	RECORD_UNITS,    /* execution unit that does its operations */
	RECORD_TIMERS,   /* timer of a launch */
	RECORD_STOPS,    /* why a launch took no more samples */
	RECORD_STATUSES, /* status in the end record */
};

/* True if the list contains `word`; false for NULL. */
bool record_words_has(enum record_words list, const char *word);

/*
 * Checks the value `word` of the member `key` of v against a list; NULL (no such member)
 * passes. An unknown word is an error that names the known ones, unless the record has a
 * `newer` minor version than ours, which may know more.
 */
MUST_CHECK bool record_words_want(struct json v, const char *key, enum record_words list,
                                  const char *word, bool newer, struct err *e);

#endif
