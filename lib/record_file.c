#include "lib/record_file.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/gzip.h"

bool record_file_is(struct str path)
{
	const char *slash = memrchr(path.p, '/', path.n);
	const char *name = slash ? slash + 1 : path.p;
	return name < path.p + path.n && *name != '.' &&
	       (str_ends(path, RECORD_FILE_ENDING) || str_ends(path, RECORD_FILE_PLAIN));
}

struct str record_file_plain(struct str path)
{
	return str_ends(path, ".gz") ? str_sub(path, 0, path.n - strlen(".gz")) : path;
}

bool record_file_same(const char *x, const char *y)
{
	return str_eq(record_file_plain(str_of(x)), record_file_plain(str_of(y)));
}

bool record_file_lines(struct str stored, const char *path, struct arena *a, struct str *lines,
                       struct err *e)
{
	return gzip_content(stored, RECORD_MAX_BYTES, path, a, lines, e);
}

bool record_file_read(const char *path, struct arena *a, struct str *lines, struct err *e)
{
	struct str stored;
	return file_read(path, RECORD_MAX_BYTES, a, &stored, e) &&
	       record_file_lines(stored, path, a, lines, e);
}

bool record_file_load(const char *path, struct arena *a, struct run *out, struct err *e)
{
	struct str lines;
	return record_file_read(path, a, &lines, e) && record_read(lines, path, a, out, e);
}

bool record_file_load_whole(const char *path, struct arena *a, struct run *out, struct err *e)
{
	return record_file_load(path, a, out, e) &&
	       (out->whole || err_set(e, "%s: not whole: %s", path, out->why_not_whole));
}

const char *record_file_find(const char *folder, const char *name, struct arena *a)
{
	static const char *const endings[] = {RECORD_FILE_ENDING, RECORD_FILE_PLAIN};
	for (size_t i = 0; i < ARRAY_LEN(endings); i++) {
		const char *path = arena_printf(a, "%s/%s%s", folder, name, endings[i]);
		if (file_exists(path))
			return path;
	}
	return NULL;
}
