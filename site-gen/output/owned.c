#include "site-gen/output/owned.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/output/compress.h"
#include "site-gen/output/manifest.h"

enum { MAX_MANIFEST_BYTES = 64 << 20, NAMED = 3 };

struct look {
	struct arena *a;
	const char *root;
	const struct manifest_entry *listed; /* sorted by path */
	size_t nlisted;
	const char **foreign; /* folders end in '/' */
	size_t nforeign, room;
};

static int by_path(const void *path, const void *entry)
{
	return strcmp(path, ((const struct manifest_entry *)entry)->path);
}

static bool is_listed(const struct look *l, const char *path)
{
	return strcmp(path, MANIFEST_FILE) == 0 ||
	       (l->nlisted && bsearch(path, l->listed, l->nlisted, sizeof *l->listed, by_path));
}

static bool is_own(const struct look *l, const char *path)
{
	struct str page;
	if (is_listed(l, path) || strcmp(path, OWNED_MARK) == 0)
		return true;
	return compress_form_of(str_of(path), &page) && is_listed(l, str_dup(l->a, page));
}

/* The folder that is being examined. */
struct place {
	struct look *look;
	const char *under; /* from the root: "" or ends in '/' */
};

static bool walk(struct look *l, const char *under, struct err *e);

static bool see(void *ctx, int dir, const char *name, struct err *e)
{
	struct stat st;
	const struct place *at = ctx;
	struct look *l = at->look;
	const char *path = arena_printf(l->a, "%s%s", at->under, name);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return err_sys(e, "%s/%s: cannot stat", l->root, path);
	bool folder = S_ISDIR(st.st_mode);
	path = folder ? arena_printf(l->a, "%s/", path) : path;
	if (folder && l->listed)
		return walk(l, path, e);
	if (l->listed && is_own(l, path))
		return true;
	l->foreign = arena_grow(l->a, l->foreign, l->nforeign, &l->room, sizeof *l->foreign);
	l->foreign[l->nforeign++] = path;
	return true;
}

/*
 * Collects everything below that does not belong to the site, links and special files included.
 * If there is no site, collects all entries of the folder itself.
 */
static bool walk(struct look *l, const char *under, struct err *e)
{
	struct place at = {l, under};
	const char *path = arena_printf(l->a, "%s/%s", l->root, under);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? err_sys(e, "%s: cannot list the folder", path)
	              : file_each(fd, path, see, &at, e);
}

/* Lists nothing if the folder has no manifest of a site. */
static void read_manifest(struct look *l)
{
	struct str text;
	struct err none = ERR_NONE;
	struct manifest_entry *m;
	const char *path = arena_printf(l->a, "%s/" MANIFEST_FILE, l->root);
	if (file_read(path, MAX_MANIFEST_BYTES, l->a, &text, &none) &&
	    manifest_read(text, path, l->a, &m, &l->nlisted, &none))
		l->listed = m;
}

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool refuse(struct look *l, struct err *e)
{
	struct sb names = {0};
	qsort(l->foreign, l->nforeign, sizeof *l->foreign, by_string);
	for (size_t i = 0; i < l->nforeign && i < NAMED; i++)
		sb_printf(&names, "%s%s", i ? ", " : "", l->foreign[i]);
	err_set(e,
	        "%s: holds files that no build made (%s%s; %zu in all), which would be lost: move "
	        "them away, or name a new or an empty folder",
	        l->root, names.p, l->nforeign > NAMED ? ", …" : "", l->nforeign);
	sb_free(&names);
	return false;
}

/* *there is false if nothing is there. Anything but a folder is an error: it is not ours. */
static bool is_folder(const char *path, bool *there, struct err *e)
{
	struct stat st;
	*there = lstat(path, &st) == 0;
	if (!*there)
		return errno == ENOENT || err_sys(e, "%s: cannot stat", path);
	return S_ISDIR(st.st_mode) || err_set(e, "%s: is %s, expected a new or an empty folder",
	                                      path, S_ISLNK(st.st_mode) ? "a link" : "no folder");
}

bool owned_site(const char *path, struct arena *a, struct err *e)
{
	struct look l = {.a = a, .root = path};
	bool there;
	if (!is_folder(path, &there, e))
		return false;
	if (!there)
		return true;
	read_manifest(&l);
	return walk(&l, "", e) && (l.nforeign == 0 || refuse(&l, e));
}

bool owned_leftover(const char *path, struct arena *a, struct err *e)
{
	struct look l = {.a = a, .root = path};
	struct stat st;
	if (lstat(path, &st) != 0)
		return errno == ENOENT || err_sys(e, "%s: cannot stat", path);
	if (S_ISDIR(st.st_mode) && file_exists(arena_printf(a, "%s/" OWNED_MARK, path)))
		return true;
	if (S_ISDIR(st.st_mode))
		return owned_site(path, a, e);
	return err_set(e, "%s: is in the way of the build, and no build made it: move it away",
	               l.root);
}

bool owned_mark(int dir, const char *path, struct err *e)
{
	int fd = openat(dir, OWNED_MARK, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
	return (fd >= 0 && close(fd) == 0) || err_sys(e, "%s: cannot be marked", path);
}

bool owned_unmark(const char *path, struct arena *a, struct err *e)
{
	return unlink(arena_printf(a, "%s/" OWNED_MARK, path)) == 0 || errno == ENOENT ||
	       err_sys(e, "%s: cannot take its mark away", path);
}
