/*
 * site-gen/records/listing_digest.h - the digest of a file of listings: all of it, as bytes that
 * are read faster than its JSON. It is kept as the digest of a record is (records/digest.h).
 *
 * How to add a member to a struct of lib/sass.h: add its row to the table in listing_digest.c.
 * tests/unit/site-gen/records/test_digest.c compares the tables with the headers.
 */
#ifndef SITE_GEN_RECORDS_LISTING_DIGEST_H
#define SITE_GEN_RECORDS_LISTING_DIGEST_H

#include "site-gen/base/kept.h"
#include "site-gen/base/pack.h"
#include "site-gen/records/data.h"

/*
 * Takes the listings of the file with this blob id, and sets out->file.lines_blob. False: they are
 * not kept, so read the file. `code_later`: leaves out the functions.
 */
MUST_CHECK bool listing_digest_cached(const struct kept_by *kept, const char *blob, bool code_later,
                                      struct arena *a, struct data_sass *out);
/* Takes the functions that were left out. */
MUST_CHECK bool listing_digest_code(const struct kept_by *kept, const char *blob, struct arena *a,
                                    struct sass *out);
void listing_digest_cache(const struct kept_by *kept, const char *blob, const struct data_sass *s);

/* The tables, with a NULL at the end, to compare them with the headers. Declared for tests. */
extern const struct pack_type *const listing_digest_types[];

#endif
