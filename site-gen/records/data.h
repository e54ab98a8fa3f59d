/*
 * site-gen/records/data.h - everything measured that the site may show: runs from
 * HEAD's blobs, runs of the work tree that are not committed yet (previews),
 * datasheet specs, and the questions pages ask of them. Loaded once, before
 * workers fork; read-only after.
 */
#ifndef SITE_GEN_RECORDS_DATA_H
#define SITE_GEN_RECORDS_DATA_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "lib/units.h"
#include "site-gen/git/git.h"
#include "site-gen/base/rules.h"

/*
 * How a number stands to the repository and to the rules, from best to worst.
 * A case may be in several of these at once: all are kept with a reason each,
 * the worst is printed in data-state and as the mark beside the number.
 */
enum data_state {
	DATA_OK,
	DATA_SAME_CODE,  /* fresh: a source has changed, its machine code has been shown not to */
	DATA_SUPERSEDED, /* unpicked: a newer run of this case publishes a number */
	DATA_UNSTEADY,   /* steady: too few launches, wide interval, throttled, drifting, … */
	DATA_STALE,      /* fresh, clean: what was measured is not what HEAD has */
	DATA_WITHDRAWN,  /* its author took it back: data/withdrawn/ */
	DATA_PREVIEW,    /* whole: its run file is not committed */
	DATA_STATE_COUNT,
};
/* "ok", "same-code", "superseded", "unsteady", "stale", "withdrawn", "preview" */
const char *data_state_name(enum data_state s);
const char *data_state_title(enum data_state s); /* one sentence for readers */
/* Does --strict refuse a number in this state? All but ok, same-code and superseded. */
bool data_state_refused(enum data_state s);

/* What the launches of a case come to: derived once, when the run is loaded. */
struct data_case {
	const struct run_case *c;
	const char *why_none;      /* why it publishes no number; NULL: it does */
	enum rule none_rule;       /* which rule says so; RULE_COUNT: none, it was not measured */
	bool failed;               /* a check failed: `correct` does not hold */
	struct stats_summary time; /* s per call; only if why_none == NULL */
	const double *medians;     /* of the ok launches, time.launches of them, file order */
	const int64_t *launch;     /* their launch numbers, to pair by */
	const struct run_launch *const *read; /* these launches: what else they read */
	const size_t *node;                   /* where each ran: record_nodes() */
	const bool *slow;                     /* a clock was slowed down during them */
	size_t power_limited; /* launches in which the power cap held the clock: told, no state */
	/* all states it is in, with a clause each; why[DATA_OK] is not used, nor kept */
	const char *why[DATA_STATE_COUNT]; /* NULL: it is not in this state */
	enum data_state state;             /* the worst of them */
	const char *why_state; /* all clauses, worst first, joined by "; "; NULL if it is ok */
	bool unclean;          /* stale by rule `clean`, perhaps by `fresh`, too */
	const char *changed;   /* path of the first source that is not that of HEAD; NULL: none */
	const char *anchor;    /* of its row on the run's page, unique there */
	const char *url; /* "/numbers/<device>/<anchor>/": all runs of the case have one page */
	/* the newest run that publishes a number for this case, if that is another one */
	const struct data_run *newer;
};

enum { DATA_LAUNCHES_LEAST = 5 }; /* of an interrupted run, that it publishes */

struct data_run {
	struct run run;
	const char *path;        /* data/runs/h200/….jsonl */
	const char *url;         /* "/runs/<id>/" */
	bool committed;          /* byte for byte the blob in HEAD */
	const char *blob;        /* its blob id */
	const char *recorded;    /* the commit that recorded it; NULL: none has, or none is known */
	const char *why_none;    /* why it publishes nothing (not whole, say); NULL: it does */
	size_t kept;             /* launches of an interrupted run that count; 0: it was not */
	struct data_case *cases; /* parallel to run.cases */
	struct data_fact *facts; /* its conditions */
	size_t nfacts;
};

/* A record, or some of its cases, taken back: data/withdrawn/<run id>.md. */
struct data_withdrawal {
	const char *path, *run_id, *date;
	const char *reason;         /* Markdown, as written */
	const struct data_run *run; /* what it takes back */
	size_t cases;               /* how many of its cases */
	bool all, committed;
};

/* A datasheet number: data/specs/<device>.json. */
struct data_spec {
	const char *device, *key;   /* "h200", "hbm" */
	const char *const *devices; /* slugs that it is for, `device` first; NULL ends them */
	const char *title;          /* "HBM3e bandwidth" */
	double value;               /* SI base unit */
	const char *si;             /* "B/s", "FLOP/s", "B", … */
	const char *note;           /* "dense, without sparsity"; may be NULL */
	const char *source, *source_url, *source_date, *quote;
};

/* A case that says what its device can do, from the newest run that has it. */
struct data_ceiling {
	const struct data_run *run;
	const struct data_case *d;
};

struct predictions;
struct references;

