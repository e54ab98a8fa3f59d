/*
 * site-gen/kinds.h - what the files of placeholder kinds share. The table of
 * kinds is in kinds.c; each kind is one function that writes markup or, for
 * inline kinds, plain text.
 *
 * Markup the kinds make (static/site.css styles it; no style= anywhere):
 *
 *  numbers in text
 *   a.num[data-state=ok|unsteady|stale|preview][title]  a measured number, links to its place
 *     + .ratio .percent                                 speed-ups, shares of a peak
 *     > sup.mark                                        "preview", "stale", "unsteady" as text
 *   a.num.spec, span.num.spec                           a datasheet number, links to its source
 *   span.num.count                                      a count
 *   span.ci                                             "±0.3 %" beside a number in tables
 *   span.none[title]                                    "–": no such number, and why
 *  blocks: figure.bench.KIND#b<n> > figcaption + content
 *   figure.bench.table > div.scroll[tabindex=0] > table.numbers
 *     th[scope], td.right for numbers, td.left for words
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
 *   figure.bench.diff > details.listing > summary + pre.diff > code > span.del | span.ins | span.ctx
 *     span.gap between hunks; every line is one span, with its sign as first character
 *   figure.bench.reproduce > div.code
 *  plots: svg.plot[role=img][aria-labelledby] (site-gen/plot.h lists the classes inside)
 *  run pages
 *   table.numbers.cases > tr#<anchor>; td.strip > svg.strip > line.strip-axis, circle.strip-pt
 *     (.bad: a launch that was throttled), line.strip-mid, rect.strip-ci
 *   p.verdict.bad: why a run publishes nothing
 *
 *  s-<n>, n = 0..11: the colour of a variant, the same on every page: its place in the reading
 *  order of its family, modulo 12. Use it as --c: .s-0 { --c: … } with color/fill/stroke: var(--c).
 */
#ifndef SITE_GEN_KINDS_H
#define SITE_GEN_KINDS_H

enum { KINDS_COLOURS = 12 };

#endif
