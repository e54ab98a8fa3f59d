/* Reads the blocks, headings and placeholders of a text without printing it. */
#include <stdlib.h>
#include <string.h>

#include "site-gen/markdown/inner.h"

/* --- blocks ---------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Makes prose comparable, however its lines are filled. Not for code, where line ends count. */
static struct str one_spaced(struct str s, struct arena *a)
{
	char *to = arena_alloc(a, s.n + 1);
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		if (!is_blank(s.p[i]))
			to[n++] = s.p[i];
		else if (n && to[n - 1] != ' ')
			to[n++] = ' ';
	return str_trim((struct str){to, n});
}

struct extent {
	int line; /* line of the marked source, from 0 */
	size_t block;
};

static int by_line(const void *a, const void *b)
{
	return ((const struct extent *)a)->line - ((const struct extent *)b)->line;
}

/* A block extends to the start of the next in the source; footnotes are printed last anyway. */
static void fill_texts(struct md_source *s, struct extent *span, struct md_outline *out)
{
	size_t n = out->nblocks;
	if (n)
		qsort(span, n, sizeof *span, by_line);
	for (size_t i = 0; i < n; i++) {
		struct md_outline_block *b = &out->blocks[span[i].block];
		size_t from = (size_t)span[i].line;
		size_t to = i + 1 < n ? (size_t)span[i + 1].line : s->nlines;
		struct str text = {s->line[from], (size_t)(s->line[to] - s->line[from])};
		text = md_restore(s, text);
		b->text = strcmp(b->kind, "code block") == 0 ? str_trim(text)
		                                             : one_spaced(text, s->arena);
	}
}

/* "code block" */
static const char *kind_name(cmark_node *n, struct arena *a)
{
	if (cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION)
		return "footnote"; /* cmark-gfm has no name for it */
	char *name = arena_strdup(a, cmark_node_get_type_string(n));
	for (char *c = name; *c; c++)
		*c = *c == '_' ? ' ' : *c;
	return name;
}

static void outline_blocks(struct md_source *s, cmark_node *root, struct md_outline *out)
{
	size_t n = 0, heading = 0;
	int note = 0;
	for (cmark_node *c = cmark_node_first_child(root); c; c = cmark_node_next(c))
		n++;
	struct extent *span = ARENA_ARRAY(s->arena, struct extent, n);
	out->blocks = ARENA_ARRAY(s->arena, struct md_outline_block, n);
	for (cmark_node *c = cmark_node_first_child(root); c; c = cmark_node_next(c)) {
		cmark_node_type type = cmark_node_get_type(c);
		struct md_outline_block *b = &out->blocks[out->nblocks];
		int line = md_node_loc(s, c).line;
		*b = (struct md_outline_block){.kind = kind_name(c, s->arena),
		                               .level = cmark_node_get_heading_level(c),
		                               .line = line};
		span[out->nblocks] = (struct extent){md_node_line(s, c), out->nblocks};
		out->nblocks++;
		/* headings inside other blocks precede the next top-level one */
		while (type == CMARK_NODE_HEADING && out->headings[heading].at.line < line)
			heading++;
		b->anchor = type == CMARK_NODE_HEADING ? out->headings[heading].id
		            : type == CMARK_NODE_FOOTNOTE_DEFINITION
		                    ? arena_printf(s->arena, "fn-%d", ++note)
		                    : arena_printf(s->arena, "para-%zu", out->nblocks);
	}
	fill_texts(s, span, out);
}

/* --- placeholders ---------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	const struct placeholder_key *x = a, *y = b;
	return str_cmp(x->name, y->name);
}

/* Is the value of a key text for readers, which a translation says in its own words? */
static bool is_said(struct str kind, struct str key)
{
	return str_is(key, "lang") || str_is(key, "focus") || str_is(key, "format") ||
	       str_is(key, "title") || str_is(key, "names") ||
	       (str_is(kind, "diagram") &&
	        (str_is(key, "pipes") || str_is(key, "legend") || str_is(key, "scale")));
}

/* A normal form of a placeholder: independent of the order of its keys and of its place. */
static const char *same_of(struct placeholder *p, struct arena *a)
{
	struct sb b = {0};
	sb_str(&b, p->kind);
	for (size_t i = 0; i < p->nwords; i++)
		sb_printf(&b, " \"" STR_FMT "\"", STR_ARG(p->word[i]));
	if (p->nkeys)
		qsort(p->key, p->nkeys, sizeof *p->key, by_name);
	for (size_t i = 0; i < p->nkeys; i++)
		if (!is_said(p->kind, p->key[i].name))
			sb_printf(&b, " " STR_FMT "=\"" STR_FMT "\"", STR_ARG(p->key[i].name),
			          STR_ARG(p->key[i].value));
	return sb_take(a, &b);
}

