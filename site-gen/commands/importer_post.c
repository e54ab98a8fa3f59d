/*
 * Translates a post of another generator. To translate another key, add a row to
 * `keys`.
 */
#include "site-gen/commands/importer.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/array.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"

enum { MAX_TAGS = 16, MAX_ALIASES = 32 };

/* Front matter of other generators' posts, under their names. */
struct theirs {
	struct str title, description, date, updated, slug, category, author, series, draft,
	        language;
	const struct import_field *tags, *categories;
	bool placed;                   /* an address of its own, beside former ones */
	struct str alias[MAX_ALIASES]; /* former addresses, as they wrote them */
	size_t naliases;
};

#define TO(member) offsetof(struct theirs, member)
static const struct {
	const char *name;
	size_t to; /* offset of a member of struct theirs */
} keys[] = {
        {"title", TO(title)},
        {"description", TO(description)},
        {"summary", TO(description)},
        {"excerpt", TO(description)},
        {"subtitle", TO(description)},
        {"date", TO(date)},
        {"pubDatetime", TO(date)},
        {"pubDate", TO(date)},
        {"publishDate", TO(date)},
        {"publishedDate", TO(date)},
        {"published", TO(date)},
        {"publishedAt", TO(date)},
        {"published_at", TO(date)},
        {"datePublished", TO(date)},
        {"created", TO(date)},
        {"createdAt", TO(date)},
        {"extra.date", TO(date)},
        {"updated", TO(updated)},
        {"lastmod", TO(updated)},
        {"modDatetime", TO(updated)},
        {"modified", TO(updated)},
        {"updatedDate", TO(updated)},
        {"updatedAt", TO(updated)},
        {"dateModified", TO(updated)},
        {"last_modified_at", TO(updated)},
        {"extra.updated", TO(updated)},
        {"slug", TO(slug)},
        {"postSlug", TO(slug)},
        {"categories", TO(category)},
        {"category", TO(category)},
        {"taxonomies.categories", TO(category)},
        {"author", TO(author)},
        {"authors", TO(author)},
        {"taxonomies.authors", TO(author)},
        {"extra.author", TO(author)},
        {"extra.authors", TO(author)},
        {"series", TO(series)},
        {"taxonomies.series", TO(series)},
        {"draft", TO(draft)},
        {"lang", TO(language)},
        {"language", TO(language)},
        {"locale", TO(language)},
};

/* Keys with former addresses, or the address of the other generator. */
static const char *const addresses[] = {"aliases", "alias",     "redirect_from", "url",
                                        "path",    "permalink", "extra.path"};

/* Hugo reads keys without case. */
static bool is_key(struct str name, const char *key)
{
	return name.n == strlen(key) && strncasecmp(name.p, key, name.n) == 0;
}

/* Known keys that have no use here. */
static const char *const ignored[] = {
        "layout",     "weight",       "toc",          "featured",  "comments",       "math",
        "katex",      "template",     "type",         "extra.toc", "image",          "cover",
        "ogImage",    "heroImage",    "hero_image",   "mathjax",   "tables",         "abbrlink",
        "copyright",  "social_image", "banner_image", "thumbnail", "featured_image", "coverImage",
        "showToc",    "hidden",       "pin",          "comment",   "cover_image",    "cssclass",
        "extra.math", "extra.katex",  "robots",       "sitemap",   "disqus"};

static bool is_among(struct str name, const char *const *list, size_t n)
{
	size_t i = 0;
	while (i < n && !is_key(name, list[i]))
		i++;
	return i < n;
}

static bool is_tags(struct str name)
{
	return is_key(name, "tags") || is_key(name, "taxonomies.tags") || is_key(name, "keywords");
}

static void add_addresses(struct theirs *t, const struct import_field *f)
{
	for (size_t i = 0; i < f->nvalues && t->naliases < MAX_ALIASES; i++)
		t->alias[t->naliases++] = f->value[i];
}

