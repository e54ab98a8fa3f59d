/*
 * kernels/ceilings/memory.c - bandwidth over the size of the working set.
 *
 * Each SM (or thread) owns an equal share of the arrays and walks through it
 * `passes` times, so a share that fits into its nearest cache stays there: from
 * left to right the sweep shows L1, L2 and memory. `flight` is the read alone,
 * from memory, with so many loads in flight and no more.
 */
#include "kernels/declare.h"
#include "kernels/ceilings/ceilings.h"
#include "kernels/ceilings/sweep.h"

#include <math.h>

#include "kernels/input.h"

enum { A, B, C };

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const enum memory_op op = memory_op_of(c);
    const size_t n = length(c);

    b[A] = kernel_out("a", KERNEL_F32, op == MEMORY_READ ? 1 : n);
    b[B] = kernel_in("b", KERNEL_F32, n);
    b[C] = kernel_in("c", KERNEL_F32, n);
    return op == MEMORY_WRITE ? 1 : op == MEMORY_TRIAD ? 3 : 2;
}

/* No cache in use holds half a gigabyte or more. A set that is read once comes
   from memory if the caches are cold. */
static const char *level_of(const struct kernel_case *c)
{
    const bool once = kernel_num(c, "passes") == 1;

    return once || length(c) >= 1 << 27 ? "hbm" : "cache";
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t moved = 4 * kernel_num(c, "n") * kernel_num(c, "passes");

    *m = (struct kernel_model){.level = level_of(c)};
    switch (memory_op_of(c)) {
    case MEMORY_READ:
        m->bytes_read = moved;
        m->formula = "sum of b: 4 B read per element and pass";
        break;
    case MEMORY_WRITE:
        m->bytes_written = moved;
        m->formula = "a[i] = passes: 4 B written per element and pass";
        break;
    case MEMORY_COPY:
        m->bytes_read = m->bytes_written = moved;
        m->formula = "a[i] = b[i]: 4 B read, 4 B written per element and pass";
        break;
    case MEMORY_TRIAD:
        m->bytes_read = 2 * moved;
        m->bytes_written = moved;
        m->formula = "a[i] = b[i] + c[i] / 2: 8 B read, 4 B written per "
                     "element and pass";
        break;
    }
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const double passes = (double)kernel_num(c, "passes");
    const enum memory_op op = memory_op_of(c);

    for (size_t k = 0; k < n; k++) {
        const double b = (double)input_f32(seed, B, idx[k]);
        const double x = (double)input_f32(seed, C, idx[k]);

        value[k] = op == MEMORY_WRITE  ? passes
                   : op == MEMORY_COPY ? b
                                       : b + (double)MEMORY_SCALE * x;
        magnitude[k] = fabs(b) + fabs(x) / 2;
        if (op == MEMORY_READ)
            ceiling_sum(seed, B, length(c), passes, &value[k], &magnitude[k]);
    }
}

static size_t terms(const struct kernel_case *c)
{
    return memory_op_of(c) == MEMORY_READ ? length(c) : 1;
}

/* u = 2^-24; for the sum see kernels/reduce/family.c. */
static double tolerance(const struct kernel_case *c, const char **why)
{
    switch (memory_op_of(c)) {
    case MEMORY_READ:
        *why = "8u of the sum of |b|: ten standard deviations of one chain of "
               "additions, u n / sqrt(6), for inputs with mean 0";
        return 8 * 0x1p-24;
    case MEMORY_TRIAD:
        *why = "one rounding, u of |b| + |c| / 2";
        return 0x1p-24;
    default:
        *why = "a copy is exact";
        return 0;
    }
}

/* A pass is repeated until a launch moves about as much as `TOTAL` floats. */
enum { TOTAL = 1 << 28, TOTAL_CPU = 1 << 22 };

#define SET(word, n, passes, use)                                       \
    {                                                                   \
        {{"op", 0, word}, {"n", n, NULL}, {"passes", passes, NULL}}, 3, \
            KERNEL_F32, use                                             \
    }
#define HOT KERNEL_MEASURE_CUDA | KERNEL_HOT
#define CUDA(word, n) SET(word, n, (n) < TOTAL ? TOTAL / (n) : 1, HOT)
#define CPU(word, n)                                    \
    SET(word, n, (n) < TOTAL_CPU ? TOTAL_CPU / (n) : 1, \
        KERNEL_MEASURE_CPU | KERNEL_HOT)
