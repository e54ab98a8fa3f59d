/*
 * site-gen/numbers/prediction.h - predictions: data/predictions/<id>.md, written and
 * committed before the run that tests them. data/predictions/README.md is the
 * author's manual.
 *
 * What counts (rule `foretold`). The commit that a run was measured at must
 * hold the prediction, byte for byte as it stands now; which commit came first
 * is a question of ancestry, never of dates. So is which run came first: a run
 * comes after those whose records the commit that it measured has in its
 * history, and after those that were recorded before it was. Of each case that
 * the prediction speaks of, the runs are looked at in that order:
 *
 *   - the first run knows no such prediction: the answer was to be had before
 *     the prediction was, so it is *not foretold*, whatever was measured later;
 *   - the first run knows it in other words: it is *amended*;
 *   - else the first run whose interval decides it does: held, or missed.
 *     Where intervals leave it open it is *undecided*. Later runs are shown as
 *     tests made again and change nothing.
 *
 * A run that publishes nothing, that was withdrawn, or that measured nothing
 * of the case is no test; but where the first two measured the case before the
 * prediction was there, the answer was to be had all the same. A prediction that any commit removed or renamed is
 * an error: a miss stays.
 */
#ifndef SITE_GEN_NUMBERS_PREDICTION_H
#define SITE_GEN_NUMBERS_PREDICTION_H

#include "site-gen/numbers/bottleneck.h"
#include "site-gen/numbers/number.h"

struct words;

enum prediction_verdict {
	PREDICTION_MISSED, /* in the order a ledger lists them */
	PREDICTION_HELD,
	PREDICTION_UNDECIDED,
	PREDICTION_AMENDED,
	PREDICTION_NOT_FORETOLD,
	PREDICTION_UNTESTED,
	PREDICTION_VERDICTS,
};

/* "missed", "held", "undecided", "amended", "not-foretold", "untested": in data-verdict */
const char *prediction_verdict_name(enum prediction_verdict v);

/* How a run's commit stands to the prediction. */
enum prediction_order {
	PREDICTION_BEFORE, /* it holds the prediction as it stands now */
	PREDICTION_OTHER,  /* it holds another text of it */
	PREDICTION_AFTER,  /* it holds none, or is no part of this history */
};

/* What one run says of one case. */
struct prediction_test {
	struct pick pick;
	enum prediction_order order;
	bool has_number;
	struct number n;                  /* what was predicted, as measured; `has_number` */
	enum prediction_verdict interval; /* held, missed, undecided; UNTESTED: none predicted */
	double error; /* % of the nearest bound, points if it is a percentage; 0: inside */
	struct limiter_finding found;
	enum prediction_verdict limiter; /* the same for the limiter */
	enum prediction_verdict verdict; /* of both together */
	const char *why;                 /* why it says nothing; NULL: it does */
	bool only_seen; /* it published nothing, or was withdrawn: no test, but it was measured */
	bool decides;   /* the one that counts for its case */
};

/* Its title in another language: data/predictions/titles.LANG.md. */
struct prediction_said {
	const char *lang, *title;
};

struct prediction {
	/* the file */
	const char *id, *path,
	        *url; /* "gemv-row", "data/predictions/gemv-row.md", "/predictions/…/" */
	const char *title, *selector, *metric_text, *series, *step; /* the last two may be NULL */
	struct prediction_said *said;
	size_t nsaid;
	struct query query, over; /* `over`: of a ratio */
	enum number_kind kind;
	enum metric metric;
	const struct data_spec *peak; /* of a share */
	const char *si;               /* unit of low and high */
	double low, high;             /* -INFINITY, INFINITY: open on that side */
	bool has_interval;
	enum limiter limiter; /* LIMITER_NONE: not predicted */
	double confidence;
	struct str body; /* the reasoning, Markdown */
	int body_line;
	struct str reasoning; /* the same as markup; empty where it has headings of its own */

