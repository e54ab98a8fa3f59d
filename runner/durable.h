/*
 * runner/durable.h - names that outlast a loss of power: a file is only found again if the
 * folder that has its name was written to the disk, and so on upwards.
 */
#ifndef RUNNER_DURABLE_H
#define RUNNER_DURABLE_H

#include "lib/err.h"

/* Makes the names in a folder durable. */
bool durable_names(const char *dir, struct err *e);

/* Makes a folder and those that it lies in, where they are missing, and their names durable. */
bool durable_folder(const char *dir, struct err *e);

#endif
