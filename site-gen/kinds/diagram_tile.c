/* diagram tile: which thread of a block holds or moves which element of a tile. */
#include <string.h>

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/lanes.h"
#include "site-gen/diagram/tile.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/diagram.h"

enum unit { HELD, SECTORS, BANKS }; /* what an access of a warp is said to touch */

/* What the placeholder says. */
struct call {
	struct index x;
	struct pick pick;
	struct tile tile;
	int64_t cols, steps, bytes; /* elements of a row; bytes of an element */
	int64_t pitch;              /* elements from a row to the next */
	int rows;                   /* node of the pitch; -1: the rows are one row */
	enum unit unit;
	struct str text[TILE_MOST_PANELS];
	int node[TILE_MOST_PANELS];
	const char *has[TILE_MOST_PANELS];    /* the elements of the marked thread, in words */
	struct lanes first[TILE_MOST_PANELS]; /* addresses of warp 0 in the first step */
};

/* --- sizes ---------------------------------------------------------------------------- */

/* tile=32x32: rows and columns */
static bool read_pair(struct kind_call *k, const char *key, struct str s, int64_t *rows,
                      int64_t *cols, struct err *e)
{
	struct str r, c;
	return (str_cut(s, 'x', &r, &c) && str_i64(r, rows) && str_i64(c, cols) && *rows > 0 &&
	        *cols > 0) ||
	       err_at(e, placeholder_loc(k->p, s),
	              "%s='" STR_FMT "', expected rows and columns, as in 32x32", key, STR_ARG(s));
}

static bool read_sizes(struct kind_call *k, struct call *c, struct err *e)
{
	enum { MOST_THREADS = 1024, MOST_VECTOR = 16 };
	struct str tile, need = placeholder_key(k->p, "need");
	int64_t rows, vector = 1, threads = LANES, mark = 0, need_rows, need_cols;
	c->steps = 1;
	if (!diagram_needs(k, "tile", &tile, e) ||
	    !read_pair(k, "tile", tile, &rows, &c->cols, e) ||
	    !diagram_number(k, "vector", 1, MOST_VECTOR, &vector, e) ||
	    !diagram_number(k, "threads", 1, MOST_THREADS, &threads, e) ||
	    !diagram_number(k, "steps", 1, TILE_MOST_CELLS, &c->steps, e) ||
	    !diagram_number(k, "mark", 0, threads - 1, &mark, e))
		return false;
	if (c->cols % vector || rows > TILE_MOST_CELLS || c->cols / vector > TILE_MOST_CELLS / rows)
		return err_at(e, placeholder_loc(k->p, tile),
		              "tile='" STR_FMT "' with vector=%lld, expected whole vectors in a "
		              "row, and at most %d in all",
		              STR_ARG(tile), (long long)vector, TILE_MOST_CELLS);
	need_rows = rows;
	need_cols = c->cols;
	if (need.n && !read_pair(k, "need", need, &need_rows, &need_cols, e))
		return false;
	c->tile = (struct tile){.rows = (int)rows,
	                        .across = (int)(c->cols / vector),
	                        .vector = (int)vector,
	                        .threads = (int)threads,
	                        .mark = (int)mark,
	                        .need_rows = (int)need_rows,
	                        .need_across = (int)(need_cols / vector)};
	return index_bind(&c->x, STR("threads"), threads) &&
	       index_bind(&c->x, STR("vector"), vector);
}

static bool read_unit(struct kind_call *k, enum unit *out, struct err *e)
{
	struct str s = placeholder_key(k->p, "unit");
	*out = str_is(s, "sector") ? SECTORS : str_is(s, "bank") ? BANKS : HELD;
	if (s.p && *out == HELD)
		return err_at(e, placeholder_loc(k->p, s),
		              "unit='" STR_FMT "', expected sector or bank", STR_ARG(s));
	return *out != HELD || !placeholder_key(k->p, "check").n ||
	       err_at(e, k->p->at, "check= needs unit=sector or unit=bank");
}

/* --- who has what --------------------------------------------------------------------- */

/* Writes "8–15", or "(2, 8–15)" where rows have a meaning. */
static void put_elements(const struct call *c, int64_t row, int64_t col, struct sb *to)
{
	int64_t from = c->tile.folded ? row * c->cols + col : col;
	if (!c->tile.folded)
		sb_printf(to, "(%lld, ", (long long)row);
	sb_printf(to, "%lld", (long long)from);
	if (c->tile.vector > 1)
		sb_printf(to, "–%lld", (long long)(from + c->tile.vector - 1));
	if (!c->tile.folded)
		sb_char(to, ')');
}

