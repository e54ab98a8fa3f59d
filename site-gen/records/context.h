/*
 * site-gen/records/context.h - what the expansion of a page's placeholders depends on,
 * and what it leaves behind: the numbers, facts and goals that the page shows.
 */
#ifndef SITE_GEN_RECORDS_CONTEXT_H
#define SITE_GEN_RECORDS_CONTEXT_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/str.h"
#include "site-gen/lua/words.h"

struct data;     /* site-gen/records/data.h */
struct lint;     /* site-gen/lint/lint.h */
struct problems; /* site-gen/base/problems.h */
struct run;      /* lib/record.h */
struct run_case;

/* A number that a page shows: for the conditions box and the state badges. */
struct expand_use {
	const struct run *run;
	const struct run_case *c;
	struct expand_use *next;
};

/* Everything an expansion may depend on. One per page; not shared between threads. */
struct expand_ctx {
	const struct data *data;
	const char *device;        /* default device: the post's, else the site's */
	const struct words *words; /* of the page's language; NULL: English */
	const char *base;          /* URL prefix of the site: "" or "/blog" */
	struct arena *arena;
	struct expand_use *uses; /* grows, newest first; each case once */
	struct quote *quotes;    /* the same, each number that is shown (numbers/number.h) */
	struct fact *facts;      /* and the other numbers (numbers/number.h) */
	struct goal *goals;      /* and the goals, newest first (numbers/goal.h) */
	/* the placeholder at work; NULL where the page writes for itself */
	const char *placeholder;
	struct loc at;
	bool in_block;
	int figure;              /* the number of the block at work */
	const char *caption_no;  /* "Figure 2" before the caption of the next block; NULL: none */
	const char *caption_id;  /* and its label; NULL: none */
	int blocks;              /* block expansions so far: makes ids unique on the page */
	const char *plot_cache;  /* folder of rendered plots, "build/cache/plots" */
	const struct lint *lint; /* for the texts around placeholders; NULL: nobody looks */
	/* where what is wrong goes, so that a text is read to its end; NULL: it stops at the first */
	struct problems *problems;
};

enum expand_place {
	EXPAND_INLINE, /* value, ratio, percent, spec, count, … */
	EXPAND_BLOCK,  /* table, ladder, roofline, plot, source, … */
	EXPAND_SPAN,   /* waive, …: marks around a text, see below */
};

/*
 * A span: <<bench:KIND …>> text <</bench:KIND>>, around text and other inline
 * markup of one block. Markdown pairs the marks (markdown/text.c): a span
 * closes in the block and the markup it opens in, and none lies in another
 * of its kind; both are errors with their places. A kind takes part by a row
 * with EXPAND_SPAN in kinds/kinds.c. Its print function is called with k->span:
 * once with SPAN_SEEN, before anything of the block is printed (to check, to
 * decide; nothing may be printed then), and where the text becomes markup
 * with SPAN_OPEN and SPAN_CLOSE around it. In plain text (titles, alternative
 * texts, the contents) a span is just its text.
 */
enum span_step { SPAN_SEEN, SPAN_OPEN, SPAN_CLOSE };

struct span {
	enum span_step step;
	struct str text; /* plain, numbers expanded: to name the sentence in an error */
	void *state;     /* the kind's own, from step to step */
};

/* What a block is called where a text numbers it. */
enum expand_numbered { EXPAND_UNNUMBERED, EXPAND_FIGURE, EXPAND_TABLE };

#endif
