#include "site-gen/base/html_scan.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"

struct html_scan html_scan(struct str markup)
{
	return (struct html_scan){.src = markup};
}

/* --- tokens ----------------------------------------------------------------------------- */

/* Classes of bytes: first of a name, any of a name, white space, and where tag_end() stops. */
enum { FIRST = 1, NAME = 2, SPACE = 4, MARK = 8 };

static const unsigned char kinds[256] = {
        ['a' ... 'z'] = FIRST | NAME,
        ['A' ... 'Z'] = FIRST | NAME,
        ['0' ... '9'] = NAME,
        ['-'] = NAME,
        [':'] = NAME,
        ['_'] = NAME,
        ['.'] = NAME,
        [' '] = SPACE,
        ['\n'] = SPACE,
        ['\t'] = SPACE,
        ['='] = MARK,
        ['"'] = MARK,
        ['<'] = MARK,
        ['>'] = MARK,
};

static bool is(char c, int kind)
{
	return kinds[(unsigned char)c] & kind;
}

/* End of the run of bytes of a class that starts at i. */
static size_t end_of(struct str s, size_t i, int kind)
{
	while (i < s.n && is(s.p[i], kind))
		i++;
	return i;
}

/* Takes a token that ends before `end`. */
static enum html_token took(struct html_scan *h, enum html_token token, size_t end)
{
	h->token = str_sub(h->src, h->i, end);
	h->i = end;
	return token;
}

static enum html_token broken(struct html_scan *h)
{
	h->token = str_sub(h->src, h->i, h->i);
	return HTML_BROKEN;
}

/* End of the tag whose name ends at `at`; 0 if there is no '>' or a '"', '=' or '<' is stray. */
static size_t tag_end(struct str s, size_t at)
{
	for (; at < s.n; at++) {
		if (!is(s.p[at], MARK))
			continue;
		if (s.p[at] == '>')
			return at + 1;
		if (s.p[at] != '=' || at + 1 == s.n || s.p[at + 1] != '"')
			return 0;
		at = str_find(s, '"', at + 2);
	}
	return 0;
}

/* End of the text of the script or style that has just begun. */
static size_t raw_end(const struct html_scan *h)
{
	size_t i = str_find(h->src, '<', h->i);
	for (; i < h->src.n; i = str_find(h->src, '<', i + 1))
		if (i + 2 + h->name.n <= h->src.n && h->src.p[i + 1] == '/' &&
		    memcmp(h->src.p + i + 2, h->name.p, h->name.n) == 0)
			break;
	return i;
}

static enum html_token take_tag(struct html_scan *h, size_t name)
{
	bool start = name == h->i + 1;
	if (name >= h->src.n || !is(h->src.p[name], FIRST))
		return broken(h);
	size_t after = end_of(h->src, name, NAME), end = tag_end(h->src, after);
	if (!end)
		return broken(h);
	h->name = str_sub(h->src, name, after);
	h->empty = start && h->src.p[end - 2] == '/';
	h->attribute = after - h->i;
	h->raw = start && !h->empty && (str_is(h->name, "script") || str_is(h->name, "style"));
	return took(h, start ? HTML_START : HTML_END, end);
}

static enum html_token take_comment(struct html_scan *h)
{
	struct str rest = str_sub(h->src, h->i, h->src.n);
	const char *close = str_starts(rest, "<!--") ? "-->" : str_starts(rest, "<?") ? "?>" : ">";
	const char *end = memmem(rest.p, rest.n, close, strlen(close));
	return end ? took(h, HTML_COMMENT, (size_t)(end - h->src.p) + strlen(close)) : broken(h);
}

enum html_token html_scan_next(struct html_scan *h)
{
	struct str s = h->src;
	if (h->i == s.n)
		return took(h, HTML_NONE, s.n);
	if (h->raw || s.p[h->i] != '<') {
		size_t end = h->raw ? raw_end(h) : str_find(s, '<', h->i);
		h->raw = false;
		if (end > h->i)
			return took(h, HTML_TEXT, end);
	}
	char next = h->i + 1 < s.n ? s.p[h->i + 1] : 0;
	if (next == '!' || next == '?')
		return take_comment(h);
	return take_tag(h, h->i + (next == '/' ? 2 : 1));
}

