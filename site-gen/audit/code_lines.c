#include "site-gen/audit/code_lines.h"

#include <ctype.h>
#include <string.h>

#include "lib/file.h"
#include "lib/hash.h"
#include "site-gen/git/git.h"

enum { MAX_BYTES = 1 << 20 };

/* A key in its parts. */
struct key {
	struct str device, id, part, files;
};

/* --- the sources ------------------------------------------------------------------------------ */

static bool names(const struct run_case *c, struct str path, struct str blob)
{
	for (size_t i = 0; i < c->nsource; i++)
		if (str_is(path, c->source[i].path) && str_is(blob, c->source[i].blob))
			return true;
	return false;
}

/* Takes the next "path@blob" of the key; false at the end. A blob is 40 hex digits. */
static bool next_file(struct str *rest, struct str *path, struct str *blob)
{
	struct str file;
	if (rest->n == 0)
		return false;
	str_cut(*rest, ' ', &file, rest);
	size_t at = file.n > HASH_GIT_HEX ? file.n - HASH_GIT_HEX - 1 : 0;
	*path = str_sub(file, 0, at);
	*blob = str_sub(file, at + (at > 0), file.n);
	return true;
}

static bool names_all(const struct run_case *c, struct str files)
{
	struct str path, blob;
	while (next_file(&files, &path, &blob))
		if (!names(c, path, blob))
			return false;
	return true;
}

/* Did a run that publishes the case measure these files? */
static bool was_measured(const struct data *d, const struct key *k, const char *id, bool *preview)
{
	bool any = false;
	*preview = true;
	for (size_t i = 0; i < d->nruns; i++) {
		const struct data_run *r = &d->runs[i];
		const struct run_case *c;
		if (r->why_none || !str_is(k->device, r->run.head.device))
			continue;
		c = data_run_case(r, id);
		if (!c || !names_all(c, k->files))
			continue;
		any = true;
		*preview = *preview && data_case_of(r, c)->why[DATA_PREVIEW];
	}
	return any;
}

/* The blob of git, or a file of the work tree that has the same bytes. */
static bool read_file(struct audit *a, struct str path, struct str blob, struct str *out,
                      struct err *e)
{
	struct arena *s = &a->records.scratch;
	const char *id = str_dup(s, blob);
	const char *file = arena_printf(s, "%s/" STR_FMT, a->data->root, STR_ARG(path));
	char hex[HASH_GIT_HEX + 1];
	bool found = false;
	if (a->data->git && !git_bytes(a->data->git, id, s, out, &found, e))
		return false;
	if (found)
		return true;
	if (!file_read(file, MAX_BYTES, s, out, e))
		return false;
	hash_git_blob(*out, hex);
	return strcmp(hex, id) == 0 ||
	       err_set(e, STR_FMT " as measured is not in this repository", STR_ARG(path));
}

/* --- counting --------------------------------------------------------------------------------- */

/* Overwrites [from, to) with spaces; lines stay. */
static void blank(char *s, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (s[i] != '\n')
			s[i] = ' ';
}

static size_t find(const char *s, size_t n, size_t from, const char *what)
{
	const char *at = from < n ? memmem(s + from, n - from, what, strlen(what)) : NULL;
	return at ? (size_t)(at - s) + strlen(what) : n;
}

static size_t line_end(const char *s, size_t n, size_t from)
{
	const char *at = from < n ? memchr(s + from, '\n', n - from) : NULL;
	return at ? (size_t)(at - s) : n;
}

/* Behind the string that begins at i, at the latest at the end of its line. */
static size_t string_end(const char *s, size_t n, size_t i)
{
	size_t end = line_end(s, n, i), k = i + 1;
	while (k < end && s[k] != s[i])
		k += s[k] == '\\' ? 2 : 1;
	return k < end ? k + 1 : end;
}

static bool begins_line(const char *s, size_t i)
{
	while (i > 0 && s[i - 1] != '\n' && isspace((unsigned char)s[i - 1]))
		i--;
	return i == 0 || s[i - 1] == '\n';
}

