#include "runner/records/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "lib/record_file.h"
#include "runner/base/durable.h"

enum { MAX_BYTES = 64 << 20 };

/* line -> 64 hex "  " name */
static bool read_line(struct str line, struct loc at, struct arena *a, struct manifest_line *out,
                      struct err *e)
{
	struct str hex = str_sub(line, 0, HASH_SHA256_HEX);
	struct str name = str_sub(line, HASH_SHA256_HEX + 2, line.n);
	out->sha256 = str_dup(a, hex);
	out->name = str_dup(a, name);
	bool crlf = str_ends(name, "\r"); /* an editor added it; no run file's name has one */
	return (name.n && !crlf && hash_is_hex(out->sha256, HASH_SHA256_HEX) &&
	        memcmp(line.p + HASH_SHA256_HEX, "  ", 2) == 0) ||
	       err_at(e, at, "expected 64 hex digits, two spaces and a name");
}

static const struct manifest_line *find_name(const struct manifest *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->line[i].name, name) == 0)
			return &m->line[i];
	return NULL;
}

/*
 * The lines without a last one that a loss of power tore: one without its end that names no
 * whole file, or one with zeros. Its file then counts as not listed, and is added again.
 */
static struct str whole_lines(struct str text, struct arena *a)
{
	struct manifest_line ignored;
	struct err none = ERR_NONE;
	size_t end = text.n - (text.n > 0 && text.p[text.n - 1] == '\n'), from = end;
	while (from > 0 && text.p[from - 1] != '\n')
		from--;
	struct str last = str_sub(text, from, end);
	bool zeros = last.n && memchr(last.p, 0, last.n);
	bool cut = end == text.n && last.n &&
	           (!read_line(last, (struct loc){0}, a, &ignored, &none) ||
	            !str_ends(last, ".jsonl"));
	return zeros || cut ? str_sub(text, 0, from) : text;
}

bool manifest_read(const char *folder, struct arena *a, struct manifest *out, struct err *e)
{
	const char *path = arena_printf(a, "%s/%s", folder, MANIFEST_NAME);
	struct str text, line;
	struct loc at = {path, 0, 0};
	size_t lines = 0;
	*out = (struct manifest){0};
	if (!file_exists(path))
		return true;
	if (!file_read(path, MAX_BYTES, a, &text, e))
		return false;
	text = whole_lines(text, a);
	for (size_t i = 0; i < text.n; i++)
		lines += text.p[i] == '\n';
	out->line = ARENA_ARRAY(a, struct manifest_line, lines + 1);
	for (bool more = text.n > 0; more;) {
		more = str_cut(text, '\n', &line, &text);
		at.line++;
		if (line.n == 0 && !more)
			break;
		struct manifest_line *l = &out->line[out->n];
		if (!read_line(line, at, a, l, e))
			return false;
		if (find_name(out, l->name))
			return err_at(e, at, "'%s' is listed twice", l->name);
		out->n++;
	}
	return true;
}

/* The name of a run file in the list: its path below the folder, without ".gz". */
static const char *listed_name(const char *folder, const char *path, struct arena *a)
{
	return str_dup(a, record_file_plain(str_of(path + strlen(folder) + 1)));
}

const struct manifest_line *manifest_find(const struct manifest *m, const char *folder,
                                          const char *path, struct arena *a)
{
	return find_name(m, listed_name(folder, path, a));
}

/* Looks whether the file is listed; another hash is an error. */
static bool look_up(const char *folder, const char *path, const char *hex, struct arena *a,
                    bool *listed, struct err *e)
{
	struct manifest m;
	if (!manifest_read(folder, a, &m, e))
		return false;
	const struct manifest_line *l = manifest_find(&m, folder, path, a);
	*listed = l != NULL;
	return !l || strcmp(l->sha256, hex) == 0 ||
	       err_set(e, "%s: %s/%s lists it with another hash", path, folder, MANIFEST_NAME);
}

/* Appends the whole line or nothing, after removing a torn line and ending one without its end. */
static bool put_line(int fd, struct str line, const char *list, struct arena *a, struct err *e)
{
	struct str text;
	if (!file_read(list, MAX_BYTES, a, &text, e))
		return false;
	const struct str kept = whole_lines(text, a);
	if (kept.n < text.n && ftruncate(fd, (off_t)kept.n) != 0)
		return err_sys(e, "%s: cannot be mended", list);
	bool ends = kept.n == 0 || kept.p[kept.n - 1] == '\n';
	bool ok = (ends || file_put_all(fd, STR("\n"), list, e)) &&
	          file_put_all(fd, line, list, e) &&
	          (fsync(fd) == 0 || err_sys(e, "%s: cannot make durable", list));
	if (!ok && ftruncate(fd, (off_t)kept.n) != 0)
		err_sys(e, "%s: cannot be restored", list);
	return ok;
}

/*
 * Opens the list for appending. A lock makes writers wait for each other; on a file
 * system without locks, each line is still a single write.
 */
static int open_list(const char *list, struct err *e)
{
	int fd = open(list, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		err_sys(e, "%s: cannot open", list);
	while (fd >= 0 && flock(fd, LOCK_EX) != 0 && errno == EINTR)
		;
	return fd;
}

bool manifest_add(const char *folder, const char *path, struct str bytes, struct err *e)
{
	struct arena a = {0};
	char hex[HASH_SHA256_HEX + 1];
	const char *list = arena_printf(&a, "%s/%s", folder, MANIFEST_NAME);
	bool listed;
	hash_sha256(bytes, hex);
	const char *line = arena_printf(&a, "%s  %s\n", hex, listed_name(folder, path, &a));
	int fd = open_list(list, e);
	bool ok = fd >= 0 && look_up(folder, path, hex, &a, &listed, e) &&
	          (listed || put_line(fd, str_of(line), list, &a, e));
	if (fd >= 0 && close(fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", list);
	ok = ok && durable_names(folder, e); /* the list itself may be new */
	arena_free(&a);
	return ok;
}
