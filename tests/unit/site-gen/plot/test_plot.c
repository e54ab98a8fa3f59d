/* Charts: every point drawn and linked, names that keep clear, programs that cannot cheat or harm.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <linux/landlock.h>

#include "lib/array.h"
#include "lib/file.h"
#include "site-gen/plot/inner.h"
#include "site-gen/plot/place.h"

enum { SERIES = 6, POINTS = 4 };

static struct plot_point points[SERIES][POINTS];
static struct plot_series series[SERIES];
static char root[64]; /* a folder with all programs, and those that tests write */
static const char *cache;
static struct plotter *plotter;
static struct arena arena;

/* SYNTHETIC: six curves that end almost at one height. */
static struct plot_chart crowded(void)
{
	static const char *const names[SERIES] = {"one",  "two",  "three",
	                                          "four", "five", "<six> & \"more\""};
	for (int s = 0; s < SERIES; s++) {
		for (int i = 0; i < POINTS; i++)
			points[s][i] = (struct plot_point){.x = pow(2, 16 + 4 * i),
			                                   .y = 1e12 * (i + 1) + 1e10 * s,
			                                   .column = i + 1,
			                                   .href = "/runs/x/#a&b",
			                                   .title = "case <1>",
			                                   .value = "4.10\u00A0TB/s",
			                                   .hollow = s == 2};
		series[s] = (struct plot_series){.name = names[s],
		                                 .short_name = names[s],
		                                 .colour = s,
		                                 .role = s == 5 ? "peer" : "kernel",
		                                 .points = points[s],
		                                 .n = POINTS};
	}
	struct plot_chart c = {.program = "plot", .title = "Title <&>", .desc = "what it shows"};
	c.x = (struct plot_axis){"n", pow(2, 16), pow(2, 28), 1, 2};
	c.y = (struct plot_axis){"Bandwidth, TB/s", 1e12, 5e12, 1e12, 0};
	c.series = series;
	c.nseries = SERIES;
	c.roof[PLOT_SPEC] = (struct plot_roof){
	        .level = 4.8e12, .level_text = "theoretical", .level_short = "theoretical"};
	return c;
}

static void write_program(const char *name, const char *text)
{
	struct err e = ERR_NONE;
	const char *path = arena_printf(&arena, "%s/templates/plots/%s.gp", root, name);
	if (!file_write(path, str_of(text), &e))
		fail_msg("%s", e.text);
	plotter_rest(plotter);
	plotter = plotter_new(root, cache, &arena);
}

