/*
 * runner/commands/trace.c - `runner trace`: time stamps from inside the kernels of one call, in a
 * file of their own. `runner-trace`, the same program with marks in its kernels
 * (kernels/trace.cuh), makes that call. Both programs time calls, which tells what the marks cost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "lib/trace.h"
#include "runner/base/child.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"
#include "runner/measure/session.h"

#define TIMEOUT_S 120

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        OPTION_REASON,
        {"out", 'o', CMD_STRING, "DIR", "where files go (default data/traces)"},
        OPTION_SEED,
        {"timeout", 't', CMD_INT, "SECONDS",
         "longest time of one case (default " STR_DIGITS(TIMEOUT_S) ")"},
        {"call", 0, CMD_FLAG, NULL, "only make the calls of one case, in this program"},
        {"found", 0, CMD_STRING, "FILE", "with --call: write what was found to FILE"},
        {"sources", 0, CMD_STRING, "HASH", "with --call: the sources that the marks must be in"},
        {0},
};

static bool make_plan(const struct cmd_args *args, struct arena *a, struct plan *p, struct err *e)
{
	const struct cmd *c = &command_trace;
	struct selector *sel;
	enum kernel_where where;
	struct facts facts;
	const char *device = cmd_option(c, args, "device");
	bool call = cmd_option(c, args, "call") != NULL;
	if (!args->nargs)
		return err_set(e, "which cases? expected a selector, such as scan/lookahead");
	if (!command_selectors(args, a, &sel, e) ||
	    !(call ? command_device_here(device, &where, &facts, e)
	           : command_device(device, 1, &where, &facts, e)) ||
	    !plan_make(where, PLAN_MEASURE, &facts, sel, (size_t)args->nargs, a, p, e) ||
	    !command_keep_usual(p, "traces", e))
		return false;
	p->set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	p->set.launches = 0;
	return true;
}

/* --- the calls, in a process of their own --- */

/* The hash of a variant's sources, without what only the marks include. */
static const char *sources_of(const struct kernel_variant *v, struct arena *a)
{
	const struct stamp_unit *u = stamp_unit_find(v->file);
	struct sb text = {0};
	char *hex = arena_alloc(a, HASH_SHA256_HEX + 1);
	for (size_t i = 0; u && i < u->nsources; i++)
		if (strcmp(u->sources[i].path, "kernels/trace.h") != 0)
			sb_printf(&text, "%s %s\n", u->sources[i].path, u->sources[i].blob);
	hash_sha256(sb_view(&text), hex);
	sb_free(&text);
	return hex;
}

/* runner-trace knows only the sources that have marks. */
static bool same_sources(const struct kernel_variant *v, const char *want, struct arena *a,
                         struct err *e)
{
	return !want || !stamp_unit_find(v->file) || strcmp(sources_of(v, a), want) == 0 ||
	       err_set(e, "runner-trace and runner were built from different sources of %s",
	               v->file);
}

static bool write_found(struct run_trace *t, const struct item *it, const char *path, struct err *e)
{
	const struct run_case of = {.number = 0};
	const struct stamp_unit *u = stamp_unit_find(it->variant->file);
	struct sb line = {0};
	t->of = &of;
	t->code_sha256 = u ? u->code_sha256 : NULL;
	record_trace_put(&line, t);
	bool ok = file_write(path, sb_view(&line), e);
	sb_free(&line);
	return ok;
}

static bool make_calls(const struct cmd_args *args, struct plan *p, struct arena *a, struct err *e)
{
	const char *found = cmd_option(&command_trace, args, "found");
	struct bench *b = ARENA_ARRAY(a, struct bench, 1);
	struct run_trace t;
	struct outcome o;
	if (p->n != 1 || !found)
		return err_set(e, "--call: expected --found and a selector that means one case");
	const struct item *it = &p->item[0];
	if (it->unavailable)
		return err_set(e, "%s", it->unavailable);
	if (!same_sources(it->variant, cmd_option(&command_trace, args, "sources"), a, e))
		return false;
	b->plan = p;
	b->kept = ARENA_ARRAY(a, struct kept, p->n);
	b->expected = expected_make(p, 0, CHECK_TERMS_RUN, machine_threads(), a);
	b->dev.seed = p->set.seed;
	if (!backend_of(p->where)->open(&b->dev, &p->facts, p->memory, e))
		return false;
	measure_trace(b, it, stamp.traced, &o, &t);
	bool ok = strcmp(o.status, "ok") == 0 ? write_found(&t, it, found, e)
	                                      : err_set(e, "%s: %s", o.status, o.why);
	arena_free(&b->arena);
	return ok;
}

