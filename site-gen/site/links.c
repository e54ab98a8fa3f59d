#include "site-gen/site/links.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/html.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/page_kind.h"

/* --- attributes of markup --------------------------------------------------------------- */

static bool ends_with(const char *start, const char *at, const char *word)
{
	size_t n = strlen(word);
	return (size_t)(at - start) >= n && memcmp(at - n, word, n) == 0;
}

/* srcset -> address ' ' width { ', ' address ' ' width } */
static bool candidates(struct str value,
                       bool (*found)(void *ctx, enum links_attribute kind, struct str value),
                       void *ctx)
{
	struct str one, width;
	for (bool more = value.n > 0; more;) {
		more = str_cut(value, ',', &one, &value);
		str_cut(str_trim(one), ' ', &one, &width);
		if (!found(ctx, LINKS_SRC, one))
			return false;
	}
	return true;
}

/* Calls back for the value that starts after the quote at `q`. */
static bool attribute(const char *start, const char *q, struct str value,
                      bool (*found)(void *ctx, enum links_attribute kind, struct str value),
                      void *ctx)
{
	if (ends_with(start, q, " id="))
		return found(ctx, LINKS_ID, value);
	if (ends_with(start, q, " href="))
		return found(ctx, LINKS_HREF, value);
	if (ends_with(start, q, " srcset="))
		return candidates(value, found, ctx);
	return !ends_with(start, q, " src=") || found(ctx, LINKS_SRC, value);
}

void links_scan(struct str html,
                bool (*found)(void *ctx, enum links_attribute kind, struct str value), void *ctx)
{
	const char *p = html.p, *end = html.p + html.n;
	while (p < end && (p = memchr(p, '<', (size_t)(end - p)))) {
		const char *tag = p++;
		if (p == end || !isalpha((unsigned char)*p))
			continue;
		while (p < end && *p != '>') {
			if (*p++ != '"')
				continue;
			const char *close = memchr(p, '"', (size_t)(end - p));
			if (!close)
				return;
			struct str value = {p, (size_t)(close - p)};
			if (!attribute(tag, p - 1, value, found, ctx))
				return;
			p = close + 1;
		}
	}
}

/* --- addresses ------------------------------------------------------------------------------ */

bool links_is_external(struct str url)
{
	if (str_starts(url, "//"))
		return true;
	size_t colon = str_find(url, ':', 0);
	return colon < url.n && colon < str_find(url, '/', 0) && colon < str_find(url, '#', 0) &&
	       colon < str_find(url, '?', 0);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One segment, or what stands behind '#', %xx decoded. */
static void put_segment(struct sb *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		int hi = s.p[i] == '%' && i + 2 < s.n ? hex_digit(s.p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(s.p[i + 2]) : -1;
		if (lo >= 0) {
			sb_char(to, (char)(hi * 16 + lo));
			i += 2;
		} else {
			sb_char(to, s.p[i]);
		}
	}
}

/* Drops the last segment of a path that ends in '/'. */
static bool climb(struct sb *path)
{
	if (path->n <= 1)
		return false;
	do
		path->n--;
	while (path->p[path->n - 1] != '/');
	return true;
}

/* Appends segments to a path that ends in '/', minding dots. */
static bool walk(struct sb *path, struct str rest)
{
	while (rest.n) {
		struct str part;
		bool folder = str_cut(rest, '/', &part, &rest);
		if (!folder)
			rest.n = 0;
		if (str_is(part, ".") || (part.n == 0 && folder))
			continue;
		if (str_is(part, "..")) {
			if (!climb(path))
				return false;
			continue;
		}
		put_segment(path, part);
		if (folder)
			sb_char(path, '/');
	}
	return true;
}

bool links_resolve(const char *page_url, struct str href, struct sb *path, struct str *fragment)
{
	struct str rest = href, query;
	sb_clear(path);
	*fragment = (struct str){NULL, 0};
	str_cut(href, '#', &rest, fragment);
	bool none = rest.n == 0;
	str_cut(rest, '?', &rest, &query);
	if (none) {
		put_segment(path, str_of(page_url)); /* a page's address may be encoded itself */
		return true;
	}
	if (str_starts(rest, "/")) {
		sb_char(path, '/');
		return walk(path, str_sub(rest, 1, rest.n));
	}
	struct str base = str_of(page_url);
	while (base.n && base.p[base.n - 1] != '/')
		base.n--;
	put_segment(path, base);
	return walk(path, rest);
}

/* --- in a worker --------------------------------------------------------------------------------
 */

static uint64_t hash_of(struct str s)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
	return h;
}

