/*
 * runner/commands/plan.c - `runner plan`: writes a plan file for several machines, and
 * prints how long the measurement will take.
 */
#include <stdio.h>
#include <string.h>

#include "lib/file.h"
#include "lib/record_file.h"
#include "runner/commands/commands.h"
#include "runner/plan/shard_plan.h"

enum { NULLS = 3 };

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"launches", 'n', CMD_INT, "N", "processes (default " STR_DIGITS(SETTINGS_LAUNCHES) ")"},
        {"shards", 'k', CMD_INT, "N", "parts, each measured by one task (default: one)"},
        {"by", 0, CMD_STRING, "launch|family",
         "deal out processes (default: every shard measures every case) or families"},
        {"reason", 'r', CMD_STRING, "TEXT", "why this is measured; recorded"},
        {"out", 'o', CMD_STRING, "FILE", "the plan file (default plan.json)"},
        OPTION_SEED,
        {"dry-run", 0, CMD_FLAG, NULL, "print cases and expected time, write nothing"},
        {0},
};

/* --- expected time, from the newest record --- */

/* Reads the newest run file of this kind of device in data/runs; false if there is none. */
static bool newest_record(const char *device, struct arena *a, struct run *out)
{
	struct err ignored = ERR_NONE;
	struct file_entry *dir, *file;
	size_t ndirs, n;
	const char *newest = NULL, *path = NULL;
	if (!file_list("data/runs", a, &dir, &ndirs, &ignored))
		return false;
	for (size_t i = 0; i < ndirs; i++) {
		const char *folder = arena_printf(a, "data/runs/%s", dir[i].name);
		bool cpu = strncmp(dir[i].name, "cpu", 3) == 0;
		if (!dir[i].is_dir || cpu != (strcmp(device, "cpu") == 0) ||
		    !file_list(folder, a, &file, &n, &ignored))
			continue;
		for (size_t k = 0; k < n; k++)
			if (record_file_is(str_of(file[k].name)) &&
			    (!newest || strcmp(file[k].name, newest) > 0)) {
				newest = file[k].name;
				path = arena_printf(a, "%s/%s", folder, newest);
			}
	}
	return path && record_file_load(path, a, out, &ignored);
}

/* When the item after l in the same process began, ms; l's own time if l was the last. */
static int64_t next_began(const struct run *r, const struct run_launch *l)
{
	int64_t next = INT64_MAX;
	for (size_t i = 0; i < r->nlaunches + r->nnull_launches; i++) {
		const struct run_launch *k =
		        i < r->nlaunches ? &r->launches[i] : &r->null_launches[i - r->nlaunches];
		if (k->i == l->i && k->at > l->at && k->t_ms < next)
			next = k->t_ms;
	}
	return next < INT64_MAX ? next : l->t_ms;
}

/* Seconds that a launch of this case took, with everything; 0: unknown. */
static double case_seconds(const struct run *r, const char *id)
{
	double ms = 0, n = 0;
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		int64_t took = strcmp(l->of->id, id) == 0 ? next_began(r, l) - l->t_ms : 0;
		ms += (double)took;
		n += took > 0;
	}
	return n > 0 ? ms / n * 1e-3 : 0;
}

static void print_plan(const struct shard_plan *p, struct arena *a)
{
	struct run r = {0};
	bool known = newest_record(p->device, a, &r);
	double each = 0;
	size_t unknown = 0;
	for (size_t i = 0; i < p->ncases; i++) {
		double s = known ? case_seconds(&r, p->id[i]) : 0;
		if (s > 0)
			printf("%-70s %8.2f s a launch\n", p->id[i], s);
		else
			printf("%-70s not measured yet\n", p->id[i]);
		each += s;
		unknown += s == 0;
	}
	printf("%zu cases, %lld launches, %lld shards", p->ncases, (long long)p->launches,
	       (long long)p->shards);
	if (each > 0)
		printf("; about %.0f s, %.0f s a shard, by run %s", each * (double)p->launches,
		       each * (double)p->launches / (double)p->shards, r.head.id);
	if (each > 0 && unknown > 0)
		printf(" (without %zu cases it does not have)", unknown);
	putchar('\n');
}

/* --- the plan --- */

