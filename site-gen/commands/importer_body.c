/*
 * Translates shortcodes in bodies to Markdown. To add a shortcode, add a row: to
 * `blocks` if it has lines of its own, to `inlines` if it is inside a line.
 */
#include <ctype.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/commands/importer.h"

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
};

/* --- a shortcode: {{< name a b="c" >}}, {{% … %}}, {% name … %}, {{ name(a="b") }} --- */

struct shortcode {
	struct str name, args;
	bool closing;
	size_t start, end; /* byte positions in the line */
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '/';
}

static bool find_shortcode(struct str line, size_t from, struct shortcode *out)
{
	static const struct {
		const char *open, *close;
	} forms[] = {{"{{<", ">}}"}, {"{{%", "%}}"}, {"{%", "%}"}, {"{{", "}}"}};
	for (size_t i = from; i + 1 < line.n; i++)
		for (size_t k = 0; k < ARRAY_LEN(forms); k++) {
			struct str rest = str_sub(line, i, line.n);
			size_t open = strlen(forms[k].open), close = strlen(forms[k].close);
			if (!str_starts(rest, forms[k].open))
				continue;
			const char *end =
			        memmem(rest.p + open, rest.n - open, forms[k].close, close);
			if (!end)
				break;
			struct str in = str_trim(
			        (struct str){rest.p + open, (size_t)(end - rest.p) - open});
			size_t n = 0;
			while (n < in.n && is_name(in.p[n]))
				n++;
			*out = (struct shortcode){.name = str_sub(in, 0, n),
			                          .args = str_trim(str_sub(in, n, in.n)),
			                          .start = i,
			                          .end = i + (size_t)(end - rest.p) + close};
			out->closing = out->name.n && out->name.p[0] == '/';
			if (out->closing)
				out->name = str_trim(str_sub(in, 1, in.n));
			if (str_starts(out->name, "end") && out->name.n > 3) {
				out->closing = true;
				out->name = str_sub(out->name, 3, out->name.n);
			}
			if (out->args.n && out->args.p[0] == '(')
				out->args = str_trim(
				        str_sub(out->args, 1, str_find(out->args, ')', 0)));
			return out->name.n > 0;
		}
	return false;
}

/* The value of name= among arguments, or (name == NULL) the first plain word. */
static struct str argument(struct str args, const char *name)
{
	for (size_t i = 0; i < args.n;) {
		while (i < args.n && (args.p[i] == ' ' || args.p[i] == ','))
			i++;
		size_t from = i, eq, end;
		while (i < args.n && is_name(args.p[i]))
			i++;
		struct str key = str_sub(args, from, i);
		eq = i;
		while (eq < args.n && args.p[eq] == ' ')
			eq++;
		bool named = eq < args.n && args.p[eq] == '=' && key.n;
		i = named ? eq + 1 : from;
		while (i < args.n && (args.p[i] == ' ' || args.p[i] == ','))
			i++;
		char quote = i < args.n && strchr("\"'`", args.p[i]) ? args.p[i] : 0;
		from = i + (quote != 0);
		for (end = from;
		     end < args.n &&
		     (quote ? args.p[end] != quote : args.p[end] != ' ' && args.p[end] != ',');)
			end++;
		i = end + (quote != 0);
		if (named ? name && str_is(key, name) : !name && end > from)
			return str_sub(args, from, end);
		if (i <= from && end == from)
			i = from + 1;
	}
	return (struct str){NULL, 0};
}

/* --- shortcodes on lines of their own --- */

static void put_line(struct writer *w, const char *text)
{
	sb_cstr(w->to, w->quote);
	sb_cstr(w->to, text);
	sb_char(w->to, '\n');
}

static void open_fence(struct writer *w, struct str line);

static void code(struct writer *w, const struct shortcode *s)
{
	struct str lang = argument(s->args, NULL);
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
	} names[] = {{"tip", "TIP"},        {"info", "NOTE"},       {"note", "NOTE"},
	             {"hint", "TIP"},       {"warning", "WARNING"}, {"warn", "WARNING"},
	             {"danger", "CAUTION"}, {"caution", "CAUTION"}, {"important", "IMPORTANT"}};
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(s, names[i].theirs))
			return names[i].ours;
	return "NOTE";
}

static void callout(struct writer *w, const struct shortcode *s)
{
	struct str type = argument(s->args, "type");
	if (s->closing) {
		w->quote = "";
		return;
	}
	if (!type.p)
		type = argument(s->args, NULL);
	if (!type.p)
		type = s->name;
	w->quote = "> ";
	put_line(w, arena_printf(w->arena, "[!%s]", callout_name(type)));
}

