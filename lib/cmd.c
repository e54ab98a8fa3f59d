#include "lib/cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmd_inner.h"
#include "lib/str.h"

enum { USAGE = 2 };

static const struct cmd_option help_option = {"help", 'h', CMD_FLAG, NULL, "show this help"};

static void print_options(const struct cmd_option *o)
{
	for (; o && o->name; o++) {
		char left[64];
		snprintf(left, sizeof left, "%c%c%s --%s%s%s", o->letter ? '-' : ' ',
		         o->letter ? o->letter : ' ', o->letter ? "," : " ", o->name,
		         o->value ? "=" : "", o->value ? o->value : "");
		printf("  %-28s %s\n", left, o->help);
	}
}

static int help_command(const char *program, const struct cmd *c)
{
	printf("usage: %s %s %s\n\n%s\n\noptions:\n", program, c->name, c->synopsis, c->help);
	print_options(c->options);
	struct cmd_option last[] = {help_option, {0}};
	print_options(last);
	if (c->more)
		printf("\n%s\n", c->more);
	return 0;
}

static int help_all(const char *program, const char *about, const struct cmd *t, int n)
{
	printf("usage: %s COMMAND [OPTION...]\n\n%s\n\ncommands:\n", program, about);
	for (int i = 0; i < n; i++)
		printf("  %-12s %s\n", t[i].name, t[i].help);
	printf("\n'%s COMMAND --help' explains one; '%s man' prints the manual page,\n"
	       "'%s completion bash' (zsh, fish) what a shell completes.\n",
	       program, program, program);
	return 0;
}

/* `c`: the command whose help to suggest; NULL for the program's. */
static int usage(const char *program, const struct cmd *c, const char *what, const char *given,
                 const char *nearest)
{
	fprintf(stderr, "%s: %s '%s'", program, what, given);
	if (nearest)
		fprintf(stderr, ", did you mean '%s'?", nearest);
	fprintf(stderr, " (see '%s %s%s--help')\n", program, c ? c->name : "", c ? " " : "");
	return USAGE;
}

static const struct cmd *find(const struct cmd *t, int n, const char *name, const char **nearest)
{
	size_t best = 3;
	for (int i = 0; i < n; i++) {
		if (strcmp(t[i].name, name) == 0)
			return &t[i];
		size_t d = str_distance(str_of(t[i].name), str_of(name), best);
		if (d < best) {
			best = d;
			*nearest = t[i].name;
		}
	}
	return NULL;
}

/* The option named by --NAME or -L, or -1. */
static int option_index(const struct cmd *c, struct str name, bool is_long, const char **nearest)
{
	size_t best = 4;
	for (int i = 0; c->options && c->options[i].name; i++) {
		const struct cmd_option *o = &c->options[i];
		if (is_long ? str_is(name, o->name) : name.p[0] == o->letter)
			return i;
		size_t d = is_long ? str_distance(str_of(o->name), name, best) : best;
		if (d < best) {
			best = d;
			*nearest = o->name;
		}
	}
	return -1;
}

static bool is_count(const char *s)
{
	int64_t v;
	return str_i64(str_of(s), &v) && v >= 0;
}

/* Parses the option at argv[*i]. Returns 0, or the exit status. */
static int parse_option(const char *program, const struct cmd *c, char **argv, int argc, int *i,
                        struct cmd_args *args)
{
	const char *arg = argv[*i], *nearest = NULL, *value = NULL;
	bool is_long = arg[1] == '-';
	struct str name = str_of(arg + (is_long ? 2 : 1)), tail;
	if (is_long && str_cut(name, '=', &name, &tail))
		value = tail.p;
	if (!is_long && name.n > 1) {
		value = name.p + 1;
		name.n = 1;
	}
	int k = option_index(c, name, is_long, &nearest);
	if (k < 0)
		return usage(program, c, "unknown option", arg, nearest);
	const struct cmd_option *o = &c->options[k];
	if (o->kind == CMD_FLAG && value)
		return usage(program, c, "no value expected after", o->name, NULL);
	if (o->kind != CMD_FLAG && !value && *i + 1 >= argc)
		return usage(program, c, "a value is expected after", arg, NULL);
	if (o->kind != CMD_FLAG && !value)
		value = argv[++*i];
	if (o->kind == CMD_INT && !is_count(value))
		return usage(program, c, "a whole number is expected, not", value, NULL);
	args->option[k] = value ? value : "";
	return 0;
}

