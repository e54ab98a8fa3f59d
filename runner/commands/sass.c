/*
 * runner/commands/sass.c - `runner sass`: listings of the machine code in this program, made by
 * the CUDA Toolkit's disassembler. No GPU is needed. data/sass/README.md has the format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/sass.h"
#include "runner/base/clock.h"
#include "runner/base/stamp.h"
#include "runner/commands/commands.h"
#include "runner/records/head.h"
#include "runner/records/journal.h"
#include "runner/sass/device_code.h"
#include "runner/sass/disassemble.h"

static const struct cmd_option options[] = {
        {"nvdisasm", 0, CMD_STRING, "FILE",
         "the disassembler (default: nvdisasm on PATH or in $CUDA_HOME/bin)"},
        {"reason", 'r', CMD_STRING, "TEXT", "why this is done; recorded"},
        {"out", 'o', CMD_STRING, "DIR", "where files go (default data/sass)"},
        {0},
};

/* The work: the program's device code, the tool, and the record so far. */
struct listing {
	struct disassembler tool;
	struct device_code *code;
	size_t ncode;
	struct sass head;
	struct sb text;
	size_t units, functions;
	struct arena *a;
	struct err *e;
};

/* --- what is listed --- */

static bool is_wanted(const struct selector *sel, int nsel, const char *file)
{
	size_t n;
	const struct kernel_family *const *all = kernel_families(&n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < all[i]->nvariants; k++)
			for (int s = 0; s < nsel; s++)
				if (strcmp(all[i]->variants[k].file, file) == 0 &&
				    str_glob(sel[s].family, str_of(all[i]->id)) &&
				    str_glob(sel[s].variant, str_of(all[i]->variants[k].id)))
					return true;
	return false;
}

static const struct device_code *code_of(const struct listing *l, const struct stamp_unit *u)
{
	for (size_t i = 0; u && u->device_sha256 && i < l->ncode; i++)
		if (strcmp(l->code[i].sha256, u->device_sha256) == 0)
			return &l->code[i];
	return NULL;
}

/* The architecture of a unit, from its flags: "-gencode=arch=compute_90a,code=sm_90a". */
static const char *arch_of(const struct stamp_unit *u, struct arena *a)
{
	const char *at = strstr(stamp_flags(u->file), ",code=");
	at = at ? at + strlen(",code=") : "unknown";
	return arena_strndup(a, at, strcspn(at, " ,"));
}

/* --- writing --- */

/* Appends the functions in the object of `from`, as ones of the unit `of`. */
static bool put_functions(struct listing *l, const struct stamp_unit *of,
                          const struct stamp_unit *from)
{
	const struct device_code *d = code_of(l, from);
	struct sass_function *f = NULL;
	struct str text;
	size_t n = 0;
	char hash[HASH_SHA256_HEX + 1];
	if (!disassemble(&l->tool, d->bytes, l->a, &text, l->e) ||
	    !disassemble_read(text, of->sources, of->nsources, l->a, &f, &n, l->e))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!device_code_function(d, f[i].name, hash))
			return err_set(l->e, "%s: %s lists the function %s, which it does not have",
			               from->file, l->tool.version, f[i].name);
		f[i].unit = l->units - 1;
		f[i].object = from->file;
		f[i].title = disassemble_title(f[i].name, l->a);
		f[i].code_sha256 = hash;
		sass_put_function(&l->text, &f[i]);
		l->functions++;
		fprintf(stderr, "%s: %s, %zu instructions\n", from->file, f[i].title, f[i].n);
	}
	return true;
}

/* Appends a unit, with the device code of its own object and of those that it uses. */
static bool put_unit(struct listing *l, const struct stamp_unit *u)
{
	const char *compiler = "";
	size_t before = l->functions;
	for (size_t i = 0; i < stamp.ntoolchain; i++)
		if (strcmp(stamp.toolchain[i].name, "nvcc") == 0)
			compiler = stamp.toolchain[i].word;
	const struct sass_unit unit = {u->file,
	                               compiler,
	                               stamp_flags(u->file),
	                               u->code_sha256,
	                               (struct run_source *)(uintptr_t)u->sources,
	                               u->nsources};
	if (!u->code_sha256)
		return err_set(l->e, "%s: the hash of its code is not known", u->file);
	sass_put_unit(&l->text, &unit);
	l->units++;
	for (size_t i = 0; i < u->nsources; i++) {
		const struct stamp_unit *from = stamp_unit_find(u->sources[i].path);
		if (code_of(l, from) && !put_functions(l, u, from))
			return false;
	}
	return l->functions > before ||
	       err_set(l->e, "%s: this program has no device code of it", u->file);
}

