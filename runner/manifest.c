#include "runner/manifest.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hash.h"

enum { MAX_BYTES = 64 << 20 };

/* line -> 64 hex "  " name */
static bool read_line(struct str line, struct loc at, struct arena *a, struct manifest_line *out,
                      struct err *e)
{
	struct str hex = str_sub(line, 0, HASH_SHA256_HEX);
	struct str name = str_sub(line, HASH_SHA256_HEX + 2, line.n);
	out->sha256 = arena_strndup(a, hex.p, hex.n);
	out->name = arena_strndup(a, name.p, name.n);
	return (name.n && strspn(out->sha256, "0123456789abcdef") == HASH_SHA256_HEX &&
	        memcmp(line.p + HASH_SHA256_HEX, "  ", 2) == 0) ||
	       err_at(e, at, "expected 64 hex digits, two spaces and a name");
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
		if (manifest_find(out, l->name))
			return err_at(e, at, "'%s' is listed twice", l->name);
		out->n++;
	}
	return true;
}

const struct manifest_line *manifest_find(const struct manifest *m, const char *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->line[i].name, name) == 0)
			return &m->line[i];
	return NULL;
}

/* One write at the end: two runners that add at once add two lines. */
static bool append(const char *folder, const char *line, struct arena *a, struct err *e)
{
	const char *path = arena_printf(a, "%s/%s", folder, MANIFEST_NAME);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return err_sys(e, "%s: cannot open", path);
	bool ok = file_put_all(fd, str_of(line), path, e);
	if (ok && fsync(fd) != 0)
		ok = err_sys(e, "%s: cannot make durable", path);
	if (close(fd) != 0 && ok)
		ok = err_sys(e, "%s: cannot close", path);
	return ok;
}

bool manifest_add(const char *folder, const char *path, struct str bytes, struct err *e)
{
	struct arena a = {0};
	struct manifest m;
	char hex[HASH_SHA256_HEX + 1];
	const char *name = path + strlen(folder) + 1;
	hash_sha256(bytes, hex);
	bool ok = manifest_read(folder, &a, &m, e);
	const struct manifest_line *l = ok ? manifest_find(&m, name) : NULL;
	if (l && strcmp(l->sha256, hex) != 0)
		ok = err_set(e, "%s: %s/%s lists it with another hash", path, folder,
		             MANIFEST_NAME);
	else if (ok && !l)
		ok = append(folder, arena_printf(&a, "%s  %s\n", hex, name), &a, e);
	arena_free(&a);
	return ok;
}
