#include "site-gen/diagram/access.h"

#include <math.h>

enum {
	LABELS = 64, /* units for the names at the left, on wide pages */
	CELL = 20,   /* height of a lane and of a word */
	BASE = 14,   /* from the top of a cell to the base of its text */
	CURVES = 42, /* height for the lines from lanes to words */
	WORDS_OF_LINE = LANES_LINE / LANES_WORD,
	WORDS_OF_SECTOR = LANES_SECTOR / LANES_WORD,
	SECTORS_OF_LINE = LANES_LINE / LANES_SECTOR,
};

/* A drawing that is being made. */
struct access {
	struct canvas *c;
	const struct lanes *l;
	struct lanes_global g;
	bool whole_lines; /* lines are what is moved */
	double left, cell;
};

static const char *decimal(const struct access *v, int64_t n)
{
	return arena_printf(v->c->a, "%lld", (long long)n);
}

static bool is_among(const int64_t *v, int n, int64_t one)
{
	for (int i = 0; i < n; i++)
		if (v[i] == one)
			return true;
	return false;
}

static bool sector_moves(const struct access *v, int64_t sector)
{
	return v->whole_lines || is_among(v->g.sector, v->g.nsectors, sector);
}

/* Does a lane want every word of the sector? */
static bool all_wanted(const struct access *v, int64_t sector)
{
	for (int k = 0; k < WORDS_OF_SECTOR; k++)
		if (!lanes_want(v->l, sector * LANES_SECTOR + (int64_t)k * LANES_WORD))
			return false;
	return true;
}

/* The class of a sector's ground: what is seen of it was moved and is not wanted. */
static const char *ground_of(const struct access *v, int64_t sector)
{
	return !sector_moves(v, sector) ? "rest" : all_wanted(v, sector) ? "tone-0" : "waste";
}

/* Neighbouring sectors differ, so that it shows where one ends. */
static const char *use_of(const struct access *v, int64_t address)
{
	int64_t sector = address / LANES_SECTOR;
	int k = 0;
	while (k < v->g.nsectors && v->g.sector[k] != sector)
		k++;
	return k % 2 ? "use-b" : "use";
}

/* --- few lines: each lane has a line to its word ------------------------------------- */

static void put_lanes(struct access *v, double y)
{
	if (v->c->narrow)
		canvas_text(v->c, "", CANVAS_NARROW, y - 5, CANVAS_RIGHT, decimal(v, LANES - 1));
	for (int i = 0; i < LANES; i++) {
		double x = v->left + i * v->cell;
		canvas_rect(v->c, use_of(v, v->l->at[i]), x + 0.5, y, v->cell - 1, CELL, 2);
		if (!v->c->narrow)
			canvas_text(v->c, "in", x + v->cell / 2, y + BASE, CANVAS_MIDDLE,
			            decimal(v, i));
	}
}

/* The name of a row: beside it, or on narrow pages above it. */
static void put_name(struct access *v, double y, const char *name)
{
	if (v->c->narrow)
		canvas_text(v->c, "", 0, y - 5, CANVAS_LEFT, name);
	else
		canvas_text(v->c, "", 0, y + BASE, CANVAS_LEFT, name);
}

/* The first lane that wants this word; LANES: none. */
static int lane_of(const struct access *v, int64_t word)
{
	int i = 0;
	while (i < LANES && !(v->l->at[i] < word + LANES_WORD && word < v->l->at[i] + v->l->bytes))
		i++;
	return i;
}

static void put_word(struct access *v, int64_t word, double x, double y, double w, double h)
{
	int lane = lane_of(v, word);
	if (lane == LANES)
		return;
	canvas_rect(v->c, use_of(v, word), x, y, w, h, w > 8 ? 2 : 0);
	if (w > 16)
		canvas_text(v->c, "in", x + w / 2, y + BASE, CANVAS_MIDDLE, decimal(v, lane));
}

static void put_line(struct access *v, int64_t line, double y)
{
	double wide = WORDS_OF_SECTOR * v->cell;
	for (int s = 0; s < SECTORS_OF_LINE; s++) {
		canvas_rect(v->c, ground_of(v, line * SECTORS_OF_LINE + s),
		            v->left + s * wide + 0.5, y - 4, wide - 1, CELL + 8, 5);
	}
	for (int k = 0; k < WORDS_OF_LINE; k++)
		put_word(v, line * LANES_LINE + (int64_t)k * LANES_WORD,
		         v->left + k * v->cell + 1.5, y, v->cell - 3, CELL);
}

