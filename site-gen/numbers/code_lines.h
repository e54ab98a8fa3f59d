/*
 * site-gen/numbers/code_lines.h - how many lines of code a source has: lines with more on them than
 * white space and comments.
 *
 * Comments are those of Python in a file *.py, and those of C in every other. A string of Python in
 * three quotes that begins a line counts as a comment, as a docstring is one.
 *
 * Key of the number, for the audit (audit/code_lines.h), which counts again by code of its own:
 *
 *   key  -> "code " device ' ' case-id ' ' part { ' ' path '@' blob }
 *   part -> "all" | "lines:" from '-' to { ',' from '-' to }
 */
#ifndef SITE_GEN_NUMBERS_CODE_LINES_H
#define SITE_GEN_NUMBERS_CODE_LINES_H

#include "lib/arena.h"
#include "lib/str.h"
#include "site-gen/records/part.h"

/*
 * How many lines of the part hold code; all lines of the text if `part` is NULL. `path` decides the
 * language.
 */
size_t code_lines_count(const char *path, struct str text, const struct part *part);

/* The part's lines as the key has them: "lines:3-40,50-60"; "all" if `part` is NULL. */
const char *code_lines_part(const struct part *part, struct arena *a);

#endif
