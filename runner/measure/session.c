#include "runner/measure/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runner/base/clock.h"
#include "runner/base/stamp.h"
#include "runner/measure/preload.h"
#include "runner/measure/warm.h"
#include "runner/plan/order.h"
#include "runner/records/head.h"

enum {
	MAX_TIMEOUTS = 2,     /* after so many the case is skipped */
	PRELOAD_LAUNCHES = 3, /* with fewer, preloading costs more time than it saves */
};

struct session *session_new(struct err *e)
{
	struct session *s = calloc(1, sizeof *s);
	if (!s)
		arena_die("out of memory");
	s->e = e;
	s->sig.fd = s->journal.fd = -1;
	return s;
}

void session_free(struct session *s)
{
	signals_close(&s->sig);
	journal_free(&s->journal);
	arena_free(&s->launch_arena);
	arena_free(&s->arena);
	free(s);
}

static bool look(struct session *s, size_t nulls)
{
	if (!survey(&s->plan, &s->sig, &s->arena, s->e)) {
		if (!s->e->set)
			err_set(s->e, "interrupted before anything was measured");
		return false;
	}
	plan_add_nulls(&s->plan, nulls, NULL, &s->arena);
	return true;
}

bool session_survey(struct session *s, size_t nulls)
{
	bool preloads = s->plan.set.launches >= PRELOAD_LAUNCHES;
	return head_clock(time(NULL), stamp.committed, s->e) && signals_open(&s->sig, s->e) &&
	       (!preloads || preload(&s->plan, s->e)) &&
	       survey_calibrate(&s->plan, &s->cal, s->e) && look(s, nulls);
}

bool session_look(struct session *s, size_t nulls)
{
	return signals_open(&s->sig, s->e) && look(s, nulls);
}

size_t session_available(const struct session *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->plan.n; i++)
		n += s->plan.item[i].unavailable == NULL;
	return n;
}

bool session_begin(struct session *s, const struct session_about *about, size_t launches)
{
	struct run_head h;
	struct sb text = {0};
	if (!head_make(&s->plan, &s->cal, about->reason, about->inv, &s->arena, &h, s->e))
		return false;
	h.replicates = about->replicates;
	if (about->shard) {
		h.plan_sha256 = about->plan_sha256;
		h.shard = about->shard;
		h.nshards = 1;
		h.id = arena_printf(&s->arena, "%s-s%lld-a%lld", h.id,
		                    (long long)about->shard->shard,
		                    (long long)about->shard->attempt);
	}
	h.order = about->order ? about->order : h.order;
	record_put_head(&text, &h);
	plan_number(&s->plan);
	struct run_case *c = ARENA_ARRAY(&s->arena, struct run_case, s->plan.n);
	for (size_t i = 0; i < s->plan.n; i++)
		head_case(&s->plan.item[i], &s->arena, &c[i]);
	record_put_cases(&text, c, s->plan.n);
	bool ok = head_may_lie_in(&h, about->out, s->e) &&
	          journal_open(&s->journal, about->out, h.device, h.id, s->e) &&
	          journal_put(&s->journal, sb_view(&text), s->e) && journal_sync(&s->journal, s->e);
	sb_free(&text);
	s->progress = progress_start(session_available(s) * launches);
	s->start_ns = clock_ns();
	return ok;
}

bool session_continue(struct session *s, size_t launches, int64_t t_ms)
{
	struct sb line = {0};
	record_put_resumed(&line, head_time(&s->arena), getpid(), t_ms);
	bool ok = journal_continue(&s->journal, s->e) &&
	          journal_put(&s->journal, sb_view(&line), s->e) && journal_sync(&s->journal, s->e);
	sb_free(&line);
	s->progress = progress_start(session_available(s) * launches);
	s->start_ns = clock_ns() - t_ms * 1000000;
	return ok;
}

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
		unchecked(journal_put(&s->journal, line, s->e)); /* s->e ends the run */
}

