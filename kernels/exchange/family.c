/*
 * kernels/exchange/family.c - tokens go to the GPUs of their experts, and
 * results come back: the two all-to-all exchanges of a mixture-of-experts
 * layer. They are cases of their own (part=dispatch and part=combine), since
 * experts work between them: one after the other, the end of the first would
 * hide behind the beginning of the second.
 *
 * As in an all-reduce, no GPU ends a call before all have begun it
 * (KERNEL_MEETS).
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include <math.h>
#include <string.h>

#include "kernels/declare.h"
#include "kernels/exchange/exchange.h"
#include "kernels/input.h"
#include "kernels/made.h"

static size_t number(const struct kernel_case *c, const char *name)
{
    return (size_t)kernel_num(c, name);
}

/* Numbers of a row as it arrives. */
static size_t pitch(const struct kernel_case *c)
{
    return number(c, "hidden") + EXCHANGE_MARK;
}

static size_t dispatch_buffers(const struct kernel_case *c,
                               const struct exchange *e,
                               struct kernel_buffer *b)
{
    static const char *const names[EXCHANGE_MOST] = {"got0", "got1", "got2",
                                                     "got3"};
    const size_t t = number(c, "t"), gpus = (size_t)e->gpus;

    b[EXCHANGE_X] = kernel_in("x", KERNEL_BF16, t * number(c, "hidden"));
    b[EXCHANGE_CHOSEN] =
        kernel_made("chosen", e->chosen, gpus * t * EXCHANGE_TOP);
    for (int g = 0; g < e->gpus; g++) {
        const int rows = exchange_begin(e, g, e->gpus);

        b[EXCHANGE_GOT + g] = kernel_out(names[g], KERNEL_BF16,
                                         (size_t)(rows ? rows : 1) * pitch(c));
        b[EXCHANGE_GOT + g].absent = rows ? ~(1u << g) : ~0u;
    }
    return EXCHANGE_GOT + gpus;
}

static size_t combine_buffers(const struct kernel_case *c,
                              const struct exchange *e, struct kernel_buffer *b)
{
    const size_t t = number(c, "t"), hidden = number(c, "hidden");
    const size_t gpus = (size_t)e->gpus;

    b[EXCHANGE_Y] = kernel_in("y", KERNEL_BF16, (size_t)e->most * hidden);
    b[EXCHANGE_CHOSEN] =
        kernel_made("chosen", e->chosen, gpus * t * EXCHANGE_TOP);
    b[EXCHANGE_WEIGHT] = kernel_in("weight", KERNEL_F32, t * gpus);
    b[EXCHANGE_BEGIN] = kernel_made("begin", e->begin, gpus * (gpus + 1));
    b[EXCHANGE_OUT] = kernel_out("out", KERNEL_BF16, t * hidden);
    return EXCHANGE_BUFFERS;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    const struct exchange *const e = exchange_of(c);

    return exchange_is_dispatch(c) ? dispatch_buffers(c, e, b)
                                   : combine_buffers(c, e, b);
}

/*
 * Rows that pass between GPUs, those of the GPU with most in one direction. A
 * token of t goes to gpus (1 - (1 - 1/gpus)^8) GPUs in expectation, nearly, if
 * all experts are as likely. Here it is how many there are.
 */
static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const struct exchange *const e = exchange_of(c);
    const bool out = exchange_is_dispatch(c);
    const int64_t bytes =
        2 * (out ? (int64_t)pitch(c) : kernel_num(c, "hidden"));
    int64_t most = -1;

    *m = (struct kernel_model){.level = "nvlink"};
    for (int g = 0; g < e->gpus; g++) {
        int64_t here = 0, there = 0;

        for (int h = 0; h < e->gpus; h++)
            if (h != g) {
                here += exchange_rows(e, h, g);
                there += exchange_rows(e, g, h);
            }
        if ((here > there ? here : there) <= most)
            continue;
        most = here > there ? here : there;
        m->bytes_read = bytes * (out ? here : there);
        m->bytes_written = bytes * (out ? there : here);
    }
    m->formula = out ? "a row of 2 hidden B and 32 B of marks for each token "
                       "and each other GPU that has one of its experts"
                     : "a row of 2 hidden B from each other GPU that has an "
                       "expert of the token";
}

/* ---- the reference ---- */

/* Number i behind a row of a token at GPU `at`. */
static double mark(const struct exchange *e, int at, int token, int i)
{
    const int each = EXCHANGE_EXPERTS / e->gpus;

    if (i < EXCHANGE_TOP) {
        const int expert = e->chosen[token * EXCHANGE_TOP + i];

        return expert / each == at ? expert % each + 1 : 0;
    }
    if (i == EXCHANGE_TOP)
        return token / e->t;
    return i == EXCHANGE_TOP + 1   ? token % e->t % 256
           : i == EXCHANGE_TOP + 2 ? token % e->t / 256
                                   : 0;
}

