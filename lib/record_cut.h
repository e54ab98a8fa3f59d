/*
 * lib/record_cut.h - integer arrays that are read from a record's line before the JSON parser.
 *
 * Samples make up most of a file, and a JSON tree of them takes twenty times the
 * memory of their digits. So the arrays of plain integers under a few keys are read
 * here, and the JSON parser gets an empty array in their place. This happens only
 * for members of the line's own object with a plainly written key. Everything else
 * is left to the JSON parser, errors included: a key with an escape, a key that
 * comes twice, an array inside another value. So both see the same members.
 */
#ifndef LIB_RECORD_CUT_H
#define LIB_RECORD_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/str.h"

struct record_cut {
	bool done; /* false: the array is not cut, and `v` and `n` mean nothing */
	int64_t *v;
	size_t n;
};

/* The keys of a record's two arrays, which depend on the schema. */
struct record_keys {
	const char *samples, *warmup;
};

struct record_cuts {
	struct record_cut samples, warmup;
};

/* The keys in files of this major version. */
struct record_keys record_cut_keys(int64_t major);

/*
 * Reads the arrays of `line` into `out` and replaces the contents of `rest` with the
 * line without their numbers. False if nothing was cut, or if the JSON parser must
 * read the whole line; then `out` and `rest` mean nothing.
 */
bool record_cut(struct str line, struct record_keys keys, struct arena *a, struct record_cuts *out,
                struct sb *rest);

#endif
