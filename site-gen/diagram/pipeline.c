#include "site-gen/diagram/pipeline.h"

#include <math.h>

enum { NAMES = 108, MOST_NAMES = 210, BOX = 24, TOP = 22 };

static const char *const tones[] = {"tone-1", "use", "use-b", "hot"};

struct frame {
	struct canvas *c;
	const struct pipeline *p;
	double left, scale, row, first;
};

/* As wide as the longest name of a role. */
static double names_width(const struct pipeline *p)
{
	double width = NAMES;
	for (int i = 0; i < p->nroles; i++) {
		double own = 1.1 * canvas_text_width(p->role[i]) + 12; /* names are bold */
		width = own > width ? own : width;
	}
	return width < MOST_NAMES ? width : MOST_NAMES;
}

static double last_of(const struct pipeline *p)
{
	double last = 0;
	for (int i = 0; i < p->nsteps; i++)
		last = fmax(last, p->step[i].to);
	return last;
}

static double y_of(const struct frame *f, int role)
{
	return f->first + role * f->row;
}

static void put_role(const struct frame *f, int i)
{
	struct canvas *c = f->c;
	double y = y_of(f, i);
	const char *note = f->p->note[i];
	double line = y + BOX + (c->narrow ? 5 : 7);
	canvas_line(c, "thin", 0, line, c->width, line);
	if (c->narrow) {
		canvas_text(c, "head", 0, y - 5, CANVAS_LEFT, f->p->role[i]);
		canvas_text(c, "", c->width, y - 5, CANVAS_RIGHT, note);
		return;
	}
	canvas_text(c, "head", 0, y + (note[0] ? 9 : 16), CANVAS_LEFT,
	            canvas_fit(c, f->p->role[i], f->left - 8));
	canvas_text(c, "", 0, y + 24, CANVAS_LEFT, canvas_fit(c, note, f->left - 4));
}

static void put_step(const struct frame *f, const struct pipeline_step *s)
{
	const double least = 1;
	double x = f->left + s->from * f->scale;
	double wide = fmax((s->to - s->from) * f->scale - 1.5, least);
	double y = y_of(f, s->role);
	const char *says = s->amount && !s->label[0] ? s->amount : s->label;
	if (s->amount)
		canvas_box(f->c, s->box, s->amount);
	canvas_rect(f->c, tones[s->tone], x, y, wide, BOX, 2);
	if (says[0] && canvas_text_width(says) + 2 <= wide)
		canvas_text(f->c, s->tone == 0 ? "on" : "in", x + wide / 2, y + 16, CANVAS_MIDDLE,
		            says);
	if (s->amount)
		canvas_box_end(f->c);
}

/* From the edge of one box to that of another, whichever is above. */
static void put_link(const struct frame *f, const struct pipeline_link *l)
{
	const struct pipeline_step *a = &f->p->step[l->from], *b = &f->p->step[l->to];
	bool down = b->role > a->role;
	double x1 = f->left + a->to * f->scale - 1.5, x2 = f->left + b->from * f->scale + 1;
	double y1 = y_of(f, a->role) + (down ? BOX : 0), y2 = y_of(f, b->role) + (down ? 0 : BOX);
	double width = canvas_text_width(l->name), along = 13 / (y2 > y1 ? y2 - y1 : y1 - y2);
	double x = x1 + (x2 - x1) * along + 7; /* beside the line's beginning */
	if (down && f->c->narrow) {            /* there the name of the next role stands, too */
		double name = 1.1 * canvas_text_width(f->p->role[a->role + 1]) + 8;
		x = x < name ? name : x;
	}
	canvas_arrow(f->c, "hot-line", x1, y1, x2, y2);
	canvas_text(f->c, "mono", x + width > f->c->width ? x - 14 - width : x,
	            down ? y1 + 14 : y1 - 6, CANVAS_LEFT, l->name);
}

void pipeline_draw(struct canvas *c, const struct pipeline *p, const struct canvas_said *said)
{
	struct frame f = {.c = c, .p = p, .first = TOP};
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	f.left = c->narrow ? 0 : names_width(p);
	f.row = c->narrow ? BOX + 30 : BOX + 20;
	f.first = c->narrow ? TOP + 16 : TOP;
	f.scale = (width - f.left) / last_of(p);
	double bottom = f.first + p->nroles * f.row;
	canvas_open(c, bottom + canvas_legend_height(c, f.left, p->legend, p->nlegend), said);
	canvas_text(c, "", f.left, 11, CANVAS_LEFT,
	            p->scale ? p->scale : words_get(c->words, "diagram_time"));
	if (!p->scale)
		canvas_text(c, "", width, 11, CANVAS_RIGHT,
		            words_get(c->words, "diagram_not_to_scale"));
	for (int i = 0; i < p->nroles; i++)
		put_role(&f, i);
	for (int i = 0; i < p->nsteps; i++)
		put_step(&f, &p->step[i]);
	for (int i = 0; i < p->nlinks; i++)
		put_link(&f, &p->link[i]);
	const char *classes[PIPELINE_TONES + 1];
	for (int i = 0; i < p->nlegend; i++)
		classes[i] = tones[p->legend_tone[i]];
	canvas_legend(c, f.left, bottom, classes, p->legend, p->nlegend);
	canvas_close(c);
}
