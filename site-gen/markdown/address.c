/*
 * Bare addresses, which are links without markup, as on GitHub:
 *
 *   address -> ( 'http://' | 'https://' ) domain { character }
 *
 * An address may follow the start of a line, a space, '(', '*', '_' or '~', or a character beyond
 * ASCII. Punctuation at its end belongs to the sentence, and so does a ')' without its '('. It ends
 * before a character beyond ASCII. "www." and e-mail addresses are plain text.
 */
#include "site-gen/markdown/inner.h"

#include <string.h>

static const char separator[] = "://";

size_t md_address_find(struct str s, size_t from)
{
	for (size_t i = from; i < s.n; i++) {
		const char *p = memmem(s.p + i, s.n - i, separator, sizeof separator - 1);
		if (!p)
			return s.n;
		i = (size_t)(p - s.p);
		if (i >= from + 5 && memcmp(p - 5, "https", 5) == 0)
			return i - 5;
		if (i >= from + 4 && memcmp(p - 4, "http", 4) == 0)
			return i - 4;
	}
	return s.n;
}

static bool is_alnum(char c)
{
	char l = c | 0x20;
	return (c >= '0' && c <= '9') || (l >= 'a' && l <= 'z');
}

/* domain -> part '.' part { '.' part } ; the last two parts, which name its owner, have no '_' */
static size_t domain_end(struct str s, size_t from)
{
	size_t i = from, dots = 0, low = 0, low_before = 0;
	for (; i < s.n && (is_alnum(s.p[i]) || strchr("-_.", s.p[i])) && s.p[i]; i++) {
		if (s.p[i] == '.') {
			dots += i + 1 < s.n && is_alnum(s.p[i + 1]);
			low_before = low, low = 0;
		}
		low += s.p[i] == '_';
	}
	return dots && is_alnum(s.p[from]) && !low && !low_before ? i : 0;
}

/* False for an address inside a link's markup: after "](", "<" or "[label]: ". */
static bool may_start(struct str s, size_t at)
{
	size_t i = at;
	while (i > 0 && strchr(" \t\n\r", s.p[i - 1]))
		i--;
	if (i >= 2 && s.p[i - 1] == '(' && s.p[i - 2] == ']')
		return false;
	if (i < at && i >= 2 && s.p[i - 1] == ':' && s.p[i - 2] == ']') {
		size_t open = i - 2;
		while (open > 0 && s.p[open] != '[' && s.p[open] != '\n')
			open--;
		return s.p[open] != '[' || s.p[open + 1] == '^';
	}
	unsigned char before = at ? (unsigned char)s.p[at - 1] : ' ';
	return before >= 0x80 || strchr(" \t\n\r(*_~", before);
}

/* Number of trailing bytes, of one character or entity, that belong to the sentence; 0: none. */
static size_t trailing(struct str s, size_t from, size_t end)
{
	size_t open = 0, close = 0, i = end - 1;
	if (strchr("?!.,:*_~'", s.p[i]))
		return 1;
	if (s.p[i] == ';') { /* an entity like &copy; is a character after the address */
		while (i > from && is_alnum(s.p[i - 1]))
			i--;
		return i > from && s.p[i - 1] == '&' && i < end - 1 ? end - i + 1 : 1;
	}
	for (size_t k = from; s.p[i] == ')' && k < end; k++) {
		open += s.p[k] == '(';
		close += s.p[k] == ')';
	}
	return close > open;
}

size_t md_address_end(struct str s, size_t at)
{
	size_t from = str_find(s, '/', at) + 2, end = domain_end(s, from), cut;
	if (!end || !may_start(s, at))
		return 0;
	while (end < s.n && s.p[end] > ' ' && s.p[end] < 0x7f && !strchr("<>[]{}|\\^`\"", s.p[end]))
		end++;
	while (end > from && (cut = trailing(s, from, end)) > 0)
		end -= cut;
	return end > from ? end : 0;
}

struct str md_address_of(const struct md_mark *m, struct arena *a)
{
	static const char entity[] = "&amp;";
	struct str s = m->text;
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++) {
		to[n++] = s.p[i];
		if (str_starts(str_sub(s, i, s.n), entity))
			i += sizeof entity - 2;
	}
	to[n] = 0;
	return (struct str){to, n};
}
