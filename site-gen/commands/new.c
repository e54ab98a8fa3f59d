/* `site-gen new`, the only command that reads the clock. */
#include <stdio.h>
#include <time.h>

#include "site-gen/commands/commands.h"
#include "site-gen/commands/scaffold.h"

const struct cmd_option command_new_options[] = {
        OPTION_ROOT,
        {"title", 't', CMD_STRING, "TEXT", "its title (default: made from the name)"},
        OPTION_END,
};

int command_new(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	const char *path, *next;
	char date[16];
	time_t now = time(NULL);
	struct tm day;
	(void)ctx;
	strftime(date, sizeof date, "%Y-%m-%d", localtime_r(&now, &day));
	bool ok = command_enter_root(args) &&
	          scaffold_new(args->arg[0], args->arg[1], command_option(args, "title", NULL),
	                       date, &a, &path, &next, &e);
	if (ok)
		printf("%s\nnext: %s\n", path, next);
	arena_free(&a);
	return command_end(ok, &e);
}
