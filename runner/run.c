/*
 * runner/run.c - `runner run`: survey, then launch after launch, each a walk
 * over all cases in a new random order, into one run file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/commands.h"
#include "runner/head.h"
#include "runner/journal.h"
#include "runner/survey.h"

enum {
	MIN_LAUNCHES = 6, /* fewer give no 95 % interval worth the name */
	MAX_TIMEOUTS = 2, /* then the case is skipped */
};

struct session {
	struct plan plan;
	struct signals sig;
	struct progress progress;
	struct journal journal;
	struct arena arena, launch_arena;
	struct err *e;
	int64_t start_ns;
	size_t failed;
};

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"launches", 'n', CMD_INT, "N", "process launches (default 10)"},
        {"budget", 'b', CMD_INT, "SECONDS", "fit into this time; says what is given up"},
        {"reason", 'r', CMD_STRING, "TEXT", "why this run is made; recorded"},
        {"out", 'o', CMD_STRING, "DIR", "where run files go (default data/runs)"},
        {"seed", 's', CMD_INT, "N", "seed of order and inputs (default: from the clock)"},
        {"timeout", 't', CMD_INT, "SECONDS",
         "silence after which a process is killed (default 30)"},
        {"dry-run", 0, CMD_FLAG, NULL, "print the plan, measure nothing"},
        {0},
};

/* --- a launch --- */

static void item_begins(void *ctx, const struct walk *w, size_t at)
{
	struct session *s = ctx;
	progress_item(&s->progress, w->plan->item[w->order[at]].id, at, w->n, w->launch,
	              s->plan.set.launches);
}

static void record(struct session *s, struct str line)
{
	if (!s->e->set)
		journal_put(&s->journal, line, s->e);
}

/* A launch whose process died has no record of its own: this one says so. */
static void record_dead(struct session *s, const struct walk *w, const struct step *st)
{
	struct sb line = {0};
	struct run_launch l = {
	        .case_id = st->item->id,
	        .i = w->launch,
	        .at = (int64_t)st->at,
	        .pid = st->pid,
	        .t_ms = st->t_ms,
	        .seed = (int64_t)plan_input_seed(s->plan.set.seed, w->launch, 0),
	        .status = st->out.status,
	        .batch = st->item->batch,
	};
	nvml_clear(&l);
	record_put_launch(&line, &l);
	record(s, sb_view(&line));
	sb_free(&line);
}

static void item_done(void *ctx, const struct walk *w, const struct step *st)
{
	struct session *s = ctx;
	s->progress.done++;
	if (st->line)
		record(s, (struct str){st->line, st->line_n});
	else
		record_dead(s, w, st);
	if (strcmp(st->out.status, "ok") == 0)
		return;
	s->failed++;
	s->plan.item[st->item - s->plan.item].timeouts += strcmp(st->out.status, "timeout") == 0;
	progress_say(&s->progress, "%s: %s: %s", st->item->id, st->out.status, st->out.why);
}

/* Items of this launch in their order; what hung too often is only recorded. */
static size_t launch_order(struct session *s, int64_t launch, size_t *order)
{
	size_t *all = ARENA_ARRAY(&s->launch_arena, size_t, s->plan.n), n = 0;
	plan_order(s->plan.set.seed, launch, all, s->plan.n);
	for (size_t i = 0; i < s->plan.n; i++) {
		const struct item *it = &s->plan.item[all[i]];
		if (it->unavailable)
			continue;
		if (it->timeouts < MAX_TIMEOUTS) {
			order[n++] = all[i];
			continue;
		}
		struct walk w = {.launch = launch};
		struct step st = {.item = it, .pid = getpid(), .out = {.status = "skipped"}};
		record_dead(s, &w, &st);
		s->progress.done++;
	}
	return n;
}

static bool do_launch(struct session *s, int64_t launch)
{
	arena_reset(&s->launch_arena);
	size_t *order = ARENA_ARRAY(&s->launch_arena, size_t, s->plan.n);
	size_t n = launch_order(s, launch, order);
	struct walk w = {
	        .mode = WALK_MEASURE,
	        .plan = &s->plan,
	        .expected = expected_make(&s->plan, launch, CHECK_TERMS_RUN, machine_threads(),
	                                  &s->launch_arena),
	        .order = order,
	        .n = n,
	        .launch = launch,
	        .start_ns = s->start_ns,
	        .signals = &s->sig,
	        .begin = item_begins,
	        .done = item_done,
	        .ctx = s,
	};
	bool whole = walk_run(&w, s->e);
	if (!s->e->set)
		journal_sync(&s->journal, s->e);
	if (whole)
		progress_launch(&s->progress, launch, s->plan.set.launches);
	return whole && !s->e->set;
}

/* --- the plan --- */

static size_t available(const struct plan *p)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		n += p->item[i].unavailable == NULL;
	return n;
}

