/*
 * runner/commands/import.c - `runner import`: makes a record of what another harness measured.
 * Its file goes into the record as it is; docs/numbers-from-elsewhere.md explains the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "lib/record_foreign.h"
#include "lib/slug.h"
#include "runner/base/clock.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"
#include "runner/foreign/foreign.h"
#include "runner/foreign/written.h"
#include "runner/records/head.h"
#include "runner/records/journal.h"

static const struct cmd_option options[] = {
        {"from", 'f', CMD_STRING, "HARNESS",
         "csv|google-benchmark|hyperfine|nvbench|pytest-benchmark"},
        {"name", 'n', CMD_STRING, "NAME", "what was measured (default: the file's name)"},
        {"gpu", 0, CMD_STRING, "NAME", "the GPU that ran it, if the file names none"},
        {"cpu", 0, CMD_STRING, "NAME", "the CPU, if no GPU ran it and the file names none"},
        {"date", 0, CMD_STRING, "TIME", "when it was measured, if the file does not say"},
        {"harness-version", 0, CMD_STRING, "TEXT", "version of the harness"},
        {"checked", 0, CMD_STRING, "TEXT", "what was checked of the results (default: nothing)"},
        {"source", 0, CMD_STRING, "URL", "where the measured source is"},
        {"commit", 0, CMD_STRING, "HASH", "commit of that source"},
        {"command", 0, CMD_STRING, "TEXT", "command that measured it"},
        OPTION_REASON,
        {"out", 'o', CMD_STRING, "DIR", "where the record goes (default data/runs)"},
        {0},
};

struct importing {
	const struct cmd_args *args;
	struct arena *a;
	struct err *e;
	const char *path, *family;
	struct str text;
	struct foreign f;
	struct run_head head;
	struct run_foreign said;
	struct run_case *cases;
	bool gpu;
	char slug[48], sha256[HASH_SHA256_HEX + 1];
};

static const char *option(const struct importing *m, const char *name)
{
	return cmd_option(&command_import, m->args, name);
}

/* An option counts more than the file. */
static const char *said(const struct importing *m, const char *name, const char *in_file)
{
	return option(m, name) ? option(m, name) : in_file;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* --- the device and the time --- */

static bool find_device(struct importing *m)
{
	const char *gpu = said(m, "gpu", m->f.gpu.name), *cpu = said(m, "cpu", m->f.cpu);
	if (option(m, "cpu"))
		gpu = option(m, "gpu");
	if (option(m, "gpu") && option(m, "cpu"))
		return err_set(m->e, "--gpu and --cpu: expected the one that did the work");
	if (!gpu && !cpu)
		return err_set(m->e,
		               "%s: names no device: say what ran it with --gpu NAME or "
		               "--cpu NAME",
		               m->path);
	m->gpu = gpu;
	if (gpu && (!m->f.gpu.name || strcmp(gpu, m->f.gpu.name) != 0))
		m->f.gpu.name = gpu;
	if (!gpu)
		m->f.gpu.name = NULL;
	m->f.cpu = cpu;
	slug_device(gpu ? "" : "cpu", gpu ? gpu : cpu, m->slug, sizeof m->slug);
	return (*m->slug && strcmp(m->slug, "cpu") != 0) ||
	       err_set(m->e, "the device '%s' has no name of letters or digits", gpu ? gpu : cpu);
}

static bool find_time(struct importing *m)
{
	const char *date = option(m, "date"), *now = head_time(m->a);
	if (date && !foreign_time(date, m->a))
		return err_set(m->e, "--date %s: expected 2026-01-31 or 2026-01-31T12:00:00Z",
		               date);
	m->f.start = date ? foreign_time(date, m->a) : m->f.start;
	if (!m->f.start)
		return err_set(m->e, "%s: does not say when it was measured: say it with --date",
		               m->path);
	return strcmp(m->f.start, now) <= 0 ||
	       err_set(m->e, "it was measured at %s, and now it is %s: expected a time before",
	               m->f.start, now);
}

/* --- the head --- */

/*
 * "20260101T000000Z-h200-" and 8 digits of a hash of the file and of all that was said of it: the
 * same import gives the same record.
 */
static const char *id_of(const struct importing *m)
{
	struct sb id = {0}, all = {0};
	char hex[HASH_SHA256_HEX + 1];
	sb_str(&all, m->text);
	for (size_t i = 0; i < m->head.nargv; i++)
		sb_printf(&all, "%c%s", 0, m->head.argv[i]);
	hash_sha256(sb_view(&all), hex);
	for (const char *p = m->f.start; *p; p++)
		if (*p != '-' && *p != ':')
			sb_char(&id, *p);
	sb_printf(&id, "-%s-%.8s", m->slug, hex);
	sb_free(&all);
	return sb_take(m->a, &id);
}

static void make_head(struct importing *m, const struct invocation *inv)
{
	struct run_head *h = &m->head;
	const char *version = said(m, "harness-version", m->f.version);
	hash_sha256(m->text, m->sha256);
	m->said = (struct run_foreign){.harness = option(m, "from"),
	                               .version = version,
	                               .checked = option(m, "checked"),
	                               .source = option(m, "source"),
	                               .commit = said(m, "commit", m->f.commit),
	                               .command = said(m, "command", m->f.command),
	                               .file = base_name(m->path),
	                               .sha256 = m->sha256};
	*h = (struct run_head){.schema = RECORD_FOREIGN_SCHEMA,
	                       .device = m->slug,
	                       .start = m->f.start,
	                       .reason = option(m, "reason"),
	                       .foreign = &m->said,
	                       .commit = stamp.commit,
	                       .dirty = stamp.dirty,
	                       .runner_sha256 = head_own_hash(m->a),
	                       .gpu = m->f.gpu,
	                       .order = RECORD_UNKNOWN};
	h->machine.key = arena_printf(m->a, "%s/%s%s%s", m->slug, m->said.harness,
	                              version ? " " : "", version ? version : "");
	h->machine.cpu = m->f.cpu ? m->f.cpu : RECORD_UNKNOWN;
	h->machine.os = m->f.os ? m->f.os : RECORD_UNKNOWN;
	h->machine.cores = m->f.cores == RECORD_NONE ? 0 : m->f.cores;
	h->argv = ARENA_ARRAY(m->a, const char *, (size_t)inv->argc + 1);
	for (int i = 1; i < inv->argc; i++)
		h->argv[h->nargv++] = inv->argv[i];
	h->id = id_of(m);
}

/* --- cases and their values --- */

/* The family's name: the harness's, so that it is no kernel's, and what was measured. */
static bool find_family(struct importing *m)
{
	const char *name = said(m, "name", base_name(m->path)), *dot = strrchr(name, '.');
	bool file = !option(m, "name") && dot;
	struct str own = {name, file ? (size_t)(dot - name) : strlen(name)};
	const char *slug = foreign_name(own, m->a);
	if (!slug)
		return err_set(m->e,
		               "'%s' has no letter and no digit to name the results by: say "
		               "--name NAME",
		               name);
	m->family = arena_printf(m->a, "%s-%s", option(m, "from"), slug);
	return true;
}

static void make_cases(struct importing *m)
{
	const char *said_so = "its author says so", *nothing = "nothing was checked here";
	const struct written w = {.family = m->family,
	                          .title = said(m, "name", base_name(m->path)),
	                          .problem =
	                                  arena_printf(m->a, "Measured with %s.", m->said.harness),
	                          .checked = m->said.checked,
	                          .why = m->said.checked ? said_so : nothing,
	                          .gpu = m->gpu};
	m->cases = written_cases(&w, &m->f, m->a);
}

/* Each process has a number of its own: other harnesses measure one case after the other. */
static bool put_launches(struct importing *m, struct sb *to)
{
	int64_t number = 0;
	for (size_t i = 0; i < m->f.n; i++)
		for (size_t k = 0; k < m->f.c[i].nprocesses && !m->cases[i].unavailable; k++) {
			struct run_launch l = written_launch(&m->cases[i], number++, "ok");
			if (!written_samples(&l, &m->f.c[i].process[k], m->path, m->a, m->e))
				return false;
			record_put_launch(to, &l);
		}
	m->head.launches = number;
	return number > 0 ||
	       err_set(m->e, "%s: has no time of any of its %zu results", m->path, m->f.n);
}

/* --- the command --- */

/* Writes the record, unless a killed import of the same file has left all of it. */
static bool write_record(struct importing *m, struct journal *j, struct str head, struct str cases,
                         struct str lines, const char *out)
{
	bool named, opened = false;
	const char *part = arena_printf(m->a, "%s/%s/.%s.part", out, m->slug, m->head.id);
	bool ok = journal_settle(part, &named, m->e) &&
	          (opened = journal_open(j, out, m->slug, m->head.id, m->e));
	if (ok && !journal_has_room(j, head.n + cases.n + lines.n))
		ok = err_set(m->e, "%s: takes %zu MiB as a record, more than one may", m->path,
		             (cases.n + lines.n) >> 20);
	ok = ok && journal_put(j, head, m->e) && journal_put(j, cases, m->e) &&
	     journal_put(j, lines, m->e) && journal_close(j, "complete", m->f.start, 0, m->e);
	if (!ok && opened)
		journal_abandon(j, m->e);
	return ok;
}

static bool save(struct importing *m, const char *out)
{
	struct sb head = {0}, cases = {0}, lines = {0};
	struct journal j = {.fd = -1};
	record_put_cases(&cases, m->cases, m->f.n);
	bool ok = put_launches(m, &lines);
	record_put_head(&head, &m->head);
	record_foreign_put_original(&lines, m->text);
	ok = ok && write_record(m, &j, sb_view(&head), sb_view(&cases), sb_view(&lines), out);
	if (ok)
		printf("%s: %zu cases of %s, marked as another harness's%s\n", j.path, m->f.n,
		       m->family, m->said.checked ? "" : "; nothing was checked");
	journal_free(&j);
	sb_free(&head);
	sb_free(&cases);
	sb_free(&lines);
	return ok;
}

static bool known_harness(struct importing *m)
{
	const char *from = option(m, "from"), *name;
	struct sb all = {0};
	for (size_t i = 0; (name = record_foreign_harness(i)); i++) {
		if (strcmp(name, RECORD_EXEC) == 0)
			continue;
		if (from && strcmp(from, name) == 0) {
			sb_free(&all);
			return true;
		}
		sb_printf(&all, "%s%s", all.n ? ", " : "", name);
	}
	err_set(m->e, "--from%s%s: expected one of %s", from ? " " : "", from ? from : "", all.p);
	sb_free(&all);
	return false;
}

static int import(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct importing m = {.args = args, .a = &a, .e = &e, .path = args->arg[0]};
	const char *out = option(&m, "out");
	bool ok = known_harness(&m) && file_read(m.path, RECORD_MAX_ORIGINAL, &a, &m.text, &e) &&
	          foreign_read(option(&m, "from"), m.text, m.path, &a, &m.f, &e) &&
	          find_device(&m) && find_time(&m) && find_family(&m);
	if (ok) {
		make_head(&m, ctx);
		make_cases(&m);
		ok = head_knows_runner(m.head.runner_sha256, &e) &&
		     save(&m, out ? out : "data/runs");
	}
	arena_free(&a);
	return ok ? 0 : command_failed(&e);
}

const struct cmd command_import = {
        .name = "import",
        .synopsis = "--from HARNESS [OPTION...] FILE",
        .help = "record what another harness measured, as such",
        .more = "The record holds FILE as it is, the times in it, and what is known of them. "
                "Pages\n"
                "mark each such number. It claims a time and no more: no check, no share of a\n"
                "peak, no ratio with a number of this runner.\n"
                "\n"
                "FILE is published with the record: look whether it may be. A placeholder names\n"
                "a result HARNESS-NAME/RESULT. docs/numbers-from-elsewhere.md says what is taken\n"
                "from which file.\n"
                "\n"
                "  runner import --from nvbench copy.json\n"
                "  runner import --from hyperfine --cpu 'AMD EPYC 9654' --date 2026-01-31 \\\n"
                "      --checked 'both outputs are sorted (sort -c)' sort.json",
        .options = options,
        .min_args = 1,
        .max_args = 1,
        .run = import,
};
