/*
 * Limits for sources, checked in one linear pass before cmark-gfm runs.
 *
 * Version 0.29.0.gfm.6 takes more than linear time on some small inputs. A 24 KB
 * table costs 80 s and 4 GB, because every row is filled up to the columns of the
 * head (CVE-2023-22483). Nested quotes and lists (CVE-2023-24824), long rows of
 * pipes and repeated '<![CDATA[' are slow, too. Within these limits the worst
 * inputs that we found stay under a second. No post written by hand comes near
 * the limits.
 */
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"

enum {
	MAX_BYTES = 256 * 1024,
	MAX_LINE_BYTES = 16 * 1024,
	MAX_PIPES = 66,        /* unescaped, in a line */
	MAX_TABLE_ROWS = 500,  /* in a table */
	MAX_CELLS = 20 * 1000, /* rows × columns, in a file */
	MAX_MARKERS = 16,      /* of quotes and lists, at the start of a line */
	MAX_CDATA = 8,
	MAX_IMAGES = 1000,         /* '![' */
	MAX_DELIMITER_ROWS = 1000, /* |---|: for each, cmark-gfm reads its paragraph again */
};

struct check {
	struct str src;
	const char *path;
	int first_line;
	int line;             /* line of src, from 0 */
	size_t columns, rows; /* of the table that may still continue; 0: none */
	size_t cells;         /* of all earlier tables */
	size_t delimiter_rows, cdata;
	struct err *e;
};