/* Fewer launches if all do not fit; never fewer than give an interval. */
static bool fit_budget(struct plan *p, long budget, struct err *e)
{
	double each = plan_launch_seconds(p);
	int64_t fit = (int64_t)((double)budget / each);
	if (budget == 0 || fit >= p->set.launches)
		return true;
	if (fit < MIN_LAUNCHES)
		return err_set(
		        e,
		        "--budget %ld: %zu cases need about %.0f s a launch and %d launches; "
		        "select fewer cases",
		        budget, available(p), each, MIN_LAUNCHES);
	fprintf(stderr, "budget %ld s: %" PRId64 " of %" PRId64 " launches are given up\n", budget,
	        p->set.launches - fit, p->set.launches);
	p->set.launches = fit;
	return true;
}

static void print_plan(const struct plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct item *it = &p->item[i];
		if (it->unavailable)
			printf("%-70s unavailable: %s\n", it->id, it->unavailable);
		else
			printf("%-70s %10.1f us  %-6s x%-5" PRId64 " %zu sets\n", it->id,
			       (double)it->call_ns * 1e-3, timer_name(it->timer), it->batch,
			       it->sets);
	}
	printf("%zu cases, %" PRId64 " launches, about %.0f s, %.1f GiB of memory\n", available(p),
	       p->set.launches, plan_launch_seconds(p) * (double)p->set.launches,
	       (double)p->memory / (1 << 30));
}

static bool make_plan(const struct cmd_args *args, struct session *s, struct err *e)
{
	const struct cmd *c = &command_run;
	struct selector *sel;
	enum kernel_where where;
	struct facts facts;
	if (!parse_selectors(args, &s->arena, &sel, e) ||
	    !choose_device(cmd_option(c, args, "device"), &where, &facts, e) ||
	    !plan_make(where, PLAN_MEASURE, &facts, sel, (size_t)args->nargs, &s->arena, &s->plan,
	               e))
		return false;
	struct settings *set = &s->plan.set;
	set->seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	set->launches = cmd_option_int(c, args, "launches", set->launches);
	set->timeout_s = cmd_option_int(c, args, "timeout", set->timeout_s);
	if (set->launches < 1 || set->launches > 1000 || set->timeout_s < 1)
		return err_set(e, "--launches: expected 1 to 1000, --timeout at least 1");
	return true;
}

/* --- the whole --- */

static bool write_head(struct session *s, const struct calibration *cal, const char *out,
                       const char *reason, const struct invocation *inv)
{
	struct run_head h;
	struct sb text = {0};
	head_make(&s->plan, cal, reason, inv->argc, inv->argv, &s->arena, &h);
	record_put_head(&text, &h);
	for (size_t i = 0; i < s->plan.n; i++) {
		struct run_case c;
		head_case(&s->plan.item[i], &s->arena, &c);
		record_put_case(&text, &c);
	}
	bool ok = journal_open(&s->journal, out, h.device, h.id, s->e) &&
	          journal_put(&s->journal, sb_view(&text), s->e) && journal_sync(&s->journal, s->e);
	sb_free(&text);
	return ok;
}

/* All launches, then `end`. Returns whether the file was written. */
static bool measure_all(struct session *s)
{
	int64_t i = 0;
	s->progress = progress_start(available(&s->plan) * (size_t)s->plan.set.launches);
	s->start_ns = clock_ns();
	while (i < s->plan.set.launches && do_launch(s, i))
		i++;
	bool complete = i == s->plan.set.launches;
	struct err end = ERR_NONE; /* even after a failure: keep what was measured */
	bool closed = journal_close(&s->journal, complete ? "complete" : "partial",
	                            head_time(&s->arena), 0, &end);
	if (!closed)
		err_set(s->e, "%s", end.text);
	else
		printf("%s\n", s->journal.path);
	if (!complete && !s->e->set)
		err_set(s->e, "interrupted in launch %" PRId64 ": the file is partial", i + 1);
	return closed;
}

static int run_session(const struct cmd_args *args, struct session *s, const struct invocation *inv)
{
	const struct cmd *c = &command_run;
	struct calibration cal;
	const char *out = cmd_option(c, args, "out");
	if (!make_plan(args, s, s->e) || !signals_open(&s->sig, s->e))
		return complain(s->e);
	if (!survey(&s->plan, &s->sig, &s->arena, &cal, s->e)) {
		err_set(s->e, "interrupted before anything was measured");
		return complain(s->e);
	}
	if (!fit_budget(&s->plan, cmd_option_int(c, args, "budget", 0), s->e))
		return complain(s->e);
	if (cmd_option(c, args, "dry-run")) {
		print_plan(&s->plan);
		return 0;
	}
	if (!write_head(s, &cal, out ? out : "data/runs", cmd_option(c, args, "reason"), inv))
		return complain(s->e);
	measure_all(s);
	if (s->failed)
		fprintf(stderr, "runner: %zu launches of a case failed; the file says which\n",
		        s->failed);
	return s->e->set ? complain(s->e) : s->failed > 0;
}

static int run(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = calloc(1, sizeof *s);
	if (!s)
		abort();
	s->e = &e;
	s->sig.fd = s->journal.fd = -1;
	int status = run_session(args, s, ctx);
	signals_close(&s->sig);
	journal_free(&s->journal);
	arena_free(&s->launch_arena);
	arena_free(&s->arena);
	free(s);
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
                "  runner run --device cpu --budget 60 --reason 'new compiler'",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = run,
};
