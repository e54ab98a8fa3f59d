/*
 * Leads the links of imported posts to where their targets are now: posts by their address, files
 * by their place in the other generator's folders.
 */
#include <string.h>
#include <strings.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/commands/importer.h"
#include "site-gen/site/file_kind.h"
#include "site-gen/site/svg.h"

/* Folders whose files other generators publish at "/". */
static const char *const roots[] = {"static", "public", "assets", "content", "source", "src", "."};

static bool is_elsewhere(struct str url)
{
	size_t colon = str_find(url, ':', 0);
	return str_starts(url, "//") || (colon < url.n && colon < str_find(url, '/', 0));
}

/* The path of an address: without query and fragment, %20 decoded. */
static const char *path_of(struct str url, struct arena *a)
{
	static const char hex[] = "0123456789abcdef";
	char *out = arena_alloc(a, url.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < url.n && !strchr("?#", url.p[i]); i++) {
		const char *hi = NULL, *lo = NULL;
		if (url.p[i] == '%' && i + 2 < url.n) {
			hi = memchr(hex, url.p[i + 1] | 0x20, 16);
			lo = memchr(hex, url.p[i + 2] | 0x20, 16);
		}
		bool escape = hi && lo && (hi != hex || lo != hex);
		out[n++] = escape ? (char)((hi - hex) * 16 + (lo - hex)) : url.p[i];
		i += escape ? 2 : 0;
	}
	out[n] = 0;
	return out;
}

/* --- posts --- */

/* The last name of a path without its ending and date: "/2020/01/02/tiles.html" -> "tiles". */
static struct str name_of(const char *path)
{
	struct str s = str_of(path);
	while (s.n && s.p[s.n - 1] == '/')
		s.n--;
	static const char *const ends[] = {".html", ".htm", ".mdx", ".md", ".markdown"};
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (str_ends(s, ends[i]))
			s.n -= strlen(ends[i]);
	if (str_ends(s, "/index"))
		s.n -= strlen("/index");
	size_t from = s.n;
	while (from > 0 && s.p[from - 1] != '/')
		from--;
	s = str_sub(s, from, s.n);
	bool dated = s.n > 11 && s.p[4] == '-' && s.p[7] == '-' && s.p[10] == '-';
	return dated ? str_sub(s, 11, s.n) : s;
}

/* The post that a path means, or NULL; one that is published before a draft. */
static const struct import_place *post_of(const struct import_links *l, const char *path)
{
	struct sb slug = {0};
	const struct import_place *found = NULL;
	html_slug(&slug, name_of(path));
	for (size_t i = 0; slug.n && i < l->n && (!found || found->draft); i++) {
		struct sb own = {0};
		html_slug(&own, name_of(l->all[i].from));
		bool same = str_is(sb_view(&slug), l->all[i].slug) ||
		            str_eq(sb_view(&slug), sb_view(&own));
		if (same && (!found || !l->all[i].draft))
			found = &l->all[i];
		sb_free(&own);
	}
	sb_free(&slug);
	return found;
}

/* --- files --- */

static bool is_file(const struct import_links *l, const char *path)
{
	return file_kind_known(path, FILE_OF_POST) && importer_exists(l->report, path);
}

static const char *folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');
	return slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

/* The file that a path means; NULL: none. */
static const char *file_of(const struct import_links *l, const struct import_place *of,
                           const char *path)
{
	struct arena *a = l->arena;
	const char *name = arena_printf(a, "%s/%s", folder_of(of->from, a), path);
	if (path[0] != '/' && is_file(l, name))
		return name;
	while (strncmp(path, "../", 3) == 0)
		path += 3;
	for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
		name = arena_printf(a, "%s/%s%s%s", l->site, roots[i], path[0] == '/' ? "" : "/",
		                    path);
		if (!strstr(path, "..") && is_file(l, name))
			return name;
	}
	return NULL;
}

/* An address below static/ in plain characters, from the file's path below the site. */
static const char *static_name(const struct import_links *l, const char *file)
{
	struct arena *a = l->arena;
	const char *rest = file + strlen(l->site), *up;
	while ((up = strstr(rest, "../")))
		rest = up + 3;
	rest += strspn(rest, "/.");
	for (size_t i = 0; i + 1 < ARRAY_LEN(roots); i++) {
		size_t n = strlen(roots[i]);
		if (strncmp(rest, roots[i], n) == 0 && rest[n] == '/') {
			rest += n + 1;
			break;
		}
	}
	return importer_plain_name(rest, a);
}

