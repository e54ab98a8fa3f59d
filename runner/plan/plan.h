/*
 * runner/plan/plan.h - the plan of a run: its items (variant × case × way of measuring),
 * the settings with their defaults, how cold a cold cache is, and the random order within
 * each process.
 */
#ifndef RUNNER_PLAN_PLAN_H
#define RUNNER_PLAN_PLAN_H

#include "kernels/input.h"
#include "kernels/knob.h"
#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "runner/machine/machine.h"
#include "runner/plan/select.h"

/* How the stopwatch takes a sample. */
enum timer {
	TIMER_CLOCK,  /* CPU: monotonic clock around `batch` calls */
	TIMER_EVENTS, /* CUDA: a pair of events around `batch` calls in a stream */
	TIMER_GRAPH,  /* CUDA: a pair of events around a graph of `batch` calls */
	TIMER_HOST,   /* CUDA: monotonic clock around the enqueuing of `batch` calls */
};

const char *timer_name(enum timer t);

/*
 * Defaults that help texts print, too (STR_DIGITS). With ten processes, the second to the
 * ninth enclose the median over processes with 95 % (lib/stats.h). plan.c has the other
 * defaults and their reasons.
 */
#define SETTINGS_LAUNCHES 10
#define SETTINGS_MAX_LAUNCHES 1000
#define SETTINGS_TIMEOUT_S 30

/* The numbers of the measuring method; docs/measuring.md explains them. */
struct settings {
	uint64_t seed;
	int64_t launches;        /* processes */
	int64_t warmup_ms;       /* minimum; there are always at least 3 calls */
	int64_t short_warmup_ms; /* for cases that settle early (runner/measure/warm.h); 0: never */
	int64_t min_samples;     /* first look of the stop rule */
	int64_t max_samples;
	int64_t cap_ms;    /* soft limit for one case in one process */
	int64_t window_ms; /* shortest timed window, so that the clocks can be read in it */
	int64_t idle_ms;   /* pause before the burst of a heavy case (runner/plan/heavy.h) */
	int64_t burst_ms;  /* most load of that burst, warm-up included */
	/* load=steady: once, before each case, and the time of its samples */
	int64_t load_ms, settle_ms, steady_ms;
	double halfwidth;    /* stop at this relative half-width of the median */
	int64_t check_calls; /* maximum calls of a check, up to CHECK_CALLS */
	int64_t timeout_s;   /* a process that is silent for longer is killed */
	bool unwatched;      /* do not query the driver while taking samples */
};

/* Calls of a check; runner/measure/measure.c has their table. */
enum { CHECK_CALLS = 8 };

extern const struct settings settings_default;

/* short_warmup_ms of a run. Commands that compare items with each other warm all up alike. */
enum { SHORT_WARMUP_MS = 4 };

/* The settings for a way: under load it measures longer, side=host less exactly. */
struct settings settings_of(const struct settings *s, const struct way *w);

/*
 * How cold is cold: with cache=cold a case touches this many bytes between two uses of
 * the same data, twice the last cache level. Recorded as plan.flush_bytes.
 */
int64_t plan_flush_bytes(const struct facts *f);

/* Checks the number of processes given with --launches: from `least` to SETTINGS_MAX_LAUNCHES. */
MUST_CHECK bool settings_launches(int64_t launches, int64_t least, struct err *e);

/* The seed that the user gave; a fresh one if `given` < 0. */
uint64_t settings_seed(long given);

/* What earlier processes showed of an item's warm-up; runner/measure/warm.h has the rule. */
struct warm {
	int agreed; /* processes in which a short warm-up would have done as well */
	bool late;  /* in some process it would not have */
};

/* One unit of work in every process: a variant at a case, measured in one way. */
struct item {
	const struct kernel_family *family;
	const struct kernel_variant *variant;
	const struct kernel_case *kcase;
	const struct kernel_knob *knob; /* a case of its sweep, which `variant` computes; or NULL */
	struct way way;
	const char *id;       /* record_case_id() */
	size_t number;        /* of its case in the run file; plan_number() */
	size_t sets;          /* buffer sets rotated through */
	size_t scratch_bytes; /* as the variant asks */
	size_t set_bytes;     /* device memory of one set, guards and scratch included */
	size_t expected;      /* index of its case and inputs among the plan's distinct ones */
	/* where no compiler of this build made the variant: its source and its language */
	const struct run_source *source; /* NULL: the build has it */
	const char *flags;
	/* results of the survey */
	const char *unavailable; /* why it cannot run; NULL: it can */
	const char *library;     /* as in struct run_build */
	const char *choice;      /* in a line (record_choice_text()), or NULL; set before the
	                            survey, it is kept */
	int64_t call_ns;         /* rough time of one call; 0: unknown */
	bool heavy;              /* the power limit reaches it (runner/plan/heavy.h) */
	bool uncaptured;         /* several GPUs: a call cannot be captured into graphs */
	enum timer timer;
	int64_t batch; /* calls per sample */
	int timeouts;  /* so far */
	struct warm warm;
	int null; /* not 0: a null control, copy number `null` of another item */
};

