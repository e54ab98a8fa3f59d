#include "site-gen/files/markdown_copy.h"

#include <string.h>

#include "lib/file.h"
#include "site-gen/site/address.h"
#include "site-gen/site/content.h"
#include "site-gen/kinds/expand.h"
#include "site-gen/base/front.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/number.h"
#include "site-gen/site/page_kind.h"

enum { MAX_SOURCE_BYTES = 256 << 10 };

/* --- markup to Markdown ------------------------------------------------------------- */

/* The value of an attribute of the tag, as written; .p == NULL: it has none. */
static struct str attribute(struct str tag, const char *mark)
{
	size_t n = strlen(mark);
	const char *at = memmem(tag.p, tag.n, mark, n);
	if (!at)
		return (struct str){0};
	size_t from = (size_t)(at - tag.p) + n;
	return str_sub(tag, from, str_find(tag, '"', from));
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* Would Markdown take the character between these two as its own? '\0': there is none. */
static bool means_something(char before, char c, char after)
{
	switch (c) {
	case '&': /* a character reference */
		return is_word(after) || after == '#';
	case '#': /* of a heading, at either end */
		return !before || before == ' ';
	case '_': /* inside of a name it is itself */
		return !is_word(before) || !is_word(after);
	default:
		return c && strchr("\\`*[]<>|~$", c);
	}
}

/*
 * Plain text that reads as it is, whatever Markdown would make of it; so does, at the start of a
 * line, what opens a list.
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

/* A title stands in quotes: none inside, no line break. */
static void put_title(struct sb *to, struct str written)
{
	struct sb plain = {0};
	html_strip(&plain, written);
	for (size_t i = 0; i < plain.n; i++) {
		if (plain.p[i] == '\\' || plain.p[i] == '&')
			sb_char(to, '\\');
		sb_char(to, plain.p[i] == '"' ? '\'' : plain.p[i] == '\n' ? ' ' : plain.p[i]);
	}
	sb_free(&plain);
}

/* The text of markup, escaped. */
static void put_text(struct sb *to, struct str written)
{
	struct sb plain = {0};
	html_strip(&plain, written);
	put_escaped(to, sb_view(&plain));
	sb_free(&plain);
}

static void close_link(struct sb *to, struct str tag, struct str origin)
{
	struct str href = attribute(tag, " href=\""), title = attribute(tag, " title=\"");
	sb_cstr(to, "](");
	if (str_starts(href, "/"))
		sb_str(to, origin);
	html_strip(to, href);
	if (title.p) {
		sb_cstr(to, " \"");
		put_title(to, title);
		sb_char(to, '"');
	}
	sb_char(to, ')');
}

void twin_inline(struct sb *to, struct str html, struct str origin)
{
	struct str link = {0};
	for (size_t i = 0; i < html.n;) {
		if (html.p[i] != '<') {
			size_t end = str_find(html, '<', i);
			put_text(to, str_sub(html, i, end));
			i = end;
			continue;
		}
		size_t end = str_find(html, '>', i);
		struct str tag = str_sub(html, i, end);
		if (str_starts(tag, "<a ")) {
			link = tag;
			sb_char(to, '[');
		} else if (str_starts(tag, "</a") && link.p) {
			close_link(to, link, origin);
			link = (struct str){0};
		} else if (str_starts(tag, "<sup")) {
			sb_cstr(to, " (");
		} else if (str_starts(tag, "</sup")) {
			sb_char(to, ')');
		}
		i = end + 1;
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

/* The site's address without its path: numbers' links have the path. */
static struct str origin_of(const struct config *c)
{
	return (struct str){c->base_url, (size_t)(c->base - c->base_url)};
}

static void put_row(struct twin *t, const struct quote *q)
{
	struct sb range = {0};
	if (q->n.hi > q->n.lo)
		number_range(&q->n, &range);
	sb_printf(t->to, "| [%s](" STR_FMT "%s) | %s | %s | %s, %.10s |\n", q->text,
	          STR_ARG(origin_of(t->config)), number_url(&t->ctx, &q->n),
	          range.n ? range.p : "–", number_key(&q->n, t->ctx.arena),
	          data_state_name(number_case(&q->n)->state), q->n.pick.run->run.head.start);
	sb_free(&range);
}

/* Is it among the older ones: in a ladder, say, and again in its table of exact values? */
static bool is_said(struct twin *t, const struct quote *q, const struct quote *end)
{
	for (const struct quote *o = q->next; o != end; o = o->next)
		if (strcmp(o->text, q->text) == 0 &&
		    strcmp(number_key(&o->n, t->ctx.arena), number_key(&q->n, t->ctx.arena)) == 0)
			return true;
	return false;
}

/* The list is newest first; a number that stands there twice is one row. */
static void put_rows(struct twin *t, const struct quote *q, const struct quote *end)
{
	if (q == end)
		return;
	put_rows(t, q->next, end);
	if (!is_said(t, q, end))
		put_row(t, q);
}

/* block -> [ table of its numbers ] link to the figure */
static bool put_block(struct twin *t, const struct placeholder *p, struct err *e)
{
	struct sb html = {0};
	const struct quote *before = t->ctx.quotes;
	bool ok = expand_html(&t->ctx, p, &html, e);
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

/* Inside a link of the author's a number is just its text: links do not nest. */
static bool put_placeholder(struct twin *t, struct str text, bool in_link, struct err *e)
{
	struct placeholder p;
	enum expand_place place;
	struct sb html = {0};
	if (str_starts(text, "<</")) /* the end of a span: its text stands for itself */
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
	twin_inline(t->to, sb_view(&html), origin_of(t->config));
	sb_free(&html);
	return ok;
}

/* Past a code span that opens at `i` in the line; `i` if none does. */
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
	int open = 0; /* brackets */
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

/* A line of code: in a fence, or one that opens or closes it. */
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
 * definition -> '[' label ']:' '#' … ; leads nowhere, so no page shows anything of it: authors
 * write notes to themselves so, "[//]: # (ask Bob)", and those are for no program either
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
	for (size_t i = 0; i < p->nunshown; i++)
		if (line >= p->unshown[i].from && line <= p->unshown[i].to)
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

bool twin_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct page *page = p->subject;
	const struct config *c = &m->site->config;
	struct front f = {0};
	struct twin t = {.page = page, .config = c, .path = page->path, .to = to};
	enum front_kind kind = page->translation ? FRONT_TRANSLATION : content_front(page);
	if (!file_read(page->path, MAX_SOURCE_BYTES, &m->scratch, &t.src, e) ||
	    !front_parse(t.src, page->path, kind, &m->scratch, &f, e))
		return false;
	t.ctx = site_context(m, f.device);
	sb_cstr(to, "# ");
	twin_inline(to, page->title_html, origin_of(c));
	sb_cstr(to, "\n\n> ");
	twin_inline(to, page->description_html, origin_of(c));
	sb_printf(to, "\n\n<%s%s>%s%s\n\n", c->base_url, page->url, page->date ? ", " : "",
	          page->date ? page->date : "");
	return put_body(&t, f.body, f.body_line, e);
}

/* --- which pages have one ------------------------------------------------------------------ */

void twin_add(struct site *s)
{
	if (!s->config.markdown)
		return;
	size_t npages = s->npages;
	for (size_t i = 0; i < npages; i++) {
		const struct page *p = s->pages[i];
		if (!address_has_markdown(s, p))
			continue;
		struct page *t =
		        site_add(s, page_kind(s, "twin"), address_markdown(s, p, s->shared), p);
		t->language = p->language;
		t->lang = p->lang;
		t->title = p->title;
		t->description = p->description;
		t->loaded = true;
	}
	site_add(s, page_kind(s, "llms"), "/llms.txt", NULL)->loaded = true;
}

bool twin_llms_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	const struct page_kind *twin = page_kind(s, "twin");
	(void)p;
	(void)e;
	sb_cstr(to, "# ");
	put_escaped(to, str_of(s->config.title));
	sb_cstr(to, "\n\n> ");
	put_escaped(to, str_of(s->config.description));
	sb_char(to, '\n');
	for (size_t l = 0; l < s->config.nlanguages; l++) {
		sb_cstr(to, "\n## ");
		put_escaped(to, str_of(s->config.languages[l].name));
		sb_cstr(to, "\n\n");
		for (size_t i = 0; i < s->npages; i++) {
			const struct page *t = s->pages[i];
			if (t->kind != twin || (size_t)t->language != l)
				continue;
			sb_cstr(to, "- [");
			put_escaped(to, str_of(t->title));
			sb_printf(to, "](%s%s): ", s->config.base_url, t->url);
			put_escaped(to, str_of(t->description));
			sb_char(to, '\n');
		}
	}
	return true;
}
