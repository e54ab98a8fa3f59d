/*
 * lib/sass.h - listings of machine code: the one model, writer and reader of data/sass/.
 *
 * A listing is what a disassembler makes of the device code in a runner program. It depends on
 * no device: the same machine code gives the same listing everywhere. data/sass/README.md has
 * the format.
 */
#ifndef LIB_SASS_H
#define LIB_SASS_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"

#define SASS_SCHEMA "ridgepoint-sass/1.0"

/* A line of a source: of the project, from its root, or else the name of a header alone. */
struct sass_place {
	const char *file;
	int64_t line;
};

/* An instruction, and the lines it comes from: innermost first, then where that was inlined. */
struct sass_instruction {
	int64_t offset;   /* in bytes, from the start of its function */
	const char *text; /* "@!P0 LDG.E.128 R4, desc[UR4][R26.64]" */
	const struct sass_place *place;
	size_t nplaces;      /* 0: no line information */
	const char *control; /* what the tool says of its scheduling: "&wr=0x0"; NULL: nothing */
};

/* A name for the instruction at `offset`: ".L_x_4". */
struct sass_label {
	int64_t offset;
	const char *name;
};

struct sass_function {
	size_t unit;        /* its place among the units */
	const char *object; /* the file in whose object it is: the unit's, or one that it uses */
	const char *name;   /* mangled, as in the object */
	const char *title;  /* as written: "void tile<float>(float*, float const*, int, int)" */
	const char *code_sha256;             /* of its instructions' bytes */
	const struct sass_instruction *code; /* by offset */
	size_t n;
	const struct sass_label *label; /* by offset */
	size_t nlabels;
};

/* A compiled file, as in a case's record: equal code_sha256, equal machine code. */
struct sass_unit {
	const char *file, *compiler, *flags, *code_sha256;
	struct run_source *source;
	size_t nsource;
};

/* A whole file. */
struct sass {
	const char *schema, *id;
	const char *arch;   /* "sm_90a": its folder */
	const char *start;  /* "2026-01-01T00:00:00Z" */
	const char *reason; /* text of --reason, or NULL */
	const char *commit; /* HEAD when the program was built; NULL: no git */
	bool dirty;         /* sources differed from that commit */
	const char *tool;   /* "nvdisasm 13.0.88" */
	const char *runner_sha256;
	const char **argv; /* after the program's name */
	size_t nargv;
	struct sass_unit *unit;
	size_t nunits;
	struct sass_function *function;
	size_t nfunctions;
};

/* --- writing: each appends a line; lib/record.h has record_put_end() --- */
void sass_put_head(struct sb *to, const struct sass *s);
void sass_put_unit(struct sb *to, const struct sass_unit *u);
void sass_put_function(struct sb *to, const struct sass_function *f);

/* True if the bytes begin like a file of listings. */
bool sass_is(struct str bytes);

/*
 * Reads a file of listings. One that is malformed, of a newer major schema, cut short or
 * changed (its end record does not hold) is an error with `path:line`.
 */
MUST_CHECK bool sass_read(struct str bytes, const char *path, struct arena *a, struct sass *out,
                          struct err *e);

/* The opcode of an instruction, without its predicate: "LDG.E.128". */
struct str sass_opcode(const char *text);

/* The label that a branch jumps to: ".L_x_4" of "BRA `(.L_x_4)"; empty if it names none. */
struct str sass_target(const char *text);

#endif
