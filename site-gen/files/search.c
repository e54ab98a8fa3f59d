#include "site-gen/files/search.h"

#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "site-gen/site/handbook.h"
#include "site-gen/base/html.h"
#include "site-gen/site/page_kind.h"

enum {
	TERM_MIN = 2,
	TERM_MAX = 32,
	/* Beyond this many pages their bodies would make the index too heavy for a phone. */
	BODIES_MAX = 400,
};

/* Where a term stands on a page, as bits: often in a body, or once in a title, are both a sign. */
enum place { PLACE_BODY = 0, PLACE_DESCRIPTION = 1, PLACE_HEADING = 2, PLACE_TITLE = 4 };
enum { WORTH_DESCRIPTION = 6, WORTH_HEADING = 8, WORTH_TITLE = 16, WORTH_BODY_MOST = 13 };

/*
 * What explains comes before what was measured: how much a match counts on a page of a kind. Kinds
 * that are searched and have no row count as the last one.
 */
static const struct {
	const char *kind;
	unsigned weight;
} weights[] = {{"post", 16}, {"section", 12}, {"family", 8},     {"page", 3},
               {"path", 4},  {"device", 4},   {"prediction", 2}, {"comparison", 1}};
enum { WEIGHT_GLOSSARY = 5, WEIGHT_UNFINISHED = 4 };

/* --- terms --- */

static bool is_cjk(uint32_t c)
{
	return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
	       (c >= 0x3040 && c <= 0x30FF) || (c >= 0x20000 && c <= 0x2FFFF);
}

static bool is_word(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || (c >= 0xC0 && c <= 0x24F) || (c >= 0x370 && c <= 0x52F);
}

static bool all_digits(const char *p, size_t n)
{
	while (n > 0 && p[n - 1] >= '0' && p[n - 1] <= '9')
		n--;
	return n == 0;
}

static void put_word(const char *p, size_t n, void (*term)(void *ctx, struct str term), void *ctx)
{
	char low[TERM_MAX];
	if (n < TERM_MIN || n > TERM_MAX || all_digits(p, n))
		return;
	for (size_t i = 0; i < n; i++)
		low[i] = (char)(p[i] >= 'A' && p[i] <= 'Z' ? p[i] + 'a' - 'A' : p[i]);
	term(ctx, (struct str){low, n});
}

void search_terms(struct str text, void (*term)(void *ctx, struct str term), void *ctx)
{
	const char *end = text.p + text.n, *word = NULL, *before = NULL; /* the CJK one before */
	for (const char *p = text.p; p < end;) {
		size_t n;
		uint32_t c = html_decode(p, &n);
		if (!is_word(c) && word) {
			put_word(word, (size_t)(p - word), term, ctx);
			word = NULL;
		} else if (is_word(c) && !word) {
			word = p;
		}
		if (is_cjk(c) && before)
			term(ctx, (struct str){before, (size_t)(p - before) + n});
		before = is_cjk(c) ? p : NULL;
		p += n;
	}
	if (word)
		put_word(word, (size_t)(end - word), term, ctx);
}

/* --- the index: terms of all pages in an open table --- */

struct posting {
	uint32_t page, places, count; /* count: in the body */
	struct posting *next;         /* of the page before */
};

struct entry {
	struct str term;
	struct posting *last;
};

struct index {
	struct arena *arena;
	struct entry *entry; /* open addressing */
	size_t n, cap;       /* a power of two */
	uint32_t page;       /* at work, and which words of it */
	enum place place;
	unsigned *weight; /* by page */
};

static uint64_t hash_of(struct str s)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 1099511628211u;
	return h ^ h >> 29;
}

static struct entry *slot_of(const struct index *x, struct str term)
{
	for (size_t i = hash_of(term) & (x->cap - 1);; i = (i + 1) & (x->cap - 1))
		if (!x->entry[i].term.p || str_eq(x->entry[i].term, term))
			return &x->entry[i];
}

static void grow(struct index *x)
{
	struct index bigger = *x;
	bigger.cap = 2 * x->cap;
	bigger.entry = ARENA_ARRAY(x->arena, struct entry, bigger.cap);
	for (size_t i = 0; i < x->cap; i++)
		if (x->entry[i].term.p)
			*slot_of(&bigger, x->entry[i].term) = x->entry[i];
	*x = bigger;
}

