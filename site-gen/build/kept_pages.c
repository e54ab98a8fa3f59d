#include "site-gen/build/kept_pages.h"

#include <string.h>

#include "lib/hash.h"
#include "site-gen/base/kept.h"
#include "site-gen/build/jobs.h"
#include "site-gen/build/noted.h"
#include "site-gen/build/reuse.h"
#include "site-gen/files/search.h"
#include "site-gen/markdown/markdown.h"
#include "site-gen/records/context.h"
#include "site-gen/site/page_kind.h"
#include "site-gen/site/shared_figure.h"
#include "site-gen/site/site.h"
#include "site-gen/site/source.h"

enum { MAX_BYTES = 1 << 30, BODIES_MOST = 400 };

/* --- the tables, in the order of the structs --- */

static const struct pack_member loc_members[] = {
        PACK(struct loc, path, PACK_LATER),
        PACK(struct loc, line, PACK_INT),
        PACK(struct loc, col, PACK_INT),
};
static const struct pack_type loc = PACK_TYPE("loc", struct loc, loc_members);

#define H struct md_heading
static const struct pack_member heading_members[] = {
        PACK(H, level, PACK_INT), PACK(H, id, PACK_TEXT), PACK(H, text, PACK_TEXT)};
static const struct pack_type heading = PACK_TYPE("md_heading", H, heading_members);

#define L struct md_link
static const struct pack_member link_members[] = {PACK(L, url, PACK_TEXT),
                                                  PACK_OF(L, at, PACK_INSIDE, loc)};
static const struct pack_type link = PACK_TYPE("md_link", L, link_members);

#define I struct image
static const struct pack_member image_members[] = {
        PACK(I, format, PACK_INT), PACK(I, width, PACK_INT), PACK(I, height, PACK_INT),
        PACK(I, moves, PACK_BOOL)};
static const struct pack_type image = PACK_TYPE("image", I, image_members);

#define P struct md_picture
static const struct pack_member picture_members[] = {
        PACK(P, url, PACK_TEXT), PACK(P, file, PACK_TEXT), PACK_OF(P, image, PACK_INSIDE, image)};
static const struct pack_type picture = PACK_TYPE("md_picture", P, picture_members);

#define N struct md_lines
static const struct pack_member lines_members[] = {PACK(N, from, PACK_INT), PACK(N, to, PACK_INT)};
static const struct pack_type lines = PACK_TYPE("md_lines", N, lines_members);

#define F struct expand_figure
static const struct pack_member figure_members[] = {
        PACK(F, number, PACK_INT),         PACK(F, name, PACK_MAYBE),  PACK(F, finding, PACK_MAYBE),
        PACK(F, finding_html, PACK_MAYBE), PACK(F, says, PACK_LATER),  PACK(F, drawn, PACK_BOOL),
        PACK(F, page, PACK_LATER),         PACK(F, about, PACK_LATER), PACK(F, next, PACK_LATER)};
static const struct pack_type figure = PACK_TYPE("expand_figure", F, figure_members);

#define T struct page_text
static const struct pack_member text_members[] = {
        PACK(T, title, PACK_TEXT),
        PACK(T, description, PACK_TEXT),
        PACK(T, lang, PACK_TEXT),
        PACK(T, title_html, PACK_LATER),
        PACK(T, description_html, PACK_LATER),
        PACK(T, body, PACK_LATER),
        PACK(T, nheadings, PACK_INT),
        PACK_LIST_OF(T, headings, nheadings, PACK_LIST, heading),
};
static const struct pack_type text = PACK_TYPE("page_text", T, text_members);

#define R struct page_front
static const struct pack_member front_members[] = {
        PACK(R, draft, PACK_BOOL),
        PACK(R, featured, PACK_BOOL),
        PACK(R, scheduled, PACK_MAYBE),
        PACK(R, date, PACK_MAYBE),
        PACK(R, updated, PACK_MAYBE),
        PACK(R, category, PACK_MAYBE),
        PACK(R, difficulty, PACK_MAYBE),
        PACK(R, series, PACK_MAYBE),
        PACK(R, author, PACK_MAYBE),
        PACK(R, part, PACK_INT),
        PACK(R, order, PACK_INT),
        PACK(R, ntags, PACK_INT),
        PACK_LIST_OF(R, tags, ntags, PACK_LIST, pack_text),
        PACK(R, key, PACK_MAYBE),
        PACK(R, key_html, PACK_LATER),
        PACK(R, key_line, PACK_INT),
        PACK_OF(R, take, PACK_INSIDE, pack_maybe),
        PACK(R, take_html, PACK_LATER),
        PACK(R, naliases, PACK_INT),
        PACK_LIST_OF(R, aliases, naliases, PACK_LIST, pack_text),
        PACK(R, device, PACK_MAYBE),
        PACK(R, ndevices, PACK_INT),
        PACK_LIST_OF(R, devices, ndevices, PACK_LIST, pack_text),
};
static const struct pack_type front = PACK_TYPE("page_front", R, front_members);

