/*
 * site-gen/numbers/prediction.h - predictions: data/predictions/<id>.md, written and
 * committed before the run that tests them. data/predictions/README.md is the
 * author's manual.
 *
 * Which runs count (rule `foretold`). The commit that a run measured must
 * contain the prediction, byte for byte as it is now. Ancestry, never dates,
 * decides which commit came first, and which run: a run comes after the runs
 * whose records are in the history of the commit that it measured, and after
 * the runs that were recorded before it. For each case that the prediction
 * selects, the runs are examined in that order:
 *
 *   - If the first run's commit lacks the prediction, the answer was available
 *     before the prediction, so it is *registered too late*, whatever later runs say.
 *   - If the first run's commit has a different text of it, it is *amended*.
 *   - Else the first run whose interval decides it counts: *held* or *missed*.
 *     If every interval leaves it open, it is *undecided*. Later runs are shown
 *     as repeated tests and change nothing.
 *
 * A run that publishes nothing, that was withdrawn, or that measured nothing of
 * the case is not a test. But if a run of the first two sorts measured the case
 * before the prediction existed, the answer was available all the same. It is an
 * error if any commit removed or renamed a prediction: a miss stays.
 */
#ifndef SITE_GEN_NUMBERS_PREDICTION_H
#define SITE_GEN_NUMBERS_PREDICTION_H

#include "lib/err.h"
#include "site-gen/numbers/bottleneck.h"
#include "site-gen/numbers/number.h"
#include "site-gen/records/reason.h"

struct words;

enum prediction_verdict {
	PREDICTION_MISSED, /* in the order of a ledger */
	PREDICTION_HELD,
	PREDICTION_UNDECIDED,
	PREDICTION_AMENDED,
	PREDICTION_NOT_FORETOLD,
	PREDICTION_UNTESTED,
	PREDICTION_VERDICTS,
};

/* Value of data-verdict: "missed", "held", "undecided", "amended", "not-foretold", "untested". */
const char *prediction_verdict_name(enum prediction_verdict v);

/* Relation of the prediction to the commit that a run measured. */
enum prediction_order {
	PREDICTION_BEFORE, /* the commit has the prediction's present text */
	PREDICTION_OTHER,  /* the commit has another text of it */
	PREDICTION_AFTER,  /* the commit lacks it, or is not in this history */
	PREDICTION_ORDERS,
};

/* The result of one run for one case. */
struct prediction_test {
	struct pick pick;
	enum prediction_order order;
	bool has_number;
	struct number n;                  /* the predicted number as measured, if `has_number` */
	enum prediction_verdict interval; /* held, missed, undecided; UNTESTED: none predicted */
	double error; /* distance to the nearest bound, in % of it or in points; 0: inside */
	struct limiter_finding found;
	enum prediction_verdict limiter; /* the same for the limiter */
	enum prediction_verdict verdict; /* of both together */
	const char *why;                 /* why it is not a test; NULL: it is one */
	struct reason none;              /* the same for pages, if it is a run's reason */
	bool only_seen; /* measured, but not published or withdrawn, so not a test */
	bool decides;   /* this test counts for its case */
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
	struct query query, over; /* `over`: ratios only */
	enum number_kind kind;
	enum metric metric;
	const struct data_spec *peak; /* shares only */
	const char *si;               /* unit of low and high */
	double low, high;             /* -INFINITY, INFINITY: open on that side */
	bool has_interval;
	enum limiter limiter; /* LIMITER_NONE: not predicted */
	double confidence;
	struct str body; /* the reasoning, Markdown */
	int body_line;
	struct str reasoning; /* the same as markup; empty if it has headings of its own */

	/* its history */
	bool committed;      /* the present text is the blob in HEAD */
	const char *blob;    /* blob id of the present text */
	const char *added;   /* the commit that registered it; NULL: none */
	const char *changed; /* the commit that last changed its text; NULL: none */
	int64_t added_at, changed_at;
	const struct git_tag *tag; /* an annotated tag over the present text; a signed one first */
	const char *stamp;         /* file name of an external time stamp beside it, or NULL */

	/* its result */
	struct prediction_test *tests; /* case by case, in the order of the history */
	size_t ntests;
	/* the worst deciding test; of equals, that of the earliest run, furthest from its bound */
	const struct prediction_test *main;
	enum prediction_verdict verdict;
	const char *why;    /* one clause: why there is no verdict; NULL: there is one */
	struct reason none; /* the same for pages, if it says more than a fixed clause */
};

struct predictions {
	struct prediction *all; /* sorted by id */
	size_t n;
	bool some; /* those alone that a text shows (records/need.h) */
};

/*
 * Loads all predictions of HEAD and of the work tree, and tests them against the
 * runs of `d`. d->predictions may already be `out`. A malformed file is always an
 * error with its place. A selector without a match is no error, because the case
 * may be measured later. The reasoning stays Markdown; markdown/reasoning.h
 * renders it.
 */
MUST_CHECK bool predictions_load(const struct data *d, struct predictions *out, struct err *e);

/* The predictions of the repository; an empty list if none were loaded. */
const struct predictions *prediction_all(const struct data *d);

/* The prediction called `id`, or NULL. */
const struct prediction *prediction_find(const struct predictions *all, struct str id);

/* --- prediction_read.c --- */

/* Reads one file; `p->path` and `p->id` are set. */
MUST_CHECK bool prediction_read(const struct data *d, struct str src, struct arena *a,
                                struct prediction *p, struct err *e);

/* --- prediction_titles.c --- */

/*
 * Reads a file of titles in another language: a front matter of "id: title". It is an error if an
 * id names no prediction, or if a title's figures differ from those of the registered title.
 */
MUST_CHECK bool prediction_titles_read(struct str src, const char *path, struct arena *a,
                                       struct predictions *all, struct err *e);

/* Typesets all titles (lint/typeset.h): "2²⁸". The registered text has "2^28". */
void prediction_titles_set(struct predictions *all, struct arena *a);

/* --- prediction_verdict.c --- */

/* Tests p against the runs: fills all members below "its result". */
void prediction_decide(const struct data *d, struct arena *a, struct prediction *p);

/* --- prediction_titles.c, prediction_words.c: in words --- */

/* Its title in this language if there is one, else the registered title. */
const char *prediction_title(const struct prediction *p, const struct words *w);
/* " lang=\"en\"" if that title is not in the page's language, else "". */
const char *prediction_title_lang(const struct prediction *p, const struct words *w);
/* The prediction in words: "at least 90 % of HBM3e bandwidth; limited by memory". */
void prediction_says(const struct prediction *p, const struct words *w, struct arena *a,
                     struct sb *to);
/* The same in short: "≥ 90 %", "20–35 %", "limited by memory". */
void prediction_range(const struct prediction *p, const struct words *w, struct arena *a,
                      struct sb *to);
/* The outcome in words: "missed: 14.2 points too low", "held", … */
void prediction_outcome(const struct prediction *p, const struct words *w, struct sb *to);
/* The distance beyond the nearest bound: ": 14.2 points too low", ": 3.1 % too high". */
void prediction_gap(double error, bool points, const struct words *w, struct sb *to);
/* A limiter in words: "memory", "open". */
const char *prediction_limiter_word(enum limiter l, const struct words *w);

#endif
