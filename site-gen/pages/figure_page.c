#include "site-gen/pages/figure_page.h"

#include <stdlib.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/lua/config.h"
#include "site-gen/lua/script.h"
#include "site-gen/numbers/number.h"
#include "site-gen/records/context.h"
#include "site-gen/site/address.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/shared_figure.h"
#include "site-gen/site/site.h"
#include "site-gen/site/unmarked.h"

/* --- the figure in the post's markup ------------------------------------------------------- */

/* Finds figure#<id>: all of its markup. Looks at tags with that id alone, because posts are long.
 */
static bool find(struct str body, const char *id, struct str *whole)
{
	struct sb attribute = {0};
	struct str inside;
	bool found = false;
	sb_printf(&attribute, " id=\"%s\"", id);
	const char *at = body.p, *end = body.p + body.n;
	while (!found && at && (at = memmem(at, (size_t)(end - at), attribute.p, attribute.n))) {
		size_t start = (size_t)(at - body.p);
		while (start > 0 && body.p[start] != '<')
			start--;
		struct html_scan h = html_scan(str_sub(body, start, body.n));
		found = html_scan_next(&h) == HTML_START && str_is(h.name, "figure") &&
		        str_is(html_scan_value(&h, "id"), id) && html_scan_inside(&h, &inside);
		if (found)
			*whole = str_sub(body, start, start + h.i);
		at += attribute.n;
	}
	sb_free(&attribute);
	return found;
}

/* The page says these in its own places: the finding, and the links to the figure's files. */
static bool is_left_out(const struct html_scan *h)
{
	return html_scan_class(h, "finding") || html_scan_class(h, "anchor") ||
	       html_scan_class(h, "caption-no") || html_scan_class(h, "figure-data");
}

/* The table of exact values in a figure's markup (kinds/block.h). */
static bool is_exact(const struct html_scan *h)
{
	return str_is(h->name, "details") && str_is(html_scan_value(h, "class"), "exact");
}

/* A part of a post's body, and what takes its place. */
struct cut {
	size_t from, to;
	const char *instead;
};

struct cuts {
	struct cut *all;
	size_t n, cap;
	struct arena *arena; /* of this post */
};

/*
 * Leaves the table of exact values to the page of the figure: the post links to it there. Tables of
 * two devices were a seventh of a post, and few readers unfold them.
 */