	/* its history */
	bool committed;      /* as it stands now, it is the blob in HEAD */
	const char *blob;    /* its id */
	const char *added;   /* the commit that registered it; NULL: none */
	const char *changed; /* the commit that last changed its text; NULL: none did */
	int64_t added_at, changed_at;
	const struct git_tag *tag; /* an annotated tag over the present text, signed if any is */
	const char *stamp;         /* name of an external time stamp beside it, or NULL */

	/* what became of it */
	struct prediction_test *tests; /* case by case, in the order of the history */
	size_t ntests;
	/* the one to show: the worst of those that decide; of equals the first, and of its run the furthest */
	const struct prediction_test *main;
	enum prediction_verdict verdict;
	const char *why; /* one clause: why there is no verdict; NULL: there is one */
};

struct predictions {
	struct prediction *all; /* by id */
	size_t n;
};

/*
 * All predictions of the repository, tested against the runs of `d`: HEAD's,
 * and those of the work tree that are not committed yet. d->predictions may be
 * `out` already. A file that is wrong is an error with its place, whatever
 * else happens; a selector that finds nothing is no error, the case may come
 * later. Their reasoning is left as written: markdown/reasoning.h makes it markup.
 */
bool predictions_load(const struct data *d, struct predictions *out, struct err *e);

/* The prediction called `id`, or NULL. */
const struct prediction *prediction_find(const struct predictions *all, struct str id);

/* --- prediction_read.c --- */

/* Reads one file; `p->path` and `p->id` are set. */
bool prediction_read(const struct data *d, struct str src, struct arena *a, struct prediction *p,
                     struct err *e);

/* --- prediction_titles.c --- */

/*
 * Reads a file of titles in another language: a front matter of "id: title", the figures those
 * of the title that was registered. An id that is no prediction's is an error.
 */
bool prediction_titles_read(struct str src, const char *path, struct arena *a,
                            struct predictions *all, struct err *e);

/* --- prediction_verdict.c --- */

/* Tests p against the runs: fills everything below "what became of it". */
void prediction_decide(const struct data *d, struct arena *a, struct prediction *p);

/* --- kinds/prediction_print.c: everything about it that readers see --- */

/* Its title for readers of this language: in it, else as it was registered. */
const char *prediction_title(const struct prediction *p, const struct words *w);
/* " lang=\"en\"" where that is not the page's, else "". */
const char *prediction_title_lang(const struct prediction *p, const struct words *w);
/* "at least 90 % of HBM3e bandwidth; limited by memory" */
void prediction_says(const struct prediction *p, const struct words *w, struct arena *a,
                     struct sb *to);
/* "missed by −14.2 points", "held", … */
void prediction_outcome(const struct prediction *p, const struct words *w, struct sb *to);
/* "−14.2 points", "+3.1 %": how far beyond the nearest bound. */
void prediction_gap(double error, bool points, const struct words *w, struct sb *to);
/* "memory", "open": for readers */
const char *prediction_limiter_word(enum limiter l, const struct words *w);
/* A sentence for each proof there is: what git shows, a tag, a time stamp; a list of markup. */
void prediction_proof(const struct prediction *p, const struct words *w, struct arena *a,
                      struct sb *to);
/* svg.pred: the interval predicted, and on it what the deciding tests measured. */
void prediction_drawing(const struct prediction *p, const struct words *w, struct sb *to);
/* span.verdict[data-verdict] */
void prediction_badge(const struct prediction *p, const struct words *w, struct sb *to);
/* What a box and its page begin with: dl.facts, the drawing, p.why (kinds/prediction.c). */
void prediction_facts(struct expand_ctx *ctx, const struct prediction *p, struct sb *to);
/*
 * The number of a test as a link, and as a quote of the page. It says what
 * was so then: unless its run is a preview, the page is not judged by its
 * state, as it is by the numbers that say what is so.
 */
void prediction_number(struct expand_ctx *ctx, const struct prediction_test *k, const char *what,
                       struct sb *to);
/* Every test, newest last, as table.numbers. */
void prediction_tests(struct expand_ctx *ctx, const struct prediction *p, struct sb *to);

#endif
