/*
 * runner/commands/profile.c - `runner profile`: hardware counters of one call of each case,
 * from Nsight Compute, in a file of their own. It times nothing, because a profiler slows
 * down what it profiles.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/record_file.h"
#include "runner/base/child.h"
#include "runner/commands/commands.h"
#include "runner/machine/ncu.h"
#include "runner/measure/session.h"
#include "runner/records/choices.h"
#include "runner/records/profiled.h"

#define TIMEOUT_S 60

enum {
	MAX_ANSWER = 16 << 20,
	MAX_FOUND = 4096,
};

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"ncu", 0, CMD_STRING, "FILE", "Nsight Compute (default: `ncu` on PATH)"},
        {"reason", 'r', CMD_STRING, "TEXT", "why this is done; recorded"},
        {"out", 'o', CMD_STRING, "DIR", "where files go (default data/profiles)"},
        {"missing", 'm', CMD_STRING, "DIR",
         "leave out cases with counters of the same code in DIR/<device>"},
        {"like", 'l', CMD_STRING, "RECORD",
         "profile what that run file chose, where a library chooses by trying"},
        OPTION_SEED,
        {"timeout", 't', CMD_INT, "SECONDS",
         "longest time of one case (default " STR_DIGITS(TIMEOUT_S) ")"},
        {"call", 0, CMD_FLAG, NULL, "only make the call that is to be profiled, of one case"},
        {"found", 0, CMD_STRING, "FILE",
         "with --call: write to FILE which library did the work, and what it chose"},
        {"choice", 0, CMD_STRING, "TEXT", "with --call: what to choose"},
        {0},
};

static bool make_plan(const struct cmd_args *args, struct arena *a, struct plan *p, struct err *e)
{
	const struct cmd *c = &command_profile;
	struct selector *sel;
	enum kernel_where where;
	struct facts facts;
	bool call = cmd_option(c, args, "call") != NULL;
	const char *device = cmd_option(c, args, "device");
	if (!command_selectors(args, a, &sel, e) ||
	    !(call ? command_device_here(device, &where, &facts, e)
	           : command_device(device, 1, &where, &facts, e)) ||
	    !plan_make(where, call ? PLAN_CALL : PLAN_MEASURE, &facts, sel, (size_t)args->nargs, a,
	               p, e) ||
	    !command_keep_usual(p, "counters", e))
		return false;
	p->set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	p->set.launches = 0;
	return true;
}

/* --- the profiled call, in the process that the profiler starts --- */

static bool make_call(const struct plan *p, const char *found, const char *choice, struct arena *a,
                      struct err *e)
{
	struct bench *b = ARENA_ARRAY(a, struct bench, 1);
	struct outcome o;
	if (p->n != 1)
		return err_set(e, "--call: %zu cases, expected a selector that means one", p->n);
	if (p->item[0].unavailable)
		return err_set(e, "%s", p->item[0].unavailable);
	p->item[0].choice = choice;
	b->plan = p;
	b->kept = ARENA_ARRAY(a, struct kept, p->n);
	if (!backend_of(p->where)->open(&b->dev, &p->facts, p->memory, e))
		return false;
	measure_profile(b, &p->item[0], &o);
	arena_free(&b->arena);
	if (strcmp(o.status, "ok") != 0)
		return err_set(e, "%s: %s", o.status, o.why);
	return !found ||
	       file_write(found, str_of(arena_printf(a, "%s\n%s", o.library, o.choice)), e);
}

/* --- all cases --- */

/* The profiler: its program and version, and the file for its answers. */
struct profiler {
	const char *path, *tool, *why_not; /* why_not: why there is no profiler, or NULL */
	const char *self, *log, *found, *device, *seed;
	int timeout_s;
};

static void find_tool(struct profiler *f, const char *given, enum kernel_where where,
                      struct arena *a)
{
	f->path = given ? given : ncu_find(a);
	if (!given && where == KERNEL_CPU)
		f->why_not = "Nsight Compute has counters of CUDA kernels only";
	else if (!f->path)
		f->why_not = "ncu is not on PATH";
	else
		f->tool = ncu_version(f->path, a, &f->why_not);
}

static bool find_profiler(const struct cmd_args *args, struct session *s, struct profiler *f)
{
	*f = (struct profiler){
	        .self = command_own_path(&s->arena, s->e),
	        .log = child_temporary("ncu", &s->arena, s->e),
	        .found = child_temporary("found", &s->arena, s->e),
	        .device = s->plan.where == KERNEL_CUDA ? "cuda" : "cpu",
	        .seed = arena_printf(&s->arena, "%" PRIu64, s->plan.set.seed),
	        .timeout_s = (int)cmd_option_int(&command_profile, args, "timeout", TIMEOUT_S)};
	find_tool(f, cmd_option(&command_profile, args, "ncu"), s->plan.where, &s->arena);
	return f->self && f->log && f->found;
}

/* Notes what the call found and chose, if it is not what the case says. */
static void note_found(struct str found, const struct item *it, struct arena *a,
                       struct run_counters *out)
{
	struct str library, choice;
	str_cut(found, '\n', &library, &choice);
	if (library.n && (!it->library || !str_is(library, it->library)))
		out->library = str_dup(a, library);
	if (choice.n && (!it->choice || !str_is(choice, it->choice)) &&
	    !record_choice_parse(choice, a, &out->choice))
		out->choice.n = 0;
}

