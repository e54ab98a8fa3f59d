#include "site-gen/build/groups.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/base/problems.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"

struct site_list;

struct membership {
	const char *name;
	struct page *post;
	size_t order, tag; /* positions of the post in its list, and of the tag in the post */
	bool own;          /* the post is in the list's language */
};

static int by_name(const void *a, const void *b)
{
	const struct membership *x = a, *y = b;
	int d = strcmp(x->name, y->name);
	return d ? d : x->order < y->order ? -1 : x->order > y->order;
}

/* Makes a group for each name among sorted memberships; `join` tells a post its group. */
static struct page_group *group(struct site *s, struct membership *m, size_t n, size_t *ngroups,
                                void (*join)(struct membership *m, const struct page_group *g))
{
	struct page_group *all = ARENA_ARRAY(s->arena, struct page_group, n);
	*ngroups = 0;
	if (n)
		qsort(m, n, sizeof *m, by_name);
	for (size_t i = 0, k; i < n; i = k) {
		struct page_group *g = &all[(*ngroups)++];
		for (k = i; k < n && strcmp(m[k].name, m[i].name) == 0; k++)
			join(&m[k], g);
		g->name = m[i].name;
		g->posts.n = k - i;
		g->posts.all = ARENA_ARRAY(s->arena, struct page *, k - i);
		for (size_t j = i; j < k; j++)
			g->posts.all[j - i] = m[j].post;
	}
	return all;
}

/* Tells a post the groups of its own language. */
static void join_tag(struct membership *m, const struct page_group *g)
{
	if (m->own)
		m->post->place.tags[m->tag] = g;
}

static void join_series(struct membership *m, const struct page_group *g)
{
	if (m->own)
		m->post->place.series = g;
}

static void build_tags(struct site *s, size_t language)
{
	struct site_list *l = &s->index.lists[language];
	size_t n = 0, total = 0;
	for (size_t i = 0; i < l->posts.n; i++)
		total += l->posts.all[i]->front.ntags;
	struct membership *m = ARENA_ARRAY(s->arena, struct membership, total);
	for (size_t i = 0; i < l->posts.n; i++) {
		struct page *p = l->posts.all[i];
		bool own = (size_t)p->language == language;
		if (own)
			p->place.tags =
			        ARENA_ARRAY(s->shared, const struct page_group *, p->front.ntags);
		for (size_t k = 0; k < p->front.ntags; k++)
			m[n++] = (struct membership){p->front.tags[k], p, i, k, own};
	}
	l->tags = group(s, m, n, &l->ntags, join_tag);
}

/* By part, then by date, oldest first. */
static int reading_order(const void *a, const void *b)
{
	const struct page *x = *(struct page *const *)a, *y = *(struct page *const *)b;
	int d = x->front.part < y->front.part ? -1 : x->front.part > y->front.part;
	d = d ? d : strcmp(x->front.date, y->front.date);
	return d ? d : strcmp(x->url, y->url);
}

/* Adds the feed at its address below a page. `of` has the posts, newest first. */
static void add_feed(struct site *s, const char *kind, const struct page *page,
                     const struct page_group *of)
{
	static const char file[] = "index.html";
	int folder = (int)(strlen(page->out) - strlen(file));
	struct page *feed = site_add(s, page_kind(s, kind),
	                             arena_printf(s->shared, "%sfeed.xml", page->url), of);
	feed->out = arena_printf(s->shared, "%.*sfeed.xml", folder, page->out);
	feed->language = page->language;
	feed->text.lang = page->text.lang;
	feed->loaded = true;
}

/* --- series ----------------------------------------------------------------------------------- */

static void build_series(struct site *s, size_t language)
{
	struct site_list *l = &s->index.lists[language];
	size_t n = 0;
	struct membership *m = ARENA_ARRAY(s->arena, struct membership, l->posts.n);
	for (size_t i = 0; i < l->posts.n; i++) {
		struct page *p = l->posts.all[i];
		if (p->front.series)
			m[n++] = (struct membership){p->front.series, p, i, 0,
			                             (size_t)p->language == language};
	}
	l->series = group(s, m, n, &l->nseries, join_series);
}