static bool make(struct listing *l, const struct selector *sel, int nsel)
{
	for (size_t i = 0; i < stamp.nunits; i++) {
		const struct stamp_unit *u = &stamp.units[i];
		if (!str_ends(str_of(u->file), ".cu") || !is_wanted(sel, nsel, u->file))
			continue;
		const char *arch = arch_of(u, l->a);
		if (l->head.arch && strcmp(l->head.arch, arch) != 0)
			return err_set(l->e, "%s: is for %s, and what is before it for %s", u->file,
			               arch, l->head.arch);
		l->head.arch = arch;
		if (!put_unit(l, u))
			return false;
	}
	return l->units > 0 ||
	       err_set(l->e, "no CUDA file of this build matches; see 'runner list'");
}

static bool save(struct listing *l, const char *out)
{
	struct journal j;
	struct sb head = {0};
	sass_put_head(&head, &l->head);
	bool opened = journal_open(&j, out, l->head.arch, l->head.id, l->e);
	bool ok = opened && journal_put(&j, sb_view(&head), l->e);
	if (ok && !journal_has_room(&j, l->text.n))
		ok = err_set(l->e, "the listings take %zu MiB, more than a record: select less",
		             l->text.n >> 20);
	ok = ok && journal_put(&j, sb_view(&l->text), l->e) &&
	     journal_close(&j, "complete", head_time(l->a), 0, l->e);
	if (ok)
		printf("%s: %zu units, %zu functions\n", j.path, l->units, l->functions);
	else if (opened)
		journal_abandon(&j, l->e);
	sb_free(&head);
	journal_free(&j);
	return ok;
}

/* Listings are of variants: their cases share the code. */
static bool take_selectors(const struct cmd_args *args, struct arena *a, struct selector **sel,
                           struct err *e)
{
	if (!command_selectors(args, a, sel, e))
		return false;
	for (int i = 0; i < args->nargs; i++)
		if ((*sel)[i].nwants > 0)
			return err_set(e,
			               "%s: a listing is of a variant, and its cases share it: "
			               "expected FAMILY/VARIANT",
			               args->arg[i]);
	return true;
}

static void describe(struct listing *l, const struct cmd_args *args, const struct invocation *inv)
{
	struct sass *h = &l->head;
	h->start = head_time(l->a);
	h->id = head_fresh_id(h->arch, (uint64_t)clock_ns(), l->a);
	h->reason = cmd_option(&command_sass, args, "reason");
	h->commit = stamp.commit;
	h->dirty = stamp.dirty;
	h->tool = l->tool.version;
	h->runner_sha256 = head_own_hash(l->a);
	h->argv = ARENA_ARRAY(l->a, const char *, (size_t)inv->argc + 1);
	for (int i = 1; i < inv->argc; i++)
		h->argv[h->nargv++] = inv->argv[i];
}

static int sass(const struct cmd_args *args, void *ctx)
{
	struct err e = ERR_NONE;
	struct arena a = {0};
	struct listing l = {.a = &a, .e = &e};
	struct selector *sel;
	const char *out = cmd_option(&command_sass, args, "out");
	const char *self = command_own_path(&a, &e);
	bool ok = self && take_selectors(args, &a, &sel, &e) &&
	          head_clock(time(NULL), stamp.committed, &e) &&
	          device_code_read(self, &a, &l.code, &l.ncode, &e) &&
	          disassemble_find(cmd_option(&command_sass, args, "nvdisasm"), &a, &l.tool, &e) &&
	          make(&l, sel, args->nargs);
	if (ok) {
		command_warn_uncommitted();
		describe(&l, args, ctx);
		ok = head_knows_runner(l.head.runner_sha256, &e) &&
		     save(&l, out ? out : "data/sass");
	}
	sb_free(&l.text);
	arena_free(&a);
	return ok ? 0 : command_failed(&e);
}

const struct cmd command_sass = {
        .name = "sass",
        .synopsis = "[OPTION...] SELECTOR...",
        .help = "list the machine code of variants, with nvdisasm",
        .more = "Every function in the device code of the selected variants is disassembled, with\n"
                "the lines of its source. The code is that of this very program, and the record\n"
                "names its hash: a page shows a listing only beside numbers of the same code. It\n"
                "needs no GPU. data/sass/README.md has the format.\n"
                "\n"
                "  runner sass transpose/tile 'stream/{vector,ahead}'",
        .options = options,
        .min_args = 1,
        .max_args = CMD_MAX_ARGS,
        .run = sass,
};
