/*
 * lib/record.h - the run file: its one model, one writer and one reader.
 *
 * data/FORMAT.md explains every field. A run file is JSON Lines: `run`, `family`, `variant`
 * and `case` records, `launch`es, `counters`, `trace`s, `end`. Nothing derived is stored: typical
 * values, intervals and shares of a peak are functions of the file (lib/stats.h,
 * lib/units.h).
 *
 * Optional numbers use RECORD_NONE, optional strings NULL: the field is then
 * absent from the file, or named in `unavailable` with the reason.
 *
 * How to add a member:
 *   1. its field in a struct below;
 *   2. its writer: record_cases.c for a case, else record_write.c; its reader:
 *      record_read_head.c, record_read_case.c or record_read_launch.c;
 *   3. its value: runner/records/head.c (head and cases), runner/machine/ (facts of the GPU
 *      and the host) or runner/measure/ (launches);
 *   4. the minor version of RECORD_SCHEMA and RECORD_PRETENDED_SCHEMA;
 *   5. data/FORMAT.md with its example, and tests/fixtures/run-2.jsonl, which it quotes;
 *   6. its comparison in tests/unit/help/rewritten.h;
 *   7. unless it is of a launch, its row in site-gen/records/digest.c.
 */
#ifndef LIB_RECORD_H
#define LIB_RECORD_H

#include <stdint.h>

#include "lib/arena.h"
#include "lib/err.h"
#include "lib/json.h"
#include "lib/stats.h"
#include "lib/str.h"

#define RECORD_SCHEMA "ridgepoint-run/2.4"
/* Schema of records from a pretended device (runner/machine/pretend.h); no site shows them. */
#define RECORD_PRETENDED_SCHEMA "ridgepoint-pretended/2.4"
#define RECORD_NONE INT64_MIN

enum {
	RECORD_MAX_PARAMS = 10,
	RECORD_MAX_BYTES = 64 << 20,
	RECORD_MAX_LAUNCHES = 4096, /* most launches in a plan */
	RECORD_MAX_CASES = 4096,    /* most cases, and most null controls */
};

/* A name with a value: a parameter, a toolchain version, why something is unavailable. */
struct run_pair {
	const char *name;
	const char *word; /* NULL: the value is num */
	int64_t num;
};

struct run_source {
	const char *path; /* from the repository root */
	const char *blob; /* 40 hex */
};

struct run_gpu {
	const char *name; /* as the driver reports it; NULL: a CPU run */
	const char *uuid, *vbios, *driver;
	const char *compute_capability;    /* "9.0" */
	int64_t cuda_driver, cuda_runtime; /* 13000 */
	int64_t sms, l2_bytes, memory_bytes, bus_bits;
	int64_t sm_clock_max_mhz, memory_clock_max_mhz, power_limit_mw;
	int64_t ecc; /* 0, 1 or RECORD_NONE */
};

/* One card of a run with several GPUs. Any text may be NULL. */
struct run_card {
	const char *uuid, *vbios, *pci; /* pci: bus id */
};

/* What one GPU of a run may do with the memory of another. Numbers are places in `gpus`. */
struct run_link {
	int64_t from, to, nvlink_lanes; /* nvlink_lanes: RECORD_NONE if not known */
	bool read, write, atomics;
};

struct run_machine {
	const char *key; /* stable: "h200/580.159.04", "h200-x2/580.159.04" with two GPUs; equal
	                    keys may be compared over time */
	const char *cpu, *os, *virtualisation; /* virtualisation may be NULL */
	int64_t cores, memory_bytes;
};

/* One shard of a plan that several machines measure: see `runner plan`. */
struct run_shard {
	int64_t shard, of, attempt; /* shard number from 1 to `of`; attempts count from 0 */
	const char *node;           /* the node of its launches: host, or host/GPU uuid */
	struct run_pair *slurm;     /* ids from the scheduler, as words; see data/FORMAT.md */
	size_t nslurm;
	/* in a collected file only: the shard's own file */
	const char *id, *sha256;
	int64_t launches; /* number of launches taken from it */
};

