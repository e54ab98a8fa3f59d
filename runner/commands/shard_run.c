#include "runner/commands/shard_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/record_file.h"
#include "runner/commands/commands.h"
#include "runner/plan/shard_plan.h"
#include "runner/records/choices.h"

/*
 * The variables of Slurm's environment that are recorded. No others are, since they may
 * contain secrets. To add a name, add it here and to docs/cluster.md.
 */
static const char *const slurm_names[] = {
        "SLURM_CLUSTER_NAME",  "SLURM_JOB_ID",        "SLURM_ARRAY_JOB_ID",
        "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT", "SLURM_JOB_PARTITION",
};
enum { SLURM_NAMES = ARRAY_LEN(slurm_names) };

struct sharding {
	struct shard_plan plan;
	struct run_shard shard;
	bool *done; /* [launch]: an earlier attempt has it complete */
	size_t left;
	struct session *s;
};

/* --- the node --- */

static void ask_slurm(struct run_shard *s, struct arena *a)
{
	s->slurm = ARENA_ARRAY(a, struct run_pair, SLURM_NAMES);
	for (size_t i = 0; i < SLURM_NAMES; i++) {
		const char *v = getenv(slurm_names[i]);
		if (v && str_utf8(str_of(v)))
			s->slurm[s->nslurm++] =
			        (struct run_pair){slurm_names[i], arena_strdup(a, v), 0};
	}
}

/* Name of the host and its GPU, because two GPUs of one host differ like two hosts. */
static const char *node_name(const struct facts *f, struct arena *a)
{
	struct utsname u;
	const char *slurm = getenv("SLURMD_NODENAME");
	uname(&u);
	const char *host = slurm && str_utf8(str_of(slurm)) ? slurm : u.nodename;
	return arena_printf(a, "%s%s%s", host, f->uuid[0] ? "/" : "", f->uuid);
}

/* --- what is left to measure --- */

static bool is_earlier(const struct sharding *sh, const struct run_head *h)
{
	return record_is_shard(h) && strcmp(h->plan_sha256, sh->plan.sha256) == 0 &&
	       h->shard[0].shard == sh->shard.shard;
}

static bool take_earlier(struct sharding *sh, const char *path)
{
	struct session *s = sh->s;
	struct run r;
	if (!record_file_load(path, &s->launch_arena, &r, s->e))
		return false;
	if (!r.whole || !is_earlier(sh, &r.head))
		return true;
	sh->shard.attempt++;
	for (int64_t i = 0; i < sh->plan.launches; i++)
		sh->done[i] |= shard_plan_whole(&r, i);
	return true;
}

static bool look_for_earlier(struct sharding *sh, const char *out)
{
	struct session *s = sh->s;
	struct err missing = ERR_NONE;
	struct file_entry *entry;
	size_t n = 0;
	const char *dir = arena_printf(&s->arena, "%s/%s", out, s->plan.facts.slug);
	sh->done = ARENA_ARRAY(&s->arena, bool, (size_t)sh->plan.launches);
	if (!file_list(dir, &s->arena, &entry, &n, &missing))
		n = 0; /* the folder does not exist before the first attempt */
	for (size_t i = 0; i < n; i++)
		if (record_file_is(str_of(entry[i].name)) &&
		    !take_earlier(sh, arena_printf(&s->arena, "%s/%s", dir, entry[i].name)))
			return false;
	arena_reset(&s->launch_arena);
	/* the scheduler's count includes attempts that left no file */
	const char *restarts = getenv("SLURM_RESTART_COUNT");
	int64_t count;
	if (restarts && str_i64(str_of(restarts), &count) && count > sh->shard.attempt)
		sh->shard.attempt = count;
	for (int64_t i = 0; i < sh->plan.launches; i++)
		sh->left += !sh->done[i] && shard_plan_has(&sh->plan, sh->shard.shard, i);
	return true;
}

/* --- the plan of this shard --- */

/* Checks that this build makes the same cases of the plan as the build that wrote it. */
static bool same_cases(const struct sharding *sh)
{
	const struct plan *p = &sh->s->plan;
	for (size_t i = 0; i < p->n; i++)
		if (i >= sh->plan.ncases || strcmp(p->item[i].id, sh->plan.id[i]) != 0)
			return err_set(sh->s->e,
			               "case %s is not in the plan at its place: the plan is of "
			               "another build",
			               p->item[i].id);
	return p->n == sh->plan.ncases ||
	       err_set(sh->s->e, "this build has no case %s: the plan is of another build",
	               sh->plan.id[p->n]);
}

