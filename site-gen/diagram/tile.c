#include "site-gen/diagram/tile.h"

#include "lib/array.h"
#include "site-gen/base/html.h"
#include "site-gen/diagram/lanes.h"

enum {
	NAME = 22,   /* above a panel: its name */
	EDGE = 16,   /* above the cells: the numbers of the first and the last column */
	ROWS = 38,   /* left of the cells: the numbers of rows */
	GAP = 28,    /* between panels */
	WIDE = 26,   /* a cell at most */
	HIGH = 24,   /* a cell of a folded row */
	NUMBER = 17, /* a cell at least, for the number of its thread */
	MANY = 64,   /* columns, more than two panels have room for on a phone */
	QUAD = 4,    /* neighbouring lanes of one shade, where a tile has one warp */
	SHOWN = 16,  /* rows that all have a number */
};

/* In the order of the legend. */
enum part { MARKED, WARP, OTHER, OTHER_TOO, SPARE, NOBODY, NPARTS };

static const char *const classes[NPARTS] = {"hot", "use", "tone-0", "tone-1", "waste", "rest"};

struct panel {
	struct canvas *c;
	const struct tile *t;
	const int16_t *thread;
	double x, y, w, h; /* place of the cells, size of one */
};

static enum part part_of(const struct tile *t, const int16_t *thread, int row, int col)
{
	int who = thread[row * t->across + col];
	if (who == TILE_NOBODY)
		return NOBODY;
	if (row >= t->need_rows || col >= t->need_across)
		return SPARE;
	if (who == t->mark)
		return MARKED;
	if (t->threads > LANES && who / LANES == t->mark / LANES)
		return WARP;
	return who / (t->threads > LANES ? LANES : QUAD) % 2 ? OTHER_TOO : OTHER;
}

static bool has(const struct tile *t, enum part part)
{
	for (int i = 0; i < t->n; i++)
		for (int row = 0; row < t->rows; row++)
			for (int col = 0; col < t->across; col++)
				if (part_of(t, t->panel[i].thread, row, col) == part)
					return true;
	return false;
}

/* The end of the cells of a part that begin at `col`; `col` itself if there is none. */
static int end_of(const struct panel *p, enum part part, int row, int col)
{
	while (col < p->t->across && part_of(p->t, p->thread, row, col) == part)
		col++;
	return col;
}

/* Does a row have just these cells of the part? */
static bool same_run(const struct panel *p, enum part part, int row, int col, int end)
{
	return row >= 0 && row < p->t->rows && end_of(p, part, row, col) == end &&
	       (col == 0 || part_of(p->t, p->thread, row, col - 1) != part);
}

/* All cells of a part as one path; equal neighbours are one rectangle. */
static void put_part(const struct panel *p, enum part part)
{
	static const double LEAST = 2.5; /* so that a marked thread shows in any tile */
	html_raw(p->c->to, "<path class=\"");
	html_raw(p->c->to, classes[part]);
	html_raw(p->c->to, "\" d=\"");
	for (int row = 0; row < p->t->rows; row++)
		for (int col = 0, end; col < p->t->across; col = end + (end == col)) {
			end = end_of(p, part, row, col);
			if (end == col || same_run(p, part, row - 1, col, end))
				continue;
			int down = 1;
			while (same_run(p, part, row + down, col, end))
				down++;
			double wide = (end - col) * p->w < LEAST ? LEAST : (end - col) * p->w;
			sb_printf(p->c->to, "M%.4g,%.4gh%.4gv%.4gh-%.4gz", p->x + col * p->w,
			          p->y + row * p->h, wide, down * p->h, wide);
		}
	html_raw(p->c->to, "\"/>\n");
}

/* Lines between cells; between many, only those between rows. */
static void put_grid(const struct panel *p)
{
	static const double ROOM = 6;
	const struct tile *t = p->t;
	double right = p->x + t->across * p->w, bottom = p->y + t->rows * p->h;
	html_raw(p->c->to, "<path class=\"grid\" d=\"");
	for (int row = 1; row < t->rows; row++)
		sb_printf(p->c->to, "M%.4g,%.4gH%.4g", p->x, p->y + row * p->h, right);
	for (int col = 1; col < t->across && p->w >= ROOM; col++)
		sb_printf(p->c->to, "M%.4g,%.4gV%.4g", p->x + col * p->w, p->y, bottom);
	html_raw(p->c->to, "\"/>\n");
}

/* --- numbers ------------------------------------------------------------------------------ */

static const char *decimal(const struct panel *p, int n)
{
	return arena_printf(p->c->a, "%d", n);
}

static bool is_dark(enum part part)
{
	return part == MARKED || part == WARP;
}

