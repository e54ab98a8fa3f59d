#include "site-gen/diagram/banks.h"

#include "site-gen/base/html.h"

enum {
	NAMES = 22, /* above a panel: its name and the axis of banks */
	SAYS = 40,  /* below it: two lines */
	GAP = 24,
	GROUP = 4, /* neighbouring columns of one shade */
};

struct panel {
	struct canvas *c;
	const struct banks *b;
	const struct banks_layout *l;
	double x, y, cell;
	int lines;     /* rows of 32 banks that the tile takes */
	double bottom; /* of all panels beside it */
};

/* Rows of 32 banks that hold the tile. */
static int lines_of(const struct banks *b, const struct banks_layout *l)
{
	int64_t last = 0;
	for (int r = 0; r < b->rows; r++)
		for (int k = 0; k < b->cols; k++)
			last = l->at[r][k] + b->bytes > last ? l->at[r][k] + b->bytes : last;
	return (int)((last + LANES_BANKS * LANES_WORD - 1) / (LANES_BANKS * LANES_WORD));
}

/* --- elements ------------------------------------------------------------------------------ */

enum { MOST_PLACES = 4 * BANKS_MOST_SIDE * BANKS_MOST_SIDE };

/* Which places of the layout, in elements, are to have a colour. */
struct places {
	bool has[MOST_PLACES];
};

static int places_of_line(const struct panel *p)
{
	return LANES_BANKS * LANES_WORD / p->b->bytes;
}

static void mark(const struct panel *p, struct places *m, int row, int col)
{
	m->has[p->l->at[row][col] / p->b->bytes] = true;
}

/* Begins a path whose unit is an element: the same for both widths of a drawing. */
static void open_path(const struct panel *p, const char *class)
{
	html_raw(p->c->to, "<path class=\"");
	html_raw(p->c->to, class);
	sb_printf(p->c->to, "\" transform=\"translate(%.4g,%.4g) scale(%.4g,%.4g)\" d=\"", p->x,
	          p->y, p->cell * p->b->bytes / LANES_WORD, p->cell);
}

/* Does line `y` have just this run of marked places? */
static bool same_run(const struct places *m, int line, int y, int from, int to)
{
	for (int i = from; i < to; i++)
		if (!m->has[y * line + i])
			return false;
	return (from == 0 || !m->has[y * line + from - 1]) &&
	       (to == line || !m->has[y * line + to]);
}

/* All marked places; equal neighbours are one rectangle. */
static void put_area(const struct panel *p, const char *class, const struct places *m)
{
	int line = places_of_line(p);
	open_path(p, class);
	for (int y = 0; y < p->lines; y++)
		for (int from = 0, to; from < line; from = to + (to == from)) {
			for (to = from; to < line && m->has[y * line + to];)
				to++;
			if (to == from || (y > 0 && same_run(m, line, y - 1, from, to)))
				continue;
			int down = 1;
			while (y + down < p->lines && same_run(m, line, y + down, from, to))
				down++;
			sb_printf(p->c->to, "M%d %dh%dv%dh-%dz", from, y, to - from, down,
			          to - from);
		}
	html_raw(p->c->to, "\"/>\n");
}

/* All marked places one by one. */
static void put_single(const struct panel *p, const char *class, const struct places *m)
{
	int line = places_of_line(p);
	open_path(p, class);
	for (int i = 0; i < p->lines * line; i++)
		if (m->has[i])
			sb_printf(p->c->to, "M%d.05 %d.05h.9v.9h-.9z", i % line, i / line);
	html_raw(p->c->to, "\"/>\n");
}

static void put_elements(const struct panel *p)
{
	const struct banks *b = p->b;
	struct places *groups = ARENA_NEW(p->c->a, struct places);
	struct places *row = ARENA_NEW(p->c->a, struct places);
	struct places *column = ARENA_NEW(p->c->a, struct places);
	for (int r = 0; r < b->rows; r++)
		for (int k = 0; k < b->cols; k++)
			if (k / GROUP % 2)
				mark(p, groups, r, k);
	for (int k = 1; k < b->cols && k < LANES; k++)
		mark(p, row, 0, k);
	for (int r = 0; r < b->rows && r < LANES; r++)
		mark(p, column, r, 0);
	put_area(p, "tone-0", groups);
	put_single(p, "use", row);
	put_single(p, "hot", column);
}

/* --- panels -------------------------------------------------------------------------------- */

static void put_says(const struct panel *p, double y, const char *word,
                     const struct lanes_shared *s)
{
	struct arena *a = p->c->a;
	bool good = s->passes == s->least;
	const char *passes = arena_printf(a, "%d", s->passes);
	canvas_text(p->c, good ? "" : "bad", p->x, y, CANVAS_LEFT,
	            words_fill(p->c->words, a, word, passes, NULL));
}

static void put_panel(const struct panel *p)
{
	double width = LANES_BANKS * p->cell, bottom = p->bottom;
	const char *name = canvas_fit(p->c, p->l->name, width);
	const char *across = words_get(p->c->words, "diagram_banks_across");
	canvas_text(p->c, "head", p->x, p->y - 8, CANVAS_LEFT, name);
	if (1.1 * canvas_text_width(name) + canvas_text_width(across) < width - GAP)
		canvas_text(p->c, "", p->x + width, p->y - 8, CANVAS_RIGHT, across);
	canvas_rect(p->c, "rest", p->x, p->y, width, p->lines * p->cell, 0);
	put_elements(p);
	put_says(p, bottom + 17, "diagram_column_read", &p->l->column);
	put_says(p, bottom + 17 + CANVAS_LINE, "diagram_row_written", &p->l->row);
}

void banks_draw(struct canvas *c, const struct banks *b, const struct canvas_said *said)
{
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	int across = c->narrow && b->n > 2 ? 2 : b->n, down = (b->n + across - 1) / across;
	double room = (width - (across - 1) * GAP) / across;
	double most = 260, cell = (room < most ? room : most) / LANES_BANKS;
	int lines = 0;
	for (int i = 0; i < b->n; i++)
		lines = lines_of(b, &b->layout[i]) > lines ? lines_of(b, &b->layout[i]) : lines;
	double high = NAMES + lines * cell + SAYS + (down > 1 ? 16 : 0);
	static const char *const classes[] = {"hot", "use", "tone-0"};
	const char *words[] = {words_get(c->words, "diagram_column"),
	                       words_get(c->words, "diagram_row"),
	                       words_get(c->words, "diagram_groups")};
	canvas_open(c, down * high + 4 + canvas_legend_height(c, 0, words, 3), said);
	canvas_legend(c, 0, down * high + 4, classes, words, 3);
	for (int i = 0; i < b->n; i++) {
		struct panel p = {.c = c, .b = b, .l = &b->layout[i], .cell = cell};
		p.x = i % across * (room + GAP);
		p.y = i / across * high + NAMES;
		p.lines = lines_of(b, p.l);
		p.bottom = p.y + lines * cell;
		put_panel(&p);
	}
	canvas_close(c);
}
