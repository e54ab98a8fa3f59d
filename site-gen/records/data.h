/*
 * site-gen/records/data.h - all measurements that the site may show: runs from HEAD's
 * blobs, uncommitted runs of the work tree (previews), and datasheet numbers, with
 * functions to query them. They are loaded once, before workers fork, and read-only
 * afterwards. A loaded run has no launches: records/launches.h reads them when they are needed.
 */
#ifndef SITE_GEN_RECORDS_DATA_H
#define SITE_GEN_RECORDS_DATA_H

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "lib/sass.h"
#include "lib/units.h"
#include "site-gen/git/git.h"
#include "site-gen/base/rules.h"
#include "site-gen/records/data_state.h"
#include "site-gen/records/reason.h"

/* A case's summary and states, derived once when its run is loaded. */
struct data_case {
	const struct run_case *c;
	const char *why_none;      /* why it publishes no number, in English; NULL: it does */
	struct reason none;        /* the same for pages */
	enum rule none_rule;       /* rule that forbids it; RULE_COUNT: it was not measured */
	bool failed;               /* a check failed, so rule `correct` does not hold */
	struct stats_summary time; /* s per call; only if why_none == NULL */
	const double *medians;     /* of the good launches, time.launches of them, in file order */
	const int64_t *launch;     /* their launch numbers, for pairing */
	const struct run_reading *reading; /* what each read from the device */
	const size_t *node;                /* node of each, by record_nodes() */
	const bool *slow;                  /* a clock was slowed down during the launch */
	size_t power_limited; /* launches held at the power cap; shown, but not a state */
	/* over all its launches, also those of a case without a number */
	bool measured;     /* one of them passed both checks and stored samples */
	const char *timer; /* of the first such launch that names one; NULL: none */
	double busy_s;     /* the device's time for their warm-up and samples */
	double spent_s;    /* the host's time for all of their parts; 0: not recorded */
	/* a word that this program does not know, and its key: "timer" or "stop"; NULL: none */
	const char *odd_word, *odd_key;
	/* the states it is in, with a clause each, in English; why[DATA_OK] is not used */
	const char *why[DATA_STATE_COUNT]; /* NULL: it is not in this state */
	enum data_state state;             /* the worst state */
	const char *why_state; /* all clauses, worst first, joined by "; "; NULL if it is ok */
	struct reason *reasons[DATA_STATE_COUNT]; /* the same as `why`, for pages */
	bool unclean;        /* stale by rule `clean` (and perhaps by `fresh`) */
	const char *changed; /* first source that differs from HEAD's; NULL: none */
	const char *anchor;  /* id of its row on the run's page */
	const char *url;     /* "/numbers/<device>/<anchor>/": all runs of the case have one page */
	/* the newest run that publishes a number for this case, if it is not this run */
	const struct data_run *newer;
	double bandwidth, throughput; /* what it reached, as roofs ask; 0: it has no such number */
	size_t number;                /* its place in data.numbers; see data_number_of() */
};

enum { DATA_LAUNCHES_LEAST = 5 }; /* an interrupted run with fewer launches publishes nothing */

/* Cases of one family that stand together in a run, or numbers in their list: [from, to). */
struct data_span {
	const char *family;
	size_t from, to;
};

struct data_run {
	struct run run;          /* without its launches */
	const char *path;        /* data/runs/h200/….jsonl.gz, or plain */
	const char *url;         /* "/runs/<id>/" */
	bool committed;          /* its bytes equal the blob in HEAD */
	const char *blob;        /* its blob id */
	const char *lines_blob;  /* the blob id that its lines have, inflated */
	const char *recorded;    /* commit that added it; NULL: none, or unknown */
	const char *why_none;    /* why it publishes nothing, in English; NULL: it does */
	struct reason none;      /* the same for pages */
	size_t kept;             /* launches of an interrupted run that count; 0: not interrupted */
	struct data_case *cases; /* parallel to run.cases */
	struct data_fact *facts; /* its conditions */
	size_t nfacts;
	struct launches *launches; /* where its launches are: records/launches.h */
	/* hash table of the cases by their ids: 1 + index, or 0; for data_run_case() */
	const uint32_t *by_id;
	size_t nby_id; /* a power of two; 0: there is no table */
	/* the cases in order, cut where the family changes; none: made by hand, as in tests */
	const struct data_span *spans;
	size_t nspans;
};

/* A file of listings of machine code (lib/sass.h). */
struct data_sass {
	struct data_run file; /* its path, blobs, id and whether it is committed; nothing else */
	struct sass sass;     /* without its functions, if they are read later */
	struct sass *later;   /* with them, by data_sass_code(); NULL: `sass` is whole */
};

