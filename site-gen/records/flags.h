/*
 * site-gen/records/flags.h - the compiler flags of kernels, read from the text of a
 * Makefile, so that the flags at two commits can be compared without building.
 */
#ifndef SITE_GEN_RECORDS_FLAGS_H
#define SITE_GEN_RECORDS_FLAGS_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/records/reason.h"

/* The variables of our Makefile for the .cu files and the .c files in kernels/. */
#define FLAGS_CUDA "NVFLAGS"
#define FLAGS_C "KFLAGS"

/*
 * The value of `variable` when nothing is set on the command line, as words separated
 * by one space; NULL if the Makefile does not define it. It is an error if the value
 * grows without bound. Understands = := ?= +=, conditionals, $(NAME), $(if …) and
 * $(patsubst …); anything else expands to "?". Leaves out warnings (-Wall) and folders
 * (-I…, -L…): headers are compared by their blobs, and the toolkit's folder depends on
 * the machine.
 */
MUST_CHECK bool flags_of(struct str makefile, const char *variable, struct arena *a,
                         const char **flags, struct err *e);

/* The reason that names the first difference of two lists of flags. */
struct reason flags_difference(const char *measured, const char *now, struct arena *a);

#endif
