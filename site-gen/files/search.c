#include "site-gen/files/search.h"

#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/file.h"
#include "lib/json.h"
#include "site-gen/site/handbook.h"
#include "site-gen/base/html.h"
#include "site-gen/base/unicode.h"
#include "site-gen/base/html_scan.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/maker.h"
#include "site-gen/site/site.h"
#include "site-gen/site/source.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/lua/config.h"

enum {
	TERM_MIN = 2,
	TERM_MAX = 32,
	/* With more pages, their bodies would make the index too large for a phone. */
	BODIES_MAX = 400,
};

/* The places of a term on a page, as bits. */
enum place { PLACE_BODY = 0, PLACE_DESCRIPTION = 1, PLACE_HEADING = 2, PLACE_TITLE = 4 };
enum { WORTH_DESCRIPTION = 6, WORTH_HEADING = 8, WORTH_TITLE = 16, WORTH_BODY_MOST = 13 };

/*
 * Weight of a match by kind of page: explanations come before records. Searched kinds without a row
 * have the weight of the last row.
 */
static const struct {
	const char *kind;
	unsigned weight;
} weights[] = {{"post", 16}, {"section", 12}, {"family", 8}, {"glossary", 7},   {"page", 6},
               {"path", 4},  {"series", 4},   {"device", 4}, {"prediction", 2}, {"comparison", 1}};
enum { WEIGHT_UNFINISHED = 4 };

/* --- terms --- */

/* True for a letter of a script with spaces, a digit or '_'; a micro sign belongs to a unit. */
static bool is_word(uint32_t c)
{
	if (c < 0x80)
		return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		       c == '_';
	return c != 0xb5 && unicode_is_word(c);
}

static bool all_digits(const char *p, size_t n)
{
	while (n > 0 && p[n - 1] >= '0' && p[n - 1] <= '9')
		n--;
	return n == 0;
}

static void put_word(struct str word, struct sb *low, void (*term)(void *ctx, struct str term),
                     void *ctx)
{
	sb_clear(low);
	for (size_t i = 0, n; i < word.n; i += n)
		sb_utf8(low, unicode_lower(unicode_at(word, i, &n)));
	if (low->n >= TERM_MIN && low->n <= TERM_MAX && !all_digits(low->p, low->n))
		term(ctx, sb_view(low));
}

void search_terms(struct str text, void (*term)(void *ctx, struct str term), void *ctx)
{
	static const size_t NOWHERE = SIZE_MAX;
	size_t word = NOWHERE,
	       before = NOWHERE; /* start of the word, and of the previous CJK character */
	struct sb low = {0};
	for (size_t i = 0, n; i < text.n; i += n) {
		uint32_t c = unicode_at(text, i, &n);
		bool cjk = unicode_is_cjk(c), in_word = !cjk && is_word(c);
		if (!in_word && word != NOWHERE)
			put_word(str_sub(text, word, i), &low, term, ctx);
		word = !in_word ? NOWHERE : word != NOWHERE ? word : i;
		if (cjk && before != NOWHERE)
			term(ctx, str_sub(text, before, i + n));
		before = cjk ? i : NOWHERE;
	}
	if (word != NOWHERE)
		put_word(str_sub(text, word, text.n), &low, term, ctx);
	sb_free(&low);
}

/* --- the index: terms of all pages in an open table --- */

struct posting {
	uint32_t page, places, count; /* count: in the body */
	struct posting *next;         /* posting of the previous page */
};

struct entry {
	struct str term;
	struct posting *last;
};