static int parse_and_run(const char *program, const struct cmd *c, int argc, char **argv, void *ctx)
{
	struct cmd_args args = {.cmd = c};
	bool options = true;
	for (int i = 0; i < argc; i++) {
		if (options && strcmp(argv[i], "--") == 0) {
			options = false;
			continue;
		}
		if (options && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0))
			return help_command(program, c);
		if (options && argv[i][0] == '-' && argv[i][1]) {
			int status = parse_option(program, c, argv, argc, &i, &args);
			if (status)
				return status;
			continue;
		}
		if (args.nargs == c->max_args || args.nargs == CMD_MAX_ARGS)
			return usage(program, c, "unexpected argument", argv[i], NULL);
		args.arg[args.nargs++] = argv[i];
	}
	if (args.nargs < c->min_args)
		return usage(program, c, "arguments are missing, expected", c->synopsis, NULL);
	return c->run(&args, ctx);
}

/* The commands that every program has: help, man, completion. False: `name` is another. */
static bool print_docs(const struct cmd_program *p, const char *name, const char *shell,
                       int *status)
{
	struct sb text = {0};
	bool completion = strcmp(name, "completion") == 0;
	if (!completion && strcmp(name, "man") != 0)
		return false;
	*status = 0;
	if (!completion)
		cmd_man(p, &text);
	else if (!shell || !cmd_completion(p, shell, &text)) {
		fprintf(stderr, "usage: %s completion bash|zsh|fish\n", p->name);
		*status = USAGE;
	}
	fputs(text.p ? text.p : "", stdout);
	sb_free(&text);
	return true;
}

/*
 * Flushes stdout. If any output was lost, for example on a full disk, prints one line to stderr and
 * turns status 0 into 1.
 */
static int finish(const char *program, int status)
{
	errno = 0;
	bool lost = ferror(stdout) != 0;
	if (fflush(stdout) != 0)
		lost = true;
	if (!lost)
		return status;
	fprintf(stderr, "%s: cannot write all of the output%s%s\n", program, errno ? ": " : "",
	        errno ? strerror(errno) : "");
	return status ? status : 1;
}

static int dispatch(const char *program, const char *about, const struct cmd *table, int ncmds,
                    int argc, char **argv, void *ctx)
{
	if (argc < 2) {
		fprintf(stderr, "%s: no command (see '%s --help')\n", program, program);
		return USAGE;
	}
	const char *name = argv[1], *nearest = NULL;
	bool help = strcmp(name, "help") == 0;
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || (help && argc == 2))
		return help_all(program, about, table, ncmds);
	if (help)
		name = argv[2];
	const struct cmd_program self = {program, about, table, ncmds};
	int status;
	const struct cmd *c = find(table, ncmds, name, &nearest);
	if (!c && !help && print_docs(&self, name, argc > 2 ? argv[2] : NULL, &status))
		return status;
	if (!c)
		return usage(program, NULL, "unknown command", name, nearest);
	return help ? help_command(program, c) : parse_and_run(program, c, argc - 2, argv + 2, ctx);
}

int cmd_main(const char *program, const char *about, const struct cmd *table, int ncmds, int argc,
             char **argv, void *ctx)
{
	signal(SIGCHLD, SIG_DFL); /* a parent may have ignored it, and then waitpid() would fail */
	return finish(program, dispatch(program, about, table, ncmds, argc, argv, ctx));
}

const char *cmd_option(const struct cmd *c, const struct cmd_args *args, const char *name)
{
	for (int i = 0; c->options && c->options[i].name; i++)
		if (strcmp(c->options[i].name, name) == 0)
			return args->option[i];
	fprintf(stderr, "command '%s' has no option '%s'\n", c->name, name);
	abort();
}

long cmd_option_int(const struct cmd *c, const struct cmd_args *args, const char *name,
                    long otherwise)
{
	const char *v = cmd_option(c, args, name);
	return v ? strtol(v, NULL, 10) : otherwise;
}
