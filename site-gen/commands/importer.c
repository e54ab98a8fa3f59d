/* Imports a site of another generator: finds its posts, and gives each its place here. */
#include "site-gen/commands/importer.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/lint/lint.h"

enum { MAX_SOURCE_BYTES = 1 << 20 };

struct job {
	const struct import_options *o;
	struct arena *arena;
	struct import_report *report;
	const char *language; /* of the folder; NULL: it names none */
	const char **made;    /* files written so far, or that a dry run would have written */
	size_t nmade, cap;
	struct import_place *post;
	size_t nposts, posts_cap;
	struct import_former former;
};

static bool is_taken(const struct job *j, const char *path)
{
	for (size_t i = 0; i < j->nmade; i++)
		if (strcmp(j->made[i], path) == 0)
			return true;
	return importer_exists(j->report, path);
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
	importer_wrote(j->report, path, j->arena);
	bool ok = file_put_all(fd, bytes, path, e);
	return close(fd) == 0 ? ok : err_sys(e, "%s: cannot close", path);
}

static bool is_markdown(const char *name)
{
	return str_ends(str_of(name), ".md") || str_ends(str_of(name), ".markdown") ||
	       str_ends(str_of(name), ".mdx");
}

/* Copies the pictures and data beside a post's index.md. */
static bool copy_beside(struct job *j, const struct import_links *l, const struct import_place *p,
                        struct err *e)
{
	const char *slash = strrchr(p->from, '/');
	const char *folder = arena_strndup(j->arena, p->from, (size_t)(slash - p->from));
	const char *once = arena_printf(j->arena, "%s beside %s", folder, p->slug);
	struct file_entry *entry;
	size_t n;
	if (is_taken(j, once))
		return true; /* translations share their files */
	take(j, once);
	if (!file_list(folder, j->arena, &entry, &n, e))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct import_file f;
		const char *name = entry[i].name;
		if (entry[i].is_dir || is_markdown(name) || name[0] == '.')
			continue;
		const char *from = arena_printf(j->arena, "%s/%s", folder, name);
		if (!importer_file(l, from, from, 1, true, &f))
			continue;
		const char *to = arena_printf(j->arena, "%s/%s/%s", j->o->to, p->slug, f.name);
		if (is_taken(j, to))
			continue;
		take(j, to);
		if (!write_new(j, to, f.bytes, e))
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

/* The language in a file's name, "es" of "NAME.es.md", else that of its folder; NULL: none. */
static const char *language_of(const struct job *j, const char *name)
{
	struct str s = str_of(name);
	size_t end = s.n, from;
	while (end > 0 && s.p[end - 1] != '.')
		end--;
	end -= end > 0;
	for (from = end; from > 0 && s.p[from - 1] != '.';)
		from--;
	const char *code = from > 0 ? arena_strndup(j->arena, s.p + from, end - from) : "";
	return is_language(code) ? code : j->language;
}

/* ".es"; "" in the site's own language. */
static const char *suffix_of(const struct job *j, const char *code)
{
	if (!code || strncasecmp(code, j->o->language, 2) == 0)
		return "";
	return arena_printf(j->arena, ".%c%c", code[0] | 0x20, code[1] | 0x20);
}

/* What a post and its translations share: the path without language and ending. */
static const char *key_of(const struct job *j, const char *path, const char *language)
{
	struct sb key = {0};
	struct str rest = str_of(path), part;
	while (str_cut(rest, '/', &part, &rest))
		if (!is_language(arena_strndup(j->arena, part.p, part.n)))
			sb_printf(&key, STR_FMT "/", STR_ARG(part));
	part = str_sub(part, 0, str_find(part, '.', 0));
	part.n -= importer_language_end(part, str_of(language));
	sb_str(&key, part);
	return sb_take(j->arena, &key);
}

/* --- places --- */

static const char *file_at(const struct job *j, const char *slug, bool folder, const char *suffix)
{
	return arena_printf(j->arena, folder ? "%s/%s/index%s.md" : "%s/%s%s.md", j->o->to, slug,
	                    suffix);
}

static bool is_free(const struct job *j, const char *slug, const char *suffix)
{
	return !is_taken(j, file_at(j, slug, true, suffix)) &&
	       !is_taken(j, file_at(j, slug, false, suffix));
}

/* Posts i… of one key, up to one whose language is there already. */
struct group {
	struct import_place *one[32];
	size_t n;
	bool folder;
	bool own; /* one is in the site's own language */
};

static struct group group_of(struct job *j, const struct import_links *l, size_t i)
{
	struct group g = {0};
	for (size_t k = i; k < j->nposts && g.n < ARRAY_LEN(g.one); k++) {
		struct import_place *p = &j->post[k];
		bool there = p->to || strcmp(p->key, j->post[i].key) != 0;
		for (size_t m = 0; m < g.n && !there; m++)
			there = strcmp(g.one[m]->suffix, p->suffix) == 0;
		if (there)
			continue;
		g.one[g.n++] = p;
		g.folder |= p->bundle || importer_needs_folder(l, p);
		g.own |= !*p->suffix || p->said;
	}
	/* files stand beside a post of the site's own language */
	g.folder &= g.own;
	for (size_t k = 0; k < g.n; k++)
		g.one[k]->bundle &= g.own;
	return g;
}

/* The post of the site's own language; if there is none, one that only says another language. */
static struct import_place *lead_of(const struct group *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (!*g->one[i]->suffix)
			return g->one[i];
	for (size_t i = 0; i < g->n; i++)
		if (g->one[i]->said) {
			g->one[i]->suffix = "";
			return g->one[i];
		}
	return g->one[0];
}

static bool all_free(const struct job *j, const struct group *g, const char *slug)
{
	for (size_t i = 0; i < g->n; i++)
		if (!is_free(j, slug, g->one[i]->suffix))
			return false;
	return true;
}

/* A folder and a single file of one address cannot be beside each other. */
static bool is_folder(const struct job *j, const struct group *g, const char *slug)
{
	const char *folder = arena_printf(j->arena, "%s/%s/", j->o->to, slug);
	const char *file = arena_printf(j->arena, "%s/%s.", j->o->to, slug);
	for (size_t i = 0; i < j->nmade; i++) {
		if (strncmp(j->made[i], folder, strlen(folder)) == 0)
			return true;
		if (strncmp(j->made[i], file, strlen(file)) == 0)
			return false;
	}
	return importer_exists(j->report, folder) || g->folder;
}

/* Counts a translation. */
static void count_language(struct job *j, const char *suffix)
{
	struct import_report *r = j->report;
	size_t i = 0;
	if (!*suffix)
		return;
	while (i < r->nlanguages && !str_is(r->language[i].name, suffix + 1))
		i++;
	if (i == r->nlanguages) {
		r->language = arena_grow(j->arena, r->language, r->nlanguages, &r->languages_cap,
		                         sizeof *r->language);
		r->language[r->nlanguages++] = (struct import_key){str_of(suffix + 1), 0};
	}
	r->language[i].n++;
}

static void place(struct job *j, const struct group *g)
{
	const char *first = lead_of(g)->slug, *slug = first;
	for (int n = 2; !all_free(j, g, slug); n++)
		slug = arena_printf(j->arena, "%.60s-%d", first, n);
	bool folder = is_folder(j, g, slug);
	for (size_t i = 0; i < g->n; i++) {
		struct import_place *p = g->one[i];
		p->slug = slug;
		p->folder = folder;
		p->to = file_at(j, slug, folder, p->suffix);
		take(j, p->to);
		count_language(j, p->suffix);
		if (slug != first)
			import_report_note(j->report, IMPORT_NAME, p->from, 1,
			                   "the address /posts/%s/ is taken: now /posts/%s/", first,
			                   slug);
	}
}

/* --- reading --- */

/* A file that cannot be read is left out, and the import goes on. */
static bool leave_out(struct job *j, const char *path, struct err *e)
{
	import_report_note(j->report, IMPORT_LEFT_OUT, path, 1, "left out: %s", e->text);
	*e = ERR_NONE;
	return true;
}

/* The post with the address that it had, unless its front matter says one. */
static struct import_post with_former(struct job *j, const char *path, struct import_post post)
{
	struct str former = importer_former_of(&j->former, path, &post, j->arena);
	if (post.placed || !former.n)
		return post;
	struct str *all = ARENA_ARRAY(j->arena, struct str, post.naliases + 1);
	if (post.naliases)
		memcpy(all, post.alias, post.naliases * sizeof *all);
	all[post.naliases++] = former;
	post.alias = all;
	return post;
}

static bool import_file(struct job *j, const char *folder, const char *name, struct err *e)
{
	struct import_post post;
	struct str src;
	const char *path = arena_printf(j->arena, "%s/%s", folder, name), *code;
	if (!importer_read(j->report, path, MAX_SOURCE_BYTES, j->arena, &src, e) ||
	    !import_post(src, path, j->arena, &post, j->report, e))
		return leave_out(j, path, e);
	post = with_former(j, path, post);
	if (post.draft && !j->o->drafts) {
		j->report->drafts++;
		return true;
	}
	code = language_of(j, name);
	bool said = !code && is_language(post.language);
	code = said ? post.language : code;
	j->report->posts++;
	j->report->undated += !post.dated;
	j->post = arena_grow(j->arena, j->post, j->nposts, &j->posts_cap, sizeof *j->post);
	j->post[j->nposts++] = (struct import_place){.from = path,
	                                             .slug = post.slug,
	                                             .key = key_of(j, path, code ? code : ""),
	                                             .suffix = suffix_of(j, code),
	                                             .said = said,
	                                             .bundle = str_starts(str_of(name), "index.") ||
	                                                       str_starts(str_of(name), "index-"),
	                                             .text = post.text,
	                                             .lines = post.lines,
	                                             .draft = post.draft || !post.dated,
	                                             .alias = post.alias,
	                                             .naliases = post.naliases};
	return true;
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

/* A page of HTML is a post if it begins with front matter; else it is a layout. */
static bool is_html_post(struct job *j, const char *folder, const char *name)
{
	struct err e = ERR_NONE;
	struct str src;
	return importer_is_html(name) &&
	       importer_read(j->report, arena_printf(j->arena, "%s/%s", folder, name),
	                     MAX_SOURCE_BYTES, j->arena, &src, &e) &&
	       (str_starts(src, "---\n") || str_starts(src, "+++\n"));
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
		                          : !(is_markdown(name) || is_html_post(j, folder, name)) ||
		                                    import_file(j, folder, name, e);
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
static const char *posts_of(const char *from, struct import_report *r, struct arena *a)
{
	static const char *const places[] = {
	        "_posts",        "src/data/blog",  "src/content/blog", "src/content/posts",
	        "src/posts",     "src/pages/blog", "src/pages/posts",  "src/content",
	        "content/posts", "content/post",   "content/blog",     "content",
	        "source/_posts"};
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const char *folder = arena_printf(a, "%s/%s", from, places[i]);
		if (importer_exists(r, folder))
			return folder;
	}
	return from;
}

/* Writes the posts, once it is known what their links can lead to. */
static bool write_posts(struct job *j, const char *from, struct err *e)
{
	const struct import_links links = {.site = from,
	                                   .all = j->post,
	                                   .n = j->nposts,
	                                   .to = j->o->to,
	                                   .dry_run = j->o->dry_run,
	                                   .lint = lint_new(j->arena),
	                                   .arena = j->arena,
	                                   .report = j->report};
	for (size_t i = 0; i < j->nposts; i++)
		if (!j->post[i].to) {
			const struct group g = group_of(j, &links, i);
			place(j, &g);
		}
	struct import_aliases aliases = {0};
	for (size_t i = 0; i < j->nposts; i++) {
		struct str text;
		if ((j->post[i].bundle && !copy_beside(j, &links, &j->post[i], e)) ||
		    !importer_links(&links, &j->post[i], &text, e))
			return false;
		text = importer_aliases(&links, &j->post[i], text, &aliases);
		if (!write_new(j, j->post[i].to, text, e))
			return false;
	}
	return true;
}

/* False if the file system has failed to show a file. */
static bool is_all(const struct import_report *r, struct err *e)
{
	return !r->lost.set || err_set(e, "%s", r->lost.text);
}

bool importer_run(const char *from, const struct import_options *o, struct arena *a,
                  struct import_report *r, struct err *e)
{
	struct job job = {.o = o, .arena = a, .report = r};
	const char *folder = posts_of(from, r, a), *drafts = arena_printf(a, "%s/_drafts", from);
	bool jekyll =
	        str_ends(str_of(folder), "/_posts") && o->drafts && importer_exists(r, drafts);
	r->from = below(from);
	job.former = importer_former(from, folder, r, a);
	importer_tags_of(o->to, r, a);
	bool ok = import_folder(&job, folder, e) && (!jekyll || import_folder(&job, drafts, e)) &&
	          is_all(r, e) && write_posts(&job, from, e) && is_all(r, e) &&
	          (r->posts + r->drafts > 0 ||
	           err_set(e, "%s: no posts there, expected Markdown files", from));
	if (!ok)
		importer_undo(r, a); /* else the next import would find its addresses taken */
	return ok;
}
