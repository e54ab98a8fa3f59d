/*
 * runner/commands/run.c - `runner run`: measures into one run file. After a survey, it starts
 * one process after the other; each measures all cases in a new random order.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lib/array.h"
#include "lib/stats.h"
#include "lib/ways.h"
#include "runner/commands/commands.h"
#include "runner/commands/shard_run.h"
#include "runner/measure/session.h"
#include "runner/plan/method.h"

enum {
	MIN_LAUNCHES = 6, /* with fewer there is no 95 % interval */
	NULLS = 3,        /* null controls: the fastest case, the middle, the slowest */
};

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        OPTION_GPUS,
        {"launches", 'n', CMD_INT, "N",
         "processes (default " STR_DIGITS(
                 SETTINGS_LAUNCHES) "; with fewer, pages mark numbers as unsteady)"},
        {"budget", 'b', CMD_INT, "SECONDS", "fit into this time, and say what is left out"},
        OPTION_REASON,
        {"out", 'o', CMD_STRING, "DIR",
         "where run files go (default data/runs; for a shard build/shards)"},
        {"input", 'i', CMD_STRING, "KIND",
         "uniform, zeros, normal or full: all but the first make cases of their own (default: full "
         "where arithmetic decides, else uniform)"},
        {"sustained", 0, CMD_FLAG, NULL,
         "measure after three seconds of load: cases of their own, load=sustained"},
        {"steady", 0, CMD_FLAG, NULL,
         "measure one after the other at the power limit: cases of their own, load=steady"},
        {"unwatched", 0, CMD_FLAG, NULL,
         "do not read clocks while measuring: shows whether reading costs time"},
        OPTION_SEED,
        {"timeout", 't', CMD_INT, "SECONDS",
         "silence after which a process is killed (default " STR_DIGITS(SETTINGS_TIMEOUT_S) ")"},
        {"dry-run", 0, CMD_FLAG, NULL, "print the plan, measure nothing"},
        {"plan", 'p', CMD_STRING, "FILE", "measure a part of this plan, see 'runner plan'"},
        {"shard", 'k', CMD_INT, "K", "which part, from 1"},
        {"choices", 0, CMD_STRING, "DIR",
         "where shards share what libraries choose by trying (default: that of --out)"},
        {0},
};

/* --- the plan --- */

/* How much wider an interval is with n processes than with `all`, as a factor. */
static double wider(int64_t n, int64_t all)
{
	return stats_t975((size_t)n - 1) / stats_t975((size_t)all - 1) *
	       sqrt((double)all / (double)n);
}

/* Reduces the number of launches to fit the budget, but not below what an interval needs. */
static bool fit_budget(struct session *s, long budget)
{
	struct plan *p = &s->plan;
	double each = method_launch_seconds(p);
	int64_t fit = (int64_t)((double)budget / each);
	if (budget == 0 || fit >= p->set.launches)
		return true;
	if (fit < MIN_LAUNCHES)
		return err_set(
		        s->e,
		        "--budget %ld: %zu cases need about %.0f s a launch and %d launches; "
		        "select fewer cases",
		        budget, session_available(s), each, MIN_LAUNCHES);
	fprintf(stderr,
	        "budget %ld s: %" PRId64 " of %" PRId64
	        " launches are given up; intervals are about %.1f times as wide\n",
	        budget, p->set.launches - fit, p->set.launches, wider(fit, p->set.launches));
	p->set.launches = fit;
	return true;
}

static void print_plan(const struct session *s)
{
	const struct plan *p = &s->plan;
	for (size_t i = 0; i < p->n; i++) {
		const struct item *it = &p->item[i];
		if (it->unavailable)
			printf("%-70s unavailable: %s\n", it->id, it->unavailable);
		else
			printf("%-70s %10.1f us  %-6s x%-5" PRId64 " %zu sets\n", it->id,
			       (double)it->call_ns * 1e-3, timer_name(it->timer), it->batch,
			       it->sets);
	}
	printf("%zu cases, %" PRId64 " launches, about %.0f s, %.1f GiB of memory\n",
	       session_available(s), p->set.launches,
	       method_launch_seconds(p) * (double)p->set.launches, (double)p->memory / (1 << 30));
}

/* Adds a condition to every selector; without selectors, to a new one that matches all. */
static bool add_to_all(const struct ways_key *key, const char *words, struct selector *sel,
                       size_t *n, struct err *e)
{
	if (words && *n == 0 && !select_read("*", &sel[(*n)++], e))
		return false;
	for (size_t i = 0; words && i < *n; i++)
		if (!select_add(&sel[i], key->name, words, e))
			return false;
	return true;
}

/* Adds the loads and the inputs that options ask for. */
static bool add_ways(const struct cmd_args *args, struct selector *sel, size_t *n, struct arena *a,
                     struct err *e)
{
	const struct ways_key *load = &ways_keys[WAYS_LOAD];
	const char *words = NULL;
	for (int i = WAY_SUSTAINED; i <= WAY_STEADY; i++)
		if (cmd_option(&command_run, args, load->word[i]))
			words = words ? arena_printf(a, "{%s,%s}", words, load->word[i])
			              : load->word[i];
	return add_to_all(load, words, sel, n, e) &&
	       add_to_all(&ways_keys[WAYS_INPUT], cmd_option(&command_run, args, "input"), sel, n,
	                  e);
}

