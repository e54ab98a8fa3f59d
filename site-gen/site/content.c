#include "site-gen/site/content.h"

#include <string.h>
#include <time.h>

#include "lib/file.h"
#include "site-gen/site/aliases.h"
#include "site-gen/site/file_kind.h"
#include "site-gen/base/front.h"
#include "site-gen/base/front_check.h"
#include "site-gen/git/git.h"
#include "site-gen/site/handbook.h"
#include "site-gen/base/html.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/base/rules.h"
#include "site-gen/markdown/traced.h"
#include "site-gen/site/translation.h"
#include "site-gen/site/unmarked.h"
#include "site-gen/base/warn.h"

enum {
	MAX_SOURCE_BYTES = 256 << 10, /* beyond this cmark-gfm may take minutes */
	MAX_FILE_BYTES = 64 << 20,
};

#define POSTS "content/posts/"
#define PAGES "content/pages/"
#define KERNELS "content/kernels/"

/* --- which sources there are ------------------------------------------------------ */

/* Where sources stand. To add a kind of source: a row here, its kind in build/page_kinds.c and base/front.h. */
static const struct place {
	const char *folder, *kind, *url;
	enum front_kind front;
	bool folders; /* NAME/index.md, with files beside it */
} places[] = {
        {POSTS, "post", "/posts/", FRONT_POST, true},
        {PAGES, "page", "/", FRONT_PAGE, false},
        {"content/sections/", "section", "/handbook/", FRONT_SECTION, false},
        {"content/paths/", "path", "/paths/", FRONT_PATH, false},
        {KERNELS, "family", "/kernels/", FRONT_FAMILY, false},
};
enum { NPLACES = sizeof places / sizeof *places };

static const struct place *place_of(const char *path)
{
	for (size_t i = 0; i < NPLACES; i++)
		if (str_starts(str_of(path), places[i].folder))
			return &places[i];
	return NULL;
}

enum front_kind content_front(const struct page *p)
{
	return place_of(p->path)->front;
}

static struct problems *own_problems(struct site *s)
{
	return &s->problems[s->options.jobs];
}

/* A name that is the same in an address: no escape, no surprise. */
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
	inputs_under(&s->inputs, path, &from, &to);
	return from < to && strcmp(s->inputs.file[from].path, path) == 0;
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
 * source -> name '.' language '.md' | name '.md' ; the path of the source in the site's own
 * language, and the language of this one. NULL: a language that the site does not have.
 */
static const char *own_source(struct site *s, const char *path, size_t *language)
{
	const struct config *c = &s->config;
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
	else
		problems_rule(own_problems(s), RULE_BILINGUAL, (struct loc){.path = path},
		              "'" STR_FMT "' is no language of the site, expected one of %s; "
		              "'languages' in content/site.lua adds one",
		              STR_ARG(code), all_languages(c, s->arena));
	return NULL;
}

/* Sources of one page stand together in the list of all. */
struct versions {
	const char *own; /* the path in the site's own language */
	struct page *first;
};

static void add_version(struct site *s, struct versions *v, struct page *p, const char *own)
{
	if (v->own && strcmp(v->own, own) == 0) {
		if (!v->first->versions) {
			v->first->versions =
			        ARENA_ARRAY(s->shared, struct page *, s->config.nlanguages);
			v->first->versions[v->first->language] = v->first;
		}
		p->versions = v->first->versions;
		p->versions[p->language] = p;
	} else {
		*v = (struct versions){own, p};
	}
}

/* The page of a family, which a text becomes part of. */
static struct page *family_page(const struct site *s, struct str id)
{
	const struct page_kind *kind = page_kind(s, "family");
	for (size_t i = 0; i < s->npages; i++)
		if (s->pages[i]->kind == kind && s->pages[i]->language == 0 &&
		    str_is(id, ((const struct data_family *)s->pages[i]->subject)->id))
			return s->pages[i];
	return NULL;
}

static void say_no_family(struct site *s, const char *path, struct str id)
{
	struct sb all = {0};
	for (size_t i = 0; i < s->nfamilies; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", s->families[i].id);
	problems_say(own_problems(s), (struct loc){path, 1, 1},
	             "there is no family '" STR_FMT "', %s%s", STR_ARG(id),
	             all.n ? "expected one of " : "no run has measured any", all.n ? all.p : "");
	sb_free(&all);
}

/* In the site's own language the page is there already; in another one it is made for its text. */
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
		             arena_printf(s->shared, "%s%s", s->config.languages[language].prefix,
		                          first->url),
		             first->subject);
		p->language = (int)language;
		add_version(s, versions, p, own);
	}
	p->path = path;
	p->loaded = false;
}