static void move_exact(const struct page *post, const struct expand_figure *figure, struct cuts *c)
{
	struct str body = post->text.body, whole, inside, head;
	if (!find(body, arena_printf(c->arena, "b%d", figure->number), &whole))
		return;
	struct html_scan h = html_scan(whole);
	while (html_scan_find(&h, "details")) {
		size_t start = h.i - h.token.n, at = (size_t)(whole.p - body.p);
		if (!is_exact(&h) || !html_scan_inside(&h, &inside))
			continue;
		struct html_scan in = html_scan(inside);
		if (!html_scan_find(&in, "summary") || !html_scan_inside(&in, &head))
			return;
		c->all = arena_grow(c->arena, c->all, c->n, &c->cap, sizeof *c->all);
		c->all[c->n++] = (struct cut){
		        at + start, at + h.i,
		        arena_printf(c->arena,
		                     "<p class=\"figure-exact\"><a href=\"fig/%s/#exact\">" STR_FMT
		                     "</a></p>",
		                     figure->name, STR_ARG(head))};
		return;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct cut *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

static void make_cuts(struct page *post, const struct cuts *c, struct arena *a)
{
	struct sb out = {0};
	size_t from = 0;
	if (c->n == 0)
		return;
	qsort(c->all, c->n, sizeof *c->all, by_place);
	for (size_t i = 0; i < c->n; i++) {
		sb_str(&out, str_sub(post->text.body, from, c->all[i].from));
		sb_cstr(&out, c->all[i].instead);
		from = c->all[i].to;
	}
	sb_str(&out, str_sub(post->text.body, from, post->text.body.n));
	post->text.body = str_keep(a, sb_view(&out));
	sb_free(&out);
}

/*
 * Finds figure#b<number> in the body of a post, and keeps it for its page: without its finding, and
 * without what leads nowhere there. False: the body lacks it.
 */
static bool take(struct str body, struct expand_figure *f, struct arena *a)
{
	struct str whole, inside;
	struct sb kept = {0};
	if (!find(body, arena_printf(a, "b%d", f->number), &whole))
		return false;
	struct html_scan h = html_scan(whole);
	size_t from = 0;
	for (enum html_token t; (t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN;) {
		size_t start = h.i - h.token.n;
		if (t == HTML_START && html_scan_class(&h, "about")) {
			struct html_scan about = h;
			html_scan_inside(&about, &f->about);
		}
		struct html_scan head = h;
		if (t == HTML_START && is_exact(&h) && html_scan_find(&head, "summary") &&
		    html_scan_inside(&head, &inside)) {
			sb_str(&kept, str_sub(whole, from, head.i));
			/* inside the fold: a browser that goes to it unfolds it */
			sb_cstr(&kept, "<span id=\"exact\"></span>");
			from = head.i;
		}
		if (t != HTML_START || !is_left_out(&h))
			continue;
		while (start > from && whole.p[start - 1] == ' ')
			start--;
		sb_str(&kept, str_sub(whole, from, start));
		html_scan_inside(&h, &inside);
		from = h.i;
		while (from < whole.n && whole.p[from] == ' ')
			from++;
	}
	sb_str(&kept, str_sub(whole, from, whole.n));
	f->page = str_keep(a, sb_view(&kept));
	f->about = str_keep(a, f->about);
	sb_free(&kept);
	return true;
}

/* --- the pages ------------------------------------------------------------------------------- */

/* A description is prose: it ends before the code of a drawing's index, and the comma there. */
static struct str before_code(struct str about)
{
	const char *code = about.n ? memmem(about.p, about.n, "<code", 5) : NULL;
	if (code)
		about = str_trim(str_sub(about, 0, (size_t)(code - about.p)));
	return code && about.n && about.p[about.n - 1] == ',' ? str_sub(about, 0, about.n - 1)
	                                                      : about;
}

static void fill(struct site *s, struct page *p, const struct shared_figure *f)
{
	struct sb about = {0};
	html_scan_strip(&about, before_code(f->figure->about));
	p->path = f->post->path;
	p->language = f->post->language;
	p->text.lang = f->post->text.lang;
	p->text.title = f->figure->finding;
	p->text.title_html = str_of(f->figure->finding_html);
	p->text.description = str_dup(s->shared, str_trim(sb_view(&about)));
	p->text.body = f->figure->page;
	p->loaded = true;
	sb_free(&about);
}

static void add_one(struct site *s, const struct page *post, const struct expand_figure *figure)
{
	struct shared_figure *f = ARENA_NEW(s->shared, struct shared_figure);
	*f = (struct shared_figure){
	        .post = post,
	        .figure = figure,
	        .unmarked = !unmarked_figure_breaks(post->numbers.quotes, figure->number)};
	fill(s,
	     site_add(s, page_kind(s, "figure"),
	              arena_printf(s->shared, "%sfig/%s/", post->url, figure->name), f),
	     f);
}

/* Is there a page of the same figure in the other language? Then both are versions of one page. */
static void join(struct site *s, struct page *p, size_t from)
{
	const struct shared_figure *f = p->subject;
	p->versions = ARENA_ARRAY(s->shared, struct page *, s->config->nlanguages);
	p->versions[p->language] = p;
	for (size_t i = from; i < s->pages.n; i++) {
		struct page *other = s->pages.all[i];
		const struct shared_figure *of = other->subject;
		if (other == p || of->post->versions != f->post->versions ||
		    strcmp(of->figure->name, f->figure->name) != 0)
			continue;
		p->versions[other->language] = other;
	}
}

void figure_page_cut(struct maker *m, struct page *post)
{
	struct cuts cuts = {.arena = &m->scratch};
	if (!page_kind_is(post, "post"))
		return;
	for (struct expand_figure *f = post->numbers.figures; f; f = f->next)
		if (f->drawn && take(post->text.body, f, m->shared))
			move_exact(post, f, &cuts);
	make_cuts(post, &cuts, m->shared);
}

static void add_all(struct site *s, const struct page *post)
{
	for (const struct expand_figure *f = post->numbers.figures; f; f = f->next)
		if (f->page.p)
			add_one(s, post, f);
}

void figure_page_add(struct site *s)
{
	size_t npages = s->pages.n;
	for (size_t i = 0; i < npages; i++)
		if (page_kind_is(s->pages.all[i], "post"))
			add_all(s, s->pages.all[i]);
	for (size_t i = npages; i < s->pages.n; i++)
		if (((const struct shared_figure *)s->pages.all[i]->subject)->post->versions)
			join(s, s->pages.all[i], npages);
}

/* Does the figure have a CSV (files/data_files.h)? */
static bool has_numbers(const struct shared_figure *f)
{
	for (const struct quote *q = f->post->numbers.quotes; q; q = q->next)
		if (q->figure == f->figure->number)
			return true;
	return false;
}

void figure_page_vars(struct maker *m, struct script *s, const struct page *p)
{
	const struct shared_figure *f = shared_figure(p);
	const struct config *c = m->site->config;
	bool picture = address_has_cards(m->site) && address_has_card(p);
	script_begin(s, "figure", 4);
	script_cstr(s, "csv",
	            has_numbers(f) ? arena_printf(&m->scratch, "%s%s%s.csv", c->base, f->post->url,
	                                          f->figure->name)
	                           : "");
	script_cstr(
	        s, "place",
	        arena_printf(&m->scratch, "%s%s#b%d", c->base, f->post->url, f->figure->number));
	script_cstr(s, "post_title", f->post->text.title);
	script_cstr(s, "original", arena_printf(&m->scratch, "%s%s", c->base_url, f->post->url));
	script_cstr(s, "picture",
	            picture ? arena_printf(&m->scratch, "%s%scard.png", c->base, p->url) : "");
	script_end(s);
}
