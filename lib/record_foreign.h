/*
 * lib/record_foreign.h - records of numbers that another harness measured, such as hyperfine, and
 * of other programs that the runner started and timed.
 *
 * `runner import` and `runner exec` write them. They have a schema of their own, so that no program
 * which knows only records of the runner takes such a number for one. The head says what is known
 * of the measurement, in the member `foreign`. A line `original` has the harness's file, byte for
 * byte.
 */
#ifndef LIB_RECORD_FOREIGN_H
#define LIB_RECORD_FOREIGN_H

#include "lib/record.h"

#define RECORD_FOREIGN_SCHEMA "ridgepoint-foreign/2.4"
#define RECORD_EXEC "exec"       /* the harness of a program that the runner started */
#define RECORD_UNKNOWN "unknown" /* dtype, cache and level of a foreign case */

enum { RECORD_MAX_ORIGINAL = 16 << 20 }; /* bytes of a harness's file */

struct run_foreign {
	const char *harness; /* "hyperfine": one of record_foreign_harness() */
	const char *version; /* its version; NULL: not known */
	const char *checked; /* what its author checked of the results, in words; of a program the
	                        command that checked each process; NULL: nothing */
	const char *source;  /* address of what was measured; NULL: not known */
	const char *commit;  /* commit of that source; NULL: not known */
	const char *command; /* the author's command; NULL: not known */
	const char *file;    /* name of the harness's file, without folders; of a program
	                        "transcript" */
	const char *sha256;  /* of the bytes of that file */
};

/* The name of harness i, "nvbench", in the order of their names; NULL after the last. */
const char *record_foreign_harness(size_t i);

/*
 * True for the families of such records: "hyperfine-NAME". No other family has such a name, so a
 * selector finds numbers of one class only.
 */
bool record_foreign_family(const char *family);

/* True if the runner itself started and timed these programs: `runner exec`. */
bool record_foreign_is_exec(const struct run_head *h);

/* The member `foreign` of a head. The reader leaves h->foreign NULL if there is none. */
void record_foreign_put(struct json_out *w, const struct run_head *h);
MUST_CHECK bool record_foreign_read(struct json run, struct arena *a, struct run_head *h,
                                    struct err *e);

/* The line `original`. The reader checks the text against the hash in the head. */
void record_foreign_put_original(struct sb *to, struct str text);
MUST_CHECK bool record_foreign_original(struct json v, const struct run_head *h, struct err *e);

/* Checks what every foreign case has: a family of its harness, a time, and no cost model. */
MUST_CHECK bool record_foreign_check(struct json v, const struct run_head *h,
                                     const struct run_case *c, struct err *e);

#endif
