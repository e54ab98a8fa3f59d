/*
 * mla/online - one kernel, and scores never leave the SM.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * A block has 64 heads of a sequence and goes through its keys once, a tile of
 * 64 at a time. Old sums are scaled whenever the maximum grows (the online
 * softmax, as in prefill/mma). cp.async brings the next tile meanwhile.
 *
 * The sums are what makes latent attention awkward: 64 heads by 512 columns of
 * f32 are 128 KB, half of the SM's registers. Eight warps hold them: each has
 * 16 heads and half of the columns, 128 registers a thread. The two warps with
 * the same heads make the same scores and weights, so that no weight has to
 * pass from one to the other. That is 53 % more products than there need be.
 *
 * A value is part of its key, so a tile is read once for both.
 *
 * Predicts: shared memory is the limit. Each warp reads a whole tile for its
 * scores, and half of it for its sums: 976 KB for a tile of the block, 7800
 * cycles at 128 bytes each. 120 to 220 TFLOP/s with 128 sequences of 8192 keys
 * and 128 heads.
 */
#include "kernels/mla/tensor.cuh"

enum {
    DOWN = HIGH / ACROSS, /* warps, and across */
    WARPS = 2 * DOWN,
    THREADS = WARPS * WARP,
    PARTS = DEEP / SIDE, /* of a tile: 64 elements of 64 keys */
    SLOT = PARTS * TILE_BYTES,
    SHARED = 3 * SLOT, /* queries, and two tiles */
    COLUMNS = VALUE / 2,
};

/* 64 rows of 576 elements, of which there are so many. */
static __device__ __forceinline__ void
bring_rows(char *to, const uint16_t *from, int rows)
{
    for (int n = 0; n < PARTS; n++)
        bring(to + n * TILE_BYTES, from + n * SIDE, DEEP, rows, THREADS);
}

// ANCHOR: inner
/* A warp: the scores of its heads, which begin at `row`. */
static __device__ __forceinline__ void make_scores(float (&s)[SIDE / 2],
                                                   char *q, char *k, int row)
{
#pragma unroll 4
    for (int e = 0; e < DEEP / ACROSS; e++) {
        const int part = e * ACROSS / SIDE * TILE_BYTES;
        uint32_t x[4];

        take_left(x, q + part, row, e % (SIDE / ACROSS));
#pragma unroll
        for (int n = 0; n < SIDE / ACROSS; n++)
            add_scores(&s[8 * n], x, k + part, n * ACROSS, e % (SIDE / ACROSS));
    }
}

/* Its sums, of the columns that begin at part v. */
static __device__ __forceinline__ void
add_sums(float (&o)[COLUMNS / 2], const float (&s)[SIDE / 2], char *v)
{
#pragma unroll
    for (int step = 0; step < SIDE / ACROSS; step++) {
        uint32_t p[4];

        weights(p, s, step);
#pragma unroll
        for (int n = 0; n < COLUMNS / ACROSS; n++)
            add_values(&o[8 * n], p, v + n * ACROSS / SIDE * TILE_BYTES, step,
                       n % (SIDE / ACROSS));
    }
}
// ANCHOR_END: inner

static __global__ void __launch_bounds__(THREADS, 1) online(struct absorbed a)
{
    extern __shared__ __align__(128) char raw[];
    const struct share w = share_of(a, blockIdx.y, blockIdx.x);
    const int warp = threadIdx.x / WARP, half = warp / DOWN;
    const int row = warp % DOWN * ACROSS, keys = a.where[w.sequence];
    const uint16_t *const from = a.keys + (size_t)w.sequence * a.l * DEEP;
    const auto tile = [&](int i) { return raw + (1 + i % 2) * SLOT; };
    const auto ask = [&](int i) {
        if (i * SIDE < keys)
            bring_rows(tile(i), from + (size_t)i * SIDE * DEEP,
                       keys - i * SIDE);
        ptx_copies_commit();
    };
    float o[COLUMNS / 2] = {};
    struct online of = online_begin();

    bring_rows(raw, a.q + (size_t)w.query * DEEP, w.heads);
    ask(0);
    for (int i = 0; i * SIDE < keys; i++) {
        float s[SIDE / 2] = {}, back[2];

        ask(i + 1);
        ptx_copies_wait<1>();
        __syncthreads(); /* the tile is there */
        make_scores(s, raw, tile(i), row);
        if (keys - i * SIDE < SIDE)
            hide(s, keys - i * SIDE, keys - i * SIDE);
        soften(s, a.scale, of, back);
        scale_rows(o, back);
        add_sums(o, s, tile(i) + half * COLUMNS / SIDE * TILE_BYTES);
        __syncthreads(); /* nobody needs it any more */
    }
    const float sum[2] = {over_four(of.sum[0], true),
                          over_four(of.sum[1], true)};

    put_heads(a, w, row, half * COLUMNS, o, sum);
}

extern "C" int mla_online(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *)
{
    const struct absorbed a = absorbed_of(c, buf);
    const int error = cudaFuncSetAttribute(
        online, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED);

    if (error)
        return error;
    online<<<dim3(shares_of(a), a.b), THREADS, SHARED,
             (cudaStream_t)env->stream>>>(a);
    return cudaGetLastError();
}
