#include "site-gen/site/links.h"

#include <stdlib.h>
#include <string.h>

#include "lib/file.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/site/outputs.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/base/problems.h"
#include "site-gen/site/maker.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/site.h"
#include "site-gen/output/publish.h"

struct md_link;

/* --- attributes of markup --------------------------------------------------------------- */

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

void links_scan(struct str html,
                bool (*found)(void *ctx, enum links_attribute kind, struct str value), void *ctx)
{
	struct html_scan h = html_scan(html);
	struct str name, value;
	enum html_token t;
	bool go_on = true;
	while (go_on && (t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN)
		while (t == HTML_START && go_on && html_scan_attribute(&h, &name, &value))
			go_on = str_is(name, "id")       ? found(ctx, LINKS_ID, value)
			        : str_is(name, "href")   ? found(ctx, LINKS_HREF, value)
			        : str_is(name, "src")    ? found(ctx, LINKS_SRC, value)
			        : str_is(name, "srcset") ? candidates(value, found, ctx)
			                                 : true;
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

/* Appends a segment or a fragment, with %xx decoded; but %2f is no end of a segment. */
static void put_segment(struct sb *to, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		int hi = s.p[i] == '%' && i + 2 < s.n ? hex_digit(s.p[i + 1]) : -1;
		int lo = hi >= 0 ? hex_digit(s.p[i + 2]) : -1;
		if (lo >= 0 && hi * 16 + lo != '/') {
			sb_char(to, (char)(hi * 16 + lo));
			i += 2;
		} else {
			sb_char(to, s.p[i]);
		}
	}
}

/* Removes the last segment of a path that ends in '/'. */
static bool climb(struct sb *path)
{
	if (path->n <= 1)
		return false;
	do
		path->n--;
	while (path->p[path->n - 1] != '/');
	return true;
}

/* How many dots a segment of one or two is, written as they are or as %2e; else 0. */
static int dots(struct str part)
{
	int n = 0;
	for (; part.n; n++) {
		bool escaped = part.n >= 3 && part.p[0] == '%' && part.p[1] == '2' &&
		               (part.p[2] | 0x20) == 'e';
		if (!escaped && part.p[0] != '.')
			return 0;
		part = str_sub(part, escaped ? 3 : 1, part.n);
	}
	return n <= 2 ? n : 0;
}

/* Appends segments to a path that ends in '/', and resolves "." and "..". */
static bool walk(struct sb *path, struct str rest)
{
	while (rest.n) {
		struct str part;
		bool folder = str_cut(rest, '/', &part, &rest);
		if (!folder)
			rest.n = 0;
		if (dots(part) == 1 || (part.n == 0 && folder))
			continue;
		if (dots(part) == 2) {
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
		put_segment(path, str_of(page_url)); /* a page's address may have escapes, too */
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
	struct str *local; /* fragments that refer to this page */
	size_t nlocal, local_cap;
};

static void defer(struct notes *n, struct str url)
{
	struct page_link *r = ARENA_NEW(n->m->shared, struct page_link);
	r->url = str_dup(n->m->shared, url);
	r->next = n->page->output.links;
	n->page->output.links = r;
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

/* Removes the site's prefix. An address without it is wrong, and stays unchanged. */
static struct str without_base(const struct site *s, struct str url)
{
	struct str base = str_of(s->config->base);
	if (base.n && str_starts(url, s->config->base) && url.n > base.n && url.p[base.n] == '/')
		return str_sub(url, base.n, url.n);
	return url;
}

/* Checks one address, or leaves it to the parent. */
static void check_now(struct notes *n, struct str value)
{
	struct site *s = n->m->site;
	struct str fragment;
	if (memchr(value.p, '&', value.n)) {
		sb_clear(&n->plain);
		html_scan_plain(&n->plain, value);
		value = (struct str){arena_strndup(&n->m->scratch, n->plain.p, n->plain.n),
		                     n->plain.n};
	}
	if (links_is_external(value))
		return;
	bool based =
	        !*s->config->base || !str_starts(value, "/") || without_base(s, value).n != value.n;
	struct str url = without_base(s, value);
	const struct page *target = based && links_resolve(n->page->url, url, &n->path, &fragment)
	                                    ? outputs_find(s, sb_view(&n->path))
	                                    : NULL;
	if (target == n->page && fragment.n)
		note_local(n, fragment);
	else if (!target || fragment.n)
		defer(n, based ? url : value);
}

static bool note(void *ctx, enum links_attribute kind, struct str value)
{
	struct notes *n = ctx;
	if (kind == LINKS_ID)
		note_id(n, value);
	else
		check_now(n, value);
	return true;
}

static int by_hash(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static bool has_heading(const struct page *p, struct str id)
{
	for (size_t i = 0; i < p->text.nheadings; i++)
		if (str_is(id, p->text.headings[i].id))
			return true;
	return false;
}

static bool has_id(const struct page *p, struct str id)
{
	uint64_t h = hash_of(id);
	return p->output.nids && bsearch(&h, p->output.ids, p->output.nids, sizeof h, by_hash);
}

/* Does the body have the anchor? For anchors other than headings, such as a footnote's. */
static bool body_has_id(const struct page *p, struct str id)
{
	const char *at = p->text.body.p, *end = p->text.body.p + p->text.body.n;
	while (at && id.n && (at = memmem(at, (size_t)(end - at), id.p, id.n))) {
		if (at - p->text.body.p >= 5 && memcmp(at - 5, " id=\"", 5) == 0 &&
		    at + id.n < end && at[id.n] == '"')
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

/* Searches the file of a page that was not made again. */
static bool file_has_id(const struct site *s, const struct page *p, struct str id)
{
	enum { MAX_BYTES = 64 << 20 };
	struct arena a = {0};
	struct err ignored = ERR_NONE;
	struct wanted w = {.id = id};
	struct str html;
	if (p->output.reused && file_read(arena_printf(&a, "%s/%s", s->publish->out, p->out),
	                                  MAX_BYTES, &a, &html, &ignored))
		links_scan(html, compare_id, &w);
	arena_free(&a);
	return w.found;
}

static bool has_written_anchor(const struct site *s, const struct page *p, struct str id)
{
	return has_heading(p, id) || has_id(p, id) || body_has_id(p, id) || file_has_id(s, p, id);
}

/* Like browsers, searches for the id as written, then with %xx decoded. */
static bool has_anchor(const struct site *s, const struct page *p, struct str id)
{
	struct sb decoded = {0};
	put_segment(&decoded, id);
	bool has = has_written_anchor(s, p, id) ||
	           (decoded.n != id.n && has_written_anchor(s, p, sb_view(&decoded)));
	sb_free(&decoded);
	return has;
}

void links_note(struct maker *m, struct page *p, struct str html)
{
	struct notes notes = {.m = m, .page = p}, *n = &notes;
	links_scan(html, note, n);
	if (n->nids > 1)
		qsort(n->ids, n->nids, sizeof *n->ids, by_hash);
	p->output.ids = ARENA_ARRAY(m->shared, uint64_t, n->nids);
	if (n->nids)
		memcpy(p->output.ids, n->ids, n->nids * sizeof *p->output.ids);
	p->output.nids = n->nids;
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
	for (size_t i = 0; i < s->pages.n; i++) {
		size_t d = str_distance(path, str_of(s->pages.all[i]->url), best);
		if (d < best) {
			best = d;
			nearest = s->pages.all[i]->url;
		}
	}
	return nearest;
}

static const char *nearest_heading(const struct page *p, struct str id)
{
	size_t best = 2 + id.n / 2;
	const char *nearest = NULL;
	for (size_t i = 0; i < p->text.nheadings; i++) {
		size_t d = str_distance(id, str_of(p->text.headings[i].id), best);
		if (d < best) {
			best = d;
			nearest = p->text.headings[i].id;
		}
	}
	return nearest;
}

struct checker {
	struct site *site;
	struct problems *to;
	struct sb path;
};

/*
 * Is it the page of the site's source, or its bundle? A preview and a shallow clone have neither
 * (files/source_bundle.h), and whoever wrote a link to them wrote no wrong one.
 */
static bool is_source(const struct site *s, struct str path)
{
	const struct config *config = s->config;
	bool is = str_is(path, "/source/ridgepoint.bundle");
	for (size_t i = 0; i < config->nlanguages && !is; i++) {
		struct str prefix = str_of(config->languages[i].prefix);
		is = str_starts(path, config->languages[i].prefix) &&
		     str_is(str_sub(path, prefix.n, path.n), "/source/");
	}
	return is && config->source && !outputs_find(s, STR("/source/"));
}

/* Checks a link; `where` names its origin, for links without a place. */
static void check(struct checker *c, const struct page *p, const char *url, struct loc at,
                  const char *where)
{
	struct str fragment;
	bool inside = links_resolve(p->url, str_of(url), &c->path, &fragment);
	const struct page *target = inside ? outputs_find(c->site, sb_view(&c->path)) : NULL;
	if (!target && inside && is_source(c->site, sb_view(&c->path)))
		return;
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

/* Appends where the link leads, without escapes: markup escapes a '%' that an author wrote. */
static void put_target(const struct page *p, const char *url, struct sb *path, struct sb *to)
{
	struct str fragment;
	bool inside = links_resolve(p->url, str_of(url), path, &fragment);
	sb_clear(to);
	if (inside)
		sb_str(to, sb_view(path));
	sb_char(to, '#');
	put_segment(to, inside ? fragment : str_of(url));
}

/* Is the link checked with a better place, in the source or the settings? */
static bool is_written(struct checker *c, const struct page *p, const char *url)
{
	const struct config_language *l = site_language(c->site, p);
	struct sb wanted = {0}, written = {0};
	bool found = false;
	for (size_t i = 0; i < l->nnav && !found; i++)
		found = strcmp(l->nav[i].url, url) == 0;
	put_target(p, url, &c->path, &wanted);
	for (size_t i = 0; i < p->source.nlinks && !found; i++) {
		put_target(p, p->source.links[i].url, &c->path, &written);
		found = str_eq(sb_view(&written), sb_view(&wanted));
	}
	sb_free(&wanted);
	sb_free(&written);
	return found;
}

/* Warns of links to drafts and scheduled pages: errors in a build that leaves these out. */
static void warn_unpublished(struct checker *c, const struct page *p, const struct md_link *l)
{
	struct str fragment;
	bool inside = links_resolve(p->url, str_of(l->url), &c->path, &fragment);
	const struct page *target = inside ? outputs_find(c->site, sb_view(&c->path)) : NULL;
	if (!target || p->front.draft || p->front.scheduled)
		return;
	if (target->front.draft)
		problems_warn(c->to, l->at,
		              "link to '%s', which is a draft: without --drafts the build fails",
		              l->url);
	else if (target->front.scheduled)
		problems_warn(
		        c->to, l->at,
		        "link to '%s', which is scheduled for %s: without --future the build fails",
		        l->url, target->front.scheduled);
}

static void check_page(struct checker *c, const struct page *p)
{
	for (size_t i = 0; i < p->source.nlinks; i++) {
		if (links_is_external(str_of(p->source.links[i].url)))
			continue;
		check(c, p, p->source.links[i].url, p->source.links[i].at, "");
		warn_unpublished(c, p, &p->source.links[i]);
	}
	for (const struct page_link *r = p->output.links; r; r = r->next) {
		char where[256], name[256];
		snprintf(where, sizeof where, "page %s: ", p->url);
		snprintf(name, sizeof name, "templates/%s", p->kind->template);
		const char *path = layers_file(&c->site->config->look, name, c->site->arena);
		struct loc at = {.path = p->path ? p->path : path};
		if (!is_written(c, p, r->url))
			check(c, p, r->url, at, where);
	}
}

static void check_navigation(struct checker *c)
{
	const struct config *config = c->site->config;
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
	for (size_t i = 0; i < s->pages.n; i++)
		check_page(&c, s->pages.all[i]);
	sb_free(&c.path);
}