/* --- all cases --- */

/* The two programs, and the file for their answers. */
struct tracer {
	const char *plain, *traced, *found, *device, *seed;
	int timeout_s;
};

/* Lets a program make the calls of an item. Returns NULL, or why there is no answer. */
static const char *ask(const struct tracer *f, const char *program, const struct item *it,
                       int stop_fd, struct arena *a, struct run_trace *out)
{
	const char *argv[] = {program,
	                      "trace",
	                      "--call",
	                      "--found",
	                      f->found,
	                      "--device",
	                      f->device,
	                      "--seed",
	                      f->seed,
	                      "--sources",
	                      sources_of(it->variant, a),
	                      it->id,
	                      NULL};
	struct err e = ERR_NONE;
	struct json_doc *doc = NULL;
	struct json v;
	struct str text;
	char said[4096];
	const char *why = child_run(argv, f->timeout_s, stop_fd, said, sizeof said, a);
	if (why)
		return why;
	bool ok = file_read(f->found, RECORD_MAX_BYTES, a, &text, &e) &&
	          json_parse(text, (struct loc){f->found, 1, 0}, &doc, &v, &e) &&
	          record_trace_read(v, a, out, &e);
	json_free(doc);
	return ok ? NULL : arena_strdup(a, e.text);
}

/* Traces an item. Returns NULL, or why there is no trace. */
static const char *trace_item(const struct tracer *f, const struct item *it, int stop_fd,
                              struct arena *a, struct run_trace *out)
{
	struct run_trace plain = {0};
	const char *why = ask(f, f->plain, it, stop_fd, a, &plain);
	if (!why)
		why = ask(f, f->traced, it, stop_fd, a, out);
	if (!why)
		why = out->unavailable;
	out->plain_ns = plain.plain_ns;
	out->nplain = plain.nplain;
	return why;
}

static int64_t lost(const struct run_trace *t)
{
	int64_t n = 0;
	for (size_t i = 0; i < t->nrings; i++)
		n += t->ring[i].stamps > t->room ? t->ring[i].stamps - t->room : 0;
	return n;
}

/* One event of a ring: how often, and how long on average. */
static void print_event(const struct run_trace *t, const struct trace_span *x, size_t n,
                        size_t event)
{
	double sum = 0;
	size_t times = 0;
	for (size_t i = 0; i < n; i++)
		if (x[i].event == event) {
			sum += x[i].to - x[i].from;
			times++;
		}
	if (times)
		printf("; %s %zu times, %.0f ns each", t->event[event], times, sum / (double)times);
}

static void print_block(const struct run_trace *t, int64_t block, struct arena *a)
{
	const double start = trace_begin(t);
	for (size_t i = 0; i < t->nkept; i++) {
		const struct run_trace_ring *r = &t->ring[t->kept[i].ring];
		size_t n;
		if (r->block != block)
			continue;
		struct trace_span *x = trace_spans(t, &t->kept[i], &n, a);
		printf("    %s %" PRId64 ": %.0f to %.0f ns", t->role[r->role], r->member,
		       trace_ns(t, t->kept[i].ring, r->begin) - start,
		       trace_ns(t, t->kept[i].ring, r->end) - start);
		for (size_t e = 0; e < t->nevents; e++)
			print_event(t, x, n, e);
		putchar('\n');
	}
}

static void print(const struct run_trace *t, const char *id, struct arena *a)
{
	size_t kernels = 0;
	printf("%s\n", id);
	if (t->unavailable) {
		printf("  unavailable: %s\n", t->unavailable);
		return;
	}
	trace_kernels(t, &kernels, a);
	printf("  %zu rings in %zu kernels, %" PRId64 " stamps lost, the median block is %" PRId64
	       "\n",
	       t->nrings, kernels, lost(t), trace_median_block(t, a));
	printf("  %.0f ns from the first mark to the last; the timer steps by %" PRId64
	       " ns; with marks a call takes %.3f times as long\n",
	       trace_end(t) - trace_begin(t), t->tick_ns, trace_slowdown(t, a));
	print_block(t, trace_median_block(t, a), a);
}

