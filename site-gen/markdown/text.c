/*
 * Collects the text of a block for the lint, and its spans. Both need the whole
 * block, so this happens before it is printed.
 */
#include "site-gen/numbers/claim.h"
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/lint/lint.h"
#include "site-gen/markdown/traced.h"

enum { MAX_DEPTH = 4, MAX_FOUND = 64 };

/* Position of a text node's words in the plain text. */
struct md_piece {
	size_t at;
	cmark_node *n;
	const struct md_mark *formula; /* or of a formula, whose text differs from its source */
};

/* State of reading one text: a block, an alternative text or a caption. */
struct reading {
	struct md_render *r;
	cmark_node *block; /* gives the place if no nearer node is known */
	struct sb *plain;
	struct md_piece *piece;
	size_t npieces, cap;
	struct md_mark *open[MAX_DEPTH];
	size_t depth;
	struct md_mark *first, *last; /* spans, linked by md_mark.next_span */
	struct md_mark *numbers;      /* placeholders in the text, newest first, linked likewise */
	bool images;
	const char *searched; /* the search for a place starts after the last one */
};

/* --- reading --------------------------------------------------------------- */

static void add_piece(struct reading *t, cmark_node *n, const struct md_mark *formula)
{
	t->piece = arena_grow(t->r->arena, t->piece, t->npieces, &t->cap, sizeof *t->piece);
	t->piece[t->npieces++] = (struct md_piece){t->plain->n, n, formula};
}

static struct str closing_name(const struct md_mark *m)
{
	return str_trim(str_sub(m->text, strlen("<</bench:"), m->text.n - 2));
}

static bool close_span(struct reading *t, struct md_mark *m, cmark_node *n)
{
	struct md_mark *open = t->depth ? t->open[t->depth - 1] : NULL;
	if (!open)
		return md_mark_parse(t->r, m); /* reports that it closes no span */
	if (!str_eq(closing_name(m), open->p.kind))
		return err_at(t->r->e, m->at,
		              "'" STR_FMT
		              "' closes nothing that is open, expected '<</bench:" STR_FMT
		              ">>' for line %d",
		              STR_ARG(m->text), STR_ARG(open->p.kind), open->at.line);
	cmark_node *outer = open->node ? cmark_node_parent(open->node) : NULL;
	if (outer != (n ? cmark_node_parent(n) : NULL))
		return err_at(t->r->e, m->at,
		              "'" STR_FMT "' closes in other markup than '" STR_FMT
		              "' opens in, expected both inside or both outside of it",
		              STR_ARG(m->text), STR_ARG(open->text));
	open->close = m;
	open->to = t->plain->n;
	m->open = open;
	m->node = n;
	t->depth--;
	return true;
}

static bool open_span(struct reading *t, struct md_mark *m, cmark_node *n)
{
	for (size_t i = 0; i < t->depth; i++)
		if (str_eq(t->open[i]->p.kind, m->p.kind))
			return err_at(t->r->e, m->at,
			              "'" STR_FMT "' inside another that opens in line %d, "
			              "expected '<</bench:" STR_FMT ">>' before it",
			              STR_ARG(m->p.kind), t->open[i]->at.line, STR_ARG(m->p.kind));
	if (t->depth == MAX_DEPTH)
		return err_at(t->r->e, m->at, "spans are nested more than %d deep", MAX_DEPTH);
	t->open[t->depth++] = m;
	m->node = n;
	m->from = t->plain->n;
	if (t->last)
		t->last->next_span = m;
	else
		t->first = m;
	t->last = m;
	return true;
}

static void add_number(struct reading *t, struct md_mark *m)
{
	m->from = t->plain->n;
	m->next_span = t->numbers;
	t->numbers = m;
}

/* Gives each number the words around it (base/placeholder.h), from the whole text. */
static void tell_sentences(struct reading *t)
{
	struct str text = sb_view(t->plain);
	if (t->numbers)
		text.p = str_dup(t->r->arena, text);
	for (struct md_mark *m = t->numbers; m; m = m->next_span) {
		m->p.before = str_sub(text, 0, m->from);
		m->p.after = str_sub(text, m->from + strlen(LINT_OPAQUE), text.n);
	}
}

