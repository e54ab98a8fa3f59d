#include "site-gen/files/markdown_copy.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/site/address.h"
#include "site-gen/site/content.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/base/front.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/site/handbook.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/site.h"
#include "site-gen/site/maker.h"
#include "site-gen/markdown/markdown.h"

enum { MAX_SOURCE_BYTES = 256 << 10 };

/* --- markup to Markdown ------------------------------------------------------------- */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* True if Markdown would interpret c between these two characters; '\0': none. */
static bool means_something(char before, char c, char after)
{
	switch (c) {
	case '&': /* a character reference */
		return is_word(after) || after == '#';
	case '#': /* at either end of a heading */
		return !before || before == ' ';
	case '_': /* literal inside of a name */
		return !is_word(before) || !is_word(after);
	default:
		return c && strchr("\\`*[]<>|~$", c);
	}
}

/*
 * Appends plain text and escapes everything that Markdown would interpret, also list markers at
 * the start of a line.
 */
static void put_escaped(struct sb *to, struct str plain)
{
	bool starts = to->n == 0 || to->p[to->n - 1] == '\n' || str_ends(sb_view(to), "\n> ");
	size_t digits = 0;
	while (starts && digits < plain.n && plain.p[digits] >= '0' && plain.p[digits] <= '9')
		digits++;
	for (size_t i = 0; i < plain.n; i++) {
		char c = plain.p[i], before = i ? plain.p[i - 1] : 0;
		char after = i + 1 < plain.n ? plain.p[i + 1] : 0;
		bool number = digits && i == digits && (c == '.' || c == ')');
		bool list = starts && ((i == 0 && (c == '-' || c == '+')) ||
		                       (number && (!after || after == ' ')));
		if (list || means_something(before, c, after))
			sb_char(to, '\\');
		sb_char(to, c == '\n' ? ' ' : c);
	}
}

/* Appends a link's title, without quotes and line breaks, because it is quoted. */
static void put_title(struct sb *to, struct str written)
{
	struct sb plain = {0};
	html_scan_plain(&plain, written);
	for (size_t i = 0; i < plain.n; i++) {
		if (plain.p[i] == '\\' || plain.p[i] == '&')
			sb_char(to, '\\');
		sb_char(to, plain.p[i] == '"' ? '\'' : plain.p[i] == '\n' ? ' ' : plain.p[i]);
	}
	sb_free(&plain);
}

/* Appends the text of markup, escaped. */
static void put_text(struct sb *to, struct str written)
{
	struct sb plain = {0};
	html_scan_plain(&plain, written);
	put_escaped(to, sb_view(&plain));
	sb_free(&plain);
}

static void close_link(struct sb *to, struct str href, struct str title, struct str origin)
{
	sb_cstr(to, "](");
	if (str_starts(href, "/"))
		sb_str(to, origin);
	html_scan_plain(to, href);
	if (title.p) {
		sb_cstr(to, " \"");
		put_title(to, title);
		sb_char(to, '"');
	}
	sb_char(to, ')');
}

