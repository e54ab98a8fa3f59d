/*
 * site-gen/kinds/chart.h - what the kinds that draw plots share: series, axes, roofs.
 */
#ifndef SITE_GEN_KINDS_CHART_H
#define SITE_GEN_KINDS_CHART_H

#include "site-gen/kinds/kinds.h"

struct plot_chart;
struct plot_axis;
struct plot_series;

/* x(pick) of a chart; false: the case has none. */
typedef bool chart_x(const struct pick *p, const void *ctx, double *x);
/* The cases of all selectors of a placeholder, one after the other. */
bool chart_picks(struct kind_call *k, const char *const *own, struct pick **out, size_t *n,
                 struct err *e);
/*
 * The series that picks[i] belongs to: its variant, with what else the picks
 * differ in (family, device), and the value of the key `by` if it is given.
 */
const char *chart_series_of(struct kind_call *k, const struct pick *picks, size_t n, size_t i,
                            const char *by);
/*
 * The series of chart_series_of(), points ascending in x, cases without a
 * number left out. Sets chart->series.
 */
void chart_series(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                  const char *by, chart_x *x, const void *ctx, struct plot_chart *chart);
/* Smallest and largest x and y of all points; false: there are none. */
bool chart_extent(const struct plot_chart *c, double x[2], double y[2]);
/* Do all cases that have an x have the same one? */
bool chart_one_x(const struct pick *picks, size_t n, chart_x *x, const void *ctx);
/*
 * Where there is one x only, a column of points would say nothing: a row for each case, its value
 * along x. Sets series, rows and c->y; `extent` becomes the range of values, for c->x.
 */
bool chart_rows(struct kind_call *k, const struct pick *picks, size_t n, enum metric m,
                const char *by, struct plot_chart *c, double extent[2], struct err *e);
/* The metric as y axis: unit, scale; its range from 0, or logarithmic. */
void chart_metric_axis(struct kind_call *k, enum metric m, double lo, double hi, bool log,
                       struct plot_axis *out);
/* Roofs that bound bandwidth or throughput at any x: level lines with their names, upright ones of rows. */
void chart_level_roofs(struct kind_call *k, const struct pick *p, enum metric m,
                       struct plot_chart *c);
/* One of them: a peak of a datasheet; a case that is a roof. Nothing if it lies above the chart. */
void chart_level_spec(struct kind_call *k, const struct data_spec *spec, struct plot_chart *c);
void chart_level_measured(struct kind_call *k, const struct pick *roof, enum metric m,
                          struct plot_chart *c);
/* "4.35 TB/s ±0.1 %": a measured roof with its interval. */
const char *chart_roof_amount(const struct number *n, struct arena *a);
/* "4.10 TB/s": a measured amount on a chart; "4.8 TB/s": a datasheet's, with its own digits. */
const char *chart_amount(double value, const char *si, struct arena *a);
const char *chart_spec_amount(double value, const char *si, struct arena *a);
/* figure: caption, drawing, exact values. */
bool chart_print(struct kind_call *k, struct plot_chart *c, const struct pick *picks, size_t n,
                 enum metric m, const char *what, struct err *e);

/* Does the arithmetic intensity of these cases vary, so that a roofline has a slope to show? */
bool roofline_has_slope(const struct pick *picks, size_t n);

#endif