static bool read_mark(struct reading *t, struct md_mark *m, cmark_node *n)
{
	bool display, looks_up = md_mark_looks_up(m);
	if (m->kind == MD_COMMENT || m->kind == MD_MISTYPED)
		return md_expand(t->r, m, false, t->plain); /* reports the error */
	if (looks_up && str_starts(m->text, "<</"))
		return close_span(t, m, n);
	if (looks_up && !md_mark_parse(t->r, m))
		return false;
	if (looks_up && m->place != EXPAND_SPAN)
		add_number(t, m);
	if (looks_up && m->place == EXPAND_SPAN)
		return open_span(t, m, n);
	if (m->kind != MD_MATH) {
		sb_cstr(t->plain, LINT_OPAQUE);
		return true;
	}
	if (n)
		add_piece(t, n, m);
	md_math_plain(md_math_tex(m, &display), t->plain);
	if (n)
		add_piece(t, n, NULL);
	return true;
}

static bool read_string(struct reading *t, struct str text, cmark_node *n)
{
	size_t from = 0, start, end;
	struct md_mark *m;
	if (n && n == t->r->trimmed)
		text = str_sub(text, 0, t->r->trimmed_to);
	for (; (m = md_mark_next(&t->r->source, text, from, &start, &end)); from = end) {
		sb_str(t->plain, str_sub(text, from, start));
		if (!read_mark(t, m, n))
			return false;
	}
	sb_str(t->plain, str_sub(text, from, text.n));
	return true;
}

/* Code is not prose, but in "`3` times" only the number is set as code. */
static void read_code(struct reading *t, cmark_node *n)
{
	struct str code = md_literal(n);
	if (lint_bare_number(code))
		sb_str(t->plain, code);
	else
		sb_cstr(t->plain, LINT_OPAQUE);
}

/* Reads all nodes below `root`; an image is a word of its own (read_image()). */
static bool read_nodes(struct reading *t, cmark_node *root)
{
	for (cmark_node *n = cmark_node_first_child(root); n;) {
		cmark_node *child = cmark_node_first_child(n);
		switch (cmark_node_get_type(n)) {
		case CMARK_NODE_TEXT:
			add_piece(t, n, NULL);
			if (!read_string(t, md_literal(n), n))
				return false;
			break;
		case CMARK_NODE_CODE:
			add_piece(t, n, NULL);
			read_code(t, n);
			break;
		case CMARK_NODE_SOFTBREAK:
			if (!md_is_solid_break(t->r, n))
				sb_char(t->plain, ' ');
			break;
		case CMARK_NODE_LINEBREAK:
			sb_char(t->plain, ' ');
			break;
		case CMARK_NODE_IMAGE:
			sb_cstr(t->plain, LINT_OPAQUE);
			t->images = true;
			child = NULL;
			break;
		default:
			break;
		}
		n = child ? child : md_after(n, root);
	}
	return true;
}

/* --- spans ----------------------------------------------------------------- */

/* The literal of a text node after mark `m`, or before it. */
static struct str beside(struct md_render *r, cmark_node *n, const struct md_mark *m, bool after)
{
	struct str text = md_literal(n);
	size_t start, end, from = 0;
	const struct md_mark *k;
	while ((k = md_mark_next(&r->source, text, from, &start, &end)) && k != m)
		from = end;
	return after ? str_sub(text, end, text.n) : str_sub(text, 0, start);
}

/* The text between the marks, with numbers expanded. */
static bool span_text(struct md_render *r, struct md_mark *open, struct sb *to)
{
	cmark_node *a = open->node, *b = open->close->node;
	if (!a) { /* a caption: it has no nodes, and no markup except its numbers */
		const char *p = open->text.p + open->text.n;
		sb_str(to, (struct str){p, (size_t)(open->close->text.p - p)});
		return true;
	}
	struct str first = beside(r, a, open, true);
	if (a == b) {
		first.n = (size_t)(beside(r, b, open->close, false).n -
		                   (size_t)(first.p - md_literal(a).p));
		return md_plain(r, first, NULL, MD_PLAIN, to);
	}
	if (!md_plain(r, first, NULL, MD_PLAIN, to))
		return false;
	for (cmark_node *n = cmark_node_next(a); n != b; n = cmark_node_next(n))
		if (!md_plain_node(r, n, MD_PLAIN, to))
			return false;
	return md_plain(r, beside(r, b, open->close, false), NULL, MD_PLAIN, to);
}

