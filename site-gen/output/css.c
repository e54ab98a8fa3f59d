#include "site-gen/output/css.h"

#include <string.h>

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool at(struct str s, size_t i, const char *word)
{
	size_t n = strlen(word);
	return s.n - i >= n && memcmp(s.p + i, word, n) == 0;
}

/* The index behind the string, or the address without quotes, that ends with `close`. */
static size_t behind(struct str s, size_t i, char close)
{
	while (i < s.n && s.p[i] != close)
		i += s.p[i] == '\\' && i + 1 < s.n ? 2 : 1;
	return i < s.n ? i + 1 : s.n;
}

static size_t behind_comment(struct str s, size_t i)
{
	for (i += 2; i < s.n; i++)
		if (at(s, i, "*/"))
			return i + 2;
	return s.n;
}

/* The index behind what is copied as it stands: a string, an address, a licence; else i itself. */
static size_t behind_whole(struct str s, size_t i)
{
	if (s.p[i] == '"' || s.p[i] == '\'')
		return behind(s, i + 1, s.p[i]);
	if (s.p[i] == '\\')
		return i + 1 < s.n ? i + 2 : s.n;
	if (at(s, i, "url(") && i + 4 < s.n && s.p[i + 4] != '"' && s.p[i + 4] != '\'')
		return behind(s, i + 4, ')');
	return at(s, i, "/*!") ? behind_comment(s, i) : i;
}

/* Space up to the next text: all of it is a line's end if it has one. */
static size_t space(struct sb *to, struct str s, size_t i)
{
	bool line = false;
	size_t from = i;
	for (; i < s.n; i++) {
		if (at(s, i, "/*") && !at(s, i, "/*!"))
			i = behind_comment(s, i) - 1;
		else if (!is_space(s.p[i]))
			break;
		else if (s.p[i] == '\n')
			line = true;
	}
	bool spaced = line || is_space(s.p[from]) || is_space(s.p[i - 1]);
	if (to->n == 0)
		return i;
	if (spaced)
		sb_char(to, line ? '\n' : ' ');
	else
		sb_cstr(to, "/**/"); /* it parts two words, which a space would make others */
	return i;
}

void css_bare(struct sb *to, struct str css)
{
	struct sb out = {0}; /* a space at its beginning is left out */
	for (size_t i = 0; i < css.n;) {
		size_t end = behind_whole(css, i);
		if (end == i && (is_space(css.p[i]) || at(css, i, "/*"))) {
			i = space(&out, css, i);
			continue;
		}
		end = end == i ? i + 1 : end;
		sb_str(&out, str_sub(css, i, end));
		i = end;
	}
	sb_str(to, sb_view(&out));
	sb_free(&out);
}