/* The first record: program, machine, calibration and plan of the run. */
struct run_head {
	const char *schema, *id;
	int64_t major;      /* of the schema: 1 or 2; set by the reader */
	bool newer;         /* minor version later than RECORD_SCHEMA: words may be unknown to us */
	const char *device; /* slug in paths and selectors: "h200", "cpu-amd-epyc" */
	const char *start;  /* "2026-01-01T00:00:00Z" */
	const char *reason; /* text of --reason; may be NULL */
	const char *replicates;  /* id of the run that this one repeats, or NULL */
	const char *commit;      /* 40 hex of HEAD when the runner was built; NULL: no git */
	const char *plan_sha256; /* hash of the plan file that this run belongs to, or NULL */
	struct run_shard *shard; /* the run's own shard, or all shards that it was collected from */
	size_t nshards;
	bool dirty; /* sources differed from that commit */
	const char *runner_sha256;
	struct run_pair *toolchain; /* words: nvcc, cc, flags_c, flags_cuda, … */
	size_t ntoolchain;
	struct run_machine machine;
	struct run_gpu gpu; /* of several: the first, without its uuid; all are of this kind */
	/* of several GPUs only: the cards, every ordered pair, and the environment it needed */
	struct run_card *gpus;
	struct run_link *topology;
	struct run_pair *env; /* words */
	size_t ngpus, ntopology, nenv;
	/* calibration: raw times in ns */
	double tick_ns;
	int64_t *empty_pair_ns, *empty_kernel_ns, *graph_node_ns, *flush_ns;
	size_t nempty_pair, nempty_kernel, ngraph_node, nflush;
	/* plan */
	const char **argv;
	size_t nargv;
	int64_t rng_seed, launches, warmup_ms, min_samples, max_samples, cap_ms, flush_bytes;
	/* pause before a heavy case's burst, and its longest load; 0: none, or before 2.1 */
	int64_t idle_ms, burst_ms;
	/* load=steady: load before the first case, load before each, samples of each; 0: none */
	int64_t load_ms, settle_ms, steady_ms;
	double stop_halfwidth;
	const char *order;            /* "random within each launch" */
	struct run_pair *unavailable; /* words: what could not be read, and why */
	size_t nunavailable;
	/* another harness measured it (lib/record_foreign.h); NULL: this project's runner did */
	const struct run_foreign *foreign;
};

struct run_model {
	int64_t flop, bytes_read, bytes_written;
	const char *formula, *unit, *level; /* unit may be NULL */
	const char *op; /* what `flop` counts if not FLOPs, for example "barrier"; else NULL */
};

/*
 * What a library or a tuner chose by trying, in its own order: "algorithm" 66, "tile"
 * "128x256". The same choice can be made again from it. n is 0: nothing, or not recorded.
 */
struct run_choice {
	struct run_pair *pair;
	size_t n;
};

struct run_build {
	const char *flags;
	int64_t registers, shared_bytes, spill_bytes; /* RECORD_NONE: not known */
	const char *code_sha256; /* hash of the machine code; NULL: not known */
	/* static count of instructions by class in the device code; "all" comes last */
	struct run_pair *mix;
	size_t nmix;
	/* library loaded at run time, with its version; NULL: none, or compiled in. Up to 2.0 it
	 * says in words what was chosen, too */
	const char *library;
	struct run_choice choice; /* made once, before the first process, and kept by all */
};

/*
 * A knob (kernels/knob.h): a constant of the variant that somebody had to choose. A case of its
 * sweep has a parameter of this name, the value that was tried.
 */
struct run_knob {
	const char *name; /* "distance"; NULL: the case is of no sweep */
	const char *unit; /* what the value counts: "bytes" */
	int64_t chosen;   /* the value that the variant itself has */
};

/* A case is what is measured: variant × parameters × cache state. */
struct run_case {
	size_t number;  /* place among the file's cases and null controls, from 0 */
	const char *id; /* "transpose/naive:rows=16384,cols=16384,dtype=f32,cache=cold" */
	const char *family, *variant;
	const char *family_title, *variant_title, *problem, *idea; /* as shown on pages */
	const char *metric; /* headline metric of the family, by name (lib/units.h) */
	int64_t rank;       /* reading order of the variant in its family, from 0 */
	/* words of closed lists (lib/record_words.h), like metric, model.level and model.unit */
	const char *role;   /* "kernel", "peer", "ceiling", "null" */
	const char *device; /* "cuda" or "cpu" */
	int64_t sms;        /* of the run's GPU, set by the reader; RECORD_NONE: not known */
	struct run_pair param[RECORD_MAX_PARAMS];
	size_t nparams;
	bool only_input; /* no run of its family has other inputs; set by data_load() */
	struct run_knob knob;
	const char *dtype, *cache; /* cache: "cold" or "hot" */
	const char *unavailable;   /* why it was not measured (it has no launches); else NULL */
	bool foreign;              /* another harness measured it; set by the reader */
	bool heavy;                /* the power limit reaches it (runner/plan/heavy.h) */
	struct run_source *source; /* [0] is the variant's own file */
	size_t nsource;
	struct run_build build;
	struct run_model model;
	const char *input;  /* "uniform[-1,1)" */
	int64_t input_sets; /* number of buffer sets that a cold case rotates through */
	const char *check_reference, *check_why;
	const char *check_exact; /* what is compared bit for bit besides, and on which inputs; or
	                            NULL */
	double tolerance;
};

