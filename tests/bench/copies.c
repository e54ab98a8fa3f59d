/*
 * copies FOLDER N FIRST STEP FILE... - writes synthetic copies of the run files FILE... below
 * FOLDER, for timing: of N copies every STEP-th from FIRST on, so that processes can share them. A
 * copy has a later start and end, an id of its own, a reason that says what it is, and hashes that
 * hold; its launches are those of its original.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/file.h"
#include "lib/gzip.h"
#include "lib/record_file.h"

static void must(bool ok, const struct err *e)
{
	if (ok)
		return;
	fprintf(stderr, "copies: %s\n", e->text);
	exit(1);
}

/* A time of a record, so many seconds later; `plain` leaves out '-' and ':'. */
static const char *later(const char *when, long seconds, bool plain, struct arena *a)
{
	struct tm tm = {0};
	char text[32];
	strptime(when, "%Y-%m-%dT%H:%M:%SZ", &tm);
	time_t t = timegm(&tm) + seconds;
	strftime(text, sizeof text, plain ? "%Y%m%dT%H%M%SZ" : "%Y-%m-%dT%H:%M:%SZ",
	         gmtime_r(&t, &tm));
	return arena_strdup(a, text);
}

/* Appends the line with the value of the string member `key` replaced. */
static struct str with(struct str line, const char *key, const char *value, struct arena *a)
{
	const char *mark = arena_printf(a, "\"%s\":\"", key);
	const char *at = memmem(line.p, line.n, mark, strlen(mark));
	if (!at)
		return line;
	size_t from = (size_t)(at - line.p) + strlen(mark), to = str_find(line, '"', from);
	return str_of(arena_printf(a, STR_FMT "%s" STR_FMT, STR_ARG(str_sub(line, 0, from)), value,
	                           STR_ARG(str_sub(line, to, line.n))));
}

static void copy(const char *folder, long k, const char *file, long seconds)
{
	struct arena a = {0};
	struct err e = ERR_NONE;
	struct str lines;
	struct run r;
	struct sb to = {0}, small = {0};
	must(record_file_read(file, &a, &lines, &e) && record_read(lines, file, &a, &r, &e), &e);
	size_t head = str_find(lines, '\n', 0) + 1, end = lines.n - 1;
	while (lines.p[end - 1] != '\n')
		end--;
	const char *id =
	        arena_printf(&a, "%s-synthetic-%08lx", later(r.head.start, seconds, true, &a), k);
	const char *what = arena_printf(&a, "SYNTHETIC: a copy of %s, for timing", r.head.id);
	struct str first = with(str_sub(lines, 0, head), "id", id, &a);
	first = with(first, "reason", what, &a);
	sb_str(&to, with(first, "start", later(r.head.start, seconds, false, &a), &a));
	sb_str(&to, str_sub(lines, head, end));
	struct str so_far = str_keep(&a, sb_view(&to));
	record_put_end(&to, r.status, later(r.end, seconds, false, &a), r.null_ratio, so_far);
	const char *path = arena_printf(&a, "%s/%s", folder, r.head.device);
	must(file_mkdirs(path, &e), &e);
	path = arena_printf(&a, "%s/%s" RECORD_FILE_ENDING, path, id);
	must(gzip_pack(sb_view(&to), &small) && file_write(path, sb_view(&small), &e), &e);
	sb_free(&to);
	sb_free(&small);
	arena_free(&a);
}

int main(int argc, char **argv)
{
	enum { APART = 7 }; /* seconds between the starts of two copies */
	if (argc < 6)
		return 2;
	long files = argc - 5, n = atol(argv[2]), step = atol(argv[4]);
	for (long k = atol(argv[3]); k < n && step > 0; k += step)
		copy(argv[1], k, argv[5 + k % files], APART * (k / files + 1));
	return 0;
}