static struct loc place(const struct check *c, const char *p)
{
	struct loc at = str_loc(c->src, c->path, p);
	at.line += c->first_line - 1;
	return at;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* head -> { blank | '>' | ('-' | '+' | '*') blank | digits ('.' | ')') blank } */
static size_t markers(struct str line, size_t *head)
{
	size_t n = 0, i = 0;
	for (;;) {
		while (i < line.n && is_blank(line.p[i]))
			i++;
		*head = i;
		size_t k = i;
		while (k < line.n && line.p[k] >= '0' && line.p[k] <= '9')
			k++;
		if (k < line.n && (k > i ? line.p[k] == '.' || line.p[k] == ')'
		                         : strchr("-+*", line.p[k]) != NULL && line.p[k])) {
			if (k + 1 < line.n && !is_blank(line.p[k + 1]))
				return n;
			i = k + 1;
		} else if (i < line.n && line.p[i] == '>') {
			i++;
		} else {
			return n;
		}
		n++;
	}
}

/* delimiter row -> head { '|' | '-' | ':' | blank }, with a '-' ; it starts a table */
static bool is_delimiter_row(struct str line)
{
	bool dash = false;
	for (size_t i = 0; i < line.n; i++) {
		char c = line.p[i];
		dash |= c == '-';
		if (c != '|' && c != '-' && c != ':' && c != '>' && !is_blank(c))
			return false;
	}
	return dash;
}

static size_t count_pipes(struct str line)
{
	size_t n = 0;
	for (size_t i = str_find(line, '|', 0); i < line.n; i = str_find(line, '|', i + 1))
		n += i == 0 || line.p[i - 1] != '\\';
	return n;
}

/*
 * Tracks tables. Every line up to a blank one may be a row of the last table, with
 * or without pipes. Lines in code blocks count, too, because only the parser could
 * tell them apart exactly.
 */
static bool check_table(struct check *c, struct str line, size_t head, size_t pipes)
{
	if (head == line.n) {
		c->cells += c->rows * c->columns;
		c->columns = c->rows = 0;
	} else if (pipes > 0 && is_delimiter_row(line)) {
		c->cells += c->rows * c->columns;
		c->columns = pipes + 1;
		c->rows = 1;
		c->delimiter_rows++;
	} else if (c->columns > 0) {
		c->rows++;
	}
	if (c->rows > MAX_TABLE_ROWS)
		return err_at(c->e, place(c, line.p), "table has more than %d rows",
		              MAX_TABLE_ROWS);
	if (c->cells + c->rows * c->columns > MAX_CELLS)
		return err_at(c->e, place(c, line.p), "tables have more than %d cells in one file",
		              MAX_CELLS);
	if (c->delimiter_rows > MAX_DELIMITER_ROWS)
		return err_at(c->e, place(c, line.p), "more than %d tables in one file",
		              MAX_DELIMITER_ROWS);
	return true;
}

static bool check_line(struct check *c, struct str line)
{
	if (line.n > MAX_LINE_BYTES)
		return err_at(c->e, place(c, line.p), "line is longer than %d KiB",
		              MAX_LINE_BYTES / 1024);
	size_t head, nmarkers = markers(line, &head), pipes = count_pipes(line);
	if (nmarkers > MAX_MARKERS)
		return err_at(c->e, place(c, line.p),
		              "line starts with more than %d quote and list markers", MAX_MARKERS);
	if (pipes > MAX_PIPES)
		return err_at(c->e, place(c, line.p), "line has more than %d '|'", MAX_PIPES);
	return check_table(c, line, head, pipes);
}

/* Refuses entities (&#…;) for characters that the source itself may not contain. */
static bool check_entities(struct check *c)
{
	struct str s = c->src;
	for (size_t i = str_find(s, '&', 0); i < s.n; i = str_find(s, '&', i + 1)) {
		struct str rest = str_sub(s, i, s.n);
		if (!str_starts(rest, "&#"))
			continue;
		bool hex = rest.n > 2 && (rest.p[2] | 0x20) == 'x';
		uint32_t v = 0;
		size_t k = hex ? 3 : 2;
		for (; k < rest.n && k < 11; k++) {
			char d = rest.p[k], l = d | 0x20;
			if (d >= '0' && d <= '9')
				v = v * (hex ? 16 : 10) + (uint32_t)(d - '0');
			else if (hex && l >= 'a' && l <= 'f')
				v = v * 16 + (uint32_t)(l - 'a' + 10);
			else
				break;
		}
		if (k < rest.n && rest.p[k] == ';' &&
		    (v == 0xe000 || v == 0xe001 || (v && !html_char_allowed(v))))
			return err_at(c->e, place(c, rest.p),
			              "'" STR_FMT
			              "' stands for a character that pages may not hold",
			              STR_ARG(str_sub(rest, 0, k + 1)));
	}
	return true;
}

static bool check_characters(struct check *c)
{
	struct str s = c->src;
	uint32_t u;
	const char *bad = html_bad_char(s, &u);
	if (bad)
		return err_at(c->e, place(c, bad),
		              "character U+%04X is a control character, or reverses the order of "
		              "the text",
		              (unsigned)u);
	for (size_t i = str_find(s, '\r', 0); i < s.n; i = str_find(s, '\r', i + 1))
		if (i + 1 == s.n || s.p[i + 1] != '\n')
			return err_at(c->e, place(c, s.p + i),
			              "carriage return without a line feed");
	for (size_t i = str_find(s, '\xee', 0); i < s.n; i = str_find(s, '\xee', i + 1)) {
		const char *p = s.p + i; /* valid UTF-8, so two bytes follow */
		if (p[1] == '\x80' && (p[2] == '\x80' || p[2] == '\x81'))
			return err_at(c->e, place(c, p),
			              "private-use character U+E00%c means nothing on a page",
			              p[2] == '\x80' ? '0' : '1');
	}
	return true;
}

/* Limits '![': within a paragraph, each link costs a step for every '![' before it. */
static bool check_images(struct check *c)
{
	struct str s = c->src;
	size_t n = 0;
	for (size_t i = str_find(s, '!', 0); i + 1 < s.n; i = str_find(s, '!', i + 1))
		if (s.p[i + 1] == '[' && ++n > MAX_IMAGES)
			return err_at(c->e, place(c, s.p + i), "more than %d images in one file",
			              MAX_IMAGES);
	return true;
}

static bool check_cdata(struct check *c)
{
	static const char cdata[] = "<![CDATA[";
	struct str s = c->src;
	for (size_t i = str_find(s, '<', 0); i < s.n; i = str_find(s, '<', i + 1))
		if (str_starts(str_sub(s, i, s.n), cdata) && ++c->cdata > MAX_CDATA)
			return err_at(c->e, place(c, s.p + i), "more than %d times '%s'", MAX_CDATA,
			              cdata);
	return true;
}

/* The first byte that is not UTF-8. */
static const char *utf8_end(struct str s)
{
	size_t lo = 0, hi = s.n; /* [0, lo) is valid and ends with a whole character */
	while (hi - lo > 4) {
		size_t mid = lo + (hi - lo) / 2;
		while (mid > lo && ((unsigned char)s.p[mid] & 0xc0) == 0x80)
			mid--;
		if (mid > lo && str_utf8(str_sub(s, lo, mid)))
			lo = mid;
		else if (mid > lo)
			hi = mid;
		else
			break;
	}
	while (lo < hi && (unsigned char)s.p[lo] < 0x80 && s.p[lo])
		lo++;
	return s.p + lo;
}

bool md_check_source(struct str src, const char *path, int first_line, struct err *e)
{
	struct check c = {.src = src, .path = path, .first_line = first_line, .e = e};
	if (src.n > MAX_BYTES)
		return err_at(e, (struct loc){.path = path}, "text is longer than %d KiB",
		              MAX_BYTES / 1024);
	if (!str_utf8(src))
		return err_at(e, place(&c, utf8_end(src)), "not valid UTF-8 text");
	if (!check_characters(&c) || !check_entities(&c) || !check_cdata(&c) || !check_images(&c))
		return false;
	struct str rest = src, line;
	for (bool more = src.n > 0; more; c.line++) {
		more = str_cut(rest, '\n', &line, &rest);
		if (!check_line(&c, line))
			return false;
	}
	return true;
}
