/*
 * site-gen/base/pack.h - structs as compact bytes and back, by a table of their members.
 *
 * The bytes hold no address, so another process can read them. Equal texts are kept once.
 * Reading trusts nothing: a wrong count, text, flag or end makes it fail, and never reads or
 * writes outside of the bytes and of the arena. It cannot tell a wrong number from a right one;
 * base/kept.h has the hash for that.
 *
 * Integers are varints, reals are eight bytes of this machine: the bytes are for a cache, not for
 * another computer.
 */
#ifndef SITE_GEN_BASE_PACK_H
#define SITE_GEN_BASE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/array.h"
#include "lib/err.h"
#include "lib/str.h"

enum pack_kind {
	PACK_INT, /* int64_t, size_t or an enum; if `limit` is set, 0 <= value < limit */
	PACK_BOOL,
	PACK_REAL,   /* double */
	PACK_CHARS,  /* char[size] with a NUL */
	PACK_TEXT,   /* const char *, not NULL */
	PACK_MAYBE,  /* const char *, may be NULL */
	PACK_INSIDE, /* structs of `type` in place: as many as a count says, else as fit */
	PACK_LIST,   /* pointer to as many structs of `type` as a count says */
	PACK_SIZED,  /* the same, and pack_take_some() may leave out structs of it */
	PACK_ONE,    /* pointer to one struct of `type`, or NULL */
	PACK_AMONG,  /* pointer to an element of the list that was marked with PACK_TARGET */
	PACK_TARGET, /* as PACK_LIST, and PACK_AMONG points into it; it comes first */
	PACK_LATER,  /* left zero: the reader's caller fills it in */
};

struct pack_type;

struct pack_member {
	const char *name;
	enum pack_kind kind;
	size_t at, size;              /* offset in the struct, and bytes */
	size_t count;                 /* 1 + offset of the size_t that counts; 0: none */
	const struct pack_type *type; /* of its structs */
	int64_t limit;
};

struct pack_type {
	const char *name; /* "run_case", as in its header */
	size_t size;
	const struct pack_member *member;
	size_t n;
};

/* Rows of a table of members: PACK(struct run_case, id, PACK_TEXT). */
#define PACK(s, m, kind_)                                                                      \
	{                                                                                      \
		.name = #m, .kind = (kind_), .at = offsetof(s, m), .size = sizeof(((s *)0)->m) \
	}
#define PACK_BELOW(s, m, limit_)                                                                 \
	{                                                                                        \
		.name = #m, .kind = PACK_INT, .at = offsetof(s, m), .size = sizeof(((s *)0)->m), \
		.limit = (limit_)                                                                \
	}
#define PACK_OF(s, m, kind_, type_)                                                             \
	{                                                                                       \
		.name = #m, .kind = (kind_), .at = offsetof(s, m), .size = sizeof(((s *)0)->m), \
		.type = &(type_)                                                                \
	}
/* `n` is the member that counts; it may stand in a struct inside. */
#define PACK_LIST_OF(s, m, n_, kind_, type_)                                                    \
	{                                                                                       \
		.name = #m, .kind = (kind_), .at = offsetof(s, m), .size = sizeof(((s *)0)->m), \
		.count = 1 + offsetof(s, n_), .type = &(type_)                                  \
	}
#define PACK_TYPE(name_, s, members)                                                         \
	{                                                                                    \
		.name = name_, .size = sizeof(s), .member = members, .n = ARRAY_LEN(members) \
	}

/* Types of the elements of lists of plain values. */
extern const struct pack_type pack_int, pack_real, pack_bool, pack_text, pack_maybe;

/* Appends the struct's bytes. Lists, and the counts before them, must be as the table says. */
void pack_put(const struct pack_type *t, const void *from, struct sb *to);

/* Fills the struct, which is all zeros. What it points to lives in the arena, the bytes do not. */
MUST_CHECK bool pack_take(const struct pack_type *t, struct str bytes, struct arena *a, void *out);

/* Is struct i of the list wanted? What stands before the list in the bytes is filled in already. */
typedef bool pack_wanted(void *ctx, size_t i);

/* The same, but structs of the lists of kind PACK_SIZED that are not wanted stay all zeros. */
MUST_CHECK bool pack_take_some(const struct pack_type *t, struct str bytes, struct arena *a,
                               void *out, pack_wanted *wanted, void *ctx);

#endif
