/* Replaces placeholders, formulas and bare addresses in a source by marks; keeps their places. */
#include "lib/array.h"
#include "site-gen/markdown/inner.h"

#include <string.h>

static const char open_mark[] = "\xee\x80\x80", close_mark[] = "\xee\x80\x81";

enum { MAX_MARKS = 4000, MAX_UNCLOSED = 64 };

/* State of the scan for marks. */
struct finder {
	struct md_source *s;
	struct sb marked;
	size_t done; /* bytes of src already copied to `marked` */
	size_t next; /* where the scan continues */
	size_t cap, unclosed;
	size_t no_launch_before; /* an earlier search found no '>>>' before this */
	struct md_fences fences;
	const char *line; /* places: where the current line starts */
	int line_no;
	struct err *e;
};

static struct loc place(struct finder *f, size_t at)
{
	const char *p = f->s->src.p + at, *nl;
	while ((nl = memchr(f->line, '\n', (size_t)(p - f->line))))
		f->line = nl + 1, f->line_no++;
	struct loc loc = str_loc((struct str){f->line, (size_t)(p - f->line)}, f->s->path, p);
	loc.line = f->line_no;
	return loc;
}

static bool add_mark(struct finder *f, enum md_mark_kind kind, size_t start, size_t end)
{
	struct md_source *s = f->s;
	if (s->nmarks == MAX_MARKS)
		return err_at(f->e, place(f, start),
		              "more than %d placeholders, launches, formulas and addresses",
		              MAX_MARKS);
	s->marks = arena_grow(s->arena, s->marks, s->nmarks, &f->cap, sizeof *s->marks);
	struct md_mark *m = &s->marks[s->nmarks];
	m->kind = kind;
	m->text = str_sub(s->src, start, end);
	if (kind == MD_MATH)
		m->tex = md_math_source(s->src, m->text, s->arena);
	m->at = place(f, start);
	sb_str(&f->marked, str_sub(s->src, f->done, start));
	sb_printf(&f->marked, "%s%zu%s", open_mark, s->nmarks++, close_mark);
	f->done = f->next = end;
	s->folded = s->folded || memchr(m->text.p, '\n', m->text.n);
	return true;
}

/* launch -> '<<<' text without '`' '>>>', on one line. Its end; 0 if there is none. */
static size_t launch_end(struct finder *f, size_t at)
{
	struct str s = f->s->src;
	if (at < f->no_launch_before)
		return 0;
	for (size_t i = at + 3; i < s.n && s.p[i] != '\n'; i++) {
		if (s.p[i] == '`')
			return 0;
		if (s.p[i] == '>' && str_starts(str_sub(s, i, s.n), ">>>"))
			return i + 3;
	}
	f->no_launch_before = str_find(s, '\n', at);
	return 0;
}

static bool add_placeholder(struct finder *f, size_t at)
{
	struct str s = f->s->src;
	size_t start, end;
	if (!placeholder_next(s, at, &start, &end) || start != at)
		return true;
	/* a code span ends inside, so it is not a placeholder */
	if (end > start && memchr(s.p + start, '`', end - start))
		end = start;
	if (end > start)
		return add_mark(f, MD_PLACEHOLDER, start, end);
	if (++f->unclosed > MAX_UNCLOSED)
		return err_at(f->e, place(f, start), "more than %d placeholders are not closed",
		              MAX_UNCLOSED);
	return add_mark(f, MD_UNCLOSED, start, str_find(s, ':', start) + 1);
}

/* Adds the mark that starts with '<', if any. */
static bool add_bracket(struct finder *f, size_t i)
{
	struct str s = f->s->src, rest = str_sub(s, i, s.n);
	size_t end;
	if (str_starts(rest, "<<bench:") || str_starts(rest, "<</bench:"))
		return add_placeholder(f, i);
	if (str_starts(rest, "<!--") && !md_escaped_at(s, i))
		return add_mark(f, MD_COMMENT, i, i + strlen("<!--"));
	if (str_starts(rest, "<<<") && !str_starts(rest, "<<<bench:") &&
	    !str_starts(rest, "<<</bench:") && (end = launch_end(f, i)) > 0)
		return add_mark(f, MD_LAUNCH, i, end);
	return true;
}

