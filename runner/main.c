/*
 * runner/main.c - the table of commands, and what they share.
 *
 * How to add a command: a `const struct cmd` in its own file, declared in
 * runner/commands.h, and a row here.
 */
#include <stdio.h>
#include <string.h>

#include "runner/commands.h"

int main(int argc, char **argv)
{
	const struct cmd table[] = {
	        command_list,    command_check,    command_run,       command_resume,
	        command_plan,    command_collect,  command_compare,   command_selftest,
	        command_profile, command_ceilings, command_reproduce, command_show,
	        command_verify,  command_facts,
	};
	struct invocation inv = {argc, argv};
	return cmd_main("runner",
	                "Checks kernels, measures them, and writes down what it measured.", table,
	                sizeof table / sizeof table[0], argc, argv, &inv);
}
