/*
 * kernels/splitk/fitted.cuh - which tiles of splitk/swap a product is cut into,
 * and how often a tile is split: the cheapest by a model of the GPU.
 */
#ifndef KERNELS_SPLITK_FITTED_CUH
#define KERNELS_SPLITK_FITTED_CUH

#include "kernels/splitk/swap.cuh"

#include <math.h>

// ANCHOR: model
/* In cycles of an SM, 1980 million in a second, and bytes. */
enum {
    MULTIPLY_ADDS = 2048, /* of all tensor cores of an SM in a cycle */
    LEAST_COLUMNS = 32,   /* a narrower product takes as long, I assume */
    SM_BYTES = 48,        /* that arrive at an SM in a cycle */
    DRAM_BYTES = 2200,    /* that leave DRAM in a cycle: 4.3 TB/s */
    ANSWER = 2600,        /* of DRAM, when it is busy */
    FIRST = 2500,         /* until the first slot has come */
    MEET = 800,           /* of a cluster, and a look into its memory */
    CLUSTER_BYTES = 20,   /* that an SM gets of others in a cycle */
};

/*
 * What a slot costs when `running` blocks are at work: the time of its
 * products, or of its way into the SM, or of its weights' way out of DRAM, or
 * its share of the time for an answer.
 */
static inline double cost_of_slot(const product &p, const cut &c, int running,
                                  int on_sm)
{
    const int high = c.groups * WGMMA_HIGH;
    const int columns = c.tokens < LEAST_COLUMNS ? LEAST_COLUMNS : c.tokens;
    const double weights = high * DEEP * 2,
                 bytes = weights + c.tokens * DEEP * 2;
    const double multiply = (double)high * columns * DEEP / MULTIPLY_ADDS;
    const double leave =
        running * weights / ceil_div(p.m, c.tokens) / DRAM_BYTES;
    const double answer = ANSWER / floor(slots_bytes(high, c.tokens) / bytes);

    return fmax(fmax(on_sm * multiply, on_sm * bytes / SM_BYTES),
                fmax(leave, answer));
}

/* What a cut costs if `fit` clusters run at the same time. */
static inline double cost_of(const product &p, const cut &c, int fit, int sms)
{
    const int tiles = tiles_of(p, c);
    const int steps = ceil_div(ceil_div(p.k, DEEP), c.splits);
    const int running = (tiles < fit ? tiles : fit) * c.splits;
    const int on_sm = ceil_div(running, sms);
    const double sums = c.groups * WGMMA_HIGH * c.tokens * sizeof(float);

    return ceil_div(tiles, fit) *
               (FIRST + steps * cost_of_slot(p, c, running, on_sm)) +
           (c.splits > 1 ? MEET + on_sm * sums / CLUSTER_BYTES : 0);
}
// ANCHOR_END: model

/* The kernel of a cut. KERNELS::of<F>() is the step's own of a form F. */
template <class KERNELS, int GROUPS> static swap_kernel kernel_of(int tokens)
{
    switch (tokens) {
    case 64:
        return KERNELS::template of<form<GROUPS, 64>>();
    case 128:
        return KERNELS::template of<form<GROUPS, 128>>();
    default:
        return KERNELS::template of<form<GROUPS, 256>>();
    }
}

enum { TWO_GROUPS_FROM = 64 /* tokens */ };

template <class KERNELS> static swap_kernel kernel_for(const cut &c)
{
    if (c.groups == 2)
        return kernel_of<KERNELS, 2>(c.tokens);
    switch (c.tokens) {
    case 8:
        return KERNELS::template of<form<1, 8>>();
    case 16:
        return KERNELS::template of<form<1, 16>>();
    case 32:
        return KERNELS::template of<form<1, 32>>();
    default:
        return kernel_of<KERNELS, 1>(c.tokens);
    }
}

/* How many clusters of a cut the GPU runs at the same time; 0: none. */
static inline int clusters_that_fit(const cut &c, const swap_kernel &kernel)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute cluster = {};
    int fit;

    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = c.splits;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    config.gridDim = dim3(c.splits);
    config.blockDim = dim3(kernel.threads);
    config.dynamicSmemBytes = kernel.shared;
    config.attrs = &cluster;
    config.numAttrs = 1;
    return cudaOccupancyMaxActiveClusters(&fit, kernel.run, &config) ==
                   cudaSuccess
               ? fit
               : 0;
}

/* Tries a cut on paper, and keeps it if it is cheaper than `best`. */
template <class KERNELS>
static void try_cut(const product &p, const cut &c, int sms, cut *best,
                    double *least)
{
    const swap_kernel kernel = kernel_for<KERNELS>(c);
    const int fit =
        swap_allow(kernel) == NULL ? clusters_that_fit(c, kernel) : 0;
    const double cost = fit > 0 ? cost_of(p, c, fit, sms) : 0;

    if (fit > 0 && (*least == 0 || cost < *least)) {
        *best = c;
        *least = cost;
    }
}

/* The cheapest cut: one or two warp groups, all tokens in a tile or half of
 * them, and 1 to 8 splits. groups is 0 if none fits. */
template <class KERNELS> static cut cheapest(const product &p, int sms)
{
    const int tokens = tokens_for(p.m);
    cut best = {0, 0, 0};
    double least = 0;

    for (int groups = 1; groups <= 2; groups++)
        for (int t = tokens > 64 ? tokens / 2 : tokens; t <= tokens; t *= 2)
            for (int splits = 1; splits <= most_splits(p); splits++)
                if (groups == 1 || t >= TWO_GROUPS_FROM)
                    try_cut<KERNELS>(p, {groups, t, splits}, sms, &best,
                                     &least);
    return best;
}

/* prepare() and launch() of a step; `early`: before the kernel before has
 * ended.
 */
template <class KERNELS>
static const char *fitted_prepare(const struct kernel_case *c,
                                  const struct kernel_env *env,
                                  void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);
    const cut how = cheapest<KERNELS>(p, env->sms);

    if (how.groups == 0)
        return "the device has too little shared memory for the slots";
    return swap_open(p, how, state);
}

template <class KERNELS>
static int fitted_launch(const struct kernel_case *c,
                         const struct kernel_env *env, void *const *buf,
                         void *state, bool early)
{
    const struct product p = product_of(c, buf);
    const struct swap_state *s = (const struct swap_state *)state;

    if (s == NULL)
        return gemm16_mma(c, env, buf, NULL);
    return swap_launch(p, s, kernel_for<KERNELS>(s->cut), early, env->stream);
}

#endif
