/* diagram swizzle: a tile in shared memory under several layouts, and its banks. */
#include <math.h>
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/banks.h"
#include "site-gen/kinds/diagram.h"
#include "site-gen/kinds/tables.h"
#include "site-gen/numbers/counters.h"

/* What the placeholder says. */
struct call {
	struct index x;
	struct banks banks;
	struct str expr[BANKS_MOST_LAYOUTS], of[BANKS_MOST_LAYOUTS]; /* of: a selector, or "" */
	int node[BANKS_MOST_LAYOUTS];
	const char *counted[BANKS_MOST_LAYOUTS]; /* markup; NULL: nothing was counted */
	bool any_counted;
};

/* tile=32x32 */
static bool read_tile(struct kind_call *k, struct banks *b, struct err *e)
{
	struct str s, rows, cols;
	int64_t r = 0, c = 0;
	if (!diagram_needs(k, "tile", &s, e))
		return false;
	if (!str_cut(s, 'x', &rows, &cols) || !str_i64(rows, &r) || !str_i64(cols, &c) || r < 1 ||
	    c < 1 || r > BANKS_MOST_SIDE || c > BANKS_MOST_SIDE)
		return err_at(e, placeholder_loc(k->p, s),
		              "tile='" STR_FMT "', expected rows and columns up to %d, as in 32x32",
		              STR_ARG(s), BANKS_MOST_SIDE);
	b->rows = (int)r;
	b->cols = (int)c;
	return true;
}

/* The lanes that read column 0 (`down`) or write row 0; those beyond the tile begin it again. */
static struct lanes warp_of(const struct banks *b, const struct banks_layout *l, bool down)
{
	struct lanes w = {.bytes = b->bytes};
	for (int i = 0; i < LANES; i++)
		w.at[i] = down ? l->at[i % b->rows][0] : l->at[0][i % b->cols];
	return w;
}

/* Fills in the addresses of a layout. Two elements in one place are an error. */
static bool place(struct kind_call *k, struct call *c, int n, struct err *e)
{
	struct banks *b = &c->banks;
	struct banks_layout *l = &b->layout[n];
	enum { MOST = 4 * BANKS_MOST_SIDE * BANKS_MOST_SIDE };
	bool *taken = ARENA_ARRAY(k->ctx->arena, bool, MOST);
	for (int r = 0; r < b->rows; r++)
		for (int col = 0; col < b->cols; col++) {
			int64_t v;
			struct index_at at = {.row = r, .col = col};
			if (!index_value(&c->x, c->node[n], at, c->expr[n], &v, e))
				return false;
			if (v < 0 || v >= MOST || taken[v])
				return err_at(e, placeholder_loc(k->p, c->expr[n]),
				              "element (%d, %d) is at place %lld, %s", r, col,
				              (long long)v,
				              v < 0 || v >= MOST ? "which is beyond the tile"
				                                 : "where another is already");
			taken[v] = true;
			l->at[r][col] = v * b->bytes;
		}
	struct lanes w = warp_of(b, l, true);
	lanes_shared(&w, &l->column);
	w = warp_of(b, l, false);
	lanes_shared(&w, &l->row);
	return true;
}

/* names="plain; padded": one for each layout, in the words of the page */
static bool read_names(struct kind_call *k, struct call *c, struct err *e)
{
	struct str list, one;
	int n = 0;
	if (!diagram_needs(k, "names", &list, e))
		return false;
	for (bool more = true; more; n++) {
		more = str_cut(list, ';', &one, &list);
		if (n < c->banks.n)
			c->banks.layout[n].name = str_dup(k->ctx->arena, str_trim(one));
	}
	return n == c->banks.n || err_at(e, placeholder_loc(k->p, placeholder_key(k->p, "names")),
	                                 "%d names for %d layouts", n, c->banks.n);
}

