#include "site-gen/diagram/levels.h"

#include <math.h>

enum { BOX = 48, PIPE = 50, LEAST = 3 /* units of the thinnest pipe */ };

static double widest(const struct levels *l)
{
	double most = 0;
	for (int i = 0; i + 1 < l->n; i++)
		most = fmax(most, l->pipe[i].width);
	return most;
}

/* A level nearer to the arithmetic is above, and smaller in what it holds. */
static void put_box(struct canvas *c, const struct levels *l, int i, double y, double width)
{
	bool note = l->note[i][0] != 0;
	canvas_rect(c, i == 0 || i + 1 == l->n ? "tone-1" : "tone-0", 0, y, width, BOX, 6);
	canvas_text(c, "head", 16, y + (note ? 21 : 28), CANVAS_LEFT, l->name[i]);
	if (note)
		canvas_text(c, "on", 16, y + 37, CANVAS_LEFT,
		            canvas_fit(c, l->note[i], width - 32));
	if (!l->latency[i].amount)
		return;
	canvas_link(c, l->latency[i].href, l->latency[i].title);
	canvas_text(c, "value", width - 16, y + (note ? 21 : 28), CANVAS_RIGHT,
	            l->latency[i].amount);
	canvas_link_end(c, l->latency[i].href);
}

static void put_pipe(struct canvas *c, const struct levels_pipe *p, double y, double width,
                     double text, bool thinnest)
{
	double left = 16;
	canvas_text(c, "", text, y + PIPE / 2.0 + (p->amount ? 13 : 5), CANVAS_LEFT,
	            canvas_fit(c, p->what, c->width - text));
	if (!p->amount) {
		canvas_rect(c, "dashed", left, y + 2, width, PIPE - 4, 0);
		return;
	}
	canvas_link(c, p->href, p->title);
	canvas_rect(c, thinnest ? "hot" : "use", left, y + 2, width, PIPE - 4, 0);
	canvas_link_end(c, p->href);
	canvas_text(c, "value", text, y + PIPE / 2.0 - 3, CANVAS_LEFT, p->amount);
}

void levels_draw(struct canvas *c, const struct levels *l, const struct canvas_said *said)
{
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	double room = c->narrow ? 150 : 440, text = room + 30, most = widest(l);
	double least = most;
	for (int i = 0; i + 1 < l->n; i++)
		least = l->pipe[i].amount ? fmin(least, l->pipe[i].width) : least;
	canvas_open(c, l->n * BOX + (l->n - 1) * PIPE, said);
	for (int i = 0; i < l->n; i++) {
		double y = (l->n - 1 - i) * (BOX + PIPE);
		put_box(c, l, i, y, width);
		if (i + 1 < l->n)
			put_pipe(c, &l->pipe[i], y - PIPE,
			         fmax(LEAST,
			              room * (l->pipe[i].amount ? l->pipe[i].width : most / 2) /
			                      most),
			         text, l->pipe[i].width <= least);
	}
	canvas_close(c);
}
