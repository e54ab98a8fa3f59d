/*
 * runner/select.h - selectors: which variants and cases a command means.
 *
 *     selector = family [ "/" variant ] [ ":" param "=" value { "," param "=" value } ]
 *
 * Family, variant and words are globs (`*`, `?`, `{a,b}`); a number may be
 * written 2^28 or 64Ki, and a list of them {2^20,2^28}. `dtype=`, `cache=` and
 * the other keys of runner/way.h select too; `input=` says what to draw, for
 * the whole plan (plan_make_of()), and matches every way here.
 */
#ifndef RUNNER_SELECT_H
#define RUNNER_SELECT_H

#include "kernels/kernel.h"
#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "lib/str.h"
#include "runner/way.h"

enum { SELECT_MAX_WANTS = 12 };

/* One parsed selector; views into the text it came from. */
struct selector {
	struct str text, family, variant;
	struct {
		struct str key, value;
	} want[SELECT_MAX_WANTS];
	size_t nwants;
};

/* Parses only: for records, whose names need not exist any more. */
bool select_read(const char *text, struct selector *out, struct err *e);

/*
 * Parses and resolves: every name must exist in the kernel tables. The error
 * lists the nearest names.
 */
bool select_parse(const char *text, struct selector *out, struct err *e);

/* Does the selector mean this variant at this case, measured this way? */
bool select_matches(const struct selector *s, const struct kernel_family *f,
                    const struct kernel_variant *v, const struct kernel_case *c,
                    const struct way *w);

/* Adds a condition. */
bool select_add(struct selector *s, const char *key, const char *value, struct err *e);

/* Does it have a condition on this key? And the first one's value. */
bool select_names(const struct selector *s, const char *key);
bool select_value(const struct selector *s, const char *key, struct str *out);

/* Is it as narrow as the id of a case: every parameter, dtype and cache? */
bool select_is_id(const struct selector *s, const struct kernel_case *c);

/* Does the selector mean this case of a record? The id of a case means it alone. */
bool select_means(const struct selector *s, const struct run_case *c);

#endif
