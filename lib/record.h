/*
 * lib/record.h - the run file: its one model, one writer and one reader.
 *
 * data/FORMAT.md explains every field. A run file is JSON Lines: `run`,
 * `case`s, `launch`es, `counters`, `end`. Nothing derived is stored: typical
 * values, intervals and shares of a peak are functions of the file
 * (lib/stats.h, lib/units.h).
 *
 * Optional numbers use RECORD_NONE, optional strings NULL: the field is then
 * absent from the file, or named in `unavailable` with the reason.
 */
#ifndef LIB_RECORD_H
#define LIB_RECORD_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/stats.h"
#include "lib/str.h"

#define RECORD_SCHEMA "ridgepoint-run/1.5"
/* Of a device that is not there (runner/pretend.h): no site shows such a record. */
#define RECORD_PRETENDED_SCHEMA "ridgepoint-pretended/1.5"
#define RECORD_NONE INT64_MIN

enum {
	RECORD_MAX_PARAMS = 10,
	RECORD_MAX_BYTES = 64 << 20,
	RECORD_MAX_LAUNCHES = 4096, /* that a plan may have */
	RECORD_MAX_CASES = 4096,    /* and of null controls as many again */
};

/* A name with a value: a parameter, a toolchain version, why something is unavailable. */
struct run_pair {
	const char *name;
	const char *word; /* NULL: num counts */
	int64_t num;
};

struct run_source {
	const char *path; /* from the repository root */
	const char *blob; /* 40 hex */
};

struct run_gpu {
	const char *name; /* as the driver says; NULL: a CPU run */
	const char *uuid, *vbios, *driver;
	const char *compute_capability;    /* "9.0" */
	int64_t cuda_driver, cuda_runtime; /* 13000 */
	int64_t sms, l2_bytes, memory_bytes, bus_bits;
	int64_t sm_clock_max_mhz, memory_clock_max_mhz, power_limit_mw;
	int64_t ecc; /* 0, 1 or RECORD_NONE */
};

struct run_machine {
	const char *key; /* stable: "h200/580.159.04"; equal keys may be compared over time */
	const char *cpu, *os, *virtualisation; /* the last may be NULL */
	int64_t cores, memory_bytes;
};

/* One shard of a plan that several machines measure: see `runner plan`. */
struct run_shard {
	int64_t shard, of, attempt; /* shard 1..of; which try of it, from 0 */
	const char *node;           /* what its launches say: host, or host/GPU uuid */
	struct run_pair *slurm;     /* ids the scheduler gave, words; see data/FORMAT.md */
	size_t nslurm;
	/* in a collected file only: the shard's own file */
	const char *id, *sha256;
	int64_t launches; /* how many were taken from it */
};

/* The first record: what was measured with what, on what, and how. */
struct run_head {
	const char *schema, *id;
	bool newer; /* of a later minor version than RECORD_SCHEMA: it may say what is not known here */
	const char *device;      /* slug, folder and selector: "h200", "cpu-amd-epyc" */
	const char *start;       /* "2026-01-01T00:00:00Z" */
	const char *reason;      /* what the user said with --reason; may be NULL */
	const char *replicates;  /* id of the run whose cases this measures again, or NULL */
	const char *commit;      /* 40 hex of HEAD when the runner was built; NULL: no git */
	const char *plan_sha256; /* of the plan file this run belongs to, or NULL */
	struct run_shard *shard; /* its own entry, or those of which it was collected */
	size_t nshards;
	bool dirty; /* true: sources differed from that commit */
	const char *runner_sha256;
	struct run_pair *toolchain; /* nvcc, cc, flags_c, flags_cuda, … : words */
	size_t ntoolchain;
	struct run_machine machine;
	struct run_gpu gpu;
	/* calibration, raw, ns */
	double tick_ns;
	int64_t *empty_pair_ns, *empty_kernel_ns, *graph_node_ns, *flush_ns;
	size_t nempty_pair, nempty_kernel, ngraph_node, nflush;
	/* plan */
	const char **argv;
	size_t nargv;
	int64_t rng_seed, launches, warmup_ms, min_samples, max_samples, cap_ms, flush_bytes;
	double stop_halfwidth;
	const char *order;            /* "random within each launch" */
	struct run_pair *unavailable; /* what could not be read, and why: words */
	size_t nunavailable;
};

