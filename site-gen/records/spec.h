/*
 * site-gen/records/spec.h - reads datasheet numbers from data/specs/<device>.json and
 * checks every member. data/specs/README.md explains the format and how to add a device.
 */
#ifndef SITE_GEN_RECORDS_SPEC_H
#define SITE_GEN_RECORDS_SPEC_H

#include "lib/arena.h"
#include "lib/err.h"
#include "site-gen/records/data.h"

/* Reads all files of the folder, if any; sorted by device, then in file order. */
MUST_CHECK bool spec_load(const char *root, const char *folder, struct arena *a,
                          struct data_spec **out, size_t *n, struct err *e);

#endif