struct notes {
	struct maker *m;
	struct page *page;
	struct sb path, plain;
	uint64_t *ids;
	size_t nids, ids_cap;
	struct str *local; /* fragments of this page */
	size_t nlocal, local_cap;
};

static void defer(struct notes *n, struct str url)
{
	struct page_ref *r = ARENA_NEW(n->m->shared, struct page_ref);
	r->url = arena_strndup(n->m->shared, url.p, url.n);
	r->next = n->page->refs;
	n->page->refs = r;
}

static void note_id(struct notes *n, struct str id)
{
	n->ids = arena_grow(&n->m->scratch, n->ids, n->nids, &n->ids_cap, sizeof *n->ids);
	n->ids[n->nids++] = hash_of(id);
}

static void note_local(struct notes *n, struct str fragment)
{
	n->local = arena_grow(&n->m->scratch, n->local, n->nlocal, &n->local_cap, sizeof *n->local);
	n->local[n->nlocal++] = fragment;
}

/* Takes off the site's prefix; what lacks it is wrong and stays as it is. */
static struct str without_base(const struct site *s, struct str url)
{
	struct str base = str_of(s->config.base);
	if (base.n && str_starts(url, s->config.base) && url.n > base.n && url.p[base.n] == '/')
		return str_sub(url, base.n, url.n);
	return url;
}

/* Checks one address, or leaves it to the parent. True: it is fine on every page. */
static bool check_now(struct notes *n, struct str value)
{
	struct site *s = n->m->site;
	struct str fragment;
	if (memchr(value.p, '&', value.n)) {
		sb_clear(&n->plain);
		html_strip(&n->plain, value);
		value = (struct str){arena_strndup(&n->m->scratch, n->plain.p, n->plain.n),
		                     n->plain.n};
	}
	if (links_is_external(value))
		return true;
	bool based =
	        !*s->config.base || !str_starts(value, "/") || without_base(s, value).n != value.n;
	struct str url = without_base(s, value);
	const struct page *target = based && links_resolve(n->page->url, url, &n->path, &fragment)
	                                    ? outputs_find(s, sb_view(&n->path))
	                                    : NULL;
	bool found = target, here = target == n->page;
	if (here && fragment.n)
		note_local(n, fragment);
	else if (!found || fragment.n)
		defer(n, based ? url : value);
	return found && !fragment.n && str_starts(value, "/");
}

/* Addresses of the navigation stand on every page: what was fine once is remembered. */
static bool note(void *ctx, enum links_attribute kind, struct str value)
{
	struct notes *n = ctx;
	if (kind == LINKS_ID) {
		note_id(n, value);
		return true;
	}
	uint64_t h = hash_of(value) | 1, *known = &n->m->known_links[h / 2 % MAKER_LINKS];
	if (*known != h && check_now(n, value))
		*known = h;
	return true;
}

