/*
 * runner/commands/verify.c - `runner verify`: checks that run files are complete and unchanged,
 * named as their head says, and all present.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/hash.h"
#include "lib/record.h"
#include "lib/record_file.h"
#include "lib/record_foreign.h"
#include "lib/sass.h"
#include "runner/commands/commands.h"
#include "runner/records/journal.h"
#include "runner/records/manifest.h"

#define SASS_HOME "data/sass"

static const struct cmd_option options[] = {
        {"add", 'a', CMD_FLAG, NULL,
         "copy each whole FILE into data/runs, and list it in MANIFEST"},
        {0},
};

struct verifying {
	struct arena list; /* names */
	const char *folder;
	struct manifest manifest;
	const char **seen; /* for each line of the manifest: its file, NULL while none was seen */
	bool add;
	size_t good, bad;
};

/* What names a record: a run, counters, or listings of machine code. */
struct record {
	const char *id, *device; /* of listings: the architecture */
	const char *home;        /* the folder of such records */
};

/*
 * True if the path ends in <device>/<id>.jsonl.gz, or is plain; outside the folder <id> is
 * enough.
 */
static bool named_well(const struct verifying *v, const char *path, const struct record *h,
                       struct arena *a, struct err *e)
{
	const char *want = v->add ? arena_printf(a, "%s.jsonl", h->id)
	                          : arena_printf(a, "%s/%s.jsonl", h->device, h->id);
	struct str p = record_file_plain(str_of(path)), w = str_of(want);
	bool ends = str_ends(p, want) && (p.n == w.n || p.p[p.n - w.n - 1] == '/');
	return ends || err_set(e, "%s: its head says it is %s", path, want);
}

/*
 * Finds the manifest's line for this file, NULL if there is none, and marks it as seen. A line
 * has one file: a packed one and a plain one of the same run are an error.
 */
static bool find_line(struct verifying *v, const char *path, const struct manifest_line **l,
                      struct err *e)
{
	*l = v->folder ? manifest_find(&v->manifest, v->folder, path, &v->list) : NULL;
	if (!*l)
		return true;
	const char **seen = &v->seen[*l - v->manifest.line];
	if (*seen)
		return err_set(e, "%s: is the run of %s, too: remove one of the two", path, *seen);
	*seen = arena_strdup(&v->list, path);
	return true;
}

/* Checks that the file is listed with this hash. */
static bool is_listed(const struct verifying *v, const struct manifest_line *l, const char *path,
                      struct str bytes, struct err *e)
{
	char hex[HASH_SHA256_HEX + 1];
	if (!l)
		return err_set(e, "%s: not in %s/%s: 'runner verify --add FILE' lists it", path,
		               v->folder, MANIFEST_NAME);
	hash_sha256(bytes, hex);
	return strcmp(hex, l->sha256) == 0 ||
	       err_set(e, "%s: not the file that %s/%s lists: its bytes were changed", path,
	               v->folder, MANIFEST_NAME);
}

/* --- `--add`: puts a file into data/ and into the manifest --- */

/* The home folder of a run file: counters and traces have folders of their own. */
static const char *home_of(const struct run_head *h)
{
	const char *command = h->nargv > 0 ? h->argv[0] : "run";
	return strcmp(command, "profile") == 0 ? "data/profiles"
	       : strcmp(command, "trace") == 0 ? "data/traces"
	                                       : "data/runs";
}

/* True if the two names lead to the same folder or file. */
static bool is_same(const char *a, const char *b)
{
	char *x = realpath(a, NULL), *y = realpath(b, NULL);
	bool same = x && y && strcmp(x, y) == 0;
	free(x);
	free(y);
	return same;
}

/* Finishes or removes what a killed --add left, then copies the file and names it like a run. */
static bool copy_in(const struct record *h, struct str bytes, struct arena *a, struct err *e)
{
	bool named;
	struct journal j;
	const char *dir = arena_printf(a, "%s/%s", h->home, h->device);
	if (!journal_settle(arena_printf(a, "%s/.%s.part", dir, h->id), &named, e))
		return false;
	if (record_file_find(dir, h->id, a))
		return true; /* later, manifest_add() or is_equal() compares the contents */
	bool ok = journal_open(&j, h->home, h->device, h->id, e) && journal_put(&j, bytes, e) &&
	          journal_sync(&j, e) && journal_name(&j, e);
	journal_free(&j);
	return ok;
}

static bool is_equal(const char *path, struct str bytes, struct arena *a, struct err *e)
{
	struct str there;
	return record_file_read(path, a, &there, e) &&
	       (str_eq(there, bytes) ||
	        err_set(e, "%s: is there already, and is another file", path));
}

/* Copies a complete file to its place in data/, if it is not there yet, and lists it. */
static bool add_file(const char *path, const struct record *h, struct str bytes, struct arena *a,
                     struct err *e)
{
	const char *dir = arena_printf(a, "%s/%s", h->home, h->device), *to;
	if (!file_exists("data"))
		return err_set(
		        e, "%s: there is no data/ here; expected --add at the root of the checkout",
		        path);
	if (!copy_in(h, bytes, a, e))
		return false;
	to = record_file_find(dir, h->id, a);
	if (!to || !is_equal(to, bytes, a, e) || !manifest_add(h->home, to, bytes, e))
		return false;
	if (!is_same(path, to))
		printf("%s: added as %s\n", path, to);
	return true;
}