static const char *draw(const struct plot_chart *c, struct err *e)
{
	struct sb to = {0};
	*e = ERR_NONE;
	if (!plot_svg(plotter, c, "b7", &arena, &to, e))
		sb_clear(&to);
	return sb_take(&arena, &to);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;
	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

static void every_point_is_a_link(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	const char *svg = draw(&c, &e);
	if (e.set)
		fail_msg("%s", e.text);
	assert_int_equal(count(svg, "<svg class=\"plot wide\""), 1);
	assert_int_equal(count(svg, "<svg class=\"plot narrow\""), 1);
	assert_int_equal(count(svg, "<circle class=\"pt "), 2 * SERIES * POINTS);
	assert_int_equal(count(svg, "<circle class=\"pt s-2 hollow\""), 2 * POINTS);
	assert_int_equal(count(svg, "<path class=\"line s-5 peer\""), 2);
	assert_int_equal(count(svg, "href=\"/runs/x/#a&amp;b\"><title>case &lt;1&gt;</title>"),
	                 2 * SERIES * POINTS);
	assert_int_equal(count(svg, ">&lt;six&gt; &amp; \"more\"</text>"), 2);
	assert_int_equal(count(svg, "role=\"group\" aria-labelledby=\"b7-wide-t b7-wide-d\""), 1);
	assert_int_equal(count(svg, "<title id=\"b7-wide-t\">Title &lt;&amp;&gt;</title>"), 1);
	assert_int_equal(count(svg, "2²⁸</text>"), 2);
	assert_int_equal(count(svg, ">Bandwidth, TB/s</text>"), 2);
	assert_int_equal(count(svg, "<path class=\"grid\""), 2); /* one each, of many lines */
}

static void nothing_paints_itself(void **state)
{
	(void)state;
	static const char *const bad[] = {"style=", "fill=", "stroke=",     "rgb(", "<script",
	                                  "xlink",  "<g",    "font-family", "clip"};
	struct err e;
	struct plot_chart c = crowded();
	const char *svg = draw(&c, &e);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(count(svg, bad[i]), 0);
}

/* Centres of the points are where the axes say, to a twentieth of a unit. */
static void points_are_where_they_belong(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	const char *p = draw(&c, &e);
	double x[POINTS], y[POINTS];
	for (int i = 0; i < POINTS; i++) {
		p = strstr(p, "<circle class=\"pt s-0\"");
		assert_non_null(p);
		assert_int_equal(sscanf(strstr(p, "cx="), "cx=\"%lf\" cy=\"%lf\"", &x[i], &y[i]),
		                 2);
		p++;
	}
	for (int i = 2; i < POINTS; i++) {
		/* x is logarithmic and y linear, and both were chosen in equal steps */
		assert_true(fabs((x[i] - x[i - 1]) - (x[1] - x[0])) < 0.05);
		assert_true(fabs((y[i - 1] - y[i]) - (y[0] - y[1])) < 0.05);
	}
}

/* No two names of series in one rendering are closer than a line of text. */
static void labels_keep_clear(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	const char *svg = draw(&c, &e), *narrow = strstr(svg, "<svg class=\"plot narrow\"");
	double y[2 * SERIES];
	size_t n = 0, wide = 0;
	for (const char *p = svg; (p = strstr(p, "<text class=\"label ")); p++) {
		double x;
		wide += p < narrow;
		assert_int_equal(sscanf(strstr(p, " x="), " x=\"%lf\" y=\"%lf\"", &x, &y[n++]), 2);
	}
	assert_int_equal(n, 2 * SERIES);
	assert_int_equal(wide, SERIES);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if ((i < SERIES) == (k < SERIES))
				assert_true(fabs(y[i] - y[k]) >= 14);
}

/* Where the first text of a class is in the first rendering. */
static void text_at(const char *svg, const char *class, double *x, double *y, char anchor[8])
{
	const char *p = strstr(svg, class), *end;
	assert_non_null(p);
	end = strstr(p, "</text>");
	assert_int_equal(sscanf(strstr(p, " x="), " x=\"%lf\" y=\"%lf\"", x, y), 2);
	const char *a = strstr(p, "text-anchor=\"");
	snprintf(anchor, 8, "%s", a && a < end ? a + strlen("text-anchor=\"") : "start");
}

/* A curve that runs right above its roof, where the program wants the roof's name. */
static void a_roof_s_name_hides_no_point(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	double x, y, px, py;
	char anchor[8];
	int seen = 0;
	c.nseries = 1;
	for (int i = 0; i < POINTS; i++)
		points[0][i].y = 4.95e12;
	const char *svg = draw(&c, &e), *narrow = strstr(svg, "<svg class=\"plot narrow\"");
	if (e.set)
		fail_msg("%s", e.text);
	text_at(svg, "class=\"roof-spec-label\"", &x, &y, anchor);
	for (const char *p = svg; (p = strstr(p, "<circle class=\"pt s-0\"")) && p < narrow; p++) {
		sscanf(strstr(p, "cx="), "cx=\"%lf\" cy=\"%lf\"", &px, &py);
		assert_false(px > x && px < x + 80 && fabs(py - (y - 4.5)) < 9);
		seen++;
	}
	assert_int_equal(seen, POINTS);
}

/* A name that finds no room says less, on a wide page too. */
static void a_roof_s_name_may_be_shorter(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.roof[PLOT_SPEC].level_short = "in short";
	assert_int_equal(count(draw(&c, &e), ">in short</text>"), 1);
	c.roof[PLOT_SPEC].level_text =
	        "theoretical, and then what a data sheet says of it, with its page, its date "
	        "and the unit that it is in, which is more than fits above any chart";
	assert_int_equal(count(draw(&c, &e), ">in short</text>"), 2);
}

/* Of one rendering: is the upper roof named first, and each by its word? */
static void check_order(const char *svg, const char *end)
{
	const char *upper = strstr(svg, "theoretical 4.8"), *lower = strstr(svg, "measured");
	double x, y, z;
	assert_true(upper && upper < end && lower && lower < end);
	if (strncmp(upper, "theoretical 4.8 · measured", strlen("theoretical 4.8 · measured")) == 0)
		return;
	char anchor[8];
	text_at(svg, "class=\"roof-spec-label\"", &x, &y, anchor);
	text_at(svg, "class=\"roof-measured-label\"", &x, &z, anchor);
	assert_true(y < z - 10);
}

/* However close the roofs are and whatever is in the way, names keep the order of their lines. */
static void names_of_roofs_keep_their_order(void **state)
{
	(void)state;
	struct err e;
	for (int gap = 0; gap <= 20; gap++) {
		struct plot_chart c = crowded();
		double level = 4.8e12 - 0.05e12 * gap;
		c.nseries = 1 + gap % 3 * 2;
		for (int i = 0; i < POINTS; i++) /* where the lower name would go */
			points[0][i].y = level - 0.2e12;
		c.y.hi = gap % 2 ? 5.1e12 : 9e12; /* room above, or hardly any */
		c.roof[PLOT_SPEC].level_text = c.roof[PLOT_SPEC].level_short = "theoretical 4.8";
		c.roof[PLOT_MEASURED] = (struct plot_roof){
		        .level = level,
		        .level_text = "measured, with an interval and the case it was measured by",
		        .level_short = "measured"};
		const char *svg = draw(&c, &e), *narrow = strstr(svg, "<svg class=\"plot narrow\"");
		assert_false(e.set);
		check_order(svg, narrow);
		check_order(narrow, svg + strlen(svg));
	}
}

/* Roofs closer than a line of text have one name; where both find no room, the data sheet's. */
static void close_roofs_have_one_name(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.nseries = 1;
	c.roof[PLOT_SPEC].level_text = c.roof[PLOT_SPEC].level_short = "4.8 TB/s data sheet";
	c.roof[PLOT_MEASURED] = (struct plot_roof){.level = 4.7e12,
	                                           .level_text = "4.70 TB/s ±0.1 % best measured",
	                                           .level_short = "4.70 TB/s best measured"};
	const char *svg = draw(&c, &e), *narrow = strstr(svg, "<svg class=\"plot narrow\"");
	const char *both = ">4.8 TB/s data sheet · 4.70 TB/s best measured</text>";
	assert_true(strstr(svg, both) && strstr(svg, both) < narrow);
	assert_int_equal(count(svg, "class=\"roof-measured-label\""), 0);
	c.roof[PLOT_MEASURED].level_short = "4.70 TB/s best of everything that was ever measured";
	narrow = strstr(draw(&c, &e), "<svg class=\"plot narrow\"");
	assert_int_equal(count(narrow, ">4.8 TB/s data sheet</text>"), 1);
	assert_int_equal(count(narrow, "best of everything"), 0);
	c.roof[PLOT_MEASURED].level = 3e12; /* far below: two names */
	assert_int_equal(count(draw(&c, &e), "class=\"roof-measured-label\""), 2);
}

/* The bottom left and the top right of a text, about. */
static void box_at(const char *text, double font, double box[4])
{
	double x, y;
	char anchor[8];
	text_at(text, "", &x, &y, anchor);
	double w = 0.5 * font * (double)(strstr(text, "</text>") - strchr(text, '>') - 1);
	box[0] = strncmp(anchor, "end", 3) == 0      ? x - w
	         : strncmp(anchor, "middle", 6) == 0 ? x - w / 2
	                                             : x;
	box[1] = box[0] + w;
	box[2] = y - 0.7 * font;
	box[3] = y;
}

/* The one turned text of a drawing: how far a place is from its middle, along it and across. */
static void from_turned(const char *svg, double x, double y, double *along, double *across)
{
	const char *p = strstr(svg, "transform=\"rotate(");
	double angle, px, py;
	assert_non_null(p);
	assert_int_equal(sscanf(p, "transform=\"rotate(%lf %lf %lf)", &angle, &px, &py), 3);
	double turn = angle * 3.14159265358979 / 180;
	*along = (x - px) * cos(turn) + (y - py) * sin(turn);
	*across = (y - py) * cos(turn) - (x - px) * sin(turn);
}

/* The name of a slope turns with it, stands above it, and hides no point and no name. */
static void check_turned(const char *svg, const char *end, double box[][4], int n)
{
	double half = 0.25 * 14 * (double)strlen("theoretical 4.8 · measured 4.7"), along, across;
	double x, y;
	int seen = 0;
	for (const char *p = svg; (p = strstr(p, "<circle class=\"pt s-0\"")) && p < end; p++) {
		sscanf(strstr(p, "cx="), "cx=\"%lf\" cy=\"%lf\"", &x, &y);
		from_turned(svg, x, y, &along, &across);
		assert_true(across > 4);
		seen += fabs(along) < half;
	}
	assert_true(seen > 0); /* below the name, that is */
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 4; k++) {
			from_turned(svg, box[i][k & 1], box[i][2 + k / 2], &along, &across);
			assert_false(fabs(along) < half && across < 0 && across > -0.7 * 14);
		}
}