struct run_check {
	double error; /* max |got - value| / magnitude; NaN is stored as -1 */
	int64_t looked_at;
	bool passed;
	double norm;   /* |got - value| / |value| as vectors; negative: not known */
	double ulp;    /* 99th percentile of the outputs' errors in ulp; negative: not known */
	int64_t exact; /* outputs compared bit for bit, on inputs of the grid; 0: none */
};

/* Where the time of a launch goes. The first two parts happen once per process. */
enum run_part {
	RUN_EXPECT,  /* computing the references of all cases */
	RUN_OPEN,    /* opening the device and allocating its memory */
	RUN_FILL,    /* placing buffers, guards, inputs, poison */
	RUN_PREPARE, /* the variant's own preparation */
	RUN_CHECK,   /* the checked calls and the checks */
	RUN_BUILD,   /* building the CUDA graph that is timed */
	RUN_CLOCKS,  /* waiting for the full clock */
	RUN_WARM_UP,
	RUN_SAMPLES,
	RUN_RELEASE,
	RUN_PARTS,
};

/* Neighbouring samples with one reading of an SM's clock: its cycles in so many ns, both > 0. */
struct run_group {
	int64_t samples, cycles, ns;
};

/* A launch: one process × one case. A sample is the integer ns of `batch` calls. */
struct run_launch {
	const struct run_case *of;
	int64_t i, at;      /* process number; position of the case in its order */
	int64_t pid, t_ms;  /* t_ms: since the run's start */
	int64_t seed;       /* seed of its inputs */
	const char *node;   /* where it ran; NULL: all launches ran on one node */
	const char *status; /* "ok", "wrong", "timeout", "signal:11", "cuda:700", "skipped" */
	struct run_check before, after;
	int64_t batch;
	const char *timer;        /* "events", "graph", "clock", "host" */
	const char *stop;         /* "halfwidth", "samples", "cap" */
	const char *library;      /* its process' library if it differs from the case's; or NULL */
	struct run_choice choice; /* its process' choice if it differs from the case's */
	int64_t *warmup_ns, *sample_ns;
	size_t nwarmup, nsamples;
	/* min, median, max over the timed window; RECORD_NONE: not read */
	int64_t sm_clock_mhz[3], memory_clock_mhz, power_mw[3], temperature_c[2];
	int64_t energy_mj, throttle_reasons; /* throttle_reasons: NVML bits seen in the window */
	int64_t energy_ns; /* the part of the window that energy_mj is of; 0: the whole of it */
	int64_t pause_ms;  /* load=steady: time since the heavy case before; 0: there was none */
	int64_t gates_expired; /* samples that began before all their work was queued */
	/* cycles that an SM counted while samples ran, and for how long: RECORD_NONE, or > 0 */
	int64_t sm_cycles, sm_cycles_ns;
	struct run_group *group; /* the same by groups, which hold all samples in order */
	size_t ngroups;          /* 0: not recorded */
	/*
	 * Several GPUs: for each the median over the samples of how much earlier than the slowest
	 * GPU it was done, ns of a whole sample. A sample is the time of the slowest.
	 */
	int64_t *skew_ns;
	size_t nskew;
	int64_t spent_us[RUN_PARTS]; /* host time of each part; 0: none, or not recorded */
};

/* The name of a part in run files, for example "clocks". */
const char *record_part_name(enum run_part p);

/* A hardware counter of a case; its name ends with its unit. */
struct run_counter {
	const char *name; /* "dram_read_bytes"; lib/ncu_metrics.c lists them all */
	double value;
};

