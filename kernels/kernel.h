/*
 * kernels/kernel.h - the contract between a measured thing and the runner.
 *
 * A *family* is one problem (say, transpose a matrix) with its parameters,
 * its cost model, its reference and its tolerance. A *variant* is one way to
 * solve it. Families and variants are data plus a few pure functions; they
 * never allocate, fill, time, compare or print: the runner alone does that.
 *
 * How to add a family (kernels/families.c holds the table):
 *   1. kernels/<family>/family.c: fill a `const struct kernel_family`.
 *   2. kernels/<family>/<variant>.cu or .c: one variant a file.
 *   3. add `&<family>_family` to the table in kernels/families.c.
 *   4. `runner check <family>`, then `runner run <family>`.
 * How to add a variant: a file, and a row in its family's table.
 *
 * Several GPUs. A case with the parameter gpus=n is done by n GPUs, numbered
 * from 0, which this one process drives; GPU g is CUDA's device g.
 *   - Each GPU has a stream, and in every buffer set the buffers that buffers()
 *     describes and scratch of its own. Each may access the memory of all
 *     others.
 *   - prepare(), launch() and release() are called once for all GPUs. A launch
 *     enqueues on all streams; it selects the device it enqueues on, and may
 *     leave any selected. kernel_of_gpu() finds the buffers of a GPU.
 *   - GPU g draws its input b as input number kernel_gpu_input(g, b). Outputs
 *     are numbered through the buffers of GPU 0, then those of GPU 1, and so
 *     on; the reference, terms() and tolerance() follow that numbering.
 *   - model() counts the work of the busiest GPU. At level "nvlink" bytes_read
 *     are those that arrive there from other GPUs, bytes_written those that
 *     leave it.
 *   - Calls are captured stream by stream, a graph for each GPU. So a launch
 *     may let streams wait for each other only through memory. If it uses
 *     events, it cannot be captured, and the runner times it in the streams.
 *   - With KERNEL_MEETS no GPU ends a call before all have begun it. So of two
 *     calls in a row the second begins nowhere before the first has begun
 *     everywhere. The variant guarantees that by flags in memory, and the
 *     runner's checks hold back one GPU after the other to see it. When a GPU's
 *     stream has done the call, its outputs are whole. Calls of other cases
 *     must be right in any overlap, and end when all streams have done them.
 *   - Who waits for another GPU uses peer_spin_until() (kernels/peer.cuh),
 *     which gives up after two seconds. NVLink multicast is not used.
 * Before each sample the runner lets all streams wait for each other. A sample
 * lasts as long as its slowest GPU.
 *
 * This header is C17 and C++17 and includes nothing of CUDA.
 */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KERNEL_MAX_PARAMS = 6,
    KERNEL_MAX_BUFFERS = 6,
    KERNEL_CHOICE = 512, /* bytes of what chosen() says, with its zero */
    KERNEL_MAX_GPUS = 8,
    KERNEL_GPU_BUFFERS = KERNEL_MAX_BUFFERS + 1, /* of a GPU, with scratch */
    KERNEL_GPU_INPUTS = 16,                      /* input numbers of a GPU */
};

/*
 * Element types; kernels/dtype.c has the table of them. U8 is for inputs only:
 * it has no value that could say "never written".
 */
enum kernel_dtype {
    KERNEL_F32,
    KERNEL_BF16,
    KERNEL_I32,
    KERNEL_U8,
    KERNEL_I8,   /* -127 to 127 as an output: -128 says "never written" */
    KERNEL_E4M3, /* FP8 with 4 bits of exponent and 3 of mantissa, no infinity
                    (OCP 8-bit floating point specification 1.0) */
    KERNEL_DTYPE_COUNT,
};

const char *kernel_dtype_name(enum kernel_dtype t); /* recorded: "f32" */
size_t kernel_dtype_bytes(enum kernel_dtype t);

/* The byte that fills an output before a call. No result consists of this byte
   alone. */
int kernel_dtype_poison(enum kernel_dtype t);

/* Where a variant runs. CPU and CUDA measurements never mix. */
enum kernel_where {
    KERNEL_CPU,
    KERNEL_CUDA,
};

