#include "site-gen/site/content.h"

#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/file_kind.h"
#include "site-gen/base/front.h"
#include "site-gen/base/front_check.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/base/rules.h"
#include "site-gen/site/maker.h"
#include "site-gen/base/inputs.h"
#include "site-gen/lua/config.h"
#include "site-gen/records/data.h"
#include "site-gen/site/site.h"

struct input;

enum { MAX_FILE_BYTES = 64 << 20 };

#define POSTS "content/posts/"
#define PAGES "content/pages/"
#define KERNELS "content/kernels/"

/*
 * Folders of sources. To add a kind of source, add a row here, and its kind to build/page_kinds.c
 * and base/front.h.
 */
static const struct content_place places[] = {
        {POSTS, "post", "/posts/", FRONT_POST, true},
        {PAGES, "page", "/", FRONT_PAGE, false},
        {"content/sections/", "section", "/handbook/", FRONT_SECTION, false},
        {"content/paths/", "path", "/paths/", FRONT_PATH, false},
        {"content/series/", "series", "/series/", FRONT_SERIES, false},
        {KERNELS, "family", "/kernels/", FRONT_FAMILY, false},
};
enum { NPLACES = ARRAY_LEN(places) };

const struct content_place *content_place(const char *path)
{
	for (size_t i = 0; i < NPLACES; i++)
		if (str_starts(str_of(path), places[i].folder))
			return &places[i];
	return NULL;
}

enum front_kind content_front(const struct page *p)
{
	return content_place(p->path)->front;
}

static struct problems *own_problems(struct site *s)
{
	return &s->workers.problems[s->options.jobs];
}

/* Is the name the same in an address, without escapes? */
static bool plain_name(const char *path)
{
	for (const char *c = path; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/",
		            *c))
			return false;
	return true;
}

static bool has_input(const struct site *s, const char *path)
{
	size_t from, to;
	inputs_under(&s->repo.files, path, &from, &to);
	return from < to && strcmp(s->repo.files.file[from].path, path) == 0;
}

static bool has_index(const struct site *s, const char *path)
{
	const char *slash = strchr(path + strlen(POSTS), '/');
	return has_input(s, arena_printf(s->arena, "%.*s/index.md", (int)(slash - path), path));
}

static const char *all_languages(const struct config *c, struct arena *a)
{
	const char *all = "";
	for (size_t i = 0; i < c->nlanguages; i++)
		all = arena_printf(a, "%s%s%s", all, i ? ", " : "", c->languages[i].code);
	return all;
}

/*
 * source -> name '.' language '.md' | name '.md' . Returns the path of the version in the site's
 * own language, and sets the language of this one. NULL: the site does not have that language. A
 * translation into a language that is switched off may lie there unused.
 */
static const char *own_source(struct site *s, const char *path, size_t *language)
{
	const struct config *c = s->config;
	struct str name = str_of(path);
	size_t dot = name.n > 3 ? name.n - 3 : 0, end = dot;
	*language = 0;
	while (dot > 0 && name.p[dot - 1] != '.' && name.p[dot - 1] != '/')
		dot--;
	if (!str_ends(name, ".md") || dot == 0 || name.p[dot - 1] != '.')
		return path;
	struct str code = str_sub(name, dot, end);
	*language = config_language(c, code);
	if (*language > 0 && *language < c->nlanguages)
		return arena_printf(s->arena, "%.*s.md", (int)dot - 1, path);
	if (*language == 0)
		problems_rule(own_problems(s), RULE_BILINGUAL, (struct loc){.path = path},
		              "'" STR_FMT "' is the site's own language, expected %.*s.md",
		              STR_ARG(code), (int)dot - 1, path);
	else if (!front_check_lang(arena_strndup(s->arena, code.p, code.n)))
		problems_warn(own_problems(s), (struct loc){.path = path},
		              "not published, because '" STR_FMT
		              "' is no language of the site; 'languages' in content/site.lua turns "
		              "it on",
		              STR_ARG(code));
	else
		problems_rule(own_problems(s), RULE_BILINGUAL, (struct loc){.path = path},
		              "'" STR_FMT "' is no language of the site, expected one of %s; "
		              "'languages' in content/site.lua adds one",
		              STR_ARG(code), all_languages(c, s->arena));
	return NULL;
}

