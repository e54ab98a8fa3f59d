/*
 * kernels/coop/family.c - reductions and scans over groups of threads, from
 * eight lanes to the grid: what one costs.
 *
 * How to add a variant: put a file beside this one, its launcher among the
 * declarations below, and a row into `variants`, in reading order.
 */
#include "kernels/declare.h"
#include "kernels/coop/coop.h"
#include "kernels/input.h"

#include <stdlib.h>
#include <string.h>

enum {
    X = 1, /* buffer number of the input */
    /* No operation needs more additions in a row. The longest: 21 lanes, or
       eight warps of a block, one after the other; four blocks; and the five
       steps of each of two warps. */
    DEPTH = 40,
    MOST = COOP_BLOCKS * COOP_THREADS, /* members of a group */
};

static const char *const scopes[COOP_SCOPES] = {
    [COOP_SCOPE_TILE] = "tile",           [COOP_SCOPE_WARP] = "warp",
    [COOP_SCOPE_COALESCED] = "coalesced", [COOP_SCOPE_BLOCK] = "block",
    [COOP_SCOPE_CLUSTER] = "cluster",     [COOP_SCOPE_GRID] = "grid",
};

enum coop_scope coop_scope_of(const struct kernel_case *c)
{
    const char *word = kernel_word(c, "scope");
    int s = 0;

    while (s < COOP_SCOPE_GRID && strcmp(word, scopes[s]) != 0)
        s++;
    return (enum coop_scope)s;
}

bool coop_is_scan(const struct kernel_case *c)
{
    return strcmp(kernel_word(c, "op"), "scan") == 0;
}

static size_t length(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "blocks") * COOP_THREADS;
}

/* Consecutive threads from which a group takes its members. */
static size_t span(const struct kernel_case *c)
{
    const size_t spans[COOP_SCOPES] = {
        COOP_TILE, WARP, WARP, COOP_THREADS, COOP_CLUSTER * COOP_THREADS,
        length(c),
    };

    return spans[coop_scope_of(c)];
}

float coop_factor(const struct kernel_case *c)
{
    size_t room = 1;

    while (room < span(c))
        room *= 2;
    return 1.0f / (float)room;
}

static size_t buffers(const struct kernel_case *c,
                      struct kernel_buffer b[KERNEL_MAX_BUFFERS])
{
    b[0] = kernel_out("out", KERNEL_F32, length(c));
    b[X] = kernel_in("x", KERNEL_F32, length(c));
    return 2;
}

static void model(const struct kernel_case *c, struct kernel_model *m)
{
    const int64_t n = (int64_t)length(c);

    *m = (struct kernel_model){
        .flop = kernel_num(c, "rounds"),
        .op = coop_is_scan(c) ? "scan" : "reduction",
        .bytes_read = 4 * n,
        .bytes_written = 4 * n,
        .formula = "all groups do one operation per round, side by side; each "
                   "element is read once and written once, 4 B",
        .level = "cache",
    };
}

/* --- the reference --- */

/* A group whose values after the last round are wanted, in doubles. */
struct group {
    size_t first, n; /* consecutive threads */
    bool picked;     /* only those whose lane is not 1 modulo 3 */
    bool scan;
    double f;
    int64_t rounds;
};

static bool sits_out(const struct group *g, size_t k)
{
    return g->picked && (g->first + k) % 32 % 3 == 1;
}

/*
 * For a sum it is enough to follow the total. Let X be the sum of x over the m
 * members, and S the sum of their values, at first X. In a round each value
 * becomes f S + x, so the next sum is m f S + X.
 */
static void reduce_group(const struct group *g, const double *x, double *v)
{
    double sum = 0, all, before = 0;
    size_t members = 0;

    for (size_t k = 0; k < g->n; k++)
        if (!sits_out(g, k)) {
            sum += x[k];
            members++;
        }
    all = sum;
    for (int64_t r = 0; r < g->rounds; r++) {
        before = all;
        all = (double)members * g->f * all + sum;
    }
    for (size_t k = 0; k < g->n; k++)
        v[k] = sits_out(g, k) ? x[k] : g->f * before + x[k];
}

static void scan_group(const struct group *g, const double *x, double *v)
{
    memcpy(v, x, g->n * sizeof *v);
    for (int64_t r = 0; r < g->rounds; r++) {
        double sum = 0;

        for (size_t k = 0; k < g->n; k++)
            if (!sits_out(g, k)) {
                sum += v[k];
                v[k] = g->f * sum + x[k];
            }
    }
}

/* One group's x, and the values made from it: [0] signed, [1] magnitudes. */
struct work {
    double x[2][MOST], v[2][MOST];
};

static void do_group(const struct group *g, uint64_t seed, struct work *w)
{
    for (size_t k = 0; k < g->n; k++) {
        w->x[0][k] = (double)input_f32(seed, X, g->first + k);
        w->x[1][k] = fabs(w->x[0][k]);
    }
    for (int s = 0; s < 2; s++)
        if (g->scan)
            scan_group(g, w->x[s], w->v[s]);
        else
            reduce_group(g, w->x[s], w->v[s]);
}

