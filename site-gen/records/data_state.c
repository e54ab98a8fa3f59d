#include "site-gen/records/data_state.h"

static const struct {
	const char *name, *title;
	enum rule rule;
	bool refused;
} states[DATA_STATE_COUNT] = {
        [DATA_OK] = {"ok", "Measured, committed, and the source has not changed since.", RULE_FRESH,
                     false},
        [DATA_SAME_CODE] = {"same-code",
                            "A source has changed since this was measured; the machine code made "
                            "of it has not.",
                            RULE_FRESH, false},
        [DATA_SUPERSEDED] = {"superseded", "A newer run has measured this again.", RULE_UNPICKED,
                             false},
        [DATA_UNSTEADY] =
                {"unsteady",
                 "Measured with too few processes, with a wide interval, or while something "
                 "disturbed it.",
                 RULE_STEADY, true},
        [DATA_STALE] = {"stale", "What was measured is not what the repository has now.",
                        RULE_FRESH, true},
        [DATA_PROGRAM] = {"program",
                          "Of another program, which the runner started and timed: a time, and no "
                          "more.",
                          RULE_NATIVE, false},
        [DATA_FOREIGN] = {"foreign",
                          "Measured by another harness, and taken from its file: a time, and no "
                          "more.",
                          RULE_NATIVE, false},
        [DATA_WITHDRAWN] = {"withdrawn", "Measured, and later taken back by its author.",
                            RULE_UNPICKED, true},
        [DATA_PREVIEW] = {"preview", "Measured, but its record is not committed yet.", RULE_WHOLE,
                          true},
};

const char *data_state_name(enum data_state s)
{
	return states[s].name;
}

const char *data_state_title(enum data_state s)
{
	return states[s].title;
}

enum rule data_state_rule(enum data_state s)
{
	return states[s].rule;
}

bool data_state_marked(enum data_state s)
{
	return s > DATA_SAME_CODE;
}

bool data_state_refused(enum data_state s)
{
	return states[s].refused;
}
