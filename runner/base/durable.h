/*
 * runner/base/durable.h - file names that survive a power failure. After one, a file can only be
 * found if its folder had been written to disk, and that folder's parent, and so on upwards.
 */
#ifndef RUNNER_BASE_DURABLE_H
#define RUNNER_BASE_DURABLE_H

#include "lib/err.h"

/* Syncs a folder, which makes the names in it durable. */
MUST_CHECK bool durable_names(const char *dir, struct err *e);

/* Creates a folder and its missing parents, and makes their names durable. */
MUST_CHECK bool durable_folder(const char *dir, struct err *e);

#endif
