/*
 * site-gen/records/context.h - input and output of expanding a page's placeholders: the
 * settings it depends on, and the numbers, facts and goals that the page shows.
 */
#ifndef SITE_GEN_RECORDS_CONTEXT_H
#define SITE_GEN_RECORDS_CONTEXT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/words.h"

struct data;     /* site-gen/records/data.h */
struct lint;     /* site-gen/lint/lint.h */
struct plotter;  /* site-gen/plot/plot.h */
struct problems; /* site-gen/base/problems.h */
struct run;      /* lib/record.h */
struct run_case;
struct shortcodes; /* site-gen/kinds/shortcode.h */

/* A number that a page shows: for the conditions box and the state badges. */
struct expand_use {
	const struct run *run;
	const struct run_case *c;
	struct loc at; /* where the page first used it */
	struct expand_use *next;
};

/* Numbers that a text shows: those from `quotes` and `facts`, which are newest first, on. */
struct expand_shown {
	const struct quote *quotes, *quotes_end;
	const struct fact *facts, *facts_end;
};

/* A numbered block of a page, figure#b<number> (kinds/figure.h). */
struct expand_figure {
	int number;
	const char *name;    /* of its files; once on a page */
	const char *finding; /* its title= as text and as markup; NULL: none */
	const char *finding_html;
	struct expand_shown says; /* the numbers of the finding; only until the page is kept */
	bool drawn;               /* it is a drawing, which may have a page of its own */
	/* what that page shows and says of it (pages/figure_page.h); page.p NULL: it has none */
	struct str page, about;
	struct expand_figure *next;
};

/* Everything that an expansion may depend on. One per page; not shared between threads. */
struct expand_ctx {
	const struct data *data;
	const char *device; /* default device: the post's, else the site's */
	/*
	 * The devices of a post over several (front matter `devices:`): each placeholder that
	 * names none is expanded for each. One device or none: NULL.
	 */
	const char *const *devices;
	size_t ndevices;
	bool one_device; /* the page is over several, but this text is about `device` alone */
	int device_no;   /* while it is expanded for device `device_no` of them, from 1; else 0 */
	const struct words *words; /* words of the page's language; NULL: English */
	const char *base;          /* URL prefix of the site: "" or "/blog" */
	struct arena *arena;
	struct expand_use *uses; /* grows, newest first; each case once */
	struct quote *quotes;    /* every measured number shown, newest first (numbers/number.h) */
	struct fact *facts;      /* every other number shown (numbers/number.h) */
	struct goal *goals;      /* every goal stated, newest first (numbers/goal.h) */
	/* the placeholder being expanded; NULL if the generator itself writes */
	const char *placeholder;
	struct loc at;
	bool in_block;
	bool generated;         /* the text is the generator's own: no author wrote it */
	int figure;             /* number of the block being expanded */
	const char *caption_no; /* "Figure 2" before the caption of the next block; NULL: none */
	const char *caption_id; /* label of that block; NULL: none */
	int code_id;    /* listing.id for the notes of the next block; 0: it can have none */
	int code_notes; /* set by that block: its number of notes */
	int blocks;     /* number of blocks so far; makes ids unique on the page */
	struct expand_figure *figures; /* those blocks, newest first */
	bool shares;                   /* each drawing gets a page of its own, fig/<name>/ */
	struct plotter *plots;         /* draws charts; NULL: nothing draws them */
	struct shortcodes *shortcodes; /* NULL: the site has none */
	const char *cache;             /* folder for the output of other programs, "build/cache" */
	const struct lint *lint;       /* checks the texts around placeholders; NULL: no check */
	/* collects problems, so that a text is read to its end; NULL: the first problem stops it */
	struct problems *problems;
};

/* The most devices of one post: the style sheet has a rule for each. */
enum { EXPAND_DEVICES = 4 };

enum expand_place {
	EXPAND_INLINE, /* value, ratio, percent, spec, count, … */
	EXPAND_BLOCK,  /* table, ladder, roofline, plot, source, … */
	EXPAND_SPAN,   /* waive, …: marks around a text; see below */
};

/*
 * A span is <<bench:KIND …>> text <</bench:KIND>> around text and inline markup of one
 * block. Markdown pairs the marks (markdown/text.c). A span must close in the block and
 * the markup in which it opens, and must not contain a span of its own kind; otherwise
 * there is an error with its place. A kind becomes a span by a row with EXPAND_SPAN in
 * kinds/kinds.c. Its print function is called with k->span set: first with SPAN_SEEN
 * before the block is printed, to check and decide (it must not print then); later with
 * SPAN_OPEN and SPAN_CLOSE around the text. In plain text (titles, alternative texts, the
 * table of contents) only the span's text remains.
 */
enum span_step { SPAN_SEEN, SPAN_OPEN, SPAN_CLOSE };

struct span {
	enum span_step step;
	struct str text; /* plain text with expanded numbers, to quote in errors */
	void *state;     /* the kind's own state, kept from step to step */
	void **states;   /* in a post over several devices: the state of each */
};

/* The word by which texts number a block. */
enum expand_numbered { EXPAND_UNNUMBERED, EXPAND_FIGURE, EXPAND_TABLE };

#endif
