/*
 * site-gen/commands/commands.h - the commands' functions and shared options, for the table
 * of commands in main.c. A command's options and function are in a file of commands/.
 */
#ifndef SITE_GEN_COMMANDS_COMMANDS_H
#define SITE_GEN_COMMANDS_COMMANDS_H

#include <stddef.h>

#include "lib/err.h"
#include "lib/cmd.h"

#define COMMAND_OUT "build/site"
#define COMMAND_CACHE "build/cache"

/* Option rows that several commands share. */
#define OPTION_ROOT                                                          \
	{                                                                    \
		"root", 'C', CMD_STRING, "DIR",                              \
		        "work in this repository, not in the current folder" \
	}
#define OPTION_OUT                                                                \
	{                                                                         \
		"out", 'o', CMD_STRING, "DIR", "where the site goes (build/site)" \
	}
#define OPTION_CACHE                                                           \
	{                                                                      \
		"cache", 0, CMD_STRING, "DIR",                                 \
		        "where plots and other results are kept (build/cache)" \
	}
#define OPTION_DRAFTS                                                \
	{                                                            \
		"drafts", 'd', CMD_FLAG, NULL, "publish drafts, too" \
	}
#define OPTION_FUTURE                                                                         \
	{                                                                                     \
		"future", 0, CMD_FLAG, NULL, "publish posts dated after the last commit, too" \
	}
#define OPTION_WERROR                                                  \
	{                                                              \
		"werror", 0, CMD_FLAG, NULL, "warnings fail the build" \
	}
#define OPTION_EXCERPTS                                                          \
	{                                                                        \
		"excerpts", 0, CMD_FLAG, NULL,                                   \
		        "show the source line of each problem, as on a terminal" \
	}
#define OPTION_STRICT                                                               \
	{                                                                           \
		"strict", 's', CMD_FLAG, NULL,                                      \
		        "refuse uncommitted, stale, unsteady and withdrawn numbers" \
	}
#define OPTION_JOBS                                                          \
	{                                                                    \
		"jobs", 'j', CMD_INT, "N", "worker processes (one per core)" \
	}
#define OPTION_QUIET                                                     \
	{                                                                \
		"quiet", 'q', CMD_FLAG, NULL, "say nothing but problems" \
	}
#define OPTION_END                            \
	{                                     \
		NULL, 0, CMD_FLAG, NULL, NULL \
	}

/* Changes to the repository's root (--root), which all paths start from. False: printed why. */
bool command_enter_root(const struct cmd_args *args);
/* Reads the common options; those that this command does not have are off. */
struct site_options command_options(const struct cmd_args *args);
/* The value of an option; `otherwise` if it is not given or the command does not have it. */
const char *command_option(const struct cmd_args *args, const char *name, const char *otherwise);
/* --out without a trailing slash, which shells add; in buf. */
const char *command_out(const struct cmd_args *args, const char *otherwise, char *buf, size_t size);
/* Prints "site-gen: why" if the error is set. Returns the exit status. */
MUST_CHECK int command_end(bool ok, const struct err *e);

/* site.c */
extern const struct cmd_option command_build_options[], command_check_options[],
        command_serve_options[], command_audit_options[], command_translated_options[];
int command_build(const struct cmd_args *args, void *ctx);
int command_check(const struct cmd_args *args, void *ctx);
int command_serve(const struct cmd_args *args, void *ctx);
int command_audit(const struct cmd_args *args, void *ctx);
int command_translated(const struct cmd_args *args, void *ctx);

/* numbers.c */
extern const struct cmd_option command_explain_options[], command_note_options[],
        command_why_options[], command_query_options[], command_diff_options[];
int command_explain(const struct cmd_args *args, void *ctx);
int command_note(const struct cmd_args *args, void *ctx);
int command_why(const struct cmd_args *args, void *ctx);
int command_query(const struct cmd_args *args, void *ctx);
int command_diff(const struct cmd_args *args, void *ctx);

/* new.c */
extern const struct cmd_option command_new_options[], command_init_options[];
int command_new(const struct cmd_args *args, void *ctx);
int command_init(const struct cmd_args *args, void *ctx);

/* import.c */
extern const struct cmd_option command_import_options[];
int command_import(const struct cmd_args *args, void *ctx);

/* deploy.c */
extern const struct cmd_option command_deploy_options[], command_config_options[];
int command_deploy(const struct cmd_args *args, void *ctx);
int command_config(const struct cmd_args *args, void *ctx);

#endif
