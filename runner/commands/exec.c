/*
 * runner/commands/exec.c - `runner exec`: starts other programs again and again, checks what they
 * print, and records their times. docs/other-programs.md explains what such numbers say.
 *
 * A *round* starts every program once, in random order. The first round is not recorded: it finds
 * out what there is to time, and whether it works.
 */
#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "runner/base/child.h"
#include "runner/base/clock.h"
#include "runner/base/program.h"
#include "runner/base/progress.h"
#include "runner/base/rng.h"
#include "runner/base/signals.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"
#include "runner/foreign/foreign.h"
#include "runner/foreign/written.h"
#include "runner/machine/nvml.h"
#include "runner/records/head.h"
#include "runner/records/journal.h"

#define LIMIT_S 600 /* default of --timeout */

enum {
	MOST_OUTPUT = 4 << 20,  /* bytes of a program's output that are searched */
	KEPT_OUTPUT = 16 << 10, /* bytes of it that the record keeps */
	ONE_BY_ONE = 1000000,   /* ns: what watch_start() expects, too short to read the energy */
};

static const struct cmd_option options[] = {
        {"name", 'n', CMD_STRING, "NAME", "what is measured: pages call it exec-NAME"},
        {"as", 'a', CMD_STRING, "NAME,...", "names of the programs (default: their files')"},
        {"check", 'c', CMD_STRING, "CMD",
         "shell command that reads what the program printed and fails if it is wrong"},
        {"time", 't', CMD_STRING, "PATTERN",
         "lines with a time that the program prints, such as 'time: ([0-9.]+) (ms)'"},
        {"unit", 'u', CMD_STRING, "ns|us|ms|s", "unit, if the pattern has no second group"},
        {"lines", 0, CMD_FLAG, NULL,
         "the program prints lines 'ridgepoint: NAME [PARAMETER=VALUE...] 1.5 ms'"},
        {"launches", 'l', CMD_INT, "N",
         "rounds (default " STR_DIGITS(SETTINGS_LAUNCHES) "); each starts every program once"},
        {"timeout", 0, CMD_INT, "SECONDS",
         "most that one process may take (default " STR_DIGITS(LIMIT_S) ")"},
        {"source", 0, CMD_STRING, "URL", "where the programs' source is"},
        {"commit", 0, CMD_STRING, "HASH", "commit of that source"},
        OPTION_DEVICE,
        OPTION_SEED,
        OPTION_REASON,
        {"out", 'o', CMD_STRING, "DIR", "where the record goes (default data/runs)"},
        {0},
};

/* One of the programs. */
struct command {
	const char **argv; /* NULL-terminated */
	const char *name;  /* "sort-a" */
	const char *text;  /* as a shell would read it */
};

struct executing {
	const struct cmd_args *args;
	struct arena a;
	struct err *e;
	struct command *command;
	size_t n;
	const char *family, *title, *check;
	struct foreign f;   /* all results, as the first round found them */
	size_t *from;       /* the first result of each command in it; from[n] is f.n */
	struct run_case *c; /* one for each result */
	enum kernel_where where;
	struct facts facts;
	struct nvml *nvml;
	struct signals sig;
	struct progress progress;
	struct run_head head;
	struct run_foreign said;
	struct sb lines, transcript;
	int timeout_s;
	int64_t launches, start_ns;
	uint64_t seed;
	size_t failed;
};

static const char *option(const struct executing *x, const char *name)
{
	return cmd_option(&command_exec, x->args, name);
}

/* --- what to start --- */

static const char *shell_text(const char *const *argv, struct arena *a)
{
	struct sb b = {0};
	for (size_t i = 0; argv[i]; i++) {
		bool plain = *argv[i] && !strpbrk(argv[i], " \t\n'\"\\$`*?;&|<>()#~{}[]!");
		sb_cstr(&b, i ? " " : "");
		if (plain) {
			sb_cstr(&b, argv[i]);
			continue;
		}
		sb_char(&b, '\'');
		for (const char *p = argv[i]; *p; p++)
			if (*p == '\'')
				sb_cstr(&b, "'\\''");
			else
				sb_char(&b, *p);
		sb_char(&b, '\'');
	}
	return sb_take(a, &b);
}

