#include "site-gen/commands/blog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/commands/scaffold.h"
#include "site-gen/lua/config.h"

enum { MOST_BYTES = 1 << 20 }; /* of a file that is copied */

/* Copies below `under`, and where they go below the blog. */
static const struct {
	const char *from, *to;
} copied[] = {{"start", ""}, {"data/specs", "/data/specs"}};

struct blog {
	const char *dir;
	struct scaffold_values values;
	struct arena *a;
	const char **made; /* folders and files, in order */
	size_t nmade, cap_made;
};

static void keep_made(struct blog *b, const char *path)
{
	b->made = arena_grow(b->a, b->made, b->nmade, &b->cap_made, sizeof *b->made);
	b->made[b->nmade++] = path;
}

static bool make_folder(struct blog *b, const char *path, struct err *e)
{
	if (mkdir(path, 0777) == 0) {
		keep_made(b, path);
		return true;
	}
	return errno == EEXIST || err_sys(e, "%s: cannot create", path);
}

static bool copy_file(struct blog *b, const char *from, const char *to, struct err *e)
{
	struct str text;
	if (!file_read(from, MOST_BYTES, b->a, &text, e))
		return false;
	const char *filled = scaffold_fill(text.p, &b->values, b->a);
	if (!scaffold_create(to, str_of(filled), b->a, e))
		return false;
	keep_made(b, to);
	return true;
}

static bool copy_folder(struct blog *b, const char *from, const char *to, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	bool ok = make_folder(b, to, e) && file_list(from, b->a, &entry, &n, e);
	for (size_t i = 0; ok && i < n; i++) {
		if (strcmp(entry[i].name, SCAFFOLD_FAMILIES) == 0)
			continue; /* those of `site-gen new family` */
		const char *source = arena_printf(b->a, "%s/%s", from, entry[i].name);
		const char *copy = arena_printf(b->a, "%s/%s", to, entry[i].name);
		ok = entry[i].is_dir ? copy_folder(b, source, copy, e)
		                     : copy_file(b, source, copy, e);
	}
	return ok;
}

/* Takes away what was made, the last first. */
static void undo(struct blog *b)
{
	while (b->nmade > 0)
		(void)remove(b->made[--b->nmade]);
}

static bool see_name(void *seen, int fd, const char *name, struct err *e)
{
	(void)fd, (void)name, (void)e;
	*(bool *)seen = true;
	return false;
}

static bool is_free(const char *dir, struct err *e)
{
	bool seen = false;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || err_sys(e, "%s", dir);
	if (!file_each(fd, dir, see_name, &seen, e) && !seen)
		return false;
	return !seen ||
	       err_set(e, "%s is not empty, expected a new or an empty folder; nothing was written",
	               dir);
}

/* "/home/me/x/share/ridgepoint/" -> "$(HOME)/x/share/ridgepoint", which says nobody's name */
static const char *for_make(const char *under, struct arena *a)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;
	struct str path = str_of(under);
	path.n -= path.n > 1 && path.p[path.n - 1] == '/';
	if (n > 1 && str_starts(path, home) && path.n > n && path.p[n] == '/')
		return arena_printf(a, "$(HOME)" STR_FMT, STR_ARG(str_sub(path, n, path.n)));
	return str_dup(a, path);
}

/* A title from the last name of the path. */
static const char *title_of(const char *dir, struct arena *a)
{
	char *whole = realpath(dir, NULL);
	const char *path = whole ? arena_strdup(a, whole) : dir;
	free(whole);
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	path = arena_strndup(a, path, n);
	const char *slash = strrchr(path, '/');
	return scaffold_title(slash ? slash + 1 : path, a);
}

static bool start_from(const char *under, const char *dir, const char *title, const char *date,
                       struct arena *a, struct err *e)
{
	struct blog b = {.dir = dir, .a = a};
	b.values = (struct scaffold_values){.title = title ? title : title_of(dir, a),
	                                    .date = date,
	                                    .version = SITE_VERSION,
	                                    .share = for_make(under, a)};
	if (!scaffold_is_title(b.values.title, e) || !is_free(dir, e))
		return false;
	bool ok = true;
	if (!file_exists(dir)) {
		ok = file_mkdirs(dir, e);
		keep_made(&b, dir);
	}
	for (size_t i = 0; ok && i < ARRAY_LEN(copied); i++)
		ok = copy_folder(&b, arena_printf(a, "%s%s", under, copied[i].from),
		                 arena_printf(a, "%s%s", dir, copied[i].to), e);
	if (!ok)
		undo(&b);
	return ok;
}

bool blog_start(const char *dir, const char *title, const char *date, struct arena *a,
                struct err *e)
{
	const char *under = layers_default(a);
	if (!under || !file_exists(arena_printf(a, "%sstart", under)))
		return err_set(e, "the files of a new blog are not there, expected them in "
		                  "share/ridgepoint/start beside bin/; run 'make install'");
	return start_from(under, dir, title, date, a, e);
}