/* Reads a run file; *says has what is printed of it. */
static bool take_run(const struct verifying *v, const char *path, struct str bytes, struct arena *a,
                     struct record *out, const char **says, struct err *e)
{
	struct run r;
	if (!record_read(bytes, path, a, &r, e))
		return false;
	if (!r.whole)
		return err_set(e, "%s: not whole: %s", path, r.why_not_whole);
	if (v->add && record_is_pretended(&r.head))
		return err_set(e, "%s: of a pretended device: such a file is no record", path);
	if (v->add && r.head.nshards == 1 && !r.head.shard->id)
		return err_set(
		        e, "%s: is one shard of a plan; 'runner collect' makes a run file of them",
		        path);
	*out = (struct record){r.head.id, r.head.device, home_of(&r.head)};
	*says = arena_printf(a, "%s%s, %zu cases, %zu launches%s",
	                     record_is_pretended(&r.head) ? "pretended, "
	                     : r.head.foreign ? arena_printf(a, "of %s, ", r.head.foreign->harness)
	                                      : "",
	                     r.status, r.ncases, r.nlaunches,
	                     r.head.newer ? ", of a later minor version than this program knows"
	                                  : "");
	return true;
}

/* The same for a file of listings. */
static bool take_sass(const char *path, struct str bytes, struct arena *a, struct record *out,
                      const char **says, struct err *e)
{
	struct sass s;
	if (!sass_read(bytes, path, a, &s, e))
		return false;
	*out = (struct record){s.id, s.arch, SASS_HOME};
	*says = arena_printf(a, "complete, %zu units, %zu functions", s.nunits, s.nfunctions);
	return true;
}

static bool verify_file(struct verifying *v, const char *path, struct err *e)
{
	struct arena a = {0};
	struct str bytes;
	struct record h = {0};
	const struct manifest_line *l;
	const char *says = "";
	bool ok = find_line(v, path, &l, e) && record_file_read(path, &a, &bytes, e) &&
	          (sass_is(bytes) ? take_sass(path, bytes, &a, &h, &says, e)
	                          : take_run(v, path, bytes, &a, &h, &says, e));
	ok = ok && named_well(v, path, &h, &a, e) &&
	     (!v->folder || is_listed(v, l, path, bytes, e));
	ok = ok && (!v->add || add_file(path, &h, bytes, &a, e));
	if (ok)
		printf("%s: %s\n", path, says);
	arena_free(&a);
	return ok;
}

static void verify_one(struct verifying *v, const char *path)
{
	struct err e = ERR_NONE;
	bool ok = verify_file(v, path, &e);
	v->good += ok;
	v->bad += !ok;
	if (!ok)
		command_failed(&e);
}

/* True for the manifest itself, a text beside it, and the files of running and interrupted runs. */
static bool is_expected(const struct verifying *v, const char *path)
{
	const char *name = strrchr(path, '/') + 1, *in = path + strlen(v->folder) + 1;
	return strcmp(in, MANIFEST_NAME) == 0 || strcmp(in, "README.md") == 0 ||
	       (name[0] == '.' &&
	        (str_ends(str_of(name), ".part") || str_ends(str_of(name), ".gz")));
}

/* Verifies every run file below a folder, where nothing else belongs. */
static bool verify_below(struct verifying *v, const char *dir, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	if (!file_list(dir, &v->list, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(&v->list, "%s/%s", dir, entry[i].name);
		if (entry[i].is_dir) {
			if (!verify_below(v, path, e))
				return false;
		} else if (record_file_is(str_of(path))) {
			verify_one(v, path);
		} else if (!is_expected(v, path)) {
			fprintf(stderr, "runner: %s: neither a run file nor the list of them\n",
			        path);
			v->bad++;
		}
	}
	return true;
}

/* Reports files that are listed but missing. */
static void verify_missing(struct verifying *v)
{
	for (size_t i = 0; i < v->manifest.n; i++) {
		if (v->seen[i])
			continue;
		fprintf(stderr, "runner: %s/%s: missing; %s/%s lists it\n", v->folder,
		        v->manifest.line[i].name, v->folder, MANIFEST_NAME);
		v->bad++;
	}
}

static bool verify_folder(struct verifying *v, const char *folder, struct err *e)
{
	v->folder = folder;
	if (!manifest_read(folder, &v->list, &v->manifest, e))
		return false;
	v->seen = ARENA_ARRAY(&v->list, const char *, v->manifest.n + 1);
	if (!verify_below(v, folder, e))
		return false;
	verify_missing(v);
	return true;
}

static int verify(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct verifying v = {.add = cmd_option(&command_verify, args, "add")};
	if (v.add && args->nargs == 0)
		err_set(&e, "--add: expected a FILE");
	for (int i = 0; i < args->nargs; i++)
		verify_one(&v, args->arg[i]);
	if (args->nargs == 0 && !e.set)
		verify_folder(&v, "data/runs", &e);
	static const char *const others[] = {"data/profiles", "data/traces", SASS_HOME};
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (args->nargs == 0 && !e.set && file_exists(others[i]))
			verify_folder(&v, others[i], &e);
	if (e.set)
		command_failed(&e);
	printf("%zu whole, %zu not\n", v.good, v.bad);
	arena_free(&v.list);
	return e.set || v.bad > 0;
}

const struct cmd command_verify = {
        .name = "verify",
        .synopsis = "[--add] [FILE...]",
        .help = "check that every run file is whole, unchanged and listed",
        .more = "A file is whole if its last record has the right line count and SHA-256 of all\n"
                "before it. Without a FILE, every record under data/runs, data/profiles,\n"
                "data/traces and data/sass is checked against the MANIFEST there. Named is each\n"
                "file that is missing, was added, was changed, or is no record.\n"
                "\n"
                "Whatever writes a record lists it. --add takes files from another machine,\n"
                "wherever they lie: each is copied to data/runs/<device>/, counters to\n"
                "data/profiles/<device>/, traces to data/traces/<device>/, listings to\n"
                "data/sass/<architecture>/, and listed.",
        .options = options,
        .max_args = CMD_MAX_ARGS,
        .run = verify,
};