static bool see_spans(struct reading *t)
{
	struct md_render *r = t->r;
	tell_sentences(t);
	if (t->depth) {
		const struct md_mark *m = t->open[t->depth - 1];
		return err_at(r->e, m->at,
		              "'" STR_FMT
		              "' is not closed where it opens, expected '<</bench:" STR_FMT
		              ">>' in the same paragraph, heading or cell",
		              STR_ARG(m->text), STR_ARG(m->p.kind));
	}
	for (struct md_mark *m = t->first; m; m = m->next_span) {
		struct sb text = {0}, nothing = {0};
		m->span = ARENA_NEW(r->arena, struct span);
		bool ok = span_text(r, m, &text);
		struct str trimmed = str_trim(sb_view(&text));
		m->span->text = (struct str){str_dup(r->arena, trimmed), trimmed.n};
		m->span->step = SPAN_SEEN;
		ok = ok && expand_span(r->ctx, &m->p, m->span, &nothing, r->e);
		sb_free(&text);
		sb_free(&nothing);
		if (!ok)
			return false;
	}
	return true;
}

bool md_span_print(struct md_render *r, struct md_mark *m, struct sb *to)
{
	struct md_mark *open = m->open ? m->open : m;
	open->span->step = m->open ? SPAN_CLOSE : SPAN_OPEN;
	return expand_span(r->ctx, &open->p, open->span, to, r->e);
}

/* --- places ---------------------------------------------------------------- */

struct str md_source_line(const struct md_source *s, int line)
{
	size_t from = 0;
	for (int k = s->first_line; k < line; k++)
		from = str_find(s->src, '\n', from) + 1;
	return str_sub(s->src, from, str_find(s->src, '\n', from));
}

static const char *find_in(struct str line, const char *from, struct str what)
{
	const char *end = line.p + line.n;
	if (!from || from < line.p || from > end)
		from = line.p;
	return what.n ? memmem(from, (size_t)(end - from), what.p, what.n) : NULL;
}

/*
 * cmark-gfm gives the line of a text and usually its first column. The search for
 * the finding starts there, and after the previous finding.
 */
static struct loc place_of(struct reading *t, size_t start, struct str what)
{
	cmark_node *n = t->block;
	const struct md_mark *formula = NULL;
	for (size_t i = 0; i < t->npieces && t->piece[i].at <= start; i++) {
		n = t->piece[i].n;
		formula = t->piece[i].formula;
	}
	if (formula)
		return formula->at;
	struct loc at = md_node_loc(&t->r->source, n);
	struct str line = md_source_line(&t->r->source, at.line);
	const char *from = line.p, *p;
	for (int col = 1; col < at.col && from < line.p + line.n; from++)
		col += from + 1 == line.p + line.n || ((unsigned char)from[1] & 0xc0) != 0x80;
	if (t->searched > from && t->searched <= line.p + line.n)
		from = t->searched;
	size_t word = 0;
	while (word < what.n && what.p[word] != ' ' && (unsigned char)what.p[word] < 0x80)
		word++;
	if (!(p = find_in(line, from, what)) && !(p = find_in(line, NULL, what)) &&
	    !(p = find_in(line, from, str_sub(what, 0, word))))
		return at;
	t->searched = p + 1;
	at.col = str_loc(line, NULL, p).col;
	return at;
}

/* --- the lint -------------------------------------------------------------- */

static bool claims(const struct md_mark *mark, const struct lint_finding *f, struct str what)
{
	struct claim c;
	struct err ignored = ERR_NONE; /* reported where the claim is decided */
	return !claim_parse(&mark->p, &c, &ignored) || claim_answers(&c, f->what, what);
}

