/*
 * Translates shortcodes in bodies to Markdown. To add a shortcode, add a row: to
 * `blocks` if it has lines of its own, to `inlines` if it is inside a line.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/commands/importer.h"

enum { MOST_MARKERS = 12 }; /* of lists and quotes at the start of a line */

struct writer {
	struct sb *to;
	struct import_report *report;
	const char *path;
	struct arena *arena;
	int line;
	const char *quote; /* "> " inside a callout, else "" */
	bool fence;        /* in a code block */
	char fence_char;
	struct import_html html;
	bool made_fence; /* a shortcode opened the block; another one closes it */
	bool page;       /* all of it is HTML */
	bool html_block; /* a tag began these lines, whose indent means nothing */
	bool module;     /* in an import or export of MDX */
	struct import_variables variables;
};

/* --- shortcodes on lines of their own --- */

static void put_line(struct writer *w, const char *text)
{
	sb_cstr(w->to, w->quote);
	sb_cstr(w->to, text);
	sb_char(w->to, '\n');
}

static void open_fence(struct writer *w, struct str line);

static void code(struct writer *w, const struct import_shortcode *s)
{
	struct str lang = importer_argument(s->args, NULL);
	if (s->closing) {
		put_line(w, "```");
		w->fence = w->made_fence = false;
		return;
	}
	open_fence(w, str_of(arena_printf(w->arena, "```" STR_FMT,
	                                  STR_ARG(lang.p ? lang : STR("text")))));
	w->fence = w->made_fence = true;
	w->fence_char = '`';
}

static const char *callout_name(struct str s)
{
	static const struct {
		const char *theirs, *ours;
	} names[] = {{"tip", "TIP"},         {"hint", "TIP"},          {"success", "TIP"},
	             {"check", "TIP"},       {"done", "TIP"},          {"warning", "WARNING"},
	             {"warn", "WARNING"},    {"attention", "WARNING"}, {"danger", "CAUTION"},
	             {"caution", "CAUTION"}, {"error", "CAUTION"},     {"bug", "CAUTION"},
	             {"failure", "CAUTION"}, {"fail", "CAUTION"},      {"important", "IMPORTANT"}};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (s.n == strlen(names[i].theirs) && strncasecmp(s.p, names[i].theirs, s.n) == 0)
			return names[i].ours;
	return "NOTE";
}

static void callout(struct writer *w, const struct import_shortcode *s)
{
	struct str type = importer_argument(s->args, "type");
	if (s->closing) {
		w->quote = "";
		return;
	}
	if (!type.p)
		type = importer_argument(s->args, NULL);
	if (!type.p)
		type = s->name;
	w->quote = "> ";
	put_line(w, arena_printf(w->arena, "[!%s]", callout_name(type)));
}

static void figure(struct writer *w, const struct import_shortcode *s)
{
	struct str src = importer_argument(s->args, "src"), alt = importer_argument(s->args, "alt");
	struct str caption = importer_argument(s->args, "caption");
	if (!src.p)
		src = importer_argument(s->args, NULL);
	if (!src.p || s->closing)
		return;
	if (!alt.p)
		alt = caption;
	if (!alt.p) {
		alt = STR("picture");
		import_report_note(w->report, IMPORT_PICTURE, w->path, w->line,
		                   "the picture has no text for those who "
		                   "cannot see it: write one");
	}
	put_line(w, caption.p
	                    ? arena_printf(w->arena, "![" STR_FMT "](" STR_FMT " \"" STR_FMT "\")",
	                                   STR_ARG(alt), STR_ARG(src), STR_ARG(caption))
	                    : arena_printf(w->arena, "![" STR_FMT "](" STR_FMT ")", STR_ARG(alt),
	                                   STR_ARG(src)));
}

/* For shortcodes that only wrap: the lines between stay unchanged. */
static void nothing(struct writer *w, const struct import_shortcode *s)
{
	(void)w;
	(void)s;
}

static struct str first_argument(struct str args, const char *const *names, size_t n)
{
	struct str found = {NULL, 0};
	for (size_t i = 0; i < n && !found.n; i++)
		found = importer_argument(args, names[i]);
	return found;
}

/* A fold with its summary. */
static void folded(struct writer *w, const struct import_shortcode *s)
{
	static const char *const names[] = {"summary", "title", NULL};
	struct str summary = first_argument(s->args, names, ARRAY_LEN(names));
	if (s->closing) {
		w->quote = "";
		return;
	}
	w->quote = "> ";
	put_line(w, arena_printf(w->arena, "[!MORE] " STR_FMT,
	                         STR_ARG(summary.n ? summary : STR("More"))));
}

