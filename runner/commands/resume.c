/*
 * runner/commands/resume.c - `runner resume`: continues a run that an interruption left in a
 * .part file, or closes it as a partial run.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "kernels/ceilings/ceilings.h"
#include "lib/array.h"
#include "lib/file.h"
#include "runner/commands/commands.h"
#include "runner/measure/session.h"
#include "runner/plan/order.h"
#include "runner/records/choices.h"
#include "runner/records/head.h"

static const struct cmd_option options[] = {
        {"close", 'c', CMD_FLAG, NULL,
         "measure nothing: keep what there is, as partial if anything is missing"},
        {0},
};

struct resuming {
	struct session *s;
	struct run r;
	struct err *e;
};

/* --- the file --- */

static bool has_record(const struct run *r, const char *id, int64_t launch)
{
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].i == launch && strcmp(r->launches[i].of->id, id) == 0)
			return true;
	for (size_t i = 0; i < r->nnull_launches; i++)
		if (r->null_launches[i].i == launch && strcmp(r->null_launches[i].of->id, id) == 0)
			return true;
	return false;
}

/* Restores what is fixed for all launches of the item, such as its timer and batch. */
static void as_before(const struct run *r, struct item *it, struct arena *a)
{
	static const enum timer timers[] = {TIMER_CLOCK, TIMER_EVENTS, TIMER_GRAPH, TIMER_HOST};
	const struct run_case *c = record_case(r, it->id);
	it->unavailable = c ? c->unavailable : it->unavailable;
	it->library = c ? c->build.library : it->library;
	if (c)
		it->choice = c->build.choice.n ? record_choice_text(&c->build.choice, a) : NULL;
	it->timeouts = 0;
	const struct run_case *own = c ? c : record_null(r, it->id);
	it->number = own ? own->number : it->number;
	it->heavy = own ? own->heavy : it->heavy;
	for (size_t i = 0; i < r->nlaunches + r->nnull_launches; i++) {
		const struct run_launch *l =
		        i < r->nlaunches ? &r->launches[i] : &r->null_launches[i - r->nlaunches];
		if (strcmp(l->of->id, it->id) != 0)
			continue;
		it->timeouts += strcmp(l->status, "timeout") == 0;
		for (size_t k = 0; l->timer && k < ARRAY_LEN(timers); k++)
			if (strcmp(l->timer, timer_name(timers[k])) == 0) {
				it->timer = timers[k];
				it->batch = l->batch;
			}
	}
}

static int64_t last_ms(const struct run *r)
{
	int64_t ms = 0;
	for (size_t i = 0; i < r->nlaunches; i++)
		ms = r->launches[i].t_ms > ms ? r->launches[i].t_ms : ms;
	for (size_t i = 0; i < r->nnull_launches; i++)
		ms = r->null_launches[i].t_ms > ms ? r->null_launches[i].t_ms : ms;
	return ms;
}

/* Time since the run's start, ms; never before its last record, even if the clock was set back. */
static int64_t now_ms(const struct run *r)
{
	struct tm tm = {0};
	int64_t last = last_ms(r) + 1, now = last;
	if (strptime(r->head.start, "%Y-%m-%dT%H:%M:%SZ", &tm))
		now = ((int64_t)time(NULL) - (int64_t)timegm(&tm)) * 1000;
	return now > last ? now : last;
}

/* --- the plan, as it was --- */

static bool can_go_on(struct resuming *g)
{
	const struct run_head *h = &g->r.head;
	const char *why = NULL;
	if (h->plan_sha256)
		why = "it is a shard: 'runner run --plan' measures what is left of it";
	else if (!order_is(h->order))
		why = "only files of 'runner run' and 'runner reproduce' can be continued";
	else if (h->launches < 1 || h->launches > RECORD_MAX_LAUNCHES)
		why = "it plans no number of launches that a run may have";
	else if (strcmp(h->runner_sha256, head_own_hash(&g->s->arena)) != 0)
		why = "another program began it";
	return !why || err_set(g->e, "%s: %s; --close keeps what it has", g->s->journal.part, why);
}

static int gpus_of(const struct run_head *h)
{
	return h->ngpus > 1 ? (int)h->ngpus : 1;
}

/* True unless the record names another card. */
static bool same_card(const char *now, const char *then)
{
	return !then || (now && strcmp(now, then) == 0);
}