/* Does a span cover this finding with a waiver, a claim or a goal? */
static bool answered(struct reading *t, const struct lint_finding *f, struct str what)
{
	for (struct md_mark *m = t->first; m; m = m->next_span) {
		if (m->from >= f->end || m->to <= f->start)
			continue;
		if (str_is(m->p.kind, "waive"))
			return m->used = true;
		if ((str_is(m->p.kind, "claim") || str_is(m->p.kind, "goal")) && claims(m, f, what))
			return true;
	}
	return false;
}

static void keep_waivers(struct reading *t)
{
	struct md_render *r = t->r;
	for (struct md_mark *m = t->first; m; m = m->next_span) {
		if (!str_is(m->p.kind, "waive"))
			continue;
		if (!m->used) {
			traced_add_message(
			        &r->out->found, r->arena, m->at,
			        "the waiver waives nothing, expected a number typed by hand "
			        "inside");
			continue;
		}
		struct waiver *w = ARENA_NEW(r->arena, struct waiver);
		struct str why = str_trim(m->p.word[0]);
		*w = (struct waiver){RULE_TRACED,     "text", str_dup(r->arena, why),
		                     m->span->text.p, m->at,  r->out->waivers};
		r->out->waivers = w;
	}
}

static void report(struct reading *t, struct str what, size_t start, const char *kind)
{
	struct arena *a = t->r->arena;
	traced_add(&t->r->out->found, a, place_of(t, start, what), str_keep(a, what), kind,
	           traced_in_text);
}

static void check(struct reading *t, bool measured)
{
	struct lint_finding found[MAX_FOUND];
	struct str text = sb_view(t->plain);
	if (!t->r->ctx->lint)
		return;
	size_t n = text.n ? lint_text(t->r->ctx->lint, text, found, MAX_FOUND) : 0;
	if (n == 0 && measured && lint_bare_number(text)) {
		found[0] =
		        (struct lint_finding){0, text.n, "a measurement, by the head of its table"};
		n = 1;
	}
	for (size_t i = 0; i < n && i < MAX_FOUND; i++) {
		struct str what = str_sub(text, found[i].start, found[i].end);
		if (!answered(t, &found[i], what))
			report(t, what, found[i].start, found[i].what);
	}
	keep_waivers(t);
}

/* --- entry points ---------------------------------------------------------- */

static bool read_image(struct md_render *r, cmark_node *image)
{
	struct reading t = {.r = r, .block = image, .plain = &r->text};
	sb_clear(t.plain);
	if (!read_nodes(&t, image) || !see_spans(&t))
		return false;
	check(&t, false);
	return md_text_string(r, str_of(cmark_node_get_title(image)), image);
}

static bool read_images(struct md_render *r, cmark_node *block)
{
	for (cmark_node *n = cmark_node_first_child(block); n;) {
		bool image = cmark_node_get_type(n) == CMARK_NODE_IMAGE;
		if (image && !read_image(r, n))
			return false;
		cmark_node *child = image ? NULL : cmark_node_first_child(n);
		n = child ? child : md_after(n, block);
	}
	return true;
}

bool md_text_block(struct md_render *r, cmark_node *block, int how, bool *measures)
{
	if (how & MD_TEXT_HEAD)
		*measures = false;
	if (!r->ctx->lint && r->source.nmarks == 0)
		return true;
	struct reading t = {.r = r, .block = block, .plain = &r->text};
	sb_clear(t.plain);
	if (!read_nodes(&t, block) || !see_spans(&t))
		return false;
	check(&t, how & MD_TEXT_MEASURED);
	if (how & MD_TEXT_HEAD && r->ctx->lint)
		*measures = lint_head(r->ctx->lint, sb_view(t.plain));
	return !t.images || read_images(r, block);
}

bool md_text_string(struct md_render *r, struct str text, cmark_node *n)
{
	if (text.n == 0)
		return true;
	struct reading t = {.r = r, .block = n, .plain = &r->text};
	sb_clear(t.plain);
	if (!read_string(&t, text, NULL) || !see_spans(&t))
		return false;
	check(&t, false);
	return true;
}
