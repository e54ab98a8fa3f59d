/*
 * site-gen/records/launches.h - the launches of a run with their samples, read when somebody
 * asks for them.
 *
 * Samples make up most of a record, and most pages need none of them: what follows from them is
 * in struct data_case. So a loaded run counts its launches (run.nlaunches), but run.launches is
 * NULL. launches_of() reads the record again, and checks that its bytes are those that were
 * loaded. It never asks the cache (records/digest.h).
 *
 * Where loading reads every record all the same (struct data_cache), it leaves them open in the
 * site's arena, up to LAUNCHES_KEPT bytes, and forked workers share them. Others are opened by
 * each process for itself, and closed by launches_rest() when they become many. Not for threads.
 */
#ifndef SITE_GEN_RECORDS_LAUNCHES_H
#define SITE_GEN_RECORDS_LAUNCHES_H

#include "lib/err.h"
#include "site-gen/records/data.h"

enum {
	LAUNCHES_KEPT = 256 << 20, /* bytes of records that loading leaves open */
	LAUNCHES_OPEN = 64 << 20,  /* bytes of those that a process opens, before it closes them */
};

/*
 * The run with its launches and null launches, which belong to the cases of r: l->of is one of
 * r->run.cases or r->run.nulls. It lives until launches_rest(). If the record cannot be read
 * again, the run has no launches, and launches_sound() fails.
 */
const struct run *launches_of(const struct data_run *r);

/* Between two pages: closes what this process has opened if that is much. */
void launches_rest(const struct data *d);

/* Closes all that this process has opened. */
void launches_close(const struct data *d);

/* False, with the first error, if a record could not be read again. */
MUST_CHECK bool launches_sound(const struct data *d, struct err *e);

/* --- for loading --- */

struct launches_store *launches_store(const char *root, struct git *git, struct arena *a);
struct launches *launches_new(struct launches_store *s, struct arena *a);

/*
 * Leaves open the launches of `parsed`, which has r's record; everything in it lives as long as
 * the site. Its launches then belong to the cases of r. False: their cases differ.
 */
MUST_CHECK bool launches_keep(const struct data_run *r, struct run *parsed);

#endif
