/*
 * runner/commands/check.c - `runner check`: checks every variant at every case for correctness,
 * without timing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/clock.h"
#include "runner/base/progress.h"
#include "runner/commands/commands.h"
#include "runner/measure/walk.h"

enum { MAX_MIB = 1 << 20 };

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        OPTION_GPUS,
        OPTION_SEED,
        {"small", 0, CMD_FLAG, NULL,
         "only the small, odd cases: for slow tools such as compute-sanitizer"},
        {"largest", 0, CMD_INT, "MIB",
         "leave out cases with more data, but keep the smallest of each type"},
        {"calls", 0, CMD_INT, "N", "make only the first N of the calls listed below"},
        {"built-in", 0, CMD_FLAG, NULL, "without libraries that are loaded at run time"},
        {"ceilings", 0, CMD_FLAG, NULL, "check the cases of 'runner ceilings' instead"},
        {"verbose", 'v', CMD_FLAG, NULL, "print a line for each case that passed, too"},
        {"timeout", 't', CMD_INT, "SECONDS",
         "silence after which a process is killed (default " STR_DIGITS(SETTINGS_TIMEOUT_S) ")"},
        {0},
};

struct checking {
	struct progress progress;
	bool verbose;
	size_t passed, failed, unavailable;
};

/* Length of the id without the cache state, which means nothing in a check. */
static int id_length(const char *id)
{
	const char *cache = strstr(id, ",cache=");
	return cache ? (int)(cache - id) : (int)strlen(id);
}

static void item_begins(void *ctx, const struct walk *w, size_t at)
{
	struct checking *k = ctx;
	progress_item(&k->progress, w->plan->item[w->order[at]].id, at, w->n, 0, 1);
}

static void item_done(void *ctx, const struct walk *w, const struct step *s)
{
	(void)w;
	struct checking *k = ctx;
	bool ok = strcmp(s->out.status, "ok") == 0;
	bool unavailable = strcmp(s->out.status, "unavailable") == 0;
	k->progress.done++;
	k->passed += ok;
	k->unavailable += unavailable;
	k->failed += !ok && !unavailable;
	if (!ok)
		progress_say(&k->progress, "%-11s %.*s: %s", s->out.status, id_length(s->item->id),
		             s->item->id, s->out.why);
	else if (k->verbose)
		progress_say(&k->progress,
		             "%-11s %.*s: error %.3g over %" PRId64 " outputs, %" PRId64
		             " exact, bits %016" PRIx64,
		             "ok", id_length(s->item->id), s->item->id, s->out.before.check.error,
		             s->out.before.check.looked_at, s->out.after.check.exact,
		             s->out.digest);
}

static bool check_all(struct plan *p, struct checking *k, struct signals *sig, struct arena *a,
                      struct err *e)
{
	size_t *order = ARENA_ARRAY(a, size_t, p->n), n = 0;
	for (size_t i = 0; i < p->n; i++) {
		if (!p->item[i].unavailable)
			order[n++] = i;
		else
			progress_say(&k->progress, "%-11s %s: %s", "unavailable", p->item[i].id,
			             p->item[i].unavailable);
		k->unavailable += p->item[i].unavailable != NULL;
	}
	k->progress = progress_start(n);
	struct walk w = {
	        .mode = WALK_CHECK,
	        .plan = p,
	        .expected = expected_make(p, 0, CHECK_TERMS_CHECK, machine_threads(), a),
	        .order = order,
	        .n = n,
	        .start_ns = clock_ns(),
	        .signals = sig,
	        .begin = item_begins,
	        .done = item_done,
	        .ctx = k,
	};
	bool whole = walk_run(&w, e);
	progress_launch(&k->progress, 0, 0);
	return whole || err_set(e, "interrupted");
}

/* Drops libraries, for tools that examine every kernel: we cannot fix other people's kernels. */
static void leave_libraries(struct plan *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->item[i].variant->library && !p->item[i].unavailable)
			p->item[i].unavailable = "left out: a library that is found when it runs";
}

/* True if the item's variant has a case of the same type with less data. */
static bool has_smaller(const struct plan *p, const struct item *it)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct item *other = &p->item[i];
		if (other->variant == it->variant && other->kcase->dtype == it->kcase->dtype &&
		    footprint_data(other) < footprint_data(it))
			return true;
	}
	return false;
}

