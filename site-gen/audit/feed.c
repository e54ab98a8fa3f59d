#include "site-gen/audit/feed.h"

#include <string.h>

#include "lib/array.h"
#include "site-gen/audit/html.h"

/* A page, or an entry of a feed, with its text as collect() gives it. */
struct audit_post {
	struct str url, text;
	struct loc at;
	struct audit_post *next;
};

static bool is_among(struct str name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(name, list[i]))
			return true;
	return false;
}

/* Elements whose text feeds leave out. */
static bool is_left_out(const struct audit_html *h)
{
	static const char *const names[] = {"annotation", "button", "script", "style", "svg"};
	return is_among(h->name, names, ARRAY_LEN(names)) || audit_html_class(h, "anchor");
}

static bool is_block(struct str name)
{
	static const char *const names[] = {
	        "blockquote", "div",   "figcaption", "figure", "h1", "h2",    "h3", "h4",
	        "h5",         "h6",    "hr",         "img",    "li", "math",  "ol", "p",
	        "pre",        "table", "tbody",      "td",     "th", "thead", "tr", "ul"};
	return is_among(name, names, ARRAY_LEN(names));
}

static void put_solid(struct sb *to, struct str written)
{
	struct sb plain = {0};
	audit_html_plain(&plain, written);
	for (size_t i = 0; i < plain.n; i++)
		if (!strchr(" \t\r\n", plain.p[i]))
			sb_char(to, plain.p[i]);
	sb_free(&plain);
}

/*
 * Appends the text of markup without white space. With `blocks`, each block is a line. Sets *url,
 * if it is not NULL, to the canonical address.
 */
static bool collect(struct sb *to, const char *path, struct str bytes, bool blocks, struct str *url)
{
	struct audit_html h;
	enum audit_token t;
	struct err e = ERR_NONE;
	size_t skip = 0;
	audit_html_open(&h, path, bytes);
	while (audit_html_next(&h, &t, &e) && t != AUDIT_EOF) {
		if (t == AUDIT_START && !skip && !h.empty && is_left_out(&h))
			skip = h.depth;
		else if (t == AUDIT_END && h.depth < skip)
			skip = 0;
		else if (t == AUDIT_TEXT && !skip)
			put_solid(to, h.text);
		if (t != AUDIT_TEXT && blocks && !skip && is_block(h.name))
			sb_char(to, '\n');
		if (t == AUDIT_START && url && str_is(h.name, "link") &&
		    str_is(audit_html_attribute(&h, "rel"), "canonical"))
			*url = audit_html_attribute(&h, "href");
	}
	return !e.set;
}

static void keep(struct audit *a, struct audit_post **list, struct audit_post post, struct sb *text)
{
	struct arena *arena = a->records.a;
	struct audit_post *p = ARENA_NEW(arena, struct audit_post);
	*p = post;
	p->url = str_keep(arena, post.url);
	p->text = str_keep(arena, sb_view(text));
	p->at.path = arena_strdup(arena, post.at.path);
	p->next = *list;
	*list = p;
}

void audit_feed_page(struct audit *a, const char *path, struct str bytes)
{
	struct sb text = {0};
	struct str url = {0}, folder = str_of(path);
	bool is_post = a->lint && strstr(path, "posts/") && str_ends(folder, "/index.html");
	folder.n -= is_post ? sizeof "index.html" - 1 : 0;
	/* a former address leads to the page and names it as canonical */
	if (is_post && collect(&text, path, bytes, false, &url) && url.n >= folder.n &&
	    memcmp(url.p + url.n - folder.n, folder.p, folder.n) == 0)
		keep(a, &a->posts, (struct audit_post){.url = url, .at = {.path = path}}, &text);
	sb_free(&text);
}

void audit_feed_entry(struct audit *a, struct loc at, struct str url, struct str html)
{
	struct sb text = {0};
	if (a->lint && collect(&text, "entry.html", html, true, NULL))
		keep(a, &a->entries, (struct audit_post){.url = url, .at = at}, &text);
	sb_free(&text);
}

static void check_entry(struct audit *a, const struct audit_post *entry)
{
	const struct audit_post *page = a->posts;
	struct str line, rest = entry->text;
	while (page && !str_eq(page->url, entry->url))
		page = page->next;
	if (!page) {
		problems_rule(a->found, RULE_TRACED, entry->at,
		              "an entry links to '" STR_FMT "', which is no post of this site",
		              STR_ARG(entry->url));
		return;
	}
	while (rest.n) {
		str_cut(rest, '\n', &line, &rest);
		if (line.n && !memmem(page->text.p, page->text.n, line.p, line.n))
			problems_rule(a->found, RULE_TRACED, entry->at,
			              "'" STR_FMT "' is not on the page " STR_FMT
			              ": a feed repeats its posts word for word",
			              STR_ARG(line), STR_ARG(entry->url));
	}
}

void audit_feed_finish(struct audit *a)
{
	for (const struct audit_post *p = a->entries; p; p = p->next)
		check_entry(a, p);
}
