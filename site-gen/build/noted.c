#include "site-gen/build/noted.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/file.h"
#include "site-gen/base/inputs.h"
#include "site-gen/base/kept.h"
#include "site-gen/output/publish.h"
#include "site-gen/site/site.h"

enum { MAX_NOTED_BYTES = 64 << 20, MAX_FILE_BYTES = 1 << 30, MAX_PATH = 512 };

/* --- the text --------------------------------------------------------------------------------- */

/*
 * For each file:   depends ' ' audited ' ' sha256 ' ' size ' ' mtime ' ' ctime ' ' inode ' ' path
 * For each folder: "folder " ctime ' ' entries ' ' path
 * Then:            "around " reuse_surroundings()
 * If they are sure: "records " noted_records()
 * At the end:      "of " and the identity of the site's folder
 */
#define FOLDER "folder"
#define AROUND "around"
#define RECORDS "records"
#define OF "of "
#define NEVER "-"

/* Each output folder has its own notes. */
static const char *path_of(const struct site *s, struct arena *a)
{
	char hex[HASH_SHA256_HEX + 1];
	hash_sha256(str_of(s->options.out), hex);
	return arena_printf(a, "%s/outputs-%.12s", s->options.cache, hex);
}

static bool read_text(const struct site *s, struct arena *a, struct str *out)
{
	return kept_read(path_of(s, a), MAX_NOTED_BYTES, a, out);
}

bool noted_is_output(const struct site *s)
{
	struct arena a = {0};
	struct str text;
	const char *now = publish_identity(s->options.out, &a);
	bool is = *now && s->reuse.digest && read_text(s, &a, &text) &&
	          str_ends(text, arena_printf(&a, "\n" OF "%s\n", now));
	arena_free(&a);
	return is;
}

/* Cuts a line into n fields; the last one has the rest. */
static bool cut(char *line, char **field, int n)
{
	char *rest = line;
	for (int i = 0; i < n; i++) {
		field[i] = i + 1 < n ? strsep(&rest, " ") : rest;
		if (!field[i])
			return false;
	}
	return true;
}

static bool parse_file(char *line, struct noted_file *f)
{
	enum { DEPENDS, AUDITED, SHA256, SIZE, MTIME, CTIME, INODE, PATH, FIELDS };
	char *field[FIELDS];
	if (!cut(line, field, FIELDS) || strlen(field[SHA256]) != HASH_SHA256_HEX)
		return false;
	f->depends = field[DEPENDS];
	f->audited = *field[AUDITED] == '1';
	f->file = (struct output_file){.path = field[PATH],
	                               .size = strtoll(field[SIZE], NULL, 10),
	                               .mtime_ns = strtoll(field[MTIME], NULL, 10),
	                               .ctime_ns = strtoll(field[CTIME], NULL, 10),
	                               .inode = strtoull(field[INODE], NULL, 10)};
	memcpy(f->file.sha256, field[SHA256], HASH_SHA256_HEX + 1);
	return true;
}

static bool parse_folder(char *line, struct noted_folder *f)
{
	enum { WORD, CTIME, ENTRIES, PATH, FIELDS };
	char *field[FIELDS];
	if (!cut(line, field, FIELDS))
		return false;
	f->ctime_ns = strtoll(field[CTIME], NULL, 10);
	f->n = strtoull(field[ENTRIES], NULL, 10);
	f->path = field[PATH];
	return true;
}

/* `word`: without its space. */
static bool is_line(const char *line, const char *word)
{
	size_t n = strlen(word);
	return strncmp(line, word, n) == 0 && line[n] == ' ';
}

static size_t lines_in(const char *s)
{
	size_t n = 1;
	while ((s = strchr(s, '\n'))) {
		n++;
		s++;
	}
	return n;
}

/* --- what is there now ------------------------------------------------------------------------ */

