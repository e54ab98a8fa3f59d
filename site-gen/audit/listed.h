/*
 * site-gen/audit/listed.h - listings of machine code, and counts of instructions, derived again
 * from their keys (numbers/listed.h) and data/sass/:
 *
 *   sass <device> <case id> <record> <function> <part> [<opcode>]
 *   part -> 'all' | 'lines:' number '-' number | 'at:' offset '-' offset
 *
 * Rule `listed`: the unit of the listing has the machine code that a run of the case measured.
 */
#ifndef SITE_GEN_AUDIT_LISTED_H
#define SITE_GEN_AUDIT_LISTED_H

#include "lib/err.h"
#include "site-gen/audit/state.h"

/*
 * Appends what the page must say; `rest` is the key after "sass ". With an opcode that is the
 * number of instructions, *value, without one the lines of the listing. *file: where from.
 */
MUST_CHECK bool audit_listed(const struct data *d, struct str rest, struct sb *to, double *value,
                             const struct data_sass **file, struct err *e);

/*
 * Checks the lines of a listing on a page, white space at the ends of lines aside, against the
 * record; `key` is the whole key, as written in an attribute.
 */
MUST_CHECK bool audit_listed_lines(const struct data *d, struct str key, struct str said,
                                   struct err *e);

#endif