static bool same_device(struct resuming *g, enum kernel_where where, const struct facts *f)
{
	struct run_head now = {0};
	const struct run_head *h = &g->r.head;
	if (!machine_describe(f, where == KERNEL_CUDA ? gpus_of(h) : 0, &g->s->arena, &now, g->e))
		return false;
	bool same = strcmp(now.machine.key, h->machine.key) == 0 &&
	            same_card(now.gpu.uuid, h->gpu.uuid);
	for (size_t i = 0; i < h->ngpus && same; i++)
		same = same_card(now.gpus[i].uuid, h->gpus[i].uuid);
	return same || err_set(g->e, "%s: it was begun on %s%s%s; --close keeps what it has",
	                       g->s->journal.part, h->machine.key, h->gpu.uuid ? ", " : "",
	                       h->gpu.uuid ? h->gpu.uuid : "");
}

static bool add_nulls(struct resuming *g)
{
	struct plan *p = &g->s->plan;
	size_t n = p->n;
	for (size_t k = 0; k < g->r.nnulls; k++) {
		const struct run_case *of = record_null_of(&g->r, &g->r.nulls[k]);
		for (size_t i = 0; of && i < n; i++)
			if (strcmp(p->item[i].id, of->id) == 0)
				plan_add_copies(p, i, 1, &g->s->arena);
	}
	return p->n == n + g->r.nnulls ||
	       err_set(g->e, "%s: its null controls are not of its cases", g->s->journal.part);
}

/* The table that the run's cases are of: that of the families, or that of the ceilings. */
static const struct kernel_family *const *families_of(const struct run *r, size_t *n)
{
	const struct kernel_family *const *f = kernel_ceilings(n);
	for (size_t i = 0; i < *n; i++)
		if (strcmp(f[i]->id, r->cases[0].family) == 0)
			return f;
	return kernel_families(n);
}

static bool make_plan(struct resuming *g)
{
	struct session *s = g->s;
	const struct run *r = &g->r;
	struct selector *sel = ARENA_ARRAY(&s->arena, struct selector, r->ncases + 1);
	enum kernel_where where;
	struct facts facts;
	size_t nfamilies;
	if (r->ncases == 0)
		return err_set(g->e, "%s: has no case", s->journal.part);
	const struct kernel_family *const *family = families_of(r, &nfamilies);
	for (size_t i = 0; i < r->ncases; i++)
		if (!select_read(r->cases[i].id, &sel[i], g->e))
			return false;
	if (!command_device(r->cases[0].device, gpus_of(&r->head), &where, &facts, g->e) ||
	    !same_device(g, where, &facts) ||
	    !plan_make_of(family, nfamilies, where, PLAN_MEASURE, &facts, sel, r->ncases, &s->arena,
	                  &s->plan, g->e))
		return false;
	s->plan.set.seed = (uint64_t)r->head.rng_seed;
	s->plan.set.launches = r->head.launches;
	s->plan.set.short_warmup_ms = SHORT_WARMUP_MS;
	return true;
}

/* --- measuring the rest --- */

/* Marks the items that have no record of this launch yet. Returns their number. */
static size_t what_is_left(const struct resuming *g, int64_t launch, bool *in)
{
	size_t left = 0;
	for (size_t i = 0; i < g->s->plan.n; i++) {
		const struct item *it = &g->s->plan.item[i];
		in[i] = !it->unavailable && !has_record(&g->r, it->id, launch);
		left += in[i];
	}
	return left;
}

static bool measure_rest(struct resuming *g)
{
	struct session *s = g->s;
	int64_t n = s->plan.set.launches, i;
	bool *in = ARENA_ARRAY(&s->arena, bool, s->plan.n);
	size_t left = 0;
	for (i = 0; i < n; i++)
		left += what_is_left(g, i, in) > 0;
	if (!session_continue(s, left, now_ms(&g->r)))
		return false;
	for (i = 0; i < n; i++) {
		if (what_is_left(g, i, in) > 0 && !session_launch(s, i, in))
			break;
		progress_launch(&s->progress, i, n);
	}
	if (session_end_after(s, i, n))
		printf("%s\n", s->journal.path);
	return !s->e->set;
}