static void put_threads(const struct panel *p)
{
	const struct tile *t = p->t;
	for (int row = 0; row < t->rows; row++)
		for (int col = 0; col < t->across; col++) {
			enum part part = part_of(t, p->thread, row, col);
			if (part != NOBODY)
				canvas_text(p->c, is_dark(part) ? "in" : "on",
				            p->x + (col + 0.5) * p->w,
				            p->y + (row + 0.5) * p->h + 4, CANVAS_MIDDLE,
				            decimal(p, p->thread[row * t->across + col]));
		}
}

/* "warp 2" in the first row, where a warp has room for it. */
static void put_warps(const struct panel *p)
{
	const struct tile *t = p->t;
	for (int col = 0, end; col < t->across; col = end) {
		int warp = p->thread[col] / LANES;
		for (end = col; end < t->across && p->thread[end] != TILE_NOBODY &&
		                p->thread[end] / LANES == warp;)
			end++;
		const char *s = arena_printf(p->c->a, "warp %d", warp);
		if ((end - col) * p->w > canvas_text_width(s) + 8)
			canvas_text(p->c, warp == t->mark / LANES ? "in" : "on",
			            p->x + (col + end) * p->w / 2, p->y + p->h / 2 + 4,
			            CANVAS_MIDDLE, s);
		end += end == col;
	}
}

static void put_edges(const struct panel *p)
{
	const struct tile *t = p->t;
	int per_row = t->across * t->vector, every = t->rows > SHOWN ? t->rows - 1 : 1;
	canvas_text(p->c, "", p->x, p->y - 5, CANVAS_LEFT, "0");
	canvas_text(p->c, "", p->x + t->across * p->w, p->y - 5, CANVAS_RIGHT,
	            decimal(p, per_row - 1));
	for (int row = 0; row < t->rows; row += every)
		canvas_text(p->c, "", p->x - 5, p->y + (row + 0.5) * p->h + 4, CANVAS_RIGHT,
		            decimal(p, t->folded ? row * per_row : row));
}

/* --- the drawing -------------------------------------------------------------------------- */

static void put_panel(const struct panel *p, const char *name)
{
	canvas_text(p->c, "head", p->x - ROWS, p->y - EDGE - 6, CANVAS_LEFT,
	            canvas_fit(p->c, name, ROWS + p->t->across * p->w));
	put_edges(p);
	for (int part = NPARTS; part-- > 0;)
		if (has(p->t, (enum part)part))
			put_part(p, (enum part)part);
	put_grid(p);
	if (p->w >= NUMBER && p->h >= NUMBER - 3)
		put_threads(p);
	else if (p->h >= HIGH)
		put_warps(p);
}

/* What the colours mean; returns how many there are. */
static int legend(struct canvas *c, const struct tile *t, const char *class[], const char *words[])
{
	const struct words *w = c->words;
	const char *of[] = {arena_printf(c->a, "%d", t->mark),
	                    arena_printf(c->a, "%d", t->mark / LANES)};
	bool one = t->threads <= LANES;
	const char *says[NPARTS] = {
	        [MARKED] = words_fill(w, c->a, one ? "diagram_tile_lane" : "diagram_tile_thread",
	                              of[0], NULL),
	        [WARP] = words_fill(w, c->a, "diagram_tile_warp", of[1], NULL),
	        [OTHER] = words_get(w, one ? "diagram_tile_lanes" : "diagram_tile_warps"),
	        [SPARE] = words_get(w, "diagram_tile_spare"),
	        [NOBODY] = words_get(w, "diagram_tile_nobody"),
	};
	int n = 0;
	for (int part = 0; part < NPARTS; part++)
		if (says[part] && has(t, (enum part)part)) {
			class[n] = classes[part];
			words[n++] = says[part];
		}
	return n;
}

void tile_draw(struct canvas *c, const struct tile *t, const struct canvas_said *said)
{
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	bool below = c->narrow && (t->across < SHOWN + 1 || t->across > MANY);
	int beside = below ? 1 : t->n, down = below ? t->n : 1;
	double room = (width - (beside - 1) * GAP) / beside, w = (room - ROWS) / t->across;
	w = w > WIDE ? WIDE : w;
	double h = t->across > MANY ? HIGH : w < NUMBER ? w : NUMBER + (w - NUMBER) / 2;
	double high = NAME + EDGE + t->rows * h + 12;
	const char *class[NPARTS], *words[NPARTS];
	int n = legend(c, t, class, words);
	canvas_open(c, down * high + canvas_legend_height(c, 0, words, n), said);
	for (int i = 0; i < t->n; i++) {
		struct panel p = {.c = c, .t = t, .thread = t->panel[i].thread, .w = w, .h = h};
		p.x = ROWS + (i % beside) * (ROWS + t->across * w + GAP);
		p.y = NAME + EDGE + (below ? i * high : 0);
		put_panel(&p, t->panel[i].name);
	}
	canvas_legend(c, 0, down * high, class, words, n);
	canvas_close(c);
}
