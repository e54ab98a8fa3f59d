/*
 * runner/compare/other_runner.h - runs one launch with a runner program, this one or
 * another build. `runner compare --runner-b` alternates between the two.
 */
#ifndef RUNNER_COMPARE_OTHER_RUNNER_H
#define RUNNER_COMPARE_OTHER_RUNNER_H

#include "lib/err.h"
#include "lib/record.h"

/*
 * Runs `program run --launches 1 --out out --seed seed [--device device]
 * SELECTOR...` and reads the run file that it writes, into the arena. The program's
 * messages go to <out>/log. An error names the program and the last line it printed.
 */
MUST_CHECK bool other_runner_launch(const char *program, const char *out, const char *device,
                                    uint64_t seed, const char *const *selector, int nselector,
                                    struct arena *a, struct run *result, struct err *e);

#endif
