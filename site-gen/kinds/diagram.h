/*
 * site-gen/kinds/diagram.h - the figure around a diagram, and what its kinds share.
 * docs/diagrams.md is the manual for authors; site-gen/diagram/ draws.
 *
 * Markup: figure.bench.diagram > figcaption > strong.finding + span.about,
 * svg.diagram.at-wide + svg.diagram.at-narrow (static/diagram.css shows one), then p.diagram-facts
 * or a table, which say the same as the drawing. In a pipeline to scale g.box[data-box] is a box;
 * details.lengths has its numbers: td.box-from, td.box-length. span.num.drawn[data-n] is a number
 * that follows from an index expression.
 */
#ifndef SITE_GEN_KINDS_DIAGRAM_H
#define SITE_GEN_KINDS_DIAGRAM_H

#include "site-gen/diagram/canvas.h"
#include "site-gen/diagram/index.h"
#include "site-gen/kinds/block.h"
#include "site-gen/kinds/kinds.h"

/* A diagram that a kind has read from its placeholder. */
struct diagram {
	const char *about; /* markup: what is drawn, under which conditions */
	const char *desc;  /* text: the drawing in words, for screen readers and programs */
	struct sb foot;    /* markup below the drawing */
	void (*draw)(struct canvas *c, const struct canvas_said *said, const void *facts);
	const void *facts;            /* what `draw` draws */
	struct block_values exact[2]; /* cases whose exact values follow; none in [0]: no table */
};

typedef bool diagram_reader(struct kind_call *k, struct diagram *d, struct err *e);
/* One file each. */
MUST_CHECK bool diagram_access(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_swizzle(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_timeline(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_clock(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_pipeline(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_map(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_tile(struct kind_call *k, struct diagram *d, struct err *e);

/* From time stamps inside kernels (diagram_stamps.c): a pipeline without steps=, a timeline with
 * kernels=, and tickets. */
MUST_CHECK bool diagram_stamped_pipeline(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_stamped_chain(struct kind_call *k, struct diagram *d, struct err *e);
MUST_CHECK bool diagram_tickets(struct kind_call *k, struct diagram *d, struct err *e);
/* Refuses a schema of a case that has a trace: the drawing can be made from it. */
MUST_CHECK bool diagram_may_be_schema(struct kind_call *k, const struct pick *p, struct err *e);

/* A key that has to be there; its place in the error is that of the placeholder. */
MUST_CHECK bool diagram_needs(struct kind_call *k, const char *key, struct str *out, struct err *e);
/* A key that is a number in a range. Not given: *out stays. */
MUST_CHECK bool diagram_number(struct kind_call *k, const char *key, int64_t least, int64_t most,
                               int64_t *out, struct err *e);
/* The only case of the selector that is word[n] of the placeholder. */
MUST_CHECK bool diagram_pick(struct kind_call *k, struct str selector, struct pick *out,
                             struct err *e);
/* Bytes of an element of this type; 0: unknown. */
int diagram_bytes_of(const char *dtype);
/* Binds the parameters of a case that are numbers. */
void diagram_bind_case(struct index *x, const struct run_case *c);
/*
 * Does the measured source of the case contain the text, white space aside? If not, the error
 * stands at the text. True without a repository's blobs is not possible: that is an error, too.
 */
MUST_CHECK bool diagram_in_source(struct kind_call *k, const struct pick *p, struct str text,
                                  struct err *e);

/*
 * Constants of a let=, "TILE = 32" and the like, have to be in the measured source. One that is
 * bound to `threads` or `vector` is a template parameter.
 */
MUST_CHECK bool diagram_constants_hold(struct kind_call *k, const struct pick *p, struct str let,
                                       struct err *e);
/*
 * check=load_sectors_per_request: holds the sectors of an access against the counter of a case
 * (NULL: none, an error), to a hundredth. *said is the count as markup.
 */
MUST_CHECK bool diagram_check_sectors(struct kind_call *k, const struct pick *p, double touched,
                                      const char **said, struct err *e);
/*
 * check=shared_bank_conflicts per=store_requests: holds the conflicts of an access against them.
 * Other causes, such as warps that meet at the banks, are counted as well: up to one for each
 * access is allowed.
 */
MUST_CHECK bool diagram_check_banks(struct kind_call *k, const struct pick *p, double conflicts,
                                    const char **said, struct err *e);

/*
 * Records a number that follows from an index expression, and returns its markup. The key is
 * "drawn <what> <bytes> <expression>" (audit/drawn.h).
 */
const char *diagram_fact(struct kind_call *k, const char *key, double value, const char *unit);

#endif