struct run_model {
	int64_t flop, bytes_read, bytes_written;
	const char *formula, *unit, *level; /* unit may be NULL */
	const char *op; /* what flop counts if it is no FLOP: "barrier"; else NULL */
};

struct run_build {
	const char *flags;
	int64_t registers, shared_bytes, spill_bytes; /* RECORD_NONE: not known */
	const char *code_sha256;                      /* of the machine code; NULL: not known */
	/* how many instructions of each class its device code has, as they stand in it; "all" last */
	struct run_pair *mix;
	size_t nmix;
	/* found by the survey, with its version and what it chose; NULL: none, or compiled in */
	const char *library;
};

/* One thing measured: variant × parameters × cache state. */
struct run_case {
	const char *id; /* "transpose/naive:rows=16384,cols=16384,dtype=f32,cache=cold" */
	const char *family, *variant;
	const char *family_title, *variant_title, *problem, *idea; /* as shown on pages */
	const char *metric; /* headline of the family: enum metric by its name */
	int64_t rank;       /* reading order of the variant in its family, from 0 */
	/* of closed lists, as metric, model.level, model.unit, timer and stop are (lib/record_words.h) */
	const char *role;   /* "kernel", "peer", "ceiling", "null" */
	const char *device; /* "cuda" or "cpu" */
	struct run_pair param[RECORD_MAX_PARAMS];
	size_t nparams;
	const char *dtype, *cache; /* cache: "cold" or "hot" */
	const char *unavailable;   /* reason; then it has no launches */
	struct run_source *source; /* [0] is the variant's own file */
	size_t nsource;
	struct run_build build;
	struct run_model model;
	const char *input;  /* "uniform[-1,1)" */
	int64_t input_sets; /* buffer sets rotated through when cold */
	const char *check_reference, *check_why;
	double tolerance;
};

struct run_check {
	double error; /* max |got - value| / magnitude; NaN is stored as -1 */
	int64_t looked_at;
	bool passed;
	double norm; /* |got - value| / |value|, both as vectors; negative: not known */
	double ulp;  /* 99 % of the outputs err by no more, in units in the last place; the same */
};

/* Where the time of a launch of a case goes; the first two are once in a process. */
enum run_part {
	RUN_EXPECT,  /* the reference, for all cases of the launch */
	RUN_OPEN,    /* the device and its memory */
	RUN_FILL,    /* placing, guards, inputs, poison */
	RUN_PREPARE, /* the variant's own preparations */
	RUN_CHECK,   /* calls that are checked, and the checks */
	RUN_BUILD,   /* what the timer needs: a graph */
	RUN_CLOCKS,  /* waiting for the full clock */
	RUN_WARM_UP,
	RUN_SAMPLES,
	RUN_RELEASE,
	RUN_PARTS,
};

/* One process × one case. Samples are integer ns of `batch` calls each. */
struct run_launch {
	const char *case_id;
	const struct run_case *of; /* set by the reader */
	int64_t i, at;             /* launch number; position in this launch's order */
	int64_t pid, t_ms;         /* since the run's start */
	int64_t seed;              /* of this launch's inputs */
	const char *node;          /* where it ran; NULL: all launches ran in one place */
	const char *status; /* "ok", "wrong", "timeout", "signal:11", "cuda:700", "skipped" */
	struct run_check before, after;
	int64_t batch;
	const char *timer; /* "events", "graph", "clock", "host" */
	const char *stop;  /* "halfwidth", "samples", "cap" */
	const char
	        *library; /* found by its process, where that is not what the case says; or NULL */
	int64_t *warmup_ns, *sample_ns;
	size_t nwarmup, nsamples;
	/* min, median, max over the timed window; RECORD_NONE: not read */
	int64_t sm_clock_mhz[3], memory_clock_mhz, power_mw[3], temperature_c[2];
	int64_t energy_mj, throttle_reasons; /* NVML bits seen in the window */
	int64_t gates_expired; /* samples that began before the device had all their work */
	/* cycles of a multiprocessor while samples ran, and the time of that: RECORD_NONE, or > 0 */
	int64_t sm_cycles, sm_cycles_ns;
	int64_t spent_us[RUN_PARTS]; /* host time of its parts; 0: none, or not told */
};

