/*
 * runner/sass/disassemble.h - the CUDA Toolkit's disassembler, nvdisasm: finds it, runs it, and
 * reads its output as functions.
 */
#ifndef RUNNER_SASS_DISASSEMBLE_H
#define RUNNER_SASS_DISASSEMBLE_H

#include "lib/err.h"
#include "lib/sass.h"

/* The disassembler: its file and version, "nvdisasm 13.0.88". */
struct disassembler {
	const char *path, *version;
};

/*
 * Finds nvdisasm: `given` if that is not NULL, else in $PATH, $CUDA_HOME/bin or
 * /usr/local/cuda/bin.
 */
MUST_CHECK bool disassemble_find(const char *given, struct arena *a, struct disassembler *out,
                                 struct err *e);

/* Disassembles a file of device code, with its line information. *text is what it printed. */
MUST_CHECK bool disassemble(const struct disassembler *d, struct str bytes, struct arena *a,
                            struct str *text, struct err *e);

/*
 * Reads the output of `nvdisasm -c -gi`: name, code and labels of each function, in its order.
 * A path of a source is shortened to the one of `source` that it ends with, or else to the name
 * of the file. An instruction that cannot be read is an error.
 */
MUST_CHECK bool disassemble_read(struct str text, const struct run_source *source, size_t nsource,
                                 struct arena *a, struct sass_function **out, size_t *n,
                                 struct err *e);

/*
 * A function's name as it was written: "void tile<float>(float*, float const*, int, int)". The
 * mangled name where this program was linked without libstdc++, or the name is not mangled.
 */
const char *disassemble_title(const char *name, struct arena *a);

/* abi::__cxa_demangle() of libstdc++, which a build with nvcc links; else NULL. */
char *disassemble_demangle(const char *name, char *to, size_t *n,
                           int *status) __asm__("__cxa_demangle") __attribute__((weak));

#endif