/* A profiler's counters for one call of a case, read outside any timing. */
struct run_counters {
	const struct run_case *of;
	const char *unavailable;  /* why there are none (nothing below is set); else NULL */
	const char *tool;         /* "ncu 2025.3.1.0" */
	const char *library;      /* its process' library if it differs from the case's; or NULL */
	struct run_choice choice; /* its process' choice if it differs from the case's */
	int64_t kernels;          /* number of kernels that the call launched */
	struct run_counter *value;
	size_t n;
	struct run_pair *missing; /* words: counters that the tool did not give, and why */
	size_t nmissing;
};

/* A whole file in memory. */
struct run {
	struct run_head head;
	struct run_case *cases;
	size_t ncases;
	struct run_launch *launches;
	size_t nlaunches;
	/* null controls (role "null"): a case measured a second time beside itself */
	struct run_case *nulls;
	size_t nnulls;
	struct run_launch *null_launches;
	size_t nnull_launches;
	struct run_counters *counters; /* of `runner profile` */
	size_t ncounters;
	struct run_trace *traces; /* of `runner trace` (lib/record_trace.h) */
	size_t ntraces;
	double null_ratio;        /* as in the end record; 0: none */
	const char *end, *status; /* "complete", "partial"; NULL: no end record */
	bool whole;               /* the end record's hash and line count hold */
	const char *why_not_whole;
	char sha256[65]; /* hash of the whole file */
};

/*
 * --- writing: each function appends lines with their newlines ---
 * They write RECORD_SCHEMA, so the head must name it. A launch names its case by number.
 */
void record_put_head(struct sb *to, const struct run_head *h);
/*
 * Numbers the file's cases and null controls, and writes them all (lib/record_cases.c): what
 * the cases of a family or a variant have in common stands once, in a record before them.
 */
void record_put_cases(struct sb *to, struct run_case *c, size_t n);
void record_put_launch(struct sb *to, const struct run_launch *l);
/* Notes that another process resumed the run; t_ms: since the run's start. */
void record_put_resumed(struct sb *to, const char *time, int64_t pid, int64_t t_ms);
/*
 * The end record. `so_far` holds every line before this one; null_ratio is
 * record_null_ratio(), or 0 if there is none.
 */
void record_put_end(struct sb *to, const char *status, const char *end_time, double null_ratio,
                    struct str so_far);

/*
 * Reads a run file. Malformed lines, records out of order, a newer major schema
 * and references to unknown cases are errors with `path:line`. A missing or wrong
 * `end` is not an error: run->whole is then false, why_not_whole says why, and a
 * truncated last line is dropped. Unknown members are ignored. Unknown words
 * (lib/record_words.h) are accepted only from a later minor version (head.newer).
 * Duplicate keys are an error, so a line has only one reading. Null controls are
 * kept apart, so that nobody publishes one. Everything lives in the arena.
 */
MUST_CHECK bool record_read(struct str bytes, const char *path, struct arena *a, struct run *out,
                            struct err *e);

/* Reads the head (lib/record_read_head.c). False if a member is missing or malformed. */
MUST_CHECK bool record_read_head(struct json run, struct arena *a, struct run_head *h,
                                 struct err *e);

/* Reads a case that has all its members (lib/record_read_case.c). */
MUST_CHECK bool record_read_case(struct json v, const struct run_head *h, struct arena *a,
                                 struct run_case *c, struct err *e);

/* Reads a launch but for its case; `cut` has the arrays that v lacks (record_read_launch.c). */
struct record_cuts;
MUST_CHECK bool record_read_launch(struct json v, const struct record_cuts *cut,
                                   const struct run_head *h, struct arena *a, struct run_launch *l,
                                   struct err *e);

/* Checks that `s`, the value of member `key` of v, is n hex digits. */
MUST_CHECK bool record_want_hex(struct json v, const char *key, const char *s, size_t n,
                                struct err *e);

/* The members `plan_sha256` and `shards` of a head (lib/record_shards.c). */
void record_put_shards(struct json_out *w, const struct run_head *h);
MUST_CHECK bool record_read_shards(struct json run, struct arena *a, struct run_head *h,
                                   struct err *e);

/* The members `gpus`, `topology` and `env` of a head (lib/record_gpus.c). */
void record_put_several(struct json_out *w, const struct run_head *h);
MUST_CHECK bool record_read_several(struct json run, struct arena *a, struct run_head *h,
                                    struct err *e);

