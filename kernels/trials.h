/*
 * kernels/trials.h - finds the fastest of several ways to do a call, for
 * libraries that leave the choice to their user.
 *
 * A candidate is judged as it will be timed: called without a pause. Calls that
 * follow one another at once overlap a little, some algorithms more than
 * others: the one that is fastest alone may be slower by a twelfth in a
 * sequence. Candidates are tried in rounds, each in a random order, and the
 * device rests after a few milliseconds of load: under load the clock falls, so
 * that a candidate tried later would meet a lower one.
 */
#ifndef KERNELS_TRIALS_H
#define KERNELS_TRIALS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TRIALS_MOST = 64 }; /* candidates */

/*
 * Enqueues a call of a candidate, counted from 0; legal inside stream capture.
 * `turn` counts the calls of a sequence, which should find their inputs cold;
 * -1 is a call before it. False: it does not run.
 */
typedef bool trials_call(void *ctx, int candidate, int turn, void *stream);

/* The candidate among n with the lowest median time, or -1 if none runs. */
int trials_fastest(trials_call *call, void *ctx, int n, void *stream);

#ifdef __cplusplus
}
#endif
#endif