/* Brings a file to a folder; one of that name with other bytes gets a number before it. */
static bool bring(const struct import_links *l, const char *folder, const char *name,
                  struct str bytes, const char **to, struct err *e)
{
	for (int n = 1;; n++) {
		*to = n == 1 ? arena_printf(l->arena, "%s/%s", folder, name)
		             : arena_printf(l->arena, "%s/%d-%s", folder, n, name);
		struct err ignored = ERR_NONE;
		struct str there;
		if (!importer_exists(l->report, *to)) {
			const char *parent = folder_of(*to, l->arena);
			if (l->dry_run)
				return true;
			importer_wrote(l->report, *to, l->arena);
			return file_mkdirs(parent, e) && file_write(*to, bytes, e);
		}
		if (importer_read(l->report, *to, IMPORT_MAX_FILE_BYTES, l->arena, &there,
		                  &ignored) &&
		    str_eq(there, bytes))
			return true;
	}
}

/* --- a link --- */

struct link {
	size_t text, text_end; /* between its brackets */
	struct str url, rest;  /* rest: what follows the address, with ")" */
	size_t end;
	bool picture;
};

/* The ']' of the '[' at i; s.n: none in this paragraph. */
static size_t bracket_end(struct str s, size_t i)
{
	int depth = 0;
	for (size_t k = i; k < s.n; k++) {
		if (s.p[k] == '\n' && k + 1 < s.n && s.p[k + 1] == '\n')
			return s.n;
		if (s.p[k] == '\\')
			k++;
		else if (s.p[k] == '[')
			depth++;
		else if (s.p[k] == ']' && --depth == 0)
			return k;
	}
	return s.n;
}

/* "((https://x.example))" and "<a b>" -> what they enclose */
static struct str tidy(struct str url)
{
	static const char open[] = "(<[\"", close[] = ")>]\"";
	for (size_t k = 0; k + 1 < sizeof open; k++)
		if (url.n > 1 && url.p[0] == open[k])
			return str_sub(url, 1, url.n - (url.p[url.n - 1] == close[k]));
	return url;
}

/* "[" text "](" address … ")" at i, on one line or two. */
static bool link_at(struct str s, size_t i, struct link *out)
{
	size_t from = i + (s.p[i] == '!'), parens = 0;
	if (from >= s.n || s.p[from] != '[')
		return false;
	size_t k = bracket_end(s, from), url = k + 2, url_end;
	if (k + 1 >= s.n || s.p[k + 1] != '(')
		return false;
	*out = (struct link){.text = from + 1, .text_end = k, .picture = from > i};
	while (url < s.n && s.p[url] == ' ')
		url++;
	char angle = url < s.n && s.p[url] == '<' ? '>' : 0;
	for (k = url; k < s.n && (angle ? s.p[k] != '\n' : !strchr(" \n\t", s.p[k])); k++) {
		if ((angle && k > url && s.p[k - 1] == angle) || (s.p[k] == ')' && parens == 0))
			break;
		parens += (s.p[k] == '(') - (s.p[k] == ')');
	}
	url_end = k;
	for (char quote = 0; k < s.n && (quote || s.p[k] != ')'); k++) {
		if (s.p[k] == '\n' && k + 1 < s.n && s.p[k + 1] == '\n')
			return false;
		if (quote ? s.p[k] == quote : s.p[k] == '"')
			quote = quote ? 0 : s.p[k];
	}
	out->url = tidy(str_sub(s, url, url_end));
	out->end = k + 1;
	out->rest = str_sub(s, url_end, out->end);
	return k < s.n;
}

/* "[label]: address …" at i, the start of a line. The text is the label. */
static bool definition_at(struct str s, size_t i, struct link *out)
{
	size_t begin = i;
	while (begin > 0 && strchr(" >", s.p[begin - 1]))
		begin--;
	if ((begin > 0 && s.p[begin - 1] != '\n') || i - begin > 3 || s.p[i] != '[' ||
	    i + 1 >= s.n || s.p[i + 1] == '^')
		return false;
	size_t close = bracket_end(s, i), line = str_find(s, '\n', i), from = close + 2, end;
	if (from >= line || s.p[close + 1] != ':')
		return false;
	while (from < line && strchr(" \t", s.p[from]))
		from++;
	for (end = from; end < line && !strchr(" \t\r", s.p[end]);)
		end++;
	*out = (struct link){.text = i + 1,
	                     .text_end = close,
	                     .url = tidy(str_sub(s, from, end)),
	                     .rest = str_sub(s, end, line),
	                     .end = line};
	return end > from;
}