struct index {
	struct arena *arena;
	struct entry *entry; /* open addressing */
	size_t n, cap;       /* a power of two */
	uint32_t page;       /* the page and the place that are being read */
	enum place place;
	unsigned *weight; /* of each page */
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
		e->term = str_keep(x->arena, term);
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

/* Is the page found by its title and description alone? A run's cases have pages of families. */
static bool is_brief(const struct page *p)
{
	return page_kind_is(p, "run");
}

static void add_page(struct index *x, const struct page *p, bool body)
{
	add_text(x, PLACE_TITLE, str_of(p->text.title));
	add_text(x, PLACE_DESCRIPTION, str_of(p->text.description));
	if (is_brief(p))
		return;
	for (size_t i = 0; i < p->front.ntags; i++)
		add_text(x, PLACE_DESCRIPTION, str_of(p->front.tags[i]));
	for (size_t i = 0; i < p->text.nheadings; i++)
		add_text(x, PLACE_HEADING, str_of(p->text.headings[i].text));
	if (!body)
		return;
	struct sb text = {0};
	html_scan_strip(&text, p->text.body);
	add_text(x, PLACE_BODY, sb_view(&text));
	sb_free(&text);
}

/* --- writing --- */

/* The kind that readers see; the glossary is a page to all others, as is the source. */
static const char *kind_of(const struct page *p)
{
	return str_ends(str_of(p->url), "/glossary/") ? "glossary"
	       : page_kind_is(p, "source")            ? "page"
	                                              : p->kind->name;
}

static void put_page(struct maker *m, const struct page *p, struct json_out *w)
{
	json_open(w, NULL, '[');
	json_put_str(w, NULL, arena_printf(&m->scratch, "%s%s", m->site->config->base, p->url));
	json_put_str(w, NULL, p->text.title);
	json_put_str(w, NULL, p->text.description);
	json_put_str(w, NULL, kind_of(p));
	json_open(w, NULL, '[');
	for (size_t i = 0; !is_brief(p) && i < p->text.nheadings; i++) {
		json_open(w, NULL, '[');
		json_put_str(w, NULL, p->text.headings[i].id);
		json_put_str(w, NULL, p->text.headings[i].text);
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
	if (is_status(p, "wip"))
		return WEIGHT_UNFINISHED;
	for (size_t i = 0; i < ARRAY_LEN(weights); i++)
		if (strcmp(weights[i].kind, kind_of(p)) == 0)
			return weights[i].weight;
	return 1;
}

/* The worth of a match; each doubling of the count in the body adds one step. */
static unsigned worth_of(const struct posting *p)
{
	unsigned worth = p->count > 0;
	for (uint32_t n = p->count; n > 1 && worth < WORTH_BODY_MOST; n /= 2)
		worth += 2;
	worth += p->places & PLACE_DESCRIPTION ? WORTH_DESCRIPTION : 0;
	worth += p->places & PLACE_HEADING ? WORTH_HEADING : 0;
	return worth + (p->places & PLACE_TITLE ? WORTH_TITLE : 0);
}

/* Writes the pages, which are in descending order, as differences in ascending order. */
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
		json_open(w, str_dup(x->arena, all[i].term), '[');
		put_postings(x, all[i].last, w);
		json_close(w, ']');
	}
}

/*
 * True for pages in the index's language, and for pages that do not exist in it. Sections that are
 * only planned are not found.
 */
static bool is_found(const struct page *p, int language)
{
	return (p->kind->flags & PAGE_SEARCHED) && p->loaded && !handbook_planned(p) &&
	       (p->language == language || !p->versions || !p->versions[language]);
}

/*
 * Appends a paragraph's text as one line. A formula, unreadable without markup, becomes "…". Marks
 * of states and of footnotes are left out; powers stay.
 */