#define S struct page_source
static const struct pack_member source_members[] = {
        PACK(S, has_problems, PACK_BOOL), PACK(S, minutes, PACK_INT),
        PACK(S, translation, PACK_LATER), PACK(S, waivers, PACK_LATER),
        PACK(S, nlinks, PACK_INT),        PACK_LIST_OF(S, links, nlinks, PACK_LIST, link),
        PACK(S, npictures, PACK_INT),     PACK_LIST_OF(S, pictures, npictures, PACK_LIST, picture),
        PACK(S, nhidden, PACK_INT),       PACK_LIST_OF(S, hidden, nhidden, PACK_LIST, lines),
        PACK(S, typed, PACK_LATER),       PACK(S, ntyped, PACK_INT),
        PACK(S, typed_cap, PACK_LATER),
};
static const struct pack_type source = PACK_TYPE("page_source", S, source_members);

#define U struct page_numbers
static const struct pack_member numbers_members[] = {
        PACK(U, quotes, PACK_LATER), PACK(U, facts, PACK_LATER),    PACK(U, goals, PACK_LATER),
        PACK(U, uses, PACK_LATER),   PACK(U, families, PACK_LATER), PACK(U, nfamilies, PACK_INT),
        PACK(U, state, PACK_INT),    PACK(U, blocks, PACK_INT),     PACK(U, figures, PACK_LATER)};
static const struct pack_type numbers = PACK_TYPE("page_numbers", U, numbers_members);

#define K struct kept_page
static const struct pack_member kept_members[] = {
        PACK(K, url, PACK_TEXT),
        PACK(K, out, PACK_TEXT),
        PACK_OF(K, text, PACK_INSIDE, text),
        PACK_OF(K, front, PACK_INSIDE, front),
        PACK_OF(K, source, PACK_INSIDE, source),
        PACK_OF(K, numbers, PACK_INSIDE, numbers),
        PACK(K, nfigures, PACK_INT),
        PACK_LIST_OF(K, figures, nfigures, PACK_LIST, figure),
        PACK_OF(K, markup, PACK_INSIDE, pack_maybe),
        PACK(K, body, PACK_MAYBE),
};
static const struct pack_type kept = PACK_TYPE("kept_page", K, kept_members);

const struct pack_type *const kept_pages_types[] = {&loc,     &heading, &link, &image, &picture,
                                                    &lines,   &figure,  &text, &front, &source,
                                                    &numbers, &kept,    NULL};

/* --- the file --- */

/*
 * One after the other: this head, what names the sources, and the packed page. The pieces are those
 * of the texts whose hashes stand before all pages, one for each language.
 */
struct head {
	uint32_t nsources, npage;
	struct page_piece piece;
};

/* A kept page in the file. */
struct entry {
	struct head head;
	struct str sources, page;
};

static bool next_entry(struct str *rest, struct entry *out)
{
	if (rest->n < sizeof out->head)
		return false;
	memcpy(&out->head, rest->p, sizeof out->head);
	*rest = str_sub(*rest, sizeof out->head, rest->n);
	if ((uint64_t)out->head.nsources + out->head.npage > rest->n)
		return false;
	out->sources = str_sub(*rest, 0, out->head.nsources);
	*rest = str_sub(*rest, out->head.nsources, rest->n);
	out->page = str_sub(*rest, 0, out->head.npage);
	*rest = str_sub(*rest, out->head.npage, rest->n);
	return true;
}

static struct kept_by kept_by(const struct site *s, struct arena *a)
{
	return (struct kept_by){.folder = s->options.cache, .program = kept_program(a)};
}