struct plan {
	enum kernel_where where;
	struct facts facts;
	struct kernel_env env; /* without the stream */
	struct settings set;
	struct item *item;
	size_t n;
	size_t ncases;    /* distinct (family, case, inputs) among the items */
	size_t memory;    /* device memory that one process needs on each GPU, bytes */
	int gpus;         /* that a process opens: the most that an item uses; 1 on the CPU */
	double tick_ns;   /* resolution of the stopwatch, once calibrated */
	const char *node; /* recorded with each launch of a shard; NULL: not a shard */
	const char *role; /* of all its cases; NULL: each variant's own */
};

enum plan_use {
	PLAN_MEASURE, /* the suite of this device, one item per way of measuring */
	PLAN_CALL,    /* the same for a single call in this very process: one buffer set */
	PLAN_CHECK,   /* every case, correctness only */
	PLAN_SMALL,   /* KERNEL_CHECK cases only; the smallest case of a variant without any */
};

/*
 * Makes a plan of those items of the families that run on `where` and that a selector
 * matches; without selectors, all. A selector that matches nothing is an error. An item
 * that needs more memory than there is, or more GPUs, becomes unavailable, with that
 * reason. The plan lives in the arena.
 *
 * A case with gpus=n uses the first n GPUs of `facts`. Without selectors, the suite has the
 * cases that use as many as there are. Such a plan needs machine_multicast_is_off().
 *
 * A case marked KERNEL_HOST, KERNEL_SUSTAINED or KERNEL_STEADY is also measured that way.
 * A selector that names side=host, load=sustained or load=steady measures any case that
 * way. Inputs are those that a selector names (input=zeros), else full ones for a case marked
 * KERNEL_FULL, else uniform ones. Inputs other than uniform make other cases, with a parameter
 * `input`; what is expected of a case depends on its inputs.
 *
 * The cases of a variant's knob (kernels/knob.h) are measured if a selector names the knob, and
 * checked always; PLAN_SMALL has those of the least and the greatest value. The variant of such an
 * item is a copy with the functions and the file of the sweep.
 */
MUST_CHECK bool plan_make_of(const struct kernel_family *const *family, size_t nfamilies,
                             enum kernel_where where, enum plan_use use, const struct facts *facts,
                             const struct selector *sel, size_t nsel, struct arena *a,
                             struct plan *out, struct err *e);

/*
 * Lists the items of all families without asking a device: sizes and availability stay
 * unset, and so do the plan's facts.
 */
MUST_CHECK bool plan_list(enum kernel_where where, const struct selector *sel, size_t nsel,
                          struct arena *a, struct plan *out, struct err *e);

/* plan_make_of() for all families in kernels/families.c. */
MUST_CHECK bool plan_make(enum kernel_where where, enum plan_use use, const struct facts *facts,
                          const struct selector *sel, size_t nsel, struct arena *a,
                          struct plan *out, struct err *e);

/*
 * Fills in the parameters of an item's case record: those of its case, those of its way
 * of measuring, and null=N for a null control. item_id() returns the id that they make,
 * in the arena.
 */
void item_params(const struct item *it, struct run_case *c);
const char *item_id(const struct item *it, struct arena *a);

/*
 * Adds null controls to a surveyed plan: copies of `n` available items, from the fastest
 * to the slowest at even steps, or of all items if there are fewer. If `of` is not NULL,
 * only items with of[item] are copied. Items with load=steady are judged by controls of
 * their own blocks: of every four items one more is copied, at most `n`. Items under
 * load=sustained are copied only if there is nothing else. The existing items keep their
 * places.
 */
void plan_add_nulls(struct plan *p, size_t n, const bool *of, struct arena *a);

/* Adds `copies` null controls of one item: null=1, null=2, … */
void plan_add_copies(struct plan *p, size_t item, size_t copies, struct arena *a);

/* Numbers the items in their order, which is that of their cases in a new run file. */
void plan_number(struct plan *p);

/*
 * Queue entries of the stream that one call takes, at least 1. A stream accepts about a
 * thousand before the host has to wait; a sample takes at most half of them.
 */
enum { STREAM_ENTRIES = 500 };
int64_t item_entries(const struct item *it);

/* Seed of uniform inputs for a buffer set in a launch: even sets share one, odd sets another. */
uint64_t plan_input_seed(uint64_t seed, int64_t launch, size_t set);

#endif
