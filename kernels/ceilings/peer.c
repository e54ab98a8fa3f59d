/*
 * kernels/ceilings/peer.c - what passes between GPUs: by message size, and by
 * the number of multiprocessors that move it. Reads, stores and the copy engine
 * move the same bytes from the same GPU to the same, so they have one
 * reference: what was sent, bit for bit, at its place.
 */
#include "kernels/ceilings/peer.h"

#include "kernels/ceilings/ceilings.h"
#include "kernels/declare.h"
#include "kernels/input.h"

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "n");
}

/* way=one: GPU 0 receives nothing, and only GPU 0 sends. */
static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[PEER_TO] = kernel_out("to", KERNEL_F32, length(c));
    b[PEER_FROM] = kernel_in("from", KERNEL_F32, length(c));
    if (peer_is_one(c)) {
        b[PEER_TO].absent = ~2u;
        b[PEER_FROM].absent = ~1u;
    }
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t bytes = 4 * kernel_num(c, "n");

    *m = (struct kernel_model){.bytes_read = bytes, .level = "nvlink"};
    m->bytes_written = peer_is_one(c) ? 0 : bytes;
    m->formula =
        peer_is_one(c) ? "4 B per element go from GPU 0 to GPU 1"
        : peer_pieces(c) == 1
            ? "4 B per element leave each GPU for the next, as many arrive"
            : "4 B per element leave each GPU, a share for each other, and as "
              "many arrive";
}

/* The piece that element i belongs to. */
static int piece_of(const struct kernel_case *c, size_t i)
{
    const int p = peer_pieces(c);
    int k = 0;

    while (i >= peer_begins(length(c), k + 1, p))
        k++;
    return k;
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const size_t each = length(c);
    const int gpus = kernel_gpus(c);

    for (size_t k = 0; k < n; k++) {
        const int at = peer_is_one(c) ? 1 : (int)(idx[k] / each);
        const size_t i = idx[k] % each;
        const int sender = (at + gpus - 1 - piece_of(c, i)) % gpus;

        value[k] =
            (double)input_f32(seed, kernel_gpu_input(sender, PEER_FROM), i);
        magnitude[k] = 1;
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 1;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "what arrives is what was sent";
    return 0;
}

LAUNCHER(ceiling_peer_read);
LAUNCHER(ceiling_peer_write);
LAUNCHER(ceiling_peer_engine);

/* The engine uses no multiprocessor, so it has no part in that sweep. */
#define READ                                                              \
    {                                                                     \
        .id = "read", .title = "loads from another GPU",                  \
        .idea = "The receiver's multiprocessors load 16 bytes at a time " \
                "from the sender's memory, eight loads under way per "    \
                "thread.",                                                \
        .where = KERNEL_CUDA, .role = KERNEL_CEILING,                     \
        .file = "kernels/ceilings/peer.cu", .launch = ceiling_peer_read   \
    }
#define WRITE                                                               \
    {                                                                       \
        .id = "write", .title = "stores to another GPU",                    \
        .idea = "The sender's multiprocessors store 16 bytes at a time to " \
                "the receiver's memory.",                                   \
        .where = KERNEL_CUDA, .role = KERNEL_CEILING,                       \
        .file = "kernels/ceilings/peer.cu", .launch = ceiling_peer_write    \
    }

static const struct kernel_variant variants[] = {
    READ,
    WRITE,
    {
        .id = "engine",
        .title = "the copy engine",
        .idea = "The sender's DMA engine copies, by cudaMemcpyPeerAsync; no "
                "multiprocessor works.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/peer.cu",
        .launch = ceiling_peer_engine,
    },
};

#define MOVE(gpus, way, n, use)                                     \
    {                                                               \
        {{"gpus", gpus, NULL}, {"way", 0, way}, {"n", n, NULL}}, 3, \
            KERNEL_F32, use                                         \
    }
#define HOT KERNEL_MEASURE_CUDA | KERNEL_HOT
#define SMALL(gpus, way) \
    MOVE(gpus, way, 1, KERNEL_CHECK), MOVE(gpus, way, 4099, KERNEL_CHECK)

/* 4 KiB to 256 MiB for each GPU that sends. */
static const struct kernel_case cases[] = {
    SMALL(2, "one"),
    SMALL(2, "ring"),
    SMALL(4, "ring"),
    SMALL(4, "all"),
    SMALL(3, "all"),
    MOVE(2, "one", 1 << 10, HOT),
    MOVE(2, "one", 1 << 14, HOT),
    MOVE(2, "one", 1 << 18, HOT),
    MOVE(2, "one", 1 << 22, HOT),
    MOVE(2, "one", 1 << 26, HOT),
    MOVE(2, "ring", 1 << 10, HOT),
    MOVE(2, "ring", 1 << 14, HOT),
    MOVE(2, "ring", 1 << 18, HOT),
    MOVE(2, "ring", 1 << 22, HOT),
    MOVE(2, "ring", 1 << 26, HOT),
    MOVE(4, "ring", 1 << 14, HOT),
    MOVE(4, "ring", 1 << 22, HOT),
    MOVE(4, "ring", 1 << 26, HOT),
    MOVE(4, "all", 1 << 14, HOT),
    MOVE(4, "all", 1 << 22, HOT),
    MOVE(4, "all", 1 << 26, HOT),
};

const struct kernel_family ceiling_peer = {
    .id = "ceiling-peer",
    .title = "Ceiling: between GPUs, by message size",
    .problem = "Send n floats from GPU to GPU: from one to the other, round a "
               "ring, or a share to each. A number counts what arrives at a "
               "GPU and what leaves it; each direction of NVLink carries one "
               "of the two.",
    .metric = "bandwidth",
    .file = "kernels/ceilings/peer.c",
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

/* --- by the number of multiprocessors --- */

#define BY_SMS(gpus, way, n, sms, use) \
    {                                  \
        {{"gpus", gpus, NULL},         \
         {"way", 0, way},              \
         {"n", n, NULL},               \
         {"sms", sms, NULL}},          \
            4, KERNEL_F32, use         \
    }
#define SWEEP(sms) BY_SMS(2, "one", 1 << 24, sms, HOT)

static const struct kernel_case sm_cases[] = {
    BY_SMS(2, "one", 4099, 3, KERNEL_CHECK),
    BY_SMS(2, "ring", 4099, 1, KERNEL_CHECK),
    SWEEP(1),
    SWEEP(2),
    SWEEP(4),
    SWEEP(8),
    SWEEP(16),
    SWEEP(32),
    SWEEP(64),
    SWEEP(132),
};

static const struct kernel_variant sm_variants[] = {READ, WRITE};

const struct kernel_family ceiling_peer_sms = {
    .id = "ceiling-peer-sms",
    .title = "Ceiling: between GPUs, by multiprocessors",
    .problem = "Send 64 MiB from one GPU to another with so many "
               "multiprocessors and no more: how many it takes to fill NVLink, "
               "and how many are left for other work.",
    .metric = "bandwidth",
    .file = "kernels/ceilings/peer.c",
    .cases = sm_cases,
    .ncases = sizeof sm_cases / sizeof sm_cases[0],
    .variants = sm_variants,
    .nvariants = sizeof sm_variants / sizeof sm_variants[0],
    .buffers = buffers,
    .model = model,
    .expect = expect,
    .terms = terms,
    .tolerance = tolerance,
};
