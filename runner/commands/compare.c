/*
 * runner/commands/compare.c - `runner compare`: is B slower than A? This file has the
 * command and the comparison of two files.
 */
#include "runner/commands/compare.h"

#include <stdio.h>
#include <string.h>

#include "lib/file.h"
#include "lib/record_file.h"
#include "runner/commands/commands.h"
#include "runner/compare/replication.h"

enum { ERROR = 2 };

static const struct cmd_option options[] = {
        OPTION_DEVICE,
        {"runner-b", 'B', CMD_STRING, "PATH",
         "compare with this runner program as B; all arguments are selectors"},
        {"launches", 'n', CMD_INT, "N",
         "processes of each side (default " STR_DIGITS(SETTINGS_LAUNCHES) ")"},
        {"band", 0, CMD_STRING, "PERCENT",
         "differences up to this count as none (default " STR_DIGITS(
                 STATS_BAND_PERCENT) ", or the noise if that is more)"},
        {"json", 0, CMD_FLAG, NULL, "print JSON instead of a table"},
        {"out", 'o', CMD_STRING, "DIR", "where run files go (default build/comparisons)"},
        OPTION_SEED,
        {0},
};

/* --- shared by the three kinds --- */

const struct run_case *compare_case(const struct run *r, const char *id)
{
	const struct run_case *c = record_case(r, id);
	return c && !c->unavailable ? c : NULL;
}

bool compare_same_code(const struct run_case *x, const struct run_case *y)
{
	return x->build.code_sha256 && y->build.code_sha256 &&
	       strcmp(x->build.code_sha256, y->build.code_sha256) == 0;
}

void compare_count(struct compare_side *s, const struct run *r, const char *id)
{
	for (size_t i = 0; i < r->nlaunches; i++) {
		const struct run_launch *l = &r->launches[i];
		if (strcmp(l->of->id, id) != 0)
			continue;
		s->n++;
		if (!record_launch_ok(l) && s->failed++ == 0)
			s->status = l->status;
	}
}

const char *compare_broken(const struct compare_side *s, size_t want, struct arena *a)
{
	if (s->failed)
		return arena_printf(a, "%s: %zu of %zu launches failed (%s)", s->name, s->failed,
		                    s->n, s->status);
	if (s->n == 0 || s->n < want)
		return arena_printf(a, "%s: measured in %zu launches only", s->name, s->n);
	return NULL;
}

/* --- two files --- */

static bool load(struct comparing *c, const char *path, struct run *out)
{
	if (!record_file_load_whole(path, &c->s->arena, out, c->e))
		return false;
	record_keep_compared(out, &c->s->arena);
	return true;
}

static size_t side_of_file(const struct run *r, const char *id, const char *name, struct arena *a,
                           const double **m, const char **broken)
{
	struct compare_side side = {.name = name};
	struct stats_summary t;
	double *medians;
	compare_count(&side, r, id);
	if (!*broken)
		*broken = compare_broken(&side, 0, a);
	if (!record_summary(r, record_case(r, id), a, &t, &medians))
		return 0;
	*m = medians;
	return t.launches;
}

static void add_files_rows(struct comparing *c, const struct run *ra, const struct run *rb)
{
	struct arena *a = &c->s->arena;
	c->v.row = ARENA_ARRAY(a, struct ab_test_row, ra->ncases + 1);
	for (size_t i = 0; i < ra->ncases; i++) {
		const char *id = ra->cases[i].id;
		const struct run_case *mine = compare_case(ra, id), *other = compare_case(rb, id);
		if (!mine || !other) {
			c->v.only_a += mine != NULL;
			continue;
		}
		struct ab_test_row *r = &c->v.row[c->v.n++];
		*r = (struct ab_test_row){
		        .a = id, .b = id, .same_code = compare_same_code(mine, other)};
		r->na = side_of_file(ra, id, "A", a, &r->ma, &r->broken);
		r->nb = side_of_file(rb, id, "B", a, &r->mb, &r->broken);
	}
	for (size_t i = 0; i < rb->ncases; i++)
		c->v.only_b += !rb->cases[i].unavailable && !compare_case(ra, rb->cases[i].id);
}

/*
 * Two runs differ by more than their intervals suggest, since each interval covers the
 * launches of one run only. Cases with equal machine code show by how much.
 */
static void band_of_runs(struct comparing *c, const struct run *ra, const struct run *rb)
{
	double moved;
	size_t n = replication_moved(ra, rb, &c->s->arena, &moved);
	c->v.least_band = replication_band(ra, rb, &c->s->arena);
	c->v.remark = "two runs: what differs between them is in no interval";
	if (n < REPLICATION_FEWEST)
		return;
	c->v.least_band = moved > c->v.least_band ? moved : c->v.least_band;
	c->v.remark = arena_printf(&c->s->arena,
	                           "%s; of %zu cases of the same machine code 95 %% moved by less "
	                           "than %.2g %%",
	                           c->v.remark, n, 100 * moved);
}