static void keep_own_cases(struct sharding *sh)
{
	struct plan *p = &sh->s->plan;
	size_t n = 0;
	for (size_t i = 0; i < p->n; i++)
		if (shard_plan_has_case(&sh->plan, sh->shard.shard, p->item[i].id))
			p->item[n++] = p->item[i];
	p->n = n;
}

static bool make_plan(struct sharding *sh, long timeout_s)
{
	struct session *s = sh->s;
	const struct shard_plan *p = &sh->plan;
	struct selector *sel = ARENA_ARRAY(&s->arena, struct selector, p->nselectors + 1);
	enum kernel_where where;
	struct facts facts;
	for (size_t i = 0; i < p->nselectors; i++)
		if (!select_parse(p->selector[i], &sel[i], s->e))
			return false;
	if (!command_device(p->device, 1, &where, &facts, s->e) ||
	    !plan_make(where, PLAN_MEASURE, &facts, sel, p->nselectors, &s->arena, &s->plan,
	               s->e) ||
	    !same_cases(sh))
		return false;
	keep_own_cases(sh);
	s->plan.set.seed = (uint64_t)p->seed;
	s->plan.set.launches = p->launches;
	s->plan.set.short_warmup_ms = SHORT_WARMUP_MS;
	s->plan.set.timeout_s = timeout_s;
	s->plan.node = sh->shard.node = node_name(&facts, &s->arena);
	return true;
}

static void add_nulls(struct sharding *sh)
{
	struct plan *p = &sh->s->plan;
	size_t n = p->n;
	for (size_t k = 0; k < sh->plan.nnulls; k++)
		for (size_t i = 0; i < n; i++)
			if (!p->item[i].unavailable && !p->item[i].timeouts &&
			    strcmp(p->item[i].id, sh->plan.null[k]) == 0)
				plan_add_copies(p, i, 1, &sh->s->arena);
}

/* --- measuring --- */

static void measure(struct sharding *sh)
{
	struct session *s = sh->s;
	int64_t n = sh->plan.launches, i;
	for (i = 0; i < n; i++) {
		if (sh->done[i] || !shard_plan_has(&sh->plan, sh->shard.shard, i))
			continue;
		if (!session_launch(s, i, NULL))
			break;
		progress_launch(&s->progress, i, n);
	}
	if (session_end_after(s, i, n))
		printf("%s\n", s->journal.path);
}

static int run_left(struct sharding *sh, const struct shard_task *t, const struct invocation *inv)
{
	struct session *s = sh->s;
	struct session_about about = {
	        .out = t->out,
	        .reason = sh->plan.reason,
	        .inv = inv,
	        .plan_sha256 = sh->plan.sha256,
	        .shard = &sh->shard,
	};
	if (sh->left == 0) {
		fprintf(stderr, "shard %lld: nothing is left to measure\n",
		        (long long)sh->shard.shard);
		return 0;
	}
	const char *shared =
	        choices_path(arena_printf(&s->arena, "%s/%s", t->choices ? t->choices : t->out,
	                                  s->plan.facts.slug),
	                     sh->plan.sha256, &s->arena);
	if (!choices_read(shared, &s->plan, &s->arena, s->e) || !session_survey(s, 0) ||
	    !choices_share(shared, &s->plan, &s->arena, s->e))
		return command_failed(s->e);
	add_nulls(sh);
	if (!session_begin(s, &about, sh->left))
		return command_failed(s->e);
	measure(sh);
	return s->e->set ? command_failed(s->e) : s->failed > 0;
}

int shard_run(const struct shard_task *t, struct session *s, const struct invocation *inv)
{
	struct sharding *sh = ARENA_NEW(&s->arena, struct sharding);
	*sh = (struct sharding){.s = s, .shard = {.shard = t->shard}};
	if (!shard_plan_read(t->plan, &s->arena, &sh->plan, s->e))
		return command_failed(s->e);
	sh->shard.of = sh->plan.shards;
	if (t->shard < 1 || t->shard > sh->plan.shards) {
		err_set(s->e, "--shard: expected 1 to %lld, the plan's shards",
		        (long long)sh->plan.shards);
		return command_failed(s->e);
	}
	ask_slurm(&sh->shard, &s->arena);
	if (!make_plan(sh, t->timeout_s) || !look_for_earlier(sh, t->out))
		return command_failed(s->e);
	return run_left(sh, t, inv);
}
