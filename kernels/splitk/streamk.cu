/*
 * splitk/streamk - all steps of all tiles are dealt out evenly (stream-K).
 *
 * C[i][j] = Σ_k A[i][k] B[j][k]; rows of A are tokens, rows of B weights.
 *
 * A tile is cut into whole pieces: 132 SMs and 56 tiles make 2 pieces a tile,
 * and 20 SMs have none. Here the steps of all tiles stand in a row, and each SM
 * gets as many of them. Its share may begin within one tile and end within
 * another:
 *
 *     block      0         1         2         3         4
 *            |=========|=========|=========|=========|=========|
 *     tiles  |       0       |       1       |       2       |
 *
 * A block leaves the sums of a part of a tile in memory. Who is last at a tile
 * adds up its parts in the order of k, as in splitk/ordered. Nobody waits for
 * anybody. A block leaves at most two parts: one of a tile that began before
 * its share, and one of a tile that ends behind it.
 *
 * A share costs more than a piece, for it may touch two tiles. What it saves
 * are SMs without work. But memory is the limit here, and 112 SMs ask for
 * enough.
 *
 * Predicts: as fast as splitk/ordered, within 6 %, for 16 tokens of v3_o.
 */
#include "kernels/splitk/tile.cuh"

enum { PARTS = 2 /* that a block may leave */ };

// ANCHOR: share
/* The steps of a block, counted over all tiles. */
struct share {
    int next, end;
};

static __host__ __device__ inline int all_steps(const product &p)
{
    return tiles_of(p) * steps_of(p);
}

static __device__ __forceinline__ share share_of(const product &p)
{
    const int64_t all = all_steps(p), b = blockIdx.x;

    return {(int)(all * b / gridDim.x), (int)(all * (b + 1) / gridDim.x)};
}

/* The block whose share has this step. */
static __device__ __forceinline__ int block_of(const product &p, int step)
{
    const int64_t behind = (int64_t)(step + 1) * gridDim.x;

    return (int)((behind - 1) / all_steps(p));
}

/* Takes the next piece of the share; false if there is none. */
static __device__ __forceinline__ bool take(share &s, int steps, piece &w)
{
    const int begin = s.next % steps;

    if (s.next == s.end)
        return false;
    w = {s.next / steps, begin, min(steps, begin + s.end - s.next)};
    s.next += w.end - w.begin;
    return true;
}
// ANCHOR_END: share

/* Where block `b` leaves its part of a tile: in the second place if the tile
 * begins in its share. */
static __device__ __forceinline__ part *part_of(part *all, int b, bool begins)
{
    return all + b * PARTS + (begins ? 1 : 0);
}

/* The warp group: leaves the sums of a piece; who is last gets all of the
 * tile's. False: another block will be. */
static __device__ __forceinline__ bool leave(float (&sum)[SUMS],
                                             const product &p, const piece &w,
                                             part *all, uint32_t *count)
{
    const int steps = steps_of(p), top = top_of(p, w.tile);
    const int first = block_of(p, w.tile * steps);
    const int last = block_of(p, w.tile * steps + steps - 1);
    part *const to = part_of(all, blockIdx.x, w.begin == 0);

#pragma unroll
    for (int j = 0; j < SUMS / 2; j++)
        if (is_token(p, top, j))
            to->pair[j][threadIdx.x] = make_float2(sum[2 * j], sum[2 * j + 1]);
    if (!is_last(count + w.tile, last - first + 1))
        return false;
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        sum[j] = 0;
    for (int b = first; b <= last; b++) {
        const part *const from = part_of(all, b, b == first);

#pragma unroll
        for (int j = 0; j < SUMS / 2; j++)
            if (is_token(p, top, j)) {
                const float2 v = from->pair[j][threadIdx.x];

                sum[2 * j] += v.x;
                sum[2 * j + 1] += v.y;
            }
    }
    return true;
}

static __global__ void __launch_bounds__(THREADS, 2)
    streamk(struct product p, const __grid_constant__ CUtensorMap a_map,
            const __grid_constant__ CUtensorMap b_map, part *all,
            uint32_t *count)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    const slots r = slots_in(raw, full, empty);
    const int steps = steps_of(p);
    share mine = share_of(p);
    piece w;
    int i = 0; /* slots, over all pieces */

    // ANCHOR: inner
    if (fetches()) {
        while (take(mine, steps, w))
            fetch(r, &a_map, &b_map, p, w, i);
    } else if (threadIdx.x < WGMMA_GROUP) {
        float sum[SUMS];

        while (take(mine, steps, w)) {
            const bool whole = w.begin == 0 && w.end == steps;

            multiply(sum, r, w, i);
            if (whole || leave(sum, p, w, all, count))
                put_sums(p, top_of(p, w.tile), left_of(p, w.tile), sum);
        }
    }
    // ANCHOR_END: inner
}

/* A block for each SM, if each has at least FEW_STEPS. */
static int blocks_of(const product &p, int sms)
{
    const int worth = all_steps(p) / FEW_STEPS;

    return worth < 1 ? 1 : worth < sms ? worth : sms;
}

/* Two parts of each block, and behind them the counters of the tiles. */
extern "C" size_t splitk_streamk_scratch(const struct kernel_case *c,
                                         const struct kernel_env *env)
{
    void *const none[3] = {};
    const struct product p = product_of(c, none);

    return blocks_of(p, env->sms) * PARTS * sizeof(part) +
           tiles_of(p) * sizeof(uint32_t);
}

extern "C" const char *splitk_streamk_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return tile_prepare(streamk, c, buf, state);
}

extern "C" int splitk_streamk(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;
    const int blocks = blocks_of(p, env->sms);
    part *const all = (part *)buf[3];

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    streamk<<<blocks, THREADS, SHARED, (cudaStream_t)env->stream>>>(
        p, m->a, m->b, all, (uint32_t *)(all + blocks * PARTS));
    return cudaGetLastError();
}
