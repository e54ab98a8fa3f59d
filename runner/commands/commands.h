/*
 * runner/commands/commands.h - the runner's commands, and the code that they share.
 * runner/main.c has the table of commands.
 */
#ifndef RUNNER_COMMANDS_COMMANDS_H
#define RUNNER_COMMANDS_COMMANDS_H

#include "lib/err.h"
#include "lib/cmd.h"
#include "runner/plan/plan.h"
#include "runner/plan/select.h"

extern const struct cmd command_list, command_check, command_run, command_show, command_verify,
        command_facts, command_profile, command_trace, command_ceilings, command_reproduce,
        command_compare, command_selftest, command_plan, command_collect, command_resume,
        command_sass, command_import, command_exec, command_python;

/* Options shared by the commands that choose a device. */
#define OPTION_DEVICE                                                                   \
	{                                                                               \
		"device", 'd', CMD_STRING, "cuda|cpu",                                  \
		        "where to run (default: the GPU if there is one, else the CPU)" \
	}

#define OPTION_GPUS                                                                           \
	{                                                                                     \
		"gpus", 'g', CMD_INT, "N", "use N GPUs instead of one, for cases with gpus=N" \
	}

/* Options shared by the commands that measure. */
#define OPTION_SEED                                                                             \
	{                                                                                       \
		"seed", 's', CMD_INT, "N", "seed of order and inputs (default: from the clock)" \
	}
#define OPTION_REASON                                                               \
	{                                                                           \
		"reason", 'r', CMD_STRING, "TEXT", "why this run is made; recorded" \
	}

/*
 * Reads the facts of "cuda" or "cpu" (NULL: "cuda") in this process. That may start CUDA, so
 * this process may fork no child that needs CUDA afterwards.
 */
MUST_CHECK bool command_device_here(const char *name, enum kernel_where *where, struct facts *facts,
                                    struct err *e);

/*
 * Chooses the device and reads its facts in a child process, and those of as many as `gpus`
 * of its like; that there are fewer is an error. `want` is "cuda", "cpu", or NULL:
 * the GPU if it is usable, else the CPU.
 */
MUST_CHECK bool command_device(const char *want, int gpus, enum kernel_where *where,
                               struct facts *facts, struct err *e);

/*
 * Reads the facts of a device, and of as many as `gpus` of its like, in a child process;
 * facts->why says why it cannot be used.
 */
void command_device_facts(enum kernel_where where, int gpus, struct facts *facts);

/* The value of OPTION_GPUS: 1 to KERNEL_MAX_GPUS. */
MUST_CHECK bool command_gpus(const struct cmd *c, const struct cmd_args *args, int *gpus,
                             struct err *e);

/* Makes a plan of the ceilings (kernels/ceilings/): all, or those that the arguments select. */
MUST_CHECK bool ceilings_plan(const struct cmd_args *args, enum kernel_where where,
                              enum plan_use use, const struct facts *facts, struct arena *a,
                              struct plan *out, struct err *e);

/*
 * Drops items with side=host or load=…: of one call there is nothing else to say. `what`, in
 * the error if no item is left, is what they have none of: "counters".
 */
MUST_CHECK bool command_keep_usual(struct plan *p, const char *what, struct err *e);

/*
 * Checks the items of a plan made for checks, and prints what failed and how many passed. False if
 * one failed, or with `all` is unavailable, or after an error (lib/err.h).
 */
MUST_CHECK bool command_check_plan(struct plan *p, bool verbose, bool all, struct arena *a,
                                   struct err *e);

/* The path of this program, in the arena; NULL after an error. */
MUST_CHECK const char *command_own_path(struct arena *a, struct err *e);

/* Parses the arguments as selectors, into the arena. */
MUST_CHECK bool command_selectors(const struct cmd_args *args, struct arena *a,
                                  struct selector **out, struct err *e);

/*
 * Warns on stderr if this build does not match a commit. Pages then mark what it measures,
 * and refuse to deploy it (docs/rules.md, `clean`).
 */
void command_warn_uncommitted(void);

/* Prints the error as "runner: text" to stderr; returns 1, the exit status. */
int command_failed(const struct err *e);

/*
 * Ends a program that made a call for its parent (`--call`), after the error if it failed. It
 * opened a device, and nothing closes a device but the end of the process (device/device.h).
 */
_Noreturn void command_called(bool ok, const struct err *e);

#endif