struct data {
	const char *root;      /* of the repository */
	struct git *git;       /* NULL: no repository */
	struct data_run *runs; /* newest first */
	size_t nruns;
	/* of `runner profile`: cases and counters, no launches; newest first (numbers/counters.h) */
	struct data_run *profiles;
	size_t nprofiles;
	const char **foreign; /* files among the records that are none, of HEAD and the work tree */
	size_t nforeign;
	struct data_spec *specs;
	size_t nspecs;
	struct data_withdrawal *withdrawn; /* by run id */
	size_t nwithdrawn;
	struct git_history history;  /* of the folder data/; empty without a repository */
	struct data_number *numbers; /* by address */
	size_t nnumbers;
	struct data_ceiling *ceilings; /* of all devices: the families "ceiling-…" */
	size_t nceilings;
	/* from the folders beside the runs, loaded after them; NULL: not loaded */
	struct predictions *predictions; /* numbers/prediction.h */
	struct references *references;   /* cited.h */
	const char **devices;            /* slugs that have runs, sorted */
	size_t ndevices;
	const char *default_device; /* the site's, "" where nothing was measured */
	struct arena *arena;
};

/*
 * Loads runs, specs and withdrawals of the repository at `root`. A malformed
 * one is an error with its place; a run without its end is loaded and never
 * publishes a number. A record that history shows changed or removed is an
 * error (rule `whole`); in a shallow clone that is not known, and
 * d->history.shallow says so. `default_device` is the site's, as site.lua says
 * (lua/config.h); NULL: the only one that has runs, and an error if several have.
 */
bool data_load(const char *root, struct git *git, const char *default_device, struct arena *a,
               struct data *out, struct err *e);

/* Is the spec for this device, by its slug? */
bool data_spec_is_of(const struct data_spec *s, struct str device);

/* The spec `key` of a device, or NULL. */
const struct data_spec *data_spec_find(const struct data *d, struct str device, struct str key);

/* A case of a device in all its runs: the subject of a number's page. */
struct data_number {
	const char *device, *id, *url; /* as of its cases */
	const struct data_run **runs;  /* newest first; those without a number, too */
	const struct data_case **in;   /* of runs[i] */
	size_t nruns;
	size_t newest; /* the first of runs that publishes a number; nruns: none does */
};
/* The number whose page has this address, or NULL. */
const struct data_number *data_number_at(const struct data *d, struct str url);

/* The same case on a device, if that has a number of it; else NULL. */
const struct data_number *data_number_on(const struct data *d, const char *device,
                                         const struct data_case *k, struct arena *a);

/* The rule that a state of a case breaks; of DATA_OK and DATA_SAME_CODE: RULE_FRESH. */
enum rule data_case_rule(const struct data_case *k, enum data_state s);
/* Is it one of those that placeholders find without run=: has a number, and is not withdrawn. */
bool data_case_offered(const struct data_case *k);
/* Adds a state, with its clause, to those of a case. */
void data_case_add(struct data_case *k, enum data_state s, const char *why, struct arena *a);

/* What was derived from a case of a run. */
const struct data_case *data_case_of(const struct data_run *r, const struct run_case *c);

/*
 * Of the instrument, not of the blog: "ceiling-…" (runner ceilings) and
 * "selftest" (runner selftest). Such families have no page of their own.
 */
bool data_is_instrument(const char *family);
/* Does a pattern of families say so? "*" does not, "ceiling-*" does. */
bool data_names_instrument(struct str pattern);

/* A family of kernels that some run measured, with its newest run: for the family pages. */
struct data_family {
	const char *id, *title, *problem, *metric;
	const struct data_run *newest;
	const char *url; /* "/kernels/<id>/" */
};
struct data_family *data_families(const struct data *d, struct arena *a, size_t *n);
/* "/kernels/x/#on-h100": where a device stands on the page of a family that it has measured. */
const char *data_family_part(const struct data *d, const char *family, const char *device,
                             struct arena *a);

/*
 * The bodies of generated pages, as markup, through the same kinds that posts
 * use: ladder, roofline, sources as measured, differences between variants
 * (family); conditions and every case with its anchor (run).
 */
struct expand_ctx;
struct body {
	struct str html;
	struct body_heading {
		int level;
		const char *id, *text;
	} * headings;
	size_t nheadings;
};
bool data_family_body(struct expand_ctx *ctx, const struct data_family *f, struct body *out,
                      struct err *e);
bool data_run_body(struct expand_ctx *ctx, const struct data_run *r, struct body *out,
                   struct err *e);

/* Label and value pairs, ready to print as text: "GPU" - "NVIDIA H200". */
struct data_fact {
	const char *label, *value;
	struct data_fact_part {
		const char *word, *one, *two; /* of lua/words.c, with what it is filled with */
	} part[2];                            /* word NULL: none; no part: the value as it is */
};
/* The value for readers of a language. */
struct words;
const char *data_fact_text(const struct words *w, const struct data_fact *f, struct arena *a);

/* The conditions of a run: GPU or CPU, driver, toolkit, clocks, commit, date, launches. */
const struct data_fact *data_conditions(const struct data_run *r, size_t *n);
/* Makes them, once, when the run is loaded: they walk all its launches, and many pages ask. */
void data_conditions_make(struct data_run *r, struct arena *a);

/* The worst state among the numbers a page used; *preview etc. for banners. */
struct expand_use;
enum data_state data_worst(const struct data *d, const struct expand_use *uses);
enum data_state data_state_of(const struct data *d, const struct data_run *r,
                              const struct run_case *c);
const struct data_run *data_run_of(const struct data *d, const struct run *r);

/* "/runs/<id>/#<anchor of the case>", in the arena. */
const char *data_case_url(const struct data *d, const struct run *r, const struct run_case *c,
                          struct arena *a);

#endif
