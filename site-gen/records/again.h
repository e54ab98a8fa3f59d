/*
 * site-gen/records/again.h - the commands that measure a record again: check out the
 * commit that it names, build the runner, run. A record may be of a kernel
 * that this commit has not (measured before it was committed, or elsewhere):
 * then the first commit that has it is checked out, and the reader is told; if
 * none has it, there are no commands.
 */
#ifndef SITE_GEN_RECORDS_AGAIN_H
#define SITE_GEN_RECORDS_AGAIN_H

#include "site-gen/records/data.h"
#include "site-gen/lua/words.h"

/*
 * `c`: the case whose kernel must be there; `run`: what follows the name of the runner; `then`:
 * lines after that, "" for none. `caption` may be NULL.
 */
void again_put(const struct words *w, const struct data *d, const struct data_run *r,
               const struct run_case *c, const char *run, const char *then, const char *caption,
               struct sb *to);

/* Has the commit of the record this case's kernel? True, too, where nobody can tell. */
bool again_is_there(const struct data *d, const struct data_run *r, const struct run_case *c);

#endif
