/*
 * runner/commands/collect.c - `runner collect`: verifies the shards of a plan and joins them
 * into one run file per device. Launches are copied, with the numbers that their cases have in
 * this file; the head lists the shards with their hashes.
 *
 * If there were several attempts at a shard, each launch comes from the first attempt that
 * has it complete, so the choice never depends on measured times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "lib/record_file.h"
#include "runner/commands/commands.h"
#include "runner/plan/shard_plan.h"
#include "runner/records/head.h"
#include "runner/records/journal.h"

static const struct cmd_option options[] = {
        {"out", 'o', CMD_STRING, "DIR", "where the run file goes (default data/runs)"},
        {0},
};

enum { NOT_TAKEN = -1 };

/* The file of one attempt at a shard. */
struct part {
	const char *path;
	struct run run;
	struct run_shard *shard;
	bool used;
};

/* The parts of one device, ordered by shard and attempt. */
struct group {
	struct part **part;
	size_t n;
	int *from; /* [shard - 1][launch]: the part to take it from, or NOT_TAKEN */
	size_t missing;
	struct run_case *cases; /* of the collected file, null controls last */
	size_t ncases;
};

struct collecting {
	struct arena a;
	struct err *e;
	struct shard_plan plan;
	struct part *part;
	size_t n, room;
	const char *out;
};

/* --- reading --- */

static bool belongs(const struct collecting *c, const struct part *p)
{
	const struct run_head *h = &p->run.head;
	if (!p->run.whole)
		return err_set(c->e, "%s: not whole: %s", p->path, p->run.why_not_whole);
	if (!record_is_shard(h))
		return err_set(c->e, "%s: not a shard of a plan", p->path);
	if (strcmp(h->plan_sha256, c->plan.sha256) != 0)
		return err_set(c->e, "%s: a shard of another plan, %.12s…, not of %.12s…", p->path,
		               h->plan_sha256, c->plan.sha256);
	if (h->shard[0].of != c->plan.shards || h->shard[0].shard < 1 ||
	    h->shard[0].shard > c->plan.shards)
		return err_set(c->e, "%s: shard %lld of %lld, the plan has %lld", p->path,
		               (long long)h->shard[0].shard, (long long)h->shard[0].of,
		               (long long)c->plan.shards);
	return true;
}

/* Checks that a part contains only what its shard may contain, which reveals edited shards. */
static bool keeps_to_plan(const struct collecting *c, const struct part *p)
{
	const struct run *r = &p->run;
	for (size_t i = 0; i < r->ncases; i++) {
		bool known = false;
		for (size_t k = 0; k < c->plan.ncases; k++)
			known |= strcmp(r->cases[i].id, c->plan.id[k]) == 0;
		if (!known || !shard_plan_has_case(&c->plan, p->shard->shard, r->cases[i].id))
			return err_set(c->e, "%s: case %s is not of its shard", p->path,
			               r->cases[i].id);
	}
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].i < 0 || r->launches[i].i >= c->plan.launches ||
		    !shard_plan_has(&c->plan, p->shard->shard, r->launches[i].i))
			return err_set(c->e, "%s: launch %lld is not of its shard", p->path,
			               (long long)r->launches[i].i);
	return (r->head.rng_seed == c->plan.seed && r->head.launches == c->plan.launches) ||
	       err_set(c->e, "%s: its seed or its launches are not the plan's", p->path);
}

static bool read_part(struct collecting *c, const char *path, struct part *out)
{
	*out = (struct part){.path = path};
	if (!record_file_load(path, &c->a, &out->run, c->e) || !belongs(c, out))
		return false;
	out->shard = &out->run.head.shard[0];
	return keeps_to_plan(c, out);
}

static int by_shard(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	if (x->shard->shard != y->shard->shard)
		return x->shard->shard < y->shard->shard ? -1 : 1;
	if (x->shard->attempt != y->shard->attempt)
		return x->shard->attempt < y->shard->attempt ? -1 : 1;
	return strcmp(x->run.head.id, y->run.head.id);
}

static bool add_part(struct collecting *c, const char *path)
{
	if (c->n == c->room) {
		struct part *more = ARENA_ARRAY(&c->a, struct part, c->room = 2 * c->room + 64);
		if (c->n)
			memcpy(more, c->part, c->n * sizeof *more);
		c->part = more;
	}
	return read_part(c, path, &c->part[c->n++]);
}

