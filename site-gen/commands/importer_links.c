/*
 * Leads the links of imported posts to where their targets are now: posts by their address, files
 * by their place in the other generator's folders.
 */
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/base/problems.h"
#include "site-gen/commands/importer.h"
#include "site-gen/site/file_kind.h"

enum { MAX_FILE_BYTES = 64 << 20 };

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

/* The slug of the post that a path means, or NULL. */
static const char *post_of(const struct import_links *l, const char *path)
{
	struct sb slug = {0};
	const char *found = NULL;
	html_slug(&slug, name_of(path));
	for (size_t i = 0; slug.n && i < l->n && !found; i++) {
		struct sb own = {0};
		html_slug(&own, name_of(l->all[i].from));
		if (str_is(sb_view(&slug), l->all[i].slug) || str_eq(sb_view(&slug), sb_view(&own)))
			found = l->all[i].slug;
		sb_free(&own);
	}
	sb_free(&slug);
	return found;
}

/* --- files --- */

static bool is_file(const char *path, struct arena *a, struct str *bytes)
{
	struct err e = ERR_NONE;
	return file_kind_known(path, FILE_OF_POST) && file_exists(path) &&
	       file_read(path, MAX_FILE_BYTES, a, bytes, &e);
}

/* A file that the build would refuse stays away; the reason is noted. */
static bool is_sound(const struct import_links *l, const char *path, int line, const char *from)
{
	struct problems wrong = {.arena = l->arena};
	file_kind_check(path, FILE_OF_LOOK, NULL, l->arena, NULL, &wrong);
	if (problems_any(&wrong, false))
		import_report_note(l->report, IMPORT_LEFT_OUT, from, line, "left out: %s",
		                   wrong.first->text);
	return !problems_any(&wrong, false);
}

static const char *folder_of(const char *path, struct arena *a)
{
	const char *slash = strrchr(path, '/');
	return slash ? arena_strndup(a, path, (size_t)(slash - path)) : ".";
}

/* The file that a path means, with its bytes; NULL: none. */
static const char *file_of(const struct import_links *l, const struct import_place *of,
                           const char *path, struct str *bytes)
{
	struct arena *a = l->arena;
	const char *name = arena_printf(a, "%s/%s", folder_of(of->from, a), path);
	if (path[0] != '/' && is_file(name, a, bytes))
		return name;
	while (strncmp(path, "../", 3) == 0)
		path += 3;
	for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
		name = arena_printf(a, "%s/%s%s%s", l->site, roots[i], path[0] == '/' ? "" : "/",
		                    path);
		if (!strstr(path, "..") && is_file(name, a, bytes))
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
	char *name = arena_strdup(a, rest);
	for (char *p = name; *p; p++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./",
		            *p))
			*p = '-';
	return name;
}

/* Brings a file to static/; one of that name with other bytes gets a number before it. */
static bool bring(const struct import_links *l, const char *file, struct str bytes,
                  const char **url, struct err *e)
{
	const char *name = static_name(l, file);
	for (int n = 1;; n++) {
		const char *to = n == 1 ? arena_printf(l->arena, "static/%s", name)
		                        : arena_printf(l->arena, "static/%d/%s", n, name);
		struct err ignored = ERR_NONE;
		struct str there;
		*url = arena_printf(l->arena, "/%s", to);
		if (!file_exists(to)) {
			const char *folder = folder_of(to, l->arena);
			return l->dry_run || (file_mkdirs(folder, e) && file_write(to, bytes, e));
		}
		if (file_read(to, MAX_FILE_BYTES, l->arena, &there, &ignored) &&
		    str_eq(there, bytes))
			return true;
	}
}

/* --- a link --- */

struct link {
	size_t text, text_end; /* between its brackets */
	size_t url, url_end, end;
	bool picture;
};

/* "[" text "](" address … ")" at i, on one line or two. */
static bool link_at(struct str s, size_t i, struct link *out)
{
	int depth = 0;
	size_t from = i + (s.p[i] == '!'), k = from, parens = 0;
	if (from >= s.n || s.p[from] != '[')
		return false;
	for (; k < s.n; k++) {
		if (s.p[k] == '\n' && k + 1 < s.n && s.p[k + 1] == '\n')
			return false;
		if (s.p[k] == '\\')
			k++;
		else if (s.p[k] == '[')
			depth++;
		else if (s.p[k] == ']' && --depth == 0)
			break;
	}
	if (k + 1 >= s.n || s.p[k + 1] != '(')
		return false;
	*out = (struct link){.text = from + 1, .text_end = k, .picture = from > i, .url = k + 2};
	while (out->url < s.n && s.p[out->url] == ' ')
		out->url++;
	for (k = out->url; k < s.n && !strchr(" \n\t", s.p[k]); k++) {
		if (s.p[k] == ')' && parens == 0)
			break;
		parens += (s.p[k] == '(') - (s.p[k] == ')');
	}
	out->url_end = k;
	for (char quote = 0; k < s.n && (quote || s.p[k] != ')'); k++) {
		if (s.p[k] == '\n' && k + 1 < s.n && s.p[k + 1] == '\n')
			return false;
		if (quote ? s.p[k] == quote : s.p[k] == '"')
			quote = quote ? 0 : s.p[k];
	}
	out->end = k + 1;
	return k < s.n;
}

