#include "site-gen/base/inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"

/* Longer than a clock tick of any Linux file system. */
static const int64_t young_ns = 20 * 1000 * 1000;

static int64_t ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_young(const struct stat *st)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return ns_of(st->st_ctim) >= ns_of(now) - young_ns;
}

static void add_file(struct inputs *in, const char *path, const struct stat *st, struct arena *a)
{
	in->file = arena_grow(a, in->file, in->n, &in->cap, sizeof *in->file);
	in->file[in->n++] = (struct input){
	        .path = path,
	        .size = st->st_size,
	        .mtime_ns = ns_of(st->st_mtim),
	        .ctime_ns = ns_of(st->st_ctim),
	        .inode = st->st_ino,
	        .young = is_young(st),
	};
}

/* Faster than arena_printf; called for each of maybe ten thousand posts. */
static const char *join(struct arena *a, const char *folder, const char *name)
{
	size_t n = strlen(folder), m = strlen(name);
	char *path = arena_alloc(a, n + m + 2);
	memcpy(path, folder, n);
	path[n] = '/';
	memcpy(path + n + 1, name, m);
	return path;
}

static bool is_editors(const char *name)
{
	return name[0] == '.' || str_ends(str_of(name), "~");
}

struct folder {
	struct inputs *in;
	const char *path;
	struct arena *a;
};

static bool add_entry(void *ctx, int fd, const char *name, struct err *e)
{
	const struct folder *f = ctx;
	struct stat st;
	if (is_editors(name))
		return true;
	const char *path = join(f->a, f->path, name);
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT || err_sys(e, "%s: cannot stat", path);
	if (S_ISREG(st.st_mode)) {
		add_file(f->in, path, &st, f->a);
		return true;
	}
	if (!S_ISDIR(st.st_mode))
		return err_set(e, "%s: neither a regular file nor a folder", path);
	struct folder sub = {f->in, path, f->a};
	int below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return file_each(below, path, add_entry, &sub, e);
}

bool inputs_add(struct inputs *in, const char *folder, struct arena *a, struct err *e)
{
	struct folder f = {in, folder, a};
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && errno == ENOTDIR)
		return err_set(e, "%s: is a file or a symbolic link, expected a folder", folder);
	return file_each(fd, folder, add_entry, &f, e);
}

static int by_path(const void *a, const void *b)
{
	const struct input *x = a, *y = b;
	return strcmp(x->path, y->path);
}

void inputs_sort(struct inputs *in)
{
	if (in->n > 1)
		qsort(in->file, in->n, sizeof *in->file, by_path);
}

void inputs_under(const struct inputs *in, const char *prefix, size_t *from, size_t *to)
{
	size_t lo = 0, hi = in->n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (strcmp(in->file[mid].path, prefix) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	*from = *to = lo;
	while (*to < in->n && str_starts(str_of(in->file[*to].path), prefix))
		(*to)++;
}

const struct input *inputs_find(const struct inputs *in, const char *path)
{
	size_t from, to;
	inputs_under(in, path, &from, &to);
	return from < to && strcmp(in->file[from].path, path) == 0 ? &in->file[from] : NULL;
}

bool inputs_unchanged(const struct input *f)
{
	struct stat st;
	return lstat(f->path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == f->size &&
	       st.st_ino == f->inode && ns_of(st.st_mtim) == f->mtime_ns &&
	       ns_of(st.st_ctim) == f->ctime_ns;
}

void inputs_digest(const struct inputs *in, struct str extra, char hex[HASH_SHA256_HEX + 1],
                   bool *settled)
{
	struct sb text = {0};
	*settled = true;
	sb_str(&text, extra);
	for (size_t i = 0; i < in->n; i++) {
		const struct input *f = &in->file[i];
		int64_t numbers[] = {f->size, f->mtime_ns, f->ctime_ns, (int64_t)f->inode};
		sb_put(&text, f->path, strlen(f->path) + 1);
		sb_put(&text, numbers, sizeof numbers);
		*settled = *settled && !f->young;
	}
	hash_sha256(sb_view(&text), hex);
	sb_free(&text);
}

int64_t inputs_change(const struct stat *st)
{
	return is_young(st) ? 0 : ns_of(st->st_ctim);
}