/* Adds a file, or every run file below a folder. */
static bool add_parts(struct collecting *c, const char *path)
{
	struct file_entry *entry;
	struct stat st;
	size_t n;
	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return add_part(c, path);
	if (!file_list(path, &c->a, &entry, &n, c->e))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((entry[i].is_dir || record_file_is(str_of(entry[i].name))) &&
		    !add_parts(c, arena_printf(&c->a, "%s/%s", path, entry[i].name)))
			return false;
	return true;
}

static bool read_parts(struct collecting *c, const struct cmd_args *args)
{
	for (int i = 1; i < args->nargs; i++)
		if (!add_parts(c, args->arg[i]))
			return false;
	if (c->n == 0)
		return err_set(c->e, "no run file there");
	qsort(c->part, c->n, sizeof *c->part, by_shard);
	for (size_t i = 1; i < c->n; i++)
		if (strcmp(c->part[i].run.sha256, c->part[i - 1].run.sha256) == 0)
			return err_set(c->e, "%s and %s are the same file", c->part[i - 1].path,
			               c->part[i].path);
	return true;
}

/* --- choosing --- */

/* Groups the parts with the machine key of part `first`; devices and programs never mix. */
static bool group_of(struct collecting *c, size_t first, struct group *g)
{
	const struct run_head *h = &c->part[first].run.head;
	*g = (struct group){.part = ARENA_ARRAY(&c->a, struct part *, c->n)};
	for (size_t i = first; i < c->n; i++) {
		const struct run_head *k = &c->part[i].run.head;
		if (strcmp(k->machine.key, h->machine.key) != 0)
			continue;
		if (strcmp(k->runner_sha256, h->runner_sha256) != 0)
			return err_set(c->e, "%s and %s were measured by different programs",
			               c->part[first].path, c->part[i].path);
		g->part[g->n++] = &c->part[i];
	}
	return true;
}

/* The first part that has launch i of the shard complete; else the one with most of it. */
static int choose_part(const struct group *g, int64_t shard, int64_t i, bool *whole)
{
	int best = NOT_TAKEN;
	size_t most = 0;
	*whole = false;
	for (size_t k = 0; k < g->n; k++) {
		if (g->part[k]->shard->shard != shard)
			continue;
		if ((*whole = shard_plan_whole(&g->part[k]->run, i)))
			return (int)k;
		size_t has = shard_plan_records(&g->part[k]->run, i);
		if (has > most) {
			most = has;
			best = (int)k;
		}
	}
	return best;
}

static void choose(struct collecting *c, struct group *g)
{
	const struct shard_plan *p = &c->plan;
	g->from = ARENA_ARRAY(&c->a, int, (size_t)(p->shards * p->launches));
	for (int64_t s = 1; s <= p->shards; s++)
		for (int64_t i = 0; i < p->launches; i++) {
			int *from = &g->from[(s - 1) * p->launches + i];
			bool whole;
			*from = NOT_TAKEN;
			if (!shard_plan_has(p, s, i))
				continue;
			*from = choose_part(g, s, i, &whole);
			g->missing += !whole;
			if (*from == NOT_TAKEN)
				continue;
			g->part[*from]->used = true;
			g->part[*from]->shard->launches++;
		}
}

/* --- writing --- */

/* The id: the start time of the first shard, and a hash of all collected files. */
static const char *collected_id(struct collecting *c, const struct group *g)
{
	struct sb all = {0};
	char hex[HASH_SHA256_HEX + 1];
	const char *first = g->part[0]->run.head.id;
	sb_cstr(&all, c->plan.sha256);
	for (size_t i = 0; i < g->n; i++) {
		sb_cstr(&all, g->part[i]->run.sha256);
		if (strcmp(g->part[i]->run.head.id, first) < 0)
			first = g->part[i]->run.head.id;
	}
	hash_sha256(sb_view(&all), hex);
	sb_free(&all);
	return arena_printf(&c->a, "%.*s-%s-%.8s", (int)strcspn(first, "-"), first,
	                    g->part[0]->run.head.device, hex);
}

static void list_shards(struct collecting *c, const struct group *g, struct run_head *h)
{
	h->nshards = 0;
	h->shard = ARENA_ARRAY(&c->a, struct run_shard, g->n);
	for (size_t i = 0; i < g->n; i++) {
		const struct run *r = &g->part[i]->run;
		if (!g->part[i]->used)
			continue;
		struct run_shard *s = &h->shard[h->nshards++];
		*s = *g->part[i]->shard;
		s->id = r->head.id;
		s->sha256 = r->sha256;
		if (strcmp(r->head.start, h->start) < 0)
			h->start = r->head.start;
		if (h->gpu.uuid &&
		    (!r->head.gpu.uuid || strcmp(h->gpu.uuid, r->head.gpu.uuid) != 0))
			h->gpu.uuid = NULL; /* several GPUs: node names tell them apart */
	}
}