static const char *const classes[] = {"use", "waste", "rest"};

/* What the colours of sectors mean. */
static void legend_words(const struct access *v, const char *words[3])
{
	static const char *const keys[] = {"diagram_wanted", "diagram_unwanted",
	                                   "diagram_untouched"};
	for (int i = 0; i < 3; i++)
		words[i] = words_get(v->c->words, keys[i]);
}

/* The place of a line among those that are touched. */
static int rank_of(const struct access *v, int64_t line)
{
	int k = 0;
	while (v->g.line[k] != line)
		k++;
	return k;
}

static void draw_few(struct access *v, const struct canvas_said *said)
{
	struct canvas *c = v->c;
	double top = c->narrow ? CANVAS_LINE : 0, row = CELL + (c->narrow ? 26 : 14);
	double first = top + CELL + CURVES;
	double end = first + v->g.nlines * row;
	const char *words[3];
	legend_words(v, words);
	canvas_open(c, end + 4 + canvas_legend_height(c, v->left, words, 3), said);
	put_name(
	        v, top,
	        arena_printf(c->a, c->narrow ? "%s 0" : "%s", words_get(c->words, "diagram_lane")));
	for (int i = 0; i < LANES; i++) {
		int64_t line = v->l->at[i] / LANES_LINE;
		double word = (double)(v->l->at[i] % LANES_LINE) / LANES_WORD;
		double x = v->left + (floor(word) + 0.5) * v->cell;
		canvas_curve(c, "thin", v->left + (i + 0.5) * v->cell, top + CELL, x,
		             first + rank_of(v, line) * row - 4);
	}
	put_lanes(v, top);
	for (int k = 0; k < v->g.nlines; k++)
		put_line(v, v->g.line[k], first + k * row);
	put_name(v, first - (c->narrow ? 4 : 0), words_get(c->words, "diagram_line"));
	canvas_legend(c, v->left, end + 4, classes, words, 3);
	canvas_close(c);
}

/* --- many lines: small ones in columns ------------------------------------------------ */

/* "lanes 0–3": those whose access begins in this line. */
static const char *lanes_in(const struct access *v, int64_t line)
{
	int from = LANES, to = 0;
	for (int i = 0; i < LANES; i++)
		if (v->l->at[i] / LANES_LINE <= line &&
		    (v->l->at[i] + v->l->bytes - 1) / LANES_LINE >= line) {
			from = i < from ? i : from;
			to = i;
		}
	return from == to ? decimal(v, from) : arena_printf(v->c->a, "%d–%d", from, to);
}

static void put_small(struct access *v, int64_t line, double x, double y, double room)
{
	enum { NAME = 40, HIGH = 14, GAP = 2 };
	double wide = (room - NAME) / SECTORS_OF_LINE, word = (wide - GAP) / WORDS_OF_SECTOR;
	canvas_text(v->c, "", x + NAME - 8, y + 11, CANVAS_RIGHT, lanes_in(v, line));
	for (int s = 0; s < SECTORS_OF_LINE; s++) {
		int64_t sector = line * SECTORS_OF_LINE + s;
		double at = x + NAME + s * wide;
		canvas_rect(v->c, ground_of(v, sector), at, y, wide - GAP, HIGH, 2);
		for (int k = 0; k < WORDS_OF_SECTOR; k++)
			put_word(v, sector * LANES_SECTOR + (int64_t)k * LANES_WORD, at + k * word,
			         y, word, HIGH);
	}
}

