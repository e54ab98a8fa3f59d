/*
 * kernels/decode/scalar.cuh - rows on CUDA cores: LANES lanes share a key, each
 * has DEEP / LANES elements of it, and of all queries and sums of the row.
 */
#ifndef KERNELS_DECODE_SCALAR_CUH
#define KERNELS_DECODE_SCALAR_CUH

#include "kernels/decode/attention.cuh"

enum {
    WARPS = 8,
    THREADS = WARPS * WARP,
    MOST = 8, /* heads of a row */
};

/* A lane's elements of a key or a value: W of them, two in each word. */
template <int W> struct piece {
    uint32_t word[W / 2];

    __device__ float at(int i) const
    {
        return i % 2 ? bf16_second(word[i / 2]) : bf16_first(word[i / 2]);
    }
};

template <int W>
static __device__ __forceinline__ piece<W> read(const uint16_t *from)
{
    piece<W> p;

    if (W == 8) {
        const uint4 v = *(const uint4 *)from;

        p.word[0] = v.x, p.word[1] = v.y;
        p.word[W / 2 - 2] = v.z, p.word[W / 2 - 1] = v.w;
    } else {
        const uint2 v = *(const uint2 *)from;

        p.word[0] = v.x, p.word[1] = v.y;
    }
    return p;
}

/* What a lane holds of G heads. */
template <int G, int W> struct held {
    float q[G][W], o[G][W];
    struct weight all[G];
};

/* Elements of lane `mine` of those that share a key; heads that the row does
 * not have get zeros. */
template <int G, int W>
static __device__ __forceinline__ void begin(held<G, W> &x, const attention &a,
                                             const struct row &r, int mine)
{
#pragma unroll
    for (int g = 0; g < G; g++) {
        const int query = query_of(a, r, min(g, r.heads - 1));
        const piece<W> p = read<W>(a.q + (size_t)query * DEEP + mine * W);

#pragma unroll
        for (int i = 0; i < W; i++) {
            x.q[g][i] = g < r.heads ? p.at(i) : 0;
            x.o[g][i] = 0;
        }
        x.all[g] = {-INFINITY, 0};
    }
}

/* The sum over the lanes that share a key. */
template <int W> static __device__ __forceinline__ float over_key(float v)
{
#pragma unroll
    for (int step = DEEP / W / 2; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    return v;
}

// ANCHOR: take
/* Takes N keys in: their scores, their weights, and what old sums must be
 * multiplied by. The first `there` of them exist. */
template <int N, int G, int W>
static __device__ __forceinline__ void take(held<G, W> &x, float scale,
                                            const piece<W> (&k)[N],
                                            const piece<W> (&v)[N], int there)
{
#pragma unroll
    for (int g = 0; g < G; g++) {
        float s[N], most = x.all[g].top, back, base;

#pragma unroll
        for (int n = 0; n < N; n++) {
            s[n] = 0;
#pragma unroll
            for (int i = 0; i < W; i++)
                s[n] += x.q[g][i] * k[n].at(i);
            s[n] = over_key<W>(s[n]);
            s[n] = n < there ? s[n] * scale : -INFINITY;
            most = fmaxf(most, s[n]);
        }
        base = base_of(most);
        back = ptx_exp2(x.all[g].top - base);
        x.all[g].top = most;
        x.all[g].sum *= back;
#pragma unroll
        for (int i = 0; i < W; i++)
            x.o[g][i] *= back;
#pragma unroll
        for (int n = 0; n < N; n++) {
            const float w = ptx_exp2(s[n] - base);

            x.all[g].sum += w;
#pragma unroll
            for (int i = 0; i < W; i++)
                x.o[g][i] += w * v[n].at(i);
        }
    }
}
// ANCHOR_END: take

/* Joins the sums of lanes `step` apart, which have had other keys. */
template <int G, int W>
static __device__ __forceinline__ void join_lanes(held<G, W> &x, int step)
{
#pragma unroll
    for (int g = 0; g < G; g++) {
        struct weight &all = x.all[g];
        const float other = __shfl_xor_sync(0xffffffffu, all.top, step);
        const float most = fmaxf(all.top, other);
        const float by = ptx_exp2(all.top - base_of(most));

        all.top = most;
        all.sum *= by;
        all.sum += __shfl_xor_sync(0xffffffffu, all.sum, step);
#pragma unroll
        for (int i = 0; i < W; i++) {
            x.o[g][i] *= by;
            x.o[g][i] += __shfl_xor_sync(0xffffffffu, x.o[g][i], step);
        }
    }
}

/* Parts of a block's warps. */
template <int G> struct lane_parts {
    float value[WARPS][G][DEEP];
    struct weight weight[WARPS][G];

    __device__ operator parts()
    {
        return {weight[0], value[0][0], G, DEEP};
    }
};

/* All threads of a block: the sums of its warps to shared memory. Lanes that
 * hold the same put them once. */
template <int G, int W>
static __device__ __forceinline__ void show(lane_parts<G> &to,
                                            const held<G, W> &x)
{
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;

    if (lane < DEEP / W)
#pragma unroll
        for (int g = 0; g < G; g++) {
#pragma unroll
            for (int i = 0; i < W; i++)
                to.value[warp][g][lane * W + i] = x.o[g][i];
            if (lane == 0)
                to.weight[warp][g] = x.all[g];
        }
    __syncthreads(); /* the sums of all warps are there */
}

/* Calls start<G>(...) with room for the heads of a row. */
#define ONE_FOUR_EIGHT(a, start, ...)                         \
    ((a).heads == (a).kv              ? start<1>(__VA_ARGS__) \
     : (a).heads <= MOST / 2 * (a).kv ? start<4>(__VA_ARGS__) \
                                      : start<8>(__VA_ARGS__))

#endif
