/* `site-gen new` and `site-gen init`, the only commands that read the clock. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "site-gen/commands/blog.h"
#include "site-gen/commands/commands.h"
#include "site-gen/commands/scaffold.h"

const struct cmd_option command_new_options[] = {
        OPTION_ROOT,
        {"title", 't', CMD_STRING, "TEXT", "its title (default: made from the name)"},
        {"shape", 0, CMD_STRING, "map|reduce|product", "of a family (default: map)"},
        OPTION_END,
};

const struct cmd_option command_init_options[] = {
        {"title", 't', CMD_STRING, "TEXT", "its title (default: made from the folder's name)"},
        OPTION_END,
};

struct today {
	char date[16]; /* "2026-01-31" */
};

static struct today today(void)
{
	struct today t;
	time_t now = time(NULL);
	struct tm day;
	strftime(t.date, sizeof t.date, "%Y-%m-%d", localtime_r(&now, &day));
	return t;
}

int command_new(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	const char *path, *next;
	struct today t = today();
	(void)ctx;
	const char *shape = command_option(args, "shape", NULL);
	bool family = strcmp(args->arg[0], "family") == 0;
	bool ok = command_enter_root(args);
	if (ok && shape && !family)
		ok = err_set(&e, "--shape belongs to a family");
	if (ok && family)
		ok = scaffold_family(args->arg[1], shape, command_option(args, "title", NULL), &a,
		                     &path, &next, &e);
	else if (ok)
		ok = scaffold_new(args->arg[0], args->arg[1], command_option(args, "title", NULL),
		                  t.date, &a, &path, &next, &e);
	if (ok)
		printf("%s\nnext: %s\n", path, next);
	arena_free(&a);
	return command_end(ok, &e);
}

int command_init(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct today t = today();
	const char *dir = args->arg[0];
	(void)ctx;
	bool ok = blog_start(dir, command_option(args, "title", NULL), t.date, &a, &e);
	if (ok)
		printf("%s: a new blog\n"
		       "next: cd %s && git init && git add -A && git commit -m 'A new blog'\n"
		       "      make bench site    # measures its kernels here, and builds "
		       "build/site\n"
		       "      make serve         # shows it at http://127.0.0.1:8000/\n",
		       dir, dir);
	arena_free(&a);
	return command_end(ok, &e);
}