void markdown_copy_inline(struct sb *to, struct str html, struct str origin)
{
	struct html_scan h = html_scan(html);
	struct str href = {0}, title = {0};
	enum html_token t;
	while ((t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN) {
		if (t == HTML_TEXT) {
			put_text(to, h.token);
		} else if (str_is(h.name, "sup")) {
			sb_cstr(to, t == HTML_START ? " (" : ")");
		} else if (str_is(h.name, "a") && t == HTML_START) {
			href = html_scan_value(&h, "href");
			title = html_scan_value(&h, "title");
			sb_char(to, '[');
		} else if (str_is(h.name, "a")) {
			close_link(to, href, title, origin);
		}
	}
}

/* --- the text of a source --------------------------------------------------------------- */

struct twin {
	struct expand_ctx ctx;
	const struct page *page;
	const struct config *config;
	struct str src;
	const char *path;
	struct sb *to;
};

/* The site's address without its path, which the numbers' links already have. */
static struct str origin_of(const struct config *c)
{
	return (struct str){c->base_url, (size_t)(c->base - c->base_url)};
}

static void put_row(struct twin *t, const struct quote *q)
{
	struct sb range = {0};
	if (number_has_interval(&q->n))
		number_range(&q->n, &range);
	sb_printf(t->to, "| [%s](" STR_FMT "%s) | %s | %s | %s, %.10s |\n", q->text,
	          STR_ARG(origin_of(t->config)), number_url(&t->ctx, &q->n),
	          range.n ? range.p : "–", number_key(&q->n, t->ctx.arena),
	          data_state_name(number_case(&q->n)->state), q->n.pick.run->run.head.start);
	sb_free(&range);
}

/* True if an older quote repeats it, for example a ladder and its table of exact values. */
static bool is_said(struct twin *t, const struct quote *q, const struct quote *end)
{
	for (const struct quote *o = q->next; o != end; o = o->next)
		if (strcmp(o->text, q->text) == 0 &&
		    strcmp(number_key(&o->n, t->ctx.arena), number_key(&q->n, t->ctx.arena)) == 0)
			return true;
	return false;
}

/* Appends the rows. The list is newest first; a repeated number gets one row. */
static void put_rows(struct twin *t, const struct quote *q, const struct quote *end)
{
	if (q == end)
		return;
	put_rows(t, q->next, end);
	if (!is_said(t, q, end))
		put_row(t, q);
}

/* A diagram's title and its drawing in words. */
static void put_diagram(struct twin *t, const struct placeholder *p, struct str html)
{
	struct html_scan h = html_scan(html);
	struct str desc;
	sb_printf(t->to, "**" STR_FMT "**", STR_ARG(placeholder_key(p, "title")));
	if (html_scan_find(&h, "desc") && html_scan_inside(&h, &desc)) {
		sb_char(t->to, ' ');
		html_scan_plain(t->to, desc);
	}
	sb_cstr(t->to, "\n\n");
}

/* block -> [ title and words ] [ table of its numbers ] link to the figure */
static bool put_block(struct twin *t, const struct placeholder *p, struct err *e)
{
	struct sb html = {0};
	const struct quote *before = t->ctx.quotes;
	bool ok = expand_html(&t->ctx, p, &html, e);
	if (ok && str_is(p->kind, "diagram"))
		put_diagram(t, p, sb_view(&html));
	sb_free(&html);
	if (!ok)
		return false;
	if (t->ctx.quotes != before) {
		sb_cstr(t->to, "| number | 95 % interval | of | state, date of the run |\n"
		               "|---|---|---|---|\n");
		put_rows(t, t->ctx.quotes, before);
		sb_char(t->to, '\n');
	}
	sb_printf(t->to, "[" STR_FMT "](%s%s)", STR_ARG(p->kind), t->config->base_url,
	          t->page->url);
	return true;
}

/* Inside an author's link a number becomes plain text, because links do not nest. */
static bool put_placeholder(struct twin *t, struct str text, bool in_link, struct err *e)
{
	struct placeholder p;
	enum expand_place place;
	struct sb html = {0};
	if (str_starts(text, "<</")) /* the end of a span, whose text stays */
		return true;
	if (!placeholder_parse(text, str_loc(t->src, t->path, text.p), &p, e) ||
	    !expand_place_of(&p, &place, e))
		return false;
	if (place == EXPAND_SPAN)
		return true;
	if (place == EXPAND_BLOCK)
		return put_block(t, &p, e);
	if (in_link)
		return expand_text(&t->ctx, &p, t->to, e);
	bool ok = expand_html(&t->ctx, &p, &html, e);
	markdown_copy_inline(t->to, sb_view(&html), origin_of(t->config));
	sb_free(&html);
	return ok;
}

/* End of the code span that opens at `i` in the line; `i` if none does. */
static size_t after_code(struct str line, size_t i)
{
	size_t n = 0;
	while (i + n < line.n && line.p[i + n] == '`')
		n++;
	for (size_t k = i + n; n && k < line.n;) {
		size_t run = 0;
		while (k + run < line.n && line.p[k + run] == '`')
			run++;
		if (run == n)
			return k + run;
		k += run ? run : 1;
	}
	return i + n;
}

static bool put_line(struct twin *t, struct str line, struct err *e)
{
	size_t start, end;
	int open = 0; /* open brackets */
	for (size_t i = 0; i < line.n;) {
		if (line.p[i] == '`') {
			size_t to = after_code(line, i);
			sb_str(t->to, str_sub(line, i, to));
			i = to;
		} else if (line.p[i] == '<' && placeholder_next(line, i, &start, &end) &&
		           start == i && end > start) {
			if (!put_placeholder(t, str_sub(line, start, end), open > 0, e))
				return false;
			i = end;
		} else {
			open += line.p[i] == '[' ? 1 : line.p[i] == ']' ? -1 : 0;
			sb_char(t->to, line.p[i++]);
		}
	}
	sb_char(t->to, '\n');
	return true;
}

/* True for a line inside a code fence, and for the fence itself. */
static bool is_code(struct str line, char *fence)
{
	struct str s = str_trim(line);
	bool mark = str_starts(s, "```") || str_starts(s, "~~~");
	if (mark && !*fence)
		*fence = s.p[0];
	else if (mark && *fence == s.p[0])
		*fence = 0;
	return mark || *fence;
}

/*
 * definition -> '[' label ']:' '#' … ; leads nowhere, so no page shows it. Authors write notes to
 * themselves like this, "[//]: # (ask Bob)", and programs should not see those either.
 */
static bool is_note_to_self(struct str line)
{
	struct str s = str_trim(line);
	size_t close = str_find(s, ']', 0);
	if (!str_starts(s, "[") || str_starts(s, "[^") || close + 1 >= s.n || s.p[close + 1] != ':')
		return false;
	s = str_trim(str_sub(s, close + 2, s.n));
	return str_is(s, "#") || str_starts(s, "# ") || str_starts(s, "<#>") || str_starts(s, "<>");
}

static bool is_shown(const struct page *p, int line)
{
	for (size_t i = 0; i < p->source.nhidden; i++)
		if (line >= p->source.hidden[i].from && line <= p->source.hidden[i].to)
			return false;
	return true;
}

static bool put_body(struct twin *t, struct str body, int line_no, struct err *e)
{
	char fence = 0;
	for (; body.n; line_no++) {
		struct str line;
		str_cut(body, '\n', &line, &body);
		if (!is_shown(t->page, line_no))
			continue;
		if (is_code(line, &fence)) {
			sb_str(t->to, line);
			sb_char(t->to, '\n');
		} else if (!is_note_to_self(line) && !put_line(t, line, e)) {
			return false;
		}
	}
	return true;
}

bool markdown_copy_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct page *page = p->subject;
	const struct config *c = m->site->config;
	struct front f = {0};
	struct twin t = {.page = page, .config = c, .path = page->path, .to = to};
	enum front_kind kind = page->source.translation ? FRONT_TRANSLATION : content_front(page);
	if (!file_read(page->path, MAX_SOURCE_BYTES, &m->scratch, &t.src, e) ||
	    !front_parse(t.src, page->path, kind, &m->scratch, &f, e))
		return false;
	t.ctx = site_page_context(m, page);
	sb_cstr(to, "# ");
	markdown_copy_inline(to, page->text.title_html, origin_of(c));
	sb_cstr(to, "\n\n> ");
	markdown_copy_inline(to, page->text.description_html, origin_of(c));
	sb_printf(to, "\n\n<%s%s>%s%s\n\n", c->base_url, page->url, page->front.date ? ", " : "",
	          page->front.date ? page->front.date : "");
	return put_body(&t, f.body, f.body_line, e);
}