/* Each output folder has its own, with the pieces of its texts. */
static const char *name_of(const struct site *s, struct arena *a)
{
	char hex[HASH_SHA256_HEX + 1];
	hash_sha256(str_of(s->options.out), hex);
	return arena_printf(a, "pages-%.12s", hex);
}

static bool may_keep(const struct site *s)
{
	return s->reuse.digest && s->options.write && !s->options.sources;
}

static bool is_kind(const struct page *p)
{
	return p->path && p->kind->load == source_load && !shared_figure(p);
}

static void put_sources(struct sb *to, const struct site *s, const struct page *p)
{
	sb_put(to, p->path, strlen(p->path) + 1);
	reuse_put_sources(to, s, p);
}

/* --- taking --- */

static struct str view(const char *s)
{
	return (struct str){s, s ? strlen(s) : 0};
}

static void set_page(struct page *p, const struct kept_page *k)
{
	p->url = k->url;
	p->out = k->out;
	p->text = k->text;
	p->front = k->front;
	p->source = k->source;
	p->numbers = k->numbers;
	p->text.title_html = view(k->markup[KEPT_TITLE]);
	p->text.description_html = view(k->markup[KEPT_DESCRIPTION]);
	p->text.body = view(k->body);
	p->kept.unread = !k->body;
	p->front.key_html = view(k->markup[KEPT_KEY]);
	for (size_t i = 0; i < FRONT_TAKES; i++)
		p->front.take_html[i] = view(k->markup[KEPT_TAKES + i]);
	for (size_t i = 0; i < p->source.nlinks; i++)
		p->source.links[i].at.path = p->path;
	for (size_t i = 0; i < k->nfigures; i++)
		k->figures[i].next = i + 1 < k->nfigures ? &k->figures[i + 1] : NULL;
	p->numbers.figures = k->nfigures ? k->figures : NULL;
	p->loaded = true;
}

static void take(const struct site *s, struct page *p, const struct entry *e)
{
	struct kept_page k = {0};
	if (!pack_take(&kept, e->page, s->shared, &k))
		return;
	p->kept.piece = e->head.piece;
	p->kept.bytes = e->page;
	set_page(p, &k);
}

/* Is it the page of these sources? */
static bool is_of(const struct site *s, const struct page *p, const struct entry *e, struct sb *now)
{
	sb_clear(now);
	put_sources(now, s, p);
	return str_eq(sb_view(now), e->sources);
}

/* The page of a source. Pages mostly keep their order, so the search starts at *next. */
static struct page *page_of(const struct site *s, const char *path, size_t *next)
{
	for (size_t i = 0; i < s->pages.n; i++) {
		struct page *p = s->pages.all[(*next + i) % s->pages.n];
		if (!is_kind(p) || strcmp(p->path, path) != 0)
			continue;
		*next = (*next + i + 1) % s->pages.n;
		return p;
	}
	return NULL;
}

static void take_all(struct site *s, struct str rest)
{
	struct entry e;
	struct sb now = {0};
	size_t next = 0;
	while (next_entry(&rest, &e)) {
		struct page *p =
		        memchr(e.sources.p, 0, e.sources.n) ? page_of(s, e.sources.p, &next) : NULL;
		if (p && !p->loaded && is_of(s, p, &e, &now))
			take(s, p, &e);
	}
	sb_free(&now);
}

void kept_pages_take(struct site *s)
{
	struct str all, hashes;
	const struct kept_by by = kept_by(s, s->arena);
	char around[HASH_SHA256_HEX + 1];
	if (!may_keep(s) || s->options.whole)
		return;
	reuse_surroundings(s, around);
	if (!kept_take(&by, name_of(s, s->arena), around, MAX_BYTES, s->arena, &all) ||
	    !str_cut(all, '\n', &hashes, &all))
		return;
	s->reuse.pieces_of = str_dup(s->arena, hashes);
	take_all(s, all);
}

/* --- completing --- */

static bool any_unread(const struct site *s)
{
	size_t i = 0;
	while (i < s->pages.n && !s->pages.all[i]->kept.unread)
		i++;
	return i < s->pages.n;
}

static void prove(const struct site *s, struct page *p)
{
	struct arena a = {0};
	struct str bytes;
	p->output.proved = noted_bytes(s, p, &a, &bytes);
	p->output.reused = p->output.reused && p->output.proved;
	arena_free(&a);
}

