/*
 * lib/str.h - two strings: a view (`struct str`, borrowed, not terminated)
 * and a builder (`struct sb`, owned, always NUL-terminated once written to).
 * Appends never fail: out of memory aborts.
 */
#ifndef LIB_STR_H
#define LIB_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "lib/err.h"

struct arena;

struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){(lit), sizeof(lit) - 1})
#define NBSP "\xC2\xA0" /* no-break space, UTF-8 */
#define STR_FMT "%.*s"
#define STR_ARG(s) (int)(s).n, (s).p

/*
 * The digits of a macro's constant, so that a text says the number that the code has:
 * "more than " STR_DIGITS(PAGE_MIB) " MiB".
 */
#define STR_DIGITS(constant) STR_DIGITS_(constant)
#define STR_DIGITS_(constant) #constant

struct str str_of(const char *cstr); /* NULL gives the empty view */

/* NUL-terminated copies in an arena; of the empty view "". */
char *str_dup(struct arena *a, struct str s);
struct str str_keep(struct arena *a, struct str s);

bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
int str_cmp(struct str a, struct str b); /* byte order, like strcmp */
struct str str_trim(struct str s);       /* without ASCII white space at both ends */

/* Inline, so that the compiler folds the length of a literal. */
static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_is(struct str a, const char *cstr)
{
	return str_eq(a, (struct str){cstr, cstr ? strlen(cstr) : 0});
}

static inline bool str_begins(struct str s, struct str head)
{
	return s.n >= head.n && (head.n == 0 || memcmp(s.p, head.p, head.n) == 0);
}

/* [from, to), clamped */
static inline struct str str_sub(struct str s, size_t from, size_t to)
{
	to = to < s.n ? to : s.n;
	from = from < to ? from : to;
	return (struct str){from ? s.p + from : s.p, to - from}; /* p may be NULL */
}

/* Position of byte c at or after `from`, or s.n if there is none. */
static inline size_t str_find(struct str s, char c, size_t from)
{
	const char *hit = from < s.n ? memchr(s.p + from, c, s.n - from) : NULL;
	return hit ? (size_t)(hit - s.p) : s.n;
}

/* Cuts at the first c: *head before it, *tail after it. False: no c, *head = s. */
bool str_cut(struct str s, char c, struct str *head, struct str *tail);

/* The whole view as a number; false if it is anything else. No locale. */
bool str_i64(struct str s, int64_t *out);
bool str_f64(struct str s, double *out); /* finite decimals only */

/*
 * True if `name` matches `glob` (`*`, `?`, `{a,b*}`). Costs at most the product
 * of their lengths, whatever the pattern.
 */
bool str_glob(struct str glob, struct str name);

/* Levenshtein distance, capped at `cap`: for "did you mean". */
size_t str_distance(struct str a, struct str b, size_t cap);

/* True if the bytes are valid UTF-8 without NUL (RFC 3629). */
bool str_utf8(struct str s);

/* Line and column (in characters, from 1) of `p` inside the text `src`. */
struct loc str_loc(struct str src, const char *path, const char *p);

struct sb {
	char *p; /* NULL until first written; NUL-terminated after */
	size_t n, cap;
};

void sb_put(struct sb *b, const void *p, size_t n);
void sb_str(struct sb *b, struct str s);
void sb_cstr(struct sb *b, const char *s);
void sb_char(struct sb *b, char c);
void sb_utf8(struct sb *b, uint32_t codepoint);
void sb_text(struct sb *b, struct str s); /* U+FFFD for each NUL and each byte that is not UTF-8 */
void sb_printf(struct sb *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A copy in the arena, NUL-terminated, of all that b holds ("" if it is empty); frees b. */
char *sb_take(struct arena *a, struct sb *b);

/* Makes room for n more bytes and returns where to write them; the caller adds to b->n. */
char *sb_room(struct sb *b, size_t n);

struct str sb_view(const struct sb *b);
void sb_clear(struct sb *b); /* keeps the memory */
void sb_free(struct sb *b);

#endif
