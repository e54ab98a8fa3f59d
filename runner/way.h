/*
 * runner/way.h - how a case is measured, beside what its family says of it.
 *
 * The usual way is the GPU's part of a call, in bursts, on uniform inputs. Any
 * other is a case of its own, with a parameter that says so and that a
 * selector has to name, so that nobody takes one for the other:
 *
 *     input=zeros      other inputs
 *     side=host        how long the host takes to enqueue a call
 *     load=sustained   after three seconds of calls without a pause
 *
 * How to add one: a member, a row in way.c, and in data/FORMAT.md.
 */
#ifndef RUNNER_WAY_H
#define RUNNER_WAY_H

#include "kernels/input.h"
#include "lib/record.h"
#include "lib/str.h"

struct way {
	bool cold;             /* caches, before a call */
	enum input_kind input; /* INPUT_UNIFORM, INPUT_ZEROS or INPUT_NORMAL */
	bool host, sustained;  /* not both */
};

/* Every way but for its input, in the order of a plan's items. */
enum { WAYS = 5 };
extern const struct way way_all[WAYS];

/* The word of a key ("cache", "input", "side", "load") in this way; NULL: no such key. */
const char *way_word(const struct way *w, struct str key);

/* Appends the parameters of what is not usual. */
void way_params(const struct way *w, struct run_case *c);

/* The kind of inputs called `name`; false: there is none. */
bool way_input(struct str name, enum input_kind *out);

/* The distribution as records have it: "uniform[-1,1)". */
const char *way_input_text(enum input_kind k);

#endif
