/*
 * Translates a post of another generator. To translate another key, add a row to
 * `keys`.
 */
#include "site-gen/commands/importer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/site/file_kind.h"
#include "site-gen/base/front_check.h"
#include "site-gen/base/html.h"

enum { MAX_SOURCE_BYTES = 1 << 20, MAX_FILE_BYTES = 64 << 20, MAX_TAGS = 16 };

/* Front matter of other generators' posts, under their names. */
struct theirs {
	struct str title, description, date, updated, slug, category, series, draft;
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
        {"series", TO(series)},
        {"taxonomies.series", TO(series)},
        {"draft", TO(draft)},
};

/* Known keys that have no use here. */
static const char *const ignored[] = {"layout",   "author",    "authors", "weight", "toc",
                                      "featured", "comments",  "math",    "katex",  "template",
                                      "type",     "extra.toc", "image",   "cover",  "ogImage",
                                      "lang",     "language"};

static bool is_ignored(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		if (str_is(name, ignored[i]))
			return true;
	return false;
}

static bool is_tags(struct str name)
{
	return str_is(name, "tags") || str_is(name, "taxonomies.tags") || str_is(name, "keywords");
}

static struct theirs sort_out(const struct import_front *f, const char *path,
                              struct import_report *r)
{
	struct theirs t = {0};
	for (size_t i = 0; i < f->n; i++) {
		const struct import_field *field = &f->field[i];
		size_t k = 0;
		while (k < ARRAY_LEN(keys) && !str_is(field->name, keys[k].name))
			k++;
		bool tags = is_tags(field->name), key = k < ARRAY_LEN(keys);
		if (tags && !field->map) {
			t.tags = field;
		} else if (key && !field->map) {
			struct str *to = (struct str *)((char *)&t + keys[k].to);
			if (!to->n && field->nvalues)
				*to = field->value[0];
		} else if (!is_ignored(field->name)) {
			import_report_note(r, path, field->line,
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

static const char *slug_of(const struct theirs *t, const char *path, struct arena *a)
{
	struct str s = t->slug.n ? base_name(t->slug) : stem_of(path);
	struct sb slug = {0};
	if (!t->slug.n && s.n > 11 && s.p[10] == '-' && has_date(s, a))
		s = str_sub(s, 11, s.n);
	html_slug(&slug, s);
	const char *out = arena_strndup(a, slug.p ? slug.p : "", slug.n > 64 ? 64 : slug.n);
	sb_free(&slug);
	return out;
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

static void put_tags(struct sb *to, const struct import_field *tags)
{
	if (!tags || !tags->nvalues)
		return;
	sb_cstr(to, "tags: [");
	for (size_t i = 0; i < tags->nvalues && i < MAX_TAGS; i++) {
		sb_cstr(to, i ? ", " : "");
		put_quotes(to, tags->value[i]);
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
		import_report_note(r, path, 1,
		                   "the post has no date that can be read, neither inside nor in "
		                   "its name: it comes in as a draft");
	if (updated && date && strcmp(updated, date) >= 0)
		sb_printf(to, "updated: %s\n", updated);
	put_tags(to, t->tags);
	put_quoted(to, "category", t->category);
	put_quoted(to, "series", t->series);
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
	put_front(&to, &t, path, date_of(t.date, path, a), a, r);
	while (f.body.n > 0 && (f.body.p[0] == '\n' || f.body.p[0] == '\r')) {
		f.body_line += f.body.p[0] == '\n';
		f.body = str_sub(f.body, 1, f.body.n);
	}
	importer_body(f.body, path, f.body_line, a, &to, r);
	out->text = str_keep(a, sb_view(&to));
	sb_free(&to);
	if (front_check_slug(out->slug))
		return err_at(e, (struct loc){.path = path}, "its name gives no slug ('%s')",
		              out->slug);
	return true;
}

/* --- a whole site --- */

struct job {
	const char *to;
	bool dry_run;
	struct arena *arena;
	struct import_report *report;
	const char **made; /* files that a dry run would have written so far */
	size_t nmade, cap;
};

/* True if this file could be written; does not write it. */
static bool could_write(struct job *j, const char *path, struct err *e)
{
	for (size_t i = 0; i < j->nmade; i++)
		if (strcmp(j->made[i], path) == 0)
			return err_set(e, "%s: two sources give this file; rename one", path);
	j->made = arena_grow(j->arena, j->made, j->nmade, &j->cap, sizeof *j->made);
	j->made[j->nmade++] = path;
	return !file_exists(path) || err_set(e, "%s: is there already", path);
}

static bool write_new(struct job *j, const char *path, struct str bytes, struct err *e)
{
	const char *slash = strrchr(path, '/');
	if (j->dry_run)
		return could_write(j, path, e);
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
		const char *to = arena_printf(j->arena, "%s/%s/%s", j->to, slug, entry[i].name);
		if (!file_kind_known(from, FILE_OF_POST)) {
			import_report_note(j->report, from, 1,
			                   "a file of this kind is not published and was left out");
			continue;
		}
		if (!file_read(from, MAX_FILE_BYTES, j->arena, &bytes, e) ||
		    !write_new(j, to, bytes, e))
			return false;
	}
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
		return false;
	const char *to =
	        arena_printf(j->arena, bundle ? "%s/%s/index.md" : "%s/%s.md", j->to, post.slug);
	j->report->posts++;
	return write_new(j, to, post.text, e) && (!bundle || copy_beside(j, folder, post.slug, e));
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
		bool ok =
		        entry[i].is_dir
		                ? import_folder(j, arena_printf(j->arena, "%s/%s", folder, name), e)
		                : !is_markdown(name) || import_file(j, folder, name, e);
		if (!ok)
			return false;
	}
	return true;
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

/* Tries the whole import before it writes anything. */
bool importer_run(const char *from, const char *to, bool dry_run, struct arena *a,
                  struct import_report *r, struct err *e)
{
	const char *folder = posts_of(from, a);
	struct import_report unused = {0};
	struct job try = {.to = to, .dry_run = true, .arena = a, .report = r};
	struct job real = {.to = to, .arena = a, .report = &unused};
	bool ok =
	        import_folder(&try, folder, e) &&
	        (r->posts > 0 || err_set(e, "%s: no posts there, expected Markdown files", from)) &&
	        (dry_run || import_folder(&real, folder, e));
	sb_free(&unused.text);
	return ok;
}
