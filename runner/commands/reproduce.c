/*
 * runner/commands/reproduce.c - `runner reproduce`: compares the cases of a record with a new
 * measurement here, or with another run file.
 */
#include <stdio.h>
#include <string.h>

#include "lib/file.h"
#include "lib/record_file.h"
#include "lib/record_foreign.h"
#include "runner/commands/commands.h"
#include "runner/compare/replication.h"
#include "runner/measure/session.h"

enum { NULLS = 3, FAILED = 2 };

static const struct cmd_option options[] = {
        {"against", 'a', CMD_STRING, "RECORD",
         "measure nothing: compare the run file FILE with this record"},
        {"band", 0, CMD_STRING, "PERCENT",
         "differences up to this count as none (default " STR_DIGITS(
                 REPLICATION_BAND_PERCENT) ", or the noise if that is more)"},
        {"json", 0, CMD_FLAG, NULL, "print JSON instead of a table"},
        {"launches", 'n', CMD_INT, "N", "processes (default: as many as the record has)"},
        {"out", 'o', CMD_STRING, "DIR",
         "where the replication's run file goes (default build/replications)"},
        OPTION_SEED,
        {0},
};

static int fail(const struct err *e)
{
	command_failed(e);
	return FAILED;
}

/* --- the record --- */

/* Finds the file of a run in data/runs/<any device>/; NULL if there is none. */
static const char *path_of_id(const char *id, struct arena *a)
{
	struct err ignored = ERR_NONE;
	struct file_entry *entry;
	size_t n;
	if (!file_list("data/runs", a, &entry, &n, &ignored))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const char *folder = arena_printf(a, "data/runs/%s", entry[i].name);
		const char *path = entry[i].is_dir ? record_file_find(folder, id, a) : NULL;
		if (path)
			return path;
	}
	return NULL;
}

static bool load(const char *what, struct arena *a, struct run *out, struct err *e)
{
	const char *path = file_exists(what) ? what : path_of_id(what, a);
	if (!path)
		return err_set(e, "'%s': expected a run file, or the id of one in data/runs", what);
	if (!record_file_load_whole(path, a, out, e))
		return false;
	if (out->head.foreign)
		return err_set(e, "%s: of %s, not of this runner, which cannot measure it again",
		               path, out->head.foreign->harness);
	record_keep_compared(out, a);
	return true;
}

/* A record and those of its cases that are asked for. */
struct wanted {
	const struct run *then;
	const struct run_case **c;
	size_t n;
};

static bool has_samples(const struct run *r, const struct run_case *c)
{
	for (size_t i = 0; i < r->nlaunches; i++)
		if (r->launches[i].of == c && record_launch_ok(&r->launches[i]))
			return true;
	return false;
}

static bool is_asked(const struct selector *sel, int nsel, const struct run_case *c, bool *hit)
{
	bool any = nsel == 0;
	for (int i = 0; i < nsel; i++)
		if (select_means(&sel[i], c))
			any = hit[i] = true;
	return any;
}

static bool choose(const struct cmd_args *args, const struct run *then, struct arena *a,
                   struct wanted *out, struct err *e)
{
	int nsel = args->nargs - 1;
	struct selector *sel = ARENA_ARRAY(a, struct selector, (size_t)nsel + 1);
	bool *hit = ARENA_ARRAY(a, bool, (size_t)nsel + 1);
	for (int i = 0; i < nsel; i++)
		if (!select_read(args->arg[i + 1], &sel[i], e))
			return false;
	*out = (struct wanted){then, ARENA_ARRAY(a, const struct run_case *, then->ncases + 1), 0};
	for (size_t i = 0; i < then->ncases; i++)
		if (has_samples(then, &then->cases[i]) && is_asked(sel, nsel, &then->cases[i], hit))
			out->c[out->n++] = &then->cases[i];
	for (int i = 0; i < nsel; i++)
		if (!hit[i])
			return err_set(e, "selector '%s': no measured case of run %s",
			               args->arg[i + 1], then->head.id);
	return out->n || err_set(e, "run %s has no measured case", then->head.id);
}

/* --- comparing --- */

static bool band_of(const struct cmd_args *args, const struct run *then, const struct run *now,
                    struct arena *a, double *band, struct err *e)
{
	const char *text = cmd_option(&command_reproduce, args, "band");
	char end;
	*band = replication_band(then, now, a);
	if (!text)
		return true;
	if (sscanf(text, "%lf%c", band, &end) != 1 || !(*band > 0 && *band < 100))
		return err_set(e, "--band '%s': expected percent, above 0 and below 100", text);
	*band /= 100;
	return true;
}

