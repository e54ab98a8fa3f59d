/*
 * Translates a post of another generator. To translate another key, add a row to
 * `keys`.
 */
#include "site-gen/commands/importer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/site/file_kind.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"

enum { MAX_SOURCE_BYTES = 1 << 20, MAX_FILE_BYTES = 64 << 20, MAX_TAGS = 16 };

/* Front matter of other generators' posts, under their names. */
struct theirs {
	struct str title, description, date, updated, slug, category, author, series, draft;
	const struct import_field *tags;
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
        {"publishDate", TO(date)},
        {"updated", TO(updated)},
        {"lastmod", TO(updated)},
        {"modDatetime", TO(updated)},
        {"last_modified_at", TO(updated)},
        {"slug", TO(slug)},
        {"postSlug", TO(slug)},
        {"categories", TO(category)},
        {"category", TO(category)},
        {"taxonomies.categories", TO(category)},
        {"author", TO(author)},
        {"authors", TO(author)},
        {"taxonomies.authors", TO(author)},
        {"extra.author", TO(author)},
        {"series", TO(series)},
        {"taxonomies.series", TO(series)},
        {"draft", TO(draft)},
};

/* Hugo reads keys without case. */
static bool is_key(struct str name, const char *key)
{
	return name.n == strlen(key) && strncasecmp(name.p, key, name.n) == 0;
}

/* Known keys that have no use here. */
static const char *const ignored[] = {"layout", "weight", "toc",      "featured", "comments",
                                      "math",   "katex",  "template", "type",     "extra.toc",
                                      "image",  "cover",  "ogImage",  "lang",     "language"};

static bool is_ignored(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		if (is_key(name, ignored[i]))
			return true;
	return false;
}

static bool is_tags(struct str name)
{
	return is_key(name, "tags") || is_key(name, "taxonomies.tags") || is_key(name, "keywords");
}

static struct theirs sort_out(const struct import_front *f, const char *path,
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
		} else if (!is_ignored(field->name)) {
			import_report_note(r, IMPORT_FRONT, path, field->line,
			                   "front matter '" STR_FMT "' has no "
			                   "counterpart here and was left out",
			                   STR_ARG(field->name));
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
	if (str_starts(name, "index."))
		name = base_name(str_sub(s, 0, s.n - name.n - 1));
	return str_sub(name, 0, str_find(name, '.', 0));
}

static bool has_date(struct str s, struct arena *a)
{
	return s.n >= 10 && !front_check_date(arena_strndup(a, s.p, 10));
}