/* A series' feed has its posts in the order of tags' feeds, so it is a group of its own. */
static void add_series_feed(struct site *s, const struct page_group *g)
{
	struct page_group *newest = ARENA_NEW(s->arena, struct page_group);
	*newest = *g;
	newest->posts.all = ARENA_ARRAY(s->arena, struct page *, g->posts.n);
	memcpy(newest->posts.all, g->posts.all, g->posts.n * sizeof *g->posts.all);
	add_feed(s, "series feed", g->page, newest);
}

static struct page_group *series_named(struct site_list *l, const char *name)
{
	for (size_t i = 0; i < l->nseries; i++)
		if (strcmp(l->series[i].name, name) == 0)
			return &l->series[i];
	return NULL;
}

/* Tells a page of a series its posts, and them their page. */
static void join_page(struct maker *m, struct page *p)
{
	struct page_group *g = series_named(&m->site->index.lists[p->language], p->text.title);
	if (!g || g->page) {
		problems_say(m->problems, (struct loc){.path = p->path},
		             g ? "series '%s' has another page"
		               : "no published post has 'series: %s', expected the title to be "
		                 "the name of a series; 'draft: true' leaves the page out",
		             p->text.title);
		return;
	}
	p->subject = g;
	g->page = p;
	g->url = p->url;
	add_series_feed(m->site, g);
}

static bool has_own_post(const struct page_group *g, size_t language)
{
	size_t i = 0;
	while (i < g->posts.n && (size_t)g->posts.all[i]->language != language)
		i++;
	return i < g->posts.n;
}

/* Where one series has a page, each has one: a name that is written wrongly would have none. */
static void check_series(struct maker *m, const struct site_list *l, size_t language)
{
	const struct config_language *in = &m->site->config->languages[language];
	size_t with = 0;
	for (size_t i = 0; i < l->nseries; i++)
		with += l->series[i].page != NULL;
	for (size_t i = 0; with && i < l->nseries; i++)
		if (!l->series[i].page && has_own_post(&l->series[i], language))
			problems_say(
			        m->problems, (struct loc){.path = l->series[i].posts.all[0]->path},
			        "series '%s' has no page, expected content/series/NAME%s%s.md "
			        "with that title",
			        l->series[i].name, language ? "." : "", language ? in->code : "");
}

static void add_series_pages(struct maker *m)
{
	struct site *s = m->site;
	const struct page_kind *kind = page_kind(s, "series");
	for (size_t i = 0, n = s->pages.n; i < n; i++)
		if (s->pages.all[i]->kind == kind)
			join_page(m, s->pages.all[i]);
	for (size_t l = 0; l < s->config->nlanguages; l++) {
		struct site_list *list = &s->index.lists[l];
		check_series(m, list, l);
		for (size_t i = 0; i < list->nseries; i++)
			qsort(list->series[i].posts.all, list->series[i].posts.n,
			      sizeof *list->series[i].posts.all, reading_order);
	}
}

/* --- pages of tags ---------------------------------------------------------------------------- */

/* A tag's address; *slug is as in names of files, while the address is percent-encoded. */
static const char *tag_url(struct site *s, const char *name, size_t language, const char **slug)
{
	struct sb plain = {0}, url = {0};
	html_slug(&plain, str_of(name));
	sb_printf(&url, "%s/tags/", s->config->languages[language].prefix);
	html_url(&url, sb_view(&plain));
	sb_char(&url, '/');
	*slug = str_dup(s->shared, sb_view(&plain));
	const char *kept = arena_strdup(s->shared, url.p);
	sb_free(&plain);
	sb_free(&url);
	return kept;
}

static const char *tag_out(struct site *s, const char *slug, size_t language)
{
	return arena_printf(s->shared, "%s/tags/%s/index.html",
	                    s->config->languages[language].prefix, slug) +
	       1;
}

