/*
 * runner/plan/way.h - the ways in which the runner measures a case. lib/ways.h defines their
 * parameters and words; begin there to add a way.
 *
 * Then make the runner measure it: add a member here, its word in way_index() and a row
 * of way_all in way.c, its settings in plan.c (settings_of()), and the code that times it.
 */
#ifndef RUNNER_PLAN_WAY_H
#define RUNNER_PLAN_WAY_H

#include "kernels/input.h"
#include "lib/record.h"
#include "lib/str.h"

struct way {
	bool cold;             /* the caches hold none of a call's data */
	enum input_kind input; /* INPUT_UNIFORM, INPUT_ZEROS or INPUT_NORMAL */
	bool host, sustained;  /* not both */
};

/* All ways, inputs aside, in the order of a plan's items. */
enum { WAYS = 5 };
extern const struct way way_all[WAYS];

/* This way's word for a key ("cache", "input", "side", "load"); NULL if there is no such key. */
const char *way_word(const struct way *w, struct str key);

/* Appends a parameter to the case for everything that is not the usual way. */
void way_params(const struct way *w, struct run_case *c);

/* Finds the kind of inputs called `name`; false if there is none. */
bool way_input(struct str name, enum input_kind *out);

/* Name of the distribution in records: "uniform[-1,1)". */
const char *way_input_text(enum input_kind k);

#endif