/* The programs stand one after the other, with "--" between them. */
static bool find_commands(struct executing *x)
{
	const struct cmd_args *args = x->args;
	x->command = ARENA_ARRAY(&x->a, struct command, (size_t)args->nargs + 1);
	for (int i = 0, from = 0; i <= args->nargs; i++) {
		if (i < args->nargs && strcmp(args->arg[i], "--") != 0)
			continue;
		if (i == from)
			return err_set(x->e, "nothing between '--' and %s, expected a program",
			               i < args->nargs ? "'--'" : "the end");
		struct command *c = &x->command[x->n++];
		c->argv = ARENA_ARRAY(&x->a, const char *, (size_t)(i - from) + 1);
		memcpy(c->argv, &args->arg[from], (size_t)(i - from) * sizeof *c->argv);
		c->text = shell_text(c->argv, &x->a);
		from = i + 1;
	}
	return true;
}

/* The names of the programs: those of --as, else of their files. */
static bool find_names(struct executing *x)
{
	const char *as = option(x, "as");
	struct str rest = str_of(as ? as : ""), one;
	for (size_t i = 0; i < x->n; i++) {
		struct command *c = &x->command[i];
		str_cut(rest, ',', &one, &rest);
		one = as ? str_trim(one) : str_of(basename(arena_strdup(&x->a, c->argv[0])));
		c->name = foreign_name(one, &x->a);
		if (as && (!one.n || (i + 1 == x->n && rest.n)))
			return err_set(x->e, "--as '%s': expected %zu names, one for each program",
			               as, x->n);
		if (!c->name)
			return err_set(x->e, "'" STR_FMT "' has no letter and no digit: say --as",
			               STR_ARG(one));
		for (size_t k = 0; k < i; k++)
			if (strcmp(x->command[k].name, c->name) == 0)
				return err_set(x->e,
				               "two programs are called '%s': name them with "
				               "--as, as in --as before,after",
				               c->name);
	}
	return true;
}

static bool read_options(struct executing *x)
{
	const char *name = option(x, "name"), *slug;
	x->launches = cmd_option_int(&command_exec, x->args, "launches", SETTINGS_LAUNCHES);
	x->timeout_s = (int)cmd_option_int(&command_exec, x->args, "timeout", LIMIT_S);
	x->seed = settings_seed(cmd_option_int(&command_exec, x->args, "seed", -1));
	x->check = option(x, "check");
	if (option(x, "time") && option(x, "lines"))
		return err_set(x->e, "--time and --lines: expected one of them");
	if (option(x, "unit") && !option(x, "time"))
		return err_set(x->e, "--unit belongs to --time");
	if (x->timeout_s < 1)
		return err_set(x->e, "--timeout: expected at least 1");
	if (!settings_launches(x->launches, 1, x->e) || !find_commands(x) || !find_names(x))
		return false;
	x->title = name ? name : x->command[0].name;
	slug = foreign_name(str_of(x->title), &x->a);
	if (!slug)
		return err_set(x->e, "--name '%s': expected letters or digits", name);
	x->family = arena_printf(&x->a, "%s-%s", RECORD_EXEC, slug);
	return true;
}

/* --- one process --- */