static void put_line(struct str markup, struct sb *to)
{
	struct html_scan h = html_scan(markup);
	struct str skipped;
	size_t from = to->n;
	for (enum html_token t; (t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN;) {
		if (t == HTML_TEXT) {
			html_scan_plain(to, h.token);
		} else if (t == HTML_START && str_is(h.name, "math")) {
			html_scan_inside(&h, &skipped);
			sb_cstr(to, "…");
		} else if (t == HTML_START && str_is(h.name, "sup") &&
		           (html_scan_value(&h, "class").p || html_scan_value(&h, "id").p)) {
			html_scan_inside(&h, &skipped);
		}
	}
	for (size_t i = from; i < to->n; i++)
		if (to->p[i] == '\n')
			to->p[i] = ' ';
}

/* The number of the heading with this id; -1 if no heading has it. */
static int64_t heading_of(const struct page *p, struct str id)
{
	for (size_t i = 0; i < p->text.nheadings; i++)
		if (str_is(id, p->text.headings[i].id))
			return (int64_t)i;
	return -1;
}

/* Is it an author's block, or the idea of a variant? Generated blocks have other attributes. */
static bool is_prose(struct html_scan *h)
{
	struct str name, value;
	return html_scan_class(h, "idea") || !html_scan_attribute(h, &name, &value) ||
	       (str_is(name, "id") && str_starts(value, "para-"));
}

/* Writes each paragraph and list item of the body, and before a section's the heading's number. */
static void put_paragraphs(struct arena *a, const struct page *p, struct json_out *w)
{
	struct html_scan h = html_scan(p->text.body);
	struct sb text = {0};
	for (enum html_token t; (t = html_scan_next(&h)) != HTML_NONE && t != HTML_BROKEN;) {
		struct str inside;
		bool list = str_is(h.name, "ul") || str_is(h.name, "ol");
		if (t != HTML_START)
			continue;
		if (h.name.n == 2 && h.name.p[0] == 'h') {
			int64_t heading = heading_of(p, html_scan_value(&h, "id"));
			if (heading >= 0)
				json_put_i64(w, NULL, heading);
		} else if (list && !is_prose(&h)) {
			html_scan_inside(&h, &inside);
		} else if ((str_is(h.name, "li") || str_is(h.name, "p")) && is_prose(&h)) {
			html_scan_inside(&h, &inside);
			sb_clear(&text);
			put_line(inside, &text);
			json_put_str(w, NULL, str_dup(a, sb_view(&text)));
		}
	}
	sb_free(&text);
}

/* --- the text, of which most was published before --- */

/* A page that stands in for a missing version has its piece in the file of its own language. */
static bool is_elsewhere(const struct page *p, const struct page *text)
{
	return p->kept.unread && p->language != text->language && is_found(p, text->language);
}

bool search_has_pieces(const struct site *s, const struct page *text)
{
	const struct page_output *o = &text->output;
	if (!s->reuse.pieces_of || !*o->file.sha256 || !o->proved ||
	    !strstr(s->reuse.pieces_of, o->file.sha256))
		return false;
	for (size_t i = 0; i < s->pages.n; i++)
		if (is_elsewhere(s->pages.all[i], text))
			return false;
	return true;
}

/* The bytes of the published file; empty if they are of no use. */
static struct str published(struct maker *m, const struct page *text)
{
	enum { MOST = 1 << 30 };
	struct str bytes = {NULL, 0};
	struct err ignored = ERR_NONE;
	const char *path = arena_printf(&m->scratch, "%s/%s", m->site->options.out, text->out);
	if (search_has_pieces(m->site, text) &&
	    !file_read(path, MOST, &m->scratch, &bytes, &ignored))
		bytes.n = 0;
	return bytes;
}

/* The page's piece of the published file; empty if that has none. */
static struct str piece_of(const struct page *p, const struct page *text, struct str before)
{
	const struct page_piece *at = &p->kept.piece;
	bool has = p->kept.unread && p->language == text->language && at->n >= 2 &&
	           at->at < before.n && at->n <= before.n - at->at;
	struct str piece = has ? str_sub(before, at->at, at->at + at->n) : (struct str){NULL, 0};
	return str_starts(piece, "[") && str_ends(piece, "]") ? piece : (struct str){NULL, 0};
}

static bool has_text(const struct page *p)
{
	return (p->kind->flags & PAGE_WRITTEN) || page_kind_is(p, "family");
}

/* Writes a page's list, and keeps where it is in the file of the page's own language. */
static bool put_piece(struct maker *m, struct page *p, const struct page *text, struct str before,
                      struct json_out *w, struct err *e)
{
	struct str piece = piece_of(p, text, before);
	size_t at = w->to->n + w->comma;
	if (piece.n) {
		sb_cstr(w->to, w->comma ? "," : "");
		sb_str(w->to, piece);
		w->comma = true;
	} else {
		if (!source_complete(m, p, e))
			return false;
		json_open(w, NULL, '[');
		if (has_text(p))
			put_paragraphs(&m->scratch, p, w);
		json_close(w, ']');
	}
	if (p->language == text->language)
		p->kept.piece = (struct page_piece){at, w->to->n - at};
	return true;
}

bool search_text_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	struct json_out w = json_to(to);
	struct str before = published(m, p);
	sb_room(to, before.n);
	json_open(&w, NULL, '{');
	json_put_i64(&w, "version", 1);
	json_open(&w, "text", '[');
	for (size_t i = 0; i < s->pages.n; i++)
		if (is_found(s->pages.all[i], p->language) &&
		    !put_piece(m, s->pages.all[i], p, before, &w, e))
			return false;
	json_close(&w, ']');
	json_close(&w, '}');
	sb_char(to, '\n');
	return true;
}

/* --- the index --- */

static size_t pages_in(const struct site *s, int language)
{
	size_t n = 0;
	for (size_t i = 0; i < s->pages.n; i++)
		n += is_found(s->pages.all[i], language);
	return n;
}

bool search_reads_bodies(const struct site *s, int language)
{
	return pages_in(s, language) <= BODIES_MAX;
}

bool search_bytes(struct maker *m, const struct page *p, struct sb *to, struct err *e)
{
	const struct site *s = m->site;
	struct index x = {.arena = &m->scratch, .cap = 1 << 12};
	struct json_out w = json_to(to);
	size_t pages = pages_in(s, p->language);
	bool bodies = pages <= BODIES_MAX;
	x.entry = ARENA_ARRAY(x.arena, struct entry, x.cap);
	x.weight = ARENA_ARRAY(x.arena, unsigned, pages + 1);
	json_open(&w, NULL, '{');
	json_put_i64(&w, "version", 1);
	json_open(&w, "pages", '[');
	for (size_t i = 0; i < s->pages.n; i++) {
		if (!is_found(s->pages.all[i], p->language))
			continue;
		if (bodies && !source_complete(m, s->pages.all[i], e))
			return false;
		put_page(m, s->pages.all[i], &w);
		x.weight[x.page] = weight_of(s->pages.all[i]);
		add_page(&x, s->pages.all[i], bodies);
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