static bool is_home(const struct place *place, const char *name)
{
	return place->front == FRONT_PAGE && strcmp(name, "home.md") == 0;
}

static bool is_other_source(const char *path)
{
	return strcmp(path, "content/site.lua") == 0 || strcmp(path, CONFIG_KERNEL_WORDS) == 0 ||
	       strcmp(path, "content/words.txt") == 0; /* commands/spell.h */
}

/* Says what may stand there. */
static void say_no_content(struct site *s, const struct place *place, struct loc at)
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
	const struct place *place = place_of(own);
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
	const char *code = s->config.languages[language].code;
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
	inputs_under(&s->inputs, "content/", &from, &to);
	struct versions versions = {0};
	for (size_t i = from; i < to; i++)
		add_source(s, s->inputs.file[i].path, &versions);
	const char *folder = arena_printf(s->arena, "%sstatic/", s->config.look);
	inputs_under(&s->inputs, folder, &from, &to);
	for (size_t i = from; i < to; i++) {
		const struct input *f = &s->inputs.file[i];
		file_kind_check(f->path, FILE_OF_LOOK, s->lint, s->arena, NULL, own_problems(s));
		add_file(s, f, arena_printf(s->shared, "/static/%s", f->path + strlen(folder)));
	}
}

static bool is_index(const char *name)
{
	return str_starts(str_of(name), "index.") && str_ends(str_of(name), ".md");
}

/* "content/posts/x/index.md" -> "content/posts/x/", else NULL. */
static const char *folder_of(const struct page *p, struct arena *a)
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
	for (size_t i = 0; i < s->nposts; i++) {
		const char *folder = folder_of(s->posts[i], s->arena);
		size_t from = 0, to = 0;
		if (folder)
			inputs_under(&s->inputs, folder, &from, &to);
		for (size_t k = from; k < to; k++) {
			const struct input *f = &s->inputs.file[k];
			const char *rest = f->path + strlen(folder);
			if (!is_index(rest))
				add_file(s, f,
				         arena_printf(s->shared, "%s%s", s->posts[i]->url, rest));
		}
	}
}

/* --- one source ---------------------------------------------------------------------- */

static const char *keep(struct maker *m, const char *s)
{
	return s ? arena_strdup(m->shared, s) : NULL;
}

static struct str keep_str(struct maker *m, struct str s)
{
	return (struct str){arena_strndup(m->shared, s.p ? s.p : "", s.n), s.n};
}

/* A text of the front matter, plain and as markup, with its numbers expanded; `what` names it. */
static bool expand_front(struct maker *m, struct expand_ctx *ctx, const struct front_text *t,
                         const char *what, const char **plain, struct str *html, struct err *e)
{
	struct sb text = {0}, markup = {0};
	const struct quote *quotes = ctx->quotes;
	const struct fact *facts = ctx->facts;
	bool ok = expand_all(ctx, t->s, t->at, false, &text, e) &&
	          expand_all(ctx, t->s, t->at, true, &markup, e);
	if (ok) {
		unmarked_check(ctx, quotes, facts, what, m->problems);
		*plain = arena_strndup(m->shared, text.p ? text.p : "", text.n);
		*html = keep_str(m, sb_view(&markup));
	}
	sb_free(&text);
	sb_free(&markup);
	return ok;
}

/* Without a description the first paragraph is one, cut at a word near 200 bytes. */
static void describe(struct maker *m, struct page *p, const char *first_paragraph)
{
	struct str s = str_of(first_paragraph);
	size_t cut = 200;
	bool whole = s.n <= cut;
	if (!whole) {
		while (cut > 140 && s.p[cut] != ' ')
			cut--;
		while (((unsigned char)s.p[cut] & 0xc0) == 0x80) /* scripts without spaces */
			cut--;
		s.n = cut;
	}
	p->description = arena_printf(m->shared, STR_FMT "%s", STR_ARG(s), whole ? "" : "…");
	struct sb html = {0};
	html_text(&html, str_of(p->description));
	p->description_html = keep_str(m, sb_view(&html));
	sb_free(&html);
}

