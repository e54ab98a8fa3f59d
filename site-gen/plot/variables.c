/* A chart as variables and data blocks of gnuplot. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "site-gen/base/unicode.h"
#include "site-gen/plot/inner.h"

/* --- texts --- */

/*
 * A character that gnuplot would read as syntax becomes one of the private use area, so that no
 * title of a record can end a string, start a command or begin a line.
 */
enum { DISGUISE = 0xE000 };

static bool is_syntax(unsigned char c)
{
	return c < 0x20 || c == 0x7F || strchr("'\"`\\@$#|", c) != NULL;
}

static void put_text(const char *s, struct sb *to)
{
	sb_char(to, '\'');
	for (; s && *s; s++)
		if (is_syntax((unsigned char)*s))
			sb_utf8(to, DISGUISE + (unsigned char)*s);
		else
			sb_char(to, *s);
	sb_char(to, '\'');
}

void plot_unmask(struct str masked, struct sb *to)
{
	size_t n;
	for (size_t i = 0; i < masked.n; i += n) {
		uint32_t c = unicode_at(masked, i, &n);
		if (c >= DISGUISE && c < DISGUISE + 0x80 &&
		    is_syntax((unsigned char)(c - DISGUISE)))
			sb_char(to, (char)(c - DISGUISE));
		else
			sb_put(to, masked.p + i, n);
	}
}

double plot_text_ems(const char *s)
{
	static const double CHAR_EMS =
	        0.56; /* the mean of a sans-serif face: for room, not truth */
	double ems = 0;
	for (; s && *s; s++) {
		unsigned char c = (unsigned char)*s;
		if ((c & 0xC0) != 0x80) /* Chinese fills a square: U+3000 and after */
			ems += c >= 0xE3 ? 1 : CHAR_EMS;
	}
	return ems;
}

/* --- variables --- */

/* Writes a number with a decimal point, because gnuplot divides integers: 1 / 3 is 0. */
static void put_real(double v, struct sb *to)
{
	size_t begin = to->n;
	sb_printf(to, "%.10g", v);
	if (!strpbrk(to->p + begin, ".en"))
		sb_cstr(to, ".0");
}

static void put_number(const char *name, double v, struct sb *to)
{
	sb_printf(to, "%s = ", name);
	put_real(v, to);
	sb_char(to, '\n');
}

static void put_string(const char *name, const char *text, struct sb *to)
{
	sb_printf(to, "%s = ", name);
	put_text(text, to);
	sb_char(to, '\n');
}

static const char *member(struct sb *name, const char *of, const char *what)
{
	sb_clear(name);
	sb_printf(name, "%s_%s", of, what);
	return name->p;
}

static void put_axis(const char *name, const struct plot_axis *a, struct sb *to)
{
	struct sb n = {0};
	put_string(member(&n, name, "title"), a->title, to);
	put_number(member(&n, name, "lo"), a->lo / a->scale, to);
	put_number(member(&n, name, "hi"), a->hi / a->scale, to);
	sb_printf(to, "%s_log = %d\n", name, a->log);
	sb_free(&n);
}

static void put_roof(const char *name, const struct plot_roof *r, const struct plot_chart *c,
                     struct sb *to)
{
	struct sb n = {0};
	put_number(member(&n, name, "level"), r->level / c->y.scale, to);
	put_number(member(&n, name, "slope"), r->slope * c->x.scale / c->y.scale, to);
	put_string(member(&n, name, "level_text"), r->level_text, to);
	put_string(member(&n, name, "level_short"), r->level_short, to);
	put_string(member(&n, name, "slope_text"), r->slope_text, to);
	put_string(member(&n, name, "slope_short"), r->slope_short, to);
	put_string(member(&n, name, "ridge_text"), r->ridge_text, to);
	sb_free(&n);
}

/* Begins an array. gnuplot needs at least one element. */
static void open_array(const char *name, size_t n, struct sb *to)
{
	sb_printf(to, "array %s[%zu] = [", name, n ? n : 1);
	if (!n)
		sb_cstr(to, "''");
}

/* The last point of each series, where its name may stand. */
static void put_lasts(const struct plot_chart *c, struct sb *to)
{
	for (int y = 0; y < 2; y++) {
		open_array(y ? "last_y" : "last_x", c->nseries, to);
		for (size_t i = 0; i < c->nseries; i++) {
			const struct plot_series *s = &c->series[i];
			const struct plot_point *p = s->n ? &s->points[s->n - 1] : NULL;
			double v = !p ? NAN : y ? p->y / c->y.scale : p->x / c->x.scale;
			sb_cstr(to, i ? ", " : "");
			put_real(v, to);
		}
		sb_cstr(to, "]\n");
	}
}

/* Whether a line through the points of a series says anything of x, which they may share. */
static bool spans(const struct plot_series *s)
{
	enum { APART = 200 }; /* a part in so many */
	double least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < s->n; i++) {
		least = fmin(least, s->points[i].x);
		most = fmax(most, s->points[i].x);
	}
	return most - least > fabs(most) / APART;
}

static void put_spans(const struct plot_chart *c, struct sb *to)
{
	open_array("spans", c->nseries, to);
	for (size_t i = 0; i < c->nseries; i++)
		sb_printf(to, "%s%d", i ? ", " : "", spans(&c->series[i]));
	sb_cstr(to, "]\n");
}

