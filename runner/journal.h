/*
 * runner/journal.h - the run file while it grows: lines go to a temporary
 * file beside the final name; closing adds `end` and links it to that name,
 * which must not exist. A crash leaves at most the temporary file
 * (".<id>.part"), never a run file that is not whole.
 */
#ifndef RUNNER_JOURNAL_H
#define RUNNER_JOURNAL_H

#include "lib/record.h"

struct journal {
	const char *path, *part, *dir, *out; /* in `names`; dir is <out>/<device> */
	struct arena names;
	int fd;
	struct sb text; /* every byte so far: `end` hashes them */
	int64_t lines;
	bool broken; /* the file does not hold `text` */
};

/* Creates <out>/<device>/.<id>.part. */
bool journal_open(struct journal *j, const char *out, const char *device, const char *id,
                  struct err *e);

/*
 * Opens the .part file that an interrupted runner left, with its whole lines
 * as text. The file is as it was until journal_continue(), which drops the
 * rest of a line, or journal_name(). Fails while another runner writes it.
 */
bool journal_reopen(struct journal *j, const char *part, struct err *e);
bool journal_continue(struct journal *j, struct err *e);

/* Appends lines. */
bool journal_put(struct journal *j, struct str lines, struct err *e);

/* Would `more` bytes leave room for `end`, within what record_read() takes? */
bool journal_has_room(const struct journal *j, size_t more);

/* Makes what was written durable. */
bool journal_sync(struct journal *j, struct err *e);

/*
 * Adds `end`, makes all durable, gives the file its name, read-only, and lists
 * it in the MANIFEST of its folder.
 */
bool journal_close(struct journal *j, const char *status, const char *end_time, double null_ratio,
                   struct err *e);

/* Gives a file that has its `end` already its name, if it has not got it. */
bool journal_name(struct journal *j, struct err *e);

/*
 * What a killed writer left at `part`, if anything: with its `end` it gets its
 * name, and *named is true; else it is removed, for whoever can write it anew.
 * Fails while another runner writes it.
 */
bool journal_settle(const char *part, bool *named, struct err *e);

/* Frees what the journal holds; the files stay. */
void journal_free(struct journal *j);

#endif
