/*
 * runner/commands/python.c - `runner python`: checks and measures functions of a file in Python,
 * with the runner's own buffers, checks, stopwatch and record. docs/python.md is the manual.
 */
#include <stdio.h>

#include "runner/commands/commands.h"
#include "runner/measure/session.h"
#include "runner/python/python.h"

enum { NULLS = 3 }; /* null controls, as `runner run` has them */

static const struct cmd_option options[] = {
        {"check", 0, CMD_FLAG, NULL, "check only, and measure nothing"},
        {"verbose", 'v', CMD_FLAG, NULL, "with --check: print a line for each case that passed"},
        OPTION_DEVICE,
        {"launches", 'n', CMD_INT, "N",
         "processes (default " STR_DIGITS(
                 SETTINGS_LAUNCHES) "; with fewer, pages mark numbers as unsteady)"},
        OPTION_REASON,
        {"out", 'o', CMD_STRING, "DIR", "where run files go (default data/runs)"},
        OPTION_SEED,
        {"timeout", 't', CMD_INT, "SECONDS",
         "silence after which a process is killed (default " STR_DIGITS(SETTINGS_TIMEOUT_S) ")"},
        {0},
};

static bool make_plan(const struct cmd_args *args, const struct python_file *f, struct arena *a,
                      struct plan *p, struct err *e)
{
	const struct cmd *c = &command_python;
	const size_t nsel = (size_t)args->nargs - 1;
	struct selector *sel = ARENA_ARRAY(a, struct selector, nsel + 1);
	enum kernel_where where;
	struct facts facts;
	size_t n;
	const struct kernel_family *const *rows = python_families(f, &n);
	for (size_t i = 0; i < nsel; i++)
		if (!select_read(args->arg[i + 1], &sel[i], e))
			return false;
	enum plan_use use = cmd_option(c, args, "check") ? PLAN_CHECK : PLAN_MEASURE;
	if (!command_device(cmd_option(c, args, "device"), 1, &where, &facts, e))
		return false;
	if (facts.pretended)
		return err_set(e, "a pretended device runs no Python: unset RIDGEPOINT_PRETEND");
	if (!plan_make_of(rows, n, where, use, &facts, sel, nsel, a, p, e))
		return false;
	python_complete(f, p);
	p->set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	p->set.launches = cmd_option_int(c, args, "launches", p->set.launches);
	p->set.timeout_s = cmd_option_int(c, args, "timeout", p->set.timeout_s);
	if (p->set.timeout_s < 1)
		return err_set(e, "--timeout: expected at least 1");
	return settings_launches(p->set.launches, 1, e);
}

/* A reference that fails leaves no expected values: the run is worth nothing. */
static bool had_references(const struct python_file *f, struct err *e)
{
	return !python_failed(f) || err_set(e, "%s", python_failed(f));
}

static bool measure(const struct cmd_args *args, const struct python_file *f, struct session *s,
                    const struct invocation *inv)
{
	const struct cmd *c = &command_python;
	const char *out = cmd_option(c, args, "out");
	const struct session_about about = {.out = out ? out : "data/runs",
	                                    .reason = cmd_option(c, args, "reason"),
	                                    .inv = inv};
	int64_t n = s->plan.set.launches, i = 0;
	if (!session_survey(s, NULLS))
		return false;
	if (session_available(s) == 0)
		return err_set(s->e, "%s: %s", s->plan.item[0].id, s->plan.item[0].unavailable);
	command_warn_uncommitted();
	if (!session_begin(s, &about, (size_t)n))
		return false;
	while (i < n && session_launch(s, i, NULL) && had_references(f, s->e))
		progress_launch(&s->progress, i++, n);
	if (session_end_after(s, i, n))
		printf("%s\n", s->journal.path);
	if (s->failed)
		fprintf(stderr, "runner: %zu launches of a case failed; the file says which\n",
		        s->failed);
	return !s->e->set && s->failed == 0;
}

static int python(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	struct python_file *f = NULL;
	bool check = cmd_option(&command_python, args, "check") != NULL;
	bool verbose = cmd_option(&command_python, args, "verbose") != NULL;
	bool ok = python_open(args->arg[0], &s->arena, &f, &e) &&
	          make_plan(args, f, &s->arena, &s->plan, &e) &&
	          (check ? command_check_plan(&s->plan, verbose, true, &s->arena, &e) &&
	                           had_references(f, &e)
	                 : measure(args, f, s, ctx));
	if (f && !e.set)
		ok = had_references(f, &e) && ok;
	if (e.set)
		command_failed(&e);
	python_close(f);
	session_free(s);
	return !ok;
}

const struct cmd command_python = {
        .name = "python",
        .synopsis = "[OPTION...] FILE [SELECTOR...]",
        .help = "check and measure functions of a Python file, and write a run file",
        .more = "FILE registers functions with @ridgepoint.variant(FAMILY): other ways to solve a\n"
                "problem of 'runner list', or one that FILE defines. They get the runner's own\n"
                "buffers, and are checked and timed like kernels in C and CUDA. FILE needs Python\n"
                "alone; it may use PyTorch, Triton, NumPy. docs/python.md has an example.\n"
                "\n"
                "The record names FILE by its blob. Before you publish, commit it, make runner,\n"
                "and measure. RIDGEPOINT_PYTHON names another Python than python3.\n"
                "\n"
                "  runner python --check kernels/saxpy/saxpy.py\n"
                "  runner python kernels/saxpy/saxpy.py 'saxpy/*:n=4194304'",
        .options = options,
        .min_args = 1,
        .max_args = CMD_MAX_ARGS,
        .run = python,
};