#define SWEEP(word)                                                    \
    SET(word, 1, 3, KERNEL_CHECK), SET(word, 4099, 2, KERNEL_CHECK),   \
        SET(word, 1000003, 1, KERNEL_CHECK), CUDA(word, 1 << 18),      \
        CUDA(word, 1 << 20), CUDA(word, 1 << 21), CUDA(word, 1 << 22), \
        CUDA(word, 1 << 23), CUDA(word, 3 << 22), CUDA(word, 1 << 24), \
        CUDA(word, 1 << 26), CUDA(word, 1 << 28), CPU(word, 1 << 12),  \
        CPU(word, 1 << 15), CPU(word, 1 << 18), CPU(word, 1 << 22)

static const struct kernel_case cases[] = {
    SWEEP("read"),
    SWEEP("write"),
    SWEEP("copy"),
    SWEEP("triad"),
    /* Sets of a quarter and a half of a large L2, measured cold. A result above
       memory's own speed would show that the runner leaves the caches full. */
    SET("read", 1 << 22, 1, KERNEL_MEASURE_CUDA | KERNEL_COLD),
    SET("read", 1 << 23, 1, KERNEL_MEASURE_CUDA | KERNEL_COLD),
};

LAUNCHER(ceiling_memory_sweep);
LAUNCHER(ceiling_memory_flight);
C_LAUNCHER(ceiling_memory_c);

static size_t scratch(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)c;
    (void)env;
    return sizeof(struct memory_scratch);
}

static const struct kernel_variant variants[] = {
    {
        .id = "c_sweep",
        .title = "C, vectors and threads",
        .idea = "Each thread walks through its own share.",
        .where = KERNEL_CPU,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/memory_c.c",
        .launch = ceiling_memory_c,
    },
    {
        .id = "sweep",
        .title = "each block its own tiles",
        .idea = "Each block walks through its own tiles, 16 bytes at a time, "
                "eight loads under way per thread.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/memory.cu",
        .scratch_bytes = scratch,
        .launch = ceiling_memory_sweep,
    },
};

const struct kernel_family ceiling_memory = {
    .id = "ceiling-memory",
    .title = "Ceiling: memory, by working set",
    .problem = "Read, write, copy and triad over working sets from a few "
               "kilobytes to a gigabyte, each part of the device on its own "
               "share: how fast each level of the memory can be.",
    .metric = "bandwidth",
    .file = "kernels/ceilings/memory.c",
    .cases = cases,
    .ncases = sizeof cases / sizeof cases[0],
    .variants = variants,
    .nvariants = sizeof variants / sizeof variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
};

/* --- bytes in flight --- */

/* `flight`: bytes that an SM has in flight, at most. */
#define FLIGHT(n, bytes, use)      \
    {                              \
        {{"op", 0, "read"},        \
         {"n", n, NULL},           \
         {"passes", 1, NULL},      \
         {"flight", bytes, NULL}}, \
            4, KERNEL_F32, use     \
    }
#define FROM_MEMORY(bytes) FLIGHT(1 << 28, bytes, HOT)

static const struct kernel_case flight_cases[] = {
    FLIGHT(1, 4096, KERNEL_CHECK),
    FLIGHT(4099, 16384, KERNEL_CHECK),
    FLIGHT(1000003, 65536, KERNEL_CHECK),
    FROM_MEMORY(2048),
    FROM_MEMORY(4096),
    FROM_MEMORY(8192),
    FROM_MEMORY(16384),
    FROM_MEMORY(32768),
    FROM_MEMORY(65536),
    FROM_MEMORY(131072),
};

static const struct kernel_variant flight_variants[] = {
    {
        .id = "flight",
        .title = "so many loads under way",
        .idea = "Blocks of 128 threads with one 16-byte load each; as many "
                "blocks per multiprocessor, then loads per thread, as it "
                "takes.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/flight.cu",
        .scratch_bytes = scratch,
        .launch = ceiling_memory_flight,
    },
};

const struct kernel_family ceiling_flight = {
    .id = "ceiling-flight",
    .title = "Ceiling: bytes in flight",
    .problem = "Read a gigabyte with a given number of bytes under way per "
               "multiprocessor. By Little's law bandwidth is bytes in flight "
               "over latency, until the memory is full.",
    .metric = "bandwidth",
    .file = "kernels/ceilings/memory.c",
    .cases = flight_cases,
    .ncases = sizeof flight_cases / sizeof flight_cases[0],
    .variants = flight_variants,
    .nvariants = sizeof flight_variants / sizeof flight_variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
};
