/*
 * site-gen/records/need.h - which families of records a text can ask for, so that `check FILE` need
 * not judge the others.
 *
 * It errs towards more: a family counts if its name is a word of any placeholder, or if a pattern
 * there may match it. Ceilings count always, because roofs are drawn unasked. A text with
 * a placeholder that looks at records beyond its selectors needs them all.
 *
 * Records of which a part is left out serve only to find that a text has no problem. Who finds one
 * loads all records and looks again: what is near, and what other runs have, only those can tell.
 */
#ifndef SITE_GEN_RECORDS_NEED_H
#define SITE_GEN_RECORDS_NEED_H

#include <stdbool.h>

#include "lib/arena.h"
#include "lib/str.h"

struct need {
	struct str text; /* the placeholders of the page, and the predictions that it shows */
	const char **prediction;
	size_t npredictions, cap;
	bool all; /* whatever it says */
};

/* What the page needs. Reads the predictions that it shows, below `root`; without one, all. */
struct need need_of(struct str text, const char *root, struct arena *a);

/* Does it need the records of the family? Declared for tests. */
bool need_family(const struct need *n, const char *family);

/* Answers that were given, since each is a search through the text. For one thread. */
struct need_memo {
	const struct need *need;
	const char *family[256];
	bool needed[256];
	size_t n;
};

/* As need_family(). The family's name lives as long as the memo. */
bool need_memo_family(struct need_memo *m, const char *family);

/* Are all cases of the run needed, since some are withdrawn? That is judged by all of them. */
bool need_whole(const char *root, const char *run);

/* Does it show the prediction with this id? */
bool need_prediction(const struct need *n, struct str id);

#endif
