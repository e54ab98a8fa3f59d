/* A drawing as the SVG of a page: classes for colours, a link and its title for each number. */
#include <stdio.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/plot/inner.h"

/* --- small things --- */

/* Hundredths, without the noughts at the end. */
static void put_number(double v, struct sb *to)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%.2f", v);
	while (n > 0 && text[n - 1] == '0')
		n--;
	if (n > 0 && text[n - 1] == '.')
		n--;
	sb_put(to, text, (size_t)n);
}

static void put_attribute(const char *name, double v, struct sb *to)
{
	sb_printf(to, " %s=\"", name);
	put_number(v, to);
	sb_char(to, '"');
}

static void put_vertices(const struct plot_part *p, struct sb *to)
{
	html_raw(to, " d=\"");
	for (size_t i = 0; i < p->n; i++) {
		bool begins = i == 0 || p->at[i].begins;
		sb_cstr(to, !i ? "M" : begins ? " M" : " L");
		put_number(p->at[i].x, to);
		sb_char(to, ',');
		put_number(p->at[i].y, to);
	}
	html_raw(to, p->shape == PLOT_AREA ? "Z\"" : "\"");
}

static const struct plot_series *series_of(const struct plot_drawing *d, const struct plot_part *p)
{
	return p->paint.meaning == PLOT_CLASS ? NULL : &d->chart->series[p->paint.series];
}

static const struct plot_point *point_of(const struct plot_drawing *d, const struct plot_part *p)
{
	return p->paint.meaning == PLOT_NUMBER
	               ? &d->chart->series[p->paint.series].points[p->paint.index]
	               : NULL;
}

/* --- classes --- */

static const char *class_of(const struct plot_part *p)
{
	static const char *const of_series[] = {"line", "dot", "area", "label"},
	                         *const of_number[] = {"interval", "pt", "pt fill", "value"};
	const struct plot_class *c;
	switch (p->paint.meaning) {
	case PLOT_CLASS:
		c = plot_class(p->paint.index);
		return p->shape == PLOT_TEXT ? (c->text ? c->text : c->path)
		                             : (c->path ? c->path : c->text);
	case PLOT_SERIES:
		return of_series[p->shape];
	case PLOT_NUMBER:
		return of_number[p->shape];
	}
	return "";
}

static bool is_context(const struct plot_series *s)
{
	return strcmp(s->role, "context") == 0;
}

static void put_class(const struct plot_drawing *d, const struct plot_part *p, struct sb *to)
{
	const struct plot_series *s = series_of(d, p);
	const struct plot_point *n = point_of(d, p);
	html_raw(to, " class=\"");
	html_raw(to, class_of(p));
	if (s && !(n && p->shape == PLOT_TEXT))
		sb_printf(to, " s-%d", s->colour);
	if (s && (!n || is_context(s)) && strcmp(s->role, "kernel") != 0) {
		html_raw(to, " ");
		html_attr(to, str_of(s->role));
	}
	if (p->paint.heat)
		html_raw(to, " heat");
	if (n && p->shape != PLOT_TEXT && p->shape != PLOT_PATH && n->hollow)
		html_raw(to, " hollow");
	html_raw(to, "\"");
}

/* --- parts --- */

static void put_path(const struct plot_drawing *d, const struct plot_part *p, struct sb *to)
{
	html_raw(to, "<path");
	put_class(d, p, to);
	put_vertices(p, to);
	if (p->shape == PLOT_PATH && p->width != 1)
		put_attribute("stroke-width", p->width, to);
	if (p->dash.n) {
		html_raw(to, " stroke-dasharray=\"");
		html_attr(to, p->dash);
		html_raw(to, "\"");
	}
	if (p->opacity.n) {
		html_raw(to, " fill-opacity=\"");
		html_attr(to, p->opacity);
		html_raw(to, "\"");
	}
	html_raw(to, "/>");
}

static void put_circle(const struct plot_drawing *d, const struct plot_part *p, struct sb *to)
{
	html_raw(to, "<circle");
	put_class(d, p, to);
	put_attribute("cx", p->at->x, to);
	put_attribute("cy", p->at->y, to);
	put_attribute("r", p->radius, to);
	html_raw(to, "/>");
}

