/*
 * decode/cluster - eight blocks share a row, and join it on chip.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * In decode/ring parts of a row pass through memory: a block writes its sums,
 * counts itself in the L2, and the last one reads them all. These are three
 * trips to the L2, one after the other, 2 microseconds together. That is much
 * for a row that takes five.
 *
 * Blocks of a cluster run at the same time, and reach each other's shared
 * memory. So a row has eight blocks, each with an eighth of its tiles. Each
 * joins its warps. They meet once, and then a block joins the parts of every
 * eighth head from the shared memory of all. There is neither scratch memory
 * nor a counter. But a short row has no more blocks than eight, and a long one
 * no fewer.
 *
 * Predicts: latency is the limit. 0.75 to 0.95 times the time of decode/ring
 * for one sequence of 1024 keys.
 */
#include "kernels/decode/ring.cuh"

enum { SLOTS = 3, TOGETHER = 8 /* blocks of a row */ };

/* The heads of a block when its warps are joined: a part. */
template <int ROWS> struct joined {
    float value[ROWS][DEEP];
    struct weight weight[ROWS];

    __device__ operator parts()
    {
        return {weight, value[0], ROWS, DEEP};
    }
};

// ANCHOR: gather
/* A warp: joins head h from the parts of all blocks. */
template <int ROWS>
static __device__ __forceinline__ float4 gather(const joined<ROWS> &mine, int h,
                                                struct weight &all)
{
    const float4 *const at = (const float4 *)mine.value[h] + threadIdx.x % WARP;
    struct weight w[TOGETHER];
    float4 v[TOGETHER], sum = make_float4(0, 0, 0, 0);

    all = {-INFINITY, 0};
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        const float4 two = /* weights of two heads */
            cluster_load((const float4 *)&mine.weight[h & ~1], i);

        v[i] = cluster_load(at, i);
        w[i] = h % 2 ? weight{two.z, two.w} : weight{two.x, two.y};
        all.top = fmaxf(all.top, w[i].top);
    }
#pragma unroll
    for (int i = 0; i < TOGETHER; i++) {
        const float by = ptx_exp2(w[i].top - base_of(all.top));

        all.sum += by * w[i].sum;
        sum.x += by * v[i].x;
        sum.y += by * v[i].y;
        sum.z += by * v[i].z;
        sum.w += by * v[i].w;
    }
    return sum;
}
// ANCHOR_END: gather

template <int ROWS>
static __global__ void __cluster_dims__(8) __launch_bounds__(THREADS, 2)
    cluster(struct attention a, const __grid_constant__ maps m)
{
    extern __shared__ char raw[];
    const room<SLOTS, ROWS, true> now(raw);
    joined<ROWS> &mine = *(joined<ROWS> *)(now.empty + SLOTS);
    const int warp = threadIdx.x / WARP, rank = cluster_rank();
    const struct row r = row_of(a, blockIdx.x / TOGETHER, ROWS);
    const int keys = a.where[r.sequence], tiles = ceil_div(keys, SIDE);
    const int first = tiles * rank / TOGETHER;
    const int n = tiles * (rank + 1) / TOGETHER - first;

    if (fetches()) {
        const int row = (int)(keys_of(a, r) / DEEP) + first * SIDE;

        for (int i = 0; i < n; i++)
            ask<SIDE>(now, m, i, 1, {row + i * SIDE});
        __syncwarp(); /* its lanes meet the others together */
    } else {
        held x;

        begin(x, a, r);
        for (int i = 0; i < n; i++)
            take(now, x, a.scale, i, keys - (first + i) * SIDE);
        ptx_sync_some(ALL_MULTIPLY, BESIDE); /* nobody needs the slots */
        show(*now.sums, x);
        ptx_sync_some(ALL_MULTIPLY, BESIDE); /* all warps have shown theirs */
        for (int h = warp; h < ROWS; h += WARPS) {
            struct weight all;
            const float4 o = join_warps(*now.sums, h, all);

            leave(mine, 0, h, o, all);
        }
    }
    cluster_sync(); /* the parts of all blocks are there */
    if (warp < WARPS)
        for (int h = rank + warp * TOGETHER; h < r.heads;
             h += WARPS * TOGETHER) {
            struct weight all;
            const float4 o = gather(mine, h, all);

            put(a, query_of(a, r, h), o, all);
        }
    __syncwarp();
    cluster_sync(); /* nobody reaches into another block any more */
}

template <int ROWS>
static int start(const attention &a, const maps &m, cudaStream_t to)
{
    const int shared =
        room<SLOTS, ROWS, true>::SHARED + (int)sizeof(joined<ROWS>);
    const int rows = a.b * a.kv * blocks_of_group(a, ROWS);
    const int error = with_room(cluster<ROWS>, shared);

    if (error)
        return error;
    cluster<ROWS><<<rows * TOGETHER, THREADS, shared, to>>>(a, m);
    return cudaGetLastError();
}

extern "C" const char *decode_cluster_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    return maps_open(c, buf, state);
}

extern "C" int decode_cluster(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct attention a = attention_of(c, buf);

    return few_heads(a)
               ? start<8>(a, *(const maps *)state, (cudaStream_t)env->stream)
               : start<16>(a, *(const maps *)state, (cudaStream_t)env->stream);
}
