#include "site-gen/diagram/canvas.h"

#include <math.h>
#include <string.h>

#include "site-gen/base/html.h"
#include "site-gen/base/unicode.h"

/*
 * Widths of ' ' … '~' in static/fonts/sans.woff2, in thousandths of an em. The font's tables are
 * not read at build time: it is compressed, and a contributor's font is read in a sandbox only.
 */
static const short widths[] = {281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460,
                               276, 357, 625, 464, 605, 636, 642, 608, 624, 571, 616, 624, 276, 280,
                               659, 659, 659, 507, 936, 676, 651, 727, 719, 598, 587, 743, 740, 264,
                               543, 652, 562, 889, 753, 761, 635, 761, 639, 638, 642, 741, 676, 949,
                               642, 665, 625, 362, 357, 362, 469, 452, 497, 564, 621, 558, 621, 582,
                               361, 609, 591, 237, 237, 544, 237, 869, 585, 597, 609, 609, 372, 523,
                               364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659};

/* --- texts ------------------------------------------------------------------------- */

static double letter_width(uint32_t letter)
{
	enum { OTHER = 659, SQUARE = 1000, FIRST_SQUARE = 0x2E80, NO_BREAK_SPACE = 0xA0 };
	if (letter >= ' ' && letter <= '~')
		return widths[letter - ' '];
	if (letter == NO_BREAK_SPACE)
		return widths[0];
	return letter >= FIRST_SQUARE ? SQUARE : OTHER;
}

static double width_of(struct str s)
{
	double sum = 0;
	size_t n;
	for (size_t i = 0; i < s.n; i += n)
		sum += letter_width(unicode_at(s, i, &n));
	return sum * CANVAS_FONT / 1000;
}

double canvas_text_width(const char *s)
{
	return width_of(str_of(s));
}

const char *canvas_fit(struct canvas *c, const char *s, double room)
{
	struct str all = str_of(s);
	size_t end = 0, n;
	double dots = letter_width('.') * 3 * CANVAS_FONT / 1000;
	if (width_of(all) <= room)
		return s;
	for (size_t i = 0; i < all.n; i += n) {
		unicode_at(all, i, &n);
		if (width_of(str_sub(all, 0, i + n)) + dots > room)
			break;
		end = i + n;
	}
	return arena_printf(c->a, "%.*s…", (int)end, s);
}

/* May a line end before byte i? At spaces, and between Chinese characters. */
static bool may_break(struct str s, size_t i)
{
	size_t n;
	return s.p[i] == ' ' || (((unsigned char)s.p[i] & 0xC0) != 0x80 &&
	                         letter_width(unicode_at(s, i, &n)) == 1000);
}

int canvas_break(struct canvas *c, const char *s, double room, const char **line, int most)
{
	struct str rest = str_trim(str_of(s));
	int n = 0;
	while (rest.n > 0 && n < most) {
		size_t end = 0;
		for (size_t i = 1; i <= rest.n; i++)
			if ((i == rest.n || may_break(rest, i)) &&
			    (end == 0 || width_of(str_sub(rest, 0, i)) <= room))
				end = i;
		if (n + 1 == most)
			end = rest.n;
		line[n++] = canvas_fit(c, str_dup(c->a, str_sub(rest, 0, end)), room);
		rest = str_trim(str_sub(rest, end, rest.n));
	}
	return n;
}

/* --- the drawing ------------------------------------------------------------------- */

void canvas_open(struct canvas *c, double height, const struct canvas_said *said)
{
	const char *name = c->narrow ? "narrow" : "wide";
	c->width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	sb_printf(c->to,
	          "<svg class=\"diagram at-%s\" viewBox=\"0 0 %g %.0f\" width=\"%g\" "
	          "height=\"%.0f\" font-size=\"%d\" role=\"group\" "
	          "aria-labelledby=\"%s-%s-t %s-%s-d\">\n<title id=\"%s-%s-t\">",
	          name, c->width, ceil(height), c->width, ceil(height), CANVAS_FONT, said->id, name,
	          said->id, name, said->id, name);
	html_text(c->to, str_of(said->title));
	sb_printf(c->to, "</title>\n<desc id=\"%s-%s-d\">", said->id, name);
	html_text(c->to, str_of(said->desc));
	html_raw(c->to, "</desc>\n");
}

void canvas_close(struct canvas *c)
{
	html_raw(c->to, "</svg>\n");
}

/* --- shapes ------------------------------------------------------------------------ */

static void open_shape(struct canvas *c, const char *tag, const char *class)
{
	sb_printf(c->to, "<%s class=\"%s\"", tag, class);
}

