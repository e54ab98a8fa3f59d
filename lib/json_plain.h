/*
 * lib/json_plain.h - a fast reader for the plainest of JSON, which is most of a run file: the
 * lines of launches. Only json.c and json_plain.c know it; everybody else reads a `struct json`.
 *
 * It reads objects, arrays, integers, reals, words and strings in ASCII without escapes. Whatever
 * else it meets, errors included, it leaves to jansson, so both give the same values and the same
 * errors (tests/unit/lib/test_json_plain.c).
 */
#ifndef LIB_JSON_PLAIN_H
#define LIB_JSON_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

enum json_plain_type {
	JSON_PLAIN_OBJECT,
	JSON_PLAIN_ARRAY,
	JSON_PLAIN_STRING,
	JSON_PLAIN_INTEGER,
	JSON_PLAIN_REAL,
	JSON_PLAIN_BOOL,
	JSON_PLAIN_NULL,
};

struct json_plain {
	enum json_plain_type type;
	uint32_t n;            /* members, items, or bytes of the string */
	uint32_t key_n, key_h; /* length and hash of its key */
	const char *key;       /* of a member; ends with a NUL */
	struct json_plain *next;
	union {
		struct json_plain *first; /* of an object or an array */
		const char *text;         /* ends with a NUL */
		int64_t integer;          /* or truth */
		double real;
	};
};

/*
 * Reads one JSON text, and writes a NUL behind each string in it. NULL: not plain, or no JSON;
 * the bytes may have changed.
 */
struct json_plain *json_plain_read(char *text, size_t n, struct arena *a);

/* A member of an object; NULL if there is none. */
const struct json_plain *json_plain_get(const struct json_plain *object, const char *key);

#endif
