/* Charts: every point drawn and linked, labels that keep clear, a cache that cannot lie. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/file.h"
#include "site-gen/plot/plot.h"
#include "site-gen/plot/place.h"

#define PROGRAM "templates/plots/plot.gp"

enum { SERIES = 6, POINTS = 4 };

static struct plot_point points[SERIES][POINTS];
static struct plot_series series[SERIES];
static char cache[64];
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
			                                   .href = "/runs/x/#a&b",
			                                   .title = "case <1>",
			                                   .hollow = s == 2};
		series[s] = (struct plot_series){.name = names[s],
		                                 .short_name = names[s],
		                                 .colour = s,
		                                 .role = s == 5 ? "peer" : "kernel",
		                                 .points = points[s],
		                                 .n = POINTS};
	}
	struct plot_chart c = {.title = "Title <&>", .desc = "what it shows"};
	c.x = (struct plot_axis){"n", pow(2, 15.8), pow(2, 28.2), 1, 2};
	c.y = (struct plot_axis){"Bandwidth, TB/s", 0, 5e12, 1e12, 0};
	c.series = series;
	c.nseries = SERIES;
	c.line[c.nlines++] =
	        (struct plot_line){"roof-spec", {{c.x.lo, 4.8e12}, {c.x.hi, 4.8e12}}, 2};
	c.label[c.nlabels++] = (struct plot_label){.class = "roof-spec-label",
	                                           .text = "theoretical",
	                                           .x = c.x.lo,
	                                           .y = 4.8e12,
	                                           .dx = 4,
	                                           .dy = -8,
	                                           .anchor = 'l'};
	return c;
}

static const char *draw(const struct plot_chart *c, struct err *e)
{
	struct sb to = {0};
	*e = ERR_NONE;
	if (!plot_svg(c, "b7", PROGRAM, cache, &arena, &to, e))
		sb_clear(&to);
	const char *out = arena_strndup(&arena, to.p ? to.p : "", to.n);
	sb_free(&to);
	return out;
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
}

static void nothing_paints_itself(void **state)
{
	(void)state;
	static const char *const bad[] = {"style=",  "fill=", "stroke=", "rgb(",
	                                  "<script", "xlink", "<g",      "font-family"};
	struct err e;
	struct plot_chart c = crowded();
	const char *svg = draw(&c, &e);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
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

/* A roof with a curve that ends right under its name; `slides`: the name may move. */
static double hidden_points(bool slides, double *x, double *y)
{
	struct err e;
	struct plot_chart c = crowded();
	double px, py;
	char anchor[8];
	c.label[0].dy = 9; /* below its line, where the curves are made to go */
	c.nseries = 1;
	for (int i = 0; i < POINTS; i++)
		points[0][i].y = 4.55e12;
	if (slides) {
		c.label[0].line[0] = (struct plot_xy){c.x.lo, 4.8e12};
		c.label[0].line[1] = (struct plot_xy){c.x.hi, 4.8e12};
	}
	const char *svg = draw(&c, &e);
	double hidden = 0;
	if (e.set)
		fail_msg("%s", e.text);
	text_at(svg, "class=\"roof-spec-label\"", x, y, anchor);
	const char *p = svg, *narrow = strstr(svg, "<svg class=\"plot narrow\"");
	while ((p = strstr(p, "<circle class=\"pt s-0\"")) && p < narrow) {
		sscanf(strstr(p, "cx="), "cx=\"%lf\" cy=\"%lf\"", &px, &py);
		hidden += px > *x && px < *x + 80 && fabs(py - *y) < 9;
		p++;
	}
	return hidden;
}

static void a_roof_s_name_hides_no_point(void **state)
{
	(void)state;
	double x, y, stays_x, stays_y;
	assert_true(hidden_points(false, &stays_x, &stays_y) > 0); /* the chart is made for it */
	assert_true(hidden_points(true, &x, &y) == 0);
	assert_true(fabs(y - stays_y) > 9 || fabs(x - stays_x) > 9);
}

/* A name that finds no room says less, on a wide page too. */
static void a_roof_s_name_may_be_shorter(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.label[0].text =
	        "theoretical, and then what a data sheet says of it, with its page, its date "
	        "and the unit that it is in, which is more than fits above any chart";
	c.label[0].narrow = "in short";
	c.label[0].line[0] = (struct plot_xy){c.x.lo, 4.8e12};
	c.label[0].line[1] = (struct plot_xy){c.x.hi, 4.8e12};
	assert_int_equal(count(draw(&c, &e), ">in short</text>"), 2);
	c.label[0].text = "theoretical";
	assert_int_equal(count(draw(&c, &e), ">in short</text>"), 1);
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
		c.label[0].text = "theoretical 4.8";
		c.label[0].line[0] = (struct plot_xy){c.x.lo, 4.8e12};
		c.label[0].line[1] = (struct plot_xy){c.x.hi, 4.8e12};
		c.line[c.nlines++] =
		        (struct plot_line){"roof-measured", {{c.x.lo, level}, {c.x.hi, level}}, 2};
		c.label[c.nlabels++] = (struct plot_label){
		        .class = "roof-measured-label",
		        .text = "measured, with an interval and the case it was measured by",
		        .narrow = "measured",
		        .x = c.x.lo,
		        .y = level,
		        .dx = 6,
		        .dy = 10,
		        .anchor = 'l',
		        .line = {{c.x.lo, level}, {c.x.hi, level}}};
		const char *svg = draw(&c, &e), *narrow = strstr(svg, "<svg class=\"plot narrow\"");
		assert_false(e.set);
		check_order(svg, narrow);
		check_order(narrow, svg + strlen(svg));
	}
}