static bool add_mistyped(struct finder *f, size_t i)
{
	size_t start, end;
	bool is = placeholder_mistyped(f->s->src, i, &start, &end) && start == i;
	return !is || md_escaped_at(f->s->src, i) || add_mark(f, MD_MISTYPED, start, end);
}

static bool add_formula(struct finder *f, size_t i)
{
	struct str s = f->s->src;
	size_t end = md_math_end(&f->fences, s, i);
	if (end > 0)
		return add_mark(f, MD_MATH, i, end);
	/* if "$$" starts no formula, its second '$' starts none either */
	f->next += i + 1 < s.n && s.p[i + 1] == '$';
	return true;
}

static bool add_address(struct finder *f, size_t i)
{
	size_t end = md_address_end(f->s->src, i);
	return !end || add_mark(f, MD_ADDRESS, i, end);
}

static size_t find_mistyped(struct str s, size_t from)
{
	size_t start, end;
	return placeholder_mistyped(s, from, &start, &end) ? start : s.n;
}

static size_t find_bracket(struct str s, size_t from)
{
	return str_find(s, '<', from);
}

static size_t find_dollar(struct str s, size_t from)
{
	return str_find(s, '$', from);
}

/* `find` gives the next possible start of a mark; at the same place, the first row wins. */
static const struct {
	size_t (*find)(struct str s, size_t from);
	bool (*add)(struct finder *f, size_t at);
} kinds[] = {
        {find_mistyped, add_mistyped},
        {find_bracket, add_bracket},
        {find_dollar, add_formula},
        {md_address_find, add_address},
};
enum { KINDS = ARRAY_LEN(kinds) };

static bool find_marks(struct finder *f)
{
	struct str s = f->s->src;
	size_t at[KINDS];
	for (size_t k = 0; k < KINDS; k++)
		at[k] = kinds[k].find(s, 0);
	for (;;) {
		size_t first = 0, marks = f->s->nmarks;
		for (size_t k = 1; k < KINDS; k++)
			first = at[k] < at[first] ? k : first;
		size_t i = at[first];
		if (i >= s.n)
			return true;
		f->next = i + 1;
		if (!kinds[first].add(f, i))
			return false;
		/* if this kind adds no mark here, another kind may */
		at[first] = kinds[first].find(s, f->next);
		for (size_t k = 0; k < KINDS && f->s->nmarks > marks; k++)
			at[k] = at[k] < f->next ? kinds[k].find(s, f->next) : at[k];
	}
}

/* Removes the '\r' of line ends, which cmark-gfm would keep in code blocks. */
static void drop_cr(struct sb *b)
{
	char *to = b->p, *end = b->p + b->n;
	for (const char *p = b->p; p < end; p++)
		if (*p != '\r')
			*to++ = *p;
	b->n = (size_t)(to - b->p);
	*to = 0;
}

/* Searches for '[' alone: brackets are rare, and a search for one byte is faster. */
bool md_has_bracket(struct str s, const char *after)
{
	for (size_t i = str_find(s, '[', 0); i < s.n; i = str_find(s, '[', i + 1))
		if (str_starts(str_sub(s, i + 1, s.n), after))
			return true;
	return false;
}

bool md_source_init(struct md_source *s, struct err *e)
{
	struct finder f = {.s = s, .line = s->src.p, .line_no = s->first_line, .e = e};
	bool ok = find_marks(&f), cr = str_find(s->src, '\r', 0) < s->src.n;
	s->marked = s->src;
	s->cites = md_has_bracket(s->src, "@");
	if (ok && (s->nmarks > 0 || cr)) {
		sb_str(&f.marked, str_sub(s->src, f.done, s->src.n));
		if (cr)
			drop_cr(&f.marked);
		char *copy = str_dup(s->arena, sb_view(&f.marked));
		s->marked = (struct str){copy, f.marked.n};
	}
	sb_free(&f.marked);
	return ok;
}

struct md_mark *md_mark_next(const struct md_source *s, struct str text, size_t from, size_t *start,
                             size_t *end)
{
	for (size_t i = str_find(text, open_mark[0], from); i < text.n;
	     i = str_find(text, open_mark[0], i + 1)) {
		if (!str_starts(str_sub(text, i, text.n), open_mark))
			continue;
		size_t index = 0, k = i + 3;
		for (; k < text.n && text.p[k] >= '0' && text.p[k] <= '9'; k++)
			index = index * 10 + (size_t)(text.p[k] - '0');
		if (index >= s->nmarks || !str_starts(str_sub(text, k, text.n), close_mark))
			continue; /* impossible: the source has none of these characters */
		*start = i;
		*end = k + 3;
		return &s->marks[index];
	}
	return NULL;
}