static int answer(const struct cmd_args *args, const struct wanted *w, const struct run *now,
                  struct arena *a, struct err *e)
{
	double band;
	struct replication_row *row = ARENA_ARRAY(a, struct replication_row, w->n + 1);
	if (!band_of(args, w->then, now, a, &band, e))
		return fail(e);
	for (size_t i = 0; i < w->n; i++)
		replication_case(w->then, w->c[i], now, band, a, &row[i]);
	if (cmd_option(&command_reproduce, args, "json"))
		replication_print_json(w->then, now, row, w->n, band);
	else
		replication_print(w->then, now, row, w->n, band);
	return replication_status(row, w->n);
}

/* --- measuring again --- */

/* True if this build has the case with this id, in the suite or not; *out then selects it. */
static bool has_case(enum kernel_where where, const char *id, struct arena *a, struct selector *out)
{
	struct err ignored = ERR_NONE; /* a name that no longer exists is a case that is not here */
	struct plan p;
	return select_parse(id, out, &ignored) && plan_list(where, out, 1, a, &p, &ignored) &&
	       p.n == 1 && strcmp(p.item[0].id, id) == 0;
}

/* Makes a plan of those wanted cases that this build and device can measure. */
static bool plan_wanted(const struct wanted *w, struct session *s, struct err *e)
{
	const char *device = w->c[0]->device;
	enum kernel_where where;
	struct facts facts;
	if (!command_device(device, 1, &where, &facts, e))
		return false;
	struct selector *sel = ARENA_ARRAY(&s->arena, struct selector, w->n);
	size_t n = 0;
	for (size_t i = 0; i < w->n; i++)
		n += has_case(where, w->c[i]->id, &s->launch_arena, &sel[n]);
	if (n == 0)
		return err_set(e, "nothing of run %s can be measured by this build on %s",
		               w->then->head.id, device);
	return plan_make(where, PLAN_MEASURE, &facts, sel, n, &s->arena, &s->plan, e);
}

static bool measure(struct session *s, const struct session_about *about)
{
	int64_t n = s->plan.set.launches, i = 0;
	if (!session_begin(s, about, (size_t)n))
		return false;
	while (i < n && session_launch(s, i, NULL))
		progress_launch(&s->progress, i++, n);
	if (session_end_after(s, i, n))
		fprintf(stderr, "recorded: %s\n", s->journal.path);
	return !s->e->set;
}

static int measure_again(const struct cmd_args *args, const struct wanted *w, struct session *s,
                         const struct invocation *inv)
{
	const struct cmd *c = &command_reproduce;
	const char *out = cmd_option(c, args, "out"), *id = w->then->head.id;
	struct session_about about = {
	        .out = out ? out : "build/replications",
	        .reason = arena_printf(&s->arena, "replication of %s", id),
	        .replicates = id,
	        .inv = inv,
	};
	struct run now;
	if (!plan_wanted(w, s, s->e))
		return fail(s->e);
	s->plan.set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	s->plan.set.launches = cmd_option_int(c, args, "launches", w->then->head.launches);
	if (!settings_launches(s->plan.set.launches, 2, s->e) || !session_survey(s, NULLS) ||
	    !measure(s, &about) || !session_read(s, &now))
		return fail(s->e);
	return answer(args, w, &now, &s->arena, s->e);
}

static int reproduce(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	const char *against = cmd_option(&command_reproduce, args, "against");
	struct run then, now;
	struct wanted w;
	int status;
	if (!load(against ? against : args->arg[0], &s->arena, &then, &e) ||
	    (against && !load(args->arg[0], &s->arena, &now, &e)) ||
	    !choose(args, &then, &s->arena, &w, &e))
		status = fail(&e);
	else
		status = against ? answer(args, &w, &now, &s->arena, &e)
		                 : measure_again(args, &w, s, ctx);
	session_free(s);
	return status;
}

const struct cmd command_reproduce = {
        .name = "reproduce",
        .synopsis = "[OPTION...] FILE|RUN-ID [SELECTOR...]",
        .help = "measure the cases of a record again, and say what holds",
        .more = "Answers EQUIVALENT, DIFFERENT, INCONCLUSIVE or NOT COMPARABLE for each case. Not\n"
                "comparable are another model of device, other sources, or a missing variant.\n"
                "The measurement is an ordinary run file that names the record it replicates.\n"
                "\n"
                "Exit status 0: all that can be compared is equivalent. 1: something is\n"
                "different. 2: neither, or an error.\n"
                "\n"
                "  runner reproduce 20260101T000000Z-h200-00000000 'reduce/*:n=2^28'\n"
                "  runner reproduce --against data/runs/h200/ID.jsonl.gz new.jsonl.gz",
        .options = options,
        .min_args = 1,
        .max_args = CMD_MAX_ARGS,
        .run = reproduce,
};