/* Drops items with more than `mib` MiB of data, but keeps each variant's smallest of each type. */
static void leave_largest(struct plan *p, size_t mib, struct arena *a)
{
	struct item *kept = ARENA_ARRAY(a, struct item, p->n);
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (footprint_data(&p->item[i]) <= mib << 20 || !has_smaller(p, &p->item[i]))
			kept[n++] = p->item[i];
	p->item = kept;
	p->n = n;
	p->memory = 0;
	for (size_t i = 0; i < n; i++)
		if (!kept[i].unavailable && footprint_item(&kept[i]) > p->memory)
			p->memory = footprint_item(&kept[i]);
}

static bool check_plan(const struct cmd_args *args, struct arena *a, struct plan *p, struct err *e)
{
	const struct cmd *c = &command_check;
	struct selector *sel;
	enum kernel_where where;
	struct facts facts;
	int gpus;
	enum plan_use use = cmd_option(c, args, "small") ? PLAN_SMALL : PLAN_CHECK;
	bool ceilings = cmd_option(c, args, "ceilings") != NULL;
	if ((!ceilings && !command_selectors(args, a, &sel, e)) ||
	    !command_gpus(c, args, &gpus, e) ||
	    !command_device(cmd_option(c, args, "device"), gpus, &where, &facts, e) ||
	    !(ceilings ? ceilings_plan(args, where, use, &facts, a, p, e)
	               : plan_make(where, use, &facts, sel, (size_t)args->nargs, a, p, e)))
		return false;
	if (cmd_option(c, args, "built-in"))
		leave_libraries(p);
	long largest = cmd_option_int(c, args, "largest", 0);
	p->set.check_calls = cmd_option_int(c, args, "calls", p->set.check_calls);
	if (largest < 0 || largest > MAX_MIB || p->set.check_calls < 1)
		return err_set(e, "--largest: expected at most %d, --calls: at least 1", MAX_MIB);
	if (largest > 0)
		leave_largest(p, (size_t)largest, a);
	p->set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	p->set.timeout_s = cmd_option_int(c, args, "timeout", p->set.timeout_s);
	return p->set.timeout_s > 0 || err_set(e, "--timeout: expected at least 1");
}

bool command_check_plan(struct plan *p, bool verbose, bool all, struct arena *a, struct err *e)
{
	struct checking k = {.verbose = verbose};
	struct signals sig = {.fd = -1};
	bool whole = signals_open(&sig, e) && check_all(p, &k, &sig, a, e);
	signals_close(&sig);
	if (whole || k.passed)
		printf("%zu passed, %zu failed, %zu unavailable (seed %" PRIu64 ")\n", k.passed,
		       k.failed, k.unavailable, p->set.seed);
	return whole && k.failed == 0 && !(all && k.unavailable);
}

static int check(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct plan p;
	bool verbose = cmd_option(&command_check, args, "verbose") != NULL;
	bool ok = check_plan(args, &a, &p, &e) && command_check_plan(&p, verbose, false, &a, &e);
	if (e.set)
		command_failed(&e);
	arena_free(&a);
	return !ok;
}

const struct cmd command_check = {
        .name = "check",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "check that every variant is right, measure nothing",
        .more = "Each variant runs on fresh random inputs: twice over poisoned output, then over\n"
                "the output it left, on inputs that begin or end like the one before, and on\n"
                "inputs with NaN and with infinities. The output is compared with the family's\n"
                "reference and scanned for elements never written, inputs for elements changed,\n"
                "and the guard zones around all buffers for bytes overwritten (docs/checking.md).\n"
                "\n"
                "A process that says nothing for --timeout seconds is killed. The time that it\n"
                "waits for a busy processor does not count. RIDGEPOINT_PRETEND=132 tries the\n"
                "runner's part of this without a GPU (docs/without-gpu.md).\n"
                "\n"
                "All outputs of a matrix product are compared bit for bit, too, on inputs whose\n"
                "sums are exact. --verbose prints how many, and a hash of the first call's\n"
                "output, for comparison with a program that was made with JITTER=1.\n"
                "\n"
                "  runner check\n"
                "  runner check reduce --device cpu --seed 7",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = check,
};