/* What a case's measurement stands for. */
enum kernel_role {
    KERNEL_OWN,     /* a step of the staircase */
    KERNEL_PEER,    /* somebody else's code, measured beside ours */
    KERNEL_CEILING, /* what the device can do: an achievable roof */
};

/*
 * One parameter of a case: a number, or a word (`word` not NULL), such as
 * n=268435456 or op=triad. Names are lower case and recorded.
 */
struct kernel_param {
    const char *name;
    int64_t num;
    const char *word;
};

/* What a case is used for; or-ed together. */
enum kernel_use {
    KERNEL_CHECK = 1 << 0,        /* correctness only: odd, tiny, ragged */
    KERNEL_MEASURE_CUDA = 1 << 1, /* part of the default GPU suite */
    KERNEL_MEASURE_CPU = 1 << 2,  /* part of the default CPU suite: small,
                                     all families within 3 min on 2 cores */
    KERNEL_COLD = 1 << 3,         /* measure with cold caches */
    KERNEL_HOT = 1 << 4,          /* measure with the data resident */
    KERNEL_HOST = 1 << 5,         /* time the host's part of a call alone: how
                                     long launch() takes to enqueue it */
    KERNEL_SUSTAINED = 1 << 6,    /* measure once more after three seconds of
                                     load without a pause */
    KERNEL_STEADY = 1 << 7,       /* measure once more among the cases that keep
                                     the device at its power limit */
    KERNEL_FULL = 1 << 8,         /* arithmetic decides its time, and its data
                                     decide the clock: timed on full inputs
                                     (kernels/input.h) if none are named */
    KERNEL_MEETS = 1 << 12,       /* no GPU ends a call before all began it */
};

/* One point of the family's parameter space, with its element type. */
struct kernel_case {
    struct kernel_param param[KERNEL_MAX_PARAMS];
    int nparams;
    enum kernel_dtype dtype;
    unsigned use;
};

/* The number of parameter `name`; aborts if the case has no such number. */
int64_t kernel_num(const struct kernel_case *c, const char *name);
/* The word of parameter `name`; aborts if the case has no such word. */
const char *kernel_word(const struct kernel_case *c, const char *name);

/* How many GPUs do the case: its parameter `gpus`, or 1. */
int kernel_gpus(const struct kernel_case *c);

/* The number of input b of GPU g, as kernels/input.h expects it. */
static inline unsigned kernel_gpu_input(int g, unsigned b)
{
    return (unsigned)g * KERNEL_GPU_INPUTS + b;
}

/* The buffers of GPU g among those that launch() gets. */
static inline void *const *kernel_of_gpu(void *const *buf, int g)
{
    return buf + g * KERNEL_GPU_BUFFERS;
}

/* What a buffer is for. The runner fills inputs and poisons outputs. */
enum kernel_access {
    KERNEL_IN,  /* filled by kernels/input.h */
    KERNEL_OUT, /* poisoned before each run; at least one per case */
};

/* How an input is drawn: a pure function of seed, buffer and index. */
enum kernel_draw {
    KERNEL_REAL,    /* f32, bf16, e4m3: as the case is measured, by default
                       uniform [-1, 1) */
    KERNEL_KEYS,    /* i32, u8: integers, each of [0, range) as likely */
    KERNEL_ZIPF,    /* i32, u8: key k with probability near 1/(k + 1) */
    KERNEL_ONEKEY,  /* i32, u8: all the same key, drawn anew for each seed */
    KERNEL_MADE,    /* i32: given by the case, whatever the seed is
                       (kernels/made.h) */
    KERNEL_QUERIES, /* bf16: queries of attention (kernels/query.h) */
    KERNEL_CACHE,   /* bf16, e4m3: keys or values of sequences, and NaN where
                       there are none (kernels/cache.h) */
    KERNEL_PROBES,  /* bf16: queries to such keys (kernels/cache.h) */
};

/*
 * A buffer of `count` elements. Its base is aligned to 256 bytes on the
 * device and 64 on the CPU, and guard bytes lie on both sides.
 * Buffer number i of a case is `buf[i]` in launch().
 */
