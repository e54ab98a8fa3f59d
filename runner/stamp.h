/*
 * runner/stamp.h - where this program came from. runner/stamp.sh writes the
 * one `stamp` when the runner is built, so that it needs no git when it runs.
 */
#ifndef RUNNER_STAMP_H
#define RUNNER_STAMP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/record.h"

/* One compiled kernel source: what it was made of, what the assembler said. */
struct stamp_unit {
	const char *file;                 /* "kernels/stream/bulk.cu" */
	const struct run_source *sources; /* [0] is the file itself, then its headers */
	size_t nsources;
	/* largest over the kernels in the file; -1: not known */
	int registers, shared_bytes, spill_bytes;
	const char *code_sha256; /* of its machine code, data/builds/README.md; NULL: not known */
	const char *mix;         /* "FFMA 16, LDG.128 4, all 214"; NULL: no device code */
};

struct stamp {
	const char *commit; /* 40 hex of HEAD; NULL: built outside git */
	int64_t committed;  /* when, in seconds since 1970, as the commit says; 0: no commit */
	bool dirty;         /* kernels/ lib/ runner/ Makefile differed from it */
	const char *flags_c, *flags_cuda;
	const struct run_pair *toolchain;
	size_t ntoolchain;
	const struct stamp_unit *units;
	size_t nunits;
};

extern const struct stamp stamp;

/* The unit of a source file, or NULL if it was not compiled. */
const struct stamp_unit *stamp_unit_find(const char *file);

#endif
