/*
 * site-gen/numbers/listed.h - the machine code of a case: its listing, and the part of it that an
 * author shows or counts in.
 *
 * Rule `listed`: the listing is of the code that was measured. The case's record and the unit in
 * data/sass/ have the same hash of machine code.
 *
 * Keys of a placeholder choose the part:
 *
 *   function="NAME"      a part of the function's name that only one of them has
 *   region=NAME          what these lines of the variant's file compiled to: between
 *                        `// ANCHOR: NAME` and `// ANCHOR_END: NAME`
 *   lines=A-B            the same for lines of the file
 *   loop=LABEL           from the label to the last branch back to it
 *   from=X to=Y          from one instruction to another: offsets, "0x100", or parts of their text
 */
#ifndef SITE_GEN_NUMBERS_LISTED_H
#define SITE_GEN_NUMBERS_LISTED_H

#include "lib/err.h"
#include "site-gen/base/placeholder.h"
#include "site-gen/records/data.h"
#include "site-gen/records/query.h"

struct listed {
	const struct data_sass *file;
	const struct sass_unit *unit;
	const struct sass_function *function;
	const bool *in; /* for each instruction of the function, whether it is in the part */
	size_t n;       /* so many are */
	/*
	 * The part for the audit, which finds it again in the record: "all", "lines:50-60" of the
	 * unit's file, or "at:0x100-0x240", with both ends.
	 */
	const char *part;
};

/* The keys above, NULL-terminated. */
extern const char *const listed_keys[];

/*
 * Finds the part that placeholder `p` names in the listing of a case. `source` is the text of the
 * unit's file, as measured. False, with an error at its place and the candidates, if there is no
 * listing of this code, no such function or part, or more than one.
 */
MUST_CHECK bool listed_find(const struct data *d, const struct placeholder *p,
                            const struct pick *pick, struct str source, struct arena *a,
                            struct listed *out, struct err *e);

/* "sass <device> <case id> <record> <function> <part>": the part's name for the audit. */
const char *listed_key(const struct listed *l, const struct pick *pick, struct arena *a);

/* How many instructions of the part have an opcode that the glob fits ("LDG.E.128", "LDG*"). */
size_t listed_count(const struct listed *l, struct str opcode);

#endif