/* layouts="row * 32 + col; row * 33 + col": the place of an element, in elements */
static bool read_layouts(struct kind_call *k, struct call *c, struct err *e)
{
	struct str list;
	if (!diagram_needs(k, "layouts", &list, e))
		return false;
	for (bool more = true; more;) {
		int n = c->banks.n;
		if (n == BANKS_MOST_LAYOUTS)
			return err_at(e, placeholder_loc(k->p, list), "more than %d layouts",
			              BANKS_MOST_LAYOUTS);
		more = str_cut(list, ';', &c->expr[n], &list);
		if (!index_sum(&c->x, c->expr[n], &c->node[n], e) || !place(k, c, n, e))
			return false;
		c->banks.n++;
	}
	return true;
}

/* --- the counters ----------------------------------------------------------------------- */

/* Holds a layout against the conflicts that were counted in its case. */
static bool check(struct kind_call *k, struct call *c, int n, struct str per, struct err *e)
{
	const struct banks_layout *l = &c->banks.layout[n];
	const struct counter_info *all = counter_find(STR("shared_bank_conflicts"));
	const struct counter_info *one = counter_find(per);
	int conflicts = l->column.passes - l->column.least + l->row.passes - l->row.least;
	struct loc at = placeholder_loc(k->p, c->of[n]);
	struct counters of;
	struct pick p;
	double v, accesses;
	struct sb html = {0};
	if (!one)
		return err_at(e, placeholder_loc(k->p, per), "no counter '" STR_FMT "'",
		              STR_ARG(per));
	if (!diagram_pick(k, c->of[n], &p, e))
		return false;
	if (!counters_of(k->ctx->data, p.run->run.head.device, p.d->c->id, &of) ||
	    !counter_value(&of, all, &v) || !counter_value(&of, one, &accesses))
		return err_at(e, at, "no counters %s and %s of %s", all->name, one->name,
		              p.d->c->id);
	if (!(accesses > 0) || !(fabs(v / accesses - conflicts) < 1))
		return rule_err(
		        e, RULE_DRAWN, at,
		        "the drawing says %d conflicts for a column and a row, but %s over %s "
		        "of %s is %.2f",
		        conflicts, all->name, one->name, p.d->c->id, v / accesses);
	counters_hold(&of, k->ctx->data);
	number_use(k->ctx, &p);
	counter_link(k->ctx, &of, all, v, &html);
	c->counted[n] = sb_take(k->ctx->arena, &html);
	c->any_counted = true;
	return true;
}

/* of="transpose/tile; transpose/padded": cases of the layouts, in their order; "" for none. */
static bool read_of(struct kind_call *k, struct call *c, struct err *e)
{
	struct str list = placeholder_key(k->p, "of"), per, one;
	int n = 0;
	if (!list.p)
		return true;
	if (!diagram_needs(k, "per", &per, e))
		return false;
	for (bool more = true; more; n++) {
		more = str_cut(list, ';', &one, &list);
		if (n == c->banks.n)
			return err_at(e, placeholder_loc(k->p, one), "more cases than layouts");
		c->of[n] = str_trim(one);
		if (c->of[n].n && !check(k, c, n, per, e))
			return false;
	}
	return true;
}

/* --- words ------------------------------------------------------------------------------- */

/* The number of passes as markup. */
static bool fact(struct kind_call *k, const struct call *c, int n, bool down, const char **out,
                 struct err *e)
{
	struct sb key = {0};
	const struct banks_layout *l = &c->banks.layout[n];
	const struct lanes_shared *s = down ? &l->column : &l->row;
	/* the lanes of warp_of() */
	const char *row = down ? arena_printf(k->ctx->arena, "(lane%%%d)", c->banks.rows) : "0";
	const char *col = down ? "0" : arena_printf(k->ctx->arena, "(lane%%%d)", c->banks.cols);
	sb_printf(&key, "drawn passes %d (", c->banks.bytes);
	bool ok = index_closed(&c->x, c->node[n], row, col, &key, e);
	sb_printf(&key, "*%d)", c->banks.bytes);
	*out = diagram_fact(k, sb_take(k->ctx->arena, &key), s->passes, "");
	return ok;
}

static void cell(struct kind_call *k, struct diagram *d, const char *word, const char *html)
{
	table_cell(&d->foot, "right", words_get(k->ctx->words, word));
	html_raw(&d->foot, html ? html : "–");
	html_raw(&d->foot, "</td>");
}