/* The command line that would measure the same on one machine. */
static void own_argv(struct collecting *c, struct run_head *h)
{
	const struct shard_plan *p = &c->plan;
	h->argv = ARENA_ARRAY(&c->a, const char *, p->nselectors + 7);
	h->nargv = 0;
	h->argv[h->nargv++] = "run";
	h->argv[h->nargv++] = "--device";
	h->argv[h->nargv++] = p->device;
	h->argv[h->nargv++] = "--launches";
	h->argv[h->nargv++] = arena_printf(&c->a, "%lld", (long long)p->launches);
	h->argv[h->nargv++] = "--seed";
	h->argv[h->nargv++] = arena_printf(&c->a, "%lld", (long long)p->seed);
	for (size_t i = 0; i < p->nselectors; i++)
		h->argv[h->nargv++] = p->selector[i];
}

/* The case from the first part that could run it. */
static const struct run_case *find_case(const struct group *g, const char *id)
{
	const struct run_case *any = NULL;
	for (size_t i = 0; i < g->n; i++) {
		const struct run *r = &g->part[i]->run;
		const struct run_case *k = record_case(r, id);
		k = k ? k : record_null(r, id);
		if (g->part[i]->used && k && !k->unavailable)
			return k;
		any = g->part[i]->used && k ? k : any;
	}
	return any;
}

static void keep_case(struct collecting *c, struct group *g, size_t *room, const struct run_case *k)
{
	g->cases = arena_grow(&c->a, g->cases, g->ncases, room, sizeof *k);
	g->cases[g->ncases++] = *k;
}

static void put_cases(struct collecting *c, struct group *g, struct sb *to)
{
	size_t room = 0;
	g->cases = NULL;
	g->ncases = 0;
	for (size_t i = 0; i < c->plan.ncases; i++) {
		const struct run_case *k = find_case(g, c->plan.id[i]);
		if (k)
			keep_case(c, g, &room, k);
	}
	/* each null control once, since all parts of a plan have the same ones */
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; g->part[i]->used && k < g->part[i]->run.nnulls; k++) {
			const struct run_case *null = &g->part[i]->run.nulls[k];
			if (find_case(g, null->id) == null)
				keep_case(c, g, &room, null);
		}
	record_put_cases(to, g->cases, g->ncases);
}

static const struct run_case *collected(const struct group *g, const char *id)
{
	size_t i = 0;
	while (strcmp(g->cases[i].id, id) != 0)
		i++;
	return &g->cases[i];
}

/* Copies a launch, with what its shard found or chose if the collected case says otherwise. */
static void put_found(const struct group *g, const struct run_launch *l, struct sb *to)
{
	struct run_launch own = *l;
	own.of = collected(g, l->of->id);
	const char *found = record_launch_library(l), *told = own.of->build.library;
	own.library = found && (!told || strcmp(found, told) != 0) ? found : NULL;
	own.choice = *record_launch_choice(l);
	if (record_choice_same(&own.choice, &own.of->build.choice))
		own.choice.n = 0;
	record_put_launch(to, &own);
}

static const struct run_launch *launch_at(const struct run *r, size_t k)
{
	return k < r->nlaunches ? &r->launches[k] : &r->null_launches[k - r->nlaunches];
}

/*
 * Copies launch i of a part in measured order, both cases and null controls. A skipped case
 * may have the same place as another.
 */
static void put_launch(const struct group *g, const struct run *r, int64_t i, struct sb *to)
{
	size_t total = r->nlaunches + r->nnull_launches, next;
	bool *done = calloc(total + 1, sizeof *done);
	if (!done)
		arena_die("out of memory");
	do {
		next = total;
		for (size_t k = 0; k < total; k++)
			if (!done[k] && launch_at(r, k)->i == i &&
			    (next == total || launch_at(r, k)->at < launch_at(r, next)->at))
				next = k;
		done[next] = true;
		if (next < total)
			put_found(g, launch_at(r, next), to);
	} while (next < total);
	free(done);
}

static void put_launches(const struct collecting *c, const struct group *g, struct sb *to)
{
	for (int64_t i = 0; i < c->plan.launches; i++)
		for (int64_t s = 1; s <= c->plan.shards; s++) {
			int from = g->from[(s - 1) * c->plan.launches + i];
			if (from != NOT_TAKEN)
				put_launch(g, &g->part[from]->run, i, to);
		}
}

