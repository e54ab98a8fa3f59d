/*
 * site-gen/records/digest.h - the digest of a record: all that a build keeps of it, which is
 * everything but its launches (records/launches.h).
 *
 * A digest is a struct data_run as bytes. Loading makes it from the record, keeps it in the
 * cache, and reads it back from there the next time, so both ways give the same run. The cached
 * file is named by the blob id of the record, and counts for the program that wrote it alone
 * (base/kept.h).
 *
 * How to add a member to a struct that a run holds: add its row to the table in digest.c.
 * tests/unit/site-gen/records/test_digest.c compares the tables with the headers.
 */
#ifndef SITE_GEN_RECORDS_DIGEST_H
#define SITE_GEN_RECORDS_DIGEST_H

#include "site-gen/base/kept.h"
#include "site-gen/base/pack.h"
#include "site-gen/records/data.h"

enum { DIGEST_MAX_BYTES = 64 << 20 };

/* Appends the digest of a run that was read from its record, and not judged yet. */
void digest_put(const struct data_run *r, struct sb *to);

/* Which cases are read whole (records/need.h); of others, only the case itself. */
struct digest_need {
	struct need_memo *memo;
	const char *root; /* of the repository */
};

/*
 * Reads a digest into r, whose path is set. False: the bytes are no digest of that path. `need`
 * NULL: all of it.
 */
MUST_CHECK bool digest_take(struct str bytes, const struct digest_need *need, struct arena *a,
                            struct data_run *r);

/* The cached digest of the record with this blob id. */
MUST_CHECK bool digest_cached(const struct kept_by *kept, const char *blob,
                              const struct digest_need *need, struct arena *a, struct data_run *r);
void digest_cache(const struct kept_by *kept, const char *blob, struct str digest);

/* The tables, with a NULL at the end, to compare them with the headers. Declared for tests. */
extern const struct pack_type *const digest_types[];

#endif
