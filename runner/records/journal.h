/*
 * runner/records/journal.h - a run file that is being written. Lines go to a temporary
 * file beside the final name, uncompressed. Closing adds the `end` record, compresses the
 * lines into a second temporary file, and links that to the final name, which must not
 * exist. A crash leaves at most the temporary files (".<id>.part" and ".<id>.gz"), never
 * an incomplete run file.
 */
#ifndef RUNNER_RECORDS_JOURNAL_H
#define RUNNER_RECORDS_JOURNAL_H

#include "lib/err.h"
#include "lib/record.h"

struct journal {
	const char *path, *part, *dir, *out; /* in the arena `names`; dir is <out>/<device> */
	struct arena names;
	int fd;
	struct sb text; /* all bytes so far, for the hash in `end` */
	bool broken;    /* the file's content differs from `text` */
};

/* Creates <out>/<device>/.<id>.part and locks it. After an error it is gone, unless another
 * runner's.
 */
MUST_CHECK bool journal_open(struct journal *j, const char *out, const char *device, const char *id,
                             struct err *e);

/*
 * Opens and locks the .part file of an interrupted runner, and reads its complete lines
 * as text. Its bytes stay unchanged until journal_continue() cuts off an incomplete last
 * line. Fails while another runner is writing the file.
 */
MUST_CHECK bool journal_reopen(struct journal *j, const char *part, struct err *e);
MUST_CHECK bool journal_continue(struct journal *j, struct err *e);

/* Appends lines. After an error the file ends where it did before. */
MUST_CHECK bool journal_put(struct journal *j, struct str lines, struct err *e);

/* True if after `more` bytes there is still room for `end` within the limit of record_read(). */
bool journal_has_room(const struct journal *j, size_t more);

/* Makes the lines so far durable. */
MUST_CHECK bool journal_sync(struct journal *j, struct err *e);

/*
 * Adds `end`, makes everything durable, gives the compressed file its final name, makes
 * it read-only, and lists it in the MANIFEST of `out`.
 */
MUST_CHECK bool journal_close(struct journal *j, const char *status, const char *end_time,
                              double null_ratio, struct err *e);

/* Does the part of journal_close() that follows `end`, as far as it was not done before. */
MUST_CHECK bool journal_name(struct journal *j, struct err *e);

/*
 * Settles a .part file that a killed writer may have left, for callers that can write it
 * anew: a file with `end` gets its name (*named is true), any other is removed. Fails
 * while another runner is writing the file.
 */
MUST_CHECK bool journal_settle(const char *part, bool *named, struct err *e);

/*
 * After an error of a caller that wrote all lines at once: removes the .part file, unless it has
 * its `end`. Then nothing of the record is lost, and the error names who finishes it.
 */
void journal_abandon(struct journal *j, struct err *e);

/* Closes the file and frees the memory; the files stay. */
void journal_free(struct journal *j);

#endif
