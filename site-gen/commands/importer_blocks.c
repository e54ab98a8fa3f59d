/*
 * HTML elements of a post that are blocks, as Markdown: tables, lists, code, headings, figures.
 * What has no counterpart is kept as folded code, and is noted. To translate another element, add a
 * row to `blocks`.
 */
#include <ctype.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/commands/importer.h"

enum { MOST_INDENT = 256, MOST_DEPTH = 12 };

/* --- texts --- */

/* The line of the source at p. */
static int line_at(const struct import_element *e, const char *p)
{
	int line = e->of.line;
	for (const char *k = e->base; k < p; k++)
		line += *k == '\n';
	return line;
}

/* Spaces before each line after the first. */
static size_t common_indent(struct str s)
{
	size_t least = MOST_INDENT;
	for (size_t i = str_find(s, '\n', 0); i < s.n; i = str_find(s, '\n', i + 1)) {
		size_t n = 0;
		while (i + 1 + n < s.n && strchr(" \t", s.p[i + 1 + n]))
			n++;
		bool empty = i + 1 + n == s.n || strchr("\r\n", s.p[i + 1 + n]);
		if (!empty && n < least)
			least = n;
	}
	return least;
}

/* The text without spaces that all its lines begin with. */
static struct str without_indent(struct str s, struct arena *a)
{
	size_t n = common_indent(s);
	struct sb to = {0};
	struct str line;
	for (bool first = true; s.n; first = false) {
		bool more = str_cut(s, '\n', &line, &s);
		if (!first)
			line = str_trim(line).n ? str_sub(line, n, line.n) : STR("");
		sb_str(&to, line);
		if (more)
			sb_char(&to, '\n');
	}
	struct str out = str_keep(a, sb_view(&to));
	sb_free(&to);
	return out;
}

struct str importer_markdown(const struct import_element *e, struct str inside)
{
	struct sb body = {0}, to = {0};
	struct arena *a = e->of.arena;
	struct import_text of = e->of;
	of.line = line_at(e, inside.p);
	e->marks->depth++;
	struct str marked = importer_blocks(without_indent(inside, a), &of, e->marks);
	e->marks->depth--;
	importer_body(marked, &of, &body, NULL);
	importer_tex_back(sb_view(&body), e->marks, &to);
	struct str out = str_keep(a, str_trim(sb_view(&to)));
	sb_free(&body);
	sb_free(&to);
	return out;
}

struct str importer_one_line(const struct import_element *e, struct str inside)
{
	struct str s = importer_markdown(e, inside), line;
	struct sb to = {0};
	while (s.n) {
		str_cut(s, '\n', &line, &s);
		line = str_trim(line);
		if (str_starts(line, "- ") && to.n)
			line = str_sub(line, 2, line.n);
		if (line.n)
			sb_printf(&to, "%s" STR_FMT, to.n ? " " : "", STR_ARG(line));
	}
	struct str out = str_keep(e->of.arena, sb_view(&to));
	sb_free(&to);
	return out;
}

/* Text without tags, entities decoded. */
static struct str plain(const struct import_element *e, struct str s)
{
	struct sb to = {0};
	for (size_t i = 0; i < s.n;) {
		size_t tag = importer_tag_end(s, i), n;
		char c;
		if (tag > i) {
			i = tag;
		} else if (s.p[i] == '&' && (n = html_entity(str_sub(s, i, s.n), &c))) {
			sb_char(&to, c);
			i += n;
		} else {
			sb_char(&to, s.p[i++]);
		}
	}
	struct sb back = {0};
	importer_tex_back(sb_view(&to), e->marks, &back);
	struct str out = str_keep(e->of.arena, sb_view(&back));
	sb_free(&to);
	sb_free(&back);
	return out;
}

/* Each line with a text before it; the first has `first` instead. */
static void put_prefixed(struct sb *to, struct str s, const char *first, const char *prefix)
{
	struct str line;
	for (bool any = false; s.n; any = true) {
		str_cut(s, '\n', &line, &s);
		bool bare = any && !line.n && strcmp(prefix, "> ") != 0;
		sb_printf(to, "%s" STR_FMT "\n", bare ? "" : any ? prefix : first, STR_ARG(line));
	}
}

void importer_note(const struct import_element *e, const char *what)
{
	import_report_note(e->of.report, IMPORT_EXCEPTION, e->of.path, line_at(e, e->whole.p),
	                   "'<" STR_FMT ">' %s", STR_ARG(importer_tag_name(e->tag)), what);
}

/* --- lists --- */