/* A file or a page that is shown elsewhere: a link. */
static void shown(struct writer *w, const struct import_shortcode *s)
{
	static const struct {
		const char *name, *before;
	} sites[] = {{"youtube", "https://www.youtube.com/watch?v="},
	             {"vimeo", "https://vimeo.com/"},
	             {"bilibili", "https://www.bilibili.com/video/"},
	             {"gist", "https://gist.github.com/"}};
	static const char *const names[] = {"id", "src", "url", NULL};
	struct str id = first_argument(s->args, names, ARRAY_LEN(names)), word = s->args;
	const char *before = "";
	if (!id.n || s->closing)
		return;
	for (size_t i = 0; i < ARRAY_LEN(sites) && !memchr(id.p, ':', id.n); i++)
		before = str_is(s->name, sites[i].name) ? sites[i].before : before;
	if (str_is(s->name, "gist") && str_cut(s->args, ' ', &word, &id))
		id = str_of(arena_printf(w->arena, STR_FMT "/" STR_FMT, STR_ARG(word),
		                         STR_ARG(str_sub(id, 0, str_find(id, ' ', 0)))));
	put_line(w, arena_printf(w->arena, "[" STR_FMT "](%s" STR_FMT ")", STR_ARG(s->name), before,
	                         STR_ARG(id)));
	import_report_note(w->report, IMPORT_EXCEPTION, w->path, w->line,
	                   "'" STR_FMT "' shows another file: now a link", STR_ARG(s->name));
}

/* Can its arguments stand in a link? */
static bool is_plain(struct str args)
{
	for (size_t i = 0; i < args.n; i++)
		if (strchr("<>()[]\\", args.p[i]))
			return false;
	return true;
}

static const struct {
	const char *name;
	void (*put)(struct writer *w, const struct import_shortcode *s);
} blocks[] = {
        {"highlight", code},     {"figure", figure},   {"image", figure},    {"img", figure},
        {"admonition", callout}, {"callout", callout}, {"alert", callout},   {"notice", callout},
        {"note", callout},       {"tip", callout},     {"warning", callout}, {"info", callout},
        {"danger", callout},     {"hint", callout},    {"raw", nothing},     {"details", folded},
        {"asset_img", figure},   {"youtube", shown},   {"vimeo", shown},     {"bilibili", shown},
        {"gist", shown},         {"video", shown},     {"audio", shown},     {"gallery", nothing},
        {"tabs", nothing},       {"tab", nothing},     {"center", nothing},  {"rawhtml", nothing},
        {"columns", nothing},    {"expand", folded},   {"collapse", folded}, {"comment", nothing},
};

/* {% include figure.html src="x.png" %}: a picture, if a key names one. */
static bool put_include(struct writer *w, const struct import_shortcode *s)
{
	static const char *const keys[] = {"src", "url", "image", "image_path", "path", "file"},
	                         *const ends[] = {".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"};
	struct str src = first_argument(s->args, keys, ARRAY_LEN(keys));
	for (size_t i = 0; str_is(s->name, "include") && i < ARRAY_LEN(ends); i++) {
		if (!str_ends(src, ends[i]))
			continue;
		struct import_shortcode picture = *s;
		picture.args = str_of(arena_printf(w->arena, "src=\"" STR_FMT "\" " STR_FMT,
		                                   STR_ARG(src), STR_ARG(s->args)));
		figure(w, &picture);
		return true;
	}
	return false;
}

/* Appends a word or a value as a placeholder takes it; false: it takes no such text. */
static bool put_value(struct sb *to, struct str key, struct str value)
{
	for (size_t i = 0; i < value.n; i++)
		if (strchr("\"|<>", value.p[i]))
			return false;
	sb_printf(to, " " STR_FMT "%s\"" STR_FMT "\"", STR_ARG(key), key.n ? "=" : "",
	          STR_ARG(value));
	return true;
}

/* a b="c", d -> ' "a" b="c" "d"' */
static bool put_arguments(struct sb *to, struct str args)
{
	size_t i = 0;
	while (i < args.n) {
		size_t from = i, end;
		while (i < args.n && importer_is_word(args.p[i]))
			i++;
		bool named = i < args.n && args.p[i] == '=' && i > from;
		struct str key = named ? str_sub(args, from, i) : STR("");
		i = named ? i + 1 : from;
		char quote = i < args.n && strchr("\"'`", args.p[i]) ? args.p[i++] : 0;
		for (end = i;
		     end < args.n && (quote ? args.p[end] != quote : !strchr(" ,", args.p[end]));)
			end++;
		if (end > i && !put_value(to, key, str_sub(args, i, end)))
			return false;
		for (i = end + (quote != 0); i < args.n && strchr(" ,", args.p[i]);)
			i++;
	}
	return true;
}

