/*
 * lib/cmd_inner.h - the manual page and the shell completion of a program,
 * made from the same tables that dispatch and print --help.
 */
#ifndef LIB_CMD_INNER_H
#define LIB_CMD_INNER_H

#include "lib/cmd.h"
#include "lib/str.h"

/* A program and its commands, as passed to cmd_main(). */
struct cmd_program {
	const char *name, *about;
	const struct cmd *table;
	int n;
};

/* A manual page for section 1, in man(7) macros. */
void cmd_man(const struct cmd_program *p, struct sb *to);

/* A completion script for bash, zsh or fish. False for any other shell. */
bool cmd_completion(const struct cmd_program *p, const char *shell, struct sb *to);

#endif