struct kernel_buffer {
    const char *name;
    enum kernel_access access;
    enum kernel_dtype dtype;
    size_t count;
    enum kernel_draw draw; /* inputs only */
    int64_t range;         /* of keys: 1 to 2^31 - 1, at most 256 for u8 */
    unsigned absent;       /* GPUs that do not have it, as bits; NULL there */
};

static inline bool kernel_has(const struct kernel_buffer *b, int gpu)
{
    return !(b->absent >> gpu & 1);
}

/* An output; an input of real numbers; an input of keys in [0, range). */
static inline struct kernel_buffer kernel_out(const char *name,
                                              enum kernel_dtype t, size_t count)
{
    const struct kernel_buffer b = {name,        KERNEL_OUT, t, count,
                                    KERNEL_REAL, 0,          0};

    return b;
}

static inline struct kernel_buffer kernel_in(const char *name,
                                             enum kernel_dtype t, size_t count)
{
    const struct kernel_buffer b = {name,        KERNEL_IN, t, count,
                                    KERNEL_REAL, 0,         0};

    return b;
}

static inline struct kernel_buffer
kernel_keys(const char *name, enum kernel_dtype t, size_t count,
            enum kernel_draw draw, int64_t range)
{
    const struct kernel_buffer b = {name, KERNEL_IN, t, count, draw, range, 0};

    return b;
}

/*
 * The compulsory cost of the *problem* (not of a variant): each operand
 * moved once. `formula` is the derivation as a reader sees it, one line.
 */
struct kernel_model {
    int64_t flop;
    int64_t bytes_read;
    int64_t bytes_written;
    const char *formula;
    const char *unit;  /* unit that does the FLOPs: "fp32", "bf16", … a key
                          of data/specs; NULL when flop is 0 */
    const char *level; /* memory level the bytes come from when cold: "hbm" */
    const char *op;    /* what `flop` counts if it is no floating-point
                          operation, in the singular: "update", "barrier",
                          "node"; NULL: FLOPs */
};

/*
 * Where the numbers of a matrix lie: element (i, k) of matrix t is element
 * t * next + i * row + k * col of a buffer.
 */
struct kernel_matrix {
    unsigned buffer;
    size_t next, row, col;
};

/*
 * A case that is a matrix product, or several of the same shape:
 *
 *     out[t](i, j) = times * sum over k < depth of a[t](i, k) b[t](j, k)
 *
 * for t < count, i < rows, j < cols. On inputs of small integers (INPUT_GRID in
 * kernels/input.h) such a sum has one right answer, whatever the order of its
 * terms. The runner has all outputs compared with it bit for bit.
 */
struct kernel_product {
    struct kernel_matrix a, b, out;
    size_t count, rows, cols, depth;
    int64_t times; /* 1, but for ceilings that add up the same product again */
    int sum_bits;  /* a running sum of n units is exact while |n| < 2^sum_bits:
                      23 in f32, which leaves a bit to tensor cores that align
                      terms to the largest; 13 in their sums of FP8; 31 in
                      integers */
};

/* What a launch may know of the machine, and the stream that it must use. */
struct kernel_env {
    void *stream;    /* cudaStream_t; NULL on the CPU */
    int sms;         /* streaming multiprocessors (SMs); 0 on the CPU */
    size_t l2_bytes; /* of the GPU; 0 on the CPU */
    int threads;     /* CPU threads a C variant may use; 0 on the GPU */
    /*
     * A place for the variant's own use that lasts as long as the process and
     * is empty at first. It holds what prepare() would otherwise do again for
     * each buffer set and case, such as starting a library. The runner never
     * frees it. NULL: there is none.
     */
    void **kept;
    /*
     * What prepare() is to use instead of choosing: chosen() told it when the
     * run looked at all cases, and every process of the run gets the same.
     * NULL: prepare() chooses.
     */
    const char *choice;
    int gpus;             /* that do the case; 1 on the CPU */
    void *const *streams; /* of each GPU; [0] is `stream`. NULL on the CPU */
};

