#include "site-gen/files/feed.h"

#include <string.h>

#include "site-gen/files/feed_inner.h"
#include "site-gen/base/html.h"
#include "site-gen/site/links.h"
#include "site-gen/site/page_kind.h"

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

/* A body without the '#' links beside headings, which are for pages. */
static void put_without_anchors(struct sb *to, struct str html)
{
	static const char start[] = " <a class=\"anchor\"", end[] = "</a>";
	for (const char *p; html.n && (p = memmem(html.p, html.n, start, sizeof start - 1));) {
		size_t at = (size_t)(p - html.p);
		const char *close = memmem(p, html.n - at, end, sizeof end - 1);
		if (!close)
			break;
		sb_str(to, str_sub(html, 0, at));
		html = str_sub(html, (size_t)(close - html.p) + sizeof end - 1, html.n);
	}
	sb_str(to, html);
}

void feed_content(struct sb *to, const struct config *c, const struct page *p)
{
	struct sb body = {0};
	put_without_anchors(&body, p->body);
	feed_absolute(to, sb_view(&body), c, p->url);
	sb_free(&body);
}

/* --- Atom ----------------------------------------------------------------------------- */

static void element(struct sb *to, const char *name, struct str text)
{
	sb_printf(to, "<%s>", name);
	xml_text(to, text);
	sb_printf(to, "</%s>\n", name);
}

const char *feed_changed_on(const struct page *p)
{
	return p->updated ? p->updated : p->date;
}

static void put_time(struct sb *to, const char *name, const char *date)
{
	sb_printf(to, "<%s>%sT00:00:00Z</%s>\n", name, date, name);
}

static void put_link(struct sb *to, const char *rel, const struct config *c, const char *url)
{
	sb_printf(to, "<link rel=\"%s\" href=\"", rel);
	xml_text(to, str_of(c->base_url));
	xml_text(to, str_of(url));
	sb_cstr(to, "\"/>\n");
}

static void put_id(struct sb *to, const struct config *c, const char *url)
{
	sb_cstr(to, "<id>");
	xml_text(to, str_of(c->base_url));
	xml_text(to, str_of(url));
	sb_cstr(to, "</id>\n");
}

/* `lang` is the feed's own. */
static void put_entry(struct sb *to, const struct config *c, const struct page *p, const char *lang)
{
	struct sb html = {0};
	if (strcmp(p->lang, lang) == 0)
		sb_cstr(to, "<entry>\n");
	else
		sb_printf(to, "<entry xml:lang=\"%s\">\n", p->lang);
	element(to, "title", str_of(p->title));
	put_link(to, "alternate", c, p->url);
	put_id(to, c, p->url);
	put_time(to, "published", p->date);
	put_time(to, "updated", feed_changed_on(p));
	for (size_t i = 0; i < p->ntags; i++) {
		sb_cstr(to, "<category term=\"");
		xml_text(to, str_of(p->tags[i]));
		sb_cstr(to, "\"/>\n");
	}
	if (*p->description)
		element(to, "summary", str_of(p->description));
	feed_content(&html, c, p);
	sb_cstr(to, "<content type=\"html\">");
	xml_text(to, sb_view(&html));
	sb_cstr(to, "</content>\n</entry>\n");
	sb_free(&html);
}

void feed_begin(struct sb *to, const struct config *c, const struct feed_head *h)
{
	sb_cstr(to, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	            "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"");
	xml_text(to, str_of(h->lang));
	sb_cstr(to, "\">\n");
	element(to, "title", str_of(h->title));
	if (*h->subtitle)
		element(to, "subtitle", str_of(h->subtitle));
	put_id(to, c, h->page);
	put_link(to, "self", c, h->self);
	put_link(to, "alternate", c, h->page);
	put_time(to, "updated", h->updated);
	sb_cstr(to, "<author>");
	element(to, "name", str_of(*c->author ? c->author : c->title));
	sb_cstr(to, "</author>\n");
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

struct feed_of feed_of(struct maker *m, const struct page *p)
{
	const struct site *s = m->site;
	const struct config_language *l = site_language(s, p);
	const struct site_tag *tag = p->subject;
	const struct site_list *list = &s->lists[p->language];
	struct feed_of f = {.lang = l->code,
	                    .title = tag ? arena_printf(&m->scratch, "%s: %s", l->title, tag->name)
	                                 : l->title,
	                    .subtitle = tag ? tag->page->description : l->description,
	                    .self = p->url,
	                    .page = tag ? tag->url : arena_printf(&m->scratch, "%s/", l->prefix),
	                    .posts = tag ? tag->posts : list->posts,
	                    .n = tag ? tag->nposts : list->nposts,
	                    .updated = feed_oldest};
	f.n = f.n < FEED_POSTS ? f.n : FEED_POSTS;
	for (size_t i = 0; i < f.n; i++)
		if (strcmp(feed_changed_on(f.posts[i]), f.updated) > 0)
			f.updated = feed_changed_on(f.posts[i]);
	return f;
}

bool feed_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct feed_of f = feed_of(m, p);
	const struct feed_head head = {f.lang, f.title, f.subtitle, f.self, f.page, f.updated};
	(void)e;
	feed_begin(to, &m->site->config, &head);
	for (size_t i = 0; i < f.n; i++)
		put_entry(to, &m->site->config, f.posts[i], f.lang);
	sb_cstr(to, "</feed>\n");
	return true;
}

/* --- sitemap, robots -------------------------------------------------------------------- */

/* The same page in every language it is in, itself too; the first for all other readers. */
static void put_alternates(struct sb *to, const struct site *s, const struct page *p)
{
	const struct page *first = NULL;
	for (size_t i = 0; p->versions && i <= s->config.nlanguages; i++) {
		const struct page *v = i < s->config.nlanguages ? p->versions[i] : first;
		if (!v)
			continue;
		first = first ? first : v;
		sb_printf(to, "<xhtml:link rel=\"alternate\" hreflang=\"%s\" href=\"",
		          i < s->config.nlanguages ? v->lang : "x-default");
		xml_text(to, str_of(s->config.base_url));
		xml_text(to, str_of(v->url));
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
	if (s->config.nlanguages > 1)
		sb_cstr(to, " xmlns:xhtml=\"http://www.w3.org/1999/xhtml\"");
	sb_cstr(to, ">\n");
	for (size_t i = 0; i < s->npages; i++) {
		const struct page *x = s->pages[i];
		if (!x->kind->in_sitemap)
			continue;
		sb_cstr(to, "<url><loc>");
		xml_text(to, str_of(s->config.base_url));
		xml_text(to, str_of(x->url));
		sb_cstr(to, "</loc>");
		if (x->date)
			sb_printf(to, "<lastmod>%s</lastmod>", feed_changed_on(x));
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
	          m->site->config.base_url);
	return true;
}
