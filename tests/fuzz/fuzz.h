/*
 * tests/fuzz/fuzz.h - readers of what others write, fed with what nobody would.
 *
 * How to add a reader: a function that reads one input and keeps nothing, and a
 * row in the table of its file (texts.c, data.c, pages.c). A fault is what the
 * sanitizers find, a hang, or fuzz_require. main.c drives them.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include "lib/str.h"

struct fuzz_target {
	const char *name;
	void (*read)(struct str input);
	int inputs;                /* in a test run: about two seconds with sanitizers */
	const char *const *seeds;  /* patterns of files, as glob(3) has them; NULL-terminated */
	const char *const *tokens; /* what its language consists of; NULL-terminated */
};

extern const struct fuzz_target fuzz_texts[], fuzz_data[], fuzz_pages[]; /* end without a name */

/* Ends the program as a fault if `holds` is false; the input is kept. */
void fuzz_require(bool holds, const char *what);

#endif
