/*
 * RSS 2.0 (rssboard.org/rss-specification), with the full text as
 * content:encoded (web.resource.org/rss/1.0/modules/content). An item's guid is its
 * address.
 */
#include <time.h>

#include "site-gen/files/feed.h"
#include "site-gen/files/feed_inner.h"
#include "site-gen/base/html.h"
#include "site-gen/base/moment.h"
#include "site-gen/site/maker.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"

static void element(struct sb *to, const char *name, struct str text)
{
	sb_printf(to, "<%s>", name);
	html_xml(to, text);
	sb_printf(to, "</%s>\n", name);
}

static void put_address(struct sb *to, const char *name, const struct config *c, const char *url)
{
	sb_printf(to, "<%s>", name);
	html_xml(to, str_of(c->base_url));
	html_xml(to, str_of(url));
	sb_printf(to, "</%s>\n", name);
}

/* Writes a moment in the format of RFC 822: "Sat, 21 Nov 2026 14:05:00 GMT". */
static void put_date(struct sb *to, const char *name, const char *date)
{
	struct tm at = {0};
	struct arena a = {0};
	char text[32];
	/* dates of posts are checked, so both calls succeed */
	if (strptime(moment_stamp(date, &a), "%Y-%m-%dT%H:%M:%SZ", &at) &&
	    timegm(&at) != (time_t)-1) {
		strftime(text, sizeof text, "%a, %d %b %Y %T GMT", &at);
		sb_printf(to, "<%s>%s</%s>\n", name, text, name);
	}
	arena_free(&a);
}

static void put_item(struct sb *to, struct maker *m, const struct page *p)
{
	const struct config *c = m->site->config;
	sb_cstr(to, "<item>\n");
	element(to, "title", str_of(p->text.title));
	put_address(to, "link", c, p->url);
	put_address(to, "guid", c, p->url);
	put_date(to, "pubDate", p->front.date);
	if (p->front.author) { /* RSS's own author is an e-mail address */
		sb_cstr(to, "<dc:creator xmlns:dc=\"http://purl.org/dc/elements/1.1/\">");
		html_xml(to, str_of(p->front.author));
		sb_cstr(to, "</dc:creator>\n");
	}
	for (size_t i = 0; i < p->front.ntags; i++)
		element(to, "category", str_of(p->front.tags[i]));
	if (*p->text.description)
		element(to, "description", str_of(p->text.description));
	sb_cstr(to, "<content:encoded>");
	html_xml_text(to, feed_content(m, p));
	sb_cstr(to, "</content:encoded>\n");
	sb_cstr(to, "</item>\n");
}

bool feed_rss_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct config *c = m->site->config;
	struct feed_of f;
	if (!feed_of(m, p, &f, e))
		return false;
	sb_cstr(to, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
	            "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" "
	            "xmlns:content=\"http://purl.org/rss/1.0/modules/content/\">\n<channel>\n");
	element(to, "title", str_of(f.title));
	put_address(to, "link", c, f.page);
	element(to, "description", str_of(*f.subtitle ? f.subtitle : f.title));
	element(to, "language", str_of(f.lang));
	put_date(to, "lastBuildDate", f.updated);
	element(to, "generator", STR("ridgepoint " SITE_VERSION));
	sb_cstr(to, "<atom:link rel=\"self\" type=\"application/rss+xml\" href=\"");
	html_xml(to, str_of(c->base_url));
	html_xml(to, str_of(f.self));
	sb_cstr(to, "\"/>\n");
	for (size_t i = 0; i < f.n; i++)
		put_item(to, m, f.posts[i]);
	sb_cstr(to, "</channel>\n</rss>\n");
	return true;
}
