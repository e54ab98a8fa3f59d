/*
 * runner/main.c - the table of commands.
 *
 * To add a command, define a `const struct cmd` in a file of its own, declare it in
 * runner/commands/commands.h, and add a row here.
 */
#include <stdio.h>
#include <string.h>

#include "lib/array.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"
#include "runner/records/head.h"

/* The kernels of runner-trace write stamps, so it may measure nothing. */
static int main_traced(int argc, char **argv, struct invocation *inv)
{
	const struct cmd table[] = {command_trace};
	return cmd_main("runner-trace", "Makes the calls for `runner trace`, with marks.", table,
	                ARRAY_LEN(table), argc, argv, inv);
}

int main(int argc, char **argv)
{
	const struct cmd table[] = {
	        command_list,    command_check,   command_run,      command_resume,
	        command_plan,    command_collect, command_compare,  command_selftest,
	        command_profile, command_trace,   command_ceilings, command_reproduce,
	        command_show,    command_verify,  command_facts,    command_sass,
	        command_import,  command_exec,    command_python,
	};
	struct invocation inv = {argc, argv};
	if (stamp.traced)
		return main_traced(argc, argv, &inv);
	return cmd_main("runner",
	                "Checks kernels, measures them, and writes down what it measured.", table,
	                ARRAY_LEN(table), argc, argv, &inv);
}