static void figure(struct writer *w, const struct shortcode *s)
{
	struct str src = argument(s->args, "src"), alt = argument(s->args, "alt");
	struct str caption = argument(s->args, "caption");
	if (!src.p)
		src = argument(s->args, NULL);
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
static void nothing(struct writer *w, const struct shortcode *s)
{
	(void)w;
	(void)s;
}

static const struct {
	const char *name;
	void (*put)(struct writer *w, const struct shortcode *s);
} blocks[] = {
        {"highlight", code},     {"figure", figure},   {"image", figure},    {"img", figure},
        {"admonition", callout}, {"callout", callout}, {"alert", callout},   {"notice", callout},
        {"note", callout},       {"tip", callout},     {"warning", callout}, {"info", callout},
        {"danger", callout},     {"hint", callout},    {"raw", nothing},     {"details", nothing},
};

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
		while (i < args.n && is_name(args.p[i]))
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
static bool put_own(struct writer *w, const struct shortcode *s)
{
	struct sb to = {0};
	const char *file =
	        arena_printf(w->arena, "templates/shortcodes/" STR_FMT ".html", STR_ARG(s->name));
	bool ok = !s->closing && !memchr(s->name.p, '/', s->name.n) && file_exists(file) &&
	          put_arguments(&to, s->args);
	if (ok)
		sb_printf(w->to, "%s\n%s<<bench:shortcode " STR_FMT STR_FMT ">>\n%s\n", w->quote,
		          w->quote, STR_ARG(s->name), STR_ARG(sb_view(&to)), w->quote);
	sb_free(&to);
	return ok;
}

static bool put_block(struct writer *w, struct str line)
{
	struct shortcode s;
	struct str text = str_trim(line);
	if (!find_shortcode(text, 0, &s) || s.start != 0 || s.end != text.n)
		return false;
	if (!w->made_fence && put_own(w, &s))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++)
		if (str_is(s.name, blocks[i].name)) {
			blocks[i].put(w, &s);
			return true;
		}
	return false;
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

static bool put_inline(struct writer *w, const struct shortcode *s)
{
	static const char *const links[] = {"ref", "relref", "post_url", "link"};
	for (size_t i = 0; i < ARRAY_LEN(links); i++) {
		struct str to = slug_of(argument(s->args, NULL));
		if (!str_is(s->name, links[i]) || !to.n)
			continue;
		sb_printf(w->to, "/posts/" STR_FMT "/", STR_ARG(to));
		return true;
	}
	return false;
}

/* Appends text; translates Zola's links to its own files, @/posts/tiles.md. */
static void put_text(struct writer *w, struct str text)
{
	while (text.n > 0) {
		const char *at = memmem(text.p, text.n, "](@/", 4);
		size_t n = at ? (size_t)(at - text.p) : text.n, end;
		importer_html_line(&w->html, str_sub(text, 0, n));
		if (!at)
			return;
		text = str_sub(text, n + 4, text.n);
		end = str_find(text, ')', 0);
		sb_printf(w->to, "](/posts/" STR_FMT "/)", STR_ARG(slug_of(str_sub(text, 0, end))));
		text = str_sub(text, end + 1, text.n);
	}
}

static bool is_underline(struct str line)
{
	struct str text = str_trim(line);
	size_t n = 0;
	while (n < text.n && text.p[n] == '=')
		n++;
	return n > 0 && n == text.n;
}

/* Appends a line outside of code: headings start at level 2. */
static void put_prose(struct writer *w, struct str line)
{
	struct shortcode s;
	size_t done = 0;
	sb_cstr(w->to, w->quote);
	if (is_underline(line)) { /* of a heading at level 1 */
		sb_cstr(w->to, "---\n");
		return;
	}
	if (str_starts(line, "# "))
		sb_char(w->to, '#');
	while (find_shortcode(line, done, &s)) {
		put_text(w, str_sub(line, done, s.start));
		if (!put_inline(w, &s)) {
			sb_str(w->to, str_sub(line, s.start, s.end));
			import_report_note(w->report, IMPORT_SHORTCODE, w->path, w->line,
			                   "'" STR_FMT "' is a shortcode that is not known here",
			                   STR_ARG(str_sub(line, s.start, s.end)));
		}
		done = s.end;
	}
	put_text(w, str_sub(line, done, line.n));
	sb_char(w->to, '\n');
}

static bool is_fence(struct str line, char *c)
{
	struct str text = str_trim(line);
	*c = text.n ? text.p[0] : 0;
	return str_starts(text, "```") || str_starts(text, "~~~");
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
	struct str lang = str_sub(text, n, end);
	sb_cstr(w->to, w->quote);
	sb_str(w->to, str_sub(text, 0, n));
	sb_str(w->to, lang);
	sb_char(w->to, '\n');
}

static void put_any(struct writer *w, struct str line)
{
	char c;
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (w->html.until) {
		put_prose(w, line);
		return;
	}
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
	sb_cstr(w->to, w->quote);
	sb_str(w->to, line);
	sb_char(w->to, '\n');
}

void importer_body(struct str body, const char *path, int line, struct arena *a, struct sb *to,
                   struct import_report *r)
{
	struct writer w = {.to = to, .report = r, .path = path, .arena = a, .quote = ""};
	struct str one;
	w.html = (struct import_html){.to = to, .report = r, .path = path};
	for (w.line = line; body.n > 0; w.line++) {
		w.html.line = w.line;
		str_cut(body, '\n', &one, &body);
		put_any(&w, one);
	}
	if (w.fence)
		import_report_note(r, IMPORT_OTHER, path, w.line, "a code block is not closed");
}