/* The next <li> of this list at or after `i`, not of one inside it; s.n: none. */
static size_t item_at(struct str s, size_t i)
{
	struct str inside;
	while (i < s.n) {
		size_t end = importer_tag_end(s, i);
		struct str tag = str_sub(s, i, end), name = importer_tag_name(tag);
		bool opens = end > i && tag.p[1] != '/';
		if (opens && importer_is_tag(name, "li"))
			return i;
		if (opens && (importer_is_tag(name, "ul") || importer_is_tag(name, "ol") ||
		              importer_is_tag(name, "pre"))) {
			size_t over = importer_element_end(s, i, &inside);
			i = over > i ? over : end;
		} else {
			i = end > i ? end : i + 1;
		}
	}
	return s.n;
}

static bool put_list(const struct import_element *e, struct sb *to)
{
	bool numbers = importer_is_tag(importer_tag_name(e->tag), "ol");
	struct str s = e->inside, start = importer_attribute(e->tag, "start");
	int64_t n = 1;
	if (!start.n || !str_i64(start, &n) || n < 0 || n > 9999)
		n = 1;
	for (size_t i = item_at(s, 0); i < s.n;) {
		size_t open = importer_tag_end(s, i), next = item_at(s, open);
		struct str text = importer_markdown(e, str_sub(s, open, next));
		const char *first = numbers ? arena_printf(e->of.arena, "%d. ", (int)n++) : "- ";
		char spaces[16] = "                ";
		spaces[strlen(first) < sizeof spaces ? strlen(first) : sizeof spaces - 1] = 0;
		put_prefixed(to, text.n ? text : STR("\n"), first, spaces);
		i = next;
	}
	return true;
}

/* <dl>: terms in bold, each before what it means. */
static bool put_terms(const struct import_element *e, struct sb *to)
{
	struct str s = e->inside, inside;
	for (size_t i = 0; i < s.n;) {
		size_t open = importer_tag_end(s, i), end;
		struct str name = importer_tag_name(str_sub(s, i, open));
		bool term = importer_is_tag(name, "dt");
		if (open == i || !(term || importer_is_tag(name, "dd")) ||
		    (end = importer_element_end(s, i, &inside)) == i) {
			i = open > i ? open : i + 1;
			continue;
		}
		struct str text =
		        term ? importer_one_line(e, inside) : importer_markdown(e, inside);
		sb_printf(to, "%s" STR_FMT "%s\n\n", term && text.n ? "**" : "", STR_ARG(text),
		          term && text.n ? "**" : "");
		i = end;
	}
	return true;
}

/* --- code --- */

/* "c" of class="language-c" */
static struct str language_of(struct str tag)
{
	struct str class = importer_attribute(tag, "class"), word;
	while (class.n) {
		str_cut(class, ' ', &word, &class);
		if (str_starts(word, "language-"))
			return str_sub(word, 9, word.n);
		if (str_starts(word, "lang-"))
			return str_sub(word, 5, word.n);
	}
	return importer_attribute(tag, "lang");
}

/* A fence that the code does not hold. */
static const char *fence_for(struct str code, struct arena *a)
{
	size_t most = 2, run = 0;
	for (size_t i = 0; i < code.n; i++) {
		run = code.p[i] == '`' ? run + 1 : 0;
		most = run > most ? run : most;
	}
	char *fence = arena_alloc(a, most + 2);
	memset(fence, '`', most + 1);
	fence[most + 1] = 0;
	return fence;
}

static void put_code(const struct import_element *e, struct str code, struct str lang,
                     struct sb *to)
{
	const char *fence = fence_for(code, e->of.arena);
	size_t from = 0, n = code.n;
	while (from < n && code.p[from] == '\n')
		from++;
	while (n > from && isspace((unsigned char)code.p[n - 1]))
		n--;
	sb_printf(to, "%s" STR_FMT "\n" STR_FMT "\n%s\n", fence,
	          STR_ARG(lang.n ? lang : STR("text")), STR_ARG(str_sub(code, from, n)), fence);
}

static bool put_pre(const struct import_element *e, struct sb *to)
{
	struct str lang = language_of(e->tag), s = str_trim(e->inside);
	size_t open = s.n ? importer_tag_end(s, 0) : 0;
	if (!lang.n && open)
		lang = language_of(str_sub(s, 0, open));
	for (size_t i = 0; i < lang.n; i++)
		if (!isalnum((unsigned char)lang.p[i]) && !strchr("+-#_", lang.p[i]))
			lang.n = 0;
	put_code(e, plain(e, e->inside), lang, to);
	return true;
}

/* --- other blocks --- */

static bool put_heading(const struct import_element *e, struct sb *to)
{
	struct str text = importer_one_line(e, e->inside);
	int level = importer_tag_name(e->tag).p[1] - '0';
	while (text.n && text.p[0] == '#')
		text = str_trim(str_sub(text, 1, text.n));
	if (text.n)
		sb_printf(to, "%.*s " STR_FMT "\n", level < 2 ? 2 : level, "######", STR_ARG(text));
	return true;
}

