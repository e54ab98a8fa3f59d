/*
 * runner/ncu.h - Nsight Compute as a program: what it is asked, and its answer
 * as counters. Its manual: docs.nvidia.com/nsight-compute (the CLI, and the
 * reference of metrics in the profiling guide).
 */
#ifndef RUNNER_NCU_H
#define RUNNER_NCU_H

#include "lib/record.h"

/* The path of `ncu` from PATH, in the arena, or NULL. */
const char *ncu_find(struct arena *a);

/* Its version as it says: "ncu 2025.3.1.0"; NULL and *why: it does not run. */
const char *ncu_version(const char *ncu, struct arena *a, const char **why);

/*
 * Profiles the call that `target` (NULL-terminated) marks with
 * cudaProfilerStart() and -Stop(). Clocks are left alone; caches are flushed
 * before each pass if `cold`. The answer is written to the file `log`. It is
 * killed after timeout_s, or once there is something to read at stop_fd (-1:
 * never). NULL, or why there is none.
 */
const char *ncu_run(const char *ncu, const char *const *target, bool cold, const char *log,
                    int timeout_s, int stop_fd, struct arena *a);

/*
 * The answer (CSV, page "details", base units) as counters: sums over the
 * kernels of the call, and means weighted with their times where a sum has no
 * meaning. A metric it does not have is in `missing`. False: `text` is no such
 * answer; errors have its line as place. Case and tool are the caller's.
 */
bool ncu_parse(struct str text, const char *path, struct arena *a, struct run_counters *out,
               struct err *e);

#endif
