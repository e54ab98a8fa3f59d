/*
 * tests/fuzz/fuzz.h - fuzz tests of all code that reads other people's input.
 *
 * To add a reader, write a function that reads one input and keeps no state, and add a
 * row to the table of its file (texts.c, data.c, pages.c). A fault is a sanitizer's
 * report, a hang, or a failed fuzz_require(). main.c calls the readers.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "lib/str.h"

struct fuzz_target {
	const char *name;
	void (*read)(struct str input);
	int inputs;                /* of a test run: about two seconds with sanitizers */
	const char *const *seeds;  /* file patterns for glob(3); NULL-terminated */
	const char *const *tokens; /* tokens of its language; NULL-terminated */
};

extern const struct fuzz_target fuzz_texts[], fuzz_data[], fuzz_pages[]; /* end without a name */

/* Reports a fault, keeps the input and ends the program, unless `holds`. */
void fuzz_require(bool holds, const char *what);

#endif
