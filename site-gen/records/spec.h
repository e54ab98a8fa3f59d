/*
 * site-gen/records/spec.h - datasheet numbers: data/specs/<device>.json, every member
 * checked. data/specs/README.md explains the format and how to add a device.
 */
#ifndef SITE_GEN_RECORDS_SPEC_H
#define SITE_GEN_RECORDS_SPEC_H

#include "lib/arena.h"
#include "lib/err.h"
#include "site-gen/records/data.h"

/* Reads all files of the folder (none is fine), sorted by device, in file order within one. */
bool spec_load(const char *root, const char *folder, struct arena *a, struct data_spec **out,
               size_t *n, struct err *e);

#endif