static size_t without_c_comment(char *s, size_t n, size_t i)
{
	size_t end = s[i + 1] == '*' ? find(s, n, i + 2, "*/") : line_end(s, n, i);
	blank(s, i, end);
	return end;
}

static void without_c_comments(char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		if (s[i] == '/' && i + 1 < n && (s[i + 1] == '*' || s[i + 1] == '/'))
			i = without_c_comment(s, n, i);
		else
			i = s[i] == '"' || s[i] == '\'' ? string_end(s, n, i) : i + 1;
	}
}

static size_t without_docstring(char *s, size_t n, size_t i)
{
	const char quotes[] = {s[i], s[i], s[i], 0};
	size_t end = find(s, n, i + 3, quotes);
	if (begins_line(s, i))
		blank(s, i, end);
	else
		for (size_t k = i; k < end; k++) /* so that no '#' in it is taken for a comment */
			s[k] = s[k] == '\n' || isspace((unsigned char)s[k]) ? s[k] : 'x';
	return end;
}

static void without_python_comments(char *s, size_t n)
{
	for (size_t i = 0; i < n;) {
		bool quote = s[i] == '"' || s[i] == '\'';
		if (s[i] == '#') {
			size_t end = line_end(s, n, i);
			blank(s, i, end);
			i = end;
		} else if (quote && i + 2 < n && s[i + 1] == s[i] && s[i + 2] == s[i]) {
			i = without_docstring(s, n, i);
		} else {
			i = quote ? string_end(s, n, i) : i + 1;
		}
	}
}

static bool any_text(struct str line)
{
	for (size_t i = 0; i < line.n; i++)
		if (!isspace((unsigned char)line.p[i]))
			return true;
	return false;
}

/* range -> number '-' number. Takes the next one of a part; false if it is none. */
static bool next_range(struct str *part, int64_t *from, int64_t *to)
{
	struct str range, first, last;
	str_cut(*part, ',', &range, part);
	return str_cut(range, '-', &first, &last) && str_i64(first, from) && str_i64(last, to);
}

static bool is_in(struct str ranges, int64_t line)
{
	int64_t from, to;
	while (ranges.n > 0 && next_range(&ranges, &from, &to))
		if (line >= from && line <= to)
			return true;
	return false;
}

size_t audit_code_lines_count(struct str path, struct str text, struct str part,
                              struct arena *scratch)
{
	char *s = str_dup(scratch, text);
	bool all = str_is(part, "all");
	struct str ranges = all ? part : str_sub(part, strlen("lines:"), part.n);
	struct str rest = {s, text.n}, line;
	size_t n = 0;
	if (str_ends(path, ".py"))
		without_python_comments(s, text.n);
	else
		without_c_comments(s, text.n);
	for (int64_t i = 1; rest.n > 0; i++) {
		str_cut(rest, '\n', &line, &rest);
		n += any_text(line) && (all || is_in(ranges, i));
	}
	return n;
}

/* --- the number ------------------------------------------------------------------------------- */

static bool cut_key(struct str rest, struct key *k)
{
	return str_cut(rest, ' ', &k->device, &rest) && str_cut(rest, ' ', &k->id, &rest) &&
	       str_cut(rest, ' ', &k->part, &k->files) && k->files.n > 0 &&
	       (str_is(k->part, "all") || str_starts(k->part, "lines:"));
}

bool audit_code_lines(struct audit *a, struct str rest, struct sb *to, double *value, bool *preview,
                      struct err *e)
{
	struct key k;
	struct str path, blob, text;
	size_t n = 0;
	if (!cut_key(rest, &k))
		return err_set(e, "'" STR_FMT "' names no lines of a source", STR_ARG(rest));
	if (!was_measured(a->data, &k, str_dup(&a->records.scratch, k.id), preview))
		return err_set(e, "no run measured '" STR_FMT "' with the sources " STR_FMT,
		               STR_ARG(k.id), STR_ARG(k.files));
	for (struct str files = k.files; next_file(&files, &path, &blob);) {
		if (!read_file(a, path, blob, &text, e))
			return false;
		n += audit_code_lines_count(path, text, k.part, &a->records.scratch);
	}
	*value = (double)n;
	sb_printf(to, "%zu", n);
	return true;
}