static bool go_on(struct resuming *g)
{
	if (!can_go_on(g) || !make_plan(g))
		return false;
	choices_take(&g->s->plan, &g->r, &g->s->arena);
	if (!session_survey(g->s, 0) || !add_nulls(g))
		return false;
	for (size_t i = 0; i < g->s->plan.n; i++)
		as_before(&g->r, &g->s->plan.item[i], &g->s->arena);
	return measure_rest(g);
}

/* --- closing the file --- */

/* True if only the `end` record is missing. A shard's file alone cannot tell; the plan must. */
static bool is_over(const struct resuming *g)
{
	bool *whole;
	size_t n = record_whole_launches(&g->r, &g->s->arena, &whole);
	return !g->r.head.plan_sha256 && n > 0 && n == (uint64_t)g->r.head.launches;
}

static bool close_part(struct resuming *g)
{
	bool ok = journal_continue(&g->s->journal, g->e) && session_end(g->s, is_over(g));
	if (ok)
		printf("%s\n", g->s->journal.path);
	return ok && !g->e->set;
}

/* True for a file of `runner collect`, which copies measurements and makes none. */
static bool is_collected(const struct run *r)
{
	return r->head.plan_sha256 && !record_is_shard(&r->head) && !r->end;
}

/* True without any launch. The case records may be incomplete then, so the plan is unknown. */
static bool is_empty(const struct run *r)
{
	return r->nlaunches + r->nnull_launches + r->ncounters == 0 && !r->end;
}

/* Removes a file that is empty, or that `runner collect` can make again. */
static bool drop(struct resuming *g, const char *why)
{
	const char *part = g->s->journal.part;
	if (remove(part) != 0)
		return err_sys(g->e, "%s: cannot remove", part);
	fprintf(stderr, "runner: %s: %s: removed\n", part, why);
	return true;
}

static bool resume_part(const char *part, bool close, struct err *e)
{
	struct resuming g = {.s = session_new(e), .e = e};
	struct journal *j = &g.s->journal;
	bool ok = journal_reopen(j, part, e);
	/* without a complete line there is no head, and session_read() would fail */
	ok = ok && (j->text.n == 0 || session_read(g.s, &g.r));
	if (ok && is_empty(&g.r))
		ok = drop(&g, "nothing was measured");
	else if (ok && is_collected(&g.r))
		ok = drop(&g, "'runner collect' makes it again");
	else if (ok)
		ok = g.r.end ? journal_name(j, e) : close ? close_part(&g) : go_on(&g);
	session_free(g.s);
	return ok;
}

/* --- all of them --- */

struct finding {
	struct arena names;
	size_t failed;
	bool close;
};

static void resume_one(struct finding *f, const char *part)
{
	struct err e = ERR_NONE;
	if (!resume_part(part, f->close, &e))
		f->failed += command_failed(&e) != 0;
}

/* Resumes every .part file below a folder. */
static bool resume_folder(struct finding *f, const char *dir, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	if (!file_list(dir, &f->names, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(&f->names, "%s/%s", dir, entry[i].name);
		if (entry[i].is_dir && !resume_folder(f, path, e))
			return false;
		if (!entry[i].is_dir && entry[i].name[0] == '.' && str_ends(str_of(path), ".part"))
			resume_one(f, path);
	}
	return true;
}

static int resume(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct finding f = {.close = cmd_option(&command_resume, args, "close")};
	struct stat st;
	for (int i = 0; i < args->nargs && !e.set; i++) {
		if (stat(args->arg[i], &st) == 0 && S_ISDIR(st.st_mode))
			resume_folder(&f, args->arg[i], &e);
		else
			resume_one(&f, args->arg[i]);
	}
	if (args->nargs == 0)
		resume_folder(&f, "data/runs", &e);
	if (e.set)
		command_failed(&e);
	arena_free(&f.names);
	return e.set || f.failed > 0;
}

const struct cmd command_resume = {
        .name = "resume",
        .synopsis = "[--close] [PART|FOLDER...]",
        .help = "continue runs that kill -9 or a crash interrupted",
        .more = "While a run is under way its lines are in .<id>.part beside its final name. If\n"
                "the runner died, this command measures what is missing, with the same program\n"
                "on the same device; or it closes the file as partial. Without an argument it\n"
                "takes whatever lies below data/runs.\n"
                "\n"
                "  runner resume\n"
                "  runner resume --close data/runs/h200/.ID.part",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = resume,
};