/* A key that is left out: the first one of a name is noted, the others are counted. */
static void leave_out(const struct import_field *f, const char *path, struct arena *a,
                      struct import_report *r)
{
	for (size_t i = 0; i < r->nkeys; i++)
		if (str_eq(r->key[i].name, f->name)) {
			r->key[i].n++;
			return;
		}
	r->key = arena_grow(a, r->key, r->nkeys, &r->keys_cap, sizeof *r->key);
	r->key[r->nkeys++] = (struct import_key){str_keep(a, f->name), 1};
	import_report_note(r, IMPORT_FRONT, path, f->line,
	                   "front matter '" STR_FMT "' has no counterpart here and was left out",
	                   STR_ARG(f->name));
}

static struct theirs sort_out(const struct import_front *f, const char *path, struct arena *a,
                              struct import_report *r)
{
	struct theirs t = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct import_field *field = &f->field[i];
		size_t k = 0;
		while (k < ARRAY_LEN(keys) && !is_key(field->name, keys[k].name))
			k++;
		bool tags = is_tags(field->name), key = k < ARRAY_LEN(keys);
		if (tags && !field->map) {
			t.tags = field;
		} else if (key && !field->map) {
			struct str *to = (struct str *)((char *)&t + keys[k].to);
			if (!to->n && field->nvalues)
				*to = field->value[0];
			if (to == &t.category)
				t.categories = field;
		} else if (is_among(field->name, addresses, ARRAY_LEN(addresses))) {
			add_addresses(&t, field);
			t.placed = t.placed || is_among(field->name, &addresses[3], 4);
		} else if (!is_among(field->name, ignored, ARRAY_LEN(ignored))) {
			leave_out(field, path, a, r);
		}
	}
	return t;
}

/* --- from the file's name --- */

static struct str base_name(struct str path)
{
	size_t from = path.n;
	while (from > 0 && path.p[from - 1] != '/')
		from--;
	return str_sub(path, from, path.n);
}

/* "posts/tiles/index.md" and "_posts/2024-01-31-tiles.markdown" -> "tiles", "2024-01-31-tiles" */
static struct str stem_of(const char *path)
{
	struct str s = str_of(path), name = base_name(s);
	if (str_starts(name, "index.") || str_starts(name, "index-"))
		name = base_name(str_sub(s, 0, s.n - name.n - 1));
	return str_sub(name, 0, str_find(name, '.', 0));
}

struct str importer_without_date(struct str stem)
{
	enum { DATE = 10 };
	char date[DATE + 1] = "";
	if (stem.n > DATE + 1 && stem.p[DATE] == '-')
		memcpy(date, stem.p, DATE);
	return *date && !front_check_date(date) ? str_sub(stem, DATE + 1, stem.n) : stem;
}

size_t importer_language_end(struct str stem, struct str language)
{
	struct str code = str_sub(language, 0, 2);
	size_t from = stem.n;
	while (from > 0 && !strchr("-_", stem.p[from - 1]))
		from--;
	bool same = code.n == 2 && stem.n - from == 2 && from > 1 &&
	            strncasecmp(stem.p + from, code.p, 2) == 0;
	return same ? 3 : 0;
}

/* A text as the last part of an address, which has ASCII alone; "post" if nothing is left. */
static const char *slug_of(const struct theirs *t, const char *path, struct arena *a)
{
	enum { MOST = 60 }; /* leaves room for a number */
	struct str s = t->slug.n ? base_name(t->slug) : stem_of(path);
	struct sb slug = {0};
	s.n -= t->slug.n ? 0 : importer_language_end(s, t->language);
	char *out = arena_alloc(a, MOST + 1);
	size_t n = 0;
	if (!t->slug.n)
		s = importer_without_date(s);
	html_slug(&slug, s);
	for (size_t i = 0; i < slug.n && n < MOST; i++) {
		bool plain = (slug.p[i] >= 'a' && slug.p[i] <= 'z') ||
		             (slug.p[i] >= '0' && slug.p[i] <= '9');
		if (plain || (n && out[n - 1] != '-'))
			out[n++] = plain ? slug.p[i] : '-';
	}
	while (n && out[n - 1] == '-')
		n--;
	out[n] = 0;
	sb_free(&slug);
	return n ? out : "post";
}