/* Does this site have a page or a file at the address? */
static bool is_here(const char *path, struct arena *a)
{
	struct str s = str_of(path);
	while (s.n && s.p[s.n - 1] == '/')
		s.n--;
	return path[0] == '/' &&
	       (s.n == 0 || (str_starts(s, "/static/") && file_exists(path + 1)) ||
	        file_exists(arena_printf(a, "content" STR_FMT ".md", STR_ARG(s))) ||
	        file_exists(arena_printf(a, "content/pages" STR_FMT ".md", STR_ARG(s))));
}

/* "#id" of the heading that an address "#…" of the same post means; NULL: none. */
static const char *heading_of(struct str text, struct str url, struct arena *a)
{
	struct str line;
	struct sb want = {0};
	const char *found = NULL;
	html_slug(&want, str_of(path_of(str_sub(url, 1, url.n), a)));
	while (text.n && want.n && !found) {
		struct sb id = {0};
		str_cut(text, '\n', &line, &text);
		if (!str_starts(line, "#"))
			continue;
		html_slug(&id, line);
		if (str_eq(sb_view(&id), sb_view(&want)))
			found = arena_printf(a, "#%s", str_dup(a, sb_view(&id)));
		sb_free(&id);
	}
	sb_free(&want);
	return found;
}

struct walk {
	const struct import_links *l;
	const struct import_place *of;
	struct str s;
	struct sb *to;
	int line;
};

/* Where a local address leads now; *url == NULL: nowhere. */
static bool resolve(const struct walk *w, struct str url, const char **now, struct err *e)
{
	struct arena *a = w->l->arena;
	const char *path = path_of(url, a), *slug, *file;
	struct str bytes;
	*now = NULL;
	if (url.n == 0 || url.p[0] == '#') {
		*now = heading_of(w->of->text, url, a);
		return true;
	}
	if (w->of->bundle && url.p[0] != '/' && !strchr(path, '/') &&
	    file_exists(arena_printf(a, "%s/%s", folder_of(w->of->from, a), path)) &&
	    file_kind_known(path, FILE_OF_POST)) {
		*now = path;
		return true;
	}
	if ((file = file_of(w->l, w->of, path, &bytes))) {
		if (!is_sound(w->l, file, w->line, w->of->from))
			return true;
		w->l->report->repaired[IMPORT_MADE_FILE]++;
		return bring(w->l, file, bytes, now, e);
	}
	if ((slug = post_of(w->l, path))) {
		*now = arena_printf(a, "/posts/%s/", slug); /* whose headings may have other ids */
		w->l->report->repaired[IMPORT_MADE_LINK] += !str_is(url, *now);
	} else if (is_here(path, a)) {
		*now = arena_strndup(a, url.p, url.n);
	}
	return true;
}

static bool put_text(const struct walk *w, struct str s, int line, struct err *e);

/* A link or a picture. What leads nowhere becomes its text. */
static bool put_link(const struct walk *w, const struct link *k, struct err *e)
{
	struct str s = w->s, url = str_sub(s, k->url, k->url_end);
	struct str text = str_sub(s, k->text, k->text_end);
	const char *now = NULL;
	bool kept = is_elsewhere(url);
	if (!kept && !resolve(w, url, &now, e))
		return false;
	if (!kept && !now)
		import_report_note(w->l->report, IMPORT_LINK, w->of->from, w->line,
		                   "'" STR_FMT "' leads nowhere here: now text", STR_ARG(url));
	bool link = kept || now;
	sb_cstr(w->to, !link ? "" : k->picture ? "![" : "[");
	if (k->picture)
		sb_str(w->to, text);
	else if (!put_text(w, text, w->line, e))
		return false;
	if (link) {
		sb_cstr(w->to, "](");
		if (kept)
			sb_str(w->to, url);
		else
			sb_cstr(w->to, now);
		sb_str(w->to, str_sub(s, k->url_end, k->end));
	}
	return true;
}

static bool put_text(const struct walk *of, struct str s, int line, struct err *e)
{
	struct walk w = *of;
	struct link k;
	w.s = s;
	w.line = line;
	for (size_t i = 0; i < s.n;) {
		size_t next = importer_skip_code(s, i);
		if (next == i && link_at(s, i, &k)) {
			next = k.end;
			if (!put_link(&w, &k, e))
				return false;
		} else {
			next = next > i ? next : s.p[i] == '\\' && i + 1 < s.n ? i + 2 : i + 1;
			sb_str(w.to, str_sub(s, i, next));
		}
		for (; i < next; i++)
			w.line += s.p[i] == '\n';
	}
	return true;
}

bool importer_links(const struct import_links *l, const struct import_place *of, struct str *text,
                    struct err *e)
{
	struct sb to = {0};
	struct walk w = {.l = l, .of = of, .to = &to};
	/* the front matter has no links */
	const char *end = memmem(of->text.p, of->text.n, "\n---\n", 5);
	size_t body = end ? (size_t)(end - of->text.p) + 5 : 0;
	sb_str(&to, str_sub(of->text, 0, body));
	bool ok = put_text(&w, str_sub(of->text, body, of->text.n), of->line - 1, e);
	*text = str_keep(l->arena, sb_view(&to));
	sb_free(&to);
	return ok;
}