/* An object whose members are words or integers. */
void record_put_pairs(struct json_out *w, const char *key, const struct run_pair *p, size_t n);
MUST_CHECK bool record_read_pairs(struct json obj, const char *key, struct arena *a,
                                  struct run_pair **out, size_t *n, struct err *e);

/* One `counters` record (lib/record_counters.c); the reader leaves its case to the caller. */
void record_put_counters(struct sb *to, const struct run_counters *c);
MUST_CHECK bool record_read_counters(struct json v, struct arena *a, struct run_counters *c,
                                     struct err *e);

/* The member `choice` of an object, if there is one. */
void record_put_choice(struct json_out *w, const struct run_choice *c);
MUST_CHECK bool record_read_choice(struct json obj, struct arena *a, struct run_choice *c,
                                   struct err *e);

/* Library behind these counters: recorded here, else the case's; NULL if unknown. */
const char *record_counters_library(const struct run_counters *c);

/* The counters of a case, and one counter by its name; NULL if there is none. */
const struct run_counters *record_counters(const struct run *r, const struct run_case *c);
const struct run_counter *record_counter(const struct run_counters *c, const char *name);

/* The case, or the null control, with this id; NULL if there is none. */
const struct run_case *record_case(const struct run *r, const char *id);
const struct run_case *record_null(const struct run *r, const char *id);

/* The parameter `name` of a case, or NULL ("dtype" and "cache" are not parameters). */
const struct run_pair *record_param(const struct run_case *c, const char *name);

/* True if the case is one of a sweep, and `name` the knob that the sweep turns. */
bool record_is_knob(const struct run_case *c, const char *name);

/* The word of a tool of the run ("nvcc", "flags_c"); NULL if the record does not name it. */
const char *record_tool(const struct run_head *h, const char *name);

/*
 * The compiler that compiled the case's file, and its flags; NULL if the record does not say. Up to
 * ridgepoint-run/1.5, build.flags of a C file that runs on the GPU (kernels/torch.c) may be nvcc's,
 * and the version does not tell which. So the run's `flags_c` counts for every C file. In records
 * whose build.flags are right it is the same text.
 */
const char *record_compiler(const struct run_head *h, const struct run_case *c);
const char *record_flags(const struct run_head *h, const struct run_case *c);

/*
 * Builds the readable id of a case from family, variant, parameters, dtype
 * and cache, in the arena. One function, so runner and reader agree.
 */
const char *record_case_id(const struct run_case *c, struct arena *a);

/* True if the launch passed both checks, which a foreign one has not, and stored samples. */
bool record_launch_ok(const struct run_launch *l);

/*
 * Library that did the work of a launch: recorded with it, else the case's; NULL if unknown
 * (lib/record_library.c).
 */
const char *record_launch_library(const struct run_launch *l);

/* What was chosen for a launch, or under the profiler: recorded there, else the case's. */
const struct run_choice *record_launch_choice(const struct run_launch *l);
const struct run_choice *record_counters_choice(const struct run_counters *c);

/* True if both are the same, pair by pair; record_choice_agrees(): or if one is not known. */
bool record_choice_same(const struct run_choice *x, const struct run_choice *y);
bool record_choice_agrees(const struct run_choice *x, const struct run_choice *y);

/*
 * A choice in one line, "algorithm=66 tile=128x256", as kernel_variant.chosen has it, and
 * back. Parsing fails if a pair has no name or no value, or a name stands twice.
 */
const char *record_choice_text(const struct run_choice *c, struct arena *a);
MUST_CHECK bool record_choice_parse(struct str text, struct arena *a, struct run_choice *out);

/*
 * A choice in words: "cublasLtMatmul algorithm 66, tile 128x256, 4 stages, no split-K". What
 * only the library understands is left out. "" without a choice.
 */
const char *record_choice_words(const struct run_choice *c, struct arena *a);

/*
 * Describes how the libraries and choices of the case's good launches differ from what the
 * case says, for example "chosen differently in 3 of 10 processes: 8 warps (2); 4 warps
 * (1)". NULL if they do not differ. The text is in the arena.
 */
const char *record_choices(const struct run *r, const struct run_case *c, struct arena *a);

