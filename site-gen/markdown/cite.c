/*
 * Citations: [@key] in a text becomes a number that links to the list of
 * references at the end of the page. The entries come from data/references, like
 * those of cited numbers.
 *
 *   citation -> '[@' key { ';' [ ' ' ] '@' key } ']' ; on one line
 */
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/records/cited.h"
#include "site-gen/records/data.h"
#include "site-gen/base/html.h"

enum { MAX_CITED = 500 };

struct md_cited {
	const struct reference *source;
	int times;
};

/* --- finding them ---------------------------------------------------------- */

static bool is_key(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '-' || c == '_' || c == '.';
}

/* Takes the key at *i, after its '@'; empty if there is none. */
static struct str take_key(struct str text, size_t *i)
{
	size_t from = *i + 1;
	if (*i >= text.n || text.p[*i] != '@')
		return STR("");
	for (*i = from; *i < text.n && is_key(text.p[*i]);)
		++*i;
	return str_sub(text, from, *i);
}

/* The end of the citation at `open`; 0 if there is none. */
static size_t citation_end(struct str text, size_t open)
{
	size_t i = open + 1;
	for (;;) {
		if (take_key(text, &i).n == 0)
			return 0;
		if (i < text.n && text.p[i] == ']')
			return i + 1;
		if (i >= text.n || text.p[i++] != ';')
			return 0;
		i += i < text.n && text.p[i] == ' ';
	}
}

bool md_cite_next(struct md_render *r, struct str text, size_t from, size_t *start, size_t *end)
{
	if (!r->source.cites)
		return false;
	for (size_t i = str_find(text, '[', from); i < text.n; i = str_find(text, '[', i + 1)) {
		size_t close = citation_end(text, i);
		if (!close || md_is_escaped(r, str_sub(text, i, close)))
			continue;
		*start = i;
		*end = close;
		return true;
	}
	return false;
}

void md_cite_plain(struct md_render *r, struct str text, struct sb *to)
{
	size_t from = 0, start, end;
	for (; md_cite_next(r, text, from, &start, &end); from = end) {
		size_t space = start > from && text.p[start - 1] == ' ';
		sb_str(to, str_sub(text, from, start - space));
	}
	sb_str(to, str_sub(text, from, text.n));
}

/* --- numbers --------------------------------------------------------------- */

static bool unknown(struct md_render *r, struct str key, cmark_node *n)
{
	enum { CAP = 32 };
	const struct references *all = r->ctx->data ? r->ctx->data->references : NULL;
	struct loc at = md_node_loc(&r->source, n);
	struct str line = md_source_line(&r->source, at.line);
	const struct reference *near = all && all->n ? &all->all[0] : NULL;
	const char *p = memmem(line.p, line.n, key.p, key.n);
	if (p)
		at.col = str_loc(line, NULL, p).col;
	for (size_t i = 1; near && i < all->n; i++)
		if (str_distance(key, str_of(all->all[i].key), CAP) <
		    str_distance(key, str_of(near->key), CAP))
			near = &all->all[i];
	if (!near)
		return err_at(r->e, at, "no reference '" STR_FMT "', data/references has none",
		              STR_ARG(key));
	return err_at(r->e, at, "no reference '" STR_FMT "' in data/references, nearest is '%s'",
	              STR_ARG(key), near->key);
}

/* The number of a source on this page, from 1; 0 on error. */
static int number_of(struct md_render *r, struct str key, cmark_node *n)
{
	const struct references *all = r->ctx->data ? r->ctx->data->references : NULL;
	const struct reference *source = all ? reference_find(all, key) : NULL;
	if (!source)
		return unknown(r, key, n);
	for (int i = 0; i < r->ncited; i++)
		if (r->cited[i].source == source)
			return i + 1;
	if (!r->cited)
		r->cited = ARENA_ARRAY(r->arena, struct md_cited, MAX_CITED);
	if (r->ncited == MAX_CITED)
		return err_at(r->e, md_node_loc(&r->source, n), "more than %d references",
		              MAX_CITED);
	r->cited[r->ncited].source = source;
	return ++r->ncited;
}

