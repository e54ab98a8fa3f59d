/*
 * Reads gnuplot's SVG into a list of paths, circles, areas and texts, each with the meaning of its
 * colour. Markup that this reader does not know is an error, so it never reaches a page.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "site-gen/base/html_scan.h"
#include "site-gen/plot/inner.h"

enum { MOST_DEPTH = 32 };

struct reader {
	struct plot_drawing *d;
	struct str s;
	size_t at;
	double width[MOST_DEPTH]; /* of strokes, by open group */
	int depth;
	struct plot_part text; /* the group of a text, before its words */
	struct str colour;     /* of that */
	bool *seen;            /* by point: gnuplot drops what is not finite or out of range */
};

static bool fails(const struct reader *r, struct err *e, const char *what, struct str tag)
{
	enum { SHOWN = 160 };
	return err_set(e, "%s: %s: " STR_FMT, r->d->program, what,
	               (int)(tag.n < SHOWN ? tag.n : SHOWN), tag.p);
}

static bool is_white(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* The value of an attribute inside one tag; gnuplot uses both kinds of quote, and spaces. */
static bool attribute(struct str tag, const char *name, struct str *out)
{
	size_t n = strlen(name);
	for (size_t i = 1; i + n + 2 < tag.n; i++) {
		size_t q = i + n;
		if (!is_white(tag.p[i - 1]) || memcmp(tag.p + i, name, n) != 0)
			continue;
		while (q < tag.n && (tag.p[q] == ' ' || tag.p[q] == '='))
			q++;
		if (q + 1 >= tag.n || (tag.p[q] != '\'' && tag.p[q] != '"'))
			continue;
		size_t close = str_find(tag, tag.p[q], q + 1);
		*out = str_sub(tag, q + 1, close);
		return close < tag.n;
	}
	return false;
}

/* "rgb(  1,   0,   2)" -> 0x010002 */
static bool read_colour(struct str s, unsigned *out)
{
	int64_t part[3];
	struct str rest, one;
	if (!str_starts(s, "rgb(") || !str_ends(s, ")"))
		return false;
	rest = str_sub(s, 4, s.n - 1);
	for (int i = 0; i < 3; i++)
		if (str_cut(rest, ',', &one, &rest) != (i < 2) || !str_i64(str_trim(one), &part[i]))
			return false;
	*out = (unsigned)((part[0] << 16) | (part[1] << 8) | part[2]);
	return true;
}

/* Reads a colour's meaning, and counts the number that it stands for. */
static bool take_paint(struct reader *r, struct str colour, const char *what,
                       struct plot_paint *out, struct err *e)
{
	unsigned n;
	if (!read_colour(colour, &n) || !plot_paint_of(r->d->chart, n, out))
		return err_set(e,
		               "%s: draws %s in the colour " STR_FMT
		               ", which stands for nothing: templates/plots/common.gp lists the "
		               "colours that do",
		               r->d->program, what, STR_ARG(colour));
	return true;
}

static void saw(struct reader *r, const struct plot_paint *p)
{
	size_t n = p->index;
	if (p->meaning != PLOT_NUMBER)
		return;
	for (size_t i = 0; i < p->series; i++)
		n += r->d->chart->series[i].n;
	r->seen[n] = true;
}

static void add(struct plot_drawing *d, struct plot_part p)
{
	d->part = arena_grow(d->a, d->part, d->n, &d->room, sizeof *d->part);
	d->part[d->n++] = p;
}

/* --- paths and areas --- */

/* "1,2" at byte i of s; returns the byte after it, or 0 if it is not there. */
static size_t read_vertex(struct str s, size_t i, struct plot_vertex *v)
{
	char *end;
	v->x = strtod(s.p + i, &end);
	if (end == s.p + i || *end != ',')
		return 0;
	const char *second = end + 1;
	v->y = strtod(second, &end);
	return end > second && end <= s.p + s.n ? (size_t)(end - s.p) : 0;
}

/* Drops the last vertex if nothing leads to or from it. */
static void drop_loose(struct plot_part *p)
{
	if (p->n > 0 && p->at[p->n - 1].begins)
		p->n--;
}

/* "M1,2 L3,4 … Z", or the points of an area, "1,2 3,4 …". */
static bool read_vertices(struct reader *r, struct str s, struct plot_part *p)
{
	size_t room = 0, first = 0;
	bool begins = false;
	for (size_t i = 0; i < s.n; i++)
		room += s.p[i] == ',' || s.p[i] == 'Z';
	p->at = ARENA_ARRAY(r->d->a, struct plot_vertex, room + 1);
	for (size_t i = 0; i < s.n;) {
		if (s.p[i] == 'M' || s.p[i] == 'L' || is_white(s.p[i])) {
			begins = begins || s.p[i] == 'M';
			i++;
			continue;
		}
		if (begins)
			drop_loose(p);
		struct plot_vertex *v = &p->at[p->n];
		if (s.p[i] == 'Z') {
			*v = p->at[first];
			v->begins = false;
			i++;
		} else if (!(i = read_vertex(s, i, v))) {
			return false;
		} else if ((v->begins = begins)) {
			first = p->n;
		}
		begins = false;
		p->n++;
	}
	drop_loose(p);
	return true;
}

/* A path without length (a tick of scale 0) draws nothing, so it may have any colour. */
static bool read_path(struct reader *r, struct str tag, struct err *e)
{
	struct plot_part p = {.shape = PLOT_PATH, .width = r->width[r->depth]};
	struct str d, colour = STR("");
	if (!attribute(tag, "d", &d) || !read_vertices(r, d, &p))
		return fails(r, e, "gnuplot drew a path of its own kind", tag);
	attribute(tag, "stroke", &colour);
	attribute(tag, "stroke-dasharray", &p.dash);
	if (p.n == 0)
		return true;
	if (!take_paint(r, colour, "a line", &p.paint, e))
		return false;
	add(r->d, p);
	return true;
}

static bool read_area(struct reader *r, struct str tag, struct err *e)
{
	struct plot_part p = {.shape = PLOT_AREA};
	struct str points, colour = STR("");
	if (!attribute(tag, "points", &points) || !read_vertices(r, points, &p))
		return fails(r, e, "gnuplot drew an area of its own kind", tag);
	attribute(tag, "fill", &colour);
	attribute(tag, "fill-opacity", &p.opacity);
	if (!take_paint(r, colour, "an area", &p.paint, e))
		return false;
	saw(r, &p.paint);
	add(r->d, p);
	return true;
}

/* --- points --- */

/* "translate(198.00,294.89) scale(5.25)", "translate(…) rotate(-90)" */
static bool read_transform(struct str s, struct plot_vertex *at, const char *name, double *value)
{
	struct str inside, a, b;
	size_t open = str_find(s, '(', 0), close = str_find(s, ')', 0);
	if (!str_starts(s, "translate(") || close <= open)
		return false;
	inside = str_sub(s, open + 1, close);
	if (!str_cut(inside, ',', &a, &b) || !str_f64(a, &at->x) || !str_f64(b, &at->y))
		return false;
	s = str_trim(str_sub(s, close + 1, s.n));
	open = strlen(name);
	return s.n == 0 || (s.n > open + 2 && memcmp(s.p, name, open) == 0 && s.p[open] == '(' &&
	                    str_f64(str_sub(s, open + 1, s.n - 1), value));
}

static bool read_point(struct reader *r, struct str tag, struct err *e)
{
	struct plot_part p = {.shape = PLOT_CIRCLE, .n = 1, .radius = 1};
	struct str transform, colour = STR(""), shape = STR("");
	p.at = ARENA_NEW(r->d->a, struct plot_vertex);
	attribute(tag, "xlink:href", &shape);
	if (!str_is(shape, "#gpPt6"))
		return fails(r, e, "draws points that are no discs (pt 7)", tag);
	if (!attribute(tag, "transform", &transform) ||
	    !read_transform(transform, p.at, "scale", &p.radius))
		return fails(r, e, "gnuplot drew a point of its own kind", tag);
	attribute(tag, "color", &colour);
	if (!take_paint(r, colour, "a point", &p.paint, e))
		return false;
	saw(r, &p.paint);
	add(r->d, p);
	return true;
}

/* --- groups and texts --- */

/* Reads a group: it gives the place of a text, or the width of strokes. */
static bool read_group(struct reader *r, struct str tag, struct err *e)
{
	struct str value, anchor;
	if (r->depth + 1 == MOST_DEPTH)
		return fails(r, e, "gnuplot drew groups in groups", tag);
	r->depth++;
	r->width[r->depth] = r->width[r->depth - 1];
	if (attribute(tag, "stroke-width", &value) && !str_f64(value, &r->width[r->depth]))
		return fails(r, e, "gnuplot drew a stroke of its own kind", tag);
	if (!attribute(tag, "transform", &value))
		return true;
	r->text = (struct plot_part){.shape = PLOT_TEXT, .n = 1};
	r->text.at = ARENA_NEW(r->d->a, struct plot_vertex);
	if (!read_transform(value, r->text.at, "rotate", &r->text.angle) ||
	    !attribute(tag, "text-anchor", &anchor) || !attribute(tag, "fill", &r->colour) ||
	    !attribute(tag, "font-size", &value) || !str_f64(value, &r->text.font))
		return fails(r, e, "gnuplot drew a text of its own kind", tag);
	r->text.anchor = anchor.p[0] == 's' ? 'l' : anchor.p[0] == 'e' ? 'r' : 'c';
	return true;
}

/* A text in the colour of a number must be that number as pages print it. */
static bool says_its_number(const struct reader *r, const struct plot_part *p, struct err *e)
{
	if (p->paint.meaning != PLOT_NUMBER)
		return true;
	const struct plot_point *n = &r->d->chart->series[p->paint.series].points[p->paint.index];
	return (n->value && strcmp(n->value, p->text) == 0) ||
	       err_set(e, "%s: says '%s' of a number that is '%s': %s", r->d->program, p->text,
	               n->value ? n->value : "not said", n->title);
}

static bool read_text(struct reader *r, struct err *e)
{
	size_t end = str_find(r->s, '<', r->at);
	struct str written = str_trim(str_sub(r->s, r->at, end));
	struct sb plain = {0}, words = {0};
	struct plot_part p = r->text;
	r->at = end;
	if (!p.at || !str_starts(str_sub(r->s, end, r->s.n), "</text"))
		return fails(r, e, "draws a text of several kinds (terminal without noenhanced)",
		             written);
	html_scan_plain(&plain, written);
	plot_unmask(sb_view(&plain), &words);
	p.text = arena_strndup(r->d->a, words.p ? words.p : "", words.n);
	sb_free(&plain);
	sb_free(&words);
	if (!*p.text)
		return true;
	if (!take_paint(r, r->colour, "a text", &p.paint, e))
		return false;
	if (!says_its_number(r, &p, e))
		return false;
	if (r->d->font == 0)
		r->d->font = p.font;
	add(r->d, p);
	return true;
}

/* --- the whole --- */

static bool is_tag(struct str tag, const char *name)
{
	size_t n = strlen(name);
	return str_starts(tag, name) && (tag.n == n || strchr(" \t\n/>", tag.p[n]) != NULL);
}

static bool read_tag(struct reader *r, struct str tag, struct err *e)
{
	if (is_tag(tag, "<path"))
		return read_path(r, tag, e);
	if (is_tag(tag, "<polygon"))
		return read_area(r, tag, e);
	if (is_tag(tag, "<use"))
		return read_point(r, tag, e);
	if (is_tag(tag, "<g"))
		return read_group(r, tag, e);
	if (is_tag(tag, "<text"))
		return read_text(r, e);
	if (is_tag(tag, "</g") && r->depth > 0)
		r->depth--;
	if (is_tag(tag, "<title")) { /* gnuplot's name of a curve */
		r->at = str_find(r->s, '<', r->at);
		return true;
	}
	return is_tag(tag, "</g") || is_tag(tag, "</text") || is_tag(tag, "</title") ||
	       is_tag(tag, "</svg") ||
	       fails(r, e, "draws what is no line, disc (pt 7), box, area or text", tag);
}

static bool all_seen(const struct reader *r, struct err *e)
{
	const struct plot_chart *c = r->d->chart;
	size_t n = 0;
	for (size_t i = 0; i < c->nseries; i++)
		for (size_t k = 0; k < c->series[i].n; k++)
			if (!r->seen[n++])
				return err_set(e,
				               "%s: leaves out a number, '%s': it draws nothing "
				               "in its colour, or outside of its axes",
				               r->d->program, c->series[i].points[k].title);
	return true;
}

/* Reads the size from the opening tag, and skips the definitions of symbols. */
static bool read_opening(struct reader *r, struct err *e)
{
	static const char svg[] = "<svg", defs[] = "</defs>";
	const char *open = r->s.n ? memmem(r->s.p, r->s.n, svg, sizeof svg - 1) : NULL;
	const char *start = open ? memmem(r->s.p, r->s.n, defs, sizeof defs - 1) : NULL;
	struct str width, height;
	if (!start)
		return err_set(e, "%s: draws nothing", r->d->program);
	struct str tag = {open, (size_t)(start - open)};
	tag.n = str_find(tag, '>', 0);
	if (!attribute(tag, "width", &width) || !attribute(tag, "height", &height) ||
	    !str_f64(width, &r->d->width) || !str_f64(height, &r->d->height))
		return fails(r, e, "gnuplot drew a page of its own kind", tag);
	r->at = (size_t)(start - r->s.p) + sizeof defs - 1;
	if (memmem(start, (size_t)(r->s.p + r->s.n - start), svg, sizeof svg - 1))
		return err_set(e, "%s: draws more than one picture", r->d->program);
	return true;
}

bool plot_drawing_read(struct str svg, struct plot_drawing *d, struct err *e)
{
	struct reader r = {.d = d, .s = svg, .width = {1}};
	size_t points = 0;
	for (size_t i = 0; i < d->chart->nseries; i++)
		points += d->chart->series[i].n;
	r.seen = ARENA_ARRAY(d->a, bool, points + 1);
	if (!read_opening(&r, e))
		return false;
	for (;;) {
		size_t open = str_find(r.s, '<', r.at), close = str_find(r.s, '>', open);
		if (close >= r.s.n)
			break;
		r.at = close + 1;
		if (!read_tag(&r, str_sub(r.s, open, close + 1), e))
			return false;
	}
	return all_seen(&r, e);
}