static void put_series(const struct plot_chart *c, struct sb *to)
{
	double ems[2] = {0, 0};
	for (int narrow = 0; narrow < 2; narrow++) {
		open_array(narrow ? "short" : "name", c->nseries, to);
		for (size_t i = 0; i < c->nseries; i++) {
			const struct plot_series *s = &c->series[i];
			const char *text = narrow ? s->short_name : s->name;
			sb_cstr(to, i ? ", " : "");
			put_text(text, to);
			ems[narrow] = fmax(ems[narrow], plot_text_ems(text));
		}
		sb_cstr(to, "]\n");
	}
	open_array("role", c->nseries, to);
	for (size_t i = 0; i < c->nseries; i++) {
		sb_cstr(to, i ? ", " : "");
		put_text(c->series[i].role, to);
	}
	sb_cstr(to, "]\n");
	put_lasts(c, to);
	put_spans(c, to);
	sb_printf(to, "series = %zu\nname_ems = %g\nshort_ems = %g\n", c->nseries, ems[0], ems[1]);
	sb_printf(to, "c_series(i) = %u + i - 1\n", plot_colour_of_series(0));
}

static void put_columns(const struct plot_chart *c, struct sb *to)
{
	double ems = 0;
	open_array("column_text", c->ncolumns, to);
	for (size_t i = 0; i < c->ncolumns; i++) {
		sb_cstr(to, i ? ", " : "");
		put_text(c->column[i], to);
		ems = fmax(ems, plot_text_ems(c->column[i]));
	}
	sb_printf(to, "]\ncolumns = %zu\ncolumn_ems = %g\n", c->ncolumns, ems);
}

static void put_classes(struct sb *to)
{
	for (size_t i = 0; plot_class(i); i++)
		sb_printf(to, "%s = %u\n", plot_class(i)->variable, plot_colour_of_class(i));
	sb_printf(to, "c_heat(c) = c + %u\n", plot_heat());
}

/* --- data blocks --- */

static void put_values(const struct plot_chart *c, struct sb *to)
{
	size_t n = 0;
	bool any = false;
	for (size_t i = 0; i < c->nseries; i++) {
		n += c->series[i].n;
		any = any || (c->series[i].n > 0 && c->series[i].points[0].value);
	}
	open_array("value", any ? n : 0, to);
	for (size_t i = 0, k = 0; any && i < c->nseries; i++)
		for (size_t p = 0; p < c->series[i].n; p++, k++) {
			sb_cstr(to, k ? ", " : "");
			put_text(c->series[i].points[p].value, to);
		}
	sb_printf(to, "]\npoints = %zu\n", n);
}

/* One block for each series, with the columns: x y low high colour series column point. */
static void put_points(const struct plot_chart *c, struct sb *to)
{
	size_t k = 0;
	double s = c->y.scale;
	sb_cstr(to, "$points << EOD\n");
	for (size_t i = 0; i < c->nseries; i++) {
		sb_cstr(to, i ? "\n\n" : "");
		for (size_t n = 0; n < c->series[i].n; n++, k++) {
			const struct plot_point *p = &c->series[i].points[n];
			bool has = p->lo < p->hi;
			sb_printf(to, "%.9g %.9g %.9g %.9g %u %zu %d %zu\n", p->x / c->x.scale,
			          p->y / s, (has ? p->lo : p->y) / s, (has ? p->hi : p->y) / s,
			          plot_colour_of_point(k), i + 1, p->column, k + 1);
		}
	}
	sb_cstr(to, "EOD\n");
}

static bool has_behind(const struct plot_chart *c, bool samples)
{
	for (size_t i = 0; i < c->nseries; i++)
		for (size_t n = 0; n < c->series[i].n; n++)
			if (samples ? c->series[i].points[n].nsamples
			            : c->series[i].points[n].nlaunches)
				return true;
	return false;
}

/* The launches or samples behind each point, a block each: value series column point. */
static void put_behind(const struct plot_chart *c, bool samples, struct sb *to)
{
	const char *name = samples ? "samples" : "launches";
	size_t k = 0, all = 0;
	sb_printf(to, "$%s << EOD\n", name);
	for (size_t i = 0; i < c->nseries && has_behind(c, samples); i++)
		for (size_t n = 0; n < c->series[i].n; n++, k++) {
			const struct plot_point *p = &c->series[i].points[n];
			const double *v = samples ? p->samples : p->launches;
			size_t count = samples ? p->nsamples : p->nlaunches;
			sb_cstr(to, k ? "\n\n" : "");
			for (size_t j = 0; j < count; j++)
				sb_printf(to, "%.7g %zu %d %zu\n", v[j] / c->y.scale, i + 1,
				          p->column, k + 1);
			all += count;
		}
	sb_printf(to, "EOD\n%s = %zu\n", name, all);
}

void plot_variables(const struct plot_chart *c, struct sb *to)
{
	sb_cstr(to, "min(a, b) = a < b ? a : b\nmax(a, b) = a > b ? a : b\n");
	put_classes(to);
	put_axis("x", &c->x, to);
	put_axis("y", &c->y, to);
	put_series(c, to);
	put_columns(c, to);
	put_roof("spec", &c->roof[PLOT_SPEC], c, to);
	put_roof("measured", &c->roof[PLOT_MEASURED], c, to);
	put_number("chosen", c->chosen.x / c->x.scale, to);
	put_string("chosen_text", c->chosen.text, to);
	for (size_t i = 0; i < c->nextras; i++)
		if (c->extra[i].text)
			put_string(c->extra[i].name, c->extra[i].text, to);
		else
			put_number(c->extra[i].name, c->extra[i].number, to);
	put_values(c, to);
	put_points(c, to);
	put_behind(c, false, to);
	put_behind(c, true, to);
}
