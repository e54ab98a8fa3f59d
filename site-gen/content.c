#include "site-gen/content.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/front.h"
#include "site-gen/html.h"
#include "site-gen/number.h"
#include "site-gen/pages.h"

enum {
	MAX_SOURCE_BYTES = 256 << 10, /* beyond this cmark-gfm may take minutes */
	MAX_FILE_BYTES = 64 << 20,
};

#define POSTS "content/posts/"
#define PAGES "content/pages/"
#define STATIC "static/"

/* --- which sources there are ------------------------------------------------------ */

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

static bool has_index(const struct site *s, const char *path)
{
	const char *slash = strchr(path + strlen(POSTS), '/');
	struct sb index = {0};
	sb_printf(&index, "%.*s/index.md", (int)(slash - path), path);
	size_t from, to;
	inputs_under(&s->inputs, index.p, &from, &to);
	bool found = from < to && strcmp(s->inputs.file[from].path, index.p) == 0;
	sb_free(&index);
	return found;
}

static void add_source(struct site *s, const char *path)
{
	struct loc at = {.path = path};
	struct str name = str_of(path);
	bool post = str_starts(name, POSTS), page = str_starts(name, PAGES);
	const char *rest = post || page ? path + strlen(POSTS) : path; /* equally long names */
	const char *slash = post || page ? strchr(rest, '/') : NULL;
	bool markdown = str_ends(name, ".md");
	if (post && (slash ? strcmp(slash, "/index.md") == 0 : markdown))
		site_add(s, page_kind("post"), NULL, NULL)->path = path;
	else if (page && markdown && !slash && strcmp(rest, "home.md") != 0)
		site_add(s, page_kind("page"), NULL, NULL)->path = path;
	else if (post && slash && !has_index(s, path))
		problems_say(own_problems(s), at,
		             "in a folder without index.md, expected %.*s/index.md",
		             (int)(slash - path), path);
	else if (!post && !(page && markdown && !slash) && strcmp(path, "content/site.lua") != 0)
		problems_say(own_problems(s), at,
		             "not content, expected content/posts/NAME.md, "
		             "content/posts/NAME/index.md or content/pages/NAME.md");
	else if (post && !slash)
		problems_say(own_problems(s), at,
		             "not a post, expected NAME.md or a folder with index.md");
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
	struct page *p = site_add(s, page_kind("file"), url, f);
	p->path = f->path;
	p->loaded = true;
}

void content_pages(struct site *s)
{
	size_t from, to;
	inputs_under(&s->inputs, "content/", &from, &to);
	for (size_t i = from; i < to; i++)
		add_source(s, s->inputs.file[i].path);
	inputs_under(&s->inputs, STATIC, &from, &to);
	for (size_t i = from; i < to; i++)
		add_file(s, &s->inputs.file[i],
		         arena_printf(s->shared, "/%s", s->inputs.file[i].path));
}

