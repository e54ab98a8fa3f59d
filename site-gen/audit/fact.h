/*
 * site-gen/audit/fact.h - published numbers other than measurements, derived again
 * from their keys (struct fact in numbers/number.h):
 *
 *   spec <device> <key>
 *   derived <device> <expression> <unit>   derived.h
 *   count <what> [<selector>] {<key>=<value>} on <device>
 *   counter <device> <case> <name>
 *   sass <device> <case> <record> <function> <part> <opcode>   instructions in a listing: listed.h
 *   code <device> <case> <part> <sources>   lines of code: code_lines.h
 *   drawn <what> <bytes> <expression>   what a diagram says of an access: drawn.h
 *   trace <run> <case> <what>           of time stamps inside kernels: stamps.h
 *   selftest …, null …, spread …, width …  the instrument's own numbers: trust.h
 *   noted <line> [range]          a line of the log of published numbers (numbers/published.h)
 */
#ifndef SITE_GEN_AUDIT_FACT_H
#define SITE_GEN_AUDIT_FACT_H

#include "lib/err.h"
#include "site-gen/audit/state.h"

struct audit_fact {
	enum audit_counted what;
	double value;  /* in the unit of its key; 0 if the fact is only a text */
	double lo, hi; /* derivations from measured numbers: its interval; else the value */
	/* such derivations: the number with the worst state, and the first; else NULL */
	const struct data_case *worst, *first;
	const char *fragment, *said, *range, *ci; /* of such derivations: see derived.h */
	const char *si;                           /* of any derivation: its unit; else NULL */
	bool refused; /* a derivation without a number, for a case has none any more */
	/* counters: the file and the case in it; else NULL */
	const struct data_run *file;
	const struct run_case *of;
	/* instructions, lines of code: what they were counted in; is it not committed? else NULL */
	const char *is_of;
	bool preview;
};

/*
 * Appends the text that the page must have. `runs` has the runs of a derivation's measured numbers
 * (struct fact in numbers/number.h). False: the key is invalid; e has the reason without a place.
 */
MUST_CHECK bool audit_fact_text(struct audit *a, struct str key, struct str runs, struct sb *to,
                                struct audit_fact *out, struct err *e);

/*
 * The counter in one file; `rest` is the key after "counter ". Gives the counted value, even if a
 * page would refuse to show it.
 */
MUST_CHECK bool audit_counter_in(struct audit *a, struct str rest, const struct data_run *file,
                                 struct sb *to, struct audit_fact *out, struct err *e);

/* What a page shows of it, as written. */
struct audit_shown {
	const struct audit_link *link;
	struct str title, ci;
	const char *tag; /* of its element */
	bool marked;
	struct loc at;
};

/*
 * Checks the state that a page shows beside the number, `marked` if in words, too: previews (only
 * an audit of previews accepts them), counters of another build, the worst number of a derivation.
 * Of a derivation also the address and the title of its link.
 */
void audit_fact_judge(struct audit *a, const struct audit_fact *f, const struct audit_shown *s);

/*
 * Does a page have the text that audit_fact_text() gave? Other languages count
 * large numbers in words of their own, which may move the decimal point ("268
 * million", "2.68 亿"). There the digits must agree, and the word is not checked.
 */
bool audit_fact_says(const struct audit_fact *f, struct str said, struct str want, bool english);

#endif
