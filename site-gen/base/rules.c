/*
 * The rules. How to add one:
 *   1. an id in rules.h, a row here;
 *   2. rule_err or problems_rule where it refuses, or a state if it marks (records/data_state.h);
 *   3. its sentences in other languages, `rule_<id>_says` and `rule_<id>_broken` in
 *      templates/words.lua;
 *   4. a row and a section in docs/rules.md;
 *   5. corruptions that break it, in tests/mutation/rules/<id>.mjs: the mutation test runs
 *      that file for each row of this table.
 */
#include "site-gen/base/rules.h"

#include <stdio.h>
#include <string.h>

static const struct rule_info rules[RULE_COUNT] = {
        [RULE_TRACED] = {"traced",
                         "Every number comes from a record, a datasheet, a citation, or arithmetic "
                         "on those; nobody types one by hand.",
                         "The build stops at a hand-typed number, unless the text waives the rule "
                         "and says why, or came from another generator and says so.",
                         RULE_REFUSES, true},
        [RULE_CORRECT] = {"correct",
                          "The kernel passed a check against a reference before and after it was "
                          "timed. Its machine code is not that of another variant under a second "
                          "name.",
                          "The case has no number.", RULE_REFUSES, false},
        [RULE_WHOLE] = {"whole",
                        "The run file is complete, matches the hash in its last line, and is byte "
                        "for byte the file in the published history, which never changed or "
                        "removed it. Of an interrupted run, only the processes that measured "
                        "every case count: at least five, and at least half of those planned.",
                        "The build stops at a changed or removed record. A record that is "
                        "incomplete or contradicts itself publishes nothing. A record that is not "
                        "yet committed is shown as a preview.",
                        RULE_REFUSES, false},
        [RULE_CLEAN] =
                {"clean",
                 "The measured code was committed. That commit is part of the published "
                 "history and contains the files that the record names.",
                 "Its mark says \"code changed since\". If the commit lacks those files, the case "
                 "has no number.",
                 RULE_MARKS, false},
        [RULE_FRESH] =
                {"fresh", "The measured sources and compile flags are those of today.",
                 "Its mark says \"code changed since\". It bears no mark if equal machine code has "
                 "been proven; its tooltip and its page then say so.",
                 RULE_MARKS, true},
        [RULE_STEADY] = {"steady",
                         "Enough processes measured the number, its interval is narrow, and "
                         "neither the samples nor the clocks show a disturbance.",
                         "Its mark says \"noisy\".", RULE_MARKS, true},
        [RULE_POSSIBLE] = {"possible",
                           "The number does not exceed what the device can do, and it counts the "
                           "bytes and operations of the problem itself.",
                           "The case has no number.", RULE_REFUSES, false},
        [RULE_UNPICKED] = {"unpicked",
                           "The number comes from the latest valid run, never from the best one. "
                           "All runs are listed.",
                           "The mark of a number from an older run says so; one that its author "
                           "took back is marked as withdrawn.",
                           RULE_MARKS, true},
        [RULE_NATIVE] = {"native",
                         "The runner of this project measured the number. What another harness "
                         "measured is a time from its file and no more: nobody here checked the "
                         "results, and it is no share of a peak.",
                         "Its mark says \"other harness\". The build stops at a ratio with a "
                         "number of another record.",
                         RULE_MARKS, false},
        [RULE_UNMARKED] = {"unmarked",
                           "Titles, descriptions, key results, take-aways and social cards show "
                           "no number that is of an older run or older code, noisy, withdrawn or "
                           "of another harness.",
                           "The build stops. A social card leaves out a figure with such a number.",
                           RULE_REFUSES, false},
        [RULE_NOTED] = {"noted",
                        "A published number changes only through a new run or a new version of "
                        "the formatter, and the change is listed.",
                        "The build stops.", RULE_REFUSES, false},
        [RULE_TYPED] = {"typed",
                        "Every share of a peak names the peak. Theoretical and achievable peaks "
                        "are never mixed. A ratio says what it is a ratio of, and the words around "
                        "it agree.",
                        "The build stops.", RULE_REFUSES, false},
        [RULE_ROOFED] = {"roofed",
                         "A measured bandwidth roof is the highest there is: no case on the device "
                         "reached more with the same memory and a similar mix of reads and writes.",
                         "The build stops if an author names a lower roof.", RULE_REFUSES, false},
        [RULE_DRAWN] = {"drawn",
                        "A diagram of an access agrees with the counters that it is held against, "
                        "and its index expression is in the source that was measured.",
                        "The build stops.", RULE_REFUSES, false},
        [RULE_LISTED] = {"listed",
                         "Machine code on a page is a disassembly of the code that was measured: "
                         "both have the same hash. Its lines, and the counts of its instructions, "
                         "are those of the record.",
                         "The build stops.", RULE_REFUSES, false},
        [RULE_READABLE] = {"readable",
                           "Each figure that an author places states its finding as its title. A "
                           "curve has points at more than one x, and at most six curves of a plot "
                           "have a colour.",
                           "The build stops.", RULE_REFUSES, false},
        [RULE_FORETOLD] = {"foretold",
                           "A prediction counts only if the history shows that it was committed "
                           "before the run that tests it, and has not changed since.",
                           "The ledger lists it as registered too late, or as amended.", RULE_SHOWS,
                           false},
        [RULE_CLAIMED] = {"claimed",
                          "The intervals of the measurements decide whether a claim about them is "
                          "true.",
                          "The build stops at a claim that is false or undecided.", RULE_REFUSES,
                          false},
        [RULE_BILINGUAL] = {"bilingual",
                            "A translation quotes the same numbers, figures and claims as its "
                            "original.",
                            "The build stops. Paragraphs older than their original are marked.",
                            RULE_REFUSES, false},
};

const struct rule_info *rule_info(enum rule r)
{
	return &rules[r];
}

enum rule rule_find(const char *id)
{
	int i = 0;
	while (i < RULE_COUNT && strcmp(rules[i].id, id) != 0)
		i++;
	return (enum rule)i;
}

void rule_verr(struct err *e, enum rule r, struct loc at, const char *fmt, va_list ap)
{
	char text[sizeof e->text];
	vsnprintf(text, sizeof text, fmt, ap);
	if (at.path)
		err_at(e, at, "%s [%s]", text, rules[r].id);
	else
		err_set(e, "%s [%s]", text, rules[r].id);
}

bool rule_err(struct err *e, enum rule r, struct loc at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	rule_verr(e, r, at, fmt, ap);
	va_end(ap);
	return false;
}

bool rule_mark(struct err *e, enum rule r)
{
	struct err marked = ERR_NONE;
	err_set(&marked, "%.*s [%s]", (int)sizeof e->text - 32, e->text, rules[r].id);
	*e = marked;
	return false;
}

bool rule_add(struct err *e, const char *fmt, ...)
{
	char more[sizeof e->text / 2];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(more, sizeof more, fmt, ap);
	va_end(ap);
	for (size_t r = 0; r < RULE_COUNT; r++) {
		char name[32];
		size_t n = strlen(e->text),
		       m = (size_t)snprintf(name, sizeof name, " [%s]", rules[r].id);
		if (n < m || strcmp(e->text + n - m, name) != 0)
			continue;
		e->text[n - m] = 0;
		err_add(e, "%s", more);
		return rule_mark(e, (enum rule)r);
	}
	err_add(e, "%s", more);
	return false;
}