static void keep_front(struct maker *m, struct page *p, const struct front *f)
{
	p->date = keep(m, f->date);
	p->updated = keep(m, f->updated);
	p->category = keep(m, f->category);
	p->difficulty = keep(m, f->difficulty);
	p->series = keep(m, f->series);
	p->lang = f->lang ? keep(m, f->lang) : site_language(m->site, p)->code;
	p->part = f->part;
	p->order = f->order;
	p->ntags = f->ntags;
	p->section = handbook_keep(m, p, f);
	p->tags = ARENA_ARRAY(m->shared, const char *, f->ntags);
	for (size_t i = 0; i < f->ntags; i++)
		p->tags[i] = keep(m, f->tags[i]);
}

static void keep_doc(struct maker *m, struct page *p, const struct md_doc *d)
{
	p->body = (struct str){arena_strndup(m->bulk, d->html.p ? d->html.p : "", d->html.n),
	                       d->html.n};
	p->minutes = markdown_minutes(d);
	p->nheadings = d->nheadings;
	p->headings = ARENA_ARRAY(m->shared, struct md_heading, d->nheadings);
	for (size_t i = 0; i < d->nheadings; i++)
		p->headings[i] =
		        (struct md_heading){d->headings[i].level, keep(m, d->headings[i].id),
		                            keep(m, d->headings[i].text)};
	p->nunshown = d->nunshown;
	p->unshown = ARENA_ARRAY(m->shared, struct md_lines, d->nunshown);
	for (size_t i = 0; i < d->nunshown; i++)
		p->unshown[i] = d->unshown[i];
	p->nlinks = d->nlinks;
	p->links = ARENA_ARRAY(m->shared, struct md_link, d->nlinks);
	for (size_t i = 0; i < d->nlinks; i++) {
		p->links[i] = d->links[i];
		p->links[i].url = keep(m, d->links[i].url);
		p->links[i].at.path = p->path;
	}
	p->npictures = d->npictures;
	p->pictures = ARENA_ARRAY(m->shared, struct md_picture, d->npictures);
	for (size_t i = 0; i < d->npictures; i++) {
		p->pictures[i] = d->pictures[i];
		p->pictures[i].url = keep(m, d->pictures[i].url);
		p->pictures[i].file = keep(m, d->pictures[i].file);
	}
}

