/*
 * Corrects cmark-gfm's tree: line ends and straight quotes beside Chinese. Warns of markup that
 * stays as text.
 */
#include "lib/array.h"
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/base/unicode.h"
#include "site-gen/base/problems.h"

/* --- characters ------------------------------------------------------------ */

/* Is it a character, or punctuation, of a script that is written without spaces? */
static bool is_solid(uint32_t c)
{
	return unicode_is_cjk(c) || (c >= 0x3000 && c <= 0x303f) || (c >= 0xff00 && c <= 0xff60);
}

/* Is it punctuation of scripts with and without spaces? “ ” ‘ ’ — … · */
static bool is_shared(uint32_t c)
{
	return (c >= 0x2018 && c <= 0x201d) || c == 0x2014 || c == 0x2026 || c == 0xb7;
}

static uint32_t first_char(struct str s)
{
	size_t size;
	return s.n ? unicode_at(s, 0, &size) : 0;
}

static uint32_t last_char(struct str s)
{
	size_t from = s.n;
	while (from > 0 && ((unsigned char)s.p[--from] & 0xc0) == 0x80)
		continue;
	return first_char(str_sub(s, from, s.n));
}

/* --- line ends ------------------------------------------------------------- */

static bool is_inline(cmark_node *n)
{
	return (cmark_node_get_type(n) & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_INLINE;
}

/* The leaf before or after n in its block; NULL at the edge of the block. */
static cmark_node *beside(cmark_node *n, bool after)
{
	cmark_node *(*const next)(cmark_node *) = after ? cmark_node_next : cmark_node_previous;
	cmark_node *(*const child)(cmark_node *) =
	        after ? cmark_node_first_child : cmark_node_last_child;
	while (n && !next(n)) {
		n = cmark_node_parent(n);
		if (!n || !is_inline(n))
			return NULL;
	}
	for (n = n ? next(n) : NULL; n && child(n) && cmark_node_get_type(n) != CMARK_NODE_IMAGE;)
		n = child(n);
	return n;
}

/* Marks of spans are invisible, and the number of a citation belongs to the text before it. */
static bool is_unseen(const struct md_mark *m)
{
	return md_mark_looks_up(m) &&
	       (m->open || str_starts(m->text, "<</") || (m->parsed && m->place == EXPAND_SPAN));
}

/* Removes invisible marks at one end of a text. */
static struct str seen(const struct md_render *r, struct str s, bool at_end)
{
	size_t start, end, from;
	for (bool more = true; more && s.n;) {
		const struct md_mark *m, *found = NULL;
		size_t first = 0, past = 0;
		more = false;
		for (from = 0; (m = md_mark_next(&r->source, s, from, &start, &end)); from = end) {
			if (at_end ? end == s.n : start == 0)
				found = m, first = start, past = end;
			if (!at_end)
				break;
		}
		if (found && is_unseen(found)) {
			s = at_end ? str_sub(s, 0, first) : str_sub(s, past, s.n);
			more = true;
		}
		for (from = 0; md_cite_next((struct md_render *)r, s, from, &start, &end);
		     from = end)
			if (at_end && end == s.n) {
				s = str_sub(s, 0, start);
				more = true;
				break;
			}
	}
	return s;
}

/* The visible character beside a line end; 0: not a character of a text. */
static uint32_t seen_beside(const struct md_render *r, cmark_node *n, bool after)
{
	while ((n = beside(n, after))) {
		struct str s = {0};
		switch (cmark_node_get_type(n)) {
		case CMARK_NODE_TEXT:
			s = seen(r, md_literal(n), !after);
			break;
		case CMARK_NODE_CODE:
			s = md_literal(n);
			break;
		case CMARK_NODE_LINK:
			s = str_of(md_reference(r, n));
			break;
		case CMARK_NODE_FOOTNOTE_REFERENCE:
			break;
		default:
			return 0;
		}
		if (s.n)
			return after ? first_char(s) : last_char(s);
	}
	return 0;
}

bool md_is_solid_break(const struct md_render *r, cmark_node *n)
{
	uint32_t a = seen_beside(r, n, false), b = seen_beside(r, n, true);
	return (is_solid(a) && (is_solid(b) || is_shared(b))) || (is_solid(b) && is_shared(a));
}

/* --- the text of a block --------------------------------------------------- */

struct piece {
	cmark_node *n;
	size_t from, to;
	bool changed;
};

struct prose {
	struct md_render *r;
	struct sb text; /* with a letter for each code span or picture; line ends are '\n' */
	struct piece *piece;
	size_t n, cap;
};

static void add_piece(struct prose *p, cmark_node *n)
{
	size_t from = p->text.n;
	sb_str(&p->text, md_literal(n));
	p->piece = arena_grow(p->r->arena, p->piece, p->n, &p->cap, sizeof *p->piece);
	p->piece[p->n++] = (struct piece){n, from, p->text.n, false};
}

static void read_prose(struct prose *p, cmark_node *block)
{
	sb_clear(&p->text);
	p->n = 0;
	for (cmark_node *n = cmark_node_first_child(block); n;) {
		cmark_node_type type = cmark_node_get_type(n);
		if (type == CMARK_NODE_TEXT)
			add_piece(p, n);
		else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
			sb_char(&p->text, '\n');
		else if (type == CMARK_NODE_CODE || type == CMARK_NODE_IMAGE)
			sb_char(&p->text, 'x');
		cmark_node *child = type == CMARK_NODE_IMAGE ? NULL : cmark_node_first_child(n);
		n = child ? child : md_after(n, block);
	}
}

/* The lines of the marked source that contain a block, and the number of the first. */
static struct str block_source(struct md_render *r, cmark_node *block, size_t *first)
{
	struct md_source *s = &r->source;
	int line = md_node_line(s, block), end = cmark_node_get_end_line(block);
	*first = line < 0 ? 0 : (size_t)line;
	if (line < 0)
		return (struct str){0};
	if (end <= line || (size_t)end > s->nlines)
		end = line + 1;
	return (struct str){s->line[line], (size_t)(s->line[end] - s->line[line])};
}

/* --- quotes ---------------------------------------------------------------- */

/*
 * cmark-gfm takes a straight quote between two letters for a closing one, and Chinese characters
 * are letters: 说"好"吗 would get two closing quotes. Beside such a character, a quote opens if
 * none is open and another follows, and closes if one is open. Both kinds take three bytes, so
 * texts keep their length.
 */
struct quotes {
	const char *open, *close;
	char straight;
};

static const struct quotes both[] = {{"“", "”", '"'}, {"‘", "’", '\''}};

static bool is_space(uint32_t c)
{
	return c == 0 || c == ' ' || c == '\n' || c == '\t';
}

/* Punctuation that ends a sentence or a clause; no quote opens before it. */
static bool is_closing(uint32_t c)
{
	static const char marks[] = ",.;:!?)]}";
	return is_space(c) || (c < 0x80 && strchr(marks, (int)c)) || c == 0x3001 || c == 0x3002 ||
	       c == 0xff0c || c == 0xff1b || c == 0xff1a || c == 0xff01 || c == 0xff1f ||
	       c == 0xff09 || c == 0x300d || c == 0x300f || c == 0x300b || c == 0x3011;
}

static bool is_ascii_letter(uint32_t c)
{
	return c < 0x80 && ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'));
}

/*
 * Does a later quote close one that opens before `from`? With `turned`, an opening quote between
 * two Chinese characters counts, because it will be turned into a closing one. The quote in 15" is
 * checked without `turned`, so that it does not become the first of a pair.
 */
static bool closes_later(struct str s, size_t from, const struct quotes *q, bool turned)
{
	for (size_t i = str_find(s, q->close[0], from); i < s.n;
	     i = str_find(s, q->close[0], i + 1)) {
		struct str here = str_sub(s, i, s.n);
		uint32_t before = last_char(str_sub(s, 0, i));
		uint32_t after = first_char(str_sub(s, i + 3, s.n));
		bool apostrophe = is_ascii_letter(before) && is_ascii_letter(after);
		if (str_starts(here, q->close) && (q->straight == '"' || !apostrophe))
			return true;
		if (turned && str_starts(here, q->open) && is_solid(before) && is_solid(after))
			return true;
	}
	return false;
}

static void turn(struct prose *p, size_t at, const char *quote)
{
	memcpy(p->text.p + at, quote, 3);
	for (size_t i = 0; i < p->n; i++)
		p->piece[i].changed |= p->piece[i].from <= at && at < p->piece[i].to;
}

static void mend_quotes(struct prose *p, const struct quotes *q)
{
	struct str s = sb_view(&p->text);
	bool open = false;
	for (size_t i = str_find(s, q->open[0], 0); i < s.n; i = str_find(s, q->open[0], i + 1)) {
		struct str here = str_sub(s, i, s.n);
		bool opens = str_starts(here, q->open);
		if (!opens && !str_starts(here, q->close))
			continue;
		uint32_t before = last_char(str_sub(s, 0, i));
		uint32_t after = first_char(str_sub(s, i + 3, s.n));
		bool beside_cjk = is_solid(before) || is_solid(after);
		bool apostrophe = q->straight == '\'' && is_ascii_letter(before);
		if (beside_cjk && !opens && !open && !apostrophe && !is_closing(after) &&
		    closes_later(s, i + 3, q, !(before >= '0' && before <= '9'))) {
			turn(p, i, q->open);
			opens = true;
		} else if (beside_cjk && opens && open && !is_space(before)) {
			turn(p, i, q->close);
			opens = false;
		}
		open = opens;
	}
}

static void mend_block(struct prose *p, struct str source)
{
	for (size_t i = 0; i < ARRAY_LEN(both); i++)
		if (memchr(source.p, both[i].straight, source.n))
			mend_quotes(p, &both[i]);
	for (size_t i = 0; i < p->n; i++) {
		const struct piece *k = &p->piece[i];
		if (!k->changed)
			continue;
		cmark_node_set_literal(
		        k->n, arena_strndup(p->r->arena, p->text.p + k->from, k->to - k->from));
	}
}

/* --- markup that stays as text --------------------------------------------- */

static const struct literal {
	const char *text, *why;
} literals[] = {
        {"**", "no bold text begins or ends here; between letters, punctuation stands outside of "
               "the stars"},
        {"][", "no link is defined by this name"},
        {"](", "the address of a link is one word and a title in quotes, and ends with ')'"},
        {"$$", "a formula by itself stands between '$$' and '$$', without an empty line or a '`' "
               "inside"},
};

/* Position of a literal in a source, unescaped and outside of code spans; s.n if there is none. */
static size_t find_literal(struct str s, const char *what)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '\\') {
			i++;
		} else if (s.p[i] == '`') {
			size_t n = 1, end = i;
			while (i + n < s.n && s.p[i + n] == '`')
				n++;
			for (size_t k = i + n; k + n <= s.n && end == i; k++)
				if (memcmp(s.p + k, s.p + i, n) == 0)
					end = k;
			i = end + n - 1;
		} else if (str_starts(str_sub(s, i, s.n), what)) {
			return i;
		}
	}
	return s.n;
}