/* Two slopes that almost coincide, on a page too narrow for a name on either side. */
static void names_of_slopes_stay_inside(void **state)
{
	(void)state;
	struct err e;
	struct plot_chart c = crowded();
	c.nlines = c.nlabels = 0;
	c.nseries = 1;
	c.y = (struct plot_axis){"Throughput", 1e9, 1e13, 1, 10};
	for (int i = 0; i < 2; i++) {
		double top = i ? 0.95e13 : 1e13;
		struct plot_line l = {"roof-spec", {{c.x.lo, top / 1e4}, {c.x.hi, top}}, 2};
		c.line[c.nlines++] = l;
		c.label[c.nlabels++] =
		        (struct plot_label){.class = i ? "roof-measured-label" : "roof-spec-label",
		                            .text = i ? "measured 4.70 TB/s, and who did"
		                                      : "theoretical 4.8 TB/s, and who says",
		                            .x = pow(2, 22),
		                            .y = top / 100,
		                            .dx = i ? 9 : -9,
		                            .dy = i ? 8 : -4,
		                            .anchor = i ? 'l' : 'r',
		                            .line = {l.at[0], l.at[1]}};
	}
	const char *svg = strstr(draw(&c, &e), "<svg class=\"plot narrow\"");
	double x[2], y[2];
	char anchor[8];
	assert_false(e.set);
	text_at(svg, "class=\"roof-spec-label\"", &x[0], &y[0], anchor);
	assert_string_equal(anchor, "start"); /* to its left there is no room for it */
	text_at(svg, "class=\"roof-measured-label\"", &x[1], &y[1], anchor);
	assert_true(y[0] < y[1] - 10 && fabs(x[0] - x[1]) < 1);
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
	c.rows = true;
	c.x = (struct plot_axis){"Bandwidth, TB/s", 0, 5e12, 1e12, 0};
	c.y = (struct plot_axis){"", 0.5, SERIES + 0.5, 1, 0};
	c.nlines = c.nlabels = 0;
	for (int s = 0; s < SERIES; s++) {
		series[s].n = 1;
		points[s][0].x = 1e12 * (0.5 + 0.7 * s);
		points[s][0].y = SERIES - s;
		points[s][0].value = "value";
	}
	const char *svg = draw(&c, &e);
	if (e.set)
		fail_msg("%s", e.text);
	assert_int_equal(count(svg, "class=\"value\""), 2 * SERIES);
	assert_int_equal(count(svg, "class=\"leader\""), 0);
	double first, last;
	assert_int_equal(
	        sscanf(strstr(strstr(svg, "class=\"pt s-0\""), "cy="), "cy=\"%lf\"", &first), 1);
	assert_int_equal(
	        sscanf(strstr(strstr(svg, "class=\"pt s-5 peer\""), "cy="), "cy=\"%lf\"", &last),
	        1);
	assert_true(first < last); /* the first row is on top */
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
	assert_non_null(strstr(e.text, "left out a 'pt'"));
	c = crowded();
	points[0][0].y = NAN;
	draw(&c, &e);
	assert_true(e.set);
}

static void a_missing_program_is_named(void **state)
{
	(void)state;
	struct err e = ERR_NONE;
	struct sb to = {0};
	struct plot_chart c = crowded();
	assert_false(plot_svg(&c, "b", "templates/plots/none.gp", cache, &arena, &to, &e));
	assert_non_null(strstr(e.text, "templates/plots/none.gp"));
	sb_free(&to);
}

static int make(void **state)
{
	(void)state;
	strcpy(cache, "/tmp/ridgepoint-test-XXXXXX");
	return mkdtemp(cache) ? 0 : -1;
}

static int drop(void **state)
{
	(void)state;
	int rc = system(arena_printf(&arena, "rm -rf %s", cache));
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
	        cmocka_unit_test(names_of_slopes_stay_inside),
	        cmocka_unit_test(the_field_counts_what_is_hidden),
	        cmocka_unit_test(rows),
	        cmocka_unit_test(same_bytes_from_cache_and_from_gnuplot),
	        cmocka_unit_test(a_point_that_cannot_be_drawn_is_an_error),
	        cmocka_unit_test(a_missing_program_is_named),
	};
	return cmocka_run_group_tests(tests, make, drop);
}
