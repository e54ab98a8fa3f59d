/*
 * site-gen/audit/code_lines.h - how many lines of code a measured source has, counted again from
 * the number's key (numbers/code_lines.h) and the blobs that the key names:
 *
 *   code <device> <case id> <part> { <path>@<blob> }
 *   part -> 'all' | 'lines:' from '-' to { ',' from '-' to }
 *
 * A run that publishes the case must have measured these sources.
 */
#ifndef SITE_GEN_AUDIT_CODE_LINES_H
#define SITE_GEN_AUDIT_CODE_LINES_H

#include "lib/err.h"
#include "site-gen/audit/state.h"

/*
 * Appends the number; `rest` is the key after "code ". *preview: every such run is one that is not
 * committed.
 */
MUST_CHECK bool audit_code_lines(struct audit *a, struct str rest, struct sb *to, double *value,
                                 bool *preview, struct err *e);

/* How many lines of a text hold code; `part` as in the key. Declared for tests. */
size_t audit_code_lines_count(struct str path, struct str text, struct str part,
                              struct arena *scratch);

#endif