/*
 * Two run files of one machine: cases of the same id, unpaired. Null controls
 * are those the files hold; the band is that of runs which lie apart
 * (replication_band), or what cases of the same machine code moved by.
 */
static bool compare_files(struct comparing *c, const char *a, const char *b)
{
	struct run ra, rb;
	if (!load(c, a, &ra) || !load(c, b, &rb))
		return false;
	if (strcmp(ra.head.machine.key, rb.head.machine.key) != 0)
		return err_set(c->e, "different machines, %s and %s: see 'runner reproduce'",
		               ra.head.machine.key, rb.head.machine.key);
	c->v.a = ra.head.id;
	c->v.b = rb.head.id;
	c->v.null_ratio = ARENA_ARRAY(&c->s->arena, double, ra.nnulls + rb.nnulls + 1);
	c->v.nnull = record_null_ratios(&ra, &c->s->arena, c->v.null_ratio);
	c->v.nnull += record_null_ratios(&rb, &c->s->arena, c->v.null_ratio + c->v.nnull);
	add_files_rows(c, &ra, &rb);
	band_of_runs(c, &ra, &rb);
	return c->v.n || err_set(c->e, "the runs have no measured case in common");
}

/* --- the command --- */

static bool read_options(struct comparing *c, double *band)
{
	const struct cmd *cmd = &command_compare;
	const char *out = cmd_option(cmd, c->args, "out"), *text = cmd_option(cmd, c->args, "band");
	char end;
	c->out = out ? out : "build/comparisons";
	c->device = cmd_option(cmd, c->args, "device");
	c->seed = cmd_option_int(cmd, c->args, "seed", -1);
	c->blocks = cmd_option_int(cmd, c->args, "launches", settings_default.launches);
	if (!settings_launches(c->blocks, 2, c->e))
		return false;
	*band = 0;
	if (text && (sscanf(text, "%lf%c", band, &end) != 1 || !(*band > 0 && *band < 100)))
		return err_set(c->e, "--band '%s': expected percent, above 0 and below 100", text);
	*band /= 100;
	return true;
}

/* True if the argument names a run file, existing or not; no variant has such a name. */
static bool is_file(const char *arg)
{
	return record_file_is(str_of(arg)) || file_exists(arg);
}

static bool compare_any(struct comparing *c)
{
	const char *program = cmd_option(&command_compare, c->args, "runner-b");
	const char *const *arg = c->args->arg;
	if (program)
		return compare_builds(c, program);
	if (c->args->nargs != 2)
		return err_set(c->e, "expected A and B: two variants or two run files");
	return is_file(arg[0]) || is_file(arg[1]) ? compare_files(c, arg[0], arg[1])
	                                          : compare_variants(c, arg[0], arg[1]);
}

static int compare(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct comparing c = {.args = args, .inv = ctx, .s = session_new(&e), .e = &e};
	double band;
	int status = ERROR;
	if (!read_options(&c, &band) || !compare_any(&c)) {
		command_failed(&e);
	} else {
		ab_test_judge(&c.v, band);
		if (cmd_option(&command_compare, args, "json"))
			ab_test_print_json(&c.v);
		else
			ab_test_print(&c.v);
		status = ab_test_status(&c.v);
	}
	session_free(c.s);
	return status;
}

const struct cmd command_compare = {
        .name = "compare",
        .synopsis = "[OPTION...] A B | --runner-b PATH [SELECTOR...]",
        .help = "tell whether B is slower than A",
        .more = "A and B are two variants of this build, two run files of one machine, or two\n"
                "builds. Processes run in the order A, B, A again, and back. A against itself is\n"
                "the null control: it sets the band within which a difference counts as none.\n"
                "B is faster, slower, equivalent, or undecided (and how many more processes would\n"
                "decide). Equal machine code is \"same code\" and needs no test.\n"
                "\n"
                "Exit status 0: nothing is slower, and all is decided. 1: something is slower\n"
                "(5 % false discoveries over all cases). 2: something is undecided, a process\n"
                "failed, B lacks a case of A, noise made the band wider than a percent (--band\n"
                "accepts a wider one), or an error.\n"
                "\n"
                "Two files are two runs, which differ more than their intervals say. Their band\n"
                "is at least one percent, or what 95 of 100 cases of the same machine code moved\n"
                "by. Cases that only one file has are counted, not compared.\n"
                "\n"
                "  runner compare reduce/shuffle reduce/single:n=2^28\n"
                "  runner compare --runner-b ../before/build/runner reduce\n"
                "\n"
                "For the build before a change keep a copy of build/runner, or make one:\n"
                "git worktree add ../before HEAD~1 && make -C ../before runner",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = compare,
};
