/* Checks the drawings of a page: their points, and boxes as long as numbers. */
#include <math.h>

#include "lib/array.h"
#include "site-gen/audit/page_inner.h"

/* --- points and labels ------------------------------------------------------------------------ */

void audit_read_point(struct page *p, struct reading *r)
{
	struct err e = ERR_NONE;
	if (!audit_chart_point(p->a, &p->chart, p->point, sb_view(&r->text), &e))
		problems_rule(p->a->found, RULE_TRACED, audit_place(p, r->at), "%s", e.text);
}

/* A label beside a point. Its point may follow later, so the check waits for the drawing's end. */
void audit_read_label(struct page *p, struct reading *r)
{
	enum { MOST = ARRAY_LEN(p->chart.label) };
	struct arena *a = &p->a->records.scratch;
	if (p->chart.nlabels < MOST)
		p->chart.label[p->chart.nlabels++] =
		        (struct audit_label){r->at, str_keep(a, sb_view(&r->text))};
}

void audit_end_drawing(struct page *p)
{
	for (size_t i = 0; i < p->chart.nlabels; i++)
		if (!audit_chart_label(&p->chart, p->chart.label[i].text))
			problems_rule(p->a->found, RULE_TRACED,
			              audit_place(p, p->chart.label[i].at),
			              "the label '" STR_FMT "' belongs to no point of the drawing",
			              STR_ARG(p->chart.label[i].text));
	sb_clear(&p->chart.amounts);
	p->chart.nlabels = 0;
	p->boxes.drawing += p->boxes.n > 0;
}

/* --- boxes to scale --------------------------------------------------------------------------- */

static double length(const struct audit_html *h, const char *name)
{
	double v;
	return str_f64(audit_html_attribute(h, name), &v) ? v : NAN;
}

/* A box stands in the drawing itself, and its shape in the box: nothing else moves them. */
static bool is_moved(const struct page *p, const struct reading *r)
{
	return p->h.depth != r->depth + 1 || r->depth == 0 ||
	       !str_is(p->h.open[r->depth - 1], "svg") || r->transform.p ||
	       audit_html_attribute(&p->h, "transform").p;
}

void audit_in_box(struct page *p, struct reading *r)
{
	int64_t row;
	if (!str_is(p->h.name, "rect"))
		return;
	struct audit_box box = {.at = r->at,
	                        .row = str_i64(r->box, &row) ? row : -1,
	                        .x = length(&p->h, "x"),
	                        .width = length(&p->h, "width"),
	                        .moved = is_moved(p, r)};
	audit_boxes_add(&p->boxes, box);
}

/* The texts of a box, which follow its shape. */
void audit_read_box(struct page *p, struct reading *r)
{
	struct audit_boxes *b = &p->boxes;
	if (b->n && b->box[b->n - 1].at == r->at)
		b->box[b->n - 1].text = str_keep(&p->a->records.scratch, sb_view(&r->text));
}

void audit_end_figure(struct page *p)
{
	struct err e = ERR_NONE;
	const char *at;
	if (!audit_boxes_hold(&p->boxes, &at, &e))
		problems_rule(p->a->found, RULE_TRACED, audit_place(p, at ? at : p->h.at), "%s",
		              e.text);
	p->a->counted[AUDIT_N_CHART] += e.set ? 0 : p->boxes.n;
	audit_boxes_clear(&p->boxes);
}