/* The address of a label; p == NULL: none is defined. */
static struct str defined(struct str all, struct str label)
{
	struct link k;
	for (size_t i = 0; label.n && i < all.n; i = str_find(all, '\n', i) + 1) {
		while (i < all.n && strchr(" >", all.p[i]))
			i++;
		if (i < all.n && definition_at(all, i, &k) && k.text_end - k.text == label.n &&
		    strncasecmp(all.p + k.text, label.p, label.n) == 0)
			return k.url;
	}
	return (struct str){NULL, 0};
}

/* "[" text "][" label "]" or "[" label "]" at i, whose label is defined in `all`. */
static bool reference_at(struct str s, size_t i, struct str all, struct link *out)
{
	size_t from = i + (s.p[i] == '!'), close, end;
	if (from >= s.n || s.p[from] != '[' || (from + 1 < s.n && s.p[from + 1] == '^') ||
	    (close = bracket_end(s, from)) >= s.n)
		return false;
	struct str text = str_sub(s, from + 1, close), label = text;
	end = close;
	if (close + 1 < s.n && s.p[close + 1] == '[' && (end = bracket_end(s, close + 1)) >= s.n)
		return false;
	if (end > close + 2)
		label = str_sub(s, close + 2, end);
	*out = (struct link){.text = from + 1,
	                     .text_end = close,
	                     .url = defined(all, label),
	                     .rest = STR(")"),
	                     .end = end + 1,
	                     .picture = from > i};
	return out->url.p;
}

/* A heading's words: without marks of code and bold text, links as their text. */
static struct str heading_words(struct str line, struct arena *a)
{
	struct sb to = {0};
	for (size_t i = 0; i < line.n; i++) {
		size_t close = line.p[i] == '[' ? bracket_end(line, i) : line.n;
		if (close + 1 < line.n && strchr("([", line.p[close + 1])) {
			sb_str(&to, str_sub(line, i + 1, close));
			i = str_find(line, line.p[close + 1] == '(' ? ')' : ']', close + 1);
		} else if (!strchr("`*\\", line.p[i])) {
			sb_char(&to, line.p[i]);
		}
	}
	struct str out = str_keep(a, sb_view(&to));
	sb_free(&to);
	return out;
}

/* "#id" of the heading that an address "#…" of the same post means; NULL: none. */
static const char *heading_of(struct str text, struct str url, struct arena *a)
{
	struct str line;
	struct sb want = {0};
	const char *found = NULL;
	html_slug(&want, str_of(path_of(str_sub(url, 1, url.n), a)));
	while (text.n && want.n && !found) {
		struct sb id = {0}, raw = {0};
		str_cut(text, '\n', &line, &text);
		if (!str_starts(line, "#"))
			continue;
		html_slug(&raw, line);
		html_slug(&id, heading_words(line, a));
		if (str_eq(sb_view(&id), sb_view(&want)) || str_eq(sb_view(&raw), sb_view(&want)))
			found = arena_printf(a, "#%s", str_dup(a, sb_view(&id)));
		sb_free(&id);
		sb_free(&raw);
	}
	sb_free(&want);
	return found;
}

struct walk {
	const struct import_links *l;
	const struct import_place *of;
	struct str s, all; /* all: the post's whole text, with what its labels mean */
	struct sb *to;
	size_t line; /* of the body here */
};

/* The line of the source that the link comes from. */
static int source_line(const struct walk *w)
{
	const struct import_lines *l = &w->of->lines;
	return l->n ? l->at[w->line < l->n ? w->line : l->n - 1] : 1;
}