/* The number at *i, with at most `most` digits; moves *i after it. -1: there is none. */
static int digits(struct str s, size_t *i, size_t most)
{
	int v = 0;
	size_t from = *i;
	while (*i < s.n && *i - from < most && isdigit((unsigned char)s.p[*i]))
		v = 10 * v + s.p[(*i)++] - '0';
	return *i > from ? v : -1;
}

/* The month whose name's first three letters stand at i; 0: none. */
static int month_at(struct str s, size_t i)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	for (int m = 0; m < 12 && i + 3 <= s.n; m++)
		if (strncasecmp(s.p + i, names + 3 * m, 3) == 0)
			return m + 1;
	return 0;
}

static const char *iso(int year, int month, int day, struct arena *a)
{
	if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31)
		return NULL;
	const char *date = arena_printf(a, "%04d-%02d-%02d", year, month, day);
	return front_check_date(date) ? NULL : date;
}

/* "2024-1-2", "2024/01/02", "2024.1.2", and "2024-01" if the day may lack; NULL: no date. */
static const char *numbers_date(struct str s, bool no_day, struct arena *a)
{
	size_t i = 0;
	int year = digits(s, &i, 4), month, day;
	if (i != 4 || i >= s.n || !strchr("-/.", s.p[i++]))
		return NULL;
	month = digits(s, &i, 2);
	if (i >= s.n || !strchr("-/.", s.p[i]))
		return no_day && (i == s.n || s.p[i] == '/') ? iso(year, month, 1, a) : NULL;
	i++;
	day = digits(s, &i, 2);
	if (day < 0 && no_day)
		day = 1;
	return i < s.n && isdigit((unsigned char)s.p[i]) ? NULL : iso(year, month, day, a);
}

/* "Jan 2, 2024", "Mon, 2 January 2024"; NULL: no date. */
static const char *words_date(struct str s, struct arena *a)
{
	int year = -1, month = 0, day = -1;
	for (size_t i = 0; i < s.n;) {
		size_t from = i;
		if (isdigit((unsigned char)s.p[i])) {
			int v = digits(s, &i, 9);
			if (i - from == 4 && year < 0)
				year = v;
			else if (i - from <= 2 && day < 0)
				day = v;
		} else if (isalpha((unsigned char)s.p[i])) {
			month = month ? month : month_at(s, i);
			while (i < s.n && isalpha((unsigned char)s.p[i]))
				i++;
		} else {
			i++;
		}
	}
	return iso(year, month, day, a);
}

/* A date that a folder or an address begins with, "2014/12/12/name" or "…/2026-04/…". */
static const char *path_date(struct str path, struct arena *a)
{
	for (size_t i = 0; i < path.n; i++) {
		const char *date = NULL;
		if (i == 0 || path.p[i - 1] == '/')
			date = numbers_date(str_sub(path, i, path.n), true, a);
		if (date)
			return date;
	}
	return NULL;
}

/* A date in any form that is known; NULL: none. */
static const char *read_date(struct str s, struct arena *a)
{
	const char *date = numbers_date(str_trim(s), false, a);
	return date ? date : words_date(s, a);
}

/* The date of a post: from its key, its name, its address or its folder; NULL: nothing tells it. */
static const char *date_of(const struct theirs *t, const char *path, const struct import_report *r,
                           struct arena *a)
{
	const char *date = read_date(t->date, a);
	if (!date)
		date = numbers_date(stem_of(path), false, a);
	for (size_t i = 0; i < t->naliases && !date; i++)
		date = path_date(t->alias[i], a);
	return date ? date : path_date(str_of(path + r->from), a);
}

