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
        {"b", "**", "**"},  {"strong", "**", "**"}, {"i", "*", "*"},    {"em", "*", "*"},
        {"cite", "*", "*"}, {"var", "*", "*"},      {"dfn", "*", "*"},  {"code", "`", "`"},
        {"tt", "`", "`"},   {"kbd", "`", "`"},      {"samp", "`", "`"}, {"del", "~~", "~~"},
        {"s", "~~", "~~"},  {"strike", "~~", "~~"}, {"br", " ", ""},    {"q", "“", "”"},
        {"rt", " (", ")"},
};

/* Tags without a counterpart: what they enclose stays. */
static const char *const dropped[] = {
        "hr",      "p",       "div",    "span",     "center", "font",    "u",        "small",
        "big",     "sub",     "sup",    "mark",     "ins",    "figure",  "details",  "figcaption",
        "summary", "section", "aside",  "picture",  "abbr",   "article", "noscript", "blockquote",
        "ruby",    "rb",      "table",  "thead",    "tbody",  "tfoot",   "tr",       "td",
        "th",      "caption", "col",    "colgroup", "ul",     "ol",      "li",       "dl",
        "dt",      "dd",      "pre",    "h1",       "h2",     "h3",      "h4",       "h5",
        "h6",      "main",    "header", "footer",   "nav",    "time",    "wbr",      "label",
        "button",  "address", "bdi",    "bdo",      "map",    "area",    "progress", "meter",
        "svg",     "form",    "math",   "canvas",   "input",  "select",  "option",   "textarea",
        "html",    "body",    "head",   "meta",     "link",   "nobr",    "track",    "fieldset",
        "legend",  "param",   "amp-img"};

/* Tags that show another file. */
static const char *const shown[] = {"iframe", "video", "audio", "embed", "source", "object"};

static bool is_any(struct str name, const char *const *list, size_t n)
{
	size_t i = 0;
	while (i < n && !importer_is_tag(name, list[i]))
		i++;
	return i < n;
}

/* "/a/two-words.png?x" -> "two-words"; "picture" if nothing is left */
struct str importer_stem(struct str address)
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
		alt = importer_stem(src);
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
	struct str src = importer_attribute(tag, "src");
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
	struct str href = importer_attribute(tag, "href");
	if (closing && h->href.n)
		sb_printf(h->to, "](" STR_FMT ")", STR_ARG(h->href));
	h->href = closing ? (struct str){NULL, 0} : href;
	if (!closing && href.n)
		sb_char(h->to, '[');
}

/* <sup> and <sub> as characters: of digits and signs; other content stays as it is. */
static bool put_raised(struct import_html *h, struct str name, struct str inside)
{
	static const char from[] = "0123456789+-=()n";
	static const char *const above[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷",
	                                    "⁸", "⁹", "⁺", "⁻", "⁼", "⁽", "⁾", "ⁿ"},
	                         *const below[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇",
	                                           "₈", "₉", "₊", "₋", "₌", "₍", "₎", "ₙ"};
	bool up = importer_is_tag(name, "sup");
	for (size_t i = 0; i < inside.n; i++)
		if (!strchr(from, inside.p[i]))
			return false;
	for (size_t i = 0; i < inside.n; i++) {
		size_t k = (size_t)(strchr(from, inside.p[i]) - from);
		sb_cstr(h->to, up ? above[k] : below[k]);
	}
	return true;
}

/* <Name prop="x">: what it encloses stays, and an address in it becomes a link. */
static void put_component(struct import_html *h, struct str tag, struct str name)
{
	static const char *const places[] = {"href", "url", "src", "link"};
	struct str to = {NULL, 0};
	if (tag.p[1] == '/')
		return;
	for (size_t i = 0; i < ARRAY_LEN(places) && !to.n; i++)
		to = importer_attribute(tag, places[i]);
	if (elsewhere(to) && html_url_allowed(to))
		sb_printf(h->to, "[" STR_FMT "](" STR_FMT ")", STR_ARG(name), STR_ARG(to));
	import_report_note(h->report, IMPORT_EXCEPTION, h->path, h->line,
	                   "'<" STR_FMT ">' is a component, which was left out; its content stays",
	                   STR_ARG(name));
}

/* A tag whose content is left out, too. */
static void skip_content(struct import_html *h, struct str tag, const char *until)
{
	if (tag.p[1] == '/' || tag.p[tag.n - 2] == '/')
		return;
	h->until = until;
	import_report_note(h->report, IMPORT_EXCEPTION, h->path, h->line,
	                   "'" STR_FMT "' was left out with its content", STR_ARG(tag));
}

/* A tag that only marks what it encloses. */
static bool put_mark(struct import_html *h, struct str name, bool closing)
{
	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (importer_is_tag(name, tags[i].name)) {
			sb_cstr(h->to, closing ? tags[i].close : tags[i].open);
			return true;
		}
	return is_any(name, dropped, ARRAY_LEN(dropped));
}