/* A record, or some of its cases, taken back: data/withdrawn/<run id>.md. */
struct data_withdrawal {
	const char *path, *run_id, *date;
	const char *reason;         /* Markdown, as written */
	const struct data_run *run; /* the run that it takes back */
	size_t cases;               /* number of cases taken back */
	bool all, committed;
};

/* A datasheet number: data/specs/<device>.json. */
struct data_spec {
	const char *device, *key;   /* "h200", "hbm" */
	const char *const *devices; /* slugs that it applies to, `device` first; NULL at the end */
	const char *device_name;    /* "H200": the name of the device for readers */
	const char *title;          /* "HBM3e bandwidth" */
	double value;               /* SI base unit */
	const char *si;             /* "B/s", "FLOP/s", "B", … */
	const char *note;           /* "dense, without sparsity"; may be NULL */
	const char *source, *source_url, *source_date, *quote;
};

/* A ceiling case, which says what its device can do, from the newest run that has it. */
struct data_ceiling {
	const struct data_run *run;
	const struct data_case *d;
};

/* A family of kernels that at least one run measured; it has a page. */
struct data_family {
	const char *id, *title, *problem, *metric;
	const struct data_run *newest;
	const char *url; /* "/kernels/<id>/" */
};
struct data_families {
	struct data_family *all;
	size_t n;
};

struct kept_by; /* base/kept.h */
struct need;
struct predictions;
struct references;

/* The cache of what follows from records (records/digest.h). */
struct data_cache {
	const char *folder; /* "build/cache" */
	/*
	 * Read every record all the same. A build that audits does so unless the one before it
	 * has read the same records (reuse_records() in build/reuse.h).
	 */
	bool renew;
	/*
	 * What is asked of the records (records/need.h). Cases of other families are left out, and
	 * so is the code of listings, until data_sass_code() reads it. NULL: everything is loaded.
	 */
	const struct need *need;
};

struct data {
	const char *root;      /* of the repository */
	struct git *git;       /* NULL: no repository */
	struct data_run *runs; /* newest first */
	size_t nruns;
	/* records of `runner profile`: cases and counters, no launches; newest first */
	struct data_run *profiles;
	size_t nprofiles;
	struct data_run *traces; /* of `runner trace`, in the same way */
	size_t ntraces;
	struct data_sass *sass; /* newest first */
	size_t nsass;
	const char **foreign; /* files among the records that are not records */
	size_t nforeign;
	struct data_spec *specs;
	size_t nspecs;
	struct data_withdrawal *withdrawn; /* sorted by run id */
	size_t nwithdrawn;
	struct git_history history;  /* history of data/; empty without a repository */
	struct data_number *numbers; /* sorted by URL */
	size_t nnumbers;
	struct data_span *number_spans; /* the numbers in order, cut where the family changes */
	size_t nnumber_spans;
	struct data_ceiling *ceilings; /* families "ceiling-…" of all devices */
	size_t nceilings;
	/* loaded after the runs, from the folders beside them; NULL: not loaded */
	struct predictions *predictions; /* numbers/prediction.h */
	struct references *references;   /* cited.h */
	const char **devices;            /* slugs that have runs, sorted */
	size_t ndevices;
	const struct need *need;       /* of which families it has the cases; NULL: of all */
	const struct kept_by *kept;    /* where digests are; NULL: nowhere, or everything is read */
	const char *default_device;    /* the site's device; "" if nothing was measured */
	struct data_families families; /* sorted by id */
	struct launches_store *store;  /* records/launches.h */
	struct arena *arena;
};

/*
 * Loads the runs, specs and withdrawals of the repository at `root`. A malformed file
 * is an error with its place. A run without an end record is loaded, but never
 * publishes a number. A record that was changed or removed in history is an error
 * (rule `whole`); a shallow clone cannot tell, and sets d->history.shallow.
 * `default_device` comes from site.lua (lua/config.h); NULL: the only device that has
 * runs, and an error if there are several. `cache` NULL: none is read or written.
 * When done, call launches_close() (records/launches.h) before freeing the arena.
 */
MUST_CHECK bool data_load(const char *root, struct git *git, const struct data_cache *cache,
                          const char *default_device, struct arena *a, struct data *out,
                          struct err *e);

/* Does the spec apply to this device (a slug)? */
bool data_spec_is_of(const struct data_spec *s, struct str device);

/* Is this device (a slug) a CPU? */
bool data_device_is_cpu(const char *device);

/* The name of a device (a slug) for readers, from its data sheet: "H200"; else its slug. */
const char *data_device_name(const struct data *d, const char *device);

/* The slug of its data sheet, "h100"; else its own. */
const char *data_device_sheet(const struct data *d, const char *device);

/*
 * The slug of the measured device that an author names by its slug, or by the slug of the data
 * sheet ("h100") if only one device with this data sheet has runs; NULL: none. "cpu" is the only
 * CPU that has runs.
 */
