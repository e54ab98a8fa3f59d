/*
 * A number's history, the pages that show it, and its citation. Markup:
 * table.numbers.history > tr#run-<id>; ul.quoted > li > code (the
 * placeholder); dl.facts.wide, div.code.
 */
#include <string.h>

#include "site-gen/site/address.h"
#include "site-gen/plot/draw.h"
#include "site-gen/records/what_changed.h"
#include "site-gen/numbers/case.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/pages/comparison.h"
#include "site-gen/base/highlight.h"
#include "site-gen/base/html.h"
#include "site-gen/kinds/kinds.h"
#include "site-gen/pages/number_draw.h"
#include "site-gen/pages/number_page.h"
#include "site-gen/site/site.h"

/* --- history ------------------------------------------------------------------------ */

/* The next older run of the case that has a number. */
static bool run_before(const struct data_number *n, size_t i, struct pick *out)
{
	while (++i < n->nruns)
		if (!n->in[i]->why_none) {
			*out = (struct pick){n->runs[i], n->in[i]};
			return true;
		}
	return false;
}

/* "faster: time −2.3 to −1.9 %" against the run before. */
static void verdict_cell(const struct pick *p, const struct pick *before, struct arena *a,
                         struct sb *to)
{
	html_raw(to, "<td class=\"left\">");
	const struct stats_summary *x = &p->d->time, *y = &before->d->time;
	if (before->d && x->launches >= 2 && y->launches >= 2) {
		struct stats_comparison c =
		        stats_compare_unpaired(p->d->medians, x->launches, before->d->medians,
		                               y->launches, stats_band(NULL, 0));
		html_text(to, str_of(stats_verdict_name(c.verdict)));
		html_raw(to, " <span class=\"change\">");
		html_text(to, str_of(comparison_change(NULL, c.ratio.lo, c.ratio.hi, a)));
		html_raw(to, "</span>");
	}
	html_raw(to, "</td>");
}

