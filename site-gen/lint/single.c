/*
 * One of a unit, or a few of it, without a number: a microsecond, within a per cent, a second or
 * two.
 */
#include "lib/array.h"
#include "site-gen/lint/inner.h"

static const unsigned performance = LINT_PERF | LINT_PEAK | LINT_FASTER | LINT_RATIO;

/* "a microsecond later" is a time, like "in a microsecond"; "a microsecond clock" is not. */
static bool ends_here(const struct lint_work *w, size_t i)
{
	static const char *const goes[] = {"off", "away", "passes", "pass", "goes", "long"};
	return lint_breaks(w, i) || w->token[i].kind != LINT_WORD ||
	       lint_begins(w, i, goes, ARRAY_LEN(goes)) ||
	       lint_is(w, i, LINT_LINK | LINT_ABOUT | LINT_FASTER | LINT_LARGER | LINT_PER);
}

/* adds a percent, is a percent faster, within a percent */
static bool is_a_percent(const struct lint_work *w, size_t i)
{
	static const char *const verbs[] = {"adds",  "add",  "costs",  "cost", "gains",
	                                    "loses", "wins", "within", "saves"};
	if (i < 2 || !lint_word(w, i - 1, "a") || lint_clause(w, i, LINT_OTHER))
		return false;
	size_t verb = i - 1;
	while (verb > 0 && lint_is(w, verb - 1, LINT_ABOUT) && !lint_word(w, verb - 1, "within"))
		verb--;
	bool after = lint_is(w, i + 1, LINT_FASTER) || lint_word(w, i + 1, "off");
	return (after && !lint_supposes(w, i)) ||
	       (verb > 0 && lint_begins(w, verb - 1, verbs, ARRAY_LEN(verbs)) &&
	        (lint_breaks(w, i + 1) || lint_sign(w, i + 1, '.') || lint_word(w, i + 1, "or")));
}

/* takes a second, done in an hour: units that are words of other things, too */
static size_t long_single(struct lint_work *w, size_t i)
{
	bool article = i > 0 && (lint_word(w, i - 1, "a") || lint_word(w, i - 1, "an"));
	static const char *const units[] = {"second", "minute", "hour"};
	static const char *const takes[] = {"takes",  "took",   "costs", "needs",
	                                    "within", "wastes", "needed"};
	static const char *const done[] = {"done",    "over",     "ready", "finished", "finishes",
	                                   "answers", "complete", "ends",  "back"};
	static const char *const in[] = {"in", "under", "within", "after"};
	if (article && i > 1 && lint_begins(w, i, units, ARRAY_LEN(units)) &&
	    lint_begins(w, i - 2, takes, ARRAY_LEN(takes)) && ends_here(w, i + 1))
		return lint_add(w, i - 1, i + 1, "a time");
	size_t before = i - (i > 2 ? 2 : i);
	before -= before > 0 && lint_begins(w, before, in + 1, 1);
	if (article && before > 0 && lint_begins(w, i, units, ARRAY_LEN(units)) &&
	    lint_begins(w, before, in, ARRAY_LEN(in)) &&
	    lint_begins(w, before - 1, done, ARRAY_LEN(done)) && ends_here(w, i + 1))
		return lint_add(w, i - 1, i + 1, "a time"); /* done in a second */
	return 0;
}

/* a microsecond, meaning one; a few microseconds; within a per cent */
size_t lint_single(struct lint_work *w, size_t i)
{
	static const char *const some[] = {"few", "several", "handful", "couple", "many"};
	static const char *const times[] = {"microseconds", "milliseconds", "nanoseconds", "µs",
	                                    "ms",           "ns",           "us"};
	size_t of = i > 0 && lint_word(w, i - 1, "of") ? i - 1 : i;
	if (of > 0 && lint_begins(w, of - 1, some, ARRAY_LEN(some)) &&
	    lint_begins(w, i, times, ARRAY_LEN(times)) && lint_spends(w, of - 1))
		return lint_add(w, of - 1, i + 1, "a time");
	if (lint_is(w, i, LINT_PERCENT) && i > 0 && lint_begins(w, i - 1, some, ARRAY_LEN(some)) &&
	    lint_clause(w, i, performance) && !lint_clause(w, i, LINT_OTHER) &&
	    !lint_supposes(w, i))
		return lint_add(w, i - 1, i + 1, "a share of performance");
	if (i > 0 && lint_aside(w, i - 1, i))
		return i + 1;
	size_t end = lint_word(w, i, "second") ? lint_every_nth(w, i) : lint_vague(w, i);
	if (end)
		return end;
	if (lint_is(w, i, LINT_PERCENT) && is_a_percent(w, i))
		return lint_add(w, i - 1, i + 1, "a share of performance");
	static const char *const whole[] = {"full", "whole", "mere"};
	static const char *const small[] = {"microsecond", "millisecond", "nanosecond"};
	if (i > 1 && lint_begins(w, i - 1, whole, ARRAY_LEN(whole)) && lint_word(w, i - 2, "a") &&
	    lint_begins(w, i, small, ARRAY_LEN(small)) && ends_here(w, i + 1))
		return lint_add(w, i - 2, i + 1, "a time"); /* a full millisecond */
	bool article = i > 0 && (lint_word(w, i - 1, "a") || lint_word(w, i - 1, "an"));
	if (article && lint_is(w, i, LINT_TIME) && lint_word(w, i + 1, "and") &&
	    lint_word(w, i + 2, "a") && lint_word(w, i + 3, "half"))
		return lint_add(w, i - 1, i + 4, "a time");
	if (article && lint_is(w, i, LINT_TIME) && lint_word(w, i + 1, "or") &&
	    (lint_word(w, i + 2, "two") || lint_word(w, i + 2, "so")))
		return lint_add(w, i - 1, i + 3, "a time"); /* a second or two */
	if (i > 1 && lint_word(w, i - 1, "good") && lint_word(w, i - 2, "a") &&
	    lint_is(w, i, LINT_TIME) && ends_here(w, i + 1))
		return lint_add(w, i - 2, i + 1, "a time"); /* a good second */
	if (i > 2 && lint_word(w, i - 3, "a") && lint_is_bandwidth(w, i - 2))
		return lint_add(w, i - 3, i + 1, "a bandwidth");
	if ((end = long_single(w, i)))
		return end;
	if (i == 0 || !lint_word(w, i - 1, "a"))
		return 0;
	static const char *const one[] = {"microsecond", "millisecond", "nanosecond",
	                                  "kilowatt",    "joule",       "millijoule"};
	bool unit = lint_begins(w, i, one, ARRAY_LEN(one));
	if (unit && ends_here(w, i + 1))
		return lint_add(w, i - 1, i + 1, "a time");
	if (lint_is(w, i, LINT_PERCENT) && i > 1 && lint_is(w, i - 2, LINT_ABOUT) &&
	    lint_clause(w, i, performance) && !lint_clause(w, i, LINT_OTHER))
		return lint_add(w, i - 1, i + 1, "a share of performance");
	return 0;
}
