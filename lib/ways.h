/*
 * lib/ways.h - the ways of measuring a case, besides cold and hot caches. The
 * usual way times the GPU's part of a call, in bursts, on uniform inputs. A case
 * measured in any other way has a parameter that says so, and a selector matches
 * it only if it names that parameter:
 *
 *     input=zeros      inputs are zeros
 *     input=full       inputs with all bits of their mantissas
 *     side=host        times how long the host takes to enqueue a call
 *     load=sustained   times calls after three seconds of calls without a pause
 *     load=steady      times calls of one case after the other on a device that is kept
 *                      at its power limit
 *
 * To add a way, add a row to ways.c. The generator, its audit, selectors and error
 * texts follow from it; a test asks for its lines in data/FORMAT.md and
 * docs/placeholders.md. runner/plan/way.h says how to make the runner measure it.
 */
#ifndef LIB_WAYS_H
#define LIB_WAYS_H

#include <stdbool.h>

#include "lib/record.h"
#include "lib/str.h"

enum ways_index { WAYS_INPUT, WAYS_SIDE, WAYS_LOAD, WAYS_COUNT };

enum { WAYS_MAX_WORDS = 4 };

struct ways_key {
	const char *name;                 /* parameter of the case */
	const char *word[WAYS_MAX_WORDS]; /* the usual way first; NULL ends the list */
	bool other_time; /* times something else, or at another moment: never compare such times */
	bool other_work; /* times something other than the work of the case's cost model */
};

/* By enum ways_index, in the order of a case's parameters. */
extern const struct ways_key ways_keys[WAYS_COUNT];

/* The row of the parameter `name`; NULL if it is not a way of measuring. */
const struct ways_key *ways_find(struct str name);

/*
 * Is parameter `i` of a case an unusual way of measuring, which a selector has to name? The
 * inputs of a family that is measured on no others are its usual ones.
 */
bool ways_unusual(const struct run_case *c, size_t i);

/* True if the case was timed in an unusual way. Unusual inputs do not count. */
bool ways_other_time(const struct run_case *c);

/* True if the case's time is not the time of its cost model's work (side=host). */
bool ways_other_work(const struct run_case *c);

/* Appends the words that a selector can name, as prose: "uniform, zeros, normal or full". */
void ways_list(const struct ways_key *k, struct sb *to);

#endif