/* A tag from '<' to '>'. False: it is none that is known, so it is meant as text. */
static bool put_tag(struct import_html *h, struct str tag)
{
	bool closing = tag.p[1] == '/';
	struct str name = importer_tag_name(tag);
	if (put_mark(h, name, closing))
		;
	else if (is_any(name, shown, ARRAY_LEN(shown)))
		put_shown(h, tag, name, closing);
	else if (importer_is_tag(name, "img"))
		put_picture(h, importer_attribute(tag, "alt"), importer_attribute(tag, "src"));
	else if (importer_is_tag(name, "a"))
		put_link(h, tag, closing);
	else if (importer_is_tag(name, "script"))
		skip_content(h, tag, "</script>");
	else if (importer_is_tag(name, "style"))
		skip_content(h, tag, "</style>");
	else if (importer_is_tag(name, "rp"))
		h->until = closing ? NULL : "</rp>";
	else if (h->mdx && name.n && isupper((unsigned char)name.p[0]))
		put_component(h, tag, name);
	else
		return false;
	h->report->repaired[IMPORT_MADE_TAG]++;
	return true;
}

/* '<' at i. Returns the position after what was taken. */
static size_t take_angle(struct import_html *h, struct str line, size_t i)
{
	struct str rest = str_sub(line, i, line.n), inside;
	if (str_starts(rest, "<!--")) {
		h->report->repaired[IMPORT_MADE_COMMENT]++;
		h->until = "-->";
		return i + 4;
	}
	size_t end = importer_tag_end(line, i), close = str_find(rest, '>', 0);
	struct str whole = str_sub(rest, 0, close + 1);
	bool link = memchr(whole.p, ':', whole.n) || memchr(whole.p, '@', whole.n);
	if (link && close < rest.n && !memchr(whole.p, ' ', whole.n)) {
		bool allowed =
		        html_url_allowed(str_sub(whole, 1, close)) || !memchr(whole.p, ':', close);
		sb_str(h->to, allowed ? whole : str_sub(whole, 1, close));
		return i + whole.n;
	}
	whole = str_sub(line, i, end);
	struct str name = importer_tag_name(whole);
	if ((importer_is_tag(name, "sup") || importer_is_tag(name, "sub")) && whole.p[1] != '/' &&
	    (close = importer_element_end(line, i, &inside)) > i && put_raised(h, name, inside))
		return close;
	if (end > i && put_tag(h, whole))
		return end;
	bool tag = rest.n > 1 && (isalpha((unsigned char)rest.p[1]) || strchr("/!?", rest.p[1]));
	sb_cstr(h->to, tag ? "\\<" : "<");
	return i + 1;
}

/* "[^label]" at i that no line explains: a bracket of the text. Returns the position after "[". */
static size_t take_footnote(struct import_html *h, struct str line, size_t i)
{
	size_t close = str_find(line, ']', i);
	bool defines = i == 0 && close + 1 < line.n && line.p[close + 1] == ':';
	if (close >= line.n || (defines && !memchr(line.p, ' ', close)))
		return i;
	struct sb want = {0};
	sb_printf(&want, STR_FMT ":", STR_ARG(str_sub(line, i, close + 1)));
	const char *at = h->all.p, *end = h->all.p + h->all.n;
	while (at && (at = memmem(at, (size_t)(end - at), want.p, want.n)) && at > h->all.p &&
	       at[-1] != '\n' && at[-1] != ' ')
		at++;
	sb_free(&want);
	if (at && !memchr(line.p + i, ' ', close - i))
		return i;
	sb_cstr(h->to, "\\[");
	h->report->repaired[IMPORT_MADE_MARK]++;
	return i + 1;
}

/* "[@name]" at i, which no citation of ours is. Returns the position after "[". */
static size_t take_citation(struct import_html *h, struct str line, size_t i)
{
	size_t close = str_find(line, ']', i);
	bool inside = i > 0 && strchr("/[", line.p[i - 1]);
	if (!inside && close + 1 < line.n && strchr("([:", line.p[close + 1]))
		return i;
	sb_cstr(h->to, "\\[");
	h->report->repaired[IMPORT_MADE_MARK]++;
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
	sb_printf(h->to, "![" STR_FMT "](", STR_ARG(importer_stem(src)));
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
		} else if (line.p[i] == '[' && i + 1 < line.n && line.p[i + 1] == '^') {
			next = take_footnote(h, line, i);
		} else if (line.p[i] == '[' && i + 1 < line.n && line.p[i + 1] == '@') {
			next = take_citation(h, line, i);
		} else if (h->mdx && str_starts(str_sub(line, i, line.n), "{/*")) {
			h->until = "*/}";
			h->report->repaired[IMPORT_MADE_COMMENT]++;
			next = i + 3;
		}
		if (next == i) {
			next = i + bad_character(line, i);
			if (next == i)
				sb_char(h->to, line.p[next++]);
		}
		i = next;
	}
}
