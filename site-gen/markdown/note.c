/*
 * Finds footnotes that are not published. cmark-gfm silently drops footnotes without a reference,
 * and all but one with the same label.
 */
#include "site-gen/markdown/inner.h"

#include <limits.h>
#include <string.h>

#include "site-gen/base/problems.h"

/* cmark-gfm puts footnotes at the end of the document, in the order of their numbers. */
void md_notes_count(struct md_render *r, cmark_node *root)
{
	cmark_node *n = cmark_node_last_child(root);
	for (; n && cmark_node_get_type(n) == CMARK_NODE_FOOTNOTE_DEFINITION;
	     n = cmark_node_previous(n))
		r->nrefs++;
	r->refs = ARENA_ARRAY(r->arena, int, (size_t)r->nrefs + 1);
}

/* Flags for lines of the marked source: in code; a published footnote starts; a node starts. */
enum { LINE_CODE = 1, LINE_PUBLISHED = 2, LINE_BEGINS = 4 };

static unsigned char *lines_of(struct md_render *r, cmark_node *root)
{
	md_node_loc(&r->source, root); /* indexes the lines */
	unsigned char *is = ARENA_ARRAY(r->arena, unsigned char, r->source.nlines + 1);
	for (cmark_node *n = root; n;) {
		cmark_node_type type = cmark_node_get_type(n);
		int line = cmark_node_get_start_line(n), end = cmark_node_get_end_line(n);
		if (line > 0 && (size_t)line <= r->source.nlines)
			is[line - 1] |= type == CMARK_NODE_FOOTNOTE_DEFINITION
			                        ? LINE_PUBLISHED | LINE_BEGINS
			                        : LINE_BEGINS;
		for (; type == CMARK_NODE_CODE_BLOCK && line > 0 && line <= end &&
		       (size_t)line <= r->source.nlines;
		     line++)
			is[line - 1] |= LINE_CODE;
		cmark_node *child = cmark_node_first_child(n);
		n = child ? child : md_after(n, root);
	}
	return is;
}

enum { CODE = 4 }; /* spaces before a line of indented code, or of a footnote */

static struct str line_of(const struct md_source *s, size_t i)
{
	return (struct str){s->line[i], (size_t)(s->line[i + 1] - s->line[i])};
}

/*
 * A line without its first `most` quote markers. Also returns the number of markers, and the
 * indent of the rest.
 */
static struct str without_quotes(struct str line, int most, int *quotes, size_t *indent)
{
	size_t i = 0;
	*indent = 0;
	*quotes = 0;
	for (; i < line.n && strchr(" \t>", line.p[i]); i++) {
		if (line.p[i] == '>' && (*indent >= CODE || ++*quotes > most))
			break;
		*indent = line.p[i] == ' ' ? *indent + 1 : line.p[i] == '\t' ? CODE : 0;
	}
	return str_trim(str_sub(line, i, line.n));
}

/* definition -> { '>' } '[^' label ']:' . The label without brackets; empty if there is none. */
static struct str defined(struct str line)
{
	size_t indent;
	int quotes;
	struct str s = without_quotes(line, INT_MAX, &quotes, &indent);
	size_t close = str_find(s, ']', 0);
	bool is = indent < CODE && str_starts(s, "[^") && close > 2 && close + 1 < s.n &&
	          s.p[close + 1] == ':' && !memchr(s.p + 2, ' ', close - 2);
	return is ? str_sub(s, 2, close) : (struct str){0};
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 'a' - 'A') : c;
}

static bool same_label(struct str a, struct str b)
{
	for (size_t i = 0; i < a.n && a.n == b.n; i++)
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	return a.n == b.n;
}

/* A footnote of the source. */
struct note {
	struct str label;
	size_t line; /* line of the marked source */
	bool published;
};

static struct loc place(struct md_source *s, const struct note *n)
{
	return md_place(s, n->line, (size_t)(n->label.p - s->line[n->line]) - strlen("[^"));
}

static bool say(struct md_render *r, const struct note *n, const struct note *other)
{
	struct md_source *s = &r->source;
	if (n->published)
		return true;
	if (!other) {
		if (r->ctx->problems)
			problems_warn(r->ctx->problems, place(s, n),
			              "nothing refers to the footnote '[^" STR_FMT
			              "]', so no page shows it",
			              STR_ARG(n->label));
		return true;
	}
	err_at(r->e, place(s, n),
	       "the footnote '[^" STR_FMT "]' is defined in line %d, too, and only that one is "
	       "published; expected one of them, or another label",
	       STR_ARG(n->label), s->line_no[other->line]);
	if (!r->ctx->problems)
		return false;
	problems_add(r->ctx->problems, r->e);
	*r->e = ERR_NONE;
	r->faults++;
	return true;
}

/* Another footnote with n's label: the published one, else the first before n. NULL: none. */
static const struct note *rival(const struct note *all, size_t count, const struct note *n)
{
	const struct note *first = NULL;
	for (size_t i = 0; i < count; i++) {
		if (&all[i] == n || !same_label(all[i].label, n->label))
			continue;
		if (all[i].published)
			return &all[i];
		first = !first && all[i].line < n->line ? &all[i] : first;
	}
	return first;
}

/*
 * The line after an unpublished footnote. It has no nodes, so it ends at the next line where a node
 * or a footnote starts, or at a line that follows an empty one without an indent.
 */
static size_t end_of(const struct md_source *s, const unsigned char *is, size_t from)
{
	bool after_empty = false;
	size_t indent;
	int depth, quotes;
	without_quotes(line_of(s, from), INT_MAX, &depth, &indent);
	for (size_t i = from + 1; i < s->nlines; i++) {
		struct str text = without_quotes(line_of(s, i), depth, &quotes, &indent);
		if ((is[i] & LINE_BEGINS) || defined(line_of(s, i)).n ||
		    (after_empty && text.n && indent < CODE))
			return i;
		after_empty = text.n == 0;
	}
	return s->nlines;
}

static void leave_out(struct md_render *r, const unsigned char *is, size_t from)
{
	const struct md_source *s = &r->source;
	r->out->unshown[r->out->nunshown++] =
	        (struct md_lines){s->line_no[from], s->line_no[end_of(s, is, from)] - 1};
}

bool md_notes_check(struct md_render *r, cmark_node *root)
{
	enum { MAX_NOTES = 2000 };
	const struct md_source *s = &r->source;
	if (!md_has_bracket(s->marked, "^"))
		return true;
	const unsigned char *is = lines_of(r, root);
	struct note *note = ARENA_ARRAY(r->arena, struct note, MAX_NOTES);
	size_t n = 0;
	for (size_t i = 0; i < s->nlines && n < MAX_NOTES; i++) {
		struct str label = defined(line_of(s, i));
		if (label.n && !(is[i] & LINE_CODE))
			note[n++] = (struct note){label, i, is[i] & LINE_PUBLISHED};
	}
	r->out->unshown = ARENA_ARRAY(r->arena, struct md_lines, n);
	for (size_t i = 0; i < n; i++) {
		if (!note[i].published)
			leave_out(r, is, note[i].line);
		if (!say(r, &note[i], rival(note, n, &note[i])))
			return false;
	}
	return r->faults == 0;
}

/* Code shows comments. A comment in a dropped footnote would appear only in the Markdown copy. */
bool md_comments_check(struct md_render *r)
{
	for (size_t i = 0; i < r->source.nmarks; i++) {
		struct md_mark *m = &r->source.marks[i];
		struct sb nothing = {0};
		if (m->kind == MD_COMMENT && !m->shown)
			return md_expand(r, m, false, &nothing);
	}
	return true;
}
