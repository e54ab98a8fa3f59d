/*
 * site-gen/kinds.h - what the files of placeholder kinds share. The table of
 * kinds is in kinds.c; each kind is one function that writes markup or, for
 * inline kinds, plain text.
 *
 * Markup the kinds make (static/site.css styles it; no style= anywhere):
 *
 *  numbers in text
 *   a.num[data-state][title]                          a measured number, links to its place; the
 *                                                       state is one of data_state_name()
 *     + .ratio .percent                                 speed-ups, shares of a peak
 *     > sup.mark                                        the state as text, unless it is ok
 *   a.num.spec, span.num.spec                           a datasheet number, links to its source
 *   span.num.count                                      a count
 *   span.num.derived[title]                             computed from datasheet numbers
 *   span.num.noted[data-n]                              a number of the past (changes.h)
 *   a.num.counter[data-n][title]                        a hardware counter (counters.h)
 *     [data-state] > sup.mark                           a preview, or of another build: stale
 *   a.num.cited[data-source][title]                     somebody else's number, links to it
 *   a.num.predicted, span.num.predicted[data-prediction]  what was predicted (prediction_print.c)
 *   span.verdict[data-verdict]                          what became of it
 *   span.claim[data-claim][title]                       a sentence that measurements decided
 *   span.goal, span.verdict[data-goal]                  a goal, and whether it was met (goal.h)
 *   span.waived[title]                                  text that an author waived the lint for
 *   span.ci                                             "±0.3 %" beside a number in tables
 *   span.none[title]                                    "–": no such number, and why
 *  blocks: figure.bench.KIND#b<n> > figcaption + content
 *   figcaption#<label> > span.caption-no                "Figure 2", in a text that numbers them
 *   figure.bench.table > div.scroll[tabindex=0] > table.numbers
 *     th[scope], td.right for numbers, td.left for words
 *     table.stack: on narrow pages a row is a block; .labelled: and each td[data-label] a line
 *     table.pivot: the heads of its rows stay in sight where it scrolls
 *   figure.bench.ladder > div.scroll > table.numbers.ladder
 *     tr.kernel | tr.peer | tr.ceiling | tr.null | tr.none (could not run)
 *     th[scope=row] > span.step-title + span.idea;  span.swatch.s-<n> before the title
 *     td.right.value, td.right.gain, td.right.share; td.bar > svg.bar
 *       svg.bar > rect.bar-track, rect.bar-fill.s-<n>, line.bar-roof (the measured ceiling)
 *   figure.bench.roofline, figure.bench.plot > svg.plot.wide + svg.plot.narrow
 *     (show .narrow up to 600 px, .wide above) + details.exact > summary + div.scroll > table
 *   figure.bench.env > dl.facts > div > dt + dd
 *   figure.bench.source > details.listing > summary (path, commit) + div.code (highlight.h)
 *     p.changed: the file has changed since it was measured
 *   figure.bench.diff > details.listing > summary + pre.diff > code
 *     > span.del | span.ins | span.ctx, a line each with its sign first; span.gap between hunks
 *   figure.bench.reproduce > div.code
 *   figure.bench.prediction > dl.facts, svg.pred, p.why, details.reasoning, details.proof
 *   figure.bench.ledger > p.ledger-sum, dl.facts, svg.ledger-time, table.calibration, table.ledger
 *   figure.bench.counters > div.scroll > table.numbers.counters
 *  plots: svg.plot[role=group][aria-labelledby] (site-gen/plot.h lists the classes inside)
 *  run pages
 *   table.numbers.cases > tr#<anchor>; td.strip > svg.strip > rect.strip-ci, line.strip-mid,
 *     path.strip-pt (dots: fill none, stroke-width 4 or so, stroke-linecap round),
 *     path.strip-pt.bad (launches whose clock was slowed down); span.state[data-state]
 *   dl.facts (the file and its hashes), details.sources > summary + table
 *   p.verdict.bad: why a run publishes nothing
 *  family pages
 *   h2, h3 > a.anchor; p.idea, p.build (registers, memory), p.changed, details.listing, dl.facts
 *  everywhere: .visually-hidden for words that only a screen reader needs; span.commit
 *
 *  s-<n>, n = 0..23: the colour of a variant, the same on every page: its place in the reading
 *  order of its family, modulo 24. Use it as --c: .s-0 { --c: … } with color/fill/stroke: var(--c).
 *  There are twelve colours (static/site.css): n and n + 12 share one, and differ in their dashes
 *  and in their swatches.
 */
