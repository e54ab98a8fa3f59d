#include "site-gen/output/publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/base/inputs.h"
#include "site-gen/output/manifest.h"
#include "site-gen/output/owned.h"

/* --- removing a tree ----------------------------------------------------------- */

/* `shown`: name of the tree in messages. */
static bool remove_entry(void *shown, int dir, const char *name, struct err *e)
{
	const char *tree = shown;
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return true;
	if (errno != EISDIR && errno != EPERM)
		return err_sys(e, "%s: cannot remove '%s'", tree, name);
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return err_sys(e, "%s: cannot open '%s'", tree, name);
	return file_each(fd, tree, remove_entry, shown, e) &&
	       (unlinkat(dir, name, AT_REMOVEDIR) == 0 ||
	        err_sys(e, "%s: cannot remove '%s'", tree, name));
}

static bool remove_unless_mark(void *shown, int dir, const char *name, struct err *e)
{
	return strcmp(name, OWNED_MARK) == 0 || remove_entry(shown, dir, name, e);
}

/*
 * Removes a tree of ours. The mark goes last, so after an interruption the rest can still be
 * recognised. A missing tree is fine; a tree that is not ours is an error.
 */
static bool remove_own(const char *path, struct arena *a, struct err *e)
{
	if (!owned_leftover(path, a, e))
		return false;
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT || err_sys(e, "%s: cannot open", path);
	if (!owned_mark(fd, path, e)) {
		close(fd);
		return false;
	}
	return file_each(fd, path, remove_unless_mark, (void *)path, e) &&
	       owned_unmark(path, a, e) &&
	       (rmdir(path) == 0 || err_sys(e, "%s: cannot remove", path));
}

/* --- opening --------------------------------------------------------------------- */

static bool make_parents(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	if (!slash || slash == path)
		return true;
	char *dir = strndup(path, (size_t)(slash - path));
	bool ok = dir && file_mkdirs(dir, e);
	free(dir);
	return ok;
}

/*
 * A lock file holds a process id, or what a loss of power left of two: a part, or zeros. Any other
 * file of that name belongs to somebody else.
 */
static bool is_lock(int fd, const char *path, struct err *e)
{
	char text[33];
	ssize_t n = pread(fd, text, sizeof text, 0);
	if (n < 0)
		return err_sys(e, "%s: cannot read the lock", path);
	size_t ours = 0;
	while (ours < (size_t)n &&
	       ((text[ours] >= '0' && text[ours] <= '9') || text[ours] == '\n' || text[ours] == 0))
		ours++;
	return (ours == (size_t)n && ours < sizeof text) ||
	       err_set(e, "%s: is in the way: it is not the lock of a build; move it away", path);
}

