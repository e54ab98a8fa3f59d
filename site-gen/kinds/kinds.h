/*
 * site-gen/kinds/kinds.h - the interface of placeholder kinds, their table, and their
 * markup. The table is in kinds.c, which says how to add a kind. Each kind is one
 * function that writes markup or, for inline kinds, plain text.
 *
 * Markup of the kinds (static/site.css styles it; no style= anywhere):
 *
 *  numbers in text
 *   a.num[data-state][title]                          a measured number, links to its place; the
 *                                                       state is one of data_state_name()
 *     + .ratio .percent                                 speed-ups, shares of a peak
 *     + .loss                                           a ratio as a change, "−9.8 %"
 *     + .roof                                           the measured roof of a ladder's bars
 *     > sup.mark                                        the state as text, unless it is ok
 *   a.num.spec, span.num.spec                           a datasheet number, links to its source
 *   span.num.count                                      a count
 *   span.num.derived[title]                             computed from datasheet numbers
 *   a.num.derived[data-n][data-runs][title]             computed from measured numbers; links to
 *     [data-state] > sup.mark                           the first
 *   span.num.noted[data-n]                              a number of the past (pages/changes.h)
 *   a.num.counter[data-n][title]                        a hardware counter (numbers/counters.h)
 *     [data-state] > sup.mark                           a preview, or of another build: stale
 *   a.num.code-lines[data-n][title]                     lines of code (numbers/code_lines.h)
 *   a.num.opcodes[data-n][title]                        instructions in a listing
 * (numbers/listed.h) a.num.cited[data-source][title]                     another author's number,
 * links to it a.num.predicted, span.num.predicted[data-prediction]  a prediction
 * (prediction_print.c) span.verdict[data-verdict]                          its verdict
 *   span.claim[data-claim][title]                       a sentence that measurements decided
 *   span.goal, span.verdict[data-goal]                  a goal and its verdict (numbers/goal.h)
 *   span.waived[title]                                  text for which an author waived the lint
 *   span.ci                                             "±0.3 %" beside a number in tables
 *   span.cards-note                                     "(one card each)" beside a ratio of two
 *                                                       devices that is not over cards
 *   span.over-cards                                     "(over 3 cards)" beside a number
 *   span.cards-between                                  standard deviation between the cards of
 *                                                       the number before it
 *   span.none[title]                                    "–": no such number, and why
 *  blocks: figure.bench.KIND#b<n> > figcaption + content + p.figure-data (kinds/figure.h)
 *   figcaption#<label> > span.caption-no                "Figure 2", if the text numbers figures
 *   figure.bench.table > div.scroll[tabindex=0] > table.numbers
 *     th[scope], td.right for numbers, td.left for words
 *     table.stack: on narrow pages a row is a block; with .labelled, each td[data-label] is a line
 *     table.pivot: row heads stay visible while it scrolls
 *     table.sorts > th > span.sort, td[data-sort]: readers can sort it (static/sort.js)
 *   figure.bench.across > div.scroll > table.numbers.across, p.fine (one card each)
 *   figure.bench.ladder > div.scroll > table.numbers.ladder
 *     th.bar-head > span.bar-tick (the measured roof) + span.bar-axis (from 0 to the data sheet)
 *     tr.kernel | tr.peer | tr.ceiling | tr.null | tr.none (could not run); the best step + .best
 *     th[scope=row] > span.step-title + span.badge (a library) + span.idea
 *     td.bar > svg.bar, td.right.value, td.right.gain, td.right.share
 *       svg.bar > rect.bar-track, rect.bar-fill.(own | best | library | other), line.bar-roof
 *   + p.ladder-key > span.ink.(own | best | library)    the legend
 *   + p.absent > span > code                            steps without a case there, and why
 *   figure.bench.staircase > ol.steps[data-back][data-next][data-label] > li.step#b<n>-<variant>
 *     p.step-head > b.step-no, span.step-title, the number;  p.idea;  svg.bar as in a ladder
 *     dl.step-facts > div > dt + dd; dd.share
 *     p.units-title, dl.units > div.unit.unit-<name> > dt, dd (a counter) + svg.fill;
 *       .fullest (with span.word in dt), .unknown;  p.fine: what warps wait for
 *     details.listing: the code; static/staircase.js shows one step at a time
 *   figure.bench.roofline, figure.bench.plot > svg.plot.wide + svg.plot.narrow
 *     (show .narrow up to 600 px, .wide above) + details.exact > summary + div.scroll > table
 *   figure.bench.diagram > svg.diagram.at-wide + svg.diagram.at-narrow (kinds/diagram.h)
 *     span.num.drawn[data-n]: a number that follows from an index expression
 *   figure.bench.env > dl.facts > div > dt + dd
 *   figure.bench.source > details.listing > summary (path, commit) + div.code (base/highlight.h)
 *     p.changed: the file has changed since it was measured
 *   figure.bench.sass > details.listing > summary + div.listed[data-n] > div.code, ol.code-notes;
 *     p.sass-key: span.l.<class of base/sass_class.h>, the tool, the command
 *   figure.bench.diff > details.listing > summary + pre.diff (kinds/diff.h)
 *   figure.bench.reproduce > div.code
 *   of a shortcode: the markup of its own template, which kinds/shortcode.c checks
 *   figure.bench.prediction > dl.facts, svg.pred, p.why, details.reasoning, details.proof
 *   figure.bench.ledger > p.ledger-sum, dl.facts, svg.draw, table.calibration, ul.squares,
 * table.ledger figure.bench.counters > div.scroll > table.numbers.counters plots:
 * svg.plot[role=group][aria-labelledby] (site-gen/plot/plot.h lists the classes inside) run pages
 *   table.numbers.cases > tr#<anchor>; td.strip > svg.strip > rect.strip-ci, line.strip-mid,
 *     path.strip-pt (dots: fill none, stroke-width 4 or so, stroke-linecap round),
 *     path.strip-pt.bad (processes with a throttled clock); span.state[data-state]
 *   dl.facts (the file and its hashes), details.sources > summary + table
 *   p.verdict.bad: why a run publishes nothing
 *  family pages
 *   h2, h3 > a.anchor; p.idea, p.build (registers, memory), p.changed, details.listing, dl.facts
 *  everywhere: .visually-hidden for words that only screen readers need; span.commit
 *
 *  s-<n>, n = 0..23: the colour of a variant, the same on every page. n is its position in the
 *  reading order of its family, modulo 24. Use it as --c: .s-0 { --c: … } with color/fill/stroke:
 *  var(--c). There are twelve colours (static/site.css): n and n + 12 share one, but differ in
 *  their dashes and swatches.
 */
