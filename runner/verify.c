/*
 * runner/verify.c - `runner verify`: are run files whole, and named as their
 * head says?
 */
#include <stdio.h>
#include <string.h>

#include "lib/file.h"
#include "lib/record.h"
#include "runner/commands.h"

struct verifying {
	struct arena list; /* names */
	size_t good, bad;
};

/* <device>/<id>.jsonl must be the end of the path. */
static bool named_well(const char *path, const struct run_head *h, struct err *e)
{
	char want[512];
	int n = snprintf(want, sizeof want, "%s/%s.jsonl", h->device, h->id);
	struct str p = str_of(path);
	bool ends = str_ends(p, want);
	bool whole = ends && (p.n == (size_t)n || p.p[p.n - (size_t)n - 1] == '/');
	return whole || err_set(e, "%s: its head says it is %s", path, want);
}

static bool verify_file(const char *path, struct err *e)
{
	struct arena a = {0};
	struct str bytes;
	struct run r;
	bool ok = file_read(path, RECORD_MAX_BYTES, &a, &bytes, e) &&
	          record_read(bytes, path, &a, &r, e);
	if (ok && !r.whole)
		ok = err_set(e, "%s: not whole: %s", path, r.why_not_whole);
	ok = ok && named_well(path, &r.head, e);
	if (ok)
		printf("%s: %s, %zu cases, %zu launches\n", path, r.status, r.ncases, r.nlaunches);
	arena_free(&a);
	return ok;
}

static void verify_one(struct verifying *v, const char *path)
{
	struct err e = ERR_NONE;
	bool ok = verify_file(path, &e);
	v->good += ok;
	v->bad += !ok;
	if (!ok)
		complain(&e);
}

/* Every run file below a folder. */
static bool verify_folder(struct verifying *v, const char *dir, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	if (!file_list(dir, &v->list, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = arena_printf(&v->list, "%s/%s", dir, entry[i].name);
		if (entry[i].is_dir) {
			if (!verify_folder(v, path, e))
				return false;
		} else if (str_ends(str_of(path), ".jsonl")) {
			verify_one(v, path);
		}
	}
	return true;
}

static int verify(const struct cmd_args *args, void *ctx)
{
	(void)ctx;
	struct err e = ERR_NONE;
	struct verifying v = {0};
	for (int i = 0; i < args->nargs; i++)
		verify_one(&v, args->arg[i]);
	if (args->nargs == 0 && !verify_folder(&v, "data/runs", &e))
		complain(&e);
	printf("%zu whole, %zu not\n", v.good, v.bad);
	arena_free(&v.list);
	return e.set || v.bad > 0;
}

const struct cmd command_verify = {
        .name = "verify",
        .synopsis = "[FILE...]",
        .help = "is every run file whole and named as it says?",
        .more = "Without a FILE, every run file under data/runs. A file is whole if it ends with\n"
                "a record whose line count and SHA-256 hold for all bytes before it.",
        .max_args = CMD_MAX_ARGS,
        .run = verify,
};
