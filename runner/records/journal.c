#include "runner/records/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/gzip.h"
#include "lib/record_file.h"
#include "runner/base/durable.h"
#include "runner/records/manifest.h"

/*
 * The process that writes the file holds this lock. The lock ends with the process, even
 * after a crash, and a child that outlives the process does not keep it.
 */
static bool lock(int fd)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	return fcntl(fd, F_SETLK, &whole) == 0;
}

/* Makes the new .part file this process's own, under a name that stays. */
static bool own(struct journal *j, struct err *e)
{
	/* some network file systems have no locks: runs there cannot be resumed */
	if (!lock(j->fd) && errno != ENOLCK && errno != EOPNOTSUPP && errno != EINVAL)
		return err_sys(e, "%s: cannot lock", j->part);
	/* before the lock, `runner resume` may have removed the file as an abandoned one */
	struct stat st;
	if (fstat(j->fd, &st) != 0)
		return err_sys(e, "%s: cannot stat", j->part);
	if (st.st_nlink == 0)
		return err_set(e, "%s: was removed by another runner; run again", j->part);
	return durable_names(j->dir, e); /* what is synced into a file without a name is lost */
}

bool journal_open(struct journal *j, const char *out, const char *device, const char *id,
                  struct err *e)
{
	*j = (struct journal){.fd = -1};
	j->out = arena_strdup(&j->names, out);
	j->dir = arena_printf(&j->names, "%s/%s", out, device);
	j->path = arena_printf(&j->names, "%s/%s" RECORD_FILE_ENDING, j->dir, id);
	j->part = arena_printf(&j->names, "%s/.%s.part", j->dir, id);
	if (!durable_folder(j->dir, e))
		return false;
	j->fd = open(j->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (j->fd < 0)
		return err_sys(e, "%s: cannot create", j->part);
	if (own(j, e))
		return true;
	unlink(j->part);
	return false;
}

/* Reads the file through fd: opening and closing a second descriptor would end the lock. */
static bool take_text(struct journal *j, struct err *e)
{
	struct stat st;
	if (fstat(j->fd, &st) != 0 || st.st_size > RECORD_MAX_BYTES)
		return err_set(e, "%s: more than %d MiB", j->part, RECORD_MAX_BYTES >> 20);
	for (;;) {
		char some[65536];
		ssize_t got = read(j->fd, some, sizeof some);
		if (got == 0)
			break;
		if (got < 0)
			return err_sys(e, "%s: cannot read", j->part);
		sb_put(&j->text, some, (size_t)got);
	}
	/* after a loss of power, writes that were not synced may be zeros, even in the middle */
	const char *lost = j->text.n ? memchr(j->text.p, 0, j->text.n) : NULL;
	if (lost)
		j->text.n = (size_t)(lost - j->text.p);
	while (j->text.n > 0 && j->text.p[j->text.n - 1] != '\n')
		j->text.n--; /* drop the line that its writer did not finish */
	return true;
}

bool journal_reopen(struct journal *j, const char *part, struct err *e)
{
	*j = (struct journal){.fd = -1};
	const char *slash = strrchr(part, '/'), *name = slash ? slash + 1 : part;
	size_t n = strlen(name);
	if (n < 7 || name[0] != '.' || strcmp(name + n - 5, ".part") != 0)
		return err_set(e, "%s: expected a .<id>.part file", part);
	j->part = arena_strdup(&j->names, part);
	j->dir = slash ? arena_strndup(&j->names, part, (size_t)(slash - part)) : ".";
	j->path = arena_printf(&j->names, "%s/%.*s" RECORD_FILE_ENDING, j->dir, (int)(n - 6),
	                       name + 1);
	slash = strrchr(j->dir, '/');
	j->out = slash ? arena_strndup(&j->names, j->dir, (size_t)(slash - j->dir)) : NULL;
	if (chmod(part, 0644) != 0 || (j->fd = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW)) < 0)
		return err_sys(e, "%s: cannot open", part);
	if (!lock(j->fd))
		return errno == EAGAIN || errno == EACCES
		               ? err_set(e, "%s: a runner is writing it", part)
		               : err_sys(e, "%s: cannot lock", part);
	return take_text(j, e);
}

bool journal_continue(struct journal *j, struct err *e)
{
	off_t end = (off_t)j->text.n;
	return (ftruncate(j->fd, end) == 0 && lseek(j->fd, end, SEEK_SET) == end) ||
	       err_sys(e, "%s: cannot continue", j->part);
}

bool journal_put(struct journal *j, struct str lines, struct err *e)
{
	if (!file_put_all(j->fd, lines, j->part, e)) {
		/* half a line must not stay: later hashes would not cover it */
		off_t whole = (off_t)j->text.n;
		j->broken = ftruncate(j->fd, whole) != 0 || lseek(j->fd, whole, SEEK_SET) < 0;
		return false;
	}
	sb_str(&j->text, lines);
	return true;
}

