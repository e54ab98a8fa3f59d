/*
 * runner/machine/ncu.h - Nsight Compute's command line: runs `ncu` and reads its output
 * as counters. Its manual: docs.nvidia.com/nsight-compute (the CLI, and the metrics
 * reference in the profiling guide).
 */
#ifndef RUNNER_MACHINE_NCU_H
#define RUNNER_MACHINE_NCU_H

#include "lib/err.h"
#include "lib/record.h"

/* Finds `ncu` in $PATH. Returns its path, in the arena, or NULL. */
const char *ncu_find(struct arena *a);

/* Its version: "ncu 2025.3.1.0", in the arena. NULL if it does not run; *why says why. */
const char *ncu_version(const char *ncu, struct arena *a, const char **why);

/*
 * Runs the program `target` (NULL-terminated) under the profiler and profiles the call
 * that it marks with cudaProfilerStart() and cudaProfilerStop(). The clocks are left
 * alone; if `cold`, the caches are flushed before each pass. The answer goes to the file
 * `log`. The profiler is killed after timeout_s seconds, or as soon as stop_fd becomes
 * readable (-1: never). Returns NULL, or why there is no answer.
 */
const char *ncu_run(const char *ncu, const char *const *target, bool cold, const char *log,
                    int timeout_s, int stop_fd, struct arena *a);

/*
 * Reads the answer (CSV, page "details", base units) as counters. They are summed over
 * the kernels of the call; where a sum has no meaning, they are means weighted by the
 * kernels' times, or the maximum. Absent metrics are listed in `missing`. False if `text`
 * is no such answer; the error names its line. The caller sets the case and the tool.
 */
MUST_CHECK bool ncu_parse(struct str text, const char *path, struct arena *a,
                          struct run_counters *out, struct err *e);

#endif
