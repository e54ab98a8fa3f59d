/*
 * site-gen/commands/commands.h - what the files of commands share. A command is a row
 * of the table in main.c; its options and its function are in
 * commands_<topic>.c.
 */
#ifndef SITE_GEN_COMMANDS_COMMANDS_H
#define SITE_GEN_COMMANDS_COMMANDS_H

#include "lib/cmd.h"
#include "site-gen/site/site.h"

#define COMMAND_OUT "build/site"
#define COMMAND_CACHE "build/cache"

/* Option rows that several commands have. */
#define OPTION_ROOT                                                          \
	{                                                                    \
		"root", 'C', CMD_STRING, "DIR",                              \
		        "work in this repository, not in the current folder" \
	}
#define OPTION_OUT                                                                \
	{                                                                         \
		"out", 'o', CMD_STRING, "DIR", "where the site goes (build/site)" \
	}
#define OPTION_CACHE                                                                           \
	{                                                                                      \
		"cache", 0, CMD_STRING, "DIR", "where plots and stamps are kept (build/cache)" \
	}
#define OPTION_DRAFTS                                                \
	{                                                            \
		"drafts", 'd', CMD_FLAG, NULL, "publish drafts, too" \
	}
#define OPTION_FUTURE                                                                             \
	{                                                                                         \
		"future", 0, CMD_FLAG, NULL, "publish posts of days after the last commit's, too" \
	}
#define OPTION_WERROR                                                  \
	{                                                              \
		"werror", 0, CMD_FLAG, NULL, "warnings fail the build" \
	}
#define OPTION_EXCERPTS                                                                            \
	{                                                                                          \
		"excerpts", 0, CMD_FLAG, NULL, "show the line of each problem, as a terminal does" \
	}
#define OPTION_STRICT                                                        \
	{                                                                    \
		"strict", 's', CMD_FLAG, NULL,                               \
		        "refuse numbers that are preview, stale or unsteady" \
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

/* Goes to the repository's root (--root): all paths are from there. False: said why. */
bool command_enter_root(const struct cmd_args *args);
/* The options that most commands have; those that this one has not are off. */
struct site_options command_options(const struct cmd_args *args);
/* The value of an option, or `otherwise`; `otherwise` too where the command has no such option. */
const char *command_option(const struct cmd_args *args, const char *name, const char *otherwise);
/* --out without the slash that shells put at its end, in buf. */
const char *command_out(const struct cmd_args *args, const char *otherwise, char *buf, size_t size);
/* Prints "site-gen: why" if it is set; the exit status. */
int command_end(bool ok, const struct err *e);

/* site.c */
extern const struct cmd_option build_options[], check_options[], serve_options[], audit_options[],
        translated_options[];
int command_build(const struct cmd_args *args, void *ctx);
int command_check(const struct cmd_args *args, void *ctx);
int command_serve(const struct cmd_args *args, void *ctx);
int command_audit(const struct cmd_args *args, void *ctx);
int command_translated(const struct cmd_args *args, void *ctx);

/* numbers.c */
extern const struct cmd_option explain_options[], note_options[], why_options[], query_options[],
        diff_options[];
int command_explain(const struct cmd_args *args, void *ctx);
int command_note(const struct cmd_args *args, void *ctx);
int command_why(const struct cmd_args *args, void *ctx);
int command_query(const struct cmd_args *args, void *ctx);
int command_diff(const struct cmd_args *args, void *ctx);

/* new.c */
extern const struct cmd_option new_options[];
int command_new(const struct cmd_args *args, void *ctx);

/* import.c */
extern const struct cmd_option import_options[];
int command_import(const struct cmd_args *args, void *ctx);

/* deploy.c */
extern const struct cmd_option deploy_options[], config_options[];
int command_deploy(const struct cmd_args *args, void *ctx);
int command_config(const struct cmd_args *args, void *ctx);

#endif
