/*
 * runner/python/python.h - kernel families and variants that a file in Python registers, for
 * `runner python`. They become rows like those of kernels/, so that plans, checks, stopwatch and
 * records are the runner's own.
 *
 * Python is a program here (`python3`, or what RIDGEPOINT_PYTHON names): one process describes the
 * file, one computes references. A process that measures loads Python's library and calls
 * functions of the file itself.
 */
#ifndef RUNNER_PYTHON_PYTHON_H
#define RUNNER_PYTHON_PYTHON_H

#include "kernels/kernel.h"
#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "runner/plan/plan.h"

enum { PYTHON_MOST_VARIANTS = 16 };

struct python_file;

/*
 * Reads a file: a path below the current folder. Errors name its lines. What it has lives in the
 * arena, and the process that computes references as long as python_close() is not called.
 */
MUST_CHECK bool python_open(const char *path, struct arena *a, struct python_file **out,
                            struct err *e);
void python_close(struct python_file *f); /* NULL is fine */

/* The families that have a variant in the file: its own, and copies of those of kernels/. */
const struct kernel_family *const *python_families(const struct python_file *f, size_t *n);

/*
 * Completes a plan of those families: its items get the family that they are a copy of, the file
 * as their source, and the versions of Python and of the modules that the file has loaded.
 */
void python_complete(const struct python_file *f, struct plan *p);

/* The first error of a reference, or NULL. Expected values are NaN from then on. */
const char *python_failed(const struct python_file *f);

#endif