/* The versions of one page, which are adjacent in the list of all sources. */
struct versions {
	const char *own; /* path of the version in the site's own language */
	struct page *first;
};

static void add_version(struct site *s, struct versions *v, struct page *p, const char *own)
{
	if (v->own && strcmp(v->own, own) == 0) {
		if (!v->first->versions) {
			v->first->versions =
			        ARENA_ARRAY(s->shared, struct page *, s->config->nlanguages);
			v->first->versions[v->first->language] = v->first;
		}
		p->versions = v->first->versions;
		p->versions[p->language] = p;
	} else {
		*v = (struct versions){own, p};
	}
}

/* The page of a family, to which a text belongs. */
static struct page *family_page(const struct site *s, struct str id)
{
	const struct page_kind *kind = page_kind(s, "family");
	for (size_t i = 0; i < s->pages.n; i++)
		if (s->pages.all[i]->kind == kind && s->pages.all[i]->language == 0 &&
		    str_is(id, ((const struct data_family *)s->pages.all[i]->subject)->id))
			return s->pages.all[i];
	return NULL;
}

/* A family of this repository may have its text before its first run. */
static void say_no_family(struct site *s, const char *path, struct str id)
{
	struct sb all = {0};
	if (file_exists(arena_printf(s->arena, "kernels/" STR_FMT "/family.c", STR_ARG(id)))) {
		problems_warn(own_problems(s), (struct loc){.path = path},
		              "not published, because no run has measured the family '" STR_FMT "'",
		              STR_ARG(id));
		return;
	}
	for (size_t i = 0; i < s->data->families.n; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", s->data->families.all[i].id);
	problems_say(own_problems(s), (struct loc){path, 1, 1},
	             "there is no family '" STR_FMT "', %s%s", STR_ARG(id),
	             all.n ? "expected one of " : "no run has measured any", all.n ? all.p : "");
	sb_free(&all);
}

/* Adds a text to its page. The page exists in the site's own language, and is added in others. */
static void add_family_text(struct site *s, const char *path, const char *own, size_t language,
                            struct versions *versions)
{
	struct str id = str_sub(str_of(own), strlen(KERNELS), strlen(own) - strlen(".md"));
	struct page *first = family_page(s, id), *p = first;
	if (!first) {
		say_no_family(s, path, id);
		return;
	}
	add_version(s, versions, first, own);
	if (language > 0) {
		p = site_add(s, first->kind,
		             arena_printf(s->shared, "%s%s", s->config->languages[language].prefix,
		                          first->url),
		             first->subject);
		p->language = (int)language;
		add_version(s, versions, p, own);
	}
	p->path = path;
	p->loaded = false;
}

static bool is_home(const struct content_place *place, const char *name)
{
	return place->front == FRONT_PAGE && strcmp(name, "home.md") == 0;
}

static bool is_other_source(const char *path)
{
	return strcmp(path, "content/site.lua") == 0 || strcmp(path, CONFIG_KERNEL_WORDS) == 0 ||
	       strcmp(path, "content/words.txt") == 0; /* commands/spell.h */
}

/* Reports a wrong file, and names the files allowed there. */
static void say_no_content(struct site *s, const struct content_place *place, struct loc at)
{
	struct sb all = {0};
	for (size_t i = 0; i < NPLACES; i++)
		sb_printf(&all, "%s%sNAME.md%s%s%s", i ? ", " : "", places[i].folder,
		          places[i].folders ? ", " : "", places[i].folders ? places[i].folder : "",
		          places[i].folders ? "NAME/index.md" : "");
	if (place && place->folders)
		problems_say(own_problems(s), at,
		             "not a %s, expected NAME.md or a folder with index.md", place->kind);
	else
		problems_say(own_problems(s), at, "not content, expected one of %s", all.p);
	sb_free(&all);
}

static void add_source(struct site *s, const char *path, struct versions *versions)
{
	size_t language;
	const char *own = own_source(s, path, &language);
	struct loc at = {.path = path};
	if (!own)
		return;
	struct page *p = NULL;
	const struct content_place *place = content_place(own);
	const char *rest = place ? own + strlen(place->folder) : own;
	const char *slash = place ? strchr(rest, '/') : NULL;
	bool markdown = place && str_ends(str_of(own), ".md");
	bool in_folder = slash && place->folders;
	if (markdown && !slash && place->front == FRONT_FAMILY)
		add_family_text(s, path, own, language, versions);
	else if (in_folder ? strcmp(slash, "/index.md") == 0
	                   : markdown && !slash && !is_home(place, rest))
		p = site_add(s, page_kind(s, place->kind), NULL, NULL);
	else if (in_folder && !has_index(s, path))
		problems_say(own_problems(s), at,
		             "in a folder without index.md, expected %.*s/index.md",
		             (int)(slash - own), own);
	else if (!in_folder && !(markdown && !slash) && !is_other_source(own))
		say_no_content(s, place, at);
	if (!p)
		return;
	p->path = path;
	p->language = (int)language;
	add_version(s, versions, p, own);
}

const char *content_home(const struct site *s, size_t language)
{
	const char *code = s->config->languages[language].code;
	const char *path =
	        language ? arena_printf(s->shared, PAGES "home.%s.md", code) : PAGES "home.md";
	return has_input(s, path) ? path : NULL;
}

static void add_file(struct site *s, const struct input *f, const char *url)
{
	if (!plain_name(f->path)) {
		problems_say(
		        own_problems(s), (struct loc){.path = f->path},
		        "the file's name becomes an address, expected letters, digits, '.', '_' "
		        "and '-' only");
		return;
	}
	struct page *p = site_add(s, page_kind(s, "file"), url, f);
	p->path = f->path;
	p->loaded = true;
}

void content_pages(struct site *s)
{
	size_t from, to;
	inputs_under(&s->repo.files, "content/", &from, &to);
	struct versions versions = {0};
	for (size_t i = from; i < to; i++)
		add_source(s, s->repo.files.file[i].path, &versions);
	struct layer_file *look;
	size_t n = layers_list(&s->config->look, &s->repo.files, "static/", s->arena, &look);
	for (size_t i = 0; i < n; i++) {
		const struct input *f = look[i].input;
		file_kind_check(f->path, FILE_OF_LOOK, s->lint, s->arena, NULL, own_problems(s));
		add_file(s, f, arena_printf(s->shared, "/static/%s", look[i].name));
	}
}

static bool is_index(const char *name)
{
	return str_starts(str_of(name), "index.") && str_ends(str_of(name), ".md");
}

const char *content_folder(const struct page *p, struct arena *a)
{
	if (!str_starts(str_of(p->path), POSTS))
		return NULL;
	const char *slash = strchr(p->path + strlen(POSTS), '/');
	return slash && is_index(slash + 1)
	               ? arena_strndup(a, p->path, (size_t)(slash + 1 - p->path))
	               : NULL;
}

void content_post_files(struct site *s)
{
	for (size_t i = 0; i < s->index.posts.n; i++) {
		const char *folder = content_folder(s->index.posts.all[i], s->arena);
		size_t from = 0, to = 0;
		if (folder)
			inputs_under(&s->repo.files, folder, &from, &to);
		for (size_t k = from; k < to; k++) {
			const struct input *f = &s->repo.files.file[k];
			const char *rest = f->path + strlen(folder);
			if (!is_index(rest))
				add_file(s, f,
				         arena_printf(s->shared, "%s%s", s->index.posts.all[i]->url,
				                      rest));
		}
	}
}

struct waiver *content_check_files(struct maker *m, const struct page *p)
{
	const struct inputs *in = &m->site->repo.files;
	const char *folder = content_folder(p, &m->scratch);
	struct waiver *waivers = NULL;
	size_t from = 0, to = 0;
	for (int l = 0; l < p->language; l++)
		if (site_version(p, (size_t)l))
			return NULL;
	if (folder)
		inputs_under(in, folder, &from, &to);
	for (size_t i = from; i < to; i++)
		if (!is_index(in->file[i].path + strlen(folder)))
			file_kind_check(in->file[i].path, FILE_OF_POST, m->site->lint, m->shared,
			                &waivers, m->problems);
	return waivers;
}

bool content_file_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	struct str bytes;
	if (!file_read(p->path, MAX_FILE_BYTES, &m->scratch, &bytes, e))
		return false;
	assets_publish(m->site, p->path, bytes, to);
	return true;
}