static bool say(struct kind_call *k, const struct call *c, struct diagram *d, struct err *e)
{
	const char *down, *across;
	static const char *const heads[] = {"diagram_layout", "diagram_column_passes",
	                                    "diagram_row_passes", "diagram_conflicts_counted"};
	const struct words *w = k->ctx->words;
	size_t shown = ARRAY_LEN(heads) - !c->any_counted;
	table_open(&d->foot, "labelled stack diagram-facts");
	html_raw(&d->foot, "<thead><tr>");
	for (size_t i = 0; i < shown; i++) {
		html_raw(&d->foot, i ? "<th scope=\"col\" class=\"right\">" : "<th scope=\"col\">");
		html_text(&d->foot, str_of(words_get(w, heads[i])));
		html_raw(&d->foot, "</th>");
	}
	html_raw(&d->foot, "</tr></thead><tbody>\n");
	for (int n = 0; n < c->banks.n; n++) {
		if (!fact(k, c, n, true, &down, e) || !fact(k, c, n, false, &across, e))
			return false;
		html_raw(&d->foot, "<tr><th scope=\"row\">");
		html_text(&d->foot, str_of(c->banks.layout[n].name));
		html_raw(&d->foot, " <code>");
		html_text(&d->foot, str_trim(c->expr[n]));
		html_raw(&d->foot, "</code></th>");
		cell(k, d, heads[1], down);
		cell(k, d, heads[2], across);
		if (c->any_counted)
			cell(k, d, heads[3], c->counted[n]);
		html_raw(&d->foot, "</tr>\n");
	}
	html_raw(&d->foot, "</tbody>");
	table_close(&d->foot);
	return true;
}

/* "plain: 32 passes for a column, 1 for a row; …" */
static const char *describe(struct kind_call *k, const struct banks *b)
{
	struct sb text = {0};
	struct arena *a = k->ctx->arena;
	const struct words *w = k->ctx->words;
	for (int n = 0; n < b->n; n++) {
		const struct banks_layout *l = &b->layout[n];
		const char *with[] = {l->name, arena_printf(a, "%d", l->column.passes),
		                      arena_printf(a, "%d", l->row.passes)};
		sb_printf(&text, "%s%s", n ? words_get(w, "semicolon") : "",
		          words_fill_all(w, a, "diagram_layout_says", with, ARRAY_LEN(with)));
	}
	sb_cstr(&text, words_get(w, "stop"));
	return sb_take(a, &text);
}

/* --- the drawing ------------------------------------------------------------------------- */

static void draw(struct canvas *canvas, const struct canvas_said *said, const void *facts)
{
	banks_draw(canvas, facts, said);
}

bool diagram_swizzle(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct call *c = ARENA_NEW(a, struct call);
	struct str let = placeholder_key(k->p, "let");
	int64_t bytes = LANES_WORD;
	c->x.p = k->p;
	c->banks.layout = ARENA_ARRAY(a, struct banks_layout, BANKS_MOST_LAYOUTS);
	if (!diagram_number(k, "bytes", 1, LANES_MOST_BYTES, &bytes, e))
		return false;
	if (bytes & (bytes - 1))
		return err_at(e, k->p->at, "bytes= has to be 1, 2, 4, 8 or 16");
	c->x.size = c->banks.bytes = (int)bytes;
	if (!read_tile(k, &c->banks, e) || (let.n && !index_let(&c->x, let, e)) ||
	    !read_layouts(k, c, e) || !read_names(k, c, e) || !read_of(k, c, e))
		return false;
	struct sb about = {0};
	const char *with[] = {arena_printf(a, "%d", c->banks.rows),
	                      arena_printf(a, "%d", c->banks.cols),
	                      arena_printf(a, "%d", c->banks.bytes)};
	html_text(&about, str_of(words_fill_all(k->ctx->words, a, "diagram_tile_about", with,
	                                        ARRAY_LEN(with))));
	d->about = sb_take(a, &about);
	d->draw = draw;
	d->facts = &c->banks;
	d->desc = describe(k, &c->banks);
	return say(k, c, d, e);
}
