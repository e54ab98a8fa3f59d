/*
 * lib/cmd.h - commands and their options as tables. Dispatch, `--help` and the
 * reference pages read the same rows.
 */
#ifndef LIB_CMD_H
#define LIB_CMD_H

#include "lib/err.h"

enum cmd_kind {
	CMD_FLAG,   /* --name */
	CMD_STRING, /* --name=VALUE or --name VALUE */
	CMD_INT,    /* the same, a non-negative integer */
};

struct cmd_option {
	const char *name; /* "launches", without dashes */
	char letter;      /* 'n' for -n, or 0 */
	enum cmd_kind kind;
	const char *value; /* "N", "DIR": shown in help; NULL for a flag */
	const char *help;  /* one line, lower case, no full stop */
};

enum { CMD_MAX_OPTIONS = 24, CMD_MAX_ARGS = 64 };

/* A parsed command line; options in the order of the command's option table. */
struct cmd_args {
	const struct cmd *cmd;               /* the command that runs */
	const char *option[CMD_MAX_OPTIONS]; /* NULL: not given; "" for a flag */
	const char *arg[CMD_MAX_ARGS];
	int nargs;
};

struct cmd {
	const char *name;
	const char *synopsis; /* "[SELECTOR...]" */
	const char *help;     /* one line */
	const char *more;     /* paragraphs and examples for `NAME --help`; may be NULL */
	const struct cmd_option *options; /* ends with name == NULL; may be NULL */
	int min_args, max_args;
	int (*run)(const struct cmd_args *args, void *ctx); /* returns the exit status */
};

/*
 * Runs the command argv[1] names. `help`, `--help`, `NAME --help`, `man` and
 * `completion SHELL` print from the table to stdout. An unknown
 * command or option prints one line to stderr with the nearest name. Returns the
 * exit status: 0 ok, 1 failed, 2 usage. A command fails, too, if its output could
 * not be written.
 */
int cmd_main(const char *program, const char *about, const struct cmd *table, int ncmds, int argc,
             char **argv, void *ctx);

/* Value of option `name` of command c; NULL if not given. Aborts on an unknown name. */
const char *cmd_option(const struct cmd *c, const struct cmd_args *args, const char *name);
/* The same as an integer; `otherwise` if not given. */
long cmd_option_int(const struct cmd *c, const struct cmd_args *args, const char *name,
                    long otherwise);

#endif
