/*
 * runner/selftest.c - `runner selftest`: how often does the instrument call
 * equal code different, and how small a difference does it find, on this
 * machine? Beside it, what two rules that look at one process would have said
 * of the very same samples.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "runner/selftest_chain.h"
#include "runner/session.h"

enum { BLOCK = 10 }; /* launches of one comparison: as many as a run has */

static const double BAND = 0.005;

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"launches", 'n', CMD_INT, "N", "process launches, a multiple of 10 (default 40)"},
        {"out", 'o', CMD_STRING, "DIR", "where the run file goes (default build/selftest)"},
        {"seed", 's', CMD_INT, "N", "seed of order and inputs (default: from the clock)"},
        {0},
};

/* --- what the rules say --- */

/* How often each rule called a pair of cases different, out of how many. */
struct tally {
	int64_t pad; /* planted, per mille; 0: equal code */
	size_t pairs, found, different, equivalent, undecided;
	size_t processes, nvbench, mann_whitney;
	double halfwidth; /* sum over the pairs */
};

static double *seconds(const struct run_launch *l, struct arena *a)
{
	double *x = ARENA_ARRAY(a, double, l->nsamples);
	for (size_t i = 0; i < l->nsamples; i++)
		x[i] = (double)l->sample_ns[i] / (double)l->batch;
	return x;
}

static double mean_of(const double *x, size_t n, double *noise)
{
	double mean = 0, ss = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		ss += (x[i] - mean) * (x[i] - mean);
	*noise = n > 1 ? sqrt(ss / (double)(n - 1)) / mean : INFINITY;
	return mean;
}

/*
 * The rule of nvbench_compare.py (NVIDIA/nvbench): different if the means are
 * further apart than the smaller of the two noises, stdev / mean.
 */
static bool nvbench_differs(const double *x, size_t nx, const double *y, size_t ny)
{
	double noise_x, noise_y;
	double mx = mean_of(x, nx, &noise_x), my = mean_of(y, ny, &noise_y);
	return fabs(my / mx - 1) > fmin(noise_x, noise_y);
}

/* One process: two cases by their samples alone. */
static void judge_samples(const struct run_launch *a, const struct run_launch *b,
                          struct arena *arena, struct tally *t)
{
	double *x = seconds(a, arena), *y = seconds(b, arena);
	t->processes++;
	t->nvbench += nvbench_differs(x, a->nsamples, y, b->nsamples);
	t->mann_whitney += stats_mann_whitney(x, a->nsamples, y, b->nsamples, NULL) < 0.05;
}

static const struct run_launch *find_ok(const struct run_launch *l, size_t n,
                                        const struct run_case *c, int64_t i)
{
	for (size_t k = 0; k < n; k++)
		if (l[k].of == c && l[k].i == i && record_launch_ok(&l[k]))
			return &l[k];
	return NULL;
}

static const struct run_launch *launch_of(const struct run *r, const struct run_case *c, int64_t i)
{
	const struct run_launch *l = find_ok(r->launches, r->nlaunches, c, i);
	return l ? l : find_ok(r->null_launches, r->nnull_launches, c, i);
}

/* One comparison: launches first … first + BLOCK of two cases. */
static void judge_block(const struct run *r, const struct run_case *a, const struct run_case *b,
                        int64_t first, struct arena *arena, struct tally *t)
{
	double ma[BLOCK], mb[BLOCK];
	size_t n = 0;
	for (int64_t i = first; i < first + BLOCK; i++) {
		const struct run_launch *la = launch_of(r, a, i), *lb = launch_of(r, b, i);
		if (!la || !lb)
			continue;
		judge_samples(la, lb, arena, t);
		ma[n] = record_launch_median(la);
		mb[n++] = record_launch_median(lb);
	}
	if (n < BLOCK)
		return;
	struct stats_comparison c = stats_compare(mb, ma, n, BAND);
	t->pairs++;
	t->equivalent += c.verdict == STATS_EQUIVALENT;
	t->undecided += c.verdict == STATS_UNDECIDED;
	t->different += c.verdict == STATS_FASTER || c.verdict == STATS_SLOWER;
	t->found += c.ratio.lo > 1 || c.ratio.hi < 1;
	t->halfwidth += stats_halfwidth(&c.ratio);
}

static bool has_pad(const struct run_case *c, int64_t pad)
{
	const struct run_pair *p = record_param(c, "pad");
	return p && !p->word && p->num == pad;
}

/* The cases of equal code: the one without padding, and its null controls. */
static size_t equal_cases(const struct run *r, const struct run_case **out)
{
	size_t n = 0;
	for (size_t i = 0; i < r->ncases; i++)
		if (has_pad(&r->cases[i], 0) && n == 0)
			out[n++] = &r->cases[i];
	for (size_t i = 0; i < r->nnulls && n > 0; i++)
		if (record_null_of(r, &r->nulls[i]) == out[0])
			out[n++] = &r->nulls[i];
	return n;
}