/* Can it be made of pieces, or stay? */
static bool has_bodies(const struct site *s, struct page *p)
{
	if (page_kind_is(p, "search text")) {
		if (!p->output.proved)
			prove(s, p);
		return p->output.reused || search_has_pieces(s, p);
	}
	return !page_kind_is(p, "search index") || p->output.reused ||
	       !search_reads_bodies(s, p->language);
}

bool kept_pages_complete(struct site *s, struct err *e)
{
	bool all = true;
	if (!any_unread(s))
		return true;
	for (size_t i = 0; i < s->pages.n; i++)
		all = has_bodies(s, s->pages.all[i]) && all;
	return all || jobs_complete(s, e);
}

/* --- leaving --- */

static bool has_drawn(const struct page *p)
{
	const struct expand_figure *f = p->numbers.figures;
	while (f && !f->drawn)
		f = f->next;
	return f != NULL;
}

/* Does the page point to nothing but its own texts? */
static bool is_plain(const struct page *p)
{
	const struct page_numbers *n = &p->numbers;
	return is_kind(p) && p->loaded && !p->source.has_problems && !p->section &&
	       !p->source.translation && !p->source.waivers && !p->source.ntyped && !p->made.n &&
	       !n->quotes && !n->facts && !n->goals && !n->uses && !has_drawn(p);
}

static void get_page(const struct page *p, bool body, struct arena *a, struct kept_page *k)
{
	size_t n = 0;
	*k = (struct kept_page){.url = p->url,
	                        .out = p->out,
	                        .text = p->text,
	                        .front = p->front,
	                        .source = p->source,
	                        .numbers = p->numbers};
	k->markup[KEPT_TITLE] = p->text.title_html.p;
	k->markup[KEPT_DESCRIPTION] = p->text.description_html.p;
	k->markup[KEPT_KEY] = p->front.key_html.p;
	for (size_t i = 0; i < FRONT_TAKES; i++)
		k->markup[KEPT_TAKES + i] = p->front.take_html[i].p;
	for (const struct expand_figure *f = p->numbers.figures; f; f = f->next)
		k->nfigures++;
	k->figures = ARENA_ARRAY(a, struct expand_figure, k->nfigures);
	for (const struct expand_figure *f = p->numbers.figures; f; f = f->next)
		k->figures[n++] = *f;
	k->body = body ? p->text.body.p : NULL;
}

static void put_page(const struct site *s, const struct page *p, bool body, struct sb *to)
{
	struct arena a = {0};
	struct kept_page k;
	struct sb sources = {0}, page = {0};
	put_sources(&sources, s, p);
	if (!p->kept.bytes.n) {
		get_page(p, body, &a, &k);
		pack_put(&kept, &k, &page);
	}
	struct str bytes = p->kept.bytes.n ? p->kept.bytes : sb_view(&page);
	const struct head head = {.nsources = (uint32_t)sources.n,
	                          .npage = (uint32_t)bytes.n,
	                          .piece = p->kept.piece};
	sb_put(to, &head, sizeof head);
	sb_str(to, sb_view(&sources));
	sb_str(to, bytes);
	sb_free(&sources);
	sb_free(&page);
	arena_free(&a);
}

/* The hashes of the texts that have the pieces, in the order of languages. */
static void put_hashes(const struct site *s, struct sb *to)
{
	for (size_t l = 0; l < s->config->nlanguages; l++)
		for (size_t i = 0; i < s->pages.n; i++)
			if (page_kind_is(s->pages.all[i], "search text") &&
			    (size_t)s->pages.all[i]->language == l)
				sb_printf(to, "%s ", s->pages.all[i]->output.file.sha256);
	sb_char(to, '\n');
}

void kept_pages_leave(const struct site *s)
{
	struct arena a = {0};
	struct sb all = {0};
	bool body = s->pages.n <= BODIES_MOST;
	if (!may_keep(s))
		return;
	const struct kept_by by = kept_by(s, &a);
	put_hashes(s, &all);
	for (size_t i = 0; i < s->pages.n; i++)
		if (is_plain(s->pages.all[i]))
			put_page(s, s->pages.all[i], body && !s->pages.all[i]->kept.unread, &all);
	kept_leave(&by, name_of(s, &a), s->reuse.around, sb_view(&all));
	sb_free(&all);
	arena_free(&a);
}
