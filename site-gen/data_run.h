/* site-gen/data_run.h - one run file, without the repository around it. */
#ifndef SITE_GEN_DATA_RUN_H
#define SITE_GEN_DATA_RUN_H

#include "site-gen/data.h"

#define DATA_RUNS_FOLDER "data/runs"

/*
 * Fills r (whose path is set) from the file's bytes: the record, the summary
 * of each case, whether it is steady. States that depend on the repository
 * are not yet in it. Touches nothing but r and the arena, so several threads
 * may read several files.
 */
bool data_run_read(struct data_run *r, struct str bytes, struct arena *a, struct err *e);

/* Groups the cases of all runs, which are sorted, into d->numbers; tells each its newer run. */
void data_number_runs(struct data *d);

#endif
