/* JSON Feed 1.1 (jsonfeed.org/version/1.1), with the full text as content_html. */
#include <string.h>

#include "lib/json.h"
#include "site-gen/base/moment.h"
#include "site-gen/files/feed.h"
#include "site-gen/site/address.h"
#include "site-gen/files/feed_inner.h"
#include "site-gen/site/maker.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"

static void put_address(struct json_out *w, const char *name, struct maker *m, const char *url)
{
	json_put_str(w, name, arena_printf(&m->scratch, "%s%s", m->site->config->base_url, url));
}

static void put_time(struct json_out *w, const char *name, struct maker *m, const char *date)
{
	json_put_str(w, name, moment_stamp(date, &m->scratch));
}

static void put_author(struct json_out *w, const char *name)
{
	json_open(w, "authors", '[');
	json_open(w, NULL, '{');
	json_put_str(w, "name", name);
	json_close(w, '}');
	json_close(w, ']');
}

static void put_item(struct json_out *w, struct maker *m, const struct page *p)
{
	json_open(w, NULL, '{');
	put_address(w, "id", m, p->url);
	put_address(w, "url", m, p->url);
	json_put_str(w, "title", p->text.title);
	if (*p->text.description)
		json_put_str(w, "summary", p->text.description);
	if (*address_card(m->site, p, &m->scratch))
		put_address(w, "image", m, address_card(m->site, p, &m->scratch));
	put_time(w, "date_published", m, p->front.date);
	put_time(w, "date_modified", m, feed_changed_on(m->site, p));
	if (p->front.author)
		put_author(w, p->front.author);
	json_put_str(w, "language", site_lang(m->site, p));
	json_open(w, "tags", '[');
	for (size_t i = 0; i < p->front.ntags; i++)
		json_put_str(w, NULL, p->front.tags[i]);
	json_close(w, ']');
	json_put_str(w, "content_html", feed_content(m, p).p);
	json_close(w, '}');
}

bool feed_json_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct config *c = m->site->config;
	struct json_out w = json_to(to);
	struct feed_of f;
	if (!feed_of(m, p, &f, e))
		return false;
	json_open(&w, NULL, '{');
	json_put_str(&w, "version", "https://jsonfeed.org/version/1.1");
	json_put_str(&w, "title", f.title);
	if (*f.subtitle)
		json_put_str(&w, "description", f.subtitle);
	put_address(&w, "home_page_url", m, f.page);
	put_address(&w, "feed_url", m, f.self);
	json_put_str(&w, "language", f.lang);
	put_author(&w, *c->author ? c->author : c->title);
	json_open(&w, "items", '[');
	for (size_t i = 0; i < f.n; i++)
		put_item(&w, m, f.posts[i]);
	json_close(&w, ']');
	json_close(&w, '}');
	sb_char(to, '\n');
	return true;
}