static int64_t ns_of(struct timespec t)
{
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_that(int dir, const char *path, const struct output_file *f, struct stat *st)
{
	return dir >= 0 && fstatat(dir, path, st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISREG(st->st_mode) && st->st_size == f->size && st->st_ino == f->inode &&
	       ns_of(st->st_mtim) == f->mtime_ns;
}

static void look_at(struct noted_file *f, int dir)
{
	struct stat st;
	f->there = is_that(dir, f->file.path, &f->file, &st);
	if (!f->there)
		return;
	f->proved = f->file.ctime_ns && f->file.ctime_ns == ns_of(st.st_ctim);
	f->file.ctime_ns = inputs_change(&st);
}

bool noted_read(const struct site *s, int dir, struct arena *a, struct noted *out)
{
	struct str text;
	*out = (struct noted){0};
	if (!read_text(s, a, &text))
		return false;
	char *rest = str_dup(a, text);
	size_t most = lines_in(rest);
	out->file = ARENA_ARRAY(a, struct noted_file, most);
	out->folder = ARENA_ARRAY(a, struct noted_folder, most);
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		if (is_line(line, AROUND))
			out->around = line + sizeof AROUND;
		else if (is_line(line, RECORDS))
			out->records = line + sizeof RECORDS;
		else if (is_line(line, FOLDER))
			out->nfolders += parse_folder(line, &out->folder[out->nfolders]);
		else if (parse_file(line, &out->file[out->nfiles]))
			look_at(&out->file[out->nfiles++], dir);
	return true;
}

static bool count_one(void *n, int dir, const char *name, struct err *e)
{
	(void)dir;
	(void)name;
	(void)e;
	++*(size_t *)n;
	return true;
}

/* Does it hold as many entries? Each that belongs there is looked at by itself. */
static bool holds(struct noted_folder *f, int dir)
{
	struct stat st;
	struct err ignored = ERR_NONE;
	size_t n = 0;
	const char *path = *f->path ? f->path : ".";
	if (fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(st.st_mode))
		return false;
	if (f->ctime_ns && f->ctime_ns == ns_of(st.st_ctim))
		return true;
	f->ctime_ns = inputs_change(&st); /* before it is listed */
	int fd = openat(dir, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 && file_each(fd, path, count_one, &n, &ignored) && n == f->n;
}

bool noted_holds(struct noted *n, int dir)
{
	struct stat st;
	for (size_t i = 0; i < n->nfolders; i++)
		if (!holds(&n->folder[i], dir))
			return false;
	for (size_t i = 0; i < n->nfiles; i++) /* its bytes are compared later */
		if (!n->file[i].there &&
		    (fstatat(dir, n->file[i].file.path, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
		     !S_ISREG(st.st_mode)))
			return false;
	return n->nfolders > 0;
}

bool noted_bytes(const struct site *s, const struct page *p, struct arena *a, struct str *out)
{
	struct err ignored = ERR_NONE;
	char hex[HASH_SHA256_HEX + 1];
	const char *path = arena_printf(a, "%s/%s", s->options.out, p->out);
	if (!file_read(path, MAX_FILE_BYTES, a, out, &ignored))
		return false;
	hash_sha256(*out, hex);
	return strcmp(hex, p->output.file.sha256) == 0;
}

/* --- the folders of a site -------------------------------------------------------------------- */

/* Its folders, each with the number of its entries, sorted by name. */
struct folders {
	struct noted_folder *all;
	size_t n, cap;
};

static int by_string(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t add_folder(struct folders *f, struct arena *a, const char *path, size_t n)
{
	f->all = arena_grow(a, f->all, f->n, &f->cap, sizeof *f->all);
	f->all[f->n] = (struct noted_folder){.path = arena_strndup(a, path, n)};
	return f->n++;
}

/* Is the folder the last one, or one around it? Paths come sorted, so no other is possible. */
static bool is_around(const char *folder, const char *path)
{
	size_t n = strlen(folder);
	return n == 0 || (strncmp(folder, path, n) == 0 && path[n] == '/');
}

static struct folders folders_of(const struct site *s, struct arena *a)
{
	struct folders f = {0};
	size_t inside[MAX_PATH / 2], depth = 1; /* the folders around the path before */
	const char **path = ARENA_ARRAY(a, const char *, s->pages.n + 1);
	for (size_t i = 0; i < s->pages.n; i++)
		path[i] = s->pages.all[i]->out;
	qsort(path, s->pages.n, sizeof *path, by_string);
	inside[0] = add_folder(&f, a, "", 0);
	f.all[0].n = 1; /* the manifest */
	for (size_t i = 0; i < s->pages.n; i++) {
		while (!is_around(f.all[inside[depth - 1]].path, path[i]))
			depth--;
		size_t n = strlen(f.all[inside[depth - 1]].path);
		for (const char *end = path[i] + n + (n > 0);
		     (end = strchr(end, '/')) && depth < MAX_PATH / 2; end++) {
			f.all[inside[depth - 1]].n++;
			inside[depth++] = add_folder(&f, a, path[i], (size_t)(end - path[i]));
		}
		f.all[inside[depth - 1]].n++;
	}
	return f;
}

static int by_path(const void *a, const void *b)
{
	const struct noted_folder *x = a, *y = b;
	return strcmp(x->path, y->path);
}

static struct noted_folder *find(struct noted_folder *all, size_t n, const char *path)
{
	const struct noted_folder key = {.path = path};
	return n ? bsearch(&key, all, n, sizeof key, by_path) : NULL;
}

/* Forgets the proof of each folder around a file that this build has moved or removed. */
static void touch(struct noted_folder *all, size_t n, const char *path)
{
	char around[MAX_PATH];
	size_t len = strlen(path);
	for (size_t i = len < sizeof around ? len : 0; i-- > 0;) {
		if (i > 0 && path[i] != '/')
			continue;
		memcpy(around, path, i);
		around[i] = 0;
		struct noted_folder *f = find(all, n, around);
		if (f)
			f->ctime_ns = 0;
	}
}

/* What was known of folders that this build has changed in place still counts. */
static void take_proofs(const struct site *s, struct folders *f)
{
	const struct noted *before = s->reuse.noted;
	if (!s->reuse.in_place || !before)
		return;
	qsort(before->folder, before->nfolders, sizeof *before->folder, by_path);
	for (size_t i = 0; i < f->n; i++) {
		const struct noted_folder *was =
		        find(before->folder, before->nfolders, f->all[i].path);
		f->all[i].ctime_ns = was ? was->ctime_ns : 0;
	}
	for (size_t i = 0; i < s->pages.n; i++)
		if (s->pages.all[i]->output.file.changed)
			touch(f->all, f->n, s->pages.all[i]->out);
	for (size_t i = 0; i < s->reuse.ngone; i++)
		touch(f->all, f->n, s->reuse.gone[i]);
	touch(f->all, f->n, "manifest");
}

/* --- writing ---------------------------------------------------------------------------------- */

/* A file that was only linked anew, or moved, has another time of change. */
static int64_t change_now(const struct site *s, const struct page *p, int dir)
{
	const struct output_file *f = &p->output.file;
	struct stat st;
	if (p->output.reused && !p->output.proved) /* a preview did not read it */
		return 0;
	if (s->reuse.in_place && !f->changed)
		return f->ctime_ns;
	return is_that(dir, p->out, f, &st) ? inputs_change(&st) : 0;
}

/* Appends a number and a space; sb_printf() would be half of the time to note a large site. */
static void put_number(struct sb *to, int64_t v)
{
	char digits[24], *p = digits + sizeof digits;
	*--p = ' ';
	for (uint64_t rest = v > 0 ? (uint64_t)v : 0; rest || p == digits + sizeof digits - 1;
	     rest /= 10)
		*--p = (char)('0' + rest % 10);
	sb_put(to, p, (size_t)(digits + sizeof digits - p));
}

static void put_word(struct sb *to, const char *word)
{
	sb_cstr(to, word);
	sb_char(to, ' ');
}

static void put_files(const struct site *s, int dir, struct sb *to)
{
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *p = s->pages.all[i];
		const struct output_file *f = &p->output.file;
		put_word(to, *p->output.depends ? p->output.depends : NEVER);
		put_number(to, p->output.audited);
		put_word(to, f->sha256);
		put_number(to, f->size);
		put_number(to, f->mtime_ns);
		put_number(to, change_now(s, p, dir));
		put_number(to, (int64_t)f->inode);
		sb_cstr(to, p->out);
		sb_char(to, '\n');
	}
}

static void put_folders(const struct site *s, int dir, struct arena *a, struct sb *to)
{
	struct folders f = folders_of(s, a);
	qsort(f.all, f.n, sizeof *f.all, by_path);
	take_proofs(s, &f);
	for (size_t i = 0; i < f.n; i++) {
		if (!f.all[i].ctime_ns && !holds(&f.all[i], dir))
			f.all[i].ctime_ns = 0;
		put_word(to, FOLDER);
		put_number(to, f.all[i].ctime_ns);
		put_number(to, (int64_t)f.all[i].n);
		sb_cstr(to, f.all[i].path);
		sb_char(to, '\n');
	}
}

const char *noted_records(const struct site *s, struct arena *a)
{
	char *hex = arena_alloc(a, HASH_SHA256_HEX + 1);
	const char *program = kept_program(a);
	hash_sha256(str_of(arena_printf(a, "%s %s", s->reuse.digest, program ? program : "")), hex);
	return hex;
}

void noted_write(const struct site *s)
{
	struct arena a = {0};
	struct sb text = {0};
	int dir = open(s->options.out, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->reuse.digest && dir >= 0) {
		put_files(s, dir, &text);
		put_folders(s, dir, &a, &text);
		sb_printf(&text, AROUND " %s\n", s->reuse.around);
		if (s->reuse.sure)
			sb_printf(&text, RECORDS " %s\n", noted_records(s, &a));
		sb_printf(&text, OF "%s\n", publish_identity(s->options.out, &a));
	}
	kept_write(path_of(s, &a), sb_view(&text), &a);
	if (dir >= 0)
		close(dir);
	sb_free(&text);
	arena_free(&a);
}
