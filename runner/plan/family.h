/*
 * runner/plan/family.h - a check of a kernel family's tables against the rules of
 * kernels/kernel.h. It reports mistakes before anything runs: a missing function, a
 * row whose file was not compiled (its record would lack its sources), two rows of
 * one name, two rows that mean the same case.
 */
#ifndef RUNNER_PLAN_FAMILY_H
#define RUNNER_PLAN_FAMILY_H

#include "kernels/kernel.h"
#include "lib/err.h"

/*
 * False: *e names the file, the row, and what is missing. Only families that are part
 * of this build (runner/base/stamp.h) must have compiled files; those that a test
 * makes up need none.
 */
MUST_CHECK bool family_check(const struct kernel_family *f, struct err *e);

/* True if two rows of a family have the same parameters and element type. */
bool family_same_case(const struct kernel_case *a, const struct kernel_case *b);

#endif
