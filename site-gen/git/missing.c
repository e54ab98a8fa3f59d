/*
 * Tells a missing object from an unreadable one. libgit2 1.5 tries the files that may hold
 * an object and skips each file that it cannot open. So without memory or descriptors, or
 * after a disk error, it reports a committed record as "not found".
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/git/inner.h"

/* False, with an error, for a file that exists but cannot be opened. */
static bool can_open(const char *path, struct err *e)
{
	if (!file_exists(path))
		return true;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(e, "%s: cannot open", path);
	close(fd);
	return true;
}

/* True if all packs can be opened and the object has no unreadable file of its own. */
static bool store_is_readable(const char *objects, const char *hex, struct arena *a, bool *loose,
                              struct err *e)
{
	struct file_entry *pack;
	size_t n = 0;
	const char *folder = arena_printf(a, "%s/pack", objects);
	*loose = file_exists(arena_printf(a, "%s/%.2s/%s", objects, hex, hex + 2));
	if (file_exists(folder) && !file_list(folder, a, &pack, &n, e))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!can_open(arena_printf(a, "%s/%s", folder, pack[i].name), e))
			return false;
	return true;
}

/* Asks the disk again: a new object database has not skipped any file yet. */
static bool has_now(const char *objects, const git_oid *id, bool *has, struct err *e)
{
	git_odb *odb = NULL;
	if (git_odb_open(&odb, objects) != 0)
		return err_set(e, "%s: cannot open the object database: %s", objects, git_why());
	*has = git_odb_exists(odb, id) == 1;
	git_odb_free(odb);
	return true;
}

static bool was_absent(const struct git *g, const git_oid *id)
{
	for (size_t i = 0; i < g->nabsent; i++)
		if (git_oid_equal(&g->absent[i], id))
			return true;
	return false;
}

static void note_absent(struct git *g, const git_oid *id)
{
	g->absent = arena_grow(&g->arena, g->absent, g->nabsent, &g->cap_absent, sizeof *g->absent);
	g->absent[g->nabsent++] = *id;
}

static bool look_for(struct git *g, const git_oid *id, bool *has, struct err *e)
{
	struct arena a = {0};
	struct err why = ERR_NONE;
	char hex[GIT_OID_HEXSZ + 1];
	bool loose;
	*has = git_odb_exists(g->odb, id) == 1;
	if (*has)
		return true;
	git_oid_tostr(hex, sizeof hex, id);
	const char *objects = arena_printf(&a, "%sobjects", git_repository_commondir(g->repo));
	bool ok = has_now(objects, id, has, &why) &&
	          store_is_readable(objects, hex, &a, &loose, &why);
	if (ok && (*has || loose))
		ok = err_set(&why, "object %s is there, but cannot be read just now; run again",
		             hex);
	arena_free(&a);
	return ok || git_fail(g, e, "%s", why.text);
}

/* Proving that an object is absent opens every pack, so it is done once for each. */
bool git_has_object(struct git *g, const git_oid *id, bool *has, struct err *e)
{
	*has = false;
	if (was_absent(g, id))
		return true;
	if (!look_for(g, id, has, e))
		return false;
	if (!*has)
		note_absent(g, id);
	return true;
}

bool git_is_unborn(const char *git, bool *unborn, struct err *e)
{
	git_repository *again = NULL;
	struct arena a = {0};
	bool ok = can_open(arena_printf(&a, "%s/packed-refs", git), e);
	if (ok && git_repository_open(&again, git) != 0)
		ok = err_set(e, "%s: cannot open the git repository: %s", git, git_why());
	*unborn = ok && git_repository_head_unborn(again) == 1;
	git_repository_free(again);
	arena_free(&a);
	return ok;
}
