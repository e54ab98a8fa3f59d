/*
 * kernels/step/slots.cuh - a product with 2 to 32 vectors, through a ring of
 * slots in shared memory, as in splitk/swap: weights are the rows of a product
 * of wgmma, and vectors its columns.
 *
 * A block has 128 rows and a share of k. One thread asks the TMA for slots: 64
 * elements of each row, and of each vector. Two warp groups multiply. Blocks
 * that share rows are a cluster: they add up their sums, and each ends some of
 * the vectors.
 *
 * Weights are no kernel's output. So the first slots are asked for before the
 * kernel before has ended, and only vectors wait for it.
 */
#ifndef KERNELS_STEP_SLOTS_CUH
#define KERNELS_STEP_SLOTS_CUH

#include "kernels/splitk/ptx.cuh"
#include "kernels/step/chain.cuh"
#include "kernels/tensor_map.cuh"

enum {
    SLOTS_PAIRS = 64,                 /* of rows */
    SLOTS_HIGH = 2 * WGMMA_HIGH,      /* rows; a warp group has a half */
    SLOTS_DEEP = 64,                  /* elements of k in a slot */
    SLOTS_ROOM = 110 << 10,           /* bytes of slots: two blocks fit an SM */
    SLOTS_PITCH = SLOTS_HIGH + 4,     /* floats from a vector's sums on */
    SLOTS_QUADS = SLOTS_PAIRS / 4,    /* a thread ends four pairs */
    SLOTS_MULTIPLY = 2 * WGMMA_GROUP, /* threads */
    SLOTS_THREADS = SLOTS_MULTIPLY + WARP,
    SLOTS_WARPS = SLOTS_MULTIPLY / WARP,
    SLOTS_BLOCKS = 3, /* that registers are left for: a norm comes in, too */
    SLOTS_BOX = WGMMA_HIGH * TENSOR_MAP_PANEL, /* bytes of 64 rows */
    SLOTS_CLUSTER = 8, /* blocks, at most: what every GPU with clusters takes */
    SLOTS_AT_ONCE = 4, /* of their sums, that a thread asks for */
    SLOTS_FEW = 4,     /* slots that a block is still worth */
};

/* A slot for so many vectors: 8, 16 or 32. */
template <int TOKENS> struct slots_form {
    enum {
        W_BYTES = 2 * SLOTS_BOX,
        X_BYTES = TOKENS * TENSOR_MAP_PANEL,
        STAGES = SLOTS_ROOM / (W_BYTES + X_BYTES),
        BYTES = STAGES * (W_BYTES + X_BYTES),
        SHARED = BYTES + TENSOR_MAP_ALIGN + 2 * STAGES * 8,
        WIDE = TOKENS,
        SUMS = TOKENS / 2, /* of a thread */
    };
    static_assert(SLOTS_PITCH * TOKENS * (int)sizeof(float) <= BYTES,
                  "sums fit the slots");
};

struct slots {
    char *w, *x;
    uint64_t *full, *empty;
};

template <class F> static __device__ __forceinline__ slots slots_in(char *raw)
{
    char *const w = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    uint64_t *const full = (uint64_t *)(w + F::BYTES);
    uint64_t *const empty = full + F::STAGES;

    if (threadIdx.x == SLOTS_MULTIPLY) {
        for (int s = 0; s < F::STAGES; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], SLOTS_WARPS);
        }
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barriers are ready */
    return {w, w + F::STAGES * F::W_BYTES, full, empty};
}

/* What a block does: 64 rows from `first` on and 64 from `second` on, and
 * slots along k. */
struct slots_share {
    int pair, first, second, begin, end;
};

static __device__ __forceinline__ slots_share slots_mine(const product_rows &r,
                                                         int splits)
{
    const int pair = blockIdx.x / splits * SLOTS_PAIRS;
    const int part = blockIdx.x % splits, steps = r.k / SLOTS_DEEP;
    const int first = pair * r.step;

    return {pair, first, first + (r.apart == 1 ? (int)WGMMA_HIGH : r.apart),
            steps * part / splits, steps * (part + 1) / splits};
}

/* The thread that asks. */
template <class F>
static __device__ __forceinline__ void
slots_ask(const slots &r, const CUtensorMap *w_map, const CUtensorMap *x_map,
          const slots_share &mine)
{
    const uint64_t once = ptx_evict_first(), keep = ptx_evict_normal();
    const int steps = mine.end - mine.begin;

    // ANCHOR: ask
    const auto weights = [&](int i) {
        const int s = i % F::STAGES, k = (mine.begin + i) * SLOTS_DEEP;
        char *const to = r.w + s * F::W_BYTES;

        ptx_mbar_expect(&r.full[s], F::W_BYTES + F::X_BYTES);
        ptx_tile_load(to, w_map, k, mine.first, &r.full[s], once);
        ptx_tile_load(to + SLOTS_BOX, w_map, k, mine.second, &r.full[s], once);
    };
    const auto vectors = [&](int i) {
        const int s = i % F::STAGES, k = (mine.begin + i) * SLOTS_DEEP;

        ptx_tile_load(r.x + s * F::X_BYTES, x_map, k, 0, &r.full[s], keep);
    };
    const int early = min(steps, (int)F::STAGES);

    for (int i = 0; i < early; i++)
        weights(i);
    ptx_wait_for_last_kernel(); /* vectors are its output */
    for (int i = 0; i < early; i++)
        vectors(i);
    for (int i = early; i < steps; i++) {
        ptx_mbar_wait(&r.empty[i % F::STAGES], (i / F::STAGES & 1) ^ 1);
        weights(i);
        vectors(i);
    }
    // ANCHOR_END: ask
}