/* --- writing ours --- */

/* Writes a value in double quotes; characters that those cannot hold become look-alikes. */
static void put_quotes(struct sb *to, struct str v)
{
	sb_char(to, '"');
	for (size_t i = 0; i < v.n; i++)
		if (v.p[i] == '"')
			sb_cstr(to, "”");
		else if (v.p[i] != '\\')
			sb_char(to, v.p[i] == '\n' ? ' ' : v.p[i]);
	sb_char(to, '"');
}

static void put_quoted(struct sb *to, const char *key, struct str v)
{
	if (!v.n)
		return;
	sb_printf(to, "%s: ", key);
	put_quotes(to, v);
	sb_char(to, '\n');
}

/* True if a tag before the i-th has the same address. */
static bool is_repeated(const struct str *tag, size_t i)
{
	size_t k = 0;
	while (k < i && !str_eq(tag[k], tag[i]))
		k++;
	return k < i;
}

static void put_tags(struct sb *to, const struct import_field *tags, const char *path,
                     struct arena *a, struct import_report *r)
{
	struct str tag[MAX_TAGS];
	if (!tags || !tags->nvalues)
		return;
	sb_cstr(to, "tags: [");
	for (size_t i = 0; i < tags->nvalues && i < MAX_TAGS; i++) {
		struct str theirs = tags->value[i];
		tag[i] = importer_tag(r, a, theirs);
		if (!str_eq(tag[i], theirs))
			import_report_note(r, IMPORT_TAG, path, tags->line,
			                   "the tag '" STR_FMT "' has the address of '" STR_FMT
			                   "': now that one",
			                   STR_ARG(theirs), STR_ARG(tag[i]));
		if (!is_repeated(tag, i)) {
			sb_cstr(to, i ? ", " : "");
			put_quotes(to, tag[i]);
		}
	}
	sb_cstr(to, "]\n");
}

static void put_front(struct sb *to, const struct theirs *t, const char *path, const char *date,
                      struct arena *a, struct import_report *r)
{
	const char *updated = read_date(t->updated, a);
	sb_cstr(to, "---\n");
	put_quoted(to, "title", t->title.n ? t->title : stem_of(path));
	put_quoted(to, "description", t->description);
	sb_printf(to, "date: %s\n", date ? date : "1970-01-01");
	if (!date)
		import_report_note(r, IMPORT_FRONT, path, 1,
		                   "the post has no date that can be read, neither inside nor in "
		                   "its name: it comes in as a draft");
	if (updated && date && strcmp(updated, date) >= 0)
		sb_printf(to, "updated: %s\n", updated);
	put_tags(to, t->tags, path, a, r);
	put_quoted(to, "category", t->category);
	put_quoted(to, "author", t->author);
	put_quoted(to, "series", t->series);
	put_quoted(to, "imported", str_of(path + r->from));
	if (str_is(t->draft, "true") || !date)
		sb_cstr(to, "draft: true\n");
	sb_cstr(to, "---\n\n");
}

/* --- the body --- */

/* Without the characters that no page may hold. */
static struct str without_bad(struct str s, const char *path, struct arena *a,
                              struct import_report *r)
{
	struct sb to = {0};
	uint32_t c;
	size_t done = 0;
	const char *bad;
	while ((bad = html_bad_char(str_sub(s, done, s.n), &c))) {
		size_t at = (size_t)(bad - s.p), n = 1;
		while (at + n < s.n && ((unsigned char)s.p[at + n] & 0xC0) == 0x80)
			n++;
		sb_str(&to, str_sub(s, done, at));
		if (c == '\r' || c == '\t') /* of a line's end, or kept */
			sb_str(&to, str_sub(s, at, at + n));
		else if (!done)
			import_report_note(r, IMPORT_OTHER, path, str_loc(s, path, bad).line,
			                   "control characters were left out, U+%04X first",
			                   (unsigned)c);
		done = at + n;
	}
	if (!done)
		return s;
	sb_str(&to, str_sub(s, done, s.n));
	struct str out = str_keep(a, sb_view(&to));
	sb_free(&to);
	return out;
}

