#include "site-gen/plot/plot.h"

#include "site-gen/plot/inner.h"

static bool fits(const struct plot_chart *c, struct err *e)
{
	size_t n = 0;
	for (size_t i = 0; i < c->nseries; i++)
		n += c->series[i].n;
	return n <= PLOT_MAX_POINTS ||
	       err_set(e, "%zu points are more than a plot can have (%d)", n, PLOT_MAX_POINTS);
}

bool plot_svg(struct plotter *p, const struct plot_chart *c, const char *id, struct arena *a,
              struct sb *to, struct err *e)
{
	struct sb variables = {0};
	struct str svg[PLOT_SIZES];
	plot_variables(c, &variables);
	bool ok = fits(c, e) && plotter_draw(p, c->program, sb_view(&variables), a, svg, e);
	for (int s = 0; ok && s < PLOT_SIZES; s++) {
		struct plot_drawing d = {
		        .chart = c, .program = plotter_path(p, c->program, a), .a = a};
		ok = plot_drawing_read(svg[s], &d, e);
		if (!ok)
			break;
		plot_labels(&d);
		plot_markup(&d, (enum plot_size)s, id, to);
	}
	sb_free(&variables);
	return ok;
}
