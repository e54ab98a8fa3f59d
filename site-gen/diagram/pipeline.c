#include "site-gen/diagram/pipeline.h"

enum { NAMES = 108, BOX = 24, TOP = 22 };

static const char *const tones[] = {"tone-1", "use", "use-b", "hot"};

struct frame {
	struct canvas *c;
	const struct pipeline *p;
	double left, scale, row, first;
};

static int last_of(const struct pipeline *p)
{
	int last = 1;
	for (int i = 0; i < p->nsteps; i++)
		last = p->step[i].to > last ? p->step[i].to : last;
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
	            canvas_fit(c, f->p->role[i], NAMES - 8));
	canvas_text(c, "", 0, y + 24, CANVAS_LEFT, canvas_fit(c, note, NAMES - 4));
}

static void put_step(const struct frame *f, const struct pipeline_step *s)
{
	double x = f->left + s->from * f->scale, wide = (s->to - s->from) * f->scale - 1.5;
	double y = y_of(f, s->role);
	canvas_rect(f->c, tones[s->tone], x, y, wide, BOX, 2);
	if (s->label[0] && canvas_text_width(s->label) + 2 <= wide)
		canvas_text(f->c, s->tone == 0 ? "on" : "in", x + wide / 2, y + 16, CANVAS_MIDDLE,
		            s->label);
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
	canvas_arrow(f->c, "hot-line", x1, y1, x2, y2);
	canvas_text(f->c, "mono", x + width > f->c->width ? x - 14 - width : x,
	            down ? y1 + 14 : y1 - 6, CANVAS_LEFT, l->name);
}

void pipeline_draw(struct canvas *c, const struct pipeline *p, const struct canvas_said *said)
{
	struct frame f = {.c = c, .p = p, .first = TOP};
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	f.left = c->narrow ? 0 : NAMES;
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
