/*
 * kernels/grouped/few.cuh - products in which weights are rows and tokens are
 * columns, as many columns as an expert has rows: grouped/few and what follows
 * from it. The essay is there.
 */
#ifndef KERNELS_GROUPED_FEW_CUH
#define KERNELS_GROUPED_FEW_CUH

#include "kernels/grouped/experts.cuh"
#include "kernels/splitk/ptx.cuh"

enum {
    GROUPS = 2,                 /* warp groups that multiply */
    HIGH = GROUPS * WGMMA_HIGH, /* outputs of a tile: rows of weights */
    MOST = 128,                 /* tokens of a tile */
    DEEP = 64,                  /* of k at a time: a row of a TMA tile */
    STAGES = 6,                 /* slots */
    WARPS = GROUPS * WGMMA_GROUP / WARP,
    MULTIPLY = GROUPS * WGMMA_GROUP,   /* threads */
    W_BYTES = HIGH * TENSOR_MAP_PANEL, /* weights in a slot */
    X_BYTES = MOST * TENSOR_MAP_PANEL, /* tokens, at most */
    SLOTS_BYTES = STAGES * (W_BYTES + X_BYTES),
    SHARED = SLOTS_BYTES + TENSOR_MAP_ALIGN,
    SIZES = 5, /* of tiles: 8, 16, 32, 64 and 128 tokens */
};

/* Shared memory: the slots and their barriers. */
struct slots {
    char *w, *x;
    uint64_t *full, *empty;
};

static __device__ __forceinline__ slots slots_in(char *raw, uint64_t *full,
                                                 uint64_t *empty)
{
    char *const w = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));

    return {w, w + STAGES * W_BYTES, full, empty};
}

/* By one thread: a slot is full after `arrivals` at its `full`. */
static __device__ __forceinline__ void slots_init(const slots &r, int arrivals)
{
    for (int s = 0; s < STAGES; s++) {
        ptx_mbar_init(&r.full[s], (uint32_t)arrivals);
        ptx_mbar_init(&r.empty[s], WARPS);
    }
    ptx_mbar_init_fence();
}

/* What a block makes at a time: outputs from `left` on of tokens from `top` on,
 * rows up to `end`, with weights of expert g. `alone`: it has no other tile
 * of these weights. */
struct tile {
    int top, left, end, g;
    bool alone;
};

// ANCHOR: size
/* The smallest tile that takes all tokens: 8 << size. */
static __host__ __device__ inline int size_for(int tokens)
{
    int size = 0;

    while (size < SIZES - 1 && 8 << size < tokens)
        size++;
    return size;
}
// ANCHOR_END: size

/* Calls `each` for all tiles of this block. Those of the same weights have
 * neighbouring numbers. */
template <class EACH>
static __device__ __forceinline__ void
for_each_tile(const tiles &t, const struct experts &x, EACH each)
{
    int g = 0;

    for (int i = blockIdx.x; i < t.first[x.e]; i += gridDim.x) {
        g = tiles_expert(t, g, i);
        const int begin = x.begin[g], end = x.begin[g + 1];
        const int down = ceil_div(end - begin, MOST), in = i - t.first[g];

        each(tile{begin + in % down * MOST, in / down * HIGH, end, g,
                  down == 1});
    }
}

/* A warp group: its 64 outputs of up to 2 S tokens. */
template <int S>
static __device__ __forceinline__ void multiply(float (&sum)[S], const slots &r,
                                                int group, int steps, int &i)
{
    const bool first = threadIdx.x % WARP == 0; /* of each warp */

    // ANCHOR: inner
    for (int step = 0; step < steps; step++, i++) {
        const int s = i % STAGES;

        ptx_mbar_wait(&r.full[s], i / STAGES & 1);
        const uint64_t wt = wgmma_tile(r.w + s * W_BYTES +
                                       group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t xt = wgmma_tile(r.x + s * X_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < DEEP / WGMMA_DEEP; j++)
            wgmma_bf16(sum, wgmma_along(wt, j), wgmma_along(xt, j),
                       step > 0 || j > 0);
        wgmma_commit();
        wgmma_wait<1>(); /* the products of the step before have ended */
        if (first && step > 0)
            ptx_mbar_arrive(&r.empty[(i - 1) % STAGES]);
    }
    wgmma_wait<0>();
    if (first)
        ptx_mbar_arrive(&r.empty[(i - 1) % STAGES]);
    // ANCHOR_END: inner
}

/*
 * A warp group's sums to C. A thread has two tokens of an output: sum[r] and
 * sum[r + 1]; the lane four on has the next output of the same tokens. The two
 * exchange one, and each has a pair of outputs of one token.
 */
template <int S>
static __device__ __forceinline__ void put_tokens(const struct experts &x,
                                                  const tile &w, int group,
                                                  const float (&sum)[S])
{
    const product p = product_until(x, w.end);
    const int warp = threadIdx.x % WGMMA_GROUP / WARP;
    const int lane = threadIdx.x % WARP, odd = lane / 4 % 2;
    const int out = w.left + group * WGMMA_HIGH + warp * 16 + lane / 4 - odd;
    const int token = w.top + lane % 4 * 2 + odd;

#pragma unroll
    for (int r = 0; r < S; r += 2) {
        const float give = odd ? sum[r] : sum[r + 1];
        const float keep = odd ? sum[r + 1] : sum[r];
        const float got = __shfl_xor_sync(0xffffffffu, give, 4);

        put_pair(p, token + r / 4 * 8, out + r / 2 % 2 * 8, odd ? got : keep,
                 odd ? keep : got);
    }
}

/* A warp group: a tile of 2 S tokens. */
template <int S>
static __device__ __forceinline__ void
tile_product(const slots &r, const struct experts &x, const tile &w, int group,
             int &i)
{
    float sum[S];

    multiply(sum, r, group, ceil_div(x.k, DEEP), i);
    put_tokens(x, w, group, sum);
}

/* A warp group: all tiles of this block. */
static __device__ __forceinline__ void
compute(const slots &r, const tiles &t, const struct experts &x, int group)
{
    int i = 0; /* slots, over all tiles */

    // ANCHOR: compute
    for_each_tile(t, x, [&](const tile &w) {
        switch (size_for(w.end - w.top)) {
        case 0:
            return tile_product<4>(r, x, w, group, i);
        case 1:
            return tile_product<8>(r, x, w, group, i);
        case 2:
            return tile_product<16>(r, x, w, group, i);
        case 3:
            return tile_product<32>(r, x, w, group, i);
        default:
            return tile_product<64>(r, x, w, group, i);
        }
    });
    // ANCHOR_END: compute
}

#endif
