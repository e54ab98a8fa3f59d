#include "site-gen/site/aliases.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/lua/words.h"
#include "site-gen/site/assets.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"
#include "site-gen/lua/config.h"
#include "site-gen/markdown/markdown.h"

static bool is_path(const char *s)
{
	struct str path = str_of(s);
	size_t plain =
	        strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./");
	return path.n > 1 && s[0] == '/' && plain == path.n && !strstr(s, "//") &&
	       !strstr(s, "/.") && (str_ends(path, "/") || str_ends(path, ".html"));
}

/* anchors -> '#' old ' ' '#' new */
static bool split_anchors(const char *s, struct str *old, struct str *now)
{
	struct str rest = str_sub(str_of(s), 1, strlen(s));
	uint32_t c;
	if (s[0] != '#' || !str_cut(rest, ' ', old, now))
		return false;
	*now = str_trim(*now);
	if (!str_starts(*now, "#") || now->n < 2 || old->n == 0 || html_bad_char(rest, &c))
		return false;
	*now = str_sub(*now, 1, now->n);
	return !memchr(now->p, ' ', now->n);
}

static const struct md_heading *heading_of(const struct page *p, struct str id)
{
	for (size_t i = 0; i < p->text.nheadings; i++)
		if (str_is(id, p->text.headings[i].id))
			return &p->text.headings[i];
	return NULL;
}

/* The text after ` id="id"` in the body; NULL if there is none. */
static const char *after_id(struct str body, struct str id)
{
	struct sb mark = {0};
	sb_cstr(&mark, " id=\"");
	html_attr(&mark, id);
	sb_char(&mark, '"');
	const char *at = memmem(body.p, body.n, mark.p, mark.n);
	at = at ? at + mark.n : NULL;
	sb_free(&mark);
	return at;
}

/* Adds an empty element with the old id at the start of the heading. */
static bool put_anchor(struct maker *m, struct page *p, const char *alias, struct loc at,
                       struct err *e)
{
	struct str old, now;
	if (!split_anchors(alias, &old, &now))
		return err_at(e, at,
		              "'%s' in 'aliases', expected a path like /posts/old/ or "
		              "\"#old-anchor #new-anchor\"",
		              alias);
	if (after_id(p->text.body, old))
		return err_at(e, at, "anchor '" STR_FMT "' in 'aliases' is taken", STR_ARG(old));
	const char *id = heading_of(p, now) ? after_id(p->text.body, now) : NULL;
	const char *end =
	        id ? memchr(id, '>', (size_t)(p->text.body.p + p->text.body.n - id)) : NULL;
	if (!end)
		return err_at(e, at,
		              "'%s' in 'aliases', but no heading has the anchor '" STR_FMT "'",
		              alias, STR_ARG(now));
	size_t cut = (size_t)(end + 1 - p->text.body.p);
	struct sb body = {0};
	sb_str(&body, str_sub(p->text.body, 0, cut));
	sb_cstr(&body, "<span id=\"");
	html_attr(&body, old);
	sb_cstr(&body, "\"></span>");
	sb_str(&body, str_sub(p->text.body, cut, p->text.body.n));
	p->text.body = str_keep(m->shared, sb_view(&body));
	sb_free(&body);
	return true;
}

bool aliases_keep(struct maker *m, struct page *p, const struct front *f, struct err *e)
{
	p->front.aliases = ARENA_ARRAY(m->shared, const char *, f->naliases);
	for (size_t i = 0; i < f->naliases; i++) {
		struct loc at = f->aliases_at;
		at.path = p->path;
		if (is_path(f->aliases[i]))
			p->front.aliases[p->front.naliases++] =
			        arena_strdup(m->shared, f->aliases[i]);
		else if (!put_anchor(m, p, f->aliases[i], at, e))
			return false;
	}
	return true;
}

void aliases_add(struct site *s)
{
	for (size_t i = 0, n = s->pages.n; i < n; i++) {
		const struct page *p = s->pages.all[i];
		for (size_t k = 0; k < p->front.naliases; k++) {
			struct page *r =
			        site_add(s, page_kind(s, "redirect"), p->front.aliases[k], p);
			r->path = p->path;
			r->language = p->language;
			r->text.lang = p->text.lang;
			r->text.title = p->text.title;
			r->loaded = true;
		}
	}
}

/*
 * With scripts, static/redirect.js goes on and keeps the fragment. A refresh beside it would race
 * with it and lose the fragment, so that is for browsers without scripts.
 */
static void put_way(const struct maker *m, const char *url, struct sb *to)
{
	struct sb script = {0};
	struct err none = ERR_NONE;
	bool has = assets_url(m->site, STR("redirect.js"), &script, &none);
	if (has) {
		html_raw(to, "<script src=\"");
		html_attr(to, sb_view(&script));
		html_raw(to, "\" defer></script>\n<noscript>");
	}
	html_raw(to, "<meta http-equiv=\"refresh\" content=\"0; url=");
	html_url(to, str_of(url));
	html_raw(to, has ? "\"></noscript>\n" : "\">\n");
	sb_free(&script);
}

bool aliases_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct page *target = p->subject;
	const struct config *c = m->site->config;
	const struct words words = {c, site_language(m->site, p)->code};
	const char *url = arena_printf(&m->scratch, "%s%s", c->base, target->url);
	const char *whole = arena_printf(&m->scratch, "%s%s", c->base_url, target->url);
	(void)e;
	html_raw(to, "<!doctype html>\n<html lang=\"");
	html_attr(to, str_of(site_lang(m->site, target)));
	html_raw(to, "\">\n<head>\n<meta charset=\"utf-8\">\n"
	             "<meta name=\"robots\" content=\"noindex\">\n<title>");
	html_text(to, str_of(site_language(m->site, p)->title));
	html_raw(to, "</title>\n<link rel=\"canonical\" href=\"");
	html_url(to, str_of(whole));
	html_raw(to, "\">\n");
	put_way(m, url, to);
	html_raw(to, "</head>\n<body>\n<h1>");
	html_text(to, str_of(words_get(&words, "moved")));
	html_raw(to, "</h1>\n<p><a href=\"");
	html_url(to, str_of(url));
	html_raw(to, "\">");
	html_text(to, str_of(whole)); /* not the title, which may contain numbers */
	html_raw(to, "</a></p>\n<p>");
	html_text(to, str_of(words_get(&words, "moved_text")));
	html_raw(to, "</p>\n</body>\n</html>\n");
	return true;
}