/* A shortcode that this site has becomes ours. */
static bool put_own(struct writer *w, const struct import_shortcode *s)
{
	struct sb to = {0};
	const char *file =
	        arena_printf(w->arena, "templates/shortcodes/" STR_FMT ".html", STR_ARG(s->name));
	bool ok = !s->closing && !memchr(s->name.p, '/', s->name.n) &&
	          importer_exists(w->report, file) && put_arguments(&to, s->args);
	if (ok)
		sb_printf(w->to, "%s\n%s<<bench:shortcode " STR_FMT STR_FMT ">>\n%s\n", w->quote,
		          w->quote, STR_ARG(s->name), STR_ARG(sb_view(&to)), w->quote);
	sb_free(&to);
	return ok;
}

static bool put_shortcode(struct writer *w, struct str text)
{
	struct import_shortcode s;
	if (!importer_shortcode(text, 0, &s) || s.start != 0 || s.end != text.n)
		return false;
	if (!w->made_fence && put_own(w, &s))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		if (str_is(s.name, blocks[i].name)) {
			if (blocks[i].put == shown && !is_plain(s.args))
				return false;
			blocks[i].put(w, &s);
			return true;
		}
	return put_include(w, &s);
}

/* A shortcode alone on its line, or alone in the line of a quote. */
static bool put_block(struct writer *w, struct str line)
{
	struct str text = str_trim(line), prefix = {text.p, 0};
	while (prefix.n < text.n && strchr("> ", text.p[prefix.n]))
		prefix.n++;
	if (!prefix.n || *w->quote || w->made_fence)
		return put_shortcode(w, text);
	w->quote = arena_printf(w->arena, STR_FMT, STR_ARG(prefix));
	const char *own = w->quote;
	bool ok = put_shortcode(w, str_sub(text, prefix.n, text.n));
	if (!ok || w->quote == own)
		w->quote = "";
	return ok;
}

/* --- shortcodes inside a line --- */

/* "2024-01-31-tiles" and "posts/tiles.md" -> "tiles" */
static struct str slug_of(struct str s)
{
	size_t from = s.n;
	while (from > 0 && s.p[from - 1] != '/')
		from--;
	s = str_sub(s, from, s.n);
	if (str_ends(s, ".md"))
		s.n -= 3;
	bool dated = s.n > 11 && s.p[4] == '-' && s.p[7] == '-' && s.p[10] == '-';
	return dated ? str_sub(s, 11, s.n) : s;
}

static bool put_inline(struct writer *w, const struct import_shortcode *s)
{
	static const char *const links[] = {"ref", "relref", "post_url", "link"};
	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		struct str to = slug_of(importer_argument(s->args, NULL));
		if (!str_is(s->name, links[i]) || !to.n)
			continue;
		sb_printf(w->to, "/posts/" STR_FMT "/", STR_ARG(to));
		return true;
	}
	return false;
}

static bool is_underline(struct str line)
{
	struct str text = str_trim(line);
	size_t n = 0;
	while (n < text.n && text.p[n] == '=')
		n++;
	return n > 0 && n == text.n;
}

/* A shortcode that is not known: text, in which no tag begins. */
static void put_unknown(struct writer *w, const struct import_shortcode *s, struct str text)
{
	for (size_t i = 0; i < text.n; i++) {
		sb_cstr(w->to, text.p[i] == '<' ? "\\" : "");
		sb_char(w->to, text.p[i]);
	}
	if (!s->closing)
		import_report_note(w->report, IMPORT_SHORTCODE, w->path, w->line,
		                   "'" STR_FMT "' is a shortcode that is not known here",
		                   STR_ARG(text));
}

static void put_shortcodes(struct writer *w, struct str line)
{
	struct import_shortcode s;
	size_t done = 0;
	while (!w->html.mdx && importer_shortcode(line, done, &s)) {
		importer_html_line(&w->html, str_sub(line, done, s.start));
		if (!put_inline(w, &s))
			put_unknown(w, &s, str_sub(line, s.start, s.end));
		done = s.end;
	}
	importer_html_line(&w->html, str_sub(line, done, line.n));
}

