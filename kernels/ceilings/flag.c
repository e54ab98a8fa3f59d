/*
 * kernels/ceilings/flag.c - how long a word takes from GPU to GPU: two GPUs
 * hand a sum to and fro, each adding a number of its own. A word that was seen
 * too early, late or twice shows in the sum.
 */
#include "kernels/ceilings/ceilings.h"
#include "kernels/declare.h"
#include "kernels/input.h"

enum { SUM, X };
enum { RANGE = 1000 };

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    (void)c;
    b[SUM] = kernel_out("sum", KERNEL_I32, 1);
    b[X] = kernel_keys("x", KERNEL_I32, 1, KERNEL_KEYS, RANGE);
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t rounds = kernel_num(c, "rounds");

    *m = (struct kernel_model){.flop = 2 * rounds,
                               .bytes_read = 8 * rounds,
                               .bytes_written = 8 * rounds,
                               .formula = "two messages of 8 B per round, one "
                                          "each way",
                               .level = "nvlink",
                               .op = "message"};
}

/* Both GPUs end with what the last message carried. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const double rounds = (double)kernel_num(c, "rounds");

    (void)idx;
    for (size_t k = 0; k < n; k++) {
        double each = 2; /* each GPU adds its number and 1 */
        for (int g = 0; g < 2; g++)
            each += (double)input_key(KERNEL_KEYS, RANGE, seed,
                                      kernel_gpu_input(g, X), 0);
        value[k] = rounds * each;
        magnitude[k] = value[k];
    }
}

static size_t terms(const struct kernel_case *c)
{
    (void)c;
    return 2;
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    (void)c;
    *why = "a sum of integers is exact";
    return 0;
}

#define CASE(rounds, use)                                             \
    {                                                                 \
        {{"gpus", 2, NULL}, {"rounds", rounds, NULL}}, 2, KERNEL_I32, \
            use | KERNEL_MEETS                                        \
    }

static const struct kernel_case cases[] = {
    CASE(1, KERNEL_CHECK),
    CASE(7, KERNEL_CHECK),
    CASE(1000, KERNEL_MEASURE_CUDA | KERNEL_HOT),
};

LAUNCHER(ceiling_flag_there);
LAUNCHER(ceiling_flag_here);

/* A flag, and the last ticket of the call before. */
static size_t scratch(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)c;
    (void)env;
    return 2 * sizeof(uint64_t);
}

static const struct kernel_variant variants[] = {
    {
        .id = "there",
        .title = "the flag lies at the receiver",
        .idea = "The sender stores into the receiver's memory, and the "
                "receiver looks at its own: a message passes NVLink once.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/flag.cu",
        .scratch_bytes = scratch,
        .launch = ceiling_flag_there,
    },
    {
        .id = "here",
        .title = "the flag lies at the sender",
        .idea = "The sender stores into its own memory, and the receiver looks "
                "there: every look passes NVLink to and fro.",
        .where = KERNEL_CUDA,
        .role = KERNEL_CEILING,
        .file = "kernels/ceilings/flag.cu",
        .scratch_bytes = scratch,
        .launch = ceiling_flag_here,
    },
};

const struct kernel_family ceiling_flag = {
    .id = "ceiling-flag",
    .title = "Ceiling: a message between GPUs",
    .problem = "Two GPUs hand a word to and fro, a thousand times: the time "
               "from one's store until the other has seen it, which every step "
               "of a collective costs.",
    .metric = "latency",
    .file = "kernels/ceilings/flag.c",
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
