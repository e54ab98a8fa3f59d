/*
 * kernels/allreduce/family.c - the sum of a vector of each GPU, on every GPU.
 *
 * A call of the next layer needs the sum, so two all-reduces in a row cannot
 * overlap. The cases have KERNEL_MEETS for that: no GPU ends a call before all
 * have begun it, and the runner's checks see to it.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <math.h>

#include "kernels/allreduce/allreduce.h"
#include "kernels/declare.h"
#include "kernels/input.h"

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[ALLREDUCE_X] = kernel_in("x", KERNEL_BF16, allreduce_count(c));
    b[ALLREDUCE_SUM] = kernel_out("sum", KERNEL_BF16, allreduce_count(c));
    return 2;
}

/*
 * A GPU whose term is missing at the others must send each number to somebody
 * once, and each sum must arrive where it was not made. Spread evenly, that is
 * 2 (gpus - 1) / gpus of a vector in each direction.
 */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t gpus = kernel_gpus(c);

    *m = (struct kernel_model){.level = "nvlink"};
    m->bytes_read = 2 * (gpus - 1) * kernel_num(c, "bytes") / gpus;
    m->bytes_written = m->bytes_read;
    m->formula = "2 (gpus - 1) / gpus of a vector arrive at each GPU, and as "
                 "many bytes leave it";
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    for (size_t k = 0; k < n; k++) {
        const size_t i = idx[k] % allreduce_count(c);

        value[k] = magnitude[k] = 0;
        for (int g = 0; g < kernel_gpus(c); g++) {
            const double x =
                (double)input_bf16(seed, kernel_gpu_input(g, ALLREDUCE_X), i);

            value[k] += x;
            magnitude[k] += fabs(x);
        }
    }
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_gpus(c);
}

/* Our steps round once. allreduce/ring and a library round after each addition.
 */
static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "gpus - 1 roundings to bf16, each off by 2^-8 of a partial sum at "
           "most, which is no greater than the sum of all sizes";
    return (double)(kernel_gpus(c) - 1) * 0x1p-8;
}

#define CASE(gpus, bytes, use)                                          \
    {                                                                   \
        {{"gpus", gpus, NULL}, {"bytes", bytes, NULL}}, 2, KERNEL_BF16, \
            (use) | KERNEL_MEETS                                        \
    }
#define CHECK(gpus, bytes) CASE(gpus, bytes, KERNEL_CHECK)
#define HOT(gpus, bytes) CASE(gpus, bytes, KERNEL_MEASURE_CUDA | KERNEL_HOT)

enum { KI = 1 << 10, MI = 1 << 20 };

static const struct kernel_case cases[] = {
    /* one number; less than a vector, a packet, a share; odd ends; more tiles
       than a block has slots */
    CHECK(2, 2),      CHECK(2, 26),     CHECK(2, 8198), CHECK(2, 70002),
    CHECK(2, 200006), CHECK(3, 22),     CHECK(3, 8206), CHECK(4, 14),
    CHECK(4, 1030),   CHECK(4, 70002),  HOT(2, 8 * KI), HOT(2, 32 * KI),
    HOT(2, 64 * KI),  HOT(2, 512 * KI), HOT(2, MI),     HOT(2, 4 * MI),
    HOT(2, 64 * MI),  HOT(2, 256 * MI), HOT(4, 8 * KI), HOT(4, 64 * KI),
    HOT(4, 512 * KI), HOT(4, MI),       HOT(4, 4 * MI), HOT(4, 64 * MI),
    HOT(4, 256 * MI),
};

/* ---- what a variant can do in a reasonable time ---- */

static bool is_short(const struct kernel_case *c)
{
    return kernel_num(c, "bytes") <= MI;
}

static bool is_middling(const struct kernel_case *c)
{
    return kernel_num(c, "bytes") <= 4 * MI;
}

static bool is_long(const struct kernel_case *c)
{
    return kernel_num(c, "bytes") <= 64 * MI;
}

LAUNCHER(allreduce_engine);
LAUNCHER(allreduce_one);
LAUNCHER(allreduce_blocks);
LAUNCHER(allreduce_push);
LAUNCHER(allreduce_two);
LAUNCHER(allreduce_bulk);
LAUNCHER(allreduce_ring);
LAUNCHER(allreduce_nccl);
SCRATCH(allreduce_engine_scratch);
SCRATCH(allreduce_one_scratch);
SCRATCH(allreduce_blocks_scratch);
SCRATCH(allreduce_push_scratch);
SCRATCH(allreduce_two_scratch);
SCRATCH(allreduce_bulk_scratch);
SCRATCH(allreduce_ring_scratch);
PREPARE(allreduce_engine_prepare);
PREPARE(allreduce_bulk_prepare);
PREPARE(allreduce_nccl_prepare);
__attribute__((weak)) const char *allreduce_nccl_library(void);

#define STEP(name, can, words, what)                                     \
    {                                                                    \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA, \
        .file = "kernels/allreduce/" #name ".cu", .supports = can,       \
        .scratch_bytes = allreduce_##name##_scratch,                     \
        .launch = allreduce_##name                                       \
    }

static const struct kernel_variant variants[] = {
    {
        .id = "engine",
        .title = "the copy engine, then a sum",
        .idea = "The DMA engine copies the vectors of the others, and a kernel "
                "adds them up.",
        .where = KERNEL_CUDA,
        .file = "kernels/allreduce/engine.cu",
        .scratch_bytes = allreduce_engine_scratch,
        .prepare = allreduce_engine_prepare,
        .launch = allreduce_engine,
    },
    STEP(one, is_short, "one block reads from all",
         "A block meets those of the other GPUs, and adds up what it loads "
         "from all of them."),
    STEP(blocks, is_long, "36 blocks read from all",
         "Each block meets those of its own number, and more bytes are under "
         "way."),
    STEP(push, is_middling, "packets that carry their flag",
         "Each GPU stores its vector at the others, 12 bytes with a ticket at "
         "a time, and nobody meets."),
    STEP(two, NULL, "a share of the sum for each",
         "Each GPU adds up a share of all vectors, and stores it into the "
         "memory of all."),
    {
        .id = "bulk",
        .title = "the TMA moves the shares",
        .idea = "Tiles of 8 KB come four slots ahead, and leave as tiles, "
                "without a register in between.",
        .where = KERNEL_CUDA,
        .file = "kernels/allreduce/bulk.cu",
        .scratch_bytes = allreduce_bulk_scratch,
        .prepare = allreduce_bulk_prepare,
        .launch = allreduce_bulk,
    },
    STEP(ring, NULL, "sums go round",
         "Each GPU sends to the next one only, chunk by chunk, twice round."),
    {
        .id = "nccl",
        .title = "NCCL",
        .idea = "ncclAllReduce in a group call for all GPUs, which chooses "
                "algorithm and protocol by itself.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/allreduce/nccl.cu",
        .prepare = allreduce_nccl_prepare,
        .launch = allreduce_nccl,
        .library = allreduce_nccl_library,
    },
};

const struct kernel_family allreduce_family = {
    .id = "allreduce",
    .title = "All-reduce between GPUs",
    .problem = "Every GPU has a vector of bf16, and every GPU gets the sum of "
               "all: what ends each half of a transformer's layer that is cut "
               "across GPUs. A call begins nowhere before the call before has "
               "begun everywhere. All GPUs get the same bits.",
    .metric = "bandwidth",
    .file = "kernels/allreduce/family.c",
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
