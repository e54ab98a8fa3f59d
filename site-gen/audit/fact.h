/*
 * site-gen/audit/fact.h - what is shown and was not measured, derived again
 * from its key (struct fact in numbers/number.h):
 *
 *   spec <device> <key>
 *   derived <device> <expression> <unit>
 *   count <what> [<selector>] {<key>=<value>} on <device>
 *   counter <device> <case> <name>
 *   selftest …, null …, spread …, width …  of the instrument: trust.h
 *   noted <line> [range]          what the log of published numbers says (numbers/published.h)
 */
#ifndef SITE_GEN_AUDIT_FACT_H
#define SITE_GEN_AUDIT_FACT_H

#include "site-gen/audit/state.h"

struct audit_fact {
	enum audit_counted what;
	double value; /* in the unit of its key; 0 for what is text alone */
	/* of a counter: the file and the case in it; else NULL */
	const struct data_run *file;
	const struct run_case *of;
};

/*
 * Appends what the page has to say. False: the key means nothing; e has the
 * reason without a place.
 */
bool audit_fact_text(struct audit *a, struct str key, struct sb *to, struct audit_fact *out,
                     struct err *e);

/*
 * What one file counted: `rest` is the key after "counter ". It is given as it was counted, also
 * where a page would refuse to show it.
 */
bool audit_counter_in(struct audit *a, struct str rest, const struct data_run *file, struct sb *to,
                      struct audit_fact *out, struct err *e);

/*
 * Does a page say the text that audit_fact_text gave? One that is not English
 * may count large numbers in words of its own, and so move the point ("268
 * million", "2.68 亿"): then its digits have to be the same, and what they are
 * counted in is taken as it is.
 */
bool audit_fact_says(const struct audit_fact *f, struct str said, struct str want, bool english);

#endif