/* A roofline of two slopes that almost coincide: they have one name; none lies on another. */
static void names_of_a_roofline_keep_clear(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.program = "roofline";
	c.x = (struct plot_axis){"Arithmetic intensity, FLOP/B", 1, 64, 1, 10};
	c.y = (struct plot_axis){"Throughput", 1e12, 1e15, 1e12, 10};
	for (int s = 0; s < SERIES; s++)
		for (int i = 0; i < POINTS; i++) {
			points[s][i].x = pow(4, i);
			points[s][i].y = 4e12 * pow(4, i) * (1 - 0.05 * s);
		}
	for (int i = 0; i < PLOT_ROOFS; i++)
		c.roof[i] =
		        (struct plot_roof){.level = i ? 6e14 : 1e15,
		                           .slope = i ? 4.7e12 : 4.8e12,
		                           .level_text = i ? "measured 600" : "theoretical 1000",
		                           .level_short = i ? "measured 600" : "theoretical 1000",
		                           .slope_text = i ? "measured 4.7" : "theoretical 4.8",
		                           .slope_short = i ? "measured 4.7" : "theoretical 4.8",
		                           .ridge_text = "ridge"};
	const char *svg = draw(&c, &e), *end = strstr(svg, "<svg class=\"plot narrow\"");
	double box[64][4];
	int n = 0;
	if (e.set)
		fail_msg("%s", e.text);
	for (const char *p = svg; (p = strstr(p, "<text class=")) && p < end; p++)
		if ((!strstr(p, "class=\"tick\"") || strstr(p, "class=\"tick\"") > p + 8) &&
		    !memmem(p, (size_t)(strchr(p, '>') - p), "rotate", strlen("rotate")))
			box_at(p, 14, box[n++]);
	assert_true(n >= SERIES + 4);
	assert_int_equal(count(svg, ">theoretical 4.8 · measured 4.7</text>"), 1); /* wide */
	assert_int_equal(count(svg, ">theoretical 4.8</text>"), 1);                /* narrow */
	assert_int_equal(count(svg, "rotate("), 2);
	check_turned(svg, end, box, n);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (!(box[i][1] <= box[k][0] || box[k][1] <= box[i][0] ||
			      box[i][3] <= box[k][2] || box[k][3] <= box[i][2]))
				fail_msg("text %d lies on text %d", i, k);
}