/* Profiles an item. Returns NULL, or why there are no counters. */
static const char *profile_item(const struct profiler *f, const struct item *it, int stop_fd,
                                struct arena *a, struct run_counters *out)
{
	const char *target[] = {f->self,    "profile", "--call", "--found", f->found,
	                        "--device", f->device, "--seed", f->seed,   it->id,
	                        NULL,       NULL,      NULL};
	struct err e = ERR_NONE;
	struct str text, found;
	const char *why = f->why_not;
	if (it->choice) {
		target[ARRAY_LEN(target) - 3] = "--choice";
		target[ARRAY_LEN(target) - 2] = it->choice;
	}
	if (!why)
		why = ncu_run(f->path, target, it->way.cold, f->log, f->timeout_s, stop_fd, a);
	if (why)
		return why;
	if (!file_read(f->log, MAX_ANSWER, a, &text, &e) ||
	    !ncu_parse(text, "ncu's answer", a, out, &e) ||
	    !file_read(f->found, MAX_FOUND, a, &found, &e))
		return arena_strdup(a, e.text);
	note_found(found, it, a, out);
	return NULL;
}

static void print(const struct run_counters *c, struct arena *a)
{
	printf("%s\n", c->of->id);
	if (c->unavailable)
		printf("  unavailable: %s\n", c->unavailable);
	if (c->library)
		printf("  library: %s\n", c->library);
	if (c->choice.n)
		printf("  chosen: %s\n", record_choice_words(&c->choice, a));
	for (size_t i = 0; i < c->n; i++)
		printf("  %-28s %.6g\n", c->value[i].name, c->value[i].value);
	for (size_t i = 0; i < c->nmissing; i++)
		printf("  %-28s %s\n", c->missing[i].name, c->missing[i].word);
}

/* Profiles all items; *got counts those with counters. False if the file cannot be written. */
static bool profile_all(struct session *s, const struct profiler *f, size_t *got)
{
	for (size_t i = 0; i < s->plan.n; i++) {
		const struct item *it = &s->plan.item[i];
		const struct run_case of = {.id = it->id, .number = it->number};
		struct run_counters c = {0};
		struct sb line = {0};
		if (it->unavailable)
			continue; /* its case record says why */
		progress_item(&s->progress, it->id, i, s->plan.n, 0, 1);
		c.unavailable = profile_item(f, it, s->sig.fd, &s->arena, &c);
		signals_take(&s->sig);
		if (s->sig.seen)
			break; /* the interrupted case gets no record */
		c.of = &of;
		c.tool = f->tool;
		*got += c.unavailable == NULL;
		record_put_counters(&line, &c);
		bool ok = journal_put(&s->journal, sb_view(&line), s->e);
		sb_free(&line);
		if (!ok)
			return false;
		print(&c, &s->arena);
		s->progress.done++;
	}
	return true;
}

static bool take_choices(const struct cmd_args *args, struct session *s)
{
	const char *path = cmd_option(&command_profile, args, "like");
	struct run *r = ARENA_NEW(&s->arena, struct run);
	if (!path)
		return true;
	if (!record_file_load_whole(path, &s->arena, r, s->e))
		return false;
	choices_take(&s->plan, r, &s->arena);
	return true;
}

static int profile_session(const struct cmd_args *args, struct session *s,
                           const struct invocation *inv)
{
	const struct cmd *c = &command_profile;
	const char *out = cmd_option(c, args, "out");
	struct session_about about = {.out = out ? out : "data/profiles",
	                              .reason = cmd_option(c, args, "reason"),
	                              .order = "counters only: nothing is timed",
	                              .inv = inv};
	struct profiler f;
	size_t got = 0;
	if (!make_plan(args, &s->arena, &s->plan, s->e))
		return command_failed(s->e);
	if (cmd_option(c, args, "call"))
		command_called(make_call(&s->plan, cmd_option(c, args, "found"),
		                         cmd_option(c, args, "choice"), &s->arena, s->e),
		               s->e);
	if (!take_choices(args, s))
		return command_failed(s->e);
	const char *known = cmd_option(c, args, "missing");
	if (known && !profiled_leave_out(&s->plan, known, &s->arena, s->e))
		return command_failed(s->e);
	if (s->plan.n == 0) {
		puts("every case has counters");
		return 0;
	}
	if (!session_survey(s, 0) || !find_profiler(args, s, &f))
		return command_failed(s->e);
	bool all = session_begin(s, &about, 1) && profile_all(s, &f, &got) && !s->sig.seen;
	unlink(f.log);
	unlink(f.found);
	if (s->journal.path && session_end(s, all))
		printf("%s\n", s->journal.path);
	fprintf(stderr, "%zu of %zu cases have counters\n", got, session_available(s));
	return s->e->set ? command_failed(s->e) : got < session_available(s);
}

static int profile(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	int status = profile_session(args, s, ctx);
	session_free(s);
	return status;
}

const struct cmd command_profile = {
        .name = "profile",
        .synopsis = "[OPTION...] [SELECTOR...]",
        .help = "read hardware counters of each case, with Nsight Compute",
        .more = "Each case is set up and called, then called once more under the profiler, with\n"
                "the clocks left alone. That call must write all of its output and nothing else;\n"
                "'runner check' compares the result. data/FORMAT.md lists the counters. Without\n"
                "a profiler or the permission to use it, the file says so for each case, and the\n"
                "exit status is 1.\n"
                "\n"
                "  runner profile 'transpose/*:rows=16384'\n"
                "  runner profile --missing data/profiles --like data/runs/h200/ID.jsonl.gz",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = profile,
};