static bool lock_output(struct publish *p, const char *path, struct err *e)
{
	p->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (p->lock < 0)
		return err_sys(e, "%s: cannot open the lock", path);
	char holder[32] = "";
	if (!is_lock(p->lock, path, e))
		return false;
	if (flock(p->lock, LOCK_EX | LOCK_NB) == 0) {
		int n = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
		if (ftruncate(p->lock, 0) != 0 || pwrite(p->lock, holder, (size_t)n, 0) != n)
			return err_sys(e, "%s: cannot write the lock", path);
		return true;
	}
	if (errno != EWOULDBLOCK)
		return err_sys(e, "%s: cannot lock", path);
	ssize_t n = pread(p->lock, holder, sizeof holder - 1, 0);
	holder[n > 0 ? n : 0] = 0;
	return err_set(e, "%s: another build (process %s) is at work there", p->out,
	               str_trim(str_of(holder)).n ? strtok(holder, "\n") : "unknown");
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* After a build was killed between its two renames: restores the old site, or removes it. */
static bool mend(const struct publish *p, struct arena *a, struct err *e)
{
	if (!file_exists(p->aside))
		return true;
	if (file_exists(p->out))
		return remove_own(p->aside, a, e);
	return owned_leftover(p->aside, a, e) &&
	       (rename(p->aside, p->out) == 0 ||
	        err_sys(e, "%s: cannot be put back as %s", p->aside, p->out));
}

static bool make_staging(struct publish *p, struct arena *a, struct err *e)
{
	if (!remove_own(p->staging, a, e))
		return false;
	if (mkdir(p->staging, 0755) != 0)
		return err_sys(e, "%s: cannot create the folder", p->staging);
	p->new = open_folder(p->staging);
	return (p->new >= 0 || err_sys(e, "%s: cannot open", p->staging)) &&
	       owned_mark(p->new, p->staging, e);
}

static void begin(struct publish *p, const char *out, bool write, struct arena *a)
{
	*p = (struct publish){.out = out, .write = write, .lock = -1, .old = -1, .new = -1};
	p->staging = arena_printf(a, "%s.new", out);
	p->aside = arena_printf(a, "%s.replaced", out);
}

static bool open_old(struct publish *p, bool ok, struct err *e)
{
	p->old = open_folder(p->out);
	if (ok && p->old < 0 && errno != ENOENT)
		ok = err_sys(e, "%s: cannot open", p->out);
	if (!ok)
		publish_close(p);
	return ok;
}

bool publish_open(const char *out, bool write, struct arena *a, struct publish *p, struct err *e)
{
	begin(p, out, write, a);
	const char *lock = arena_printf(a, "%s.lock", out);
	bool locked = file_exists(lock); /* do not put a lock beside a stranger's folder */
	bool ok = !write || ((locked || owned_site(out, a, e)) && make_parents(out, e) &&
	                     lock_output(p, lock, e) && (!locked || owned_site(out, a, e)) &&
	                     mend(p, a, e) && make_staging(p, a, e));
	return open_old(p, ok, e);
}

bool publish_open_again(const char *out, struct arena *a, struct publish *p, struct err *e)
{
	begin(p, out, true, a);
	bool ok = lock_output(p, arena_printf(a, "%s.lock", out), e) && mend(p, a, e) &&
	          make_staging(p, a, e);
	return open_old(p, ok, e);
}

const char *publish_identity(const char *out, struct arena *a)
{
	struct stat folder, manifest;
	if (stat(out, &folder) != 0 ||
	    stat(arena_printf(a, "%s/" MANIFEST_FILE, out), &manifest) != 0)
		return "";
	return arena_printf(a, "%llu-%llu-%llu-%lld-%lld.%09ld", (unsigned long long)folder.st_dev,
	                    (unsigned long long)folder.st_ino, (unsigned long long)manifest.st_ino,
	                    (long long)manifest.st_size, (long long)manifest.st_mtim.tv_sec,
	                    (long)manifest.st_mtim.tv_nsec);
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Is the lock missing, or the lock of a build? */
static bool lock_allowed(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno == ENOENT || err_sys(e, "%s: cannot open the lock", path);
	bool ok = is_lock(fd, path, e);
	close_one(&fd);
	return ok;
}

bool publish_allowed(const char *out, struct arena *a, struct err *e)
{
	return owned_site(out, a, e) && lock_allowed(arena_printf(a, "%s.lock", out), e) &&
	       owned_leftover(arena_printf(a, "%s.replaced", out), a, e) &&
	       owned_leftover(arena_printf(a, "%s.new", out), a, e);
}

void publish_tidy(struct publish *p)
{
	struct err ignored = ERR_NONE; /* the next build removes the rest */
	struct arena a = {0};
	if (p->new >= 0) {
		remove_own(p->staging, &a, &ignored);
		mend(p, &a, &ignored);
	}
	arena_free(&a);
	close_one(&p->new);
}

void publish_close(struct publish *p)
{
	publish_tidy(p);
	close_one(&p->old);
	close_one(&p->lock);
}

/* --- one file ----------------------------------------------------------------------- */

static void note_stat(struct output_file *out, const struct stat *st)
{
	out->size = st->st_size;
	out->mtime_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	out->inode = st->st_ino;
}

static bool same_bytes(int fd, struct str bytes, struct output_file *out)
{
	char buf[1 << 16];
	struct stat st;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (size_t)st.st_size != bytes.n)
		return false;
	note_stat(out, &st);
	out->ctime_ns = inputs_change(&st);
	for (size_t at = 0; at < bytes.n;) {
		ssize_t n = read(fd, buf, sizeof buf);
		if (n <= 0 || (size_t)n > bytes.n - at || memcmp(buf, bytes.p + at, (size_t)n) != 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

/* Creates the folders of `path` below `dir`. */
static bool make_folders(int dir, const char *path, struct err *e)
{
	char part[512];
	if (strlen(path) >= sizeof part)
		return err_set(e, "%s: the name is too long", path);
	for (const char *s = path; (s = strchr(s, '/')); s++) {
		memcpy(part, path, (size_t)(s - path));
		part[s - path] = 0;
		if (mkdirat(dir, part, 0755) != 0 && errno != EEXIST)
			return err_sys(e, "%s: cannot create the folder", path);
	}
	return true;
}

static int create(int dir, const char *path)
{
	return openat(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

/* Creates a page's own folder, whose parent usually exists, with a single call. */
static void make_own_folder(int dir, const char *path)
{
	char part[512];
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;
	if (n == 0 || n >= sizeof part || strcmp(slash, "/index.html") != 0)
		return;
	memcpy(part, path, n);
	part[n] = 0;
	if (mkdirat(dir, part, 0755) != 0)
		return; /* creating the file will report it */
}

static bool write_new(const struct publish *p, const char *path, struct str bytes,
                      struct output_file *out, struct err *e)
{
	struct stat st;
	make_own_folder(p->new, path);
	int fd = create(p->new, path);
	if (fd < 0 && errno == ENOENT) {
		if (!make_folders(p->new, path, e))
			return false;
		fd = create(p->new, path);
	}
	if (fd < 0)
		return err_sys(e, "%s/%s: cannot create", p->staging, path);
	bool ok = file_put_all(fd, bytes, path, e);
	if (ok && fstat(fd, &st) != 0)
		ok = err_sys(e, "%s/%s: cannot stat", p->staging, path);
	else if (ok)
		note_stat(out, &st);
	if (close(fd) != 0 && ok)
		ok = err_sys(e, "%s/%s: cannot close", p->staging, path);
	return ok;
}

bool publish_put(const struct publish *p, const char *path, struct str bytes,
                 struct output_file *out, struct err *e)
{
	int fd = p->old < 0 ? -1 : openat(p->old, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	*out = (struct output_file){.path = path, .changed = true};
	out->size = (int64_t)bytes.n;
	hash_sha256(bytes, out->sha256);
	if (fd >= 0) {
		out->changed = !same_bytes(fd, bytes, out);
		close(fd);
	}
	return !out->changed || !p->write || write_new(p, path, bytes, out, e);
}

/* --- all of them ---------------------------------------------------------------------- */

static bool link_old(const struct publish *p, const char *path, struct err *e)
{
	if (linkat(p->old, path, p->new, path, 0) == 0)
		return true;
	if (errno == ENOENT && make_folders(p->new, path, e) &&
	    linkat(p->old, path, p->new, path, 0) == 0)
		return true;
	return err_sys(e, "%s/%s: cannot link into %s", p->out, path, p->staging);
}

static size_t files_in(const char *out)
{
	struct arena a = {0};
	struct inputs in = {0};
	struct err ignored = ERR_NONE;
	size_t n = inputs_add(&in, out, &a, &ignored) ? in.n : SIZE_MAX;
	arena_free(&a);
	return n;
}

static bool sync_all(int fd, const char *path, struct err *e)
{
	return syncfs(fd) == 0 || err_sys(e, "%s: cannot sync", path);
}

/* Syncs the parent folder, so that the exchange itself is on disk. */
static bool sync_parent(const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	int fd = dir ? open_folder(dir) : -1;
	bool ok =
	        (fd >= 0 && fsync(fd) == 0) || err_sys(e,
	                                               "%s: the new site is live, but may be lost "
	                                               "with the power: cannot sync its folder",
	                                               path);
	close_one(&fd);
	free(dir);
	return ok;
}

/* Exchanges staging and output; without RENAME_EXCHANGE by two renames, which is not atomic. */
static bool exchange(const struct publish *p, struct err *e)
{
	if (p->old < 0)
		return rename(p->staging, p->out) == 0 ||
		       err_sys(e, "%s: cannot publish %s", p->out, p->staging);
	if (renameat2(AT_FDCWD, p->staging, AT_FDCWD, p->out, RENAME_EXCHANGE) == 0)
		return true;
	if (errno != EINVAL && errno != ENOSYS)
		return err_sys(e, "%s: cannot exchange with %s", p->out, p->staging);
	bool ok = rename(p->out, p->aside) == 0;
	if (ok && rename(p->staging, p->out) != 0) {
		int why = errno;
		if (rename(p->aside, p->out) == 0) /* restores the last good site */
			errno = why;
		ok = false;
	}
	return ok || err_sys(e, "%s: cannot publish %s", p->out, p->staging);
}

bool publish_commit(struct publish *p, const struct output_file *files, size_t n, bool sync,
                    bool *published, struct err *e)
{
	size_t changed = 0;
	for (size_t i = 0; i < n; i++)
		changed += files[i].changed;
	*published = p->write && (changed > 0 || p->old < 0 || files_in(p->out) != n);
	if (!*published)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!files[i].changed && !link_old(p, files[i].path, e))
			return false;
	struct arena a = {0};
	bool plain = owned_unmark(p->staging, &a, e);
	arena_free(&a);
	if (!plain)
		return false;
	return (!sync || sync_all(p->new, p->staging, e)) && exchange(p, e) &&
	       (!sync || sync_parent(p->out, e));
}

/* --- in place -------------------------------------------------------------------------- */

/* Removes a file, and the folders that are empty without it. */
static bool remove_file(const struct publish *p, const char *path, struct err *e)
{
	char part[512];
	if (unlinkat(p->old, path, 0) != 0 && errno != ENOENT)
		return err_sys(e, "%s/%s: cannot remove", p->out, path);
	for (const char *end = strrchr(path, '/'); end && (size_t)(end - path) < sizeof part;
	     end = strrchr(part, '/') ? path + (strrchr(part, '/') - part) : NULL) {
		memcpy(part, path, (size_t)(end - path));
		part[end - path] = 0;
		if (unlinkat(p->old, part, AT_REMOVEDIR) != 0)
			break; /* it holds other files */
	}
	return true;
}

static bool move_file(const struct publish *p, const struct output_file *f, struct err *e)
{
	if (!f->changed)
		return true;
	if (!f->replaces && faccessat(p->old, f->path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return err_set(e, "%s/%s: is in the way, and no build made it: move it away",
		               p->out, f->path);
	if (renameat(p->new, f->path, p->old, f->path) == 0)
		return true;
	return (errno == ENOENT && make_folders(p->old, f->path, e) &&
	        renameat(p->new, f->path, p->old, f->path) == 0) ||
	       err_sys(e, "%s/%s: cannot be moved to %s", p->staging, f->path, p->out);
}

/* The manifest goes before the files that it lists, and after those that it lists no more. */
static bool move_all(const struct publish *p, const struct output_file *files, size_t n,
                     const char *const *gone, size_t ngone, struct err *e)
{
	for (size_t i = 0; i < ngone; i++)
		if (!remove_file(p, gone[i], e))
			return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, MANIFEST_FILE) == 0 && !move_file(p, &files[i], e))
			return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, MANIFEST_FILE) != 0 && !move_file(p, &files[i], e))
			return false;
	return true;
}

bool publish_update(struct publish *p, const struct output_file *files, size_t n,
                    const char *const *gone, size_t ngone, bool sync, bool *published,
                    struct err *e)
{
	*published = ngone > 0;
	for (size_t i = 0; i < n; i++)
		*published = *published || files[i].changed;
	if (!*published)
		return true;
	return (!sync || sync_all(p->new, p->staging, e)) &&
	       move_all(p, files, n, gone, ngone, e) && (!sync || sync_all(p->old, p->out, e));
}

static int by_path(const void *a, const void *b)
{
	const struct input *x = a, *y = b;
	return strcmp(x->path, y->path);
}

static void digest(struct input *f, size_t n, char hex[HASH_SHA256_HEX + 1])
{
	struct inputs in = {.file = f, .n = n};
	bool settled;
	if (n > 1)
		qsort(f, n, sizeof *f, by_path);
	inputs_digest(&in, STR("outputs"), hex, &settled);
}

void publish_digest(const struct output_file *files, size_t n, char hex[HASH_SHA256_HEX + 1])
{
	struct arena a = {0};
	struct input *f = ARENA_ARRAY(&a, struct input, n);
	for (size_t i = 0; i < n; i++)
		f[i] = (struct input){.path = files[i].path,
		                      .size = files[i].size,
		                      .mtime_ns = files[i].mtime_ns,
		                      .inode = files[i].inode};
	digest(f, n, hex);
	arena_free(&a);
}

bool publish_digest_now(const char *out, char hex[HASH_SHA256_HEX + 1])
{
	struct arena a = {0};
	struct inputs in = {0};
	struct err ignored = ERR_NONE;
	bool ok = file_exists(out) && inputs_add(&in, out, &a, &ignored);
	for (size_t i = 0; i < in.n; i++) {
		in.file[i].ctime_ns = 0; /* linking changes it */
		in.file[i].path += strlen(out) + 1;
	}
	if (ok)
		digest(in.file, in.n, hex);
	arena_free(&a);
	return ok;
}
