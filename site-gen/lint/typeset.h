/*
 * site-gen/lint/typeset.h - sets an author's words: powers of digits as powers, and a number and
 * its unit on one line.
 */
#ifndef SITE_GEN_LINT_TYPESET_H
#define SITE_GEN_LINT_TYPESET_H

#include "lib/arena.h"
#include "lib/str.h"

/* Appends the text with "2^28" as "2²⁸", and a no-break space in "5 %" and "3 TB/s". */
void typeset(struct sb *to, struct str s);

/*
 * The text of a drawing with its powers of two from 1024 on set as powers, as its axes have them:
 * "16384 rows" as "2¹⁴ rows".
 */
const char *typeset_sizes(const char *s, struct arena *a);

/* Is a number the last word of the text, so that a unit after it belongs to it? */
bool typeset_is_amount(struct str before);
/* Does the text begin with a unit, as "% of" and "TB/s." do? */
bool typeset_is_unit(struct str after);

#endif
