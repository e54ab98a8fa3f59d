/*
 * site-gen/numbers/headline.h - the headline case of a family: the one that stands for it on
 * the scoreboard (/kernels/), on the home page, and at the head of its own page.
 *
 * The front matter of content/kernels/FAMILY.md names it:
 *
 *   headline: "rows=16384 cols=16384 dtype=f32 cache=cold"    one case of each variant
 *   case: "16384 × 16384, f32"                                its name for readers
 *
 * `headline` has the keys of a selector (records/query.h), and `metric=`, if that is not the
 * family's own. `task`, `post` and `read` say what its kernels do, which page tells its story, and
 * by which short name. FAMILY.<language>.md says `case`, `post` and `read` again in its language;
 * what it does not say is the original's.
 */
#ifndef SITE_GEN_NUMBERS_HEADLINE_H
#define SITE_GEN_NUMBERS_HEADLINE_H

#include "lib/err.h"
#include "site-gen/numbers/bottleneck.h"
#include "site-gen/numbers/number.h"

struct config;

/* Texts for readers of one language; each but `title` may be NULL. */
struct headline_text {
	const char *title; /* the family's, as its author wrote it; NULL: the record's counts */
	const char *name;  /* of the case: "16384 × 16384, f32" */
	const char *post, *read;
	bool has_page; /* the family has a text in this language */
};

struct headline {
	const char *family;
	struct placeholder p; /* `headline` as a placeholder, for the places of errors */
	struct query q;
	bool has_metric;
	enum metric metric; /* if has_metric */
	const char *task;   /* "move", …; NULL: not given */
	const char *device; /* that its text speaks of, or its data sheet; NULL: not given */
	struct headline_text *text; /* parallel to config.languages */
};

struct headlines {
	struct headline *all; /* in the order of d->families */
	size_t n;
};

/*
 * Reads the headlines of all families that have one. Each must find cases on some device, and one
 * case of each variant on every device; otherwise there is an error at its place. A file whose
 * front matter is wrong is skipped: loading its page says what is wrong.
 */
MUST_CHECK bool headlines_load(const struct data *d, const struct config *c, struct arena *a,
                               struct headlines *out, struct err *e);

/* The family's; NULL: it has none. */
const struct headline *headline_find(const struct headlines *all, const char *family);

/* The texts in the language of `w` (NULL: the site's own). */
const struct headline_text *headline_words(const struct headline *h, const struct words *w);

/* A variant of the case, with its number. */
struct headline_step {
	struct pick pick;
	struct number n;
};

/* The best own variant that was known after a run. */
struct headline_past {
	const struct data_run *run;
	struct number best;
};

/* What a device has measured of a headline case. Of each variant, its newest number counts. */
struct headline_result {
	enum metric metric;
	struct headline_step best;   /* the best own kernel */
	struct headline_step *steps; /* own kernels in reading order, then libraries */
	size_t nsteps, nown;
	const struct headline_step *library, *eager; /* best library; eager PyTorch; NULL: none */
	/* how many times as fast the best is; from the newest run that has both */
	bool has_over_library, has_over_eager;
	struct number over_library, over_eager;
	const struct data_spec *peak; /* the roof of the data sheet; NULL: none */
	struct number share;          /* of that roof */
	struct limiter_finding limiter;
	int64_t flop, bytes;        /* of the best's cost model; flop 0: it counts other things */
	struct headline_past *past; /* oldest first: one for each run with an own variant */
	size_t npast;
};

/* Looks at ctx->device, or at the site's. False: it has no number of an own kernel. */
bool headline_result(const struct expand_ctx *ctx, const struct headline *h,
                     struct headline_result *out);

#endif