/* The output of a process as results: one, of the whole program, or what it printed. */
static bool results_of(struct executing *x, const struct command *c, const struct program_end *p,
                       struct foreign *out)
{
	const char *path = arena_printf(&x->a, "output of %s", c->name);
	struct foreign_rule rule = {.title = option(x, "lines") ? NULL : c->name,
	                            .pattern = option(x, "time"),
	                            .unit = option(x, "unit")};
	if (rule.pattern || !rule.title)
		return foreign_printed(&rule, p->out, path, &x->a, out, x->e);
	*out = (struct foreign){.cores = RECORD_NONE, .n = 1};
	out->c = ARENA_NEW(&x->a, struct foreign_case);
	struct foreign_process *one = ARENA_NEW(&x->a, struct foreign_process);
	one->seconds = ARENA_NEW(&x->a, double);
	one->seconds[one->n++] = (double)p->ns * 1e-9;
	*out->c = (struct foreign_case){
	        .variant = c->name,
	        .title = c->text,
	        .whole = c->text,
	        .idea = "The whole program, from its start to its end; each run is a process.",
	        .process = one,
	        .nprocesses = 1};
	return true;
}

static void keep_output(struct executing *x, const struct command *c, int64_t round,
                        const char *status, const struct program_end *p)
{
	struct str out = str_sub(p->out, 0, KEPT_OUTPUT);
	bool cut = p->cut || out.n < p->out.n;
	if (x->transcript.n + out.n + 512 > RECORD_MAX_ORIGINAL)
		out.n = 0;
	sb_printf(&x->transcript, "--- round %" PRId64 ", %s: %s, %" PRId64 " ns%s\n", round + 1,
	          c->name, status, p->ns, cut || out.n < p->out.n ? "; the output is cut" : "");
	sb_text(&x->transcript, out);
	if (out.n && out.p[out.n - 1] != '\n')
		sb_char(&x->transcript, '\n');
}

/* Runs the check with what the program printed. */
static bool check_output(struct executing *x, const struct program_end *p, const char **status,
                         const char **why)
{
	struct program_end k;
	const char *const shell[] = {"sh", "-c", x->check, NULL};
	if (!x->check || strcmp(*status, "ok") != 0)
		return true;
	if (p->cut)
		return err_set(x->e,
		               "--check: the program printed more than %d MiB, which is not "
		               "kept: expected less",
		               MOST_OUTPUT >> 20);
	if (!program_run(shell, p->out, x->timeout_s, x->sig.fd, 1, &x->a, &k, x->e))
		return false;
	if (strcmp(program_status(&k, &x->a), "ok") != 0) {
		*status = "wrong";
		*why = k.first;
	}
	return !k.interrupted;
}

/*
 * Starts a program once. *status says how it ended; *why has more. The readings of the device go
 * into `l`. False after an error or an interruption.
 */
static bool run_once(struct executing *x, const struct command *c, struct program_end *p,
                     struct run_launch *l, const char **status, const char **why)
{
	struct watch w;
	bool watched = x->nvml && watch_start(&w, x->nvml, ONE_BY_ONE);
	bool ok =
	        program_run(c->argv, STR(""), x->timeout_s, x->sig.fd, MOST_OUTPUT, &x->a, p, x->e);
	if (watched)
		watch_stop(&w, l);
	if (!ok || p->interrupted) {
		signals_take(&x->sig);
		return false;
	}
	l->pid = p->pid;
	*status = program_status(p, &x->a);
	*why = p->first;
	return check_output(x, p, status, why);
}

/* --- the first round --- */

static bool add_results(struct executing *x, size_t i, const struct foreign *of, size_t *cap)
{
	for (size_t k = 0; k < of->n; k++) {
		for (size_t m = 0; m < x->f.n; m++)
			if (foreign_same(&x->f.c[m], &of->c[k]))
				return err_set(x->e,
				               "%s and another program both print a result '%s': "
				               "expected names that differ",
				               x->command[i].name, of->c[k].variant);
		if (x->f.n == RECORD_MAX_CASES)
			return err_set(x->e, "more than %d results", RECORD_MAX_CASES);
		x->f.c = arena_grow(&x->a, x->f.c, x->f.n, cap, sizeof *x->f.c);
		x->f.c[x->f.n++] = of->c[k];
	}
	return true;
}

