/*
 * site-gen/base/yaml.h - YAML as a tree, with the place of every key and value. Read with libyaml,
 * which no other file includes.
 *
 * libcyaml, the other C library for YAML in Debian 12, would fill a struct from a table. Its log
 * names the line and column of a value that it refuses. The struct that it fills holds none, and
 * the generator still needs places when it checks a date or a placeholder later on.
 */
#ifndef SITE_GEN_BASE_YAML_H
#define SITE_GEN_BASE_YAML_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* The largest text, and how deep lists and mappings nest. What is larger or deeper is an error. */
enum { YAML_MAX_BYTES = 64 * 1024, YAML_MAX_DEPTH = 16 };

enum yaml_kind {
	YAML_NOTHING, /* an empty document; the root alone can be it */
	YAML_TEXT,    /* a scalar: word, number, true, or nothing at all, as in "key:" */
	YAML_LIST,
	YAML_MAP,
	YAML_ALIAS, /* "*name" */
};

enum yaml_style { YAML_PLAIN, YAML_QUOTED, YAML_BLOCK };

struct yaml {
	enum yaml_kind kind;
	enum yaml_style style; /* of a text */
	bool marked;           /* it has an anchor or a tag */
	struct loc at;         /* of the first byte, a quote included */
	const char *source;    /* that byte, in the text that was read */
	struct str s;          /* the text, unquoted and unfolded; '\0' follows */
	const struct yaml
	        *first;          /* the items of a list; of a mapping key, value, key, value, ... */
	const struct yaml *next; /* the item after this one, or NULL */
	const struct yaml *same; /* what an alias stands for, or NULL: no anchor of that name */
};

/* "text", "a list", "a mapping", "an alias" or "nothing", for messages. */
const char *yaml_kind_name(const struct yaml *y);

/*
 * Reads one document. `text` begins in line `line` of the file `path`. `what` begins error
 * messages: "front matter". The nodes live in the arena; `source` points into `text`.
 */
MUST_CHECK bool yaml_read(struct str text, const char *path, int line, const char *what,
                          struct arena *a, const struct yaml **root, struct err *e);

#endif
