#include "site-gen/commands/second.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/base/problems.h"
#include "site-gen/build/build.h"
#include "site-gen/output/manifest.h"
#include "site-gen/site/site.h"

enum { MAX_BYTES = 256 << 20 };

/* A manifest: its head, which names the commit, and its files. */
struct listed {
	struct str head; /* generator, format of numbers, commit */
	struct manifest_entry *file;
	size_t n;
};

static bool read_listed(const char *dir, struct arena *a, struct listed *out, struct err *e)
{
	const char *path = arena_printf(a, "%s/" MANIFEST_FILE, dir);
	struct str text;
	if (!file_read(path, MAX_BYTES, a, &text, e) ||
	    !manifest_read(text, path, a, &out->file, &out->n, e))
		return false;
	const char *head = memmem(text.p, text.n, "\"predicate\":", 12);
	const char *files = memmem(text.p, text.n, "\"subject\"", 9);
	if (!head || !files || files < head)
		return err_set(e, "%s: has no predicate before its subject", path);
	out->head = str_trim((struct str){head, (size_t)(files - head)});
	return true;
}

/* --- comparing ----------------------------------------------------------------------------- */

static void compare_heads(const struct listed *site, const struct listed *second,
                          struct problems *found)
{
	if (!str_eq(site->head, second->head))
		problems_rule(found, RULE_WHOLE, (struct loc){.path = MANIFEST_FILE},
		              "names another commit or generator than the second build, so the "
		              "files may differ: check that commit out");
}

/* Both lists are sorted by path. */
static void compare_files(const struct listed *site, const struct listed *second,
                          struct problems *found)
{
	for (size_t i = 0, k = 0; i < site->n || k < second->n;) {
		const struct manifest_entry *a = &site->file[i], *b = &second->file[k];
		int order = i == site->n ? 1 : k == second->n ? -1 : strcmp(a->path, b->path);
		if (order < 0)
			problems_rule(found, RULE_WHOLE, (struct loc){.path = a->path},
			              "is not written by a second build");
		else if (order > 0)
			problems_rule(found, RULE_WHOLE, (struct loc){.path = b->path},
			              "is written by a second build, but the site has it not");
		else if (strcmp(a->sha256, b->sha256) != 0)
			problems_rule(found, RULE_WHOLE, (struct loc){.path = a->path},
			              "is not what a second build writes: SHA-256 %.12s…, there "
			              "%.12s…",
			              a->sha256, b->sha256);
		i += order <= 0;
		k += order >= 0;
	}
}

static bool compare(const struct second_options *o, const char *second, struct arena *a,
                    struct problems *found, struct err *e)
{
	struct listed ours = {0}, theirs = {0};
	if (!read_listed(o->dir, a, &ours, e) || !read_listed(second, a, &theirs, e))
		return false;
	compare_heads(&ours, &theirs, found);
	compare_files(&ours, &theirs, found);
	if (!found->first && !o->quiet)
		printf("site-gen: audit: a second build writes the same %zu files\n", ours.n);
	return true;
}

/* --- building ------------------------------------------------------------------------------ */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static bool remove_all(const char *folder, struct err *e)
{
	enum { OPEN = 16 };
	return nftw(folder, remove_one, OPEN, FTW_DEPTH | FTW_PHYS) == 0 ||
	       err_sys(e, "cannot remove %s", folder);
}

/* Builds beside the site that the repository publishes, so on the same disk. */
static bool build_and_compare(const struct second_options *o, struct arena *a,
                              struct problems *found, struct err *e)
{
	char folder[] = "build/second-XXXXXX";
	if (!file_mkdirs("build", e))
		return false;
	if (!mkdtemp(folder))
		return err_sys(e, "%s", folder);
	struct site_options build = {.out = arena_printf(a, "%s/site", folder),
	                             .cache = arena_printf(a, "%s/cache", folder),
	                             .write = true,
	                             .quiet = true,
	                             .drafts = o->drafts,
	                             .future = o->future,
	                             .jobs = o->jobs};
	fflush(stdout); /* before the build forks */
	bool ok = build_site(&build, NULL) == 0 || err_set(e, "the second build fails");
	ok = ok && compare(o, build.out, a, found, e);
	struct err unremoved = ERR_NONE;
	if (!remove_all(folder, &unremoved) && ok)
		return err_set(e, "%s", unremoved.text);
	return ok;
}

int second_run(const struct second_options *o)
{
	struct arena a = {0};
	struct problems found = {.arena = &a};
	const struct problems *list = &found;
	struct err e = ERR_NONE;
	bool ok = o->against ? compare(o, o->against, &a, &found, &e)
	                     : build_and_compare(o, &a, &found, &e);
	if (e.set)
		fprintf(stderr, "site-gen: %s\n", e.text);
	size_t n = problems_print(&list, 1, false, stderr);
	arena_free(&a);
	return ok && n == 0 ? 0 : 1;
}
