#include "site-gen/commands/commands.h"
#include "site-gen/site/site.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool has(const struct cmd *c, const char *name)
{
	for (const struct cmd_option *o = c->options; o && o->name; o++)
		if (strcmp(o->name, name) == 0)
			return true;
	return false;
}

const char *command_option(const struct cmd_args *args, const char *name, const char *otherwise)
{
	const char *value = has(args->cmd, name) ? cmd_option(args->cmd, args, name) : NULL;
	return value ? value : otherwise;
}

bool command_enter_root(const struct cmd_args *args)
{
	const char *root = command_option(args, "root", NULL);
	if (!root || chdir(root) == 0)
		return true;
	fprintf(stderr, "site-gen: ");
	perror(root);
	return false;
}

const char *command_out(const struct cmd_args *args, const char *otherwise, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s", command_option(args, "out", otherwise));
	while (n > 1 && (size_t)n < size && buf[n - 1] == '/')
		buf[--n] = 0;
	return buf;
}

struct site_options command_options(const struct cmd_args *args)
{
	return (struct site_options){
	        .out = COMMAND_OUT,
	        .cache = command_option(args, "cache", COMMAND_CACHE),
	        .drafts = command_option(args, "drafts", NULL),
	        .future = command_option(args, "future", NULL),
	        .strict = command_option(args, "strict", NULL),
	        .werror = command_option(args, "werror", NULL),
	        .excerpts = command_option(args, "excerpts", NULL),
	        .quiet = command_option(args, "quiet", NULL),
	        .jobs = has(args->cmd, "jobs") ? (int)cmd_option_int(args->cmd, args, "jobs", 0)
	                                       : 0,
	};
}

int command_end(bool ok, const struct err *e)
{
	if (e->set)
		fprintf(stderr, "site-gen: %s\n", e->text);
	return ok ? 0 : 1;
}
