/*
 * site-gen/records/cited.h - other people's numbers and their sources:
 * data/references/<key>.md, as data/references/README.md explains.
 */
#ifndef SITE_GEN_RECORDS_CITED_H
#define SITE_GEN_RECORDS_CITED_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* A cited source, with the words in it that the author relies on. */
struct reference {
	const char *key, *path; /* "williams-2009", "data/references/williams-2009.md" */
	const char *title, *authors;
	const char *url, *date; /* https://…; YYYY, YYYY-MM or YYYY-MM-DD */
	const char *quote;      /* verbatim, on one line */
};

struct references {
	struct reference *all; /* sorted by key */
	size_t n;
};

/* Loads all references. The folder may be missing; an incomplete reference is an error. */
MUST_CHECK bool references_load(const char *root, struct arena *a, struct references *out,
                                struct err *e);

const struct reference *reference_find(const struct references *all, struct str key);

/* A unit that a cited number may have. */
struct cited_unit {
	const char *name;
	const char *what; /* "a time" */
	bool needs_of;    /* a share names what it is a share of */
};
/* The unit with this name; NULL if there is none. */
const struct cited_unit *cited_unit(struct str name);

/*
 * Does the quote contain this number ("3.35", "-3")? Separators of thousands ("1,979") and
 * trailing zeros do not matter. If a known unit follows the number in the quote, it must be
 * this one.
 */
bool cited_in_quote(const struct reference *r, struct str value, struct str unit);

#endif
