/* Tables of HTML as tables of Markdown. */
#include <string.h>

#include "lib/array.h"
#include "site-gen/commands/importer.h"

enum { MOST_COLUMNS = 64 };

struct cell {
	struct str inside;
	size_t row;
	bool head;
	size_t columns;
};

struct table {
	struct cell *cell;
	size_t n, cap, rows, columns;
	struct str caption;
	bool nested; /* it holds blocks that a cell cannot */
};

/* The end of a cell that is not closed: where the next one, or the row, begins or ends. */
static size_t cell_end(struct str s, size_t i)
{
	static const char *const ends[] = {"td", "th", "tr", "tbody", "thead", "tfoot"};
	for (; i < s.n; i++) {
		size_t end = s.p[i] == '<' ? importer_tag_end(s, i) : i;
		struct str name = importer_tag_name(str_sub(s, i, end));
		for (size_t k = 0; end > i && k < ARRAY_LEN(ends); k++)
			if (importer_is_tag(name, ends[k]))
				return i;
	}
	return i;
}

static size_t span_of(struct str tag)
{
	int64_t n = 1;
	struct str span = importer_attribute(tag, "colspan");
	return span.n && str_i64(span, &n) && n > 0 && n < MOST_COLUMNS ? (size_t)n : 1;
}

static bool holds_block(struct str s)
{
	static const char *const all[] = {"pre", "table", "ul", "ol", "blockquote", "details"};
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '`' && str_starts(str_sub(s, i, s.n), "```"))
			return true;
		struct str name = importer_tag_name(str_sub(s, i, importer_tag_end(s, i)));
		for (size_t k = 0; name.n && k < ARRAY_LEN(all); k++)
			if (importer_is_tag(name, all[k]))
				return true;
	}
	return false;
}

static size_t add_cell(struct table *t, struct str s, size_t i, size_t open, struct arena *a)
{
	struct str tag = str_sub(s, i, open), inside = str_sub(s, open, open);
	size_t end = importer_element_end(s, i, &inside), next = cell_end(s, open);
	bool head = importer_is_tag(importer_tag_name(tag), "th");
	if (!holds_block(str_sub(s, open, next)) || end == i)
		inside = str_sub(s, open, next), end = next;
	t->cell = arena_grow(a, t->cell, t->n, &t->cap, sizeof *t->cell);
	t->rows += t->rows == 0;
	t->cell[t->n++] = (struct cell){inside, t->rows - 1, head, span_of(tag)};
	t->nested |= holds_block(inside);
	return end > i ? end : open;
}

static struct table read_table(struct str s, struct arena *a)
{
	struct table t = {0};
	for (size_t i = 0; i < s.n;) {
		size_t end = importer_tag_end(s, i);
		struct str tag = str_sub(s, i, end), name = importer_tag_name(tag);
		bool opens = end > i && tag.p[1] != '/';
		if (opens && (importer_is_tag(name, "td") || importer_is_tag(name, "th"))) {
			i = add_cell(&t, s, i, end, a);
			continue;
		}
		if (opens && importer_is_tag(name, "caption"))
			end = importer_element_end(s, i, &t.caption);
		t.rows += opens && importer_is_tag(name, "tr");
		i = end > i ? end : i + 1;
	}
	for (size_t i = 0, row = 0, n = 0; i < t.n; i++) {
		n = t.cell[i].row == row ? n : 0;
		row = t.cell[i].row;
		n += t.cell[i].columns;
		t.columns = n > t.columns ? n : t.columns;
	}
	return t;
}

/* Appends a cell; a '|' in it is escaped. */
static void put_cell(struct sb *to, struct str text)
{
	sb_char(to, ' ');
	for (size_t i = 0; i < text.n; i++) {
		bool escaped = i > 0 && text.p[i - 1] == '\\';
		sb_cstr(to, text.p[i] == '|' && !escaped ? "\\" : "");
		sb_char(to, text.p[i]);
	}
	sb_cstr(to, " |");
}

static void put_rule(struct sb *to, size_t columns)
{
	sb_char(to, '|');
	for (size_t k = 0; k < columns; k++)
		sb_cstr(to, "---|");
	sb_char(to, '\n');
}

/* Appends a row, and the line below a head. */
static size_t put_row(const struct import_element *e, const struct table *t, size_t i,
                      struct sb *to)
{
	size_t row = t->cell[i].row, n = 0;
	sb_char(to, '|');
	for (; i < t->n && t->cell[i].row == row; i++) {
		put_cell(to, importer_one_line(e, t->cell[i].inside));
		for (size_t k = 1; k < t->cell[i].columns; k++)
			sb_cstr(to, "  |");
		n += t->cell[i].columns;
	}
	for (; n < t->columns; n++)
		sb_cstr(to, "  |");
	sb_char(to, '\n');
	return i;
}

/* A table whose cells hold more than lines: its cells one below the other. */
static void put_cells(const struct import_element *e, const struct table *t, struct sb *to)
{
	for (size_t i = 0; i < t->n; i++)
		sb_printf(to, STR_FMT "\n\n", STR_ARG(importer_markdown(e, t->cell[i].inside)));
	if (t->n > 1)
		importer_note(
		        e, "holds more than lines of text in its cells: now one below the other");
}

bool importer_table(const struct import_element *e, struct sb *to)
{
	struct table t = read_table(e->inside, e->of.arena);
	if (t.caption.n)
		sb_printf(to, STR_FMT "\n\n", STR_ARG(importer_one_line(e, t.caption)));
	if (t.nested || t.n <= 1 || t.columns > MOST_COLUMNS) {
		put_cells(e, &t, to);
		return true;
	}
	size_t i = 0;
	if (t.cell[0].head) {
		i = put_row(e, &t, 0, to);
	} else {
		sb_char(to, '|');
		for (size_t k = 0; k < t.columns; k++)
			sb_cstr(to, "  |");
		sb_char(to, '\n');
	}
	put_rule(to, t.columns);
	while (i < t.n)
		i = put_row(e, &t, i, to);
	return true;
}
