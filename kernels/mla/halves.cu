/*
 * mla/halves - warp groups multiply, each with half of the columns, and the TMA
 * brings tiles.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * wgmma multiplies 64 heads by 64 keys straight from shared memory, at twice
 * the rate of mma.sync. A warp group can hold 64 heads by 256 columns of sums,
 * so two of them share the columns, as the warps of mla/online do. Each group
 * makes all scores for itself, and its weights stay in registers.
 *
 * Keys and values are two tiles, as in any attention: 72 KB and 64 KB of the
 * same rows. With the queries that fills the SM, so there is one slot for each,
 * and who multiplies waits for its next tile.
 *
 * Predicts: latency is the limit. Products take 3328 cycles of the tensor cores
 * a tile, of which 1152 are for scores that are made twice. Then 136 KB have to
 * come, some 3500 cycles. 160 to 260 TFLOP/s with 128 sequences of 8192 keys
 * and 128 heads.
 */
#include "kernels/mla/tiles.cuh"

struct barriers {
    uint64_t q, keys, values;
};

enum {
    SLOTS_END = 2 * TILE + OF_VALUES * PANEL_BYTES,
    SHARED = SLOTS_END + sizeof(barriers) + TENSOR_MAP_ALIGN,
};

static __global__ void __launch_bounds__(TOGETHER, 1)
    halves(struct absorbed a, const __grid_constant__ maps m)
{
    extern __shared__ char raw[];
    char *const q = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    char *const k = q + TILE, *const v = k + TILE;
    barriers &b = *(barriers *)(q + SLOTS_END);
    const struct share w = share_of(a, blockIdx.y, blockIdx.x);
    const int keys = uniform(a.where[w.sequence]), first = w.sequence * a.l;
    const int group = group_of_thread();
    const auto ask = [&](int i) {
        if (threadIdx.x != 0 || i * KEYS >= keys)
            return;
        ask_tile(k, m, first + i * KEYS, PANELS, &b.keys);
        ask_tile(v, m, first + i * KEYS, OF_VALUES, &b.values);
    };
    live x;

    if (threadIdx.x == 0) {
        ptx_mbar_init(&b.q, 1);
        ptx_mbar_init(&b.keys, 1);
        ptx_mbar_init(&b.values, 1);
        ptx_mbar_init_fence();
        ask_queries(q, m, a, w, &b.q);
    }
    __syncthreads(); /* the barriers are ready */
    ask(0);
    live_begin(x);
    ptx_mbar_wait(&b.q, 0);
    // ANCHOR: inner
    for (int i = 0; i * KEYS < keys; i++) {
        const int left = keys - i * KEYS;

        ptx_mbar_wait(&b.keys, i & 1);
        wgmma_begin();
        start_scores(x, q, k, 0, PANELS, false);
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_landed(x.s);
        soften_tile(x, a.scale, left);
        ptx_mbar_wait(&b.values, i & 1);
        if (left < KEYS) {
            clear(v, left, threadIdx.x, TOGETHER);
            __syncthreads(); /* zeros are there */
        }
        wgmma_begin();
        start_values(x, x.p, v, group);
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_landed(x.o);
        __syncthreads(); /* both groups are done with the tiles */
        ask(i + 1);
    }
    // ANCHOR_END: inner
    put_live(a, w, x);
}

extern "C" const char *mla_halves_prepare(const struct kernel_case *c,
                                          const struct kernel_env *,
                                          void *const *buf, void **state)
{
    return open_for(halves, SHARED, c, buf, state);
}

extern "C" int mla_halves(const struct kernel_case *c,
                          const struct kernel_env *env, void *const *buf,
                          void *state)
{
    const struct absorbed a = absorbed_of(c, buf);

    halves<<<dim3(shares_of(a), a.b), TOGETHER, SHARED,
             (cudaStream_t)env->stream>>>(a, *(const maps *)state);
    return cudaGetLastError();
}

extern "C" void mla_release(void *state)
{
    free(state);
}