static void warn_literals(struct prose *p, struct str source, size_t line)
{
	struct str text = sb_view(&p->text);
	struct md_source *s = &p->r->source;
	for (size_t k = 0; k < ARRAY_LEN(literals) && text.n; k++) {
		const struct literal *l = &literals[k];
		bool there = memchr(text.p, *l->text, text.n) && /* most texts have neither */
		             memmem(text.p, text.n, l->text, 2);
		size_t at = there ? find_literal(source, l->text) : source.n;
		if (at == source.n)
			continue; /* absent, or escaped on purpose */
		size_t from = 0, in = line;
		for (size_t i = 0; i < at; i++)
			if (source.p[i] == '\n')
				from = i + 1, in++;
		problems_warn(p->r->ctx->problems, md_place(s, in, at - from),
		              "'%s' is left as text: %s; if text is meant, write '\\%s'", l->text,
		              l->why, l->text);
	}
}

/* --- all blocks ------------------------------------------------------------ */

static bool has_cjk(struct str s)
{
	for (size_t i = 0; i < s.n; i++) /* only characters from U+3000 on need a closer look */
		if ((unsigned char)s.p[i] >= 0xe3)
			return true;
	return false;
}

void md_prose_mend(struct md_render *r, cmark_node *root)
{
	struct prose p = {.r = r};
	bool cjk = has_cjk(r->source.marked), warns = r->ctx->problems;
	for (cmark_node *n = cjk || warns ? root : NULL; n;) {
		cmark_node *child = cmark_node_first_child(n);
		size_t line;
		if (child && is_inline(child) && !is_inline(n)) {
			struct str source = block_source(r, n, &line);
			read_prose(&p, n);
			if (cjk)
				mend_block(&p, source);
			if (warns)
				warn_literals(&p, source, line);
			child = NULL;
		}
		n = child ? child : md_after(n, root);
	}
	sb_free(&p.text);
}