static bool put_quote(const struct import_element *e, struct sb *to)
{
	put_prefixed(to, importer_markdown(e, e->inside), "> ", "> ");
	return true;
}

/* A folded callout. */
static void put_folded(struct str summary, struct str body, struct sb *to)
{
	sb_printf(to, "> [!MORE] " STR_FMT "\n>\n", STR_ARG(summary));
	put_prefixed(to, body, "> ", "> ");
}

/* Plain words on one line. */
static struct str words(const struct import_element *e, struct str s)
{
	struct str text = plain(e, s);
	struct sb to = {0};
	for (size_t i = 0; i < text.n; i++)
		if (!strchr("*`_\\<>[]$", text.p[i]))
			sb_char(&to, isspace((unsigned char)text.p[i]) ? ' ' : text.p[i]);
	struct str out = str_keep(e->of.arena, str_trim(sb_view(&to)));
	sb_free(&to);
	return out;
}

static bool put_details(const struct import_element *e, struct sb *to)
{
	struct str rest = e->inside, inside = {0};
	size_t at = 0, end = 0;
	while (at < rest.n &&
	       !(importer_tag_end(rest, at) > at &&
	         importer_is_tag(importer_tag_name(str_sub(rest, at, rest.n)), "summary")))
		at++;
	if (at < rest.n)
		end = importer_element_end(rest, at, &inside);
	if (end > at)
		rest = str_sub(rest, end, rest.n);
	struct str summary = words(e, inside), body = importer_markdown(e, rest);
	if (body.n)
		put_folded(summary.n ? summary : STR("More"), body, to);
	return true;
}

/* The tag <img> in a text, if it is the only picture there. */
static struct str only_picture(struct str s)
{
	struct str found = {NULL, 0};
	for (size_t i = 0; i < s.n; i++) {
		size_t end = importer_tag_end(s, i);
		struct str tag = str_sub(s, i, end), name = importer_tag_name(tag);
		bool other = importer_is_tag(name, "iframe") || importer_is_tag(name, "video") ||
		             importer_is_tag(name, "svg") || importer_is_tag(name, "a");
		if (other || (importer_is_tag(name, "img") && found.n))
			return (struct str){NULL, 0};
		if (importer_is_tag(name, "img"))
			found = tag;
	}
	return found;
}

/* A figure of one picture becomes a picture with its caption; any other one its parts. */
static bool put_figure(const struct import_element *e, struct sb *to)
{
	struct str s = e->inside, caption = {NULL, 0}, img = only_picture(s);
	struct str src = importer_attribute(img, "src"), alt = importer_attribute(img, "alt");
	for (size_t i = 0; i < s.n; i++)
		if (importer_tag_end(s, i) > i &&
		    importer_is_tag(importer_tag_name(str_sub(s, i, s.n)), "figcaption"))
			importer_element_end(s, i, &caption);
	struct str text = words(e, caption);
	if (!src.n || !text.n || memchr(src.p, ' ', src.n) || memchr(text.p, '"', text.n)) {
		sb_printf(to, STR_FMT "\n", STR_ARG(importer_markdown(e, s)));
		return true;
	}
	struct sb picture = {0};
	struct import_text of = e->of;
	sb_printf(&picture, "![" STR_FMT "](" STR_FMT " \"" STR_FMT "\")\n",
	          STR_ARG(alt.n ? words(e, alt) : text), STR_ARG(src), STR_ARG(text));
	of.line = line_at(e, e->whole.p);
	importer_body(sb_view(&picture), &of, to, NULL);
	sb_free(&picture);
	return true;
}

/* What has no counterpart: its source, folded. */
static bool put_kept(const struct import_element *e, struct sb *to)
{
	struct sb code = {0};
	if (!str_trim(e->inside).n) {
		importer_note(e, "is empty and was left out");
		return true;
	}
	put_code(e, e->whole, STR("text"), &code);
	put_folded(STR("A part of the page that is HTML, as it was written"), sb_view(&code), to);
	sb_free(&code);
	importer_note(e, "has no counterpart: its source is kept, folded");
	return true;
}

static const struct {
	const char *name;
	bool (*put)(const struct import_element *e, struct sb *to);
} blocks[] = {
        {"table", importer_table}, {"ul", put_list},     {"ol", put_list},
        {"dl", put_terms},         {"pre", put_pre},     {"h1", put_heading},
        {"h2", put_heading},       {"h3", put_heading},  {"h4", put_heading},
        {"h5", put_heading},       {"h6", put_heading},  {"blockquote", put_quote},
        {"svg", put_kept},         {"form", put_kept},   {"details", put_details},
        {"math", put_kept},        {"canvas", put_kept}, {"figure", put_figure},
};