const char *data_device_find(const struct data *d, struct str name);

/* The spec `key` of a device; NULL if there is none. */
const struct data_spec *data_spec_find(const struct data *d, struct str device, struct str key);

/* A case on one device in all its runs; it has a number page. */
struct data_number {
	const char *device, *id, *url; /* as of its cases */
	const struct data_run **runs;  /* newest first; those without a number, too */
	const struct data_case **in;   /* of runs[i] */
	size_t nruns;
	size_t newest; /* the first of runs that publishes a number; nruns: none does */
	/* newest first: of each card, the newest of runs that publishes a number and ran the
	   machine code, the library and its choice of `newest`; none if the record names no card or
	   no code
	 */
	size_t *card, ncards;
};
enum { DATA_CARDS_LEAST = 3 }; /* a value over cards needs so many (numbers/number.h) */

/* The number whose page has this URL; NULL if there is none. */
const struct data_number *data_number_at(const struct data *d, struct str url);

/* The number of a case: as data_number_at() of its URL, without a search. */
const struct data_number *data_number_of(const struct data *d, const struct data_case *k);

/* The case with this id on another device; NULL if no run there publishes a number. */
const struct data_number *data_number_on(const struct data *d, const char *device,
                                         const struct data_case *k, struct arena *a);

/*
 * The listings with their functions; none if they are read later and the cache has lost them.
 * Then the text has a problem, and whoever finds one loads everything.
 */
const struct sass *data_sass_code(const struct data *d, const struct data_sass *s);

/* The file of listings with this id; NULL if there is none. */
const struct data_sass *data_sass_called(const struct data *d, struct str id);

/*
 * Groups the cases of all (sorted) runs into d->numbers, and sets what each case reached, and its
 * newer run.
 */
void data_number_runs(struct data *d);

/* Makes by_id and spans of these runs. */
void data_index_runs(struct data_run *r, size_t n, struct arena *a);

/* The rule that the case breaks if it is in this state. */
enum rule data_case_rule(const struct data_case *k, enum data_state s);
/* Can placeholders without run= find it? It has a number and is not withdrawn. */
bool data_case_offered(const struct data_case *k);
/* Adds a state to a case, with the reason. */
void data_case_add(struct data_case *k, enum data_state s, struct reason why, struct arena *a);
/* why[s] and why_state in the words of a page. */
const char *data_case_why(const struct words *words, const struct data_case *k, enum data_state s,
                          struct arena *a);
const char *data_case_why_state(const struct words *words, const struct data_case *k,
                                struct arena *a);

/* As record_case(), by the table of the run if it has one. */
const struct run_case *data_run_case(const struct data_run *r, const char *id);

/* The derived data of a run's case. */
const struct data_case *data_case_of(const struct data_run *r, const struct run_case *c);

/*
 * True for families that describe the instrument: "ceiling-…" (runner ceilings) and
 * "selftest" (runner selftest). They have no page of their own.
 */
bool data_is_instrument(const char *family);
/* Does a pattern name such families explicitly? "*" does not, "ceiling-*" does. */
bool data_names_instrument(struct str pattern);

/*
 * The same for these families and for those of other harnesses (lib/record_foreign.h): they have
 * to be named, and no page of families, no scoreboard and no statistic counts them.
 */
bool data_is_apart(const char *family);
bool data_names_apart(struct str pattern);

/* The families that the runs measured; data_load() stores them in `d`. */
struct data_families data_families(const struct data *d, struct arena *a);
/* "/kernels/x/#on-h100": the device's section on the family's page. */
const char *data_family_part(const struct data *d, const char *family, const char *device,
                             struct arena *a);

struct data_fact_part {
	const char *word, *one, *two; /* of lua/words.c, with what it is filled with */
};
/* Label and value pairs, ready to print as text: "GPU" - "NVIDIA H200". */
struct data_fact {
	const char *label, *value;
	struct data_fact_part part[2]; /* word NULL: none; no part: the value as it is */
};
/* The value for readers of a language. */
struct words;
const char *data_fact_text(const struct words *w, const struct data_fact *f, struct arena *a);

/* The conditions of a run: GPU or CPU, driver, toolkit, clocks, commit, date, launches. */
const struct data_fact *data_conditions(const struct data_run *r, size_t *n);
/* Makes them while the run has its launches. */
void data_conditions_make(struct data_run *r, struct arena *a);

/* The worst state among the numbers a page used; *preview etc. for banners. */
struct expand_use;
enum data_state data_worst(const struct data *d, const struct expand_use *uses);
enum data_state data_state_of(const struct data *d, const struct data_run *r,
                              const struct run_case *c);
const struct data_run *data_run_of(const struct data *d, const struct run *r);

#endif