/* Median time per call of a launch in seconds; the launch must be ok. */
double record_launch_median(const struct run_launch *l);

/* What a launch found out beside its times; a negative value is not known. */
struct run_reading {
	double clock_hz; /* the SM clock, from the SM's cycle counter only */
	double cycles;   /* of a call, by groups of samples, as record_launch_cycles() */
	double joules;   /* energy per call, as record_launch_energy() */
	double window_s; /* time that the energy is of: all samples together, or a part of them */
	double step_s;   /* most that both its ends can be off; 0: a step of the counter */
	double error;    /* run_check.norm of the check before the samples */
};
struct run_reading record_launch_reading(const struct run_launch *l);

/*
 * The SM clock in Hz while samples ran: from the SM's cycle counter if it was read,
 * else the median of the driver's readings. False if neither is known. Where groups of
 * samples have a clock each, it is the median over samples.
 */
bool record_launch_clock(const struct run_launch *l, double *hz);

/*
 * SM cycles of a call: the median over samples of a sample's time × the clock of its group,
 * which differs from the others' if the clock changed meanwhile. Without groups it is the
 * median time × record_launch_clock(). False if the clock is unknown or the launch not ok.
 */
bool record_launch_cycles(const struct run_launch *l, double *cycles);

/* Energy per call in joules, from the device's counter over the samples. False: not read. */
bool record_launch_energy(const struct run_launch *l, double *joules);

/*
 * The fewest NVLink lanes between two of a run's GPUs (lib/record_gpus.c). RECORD_NONE: some pair's
 * are not known, or there is one GPU.
 */
int64_t record_lanes(const struct run_head *h);

/*
 * The first n cards of a run with several GPUs: "9a9773b3, 2bc110d4", the first group of each uuid,
 * "?" where it is not known. The text is in the arena.
 */
const char *record_cards(const struct run_head *h, size_t n, struct arena *a);

/* The commit of the measured sources; "none" if the program was built outside a git checkout. */
const char *record_commit(const struct run_head *h);

/* True for a shard's own file: `runner collect` has not merged it with the others yet. */
bool record_is_shard(const struct run_head *h);

/* True if a pretended device made the record (RECORD_PRETENDED_SCHEMA). */
bool record_is_pretended(const struct run_head *h);

/*
 * Numbers the nodes of these launches from 0, as stats_over_nodes() expects.
 * Returns the number of nodes.
 */
size_t record_nodes(const struct run_launch *const *l, size_t n, size_t *node);

/*
 * Typical time per call (s) of a case over its good launches; if they ran on
 * several nodes, the node is the unit of replication. False if no launch is ok.
 * `medians` (may be NULL) gets the launch medians in launch order, in the arena.
 */
bool record_summary(const struct run *r, const struct run_case *c, struct arena *a,
                    struct stats_summary *out, double **medians);

/*
 * Launch medians of two cases of a run (either may be a null control), for each
 * process `i` in which both launches are ok, in launch order. Returns the number
 * of pairs; the arrays are in the arena.
 */
size_t record_pairs(const struct run *r, const struct run_case *x, const struct run_case *y,
                    struct arena *a, double **mx, double **my);

/* The case that a null control repeats, or NULL. */
const struct run_case *record_null_of(const struct run *r, const struct run_case *null);

/*
 * The ratio of each null control to its case, over paired launches, if there are
 * two pairs or more. `ratio` has room for r->nnulls. Returns the number of ratios.
 */
size_t record_null_ratios(const struct run *r, struct arena *a, double *ratio);

/*
 * Finds the planned launches that are whole: every measurable case and null control
 * has a record of them. Returns their number; `whole`, in the arena, gets an entry
 * for each planned launch, at most RECORD_MAX_LAUNCHES.
 */
size_t record_whole_launches(const struct run *r, struct arena *a, bool **whole);

/*
 * Drops the launches of an interrupted run that are not whole. A launch measures
 * every case once, in an order of its own, so the rest is exactly what a shorter
 * plan would have measured.
 */
void record_keep_launches(struct run *r, const bool *whole);

/*
 * Does the same before run files are compared, but leaves a run alone if it was not
 * interrupted, or so early that too few launches would remain.
 */
void record_keep_compared(struct run *r, struct arena *a);

/* The null ratio that is furthest from 1; 0 if there is none. */
double record_null_ratio(const struct run *r, struct arena *a);

#endif