static void the_field_counts_what_is_hidden(void **state)
{
	(void)state;
	struct place_field f = {.a = &arena};
	struct place_box b = {100, 200, 50, 64};
	assert_true(place_cost(&f, b) == 0);
	place_add_point(&f, 210, 57); /* beside it */
	place_add_line(&f, 0, 40, 300, 40);
	place_add_text(&f, (struct place_box){200, 260, 50, 64});
	assert_true(place_cost(&f, b) == 0);
	place_add_line(&f, 0, 57, 300, 57);
	double line = place_cost(&f, b);
	place_add_text(&f, (struct place_box){150, 260, 50, 64});
	double text = place_cost(&f, b);
	place_add_point(&f, 150, 57);
	assert_true(line > 0 && text > line && place_cost(&f, b) > text);
	for (int i = 0; i < 500; i++) /* grows, and keeps what was there */
		place_add_point(&f, 150, 57);
	assert_true(place_cost(&f, b) > 100 * line);
}

static void rows(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.program = "rows";
	c.x = (struct plot_axis){.title = "", .scale = 1};
	for (int s = 0; s < SERIES; s++) {
		series[s].n = 1;
		points[s][0].y = 1e12 * (0.5 + 0.7 * s);
	}
	const char *svg = draw(&c, &e);
	if (e.set)
		fail_msg("%s", e.text);
	assert_int_equal(count(svg, "class=\"value\""), 2 * SERIES);
	assert_int_equal(count(svg, ">4.10\u00A0TB/s</text>"), 2 * SERIES);
	assert_int_equal(count(svg, "class=\"leader\""), 0);
	double first, last;
	assert_int_equal(
	        sscanf(strstr(strstr(svg, "class=\"pt s-0\""), "cy="), "cy=\"%lf\"", &first), 1);
	assert_int_equal(
	        sscanf(strstr(strstr(svg, "class=\"pt s-5\""), "cy="), "cy=\"%lf\"", &last), 1);
	assert_true(first < last); /* the first row is on top */
}

