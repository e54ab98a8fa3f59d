/*
 * runner/plan.h - what will be done: the items (variant × case × cache
 * state), the settings, and the random order of each launch.
 */
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include "kernels/input.h"
#include "lib/arena.h"
#include "lib/err.h"
#include "lib/record.h"
#include "runner/machine.h"
#include "runner/select.h"

/* How a sample is taken. */
enum timer {
	TIMER_CLOCK,  /* CPU: monotonic clock around `batch` calls */
	TIMER_EVENTS, /* CUDA: a pair of events around `batch` calls in a stream */
	TIMER_GRAPH,  /* CUDA: a pair of events around a graph of `batch` calls */
	TIMER_HOST,   /* CUDA: monotonic clock around the enqueuing of `batch` calls */
};

const char *timer_name(enum timer t);

/* The method, as numbers; the defaults are in plan.c with their reasons. */
struct settings {
	uint64_t seed;
	int64_t launches;
	int64_t warmup_ms; /* at least, and at least 3 calls */
	int64_t short_warmup_ms; /* for cases that are steady so early (runner/warm.h); 0: all get the whole */
	int64_t min_samples; /* first look of the stop rule */
	int64_t max_samples;
	int64_t cap_ms;        /* soft limit of one case in one launch */
	int64_t window_ms;     /* shortest timed window, so that clocks are seen in it */
	double halfwidth;      /* stop at this relative half-width of the median */
	int64_t check_calls;   /* of the calls of a check (CHECK_CALLS), at most */
	int64_t timeout_s;     /* longest silence of a process before it is killed */
	enum input_kind input; /* of all items */
	bool unwatched;        /* the driver is asked nothing while samples are taken */
};

extern const struct settings settings_default;

/* short_warmup_ms of a run; what compares one item with another warms up all alike. */
enum { SHORT_WARMUP_MS = 4 };

/* What a case is measured with in this way: longer under load=sustained, less exactly for side=host. */
struct settings settings_of(const struct settings *s, const struct way *w);

/* The seed the user gave, or a fresh one if `given` < 0. */
uint64_t settings_seed(long given);

/* What launches have told of an item's warm-up; runner/warm.h has the rule. */
struct warm {
	int agreed; /* launches that a short one would have served as well */
	bool late;  /* in one it would not */
};

/* One thing to do in every launch: a variant at a case, measured in one way. */
struct item {
	const struct kernel_family *family;
	const struct kernel_variant *variant;
	const struct kernel_case *kcase;
	struct way way;
	const char *id;       /* record_case_id() */
	size_t sets;          /* buffer sets rotated through */
	size_t scratch_bytes; /* what the variant asks for */
	size_t set_bytes;     /* device memory of one set, guards and scratch included */
	size_t expected;      /* index of its case among the distinct ones */
	/* what the survey found; unavailable == NULL: it can run */
	const char *unavailable;
	const char *library; /* as struct run_build has it */
	int64_t call_ns;     /* rough time of one call; 0: not known */
	enum timer timer;
	int64_t batch; /* calls per sample */
	int timeouts;  /* so far */
	struct warm warm;
	int null; /* not 0: a null control, the null'th copy of another item beside it */
};

struct plan {
	enum kernel_where where;
	struct facts facts;
	struct kernel_env env; /* without the stream */
	struct settings set;
	struct item *item;
	size_t n;
	size_t ncases;    /* distinct (family, case) among the items */
	size_t memory;    /* device memory one process takes */
	double tick_ns;   /* of the stopwatch, once calibrated */
	const char *node; /* recorded with each launch of a shard; NULL: not a shard */
	const char *role; /* of all its cases; NULL: as their variants say */
};

enum plan_use {
	PLAN_MEASURE, /* the suite of this device, one item per cache state */
	PLAN_CALL,    /* the same, for a single call in this very process: one buffer set */
	PLAN_CHECK,   /* every case, correctness only */
	PLAN_SMALL,   /* KERNEL_CHECK cases only; of a variant that has none its smallest */
};

/*
 * The items of these families on `where` that the selectors mean (none: all). A selector that
 * means nothing is an error. Items that need more memory than there is are
 * unavailable with that reason.
 *
 * A case marked KERNEL_HOST or KERNEL_SUSTAINED is measured that way, too; a
 * selector that names side=host or load=sustained gets any case that way. The
 * inputs that selectors name (input=zeros) are those of the whole plan.
 */
bool plan_make_of(const struct kernel_family *const *family, size_t nfamilies,
                  enum kernel_where where, enum plan_use use, const struct facts *facts,
                  const struct selector *sel, size_t nsel, struct arena *a, struct plan *out,
                  struct err *e);

/*
 * The items alone, of all families, without asking a device: none has a size
 * or is unavailable yet, and facts are those of no machine.
 */
bool plan_list(enum kernel_where where, const struct selector *sel, size_t nsel, struct arena *a,
               struct plan *out, struct err *e);

/* plan_make_of() for all families in kernels/families.c. */
bool plan_make(enum kernel_where where, enum plan_use use, const struct facts *facts,
               const struct selector *sel, size_t nsel, struct arena *a, struct plan *out,
               struct err *e);

/*
 * Other inputs for all items, by their name ("uniform", "zeros", "normal"):
 * unless they are uniform their cases are others, with a parameter `input`.
 * To be called before anything else is asked of the plan.
 */
bool plan_choose_input(struct plan *p, struct str name, struct arena *a, struct err *e);

/*
 * The parameters of an item's case record: those of its case, of the way it is
 * measured, and null=N of a control. And the id they make, in the arena.
 */
void item_params(const struct item *it, struct run_case *c);
const char *item_id(const struct item *it, struct arena *a);

/*
 * Adds null controls to a surveyed plan: copies of `n` items that answered, the
 * fastest, the slowest and evenly between; of all if there are not so many.
 * Only of those with of[item], if `of` is not NULL, and of load=sustained only if
 * there is nothing else. Items before stay where they are.
 */
void plan_add_nulls(struct plan *p, size_t n, const bool *of, struct arena *a);

/* Adds `copies` null controls of one item: null=1, null=2, … */
void plan_add_copies(struct plan *p, size_t item, size_t copies, struct arena *a);

/*
 * Entries that one call takes in the stream's queue: at least 1. What a stream takes in
 * without making the host wait is about a thousand; a sample takes at most half of them.
 */
enum { STREAM_ENTRIES = 500 };
int64_t item_entries(const struct item *it);

/* The batch and timer of an item whose call takes call_ns. */
void plan_choose_timer(struct item *it, enum kernel_where where);

/* A random order of 0..n-1, a function of seed and launch. */
void plan_order(uint64_t seed, int64_t launch, size_t *order, size_t n);

/* Seed of the inputs of a launch's buffer sets, its kind uniform: even sets and odd sets differ. */
uint64_t plan_input_seed(uint64_t seed, int64_t launch, size_t set);

/* Expected time of one launch over all items, s, from the survey. */
double plan_launch_seconds(const struct plan *p);

#endif
