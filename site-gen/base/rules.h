/*
 * site-gen/base/rules.h - table of the rules of publishing. The page of rules, the
 * marks and the errors use it. An error that a rule raises ends with the rule's id
 * in brackets, so that its reader, and the test that breaks the rule, knows which
 * rule refused.
 */
#ifndef SITE_GEN_BASE_RULES_H
#define SITE_GEN_BASE_RULES_H

#include <stdarg.h>

#include "lib/err.h"

enum rule {
	RULE_TRACED,
	RULE_CORRECT,
	RULE_WHOLE,
	RULE_CLEAN,
	RULE_FRESH,
	RULE_STEADY,
	RULE_POSSIBLE,
	RULE_UNPICKED,
	RULE_NATIVE,
	RULE_UNMARKED,
	RULE_NOTED,
	RULE_TYPED,
	RULE_ROOFED,
	RULE_DRAWN,
	RULE_LISTED,
	RULE_READABLE,
	RULE_FORETOLD,
	RULE_CLAIMED,
	RULE_BILINGUAL,
	RULE_COUNT,
};

/* What happens to a number or a text that breaks the rule. */
enum rule_force {
	RULE_REFUSES, /* the build fails */
	RULE_MARKS,   /* the number gets a mark; --strict fails */
	RULE_SHOWS,   /* a public page says so */
};

struct rule_info {
	const char *id;
	const char *says;   /* for readers: what holds for every published number */
	const char *broken; /* for readers: what happens if the rule is broken */
	enum rule_force force;
	bool waivable; /* an author may waive it, with a reason that is published */
};

const struct rule_info *rule_info(enum rule r);
/* The rule with this id; RULE_COUNT if there is none. */
enum rule rule_find(const char *id);

/* Like err_at (err_set if at.path is NULL), with " [id]" at the end. Returns false. */
bool rule_err(struct err *e, enum rule r, struct loc at, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));
/* Adds the rule to an error that was set without it. Returns false. */
bool rule_mark(struct err *e, enum rule r);
/* Adds to the text of an error, before the name of its rule if it has one. Returns false. */
bool rule_add(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Like rule_err, with a va_list. */
void rule_verr(struct err *e, enum rule r, struct loc at, const char *fmt, va_list ap)
        __attribute__((format(printf, 4, 0)));

#endif
