/* The code of colours in gnuplot's SVG: each stands for a class, a series or a number. */
#include "lib/array.h"
#include "site-gen/plot/inner.h"

/*
 * A colour is 0xKKNNNN: KK the kind, NNNN which one. To add a class: a row here, a line in the list
 * at the head of templates/plots/common.gp, and a rule in static/site.css.
 */
enum { KIND = 0x10000, SERIES = KIND, POINT = 2 * KIND, HEAT = 3 * KIND, KINDS_END = 4 * KIND };

static const struct plot_class classes[] = {
        {"c_grid", "grid", NULL},
        {"c_axis", "axis", NULL},
        {"c_tick", NULL, "tick"},
        {"c_title", NULL, "axis-title"},
        {"c_note", "note", "note"},
        {"c_spec", "roof-spec", "roof-spec-label"},
        {"c_measured", "roof-measured", "roof-measured-label"},
        {"c_ridge", "ridge", "ridge-label"},
        {"c_chosen", "chosen", "chosen-label"},
        {"c_leader", "leader", NULL},
};

enum { NCLASSES = ARRAY_LEN(classes) };

const struct plot_class *plot_class(size_t i)
{
	return i < NCLASSES ? &classes[i] : NULL;
}

unsigned plot_colour_of_class(size_t i)
{
	return (unsigned)i + 1; /* black stays what it is: a colour that somebody forgot */
}

unsigned plot_colour_of_series(size_t i)
{
	return SERIES + (unsigned)i;
}

unsigned plot_colour_of_point(size_t i)
{
	return POINT + (unsigned)i;
}

unsigned plot_heat(void)
{
	return HEAT - POINT;
}

static bool point_of(const struct plot_chart *c, size_t n, struct plot_paint *out)
{
	out->meaning = PLOT_NUMBER;
	for (out->series = 0; out->series < c->nseries; out->series++) {
		if (n < c->series[out->series].n) {
			out->index = n;
			return true;
		}
		n -= c->series[out->series].n;
	}
	return false;
}

bool plot_paint_of(const struct plot_chart *c, unsigned colour, struct plot_paint *out)
{
	unsigned n = colour % KIND;
	*out = (struct plot_paint){.meaning = PLOT_CLASS, .index = n - 1, .heat = colour >= HEAT};
	if (colour >= KINDS_END)
		return false;
	if (colour >= POINT)
		return point_of(c, n, out);
	if (colour < SERIES)
		return n > 0 && n <= NCLASSES;
	*out = (struct plot_paint){.meaning = PLOT_SERIES, .index = n, .series = n};
	return n < c->nseries;
}
