#include "site-gen/base/html.h"

#include <string.h>

void html_raw(struct sb *to, const char *markup)
{
	sb_cstr(to, markup);
}

/* The contexts in which a byte needs an entity: a bit each. */
enum { IN_TEXT = 1, IN_ATTR = 2, IN_XML = 4 };

static const unsigned char needs[256] = {
        ['&'] = IN_TEXT | IN_ATTR | IN_XML, ['<'] = IN_TEXT | IN_ATTR | IN_XML,
        ['>'] = IN_TEXT | IN_ATTR | IN_XML, ['"'] = IN_ATTR | IN_XML,
        ['\''] = IN_ATTR | IN_XML,
};

/* XML 1.0 allows no other control than these, not even escaped. */
static bool xml_control(char c)
{
	return (unsigned char)c < 0x20 && c != '\t' && c != '\n' && c != '\r';
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

static uint64_t eight_of(const char *p)
{
	uint64_t w;
	memcpy(&w, p, sizeof w);
	return w;
}

static const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;

/* A top bit is set if a byte of w is zero (and now and then if not). */
static uint64_t has_zero(uint64_t w)
{
	return (w - ones) & ~w;
}

/*
 * Might one of eight bytes need an entity in this context? Most do not, so ask
 * first: '<' and '>' differ in one bit, '"', '&' and '\'' in two (as does '#').
 */
static bool may_need(uint64_t w, unsigned char context)
{
	uint64_t found = has_zero((w & ~(ones * 2)) ^ ones * '<');
	if (context == IN_TEXT)
		found |= has_zero(w ^ ones * '&');
	else
		found |= has_zero((w & ~(ones * 5)) ^ ones * '"');
	if (context == IN_XML)
		found |= (w - ones * 0x20) & ~w;
	return (found & tops) != 0;
}

static void escape(struct sb *to, struct str s, unsigned char context)
{
	if (s.n == 0)
		return; /* p may be NULL */
	const char *p = s.p, *end = s.p + s.n, *run = p;
	for (; p < end; p++) {
		while (end - p >= 8 && !may_need(eight_of(p), context))
			p += 8;
		if (p == end)
			break;
		if (!(needs[(unsigned char)*p] & context) &&
		    !(context == IN_XML && xml_control(*p)))
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

void xml_text(struct sb *to, struct str s)
{
	escape(to, s, IN_XML);
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

/* RFC 3986, section 2: unreserved and reserved, without the brackets, which only a host may hold.
 */
static bool url_byte(char c)
{
	return is_alpha(c) || is_digit(c) || (c != 0 && strchr("-._~:/?#@!$&'()*+,;=", c));
}

/* Where letters, digits, '-', '/', '.' and '_' end, which most addresses have only. */
static size_t plain_end(struct str s, size_t i)
{
	while (i < s.n && (is_alpha(s.p[i]) || is_digit(s.p[i]) || s.p[i] == '-' || s.p[i] == '/' ||
	                   s.p[i] == '.' || s.p[i] == '_'))
		i++;
	return i;
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

uint32_t html_decode(const char *p, size_t *n)
{
	const unsigned char *u = (const unsigned char *)p;
	*n = u[0] < 0x80 ? 1 : u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	uint32_t c = *n == 1 ? u[0] : u[0] & (0x7fu >> *n);
	for (size_t i = 1; i < *n; i++)
		c = c << 6 | (u[i] & 0x3f);
	return c;
}

const char *html_bad_char(struct str s, uint32_t *codepoint)
{
	for (size_t i = 0, n; i < s.n; i += n) {
		n = 8;
		if (s.n - i >= 8) { /* eight bytes from ' ' to '~' at once */
			uint64_t w = eight_of(s.p + i);
			if (((w | (w - ones * 0x20) | (w + ones)) & tops) == 0)
				continue;
		}
		n = 1;
		unsigned char u = (unsigned char)s.p[i];
		if (u >= 0x20 && u < 0x7f)
			continue;
		*codepoint = html_decode(s.p + i, &n);
		if (!html_char_allowed(*codepoint))
			return s.p + i;
	}
	return NULL;
}

/* The byte that one of our own entities at s.p[0] stands for, and its length; 0: none. */
static size_t decode_entity(struct str s, char *out)
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

void html_strip(struct sb *to, struct str markup)
{
	for (size_t i = 0; i < markup.n;) {
		char c = markup.p[i];
		if (c == '<') {
			i = str_find(markup, '>', i) + 1;
			continue;
		}
		size_t n = c == '&' ? decode_entity(str_sub(markup, i, markup.n), &c) : 0;
		sb_char(to, c);
		i += n ? n : 1;
	}
}

/* The small letter of a capital: ASCII, Latin-1, Greek, Cyrillic; others as they are. */
static uint32_t lower(uint32_t c)
{
	if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7) ||
	    (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
		return c + 32;
	return c >= 0x400 && c <= 0x40f ? c + 80 : c;
}

/* Letters and digits: beyond ASCII, all but the blocks of signs, spaces and punctuation. */
static bool slug_char(uint32_t c)
{
	if (c < 0x80)
		return is_alpha((char)c) || is_digit((char)c);
	bool sign = c < 0xc0 ? c != 0xaa && c != 0xb5 && c != 0xba : c == 0xd7 || c == 0xf7;
	return !sign && !(c >= 0x2000 && c <= 0x2bff) && !(c >= 0x3000 && c <= 0x3004) &&
	       !(c >= 0x3008 && c <= 0x3020) && !(c >= 0xe000 && c <= 0xf8ff) &&
	       !(c >= 0xfe10 && c <= 0xfe6f) && !(c >= 0xff00 && c <= 0xff0f) &&
	       !(c >= 0xff1a && c <= 0xff20);
}

void html_slug(struct sb *to, struct str text)
{
	bool gap = false;
	size_t from = to->n;
	for (size_t i = 0, n; i < text.n; i += n) {
		uint32_t c = html_decode(text.p + i, &n);
		if (c == '\'' || c == 0x2019)
			continue; /* "don't" is one word */
		if (!slug_char(c)) {
			gap = true;
			continue;
		}
		if (gap && to->n > from)
			sb_char(to, '-');
		gap = false;
		sb_utf8(to, lower(c));
	}
}
