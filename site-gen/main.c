/*
 * site-gen: the program that makes the pages. To add a command: a function, a
 * row in `commands`, its options as a table.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/cmd.h"
#include "site-gen/audit.h"
#include "site-gen/build.h"
#include "site-gen/serve.h"
#include "site-gen/translation.h"

static const char *const default_out = "build/site";
static const char *const default_cache = "build/cache";

/* Rows that several commands share. */
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

static const struct cmd_option build_options[] = {
        OPTION_ROOT,
        OPTION_OUT,
        OPTION_CACHE,
        OPTION_DRAFTS,
        OPTION_STRICT,
        OPTION_JOBS,
        OPTION_QUIET,
        {"no-sync", 0, CMD_FLAG, NULL, "do not wait for the disk (a preview, a test)"},
        OPTION_END,
};

static const struct cmd_option check_options[] = {
        OPTION_ROOT, OPTION_CACHE, OPTION_DRAFTS, OPTION_STRICT,
        OPTION_JOBS, OPTION_QUIET, OPTION_END,
};

static const struct cmd_option serve_options[] = {
        OPTION_ROOT,
        {"port", 'p', CMD_INT, "N", "port to listen on (8000; 0: any free one)"},
        {"host", 0, CMD_STRING, "ADDRESS", "address to listen on (127.0.0.1)"},
        {"out", 'o', CMD_STRING, "DIR", "where the preview is built (build/preview)"},
        OPTION_CACHE,
        OPTION_DRAFTS,
        OPTION_STRICT,
        OPTION_END,
};

static const struct cmd_option explain_options[] = {
        OPTION_ROOT,
        OPTION_CACHE,
        {"device", 'D', CMD_STRING, "NAME", "default device (the site's)"},
        OPTION_END,
};

static const struct cmd_option translated_options[] = {OPTION_ROOT, OPTION_END};

static const struct cmd_option audit_options[] = {
        OPTION_ROOT,
        {"preview", 0, CMD_FLAG, NULL, "numbers whose record is not committed are no findings"},
        OPTION_QUIET,
        OPTION_END,
};

static int run_build(const struct cmd_args *args, void *ctx);
static int run_audit(const struct cmd_args *args, void *ctx);
static int run_serve(const struct cmd_args *args, void *ctx);
static int run_check(const struct cmd_args *args, void *ctx);
static int run_explain(const struct cmd_args *args, void *ctx);
static int run_translated(const struct cmd_args *args, void *ctx);

enum { CMD_BUILD, CMD_SERVE, CMD_CHECK, CMD_EXPLAIN, CMD_TRANSLATED, CMD_AUDIT };

static const struct cmd commands[] = {
        [CMD_BUILD] = {"build", "[OPTION...]", "build the site",
                       "Builds content/, templates/, static/ and data/ into build/site. The new "
                       "site appears at once,\nand only if there is no problem at all; files whose "
                       "bytes are the same keep their times.",
                       build_options, 0, 0, run_build},
        [CMD_SERVE] = {"serve", "[OPTION...]", "preview that follows every saved file",
                       "Builds into build/preview, serves it, and builds again and reloads the "
                       "browser when a source changes.\nA build that fails shows its problems in "
                       "place of the pages.",
                       serve_options, 0, 0, run_serve},
        [CMD_CHECK] = {"check", "[OPTION...]", "find every problem, write nothing",
                       "Does all that build does, and prints all problems, but publishes nothing.",
                       check_options, 0, 0, run_check},
        [CMD_EXPLAIN] = {"explain", "[OPTION...] PLACEHOLDER", "what stands behind a number",
                         "Prints the cases a placeholder comes from: values with their intervals, "
                         "launches, conditions, state,\nfile and sources, and the command that "
                         "measures them again.\n\n"
                         "  site-gen explain 'value transpose/naive rows=16384 dtype=f32'",
                         explain_options, 1, 1, run_explain},
        [CMD_TRANSLATED] = {"translated", "[OPTION...] FILE...",
                            "a translation has followed its original",
                            "Writes the blob id of the original as it is now into the front "
                            "matter of each translation, and prints\nwhat has changed since the "
                            "last time: read that first.\n\n"
                            "  site-gen translated content/posts/tiles.zh.md",
                            translated_options, 1, CMD_MAX_ARGS, run_translated},
        [CMD_AUDIT] =
                {"audit", "[OPTION...] DIR", "hold a published site against the records",
                 "Reads the pages under DIR and data/, and nothing else: derives every number "
                 "again from the raw samples,\nlooks for performance numbers in other text, "
                 "and compares each file with the manifest. Every difference is a\nline "
                 "with its place; the exit status is 1 if there is any.\n\n"
                 "  site-gen audit build/site",
                 audit_options, 1, 1, run_audit},
};
enum { NCOMMANDS = sizeof commands / sizeof *commands };