/* Notes that a thread has the elements from `at` on. */
static bool give(struct kind_call *k, struct call *c, int panel, int thread, int64_t at,
                 struct sb *has, struct err *e)
{
	enum { MOST_SAID = 160 };
	const struct tile *t = &c->tile;
	int64_t row = at / c->pitch, col = at % c->pitch;
	struct loc loc = placeholder_loc(k->p, c->text[panel]);
	if (at < 0 || row >= t->rows || col >= c->cols || col % t->vector)
		return err_at(
		        e, loc, "thread %d has element %lld, which is %s", thread, (long long)at,
		        at >= 0 && row < t->rows && col < c->cols ? "not the first of a vector"
		                                                  : "beyond the tile");
	int16_t *cell = &t->panel[panel].thread[row * t->across + col / t->vector];
	if (*cell != TILE_NOBODY)
		return err_at(e, loc, "element %lld belongs to thread %d and to thread %d",
		              (long long)at, *cell, thread);
	*cell = (int16_t)thread;
	if (thread == t->mark && has->n < MOST_SAID) {
		sb_cstr(has, has->n ? ", " : "");
		put_elements(c, row, col, has);
		if (has->n >= MOST_SAID)
			sb_cstr(has, ", …");
	}
	return true;
}

static bool read_panel(struct kind_call *k, struct call *c, int n, struct err *e)
{
	struct tile *t = &c->tile;
	struct sb has = {0};
	bool ok = true;
	t->panel[n].thread =
	        ARENA_ARRAY(k->ctx->arena, int16_t, (size_t)t->rows * (size_t)t->across);
	for (int i = 0; i < t->rows * t->across; i++)
		t->panel[n].thread[i] = TILE_NOBODY;
	for (int thread = 0; ok && thread < t->threads; thread++)
		for (int64_t step = 0; ok && step < c->steps; step++) {
			struct index_at at = {.lane = thread, .step = step};
			int64_t v = 0;
			ok = index_value(&c->x, c->node[n], at, c->text[n], &v, e) &&
			     give(k, c, n, thread, v, &has, e);
			if (thread < LANES && step == 0)
				c->first[n].at[thread] = v * c->bytes;
		}
	c->has[n] = sb_take(k->ctx->arena, &has);
	return ok;
}

/* index="turn[i][x]; turn[x][i]": a panel for each */
static bool read_panels(struct kind_call *k, struct call *c, struct err *e)
{
	struct str list, one, let = placeholder_key(k->p, "let");
	if (!diagram_needs(k, "index", &list, e) || !diagram_constants_hold(k, &c->pick, let, e))
		return false;
	for (bool more = true; more; c->tile.n++) {
		int n = c->tile.n;
		more = str_cut(list, ';', &one, &list);
		if (n == TILE_MOST_PANELS)
			return err_at(e, placeholder_loc(k->p, one), "more than %d panels",
			              TILE_MOST_PANELS);
		c->text[n] = str_trim(one);
		c->first[n].bytes = (int)(c->bytes * c->tile.vector);
		if (!index_access(&c->x, c->text[n], c->rows, &c->node[n], e) ||
		    !diagram_in_source(k, &c->pick, c->text[n], e) || !read_panel(k, c, n, e))
			return false;
	}
	return true;
}

/* names="written; read": one for each panel, in the words of the page; one needs none */
static bool read_names(struct kind_call *k, struct call *c, struct err *e)
{
	struct str list = placeholder_key(k->p, "names"), one;
	int n = 0;
	for (bool more = list.n > 0; more; n++) {
		more = str_cut(list, ';', &one, &list);
		if (n < c->tile.n)
			c->tile.panel[n].name = str_dup(k->ctx->arena, str_trim(one));
	}
	if (n == c->tile.n)
		return true;
	if (n > 0 || c->tile.n > 1)
		return err_at(e, list.n ? placeholder_loc(k->p, list) : k->p->at,
		              "%d names= for %d panels", n, c->tile.n);
	c->tile.panel[0].name = str_dup(k->ctx->arena, c->text[0]);
	return true;
}

static bool read_call(struct kind_call *k, struct call *c, struct err *e)
{
	struct str let = placeholder_key(k->p, "let"), pitch = placeholder_key(k->p, "pitch");
	if (k->p->nwords != 2)
		return err_at(e, k->p->at, "diagram tile needs one selector");
	if (!diagram_pick(k, k->p->word[1], &c->pick, e))
		return false;
	c->bytes = diagram_bytes_of(c->pick.d->c->dtype);
	diagram_bind_case(&c->x, c->pick.d->c);
	if (!diagram_number(k, "bytes", 1, LANES_MOST_BYTES, &c->bytes, e) || !read_sizes(k, c, e))
		return false;
	if (c->bytes < 1 || c->bytes * c->tile.vector > LANES_MOST_BYTES)
		return err_at(e, k->p->at,
		              "%lld bytes for each thread, expected a bytes= and a vector= of at "
		              "most %d bytes together",
		              (long long)(c->bytes * c->tile.vector), LANES_MOST_BYTES);
	c->x.size = c->bytes;
	c->pitch = c->cols;
	c->rows = -1;
	c->tile.folded = !pitch.n;
	if (let.n && !index_let(&c->x, let, e))
		return false;
	if (pitch.n && (!index_sum(&c->x, pitch, &c->rows, e) ||
	                !index_value(&c->x, c->rows, (struct index_at){0}, pitch, &c->pitch, e)))
		return false;
	if (c->pitch < c->cols)
		return err_at(e, placeholder_loc(k->p, pitch),
		              "a pitch of %lld elements, expected %lld or more",
		              (long long)c->pitch, (long long)c->cols);
	return read_unit(k, &c->unit, e) && read_panels(k, c, e) && read_names(k, c, e);
}