/* Outputs come in order, so each group is worked out once. */
static void expect(const struct kernel_case *c, uint64_t seed,
                   const size_t *idx, size_t n, double *value,
                   double *magnitude)
{
    struct group g = {
        .n = span(c),
        .picked = coop_scope_of(c) == COOP_SCOPE_COALESCED,
        .scan = coop_is_scan(c),
        .f = (double)coop_factor(c),
        .rounds = kernel_num(c, "rounds"),
    };
    struct work *w = malloc(sizeof *w);

    if (!w)
        abort();
    for (size_t i = 0; i < n; i++) {
        const size_t first = idx[i] / g.n * g.n;

        if (i == 0 || first != g.first) {
            g.first = first;
            do_group(&g, seed, w);
        }
        value[i] = w->v[0][idx[i] - first];
        magnitude[i] = w->v[1][idx[i] - first];
    }
    free(w);
}

static size_t terms(const struct kernel_case *c)
{
    return (size_t)kernel_num(c, "rounds");
}

static double tolerance(const struct kernel_case *c, const char **why)
{
    *why = "2^-24 for each of 40 additions, a product and a sum per round, of "
           "what |x| instead of x would give: the bound that always holds";
    return (double)kernel_num(c, "rounds") * (DEPTH + 2) * 0x1p-24;
}

/* --- cases --- */

#define CASE(op, scope, rounds, blocks, use) \
    {                                        \
        {{"op", 0, op},                      \
         {"scope", 0, scope},                \
         {"rounds", rounds, NULL},           \
         {"blocks", blocks, NULL}},          \
            4, KERNEL_F32, use               \
    }
#define BOTH(scope, rounds, blocks, use)        \
    CASE("reduce", scope, rounds, blocks, use), \
        CASE("scan", scope, rounds, blocks, use)
#define CHECKED(scope)                                                \
    BOTH(scope, 1, 4, KERNEL_CHECK), BOTH(scope, 2, 8, KERNEL_CHECK), \
        BOTH(scope, 7, 128, KERNEL_CHECK)
#define GPU KERNEL_MEASURE_CUDA | KERNEL_HOT

static const struct kernel_case cases[] = {
    CHECKED("tile"),
    CHECKED("warp"),
    CHECKED("coalesced"),
    CHECKED("block"),
    CHECKED("cluster"),
    CHECKED("grid"),
    BOTH("tile", 1024, COOP_BLOCKS, GPU),
    BOTH("warp", 1024, COOP_BLOCKS, GPU),
    BOTH("coalesced", 1024, COOP_BLOCKS, GPU),
    BOTH("block", 1024, COOP_BLOCKS, GPU),
    BOTH("cluster", 512, COOP_BLOCKS, GPU),
    BOTH("grid", 256, COOP_BLOCKS, GPU),
    BOTH("warp", 16, 16, KERNEL_MEASURE_CPU | KERNEL_HOT),
    BOTH("block", 16, 16, KERNEL_MEASURE_CPU | KERNEL_HOT),
};

LAUNCHER(coop_groups);
LAUNCHER(coop_hand);
C_LAUNCHER(coop_c_scalar);
C_LAUNCHER(coop_c_simd);

/* Two turns of a word for each block, and where each block is. */
static size_t scratch(const struct kernel_case *c, const struct kernel_env *env)
{
    (void)env;
    if (coop_scope_of(c) != COOP_SCOPE_GRID)
        return 0;
    return COOP_BLOCKS * (2 * sizeof(uint64_t) + sizeof(uint32_t));
}

static const struct kernel_variant variants[] = {
    {
        .id = "c_scalar",
        .title = "plain C loop",
        .idea = "Group by group and member by member on one CPU thread.",
        .where = KERNEL_CPU,
        .file = "kernels/coop/c_scalar.c",
        .launch = coop_c_scalar,
    },
    {
        .id = "c_simd",
        .title = "C, threads",
        .idea = "Every core takes a share of the groups.",
        .where = KERNEL_CPU,
        .file = "kernels/coop/c_simd.c",
        .launch = coop_c_simd,
    },
    {
        .id = "groups",
        .title = "cooperative groups",
        .idea = "Groups are objects of the library, which has the operation "
                "up to the block and synchronisation beyond it.",
        .where = KERNEL_CUDA,
        .file = "kernels/coop/groups.cu",
        .scratch_bytes = scratch,
        .launch = coop_groups,
    },
    {
        .id = "hand",
        .title = "by hand",
        .idea = "The same in shuffles, one barrier a round, and values that "
                "carry their own flag.",
        .where = KERNEL_CUDA,
        .file = "kernels/coop/hand.cu",
        .scratch_bytes = scratch,
        .launch = coop_hand,
    },
};

const struct kernel_family coop_family = {
    .id = "coop",
    .title = "Groups of threads",
    .problem = "Threads in groups of eight lanes, a warp, part of a warp, a "
               "block, a cluster or the grid need the sum of what they have, "
               "or the sum up to each, and the next round needs the result. "
               "What is measured is how long one such operation takes.",
    .metric = "latency",
    .file = "kernels/coop/family.c",
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
