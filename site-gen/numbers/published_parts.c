#include "site-gen/numbers/published_parts.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/gzip.h"
#include "site-gen/base/rules.h"

#define FOLDER "data/published"
#define ENDING ".jsonl.gz"

enum {
	MOST_BYTES = 64 << 20, /* of all lines, inflated */
	OPEN_BYTES = 1 << 20,
	/* a closed part is so large that no later lines repeat it by chance */
	LEAST_CLOSED = 64 << 10,
	DIGITS = 4,
};

/* --- names --------------------------------------------------------------------------------- */

const char *published_parts_path(size_t number, struct arena *a)
{
	return arena_printf(a, FOLDER "/%0*zu" ENDING, DIGITS, number);
}

/* The number in the name of a closed part; 0 if it is not one. */
static int64_t number_of(struct str name)
{
	int64_t number = 0;
	bool digits = name.n == DIGITS + strlen(ENDING) && str_ends(name, ENDING);
	for (size_t i = 0; digits && i < DIGITS; i++) {
		digits = name.p[i] >= '0' && name.p[i] <= '9';
		number = 10 * number + name.p[i] - '0';
	}
	return digits ? number : 0;
}

bool published_parts_has(const char *path)
{
	struct str s = str_of(path);
	return str_is(s, PUBLISHED_PATH) ||
	       (str_starts(s, FOLDER "/") && number_of(str_sub(s, strlen(FOLDER "/"), s.n)) > 0);
}

/* The work tree's closed parts after the first `n`, which HEAD has: their numbers follow. */
static bool count_parts(size_t n, struct arena *a, size_t *out, struct err *e)
{
	struct file_entry *entry = NULL;
	size_t nentries = 0;
	*out = n;
	if (file_exists(FOLDER) && !file_list(FOLDER, a, &entry, &nentries, e))
		return false;
	for (size_t i = 0; i < nentries; i++) {
		const char *name = entry[i].name;
		int64_t number = number_of(str_of(name));
		if (*name == '.' || !str_ends(str_of(name), ENDING) ||
		    (number > 0 && (size_t)number <= n))
			continue;
		if ((size_t)number != ++*out)
			return rule_err(
			        e, RULE_NOTED,
			        (struct loc){.path = arena_printf(a, FOLDER "/%s", name)},
			        "is not the next closed part of the log, expected the name %s",
			        published_parts_path(*out, a));
	}
	return true;
}

/* --- the first line ------------------------------------------------------------------------ */

#define BEGINS "{\"schema\":\"" PUBLISHED_SCHEMA "\",\"begins\":\""
enum { ID_DIGITS = 40 };

const char *published_parts_begun(struct str log, struct arena *a)
{
	struct str line, rest, id;
	str_cut(log, '\n', &line, &rest);
	if (!str_starts(line, BEGINS) || !str_ends(line, "\"}"))
		return NULL;
	id = str_sub(line, strlen(BEGINS), line.n - strlen("\"}"));
	return id.n == ID_DIGITS && strspn(str_dup(a, id), "0123456789abcdef") == ID_DIGITS
	               ? str_dup(a, id)
	               : NULL;
}

/* --- reading ------------------------------------------------------------------------------- */

/* The bytes of a blob; none for NULL. */
static bool blob_bytes(struct git *g, const char *blob, const char *path, struct arena *a,
                       struct str *out, struct err *e)
{
	bool found = true;
	*out = (struct str){"", 0};
	if (blob && !git_bytes(g, blob, a, out, &found, e))
		return false;
	return found || err_set(e, "%s: its blob %s is not in this clone", path, blob);
}

/* Inflates a closed part; *left is what remains of the limit for all parts. */
static bool inflate_part(struct str stored, const char *path, struct arena *a, size_t *left,
                         struct str *lines, struct err *e)
{
	if (!gzip_unpack(stored, *left, path, a, lines, e))
		return rule_mark(e, RULE_NOTED);
	*left -= lines->n;
	return (lines->n > 0 && lines->p[lines->n - 1] == '\n') ||
	       rule_err(e, RULE_NOTED, (struct loc){.path = path},
	                "the last line is cut off, expected a newline");
}

