#include "site-gen/records/part.h"

#include <ctype.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/git/git.h"

void part_free(struct part *x)
{
	sb_free(&x->code);
	sb_free(&x->numbers);
}

/* --- lines and markers --- */

/* The next line of a text, without its line break; false at the end. */
static bool next_line(struct str s, size_t *at, struct str *line)
{
	if (*at >= s.n)
		return false;
	size_t end = str_find(s, '\n', *at);
	*line = str_sub(s, *at, end);
	*at = end + 1;
	return true;
}

/* marker -> [white space] ('//' | '#') [white space] word ':' name */
static bool is_marker(struct str line, const char *word, struct str *name)
{
	struct str s = str_trim(line);
	bool python = str_starts(s, "#");
	if (!python && !str_starts(s, "//"))
		return false;
	s = str_trim(str_sub(s, python ? 1 : 2, s.n));
	if (!str_starts(s, word))
		return false;
	s = str_sub(s, strlen(word), s.n);
	if (s.n == 0 || s.p[0] != ':')
		return false;
	*name = str_trim(str_sub(s, 1, s.n));
	return true;
}

static bool any_marker(struct str line)
{
	struct str name;
	return is_marker(line, "ANCHOR", &name) || is_marker(line, "ANCHOR_END", &name);
}

static void put_line(struct part *x, struct str line, int number)
{
	if (any_marker(line))
		return;
	sb_str(&x->code, line);
	sb_char(&x->code, '\n');
	sb_put(&x->numbers, (const char *)&number, sizeof number);
}

static size_t count_of(const struct part *x)
{
	return x->numbers.n / sizeof(int);
}

static int number_at(const struct part *x, size_t i)
{
	int n;
	memcpy(&n, x->numbers.p + i * sizeof n, sizeof n);
	return n;
}

/* Adds lines from … last, counted from 1. Returns how many lines the text has, up to `last`. */
static int put_range(struct part *x, struct str text, int64_t from, int64_t last)
{
	struct str line;
	int i = 0;
	for (size_t at = 0; i < last && next_line(text, &at, &line);)
		if (++i >= from)
			put_line(x, line, i);
	return i;
}

void part_whole(struct str text, struct part *to)
{
	put_range(to, text, 1, INT32_MAX);
}

/* --- regions --- */

static bool cut_region(const struct placeholder *p, const struct part_source *s, struct str region,
                       struct part *to, struct err *e)
{
	struct str line, name;
	struct sb names = {0};
	bool inside = false, found = false;
	int i = 0;
	for (size_t at = 0; next_line(s->text, &at, &line);) {
		i++;
		if (is_marker(line, "ANCHOR", &name)) {
			sb_printf(&names, "%s" STR_FMT, names.n ? ", " : "", STR_ARG(name));
			if (str_cmp(name, region) == 0)
				inside = found = true;
		} else if (is_marker(line, "ANCHOR_END", &name)) {
			inside = inside && str_cmp(name, region) != 0;
		} else if (inside) {
			put_line(to, line, i);
		}
	}
	if (!found)
		err_at(e, placeholder_loc(p, region),
		       "%s has no region '" STR_FMT "', expected one of %s", s->path,
		       STR_ARG(region), names.n ? names.p : "(it has none)");
	sb_free(&names);
	return found;
}

/* --- kernels --- */

static bool in_first_column(struct str line)
{
	return line.n > 0 && !isspace((unsigned char)line.p[0]);
}

/* Does a declaration end at the line? Comments belong to the declaration below them. */
static bool ends_declaration(struct str line)
{
	return str_trim(line).n == 0 || str_starts(line, "#") || str_starts(line, "}") ||
	       (in_first_column(line) && str_ends(line, ";"));
}

/* Finds the next function from line *i on: lines *from … *last. *kernel: is it a kernel? */
static bool next_function(struct str text, size_t *at, int *i, int *from, int *last, bool *kernel)
{
	struct str line;
	bool open = false;
	*from = *i + 1;
	*kernel = false;
	while (next_line(text, at, &line)) {
		++*i;
		if (open && str_starts(line, "}")) {
			*last = *i;
			return true;
		}
		if (open)
			continue;
		*kernel = *kernel || memmem(line.p, line.n, "__global__", strlen("__global__"));
		open = in_first_column(line) && str_ends(line, "{");
		if (!open && ends_declaration(line)) {
			*from = *i + 1;
			*kernel = false;
		}
	}
	return false;
}

static bool cut_kernels(const struct placeholder *p, const struct part_source *s, struct str what,
                        struct part *to, struct err *e)
{
	size_t at = 0;
	int i = 0, from, last;
	bool kernel;
	if (!str_is(what, "kernels"))
		return err_at(e, placeholder_loc(p, what),
		              "unknown part '" STR_FMT "', expected part=kernels", STR_ARG(what));
	while (next_function(s->text, &at, &i, &from, &last, &kernel))
		if (kernel) /* with the line above, which separates it from the kernel before */
			put_range(to, s->text, count_of(to) ? from - 1 : from, last);
	return count_of(to) > 0 || err_at(e, placeholder_loc(p, what),
	                                  "%s has no kernel (a __global__ function)", s->path);
}

/* --- lines=A-B, counted as in the file --- */

static bool cut_lines(const struct placeholder *p, const struct part_source *s, struct str range,
                      struct part *to, struct err *e)
{
	struct str a, b;
	int64_t from, last;
	if (!str_cut(range, '-', &a, &b) || !str_i64(a, &from) || !str_i64(b, &last) || from < 1 ||
	    last < from)
		return err_at(e, placeholder_loc(p, range),
		              "'" STR_FMT "' is no range of lines, expected lines=A-B",
		              STR_ARG(range));
	int has = put_range(to, s->text, from, last);
	return has == last || err_at(e, placeholder_loc(p, range),
	                             "the source has %d lines, lines=" STR_FMT " goes beyond", has,
	                             STR_ARG(range));
}

