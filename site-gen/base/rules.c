/*
 * The rules. How to add one:
 *   1. an id in rules.h, a row here;
 *   2. rule_err or problems_rule where it refuses, or a state where it marks (records/data.h);
 *   3. a section in docs/rules.md;
 *   4. corruptions that break it, in tests/mutation/.
 */
#include "site-gen/base/rules.h"

#include <stdio.h>
#include <string.h>

static const struct rule_info rules[RULE_COUNT] = {
        [RULE_TRACED] = {"traced",
                         "A number comes from a record, a data sheet, a citation, or arithmetic "
                         "over those; nothing is typed by hand.",
                         "The build stops at a hand-typed number, unless it is waived in the text "
                         "with a reason.",
                         RULE_REFUSES, true},
        [RULE_CORRECT] = {"correct",
                          "The kernel passed its check against a reference before it was timed "
                          "and after, and it is not the machine code of another variant under a "
                          "second name.",
                          "Such a case has no number.", RULE_REFUSES, false},
        [RULE_WHOLE] = {"whole",
                        "The run file has its end, hashes to its last line, and is byte for byte "
                        "the one in the published history, which never changed or removed it. Of "
                        "a run that was interrupted the launches count that all cases have, if "
                        "they are five or more, and half of those planned.",
                        "The build stops at a changed or removed record; one that is not whole, "
                        "or contradicts itself, publishes nothing. A record that is not committed "
                        "yet is shown as a "
                        "preview.",
                        RULE_REFUSES, false},
        [RULE_CLEAN] = {"clean",
                        "What was measured was committed, and that commit is part of the "
                        "published history and holds the files that the record names.",
                        "The number is marked as stale; where the commit does not hold those "
                        "files, the case has no number.",
                        RULE_MARKS, false},
        [RULE_FRESH] = {"fresh",
                        "The sources and compile flags that were measured are those of today.",
                        "The number is marked as stale, or as the same machine code if that has "
                        "been shown.",
                        RULE_MARKS, true},
        [RULE_STEADY] = {"steady",
                         "Enough processes measured it, the interval is narrow, and nothing seen "
                         "in the samples or the clocks disturbed it.",
                         "The number is marked as unsteady.", RULE_MARKS, true},
        [RULE_POSSIBLE] = {"possible",
                           "It is not above what the device can do; bytes and operations are "
                           "those of the problem.",
                           "The case has no number.", RULE_REFUSES, false},
        [RULE_UNPICKED] = {"unpicked",
                           "It is from the latest valid run, never from the best; all runs are "
                           "listed.",
                           "A number from an older run is marked as superseded, one that its "
                           "author took back as withdrawn.",
                           RULE_MARKS, true},
        [RULE_UNMARKED] = {"unmarked",
                           "A title, a description, a key result and a social card show no number "
                           "that is superseded, unsteady, stale or withdrawn.",
                           "The build stops; a figure with such a number is drawn on no card.",
                           RULE_REFUSES, false},
        [RULE_NOTED] = {"noted",
                        "Where it was published before, it changes only through a new run or a "
                        "new version of the formatter, and the change is listed.",
                        "The build stops.", RULE_REFUSES, false},
        [RULE_TYPED] = {"typed",
                        "Every share of a peak names the peak; theoretical and achievable peaks "
                        "are never mixed; no sentence calls a ratio what it is not.",
                        "The build stops.", RULE_REFUSES, false},
        [RULE_ROOFED] = {"roofed",
                         "A measured roof of bandwidth is the highest there is: no case of the "
                         "device has reached more with the same memory and a like mix of reads "
                         "and writes.",
                         "The build stops at a lower roof that an author names.", RULE_REFUSES,
                         false},
        [RULE_FORETOLD] = {"foretold",
                           "A prediction counts only if the history shows it committed, and "
                           "unchanged since, before the run that tests it.",
                           "The ledger lists it as not foretold, or as amended.", RULE_SHOWS,
                           false},
        [RULE_CLAIMED] = {"claimed",
                          "A sentence that claims something about measurements is decided by "
                          "their intervals.",
                          "The build stops at a claim that is false or undecided.", RULE_REFUSES,
                          false},
        [RULE_BILINGUAL] = {"bilingual",
                            "A translation quotes the same numbers, figures and claims as its "
                            "original.",
                            "The build stops; paragraphs older than their source are marked.",
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