/* Traces all items; *got counts those with a trace. False if the file cannot be written. */
static bool trace_all(struct session *s, const struct tracer *f, size_t *got)
{
	for (size_t i = 0; i < s->plan.n; i++) {
		const struct item *it = &s->plan.item[i];
		const struct run_case of = {.id = it->id, .number = it->number};
		struct run_trace t = {0};
		struct sb line = {0};
		if (it->unavailable)
			continue; /* its case record says why */
		progress_item(&s->progress, it->id, i, s->plan.n, 0, 1);
		const char *why = trace_item(f, it, s->sig.fd, &s->arena, &t);
		signals_take(&s->sig);
		if (s->sig.seen)
			break; /* the interrupted case gets no record */
		if (why)
			t = (struct run_trace){.unavailable = why};
		t.of = &of;
		*got += why == NULL;
		record_trace_put(&line, &t);
		bool ok = journal_put(&s->journal, sb_view(&line), s->e);
		sb_free(&line);
		if (!ok)
			return false;
		print(&t, it->id, &s->arena);
		s->progress.done++;
	}
	return true;
}

static bool find_programs(const struct cmd_args *args, struct session *s, struct tracer *f)
{
	const char *self = command_own_path(&s->arena, s->e);
	if (!self)
		return false;
	*f = (struct tracer){
	        .plain = self,
	        .traced = arena_printf(&s->arena, "%s-trace", self),
	        .found = child_temporary("trace", &s->arena, s->e),
	        .device = s->plan.where == KERNEL_CUDA ? "cuda" : "cpu",
	        .seed = arena_printf(&s->arena, "%" PRIu64, s->plan.set.seed),
	        .timeout_s = (int)cmd_option_int(&command_trace, args, "timeout", TIMEOUT_S)};
	return f->found && (access(f->traced, X_OK) == 0 ||
	                    err_sys(s->e, "%s: `make runner` builds it", f->traced));
}

static int trace_session(const struct cmd_args *args, struct session *s,
                         const struct invocation *inv)
{
	const struct cmd *c = &command_trace;
	const char *out = cmd_option(c, args, "out");
	struct session_about about = {.out = out ? out : "data/traces",
	                              .reason = cmd_option(c, args, "reason"),
	                              .order = "time stamps of single calls",
	                              .inv = inv};
	struct tracer f;
	size_t got = 0;
	if (!make_plan(args, &s->arena, &s->plan, s->e))
		return command_failed(s->e);
	if (cmd_option(c, args, "call"))
		command_called(make_calls(args, &s->plan, &s->arena, s->e), s->e);
	if (stamp.traced)
		return err_set(s->e, "this is runner-trace, which `runner trace` starts"),
		       command_failed(s->e);
	if (!session_survey(s, 0) || !find_programs(args, s, &f))
		return command_failed(s->e);
	bool all = session_begin(s, &about, 1) && trace_all(s, &f, &got) && !s->sig.seen;
	unlink(f.found);
	if (s->journal.path && session_end(s, all))
		printf("%s\n", s->journal.path);
	fprintf(stderr, "%zu of %zu cases have a trace\n", got, session_available(s));
	return s->e->set ? command_failed(s->e) : got < session_available(s);
}

static int trace(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	int status = trace_session(args, s, ctx);
	session_free(s);
	return status;
}

const struct cmd command_trace = {
        .name = "trace",
        .synopsis = "[OPTION...] SELECTOR...",
        .help = "record time stamps from inside the kernels of one call of each case",
        .more = "Sources with marks (kernels/trace.cuh) are compiled a second time, into the\n"
                "program runner-trace beside this one. Each case is called and checked in both\n"
                "programs, and its single calls are timed, so that the file tells what the marks\n"
                "cost. Then runner-trace makes one call more, whose stamps are recorded and whose\n"
                "output is checked. A case without marks is recorded as unavailable, and the exit\n"
                "status is 1. docs/tracing.md explains marks, data/FORMAT.md the file.\n"
                "\n"
                "  runner trace 'scan/lookahead:n=2^28,dtype=f32,cache=cold'",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = trace,
};
