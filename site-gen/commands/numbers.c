/* Commands about numbers: explain, why, query, note, diff. */
#include <stdio.h>

#include "site-gen/build/build.h"
#include "site-gen/commands/explain.h"
#include "site-gen/commands/query_command.h"
#include "site-gen/commands/commands.h"
#include "site-gen/commands/diff.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/records/launches.h"
#include "site-gen/build/note.h"
#include "site-gen/commands/why.h"
#include "site-gen/site/site.h"

const struct cmd_option command_explain_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        {"device", 'D', CMD_STRING, "NAME", "default device (the site's)"},
        OPTION_END,
};

const struct cmd_option command_note_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        {"reason", 'r', CMD_STRING, "WHY", "why digits changed without a new run; readers see it"},
        {"begin", 0, CMD_FLAG, NULL, "begin the log anew: a fork shows it to its own readers"},
        OPTION_JOBS,
        OPTION_QUIET,
        OPTION_END,
};

const struct cmd_option command_why_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        OPTION_JOBS,
        OPTION_END,
};

const struct cmd_option command_query_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        {"device", 'D', CMD_STRING, "NAME", "device whose cases are listed (the site's)"},
        {"post", 0, CMD_STRING, "SLUG", "list the numbers that this post or page shows"},
        {"cases", 0, CMD_FLAG, NULL, "with --post: and the run, commit and case of each"},
        OPTION_JOBS,
        OPTION_END,
};

const struct cmd_option command_diff_options[] = {
        OPTION_ROOT, OPTION_CACHE,
        OPTION_JOBS, {"json", 0, CMD_FLAG, NULL, "print one JSON object a line"},
        OPTION_END,
};

/* Adds the placeholder's brackets, which are optional on a command line. */
static struct str bracketed(const char *arg, struct arena *a)
{
	return str_of(str_starts(str_of(arg), "<<") ? arg : arena_printf(a, "<<bench:%s>>", arg));
}

static bool explain(struct site *s, const char *device, const char *arg, struct err *e)
{
	struct placeholder p;
	struct sb out = {0};
	if (!build_load_data(s, e))
		return false;
	struct expand_ctx ctx = {.data = s->data,
	                         .device = device ? device : s->data->default_device,
	                         .base = "",
	                         .arena = s->arena,
	                         .plots = s->plots,
	                         .cache = s->options.cache};
	bool ok = placeholder_parse(bracketed(arg, s->arena), (struct loc){0}, &p, e) &&
	          explain_placeholder(&ctx, &p, &out, e);
	if (ok)
		fputs(out.p, stdout);
	sb_free(&out);
	return ok;
}

int command_explain(const struct cmd_args *args, void *ctx)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct site s = {.options = command_options(args), .arena = &a};
	(void)ctx;
	bool ok = command_enter_root(args) &&
	          explain(&s, command_option(args, "device", NULL), args->arg[0], &e) &&
	          git_sound(s.repo.git, &e) && launches_sound(s.data, &e);
	git_close(s.repo.git);
	if (s.data)
		launches_close(s.data);
	arena_free(&a);
	return command_end(ok, &e);
}

int command_note(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	(void)ctx;
	return command_enter_root(args) ? note_run(&o, command_option(args, "reason", NULL),
	                                           command_option(args, "begin", NULL))
	                                : 1;
}

int command_why(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	(void)ctx;
	o.drafts = o.future = true; /* authors ask while they write */
	return command_enter_root(args) ? why_run(&o, args->arg[0]) : 1;
}

int command_query(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	const char *post = command_option(args, "post", NULL);
	(void)ctx;
	if (!command_enter_root(args))
		return 1;
	return post ? query_command_post(&o, post, command_option(args, "cases", NULL))
	            : query_command_list(&o, args->nargs ? args->arg[0] : NULL,
	                                 command_option(args, "device", NULL));
}

int command_diff(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	(void)ctx;
	return command_enter_root(args)
	               ? diff_run(&o, args->arg[0], command_option(args, "json", NULL))
	               : 2;
}