bool journal_has_room(const struct journal *j, size_t more)
{
	enum { END_BYTES = 1024 };
	return j->text.n + END_BYTES <= RECORD_MAX_BYTES &&
	       more <= RECORD_MAX_BYTES - END_BYTES - j->text.n;
}

bool journal_sync(struct journal *j, struct err *e)
{
	return fsync(j->fd) == 0 || err_sys(e, "%s: cannot make durable", j->part);
}

/*
 * True if a file of the run, packed or plain, has these lines already: an earlier writer was
 * killed after it gave the name. One with other lines is an error.
 */
static bool is_named(struct journal *j, bool *named, struct err *e)
{
	struct arena a = {0};
	struct str there, name = str_of(strrchr(j->path, '/') + 1);
	const char *id = str_dup(&a, str_sub(name, 0, name.n - strlen(RECORD_FILE_ENDING)));
	const char *path = record_file_find(j->dir, id, &j->names);
	*named = path != NULL;
	bool ok =
	        !path ||
	        (record_file_read(path, &a, &there, e) &&
	         (str_eq(there, sb_view(&j->text)) ||
	          err_set(e, "%s: is there already, and has other lines than %s", path, j->part)));
	if (ok && path)
		j->path = path;
	arena_free(&a);
	return ok;
}

/* Writes the compressed lines to a file, durably. A killed writer may have left the name. */
static bool write_packed(const struct journal *j, const char *packed, struct err *e)
{
	struct sb small = {0};
	if (!gzip_pack(sb_view(&j->text), &small)) {
		sb_free(&small);
		return err_set(e, "%s: cannot be compressed", j->part);
	}
	unlink(packed);
	int fd = open(packed, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	bool ok = fd >= 0 || err_sys(e, "%s: cannot create", packed);
	ok = ok && file_put_all(fd, sb_view(&small), packed, e) &&
	     (fsync(fd) == 0 || err_sys(e, "%s: cannot make durable", packed));
	if (fd >= 0 && close(fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", packed);
	sb_free(&small);
	return ok;
}

/* link() fails if the name is taken; rename() would replace the other file. */
static bool give_name(struct journal *j, struct err *e)
{
	const char *packed =
	        arena_printf(&j->names, "%.*s.gz", (int)(strlen(j->part) - 5), j->part);
	bool named, ok = is_named(j, &named, e);
	if (ok && !named)
		ok = write_packed(j, packed, e) &&
		     (link(packed, j->path) == 0 || err_sys(e, "%s: cannot create", j->path));
	bool gone = unlink(packed) == 0 || errno == ENOENT;
	return ok && (gone || err_sys(e, "%s: cannot remove", packed));
}

bool journal_name(struct journal *j, struct err *e)
{
	if (!give_name(j, e))
		return false;
	/*
	 * The .part file is removed last: until then `runner resume` can find it and finish
	 * the job. Without a folder above the device's folder there is no MANIFEST.
	 */
	if (!durable_names(j->dir, e) ||
	    (j->out && !manifest_add(j->out, j->path, sb_view(&j->text), e)))
		return false;
	return unlink(j->part) == 0 || err_sys(e, "%s: cannot remove", j->part);
}

bool journal_close(struct journal *j, const char *status, const char *end_time, double null_ratio,
                   struct err *e)
{
	struct sb end = {0};
	record_put_end(&end, status, end_time, null_ratio, sb_view(&j->text));
	bool ok = j->broken ? err_set(e, "%s: is damaged", j->part)
	                    : journal_put(j, sb_view(&end), e) && journal_sync(j, e);
	sb_free(&end);
	ok = ok && journal_name(j, e);
	if (close(j->fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", j->path);
	j->fd = -1;
	return ok;
}

/* True if the text has its `end` record, which is always the last line. */
static bool has_end(const struct journal *j)
{
	static const char end[] = "\n{\"type\":\"end\",";
	return memmem(j->text.p, j->text.n, end, sizeof end - 1) != NULL;
}

bool journal_settle(const char *part, bool *named, struct err *e)
{
	struct journal j;
	*named = false;
	if (!file_exists(part))
		return true;
	bool ok = journal_reopen(&j, part, e);
	if (ok && has_end(&j))
		*named = ok = journal_name(&j, e);
	else if (ok)
		ok = unlink(part) == 0 || err_sys(e, "%s: cannot remove", part);
	journal_free(&j);
	return ok;
}

void journal_abandon(struct journal *j, struct err *e)
{
	if (!has_end(j))
		unlink(j->part);
	else if (file_exists(j->part))
		err_add(e, "; the record is in %s, and 'runner resume' finishes it", j->part);
}

void journal_free(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	sb_free(&j->text);
	arena_free(&j->names);
}
