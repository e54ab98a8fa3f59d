#include "lib/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, char *to, size_t n, const char *path, struct err *e)
{
	size_t got = 0;
	while (got < n) {
		ssize_t r = read(fd, to + got, n - got);
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return err_sys(e, "%s: cannot read", path);
		if (r == 0)
			return err_set(e, "%s: changed while it was read; run again", path);
		got += (size_t)r;
	}
	return true;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool read_open(int fd, const char *path, size_t max, struct arena *a, struct str *out,
                      struct err *e)
{
	struct stat before, after;
	if (fstat(fd, &before) != 0)
		return err_sys(e, "%s: cannot stat", path);
	if (!S_ISREG(before.st_mode))
		return err_set(e, "%s: not a regular file", path);
	if ((uint64_t)before.st_size > max)
		return err_set(e, "%s: larger than %zu bytes", path, max);
	size_t n = (size_t)before.st_size;
	char *p = arena_bytes(a, n + 1);
	p[n] = 0;
	if (!read_all(fd, p, n, path, e))
		return false;
	if (fstat(fd, &after) != 0)
		return err_sys(e, "%s: cannot stat", path);
	if (!same_file(&before, &after))
		return err_set(e, "%s: changed while it was read; run again", path);
	*out = (struct str){p, n};
	return true;
}

bool file_read(const char *path, size_t max_bytes, struct arena *a, struct str *out, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 && errno == ELOOP)
		return err_set(e, "%s: is a symbolic link, expected a regular file", path);
	if (fd < 0)
		return err_sys(e, "%s: cannot open", path);
	bool ok = read_open(fd, path, max_bytes, a, out, e);
	close(fd);
	return ok;
}

bool file_exists(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

bool file_mkdirs(const char *path, struct err *e)
{
	char *copy = strdup(path);
	if (!copy)
		return err_sys(e, "%s", path);
	bool ok = true;
	for (char *p = copy + 1; ok && *copy; p++) {
		if (*p != '/' && *p != 0)
			continue;
		bool last = *p == 0;
		*p = 0;
		ok = mkdir(copy, 0755) == 0 || errno == EEXIST;
		if (!ok)
			err_sys(e, "%s: cannot create the folder", copy);
		if (last)
			break;
		*p = '/';
	}
	free(copy);
	return ok;
}

bool file_put_all(int fd, struct str bytes, const char *path, struct err *e)
{
	while (bytes.n) {
		ssize_t w = write(fd, bytes.p, bytes.n);
		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return err_sys(e, "%s: cannot write", path);
		bytes = str_sub(bytes, (size_t)w, bytes.n);
	}
	return true;
}

static bool sync_folder_of(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	int fd = dir ? open(*dir ? dir : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	bool ok = fd >= 0 && fsync(fd) == 0;
	if (!ok)
		err_sys(e, "%s: cannot sync the folder", path);
	if (fd >= 0)
		close(fd);
	free(dir);
	return ok;
}

bool file_write(const char *path, struct str bytes, struct err *e)
{
	struct sb tmp = {0};
	/* with a dot before its name: a killed writer leaves it, and readers of folders skip it */
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	sb_printf(&tmp, "%.*s.%s.XXXXXX", (int)(name - path), path, name);
	int fd = mkostemp(tmp.p, O_CLOEXEC);
	if (fd < 0) {
		err_sys(e, "%s: cannot create a file beside it", path);
		sb_free(&tmp);
		return false;
	}
	bool ok = file_put_all(fd, bytes, path, e);
	if (ok && (fchmod(fd, 0644) != 0 || fsync(fd) != 0))
		ok = err_sys(e, "%s: cannot sync", path);
	if (close(fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", path);
	if (ok && rename(tmp.p, path) != 0)
		ok = err_sys(e, "%s: cannot rename into place", path);
	if (!ok)
		unlink(tmp.p);
	sb_free(&tmp);
	return ok && sync_folder_of(path, e);
}

static int by_name(const void *a, const void *b)
{
	const struct file_entry *x = a, *y = b;
	return strcmp(x->name, y->name);
}

/* The next entry except "." and "..". NULL at the end (errno is 0) or on an error (it is not). */
static const struct dirent *next_entry(DIR *d)
{
	const struct dirent *de;
	do {
		errno = 0;
		de = readdir(d);
	} while (de && (strcmp(de->d_name, ".") == 0 || strcmp(de->d_name, "..") == 0));
	return de;
}

bool file_each(int fd, const char *path,
               bool (*see)(void *ctx, int fd, const char *name, struct err *e), void *ctx,
               struct err *e)
{
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (!d) {
		err_sys(e, "%s: cannot list the folder", path);
		if (fd >= 0)
			close(fd);
		return false;
	}
	const struct dirent *de;
	bool ok = true;
	while (ok && (de = next_entry(d)))
		ok = see(ctx, fd, de->d_name, e);
	if (ok && errno != 0)
		ok = err_sys(e, "%s: cannot list the folder", path);
	closedir(d);
	return ok;
}

struct listing {
	const char *path;
	struct arena *a;
	struct file_entry *entry;
	size_t n, cap;
};

static bool add_entry(void *ctx, int fd, const char *name, struct err *e)
{
	struct listing *l = ctx;
	struct stat st;
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return err_sys(e, "%s/%s: cannot stat", l->path, name);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return err_set(e, "%s/%s: neither a regular file nor a folder", l->path, name);
	l->entry = arena_grow(l->a, l->entry, l->n, &l->cap, sizeof *l->entry);
	l->entry[l->n++] = (struct file_entry){arena_strdup(l->a, name), S_ISDIR(st.st_mode)};
	return true;
}

bool file_list(const char *path, struct arena *a, struct file_entry **out, size_t *n, struct err *e)
{
	struct listing l = {.path = path, .a = a};
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = file_each(fd, path, add_entry, &l, e);
	if (l.n > 1)
		qsort(l.entry, l.n, sizeof *l.entry, by_name);
	*out = l.entry;
	*n = l.n;
	return ok;
}
