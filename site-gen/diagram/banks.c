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

static double x_of(const struct panel *p, int64_t address)
{
	int64_t in_line = address % (LANES_BANKS * LANES_WORD);
	return p->x + (double)in_line / LANES_WORD * p->cell;
}

static double y_of(const struct panel *p, int64_t address)
{
	return p->y + (double)(address / (LANES_BANKS * LANES_WORD)) * p->cell;
}

/* Every second group of columns as one path: it shows where a column goes from row to row. */
static void put_groups(const struct panel *p)
{
	double wide = p->cell * p->b->bytes / LANES_WORD;
	html_raw(p->c->to, "<path class=\"tone-0\" d=\"");
	for (int r = 0; r < p->b->rows; r++)
		for (int k = 0; k < p->b->cols; k++) {
			if (k / GROUP % 2 == 0)
				continue;
			sb_printf(p->c->to, "M%.4g,%.4gh%.3gv%.3gh-%.3gz", x_of(p, p->l->at[r][k]),
			          y_of(p, p->l->at[r][k]), wide, p->cell, wide);
		}
	html_raw(p->c->to, "\"/>\n");
}

static void put_element(const struct panel *p, const char *class, int64_t address)
{
	double wide = p->cell * p->b->bytes / LANES_WORD;
	canvas_rect(p->c, class, x_of(p, address) + 0.4, y_of(p, address) + 0.4, wide - 0.8,
	            p->cell - 0.8, 1);
}

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
	const struct banks *b = p->b;
	double width = LANES_BANKS * p->cell, bottom = p->bottom;
	const char *name = canvas_fit(p->c, p->l->name, width);
	const char *across = words_get(p->c->words, "diagram_banks_across");
	canvas_text(p->c, "head", p->x, p->y - 8, CANVAS_LEFT, name);
	if (1.1 * canvas_text_width(name) + canvas_text_width(across) < width - GAP)
		canvas_text(p->c, "", p->x + width, p->y - 8, CANVAS_RIGHT, across);
	canvas_rect(p->c, "rest", p->x, p->y, width, p->lines * p->cell, 0);
	put_groups(p);
	for (int k = 0; k < b->cols && k < LANES; k++)
		put_element(p, "use", p->l->at[0][k]);
	for (int r = 0; r < b->rows && r < LANES; r++)
		put_element(p, "hot", p->l->at[r][0]);
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