static void history_row(struct expand_ctx *ctx, const struct number_view *v, size_t i,
                        struct sb *to)
{
	struct pick p = {v->n->runs[i], v->n->in[i]}, before;
	struct number n;
	bool older = run_before(v->n, i, &before);
	const char *changed = older ? what_changed(&p, &before, v->a) : NULL;
	html_raw(to, "<tr id=\"run-");
	html_attr(to, str_of(p.run->run.head.id));
	html_raw(to, "\"><th scope=\"row\"><a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(arena_printf(v->a, "%s#%s", p.run->url, p.d->anchor)));
	html_raw(to, "\">");
	html_text(to, str_of(p.run->run.head.id));
	html_raw(to, "</a></th>");
	if (v->has && number_of(&p, v->main.metric, &n)) {
		html_raw(to, "<td class=\"right\">");
		number_link(ctx, &n, "", NULL, to);
		number_interval(&n, to);
		html_raw(to, "</td>");
		if (older)
			verdict_cell(&p, &before, v->a, to);
		else
			html_raw(to, "<td class=\"left\">the first</td>");
		table_state(p.d, ctx->words, to);
	} else {
		html_raw(to, "<td class=\"left\" colspan=\"3\">");
		html_text(to, str_of(p.d->why_none ? p.d->why_none : "has no such metric"));
		html_raw(to, "</td>");
	}
	html_raw(to, "<td class=\"left\">");
	html_text(to, str_of(changed));
	html_raw(to, "</td></tr>\n");
}

/* Draws the history, oldest run first. */
static void put_history(const struct number_view *v, struct sb *to)
{
	size_t n = v->n->nruns;
	struct draw_run *r = ARENA_ARRAY(v->a, struct draw_run, n);
	for (size_t i = 0; i < n; i++) {
		size_t k = n - 1 - i; /* the runs are newest first */
		struct pick p = {v->n->runs[k], v->n->in[k]}, before;
		struct number x;
		r[i].label = case_date(&p.run->run, v->a);
		r[i].has = number_of(&p, v->main.metric, &x);
		if (!r[i].has)
			continue;
		r[i].value = x.value;
		r[i].lo = x.lo;
		r[i].hi = x.hi;
		r[i].marked = p.d->why[DATA_UNSTEADY] != NULL;
		r[i].change = run_before(v->n, k, &before) ? what_changed(&p, &before, v->a) : NULL;
	}
	html_raw(to,
	         "<figure class=\"drawing\">\n<figcaption>The value in each run with its "
	         "95" NBSP "% "
	         "interval, oldest first. A dashed line marks a change of driver, compiler, flags, "
	         "library's choice or source.</figcaption>\n");
	draw_history(r, n, v->main.si, v->a, to);
	html_raw(to, "</figure>\n");
}

void number_page_history(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	number_page_section(to, "history", "Its history");
	if (v->has && v->n->nruns > 1)
		put_history(v, to);
	table_open(to, "history stack");
	html_raw(to, "<thead><tr><th scope=\"col\">Run</th><th scope=\"col\" class=\"right\">");
	html_text(to, str_of(v->has ? metric_info(v->main.metric)->title : "Value"));
	html_raw(to,
	         "</th><th scope=\"col\">Against the run before</th><th scope=\"col\">State</th>"
	         "<th scope=\"col\">Also changed</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < v->n->nruns; i++)
		history_row(ctx, v, i, to);
	html_raw(to, "</tbody>");
	table_close(to);
}

/* --- the pages that show it ------------------------------------------------------------- */

static void open_link(struct sb *to, const struct expand_ctx *ctx, const char *url)
{
	html_raw(to, "<a href=\"");
	html_url(to, str_of(ctx->base));
	html_url(to, str_of(url));
	html_raw(to, "\">");
}

/* True for a repeated placeholder of a page: a plot and its table of exact values. */
static bool said_before(const struct backlinks *all, size_t i)
{
	const struct quote *q = all->by[i].q;
	for (size_t k = i; k-- > 0 && all->by[k].page == all->by[i].page;) {
		const struct quote *o = all->by[k].q;
		if (o->at.line == q->at.line && o->at.col == q->at.col &&
		    strcmp(o->text, q->text) == 0)
			return true;
	}
	return false;
}

static bool same_place(const struct backlink *a, const struct backlink *b)
{
	return a->page == b->page && a->q->at.line == b->q->at.line && a->q->at.col == b->q->at.col;
}

static void put_text(const struct expand_ctx *ctx, const struct number_view *v,
                     const struct backlink *by, struct sb *to)
{
	const struct quote *q = by->q;
	if (q->figure)
		open_link(to, ctx, arena_printf(v->a, "%s#b%d", by->page->url, q->figure));
	html_text(to, str_of(q->text));
	html_raw(to, q->figure ? "</a>" : "");
	if (q->n.pick.d != v->p.d) {
		html_raw(to, " from run ");
		html_text(to, str_of(q->n.pick.run->run.head.id));
	}
}

/* Ends an item with the placeholder; a prediction has none. */
static void end_quote(const struct backlink *by, struct sb *to)
{
	if (by->q->placeholder && *by->q->placeholder) {
		html_raw(to, " <code>");
		html_text(to, str_of(by->q->placeholder));
		html_raw(to, "</code>");
	}
	html_raw(to, "</li>\n");
}

/* Writes an item for each place: the text that the placeholder shows, then the placeholder. */
static void put_quotes(const struct expand_ctx *ctx, const struct number_view *v, size_t i,
                       size_t n, struct sb *to)
{
	const struct backlink *by = v->quoted->by, *last = NULL;
	html_raw(to, "\n<ul>\n");
	for (size_t k = i; k < i + n; k++) {
		if (said_before(v->quoted, k))
			continue;
		bool more = last && same_place(last, &by[k]);
		if (last && !more)
			end_quote(last, to);
		html_raw(to, more ? ", " : "<li>");
		put_text(ctx, v, &by[k], to);
		last = &by[k];
	}
	if (last)
		end_quote(last, to);
	html_raw(to, "</ul>\n");
}

static bool shows(const struct backlinks *all, const struct page *page)
{
	for (size_t i = 0; page && i < all->n; i++)
		if (all->by[i].page == page)
			return true;
	return false;
}

/* Writes the translations that show the number, by the names of their languages. */
static void put_translations(const struct expand_ctx *ctx, const struct number_view *v,
                             const struct page *page, struct sb *to)
{
	const struct config *c = v->site->config;
	for (size_t l = 1; l < c->nlanguages; l++) {
		const struct page *other = site_version(page, l);
		if (other == page || !shows(v->quoted, other))
			continue;
		html_raw(to, " · ");
		open_link(to, ctx, other->url);
		html_text(to, str_of(c->languages[l].name));
		html_raw(to, "</a>");
	}
}

/*
 * Writes the quotes of one page, and returns their number in `by`. A translation quotes
 * the same as its original (rule bilingual), so it is listed beside the original.
 */
static size_t put_page(const struct expand_ctx *ctx, const struct number_view *v, size_t i,
                       struct sb *to)
{
	const struct backlinks *all = v->quoted;
	const struct page *page = all->by[i].page;
	size_t n = 0;
	while (i + n < all->n && all->by[i + n].page == page)
		n++;
	if (page->language != 0 && shows(all, site_version(page, 0)))
		return n;
	html_raw(to, "<li>");
	open_link(to, ctx, page->url);
	html_text(to, str_of(page->text.title));
	html_raw(to, "</a>");
	put_translations(ctx, v, page, to);
	if (page->path)
		put_quotes(ctx, v, i, n, to);
	html_raw(to, "</li>\n");
	return n;
}

void number_page_quoted(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	const struct backlinks *all = v->quoted;
	number_page_section(to, "quoted", "Pages that show it");
	if (all->n == 0) {
		html_raw(to, "<p>Only this page and those of its runs.</p>\n");
		return;
	}
	html_raw(to, "<ul class=\"quoted\">\n");
	for (size_t i = 0; i < all->n;)
		i += put_page(ctx, v, i, to);
	html_raw(to, "</ul>\n");
}

/* --- how to cite it --------------------------------------------------------------------- */

static const char *permalink(const struct number_view *v)
{
	return arena_printf(v->a, "%s%s#run-%s", v->site->config->base_url, v->n->url,
	                    v->p.run->run.head.id);
}

/* Writes the citation in words: author, date, title, address. */
static void put_citation(const struct number_view *v, struct sb *to)
{
	const struct config *c = v->site->config;
	const char *range = v->has ? number_view_range(&v->main, v->a) : NULL;
	if (*c->author)
		sb_printf(to, "%s. ", c->author);
	sb_printf(to, "%s. %s.", v->title, c->title);
	if (v->has)
		sb_printf(to, " %s: %s%s%s%s.", metric_info(v->main.metric)->title,
		          number_view_plain(&v->main, v->a), range ? " (95" NBSP "% interval " : "",
		          range ? range : "", range ? ")" : "");
	sb_printf(to, " Measured %s on %s, run %s.", case_date(&v->p.run->run, v->a),
	          number_view_hardware(&v->p.run->run), v->p.run->run.head.id);
	sb_printf(to, " %s", permalink(v));
}

/* Escapes the characters that BibTeX reads as commands. */
static void bibtex_text(struct sb *to, const char *s)
{
	for (; *s; s++) {
		if (strchr("#$%&_{}", *s))
			sb_char(to, '\\');
		sb_char(to, *s);
	}
}

static void bibtex_field(struct sb *to, const char *name, const char *value)
{
	sb_printf(to, "  %s = {", name);
	bibtex_text(to, value);
	sb_cstr(to, "},\n");
}

static void put_bibtex(const struct number_view *v, struct sb *to)
{
	const struct config *c = v->site->config;
	const struct run_head *h = &v->p.run->run.head;
	sb_printf(to, "@misc{%s-%s-%.8s,\n", v->p.d->c->family, v->p.d->c->variant, h->id);
	if (*c->author)
		bibtex_field(to, "author", c->author);
	bibtex_field(to, "title", v->title);
	sb_printf(to, "  year = {%.4s},\n", h->start);
	bibtex_field(to, "howpublished", c->title);
	bibtex_field(to, "note",
	             arena_printf(v->a, "case %s, run %s, commit %s", v->p.d->c->id, h->id,
	                          record_commit(h)));
	sb_printf(to, "  url = {%s}\n}\n", permalink(v));
}

static void put_file(const struct expand_ctx *ctx, const struct number_view *v, const char *url,
                     const char *text, const char *what, struct sb *to)
{
	(void)v;
	html_raw(to, "<li>");
	open_link(to, ctx, url);
	html_text(to, str_of(text));
	html_raw(to, "</a>: ");
	html_text(to, str_of(what));
	html_raw(to, "</li>\n");
}

void number_page_cite(struct expand_ctx *ctx, const struct number_view *v, struct sb *to)
{
	struct sb text = {0};
	number_page_section(to, "cite", "Cite it, use it");
	put_citation(v, &text);
	html_raw(to, "<p class=\"citation\">");
	html_text(to, sb_view(&text));
	html_raw(to, "</p>\n");
	sb_clear(&text);
	put_bibtex(v, &text);
	highlight_block(highlight_find(STR("text")), sb_view(&text), "BibTeX", to);
	sb_free(&text);
	html_raw(to, "<ul>\n");
	put_file(ctx, v, address_number(v->n, v->a), "number.json",
	         "this page as data, with every sample and its provenance", to);
	put_file(ctx, v, address_record(v->p.run, v->a), strrchr(v->p.run->path, '/') + 1,
	         "the record of the whole run, byte for byte", to);
	html_raw(to, "</ul>\n");
}
