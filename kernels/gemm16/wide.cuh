/*
 * kernels/gemm16/wide.cuh - what kernels with tiles of 128 x 256 outputs share:
 * the slots, and the work of a warp group.
 */
#ifndef KERNELS_GEMM16_WIDE_CUH
#define KERNELS_GEMM16_WIDE_CUH

#include "kernels/trace.cuh"

/* Who defines these before has another instruction, and its own product. */
#ifndef WIDE_PRODUCT
#include "kernels/gemm16/product.cuh"
#define WIDE_PRODUCT wgmma_bf16
#define WIDE_PRODUCT_DEEP WGMMA_DEEP
#endif

enum {
    HIGH = 128,                   /* outputs of a block: rows */
    WIDE = 256,                   /* and columns */
    DEEP = 4 * WIDE_PRODUCT_DEEP, /* of k at a time: a row of a TMA tile */
    STAGES = 4,                   /* slots */
    GROUPS = HIGH / WGMMA_HIGH,
    WARPS = GROUPS * WGMMA_GROUP / WARP, /* that multiply */
    THREADS = (GROUPS + 1) * WGMMA_GROUP,
    A_BYTES = HIGH * TENSOR_MAP_PANEL, /* of A in a slot */
    B_BYTES = WIDE * TENSOR_MAP_PANEL,
    SLOTS_BYTES = STAGES * (A_BYTES + B_BYTES),
    FEW = 40,   /* registers of a thread that asks for tiles */
    MANY = 232, /* and of one that multiplies */
};

/* Shared memory: the slots and their barriers, and what lies behind them. */
struct slots {
    char *a, *b, *behind;
    uint64_t *full, *empty;
};

static __device__ __forceinline__ slots slots_in(char *raw, uint64_t *full,
                                                 uint64_t *empty)
{
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));

    return {a, a + STAGES * A_BYTES, a + SLOTS_BYTES, full, empty};
}

/* By one thread: a slot is free again after `arrivals` at its `empty`. */
static __device__ void slots_init(const slots &r, int arrivals)
{
    for (int s = 0; s < STAGES; s++) {
        ptx_mbar_init(&r.full[s], 1);
        ptx_mbar_init(&r.empty[s], (uint32_t)arrivals);
    }
    ptx_mbar_init_fence();
}

/*
 * A warp group's 64 rows of all `steps` slots that belong to its outputs; i
 * counts slots over all outputs. `done` is told of each slot whose products
 * have ended. `meanwhile` is called with the number of the step while products
 * are under way.
 */
template <class DONE, class MEANWHILE>
static __device__ __forceinline__ void
multiply(float (&sum)[WIDE / 2], const slots &r, int group, int steps, int &i,
         DONE done, MEANWHILE meanwhile TRACE_TAKES)
{
    // ANCHOR: inner
    for (int step = 0; step < steps; step++, i++) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const uint64_t at = wgmma_tile(r.a + s * A_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t bt = wgmma_tile(r.b + s * B_BYTES);

        TRACE_BEGIN(PRODUCT, i);
        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEEP / WIDE_PRODUCT_DEEP; j++)
            WIDE_PRODUCT(sum, wgmma_along(at, j), wgmma_along(bt, j),
                         step > 0 || j > 0);
        wgmma_commit();
        meanwhile(step);
        wgmma_wait<1>(); /* the products of the step before have ended */
        if (step > 0) {
            TRACE_END(PRODUCT, i - 1);
            done((i - 1) % STAGES);
        }
    }
    wgmma_wait<0>();
    TRACE_END(PRODUCT, i - 1);
    done((i - 1) % STAGES);
    // ANCHOR_END: inner
}

/* The `meanwhile` of those who only wait. */
struct nothing {
    __device__ void operator()(int) const
    {
    }
};

/* The outputs of a block at a time: the first row and column. */
struct place {
    int top, left;
};

static __host__ __device__ inline int tiles_of(const product &p)
{
    return ceil_div(p.m, HIGH) * ceil_div(p.n, WIDE);
}

/*
 * Where tile number `i` of a field of `down` x `across` tiles is, if they are
 * numbered in bands of `band` rows: down the columns of a band, then the next.
 * The last band may be lower. In units of tiles.
 */
static __device__ __forceinline__ place in_bands(int i, int band, int down,
                                                 int across)
{
    const int first = i / (band * across) * band;
    const int high = min(band, down - first), in = i - first * across;

    return {first + in % high, in / high};
}

#endif