bool html_scan_find(struct html_scan *h, const char *name)
{
	enum html_token t;
	while ((t = html_scan_next(h)) != HTML_NONE && t != HTML_BROKEN)
		if (t == HTML_START && str_is(h->name, name))
			return true;
	return false;
}

bool html_scan_inside(struct html_scan *h, struct str *content)
{
	struct str name = h->name;
	size_t from = h->i, depth = !h->empty;
	enum html_token t;
	*content = str_sub(h->src, from, h->src.n);
	while (depth && (t = html_scan_next(h)) != HTML_NONE && t != HTML_BROKEN) {
		if ((t != HTML_START && t != HTML_END) || h->empty || !str_eq(h->name, name))
			continue;
		depth += t == HTML_START ? 1 : -1;
	}
	if (depth == 0)
		*content = str_sub(h->src, from, h->i - (h->i > from ? h->token.n : 0));
	return depth == 0;
}

/* --- attributes ------------------------------------------------------------------------- */

bool html_scan_attribute(struct html_scan *h, struct str *name, struct str *value)
{
	struct str s = h->token;
	size_t from = end_of(s, h->attribute, SPACE), to = end_of(s, from, NAME);
	if (to == from)
		return false;
	*name = str_sub(s, from, to);
	*value = str_sub(s, to, to);
	h->attribute = to;
	if (s.p[to] == '=') {
		h->attribute = str_find(s, '"', to + 2) + 1;
		*value = str_sub(s, to + 2, h->attribute - 1);
	}
	return true;
}

struct str html_scan_value(const struct html_scan *h, const char *wanted)
{
	struct html_scan again = *h;
	struct str name, value;
	again.attribute = 1 + h->name.n;
	while (html_scan_attribute(&again, &name, &value))
		if (str_is(name, wanted))
			return value;
	return (struct str){NULL, 0};
}

bool html_scan_class(const struct html_scan *h, const char *class)
{
	struct str one, rest = html_scan_value(h, "class");
	while (rest.n) {
		str_cut(rest, ' ', &one, &rest);
		if (str_is(one, class))
			return true;
	}
	return false;
}

/* --- text ------------------------------------------------------------------------------- */

void html_scan_plain(struct sb *to, struct str written)
{
	for (size_t i = 0; i < written.n;) {
		size_t amp = str_find(written, '&', i);
		sb_str(to, str_sub(written, i, amp));
		if (amp == written.n)
			return;
		char c = '&';
		size_t n = html_entity(str_sub(written, amp, written.n), &c);
		sb_char(to, c);
		i = amp + (n ? n : 1);
	}
}

/* Does a word end where an element of this name begins or ends? */
static bool parts_words(struct str name)
{
	static const char *const names[] = {
	        "blockquote", "br",  "button",  "caption", "dd",         "desc",  "details",
	        "div",        "dl",  "dt",      "figure",  "figcaption", "h1",    "h2",
	        "h3",         "h4",  "h5",      "h6",      "hr",         "li",    "ol",
	        "p",          "pre", "section", "summary", "svg",        "table", "td",
	        "text",       "th",  "title",   "tr",      "ul"};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(name, names[i]))
			return true;
	return false;
}

void html_scan_strip(struct sb *to, struct str markup)
{
	struct html_scan h = html_scan(markup);
	size_t from = to->n;
	bool gap = false;
	enum html_token t;
	while ((t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN) {
		if (t == HTML_TEXT) {
			if (gap && to->n > from && !is(to->p[to->n - 1], SPACE) &&
			    !is(h.token.p[0], SPACE))
				sb_char(to, ' ');
			html_scan_plain(to, h.token);
			gap = false;
		} else if (t != HTML_COMMENT) {
			gap |= parts_words(h.name);
		}
	}
}
