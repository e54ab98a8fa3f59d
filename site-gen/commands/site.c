/* Commands about the whole site: build, check, serve, audit, translated. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "site-gen/audit/audit.h"
#include "site-gen/build/build.h"
#include "site-gen/commands/commands.h"
#include "site-gen/commands/second.h"
#include "site-gen/preview/serve.h"
#include "site-gen/commands/spell.h"
#include "site-gen/site/translation.h"
#include "site-gen/site/site.h"

const struct cmd_option command_build_options[] = {
        OPTION_ROOT,
        OPTION_OUT,
        OPTION_CACHE,
        OPTION_DRAFTS,
        OPTION_FUTURE,
        OPTION_STRICT,
        OPTION_WERROR,
        OPTION_EXCERPTS,
        OPTION_JOBS,
        OPTION_QUIET,
        {"whole", 0, CMD_FLAG, NULL, "make every file again, also where nothing has changed"},
        {"no-audit", 0, CMD_FLAG, NULL, "do not derive the numbers of the pages again"},
        {"no-sync", 0, CMD_FLAG, NULL, "do not wait for the disk (for a preview or a test)"},
        OPTION_END,
};

const struct cmd_option command_check_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        OPTION_DRAFTS,
        OPTION_FUTURE,
        OPTION_STRICT,
        OPTION_WERROR,
        OPTION_EXCERPTS,
        OPTION_JOBS,
        OPTION_QUIET,
        {"spell", 0, CMD_STRING, "PROGRAM",
         "check the spelling, too, with 'hunspell -l' for example"},
        OPTION_END,
};

const struct cmd_option command_serve_options[] = {
        OPTION_ROOT,
        {"port", 'p', CMD_INT, "N", "port to listen on (8000; 0: any free one)"},
        {"host", 0, CMD_STRING, "ADDRESS", "address to listen on (127.0.0.1)"},
        {"out", 'o', CMD_STRING, "DIR", "where the preview is built (build/preview)"},
        OPTION_CACHE,
        OPTION_DRAFTS,
        OPTION_FUTURE,
        OPTION_STRICT,
        OPTION_WERROR,
        {"no-follow", 0, CMD_FLAG, NULL, "reload pages, but do not go to the edited one"},
        OPTION_END,
};

const struct cmd_option command_audit_options[] = {
        OPTION_ROOT,
        {"preview", 0, CMD_FLAG, NULL, "accept numbers whose record is not committed"},
        {"against", 0, CMD_STRING, "DIR", "compare with this second build, instead of making one"},
        {"data-only", 0, CMD_FLAG, NULL, "hold the numbers against data/, build nothing"},
        OPTION_DRAFTS,
        OPTION_FUTURE,
        OPTION_JOBS,
        OPTION_QUIET,
        OPTION_END,
};

const struct cmd_option command_translated_options[] = {OPTION_ROOT, OPTION_END};

int command_build(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	char out[PATH_MAX];
	(void)ctx;
	o.out = command_out(args, COMMAND_OUT, out, sizeof out);
	o.write = true;
	o.whole = command_option(args, "whole", NULL);
	o.audit = !command_option(args, "no-audit", NULL);
	o.sync = !command_option(args, "no-sync", NULL);
	return command_enter_root(args) ? build_site(&o, NULL) : 1;
}

/* False if the check could not run, or with --werror if it found a word. */
static bool spell(const char *program, const struct site_options *o)
{
	struct arena a = {0};
	struct problems p = {.arena = &a};
	const struct problems *list = &p;
	struct err e = ERR_NONE;
	bool ok = spell_check(program, &p, stderr, &e);
	problems_print(&list, 1, o->excerpts || isatty(STDERR_FILENO), stderr);
	ok = command_end(ok, &e) == 0 && !problems_any(&p, o->werror);
	arena_free(&a);
	return ok;
}

int command_check(const struct cmd_args *args, void *ctx)
{
	struct site_options o = command_options(args);
	(void)ctx;
	o.audit = args->nargs == 0;
	if (!command_enter_root(args))
		return 1;
	int status = args->nargs > 0 ? build_check_sources(&o, args->arg, (size_t)args->nargs)
	                             : build_site(&o, NULL);
	const char *program = command_option(args, "spell", NULL);
	return program && !spell(program, &o) ? 1 : status;
}

int command_serve(const struct cmd_args *args, void *ctx)
{
	char out[PATH_MAX];
	struct command_serve_options o = {
	        .host = command_option(args, "host", "127.0.0.1"),
	        .out = command_out(args, "build/preview", out, sizeof out),
	        .cache = command_option(args, "cache", COMMAND_CACHE),
	        .port = (int)cmd_option_int(args->cmd, args, "port", 8000),
	        .drafts = command_option(args, "drafts", NULL),
	        .future = command_option(args, "future", NULL),
	        .strict = command_option(args, "strict", NULL),
	        .werror = command_option(args, "werror", NULL),
	        .stay = command_option(args, "no-follow", NULL),
	};
	(void)ctx;
	return command_enter_root(args) ? serve_run(&o) : 1;
}

/* A path that also holds after the repository becomes the current folder; NULL: printed why. */
static const char *absolute(const char *path, char buf[PATH_MAX])
{
	struct err e = ERR_NONE;
	if (realpath(path, buf))
		return buf;
	err_sys(&e, "%s", path);
	fprintf(stderr, "site-gen: %s\n", e.text);
	return NULL;
}

int command_audit(const struct cmd_args *args, void *ctx)
{
	char dir[PATH_MAX], second[PATH_MAX];
	const struct site_options build = command_options(args);
	const char *against = command_option(args, "against", NULL);
	struct command_audit_options o = {.dir = absolute(args->arg[0], dir),
	                                  .preview = command_option(args, "preview", NULL),
	                                  .quiet = build.quiet};
	struct second_options s = {.dir = o.dir,
	                           .drafts = build.drafts,
	                           .future = build.future,
	                           .quiet = build.quiet,
	                           .jobs = build.jobs};
	(void)ctx;
	if (!o.dir || (against && !(s.against = absolute(against, second))) ||
	    !command_enter_root(args))
		return 1;
	int status = audit_run(&o);
	return command_option(args, "data-only", NULL) || second_run(&s) == 0 ? status : 1;
}

int command_translated(const struct cmd_args *args, void *ctx)
{
	int status = command_enter_root(args) ? 0 : 1;
	(void)ctx;
	for (int i = 0; i < args->nargs && status == 0; i++)
		status = translation_mark(args->arg[i]);
	return status;
}