static void put_text(const struct plot_drawing *d, const struct plot_part *p, struct sb *to)
{
	html_raw(to, "<text");
	put_class(d, p, to);
	put_attribute("x", p->at->x, to);
	put_attribute("y", p->at->y, to);
	if (p->anchor != 'l')
		sb_printf(to, " text-anchor=\"%s\"", p->anchor == 'c' ? "middle" : "end");
	if (p->font != d->font)
		put_attribute("font-size", p->font, to);
	if (p->angle != 0) {
		html_raw(to, " transform=\"rotate(");
		put_number(p->angle, to);
		sb_char(to, ' ');
		put_number(p->at->x, to);
		sb_char(to, ' ');
		put_number(p->at->y, to);
		html_raw(to, ")\"");
	}
	html_raw(to, ">");
	html_text(to, str_of(p->text));
	html_raw(to, "</text>\n");
}

/* Writes a disc or an area. One that stands for a number is a link with the number in its title. */
static void put_shape(const struct plot_drawing *d, const struct plot_part *p, struct sb *to)
{
	const struct plot_point *n = point_of(d, p);
	if (n && n->href) {
		html_raw(to, "<a tabindex=\"-1\" href=\"");
		html_url(to, str_of(n->href));
		html_raw(to, "\">");
	} else if (n) {
		html_raw(to, "<g>");
	}
	if (n) {
		html_raw(to, "<title>");
		html_text(to, str_of(n->title));
		html_raw(to, "</title>");
	}
	(p->shape == PLOT_CIRCLE ? put_circle : put_path)(d, p, to);
	html_raw(to, n ? n->href ? "</a>\n" : "</g>\n" : "\n");
}

/* --- the whole --- */

/* Joins the many short paths of a class (grid, axis) into one. */
static void put_merged(const struct plot_drawing *d, size_t class, struct sb *to)
{
	struct plot_part all = {.shape = PLOT_PATH, .width = 1};
	size_t room = 0;
	for (size_t i = 0; i < d->n; i++)
		room += d->part[i].n;
	all.at = ARENA_ARRAY(d->a, struct plot_vertex, room + 1);
	for (size_t i = 0; i < d->n; i++) {
		const struct plot_part *p = &d->part[i];
		if (p->shape != PLOT_PATH || p->paint.meaning != PLOT_CLASS ||
		    p->paint.index != class)
			continue;
		all.paint = p->paint;
		for (size_t k = 0; k < p->n; k++) {
			all.at[all.n] = p->at[k];
			all.at[all.n++].begins = k == 0 || p->at[k].begins;
		}
	}
	if (all.n > 0) {
		put_path(d, &all, to);
		html_raw(to, "\n");
	}
}

enum { GRID, AXIS, MERGED }; /* the first rows of the table in colours.c */

static bool is_merged(const struct plot_part *p)
{
	return p->shape == PLOT_PATH && p->paint.meaning == PLOT_CLASS && p->paint.index < MERGED;
}

static void put_some(const struct plot_drawing *d, enum plot_shape shape, bool context,
                     struct sb *to)
{
	for (size_t i = 0; i < d->n; i++) {
		const struct plot_part *p = &d->part[i];
		const struct plot_series *s = series_of(d, p);
		if (p->shape != shape || p->hidden || is_merged(p) ||
		    (s && is_context(s)) != context)
			continue;
		if (shape == PLOT_TEXT) {
			put_text(d, p, to);
		} else if (shape == PLOT_PATH) {
			put_path(d, p, to);
			html_raw(to, "\n");
		} else {
			put_shape(d, p, to);
		}
	}
}

/* Grey series lie below the others. */
static void put_all(const struct plot_drawing *d, enum plot_shape shape, struct sb *to)
{
	put_some(d, shape, true, to);
	put_some(d, shape, false, to);
}

/* Areas lie below lines, and discs above the halo of texts. */
void plot_markup(const struct plot_drawing *d, enum plot_size size, const char *id, struct sb *to)
{
	const char *name = size == PLOT_WIDE ? "wide" : "narrow";
	sb_printf(to, "<svg class=\"plot %s\" viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\"",
	          name, d->width, d->height, d->width, d->height);
	sb_printf(to, " font-size=\"%g\" role=\"group\" aria-labelledby=\"%s-%s-t %s-%s-d\">\n",
	          d->font, id, name, id, name);
	sb_printf(to, "<title id=\"%s-%s-t\">", id, name);
	html_text(to, str_of(d->chart->title));
	sb_printf(to, "</title>\n<desc id=\"%s-%s-d\">", id, name);
	html_text(to, str_of(d->chart->desc));
	html_raw(to, "</desc>\n");
	put_merged(d, GRID, to);
	put_all(d, PLOT_AREA, to);
	put_merged(d, AXIS, to);
	put_all(d, PLOT_PATH, to);
	put_all(d, PLOT_TEXT, to);
	put_all(d, PLOT_CIRCLE, to);
	html_raw(to, "</svg>\n");
}