/* Programs of authors: each number is a link, whatever it is drawn as. */
static void programs_of_authors(void **state)
{
	(void)state;
	static const char *const names[] = {"heatmap", "strip", "bar", "violin"};
	static double behind[40];
	struct err e;
	for (size_t n = 0; n < ARRAY_LEN(names); n++) {
		struct plot_chart c = crowded();
		const char *column[] = {"2¹⁶", "2²⁰", "2²⁴", "2²⁸"};
		bool heat = n == 0;
		c.program = names[n];
		c.column = column;
		c.ncolumns = heat ? POINTS : 1;
		for (int s = 0; s < SERIES; s++) {
			series[s].n = heat ? POINTS : 1;
			points[s][0].launches = points[s][0].samples = behind;
			points[s][0].nlaunches = points[s][0].nsamples = 40;
		}
		for (int i = 0; i < 40; i++) /* around the first points */
			behind[i] = 0.9e12 + 1e10 * i;
		const char *svg = draw(&c, &e);
		if (e.set)
			fail_msg("%s", e.text);
		size_t all = 2 * SERIES * (heat ? POINTS : 1);
		assert_int_equal(count(svg, "href=\"/runs/x/#a&amp;b\"><title>case &lt;1&gt;"),
		                 all);
		assert_int_equal(count(svg, "class=\"pt "), all);
		assert_int_equal(count(svg, " heat"),
		                 heat ? all + count(svg, "class=\"value heat") : 0);
		assert_int_equal(count(svg, ">&lt;six&gt; &amp; \"more\"</text>"), 2);
	}
}

/* Words of contributors are words, whatever gnuplot would take them for. */
static void texts_are_no_commands(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	static const char evil[] = "it's `touch x` @y \\n\n$points 'a' | \"b\"";
	series[0].name = series[0].short_name = evil;
	c.x.title = evil;
	const char *svg = draw(&c, &e);
	if (e.set)
		fail_msg("%s", e.text);
	assert_int_equal(count(svg, "it's `touch x` @y \\n\n$points 'a' | \"b\"</text>"), 4);
}

static void same_bytes_from_cache_and_from_gnuplot(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	const char *fresh = draw(&c, &e), *again = draw(&c, &e);
	assert_string_equal(fresh, again);
	/* spoil every cached drawing: it is drawn again, not believed */
	struct file_entry *f;
	size_t n;
	assert_true(file_list(cache, &arena, &f, &n, &e));
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++)
		assert_true(file_write(arena_printf(&arena, "%s/%s", cache, f[i].name),
		                       STR("0\n5\nwrong"), &e));
	assert_string_equal(draw(&c, &e), fresh);
	assert_false(e.set);
}

static void a_point_that_cannot_be_drawn_is_an_error(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	points[1][1].y = 9e12; /* above the axis */
	draw(&c, &e);
	assert_true(e.set);
	assert_non_null(strstr(e.text, "templates/plots/plot.gp: leaves out a number, 'case <1>'"));
	c = crowded();
	points[0][0].y = NAN;
	draw(&c, &e);
	assert_true(e.set);
}

