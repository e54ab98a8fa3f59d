#include "site-gen/files/feed.h"

#include <string.h>

#include "site-gen/files/feed_inner.h"
#include "site-gen/base/html.h"
#include "site-gen/base/moment.h"
#include "site-gen/site/handbook.h"
#include "site-gen/site/links.h"
#include "site-gen/site/log_check.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/lua/config.h"
#include "lib/arena.h"
#include "site-gen/site/site.h"
#include "site-gen/site/source.h"
#include "site-gen/site/maker.h"

const char feed_oldest[] = "1970-01-01";

/* --- absolute addresses -------------------------------------------------------------- */

struct absolute {
	struct sb *to;
	struct str html;
	size_t copied;
	const struct config *config;
	const char *url;
};

static void put_until(struct absolute *a, const char *p)
{
	size_t at = (size_t)(p - a->html.p);
	sb_str(a->to, str_sub(a->html, a->copied, at));
	a->copied = at;
}

/* The site's own address without its path: "https://host". */
static struct str origin_of(const struct config *c)
{
	return (struct str){c->base_url, (size_t)(c->base - c->base_url)};
}

static bool absolute_attribute(void *ctx, enum links_attribute kind, struct str value)
{
	struct absolute *a = ctx;
	if (kind == LINKS_ID || links_is_external(value))
		return true;
	put_until(a, value.p);
	if (str_starts(value, "/")) {
		html_attr(a->to, origin_of(a->config));
		return true;
	}
	html_attr(a->to, str_of(a->config->base_url));
	html_attr(a->to, str_of(a->url)); /* ends in '/', so a relative path can follow */
	return true;
}

void feed_absolute(struct sb *to, struct str html, const struct config *c, const char *url)
{
	struct absolute a = {.to = to, .html = html, .config = c, .url = url};
	links_scan(html, absolute_attribute, &a);
	sb_str(to, str_sub(html, a.copied, html.n));
}

/* --- Atom ----------------------------------------------------------------------------- */

static void element(struct sb *to, const char *name, struct str text)
{
	sb_printf(to, "<%s>", name);
	html_xml(to, text);
	sb_printf(to, "</%s>\n", name);
}

/* Does one of the post's texts in lists and cards show this number? */
static bool is_key(const struct page *p, const char *number)
{
	for (size_t i = 0; i < FRONT_TAKES; i++)
		if (p->front.take[i] && strstr(p->front.take[i], number))
			return true;
	return strstr(p->text.title, number) || strstr(p->text.description, number) ||
	       (p->front.key && strstr(p->front.key, number));
}

const char *feed_changed_on(const struct site *s, const struct page *p)
{
	const char *on = p->front.updated ? p->front.updated : p->front.date;
	size_t from = 0, to = 0;
	if (s->log && s->log->log.exists && page_kind_is(p, "post"))
		log_check_lines_of(s->log, p->url, &from, &to);
	for (; from < to; from++) {
		const struct published *line = s->log->by_name[from];
		if (line->was && line->text && strcmp(line->was, line->text) &&
		    strncmp(line->noted, on, MOMENT_DAY) > 0 && /* the log knows days */
		    is_key(p, line->text))
			on = line->noted;
	}
	return on;
}

static void put_time(struct sb *to, const char *name, const char *date)
{
	struct arena a = {0};
	sb_printf(to, "<%s>%s</%s>\n", name, moment_stamp(date, &a), name);
	arena_free(&a);
}

static void put_link(struct sb *to, const char *rel, const struct config *c, const char *url)
{
	sb_printf(to, "<link rel=\"%s\" href=\"", rel);
	html_xml(to, str_of(c->base_url));
	html_xml(to, str_of(url));
	sb_cstr(to, "\"/>\n");
}

static void put_id(struct sb *to, const struct config *c, const char *url)
{
	sb_cstr(to, "<id>");
	html_xml(to, str_of(c->base_url));
	html_xml(to, str_of(url));
	sb_cstr(to, "</id>\n");
}

static void put_author(struct sb *to, const char *name)
{
	sb_cstr(to, "<author>");
	element(to, "name", str_of(name));
	sb_cstr(to, "</author>\n");
}

/* `lang` is the feed's language. */
static void put_entry(struct sb *to, struct maker *m, const struct page *p, const char *lang)
{
	const struct site *s = m->site;
	const struct config *c = s->config;
	if (strcmp(site_lang(s, p), lang) == 0)
		sb_cstr(to, "<entry>\n");
	else
		sb_printf(to, "<entry xml:lang=\"%s\">\n", site_lang(s, p));
	element(to, "title", str_of(p->text.title));
	put_link(to, "alternate", c, p->url);
	put_id(to, c, p->url);
	put_time(to, "published", p->front.date);
	put_time(to, "updated", feed_changed_on(s, p));
	for (size_t i = 0; i < p->front.ntags; i++) {
		sb_cstr(to, "<category term=\"");
		html_xml(to, str_of(p->front.tags[i]));
		sb_cstr(to, "\"/>\n");
	}
	if (p->front.author)
		put_author(to, p->front.author);
	if (*p->text.description)
		element(to, "summary", str_of(p->text.description));
	sb_cstr(to, "<content type=\"html\">");
	html_xml_text(to, feed_content(m, p));
	sb_cstr(to, "</content>\n</entry>\n");
}