/* --- the pages with a copy ------------------------------------------------------------------ */

void markdown_copy_add(struct site *s)
{
	if (!s->config->markdown)
		return;
	size_t npages = s->pages.n;
	for (size_t i = 0; i < npages; i++) {
		const struct page *p = s->pages.all[i];
		if (!address_has_markdown(s, p))
			continue;
		struct page *t =
		        site_add(s, page_kind(s, "twin"), address_markdown(s, p, s->shared), p);
		t->language = p->language;
		t->text.lang = p->text.lang;
		t->text.title = p->text.title;
		t->text.description = p->text.description;
		t->loaded = true;
	}
	site_add(s, page_kind(s, "llms"), "/llms.txt", NULL)->loaded = true;
}

bool markdown_copy_llms_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	const struct page_kind *twin = page_kind(s, "twin");
	(void)p;
	(void)e;
	sb_cstr(to, "# ");
	put_escaped(to, str_of(s->config->title));
	sb_cstr(to, "\n\n> ");
	put_escaped(to, str_of(s->config->description));
	sb_char(to, '\n');
	for (size_t l = 0; l < s->config->nlanguages; l++) {
		sb_cstr(to, "\n## ");
		put_escaped(to, str_of(s->config->languages[l].name));
		sb_cstr(to, "\n\n");
		for (size_t i = 0; i < s->pages.n; i++) {
			const struct page *t = s->pages.all[i];
			if (t->kind != twin || (size_t)t->language != l ||
			    handbook_planned(t->subject))
				continue;
			sb_cstr(to, "- [");
			put_escaped(to, str_of(t->text.title));
			sb_printf(to, "](%s%s): ", s->config->base_url, t->url);
			put_escaped(to, str_of(t->text.description));
			sb_char(to, '\n');
		}
	}
	return true;
}
