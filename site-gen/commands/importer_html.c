/*
 * Repairs a line of another generator's Markdown: comments go, tags with a counterpart become
 * Markdown, and pictures get a text. To translate another tag, add a row to `tags`.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/commands/importer.h"

/* A row without texts drops the tag and keeps what it encloses. */
static const struct {
	const char *name, *open, *close;
} tags[] = {
        {"b", "**", "**"},   {"strong", "**", "**"}, {"i", "*", "*"},     {"em", "*", "*"},
        {"cite", "*", "*"},  {"code", "`", "`"},     {"tt", "`", "`"},    {"kbd", "`", "`"},
        {"samp", "`", "`"},  {"del", "~~", "~~"},    {"s", "~~", "~~"},   {"strike", "~~", "~~"},
        {"br", " ", ""},     {"hr", "", ""},         {"p", "", ""},       {"div", "", ""},
        {"span", "", ""},    {"center", "", ""},     {"font", "", ""},    {"u", "", ""},
        {"small", "", ""},   {"big", "", ""},        {"sub", "", ""},     {"sup", "", ""},
        {"mark", "", ""},    {"ins", "", ""},        {"figure", "", ""},  {"figcaption", "", ""},
        {"details", "", ""}, {"summary", "", ""},    {"section", "", ""}, {"article", "", ""},
        {"aside", "", ""},   {"blockquote", "", ""}, {"picture", "", ""}, {"abbr", "", ""},
};

/* Tags that show another file. */
static const char *const shown[] = {"iframe", "video", "audio", "embed", "source", "object"};

static bool is_name(struct str s, const char *name)
{
	return s.n == strlen(name) && strncasecmp(s.p, name, s.n) == 0;
}

static bool is_any(struct str name, const char *const *list, size_t n)
{
	size_t i = 0;
	while (i < n && !is_name(name, list[i]))
		i++;
	return i < n;
}

/* name="value" or name=value among a tag's attributes; p == NULL: not there. */
static struct str attribute(struct str tag, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 1; i + n < tag.n; i++) {
		if (!strchr(" \t\"'", tag.p[i - 1]) || !is_name(str_sub(tag, i, i + n), name) ||
		    tag.p[i + n] != '=')
			continue;
		size_t from = i + n + 1;
		char quote = from < tag.n && strchr("\"'", tag.p[from]) ? tag.p[from++] : 0;
		size_t to = from;
		while (to < tag.n && (quote ? tag.p[to] != quote : !strchr(" \t>", tag.p[to])))
			to++;
		return str_sub(tag, from, to);
	}
	return (struct str){NULL, 0};
}

/* "/a/two-words.png?x" -> "two-words"; "picture" if nothing is left */
static struct str stem(struct str address)
{
	size_t end = 0, from;
	while (end < address.n && !strchr("?# \"", address.p[end]))
		end++;
	for (from = end; from > 0 && address.p[from - 1] != '/';)
		from--;
	struct str name = str_sub(address, from, end);
	name = str_sub(name, 0, str_find(name, '.', 0));
	for (size_t i = 0; i < name.n; i++)
		if (strchr("[]<>`*_\\$", name.p[i]))
			return STR("picture");
	return name.n ? name : STR("picture");
}

static bool elsewhere(struct str address)
{
	return str_starts(address, "http:") || str_starts(address, "https:") ||
	       str_starts(address, "//");
}

/* Writes a picture, or a link to it where it is on another site. */
static void put_picture(struct import_html *h, struct str alt, struct str src)
{
	bool far = elsewhere(src);
	if (!alt.n) {
		alt = stem(src);
		h->report->repaired[IMPORT_MADE_ALT]++;
	}
	if (far)
		import_report_note(h->report, IMPORT_PICTURE, h->path, h->line,
		                   "the picture '" STR_FMT "' is on another site: now a link",
		                   STR_ARG(src));
	sb_printf(h->to, "%s[" STR_FMT "](%s" STR_FMT ")", far ? "" : "!", STR_ARG(alt),
	          str_starts(src, "//") ? "https:" : "", STR_ARG(src));
}

static void put_shown(struct import_html *h, struct str tag, struct str name, bool closing)
{
	struct str src = attribute(tag, "src");
	if (closing)
		return;
	if (src.n)
		sb_printf(h->to, "[" STR_FMT "](%s" STR_FMT ")", STR_ARG(name),
		          str_starts(src, "//") ? "https:" : "", STR_ARG(src));
	import_report_note(h->report, IMPORT_EXCEPTION, h->path, h->line,
	                   "'" STR_FMT "' shows another file: now a link, if it has an address",
	                   STR_ARG(tag));
}

static void put_link(struct import_html *h, struct str tag, bool closing)
{
	struct str href = attribute(tag, "href");
	if (closing && h->href.n)
		sb_printf(h->to, "](" STR_FMT ")", STR_ARG(h->href));
	h->href = closing ? (struct str){NULL, 0} : href;
	if (!closing && href.n)
		sb_char(h->to, '[');
}

