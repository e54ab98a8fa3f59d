/*
 * Drawings of other programs, without what the build refuses: document types, comments, metadata of
 * editors, scripts. site/svg.h says what a drawing may have.
 */
#include <ctype.h>
#include <string.h>

#include "site-gen/commands/importer.h"
#include "site-gen/site/svg.h"

/* Up to and with `close`; s.n if it is not there. */
static size_t after(struct str s, size_t i, const char *close)
{
	const char *end = memmem(s.p + i, s.n - i, close, strlen(close));
	return end ? (size_t)(end - s.p) + strlen(close) : s.n;
}

/* The end of "<!DOCTYPE … [ … ]>" at i. */
static size_t after_doctype(struct str s, size_t i)
{
	size_t bracket = str_find(s, '[', i), end = str_find(s, '>', i);
	end = bracket < end ? str_find(s, '>', after(s, bracket, "]") - 1) : end;
	return end < s.n ? end + 1 : s.n;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Appends a tag with the attributes that a drawing may have. */
static void put_tag(struct str tag, struct str name, struct sb *to)
{
	size_t i = (size_t)(name.p - tag.p) + name.n;
	sb_str(to, str_sub(tag, 0, i));
	while (i < tag.n) {
		while (i < tag.n && is_blank(tag.p[i]))
			i++;
		size_t from = i, eq;
		while (i < tag.n && !is_blank(tag.p[i]) && !strchr("=/>", tag.p[i]))
			i++;
		struct str key = str_sub(tag, from, i);
		eq = str_find(tag, '=', i);
		char quote = eq + 1 < tag.n ? tag.p[eq + 1] : 0;
		if (!key.n || eq > i + 1 || !strchr("\"'", quote)) {
			sb_str(to, str_sub(tag, from, tag.n));
			return;
		}
		size_t end = str_find(tag, quote, eq + 2) + 1;
		if (svg_has_attribute(key) && end <= tag.n)
			sb_printf(to, " " STR_FMT, STR_ARG(str_sub(tag, from, end)));
		i = end;
	}
}

/* An element that is left out with its content. Returns its end. */
static size_t skip_element(struct str s, size_t i)
{
	struct str inside;
	size_t end = importer_element_end(s, i, &inside);
	return end > i ? end : importer_tag_end(s, i);
}

/* A tag at i. Returns the position after what was taken. */
static size_t take_tag(struct str s, size_t i, struct sb *to)
{
	size_t end = importer_tag_end(s, i), n;
	struct str tag = str_sub(s, i, end), name;
	if (end == i) {
		sb_char(to, s.p[i]);
		return i + 1;
	}
	for (n = 1 + (tag.p[1] == '/');
	     n < tag.n && !is_blank(tag.p[n]) && !strchr("/>", tag.p[n]);)
		n++;
	name = str_sub(tag, 1 + (tag.p[1] == '/'), n);
	bool wraps = str_is(name, "a") || str_is(name, "switch");
	if (wraps)
		return end;
	if (!svg_has_element(name))
		return tag.p[1] == '/' ? end : skip_element(s, i);
	if (tag.p[1] == '/')
		sb_str(to, tag);
	else
		put_tag(tag, name, to);
	return end;
}

struct str importer_svg(struct str s, struct arena *a)
{
	struct sb to = {0};
	size_t i = str_starts(s, "\xEF\xBB\xBF") ? 3 : 0;
	if (!str_utf8(s))
		return s;
	while (i < s.n) {
		struct str rest = str_sub(s, i, s.n);
		if (str_starts(rest, "<!--"))
			i = after(s, i, "-->");
		else if (str_starts(rest, "<![CDATA["))
			i += strlen("<![CDATA[");
		else if (str_starts(rest, "]]>"))
			i += 3;
		else if (str_starts(rest, "<!"))
			i = after_doctype(s, i);
		else if (str_starts(rest, "<?"))
			i = after(s, i, "?>");
		else if (str_starts(rest, "@import"))
			i = after(s, i, ";");
		else if (str_starts(rest, "@font-face"))
			i = after(s, i, "}");
		else if (rest.p[0] == '<')
			i = take_tag(s, i, &to);
		else
			sb_char(&to, s.p[i++]);
	}
	struct str out = str_keep(a, str_trim(sb_view(&to)));
	sb_free(&to);
	return out;
}
