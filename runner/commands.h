/*
 * runner/commands.h - the commands of the runner; runner/main.c has their
 * table.
 */
#ifndef RUNNER_COMMANDS_H
#define RUNNER_COMMANDS_H

#include "lib/cmd.h"
#include "runner/plan.h"
#include "runner/select.h"

/* What every command gets as ctx. */
struct invocation {
	int argc;
	char **argv;
};

extern const struct cmd command_list, command_check, command_run, command_show, command_verify,
        command_facts, command_profile, command_ceilings, command_reproduce, command_compare,
        command_selftest, command_plan, command_collect, command_resume;

/* Options shared by the commands that choose a device. */
#define OPTION_DEVICE                                                                   \
	{                                                                               \
		"device", 'd', CMD_STRING, "cuda|cpu",                                  \
		        "where to run (default: the GPU if there is one, else the CPU)" \
	}

/*
 * The facts of "cuda" or "cpu" (NULL: "cuda"), read in this process: it may have started CUDA
 * then, and nothing that needs it may be forked.
 */
bool device_here(const char *name, enum kernel_where *where, struct facts *facts, struct err *e);

/*
 * The device to use and its facts, read in a child. `want` is "cuda", "cpu" or NULL for the
 * GPU if it is usable, else the CPU.
 */
bool choose_device(const char *want, enum kernel_where *where, struct facts *facts, struct err *e);

/* The facts of one device; facts->why says why it cannot be used. */
void device_facts(enum kernel_where where, struct facts *facts);

/* A plan of ceilings (kernels/ceilings/), all or what the arguments select. */
bool ceilings_plan(const struct cmd_args *args, enum kernel_where where, enum plan_use use,
                   const struct facts *facts, struct arena *a, struct plan *out, struct err *e);

/* The arguments as selectors, in the arena. */
bool parse_selectors(const struct cmd_args *args, struct arena *a, struct selector **out,
                     struct err *e);

/*
 * Says on stderr that this build is not as any commit has it, if so: what it
 * measures is marked on pages and cannot be deployed (docs/rules.md, `clean`).
 */
void warn_uncommitted(void);

/* Prints "runner: text" to stderr; returns 1. */
int complain(const struct err *e);

#endif