/* A post's files are read with its first version: the others show the same. The waivers in them. */
static struct waiver *check_post_files(struct maker *m, const struct page *p)
{
	const struct inputs *in = &m->site->inputs;
	const char *folder = folder_of(p, &m->scratch);
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

static void add_waivers(struct page *p, struct waiver *more)
{
	struct waiver **last = &p->waivers;
	while (*last)
		last = &(*last)->next;
	*last = more;
}

static bool render(struct maker *m, struct page *p, const struct front *f,
                   const struct md_options *options, struct err *e)
{
	struct expand_ctx ctx = site_context(m, f->device);
	struct md_doc doc = {0};
	struct waiver *waivers = check_post_files(m, p);
	ctx.problems = m->problems;
	ctx.blocks = p->blocks;
	bool ok = markdown_render_with(&ctx, f->body, p->path, f->body_line, options, &doc, e);
	ctx.problems = NULL;
	problems_add(m->problems, e);
	*e = ERR_NONE;
	if (!expand_front(m, &ctx, &f->title, "the title", &p->title, &p->title_html, e) || !ok)
		return false;
	if (f->description.s.p) {
		if (!expand_front(m, &ctx, &f->description, "the description", &p->description,
		                  &p->description_html, e))
			return false;
	} else {
		describe(m, p, doc.first_paragraph ? doc.first_paragraph : "");
	}
	if (f->key.s.p &&
	    !expand_front(m, &ctx, &f->key, "the key result", &p->key, &p->key_html, e))
		return false;
	keep_front(m, p, f);
	keep_doc(m, p, &doc);
	if (!aliases_keep(m, p, f, e))
		return false;
	content_keep_uses(m, p, &ctx);
	traced_page(m, p, f, &doc);
	add_waivers(p, waivers);
	warn_markdown(f->body, p->path, f->body_line, m->problems);
	p->made_links = ctx.uses || ctx.blocks || p->translation;
	p->loaded = true;
	return true;
}

/* index.md takes its slug from its folder. */
static bool slug_of(struct maker *m, const struct page *p, const struct front *f, const char **slug,
                    struct err *e)
{
	const char *folder = folder_of(p, &m->scratch);
	*slug = f->slug;
	if (strcmp(f->slug, "index") != 0 || !folder)
		return true;
	*slug = arena_strndup(&m->scratch, folder + strlen(POSTS),
	                      strlen(folder) - strlen(POSTS) - 1);
	return !front_check_slug(*slug) ||
	       err_set(e, "%s: the folder's name is no slug, expected [a-z0-9-]{1,64}", p->path);
}

static bool check_lang(struct maker *m, const struct page *p, const struct front *f, struct err *e)
{
	const char *code = site_language(m->site, p)->code;
	if (m->site->config.nlanguages == 1 || !f->lang || strcmp(f->lang, code) == 0)
		return true;
	return rule_err(e, RULE_BILINGUAL, f->lang_at,
	                "lang is '%s', but the file's name says '%s'; expected NAME.%s.md", f->lang,
	                code, f->lang);
}

/* A translation is compared with its original, and rendered so that it shows where it is older. */
static bool load_translation(struct maker *m, struct page *p, struct front *f, const char *folder,
                             struct md_options *options, struct err *e)
{
	struct translation_pair pair;
	const char *slug;
	if (!translation_compare(m, p, f, content_front(p), &pair, e) ||
	    (!p->url && !slug_of(m, pair.state->original, &pair.original, &slug, e)))
		return false;
	p->translation = pair.state;
	*options = pair.options;
	options->original =
	        p->url ? site_version(p, 0)->url : arena_printf(&m->scratch, "%s%s/", folder, slug);
	return true;
}

/*
 * Is its day still to come? The site's now is its last commit: no clock is
 * asked, so the same commit is the same site for ever. A day counts as begun
 * when it has begun anywhere, which is at UTC+14.
 */
static bool is_ahead(const struct site *s, const char *date)
{
	int64_t now = s->git ? git_head_time(s->git) : 0;
	time_t latest = (time_t)now + 14 * 3600;
	struct tm tm;
	char day[sizeof "YYYY-MM-DD"];
	return now > 0 && date && gmtime_r(&latest, &tm) &&
	       strftime(day, sizeof day, "%Y-%m-%d", &tm) > 0 && strcmp(date, day) > 0;
}

/*
 * What is wrong in the text of a page whose front matter is wrong, too: told
 * together. A device that was not read would make faults that are none.
 */
static void read_body(struct maker *m, const struct page *p, const struct front *f)
{
	struct expand_ctx ctx = site_context(m, f->device);
	struct md_doc doc = {0};
	struct err e = ERR_NONE;
	if (!f->body.p || f->body_line == 0)
		return;
	ctx.problems = m->problems;
	markdown_render_with(&ctx, f->body, p->path, f->body_line, NULL, &doc, &e);
	problems_add(m->problems, &e);
}

static bool load(struct maker *m, struct page *p, enum front_kind kind, const char *folder,
                 struct err *e)
{
	struct str src;
	struct front f = {0};
	const char *slug;
	bool translation = translation_original(p);
	struct md_options options = {.anchors = p->versions != NULL};
	if (!file_read(p->path, MAX_SOURCE_BYTES, &m->scratch, &src, e))
		return false;
	if (!front_parse(src, p->path, translation ? FRONT_TRANSLATION : kind, &m->scratch, &f,
	                 e)) {
		if (!f.device &&
		    !memmem(src.p, (size_t)(f.body.p ? f.body.p - src.p : 0), "\ndevice", 7))
			read_body(m, p, &f);
		return false;
	}
	if (!check_lang(m, p, &f, e) ||
	    (translation && !load_translation(m, p, &f, folder, &options, e)) ||
	    (!p->url && !slug_of(m, p, &f, &slug, e)))
		return false;
	p->draft = f.draft;
	if (!f.draft && is_ahead(m->site, f.date))
		p->scheduled = arena_strdup(m->shared, f.date);
	if ((p->draft && !m->site->options.drafts) || (p->scheduled && !m->site->options.future))
		return true;
	if (!p->url) {
		p->url = arena_printf(m->shared, "%s%s%s/", site_language(m->site, p)->prefix,
		                      folder, slug);
		p->out = site_out_of(m->shared, p->url);
	}
	return render(m, p, &f, p->versions ? &options : NULL, e);
}

bool content_load(struct maker *m, struct page *p, struct err *e)
{
	const struct place *place = place_of(p->path);
	return load(m, p, place->front, place->url, e);
}

bool content_file_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	struct str bytes;
	if (!file_read(p->path, MAX_FILE_BYTES, &m->scratch, &bytes, e))
		return false;
	sb_str(to, bytes);
	return true;
}
