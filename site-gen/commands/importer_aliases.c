/*
 * Former addresses of imported posts, as aliases: no link to them breaks. An address that this site
 * has, or that another post took, is left out.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/commands/importer.h"

/* First parts of addresses that the generator makes itself. */
static const char *const own[] = {"posts",    "static",  "tags",    "numbers", "runs",    "kernels",
                                  "handbook", "waivers", "devices", "about",   "changes", "search",
                                  "paths",    "series",  "authors", "glossary"};

bool importer_is_here(const struct import_links *l, const char *path)
{
	struct import_report *r = l->report;
	struct arena *a = l->arena;
	struct str s = str_of(path);
	while (s.n && s.p[s.n - 1] == '/')
		s.n--;
	return path[0] == '/' &&
	       (s.n == 0 || (str_starts(s, "/static/") && importer_exists(r, path + 1)) ||
	        importer_exists(r, arena_printf(a, "content" STR_FMT ".md", STR_ARG(s))) ||
	        importer_exists(r, arena_printf(a, "content/pages" STR_FMT ".md", STR_ARG(s))));
}

/* "2014/12/12/name" -> "/2014/12/12/name/"; NULL: no such address can be an alias. */
static const char *address_of(const struct import_links *l, struct str theirs)
{
	struct arena *a = l->arena;
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789-_./";
	struct str s = str_trim(theirs), first;
	if (str_starts(s, "https://") || str_starts(s, "http://"))
		s = str_sub(s, str_find(s, '/', 8), s.n);
	while (s.n && s.p[0] == '/')
		s = str_sub(s, 1, s.n);
	bool ends = str_ends(s, ".html") || str_ends(s, "/");
	const char *path = arena_printf(a, "/" STR_FMT "%s", STR_ARG(s), ends ? "" : "/");
	if (str_ends(str_of(path), "/index.html"))
		path = arena_strndup(a, path, strlen(path) - strlen("index.html"));
	str_cut(str_sub(s, 0, s.n), '/', &first, &s);
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (str_is(first, own[i]) && !(i == 0 && s.n))
			return NULL;
	size_t n = strlen(path);
	bool fits = n > 2 && strspn(path, plain) == n && !strstr(path, "//") && !strstr(path, "/.");
	return fits && !importer_is_here(l, path) ? path : NULL;
}

static bool is_post(const struct import_links *l, const char *path)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(path, arena_printf(l->arena, "/posts/%s/", l->all[i].slug)) == 0)
			return true;
	return false;
}

static bool is_new(const struct import_aliases *all, const char *path)
{
	for (size_t i = 0; i < all->n; i++)
		if (strcmp(all->all[i], path) == 0)
			return false;
	return true;
}

struct str importer_aliases(const struct import_links *l, const struct import_place *p,
                            struct str text, struct import_aliases *all)
{
	static const char end[] = "---\n\n";
	struct sb to = {0};
	bool any = false;
	const char *at = memmem(text.p, text.n, end, strlen(end));
	size_t matter = at ? (size_t)(at - text.p) : 0;
	sb_str(&to, str_sub(text, 0, matter));
	for (size_t i = 0; at && i < p->naliases; i++) {
		const char *path = address_of(l, p->alias[i]);
		if (!path || is_post(l, path) || !is_new(all, path))
			continue;
		all->all = arena_grow(l->arena, all->all, all->n, &all->cap, sizeof *all->all);
		all->all[all->n++] = path;
		sb_printf(&to, "%s%s", any ? ", " : "aliases: [", path);
		any = true;
		l->report->repaired[IMPORT_MADE_ALIAS]++;
	}
	sb_cstr(&to, any ? "]\n" : "");
	sb_str(&to, str_sub(text, matter, text.n));
	struct str out = str_keep(l->arena, sb_view(&to));
	sb_free(&to);
	return out;
}
