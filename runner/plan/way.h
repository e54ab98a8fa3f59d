/*
 * runner/plan/way.h - the ways in which the runner measures a case. lib/ways.h defines their
 * parameters and words; begin there to add a way. Then make the runner measure it:
 *   1. a member of struct way, its word in way_index(), and a row of way_all (way.c);
 *   2. a flag for the cases that the suite measures in this way: enum kernel_use in
 *      kernels/kernel.h, way_mark() in way.c, check_rows() in family.c, and print_case() in
 *      runner/commands/list.c. A selector gets the other cases if it names the way. Every
 *      kernel includes kernel.h, so an edit makes all numbers stale (docs/extending.md#a-record);
 *   3. what cannot be measured in this way: in_use() in items.c;
 *   4. its settings, settings_of() in plan.c, and the code that times it.
 */
#ifndef RUNNER_PLAN_WAY_H
#define RUNNER_PLAN_WAY_H

#include "kernels/input.h"
#include "lib/record.h"
#include "lib/str.h"
#include "lib/ways.h"

/* How loaded the device is when samples begin, in the order of lib/ways.c. */
enum way_load {
	WAY_BURST,
	WAY_SUSTAINED,
	WAY_STEADY,
};

struct way {
	bool cold;             /* the caches hold none of a call's data */
	enum input_kind input; /* INPUT_UNIFORM, INPUT_ZEROS, INPUT_NORMAL or INPUT_FULL */
	bool host;             /* then load is WAY_BURST */
	enum way_load load;
};

/* All ways, inputs aside, in the order of a plan's items. */
enum { WAYS = 7, WAY_INPUTS = 4 };
extern const struct way way_all[WAYS];

/*
 * What chooses cases for the way's word of a key: the suite measures those with this mark (enum
 * kernel_use), a selector those that it means if it names the key. 0: all cases.
 */
unsigned way_mark(const struct way *w, enum ways_index key);

/* This way's word for a key ("cache", "input", "side", "load"); NULL if there is no such key. */
const char *way_word(const struct way *w, struct str key);

/* Appends a parameter to the case for everything that is not the usual way. */
void way_params(const struct way *w, struct run_case *c);

/* Name of the distribution in records: "uniform[-1,1)". */
const char *way_input_text(enum input_kind k);

#endif
