/*
 * site-gen/records/again.h - the commands that measure a record again: check out the
 * commit that it names, build the runner, run. If that commit lacks the kernel (it was
 * measured before it was committed, or elsewhere), the commands check out the first
 * commit that has it, and say so. If no commit has it, there are no commands.
 */
#ifndef SITE_GEN_RECORDS_AGAIN_H
#define SITE_GEN_RECORDS_AGAIN_H

#include "site-gen/records/data.h"
#include "site-gen/lua/words.h"

/*
 * Prints the commands. `c`: the case whose kernel must exist; `run`: arguments of the runner;
 * `then`: further lines, or "". `caption` may be NULL.
 */
void again_put(const struct words *w, const struct data *d, const struct data_run *r,
               const struct run_case *c, const char *run, const char *then, const char *caption,
               struct sb *to);

/*
 * The same for a record of another harness: where its numbers come from, and its author's command
 * under `caption`, which may be NULL.
 */
void again_put_foreign(const struct words *w, const struct data_run *r, const char *caption,
                       struct sb *to);

/* Does the record's commit have this case's kernel? True also if that is unknown. */
bool again_is_there(const struct data *d, const struct data_run *r, const struct run_case *c);

#endif
