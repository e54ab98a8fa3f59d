/*
 * The text of a post in feeds: paragraphs, lists, headings, code and pictures without classes.
 * Figures and tables made from records become their captions, which link to the page.
 */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/files/feed.h"
#include "site-gen/files/feed_inner.h"
#include "site-gen/lua/config.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"

/* Escapes and absolute addresses make a text longer; an entry stays below 25 kB. */
enum { MARKUP_MOST = 18000 };

struct shrunk {
	struct sb *to;
	size_t whole; /* end of the last whole block */
	size_t depth; /* of kept elements */
	bool in_link; /* links inside are unwrapped */
	bool full;    /* the rest is left to the page */
};

static bool is_among(struct str name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_is(name, list[i]))
			return true;
	return false;
}

/* Elements that go with all that they contain. */
static bool is_dropped(const struct html_scan *h)
{
	static const char *const names[] = {"annotation", "button", "details", "dl",
	                                    "script",     "style",  "svg"};
	static const char *const classes[] = {"anchor", "diagram-facts", "figure-data", "unfold"};
	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (html_scan_class(h, classes[i]))
			return true;
	return is_among(h->name, names, ARRAY_LEN(names));
}

/* Elements that go and leave their content; links of numbers go likewise. */
static bool is_unwrapped(const struct shrunk *s, struct str name)
{
	static const char *const names[] = {"div", "section", "semantics", "span"};
	return is_among(name, names, ARRAY_LEN(names)) || (s->in_link && str_is(name, "a"));
}

static bool is_void(const struct html_scan *h)
{
	static const char *const names[] = {"br", "col", "hr", "img", "input", "source", "wbr"};
	return h->empty || is_among(h->name, names, ARRAY_LEN(names));
}

static void put_start(struct sb *to, struct html_scan *h)
{
	static const char *const kept[] = {"alt",  "colspan", "display", "height",
	                                   "href", "lang",    "open",    "rowspan",
	                                   "src",  "srcset",  "start",   "width"};
	struct str name, value;
	sb_char(to, '<');
	sb_str(to, h->name);
	while (html_scan_attribute(h, &name, &value))
		if (is_among(name, kept, ARRAY_LEN(kept)))
			sb_printf(to, " " STR_FMT "=\"" STR_FMT "\"", STR_ARG(name),
			          STR_ARG(value));
	sb_cstr(to, h->empty ? "/>" : ">");
}

/* The first element of this name in a figure: true, and its content. */
static bool has_inside(struct str figure, const char *name, struct str *inside)
{
	struct html_scan h = html_scan(figure);
	return html_scan_find(&h, name) && html_scan_inside(&h, inside);
}

/* A caption without the conditions behind its finding. */
static struct str short_caption(struct str caption)
{
	struct html_scan h = html_scan(caption);
	while (html_scan_find(&h, "span"))
		if (html_scan_class(&h, "about"))
			return str_sub(caption, 0, h.i - h.token.n);
	return caption;
}

static void shrink(struct shrunk *s, struct str markup);

/* Appends a figure's caption, summary or first paragraph, as a link to the figure. */
static void put_figure(struct shrunk *s, struct str id, struct str figure)
{
	struct str inside;
	if (!has_inside(figure, "figcaption", &inside) && !has_inside(figure, "summary", &inside) &&
	    !has_inside(figure, "p", &inside))
		return;
	s->depth++;
	s->in_link = id.n > 0;
	sb_cstr(s->to, "<p>");
	if (id.n)
		sb_printf(s->to, "<a href=\"#" STR_FMT "\">", STR_ARG(id));
	shrink(s, str_trim(short_caption(inside)));
	sb_cstr(s->to, id.n ? "</a></p>\n" : "</p>\n");
	s->in_link = false;
	s->depth--;
}

static void take_start(struct shrunk *s, struct html_scan *h)
{
	struct str inside, id = html_scan_value(h, "id");
	if (is_dropped(h)) {
		if (html_scan_class(h, "anchor") && s->to->n && s->to->p[s->to->n - 1] == ' ')
			s->to->n--;
		if (!is_void(h))
			html_scan_inside(h, &inside);
	} else if (str_is(h->name, "figure") && html_scan_class(h, "bench")) {
		html_scan_inside(h, &inside);
		put_figure(s, id, inside);
	} else if (str_is(h->name, "a") && html_scan_class(h, "num")) {
		s->depth++;
		html_scan_inside(h, &inside);
		shrink(s, inside);
		s->depth--;
	} else if (!is_unwrapped(s, h->name)) {
		put_start(s->to, h);
		s->depth += !is_void(h);
	}
}

/* Stops after the last whole block that fits. */
static void shrink(struct shrunk *s, struct str markup)
{
	struct html_scan h = html_scan(markup);
	enum html_token t;
	while (!s->full && (t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN) {
		if (t == HTML_START) {
			take_start(s, &h);
		} else if (t == HTML_TEXT) {
			sb_str(s->to, h.token);
		} else if (t == HTML_END && !is_unwrapped(s, h.name)) {
			sb_str(s->to, h.token);
			s->depth--;
		}
		s->full = s->to->n > MARKUP_MOST;
		if (s->depth == 0 && !s->full)
			s->whole = s->to->n;
	}
}

static void put_content(struct sb *to, const struct config *c, const struct page *p)
{
	struct sb body = {0};
	struct shrunk s = {.to = &body};
	shrink(&s, p->text.body);
	if (s.full) {
		body.n = s.whole;
		sb_printf(&body, "\n<p><a href=\"%s%s\">", c->base, p->url);
		html_text(&body, str_of(p->text.title));
		sb_cstr(&body, "</a></p>\n");
	}
	feed_absolute(to, sb_view(&body), c, p->url);
	sb_free(&body);
}

struct feed_text {
	const struct page *of;
	struct str text;
	struct feed_text *next;
};

struct str feed_content(struct maker *m, const struct page *p)
{
	struct arena *a = m->site->arena;
	struct sb text = {0};
	for (const struct feed_text *f = m->feed_texts; f; f = f->next)
		if (f->of == p)
			return f->text;
	struct feed_text *made = ARENA_NEW(a, struct feed_text);
	put_content(&text, m->site->config, p);
	*made = (struct feed_text){p, str_of(str_dup(a, sb_view(&text))), m->feed_texts};
	m->feed_texts = made;
	sb_free(&text);
	return made->text;
}
