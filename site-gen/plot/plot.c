#include "site-gen/plot/plot.h"

#include <stdio.h>
#include <string.h>

#include "site-gen/base/html.h"

/*
 * gnuplot's SVG is read as what it is, a list of paths, symbols and texts,
 * and written anew: nothing of it reaches the page that is not understood
 * here. Each element carries the number of its mark as its colour.
 */
struct reader {
	struct str s;
	size_t at;
	const struct plot_layout *l;
	struct sb *to;
	double x, y; /* of the text group being read */
	char anchor;
	struct sb points; /* printed last: the halo of a text would cover them */
	bool *seen;       /* by mark: gnuplot drops what is not finite or out of range */
};

static const double POINT_RADIUS = 4.5;

static void put_class(const struct plot_mark *m, struct sb *to)
{
	html_raw(to, " class=\"");
	html_raw(to, m->class);
	if (m->colour >= 0)
		sb_printf(to, " s-%d", m->colour);
	if (m->role && strcmp(m->role, "kernel") != 0) {
		html_raw(to, " ");
		html_attr(to, str_of(m->role));
	}
	if (m->point && m->point->hollow)
		html_raw(to, " hollow");
	html_raw(to, "\"");
}

/* The value of an attribute inside one tag; gnuplot uses both kinds of quote. */
static bool attribute(struct str tag, const char *name, struct str *out)
{
	size_t n = strlen(name);
	for (size_t i = 1; i + n + 2 < tag.n; i++) {
		bool here = (tag.p[i - 1] == ' ' || tag.p[i - 1] == '\t' || tag.p[i - 1] == '\n') &&
		            memcmp(tag.p + i, name, n) == 0 && tag.p[i + n] == '=';
		if (!here)
			continue;
		size_t close = str_find(tag, tag.p[i + n + 1], i + n + 2);
		*out = str_sub(tag, i + n + 2, close);
		return close < tag.n;
	}
	return false;
}

/* "rgb(  1,   0,   2)" -> mark 65538 */
static bool mark_of_colour(struct reader *r, struct str colour, const struct plot_mark **out)
{
	int64_t rgb[3];
	struct str rest, part;
	if (!str_starts(colour, "rgb(") || !str_ends(colour, ")"))
		return false;
	rest = str_sub(colour, 4, colour.n - 1);
	for (int i = 0; i < 3; i++) {
		if (str_cut(rest, ',', &part, &rest) != (i < 2) ||
		    !str_i64(str_trim(part), &rgb[i]))
			return false;
	}
	size_t n = (size_t)((rgb[0] << 16) | (rgb[1] << 8) | rgb[2]);
	if (n >= r->l->nmarks)
		return false;
	r->seen[n] = true;
	*out = &r->l->mark[n];
	return true;
}

static bool broken(struct str tag, struct err *e)
{
	return err_set(e, "gnuplot drew something unexpected: " STR_FMT,
	               (int)(tag.n < 200 ? tag.n : 200), tag.p);
}

/* d='M1,2 L3,4 …' with its white space made single */
static void put_path(struct str d, struct sb *to)
{
	bool space = false;
	d = str_trim(d);
	for (size_t i = 0; i < d.n; i++) {
		bool white = d.p[i] == ' ' || d.p[i] == '\n' || d.p[i] == '\t';
		if (!white) {
			if (space)
				sb_char(to, ' ');
			sb_char(to, d.p[i]);
		}
		space = white;
	}
}

static bool read_path(struct reader *r, struct str tag, struct err *e)
{
	struct str stroke, d;
	const struct plot_mark *m;
	if (!attribute(tag, "d", &d) || !attribute(tag, "stroke", &stroke) ||
	    !mark_of_colour(r, stroke, &m))
		return broken(tag, e);
	html_raw(r->to, "<path");
	put_class(m, r->to);
	html_raw(r->to, " d=\"");
	put_path(d, r->to);
	html_raw(r->to, "\"/>\n");
	return true;
}

/* "translate(198.00,294.89) scale(5.25)" */
static bool read_translate(struct str s, double *x, double *y)
{
	struct str inside, a, b;
	size_t open = str_find(s, '(', 0), close = str_find(s, ')', 0);
	if (!str_starts(s, "translate(") || close <= open)
		return false;
	inside = str_sub(s, open + 1, close);
	return str_cut(inside, ',', &a, &b) && str_f64(a, x) && str_f64(b, y);
}

static bool read_point(struct reader *r, struct str tag, struct err *e)
{
	struct str transform, colour;
	const struct plot_mark *m;
	double x, y;
	if (!attribute(tag, "transform", &transform) || !attribute(tag, "color", &colour) ||
	    !read_translate(transform, &x, &y) || !mark_of_colour(r, colour, &m) || !m->point)
		return broken(tag, e);
	if (m->point->href) {
		html_raw(&r->points, "<a tabindex=\"-1\" href=\"");
		html_url(&r->points, str_of(m->point->href));
		html_raw(&r->points, "\"><title>");
	} else {
		html_raw(&r->points, "<g><title>");
	}
	html_text(&r->points, str_of(m->point->title));
	html_raw(&r->points, "</title><circle");
	put_class(m, &r->points);
	sb_printf(&r->points, " cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\"/></%s>\n", x, y, POINT_RADIUS,
	          m->point->href ? "a" : "g");
	return true;
}

