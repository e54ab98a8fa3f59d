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
	char *p = arena_alloc(a, n + 1);
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
	return stat(path, &st) == 0;
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
	sb_printf(&tmp, "%s.XXXXXX", path);
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

static bool kind_of(const char *dir, const char *name, bool *is_dir, struct err *e)
{
	struct sb path = {0};
	sb_printf(&path, "%s/%s", dir, name);
	struct stat st;
	bool ok = lstat(path.p, &st) == 0;
	if (!ok)
		err_sys(e, "%s: cannot stat", path.p);
	else if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		ok = err_set(e, "%s: neither a regular file nor a folder", path.p);
	*is_dir = ok && S_ISDIR(st.st_mode);
	sb_free(&path);
	return ok;
}

bool file_list(const char *path, struct arena *a, struct file_entry **out, size_t *n, struct err *e)
{
	DIR *d = opendir(path);
	if (!d)
		return err_sys(e, "%s: cannot list the folder", path);
	size_t cap = 0;
	bool ok = true;
	*out = NULL;
	*n = 0;
	for (struct dirent *de; ok && (de = readdir(d));) {
		if (strcmp(de->d_name, ".") == 0 || strcmp(de->d_name, "..") == 0)
			continue;
		*out = arena_grow(a, *out, *n, &cap, sizeof **out);
		struct file_entry *f = &(*out)[(*n)++];
		f->name = arena_strdup(a, de->d_name);
		f->is_dir = de->d_type == DT_DIR;
		if (de->d_type != DT_DIR && de->d_type != DT_REG)
			ok = kind_of(path, f->name, &f->is_dir, e);
	}
	closedir(d);
	if (*n > 1)
		qsort(*out, *n, sizeof **out, by_name);
	return ok;
}