/* Takes a first line "# Title" off the body, if the front matter has no title, or the same one. */
static void take_title(struct theirs *t, struct import_front *f)
{
	struct str line, rest;
	str_cut(f->body, '\n', &line, &rest);
	if (!str_starts(line, "# "))
		return;
	struct str title = str_trim(str_sub(line, 2, line.n));
	if (t->title.n && !str_eq(t->title, title))
		return;
	t->title = title;
	f->body = rest;
	f->body_line++;
}

static void skip_empty(struct import_front *f)
{
	while (f->body.n > 0 && (f->body.p[0] == '\n' || f->body.p[0] == '\r')) {
		f->body_line += f->body.p[0] == '\n';
		f->body = str_sub(f->body, 1, f->body.n);
	}
}

static struct import_lines put_body(const struct import_front *f, const struct import_text *of,
                                    struct sb *to)
{
	struct import_tex marks = {0};
	struct import_lines lines = {0};
	struct sb body = {0};
	struct str marked =
	        importer_tex_out(f->body, of->path, of->line, of->arena, &marks, of->report);
	marked = importer_blocks(marked, of, &marks);
	importer_body(marked, of, &body, &lines);
	lines = importer_tex_lines(sb_view(&body), &marks, &lines, of->arena);
	importer_tex_back(sb_view(&body), &marks, to);
	sb_free(&body);
	return lines;
}

/* Jekyll's "categories: a b" is two, and so is a list. */
static void put_categories(const struct theirs *t, struct import_post *out, struct arena *a)
{
	enum { MOST = 8 };
	const struct import_field *f = t->categories;
	struct str *all = ARENA_ARRAY(a, struct str, MOST);
	bool spaces = f && f->nvalues == 1 && str_is(f->name, "categories");
	for (size_t i = 0; f && i < f->nvalues; i++) {
		struct str rest = f->value[i], word = rest;
		bool more = true;
		while (more && out->ncategories < MOST) {
			more = spaces && str_cut(rest, ' ', &word, &rest);
			if (word.n)
				all[out->ncategories++] = str_keep(a, word);
		}
	}
	out->category = all;
}

bool import_post(struct str src, const char *path, struct arena *a, struct import_post *out,
                 struct import_report *r, struct err *e)
{
	struct import_front f;
	struct sb to = {0};
	if (!str_utf8(src))
		return err_at(e, (struct loc){.path = path}, "not UTF-8");
	if (!import_front_read(without_bad(src, path, a, r), path, a, &f, r, e))
		return false;
	struct theirs t = sort_out(&f, path, a, r);
	skip_empty(&f);
	take_title(&t, &f);
	skip_empty(&f);
	*out = (struct import_post){.slug = slug_of(&t, path, a),
	                            .draft = str_is(t.draft, "true"),
	                            .language = str_dup(a, t.language)};
	const char *date = date_of(&t, path, r, a);
	out->dated = date;
	out->date = date;
	out->placed = t.placed;
	out->own_slug = str_keep(a, t.slug);
	put_categories(&t, out, a);
	put_front(&to, &t, path, date, a, r);
	const struct import_text of = {path, f.body_line, a, r};
	out->lines = put_body(&f, &of, &to);
	out->alias = ARENA_ARRAY(a, struct str, t.naliases);
	for (size_t i = 0; i < t.naliases; i++)
		out->alias[out->naliases++] = t.alias[i];
	out->text = str_keep(a, sb_view(&to));
	sb_free(&to);
	return true;
}