#ifndef SITE_GEN_KINDS_KINDS_H
#define SITE_GEN_KINDS_KINDS_H

#include "lib/err.h"
#include "site-gen/numbers/case.h"
#include "site-gen/records/data.h"
#include "site-gen/numbers/number.h"
#include "site-gen/records/query.h"
#include "site-gen/numbers/roof.h"

/* What a figure shows, in a sentence (finding.c); both NULL: nobody has said it. */
struct finding {
	const char *text;         /* for screen readers */
	const char *html;         /* numbers are links */
	struct expand_shown says; /* its numbers */
};

/* The state of one expansion. */
struct kind_call {
	struct expand_ctx *ctx;
	const struct placeholder *p;
	const struct kind *kind;
	struct sb *to;
	bool html;              /* else plain text; blocks and spans are always markup */
	struct span *span;      /* NULL: not a span */
	struct finding finding; /* of figures, from title= */
	const char **names;     /* of a chart's series, by case, from names=; NULL: none */
};

/* How often a placeholder prints on a page over several devices. */
enum kind_devices {
	KIND_EACH_DEVICE, /* prints for each, unless the placeholder names one */
	KIND_SAME_CODE,   /* the same, but once if the code is the same on all */
	KIND_OF_CASES,  /* prints for each if it selects cases; without, it is a drawing of none */
	KIND_NO_DEVICE, /* does not depend on the device */
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
	MUST_CHECK bool (*print)(struct kind_call *k, struct err *e);
	enum expand_numbered
	        numbered; /* blocks with a caption: they take the key id=; figures title=, too */
};

