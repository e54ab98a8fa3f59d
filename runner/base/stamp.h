/*
 * runner/base/stamp.h - the build stamp: commit, flags, toolchain and sources of this program.
 * runner/scripts/stamp.sh writes the one `stamp` during the build, so that the runner needs no
 * git when it runs.
 */
#ifndef RUNNER_BASE_STAMP_H
#define RUNNER_BASE_STAMP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/record.h"

/* One compiled kernel source: its sources, and what the assembler reported. */
struct stamp_unit {
	const char *file;                 /* "kernels/stream/bulk.cu" */
	const struct run_source *sources; /* [0] is the file itself, then its headers */
	size_t nsources;
	/* maxima over the kernels in the file; -1: unknown */
	int registers, shared_bytes, spill_bytes;
	const char *code_sha256; /* of its machine code (data/builds/README.md); NULL: unknown */
	/* of the one file of device code in its own object (runner/sass/device_code.h); NULL: none
	 */
	const char *device_sha256;
	const char *mix; /* "FFMA 16, LDG.128 4, all 214" (mix.h); NULL: no device code */
};

struct stamp {
	bool traced; /* the program is runner-trace, whose kernels have marks (kernels/trace.cuh) */
	const char *commit; /* HEAD, 40 hex digits; NULL: built outside git */
	int64_t committed;  /* commit time, seconds since 1970; 0: no commit */
	bool dirty;         /* kernels/, lib/, runner/ or the Makefile differed from the commit */
	const char *flags_c, *flags_cuda;
	const struct run_pair *toolchain;
	size_t ntoolchain;
	const struct stamp_unit *units;
	size_t nunits;
};

extern const struct stamp stamp;

/* The unit of a source file; NULL if this build did not compile it. */
const struct stamp_unit *stamp_unit_find(const char *file);

/*
 * True if this program's kernels are delayed at random (PTX_JITTER in kernels/ptx.cuh): it can
 * check results, and what it measured would be of no use.
 */
bool stamp_jitters(void);

/* The flags of the compiler that compiles a source file: nvcc for .cu, else the C compiler. */
const char *stamp_flags(const char *file);

#endif
