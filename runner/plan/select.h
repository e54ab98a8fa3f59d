/*
 * runner/plan/select.h - selectors, which choose variants and cases for a command.
 *
 *     selector = family [ "/" variant ] [ ":" param "=" value { "," param "=" value } ]
 *
 * Family, variant and words are globs (`*`, `?`, `{a,b}`). Numbers may be written 2^28
 * or 64Ki, and a list of them {2^20,2^28}. `dtype=`, `cache=` and the other keys of
 * runner/plan/way.h select, too, and so does a variant's knob (kernels/knob.h). `input=` matches
 * every way here: it sets the inputs of the whole plan (plan_make_of()).
 */
#ifndef RUNNER_PLAN_SELECT_H
#define RUNNER_PLAN_SELECT_H

#include "kernels/kernel.h"
#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "lib/str.h"
#include "runner/plan/way.h"

enum { SELECT_MAX_WANTS = 12 };

/* A parsed selector; its members are views into the text. */
struct selector {
	struct str text, family, variant;
	struct {
		struct str key, value;
	} want[SELECT_MAX_WANTS];
	size_t nwants;
};

/* Parses a selector without looking up its names: those in records may no longer exist. */
MUST_CHECK bool select_read(const char *text, struct selector *out, struct err *e);

/*
 * Parses a selector and looks up its names, which must exist in the kernel tables. The
 * error lists the nearest names.
 */
MUST_CHECK bool select_parse(const char *text, struct selector *out, struct err *e);

/* True if the selector matches this variant at this case, measured this way. */
bool select_matches(const struct selector *s, const struct kernel_family *f,
                    const struct kernel_variant *v, const struct kernel_case *c,
                    const struct way *w);

/* Adds the condition key=value; the strings are borrowed. Fails after SELECT_MAX_WANTS. */
MUST_CHECK bool select_add(struct selector *s, const char *key, const char *value, struct err *e);

/* True if the selector has a condition on this key; select_value() also sets its first value. */
bool select_names(const struct selector *s, const char *key);
bool select_value(const struct selector *s, const char *key, struct str *out);

/* True if the selector is as narrow as a case's id: it names every parameter, dtype and cache. */
bool select_is_id(const struct selector *s, const struct kernel_case *c);

/* True if the selector matches this case of a record. A case's id matches that case alone. */
bool select_means(const struct selector *s, const struct run_case *c);

#endif