void feed_begin(struct sb *to, const struct config *c, const struct feed_head *h)
{
	sb_cstr(to, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"");
	html_xml(to, str_of(h->lang));
	sb_cstr(to, "\">\n");
	element(to, "title", str_of(h->title));
	if (*h->subtitle)
		element(to, "subtitle", str_of(h->subtitle));
	put_id(to, c, h->page);
	put_link(to, "self", c, h->self);
	put_link(to, "alternate", c, h->page);
	put_time(to, "updated", h->updated);
	put_author(to, *c->author ? c->author : c->title);
	if (*c->licence)
		element(to, "rights", str_of(c->licence));
	sb_cstr(to, "<generator version=\"" SITE_VERSION "\">ridgepoint</generator>\n");
}

void feed_entry_begin(struct sb *to, const struct config *c, const char *url, const char *title,
                      const char *date)
{
	sb_cstr(to, "<entry>\n");
	element(to, "title", str_of(title));
	put_link(to, "alternate", c, url);
	put_id(to, c, url);
	put_time(to, "published", date);
	put_time(to, "updated", date);
}

static bool complete_posts(struct maker *m, const struct feed_of *f, struct err *e)
{
	for (size_t i = 0; i < f->n; i++)
		if (!source_complete(m, f->posts[i], e))
			return false;
	return true;
}

bool feed_of(struct maker *m, const struct page *p, struct feed_of *out, struct err *e)
{
	const struct site *s = m->site;
	const struct config_language *l = site_language(s, p);
	const struct page_group *tag = p->subject;
	const struct site_list *list = &s->index.lists[p->language];
	struct feed_of f = {.lang = l->tag,
	                    .title = tag ? arena_printf(&m->scratch, "%s: %s", l->title, tag->name)
	                                 : l->title,
	                    .subtitle = tag ? tag->page->text.description : l->description,
	                    .self = p->url,
	                    .page = tag ? tag->url : arena_printf(&m->scratch, "%s/", l->prefix),
	                    .posts = tag ? tag->posts.all : list->posts.all,
	                    .n = tag ? tag->posts.n : list->posts.n,
	                    .updated = feed_oldest};
	f.n = f.n < FEED_POSTS ? f.n : FEED_POSTS;
	for (size_t i = 0; i < f.n; i++)
		if (strcmp(feed_changed_on(s, f.posts[i]), f.updated) > 0)
			f.updated = feed_changed_on(s, f.posts[i]);
	*out = f;
	return complete_posts(m, out, e);
}

bool feed_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	struct feed_of f;
	if (!feed_of(m, p, &f, e))
		return false;
	const struct feed_head head = {f.lang, f.title, f.subtitle, f.self, f.page, f.updated};
	feed_begin(to, m->site->config, &head);
	for (size_t i = 0; i < f.n; i++)
		put_entry(to, m, f.posts[i], f.lang);
	sb_cstr(to, "</feed>\n");
	return true;
}

/* --- sitemap, robots -------------------------------------------------------------------- */

/* Appends the page in each of its languages, itself included; the first is the default. */
static void put_alternates(struct sb *to, const struct site *s, const struct page *p)
{
	const struct page *first = NULL;
	for (size_t i = 0; p->versions && i <= s->config->nlanguages; i++) {
		const struct page *v = i < s->config->nlanguages ? p->versions[i] : first;
		if (!v)
			continue;
		first = first ? first : v;
		sb_printf(to, "<xhtml:link rel=\"alternate\" hreflang=\"%s\" href=\"",
		          i < s->config->nlanguages ? site_lang(s, v) : "x-default");
		html_xml(to, str_of(s->config->base_url));
		html_xml(to, str_of(v->url));
		sb_cstr(to, "\"/>");
	}
}

bool feed_sitemap_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	(void)p;
	(void)e;
	sb_cstr(to, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"");
	if (s->config->nlanguages > 1)
		sb_cstr(to, " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"");
	sb_cstr(to, ">\n");
	for (size_t i = 0; i < s->pages.n; i++) {
		const struct page *x = s->pages.all[i];
		if (!x->kind->in_sitemap || handbook_planned(x))
			continue;
		sb_cstr(to, "<url><loc>");
		html_xml(to, str_of(s->config->base_url));
		html_xml(to, str_of(x->url));
		sb_cstr(to, "</loc>");
		if (x->front.date)
			sb_printf(to, "<lastmod>%s</lastmod>", feed_changed_on(s, x));
		put_alternates(to, s, x);
		sb_cstr(to, "</url>\n");
	}
	sb_cstr(to, "</urlset>\n");
	return true;
}

bool feed_robots_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	(void)p;
	(void)e;
	sb_printf(to, "User-agent: *\nAllow: /\nSitemap: %s/sitemap.xml\n",
	          m->site->config->base_url);
	return true;
}