/*
 * A preload() may consist of steps, each of which can be left out. A trial in a
 * process of its own finds out which ones must be, and writes them here; the
 * process from which all others are forked then leaves those steps out.
 */
struct kernel_preload {
    bool trial;
    uint64_t leave; /* steps that are not done, as bits */
};

/* When a variant tries what is fastest. */
enum kernel_chooses {
    KERNEL_CHOOSES_NOTHING,
    KERNEL_CHOOSES_ONCE, /* before the first process, for all processes */
    KERNEL_CHOOSES_ANEW, /* in each process, as a user's program may do */
};

/*
 * A library may put its result into memory of its own and return that. A copy
 * of it to the outputs is work that the library's user does not ask for, so no
 * sample contains one. A variant that does so sets `owns_result`, and what its
 * prepare() sets *state to begins with this struct.
 *
 * The runner calls both functions outside timed regions and outside stream
 * capture, once prepare() has succeeded. They enqueue on env->stream (CUDA) or
 * do the work before they return (CPU), and return 0 or a cudaError_t.
 *
 * Between the two lies a call, or the replay of a graph. It writes the result
 * of the last call that was enqueued or captured with this state, where that
 * call put it. So the variant holds the memory of that result until the next
 * call: it stays at its address, and nothing else gets it.
 */
struct kernel_result {
    /*
     * Fills the result's memory with the byte that poisons the outputs, so that
     * an old result never passes for a new one. The runner calls it after
     * prepare(), and for a buffer set whose outputs it poisons.
     */
    int (*spoil)(void *state, const struct kernel_env *env);

    /*
     * Copies the result to the outputs among the pointers of launch(). The
     * runner calls it before it looks at them. Until then they hold what they
     * held before the call.
     */
    int (*collect)(void *state, const struct kernel_env *env, void *const *buf);
};

/*
 * One way to solve a family's problem. A row never depends on #ifdef: CUDA
 * launchers are declared weak, so that without nvcc `launch` is NULL and the
 * row stays listed as not built here.
 */
struct kernel_variant {
    const char *id;    /* stable slug, recorded, never reused: "bulk" */
    const char *title; /* shown on pages: "bulk copy engine" */
    const char *idea;  /* one sentence: what changed from the one before */
    enum kernel_where where;
    enum kernel_role role;
    const char *file; /* main source, from the root: "kernels/x/y.cu" */

    /* True if the variant can do this case. NULL: it can do all. */
    bool (*supports)(const struct kernel_case *c);

    /*
     * Bytes of private scratch memory, given to launch() as the last
     * pointer after the family's buffers. Zeroed once before the first
     * launch; each launch leaves it ready for the next. NULL: none.
     */
    size_t (*scratch_bytes)(const struct kernel_case *c,
                            const struct kernel_env *env);

    /*
     * Loads what all processes of a run need and none changes, such as the
     * modules of an interpreter. The runner calls it once, in the process from
     * which the others are forked, and before that in a process of its own, as
     * a trial. It may neither start CUDA nor leave a thread behind, since
     * neither survives a fork. Returns NULL, or a static sentence why it was
     * not done; prepare() must then work as if there were no preload().
     * Variants with the same function share one call. NULL: nothing to load.
     */
    const char *(*preload)(struct kernel_preload *p);

    /*
     * Runs once per buffer set before any launch, outside timing: library
     * handles, tensor maps, attributes. Sets *state. Returns NULL, or a
     * static sentence why the variant is not available here ("libcublas.so
     * not found"). NULL function: nothing to prepare.
     */
    const char *(*prepare)(const struct kernel_case *c,
                           const struct kernel_env *env, void *const *buf,
                           void **state);

    /*
     * Enqueues the work on env->stream and returns at once (CUDA), or does
     * the work before it returns (CPU). Never allocates, never
     * synchronises, and is legal inside stream capture. Returns 0, or a
     * cudaError_t.
     */
    int (*launch)(const struct kernel_case *c, const struct kernel_env *env,
                  void *const *buf, void *state);

    /* Undoes prepare(). NULL: nothing to undo. */
    void (*release)(void *state);