/* A file: where it is now; *now == NULL: nowhere, which is noted. */
static bool resolve_file(const struct walk *w, const char *file, const char **now, struct err *e)
{
	struct arena *a = w->l->arena;
	struct import_file f;
	const char *to;
	bool beside = importer_is_drawing(file) && w->of->folder;
	if (!importer_file(w->l, file, w->of->from, source_line(w), beside, &f))
		return true;
	w->l->report->repaired[IMPORT_MADE_FILE]++;
	const char *folder = beside ? arena_printf(a, "%s/%s", w->l->to, w->of->slug) : "static";
	const char *name = beside ? f.name : importer_name_for(static_name(w->l, file), f.bytes, a);
	bool ok = bring(w->l, folder, name, f.bytes, &to, e);
	*now = beside ? importer_base(to) : arena_printf(a, "/%s", to);
	return ok;
}

/* The name here of a file beside the post's source; NULL: there is none. */
static const char *beside_of(const struct walk *w, const char *path)
{
	struct arena *a = w->l->arena;
	const char *from = folder_of(w->of->from, a), *name;
	struct str bytes;
	struct err e = ERR_NONE;
	while (strncmp(path, "./", 2) == 0)
		path += 2;
	if (!w->of->bundle || strchr(path, '/') || !file_kind_known(path, FILE_OF_POST) ||
	    !importer_exists(w->l->report, arena_printf(a, "%s/%s", from, path)) ||
	    !importer_read(w->l->report, arena_printf(a, "%s/%s", from, path),
	                   IMPORT_MAX_FILE_BYTES, a, &bytes, &e))
		return NULL;
	name = importer_name_for(path, bytes, a);
	bool there = importer_exists(w->l->report,
	                             arena_printf(a, "%s/%s/%s", w->l->to, w->of->slug, name));
	return there || w->l->dry_run ? name : NULL;
}

/* Where a local address leads now; *now == NULL: nowhere. */
static bool resolve(const struct walk *w, struct str url, const char **now, struct err *e)
{
	struct arena *a = w->l->arena;
	const char *path = path_of(url, a), *file;
	const struct import_place *post;
	*now = NULL;
	if (url.n == 0 || url.p[0] == '#') {
		*now = heading_of(w->of->text, url, a);
		return true;
	}
	if ((*now = beside_of(w, path)))
		return true;
	if ((file = file_of(w->l, w->of, path)))
		return resolve_file(w, file, now, e);
	if ((post = post_of(w->l, path))) {
		if (post->draft)
			return true; /* which is not published */
		/* its headings may have other ids */
		*now = arena_printf(a, "/posts/%s/", post->slug);
		w->l->report->repaired[IMPORT_MADE_LINK] += !str_is(url, *now);
	} else if (importer_is_here(w->l, path)) {
		*now = arena_strndup(a, url.p, url.n);
	}
	return true;
}

/* Where any address leads now; *now == NULL: nowhere, which is noted. */
static bool lead(const struct walk *w, struct str url, const char **now, struct err *e)
{
	*now = NULL;
	if (!is_elsewhere(url)) {
		if (!resolve(w, url, now, e))
			return false;
	} else if (html_url_allowed(url) || str_starts(url, "//")) {
		*now = arena_printf(w->l->arena, "%s" STR_FMT,
		                    str_starts(url, "//") ? "https:" : "", STR_ARG(url));
	}
	if (!*now)
		import_report_note(w->l->report, IMPORT_LINK, w->of->from, source_line(w),
		                   "'" STR_FMT "' leads nowhere here: now text", STR_ARG(url));
	return true;
}

static bool put_text(const struct walk *w, struct str s, size_t line, struct err *e);

/* The text of a link, which needs one: its address, or a picture's name. */
static bool put_words(const struct walk *w, const struct link *k, struct err *e)
{
	struct str text = str_sub(w->s, k->text, k->text_end);
	size_t before = w->to->n;
	if (k->picture)
		sb_str(w->to, str_trim(text).n ? text : importer_stem(k->url));
	else if (!put_text(w, text, w->line, e))
		return false;
	if (!str_trim(str_sub(sb_view(w->to), before, w->to->n)).n) {
		sb_str(w->to, k->url);
		w->l->report->repaired[IMPORT_MADE_ADDRESS]++;
	}
	return true;
}