/* Chooses the device. A named device need not exist here: the host may only submit jobs. */
static bool which_device(const struct cmd_args *args, enum kernel_where *where, struct err *e)
{
	const char *want = cmd_option(&command_plan, args, "device");
	struct facts facts;
	if (want && (strcmp(want, "cuda") == 0 || strcmp(want, "cpu") == 0)) {
		*where = strcmp(want, "cuda") == 0 ? KERNEL_CUDA : KERNEL_CPU;
		return true;
	}
	return command_device(want, 1, where, &facts, e);
}

static void name_cases(struct plan *items, struct arena *a, struct shard_plan *p)
{
	p->ncases = items->n;
	p->id = ARENA_ARRAY(a, const char *, items->n);
	for (size_t i = 0; i < items->n; i++) {
		p->id[i] = items->item[i].id;
		items->item[i].call_ns = (int64_t)i + 1;
	}
	/* from the first case to the last: shards must agree on them without a survey */
	plan_add_nulls(items, NULLS, NULL, a);
	p->null = ARENA_ARRAY(a, const char *, items->n);
	for (size_t i = p->ncases; i < items->n; i++)
		for (size_t k = 0; k < p->ncases; k++)
			if (items->item[i].call_ns == items->item[k].call_ns)
				p->null[p->nnulls++] = p->id[k];
}

static bool check_numbers(const struct shard_plan *p, struct err *e)
{
	if (!settings_launches(p->launches, 1, e))
		return false;
	int64_t most = p->by_family ? (int64_t)shard_plan_families(p) : p->launches;
	return (p->shards >= 1 && p->shards <= most) ||
	       err_set(e, "--shards: expected 1 to the number of %s, %lld",
	               p->by_family ? "families" : "launches", (long long)most);
}

static bool make(const struct cmd_args *args, struct arena *a, struct shard_plan *p, struct err *e)
{
	const struct cmd *c = &command_plan;
	const char *by = cmd_option(c, args, "by");
	struct selector *sel;
	struct plan items;
	enum kernel_where where;
	if (by && strcmp(by, "launch") != 0 && strcmp(by, "family") != 0)
		return err_set(e, "--by '%s': expected launch or family", by);
	if (!which_device(args, &where, e) || !command_selectors(args, a, &sel, e) ||
	    !plan_list(where, sel, (size_t)args->nargs, a, &items, e))
		return false;
	*p = (struct shard_plan){
	        .device = where == KERNEL_CUDA ? "cuda" : "cpu",
	        .reason = cmd_option(c, args, "reason"),
	        .by_family = by && strcmp(by, "family") == 0,
	        .shards = cmd_option_int(c, args, "shards", 1),
	        .launches = cmd_option_int(c, args, "launches", settings_default.launches),
	        .seed = (int64_t)settings_seed(cmd_option_int(c, args, "seed", -1)),
	        .nselectors = (size_t)args->nargs,
	};
	p->selector = ARENA_ARRAY(a, const char *, p->nselectors + 1);
	for (int i = 0; i < args->nargs; i++)
		p->selector[i] = args->arg[i];
	name_cases(&items, a, p);
	return check_numbers(p, e);
}

static int plan(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct shard_plan p;
	const char *path = cmd_option(&command_plan, args, "out");
	path = path ? path : "plan.json";
	bool dry = cmd_option(&command_plan, args, "dry-run");
	bool ok = make(args, &a, &p, &e);
	if (ok && dry)
		print_plan(&p, &a);
	else if (ok && (ok = shard_plan_write(path, &p, &e)))
		printf("%s\n", path);
	arena_free(&a);
	return ok ? 0 : command_failed(&e);
}

const struct cmd command_plan = {
        .name = "plan",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "write a plan that several machines measure in shards",
        .more = "A plan names the cases, the processes and their seed. Shard K of N measures\n"
                "processes K-1, K-1+N, ... of every case, in its own run file; 'runner collect'\n"
                "makes one run file of them. A host without the device may write a plan if\n"
                "--device names it. runner/scripts/slurm/ has scripts for a cluster\n"
                "(docs/cluster.md).\n"
                "\n"
                "  runner plan --launches 20 --shards 4 'reduce/*'\n"
                "  runner run --plan plan.json --shard 1 --out shards\n"
                "  runner collect plan.json shards",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = plan,
};
