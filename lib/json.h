/*
 * lib/json.h - reading and writing JSON. jansson reads (RFC 8259, no duplicate
 * keys, bounded depth and size). Writing is our own, because numbers must read
 * back equal: it prints the shortest of %.15g, %.16g and %.17g that does.
 *
 * Reading: `struct json` is a borrowed view of a value inside a document. An
 * accessor's error names the key that it wanted and the line of the document.
 */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

struct json_doc; /* owns all its values */

struct json {
	const void *value; /* NULL: absent */
	struct loc at;     /* where its document stands, for errors */
	bool plain;        /* read by json_parse_plain() */
};

/* Parses one JSON text that stands at `at`: a line of a record, or a file. */
MUST_CHECK bool json_parse(struct str text, struct loc at, struct json_doc **doc, struct json *root,
                           struct err *e);
void json_free(struct json_doc *doc); /* NULL is fine */

/*
 * The same, several times faster, for the plainest of JSON (lib/json_plain.h), whose values live
 * in the arena and in `text`. False: json_parse() must read it; the bytes may have changed.
 */
MUST_CHECK bool json_parse_plain(char *text, size_t n, struct loc at, struct arena *a,
                                 struct json *root);

bool json_is_object(struct json v);
bool json_is_array(struct json v);
bool json_is_number(struct json v); /* integer or real */
bool json_is_null(struct json v);   /* written as null; an absent value is not */

/* A member of an object; an absent value if there is none. */
struct json json_get(struct json obj, const char *key);
size_t json_len(struct json array);
struct json json_item(struct json array, size_t i);

/*
 * Iterates over the members in the order they were written. Start with *i = 0 and
 * leave *i and *key alone between calls; returns false after the last member.
 */
bool json_each(struct json obj, size_t *i, const char **key, struct json *v);

/*
 * Required members: false and an error if absent or of another type.
 * Strings are copied into the arena.
 */
MUST_CHECK bool json_want_str(struct json obj, const char *key, struct arena *a, const char **out,
                              struct err *e);
MUST_CHECK bool json_want_i64(struct json obj, const char *key, int64_t *out, struct err *e);
MUST_CHECK bool json_want_f64(struct json obj, const char *key, double *out, struct err *e);
MUST_CHECK bool json_want_bool(struct json obj, const char *key, bool *out, struct err *e);
MUST_CHECK bool json_want_obj(struct json obj, const char *key, struct json *out, struct err *e);
MUST_CHECK bool json_want_arr(struct json obj, const char *key, struct json *out, struct err *e);
/* Required array of integers, copied into the arena. */
MUST_CHECK bool json_want_i64s(struct json obj, const char *key, struct arena *a, int64_t **out,
                               size_t *n, struct err *e);

/* Optional members: absent leaves *out alone; another type is an error. */
MUST_CHECK bool json_opt_str(struct json obj, const char *key, struct arena *a, const char **out,
                             struct err *e);
MUST_CHECK bool json_opt_i64(struct json obj, const char *key, int64_t *out, struct err *e);
MUST_CHECK bool json_opt_f64(struct json obj, const char *key, double *out, struct err *e);

/* The value itself; false if it has another type. */
bool json_as_str(struct json v, struct str *out); /* borrowed from the document */
bool json_as_i64(struct json v, int64_t *out);
bool json_as_f64(struct json v, double *out);
bool json_as_bool(struct json v, bool *out);

/*
 * Adds to an object the members of another that it lacks, in the objects inside them, too.
 * Both may share values afterwards; `from` stays as it is. Neither may be plain.
 */
void json_fill(struct json obj, struct json from);

/*
 * Writing: members appear in the order of the calls, and commas are added. Pass
 * key == NULL inside an array and at the top level.
 */
struct json_out {
	struct sb *to;
	bool comma;
};

struct json_out json_to(struct sb *to);
void json_open(struct json_out *w, const char *key, char bracket);     /* '{' or '[' */
void json_close(struct json_out *w, char bracket);                     /* '}' or ']' */
void json_put_str(struct json_out *w, const char *key, const char *s); /* NULL: null */
void json_put_i64(struct json_out *w, const char *key, int64_t v);
void json_put_f64(struct json_out *w, const char *key, double v); /* must be finite */
void json_put_bool(struct json_out *w, const char *key, bool v);

/*
 * Writes the bytes as a quoted JSON string. Bytes that are not UTF-8 are replaced
 * as in sb_text(), because a file that contained them could not be read back.
 */
void json_quote(struct sb *to, struct str s);

#endif