static bool first_round(struct executing *x)
{
	size_t cap = 0;
	x->from = ARENA_ARRAY(&x->a, size_t, x->n + 1);
	for (size_t i = 0; i < x->n; i++) {
		const struct command *c = &x->command[i];
		struct run_launch l = {0};
		struct program_end p;
		struct foreign found;
		const char *status, *why;
		x->from[i] = x->f.n;
		if (!run_once(x, c, &p, &l, &status, &why))
			return x->e->set ? false
			                 : err_set(x->e, "interrupted, nothing is recorded");
		if (strcmp(status, "ok") != 0)
			return err_set(x->e, "%s: %s%s%s; nothing is recorded", c->text,
			               strcmp(status, "wrong") == 0 ? "the check failed" : status,
			               *why ? ": " : "", why);
		if (!results_of(x, c, &p, &found) || !add_results(x, i, &found, &cap))
			return false;
	}
	x->from[x->n] = x->f.n;
	return true;
}

/* --- the rounds that count --- */

/* Writes the launches of one process: one for each result of its program. */
static bool put_process(struct executing *x, size_t i, int64_t place, const struct foreign *found,
                        const struct run_launch *read, const char *status, const char *why)
{
	const char *path = x->command[i].name;
	bool whole = !option(x, "time") && !option(x, "lines");
	for (size_t k = x->from[i]; k < x->from[i + 1]; k++) {
		struct run_launch l = *read;
		const struct foreign_process *values = NULL;
		for (size_t m = 0; found && m < found->n; m++)
			if (foreign_same(&found->c[m], &x->f.c[k]))
				values = found->c[m].process;
		l.of = &x->c[k];
		l.at = place + (int64_t)(k - x->from[i]);
		l.status = found && !values ? "missing" : status;
		l.timer = whole ? "clock" : NULL;
		if (values && !written_samples(&l, values, path, &x->a, x->e))
			return false;
		if (strcmp(l.status, "ok") != 0) {
			x->failed++;
			progress_say(&x->progress, "%s: %s%s%s", x->c[k].id, l.status,
			             *why ? ": " : "", why);
		}
		record_put_launch(&x->lines, &l);
	}
	return true;
}

static bool one_process(struct executing *x, size_t i, int64_t round, int64_t place)
{
	const struct command *c = &x->command[i];
	struct run_launch l = written_launch(NULL, round, "ok");
	struct program_end p;
	struct foreign found;
	const char *status, *why;
	l.t_ms = (clock_ns() - x->start_ns) / 1000000;
	if (!run_once(x, c, &p, &l, &status, &why))
		return false;
	keep_output(x, c, round, status, &p);
	bool good = strcmp(status, "ok") == 0;
	if (good && !results_of(x, c, &p, &found))
		return false;
	return put_process(x, i, place, good ? &found : NULL, &l, status, why);
}

/* Starts each program once, in an order of its own. False if the round is not whole. */
static bool one_round(struct executing *x, int64_t round)
{
	uint64_t rng = rng_derive(x->seed, 1, (uint64_t)round);
	size_t *order = ARENA_ARRAY(&x->a, size_t, x->n);
	int64_t place = 0;
	for (size_t i = 0; i < x->n; i++)
		order[i] = i;
	for (size_t i = x->n; i > 1; i--) {
		size_t k = rng_below(&rng, i), was = order[i - 1];
		order[i - 1] = order[k];
		order[k] = was;
	}
	for (size_t i = 0; i < x->n; i++) {
		size_t now = order[i];
		progress_item(&x->progress, x->command[now].name, i, x->n, round, x->launches);
		if (!one_process(x, now, round, place))
			return false;
		x->progress.done++;
		place += (int64_t)(x->from[now + 1] - x->from[now]);
	}
	progress_launch(&x->progress, round, x->launches);
	return true;
}

/* --- the record --- */

static const char *all_commands(struct executing *x)
{
	struct sb b = {0};
	for (size_t i = 0; i < x->n; i++)
		sb_printf(&b, "%s%s", i ? "\n" : "", x->command[i].text);
	return sb_take(&x->a, &b);
}

