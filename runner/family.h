/*
 * runner/family.h - is a family filled in as kernels/kernel.h asks? What is
 * forgotten in a table is said before anything runs: a function that is not
 * there, a row whose file was not compiled and that would be recorded without
 * its sources, two rows of one name, two rows that are one case.
 */
#ifndef RUNNER_FAMILY_H
#define RUNNER_FAMILY_H

#include "kernels/kernel.h"
#include "lib/err.h"

/*
 * False: *e names the file, the row, and what is missing. Whether the files of
 * variants were compiled is asked of a family that this build has compiled
 * (runner/stamp.h), not of one that a test made up.
 */
bool family_check(const struct kernel_family *f, struct err *e);

#endif