/* What the open part adds to the newest closed part. */
static struct str open_lines(struct str file, const struct published_part *newest)
{
	return newest && str_begins(file, newest->lines) ? str_sub(file, newest->lines.n, file.n)
	                                                 : file;
}

static const struct published_part *newest_of(const struct published_part *part, size_t n)
{
	return n > 0 ? &part[n - 1] : NULL;
}

/* A closed part that HEAD has: the blob counts, and the file must have its bytes. */
static bool read_committed(struct git *g, const char *blob, struct published_part *p,
                           struct arena *a, size_t *left, struct err *e)
{
	struct str stored, work;
	if (!blob_bytes(g, blob, p->path, a, &stored, e))
		return false;
	work = stored;
	if (file_exists(p->path) && !file_read(p->path, MOST_BYTES, a, &work, e))
		return false;
	if (!str_eq(work, stored))
		return rule_err(e, RULE_NOTED, (struct loc){.path = p->path},
		                "is not what HEAD has, and a closed part never changes: restore it "
		                "with 'git checkout HEAD -- %s'",
		                p->path);
	return inflate_part(stored, p->path, a, left, &p->lines, e);
}

/* A closed part that waits for a commit. */
static bool read_new(struct published_part *p, struct arena *a, size_t *left, struct err *e)
{
	struct str stored;
	return file_read(p->path, MOST_BYTES, a, &stored, e) &&
	       inflate_part(stored, p->path, a, left, &p->lines, e);
}

/* New closed parts hold lines of HEAD's open part; after them, the open part has the rest. */
static bool begins_with_head(const struct published_parts *p, size_t ncommitted, struct str head,
                             struct err *e)
{
	for (size_t i = ncommitted; i < p->n; i++) {
		if (!str_begins(head, p->closed[i].lines))
			return rule_err(e, RULE_NOTED, (struct loc){.path = p->closed[i].path},
			                "does not hold lines that HEAD's " PUBLISHED_PATH
			                " begins with: remove it, and restore the other with "
			                "'git checkout HEAD -- " PUBLISHED_PATH "'");
		head = str_sub(head, p->closed[i].lines.n, head.n);
	}
	return str_begins(p->open, head) ||
	       rule_err(e, RULE_NOTED, (struct loc){.path = PUBLISHED_PATH},
	                "does not begin with what HEAD has; lines are only ever added: restore it "
	                "with 'git checkout HEAD -- " PUBLISHED_PATH "'");
}

static bool read_closed(struct git *g, const struct published_blobs *head, struct arena *a,
                        struct published_parts *out, size_t *left, struct err *e)
{
	size_t n;
	if (!count_parts(head->n, a, &n, e))
		return false;
	out->closed = ARENA_ARRAY(a, struct published_part, n + 1);
	for (; out->n < n; out->n++) {
		struct published_part *p = &out->closed[out->n];
		p->path = published_parts_path(out->n + 1, a);
		if (!(out->n < head->n ? read_committed(g, head->closed[out->n], p, a, left, e)
		                       : read_new(p, a, left, e)))
			return false;
	}
	return true;
}

bool published_parts_begun_here(struct git *g, struct arena *a, bool *out, struct err *e)
{
	struct str file;
	*out = false;
	if (!g || !git_head(g) || !file_exists(PUBLISHED_PATH))
		return true;
	if (!file_read(PUBLISHED_PATH, MOST_BYTES, a, &file, e))
		return false;
	const char *begun = published_parts_begun(file, a);
	*out = begun && strcmp(begun, git_head(g)) == 0;
	if (*out && file_exists(published_parts_path(1, a)))
		return rule_err(e, RULE_NOTED, (struct loc){.path = published_parts_path(1, a)},
		                "belongs to the log before " PUBLISHED_PATH
		                ", which begins anew: remove " FOLDER);
	return true;
}

