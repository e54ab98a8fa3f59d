#include "site-gen/base/warn.h"

#include <string.h>

#include "site-gen/base/unicode.h"

enum {
	LONG_WORDS = 300,
	/* as in markdown_minutes(): 220 words and 400 characters of Chinese take a minute */
	WORDS_A_MINUTE = 220,
	CJK_A_MINUTE = 400,
};

/* Walks the lines of a text outside of its fenced code. */
struct lines {
	struct str src, rest;
	struct str line;
	char fence; /* '`' or '~' in fenced code, else 0 */
	size_t fence_n;
	struct loc at;
	struct problems *to;
};

/* Length of a fence: at least three equal characters after up to three spaces. *c is which. */
static size_t fence_of(struct str line, char *c)
{
	size_t i = 0, n = 0;
	while (i < line.n && i < 3 && line.p[i] == ' ')
		i++;
	*c = i < line.n ? line.p[i] : 0;
	while (i + n < line.n && line.p[i + n] == *c)
		n++;
	return (*c == '`' || *c == '~') && n >= 3 ? n : 0;
}

/* The next line; lines of code come as empty lines. False at the end of the text. */
static bool next(struct lines *l)
{
	char c;
	if (l->rest.n == 0)
		return false;
	if (!str_cut(l->rest, '\n', &l->line, &l->rest))
		l->rest.n = 0;
	l->at.line++;
	size_t n = fence_of(l->line, &c);
	bool was = l->fence;
	if (!l->fence && n) {
		l->fence = c;
		l->fence_n = n;
	} else if (l->fence && c == l->fence && n >= l->fence_n) {
		l->fence = 0;
	}
	if (was || l->fence)
		l->line.n = 0;
	return true;
}

static struct lines lines_of(struct str src, const char *path, int first_line, struct problems *to)
{
	return (struct lines){.src = src,
	                      .rest = src,
	                      .at = {.path = path, .line = first_line - 1, .col = 1},
	                      .to = to};
}

/* --- paragraphs ------------------------------------------------------------------------------- */

/* Counts words; characters of scripts without spaces count as fractions of a word. */
static size_t count_words(struct str text)
{
	size_t words = 0, cjk = 0;
	bool inside = false;
	for (size_t i = 0, n; i < text.n; i += n) {
		uint32_t c = unicode_at(text, i, &n);
		bool wide = unicode_is_cjk(c);
		bool space = c <= ' ';
		cjk += wide;
		words += !inside && !space && !wide;
		inside = !space && !wide;
	}
	return words + cjk * WORDS_A_MINUTE / CJK_A_MINUTE;
}

/* True for a line that is not paragraph text: empty, a heading, a table, a list item. */
static bool ends_paragraph(struct str line)
{
	struct str s = str_trim(line);
	return s.n == 0 || strchr("#|>", s.p[0]) || str_starts(s, "- ") || str_starts(s, "* ") ||
	       str_starts(s, "+ ") || str_starts(s, "[^") || str_starts(s, "<<");
}

static void warn_paragraphs(struct lines l)
{
	struct str text = {0};
	struct loc begin = l.at;
	for (bool more = true; more;) {
		more = next(&l);
		if (more && !ends_paragraph(l.line)) {
			if (text.n == 0) {
				begin = l.at;
				text.p = l.line.p;
			}
			text.n = (size_t)(l.line.p + l.line.n - text.p);
			continue;
		}
		/* a word and its space take at least two bytes, so most texts need no count */
		size_t words = text.n >= 2 * LONG_WORDS ? count_words(text) : 0;
		if (words > LONG_WORDS)
			problems_warn(l.to, begin,
			              "a paragraph of %zu words, which readers skip; "
			              "up to %d are easy to read",
			              words, LONG_WORDS);
		text.n = 0;
	}
}

void warn_markdown(struct str src, const char *path, int first_line, struct problems *to)
{
	if (str_utf8(src))
		warn_paragraphs(lines_of(src, path, first_line, to));
}