static void judge_pair(const struct run *r, const struct run_case *x, const struct run_case *y,
                       struct arena *a, struct tally *t)
{
	for (int64_t first = 0; first + BLOCK <= r->head.launches; first += BLOCK)
		judge_block(r, x, y, first, a, t);
}

/* Equal code: every pair of copies. Planted: the padded case against every copy. */
static struct tally judge(const struct run *r, int64_t pad, struct arena *a)
{
	struct tally t = {.pad = pad};
	const struct run_case **equal = ARENA_ARRAY(a, const struct run_case *, r->nnulls + 1);
	size_t n = equal_cases(r, equal);
	for (size_t i = 0; i < n && !pad; i++)
		for (size_t k = i + 1; k < n; k++)
			judge_pair(r, equal[i], equal[k], a, &t);
	for (size_t i = 0; i < r->ncases && pad; i++)
		for (size_t k = 0; k < n && has_pad(&r->cases[i], pad); k++)
			judge_pair(r, equal[k], &r->cases[i], a, &t);
	return t;
}

/* --- the report --- */

static double percent(size_t of, size_t all)
{
	return all ? 100 * (double)of / (double)all : 0;
}

static void print_tally(const struct tally *t)
{
	printf("%5.1f %%  %11zu  %7.1f %%  %12.1f %%  %8.1f %%  %7.1f %%  ±%5.2f %%  | %5.1f %%  "
	       "%10.1f %%\n",
	       (double)t->pad / 10, t->pairs, percent(t->found, t->pairs),
	       percent(t->different, t->pairs), percent(t->equivalent, t->pairs),
	       percent(t->undecided, t->pairs),
	       t->pairs ? 100 * t->halfwidth / (double)t->pairs : 0,
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
	struct tally equal = judge(r, 0, a);
	if (!equal.pairs)
		return err_set(e, "%s: no %d launches of equal cases: not a selftest, or too short",
		               r->head.id, BLOCK);
	printf("%s on %s\n", r->head.id, r->head.device);
	print_noise(r, a);
	printf("\n%d launches of each side, band ±%.1f %%; right of the bar: samples of one "
	       "process\n\n"
	       "planted  comparisons  without 1  faster/slower  equivalent  undecided    width  "
	       "| nvbench  Mann-Whitney\n",
	       BLOCK, 100 * BAND);
	print_tally(&equal);
	for (int i = 0; i < SELFTEST_PLANTED; i++) {
		struct tally t = judge(r, selftest_pad[i], a);
		print_tally(&t);
	}
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
	if (!choose_device(cmd_option(c, args, "device"), &where, &facts, s->e) ||
	    !plan_make_of(family, 1, where, PLAN_MEASURE, &facts, NULL, 0, &s->arena, &s->plan,
	                  s->e))
		return false;
	s->plan.set.seed = settings_seed(cmd_option_int(c, args, "seed", -1));
	s->plan.set.launches = cmd_option_int(c, args, "launches", 4 * BLOCK);
	return (s->plan.set.launches >= BLOCK && s->plan.set.launches <= 1000 &&
	        s->plan.set.launches % BLOCK == 0) ||
	       err_set(s->e, "--launches: expected a multiple of %d, at most 1000", BLOCK);
}

/* The survey's guess of a call's time must not give equal code unequal samples. */
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

static bool load(const char *path, struct arena *a, struct run *out, struct err *e)
{
	struct str bytes;
	return file_read(path, RECORD_MAX_BYTES, a, &bytes, e) &&
	       record_read(bytes, path, a, out, e) &&
	       (out->whole || err_set(e, "%s: not whole: %s", path, out->why_not_whole));
}

static int selftest(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct session *s = session_new(&e);
	struct run r;
	bool ok = args->nargs ? load(args->arg[0], &s->arena, &r, &e) : measure(args, s, ctx, &r);
	if (ok)
		report(&r, &s->arena, &e);
	int status = e.set ? complain(&e) : 0;
	session_free(s);
	return status;
}

const struct cmd command_selftest = {
        .name = "selftest",
        .synopsis = "[OPTION...] [FILE]",
        .help = "how often the instrument is wrong here: false alarms and power",
        .more = "Measures equal code and planted differences of 0.5, 1 and 2 %, and compares\n"
                "them as 'runner compare' does, ten launches at a time. Beside it stands what\n"
                "nvbench_compare.py (means further apart than the noise) and a Mann-Whitney\n"
                "test at 5 % say of the samples of one process. The samples are kept as a run\n"
                "file; with FILE, such a file is judged again and nothing is measured.",
        .options = options,
        .max_args = 1,
        .run = selftest,
};