bool published_parts_load(struct git *g, struct arena *a, struct published_parts *out,
                          struct err *e)
{
	struct published_blobs head = {0};
	struct str at_head;
	size_t left = MOST_BYTES;
	bool begun;
	*out = (struct published_parts){0};
	if (!published_parts_begun_here(g, a, &begun, e))
		return false;
	if (g && !begun)
		head = published_blobs_at(g, NULL, a);
	if (!read_closed(g, &head, a, out, &left, e) ||
	    !blob_bytes(g, head.open, PUBLISHED_PATH, a, &at_head, e))
		return false;
	out->file = at_head;
	if (file_exists(PUBLISHED_PATH) && !file_read(PUBLISHED_PATH, left, a, &out->file, e))
		return false;
	out->open = open_lines(out->file, newest_of(out->closed, out->n));
	at_head = open_lines(at_head, newest_of(out->closed, head.n));
	if (head.n == 0 && at_head.n == 0)
		return true;
	out->committed = at_head.n;
	for (size_t i = 0; i < head.n; i++)
		out->committed += out->closed[i].lines.n;
	return begins_with_head(out, head.n, at_head, e);
}

struct str published_parts_join(const struct published_parts *p, struct arena *a)
{
	struct sb all = {0};
	size_t n = p->open.n;
	for (size_t i = 0; i < p->n; i++)
		n += p->closed[i].lines.n;
	sb_room(&all, n + 1);
	for (size_t i = 0; i < p->n; i++)
		sb_str(&all, p->closed[i].lines);
	sb_str(&all, p->open);
	return (struct str){sb_take(a, &all), n};
}

/* --- the log in a commit --------------------------------------------------------------------- */

struct published_blobs published_blobs_at(struct git *g, const char *commit, struct arena *a)
{
	struct published_blobs b = {.open = git_blob_at(g, commit, PUBLISHED_PATH, a)};
	size_t cap = 0;
	const char *blob;
	while ((blob = git_blob_at(g, commit, published_parts_path(b.n + 1, a), a))) {
		b.closed = arena_grow(a, b.closed, b.n, &cap, sizeof *b.closed);
		b.closed[b.n++] = blob;
	}
	return b;
}

bool published_blobs_lines(struct git *g, const struct published_blobs *b, size_t skip,
                           struct arena *a, struct str *out, struct err *e)
{
	struct published_part *part = ARENA_ARRAY(a, struct published_part, b->n + 1);
	struct published_parts all = {.closed = part + skip, .n = b->n - skip};
	size_t left = MOST_BYTES;
	/* the newest is read even if it is skipped, for what the open part repeats of it */
	for (size_t i = skip < b->n ? skip : b->n - (b->n > 0); i < b->n; i++) {
		struct str stored;
		part[i].path = published_parts_path(i + 1, a);
		if (!blob_bytes(g, b->closed[i], part[i].path, a, &stored, e) ||
		    !inflate_part(stored, part[i].path, a, &left, &part[i].lines, e))
			return false;
	}
	if (!blob_bytes(g, b->open, PUBLISHED_PATH, a, &all.file, e))
		return false;
	all.open = open_lines(all.file, newest_of(part, b->n));
	*out = published_parts_join(&all, a);
	return true;
}

/* --- writing ------------------------------------------------------------------------------- */

/* The files are replaced, so they must still be those that were read. */
static bool is_as_read(const struct published_parts *p, struct arena *a, struct err *e)
{
	struct str now = p->file;
	if (file_exists(PUBLISHED_PATH) && !file_read(PUBLISHED_PATH, SIZE_MAX / 2, a, &now, e))
		return false;
	return (str_eq(now, p->file) && !file_exists(published_parts_path(p->n + 1, a))) ||
	       err_set(e, PUBLISHED_PATH " has changed since this note began; run it again");
}

/* The lines of the open part that move to a closed part before `added` more bytes: maybe none. */
static struct str to_close(const struct published_parts *p, size_t added)
{
	size_t n = p->committed;
	for (size_t i = 0; i < p->n; i++)
		n -= p->closed[i].lines.n < n ? p->closed[i].lines.n : n;
	return str_sub(p->open, 0, p->open.n + added > OPEN_BYTES && n >= LEAST_CLOSED ? n : 0);
}

