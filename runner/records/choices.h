/*
 * runner/records/choices.h - what a run has chosen (kernel_variant.chosen), taken over from
 * where it is recorded: from a run file, or from the file that the shards of a plan share.
 */
#ifndef RUNNER_RECORDS_CHOICES_H
#define RUNNER_RECORDS_CHOICES_H

#include "lib/err.h"
#include "lib/record.h"
#include "runner/plan/plan.h"

/* Gives the plan's items the choices that a run recorded for the same cases. Before a survey. */
void choices_take(struct plan *p, const struct run *r, struct arena *a);

/* The file of a plan's choices in the folder where its shards' run files go. */
const char *choices_path(const char *folder, const char *plan_sha256, struct arena *a);

/* Gives the plan's items the choices in the file, if there is one. Before a survey. */
MUST_CHECK bool choices_read(const char *path, struct plan *p, struct arena *a, struct err *e);

/*
 * After a survey: writes the file, unless another shard was first. Its choices then replace
 * those of this survey, so that all shards use the same.
 */
MUST_CHECK bool choices_share(const char *path, struct plan *p, struct arena *a, struct err *e);

#endif
