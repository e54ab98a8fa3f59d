/*
 * site-gen/kinds/chart.h - series, axes and roofs, shared by the kinds that draw plots.
 */
#ifndef SITE_GEN_KINDS_CHART_H
#define SITE_GEN_KINDS_CHART_H

#include "lib/err.h"
#include "site-gen/kinds/kinds.h"

struct plot_chart;
struct plot_axis;
struct plot_series;

/* Gives the x of a pick; false: the case has none. */
typedef bool chart_x(const struct pick *p, const void *ctx, double *x);
/* The cases of all selectors of a placeholder, in order. */
MUST_CHECK bool chart_picks(struct kind_call *k, const char *const *own, struct pick **out,
                            size_t *n, struct err *e);
/*
 * The name of picks[i]'s series: its variant, its family and device if the picks
 * differ in these, and the value of the key `by` if it is given.
 */
const char *chart_series_of(struct kind_call *k, const struct pick *picks, size_t n, size_t i,
                            const char *by);
/*
 * Sets chart->series to the series of chart_series_of(), or, if `by` is "", to one for each case,
 * with points in ascending x. Cases without a number are left out. Points have the data that
 * chart->program reads.
 */
void chart_series(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                  const char *by, chart_x *x, const void *ctx, struct plot_chart *chart);
/*
 * Makes series grey that focus= does not name. focus=best keeps the own variant and the library
 * that win at most x, if there are more than three series. A generated page takes it by itself for
 * more than MOST_COLOURS series; an author's text breaks rule `readable` with so many in colour.
 */
MUST_CHECK bool chart_focus(struct kind_call *k, enum metric m, struct plot_chart *c,
                            struct err *e);
/* The largest y of the series in colour over the smallest. */
double chart_spread(const struct plot_chart *c);
/* The smallest and largest x and y of all points; false if there are no points. */
bool chart_extent(const struct plot_chart *c, double x[2], double y[2]);
/* Do all cases with an x have the same one? */
bool chart_one_x(const struct pick *picks, size_t n, chart_x *x, const void *ctx);
/*
 * For a chart with only one x: a row for each case, with its value along x, instead of a column of
 * points. Sets series and c->x, and the program unless it is set. `extent` becomes the range of
 * values, for c->y.
 */
MUST_CHECK bool chart_rows(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                           const char *by, struct plot_chart *c, double extent[2], struct err *e);
/* Sets up the y axis for a metric: unit, scale, extent. */
void chart_metric_axis(struct kind_call *k, enum metric m, double lo, double hi, bool log,
                       struct plot_axis *out);
/* An x axis over bytes of the extent x, in the largest binary unit in which x[0] is 1 or more. */
struct plot_axis chart_bytes_axis(struct kind_call *k, const char *title, const double x[2],
                                  int log);
/* Adds the roofs that bound bandwidth or throughput at any x, with their names. */
void chart_level_roofs(struct kind_call *k, const struct pick *p, enum metric m,
                       struct plot_chart *c);
/* Adds one of them: a peak of a datasheet, or a case that is a roof. */
void chart_level_spec(struct kind_call *k, const struct data_spec *spec, struct plot_chart *c);
void chart_level_measured(struct kind_call *k, const struct pick *roof, enum metric m,
                          struct plot_chart *c);
/* Amounts on charts: "4.10 TB/s" as measured; "4.8 TB/s" in a datasheet's own digits. */
const char *chart_amount(double value, const char *si, struct arena *a);
const char *chart_spec_amount(double value, const char *si, struct arena *a);
/* Prints the figure: caption, drawing, exact values. */
MUST_CHECK bool chart_print(struct kind_call *k, struct plot_chart *c, const struct pick *picks,
                            size_t n, enum metric m, const char *what, struct err *e);

/* Does the arithmetic intensity of these cases vary, so that a roofline has a slope to show? */
bool roofline_has_slope(const struct pick *picks, size_t n);

#endif
