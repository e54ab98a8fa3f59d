/*
 * Prints tables. `{sort}` after a table's title makes it one that readers can sort:
 *
 *   table.sorts > thead > th > span.sort    static/sort.js makes a button of it
 *     tbody > td[data-sort]                 the cell's value in SI units, by which it sorts
 */
#include "site-gen/markdown/inner.h"

#include <string.h>

#include "lib/units.h"
#include "site-gen/base/html.h"
#include "site-gen/numbers/number.h"

static const char sort_mark[] = "{sort}";

static bool is_type(cmark_node *n, const char *name)
{
	return n && strcmp(cmark_node_get_type_string(n), name) == 0;
}

/* --- titles ---------------------------------------------------------------- */

/* title -> strong [ '{' word '}' ]. The text after `strong`, or NULL: none; false: no title. */
static bool read_title(cmark_node *paragraph, cmark_node **after)
{
	cmark_node *strong = cmark_node_first_child(paragraph);
	*after = strong ? cmark_node_next(strong) : NULL;
	if (!strong || cmark_node_get_type(strong) != CMARK_NODE_STRONG)
		return false;
	if (!*after)
		return true;
	struct str text = str_trim(md_literal(*after));
	return !cmark_node_next(*after) && cmark_node_get_type(*after) == CMARK_NODE_TEXT &&
	       str_starts(text, "{") && str_find(text, '}', 0) == text.n - 1;
}

bool md_table_title(struct md_render *r, cmark_node *paragraph, bool *is_title)
{
	cmark_node *mark;
	bool titled = read_title(paragraph, &mark);
	*is_title = titled && is_type(cmark_node_next(paragraph), "table");
	if (!titled || !mark)
		return true;
	struct str text = str_trim(md_literal(mark));
	struct loc at = md_node_loc(&r->source, mark);
	at.col += (int)(text.p - md_literal(mark).p);
	if (*is_title && !str_is(text, sort_mark))
		return err_at(r->e, at, "'" STR_FMT "' after the title of a table, expected %s",
		              STR_ARG(text), sort_mark);
	if (!*is_title && str_is(text, sort_mark))
		return err_at(r->e, at, "'%s' sorts a table, expected one right after its title",
		              sort_mark);
	if (*is_title && r->ctx->ndevices > 1)
		return err_at(r->e, at,
		              "'%s' on a page over several devices, where a cell has a number "
		              "for each; expected <<bench:table … sort=yes>>, which makes a table "
		              "for each device",
		              sort_mark);
	if (*is_title) {
		r->trimmed = mark;
		r->trimmed_to = 0;
	}
	return true;
}

/* Does its title make the table one that can be sorted? */
static bool can_be_sorted(cmark_node *table)
{
	cmark_node *title = cmark_node_previous(table), *mark;
	return title && cmark_node_get_type(title) == CMARK_NODE_PARAGRAPH &&
	       read_title(title, &mark) && mark;
}

/* --- the table ------------------------------------------------------------- */

static struct md_table *table_named(const struct md_render *r, const char *name)
{
	for (size_t i = 0; i < r->ntables; i++)
		if (strcmp(r->tables[i].name, name) == 0)
			return &r->tables[i];
	return NULL;
}

/*
 * A unique name, for readers who navigate regions by name. Of tables with the same heads, those
 * after the first append the heading above them, or a count.
 */
static const char *own_table_name(struct md_render *r, const char *name)
{
	const struct md_doc *d = r->out;
	const struct words *w = r->ctx->words;
	struct md_table *same = table_named(r, name);
	const char *own = name;
	if (same && d->nheadings) {
		name = own = words_fill(w, r->arena, "table_under", name,
		                        d->headings[d->nheadings - 1].text);
		same = table_named(r, own);
	}
	while (same && table_named(r, own))
		own = words_fill(w, r->arena, "table_under", name,
		                 arena_printf(r->arena, "%d", ++same->n));
	r->tables = arena_grow(r->arena, r->tables, r->ntables, &r->tables_cap, sizeof *same);
	r->tables[r->ntables++] = (struct md_table){own, 1};
	return own;
}

/* Prints the heads of the columns as the name of the scrolling region. */
static bool print_table_name(struct md_render *r, cmark_node *table)
{
	cmark_node *head = cmark_node_first_child(table);
	sb_clear(&r->scratch);
	for (cmark_node *c = head ? cmark_node_first_child(head) : NULL; c;
	     c = cmark_node_next(c)) {
		size_t before = r->scratch.n;
		if (!md_text_block(r, c, MD_TEXT_HEAD, &r->measured[r->column++]))
			return false;
		if (!md_plain_node(r, c, MD_PLAIN, &r->scratch))
			return false;
		if (r->scratch.n > before && cmark_node_next(c))
			sb_cstr(&r->scratch, ", ");
	}
	const struct words *w = r->ctx->words;
	const char *name = r->scratch.n ? words_fill(w, r->arena, "table_of", r->scratch.p, NULL)
	                                : words_get(w, "table");
	html_attr(&r->html, str_of(own_table_name(r, name)));
	return true;
}