/* A tag from '<' to '>'. False: it is none that is known, so it is meant as text. */
static bool put_tag(struct import_html *h, struct str tag)
{
	bool closing = tag.p[1] == '/';
	size_t from = closing ? 2 : 1, n = from;
	while (n < tag.n && isalnum((unsigned char)tag.p[n]))
		n++;
	struct str name = str_sub(tag, from, n);
	h->report->repaired[IMPORT_MADE_TAG]++;
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (is_name(name, tags[i].name)) {
			sb_cstr(h->to, closing ? tags[i].close : tags[i].open);
			return true;
		}
	if (is_any(name, shown, ARRAY_LEN(shown)))
		put_shown(h, tag, name, closing);
	else if (is_name(name, "img"))
		put_picture(h, attribute(tag, "alt"), attribute(tag, "src"));
	else if (is_name(name, "a"))
		put_link(h, tag, closing);
	else if (is_name(name, "script") || is_name(name, "style"))
		h->until = closing ? NULL : is_name(name, "style") ? "</style>" : "</script>";
	else
		return false;
	if (h->until)
		import_report_note(h->report, IMPORT_EXCEPTION, h->path, h->line,
		                   "'" STR_FMT "' was left out with its content", STR_ARG(tag));
	return true;
}

/* '<' at i. Returns the position after what was taken. */
static size_t take_angle(struct import_html *h, struct str line, size_t i)
{
	struct str rest = str_sub(line, i, line.n);
	if (str_starts(rest, "<!--")) {
		h->report->repaired[IMPORT_MADE_COMMENT]++;
		h->until = "-->";
		return i + 4;
	}
	bool tag = rest.n > 1 && (isalpha((unsigned char)rest.p[1]) || rest.p[1] == '/');
	size_t end = tag ? str_find(rest, '>', 0) : rest.n;
	if (!tag) {
		sb_char(h->to, '<');
		return i + 1;
	}
	struct str whole = str_sub(rest, 0, end < rest.n ? end + 1 : rest.n);
	bool link = memchr(whole.p, ':', str_find(whole, ' ', 0)) || memchr(whole.p, '@', whole.n);
	if (link && !memchr(whole.p, ' ', whole.n)) {
		sb_str(h->to, whole);
		return i + whole.n;
	}
	if (put_tag(h, whole)) {
		if (end == rest.n)
			h->until = ">"; /* the tag goes on in the next line */
		return i + whole.n;
	}
	sb_cstr(h->to, "\\<");
	return i + 1;
}

/* "![" at i: "![" text "](" address … ")" . Returns the position after it, or i. */
static size_t take_picture(struct import_html *h, struct str line, size_t i)
{
	size_t close = str_find(line, ']', i), from = close + 2, end;
	if (from >= line.n || line.p[close + 1] != '(')
		return i;
	for (end = from; end < line.n && !strchr(" )", line.p[end]);)
		end++;
	struct str alt = str_trim(str_sub(line, i + 2, close)), src = str_sub(line, from, end);
	bool far = elsewhere(src);
	size_t paren = str_find(line, ')', end);
	if (paren >= line.n || (alt.n && !far))
		return i;
	if (far || end == paren) {
		put_picture(h, alt, src);
		return paren + 1;
	}
	sb_printf(h->to, "![" STR_FMT "](", STR_ARG(stem(src)));
	h->report->repaired[IMPORT_MADE_ALT]++;
	return from;
}

/* `code` at i. Returns its end, or the end of the opening backticks. */
static size_t take_code(struct str line, size_t i)
{
	size_t n = 0, run = 0;
	while (i + n < line.n && line.p[i + n] == '`')
		n++;
	for (size_t k = i + n; k < line.n; k++) {
		run = line.p[k] == '`' ? run + 1 : 0;
		if (run == n && (k + 1 == line.n || line.p[k + 1] != '`'))
			return k + 1;
	}
	return i + n;
}

/* Bytes of a character at i that no page may hold; 0: an allowed one. */
static size_t bad_character(struct str line, size_t i)
{
	uint32_t c;
	size_t n = 1;
	while (i + n < line.n && ((unsigned char)line.p[i + n] & 0xC0) == 0x80)
		n++;
	return html_bad_char(str_sub(line, i, i + n), &c) ? n : 0;
}

void importer_html_line(struct import_html *h, struct str line)
{
	for (size_t i = 0; i < line.n;) {
		size_t next = i;
		if (h->until) {
			size_t n = strlen(h->until);
			const char *end = memmem(line.p + i, line.n - i, h->until, n);
			if (!end)
				return;
			h->until = NULL;
			i = (size_t)(end - line.p) + n;
			continue;
		}
		if (line.p[i] == '`') {
			next = take_code(line, i);
			sb_str(h->to, str_sub(line, i, next));
		} else if (line.p[i] == '\\' && i + 1 < line.n) {
			next = i + 2;
			sb_str(h->to, str_sub(line, i, next));
		} else if (line.p[i] == '<') {
			next = take_angle(h, line, i);
		} else if (line.p[i] == '!' && i + 1 < line.n && line.p[i + 1] == '[') {
			next = take_picture(h, line, i);
		}
		if (next == i) {
			next = i + bad_character(line, i);
			if (next == i)
				sb_char(h->to, line.p[next++]);
		}
		i = next;
	}
}
