/*
 * runner/other.h - one launch by a runner program, this one or another build:
 * what `runner compare --runner-b` interleaves.
 */
#ifndef RUNNER_OTHER_H
#define RUNNER_OTHER_H

#include "lib/record.h"

/*
 * Runs `program run --launches 1 --out out --seed seed [--device device]
 * SELECTOR...` and reads the file it writes. The program's messages go to
 * <out>/log. A failure names the program and the last line it said.
 */
bool other_launch(const char *program, const char *out, const char *device, uint64_t seed,
                  const char *const *selector, int nselector, struct arena *a, struct run *result,
                  struct err *e);

#endif