static bool print_table(struct md_render *r, cmark_node *n, bool enter)
{
	if (!enter) {
		html_raw(&r->html, r->table_body ? "</tbody></table></div>\n" : "</table></div>\n");
		number_say_common(r->ctx->words,
		                  number_common_state(r->ctx->quotes, r->table_quotes), &r->html);
		return true;
	}
	r->aligns = cmark_gfm_extensions_get_table_alignments(n);
	r->table_body = false;
	r->table_sorts = can_be_sorted(n);
	r->table_quotes = r->ctx->quotes;
	r->measured = ARENA_ARRAY(r->arena, bool, cmark_gfm_extensions_get_table_columns(n) + 1u);
	r->column = 0;
	html_raw(&r->html, "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"");
	if (!print_table_name(r, n))
		return false;
	html_raw(&r->html, r->table_sorts ? "\"><table class=\"sorts\">\n" : "\"><table>\n");
	return true;
}

static bool print_row(struct md_render *r, cmark_node *n, bool enter)
{
	bool head = cmark_gfm_extensions_get_table_row_is_header(n);
	r->column = 0;
	r->table_head = head;
	if (!enter) {
		html_raw(&r->html, head ? "</tr></thead>\n" : "</tr>\n");
	} else if (head) {
		html_raw(&r->html, "<thead><tr>");
	} else {
		html_raw(&r->html, r->table_body ? "<tr>" : "<tbody>\n<tr>");
		r->table_body = true;
	}
	return true;
}

/* Reads a cell. A number alone counts as a measurement if the head of its column or row says so. */
static bool read_cell(struct md_render *r, cmark_node *n)
{
	bool first = r->column == 0, head = false;
	bool measured = r->measured[r->column] || (!first && r->row_measured);
	int how = (measured ? MD_TEXT_MEASURED : 0) | (first ? MD_TEXT_HEAD : 0);
	if (!md_text_block(r, n, how, &head))
		return false;
	if (first)
		r->row_measured = head;
	return true;
}

/* --- what a table sorts by -------------------------------------------------- */

static bool is_before(struct loc a, struct loc b)
{
	return a.line < b.line || (a.line == b.line && a.col < b.col);
}

/* The value of the cell's first number, or of its text if that is a number alone. */
static bool cell_value(const struct md_render *r, cmark_node *cell, double *out)
{
	const struct quote *first = NULL;
	const struct fact *fact = NULL;
	for (const struct quote *q = r->ctx->quotes; q != r->cell_quotes; q = q->next)
		first = q;
	for (const struct fact *f = r->ctx->facts; f != r->cell_facts; f = f->next)
		fact = f;
	if (first && (!fact || is_before(first->at, fact->at))) {
		*out = first->n.value;
		return true;
	}
	if (fact) {
		*out = fact->value;
		return true;
	}
	cmark_node *text = cmark_node_first_child(cell);
	int64_t size;
	if (!text || cmark_node_next(text) || cmark_node_get_type(text) != CMARK_NODE_TEXT)
		return false;
	struct str typed = str_trim(md_literal(text));
	if (str_f64(typed, out))
		return true;
	if (!unit_parse_size(typed, &size))
		return false;
	*out = (double)size;
	return true;
}

/* Puts `before` and `after` around what was written since the cell began. */
static void put_around(struct md_render *r, const char *before, const char *after)
{
	struct str inside = str_sub(sb_view(&r->html), r->cell_at, r->html.n);
	inside.p = str_dup(r->arena, inside);
	r->html.n = r->cell_at;
	sb_cstr(&r->html, before);
	sb_str(&r->html, inside);
	sb_cstr(&r->html, after);
}

/* A head with a link stays a text: a link cannot stand in a button. */
static void close_sorted(struct md_render *r, cmark_node *n, bool head)
{
	struct str inside = str_sub(sb_view(&r->html), r->cell_at, r->html.n);
	double value;
	if (head && !memmem(inside.p, inside.n, "<a ", 3))
		put_around(r, "<span class=\"sort\">", "</span>");
	else if (!r->table_head && cell_value(r, n, &value))
		put_around(r, arena_printf(r->arena, " data-sort=\"%.6g\"", value), "");
}

static bool print_cell(struct md_render *r, cmark_node *n, bool enter)
{
	/* an empty head is an ordinary cell */
	bool head = r->table_head && cmark_node_first_child(n);
	r->in_word = false;
	if (!enter) {
		if (r->table_sorts)
			close_sorted(r, n, head);
		html_raw(&r->html, head ? "</th>" : "</td>");
		return true;
	}
	r->cell_quotes = r->ctx->quotes;
	r->cell_facts = r->ctx->facts;
	if (!r->table_head && !read_cell(r, n))
		return false;
	char align = (char)r->aligns[r->column++];
	html_raw(&r->html, head ? "<th scope=\"col\"" : "<td");
	if (align)
		sb_printf(&r->html, " class=\"%c\"", align);
	r->cell_at = r->html.n + head; /* a head's words, or a cell's attributes */
	sb_char(&r->html, '>');
	return true;
}

bool md_print_table(struct md_render *r, cmark_node *n, bool enter)
{
	if (is_type(n, "table_row") || is_type(n, "table_header"))
		return print_row(r, n, enter);
	return is_type(n, "table_cell") ? print_cell(r, n, enter) : print_table(r, n, enter);
}

bool md_is_table(cmark_node *n)
{
	return str_starts(str_of(cmark_node_get_type_string(n)), "table");
}