static bool make_plan(const struct cmd_args *args, struct session *s)
{
	struct err *e = s->e;
	const struct cmd *c = &command_run;
	struct selector *sel;
	enum kernel_where where;
	struct facts facts;
	int gpus;
	size_t nsel = (size_t)args->nargs;
	if (!command_selectors(args, &s->arena, &sel, e) ||
	    !add_ways(args, sel, &nsel, &s->arena, e) || !command_gpus(c, args, &gpus, e) ||
	    !command_device(cmd_option(c, args, "device"), gpus, &where, &facts, e) ||
	    !plan_make(where, PLAN_MEASURE, &facts, sel, nsel, &s->arena, &s->plan, e))
		return false;
	struct settings *set = &s->plan.set;
	set->short_warmup_ms = SHORT_WARMUP_MS;
	set->unwatched = cmd_option(c, args, "unwatched") != NULL;
	set->seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	set->launches = cmd_option_int(c, args, "launches", set->launches);
	set->timeout_s = cmd_option_int(c, args, "timeout", set->timeout_s);
	if (set->timeout_s < 1)
		return err_set(e, "--timeout: expected at least 1");
	return settings_launches(set->launches, 1, e);
}

/* --- the whole --- */

static void measure_all(struct session *s)
{
	int64_t n = s->plan.set.launches, i = 0;
	while (i < n && session_launch(s, i, NULL)) {
		progress_launch(&s->progress, i, n);
		i++;
	}
	if (session_end_after(s, i, n))
		printf("%s\n", s->journal.path);
}

static int run_session(const struct cmd_args *args, struct session *s, const struct invocation *inv)
{
	const struct cmd *c = &command_run;
	const char *out = cmd_option(c, args, "out");
	struct session_about about = {.out = out ? out : "data/runs",
	                              .reason = cmd_option(c, args, "reason"),
	                              .inv = inv};
	bool dry = cmd_option(c, args, "dry-run") != NULL;
	if (!make_plan(args, s) || !(dry ? session_look(s, NULLS) : session_survey(s, NULLS)) ||
	    !fit_budget(s, cmd_option_int(c, args, "budget", 0)))
		return command_failed(s->e);
	if (dry) {
		print_plan(s);
		return 0;
	}
	command_warn_uncommitted();
	if (!session_begin(s, &about, (size_t)s->plan.set.launches))
		return command_failed(s->e);
	measure_all(s);
	if (s->failed)
		fprintf(stderr, "runner: %zu launches of a case failed; the file says which\n",
		        s->failed);
	return s->e->set ? command_failed(s->e) : s->failed > 0;
}

/* Runs a shard. The plan determines everything but the output folder and the timeout. */
static int run_shard(const struct cmd_args *args, struct session *s, const struct invocation *inv)
{
	static const char *const planned[] = {"device", "launches",  "budget", "reason",
	                                      "seed",   "dry-run",   "input",  "sustained",
	                                      "steady", "unwatched", "gpus"};
	const struct cmd *c = &command_run;
	const char *plan = cmd_option(c, args, "plan"), *out = cmd_option(c, args, "out");
	long shard = cmd_option_int(c, args, "shard", 0);
	long timeout_s = cmd_option_int(c, args, "timeout", settings_default.timeout_s);
	if (!plan || shard == 0)
		err_set(s->e, "--plan FILE and --shard K belong together");
	if (args->nargs > 0)
		err_set(s->e, "--plan: the plan has the selectors");
	for (size_t i = 0; i < ARRAY_LEN(planned); i++)
		if (cmd_option(c, args, planned[i]))
			err_set(s->e, "--plan: --%s is not for a shard, the plan is fixed",
			        planned[i]);
	if (timeout_s < 1)
		err_set(s->e, "--timeout: expected at least 1");
	if (s->e->set)
		return command_failed(s->e);
	const struct shard_task task = {plan, shard, out ? out : "build/shards",
	                                cmd_option(c, args, "choices"), timeout_s};
	return shard_run(&task, s, inv);
}

static int run(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &command_run;
	bool shard = cmd_option(c, args, "plan") || cmd_option(c, args, "shard") ||
	             cmd_option(c, args, "choices");
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	int status = shard ? run_shard(args, s, ctx) : run_session(args, s, ctx);
	session_free(s);
	return status;
}

const struct cmd command_run = {
        .name = "run",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "check and measure, and write a new run file",
        .more = "A selector is family/variant:param=value,... with globs; dtype= and cache= are\n"
                "keys, too. Without one the whole suite of the device is measured. Ctrl-C ends\n"
                "the run and leaves a valid partial file. docs/measuring.md explains the method.\n"
                "\n"
                "  runner run\n"
                "  runner run 'transpose/*:dtype=f32,rows=16384' --launches 20\n"
                "  runner run 'gemv/cublas:m=256,load=sustained'\n"
                "  runner run --device cpu --budget 60 --reason 'new compiler'",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = run,
};