/* A link or a picture. What leads nowhere becomes its text. */
static bool put_link(const struct walk *w, const struct link *k, struct err *e)
{
	const char *now;
	if (!lead(w, k->url, &now, e))
		return false;
	bool far = now && is_elsewhere(str_of(now));
	if (far && k->picture)
		import_report_note(w->l->report, IMPORT_PICTURE, w->of->from, source_line(w),
		                   "the picture '%s' is on another site: now a link", now);
	sb_cstr(w->to, !now ? "" : k->picture && !far ? "![" : "[");
	if (!put_words(w, k, e))
		return false;
	if (now) {
		sb_printf(w->to, "](%s", now);
		sb_str(w->to, k->rest);
	}
	return true;
}

/* "[label]: address"; without an address here, nothing: its links become text. */
static bool put_definition(const struct walk *w, const struct link *k, struct err *e)
{
	const char *now;
	if (!lead(w, k->url, &now, e))
		return false;
	if (now)
		sb_printf(w->to, "[" STR_FMT "]: %s" STR_FMT,
		          STR_ARG(str_sub(w->s, k->text, k->text_end)), now, STR_ARG(k->rest));
	return true;
}

/* Does a reference need to be written in another form: a picture, or one that leads nowhere? */
static bool needs_form(const struct walk *w, const struct link *k)
{
	struct err e = ERR_NONE;
	const char *now = NULL;
	struct import_report quiet = {0};
	struct import_links l = *w->l;
	struct walk silent = *w;
	l.report = &quiet;
	silent.l = &l;
	bool ok = lead(&silent, k->url, &now, &e);
	sb_free(&quiet.text);
	return k->picture || !ok || !now;
}

/* A link of any form at i. Returns its end; i: there is none. */
static bool take_link(struct walk *w, size_t i, size_t *next, struct err *e)
{
	struct link k;
	*next = i;
	if (link_at(w->s, i, &k)) {
		*next = k.end;
		return put_link(w, &k, e);
	}
	if (definition_at(w->s, i, &k)) {
		*next = k.end;
		return put_definition(w, &k, e);
	}
	if (reference_at(w->s, i, w->all, &k) && needs_form(w, &k)) {
		*next = k.end;
		return put_link(w, &k, e);
	}
	return true;
}

static bool put_text(const struct walk *of, struct str s, size_t line, struct err *e)
{
	struct walk w = *of;
	w.s = s;
	w.line = line;
	for (size_t i = 0; i < s.n;) {
		size_t next = importer_skip_code(s, i);
		if (next == i && strchr("[!", s.p[i]) && !take_link(&w, i, &next, e))
			return false;
		if (next == i || importer_skip_code(s, i) > i) {
			next = next > i ? next : s.p[i] == '\\' && i + 1 < s.n ? i + 2 : i + 1;
			sb_str(w.to, str_sub(s, i, next));
		}
		for (; i < next; i++)
			w.line += s.p[i] == '\n';
	}
	return true;
}

/* A drawing with typed numbers stands beside its post, where a waiver may excuse them. */
bool importer_needs_folder(const struct import_links *l, const struct import_place *of)
{
	struct str s = of->text, bytes;
	for (size_t i = 0; i + 4 < s.n; i++) {
		struct svg_said said;
		struct err e = ERR_NONE;
		size_t from = i;
		if (!str_starts(str_sub(s, i, s.n), ".svg"))
			continue;
		while (from > 0 && !strchr("( \n<\"'", s.p[from - 1]))
			from--;
		const char *file = file_of(l, of, path_of(str_sub(s, from, i + 4), l->arena));
		if (file &&
		    importer_read(l->report, file, IMPORT_MAX_FILE_BYTES, l->arena, &bytes, &e) &&
		    svg_check(importer_svg(bytes, l->arena), file, l->lint, "", l->arena, &said,
		              &e) &&
		    said.found)
			return true;
	}
	return false;
}

bool importer_links(const struct import_links *l, const struct import_place *of, struct str *text,
                    struct err *e)
{
	struct sb to = {0};
	struct walk w = {.l = l, .of = of, .to = &to, .all = of->text};
	/* the front matter has no links */
	const char *end = memmem(of->text.p, of->text.n, "\n---\n\n", 6);
	size_t body = end ? (size_t)(end - of->text.p) + 6 : 0;
	sb_str(&to, str_sub(of->text, 0, body));
	bool ok = put_text(&w, str_sub(of->text, body, of->text.n), 0, e);
	*text = str_keep(l->arena, sb_view(&to));
	sb_free(&to);
	return ok;
}