/* Writes "cite-williams-2009"; from the second citation on, "-2" and so on follow. */
static void put_id(struct sb *to, const struct md_cited *c, int time)
{
	html_raw(to, "cite-");
	html_attr(to, str_of(c->source->key));
	if (time > 1)
		sb_printf(to, "-%d", time);
}

static void put_number(struct md_render *r, int number)
{
	struct md_cited *c = &r->cited[number - 1];
	const char *text = arena_printf(r->arena, "%d", number);
	html_raw(&r->html, "<a role=\"doc-biblioref\" href=\"#ref-");
	html_attr(&r->html, str_of(c->source->key));
	html_raw(&r->html, "\" id=\"");
	put_id(&r->html, c, ++c->times);
	html_raw(&r->html, "\" title=\"");
	html_attr(&r->html, str_of(arena_printf(r->arena, "%s: %s, %s", c->source->authors,
	                                        c->source->title, c->source->date)));
	html_raw(&r->html, "\">");
	html_text(&r->html, str_of(text));
	html_raw(&r->html, "</a>");
}

bool md_cite_print(struct md_render *r, struct str text, cmark_node *n)
{
	size_t i = 1;
	if (r->in_link)
		return err_at(r->e, md_node_loc(&r->source, n),
		              "a citation cannot stand inside a link");
	html_raw(&r->html, "<span class=\"cite\">[");
	while (i < text.n) {
		int number = number_of(r, take_key(text, &i), n);
		if (!number)
			return false;
		put_number(r, number);
		i += i + 1 < text.n && text.p[i + 1] == ' ' ? 2 : 1;
		if (i < text.n)
			html_raw(&r->html, ", ");
	}
	html_raw(&r->html, "]</span>");
	return true;
}

/* --- the list at the end --------------------------------------------------- */

static void put_back_links(struct md_render *r, const struct md_cited *c)
{
	for (int k = 1; k <= c->times; k++) {
		html_raw(&r->html, " <a class=\"backref\" href=\"#");
		put_id(&r->html, c, k);
		html_raw(&r->html, "\" role=\"doc-backlink\" aria-label=\"");
		html_attr(&r->html, str_of(words_fill(r->ctx->words, r->arena, "citation_back",
		                                      arena_printf(r->arena, "%d", k), NULL)));
		html_raw(&r->html, "\">↩</a>");
	}
}

static void put_reference(struct md_render *r, const struct md_cited *c)
{
	html_raw(&r->html, "<li id=\"ref-");
	html_attr(&r->html, str_of(c->source->key));
	html_raw(&r->html, "\">");
	html_text(&r->html, str_of(c->source->authors));
	html_raw(&r->html, ": <a href=\"");
	html_url(&r->html, str_of(c->source->url));
	html_raw(&r->html, "\"><cite>");
	html_text(&r->html, str_of(c->source->title));
	html_raw(&r->html, "</cite></a>, ");
	html_text(&r->html, str_of(c->source->date));
	sb_char(&r->html, '.');
	put_back_links(r, c);
	html_raw(&r->html, "</li>\n");
}

void md_cite_list(struct md_render *r)
{
	if (r->ncited == 0)
		return;
	html_raw(&r->html, "<section class=\"references\" role=\"doc-bibliography\" "
	                   "aria-labelledby=\"references-title\">\n"
	                   "<h2 id=\"references-title\">");
	html_text(&r->html, str_of(words_get(r->ctx->words, "references")));
	html_raw(&r->html, "</h2>\n<ol>\n");
	for (int i = 0; i < r->ncited; i++)
		put_reference(r, &r->cited[i]);
	html_raw(&r->html, "</ol>\n</section>\n");
}
