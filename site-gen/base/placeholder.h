/*
 * site-gen/base/placeholder.h - parser of <<bench:KIND ...>>. The meaning of each kind
 * is in site-gen/kinds/kinds.c.
 *
 *   placeholder -> '<<bench:' kind { word | key '=' value } '>>'
 *   value       -> bare | '"' text '"' ; a bare value has no space and no '>>'
 *   span        -> '<<bench:' kind … '>>' text '<</bench:' kind '>>'
 *
 * A '|' inside is an error, because it would split a table cell; so is a line break.
 */
#ifndef SITE_GEN_BASE_PLACEHOLDER_H
#define SITE_GEN_BASE_PLACEHOLDER_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

enum { PLACEHOLDER_MAX_WORDS = 16, PLACEHOLDER_MAX_KEYS = 16 };

struct placeholder_key {
	struct str name, value; /* value without its quotes */
};

struct placeholder {
	struct str text; /* the whole placeholder, as written */
	struct loc at;   /* place of its first byte */
	struct str kind;
	struct str word[PLACEHOLDER_MAX_WORDS]; /* in order: SELECTOR, KEY, … */
	size_t nwords;
	struct placeholder_key key[PLACEHOLDER_MAX_KEYS];
	size_t nkeys;
	/* in prose: the paragraph's plain text on both sides (markdown/text.c); else empty */
	struct str before, after;
};

/*
 * Finds the next "<<bench:" or "<</bench:" at or after `from`; [*start, *end) is the
 * placeholder with its brackets. *end == *start: it is not closed on its line.
 * False: there is none. Also finds placeholders in code spans.
 */
bool placeholder_next(struct str src, size_t from, size_t *start, size_t *end);

/*
 * Finds the next mistyped placeholder at or after `from`: "<bench:", "<<bench value",
 * "<< bench:", "«bench:", "<<Bench:" and the like. [*start, *end) is its opening, up
 * to the ':' if there is one.
 */
bool placeholder_mistyped(struct str src, size_t from, size_t *start, size_t *end);

/* Sets an error that says what was probably meant. Returns false. */
MUST_CHECK bool placeholder_mistyped_fail(struct str opening, struct loc at, struct err *e);

/* Parses one placeholder; views point into `text`. */
MUST_CHECK bool placeholder_parse(struct str text, struct loc at, struct placeholder *out,
                                  struct err *e);

/* The value of a key; an empty view with p == NULL if it is not given. */
struct str placeholder_key(const struct placeholder *p, const char *name);

/* The place of a word or value of p in the author's file. */
struct loc placeholder_loc(const struct placeholder *p, struct str part);

#endif