static bool write_closed(const char *path, struct str lines, int folder, struct err *e)
{
	struct sb packed = {0};
	bool ok = gzip_pack(lines, &packed) || err_set(e, "%s: cannot be compressed", path);
	ok = ok && file_mkdirs(FOLDER, e) && file_write(path, sb_view(&packed), e);
	/* what it holds leaves the open part next, so its folder must last */
	ok = ok && (fsync(folder) == 0 || err_sys(e, "%s: cannot sync the folder", path));
	sb_free(&packed);
	return ok;
}

/*
 * The open part is compared with the newest closed part only. So if it still begins with a copy of
 * that one, the copy goes before another part is closed.
 */
static bool close_part(const struct published_parts *p, struct str closing, const char *path,
                       int folder, struct err *e)
{
	return (p->open.n == p->file.n || file_write(PUBLISHED_PATH, p->open, e)) &&
	       write_closed(path, closing, folder, e);
}

static bool write_parts(const struct published_parts *p, struct str closing, struct str added,
                        const char *path, int folder, struct err *e)
{
	struct sb open = {0};
	sb_str(&open, str_sub(p->open, closing.n, p->open.n));
	sb_str(&open, added);
	bool ok = (closing.n == 0 || close_part(p, closing, path, folder, e)) &&
	          file_write(PUBLISHED_PATH, sb_view(&open), e);
	sb_free(&open);
	return ok;
}

/*
 * Whatever is written can be read again: also what a kill leaves, the closed lines twice. A note
 * that only drops such a copy always fits.
 */
static bool fits(const struct published_parts *p, struct str closing, struct str added,
                 struct err *e)
{
	size_t n = p->open.n + added.n;
	for (size_t i = 0; i < p->n; i++)
		n += p->closed[i].lines.n;
	return (n <= MOST_BYTES && closing.n <= MOST_BYTES - n) ||
	       rule_err(e, RULE_NOTED, (struct loc){.path = PUBLISHED_PATH},
	                "with %zu bytes more, the log of published numbers would need more than "
	                "the %d bytes that it may have: nothing was written",
	                added.n, MOST_BYTES);
}

/*
 * Two concurrent `note` commands take turns. They lock the folder, since the files are replaced.
 * Returns what is to be closed, or -1.
 */
static int lock_folder(struct err *e)
{
	static const char folder[] = "data";
	int lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock >= 0 && flock(lock, LOCK_EX) == 0)
		return lock;
	(void)err_sys(e, "%s: cannot be locked", folder);
	if (lock >= 0)
		close(lock);
	return -1;
}

bool published_parts_add(const struct published_parts *p, struct str added, struct arena *a,
                         const char **closed, struct err *e)
{
	struct str closing = to_close(p, added.n);
	const char *path = published_parts_path(p->n + 1, a);
	*closed = NULL;
	if (added.n == 0 && closing.n == 0 && p->open.n == p->file.n)
		return true;
	if (!fits(p, closing, added, e))
		return false;
	int lock = lock_folder(e);
	bool ok = lock >= 0 && is_as_read(p, a, e) && write_parts(p, closing, added, path, lock, e);
	if (lock >= 0)
		close(lock);
	if (ok && closing.n > 0)
		*closed = path;
	return ok;
}

static bool replace_log(struct str all, struct arena *a, struct err *e)
{
	if (!file_write(PUBLISHED_PATH, all, e))
		return false;
	/* the last first: an interrupted note leaves the first, which the reader names */
	size_t n = 0;
	while (file_exists(published_parts_path(n + 1, a)))
		n++;
	for (; n > 0; n--)
		if (unlink(published_parts_path(n, a)) != 0)
			return err_sys(e, "%s: cannot remove", published_parts_path(n, a));
	return true;
}

bool published_parts_begin(struct str lines, const char *head, struct arena *a, struct err *e)
{
	struct sb all = {0};
	sb_printf(&all, BEGINS "%s\"}\n", head);
	sb_str(&all, lines);
	int lock = lock_folder(e);
	bool ok = lock >= 0 && replace_log(sb_view(&all), a, e);
	if (lock >= 0)
		close(lock);
	sb_free(&all);
	return ok;
}