static const char *last_end(const struct group *g)
{
	const char *end = "";
	for (size_t i = 0; i < g->n; i++)
		if (strcmp(g->part[i]->run.end, end) > 0)
			end = g->part[i]->run.end;
	return end;
}

static bool write_run(struct collecting *c, struct group *g, const struct run_head *h)
{
	struct journal j = {.fd = -1};
	struct sb text = {0};
	struct run r;
	record_put_head(&text, h);
	put_cases(c, g, &text);
	put_launches(c, g, &text);
	bool ok = head_may_lie_in(h, c->out, c->e) &&
	          record_read(sb_view(&text), h->id, &c->a, &r, c->e);
	if (ok && (ok = journal_open(&j, c->out, h->device, h->id, c->e))) {
		ok = journal_has_room(&j, text.n) ||
		     err_set(c->e, "the file would exceed %d MiB, the most that is read back",
		             RECORD_MAX_BYTES >> 20);
		ok = ok && journal_put(&j, sb_view(&text), c->e) &&
		     journal_close(&j, g->missing ? "partial" : "complete", last_end(g),
		                   record_null_ratio(&r, &c->a), c->e);
		if (!ok && !file_exists(j.path))
			remove(j.part);
	}
	if (ok)
		printf("%s\n", j.path);
	journal_free(&j);
	sb_free(&text);
	return ok;
}

/* Writes the file of a group. What a killed collect left of it is finished, or made anew. */
static bool file_group(struct collecting *c, struct group *g, struct run_head *h, const char *path)
{
	bool named;
	if (!journal_settle(arena_printf(&c->a, "%s/%s/.%s.part", c->out, h->device, h->id), &named,
	                    c->e))
		return false;
	if (named) {
		printf("%s\n", path);
		return true;
	}
	if (file_exists(path))
		return err_set(c->e, "%s: these shards are collected already", path);
	list_shards(c, g, h);
	own_argv(c, h);
	return write_run(c, g, h);
}

static bool collect_group(struct collecting *c, size_t first)
{
	struct group g;
	if (!group_of(c, first, &g))
		return false;
	choose(c, &g);
	struct run_head h = g.part[0]->run.head;
	h.id = collected_id(c, &g);
	h.schema = record_is_pretended(&h) ? RECORD_PRETENDED_SCHEMA : RECORD_SCHEMA;
	const char *path =
	        arena_printf(&c->a, "%s/%s/%s" RECORD_FILE_ENDING, c->out, h.device, h.id);
	if (!file_group(c, &g, &h, path))
		return false;
	return g.missing == 0 ||
	       err_set(c->e,
	               "%s: partial: %zu launches of a shard are not whole; measure them "
	               "with 'runner run --plan', and collect again",
	               path, g.missing);
}

/* Collects each device separately: one that fails or was collected before stops no other. */
static size_t collect_all(struct collecting *c)
{
	size_t failed = 0;
	for (size_t i = 0; i < c->n; i++) {
		bool seen = false;
		for (size_t k = 0; k < i; k++)
			seen |= strcmp(c->part[k].run.head.machine.key,
			               c->part[i].run.head.machine.key) == 0;
		struct err e = ERR_NONE;
		c->e = &e;
		if (!seen && !collect_group(c, i))
			failed += command_failed(&e) != 0;
	}
	return failed;
}

static int collect(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	const char *out = cmd_option(&command_collect, args, "out");
	struct collecting c = {.e = &e, .out = out ? out : "data/runs"};
	bool ok = shard_plan_read(args->arg[0], &c.a, &c.plan, &e) && read_parts(&c, args);
	int status = ok ? collect_all(&c) > 0 : command_failed(&e);
	arena_free(&c.a);
	return status;
}

const struct cmd command_collect = {
        .name = "collect",
        .synopsis = "[OPTION...] PLAN FILE|FOLDER...",
        .help = "make one run file of a plan's shards",
        .more = "Every file must be whole and a shard of this plan. There may be several attempts\n"
                "at a shard: each process is taken from the first that has it whole. Shards from\n"
                "different devices or drivers become a run file each. If processes are missing,\n"
                "the file is partial and the exit status is 1.\n"
                "\n"
                "  runner collect plan.json shards",
        .options = options,
        .min_args = 2,
        .max_args = CMD_MAX_ARGS,
        .run = collect,
};