static bool make_head(struct executing *x, const struct invocation *inv)
{
	struct run_head *h = &x->head;
	x->said = (struct run_foreign){.harness = RECORD_EXEC,
	                               .checked = x->check,
	                               .source = option(x, "source"),
	                               .commit = option(x, "commit"),
	                               .command = all_commands(x),
	                               .file = "transcript"};
	*h = (struct run_head){.schema = RECORD_FOREIGN_SCHEMA,
	                       .id = head_fresh_id(x->facts.slug, x->seed, &x->a),
	                       .device = x->facts.slug,
	                       .start = head_time(&x->a),
	                       .reason = option(x, "reason"),
	                       .foreign = &x->said,
	                       .commit = stamp.commit,
	                       .dirty = stamp.dirty,
	                       .runner_sha256 = head_own_hash(&x->a),
	                       .launches = x->launches,
	                       .rng_seed = (int64_t)x->seed,
	                       .order = "random within each round"};
	h->argv = ARENA_ARRAY(&x->a, const char *, (size_t)inv->argc + 1);
	for (int i = 1; i < inv->argc; i++)
		h->argv[h->nargv++] = inv->argv[i];
	return head_knows_runner(h->runner_sha256, x->e) &&
	       machine_describe(&x->facts, x->where == KERNEL_CUDA ? 1 : 0, &x->a, h, x->e);
}

static void make_cases(struct executing *x)
{
	const struct written w = {.family = x->family,
	                          .title = x->title,
	                          .problem = "Programs that the runner started and timed.",
	                          .checked = x->check,
	                          .why = x->check ? "this command succeeded after each process"
	                                          : "nothing was checked here",
	                          .gpu = x->where == KERNEL_CUDA};
	x->c = written_cases(&w, &x->f, &x->a);
}

/* Writes the record after `done` rounds. */
static bool save(struct executing *x, int64_t done)
{
	struct sb head = {0}, cases = {0};
	struct journal j;
	char hex[HASH_SHA256_HEX + 1];
	const char *out = option(x, "out");
	hash_sha256(sb_view(&x->transcript), hex);
	x->said.sha256 = hex;
	/* the cases got their numbers before the launches named them */
	record_put_cases(&cases, x->c, x->f.n);
	record_put_head(&head, &x->head);
	record_foreign_put_original(&x->lines, sb_view(&x->transcript));
	bool opened = journal_open(&j, out ? out : "data/runs", x->head.device, x->head.id, x->e);
	bool ok = opened;
	if (ok && !journal_has_room(&j, head.n + cases.n + x->lines.n))
		ok = err_set(x->e,
		             "the record would take %zu MiB, more than one may: expected "
		             "fewer values",
		             (cases.n + x->lines.n) >> 20);
	ok = ok && journal_put(&j, sb_view(&head), x->e) &&
	     journal_put(&j, sb_view(&cases), x->e) && journal_put(&j, sb_view(&x->lines), x->e) &&
	     journal_close(&j, done == x->launches ? "complete" : "partial", head_time(&x->a), 0,
	                   x->e);
	if (ok)
		printf("%s\n", j.path);
	else if (opened)
		journal_abandon(&j, x->e);
	journal_free(&j);
	sb_free(&head);
	sb_free(&cases);
	return ok;
}

/* "not known" if the file may be executed but not read, or is huge. */
static bool hash_program(const char *name, struct arena *a, char hex[HASH_SHA256_HEX + 1],
                         struct err *e)
{
	enum { MOST = 256 << 20 };
	struct stat st;
	struct str bytes;
	const char *path = strchr(name, '/') ? name : child_find(name, a);
	char *file = path ? realpath(path, NULL) : NULL; /* it may be a link */
	strcpy(hex, "not known");
	bool ok = (file && stat(file, &st) == 0) || err_sys(e, "%s: cannot be found", name);
	if (ok && st.st_size <= MOST && (access(file, R_OK) == 0 || errno != EACCES)) {
		ok = file_read(file, MOST, a, &bytes, e);
		if (ok)
			hash_sha256(bytes, hex);
	}
	free(file);
	return ok;
}

