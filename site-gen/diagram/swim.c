#include "site-gen/diagram/swim.h"

#include <math.h>

enum { NAMES = 108, BOX = 24, LANE = 9, TOP = 22 };

static const char *const tones[SWIM_TONES] = {"tone-1", "use", "use-b", "hot"};

struct frame {
	struct canvas *c;
	const struct swim *s;
	double left, right;
	double y[SWIM_MOST_ROWS + 1], high[SWIM_MOST_ROWS]; /* of each row; the end of all */
};

/* --- lanes --------------------------------------------------------------------------------- */

static int lane_of(const struct swim *s, size_t i, double *busy)
{
	int lane = 0;
	while (lane + 1 < SWIM_MOST_LANES && busy[lane] > s->box[i].from)
		lane++;
	busy[lane] = s->box[i].to;
	return lane;
}

void swim_stack(struct swim *s)
{
	for (int row = 0; row < s->nrows; row++) {
		double busy[SWIM_MOST_LANES];
		for (int lane = 0; lane < SWIM_MOST_LANES; lane++)
			busy[lane] = -INFINITY;
		s->lanes[row] = 1;
		for (size_t i = 0; i < s->n; i++)
			if (s->box[i].row == row) {
				s->box[i].lane = lane_of(s, i, busy);
				if (s->box[i].lane >= s->lanes[row])
					s->lanes[row] = s->box[i].lane + 1;
			}
	}
}

/* --- drawing ------------------------------------------------------------------------------- */

static double x_of(const struct frame *f, double ns)
{
	double share = (ns - f->s->from) / (f->s->to - f->s->from);
	return f->left + fmin(fmax(share, 0), 1) * (f->right - f->left);
}

/* 1, 2 or 5 times a power of ten, so that a window has at least `least` steps of it. */
static double step_of(double window, int least)
{
	static const double digits[] = {5, 2, 1};
	for (double power = pow(10, ceil(log10(window)));; power /= 10)
		for (int i = 0; i < 3; i++)
			if (window / (digits[i] * power) >= least)
				return digits[i] * power;
}

/* The axis: µs from the left edge of the window. */
static void put_axis(const struct frame *f, double bottom)
{
	struct canvas *c = f->c;
	const double window = f->s->to - f->s->from, step = step_of(window, c->narrow ? 3 : 5);
	for (int i = 0; i * step <= window * (1 + 1e-9); i++) {
		double x = x_of(f, f->s->from + i * step);
		canvas_line(c, "thin", x, f->y[0] - 4, x, bottom);
		canvas_text(c, "", x, 11,
		            i == 0              ? CANVAS_LEFT
		            : x > f->right - 14 ? CANVAS_RIGHT
		                                : CANVAS_MIDDLE,
		            arena_printf(c->a, "%.4g%s", i * step / 1000, i ? "" : " µs"));
	}
}

static void put_row(const struct frame *f, int i)
{
	struct canvas *c = f->c;
	double y = f->y[i];
	const char *note = f->s->note[i] ? f->s->note[i] : "";
	if (c->narrow) {
		canvas_text(c, "head", 0, y - 5, CANVAS_LEFT, f->s->row[i]);
		canvas_text(c, "", c->width, y - 5, CANVAS_RIGHT, note);
		return;
	}
	const char *line[2];
	int n = note[0] ? 0 : canvas_break(c, f->s->row[i], NAMES - 8, line, 2);
	for (int k = 0; k < n; k++)
		canvas_text(c, "head", 0, y + 16 + (k - (n - 1) / 2.0) * CANVAS_LINE * 0.9,
		            CANVAS_LEFT, line[k]);
	if (!note[0])
		return;
	canvas_text(c, "head", 0, y + 9, CANVAS_LEFT, canvas_fit(c, f->s->row[i], NAMES - 8));
	canvas_text(c, "", 0, y + 24, CANVAS_LEFT, canvas_fit(c, note, NAMES - 4));
}

static void put_box(const struct frame *f, const struct swim_box *b)
{
	const int lanes = f->s->lanes[b->row];
	const double high = f->high[b->row] / lanes;
	const double x = x_of(f, b->from), wide = x_of(f, b->to) - x;
	if (b->to <= f->s->from || b->from >= f->s->to)
		return;
	canvas_rect(f->c, tones[b->tone], x, f->y[b->row] + b->lane * high, fmax(wide - 0.5, 1),
	            high - (lanes > 1 ? 1 : 0), 1);
}

void swim_draw(struct canvas *c, const struct swim *s, const struct canvas_said *said)
{
	const char *classes[SWIM_TONES];
	struct frame f = {.c = c, .s = s, .right = c->narrow ? CANVAS_NARROW : CANVAS_WIDE};
	f.left = c->narrow ? 0 : NAMES;
	f.y[0] = c->narrow ? TOP + 18 : TOP;
	for (int i = 0; i < s->nrows; i++) {
		f.high[i] = s->lanes[i] > 2 ? s->lanes[i] * LANE : BOX;
		f.y[i + 1] = f.y[i] + f.high[i] + (c->narrow ? 24 : 12);
	}
	double bottom = f.y[s->nrows];
	canvas_open(c, bottom + canvas_legend_height(c, f.left, s->legend, s->nlegend), said);
	put_axis(&f, bottom - 6);
	for (int i = 0; i < s->nrows; i++)
		put_row(&f, i);
	for (size_t i = 0; i < s->n; i++)
		put_box(&f, &s->box[i]);
	for (int i = 0; i < s->nlegend; i++)
		classes[i] = tones[i];
	canvas_legend(c, f.left, bottom, classes, s->legend, s->nlegend);
	canvas_close(c);
}