/* What a part is called in a file: "clocks". */
const char *record_part_name(enum run_part p);

/* One hardware counter of a case; its unit is in its name. */
struct run_counter {
	const char *name; /* "dram_read_bytes"; runner/ncu.c has the set */
	double value;
};

/* What a profiler said of one call of a case, outside any timing. */
struct run_counters {
	const char *case_id;
	const struct run_case *of; /* set by the reader */
	const char *unavailable;   /* why there are none; then nothing below is set */
	const char *tool;          /* "ncu 2025.3.1.0" */
	const char *library;       /* found by its process, where the case says another; or NULL */
	int64_t kernels;           /* that the call launched */
	struct run_counter *value;
	size_t n;
	struct run_pair *missing; /* counters that the tool did not give, and why: words */
	size_t nmissing;
};

/* A whole file in memory. */
struct run {
	struct run_head head;
	struct run_case *cases;
	size_t ncases;
	struct run_launch *launches;
	size_t nlaunches;
	/* null controls, role "null": a case measured a second time beside itself */
	struct run_case *nulls;
	size_t nnulls;
	struct run_launch *null_launches;
	size_t nnull_launches;
	struct run_counters *counters; /* of `runner profile` */
	size_t ncounters;
	double null_ratio;        /* as in the end record; 0: none */
	const char *end, *status; /* "complete", "partial"; NULL: no end record */
	bool whole;               /* has an end whose hash and count hold */
	const char *why_not_whole;
	char sha256[65]; /* of the whole file */
};

/* --- writing: one line each, newline included --- */
void record_put_head(struct sb *to, const struct run_head *h);
void record_put_case(struct sb *to, const struct run_case *c);
void record_put_launch(struct sb *to, const struct run_launch *l);
/* Another process went on after an interruption; t_ms: since the run's start. */
void record_put_resumed(struct sb *to, const char *time, int64_t pid, int64_t t_ms);
/*
 * `so_far` is every byte before this line; `lines` how many lines it has;
 * null_ratio is record_null_ratio(), 0 if there is none.
 */
void record_put_end(struct sb *to, const char *status, const char *end_time, double null_ratio,
                    struct str so_far, int64_t lines);

/*
 * Reads a run file. Malformed lines, unknown record order, a newer major
 * schema and references to unknown cases are errors with `path:line`.
 * A missing or wrong `end` is not an error: run->whole is false and
 * why_not_whole says why; a last line cut short is dropped then. Unknown
 * members are ignored; unknown words (lib/record_words.h) only in a later
 * minor version, which head.newer says. A line has one reading: that of JSON
 * without duplicate keys. Null controls are kept apart, so that nobody publishes
 * one. Everything lives in the arena.
 */
bool record_read(struct str bytes, const char *path, struct arena *a, struct run *out,
                 struct err *e);

/* The head (lib/record_read_head.c). False: a member is missing, or is not as it has to be. */
bool record_read_head(struct json run, struct arena *a, struct run_head *h, struct err *e);

/* Is `s`, the member `key` of v, n hex digits? */
bool record_want_hex(struct json v, const char *key, const char *s, size_t n, struct err *e);

/* The members `plan_sha256` and `shards` of a head (lib/record_shards.c). */
void record_put_shards(struct json_out *w, const struct run_head *h);
bool record_read_shards(struct json run, struct arena *a, struct run_head *h, struct err *e);

/* Members that are words or integers. */
void record_put_pairs(struct json_out *w, const char *key, const struct run_pair *p, size_t n);
bool record_read_pairs(struct json obj, const char *key, struct arena *a, struct run_pair **out,
                       size_t *n, struct err *e);

/* One `counters` record (lib/record_counters.c). */
void record_put_counters(struct sb *to, const struct run_counters *c);
bool record_read_counters(struct json v, struct arena *a, struct run_counters *c, struct err *e);

/* The library that did the work they are of: their own, else the case's; or NULL. */
const char *record_counters_library(const struct run_counters *c);

