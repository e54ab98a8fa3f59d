/*
 * runner/run.c - `runner run`: survey, then launch after launch, each a walk
 * over all cases in a new random order, into one run file.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "lib/stats.h"
#include "runner/session.h"
#include "runner/shard_run.h"

enum {
	MIN_LAUNCHES = 6, /* fewer give no 95 % interval worth the name */
	NULLS = 3,        /* null controls: the fastest case, the middle, the slowest */
};

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"launches", 'n', CMD_INT, "N", "process launches (default 10; pages call fewer unsteady)"},
        {"budget", 'b', CMD_INT, "SECONDS", "fit into this time; says what is given up"},
        {"reason", 'r', CMD_STRING, "TEXT", "why this run is made; recorded"},
        {"out", 'o', CMD_STRING, "DIR",
         "where run files go (default data/runs; of a shard build/shards)"},
        {"input", 'i', CMD_STRING, "KIND",
         "uniform (default), zeros, normal: but for the first, cases of their own"},
        {"sustained", 0, CMD_FLAG, NULL,
         "after three seconds of load, without a pause: cases of their own, load=sustained"},
        {"unwatched", 0, CMD_FLAG, NULL,
         "ask the driver for no clocks meanwhile: to see whether asking costs time"},
        {"seed", 's', CMD_INT, "N", "seed of order and inputs (default: from the clock)"},
        {"timeout", 't', CMD_INT, "SECONDS",
         "silence after which a process is killed (default 30)"},
        {"dry-run", 0, CMD_FLAG, NULL, "print the plan, measure nothing"},
        {"plan", 'p', CMD_STRING, "FILE", "measure a part of this plan, see 'runner plan'"},
        {"shard", 'k', CMD_INT, "K", "which part, from 1"},
        {0},
};

/* --- the plan --- */

/* How much wider an interval is with n launches than with `all`. */
static double wider(int64_t n, int64_t all)
{
	return stats_t975((size_t)n - 1) / stats_t975((size_t)all - 1) *
	       sqrt((double)all / (double)n);
}

/* Fewer launches if all do not fit; never fewer than give an interval. */
static bool fit_budget(struct session *s, long budget)
{
	struct plan *p = &s->plan;
	double each = plan_launch_seconds(p);
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
	       plan_launch_seconds(p) * (double)p->set.launches, (double)p->memory / (1 << 30));
}

/* Adds load=sustained to every selector; if there is none, to one for all. */
static bool all_sustained(struct selector *sel, size_t *n, struct err *e)
{
	if (*n == 0 && !select_read("*", &sel[(*n)++], e))
		return false;
	for (size_t i = 0; i < *n; i++)
		if (!select_add(&sel[i], "load", "sustained", e))
			return false;
	return true;
}

static bool make_plan(const struct cmd_args *args, struct session *s)
{
	struct err *e = s->e;
	const struct cmd *c = &command_run;
	struct selector *sel;
	enum kernel_where where;
	struct facts facts;
	size_t nsel = (size_t)args->nargs;
	bool sustained = cmd_option(c, args, "sustained");
	if (!parse_selectors(args, &s->arena, &sel, e) ||
	    (sustained && !all_sustained(sel, &nsel, e)) ||
	    !choose_device(cmd_option(c, args, "device"), &where, &facts, e) ||
	    !plan_make(where, PLAN_MEASURE, &facts, sel, nsel, &s->arena, &s->plan, e))
		return false;
	const char *input = cmd_option(c, args, "input");
	if (input && !plan_choose_input(&s->plan, str_of(input), &s->arena, e))
		return false;
	struct settings *set = &s->plan.set;
	set->short_warmup_ms = SHORT_WARMUP_MS;
	set->unwatched = cmd_option(c, args, "unwatched") != NULL;
	set->seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	set->launches = cmd_option_int(c, args, "launches", set->launches);
	set->timeout_s = cmd_option_int(c, args, "timeout", set->timeout_s);
	if (set->launches < 1 || set->launches > 1000 || set->timeout_s < 1)
		return err_set(e, "--launches: expected 1 to 1000, --timeout at least 1");
	return true;
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
		return complain(s->e);
	if (dry) {
		print_plan(s);
		return 0;
	}
	warn_uncommitted();
	if (!session_begin(s, &about, (size_t)s->plan.set.launches))
		return complain(s->e);
	measure_all(s);
	if (s->failed)
		fprintf(stderr, "runner: %zu launches of a case failed; the file says which\n",
		        s->failed);
	return s->e->set ? complain(s->e) : s->failed > 0;
}

/* A shard of a plan: the plan says all but where files go and when to lose patience. */
static int run_shard(const struct cmd_args *args, struct session *s, const struct invocation *inv)
{
	static const char *const planned[] = {"device", "launches",  "budget",
	                                      "reason", "seed",      "dry-run",
	                                      "input",  "sustained", "unwatched"};
	const struct cmd *c = &command_run;
	const char *plan = cmd_option(c, args, "plan"), *out = cmd_option(c, args, "out");
	long shard = cmd_option_int(c, args, "shard", 0);
	long timeout_s = cmd_option_int(c, args, "timeout", settings_default.timeout_s);
	if (!plan || shard == 0)
		err_set(s->e, "--plan FILE and --shard K belong together");
	if (args->nargs > 0)
		err_set(s->e, "--plan: the plan has the selectors");
	for (size_t i = 0; i < sizeof planned / sizeof planned[0]; i++)
		if (cmd_option(c, args, planned[i]))
			err_set(s->e, "--plan: --%s is not for a shard, the plan is fixed",
			        planned[i]);
	if (timeout_s < 1)
		err_set(s->e, "--timeout: expected at least 1");
	if (s->e->set)
		return complain(s->e);
	return shard_run(plan, shard, out ? out : "build/shards", timeout_s, s, inv);
}

static int run(const struct cmd_args *args, void *ctx)
{
	const struct cmd *c = &command_run;
	bool shard = cmd_option(c, args, "plan") || cmd_option(c, args, "shard");
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	int status = shard ? run_shard(args, s, ctx) : run_session(args, s, ctx);
	session_free(s);
	return status;
}

const struct cmd command_run = {
        .name = "run",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "check and measure, and write one new run file",
        .more = "A selector is family/variant:param=value,... with globs; dtype= and cache= "
                "select\n"
                "too. Without one the whole suite of the device is measured. Ctrl-C ends the run\n"
                "and leaves a valid partial file.\n"
                "\n"
                "  runner run\n"
                "  runner run 'transpose/*:dtype=f32,rows=16384' --launches 20\n"
                "  runner run 'gemv/cublas:m=256,load=sustained'\n"
                "  runner run --device cpu --budget 60 --reason 'new compiler'",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = run,
};
