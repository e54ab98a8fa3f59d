#include "site-gen/base/html.h"

#include <string.h>

#include "site-gen/base/unicode.h"

void html_raw(struct sb *to, const char *markup)
{
	sb_cstr(to, markup);
}

/* The contexts in which a byte needs an entity, as bits. */
enum { IN_TEXT = 1, IN_ATTR = 2, IN_XML = 4, IN_XML_TEXT = 8 };

static const unsigned char needs[256] = {
        ['&'] = IN_TEXT | IN_ATTR | IN_XML | IN_XML_TEXT,
        ['<'] = IN_TEXT | IN_ATTR | IN_XML | IN_XML_TEXT,
        ['>'] = IN_TEXT | IN_ATTR | IN_XML,
        ['"'] = IN_ATTR | IN_XML,
        ['\''] = IN_ATTR | IN_XML,
};

/* XML 1.0 allows no other control characters, not even escaped ones. */
static bool xml_control(char c)
{
	return (unsigned char)c < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

/* "]]>" may not stand in the text of an XML element. */
static bool ends_cdata(struct str s, const char *p)
{
	return *p == '>' && p - s.p >= 2 && p[-1] == ']' && p[-2] == ']';
}

static bool is_escaped(struct str s, const char *p, unsigned char context)
{
	bool xml = context & (IN_XML | IN_XML_TEXT);
	return (needs[(unsigned char)*p] & context) || (xml && xml_control(*p)) ||
	       (context == IN_XML_TEXT && ends_cdata(s, p));
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return ""; /* a control byte */
	}
}

static void escape(struct sb *to, struct str s, unsigned char context)
{
	if (s.n == 0)
		return; /* p may be NULL */
	const char *p = s.p, *end = s.p + s.n, *run = p;
	for (; p < end; p++) {
		if (!is_escaped(s, p, context))
			continue;
		sb_put(to, run, (size_t)(p - run));
		sb_cstr(to, entity(*p));
		run = p + 1;
	}
	if (run < end)
		sb_put(to, run, (size_t)(end - run));
}

void html_text(struct sb *to, struct str s)
{
	escape(to, s, IN_TEXT);
}

void html_attr(struct sb *to, struct str s)
{
	escape(to, s, IN_ATTR);
}

void html_xml(struct sb *to, struct str s)
{
	escape(to, s, IN_XML);
}

void html_xml_text(struct sb *to, struct str s)
{
	escape(to, s, IN_XML_TEXT);
}

static bool is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* RFC 3986, section 2: unreserved and reserved, except brackets, which only a host may contain. */
static bool url_byte(char c)
{
	return is_alpha(c) || is_digit(c) || (c != 0 && strchr("-._~:/?#@!$&'()*+,;=", c));
}

/* End of a run of letters, digits and "-/._": most addresses contain nothing else. */
static size_t plain_end(struct str s, size_t i)
{
	while (i < s.n && (is_alpha(s.p[i]) || is_digit(s.p[i]) || s.p[i] == '-' || s.p[i] == '/' ||
	                   s.p[i] == '.' || s.p[i] == '_'))
		i++;
	return i;
}

void html_attribute(struct sb *to, const char *name, struct str value)
{
	html_raw(to, " ");
	html_raw(to, name);
	html_raw(to, "=\"");
	html_attr(to, value);
	html_raw(to, "\"");
}

void html_url(struct sb *to, struct str s)
{
	static const char hex[] = "0123456789ABCDEF";
	for (size_t i = 0; i < s.n; i++) {
		size_t plain = plain_end(s, i);
		sb_str(to, str_sub(s, i, plain));
		if ((i = plain) == s.n)
			break;
		char c = s.p[i];
		bool escaped = c == '%' && i + 2 < s.n && is_hex(s.p[i + 1]) && is_hex(s.p[i + 2]);
		if (url_byte(c) || escaped) {
			html_attr(to, (struct str){&c, 1});
		} else {
			sb_char(to, '%');
			sb_char(to, hex[(unsigned char)c >> 4]);
			sb_char(to, hex[(unsigned char)c & 15]);
		}
	}
}

static bool starts_nocase(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);
	if (s.n < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((is_alpha(s.p[i]) ? s.p[i] | 0x20 : s.p[i]) != prefix[i])
			return false;
	return true;
}

bool html_url_allowed(struct str url)
{
	if (url.n == 0 || str_starts(url, "//"))
		return false;
	for (size_t i = 0; i < url.n; i++)
		if ((unsigned char)url.p[i] <= ' ' || url.p[i] == 0x7f || url.p[i] == '\\')
			return false;
	for (size_t i = 0; i < url.n && !strchr("/?#", url.p[i]); i++)
		if (url.p[i] == ':')
			return starts_nocase(url, "http://") || starts_nocase(url, "https://") ||
			       starts_nocase(url, "mailto:");
	return true;
}

bool html_char_allowed(uint32_t c)
{
	if (c < 0x20)
		return c == '\t' || c == '\n' || c == '\r';
	if (c >= 0x7f && c <= 0x9f)
		return false;
	if ((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return false;
	if (c >= 0xfdd0 && c <= 0xfdef)
		return false;
	return (c & 0xfffe) != 0xfffe && c <= 0x10ffff && !(c >= 0xd800 && c <= 0xdfff);
}

const char *html_bad_char(struct str s, uint32_t *codepoint)
{
	for (size_t i = 0, n; i < s.n; i += n) {
		n = 1;
		unsigned char u = (unsigned char)s.p[i];
		if (u >= 0x20 && u < 0x7f)
			continue;
		*codepoint = unicode_at(s, i, &n);
		if (!html_char_allowed(*codepoint))
			return s.p + i;
	}
	return NULL;
}

size_t html_entity(struct str s, char *out)
{
	static const char all[] = "&<>\"'";
	for (size_t i = 0; all[i]; i++) {
		if (str_starts(s, entity(all[i]))) {
			*out = all[i];
			return strlen(entity(all[i]));
		}
	}
	return 0;
}

void html_slug(struct sb *to, struct str text)
{
	struct sb folded = {0};
	bool gap = false;
	size_t from = to->n;
	unicode_fold(&folded, text);
	for (size_t i = 0, n; i < folded.n; i += n) {
		uint32_t c = unicode_at(sb_view(&folded), i, &n);
		if (c == '\'' || c == 0x2019)
			continue; /* "don't" is one word */
		if (!unicode_is_word(c)) {
			gap = true;
			continue;
		}
		if (gap && to->n > from)
			sb_char(to, '-');
		gap = false;
		sb_put(to, folded.p + i, n);
	}
	sb_free(&folded);
}