/* "> [!type] Title" -> our callout, and the title in bold. */
static bool put_callout(struct writer *w, struct str line)
{
	size_t open = str_find(line, '[', 0), close = str_find(line, ']', open);
	struct str before = str_trim(str_sub(line, 0, open)), title, type;
	bool quote = before.n && before.p[before.n - 1] == '>';
	if (!quote || close >= line.n || line.p[open + 1] != '!' || close - open < 3)
		return false;
	type = str_sub(line, open + 2, close);
	title = str_trim(str_sub(line, close + 1, line.n));
	if (title.n && strchr("+-", title.p[0]))
		title = str_trim(str_sub(title, 1, title.n));
	for (size_t i = 0; i < before.n; i++)
		if (!strchr("> ", before.p[i]))
			return false;
	for (size_t i = 0; i < type.n; i++)
		if (!importer_is_word(type.p[i]) || type.p[i] == '/')
			return false;
	sb_printf(w->to, STR_FMT " [!%s]\n", STR_ARG(before), callout_name(type));
	if (title.n) {
		sb_printf(w->to, "%s" STR_FMT " **", w->quote, STR_ARG(before));
		put_shortcodes(w, title);
		sb_printf(w->to, "**\n%s" STR_FMT "\n", w->quote, STR_ARG(before));
	}
	w->report->repaired[IMPORT_MADE_MARK] += title.n || !str_is(type, callout_name(type));
	return true;
}

/* The bytes of markers of quotes and lists at the start of a line, and how many they are. */
static size_t markers(struct str line, size_t *n)
{
	size_t i = 0, digits = 0;
	*n = 0;
	for (; i < line.n && strchr(" \t>-+*", line.p[i]); i++)
		*n += line.p[i] != ' ' && line.p[i] != '\t';
	while (i + digits < line.n && isdigit((unsigned char)line.p[i + digits]))
		digits++;
	if (digits && i + digits + 1 < line.n && strchr(".)", line.p[i + digits]) &&
	    line.p[i + digits + 1] == ' ') {
		*n += 1;
		i += digits + 2;
	}
	return i;
}

/* Appends a line of code. One that looks like many lists gets a space that begins none. */
static void put_code_line(struct writer *w, struct str line)
{
	size_t n, from = markers(line, &n), space = str_find(line, ' ', str_find(line, '-', 0));
	sb_cstr(w->to, w->quote);
	if (n > MOST_MARKERS && space < from) {
		sb_str(w->to, str_sub(line, 0, space));
		sb_cstr(w->to, NBSP);
		line = str_sub(line, space + 1, line.n);
		w->report->repaired[IMPORT_MADE_MARK]++;
	}
	sb_str(w->to, line);
	sb_char(w->to, '\n');
}

/* Does a line begin with the tag of a block? */
static bool begins_html(struct str line)
{
	static const char *const all[] = {"p",      "div",     "center",  "section", "article",
	                                  "header", "picture", "details", "aside",   "figure",
	                                  "table",  "summary", "main"};
	struct str text = str_trim(line);
	struct str name = importer_tag_name(text);
	bool found = false;
	for (size_t i = 0; text.n > 2 && text.p[0] == '<' && i < ARRAY_LEN(all); i++)
		found |= importer_is_tag(name, all[i]);
	return found;
}

/* Appends a line outside of code: headings start at level 2. */
static void put_prose(struct writer *w, struct str line)
{
	size_t n, from = markers(line, &n);
	sb_cstr(w->to, w->quote);
	if (is_underline(line)) { /* of a heading at level 1 */
		sb_cstr(w->to, "---\n");
		return;
	}
	w->html_block = w->page || (str_trim(line).n && (w->html_block || begins_html(line)));
	if (w->html_block && !n) {
		line = str_sub(line, from, line.n);
		from = 0;
	} else if (put_callout(w, line)) {
		return;
	}
	if (n > MOST_MARKERS) {
		sb_char(w->to, '\\');
		w->report->repaired[IMPORT_MADE_MARK]++;
	} else if (str_starts(str_sub(line, from, line.n), "# ")) {
		sb_str(w->to, str_sub(line, 0, from));
		sb_char(w->to, '#');
		line = str_sub(line, from, line.n);
	}
	put_shortcodes(w, line);
	sb_char(w->to, '\n');
}

static bool is_fence(struct str line, char *c)
{
	struct str text = str_trim(line);
	*c = text.n ? text.p[0] : 0;
	return importer_is_fence(text);
}

