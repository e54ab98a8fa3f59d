/*
 * site-gen/records/flags.h - the flags that a Makefile gives the compilers of
 * kernels, read from its text: so the flags at two commits can be compared
 * without building either.
 */
#ifndef SITE_GEN_RECORDS_FLAGS_H
#define SITE_GEN_RECORDS_FLAGS_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"

/* The variables of our Makefile: of the .cu files and of the .c files in kernels/. */
#define FLAGS_CUDA "NVFLAGS"
#define FLAGS_C "KFLAGS"

/*
 * What `variable` expands to with nothing set on the command line, as words
 * with one space between; NULL: the Makefile defines no such variable.
 * Variables that double each other again and again are an error.
 * Understood are = := ?= +=, conditionals, $(NAME), $(if …) and $(patsubst …);
 * anything else expands to "?". Warnings (-Wall) and words that name folders
 * (-I…, -L…) are left out: headers are compared by their blobs, and the
 * toolkit's place is of the machine.
 */
bool flags_of(struct str makefile, const char *variable, struct arena *a, const char **flags,
              struct err *e);

/* "-O3 was measured, -O2 is at HEAD": the first words in which two lists differ. */
const char *flags_difference(const char *measured, const char *now, struct arena *a);

#endif