/* Adds a placeholder. Ends of spans are no numbers, and waivers may differ between languages. */
static bool add_number(struct md_outline *out, struct str text, struct loc at, struct arena *a,
                       struct err *e)
{
	struct placeholder p;
	if (str_starts(text, "<</"))
		return true;
	if (!placeholder_parse(text, at, &p, e))
		return false;
	if (str_is(p.kind, "waive"))
		return true;
	size_t n = out->nnumbers;
	if ((n & (n - 1)) == 0) { /* full at each power of two */
		struct md_outline_number *more =
		        ARENA_ARRAY(a, struct md_outline_number, n ? 2 * n : 1);
		if (n)
			memcpy(more, out->numbers, n * sizeof *more);
		out->numbers = more;
	}
	struct str title = placeholder_key(&p, "title"); /* it may hold placeholders */
	struct loc title_at = placeholder_loc(&p, title);
	out->numbers[out->nnumbers++] = (struct md_outline_number){text, at, same_of(&p, a)};
	return !title.n || markdown_outline_text(title, title_at, a, out, e);
}

bool markdown_outline_text(struct str text, struct loc at, struct arena *a, struct md_outline *out,
                           struct err *e)
{
	size_t from = 0, start, end;
	for (; placeholder_next(text, from, &start, &end) && end > start; from = end) {
		struct loc here = str_loc(text, at.path, text.p + start);
		here.col += here.line == 1 ? at.col - 1 : 0;
		here.line += at.line - 1;
		if (!add_number(out, str_sub(text, start, end), here, a, e))
			return false;
	}
	return true;
}

static bool add_marks(struct md_render *r, struct str text, struct md_outline *out)
{
	size_t start, end = 0;
	const struct md_mark *m;
	while ((m = md_mark_next(&r->source, text, end, &start, &end)))
		if (m->kind == MD_PLACEHOLDER && !add_number(out, m->text, m->at, r->arena, r->e))
			return false;
	return true;
}

static bool outline_number(struct md_render *r, cmark_node *n, struct md_outline *out)
{
	switch (cmark_node_get_type(n)) {
	case CMARK_NODE_TEXT:
		return add_marks(r, md_literal(n), out);
	case CMARK_NODE_LINK:
	case CMARK_NODE_IMAGE:
		return add_marks(r, str_of(cmark_node_get_title(n)), out);
	case CMARK_NODE_CODE_BLOCK: /* its caption */
		return add_marks(r, str_of(cmark_node_get_fence_info(n)), out);
	default:
		return true;
	}
}

/* --- headings -------------------------------------------------------------- */

static bool outline_heading(struct md_render *r, cmark_node *n, struct md_outline *out)
{
	enum { MAX_HEADINGS = 500 };
	struct md_outline_heading h = {.level = cmark_node_get_heading_level(n),
	                               .at = md_node_loc(&r->source, n)};
	if (!out->headings)
		out->headings = ARENA_ARRAY(r->arena, struct md_outline_heading, MAX_HEADINGS);
	if (out->nheadings == MAX_HEADINGS)
		return err_at(r->e, h.at, "more than %d headings", MAX_HEADINGS);
	if (!md_heading_id(r, n, &h.id, &h.given))
		return false;
	out->headings[out->nheadings++] = h;
	return true;
}

static bool outline(struct md_render *r, struct md_outline *out)
{
	cmark_node *root = md_parse(r);
	if (!root)
		return false;
	md_node_loc(&r->source, root); /* indexes the lines */
	cmark_iter *it = cmark_iter_new(root);
	for (cmark_event_type ev; (ev = cmark_iter_next(it)) != CMARK_EVENT_DONE;) {
		cmark_node *n = cmark_iter_get_node(it);
		if (ev != CMARK_EVENT_ENTER)
			continue;
		if (cmark_node_get_type(n) == CMARK_NODE_HEADING && !outline_heading(r, n, out))
			return false;
		if (!outline_number(r, n, out))
			return false;
	}
	outline_blocks(&r->source, root, out);
	return true;
}

bool markdown_outline(struct str src, const char *path, int first_line, struct arena *a,
                      struct md_outline *out, struct err *e)
{
	struct md_doc doc = {0};
	*out = (struct md_outline){0};
	if (!md_check_source(src, path, first_line, e))
		return false;
	struct md_render r = {.arena = a, .e = e, .out = &doc};
	r.source =
	        (struct md_source){.src = src, .path = path, .first_line = first_line, .arena = a};
	bool ok = outline(&r, out);
	sb_free(&r.scratch);
	md_mem_reset();
	return ok;
}
