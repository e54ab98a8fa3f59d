/*
 * site-gen/records/cited.h - other people's numbers, and where they are from:
 * data/references/<key>.md, as data/references/README.md explains.
 */
#ifndef SITE_GEN_RECORDS_CITED_H
#define SITE_GEN_RECORDS_CITED_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* A source, and the words of it that the author relies on. */
struct reference {
	const char *key, *path; /* "williams-2009", "data/references/williams-2009.md" */
	const char *title, *authors;
	const char *url, *date; /* https://…; YYYY, YYYY-MM or YYYY-MM-DD */
	const char *quote;      /* in its own words, on one line */
};

struct references {
	struct reference *all; /* by key */
	size_t n;
};

/* A missing folder is no error; a reference that lacks something is, with its place. */
bool references_load(const char *root, struct arena *a, struct references *out, struct err *e);

const struct reference *reference_find(const struct references *all, struct str key);

/* A unit that a cited number may have. */
struct cited_unit {
	const char *name;
	const char *what; /* "a time" */
	bool needs_of;    /* a share names what it is a share of */
};
/* NULL: no such unit. */
const struct cited_unit *cited_unit(struct str name);

/*
 * Has the quote this number, "3.35" or "-3"? Thousands may stand apart ("1,979"), zeros at the end
 * do not count; where a unit of the list follows the number in the quote, it is this one.
 */
bool cited_in_quote(const struct reference *r, struct str value, struct str unit);

#endif