/* Records a launch whose process died, since it could not write its own record. */
static void record_dead(struct session *s, const struct walk *w, const struct step *st)
{
	struct sb line = {0};
	const struct run_case of = {.number = st->item->number};
	struct run_launch l = {
	        .of = &of,
	        .i = w->launch,
	        .at = (int64_t)st->at,
	        .pid = st->pid,
	        .t_ms = st->t_ms,
	        .seed = (int64_t)plan_input_seed(s->plan.set.seed, w->launch, 0),
	        .node = s->plan.node,
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
	struct item *it = &s->plan.item[st->item - s->plan.item];
	const struct settings set = settings_of(&s->plan.set, &it->way);
	if (strcmp(st->out.status, "ok") == 0) {
		warm_learn(&it->warm, &set, st->out.moved);
		return;
	}
	s->failed++;
	it->timeouts += strcmp(st->out.status, "timeout") == 0;
	progress_say(&s->progress, "%s: %s: %s", st->item->id, st->out.status, st->out.why);
}

/* Records an item that hung too often, at its place in the order, without measuring it. */
static void skip(struct session *s, const struct item *it, int64_t launch, size_t at)
{
	struct walk w = {.launch = launch};
	struct step st = {.item = it,
	                  .at = at,
	                  .pid = getpid(),
	                  .t_ms = (clock_ns() - s->start_ns) / 1000000,
	                  .out = {.status = "skipped"}};
	record_dead(s, &w, &st);
	s->progress.done++;
}

/* The items of this launch, in their order. */
static size_t launch_order(struct session *s, int64_t launch, const bool *in, size_t *order)
{
	size_t *all = ARENA_ARRAY(&s->launch_arena, size_t, s->plan.n), n = 0, place = 0;
	order_of(&s->plan, launch, all);
	for (size_t i = 0; i < s->plan.n; i++) {
		const struct item *it = &s->plan.item[all[i]];
		if (it->unavailable || (in && !in[all[i]]))
			continue;
		if (it->timeouts < MAX_TIMEOUTS)
			order[n++] = all[i];
		else
			skip(s, it, launch, place);
		place++;
	}
	return n;
}

/* True if another launch fits into RECORD_MAX_BYTES, the limit of the reader. */
static bool fits(struct session *s, int64_t launch)
{
	if (journal_has_room(&s->journal, 2 * s->largest))
		return true;
	return err_set(s->e,
	               "the file would exceed %d MiB, the most that is read back: %" PRId64
	               " launches are in it; measure the rest in another run",
	               RECORD_MAX_BYTES >> 20, launch);
}

bool session_launch(struct session *s, int64_t launch, const bool *in)
{
	size_t before = s->journal.text.n;
	if (!fits(s, launch))
		return false;
	arena_reset(&s->launch_arena);
	size_t *order = ARENA_ARRAY(&s->launch_arena, size_t, s->plan.n);
	size_t n = launch_order(s, launch, in, order);
	int64_t began_ns = clock_ns();
	struct expected *expected = expected_make(&s->plan, launch, CHECK_TERMS_RUN,
	                                          machine_threads(), &s->launch_arena);
	struct walk w = {
	        .mode = WALK_MEASURE,
	        .plan = &s->plan,
	        .expected = expected,
	        .expect_ns = clock_ns() - began_ns,
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
		unchecked(journal_sync(&s->journal, s->e)); /* s->e is asked below */
	if (s->journal.text.n - before > s->largest)
		s->largest = s->journal.text.n - before;
	return whole && !s->e->set;
}

/* --- the end --- */

bool session_read(struct session *s, struct run *out)
{
	return record_read(sb_view(&s->journal.text), s->journal.part, &s->arena, out, s->e);
}

/* The null ratio of the measurements so far; 0 if there is none. */
static double null_ratio(struct session *s)
{
	struct err e = ERR_NONE;
	struct run r;
	bool ok = record_read(sb_view(&s->journal.text), s->journal.part, &s->arena, &r, &e);
	if (!ok)
		progress_say(&s->progress, "%s", e.text);
	return ok ? record_null_ratio(&r, &s->arena) : 0;
}

bool session_end(struct session *s, bool complete)
{
	struct err end = ERR_NONE; /* separate: an earlier error must not keep the file open */
	bool closed = journal_close(&s->journal, complete ? "complete" : "partial",
	                            head_time(&s->arena), null_ratio(s), &end);
	return closed || err_set(s->e, "%s", end.text);
}

bool session_end_after(struct session *s, int64_t done, int64_t n)
{
	bool closed = session_end(s, done == n);
	if (done < n && !s->e->set)
		err_set(s->e, "interrupted in process %" PRId64 ": the file is partial", done + 1);
	return closed;
}