/* What a program of one line after common.gp comes to: "" or the error. */
static const char *tried(const char *line)
{
	struct err e;
	struct plot_chart c = crowded();
	c.program = "own";
	write_program(
	        "own",
	        arena_printf(&arena, "width = 300; height = 200\nload 'common.gp'\n%s\n", line));
	draw(&c, &e);
	return e.set ? arena_strdup(&arena, e.text) : "";
}

#define POINTS_TOO "plot $points using 1:2:5 with points pt 7 lc rgb variable"

static void programs_keep_the_contract(void **state)
{
	(void)state;
	static const struct {
		const char *line, *says;
	} bad[] = {
	        {"plot $points index 0 using 1:2:5 with points pt 7 lc rgb variable",
	         "templates/plots/own.gp: leaves out a number"},
	        {"plot $points using 1:2 with points pt 7 lc rgb 'red'",
	         "templates/plots/own.gp: draws a point in the colour rgb(255,   0,   0), which "
	         "stands for nothing"},
	        {"set label 'x' at graph 0.5, graph 0.5\n" POINTS_TOO,
	         "draws a text in the colour"},
	        {"set border 15 lc rgb 'black'\n" POINTS_TOO, "draws a line in the colour"},
	        {"plot $points using 1:2:5 with points pt 5 lc rgb variable", "no discs (pt 7)"},
	        {"x = no_such + 1", "templates/plots/own.gp:3: gnuplot says: undefined variable"},
	        {"load 'none.gp'", "none.gp"},
	        {"plot sin(", "templates/plots/own.gp:3: gnuplot says:"},
	        {"print 'here'", "here"},
	        {"exit gnuplot", "gnuplot ended before it had answered"},
	        {"x = 1", "templates/plots/own.gp: draws nothing"},
	        {POINTS_TOO ", '' using 1:2:(sprintf('%g TB/s', 2 * $2)):5 with labels "
	                    "tc rgb variable",
	         "templates/plots/own.gp: says '2 TB/s' of a number that is '4.10\u00A0TB/s'"},
	        {POINTS_TOO "\n" POINTS_TOO, "draws more than one picture"},
	};
	assert_string_equal(tried("set border 3\nset xlabel 'x'\n" POINTS_TOO), "");
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const char *says = tried(bad[i].line);
		if (!strstr(says, bad[i].says))
			fail_msg("'%s' says '%s', not '%s'", bad[i].line, says, bad[i].says);
	}
}

static bool has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/* A program of a contributor reads, writes, runs and sends nothing. */
static void programs_do_no_harm(void **state)
{
	(void)state;
	struct stat st;
	const char *mark = arena_printf(&arena, "/tmp/ridgepoint-mark-%ld", (long)getpid());
	static const char *const writes[] = {
	        "x = system('touch %s')",
	        "x = `touch %s; echo 1`",
	        "!touch %s",
	        "plot '< touch %s; echo 1 1'",
	        "set output '%s'",
	        "set print '%s'\nprint 1",
	        "set print '|touch %s'\nprint 1",
	        "set table '%s'\nplot 1",
	        "save '%s'",
	        "shell touch %s",
	        "set terminal svg\nset output '|touch %s'",
	};
	if (!has_landlock())
		skip();
	for (size_t i = 0; i < ARRAY_LEN(writes); i++) {
		struct sb line = {0};
		const char *hole = strstr(writes[i], "%s");
		sb_put(&line, writes[i], (size_t)(hole - writes[i]));
		sb_printf(&line, "%s%s", mark, hole + 2);
		const char *says = tried(line.p);
		if (stat(mark, &st) == 0 || !*says)
			fail_msg("'%s' says '%s'", line.p, says);
		sb_free(&line);
	}
	assert_null(strstr(tried("print system('cat /etc/passwd')"), "root:"));
	assert_null(strstr(tried("load '/etc/passwd'"), "root:"));
	assert_non_null(strstr(tried("plot '/etc/passwd' using 0"), "/etc/passwd"));
	assert_non_null(strstr(tried("plot '/proc/self/environ' using 0"), "environ"));
}