static const char * or (const char *value, const char *otherwise)
{
	return value ? value : otherwise;
}

/* --out without the slash that shells put at its end. */
static const char *out_folder(const char *value, const char *otherwise, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s", value ? value : otherwise);
	while (n > 1 && (size_t)n < size && buf[n - 1] == '/')
		buf[--n] = 0;
	return buf;
}

/* Goes to the repository's root: all paths are from there. */
static bool enter_root(const struct cmd *c, const struct cmd_args *args)
{
	const char *root = cmd_option(c, args, "root");
	if (!root || chdir(root) == 0)
		return true;
	fprintf(stderr, "site-gen: ");
	perror(root);
	return false;
}

static struct site_options common_options(const struct cmd *c, const struct cmd_args *args)
{
	return (struct site_options){
	        .out = default_out,
	        .cache = or (cmd_option(c, args, "cache"), default_cache),
	        .drafts = cmd_option(c, args, "drafts"),
	        .strict = cmd_option(c, args, "strict"),
	        .quiet = cmd_option(c, args, "quiet"),
	        .jobs = (int)cmd_option_int(c, args, "jobs", 0),
	};
}

static int run_build(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &commands[CMD_BUILD];
	struct site_options o = common_options(c, args);
	char out[PATH_MAX];
	(void)ctx;
	o.out = out_folder(cmd_option(c, args, "out"), default_out, out, sizeof out);
	o.write = true;
	o.sync = !cmd_option(c, args, "no-sync");
	return enter_root(c, args) ? build_site(&o, NULL) : 1;
}

static int run_check(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &commands[CMD_CHECK];
	struct site_options o = common_options(c, args);
	(void)ctx;
	return enter_root(c, args) ? build_site(&o, NULL) : 1;
}

static int run_serve(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &commands[CMD_SERVE];
	char out[PATH_MAX];
	struct serve_options o = {
	        .host = or (cmd_option(c, args, "host"), "127.0.0.1"),
	        .out = out_folder(cmd_option(c, args, "out"), "build/preview", out, sizeof out),
	        .cache = or (cmd_option(c, args, "cache"), default_cache),
	        .port = (int)cmd_option_int(c, args, "port", 8000),
	        .drafts = cmd_option(c, args, "drafts"),
	        .strict = cmd_option(c, args, "strict"),
	};
	(void)ctx;
	return enter_root(c, args) ? serve_run(&o) : 1;
}

static int run_audit(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &commands[CMD_AUDIT];
	struct audit_options o = {.root = cmd_option(c, args, "root"),
	                          .dir = args->arg[0],
	                          .preview = cmd_option(c, args, "preview"),
	                          .quiet = cmd_option(c, args, "quiet")};
	(void)ctx;
	return audit_run(&o);
}

/* The placeholder with its brackets, which may be left out on a command line. */
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
	struct expand_ctx ctx = {.data = &s->data,
	                         .device = or (device, s->data.default_device),
	                         .base = "",
	                         .arena = s->arena,
	                         .plot_cache = s->plot_cache};
	bool ok = placeholder_parse(bracketed(arg, s->arena), (struct loc){0}, &p, e) &&
	          expand_explain(&ctx, &p, &out, e);
	if (ok)
		fputs(out.p, stdout);
	sb_free(&out);
	return ok;
}

static int run_explain(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &commands[CMD_EXPLAIN];
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct site s = {.arena = &a};
	s.options.cache = or (cmd_option(c, args, "cache"), default_cache);
	(void)ctx;
	bool ok = enter_root(c, args);
	if (ok && !explain(&s, cmd_option(c, args, "device"), args->arg[0], &e)) {
		fprintf(stderr, "site-gen: %s\n", e.text);
		ok = false;
	}
	git_close(s.git);
	arena_free(&a);
	return ok ? 0 : 1;
}

static int run_translated(const struct cmd_args *args, void *ctx)
{
	int status = enter_root(&commands[CMD_TRANSLATED], args) ? 0 : 1;
	(void)ctx;
	for (int i = 0; i < args->nargs && status == 0; i++)
		status = translation_mark(args->arg[i]);
	return status;
}

int main(int argc, char **argv)
{
	return cmd_main("site-gen", "Turns posts and measured records into a static site.",
	                commands, NCOMMANDS, argc, argv, NULL);
}
