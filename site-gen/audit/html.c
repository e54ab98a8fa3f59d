#include "site-gen/audit/html.h"

#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

/* Elements without an end tag, and elements whose content is not markup. */
static const struct name {
	char n, text[7];
} void_elements[] = {{4, "area"},   {4, "base"},  {2, "br"},    {3, "col"},  {5, "embed"},
                     {2, "hr"},     {3, "img"},   {5, "input"}, {4, "link"}, {4, "meta"},
                     {6, "source"}, {5, "track"}, {3, "wbr"}},
  raw_elements[] = {{6, "script"}, {5, "style"}};

/* Runs for every tag, so it compares lengths first. */
static bool is_one_of(struct str name, const struct name *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (name.n == (size_t)list[i].n && memcmp(name.p, list[i].text, name.n) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(name, list) is_one_of((name), (list), ARRAY_LEN(list))

void audit_html_open(struct audit_html *h, const char *path, struct str src)
{
	h->path = path;
	h->src = src;
	h->xml = str_ends(str_of(path), ".xml") || str_ends(str_of(path), ".svg");
	h->i = h->depth = h->nattributes = 0;
}

struct loc audit_html_loc(const struct audit_html *h, const char *at)
{
	return str_loc(h->src, h->path, at);
}

static bool broken(const struct audit_html *h, const char *at, const char *what, struct err *e)
{
	return err_at(e, audit_html_loc(h, at), "broken markup: %s", what);
}

/* --- tags ------------------------------------------------------------------------------- */

enum { NAME = 1, SPACE = 2 };

static const unsigned char kinds[256] = {
        ['a' ... 'z'] = NAME, ['A' ... 'Z'] = NAME, ['0' ... '9'] = NAME, ['-'] = NAME,
        [':'] = NAME,         ['_'] = NAME,         ['.'] = NAME,         [' '] = SPACE,
        ['\n'] = SPACE,       ['\t'] = SPACE,       ['\r'] = SPACE,
};

static bool is_name(char c)
{
	return kinds[(unsigned char)c] == NAME;
}

/* The end of the run of bytes of a kind that starts at i. */
static size_t end_of(struct str s, size_t i, int kind)
{
	while (i < s.n && kinds[(unsigned char)s.p[i]] == kind)
		i++;
	return i;
}

static char peek(const struct audit_html *h)
{
	return h->i < h->src.n ? h->src.p[h->i] : 0;
}

static struct str take_name(struct audit_html *h)
{
	size_t from = h->i;
	h->i = end_of(h->src, from, NAME);
	return (struct str){h->src.p + from, h->i - from};
}

static void skip_space(struct audit_html *h)
{
	h->i = end_of(h->src, h->i, SPACE);
}

/* attribute -> name [ '=' '"' value '"' ] */
static bool take_attribute(struct audit_html *h, struct err *e)
{
	struct str name = take_name(h), value = STR("");
	if (name.n == 0)
		return broken(h, h->src.p + h->i, "an attribute was expected", e);
	if (peek(h) == '=') {
		h->i++;
		if (peek(h) != '"')
			return broken(h, h->src.p + h->i, "an attribute's value has no quotes", e);
		size_t from = ++h->i, to = str_find(h->src, '"', from);
		if (to == h->src.n)
			return broken(h, h->src.p + from, "an attribute's value has no end", e);
		value = str_sub(h->src, from, to);
		h->i = to + 1;
	}
	if (h->nattributes == AUDIT_MAX_ATTRIBUTES)
		return broken(h, name.p, "too many attributes", e);
	h->attribute[h->nattributes].name = name;
	h->attribute[h->nattributes++].value = value;
	return true;
}

static bool take_start(struct audit_html *h, struct err *e)
{
	h->i = (size_t)(h->at - h->src.p) + 1;
	h->name = take_name(h);
	h->nattributes = 0;
	for (;;) {
		skip_space(h);
		if (peek(h) == '>' ||
		    (peek(h) == '/' && h->i + 1 < h->src.n && h->src.p[h->i + 1] == '>'))
			break;
		if (h->i == h->src.n)
			return broken(h, h->at, "a tag has no end", e);
		if (!take_attribute(h, e))
			return false;
	}
	bool slash = peek(h) == '/';
	h->i += slash ? 2 : 1;
	h->empty = slash || (!h->xml && IS_ONE_OF(h->name, void_elements));
	if (h->empty)
		return true;
	if (h->depth == AUDIT_MAX_DEPTH)
		return broken(h, h->at, "elements nest too deep", e);
	h->open[h->depth++] = h->name;
	return true;
}

static bool take_end(struct audit_html *h, struct err *e)
{
	h->i = (size_t)(h->at - h->src.p) + 2;
	h->name = take_name(h);
	skip_space(h);
	if (peek(h) != '>')
		return broken(h, h->at, "a tag has no end", e);
	h->i++;
	if (h->depth == 0 || str_cmp(h->open[h->depth - 1], h->name) != 0)
		return broken(h, h->at, "an end tag closes no open element", e);
	h->depth--;
	return true;
}

/* --- everything else ---------------------------------------------------------------------- */

/* Skips <!…>, <!--…--> and <?…?>. */
static bool skip_declaration(struct audit_html *h, struct err *e)
{
	struct str rest = str_sub(h->src, h->i, h->src.n);
	const char *close = str_starts(rest, "<!--") ? "-->" : str_starts(rest, "<?") ? "?>" : ">";
	const char *end = memmem(rest.p, rest.n, close, strlen(close));
	if (!end)
		return broken(h, rest.p, "a comment or declaration has no end", e);
	h->i = (size_t)(end - h->src.p) + strlen(close);
	return true;
}

/* Takes text up to the next '<', or in script and style up to their end tag. */
static struct str take_text(struct audit_html *h)
{
	size_t from = h->i;
	bool raw = !h->xml && h->depth > 0 && IS_ONE_OF(h->open[h->depth - 1], raw_elements);
	for (h->i = str_find(h->src, '<', h->i); raw && h->i < h->src.n;
	     h->i = str_find(h->src, '<', h->i + 1)) {
		struct str rest = str_sub(h->src, h->i + 2, h->src.n);
		if (str_starts(str_sub(h->src, h->i, h->src.n), "</") &&
		    str_cmp(str_sub(rest, 0, h->open[h->depth - 1].n), h->open[h->depth - 1]) == 0)
			break;
	}
	return str_sub(h->src, from, h->i);
}

bool audit_html_next(struct audit_html *h, enum audit_token *out, struct err *e)
{
	for (;;) {
		h->at = h->src.p + h->i;
		if (h->i == h->src.n) {
			*out = AUDIT_EOF;
			return h->depth == 0 ||
			       broken(h, h->open[h->depth - 1].p, "an element is never closed", e);
		}
		h->text = take_text(h);
		if (h->text.n > 0) {
			*out = AUDIT_TEXT;
			return true;
		}
		char next = h->i + 1 < h->src.n ? h->src.p[h->i + 1] : 0;
		if (next == '/') {
			*out = AUDIT_END;
			return take_end(h, e);
		}
		if (next != '!' && next != '?') {
			*out = AUDIT_START;
			return is_name(next) ? take_start(h, e)
			                     : broken(h, h->at, "'<' begins no tag", e);
		}
		if (!skip_declaration(h, e))
			return false;
	}
}

struct str audit_html_attribute(const struct audit_html *h, const char *name)
{
	for (size_t i = 0; i < h->nattributes; i++)
		if (*h->attribute[i].name.p == *name && str_is(h->attribute[i].name, name))
			return h->attribute[i].value;
	return (struct str){0};
}

/* Compares in place: most words already differ in their first letters. */
bool audit_html_is_among(struct str classes, const char *class)
{
	for (size_t i = 0, k; i < classes.n; i++) {
		for (k = 0; i < classes.n && class[k] && classes.p[i] == class[k]; k++)
			i++;
		bool ends = i == classes.n || classes.p[i] == ' ';
		if (k > 0 && ends && !class[k])
			return true;
		while (i < classes.n && classes.p[i] != ' ')
			i++;
	}
	return false;
}

bool audit_html_class(const struct audit_html *h, const char *class)
{
	return audit_html_is_among(audit_html_attribute(h, "class"), class);
}

/* --- character references --------------------------------------------------------------------- */

static const struct {
	const char *name;
	const char *text;
} references[] = {{"amp", "&"},   {"lt", "<"},   {"gt", ">"},
                  {"quot", "\""}, {"apos", "'"}, {"nbsp", "\xC2\xA0"}};

/* `name` is the part between '&' and ';'. */
static bool put_reference(struct sb *to, struct str name)
{
	if (name.n > 1 && name.p[0] == '#') {
		bool hex = (name.p[1] | 0x20) == 'x';
		unsigned long c = strtoul(name.p + (hex ? 2 : 1), NULL, hex ? 16 : 10);
		if (c == 0 || c > 0x10FFFF)
			return false;
		sb_utf8(to, (uint32_t)c);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(references); i++) {
		if (!str_is(name, references[i].name))
			continue;
		sb_cstr(to, references[i].text);
		return true;
	}
	return false;
}

void audit_html_plain(struct sb *to, struct str written)
{
	enum { LONGEST = 10 };
	for (size_t i = 0; i < written.n;) {
		size_t amp = str_find(written, '&', i);
		sb_str(to, str_sub(written, i, amp));
		if (amp == written.n)
			return;
		size_t end = str_find(written, ';', amp);
		i = amp + 1;
		if (end < written.n && end - amp <= LONGEST &&
		    put_reference(to, str_sub(written, amp + 1, end)))
			i = end + 1;
		else
			sb_char(to, '&');
	}
}