static void add_term(void *ctx, struct str term)
{
	struct index *x = ctx;
	if (2 * x->n >= x->cap)
		grow(x);
	struct entry *e = slot_of(x, term);
	if (!e->term.p) {
		e->term = (struct str){arena_strndup(x->arena, term.p, term.n), term.n};
		x->n++;
	}
	if (!e->last || e->last->page != x->page) {
		struct posting *new = ARENA_NEW(x->arena, struct posting);
		*new = (struct posting){.page = x->page, .next = e->last};
		e->last = new;
	}
	e->last->places |= x->place;
	e->last->count += x->place == PLACE_BODY;
}

static void add_text(struct index *x, enum place place, struct str text)
{
	x->place = place;
	search_terms(text, add_term, x);
}

static void add_page(struct index *x, const struct page *p, bool body)
{
	add_text(x, PLACE_TITLE, str_of(p->title));
	add_text(x, PLACE_DESCRIPTION, str_of(p->description));
	for (size_t i = 0; i < p->ntags; i++)
		add_text(x, PLACE_DESCRIPTION, str_of(p->tags[i]));
	for (size_t i = 0; i < p->nheadings; i++)
		add_text(x, PLACE_HEADING, str_of(p->headings[i].text));
	if (!body)
		return;
	struct sb text = {0};
	html_strip(&text, p->body);
	add_text(x, PLACE_BODY, sb_view(&text));
	sb_free(&text);
}

/* --- writing --- */

static void put_page(struct maker *m, const struct page *p, struct json_out *w)
{
	json_open(w, NULL, '[');
	json_put_str(w, NULL, arena_printf(&m->scratch, "%s%s", m->site->config.base, p->url));
	json_put_str(w, NULL, p->title);
	json_put_str(w, NULL, p->description);
	json_put_str(w, NULL, p->kind->name);
	json_open(w, NULL, '[');
	for (size_t i = 0; i < p->nheadings; i++) {
		json_open(w, NULL, '[');
		json_put_str(w, NULL, p->headings[i].id);
		json_put_str(w, NULL, p->headings[i].text);
		json_close(w, ']');
	}
	json_close(w, ']');
	json_close(w, ']');
}

static int by_term(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	size_t n = x->term.n < y->term.n ? x->term.n : y->term.n;
	int d = memcmp(x->term.p, y->term.p, n);
	return d ? d : x->term.n < y->term.n ? -1 : x->term.n > y->term.n;
}

static bool is_status(const struct page *p, const char *status)
{
	return p->section && p->section->status && strcmp(p->section->status, status) == 0;
}

static unsigned weight_of(const struct page *p)
{
	if (str_ends(str_of(p->url), "/glossary/"))
		return WEIGHT_GLOSSARY;
	if (is_status(p, "wip"))
		return WEIGHT_UNFINISHED;
	for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
		if (strcmp(weights[i].kind, p->kind->name) == 0)
			return weights[i].weight;
	return 1;
}

/* Twice as often in a body is a step more. */
static unsigned worth_of(const struct posting *p)
{
	unsigned worth = p->count > 0;
	for (uint32_t n = p->count; n > 1 && worth < WORTH_BODY_MOST; n /= 2)
		worth += 2;
	worth += p->places & PLACE_DESCRIPTION ? WORTH_DESCRIPTION : 0;
	worth += p->places & PLACE_HEADING ? WORTH_HEADING : 0;
	return worth + (p->places & PLACE_TITLE ? WORTH_TITLE : 0);
}

/* Pages come in falling order; as differences they are written rising. */
static void put_postings(const struct index *x, const struct posting *last, struct json_out *w)
{
	size_t n = 0;
	uint32_t before = 0;
	for (const struct posting *p = last; p; p = p->next)
		n++;
	const struct posting **rising = ARENA_ARRAY(x->arena, const struct posting *, n);
	n = 0;
	for (const struct posting *p = last; p; p = p->next)
		rising[n++] = p;
	while (n-- > 0) {
		json_put_i64(w, NULL, rising[n]->page - before);
		json_put_i64(w, NULL, x->weight[rising[n]->page] * worth_of(rising[n]));
		before = rising[n]->page;
	}
}

static void put_terms(struct index *x, struct json_out *w)
{
	struct entry *all = ARENA_ARRAY(x->arena, struct entry, x->n + 1);
	size_t n = 0;
	for (size_t i = 0; i < x->cap; i++)
		if (x->entry[i].term.p)
			all[n++] = x->entry[i];
	if (n)
		qsort(all, n, sizeof *all, by_term);
	for (size_t i = 0; i < n; i++) {
		json_open(w, arena_strndup(x->arena, all[i].term.p, all[i].term.n), '[');
		put_postings(x, all[i].last, w);
		json_close(w, ']');
	}
}

