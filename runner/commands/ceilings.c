/*
 * runner/commands/ceilings.c - `runner ceilings`: measures the most that this device can do,
 * one resource at a time, and records it like any other case.
 */
#include <inttypes.h>
#include <stdio.h>

#include "kernels/ceilings/ceilings.h"
#include "lib/units.h"
#include "runner/commands/commands.h"
#include "runner/measure/session.h"

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        OPTION_GPUS,
        {"launches", 'n', CMD_INT, "N", "processes (default " STR_DIGITS(SETTINGS_LAUNCHES) ")"},
        OPTION_REASON,
        {"out", 'o', CMD_STRING, "DIR", "where run files go (default data/runs)"},
        OPTION_SEED,
        {0},
};

/* Reads selectors of ceilings without select_parse(), whose tables lack their names. */
static bool read_selectors(const struct cmd_args *args, struct arena *a, struct selector **out,
                           struct err *e)
{
	*out = ARENA_ARRAY(a, struct selector, (size_t)args->nargs);
	for (int i = 0; i < args->nargs; i++)
		if (!select_read(args->arg[i], &(*out)[i], e))
			return false;
	return true;
}

bool ceilings_plan(const struct cmd_args *args, enum kernel_where where, enum plan_use use,
                   const struct facts *facts, struct arena *a, struct plan *out, struct err *e)
{
	size_t n;
	struct selector *sel;
	const struct kernel_family *const *f = kernel_ceilings(&n);
	return read_selectors(args, a, &sel, e) &&
	       plan_make_of(f, n, where, use, facts, sel, (size_t)args->nargs, a, out, e);
}

static bool make_plan(const struct cmd_args *args, struct session *s)
{
	const struct cmd *c = &command_ceilings;
	enum kernel_where where;
	struct facts facts;
	int gpus;
	if (!command_gpus(c, args, &gpus, s->e) ||
	    !command_device(cmd_option(c, args, "device"), gpus, &where, &facts, s->e) ||
	    !ceilings_plan(args, where, PLAN_MEASURE, &facts, &s->arena, &s->plan, s->e))
		return false;
	s->plan.set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	s->plan.set.launches = cmd_option_int(c, args, "launches", s->plan.set.launches);
	return settings_launches(s->plan.set.launches, 1, s->e);
}

/* --- output --- */

static void print_case(const struct run *r, const struct run_case *c, struct arena *a)
{
	struct stats_summary t;
	struct unit_text text;
	double v, lo, hi;
	enum metric m = metric_headline(c);
	if (c->unavailable) {
		printf("%-72s unavailable: %s\n", c->id, c->unavailable);
		return;
	}
	if (!record_summary(r, c, a, &t, NULL) || !metric_of(m, c, &t, &v, &lo, &hi)) {
		printf("%-72s no launch passed\n", c->id);
		return;
	}
	unit_format(v, (hi - lo) / 2, metric_info(m)->si, &text);
	printf("%-72s %10s %s", c->id, text.number, text.unit);
	if (t.launches > 1)
		printf(" ± %.2f %%", 100 * stats_halfwidth(&t));
	putchar('\n');
}

/* Prints the median of readings from the calibration, which has measured these ceilings. */
static void print_reading(const char *what, const int64_t *ns, size_t n)
{
	double v[CALIBRATION_SAMPLES];
	for (size_t i = 0; i < n; i++)
		v[i] = (double)ns[i];
	if (n)
		printf("%-72s %10.0f ns\n", what, stats_median(v, n));
}

static void print(struct session *s, const struct run *r)
{
	for (size_t i = 0; i < r->ncases; i++)
		print_case(r, &r->cases[i], &s->arena);
	print_reading("an empty kernel in a stream, event to event", s->cal.empty_kernel_ns,
	              s->cal.nempty_kernel);
	print_reading("a node of a graph of empty kernels", s->cal.graph_node_ns,
	              s->cal.ngraph_node);
	printf("%s\n", s->journal.path);
}

static int measure(const struct cmd_args *args, struct session *s, const struct invocation *inv)
{
	enum { NULLS = 3 };
	const struct cmd *c = &command_ceilings;
	const char *out = cmd_option(c, args, "out"), *reason = cmd_option(c, args, "reason");
	struct session_about about = {
	        .out = out ? out : "data/runs", .reason = reason ? reason : "ceilings", .inv = inv};
	struct run r;
	command_warn_uncommitted();
	if (!make_plan(args, s) || !session_survey(s, NULLS) ||
	    !session_begin(s, &about, (size_t)s->plan.set.launches))
		return command_failed(s->e);
	int64_t i = 0, n = s->plan.set.launches;
	while (i < n && session_launch(s, i, NULL))
		progress_launch(&s->progress, i++, n);
	if (session_end(s, i == n) && session_read(s, &r))
		print(s, &r);
	if (i < n && !s->e->set)
		err_set(s->e, "interrupted in process %" PRId64 ": the file is partial", i + 1);
	return s->e->set ? command_failed(s->e) : s->failed > 0;
}

static int ceilings(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	int status = measure(args, s, ctx);
	session_free(s);
	return status;
}

const struct cmd command_ceilings = {
        .name = "ceilings",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "measure the most that the device can do: the achievable roofs",
        .more = "Memory by working set, by latency and by bytes in flight, arithmetic by\n"
                "intensity, tensor cores, shared memory, atomics, special functions, a barrier\n"
                "over the grid. Launch and graph latencies come from the calibration. On a CPU:\n"
                "memory and arithmetic. 'runner check --ceilings' only checks that they are "
                "right.\n"
                "\n"
                "  runner ceilings\n"
                "  runner ceilings 'ceiling-memory:op=read'",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = ceilings,
};
