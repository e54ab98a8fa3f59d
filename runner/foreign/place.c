#include "runner/foreign/place.h"

#include <string.h>

static size_t space(struct str s, size_t at)
{
	while (at < s.n && strchr(" \t\r\n", s.p[at]))
		at++;
	return at;
}

/* Behind the string that begins at `at`. */
static size_t after_string(struct str s, size_t at)
{
	for (at++; at < s.n && s.p[at] != '"'; at++)
		at += s.p[at] == '\\';
	return at < s.n ? at + 1 : s.n;
}

/* Behind the value that begins at `at`. */
static size_t after_value(struct str s, size_t at)
{
	size_t depth = 0;
	while (at < s.n) {
		char c = s.p[at];
		if (c == '"') {
			at = after_string(s, at);
		} else if (strchr("}],", c) && depth == 0) {
			return at; /* a number or a word ended */
		} else {
			depth += c == '{' || c == '[';
			depth -= c == '}' || c == ']';
			at++;
		}
		if (depth == 0 && (c == '"' || c == '}' || c == ']'))
			return at;
	}
	return at;
}

/* Where the value of the member `key` begins; s.n: there is none. */
static size_t member(struct str s, size_t from, const char *key)
{
	size_t at = space(s, from);
	if (at >= s.n || s.p[at] != '{')
		return s.n;
	for (at = space(s, at + 1); at < s.n && s.p[at] == '"'; at = space(s, at + 1)) {
		size_t end = after_string(s, at);
		struct str name = str_sub(s, at + 1, end - 1);
		at = space(s, space(s, end) + 1); /* behind the colon */
		if (str_is(name, key))
			return at;
		at = space(s, after_value(s, at));
		if (at >= s.n || s.p[at] != ',')
			break;
	}
	return s.n;
}

size_t place_items(struct str text, size_t from, const char *key, struct arena *a, size_t **out)
{
	size_t n = 0, cap = 0, at = member(text, from, key);
	*out = NULL;
	if (at >= text.n || text.p[at] != '[')
		return 0;
	for (at = space(text, at + 1); at < text.n && text.p[at] != ']'; at = space(text, at + 1)) {
		*out = arena_grow(a, *out, n, &cap, sizeof **out);
		(*out)[n++] = at;
		at = space(text, after_value(text, at));
		if (at >= text.n || text.p[at] != ',')
			break;
	}
	return n;
}