#ifndef SITE_GEN_KINDS_H
#define SITE_GEN_KINDS_H

#include "site-gen/data.h"
#include "site-gen/expand.h"
#include "site-gen/number.h"
#include "site-gen/query.h"
#include "site-gen/roof.h"

enum { KINDS_COLOURS = 24 };

/* One expansion under way. */
struct kind_call {
	struct expand_ctx *ctx;
	const struct placeholder *p;
	const struct kind *kind;
	struct sb *to;
	bool html;         /* else plain text; blocks and spans are always markup */
	struct span *span; /* NULL: not a span */
};

/* A row of the table in kinds.c. */
struct kind {
	const char *name;
	enum expand_place place;
	int min_words, max_words;
	const char *usage;       /* "value SELECTOR [metric=NAME]" */
	const char *help;        /* one line */
	const char *const *keys; /* its own keys, NULL-terminated */
	bool selects;            /* other keys select cases; else they are errors */
	bool (*print)(struct kind_call *k, struct err *e);
	enum expand_numbered numbered; /* blocks with a caption: they take the key id=, too */
};

const struct kind *kind_table(size_t *n);
/* The row of a placeholder; an unknown kind, key or a wrong number of words is an error. */
const struct kind *kind_of(const struct placeholder *p, struct err *e);

/* --- kinds_inline.c, and what others take from it --- */
bool kind_value(struct kind_call *k, struct err *e);
bool kind_ratio(struct kind_call *k, struct err *e);
bool kind_percent(struct kind_call *k, struct err *e);
bool kind_spec(struct kind_call *k, struct err *e);
bool kind_count(struct kind_call *k, struct err *e);
/* The datasheet number, or NULL and an error that lists what there is. */
const struct data_spec *kind_spec_find(struct kind_call *k, struct str device, struct str key,
                                       struct err *e);

/* --- kinds_derived.c --- */
bool kind_derived(struct kind_call *k, struct err *e);

/* --- kinds_prediction.c --- */
bool kind_predicted(struct kind_call *k, struct err *e);
bool kind_prediction(struct kind_call *k, struct err *e);
bool kind_ledger(struct kind_call *k, struct err *e);

/* --- kinds_counters.c --- */
bool kind_counter(struct kind_call *k, struct err *e);

/* --- kinds_cited.c --- */
bool kind_cited(struct kind_call *k, struct err *e);

/* --- spans, a file each; expand.h says how they are called --- */
bool kind_waive(struct kind_call *k, struct err *e);
bool kind_claim(struct kind_call *k, struct err *e);
bool kind_goal(struct kind_call *k, struct err *e);

/* --- blocks, a file each --- */
bool kind_table_block(struct kind_call *k, struct err *e);
bool kind_ladder(struct kind_call *k, struct err *e);
bool kind_plot(struct kind_call *k, struct err *e);
bool kind_roofline(struct kind_call *k, struct err *e);
bool kind_samples(struct kind_call *k, struct err *e);
bool kind_counters(struct kind_call *k, struct err *e);
bool kind_selftest(struct kind_call *k, struct err *e);
bool kind_nulls(struct kind_call *k, struct err *e);
bool kind_spread(struct kind_call *k, struct err *e);
bool kind_widths(struct kind_call *k, struct err *e);
bool kind_history(struct kind_call *k, struct err *e);
bool kind_env(struct kind_call *k, struct err *e);
bool kind_source(struct kind_call *k, struct err *e);
bool kind_diff(struct kind_call *k, struct err *e);
bool kind_reproduce(struct kind_call *k, struct err *e);

/* --- words that several kinds share (number.c) --- */