/* --- finding them --- */

/* Is the line at `i` part of a quote, whose lines a block could not continue? */
static bool in_quote(struct str s, size_t i)
{
	while (i > 0 && s.p[i - 1] != '\n')
		i--;
	while (i < s.n && s.p[i] == ' ')
		i++;
	return i < s.n && s.p[i] == '>';
}

static void put_breaks(struct sb *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\n')
			sb_cstr(to, IMPORT_BREAK);
}

/* A block at `i`. Returns its end; i: there is none. */
static size_t take_block(const struct import_element *base, struct str s, size_t i, struct sb *to)
{
	struct import_element e = *base;
	size_t k = 0, end;
	struct sb text = {0};
	e.tag = str_sub(s, i, importer_tag_end(s, i));
	while (k < ARRAY_LEN(blocks) && !importer_is_tag(importer_tag_name(e.tag), blocks[k].name))
		k++;
	if (!e.tag.n || e.tag.p[1] == '/' || k == ARRAY_LEN(blocks) || in_quote(s, i) ||
	    e.marks->depth > MOST_DEPTH || (end = importer_element_end(s, i, &e.inside)) == i)
		return i;
	e.whole = str_sub(s, i, end);
	sb_cstr(&text, "\n\n");
	blocks[k].put(&e, &text);
	sb_char(&text, '\n');
	e.of.report->repaired[IMPORT_MADE_BLOCK]++;
	importer_mark(e.marks, str_dup(e.of.arena, sb_view(&text)), e.of.arena, to);
	put_breaks(to, e.whole);
	sb_free(&text);
	return end;
}

/* A tag at `i` on one line. Returns its end; i: there is none. */
static size_t take_tag(struct str s, size_t i, struct sb *to)
{
	size_t end = importer_tag_end(s, i);
	struct str tag = str_sub(s, i, end);
	if (!memchr(tag.p, '\n', tag.n))
		return i;
	for (size_t k = 0; k < tag.n; k++)
		sb_char(to, strchr("\r\n\t", tag.p[k]) ? ' ' : tag.p[k]);
	put_breaks(to, tag);
	return end;
}

/* The end of a comment at `i`; i: there is none. */
static size_t comment_end(struct str s, size_t i)
{
	const char *end;
	if (!str_starts(str_sub(s, i, s.n), "<!--"))
		return i;
	end = memmem(s.p + i, s.n - i, "-->", 3);
	return end ? (size_t)(end - s.p) + 3 : s.n;
}

/* In a page of HTML: the tag of a paragraph at `i` parts two. Returns its end; i: there is none. */
static size_t take_paragraph(const struct import_element *base, struct str s, size_t i,
                             struct sb *to)
{
	static const char *const all[] = {"p", "div", "br", "center", "section", "article"};
	size_t end = importer_tag_end(s, i);
	struct str name = importer_tag_name(str_sub(s, i, end));
	for (size_t k = 0; end > i && k < ARRAY_LEN(all); k++)
		if (importer_is_tag(name, all[k])) {
			importer_mark(base->marks, "\n\n", base->of.arena, to);
			put_breaks(to, str_sub(s, i, end));
			return end;
		}
	return i;
}

/* In a page of HTML: appends a tag as it is, and text so that none of it is Markdown. */
static size_t put_plain(struct sb *to, struct str s, size_t i)
{
	size_t end = importer_tag_end(s, i);
	if (end > i) {
		sb_str(to, str_sub(s, i, end));
		return end;
	}
	if (strchr("*_`[]\\~#", s.p[i]))
		sb_char(to, '\\');
	sb_char(to, s.p[i]);
	return i + 1;
}

struct str importer_blocks(struct str s, const struct import_text *of, struct import_tex *marks)
{
	bool page = importer_is_html(of->path);
	const struct import_element base = {.of = *of, .marks = marks, .base = s.p};
	struct sb to = {0};
	for (size_t i = 0; i < s.n;) {
		size_t next = page ? i : importer_skip_code(s, i);
		if (next == i)
			next = comment_end(s, i);
		if (next == i && s.p[i] == '<') {
			next = take_block(&base, s, i, &to);
			if (page && next == i)
				next = take_paragraph(&base, s, i, &to);
			next = next > i ? next : take_tag(s, i, &to);
			if (next > i) {
				i = next;
				continue;
			}
		}
		if (page && next == i) {
			i = put_plain(&to, s, i);
			continue;
		}
		if (next == i)
			next = s.p[i] == '\\' && i + 1 < s.n ? i + 2 : i + 1;
		sb_str(&to, str_sub(s, i, next));
		i = next;
	}
	struct str out = str_keep(of->arena, sb_view(&to));
	sb_free(&to);
	return out;
}