/*
 * In the index's language; what there is in no version of it is found in another. A section that
 * is only planned has nothing to find.
 */
static bool is_found(const struct page *p, int language)
{
	return (p->kind->flags & PAGE_SEARCHED) && p->loaded && !is_status(p, "planned") &&
	       (p->language == language || !p->versions || !p->versions[language]);
}

/* The text between markup, in one line. A formula says nothing without its signs: "…". */
static void put_line(struct str markup, struct sb *to)
{
	static const char math[] = "<math", end[] = "</math>";
	struct sb text = {0};
	for (const char *at;
	     markup.n > 0 && (at = memmem(markup.p, markup.n, math, sizeof math - 1));) {
		const char *close =
		        memmem(at, (size_t)(markup.p + markup.n - at), end, sizeof end - 1);
		html_strip(&text, str_sub(markup, 0, (size_t)(at - markup.p)));
		sb_cstr(&text, "…");
		markup = close ? str_sub(markup, (size_t)(close - markup.p), markup.n) : STR("");
	}
	html_strip(&text, markup);
	for (size_t i = 0; i < text.n; i++)
		sb_char(to, text.p[i] == '\n' ? ' ' : text.p[i]);
	sb_free(&text);
}

/* What the next paragraph, p or p#para-7, begins with; NULL: there is none. */
static const char *next_paragraph(struct str body)
{
	static const char tag[] = "<p";
	for (size_t from = 0; from < body.n;) {
		const char *at = memmem(body.p + from, body.n - from, tag, sizeof tag - 1);
		struct str rest = {at, at ? (size_t)(body.p + body.n - at) : 0};
		if (!at || str_starts(rest, "<p>") || str_starts(rest, "<p id=\"para-"))
			return at;
		from = (size_t)(at - body.p) + 1;
	}
	return NULL;
}

static void put_paragraphs(struct arena *a, struct str body, struct json_out *w)
{
	static const char end[] = "</p>";
	struct sb text = {0};
	for (const char *at; (at = next_paragraph(body));) {
		body = str_sub(body, (size_t)(at - body.p), body.n);
		const char *close = memmem(body.p, body.n, end, sizeof end - 1);
		size_t n = close ? (size_t)(close - body.p) : body.n;
		sb_clear(&text);
		put_line(str_sub(body, 0, n), &text);
		json_put_str(w, NULL, arena_strndup(a, text.p ? text.p : "", text.n));
		body = str_sub(body, n, body.n);
	}
	sb_free(&text);
}

bool search_text_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	struct json_out w = json_to(to);
	(void)e;
	json_open(&w, NULL, '{');
	json_put_i64(&w, "version", 1);
	json_open(&w, "text", '[');
	for (size_t i = 0; i < s->npages; i++) {
		if (!is_found(s->pages[i], p->language))
			continue;
		json_open(&w, NULL, '[');
		if (s->pages[i]->kind->flags & PAGE_WRITTEN)
			put_paragraphs(&m->scratch, s->pages[i]->body, &w);
		json_close(&w, ']');
	}
	json_close(&w, ']');
	json_close(&w, '}');
	sb_char(to, '\n');
	return true;
}

bool search_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	struct index x = {.arena = &m->scratch, .cap = 1 << 12};
	struct json_out w = json_to(to);
	size_t pages = 0;
	(void)e;
	x.entry = ARENA_ARRAY(x.arena, struct entry, x.cap);
	for (size_t i = 0; i < s->npages; i++)
		pages += is_found(s->pages[i], p->language);
	x.weight = ARENA_ARRAY(x.arena, unsigned, pages + 1);
	json_open(&w, NULL, '{');
	json_put_i64(&w, "version", 1);
	json_open(&w, "pages", '[');
	for (size_t i = 0; i < s->npages; i++) {
		if (!is_found(s->pages[i], p->language))
			continue;
		put_page(m, s->pages[i], &w);
		x.weight[x.page] = weight_of(s->pages[i]);
		add_page(&x, s->pages[i], pages <= BODIES_MAX);
		x.page++;
	}
	json_close(&w, ']');
	json_open(&w, "terms", '{');
	put_terms(&x, &w);
	json_close(&w, '}');
	json_close(&w, '}');
	sb_char(to, '\n');
	return true;
}