/* The metric= of a placeholder, else the headline metric of the case. */
bool kind_metric(const struct kind_call *k, const struct pick *p, enum metric *out, struct err *e);
/* Sets the error: there is no metric of this name. Returns false. */
bool kind_no_metric(const struct kind_call *k, struct str name, struct err *e);
/*
 * The headline metric of a case: that of its family (metric_headline); but a case of a family
 * known by its bandwidth that the cost model puts right of the ridge of its device's datasheet,
 * more FLOPs a byte than the unit can do while memory brings one, is known by its throughput.
 */
enum metric case_metric(const struct data *d, const struct pick *p);
/* "bandwidth"; of what counts other operations also which: "rate (update)". For readers. */
const char *case_metric_words(const struct expand_ctx *ctx, const struct run_case *c,
                              enum metric m);
/* "rows = 16384, cols = 16384, f32, cold": what identifies a case within its variant. */
const char *case_words(const struct run_case *c, struct arena *a);
/* The colour of a variant, 0 … KINDS_COLOURS - 1. */
int case_colour(const struct run_case *c);
/* The cases that the placeholder's selector finds, keys of its own aside; at least one. */
bool kind_picks(struct kind_call *k, const char *const *own, struct pick **out, size_t *n,
                struct err *e);
/* "2026-01-31" of a run. */
const char *run_date(const struct run *r, struct arena *a);
/* What tells one pick of a block from the others, "zeros, sustained"; what all have is in the caption. */
const char *block_own_words(struct kind_call *k, const struct pick *picks, size_t n, size_t own);

/* "Matrix transpose: bandwidth; rows = 4096, f32, cold. NVIDIA H200, run of 2026-01-31." */
const char *block_caption(struct kind_call *k, const struct pick *picks, size_t n,
                          const char *what);
/* details.exact: every digit that the launches support, one row a case. */
void block_exact(struct kind_call *k, const struct pick *picks, size_t n, enum metric m);
/* The launch medians of a case as a row of dots. */
void block_strip(const struct expand_ctx *ctx, const struct data_case *d, struct sb *to);
/* <div class="scroll"> for a wide table, and the names a table's cells take. */
void table_open(struct sb *to, const char *classes);
void table_close(struct sb *to);
/*
 * <td> of a table "labelled stack", in which a phone shows each cell on a line of its own:
 * what heads the column goes with the cell.
 */
void table_cell(struct sb *to, const char *classes, const char *label);
/* A cell with the state of a case, empty if it is ok; the reason is its title. */
void table_state(const struct data_case *d, struct sb *to);
/* The number of a case in a table: its link, named by case and metric, and its interval. */
void table_number(struct kind_call *k, const struct number *n);
/* A link to an address of the site, which gets the site's prefix. */
void link_inside(const struct expand_ctx *ctx, const char *url, const char *text, struct sb *to);
/* Name of a variant as a row head: colour, title, id; its idea. */
void table_variant(const struct run_case *c, bool idea, const struct words *w, struct sb *to);

/* The code a case was measured with (source[i]); false: it is not to be had here, *why says so. */
bool source_text(struct expand_ctx *ctx, const struct pick *p, size_t i, struct str *out,
                 const char **why, struct err *e);
/* Has that file changed since? */
bool source_changed(struct expand_ctx *ctx, const struct pick *p, size_t i);
/* details.listing of the case's own file, folded unless `open`. */
bool source_listing(struct kind_call *k, const struct pick *p, bool open, struct err *e);
/* details.listing of the difference to another case's file. */
bool source_diff(struct kind_call *k, const struct pick *before, const struct pick *after,
                 bool open, struct err *e);
/* details.listing of what changed in source[i] since it was measured. */
bool source_diff_now(struct kind_call *k, const struct pick *p, size_t i, struct err *e);
/* The variant before this one in its family, measured in the same run on the same device. */
bool variant_before(const struct pick *p, struct pick *out);

/* --- charts (chart.c) --- */
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

/* Opens and closes figure.bench.<kind>; the caption is markup. */
void block_open(struct kind_call *k, const char *caption);
void block_close(struct kind_call *k);

#endif
