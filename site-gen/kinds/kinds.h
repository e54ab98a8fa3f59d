/*
 * site-gen/kinds/kinds.h - what the files of placeholder kinds share. The table of
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
 *   span.num.noted[data-n]                              a number of the past (pages/changes.h)
 *   a.num.counter[data-n][title]                        a hardware counter (numbers/counters.h)
 *     [data-state] > sup.mark                           a preview, or of another build: stale
 *   a.num.cited[data-source][title]                     somebody else's number, links to it
 *   a.num.predicted, span.num.predicted[data-prediction]  what was predicted (prediction_print.c)
 *   span.verdict[data-verdict]                          what became of it
 *   span.claim[data-claim][title]                       a sentence that measurements decided
 *   span.goal, span.verdict[data-goal]                  a goal, and whether it was met (numbers/goal.h)
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
 *   figure.bench.source > details.listing > summary (path, commit) + div.code (base/highlight.h)
 *     p.changed: the file has changed since it was measured
 *   figure.bench.diff > details.listing > summary + pre.diff > code
 *     > span.del | span.ins | span.ctx, a line each with its sign first; span.gap between hunks
 *   figure.bench.reproduce > div.code
 *   figure.bench.prediction > dl.facts, svg.pred, p.why, details.reasoning, details.proof
 *   figure.bench.ledger > p.ledger-sum, dl.facts, svg.ledger-time, table.calibration, table.ledger
 *   figure.bench.counters > div.scroll > table.numbers.counters
 *  plots: svg.plot[role=group][aria-labelledby] (site-gen/plot/plot.h lists the classes inside)
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
#ifndef SITE_GEN_KINDS_KINDS_H
#define SITE_GEN_KINDS_KINDS_H

#include "site-gen/numbers/case.h"
#include "site-gen/records/data.h"
#include "site-gen/numbers/number.h"
#include "site-gen/records/query.h"
#include "site-gen/numbers/roof.h"

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

/* --- inline.c, and what others take from it --- */
bool kind_value(struct kind_call *k, struct err *e);
bool kind_ratio(struct kind_call *k, struct err *e);
bool kind_percent(struct kind_call *k, struct err *e);
bool kind_spec(struct kind_call *k, struct err *e);
bool kind_count(struct kind_call *k, struct err *e);
/* The datasheet number, or NULL and an error that lists what there is. */
const struct data_spec *kind_spec_find(struct kind_call *k, struct str device, struct str key,
                                       struct err *e);

/* --- derived.c --- */
bool kind_derived(struct kind_call *k, struct err *e);

/* --- prediction.c --- */
bool kind_predicted(struct kind_call *k, struct err *e);
bool kind_prediction(struct kind_call *k, struct err *e);
bool kind_ledger(struct kind_call *k, struct err *e);

/* --- counters.c --- */
bool kind_counter(struct kind_call *k, struct err *e);

/* --- cited.c --- */
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

/* --- what several kinds read from a placeholder (kinds.c) --- */

/* The metric= of a placeholder, else the headline metric of the case. */
bool kind_metric(const struct kind_call *k, const struct pick *p, enum metric *out, struct err *e);
/* Sets the error: there is no metric of this name. Returns false. */
bool kind_no_metric(const struct kind_call *k, struct str name, struct err *e);
/* The cases that the placeholder's selector finds, keys of its own aside; at least one. */
bool kind_picks(struct kind_call *k, const char *const *own, struct pick **out, size_t *n,
                struct err *e);

#endif