/* --- parts named in placeholders --- */

static size_t indent_of(struct str line)
{
	size_t n = 0;
	while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
		n++;
	return n == line.n ? SIZE_MAX : n;
}

/* Removes the indent that all lines of a part share. */
static void outdent(struct part *x)
{
	struct str text = sb_view(&x->code), line;
	struct sb to = {0};
	size_t least = SIZE_MAX;
	for (size_t at = 0; next_line(text, &at, &line);)
		least = indent_of(line) < least ? indent_of(line) : least;
	for (size_t at = 0; next_line(text, &at, &line);) {
		sb_str(&to, str_sub(line, least < line.n ? least : line.n, line.n));
		sb_char(&to, '\n');
	}
	sb_free(&x->code);
	x->code = to;
}

static const struct {
	const char *key;
	bool (*cut)(const struct placeholder *p, const struct part_source *s, struct str value,
	            struct part *to, struct err *e);
} ways[] = {{"region", cut_region}, {"part", cut_kernels}, {"lines", cut_lines}};

enum { NWAYS = ARRAY_LEN(ways) };

/* The key of `p` that selects a part, and its value; NULL: none. */
static const char *key_of(const struct placeholder *p, struct str *value)
{
	for (size_t i = 0; p && i < NWAYS; i++)
		if ((*value = placeholder_key(p, ways[i].key)).p)
			return ways[i].key;
	return NULL;
}

bool part_cut(const struct placeholder *p, const struct part_source *s, struct part *to,
              struct err *e)
{
	struct str value, other;
	const char *key = key_of(p, &value);
	if (!key) {
		part_whole(s->text, to);
		return true;
	}
	for (size_t i = 0; i < NWAYS; i++) {
		if (strcmp(ways[i].key, key) == 0 && !ways[i].cut(p, s, value, to, e))
			return false;
		other = placeholder_key(p, ways[i].key);
		if (strcmp(ways[i].key, key) != 0 && other.p)
			return err_at(e, placeholder_loc(p, other),
			              "%s= and %s= name two parts, expected one of them", key,
			              ways[i].key);
	}
	outdent(to);
	return true;
}

/* --- do two parts match? --- */

struct side {
	struct part whole;
	bool *shown; /* for each line of `whole`: is it in the part? */
	size_t at;   /* the next line of `whole` */
};

struct matching {
	struct side was, is;
	struct str line; /* the first line that is in only one part; empty: none */
	int was_line, is_line;
};

static void side_open(struct side *s, struct str text, const struct part *x, struct arena *a)
{
	size_t k = 0;
	part_whole(text, &s->whole);
	s->shown = ARENA_ARRAY(a, bool, count_of(&s->whole) + 1);
	for (size_t i = 0; i < count_of(&s->whole); i++) {
		s->shown[i] = k < count_of(x) && number_at(x, k) == number_at(&s->whole, i);
		k += s->shown[i];
	}
}

/* Ignores braces and blank lines, which are the same everywhere. */
static bool says_something(struct str line)
{
	for (size_t i = 0; i < line.n; i++)
		if (isalnum((unsigned char)line.p[i]))
			return true;
	return false;
}

static void compare_line(void *ctx, char kind, struct str text)
{
	struct matching *m = ctx;
	if (kind == ' ' && !m->line.p && m->was.shown[m->was.at] != m->is.shown[m->is.at] &&
	    says_something(text)) {
		m->line = str_trim(text);
		m->was_line = number_at(&m->was.whole, m->was.at);
		m->is_line = number_at(&m->is.whole, m->is.at);
	}
	m->was.at += kind == ' ' || kind == '-';
	m->is.at += kind == ' ' || kind == '+';
}

/* Does the part begin in the first column of the file? */
static bool is_outermost(struct str text, const struct part *x)
{
	struct str line;
	int i = 0;
	for (size_t at = 0; count_of(x) > 0 && next_line(text, &at, &line);)
		if (++i == number_at(x, 0))
			return in_first_column(line);
	return false;
}

bool part_match(const struct placeholder *p, const struct part_source *before,
                const struct part *was, const struct part_source *after, const struct part *is,
                struct arena *a, struct err *e)
{
	struct matching m = {0};
	struct str value;
	const char *key = key_of(p, &value);
	if (!key)
		return true;
	struct loc at = placeholder_loc(p, value);
	bool whole = is_outermost(after->text, is);
	if (whole != is_outermost(before->text, was))
		return err_at(e, at,
		              "%s=" STR_FMT " is a whole function in %s and not in %s, expected "
		              "parts that match",
		              key, STR_ARG(value), whole ? after->path : before->path,
		              whole ? before->path : after->path);
	side_open(&m.was, before->text, was, a);
	side_open(&m.is, after->text, is, a);
	bool ok = git_diff_lines(sb_view(&m.was.whole.code), sb_view(&m.is.whole.code),
	                         GIT_DIFF_ALL, compare_line, &m, e);
	if (ok && m.line.p)
		ok = err_at(e, at,
		            "%s=" STR_FMT " is not the same part of %s and of %s: '" STR_FMT
		            "' stands in both (lines %d and %d), and in one of the parts; expected "
		            "parts that match, or part=kernels for whole functions",
		            key, STR_ARG(value), before->path, after->path, STR_ARG(m.line),
		            m.was_line, m.is_line);
	part_free(&m.was.whole);
	part_free(&m.is.whole);
	return ok;
}
