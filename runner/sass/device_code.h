/*
 * runner/sass/device_code.h - the files of device code in a program, known by their hashes.
 */
#ifndef RUNNER_SASS_DEVICE_CODE_H
#define RUNNER_SASS_DEVICE_CODE_H

#include "lib/err.h"
#include "lib/hash.h"
#include "runner/codehash/elf.h"

/* An ELF file of device code (a "cubin"): a view into the program's bytes. */
struct device_code {
	struct elf elf;
	struct str bytes;
	char sha256[HASH_SHA256_HEX + 1];
};

/* Lists those in a program file. One without device code is an error. */
MUST_CHECK bool device_code_read(const char *program, struct arena *a, struct device_code **out,
                                 size_t *n, struct err *e);

/* The hash of a function's instructions; false if the file has no such function. */
MUST_CHECK bool device_code_function(const struct device_code *d, const char *name,
                                     char out[HASH_SHA256_HEX + 1]);

#endif
