/*
 * site-gen/base/front.h - front matter: YAML between two `---` lines, read
 * against a table of keys. An unknown key, a wrong type or a missing required key
 * is an error with line and column. Errors of YAML (base/yaml.h) come first.
 */
#ifndef SITE_GEN_BASE_FRONT_H
#define SITE_GEN_BASE_FRONT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct front_text {
	struct str s;  /* empty with p == NULL: not given */
	struct loc at; /* place of its first byte, for placeholders inside */
};

/* Another value that readers see, with its place for the lint. */
struct front_word {
	const char *key; /* "series", "category", "tags" */
	struct str s;
	struct loc at;
};

/* A waiver of a rule: {rule: traced, in: title, why: "…"}; `steady` has `for` instead of `in`. */
struct front_waive {
	const char *rule, *in, *selector, *why; /* in or selector is NULL */
	struct loc at;
};

enum { FRONT_MAX_WORDS = 20, FRONT_MAX_WAIVES = 16, FRONT_TAKES = 3 };

struct front {
	struct front_text title, description; /* placeholders allowed */
	struct front_text key; /* a post's result in a few words, for cards; likewise */
	struct front_text take[FRONT_TAKES]; /* a post's take-aways: all of them, or none */
	const char *date, *updated;          /* as in base/moment.h, checked; updated may be NULL */
	const char
	        *slug; /* [a-z0-9][a-z0-9-]{0,63}; default from the file name (translation: NULL) */
	const char **tags;
	size_t ntags;
	const char *category; /* may be NULL */
	const char *author;   /* of a post; NULL: the site's */
	const char *imported; /* the file that `site-gen import` read (site/imported.h), or NULL */
	const char *difficulty; /* "introductory", "intermediate", "advanced", or NULL */
	const char *device;     /* default device of placeholders, or NULL */
	const char **devices;   /* of a post over several devices, its default first */
	size_t ndevices;
	struct loc devices_at;
	const char *series; /* may be NULL */
	int64_t part;       /* position in the series; 0: by date */
	int64_t order;      /* among the posts of one date; 0: after those that have one */
	const char *lang;   /* as given; NULL: the file's name decides (docs/languages.md) */
	struct loc lang_at;
	const char *source; /* translation: git blob id of the original it translates, or NULL */
	struct loc source_at;
	const char *status; /* section: "written", "wip" or "planned" */
	const char **needs; /* section: sections to read before it */
	size_t nneeds;
	const char **families; /* section: kernel families that it is about */
	size_t nfamilies;
	const char **sections; /* reading path: its sections in order */
	size_t nsections;
	const char **aliases; /* the page's former addresses (site/aliases.h) */
	size_t naliases;
	struct loc aliases_at;
	/* text of a family: its headline case, and how readers find it (numbers/headline.h) */
	struct front_text headline;
	const char *headline_case, *task, *post, *read; /* NULL: not given */
	bool draft, featured;
	struct front_word word[FRONT_MAX_WORDS];
	size_t nwords;
	struct front_waive waive[FRONT_MAX_WAIVES];
	size_t nwaives;
	struct str body; /* the Markdown after the front matter */
	int body_line;   /* the line it starts on */
};

/*
 * The kind decides which keys are needed and allowed. A page needs no date. A series has the
 * name of the series as its title. The text of a kernel
 * family is part of a generated page, so it has no date, address or draft of its own. A translation
 * inherits from its original what it does not say.
 */
enum front_kind {
	FRONT_POST,
	FRONT_PAGE,
	FRONT_SECTION,
	FRONT_PATH,
	FRONT_SERIES,
	FRONT_FAMILY,
	FRONT_TRANSLATION,
};

/*
 * Parses a file's front matter. `path` is for errors and the default slug. Strings
 * live in the arena; the body and the texts are views of `src`. A value that holds
 * placeholders must be written on one line and without escapes, so that every
 * place inside it is exact.
 */
MUST_CHECK bool front_parse(struct str src, const char *path, enum front_kind kind, struct arena *a,
                            struct front *out, struct err *e);

/* --- other files with front matter: predictions, references, withdrawals --- */

/* One `key: value`. */
struct front_field {
	const char *name, *value; /* trimmed, not empty */
	struct loc name_at, at;   /* places of the key and of the value's first byte */
};

struct front_fields {
	struct front_field *field; /* in the file's order, each name once */
	size_t n, room;
	struct str body; /* the text after the front matter, a view of `src` */
	int body_line;
};

/* Reads a front matter of plain values. Any key is accepted; the caller checks them. */
MUST_CHECK bool front_fields(struct str src, const char *path, struct arena *a,
                             struct front_fields *out, struct err *e);

/* The field of that name, or NULL. */
const struct front_field *front_field(const struct front_fields *f, const char *name);

#endif