/* The transcript begins with the files that were started. */
static bool keep_programs(struct executing *x)
{
	bool ok = true;
	for (size_t i = 0; ok && i < x->n; i++) {
		const struct command *c = &x->command[i];
		struct arena a = {0};
		char hex[HASH_SHA256_HEX + 1];
		ok = hash_program(c->argv[0], &a, hex, x->e);
		sb_printf(&x->transcript, "--- program %s: %s\nSHA-256 of the file: %s\n", c->name,
		          c->text, hex);
		arena_free(&a);
	}
	return ok;
}

static bool measure(struct executing *x, const struct invocation *inv)
{
	struct sb numbered = {0};
	int64_t done = 0;
	if (!make_head(x, inv))
		return false;
	make_cases(x);
	record_put_cases(&numbered, x->c, x->f.n); /* gives them their numbers */
	sb_free(&numbered);
	if (!keep_programs(x))
		return false;
	x->start_ns = clock_ns();
	x->progress = progress_start(x->n * (size_t)x->launches);
	while (done < x->launches && one_round(x, done))
		done++;
	if (x->lines.n == 0)
		return x->e->set ? false : err_set(x->e, "interrupted, nothing is recorded");
	struct err late = *x->e;
	*x->e = ERR_NONE;
	if (!save(x, done))
		return false;
	*x->e = late;
	if (done < x->launches && !x->e->set)
		err_set(x->e, "interrupted in round %" PRId64 ": the file is partial", done + 1);
	return !x->e->set;
}

static bool prepare(struct executing *x)
{
	const char *why;
	if (!read_options(x) || !head_clock(time(NULL), stamp.committed, x->e) ||
	    !command_device(option(x, "device"), 1, &x->where, &x->facts, x->e))
		return false;
	if (x->facts.pretended)
		return err_set(x->e, "a pretended device runs no other program: unset "
		                     "RIDGEPOINT_PRETEND");
	if (x->where == KERNEL_CUDA)
		x->nvml = nvml_open(&x->facts, 1, &why);
	return signals_open(&x->sig, x->e);
}

static int exec(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct executing x = {.args = args, .e = &e, .sig = {.fd = -1}};
	bool ok = prepare(&x) && first_round(&x) && measure(&x, ctx);
	size_t failed = x.failed;
	nvml_close(x.nvml);
	signals_close(&x.sig);
	sb_free(&x.lines);
	sb_free(&x.transcript);
	arena_free(&x.a);
	if (failed)
		fprintf(stderr, "runner: %zu results are missing or wrong; the file says which\n",
		        failed);
	return ok ? failed > 0 : command_failed(&e);
}

const struct cmd command_exec = {
        .name = "exec",
        .synopsis = "[OPTION...] -- PROGRAM [ARGUMENT...] [-- PROGRAM ...]",
        .help = "time other programs, and record that",
        .more = "Starts each program once to try it, then once in each round, in random order. A\n"
                "time is that of the whole program, or what the program prints (--time, --lines).\n"
                "After each process the command of --check gets what it printed; a check that\n"
                "fails makes the result wrong. Pages mark each such number. Without --check they\n"
                "say that nothing was checked. The record has what the programs printed, and is\n"
                "published with it. docs/other-programs.md says more.\n"
                "\n"
                "  runner exec --name sort --check 'sort -c' -- sort -n a.txt\n"
                "  runner exec --name sort --as one,four -- sort --parallel=1 a.txt \\\n"
                "      -- sort --parallel=4 a.txt\n"
                "  runner exec --name gemm --time 'Runtime: ([0-9.]+) (ms)' -- \\\n"
                "      cutlass_profiler --operation=Gemm --m=4096 --n=4096 --k=4096",
        .options = options,
        .min_args = 1,
        .max_args = CMD_MAX_ARGS,
        .run = exec,
};
