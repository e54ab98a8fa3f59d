/*
 * runner/commands/selftest.c - `runner selftest`: tests the measuring method on this machine.
 * How often does it call equal code different, and how small a difference can it find? The
 * samples go to a run file; lib/selftest.h judges them, here and on the site.
 */
#include <inttypes.h>
#include <stdio.h>

#include "lib/file.h"
#include "lib/record_file.h"
#include "lib/selftest.h"
#include "runner/commands/commands.h"
#include "runner/measure/session.h"
#include "runner/selftest_chain.h"

#define LAUNCHES 60
enum { BLOCK = SELFTEST_BLOCK };
_Static_assert(LAUNCHES % BLOCK == 0, "whole blocks");

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"launches", 'n', CMD_INT, "N",
         "processes, a multiple of " STR_DIGITS(SELFTEST_BLOCK) " (default " STR_DIGITS(
                 LAUNCHES) ")"},
        {"out", 'o', CMD_STRING, "DIR", "where the run file goes (default build/selftest)"},
        OPTION_SEED,
        {0},
};

/* --- the report --- */

static double percent(size_t of, size_t all)
{
	return all ? 100 * (double)of / (double)all : 0;
}

static void print_tally(const struct selftest_tally *t)
{
	printf("%5.1f %%  %11zu  %7.1f %%  %12.1f %%  %8.1f %%  %7.1f %%  ±%5.2f %%  | %5.1f %%  "
	       "%10.1f %%\n",
	       (double)t->pad / 10, t->pairs, percent(t->found, t->pairs),
	       percent(t->different, t->pairs), percent(t->equivalent, t->pairs),
	       percent(t->undecided, t->pairs), 100 * t->halfwidth,
	       percent(t->nvbench, t->processes), percent(t->mann_whitney, t->processes));
}

static void print_noise(const struct run *r, struct arena *a)
{
	double between = 0, within = 0;
	size_t n = 0;
	for (size_t i = 0; i < r->ncases; i++) {
		struct stats_summary s;
		if (!record_summary(r, &r->cases[i], a, &s, NULL))
			continue;
		between += s.between_sd;
		within += s.within_cv;
		n++;
	}
	if (n)
		printf("noise: %.2f %% within a process, %.2f %% between processes\n",
		       100 * within / (double)n, 100 * between / (double)n);
}

static bool report(const struct run *r, struct arena *a, struct err *e)
{
	int64_t pad[SELFTEST_PLANTED];
	size_t n = selftest_pads(r, pad, SELFTEST_PLANTED);
	struct selftest_tally equal = selftest_judge(r, 0, a);
	if (!selftest_is(r) || !equal.pairs)
		return err_set(e, "%s: no %d launches of equal cases: not a selftest, or too short",
		               r->head.id, BLOCK);
	printf("%s on %s\n", r->head.id, r->head.device);
	print_noise(r, a);
	printf("\n%d launches of each side, band ±%.1f %%; right of the bar: samples of one "
	       "process\n\n"
	       "planted  comparisons  without 1  faster/slower  equivalent  undecided    width  "
	       "| nvbench  Mann-Whitney\n",
	       BLOCK, 100 * selftest_band);
	print_tally(&equal);
	for (size_t i = 0; i < n; i++) {
		struct selftest_tally t = selftest_judge(r, pad[i], a);
		print_tally(&t);
	}
	printf("\nequal code, the sides of its launches exchanged in every way: %.1f %% without "
	       "1\n",
	       100 * (1 - selftest_exchanged(r, a)));
	printf("\n'without 1' is the interval alone: of equal code 5 %% are expected, and a "
	       "difference counts as found.\nThe verdict looks at the band, too: a difference "
	       "of its size lies on its edge.\n");
	return true;
}

/* --- measuring --- */

static bool make_plan(const struct cmd_args *args, struct session *s)
{
	const struct cmd *c = &command_selftest;
	static const struct kernel_family *const family[] = {&selftest_family};
	enum kernel_where where;
	struct facts facts;
	if (!command_device(cmd_option(c, args, "device"), 1, &where, &facts, s->e) ||
	    !plan_make_of(family, 1, where, PLAN_MEASURE, &facts, NULL, 0, &s->arena, &s->plan,
	                  s->e))
		return false;
	s->plan.set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	s->plan.set.launches = cmd_option_int(c, args, "launches", LAUNCHES);
	s->plan.role = "selftest";
	return settings_launches(s->plan.set.launches, BLOCK, s->e) &&
	       (s->plan.set.launches % BLOCK == 0 ||
	        err_set(s->e, "--launches: expected a multiple of %d", BLOCK));
}

/* Gives all items the same batch and timer: survey noise must not make equal code differ. */
static void same_method(struct plan *p)
{
	for (size_t i = 1; i < p->n; i++) {
		p->item[i].timer = p->item[0].timer;
		p->item[i].batch = p->item[0].batch;
		p->item[i].call_ns = p->item[0].call_ns;
	}
}

static bool measure(const struct cmd_args *args, struct session *s, const struct invocation *inv,
                    struct run *out)
{
	const char *dir = cmd_option(&command_selftest, args, "out");
	struct session_about about = {.out = dir ? dir : "build/selftest",
	                              .reason = "selftest of the instrument",
	                              .inv = inv};
	int64_t i = 0, n;
	if (!make_plan(args, s) || !session_survey(s, 0))
		return false;
	plan_add_copies(&s->plan, 0, SELFTEST_COPIES, &s->arena); /* the first has pad=0 */
	same_method(&s->plan);
	if (!session_begin(s, &about, (size_t)s->plan.set.launches))
		return false;
	n = s->plan.set.launches;
	while (i < n && session_launch(s, i, NULL))
		progress_launch(&s->progress, i++, n);
	if (!session_end(s, i == n))
		return false;
	fprintf(stderr, "recorded: %s\n", s->journal.path);
	if (i < n)
		return s->e->set || err_set(s->e, "interrupted: the file is partial");
	return session_read(s, out);
}

static int selftest(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	struct run r;
	bool ok = args->nargs ? record_file_load_whole(args->arg[0], &s->arena, &r, &e)
	                      : measure(args, s, ctx, &r);
	if (ok)
		report(&r, &s->arena, &e);
	int status = e.set ? command_failed(&e) : 0;
	session_free(s);
	return status;
}

const struct cmd command_selftest = {
        .name = "selftest",
        .synopsis = "[OPTION...] [FILE]",
        .help = "measure how often the instrument is wrong on this machine",
        .more = "Measures equal code, and planted differences of 0.5, 1 and 2 %, and compares\n"
                "them as 'runner compare' does, ten processes at a time. The copies take turns in\n"
                "each process. Beside the result stands what nvbench_compare.py (means further\n"
                "apart than the noise) and a Mann-Whitney test at 5 % say of one process.\n"
                "\n"
                "The samples are kept as a run file. The site draws it once it is in data/runs:\n"
                "--out data/runs puts it there. With FILE, such a file is judged again and\n"
                "nothing is measured.",
        .options = options,
        .max_args = 1,
        .run = selftest,
};