const struct kind *kind_table(size_t *n);
enum kind_devices kind_devices(const struct kind *k);
/* The row for a placeholder. An unknown kind or key, or a wrong number of words, is an error. */
MUST_CHECK const struct kind *kind_of(const struct placeholder *p, struct err *e);

/* --- inline.c, and functions that other kinds use --- */
MUST_CHECK bool kind_value(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_ratio(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_percent(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_spec(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_count(struct kind_call *k, struct err *e);
/* The datasheet number; NULL, with an error that lists the known ones, if there is none. */
MUST_CHECK const struct data_spec *kind_spec_find(struct kind_call *k, struct str device,
                                                  struct str key, struct err *e);

/* --- derived.c --- */
MUST_CHECK bool kind_derived(struct kind_call *k, struct err *e);

/* --- prediction.c --- */
MUST_CHECK bool kind_predicted(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_prediction(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_ledger(struct kind_call *k, struct err *e);

/* --- counters.c --- */
MUST_CHECK bool kind_counter(struct kind_call *k, struct err *e);

/* --- sass.c --- */
MUST_CHECK bool kind_sass_count(struct kind_call *k, struct err *e);

/* --- code_lines.c --- */
MUST_CHECK bool kind_code_lines(struct kind_call *k, struct err *e);

/* --- finding.c: the sentence in title= of a figure --- */
/*
 * Sets k->finding. In an author's text a figure without a title breaks rule `readable`; a generated
 * page may have such figures. A number that is typed by hand breaks rule `traced`.
 */
MUST_CHECK bool kind_finding(struct kind_call *k, struct err *e);
/* Rule `traced` for any text of a placeholder that readers see, such as a name in a drawing. */
MUST_CHECK bool kind_traced(struct kind_call *k, struct str text, struct err *e);

/* --- cited.c --- */
MUST_CHECK bool kind_cited(struct kind_call *k, struct err *e);

/* --- spans, one per file; expand.h documents the calls --- */
MUST_CHECK bool kind_waive(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_claim(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_goal(struct kind_call *k, struct err *e);

/* --- blocks, one per file --- */
MUST_CHECK bool kind_table_block(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_across(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_ladder(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_staircase(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_plot(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_roofline(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_diagram(struct kind_call *k, struct err *e);
extern const char *const kind_diagram_keys[]; /* its own keys, which select no cases */
MUST_CHECK bool kind_samples(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_counters(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_selftest(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_nulls(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_spread(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_cards(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_widths(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_history(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_env(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_source(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_diff(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_shortcode(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_reproduce(struct kind_call *k, struct err *e);
MUST_CHECK bool kind_sass(struct kind_call *k, struct err *e);

/* --- parts of placeholders that several kinds share (kinds.c) --- */

/* The metric= of a placeholder, else the headline metric of the case. */
MUST_CHECK bool kind_metric(const struct kind_call *k, const struct pick *p, enum metric *out,
                            struct err *e);
/* Sets the error for an unknown metric. Returns false. */
MUST_CHECK bool kind_no_metric(const struct kind_call *k, struct str name, struct err *e);
/* Does over=cards stand there? Not for `ratio`, whose over= is a selector. */
bool kind_over_cards(const struct kind_call *k);
/* The cases that the placeholder's selector finds, at least one. `own`: keys that do not select. */
MUST_CHECK bool kind_picks(struct kind_call *k, const char *const *own, struct pick **out,
                           size_t *n, struct err *e);

/* Writes a link to an address of the site; adds the site's prefix. */
void kind_link(const struct expand_ctx *ctx, const char *url, const char *text, struct sb *to);

#endif
