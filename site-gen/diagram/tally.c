#include "site-gen/diagram/tally.h"

#include <math.h>

enum { LEFT = 44, TOP = 24, HIGH = 150, BOTTOM = 34, DOT = 5, STEPS = 6, SM_STEP = 12 };

struct frame {
	struct canvas *c;
	const struct tally *t;
	double right, least, most;
};

static double x_of(const struct frame *f, int64_t sm)
{
	const double first = (double)f->t->sm[0], last = (double)f->t->sm[f->t->n - 1];
	return LEFT + DOT +
	       (f->right - LEFT - 2 * DOT) * ((double)sm - first) / fmax(last - first, 1);
}

static double y_of(const struct frame *f, double times)
{
	return TOP + HIGH * (f->most - times) / (f->most - f->least);
}

/* 1, 2 or 5 times a power of ten, so that a range has at most STEPS of it. */
static double step_of(double range)
{
	static const double digits[] = {1, 2, 5};
	for (double power = 1;; power *= 10)
		for (int i = 0; i < 3; i++)
			if (range <= digits[i] * power * STEPS)
				return digits[i] * power;
}

/* Counts on the left, at round numbers; numbers of SMs below. */
static void put_axes(const struct frame *f)
{
	struct canvas *c = f->c;
	const double step = step_of(f->most - f->least);
	const int64_t every = c->narrow ? 2 * SM_STEP : SM_STEP;
	for (double v = ceil(f->least / step) * step; v <= f->most; v += step) {
		canvas_line(c, "thin", LEFT, y_of(f, v), f->right, y_of(f, v));
		canvas_text(c, "", LEFT - 6, y_of(f, v) + 4, CANVAS_RIGHT,
		            arena_printf(c->a, "%.0f", v));
	}
	for (int64_t sm = f->t->sm[0]; sm <= f->t->sm[f->t->n - 1]; sm += every)
		canvas_text(c, "", x_of(f, sm), TOP + HIGH + 20, CANVAS_MIDDLE,
		            arena_printf(c->a, "%lld", (long long)sm));
	canvas_text(c, "", 0, 11, CANVAS_LEFT, f->t->event);
	canvas_text(c, "", f->right, TOP + HIGH + 34, CANVAS_RIGHT,
	            words_get(c->words, "diagram_sm_number"));
}

void tally_draw(struct canvas *c, const struct tally *t, const struct canvas_said *said)
{
	struct frame f = {.c = c,
	                  .t = t,
	                  .right = c->narrow ? CANVAS_NARROW : CANVAS_WIDE,
	                  .least = t->times[0],
	                  .most = t->times[0]};
	double sum = 0;
	for (size_t i = 0; i < t->n; i++) {
		sum += t->times[i];
		f.least = fmin(f.least, t->times[i]);
		f.most = fmax(f.most, t->times[i]);
	}
	f.least = fmax(0, f.least - 1);
	f.most += 1;
	canvas_open(c, TOP + HIGH + BOTTOM + 6, said);
	put_axes(&f);
	double mean = y_of(&f, sum / (double)t->n);
	canvas_line(c, "edge", LEFT, mean, f.right, mean);
	for (size_t i = 0; i < t->n; i++)
		canvas_rect(c, "use", x_of(&f, t->sm[i]) - DOT / 2.0,
		            y_of(&f, t->times[i]) - DOT / 2.0, DOT, DOT, 1);
	canvas_close(c);
}