/* A warp group: its 64 rows of all slots, and its sums to shared memory. */
template <class F>
static __device__ __forceinline__ void slots_multiply(const slots &r, int steps)
{
    const int group = threadIdx.x / WGMMA_GROUP, lane = threadIdx.x % WARP;
    const int row = threadIdx.x / WARP * 16 + lane / 4;
    float sum[F::SUMS], *const part = (float *)r.w;

    // ANCHOR: inner
    for (int i = 0; i < steps; i++) {
        const int s = i % F::STAGES;

        ptx_mbar_wait(&r.full[s], i / F::STAGES & 1);
        const uint64_t wt =
            wgmma_tile(r.w + s * F::W_BYTES + group * SLOTS_BOX);
        const uint64_t xt = wgmma_tile(r.x + s * F::X_BYTES);

        wgmma_begin();
#pragma unroll
        for (int j = 0; j < SLOTS_DEEP / WGMMA_DEEP; j++)
            wgmma_bf16(sum, wgmma_along(wt, j), wgmma_along(xt, j),
                       i > 0 || j > 0);
        wgmma_commit();
        wgmma_wait<0>();
        if (lane == 0)
            ptx_mbar_arrive(&r.empty[s]);
    }
    // ANCHOR_END: inner
    ptx_sync_some(1, SLOTS_MULTIPLY); /* nobody needs the slots any more */
#pragma unroll
    for (int j = 0; j < F::SUMS; j++)
        part[(j / 4 * 8 + lane % 4 * 2 + j % 2) * SLOTS_PITCH + row +
             j / 2 % 2 * 8] = sum[j];
}

/* Four neighbours of each of two places, added up over the cluster. */
static __device__ __forceinline__ void
slots_add(float (&sum)[2][4], const float *at, int second, int splits)
{
    for (int from = 0; from < splits; from += SLOTS_AT_ONCE) {
        float4 v[SLOTS_AT_ONCE][2] = {};

#pragma unroll
        for (int b = 0; b < SLOTS_AT_ONCE; b++)
            if (from + b < splits) {
                v[b][0] = cluster_load((const float4 *)at, from + b);
                v[b][1] = cluster_load((const float4 *)(at + second), from + b);
            }
#pragma unroll
        for (int b = 0; b < SLOTS_AT_ONCE; b++)
#pragma unroll
            for (int i = 0; i < 2; i++) {
                sum[i][0] += v[b][i].x;
                sum[i][1] += v[b][i].y;
                sum[i][2] += v[b][i].z;
                sum[i][3] += v[b][i].w;
            }
    }
}

/* What is done to vectors in front of a product: nothing. */
struct slots_given {
    __device__ void begin(int) const
    {
    }
    __device__ float factor(int) const
    {
        return 1;
    }
};

/* end(), and what a half of a warp leaves of a vector's 64 pairs, tile number
 * `tile`, if that exists. Here nothing; other ENDs have functions of their own.
 */
template <class END>
static __device__ __forceinline__ float
slots_call(const END &end, int token, int pair, float first, float second)
{
    end(token, pair, first, second);
    return 0;
}

template <class END>
static __device__ __forceinline__ void slots_leave(const END &, int, int, float,
                                                   bool)
{
}

/* All threads of the cluster: end() for all pairs of its rows. Block i has
 * vectors i, i + splits and so on. */
template <class NORM, class END>
static __device__ __forceinline__ void
slots_end(const product_rows &r, const float *part, int b, int pair, int splits,
          const NORM &norm, const END &end)
{
    const int rank = cluster_rank(), pairs = r.n / 2;
    const bool near = r.apart == 1; /* neighbours are a pair */

    cluster_sync(); /* all sums are there */
    /* a warp has two vectors at a time, of which the second may be missing */
    for (int i = threadIdx.x; rank + i / WARP * 2 * splits < b;
         i += SLOTS_THREADS) {
        const int token = rank + i / SLOTS_QUADS * splits;
        const int quad = i % SLOTS_QUADS * 4;
        const float *const at =
            part + token * SLOTS_PITCH + (near ? 2 * quad : quad);
        float s[2][4] = {}, left = 0;

        if (token < b) {
            slots_add(s, at, near ? 4 : (int)SLOTS_PAIRS, splits);
            const float by = norm.factor(token);

#pragma unroll
            for (int p = 0; p < 4; p++)
                if (pair + quad + p < pairs)
                    left += slots_call(
                        end, token, pair + quad + p,
                        by * (near ? s[p / 2][p % 2 * 2] : s[0][p]),
                        by * (near ? s[p / 2][p % 2 * 2 + 1] : s[1][p]));
        }
        slots_leave(end, token, pair / SLOTS_PAIRS, left, token < b);
    }
    cluster_sync(); /* nobody reaches into another block any more */
}