static void add_tag_page(struct maker *m, struct page_group *t, size_t language)
{
	struct site *s = m->site;
	struct err e = ERR_NONE;
	const char *slug;
	t->url = tag_url(s, t->name, language, &slug);
	struct page *p = site_add(s, page_kind(s, "tag"), t->url, t);
	p->out = tag_out(s, slug, language);
	p->language = (int)language;
	t->page = p;
	if (!p->kind->load(m, p, &e))
		problems_add(m->problems, &e);
	add_feed(s, "tag feed", p, t);
	if (!*slug)
		problems_say(m->problems, (struct loc){.path = t->posts.all[0]->path},
		             "tag '%s' has no letter or digit", t->name);
}

static struct page_group *tag_named(struct site_list *l, const char *name)
{
	for (size_t i = 0; i < l->ntags; i++)
		if (strcmp(l->tags[i].name, name) == 0)
			return &l->tags[i];
	return NULL;
}

/* Links tags of one name as versions of one page. */
static void link_tags(struct site *s)
{
	size_t n = s->config->nlanguages;
	for (size_t l = 1; l < n; l++)
		for (size_t i = 0; i < s->index.lists[l].ntags; i++) {
			struct page *p = s->index.lists[l].tags[i].page;
			struct page_group *other = NULL;
			for (size_t k = 0; k < l && !other; k++)
				other = tag_named(&s->index.lists[k],
				                  s->index.lists[l].tags[i].name);
			if (!other)
				continue;
			if (!other->page->versions)
				other->page->versions = ARENA_ARRAY(s->shared, struct page *, n);
			p->versions = other->page->versions;
			p->versions[other->page->language] = other->page;
			p->versions[l] = p;
		}
}

/* --- former tags ------------------------------------------------------------------------------ */

/* A former tag's page leads to the tag that took its posts; its feed goes on with that tag's. */
static void add_former_tag(struct maker *m, const struct config_tag *f)
{
	struct site *s = m->site;
	size_t language = config_language(s->config, str_of(f->lang));
	struct site_list *l = &s->index.lists[language];
	const struct page_group *t = tag_named(l, f->name);
	const struct page_group *used = tag_named(l, f->former);
	const char *slug;
	if (!t || used) {
		problems_say(m->problems, f->at,
		             used ? "former tag '%s' is still a tag of %s"
		                  : "former tag '%s' leads to a tag that no post has: '%s'",
		             f->former, used ? used->posts.all[0]->path : f->name);
		return;
	}
	const char *url = tag_url(s, f->former, language, &slug);
	struct page *p = site_add(s, page_kind(s, "redirect"), url, t->page);
	p->out = tag_out(s, slug, language);
	p->path = f->at.path;
	p->language = (int)language;
	p->text.lang = t->page->text.lang;
	p->text.title = t->page->text.title;
	p->loaded = true;
	add_feed(s, "tag feed", p, t);
}

static void check_number(struct maker *m, const struct site_list *l, const char *code)
{
	const struct config *c = m->site->config;
	struct sb all = {0};
	for (size_t i = 0; i < l->ntags; i++)
		sb_printf(&all, "%s%s", i ? ", " : "", l->tags[i].name);
	if (c->most_tags && (int64_t)l->ntags > c->most_tags)
		problems_say(m->problems, c->tags_at,
		             "%zu tags in language '%s', expected at most %lld ('most'): %s",
		             l->ntags, code, (long long)c->most_tags, all.p);
	sb_free(&all);
}

/* --- all of it -------------------------------------------------------------------------------- */

void groups_build(struct maker *m)
{
	struct site *s = m->site;
	for (size_t l = 0; l < s->config->nlanguages; l++) {
		build_tags(s, l);
		build_series(s, l);
		check_number(m, &s->index.lists[l], s->config->languages[l].code);
		for (size_t i = 0; i < s->index.lists[l].ntags; i++)
			add_tag_page(m, &s->index.lists[l].tags[i], l);
	}
	link_tags(s);
	add_series_pages(m);
	for (size_t i = 0; i < s->config->nformer; i++)
		add_former_tag(m, &s->config->former[i]);
}