/* The counters of a case, or NULL; one of them by its name, or NULL. */
const struct run_counters *record_counters(const struct run *r, const struct run_case *c);
const struct run_counter *record_counter(const struct run_counters *c, const char *name);

/* The case called `id`, or NULL; and the null control. */
const struct run_case *record_case(const struct run *r, const char *id);
const struct run_case *record_null(const struct run *r, const char *id);

/* The parameter `name` of a case, or NULL ("dtype" and "cache" are not parameters). */
const struct run_pair *record_param(const struct run_case *c, const char *name);

/*
 * Builds the readable id of a case from family, variant, parameters, dtype
 * and cache, in the arena. One function, so runner and reader agree.
 */
const char *record_case_id(const struct run_case *c, struct arena *a);

/* Did this launch pass both checks and store samples? */
bool record_launch_ok(const struct run_launch *l);

/* The library that did the work of a launch (lib/record_library.c): its own, else the case's; or NULL. */
const char *record_launch_library(const struct run_launch *l);

/*
 * What the launches of a case that are ok found other than the case says, in
 * words and in the arena: "chosen differently in 3 of 10 processes: 8 warps
 * (2); 4 warps (1)", without what is the same in all. NULL: nothing.
 */
const char *record_choices(const struct run *r, const struct run_case *c, struct arena *a);

/* The median time per call of a launch, in seconds; the launch must be ok. */
double record_launch_median(const struct run_launch *l);

/*
 * The SM clock while samples ran, in Hz: from its cycles and their time, else
 * the median that the driver told. False if neither is known.
 */
bool record_launch_clock(const struct run_launch *l, double *hz);

/* Energy of a call in joules, by the device's counter over the samples' window; or false. */
bool record_launch_energy(const struct run_launch *l, double *joules);

/* A shard's own file: part of a plan, until `runner collect` has put it together. */
bool record_is_shard(const struct run_head *h);

/* Was it made up by a pretended device (RECORD_PRETENDED_SCHEMA)? Then it says nothing of any machine. */
bool record_is_pretended(const struct run_head *h);

/*
 * Numbers from 0 for the nodes of these launches, equal for equal nodes: what
 * stats_over_nodes() takes. Returns how many there are.
 */
size_t record_nodes(const struct run_launch *const *l, size_t n, size_t *node);

/*
 * Typical time per call (s) of a case over its launches that are ok, with
 * nodes as the unit of replication if they ran on several.
 * False if it has none. `medians` (may be NULL) gets the launch medians in
 * launch order, in the arena.
 */
bool record_summary(const struct run *r, const struct run_case *c, struct arena *a,
                    struct stats_summary *out, double **medians);

/*
 * The launch medians of two cases of a run (either may be a null control)
 * where both launches of the same `i` are ok, in launch order. Returns how
 * many pairs; the arrays are in the arena.
 */
size_t record_pairs(const struct run *r, const struct run_case *x, const struct run_case *y,
                    struct arena *a, double **mx, double **my);

/* The case that a null control repeats, or NULL. */
const struct run_case *record_null_of(const struct run *r, const struct run_case *null);

/*
 * Ratios null control / its case, by paired launches, one for each null
 * control with two pairs or more: room for r->nnulls. Returns how many.
 */
size_t record_null_ratios(const struct run *r, struct arena *a, double *ratio);

/*
 * Which of the planned launches are whole: every case that could be measured,
 * null controls too, has a record of them. Returns how many; `whole`, in the
 * arena, has an entry for each, at most RECORD_MAX_LAUNCHES. Each number comes
 * once for a case (record_read), nothing else is expected of the file.
 */
size_t record_whole_launches(const struct run *r, struct arena *a, bool **whole);

/*
 * Of an interrupted run, forgets the launches that are not whole. A launch
 * measures every case once, in an order of its own, so that what is left is
 * what a shorter plan would have measured.
 */
void record_keep_launches(struct run *r, const bool *whole);

/* The same for who compares run files: leaves a run as it is that was not cut short, or too early. */
void record_keep_compared(struct run *r, struct arena *a);

/* The null ratio furthest from 1, or 0 if there is none. */
double record_null_ratio(const struct run *r, struct arena *a);

#endif