/* What one program leaves behind reaches no other drawing, of its own or of others. */
static void drawings_are_apart(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	const char *clean = arena_strdup(&arena, draw(&c, &e));
	assert_true(*clean);
	write_program("own",
	              "width = 300; height = 200\nload 'common.gp'\n"
	              "if (exists('left_over')) { print 'left over' }\nleft_over = 1\n" POINTS_TOO);
	c.program = "own";
	draw(&c, &e);
	if (e.set)
		fail_msg("%s", e.text);
	c.title = "twice";
	c.x.title = "another";
	draw(&c, &e);
	if (e.set)
		fail_msg("%s", e.text);
	c = crowded();
	assert_int_equal(system(arena_printf(&arena, "rm -r %s/*", cache)), 0);
	assert_string_equal(draw(&c, &e), clean);
}

/* A changed program draws anew; nothing else starts a process. */
static void the_cache_knows_its_programs(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	struct file_entry *f;
	size_t before, after;
	draw(&c, &e);
	assert_true(file_list(cache, &arena, &f, &before, &e));
	draw(&c, &e);
	assert_true(file_list(cache, &arena, &f, &after, &e));
	assert_int_equal(before, after);
	write_program("own", "load 'common.gp'\n# another\n");
	draw(&c, &e);
	assert_true(file_list(cache, &arena, &f, &after, &e));
	assert_int_equal(before + 1, after);
}

static void a_missing_program_names_those_there_are(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	assert_false(plotter_has(plotter, STR("none"), &e));
	assert_non_null(
	        strstr(e.text, "no plot program 'none' in templates/plots/, expected one of "));
	assert_non_null(strstr(e.text, "bar, heatmap, "));
	assert_null(strstr(e.text, "common"));
	e = ERR_NONE;
	assert_false(plotter_has(plotter, STR("common"), &e));
	assert_false(plotter_has(plotter, STR("../plots/plot"), &e));
}

/* A fork draws with a process of its own. */
static void forks_start_their_own(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.y.title = "in the parent";
	draw(&c, &e);
	pid_t pid = fork();
	c.y.title = "in the child";
	if (pid == 0)
		_exit(*draw(&c, &e) ? 0 : 1);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	c.y.title = "in the parent again";
	assert_true(*draw(&c, &e));
}

static int make(void **state)
{
	(void)state;
	strcpy(root, "/tmp/ridgepoint-test-XXXXXX");
	if (!mkdtemp(root))
		return -1;
	cache = arena_printf(&arena, "%s/cache", root);
	plotter = plotter_new(root, cache, &arena);
	return system(arena_printf(
	        &arena, "mkdir %s/templates && cp -r templates/plots %s/templates", root, root));
}

static int drop(void **state)
{
	(void)state;
	plotter_rest(plotter);
	int rc = system(arena_printf(&arena, "rm -rf %s", root));
	arena_free(&arena);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(every_point_is_a_link),
	        cmocka_unit_test(nothing_paints_itself),
	        cmocka_unit_test(points_are_where_they_belong),
	        cmocka_unit_test(labels_keep_clear),
	        cmocka_unit_test(a_roof_s_name_hides_no_point),
	        cmocka_unit_test(a_roof_s_name_may_be_shorter),
	        cmocka_unit_test(names_of_roofs_keep_their_order),
	        cmocka_unit_test(close_roofs_have_one_name),
	        cmocka_unit_test(names_of_a_roofline_keep_clear),
	        cmocka_unit_test(the_field_counts_what_is_hidden),
	        cmocka_unit_test(rows),
	        cmocka_unit_test(programs_of_authors),
	        cmocka_unit_test(texts_are_no_commands),
	        cmocka_unit_test(same_bytes_from_cache_and_from_gnuplot),
	        cmocka_unit_test(a_point_that_cannot_be_drawn_is_an_error),
	        cmocka_unit_test(programs_keep_the_contract),
	        cmocka_unit_test(programs_do_no_harm),
	        cmocka_unit_test(drawings_are_apart),
	        cmocka_unit_test(the_cache_knows_its_programs),
	        cmocka_unit_test(a_missing_program_names_those_there_are),
	        cmocka_unit_test(forks_start_their_own),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
