#include "runner/journal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"

bool journal_open(struct journal *j, const char *out, const char *device, const char *id,
                  struct err *e)
{
	*j = (struct journal){.fd = -1};
	j->dir = arena_printf(&j->names, "%s/%s", out, device);
	j->path = arena_printf(&j->names, "%s/%s.jsonl", j->dir, id);
	j->part = arena_printf(&j->names, "%s/.%s.part", j->dir, id);
	if (!file_mkdirs(j->dir, e))
		return false;
	j->fd = open(j->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	return j->fd >= 0 || err_sys(e, "%s: cannot create", j->part);
}

bool journal_put(struct journal *j, struct str lines, struct err *e)
{
	if (!file_put_all(j->fd, lines, j->part, e)) {
		/* Half a line must not stay: what follows is hashed without it. */
		off_t whole = (off_t)j->text.n;
		j->broken = ftruncate(j->fd, whole) != 0 || lseek(j->fd, whole, SEEK_SET) < 0;
		return false;
	}
	sb_str(&j->text, lines);
	for (size_t i = 0; i < lines.n; i++)
		j->lines += lines.p[i] == '\n';
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

static bool sync_folder(const char *dir, struct err *e)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && fsync(fd) == 0;
	if (fd >= 0)
		close(fd);
	return ok || err_sys(e, "%s: cannot make durable", dir);
}

bool journal_close(struct journal *j, const char *status, const char *end_time, double null_ratio,
                   struct err *e)
{
	struct sb end = {0};
	record_put_end(&end, status, end_time, null_ratio, sb_view(&j->text), j->lines);
	bool ok = j->broken ? err_set(e, "%s: is damaged", j->part)
	                    : journal_put(j, sb_view(&end), e) && journal_sync(j, e);
	sb_free(&end);
	if (close(j->fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", j->part);
	j->fd = -1;
	/* link() fails if the name is taken, where rename() would replace. */
	if (ok && link(j->part, j->path) != 0)
		ok = err_sys(e, "%s: cannot create", j->path);
	if (ok && unlink(j->part) != 0)
		ok = err_sys(e, "%s: cannot remove", j->part);
	return ok && sync_folder(j->dir, e);
}

void journal_free(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	j->fd = -1;
	sb_free(&j->text);
	arena_free(&j->names);
}