    /*
     * Name and version of the library that does the work, and no more, as a
     * prepare() that succeeded in this process found it: "PyTorch 2.11.0,
     * Triton 3.6.0". Recorded. NULL: none, or one that was compiled in.
     */
    const char *(*library)(void);

    /*
     * For variants that try what is fastest. What the prepare() that set
     * `state` uses, in one line of pairs, "algorithm=66 tile=128x256": names
     * and values without blanks, no name twice, less than KERNEL_CHOICE bytes.
     * Recorded. It must say all that prepare() needs to use the same again, and
     * lasts as long as `state`. NULL: nothing is chosen.
     */
    const char *(*chosen)(void *state);

    enum kernel_chooses chooses; /* with chosen(); also in a build without it */

    bool owns_result; /* the state begins with a struct kernel_result */

    /*
     * For CUDA variants whose calls must be timed in the stream and never
     * inside a graph, because the family measures the pace of the stream, or
     * because they launch a graph of their own. Returns how many entries of the
     * stream's queue a call takes; launch() may then allocate on the host.
     * NULL: the runner chooses.
     */
    int (*queued)(const struct kernel_case *c);
};

/* One problem. All strings are recorded or shown; text is Markdown-free. */
struct kernel_family {
    const char *id;      /* slug: "transpose" */
    const char *title;   /* "Matrix transpose" */
    const char *problem; /* two or three sentences for the family page */
    const char *metric;  /* headline: "bandwidth" (bytes / time),
                            "throughput" (flop / time), or where the model
                            has an `op` "rate" (flop / time) or "latency"
                            (time / flop) */
    const char *file;    /* "kernels/transpose/family.c" */

    const struct kernel_case *cases;
    size_t ncases;
    const struct kernel_variant *variants; /* reading order */
    size_t nvariants;

    /* Fills b[] and returns how many buffers the case has. */
    size_t (*buffers)(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS]);

    void (*model)(const struct kernel_case *c, struct kernel_model *m);

    /*
     * The reference, on the host, in fp64 or exact, sharing no code with
     * any variant: for each of the n output indices idx[i], which ascend, the
     * expected value and the magnitude its error is measured against
     * (Σ|terms|, or |value|). Outputs are numbered through all KERNEL_OUT
     * buffers in their order: behind the last of one comes the first of the
     * next. Inputs are recomputed from the seed with
     * kernels/input.h, so nothing is copied from the device. Thread-safe:
     * the runner calls it from several threads on disjoint index ranges.
     */
    void (*expect)(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude);

    /* Input elements one output depends on: how costly expect() is. */
    size_t (*terms)(const struct kernel_case *c);

    /*
     * A case passes if |got - value| <= tolerance * magnitude for every
     * output looked at (NaN fails). *why gets the derivation, one line.
     * 0 means exact.
     */
    double (*tolerance)(const struct kernel_case *c, const char **why);

    /*
     * Why checks leave out inputs with NaN and infinities, in one line: their
     * result is undefined, or the same for all. NULL: expect() defines the
     * result, and every variant must produce it.
     */
    const char *finite_only;

    /* Cases that finite_only speaks of. NULL: all. */
    bool (*finite_cases)(const struct kernel_case *c);

    /*
     * Why full inputs (kernels/input.h) are not measured, in one line: the
     * reference or the tolerance needs inputs on the grid. NULL: neither does.
     */
    const char *grid_only;
};

/*
 * Describes a case that is a matrix product; every output element is then one
 * of the product's. Returns false if it is none. kernels/products.c has the
 * table of the families whose cases are.
 */
bool kernel_product(const struct kernel_family *f, const struct kernel_case *c,
                    struct kernel_product *p);

/* All families, in reading order; *n gets their number. */
const struct kernel_family *const *kernel_families(size_t *n);

/* The family or variant called `id`, or NULL. */
const struct kernel_family *kernel_family_find(const char *id);
const struct kernel_variant *kernel_variant_find(const struct kernel_family *f,
                                                 const char *id);

#ifdef __cplusplus
}
#endif
#endif