static double arrived(const struct kernel_case *c, const struct exchange *e,
                      uint64_t seed, size_t i)
{
    const size_t hidden = number(c, "hidden");
    size_t row = i / pitch(c), col = i % pitch(c);
    int at = 0;

    for (; row >= (size_t)exchange_begin(e, at, e->gpus); at++)
        row -= (size_t)exchange_begin(e, at, e->gpus);

    const int token = e->row[at][row];

    if (col >= hidden)
        return mark(e, at, token, (int)(col - hidden));
    return (double)input_bf16(seed, kernel_gpu_input(token / e->t, EXCHANGE_X),
                              (size_t)(token % e->t) * hidden + col);
}

/* Where the row of a token lies at GPU `at`; -1 if it does not go there. */
static int row_of(const struct exchange *e, int at, int token)
{
    int low = 0, high = exchange_begin(e, at, e->gpus);

    while (low < high) {
        const int middle = (low + high) / 2;

        if (e->row[at][middle] < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low < exchange_begin(e, at, e->gpus) && e->row[at][low] == token
               ? low
               : -1;
}

static void combined(const struct kernel_case *c, const struct exchange *e,
                     uint64_t seed, size_t i, double *value, double *magnitude)
{
    const size_t hidden = number(c, "hidden"), gpus = (size_t)e->gpus;
    const int token = (int)(i / hidden);

    *value = *magnitude = 0;
    for (int h = 0; h < e->gpus; h++) {
        const int row = row_of(e, h, token);

        if (row < 0)
            continue;

        const double y =
            (double)input_bf16(seed, kernel_gpu_input(h, EXCHANGE_Y),
                               (size_t)row * hidden + i % hidden);
        const double w = (double)input_f32(
            seed, kernel_gpu_input(token / e->t, EXCHANGE_WEIGHT),
            (size_t)(token % e->t) * gpus + (size_t)h);

        *value += w * y;
        *magnitude += fabs(w * y);
    }
}

static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    const struct exchange *const e = exchange_of(c);
    const bool out = exchange_is_dispatch(c);

    for (size_t k = 0; k < n; k++) {
        if (!out) {
            combined(c, e, seed, idx[k], value + k, magnitude + k);
            continue;
        }
        value[k] = arrived(c, e, seed, idx[k]);
        magnitude[k] = 1;
    }
}

static size_t terms(const struct kernel_case *c)
{
    return exchange_is_dispatch(c) ? 1 : 2 * (size_t)kernel_gpus(c);
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "what arrives is what was sent";
    if (exchange_is_dispatch(c))
        return 0;
    *why = "2^-8 of the sum for its rounding to bf16, and 2^-23 of all terms "
           "for each multiplication and addition in f32";
    return 0x1p-8 + kernel_gpus(c) * 0x1p-23;
}

#define CASE(gpus, part, t, hidden, routing, use) \
    {                                             \
        {{"gpus", gpus, NULL},                    \
         {"part", 0, part},                       \
         {"t", t, NULL},                          \
         {"hidden", hidden, NULL},                \
         {"routing", 0, routing}},                \
            5, KERNEL_BF16, (use) | KERNEL_MEETS  \
    }
#define BOTH(gpus, t, hidden, routing, use)          \
    CASE(gpus, "dispatch", t, hidden, routing, use), \
        CASE(gpus, "combine", t, hidden, routing, use)
#define CHECK(gpus, t, hidden, routing) \
    BOTH(gpus, t, hidden, routing, KERNEL_CHECK)
#define V3(gpus, t) \
    BOTH(gpus, t, 7168, "uniform", KERNEL_MEASURE_CUDA | KERNEL_HOT)

static const struct kernel_case cases[] = {
    /* one token; tokens that miss a GPU; around the 32 tokens of a warp; GPUs
       that get nothing; rows of less than a piece, of a piece and a bit */
    CHECK(2, 1, 8, "uniform"),
    CHECK(2, 33, 1800, "pair"),
    CHECK(2, 9, 40, "one"),
    CHECK(4, 3, 1808, "uniform"),
    CHECK(4, 64, 48, "pair"),
    CHECK(4, 100, 200, "pair"),
    CHECK(4, 12, 48, "home"),
    V3(2, 8),
    V3(2, 64),
    V3(2, 512),
    V3(2, 4096),
    V3(4, 8),
    V3(4, 64),
    V3(4, 512),
    V3(4, 4096),
};

/* ---- what a variant can do ---- */

static bool goes_out(const struct kernel_case *c)
{
    return exchange_is_dispatch(c);
}

static bool comes_back(const struct kernel_case *c)
{
    return !exchange_is_dispatch(c);
}

/* Each GPU looks at the marks of all tokens. */
static bool is_few(const struct kernel_case *c)
{
    return kernel_num(c, "t") <= 64;
}

/* NCCL moves nothing between GPUs that have nothing for each other, so they
 * would not meet. */
static bool is_all_to_all(const struct kernel_case *c)
{
    const struct exchange *const e = exchange_of(c);

    for (int g = 0; g < e->gpus; g++)
        for (int h = 0; h < e->gpus; h++)
            if (exchange_rows(e, g, h) == 0)
                return false;
    return true;
}

LAUNCHER(exchange_engine);
LAUNCHER(exchange_each);
LAUNCHER(exchange_push);
LAUNCHER(exchange_pull);
LAUNCHER(exchange_bulk);
LAUNCHER(exchange_inband);
LAUNCHER(exchange_nccl);
SCRATCH(exchange_engine_scratch);
SCRATCH(exchange_each_scratch);
SCRATCH(exchange_push_scratch);
SCRATCH(exchange_pull_scratch);
SCRATCH(exchange_bulk_scratch);
SCRATCH(exchange_inband_scratch);
SCRATCH(exchange_nccl_scratch);
PREPARE(exchange_engine_prepare);
PREPARE(exchange_bulk_prepare);
PREPARE(exchange_nccl_prepare);
__attribute__((weak)) const char *exchange_nccl_library(void);

#define STEP(name, can, words, what)                                          \
    {                                                                         \
        .id = #name, .title = words, .idea = what, .where = KERNEL_CUDA,      \
        .file = "kernels/exchange/" #name ".cu", .supports = can,             \
        .scratch_bytes = exchange_##name##_scratch, .launch = exchange_##name \
    }

static const struct kernel_variant variants[] = {
    {
        .id = "engine",
        .title = "rows side by side, then the copy engine",
        .idea = "A kernel puts the rows for each GPU side by side, and the DMA "
                "engine copies them, whose number the host knows.",
        .where = KERNEL_CUDA,
        .file = "kernels/exchange/engine.cu",
        .scratch_bytes = exchange_engine_scratch,
        .prepare = exchange_engine_prepare,
        .launch = exchange_engine,
    },
    STEP(each, goes_out, "a row for each expert",
         "Warps store a row into the receiver's memory once for each of the "
         "eight experts of its token."),
    STEP(push, NULL, "a row for each GPU",
         "A row goes once to each GPU, and blocks tell each other by flags "
         "that their rows are there."),
    STEP(pull, comes_back, "rows are fetched, and added as they come",
         "The token's GPU loads the rows from where they were made, so none is "
         "stored and read again."),
    {
        .id = "bulk",
        .title = "the TMA moves the rows",
        .idea = "Rows pass shared memory as bulk copies, three under way for "
                "each of four warps, and no register holds them.",
        .where = KERNEL_CUDA,
        .file = "kernels/exchange/bulk.cu",
        .scratch_bytes = exchange_bulk_scratch,
        .prepare = exchange_bulk_prepare,
        .launch = exchange_bulk,
    },
    STEP(inband, is_few, "packets that carry their flag",
         "Rows come as packets of 12 bytes and a ticket, to a place that "
         "depends on the token alone, so nobody counts before."),
    {
        .id = "nccl",
        .title = "NCCL",
        .idea = "A kernel puts the rows for each GPU side by side, and NCCL "
                "sends and receives them in a group call.",
        .where = KERNEL_CUDA,
        .role = KERNEL_PEER,
        .file = "kernels/exchange/nccl.cu",
        .supports = is_all_to_all,
        .scratch_bytes = exchange_nccl_scratch,
        .prepare = exchange_nccl_prepare,
        .launch = exchange_nccl,
        .library = exchange_nccl_library,
    },
};

const struct kernel_family exchange_family = {
    .id = "exchange",
    .title = "Experts over GPUs",
    .problem = "The experts of a mixture-of-experts layer are spread over "
               "GPUs. Each token goes once to every GPU that has one of its "
               "eight experts (dispatch); a result comes back from each, and "
               "they are added with the routing's weights (combine). A call "
               "begins nowhere before the call before has begun everywhere.",
    .metric = "bandwidth",
    .file = "kernels/exchange/family.c",
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