/* "content/posts/x/index.md" -> "content/posts/x/", else NULL. */
static const char *folder_of(const struct page *p, struct arena *a)
{
	struct str path = str_of(p->path);
	if (!str_ends(path, "/index.md"))
		return NULL;
	return arena_strndup(a, path.p, path.n - strlen("index.md"));
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
			if (strcmp(rest, "index.md") != 0)
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

/* A text of the front matter, plain and as markup, with its numbers expanded. */
static bool expand_front(struct maker *m, struct expand_ctx *ctx, const struct front_text *t,
                         const char **plain, struct str *html, struct err *e)
{
	struct sb text = {0}, markup = {0};
	bool ok = expand_all(ctx, t->s, t->at, false, &text, e) &&
	          expand_all(ctx, t->s, t->at, true, &markup, e);
	if (ok) {
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
		while (cut > 0 && s.p[cut] != ' ')
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
	p->lang = keep(m, f->lang);
	p->part = f->part;
	p->ntags = f->ntags;
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
	p->nlinks = d->nlinks;
	p->links = ARENA_ARRAY(m->shared, struct md_link, d->nlinks);
	for (size_t i = 0; i < d->nlinks; i++) {
		p->links[i] = d->links[i];
		p->links[i].url = keep(m, d->links[i].url);
		p->links[i].at.path = p->path;
	}
}

/* The list came newest first. */
static void keep_quotes(struct maker *m, struct page *p, const struct quote *q)
{
	const char *placeholder = NULL, *kept = NULL;
	for (; q; q = q->next) {
		struct quote *own = ARENA_NEW(m->shared, struct quote);
		if (q->placeholder != placeholder) /* a block has many quotes */
			kept = keep(m, q->placeholder);
		placeholder = q->placeholder;
		*own = *q;
		own->text = keep(m, q->text);
		own->placeholder = kept;
		own->at.path = p->path;
		own->next = p->quotes;
		p->quotes = own;
	}
}

void content_keep_uses(struct maker *m, struct page *p, const struct expand_ctx *ctx)
{
	struct expand_use **last = &p->uses;
	for (const struct expand_use *u = ctx->uses; u; u = u->next) {
		*last = ARENA_NEW(m->shared, struct expand_use);
		**last = (struct expand_use){.run = u->run, .c = u->c};
		last = &(*last)->next;
	}
	keep_quotes(m, p, ctx->quotes);
	p->state = data_worst(&m->site->data, p->uses);
}

static bool render(struct maker *m, struct page *p, const struct front *f, struct err *e)
{
	struct expand_ctx ctx = site_context(m, f->device);
	struct md_doc doc = {0};
	if (!markdown_render(&ctx, f->body, p->path, f->body_line, &doc, e) ||
	    !expand_front(m, &ctx, &f->title, &p->title, &p->title_html, e))
		return false;
	if (f->description.s.p) {
		if (!expand_front(m, &ctx, &f->description, &p->description, &p->description_html,
		                  e))
			return false;
	} else {
		describe(m, p, doc.first_paragraph ? doc.first_paragraph : "");
	}
	keep_front(m, p, f);
	keep_doc(m, p, &doc);
	content_keep_uses(m, p, &ctx);
	p->made_links = ctx.uses || ctx.blocks;
	p->loaded = true;
	return true;
}

/* index.md takes its slug from its folder. */
static bool slug_of(struct maker *m, const struct page *p, const struct front *f, const char **slug,
                    struct err *e)
{
	struct str path = str_of(p->path);
	*slug = f->slug;
	if (strcmp(f->slug, "index") != 0 || !str_ends(path, "/index.md"))
		return true;
	size_t from = strlen(POSTS), n = path.n - from - strlen("/index.md");
	*slug = arena_strndup(&m->scratch, path.p + from, n);
	for (size_t i = 0; i < n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", (*slug)[i]) || n > 64 ||
		    (*slug)[0] == '-')
			return err_set(e,
			               "%s: the folder's name is no slug, expected [a-z0-9-]{1,64}",
			               p->path);
	return true;
}

static bool load(struct maker *m, struct page *p, enum front_kind kind, const char *folder,
                 struct err *e)
{
	struct str src;
	struct front f = {0};
	const char *slug;
	if (!file_read(p->path, MAX_SOURCE_BYTES, &m->scratch, &src, e) ||
	    !front_parse(src, p->path, kind, &m->scratch, &f, e) || !slug_of(m, p, &f, &slug, e))
		return false;
	p->draft = f.draft;
	if (f.draft && !m->site->options.drafts)
		return true;
	if (!p->url) {
		p->url = arena_printf(m->shared, "%s%s/", folder, slug);
		p->out = site_out_of(m->shared, p->url);
	}
	return render(m, p, &f, e);
}

bool content_load_post(struct maker *m, struct page *p, struct err *e)
{
	return load(m, p, FRONT_POST, "/posts/", e);
}

bool content_load_page(struct maker *m, struct page *p, struct err *e)
{
	return load(m, p, FRONT_PAGE, "/", e);
}

bool content_file_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	struct str bytes;
	if (!file_read(p->path, MAX_FILE_BYTES, &m->scratch, &bytes, e))
		return false;
	sb_str(to, bytes);
	return true;
}