/* A group that gives a text its place; other groups say nothing. */
static bool read_group(struct reader *r, struct str tag, struct err *e)
{
	struct str transform, anchor;
	if (!attribute(tag, "transform", &transform))
		return true;
	if (!read_translate(transform, &r->x, &r->y) || !attribute(tag, "text-anchor", &anchor))
		return broken(tag, e);
	r->anchor = anchor.p[0];
	return true;
}

/* <text>t12</text>: the mark of that number has the words. */
static bool read_text(struct reader *r, struct err *e)
{
	size_t end = str_find(r->s, '<', r->at);
	struct str name = str_trim(str_sub(r->s, r->at, end));
	int64_t n;
	if (name.n < 2 || name.p[0] != 't' || !str_i64(str_sub(name, 1, name.n), &n) || n < 0 ||
	    (size_t)n >= r->l->nmarks || !r->l->mark[n].text)
		return broken(name, e);
	r->seen[n] = true;
	html_raw(r->to, "<text");
	put_class(&r->l->mark[n], r->to);
	sb_printf(r->to, " x=\"%.1f\" y=\"%.1f\"", r->x, r->y);
	if (r->anchor == 'm' || r->anchor == 'e')
		sb_printf(r->to, " text-anchor=\"%s\"", r->anchor == 'm' ? "middle" : "end");
	html_raw(r->to, ">");
	html_text(r->to, str_of(r->l->mark[n].text));
	html_raw(r->to, "</text>\n");
	r->at = end;
	return true;
}

static bool is_tag(struct str tag, const char *name)
{
	size_t n = strlen(name);
	return str_starts(tag, name) && (tag.n == n || strchr(" \t\n/>", tag.p[n]) != NULL);
}

static bool read_tag(struct reader *r, struct str tag, struct err *e)
{
	if (is_tag(tag, "<path"))
		return read_path(r, tag, e);
	if (is_tag(tag, "<use"))
		return read_point(r, tag, e);
	if (is_tag(tag, "<g"))
		return read_group(r, tag, e);
	if (is_tag(tag, "<text"))
		return read_text(r, e);
	if (is_tag(tag, "<title")) { /* gnuplot's name of a data file */
		r->at = str_find(r->s, '<', r->at);
		return true;
	}
	return is_tag(tag, "</g") || is_tag(tag, "</text") || is_tag(tag, "</title") ||
	       is_tag(tag, "</svg") || broken(tag, e);
}

/* Everything after the symbols' definitions. */
static bool read_drawing(struct reader *r, struct err *e)
{
	static const char defs[] = "</defs>";
	const char *start = memmem(r->s.p, r->s.n, defs, sizeof defs - 1);
	if (!start)
		return err_set(e, "gnuplot wrote no drawing");
	r->at = (size_t)(start - r->s.p) + sizeof defs - 1;
	for (;;) {
		size_t open = str_find(r->s, '<', r->at);
		size_t close = str_find(r->s, '>', open);
		if (close >= r->s.n)
			break;
		r->at = close + 1;
		if (!read_tag(r, str_sub(r->s, open, close + 1), e))
			return false;
	}
	for (size_t i = 0; i < r->l->nmarks; i++)
		if (!r->seen[i])
			return err_set(e, "gnuplot left out a '%s' of the plot",
			               r->l->mark[i].class);
	return true;
}

static bool put_svg(const struct plot_chart *c, const struct plot_layout *l, const char *size,
                    const char *id, struct str drawn, struct sb *to, struct err *e)
{
	struct reader r = {.s = drawn, .l = l, .to = to};
	r.seen = ARENA_ARRAY(l->a, bool, l->nmarks + 1);
	html_raw(to, "<svg class=\"plot ");
	html_raw(to, size);
	sb_printf(to, "\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-size=\"%d\"",
	          l->width, l->height, l->width, l->height, l->font);
	sb_printf(to, " role=\"group\" aria-labelledby=\"%s-%s-t %s-%s-d\">\n", id, size, id, size);
	sb_printf(to, "<title id=\"%s-%s-t\">", id, size);
	html_text(to, str_of(c->title));
	sb_printf(to, "</title>\n<desc id=\"%s-%s-d\">", id, size);
	html_text(to, str_of(c->desc));
	html_raw(to, "</desc>\n");
	bool ok = read_drawing(&r, e);
	sb_str(to, sb_view(&r.points));
	sb_free(&r.points);
	html_raw(to, "</svg>\n");
	return ok;
}

bool plot_svg(const struct plot_chart *c, const char *id, const char *program, const char *cache,
              struct arena *a, struct sb *to, struct err *e)
{
	static const char *const names[PLOT_SIZES] = {"wide", "narrow"};
	struct plot_layout layout[PLOT_SIZES];
	struct str svg[PLOT_SIZES];
	for (int s = 0; s < PLOT_SIZES; s++)
		plot_layout_make(c, (enum plot_size)s, a, &layout[s]);
	bool ok = gnuplot_run(layout, program, cache, a, svg, e);
	for (int s = 0; ok && s < PLOT_SIZES; s++)
		ok = put_svg(c, &layout[s], names[s], id, svg[s], to, e);
	for (int s = 0; s < PLOT_SIZES; s++)
		plot_layout_free(&layout[s]);
	return ok;
}