/* A text as the last part of an address, which has ASCII alone; "post" if nothing is left. */
static const char *slug_of(const struct theirs *t, const char *path, struct arena *a)
{
	enum { MOST = 60 }; /* leaves room for a number */
	struct str s = t->slug.n ? base_name(t->slug) : stem_of(path);
	struct sb slug = {0};
	char *out = arena_alloc(a, MOST + 1);
	size_t n = 0;
	if (!t->slug.n && s.n > 11 && s.p[10] == '-' && has_date(s, a))
		s = str_sub(s, 11, s.n);
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

static const char *date_of(struct str theirs, const char *path, struct arena *a)
{
	struct str stem = stem_of(path);
	if (has_date(theirs, a))
		return arena_strndup(a, theirs.p, 10);
	return has_date(stem, a) ? arena_strndup(a, stem.p, 10) : NULL;
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
	const char *updated = has_date(t->updated, a) ? arena_strndup(a, t->updated.p, 10) : NULL;
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

bool import_post(struct str src, const char *path, struct arena *a, struct import_post *out,
                 struct import_report *r, struct err *e)
{
	struct import_front f;
	struct sb to = {0};
	if (!str_utf8(src))
		return err_at(e, (struct loc){.path = path}, "not UTF-8");
	if (!import_front_read(src, path, a, &f, r, e))
		return false;
	struct theirs t = sort_out(&f, path, r);
	out->slug = slug_of(&t, path, a);
	out->draft = str_is(t.draft, "true");
	put_front(&to, &t, path, date_of(t.date, path, a), a, r);
	while (f.body.n > 0 && (f.body.p[0] == '\n' || f.body.p[0] == '\r')) {
		f.body_line += f.body.p[0] == '\n';
		f.body = str_sub(f.body, 1, f.body.n);
	}
	out->line = f.body_line;
	struct import_tex tex = {0};
	struct sb body = {0};
	struct str marked = importer_tex_out(f.body, path, f.body_line, a, &tex, r);
	importer_body(marked, path, f.body_line, a, &body, r);
	importer_tex_back(sb_view(&body), &tex, &to);
	sb_free(&body);
	out->text = str_keep(a, sb_view(&to));
	sb_free(&to);
	return true;
}

/* --- a whole site --- */

struct job {
	const struct import_options *o;
	struct arena *arena;
	struct import_report *report;
	const char *language; /* of the folder; NULL: it names none */
	const char **made;    /* files written so far, or that a dry run would have written */
	size_t nmade, cap;
	struct import_place *post;
	size_t nposts, posts_cap;
};

static bool is_taken(const struct job *j, const char *path)
{
	for (size_t i = 0; i < j->nmade; i++)
		if (strcmp(j->made[i], path) == 0)
			return true;
	return file_exists(path);
}

/* No other file gets this name. */
static void take(struct job *j, const char *path)
{
	j->made = arena_grow(j->arena, j->made, j->nmade, &j->cap, sizeof *j->made);
	j->made[j->nmade++] = path;
}

static bool write_new(struct job *j, const char *path, struct str bytes, struct err *e)
{
	const char *slash = strrchr(path, '/');
	if (j->o->dry_run)
		return true;
	if (!file_mkdirs(arena_strndup(j->arena, path, (size_t)(slash - path)), e))
		return false;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(e, "%s: cannot create", path);
	bool ok = file_put_all(fd, bytes, path, e);
	return close(fd) == 0 ? ok : err_sys(e, "%s: cannot close", path);
}

static bool is_markdown(const char *name)
{
	return str_ends(str_of(name), ".md") || str_ends(str_of(name), ".markdown") ||
	       str_ends(str_of(name), ".mdx");
}

/* Copies the pictures and data beside a post's index.md. */
static bool copy_beside(struct job *j, const char *folder, const char *slug, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	if (!file_list(folder, j->arena, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct str bytes;
		if (entry[i].is_dir || is_markdown(entry[i].name) || entry[i].name[0] == '.')
			continue;
		const char *from = arena_printf(j->arena, "%s/%s", folder, entry[i].name);
		const char *to = arena_printf(j->arena, "%s/%s/%s", j->o->to, slug, entry[i].name);
		if (is_taken(j, to))
			continue; /* two translations share their files */
		if (!file_kind_known(from, FILE_OF_POST)) {
			import_report_note(j->report, IMPORT_LEFT_OUT, from, 1,
			                   "a file of this kind is not published and was left out");
			continue;
		}
		take(j, to);
		if (!file_read(from, MAX_FILE_BYTES, j->arena, &bytes, e) ||
		    !write_new(j, to, bytes, e))
			return false;
	}
	return true;
}

/* Languages as folders and file names have them; a word of three letters may be a topic. */
static bool is_language(const char *s)
{
	static const char *const all[] = {"ar", "bn", "cs", "da", "de", "el", "en", "es",
	                                  "fa", "fi", "fr", "he", "hi", "hu", "id", "it",
	                                  "ja", "ko", "nl", "no", "pl", "pt", "ro", "ru",
	                                  "sv", "th", "tr", "uk", "vi", "zh"};
	size_t n = strcspn(s, "-_");
	for (size_t i = 0; n == 2 && i < ARRAY_LEN(all); i++)
		if (strncasecmp(s, all[i], 2) == 0)
			return !s[2] || strlen(s) <= 7;
	return false;
}

/* ".es" of "NAME.es.md" and ".ko" below a folder ko/; "" in the site's own language. */
static const char *suffix_of(const struct job *j, const char *name)
{
	struct str s = str_of(name);
	size_t end = s.n, from;
	while (end > 0 && s.p[end - 1] != '.')
		end--;
	end -= end > 0;
	for (from = end; from > 0 && s.p[from - 1] != '.';)
		from--;
	const char *code = from > 0 ? arena_strndup(j->arena, s.p + from, end - from) : "";
	if (!is_language(code))
		code = j->language;
	if (!code || strncasecmp(code, j->o->language, 2) == 0)
		return "";
	return arena_printf(j->arena, ".%c%c", code[0] | 0x20, code[1] | 0x20);
}

/* The first free file for the post. *slug gets a number if its address is taken. */
static const char *place_of(struct job *j, const char **slug, bool bundle, const char *suffix,
                            const char *from)
{
	const char *first = *slug, *path = NULL;
	for (int n = 1; !path || is_taken(j, path); n++) {
		if (n > 1)
			*slug = arena_printf(j->arena, "%.60s-%d", first, n);
		const char *other =
		        arena_printf(j->arena, bundle ? "%s/%s%s.md" : "%s/%s/index%s.md", j->o->to,
		                     *slug, suffix);
		path = arena_printf(j->arena, bundle ? "%s/%s/index%s.md" : "%s/%s%s.md", j->o->to,
		                    *slug, suffix);
		path = is_taken(j, other) ? other : path;
	}
	if (*slug != first)
		import_report_note(j->report, IMPORT_NAME, from, 1,
		                   "the address /posts/%s/ is taken: now /posts/%s/", first, *slug);
	return path;
}

/* A file that cannot be read is left out, and the import goes on. */
static bool leave_out(struct job *j, const char *path, struct err *e)
{
	import_report_note(j->report, IMPORT_LEFT_OUT, path, 1, "left out: %s", e->text);
	*e = ERR_NONE;
	return true;
}

static bool import_file(struct job *j, const char *folder, const char *name, struct err *e)
{
	struct import_post post;
	struct str src;
	const char *path = arena_printf(j->arena, "%s/%s", folder, name);
	bool bundle = str_starts(str_of(name), "index.");
	if (!file_read(path, MAX_SOURCE_BYTES, j->arena, &src, e) ||
	    !import_post(src, path, j->arena, &post, j->report, e))
		return leave_out(j, path, e);
	if (post.draft && !j->o->drafts) {
		j->report->drafts++;
		return true;
	}
	const char *to = place_of(j, &post.slug, bundle, suffix_of(j, name), path);
	j->report->posts++;
	take(j, to);
	j->post = arena_grow(j->arena, j->post, j->nposts, &j->posts_cap, sizeof *j->post);
	j->post[j->nposts++] =
	        (struct import_place){path, post.slug, to, bundle, post.text, post.line};
	return !bundle || copy_beside(j, folder, post.slug, e);
}

static bool import_folder(struct job *j, const char *folder, struct err *e);

static bool import_below(struct job *j, const char *folder, const char *name, struct err *e)
{
	const char *outer = j->language;
	if (strcmp(name, "_drafts") == 0 && !j->o->drafts)
		return true;
	j->language = is_language(name) ? name : outer;
	bool ok = import_folder(j, arena_printf(j->arena, "%s/%s", folder, name), e);
	j->language = outer;
	return ok;
}

static bool import_folder(struct job *j, const char *folder, struct err *e)
{
	struct file_entry *entry;
	size_t n;
	if (!file_list(folder, j->arena, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *name = entry[i].name;
		if (name[0] == '.' || strcmp(name, "node_modules") == 0 ||
		    str_starts(str_of(name), "_index."))
			continue; /* their lists; ours are generated */
		bool ok = entry[i].is_dir ? import_below(j, folder, name, e)
		                          : !is_markdown(name) || import_file(j, folder, name, e);
		if (!ok)
			return false;
	}
	return true;
}

/* Bytes of a path up to the names below the folder. */
static size_t below(const char *folder)
{
	size_t n = strlen(folder);
	return n && folder[n - 1] != '/' ? n + 1 : n;
}

/* The generator's folder of posts; if there is none, the given folder. */
static const char *posts_of(const char *from, struct arena *a)
{
	static const char *const places[] = {"_posts",        "src/data/blog", "src/content/blog",
	                                     "content/posts", "content/post",  "content/blog",
	                                     "content"};
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const char *folder = arena_printf(a, "%s/%s", from, places[i]);
		if (file_exists(folder))
			return folder;
	}
	return from;
}

/* Writes the posts, once it is known what their links can lead to. */
static bool write_posts(struct job *j, const char *from, struct err *e)
{
	const struct import_links links = {from,          j->post,  j->nposts,
	                                   j->o->dry_run, j->arena, j->report};
	for (size_t i = 0; i < j->nposts; i++) {
		struct str text;
		if (!importer_links(&links, &j->post[i], &text, e) ||
		    !write_new(j, j->post[i].to, text, e))
			return false;
	}
	return true;
}

bool importer_run(const char *from, const struct import_options *o, struct arena *a,
                  struct import_report *r, struct err *e)
{
	struct job job = {.o = o, .arena = a, .report = r};
	const char *folder = posts_of(from, a), *drafts = arena_printf(a, "%s/_drafts", from);
	bool jekyll = str_ends(str_of(folder), "/_posts") && o->drafts && file_exists(drafts);
	r->from = below(from);
	importer_tags_of(o->to, r, a);
	return import_folder(&job, folder, e) && (!jekyll || import_folder(&job, drafts, e)) &&
	       write_posts(&job, from, e) &&
	       (r->posts + r->drafts > 0 ||
	        err_set(e, "%s: no posts there, expected Markdown files", from));
}
