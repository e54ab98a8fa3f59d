#include "site-gen/files/structured.h"

#include <string.h>

#include "lib/json.h"
#include "site-gen/site/address.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/maker.h"

static const char *absolute(struct maker *m, const char *url)
{
	return address_absolute(m->site, url, &m->scratch);
}

void structured_author(struct json_out *w, const char *key, const struct config *c, const char *own)
{
	const char *person = own ? own : c->author;
	json_open(w, key, '{');
	json_put_str(w, "@type", *person ? "Person" : "Organization");
	json_put_str(w, "name", *person ? person : c->title);
	json_close(w, '}');
}

static void put_post(struct json_out *w, struct maker *m, const struct page *p)
{
	json_open(w, NULL, '{');
	json_put_str(w, "@type", "BlogPosting");
	json_put_str(w, "headline", p->text.title);
	json_put_str(w, "description", p->text.description);
	json_put_str(w, "datePublished", p->front.date);
	json_put_str(w, "dateModified", p->front.updated ? p->front.updated : p->front.date);
	json_put_str(w, "inLanguage", site_lang(m->site, p));
	json_put_str(w, "mainEntityOfPage", absolute(m, p->url));
	const char *card = address_card(m->site, p, &m->scratch);
	if (*card)
		json_put_str(w, "image", absolute(m, card));
	structured_author(w, "author", m->site->config, p->front.author);
	json_open(w, "keywords", '[');
	for (size_t i = 0; i < p->front.ntags; i++)
		json_put_str(w, NULL, p->front.tags[i]);
	json_close(w, ']');
	json_close(w, '}');
}

/* The query is where search.js reads it in the address. */
static void put_site(struct json_out *w, struct maker *m, const struct page *p)
{
	const struct config_language *l = site_language(m->site, p);
	json_open(w, NULL, '{');
	json_put_str(w, "@type", "WebSite");
	json_put_str(w, "name", l->title);
	json_put_str(w, "description", l->description);
	json_put_str(w, "url", absolute(m, p->url));
	json_put_str(w, "inLanguage", l->tag);
	json_open(w, "potentialAction", '{');
	json_put_str(w, "@type", "SearchAction");
	json_put_str(w, "target",
	             absolute(m, arena_printf(&m->scratch, "%s/search/?q={words}", l->prefix)));
	json_put_str(w, "query-input", "required name=words");
	json_close(w, '}');
	json_close(w, '}');
}

static void put_crumb(struct json_out *w, struct maker *m, const struct page *p, int64_t position)
{
	json_open(w, NULL, '{');
	json_put_str(w, "@type", "ListItem");
	json_put_i64(w, "position", position);
	json_put_str(w, "name", p->text.title);
	json_put_str(w, "item", absolute(m, p->url));
	json_close(w, '}');
}

/* Writes the pages whose addresses are prefixes of this one's: "/", "/posts/", "/posts/x/". */
static void put_crumbs(struct json_out *w, struct maker *m, const struct page *p)
{
	const char *prefix = site_language(m->site, p)->prefix;
	struct str url = str_of(p->url);
	int64_t position = 0;
	json_open(w, NULL, '{');
	json_put_str(w, "@type", "BreadcrumbList");
	json_open(w, "itemListElement", '[');
	for (size_t n = strlen(prefix) + 1; n <= url.n; n++) {
		const struct page *at = n < url.n ? NULL : p;
		if (!at && url.p[n - 1] == '/')
			at = outputs_find(m->site, str_sub(url, 0, n));
		if (at)
			put_crumb(w, m, at, ++position);
	}
	json_close(w, ']');
	json_close(w, '}');
}

/* Escapes '<', because the text is inside a script element. */
static void put_for_script(struct sb *to, struct str json)
{
	struct str rest = json, part;
	while (str_cut(rest, '<', &part, &rest)) {
		sb_str(to, part);
		sb_cstr(to, "\\u003c");
	}
	sb_str(to, part);
}

void structured_page(struct maker *m, const struct page *p, struct sb *to)
{
	struct sb json = {0};
	struct json_out w = json_to(&json);
	bool home = strcmp(p->kind->name, "home") == 0;
	if (!p->kind->in_sitemap)
		return;
	json_open(&w, NULL, '{');
	json_put_str(&w, "@context", "https://schema.org");
	json_open(&w, "@graph", '[');
	if (home)
		put_site(&w, m, p);
	else
		put_crumbs(&w, m, p);
	if (strcmp(p->kind->name, "post") == 0)
		put_post(&w, m, p);
	json_close(&w, ']');
	json_close(&w, '}');
	put_for_script(to, sb_view(&json));
	sb_free(&json);
}