void canvas_rect(struct canvas *c, const char *class, double x, double y, double w, double h,
                 double round)
{
	open_shape(c, "rect", class);
	sb_printf(c->to, " x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"", x, y, w, h);
	if (round > 0)
		sb_printf(c->to, " rx=\"%g\"", round);
	html_raw(c->to, "/>\n");
}

void canvas_line(struct canvas *c, const char *class, double x1, double y1, double x2, double y2)
{
	open_shape(c, "path", class);
	sb_printf(c->to, " d=\"M%.5g,%.5g L%.5g,%.5g\"/>\n", x1, y1, x2, y2);
}

void canvas_arrow(struct canvas *c, const char *class, double x1, double y1, double x2, double y2)
{
	enum { LONG = 7, HALF = 4 };
	double length = hypot(x2 - x1, y2 - y1);
	double dx = length > 0 ? (x2 - x1) / length : 0, dy = length > 0 ? (y2 - y1) / length : 1;
	double bx = x2 - LONG * dx, by = y2 - LONG * dy;
	canvas_line(c, class, x1, y1, bx, by);
	open_shape(c, "path", class);
	sb_printf(c->to, " data-head=\"\" d=\"M%.5g,%.5g L%.5g,%.5g L%.5g,%.5gZ\"/>\n", x2, y2,
	          bx - HALF * dy, by + HALF * dx, bx + HALF * dy, by - HALF * dx);
}

void canvas_curve(struct canvas *c, const char *class, double x1, double y1, double x2, double y2)
{
	double mid = (y1 + y2) / 2;
	open_shape(c, "path", class);
	sb_printf(c->to, " d=\"M%.5g,%.5g C%.5g,%.5g %.5g,%.5g %.5g,%.5g\"/>\n", x1, y1, x1, mid,
	          x2, mid, x2, y2);
}

void canvas_text(struct canvas *c, const char *class, double x, double y, enum canvas_anchor at,
                 const char *s)
{
	open_shape(c, "text", class);
	sb_printf(c->to, " x=\"%.5g\" y=\"%.5g\"", x, y);
	if (at != CANVAS_LEFT)
		sb_printf(c->to, " text-anchor=\"%s\"", at == CANVAS_MIDDLE ? "middle" : "end");
	html_raw(c->to, ">");
	html_text(c->to, str_of(s));
	html_raw(c->to, "</text>\n");
}

enum { SQUARE = 10, SPACE = 6, APART = 18 };

/* Moves an item of a legend into the next row if it does not fit; x and y are its place. */
static void next_row(const struct canvas *c, double from, const char *words, double *x, double *y)
{
	double width = c->narrow ? CANVAS_NARROW : CANVAS_WIDE;
	if (*x > from && *x + SQUARE + SPACE + canvas_text_width(words) > width) {
		*x = from;
		*y += CANVAS_LINE;
	}
}

double canvas_legend_height(const struct canvas *c, double x, const char *const *words, int n)
{
	double from = x, y = 0;
	for (int i = 0; i < n; i++) {
		next_row(c, from, words[i], &x, &y);
		x += SQUARE + SPACE + canvas_text_width(words[i]) + APART;
	}
	return y + CANVAS_LINE;
}

void canvas_legend(struct canvas *c, double x, double y, const char *const *class,
                   const char *const *words, int n)
{
	double from = x;
	for (int i = 0; i < n; i++) {
		next_row(c, from, words[i], &x, &y);
		canvas_rect(c, class[i], x, y, SQUARE, SQUARE, 2);
		canvas_text(c, "", x + SQUARE + SPACE, y + 9, CANVAS_LEFT, words[i]);
		x += SQUARE + SPACE + canvas_text_width(words[i]) + APART;
	}
}

void canvas_link(struct canvas *c, const char *href, const char *title)
{
	html_raw(c->to, href ? "<a tabindex=\"-1\" href=\"" : "<g>");
	if (href) {
		html_url(c->to, str_of(href));
		html_raw(c->to, "\">");
	}
	html_raw(c->to, "<title>");
	html_text(c->to, str_of(title));
	html_raw(c->to, "</title>");
}

void canvas_link_end(struct canvas *c, const char *href)
{
	html_raw(c->to, href ? "</a>\n" : "</g>\n");
}

void canvas_box(struct canvas *c, int n, const char *title)
{
	sb_printf(c->to, "<g class=\"box\" data-box=\"%d\"><title>", n);
	html_text(c->to, str_of(title));
	html_raw(c->to, "</title>");
}

void canvas_box_end(struct canvas *c)
{
	html_raw(c->to, "</g>\n");
}