/* Appends the first line of a code block: its language alone. */
static void open_fence(struct writer *w, struct str line)
{
	struct str text = str_trim(line);
	size_t n = 0, end;
	while (n < text.n && text.p[n] == text.p[0])
		n++;
	for (end = n; end < text.n && !strchr(" {,:", text.p[end]);)
		end++;
	sb_cstr(w->to, w->quote);
	sb_str(w->to, str_sub(line, 0, (size_t)(text.p - line.p) + n));
	for (size_t i = n; i < end; i++)
		sb_char(w->to, (char)tolower((unsigned char)text.p[i]));
	sb_char(w->to, '\n');
}

/* A line of an import or an export of MDX, up to the next empty one. */
static bool is_module(struct writer *w, struct str line)
{
	bool begins = str_starts(line, "import ") || str_starts(line, "export ");
	if (w->module && !str_trim(line).n) {
		w->module = false;
		return false;
	}
	if (w->html.mdx && !w->module && begins && !w->fence) {
		w->module = true;
		w->report->repaired[IMPORT_MADE_MODULE]++;
	}
	return w->module;
}

/* The line without the marks of line breaks, which are counted. */
static struct str without_breaks(struct writer *w, struct str line, int *breaks)
{
	enum { BYTES = sizeof IMPORT_BREAK - 1 };
	struct sb to = {0};
	*breaks = 0;
	if (!memmem(line.p, line.n, IMPORT_BREAK, BYTES))
		return line;
	for (size_t i = 0; i < line.n;)
		if (str_starts(str_sub(line, i, line.n), IMPORT_BREAK)) {
			++*breaks;
			i += BYTES;
		} else {
			sb_char(&to, line.p[i++]);
		}
	struct str out = str_keep(w->arena, sb_view(&to));
	sb_free(&to);
	return out;
}

static void put_any(struct writer *w, struct str line)
{
	char c;
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (is_module(w, line))
		return;
	if (w->html.until) {
		put_prose(w, line);
		return;
	}
	if (!w->fence && !w->html.mdx)
		line = importer_variables(&w->variables, line, w->arena);
	if (w->made_fence ? put_block(w, line) : !w->fence && put_block(w, line))
		return;
	if (!w->made_fence && is_fence(line, &c) && (!w->fence || c == w->fence_char)) {
		w->fence = !w->fence;
		w->fence_char = c;
		if (w->fence) {
			open_fence(w, line);
			return;
		}
	} else if (!w->fence) {
		put_prose(w, line);
		return;
	}
	put_code_line(w, line);
}

/* Copies the code at the start of `body` that is code by its indent. */
static struct str put_indented(struct writer *w, struct str all, struct str body)
{
	size_t at = (size_t)(body.p - all.p), end = importer_skip_indented(all, at);
	bool code = !w->fence && !w->page && !w->html.until && !w->quote[0] && !w->module;
	if (!code || end == at)
		return body;
	struct str block = str_sub(all, at, end);
	sb_str(w->to, block);
	for (size_t i = 0; i < block.n; i++)
		w->line += block.p[i] == '\n';
	return str_sub(all, end, all.n);
}

/* Remembers where the lines come from that were written since `from`. */
static void keep_lines(const struct writer *w, size_t from, struct import_lines *lines)
{
	for (size_t i = from; lines && i < w->to->n; i++)
		if (w->to->p[i] == '\n') {
			lines->at = arena_grow(w->arena, lines->at, lines->n, &lines->cap,
			                       sizeof *lines->at);
			lines->at[lines->n++] = w->line;
		}
}

void importer_body(struct str body, const struct import_text *of, struct sb *to,
                   struct import_lines *lines)
{
	struct writer w = {
	        .to = to, .report = of->report, .path = of->path, .arena = of->arena, .quote = ""};
	struct str one, all = body;
	w.page = importer_is_html(of->path);
	w.html = (struct import_html){.to = to,
	                              .report = of->report,
	                              .path = of->path,
	                              .all = body,
	                              .mdx = str_ends(str_of(of->path), ".mdx")};
	for (w.line = of->line; body.n > 0; w.line++) {
		int breaks;
		size_t before = to->n;
		body = put_indented(&w, all, body);
		w.html.line = w.line;
		str_cut(body, '\n', &one, &body);
		put_any(&w, without_breaks(&w, one, &breaks));
		keep_lines(&w, before, lines);
		w.line += breaks;
	}
	if (w.fence)
		import_report_note(of->report, IMPORT_OTHER, of->path, w.line,
		                   "a code block is not closed");
}
