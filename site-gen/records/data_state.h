/*
 * site-gen/records/data_state.h - the states of a number, such as stale or unsteady, from
 * best to worst. A case may be in several states at once; each is kept with its reason.
 * The page shows the worst one, in data-state and as the mark beside the number.
 */
#ifndef SITE_GEN_RECORDS_DATA_STATE_H
#define SITE_GEN_RECORDS_DATA_STATE_H

#include <stdbool.h>

#include "site-gen/base/rules.h"

enum data_state {
	DATA_OK,
	DATA_SAME_CODE,  /* fresh: a source has changed, its machine code has been shown not to */
	DATA_SUPERSEDED, /* unpicked: a newer run of this case publishes a number */
	DATA_UNSTEADY,   /* steady: too few launches, wide interval, throttled, drifting, … */
	DATA_STALE,      /* fresh, clean: what was measured is not what HEAD has */
	DATA_PROGRAM,    /* native: of another program, which the runner started and timed */
	DATA_FOREIGN,    /* native: another harness measured it */
	DATA_WITHDRAWN,  /* its author took it back: data/withdrawn/ */
	DATA_PREVIEW,    /* whole: its run file is not committed */
	DATA_STATE_COUNT,
};

const char *data_state_name(enum data_state s);  /* "ok", "same-code", … */
const char *data_state_title(enum data_state s); /* one sentence for readers */
/*
 * Does a mark beside the number show this state? All but ok and same-code: equal machine code means
 * that the measurement still holds, so only the number's title and its pages mention it.
 */
bool data_state_marked(enum data_state s);

/* The rule that a case in this state breaks; RULE_FRESH for DATA_OK and DATA_SAME_CODE. */
enum rule data_state_rule(enum data_state s);
/* Does --strict refuse it? Not if it is ok, same-code, superseded, program or foreign. */
bool data_state_refused(enum data_state s);

#endif