/* --- words ---------------------------------------------------------------------------- */

/* A number of the first access of warp 0 in a panel, as markup. */
static bool fact(struct kind_call *k, const struct call *c, int n, const char *what, int value,
                 const char **out, struct err *e)
{
	struct sb key = {0};
	sb_printf(&key, "drawn %s %d (", what, c->first[n].bytes);
	bool ok = index_closed(&c->x, c->node[n], "0", "0", &key, e);
	sb_printf(&key, "*%lld)", (long long)c->bytes);
	*out = diagram_fact(k, sb_take(k->ctx->arena, &key), value, "");
	return ok;
}

/* Says what the first access of warp 0 costs; adds its conflicts to *conflicts. */
static bool say_access(struct kind_call *k, const struct call *c, int n, struct diagram *d,
                       struct sb *desc, int *touched, struct err *e)
{
	struct arena *a = k->ctx->arena;
	struct lanes_global g;
	struct lanes_shared s;
	const char *html[2] = {NULL};
	if (c->unit == HELD)
		return true;
	lanes_global(&c->first[n], &g);
	lanes_shared(&c->first[n], &s);
	bool sectors = c->unit == SECTORS;
	const char *word = sectors ? "diagram_tile_sectors" : "diagram_tile_passes";
	*touched += sectors ? g.nsectors : s.passes - s.least;
	if (!fact(k, c, n, sectors ? "sectors" : "passes", sectors ? g.nsectors : s.passes,
	          &html[0], e) ||
	    (!sectors && !fact(k, c, n, "least", s.least, &html[1], e)))
		return false;
	const char *text[] = {arena_printf(a, "%d", sectors ? g.nsectors : s.passes),
	                      arena_printf(a, "%d", s.least)};
	html_raw(&d->foot, words_fill(k->ctx->words, a, word, html[0], html[1]));
	sb_cstr(desc, words_fill(k->ctx->words, a, word, text[0], text[1]));
	return true;
}

static bool say(struct kind_call *k, const struct call *c, struct diagram *d, struct err *e)
{
	const struct words *w = k->ctx->words;
	struct arena *a = k->ctx->arena;
	struct sb desc = {0};
	const char *counted = "";
	int touched = 0;
	bool check = placeholder_key(k->p, "check").n > 0;
	const char *word = c->tile.threads > LANES ? "diagram_tile_thread" : "diagram_tile_lane";
	const char *who = words_fill(w, a, word, arena_printf(a, "%d", c->tile.mark), NULL);
	html_raw(&d->foot, "<p class=\"diagram-facts\">");
	for (int n = 0; n < c->tile.n; n++) {
		const char *with[] = {c->tile.panel[n].name, who, c->has[n]};
		const char *s = words_fill_all(w, a, "diagram_tile_says", with, ARRAY_LEN(with));
		html_text(&d->foot, str_of(s));
		sb_cstr(&desc, s);
		if (!say_access(k, c, n, d, &desc, &touched, e)) {
			sb_free(&desc);
			return false;
		}
	}
	d->desc = sb_take(a, &desc);
	if (check && !(c->unit == BANKS ? diagram_check_banks(k, &c->pick, touched, &counted, e)
	                                : diagram_check_sectors(k, &c->pick, touched, &counted, e)))
		return false;
	html_raw(&d->foot, counted);
	html_raw(&d->foot, "</p>\n");
	return true;
}

/* --- the kind ------------------------------------------------------------------------- */

static void draw(struct canvas *canvas, const struct canvas_said *said, const void *facts)
{
	tile_draw(canvas, facts, said);
}

bool diagram_tile(struct kind_call *k, struct diagram *d, struct err *e)
{
	struct call *c = ARENA_NEW(k->ctx->arena, struct call);
	c->x.p = k->p;
	if (!read_call(k, c, e))
		return false;
	number_use(k->ctx, &c->pick);
	d->about = block_caption(k, &c->pick, 1, words_get(k->ctx->words, "diagram_tile_who"));
	d->draw = draw;
	d->facts = &c->tile;
	return say(k, c, d, e);
}