struct str md_restore(const struct md_source *s, struct str text)
{
	size_t from = 0, start, end;
	struct md_mark *m = md_mark_next(s, text, 0, &start, &end);
	if (!m)
		return text;
	struct sb b = {0};
	for (; m; m = md_mark_next(s, text, from, &start, &end)) {
		m->shown = true;
		sb_str(&b, str_sub(text, from, start));
		sb_str(&b, m->text);
		from = end;
	}
	sb_str(&b, str_sub(text, from, text.n));
	struct str out = str_keep(s->arena, sb_view(&b));
	sb_free(&b);
	return out;
}

/* Indexes lines. A mark may contain line ends, so one line of `marked` may be several of src. */
static void index_lines(struct md_source *s)
{
	struct str t = s->marked;
	s->nlines = 1;
	for (size_t i = str_find(t, '\n', 0); i < t.n; i = str_find(t, '\n', i + 1))
		s->nlines++;
	s->line = ARENA_ARRAY(s->arena, const char *, s->nlines + 1);
	s->line_no = ARENA_ARRAY(s->arena, int, s->nlines + 1);
	int no = s->first_line;
	for (size_t n = 0, i = 0; n < s->nlines; n++) {
		size_t next = str_find(t, '\n', i) + 1, from = 0, start, end;
		struct str line = str_sub(t, i, next);
		const struct md_mark *m;
		s->line[n] = t.p + i;
		s->line_no[n] = no++;
		while (s->folded && (m = md_mark_next(s, line, from, &start, &end))) {
			for (size_t k = 0; k < m->text.n; k++)
				no += m->text.p[k] == '\n';
			from = end;
		}
		i = next;
	}
	s->line[s->nlines] = t.p + t.n;
	s->line_no[s->nlines] = no;
}

int md_node_line(struct md_source *s, cmark_node *n)
{
	int line = cmark_node_get_start_line(n);
	for (cmark_node *p = n; line < 1 && (p = cmark_node_parent(p)) != NULL;)
		line = cmark_node_get_start_line(p);
	if (!s->line)
		index_lines(s);
	return line < 1 || (size_t)line > s->nlines ? -1 : line - 1;
}

struct loc md_place(struct md_source *s, size_t line, size_t byte)
{
	struct str text = {s->line[line], (size_t)(s->line[line + 1] - s->line[line])};
	struct loc at = {s->path, s->line_no[line], 0};
	size_t from = 0, start, end;
	struct sb b = {0};
	const struct md_mark *m;
	while ((m = md_mark_next(s, text, from, &start, &end)) && start < byte) {
		sb_str(&b, str_sub(text, from, start));
		sb_str(&b, m->text);
		from = end;
	}
	sb_str(&b, str_sub(text, from, byte));
	struct str before = sb_view(&b);
	at.col = str_loc(before, s->path, before.p + before.n).col;
	sb_free(&b);
	return at;
}

struct loc md_node_loc(struct md_source *s, cmark_node *n)
{
	int line = md_node_line(s, n);
	/* a node that cmark-gfm added later has no place; use that of its block */
	int col = cmark_node_get_start_line(n) < 1 ? 0 : cmark_node_get_start_column(n);
	struct loc at = {s->path, s->first_line, 0};
	if (line < 0)
		return at;
	at.line = s->line_no[line];
	struct str text = {s->line[line], (size_t)(s->line[line + 1] - s->line[line])};
	size_t want = (size_t)(col - 1);
	if (col < 1 || want >= text.n)
		return at;
	cmark_node_type type = cmark_node_get_type(n);
	char c = text.p[want];
	/* columns are wrong in continuation lines of a paragraph with another indent */
	if ((type == CMARK_NODE_LINK && c != '[' && c != '<') ||
	    (type == CMARK_NODE_IMAGE && c != '!') || (type == CMARK_NODE_HTML_INLINE && c != '<'))
		return at;
	return md_place(s, (size_t)line, want);
}