static void draw_many(struct access *v, const struct canvas_said *said)
{
	enum { ROW = 20, GAP = 16 };
	struct canvas *c = v->c;
	int columns = c->narrow ? 2 : 4, rows = (v->g.nlines + columns - 1) / columns;
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	double room = (width - (columns - 1) * GAP) / columns;
	double end = CANVAS_LINE + 4 + rows * ROW;
	const char *words[3];
	legend_words(v, words);
	canvas_open(c, end + 8 + canvas_legend_height(c, 0, words, 3), said);
	canvas_legend(c, 0, end + 8, classes, words, 3);
	for (int k = 0; k < columns && k < v->g.nlines; k++)
		canvas_text(c, "", k * (room + GAP), 11, CANVAS_LEFT,
		            words_get(c->words, "diagram_lane_and_line"));
	for (int k = 0; k < v->g.nlines; k++)
		put_small(v, v->g.line[k], k / rows * (room + GAP),
		          CANVAS_LINE + 4 + k % rows * ROW, room);
	canvas_close(c);
}

/* --- banks: a row for each pass -------------------------------------------------------- */

static void put_bank_names(struct access *v, double y)
{
	canvas_text(v->c, "", 0, v->c->narrow ? 11 : y - 4, CANVAS_LEFT,
	            words_get(v->c->words, "diagram_bank"));
	for (int b = 0; b < LANES_BANKS; b++)
		if (!v->c->narrow || b % 8 == 0 || b == LANES_BANKS - 1)
			canvas_text(v->c, "", v->left + (b + 0.5) * v->cell, y - 4, CANVAS_MIDDLE,
			            decimal(v, b));
}

static void put_served(struct access *v, const struct lanes_shared *s, double y, double high)
{
	for (int i = 0; i < LANES; i++) {
		int64_t last = (v->l->at[i] + v->l->bytes - 1) / LANES_WORD;
		for (int64_t w = v->l->at[i] / LANES_WORD; w <= last; w++) {
			double x = v->left + (double)(w % LANES_BANKS) * v->cell;
			double at = y + s->pass[i] * high;
			canvas_rect(v->c, s->pass[i] < s->least ? "use" : "hot", x + 1, at + 1,
			            v->cell - 2, high - 2, 2);
			if (!v->c->narrow && high >= 13)
				canvas_text(v->c, "in", x + v->cell / 2, at + high / 2 + 4,
				            CANVAS_MIDDLE, decimal(v, i));
		}
	}
}

static void draw_banks(struct access *v, const struct canvas_said *said)
{
	enum { FEW = 8 };
	struct lanes_shared s;
	struct canvas *c = v->c;
	lanes_shared(v->l, &s);
	double high = s.passes <= FEW ? 22 : c->narrow ? 9 : 14;
	double top = c->narrow ? 36 : 20, bottom = top + s.passes * high;
	const char *words[] = {words_get(c->words, "diagram_served"),
	                       words_get(c->words, "diagram_waits")};
	static const char *const colours[] = {"use", "hot"};
	int shown = s.passes > s.least ? 2 : 1;
	canvas_open(c, bottom + 10 + canvas_legend_height(c, v->left, words, shown), said);
	canvas_legend(c, v->left, bottom + 10, colours, words, shown);
	put_bank_names(v, top);
	canvas_rect(c, "rest", v->left, top, LANES_BANKS * v->cell, s.passes * high, 3);
	for (int b = 1; b < LANES_BANKS; b++)
		canvas_line(c, "thin", v->left + b * v->cell, top, v->left + b * v->cell, bottom);
	put_served(v, &s, top, high);
	for (int p = 0; p < s.passes && !c->narrow; p++)
		if (s.passes <= FEW || p == 0 || p == s.passes - 1 || p % 8 == 7)
			canvas_text(c, "", 0, top + p * high + high / 2 + 4, CANVAS_LEFT,
			            words_fill(c->words, c->a, "diagram_pass", decimal(v, p + 1),
			                       NULL));
	canvas_close(c);
}

/* --- the kind -------------------------------------------------------------------------- */

void access_draw(struct canvas *c, const struct lanes *l, enum access_unit unit,
                 const struct canvas_said *said)
{
	enum { FEW = 2 };
	struct access v = {.c = c, .l = l, .whole_lines = unit == ACCESS_LINE};
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	v.left = c->narrow ? 0 : LABELS;
	v.cell = (width - v.left) / LANES;
	lanes_global(l, &v.g);
	if (unit == ACCESS_BANK)
		draw_banks(&v, said);
	else if (v.g.nlines <= FEW)
		draw_few(&v, said);
	else
		draw_many(&v, said);
}