/* What all threads of a block do: the sums of 64 pairs for all b vectors, and
 * end(token, pair, first, second) for each. `splits` blocks in a row, a
 * cluster, share k; `raw` is the block's shared memory. */
template <class F, class NORM, class END>
static __device__ __forceinline__ void
slots_block(const product_rows &r, int b, int splits, const CUtensorMap *w_map,
            const CUtensorMap *x_map, const NORM &norm, const END &end,
            char *raw)
{
    ptx_next_kernel_may_start();
    const slots_share mine = slots_mine(r, splits);
    const slots ring = slots_in<F>(raw);

    if (threadIdx.x == SLOTS_MULTIPLY) {
        slots_ask<F>(ring, w_map, x_map, mine);
    } else if (threadIdx.x < SLOTS_MULTIPLY) {
        norm.begin(b);
        slots_multiply<F>(ring, mine.end - mine.begin);
    }
    ptx_wait_for_last_kernel(); /* it may still read what `end` writes */
    slots_end(r, (const float *)ring.w, b, mine.pair, splits, norm, end);
}

/* ---- the host's side ---- */

/* How blocks start: `of` of them are a cluster. */
struct slots_start {
    dim3 grid;
    int of, threads, shared;
};

/* A launch configuration before the kernel before has ended; `with` is its
 * memory. */
static inline cudaLaunchConfig_t slots_config(const slots_start &how,
                                              cudaStream_t stream,
                                              cudaLaunchAttribute (&with)[2])
{
    cudaLaunchConfig_t config = {};

    with[0].id = cudaLaunchAttributeClusterDimension;
    with[0].val.clusterDim.x = how.of;
    with[0].val.clusterDim.y = 1;
    with[0].val.clusterDim.z = 1;
    with[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with[1].val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = how.grid;
    config.blockDim = dim3(how.threads);
    config.dynamicSmemBytes = how.shared;
    config.stream = stream;
    config.attrs = with;
    config.numAttrs = 2;
    return config;
}

/* Lets a kernel have so much shared memory for a block, and as much as there is
 * for an SM. Kernels of a step all ask for that: an SM may have to be empty
 * before it divides its memory anew, and then blocks could not come in early.
 */
template <class KERNEL> static int slots_room(KERNEL *kernel, int bytes)
{
    const int rc = cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);

    return rc ? rc
              : cudaFuncSetAttribute(
                    kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                    cudaSharedmemCarveoutMaxShared);
}

/* Into how many pieces k is cut: as many as the GPU runs at the same time. */
template <class KERNEL>
static int slots_splits(KERNEL *kernel, slots_start how, int tiles, int steps)
{
    const int most = min(steps / SLOTS_FEW, (int)SLOTS_CLUSTER);

    for (how.of = most; how.of > 1; how.of--) {
        cudaLaunchAttribute with[2] = {};
        int fit = 0;

        how.grid = dim3(tiles * how.of);
        cudaLaunchConfig_t config = slots_config(how, NULL, with);

        config.numAttrs = 1;
        if (cudaOccupancyMaxActiveClusters(&fit, kernel, &config) == 0 &&
            fit >= tiles)
            return how.of;
    }
    return 1;
}

/* Starts a kernel whose blocks do slots_block<F>(). */
template <class F, class KERNEL, class NORM, class END>
static int slots_launch(const chain &x, KERNEL *kernel, const product_rows &r,
                        const NORM &norm, const END &end)
{
    const int tiles = (r.n / 2 + SLOTS_PAIRS - 1) / SLOTS_PAIRS;
    slots_start how = {dim3(), 1, SLOTS_THREADS, F::SHARED};
    cudaLaunchAttribute with[2] = {};
    CUtensorMap w, v;

    if (tensor_map_make<uint16_t>(&w, r.w, r.n, r.k, WGMMA_HIGH) ||
        tensor_map_make<uint16_t>(&v, r.x, x.m.s.b, r.k, F::WIDE))
        return cudaErrorInvalidValue;

    const int rc = slots_room(kernel, F::SHARED);

    if (rc)
        return rc;
    how.of = slots_splits(kernel, how, tiles, r.k / SLOTS_DEEP);
    how.grid = dim3(tiles * how.of);

    const cudaLaunchConfig_t config = slots_config(how, x.stream, with);

    return cudaLaunchKernelEx(&config, kernel, r, x.m.s.b, how.of, w, v, norm,
                              end);
}

#endif