static int by_hash(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static bool has_heading(const struct page *p, struct str id)
{
	for (size_t i = 0; i < p->nheadings; i++)
		if (str_is(id, p->headings[i].id))
			return true;
	return false;
}

static bool has_id(const struct page *p, struct str id)
{
	uint64_t h = hash_of(id);
	return p->nids && bsearch(&h, p->ids, p->nids, sizeof h, by_hash);
}

/* An anchor that only the body has, a footnote's say. */
static bool body_has_id(const struct page *p, struct str id)
{
	const char *at = p->body.p, *end = p->body.p + p->body.n;
	while (at && id.n && (at = memmem(at, (size_t)(end - at), id.p, id.n))) {
		if (at - p->body.p >= 5 && memcmp(at - 5, " id=\"", 5) == 0 && at + id.n < end &&
		    at[id.n] == '"')
			return true;
		at++;
	}
	return false;
}

struct wanted {
	struct str id;
	bool found;
};

static bool compare_id(void *ctx, enum links_attribute kind, struct str value)
{
	struct wanted *w = ctx;
	w->found = w->found || (kind == LINKS_ID && str_eq(value, w->id));
	return !w->found;
}

/* In a page that was not made again: its file tells. */
static bool file_has_id(const struct site *s, const struct page *p, struct str id)
{
	enum { MAX_BYTES = 64 << 20 };
	struct arena a = {0};
	struct err ignored = ERR_NONE;
	struct wanted w = {.id = id};
	struct str html;
	if (p->reused && file_read(arena_printf(&a, "%s/%s", s->publish.out, p->out), MAX_BYTES, &a,
	                           &html, &ignored))
		links_scan(html, compare_id, &w);
	arena_free(&a);
	return w.found;
}

static bool has_written_anchor(const struct site *s, const struct page *p, struct str id)
{
	return has_heading(p, id) || has_id(p, id) || body_has_id(p, id) || file_has_id(s, p, id);
}

/* Browsers find an id as it is written, else with %xx decoded. */
static bool has_anchor(const struct site *s, const struct page *p, struct str id)
{
	struct sb decoded = {0};
	put_segment(&decoded, id);
	bool has = has_written_anchor(s, p, id) ||
	           (decoded.n != id.n && has_written_anchor(s, p, sb_view(&decoded)));
	sb_free(&decoded);
	return has;
}

/*
 * Where the body stands in the page, if its links are the author's alone,
 * which links_check sees with their places; html.n if it must be scanned.
 */
static size_t body_at(const struct page *p, struct str html)
{
	enum { HEAD = 64 };
	if (p->made_links || p->body.n < HEAD)
		return html.n;
	const char *at = memmem(html.p, html.n, p->body.p, HEAD);
	size_t from = at ? (size_t)(at - html.p) : html.n;
	if (html.n - from < p->body.n || memcmp(at, p->body.p, p->body.n) != 0)
		return html.n;
	return from;
}

void links_note(struct maker *m, struct page *p, struct str html)
{
	struct notes notes = {.m = m, .page = p}, *n = &notes;
	size_t at = body_at(p, html);
	links_scan(str_sub(html, 0, at), note, n);
	if (at < html.n)
		links_scan(str_sub(html, at + p->body.n, html.n), note, n);
	if (n->nids > 1)
		qsort(n->ids, n->nids, sizeof *n->ids, by_hash);
	p->ids = ARENA_ARRAY(m->shared, uint64_t, n->nids);
	if (n->nids)
		memcpy(p->ids, n->ids, n->nids * sizeof *p->ids);
	p->nids = n->nids;
	for (size_t i = 0; i < n->nlocal; i++)
		if (!has_anchor(m->site, p, n->local[i]))
			defer(n,
			      str_of(arena_printf(&m->scratch, "#" STR_FMT, STR_ARG(n->local[i]))));
	sb_free(&n->path);
	sb_free(&n->plain);
}

/* --- in the parent -------------------------------------------------------------------------------
 */

static const char *nearest_page(const struct site *s, struct str path)
{
	size_t best = 1 + path.n / 3;
	const char *nearest = NULL;
	for (size_t i = 0; i < s->npages; i++) {
		size_t d = str_distance(path, str_of(s->pages[i]->url), best);
		if (d < best) {
			best = d;
			nearest = s->pages[i]->url;
		}
	}
	return nearest;
}

static const char *nearest_heading(const struct page *p, struct str id)
{
	size_t best = 2 + id.n / 2;
	const char *nearest = NULL;
	for (size_t i = 0; i < p->nheadings; i++) {
		size_t d = str_distance(id, str_of(p->headings[i].id), best);
		if (d < best) {
			best = d;
			nearest = p->headings[i].id;
		}
	}
	return nearest;
}

struct checker {
	struct site *site;
	struct problems *to;
	struct sb path;
};

/* `where` says who made the link, for those that have no place. */
static void check(struct checker *c, const struct page *p, const char *url, struct loc at,
                  const char *where)
{
	struct str fragment;
	bool inside = links_resolve(p->url, str_of(url), &c->path, &fragment);
	const struct page *target = inside ? outputs_find(c->site, sb_view(&c->path)) : NULL;
	if (!target) {
		const char *near = nearest_page(c->site, sb_view(&c->path));
		problems_say(c->to, at, "%slink to '%s', which the site does not have%s%s%s", where,
		             url, near ? ", did you mean '" : "", near ? near : "",
		             near ? "'?" : "");
	} else if (fragment.n && !has_anchor(c->site, target, fragment)) {
		const char *near = nearest_heading(target, fragment);
		problems_say(c->to, at,
		             "%slink to '%s': that page has no anchor '" STR_FMT "'%s%s%s", where,
		             url, STR_ARG(fragment), near ? ", did you mean '#" : "",
		             near ? near : "", near ? "'?" : "");
	}
}

/* Is the link checked at a better place: the author's, or the settings'? */
static bool is_written(const struct site *s, const struct page *p, const char *url)
{
	const struct config_language *l = site_language(s, p);
	for (size_t i = 0; i < l->nnav; i++)
		if (strcmp(l->nav[i].url, url) == 0)
			return true;
	for (size_t i = 0; i < p->nlinks; i++)
		if (strcmp(p->links[i].url, url) == 0)
			return true;
	return false;
}

/* Drafts are here only for the author: without them such a link is an error. */
static void warn_unpublished(struct checker *c, const struct page *p, const struct md_link *l)
{
	struct str fragment;
	bool inside = links_resolve(p->url, str_of(l->url), &c->path, &fragment);
	const struct page *target = inside ? outputs_find(c->site, sb_view(&c->path)) : NULL;
	if (!target || p->draft || p->scheduled)
		return;
	if (target->draft)
		problems_warn(c->to, l->at,
		              "link to '%s', which is a draft: without --drafts the build fails",
		              l->url);
	else if (target->scheduled)
		problems_warn(
		        c->to, l->at,
		        "link to '%s', which is scheduled for %s: without --future the build fails",
		        l->url, target->scheduled);
}

static void check_page(struct checker *c, const struct page *p)
{
	for (size_t i = 0; i < p->nlinks; i++) {
		if (links_is_external(str_of(p->links[i].url)))
			continue;
		check(c, p, p->links[i].url, p->links[i].at, "");
		warn_unpublished(c, p, &p->links[i]);
	}
	for (const struct page_ref *r = p->refs; r; r = r->next) {
		char where[256], path[256];
		snprintf(where, sizeof where, "page %s: ", p->url);
		snprintf(path, sizeof path, "%stemplates/%s", c->site->config.look,
		         p->kind->template);
		struct loc at = {.path = p->path ? p->path : path};
		if (!is_written(c->site, p, r->url))
			check(c, p, r->url, at, where);
	}
}

static void check_navigation(struct checker *c)
{
	const struct config *config = &c->site->config;
	const struct page root = {.url = "/"};
	for (size_t k = 0; k < config->nlanguages; k++) {
		const struct config_language *l = &config->languages[k];
		for (size_t i = 0; i < l->nnav; i++)
			if (!links_is_external(str_of(l->nav[i].url)))
				check(c, &root, l->nav[i].url, l->nav[i].at, "");
	}
}

void links_check(struct site *s, struct problems *to)
{
	struct checker c = {.site = s, .to = to};
	check_navigation(&c);
	for (size_t i = 0; i < s->npages; i++)
		check_page(&c, s->pages[i]);
	sb_free(&c.path);
}
