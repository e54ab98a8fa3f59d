/*
 * RSS 2.0 (rssboard.org/rss-specification), with the full text as
 * content:encoded (web.resource.org/rss/1.0/modules/content). An item's guid
 * is its address; a day's dates are its first second.
 */
#include <stdio.h>
#include <string.h>

#include "site-gen/files/feed.h"
#include "site-gen/files/feed_inner.h"
#include "site-gen/base/html.h"

static void element(struct sb *to, const char *name, struct str text)
{
	sb_printf(to, "<%s>", name);
	xml_text(to, text);
	sb_printf(to, "</%s>\n", name);
}

static void put_address(struct sb *to, const char *name, const struct config *c, const char *url)
{
	sb_printf(to, "<%s>", name);
	xml_text(to, str_of(c->base_url));
	xml_text(to, str_of(url));
	sb_printf(to, "</%s>\n", name);
}

/* The day of the week, 0 for Sunday: Sakamoto's method (comp.lang.c, 1993). */
static int weekday(int y, int m, int d)
{
	static const int shift[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
	y -= m < 3;
	return (y + y / 4 - y / 100 + y / 400 + shift[m - 1] + d) % 7;
}

/* "2026-11-21" as RFC 822 has it: "Sat, 21 Nov 2026 00:00:00 GMT". */
static void put_date(struct sb *to, const char *name, const char *date)
{
	static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
	static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
	                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
	int y, m, d;
	if (sscanf(date, "%4d-%2d-%2d", &y, &m, &d) != 3 || m < 1 || m > 12)
		return; /* dates of posts are checked */
	sb_printf(to, "<%s>%s, %02d %s %04d 00:00:00 GMT</%s>\n", name, days[weekday(y, m, d)], d,
	          months[m - 1], y, name);
}

static void put_item(struct sb *to, const struct config *c, const struct page *p)
{
	struct sb html = {0};
	sb_cstr(to, "<item>\n");
	element(to, "title", str_of(p->title));
	put_address(to, "link", c, p->url);
	put_address(to, "guid", c, p->url);
	put_date(to, "pubDate", p->date);
	for (size_t i = 0; i < p->ntags; i++)
		element(to, "category", str_of(p->tags[i]));
	if (*p->description)
		element(to, "description", str_of(p->description));
	feed_content(&html, c, p);
	element(to, "content:encoded", sb_view(&html));
	sb_cstr(to, "</item>\n");
	sb_free(&html);
}

bool feed_rss_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct config *c = &m->site->config;
	const struct feed_of f = feed_of(m, p);
	(void)e;
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
	xml_text(to, str_of(c->base_url));
	xml_text(to, str_of(f.self));
	sb_cstr(to, "\"/>\n");
	for (size_t i = 0; i < f.n; i++)
		put_item(to, c, f.posts[i]);
	sb_cstr(to, "</channel>\n</rss>\n");
	return true;
}
