/*
 * grouped/gather - tokens are fetched from where they stand.
 *
 * C[i][j] = Σ_k A[row[i]][k] B[g][j][k], where row i belongs to expert g.
 *
 * grouped/pick copies tokens before it multiplies them. But a tile needs them
 * in shared memory only, and there they can come from anywhere. The TMA of
 * Hopper cannot be told so: a tile of it is rows in a row. So threads fetch
 * tokens with cp.async, 16 bytes each, and put them where the TMA would have:
 * chunk j of row i at place j ^ (i mod 8).
 *
 * A warp group does nothing else. Eight threads fetch a row's 128 bytes of a
 * slot, and a thread is ahead of itself by AHEAD slots: it starts the copies of
 * one, waits for those of AHEAD slots ago, and says that these have come. What
 * threads wrote is not yet seen by the tensor cores, which read shared memory
 * as the TMA does. That takes a fence (ptx_fence_async) in each thread that
 * wrote. The first thread asks the TMA for the weights, too.
 *
 * Predicts: at least as fast as grouped/pick, 1.1 times it for 4096 tokens.
 */
#include "kernels/grouped/few.cuh"

enum {
    FETCH = WGMMA_GROUP,                 /* threads that fetch */
    ROW_THREADS = TENSOR_MAP_PANEL / 16, /* of them, for a row */
    ROWS_AT_ONCE = FETCH / ROW_THREADS,  /* of a slot */
    ROWS_EACH = MOST / ROWS_AT_ONCE,     /* of a thread, at most */
    AHEAD = 4,                           /* slots */
    THREADS = MULTIPLY + FETCH,
};

/* The tokens that a thread fetches of a tile: an element of the first chunk;
 * -1: zeros. */
struct mine {
    int64_t at[ROWS_EACH];
};

static __device__ __forceinline__ mine tokens_of(const struct experts &x,
                                                 const int *row, const tile &w,
                                                 int thread)
{
    mine m;

#pragma unroll
    for (int q = 0; q < ROWS_EACH; q++) {
        const int i = w.top + thread / ROW_THREADS + q * ROWS_AT_ONCE;

        m.at[q] = i < w.end ? (int64_t)row[i] * x.k : -1;
    }
    return m;
}

/* Starts a thread's copies for a slot: `tokens` rows, from k on. */
static __device__ __forceinline__ void copy_tokens(char *to,
                                                   const struct experts &x,
                                                   const mine &m, int tokens,
                                                   int k, int thread)
{
    const int chunk = thread % ROW_THREADS, from = k + chunk * WIDTH;

    // ANCHOR: copy
#pragma unroll
    for (int q = 0; q < ROWS_EACH; q++) {
        const int i = thread / ROW_THREADS + q * ROWS_AT_ONCE;
        const bool inside = m.at[q] >= 0 && from < x.k;

        if (i < tokens)
            ptx_copy_16(to + i * TENSOR_MAP_PANEL + (chunk ^ i % 8) * 16,
                        x.a + (inside ? m.at[q] + from : 0), inside);
    }
    // ANCHOR_END: copy
}

/* The threads that fetch: the slots of all tiles, as they come free. */
static __device__ void fetch(const slots &r, const CUtensorMap *w_map,
                             const tiles &t, const struct experts &x,
                             const int *row)
{
    const int thread = threadIdx.x - MULTIPLY;
    const uint64_t keep = ptx_evict_normal(), once = ptx_evict_first();
    int i = 0; /* slots filled, over all tiles */

    // ANCHOR: fetch
    for_each_tile(t, x, [&](const tile &w) {
        const int tokens = 8 << size_for(w.end - w.top);
        const mine m = tokens_of(x, row, w, thread);

        for (int k = 0; k < x.k; k += DEEP, i++) {
            const int s = i % STAGES;

            ptx_mbar_wait(&r.empty[s], (i / STAGES & 1) ^ 1);
            if (thread == 0) {
                ptx_mbar_expect(&r.full[s], W_BYTES);
                ptx_tile_load(r.w + s * W_BYTES, w_map, k, w.g * x.n + w.left,
                              &r.full[s], w.alone ? once : keep);
            }
            copy_tokens(r.x + s * X_BYTES, x, m, tokens, k, thread);
            ptx_copies_commit();
            if (i >= AHEAD) {
                ptx_copies_wait<AHEAD>();
                ptx_fence_async();
                ptx_mbar_arrive(&r.full[(i - AHEAD) % STAGES]);
            }
        }
    });
    ptx_copies_wait<0>();
    ptx_fence_async();
    for (int left = min(i, (int)AHEAD); left > 0; left--)
        ptx_mbar_arrive(&r.full[(i - left) % STAGES]);
    // ANCHOR_END: fetch
}

static __global__ void __launch_bounds__(THREADS, 1)
    gathering(struct experts x, const int *row,
              const __grid_constant__ CUtensorMap w_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ tiles t;
    const slots r = slots_in(raw, full, empty);

    if (threadIdx.x == 0)
        slots_init(r, 1 + FETCH);
    tiles_number(t, x, MOST, ceil_div(x.n, HIGH));
    __syncthreads(); /* barriers and numbers are ready */
    if (threadIdx.x >= MULTIPLY)
        fetch(r, &w_map, t, x, row);
    else
        compute(r, t, x, threadIdx.x / WGMMA_GROUP);
}

extern "C" const char *grouped_gather_prepare(const struct kernel_case *c,
                                              const struct kernel_env *,
                                              void *const *buf, void **state)
{
    const struct experts x = experts_of(c, buf);
    const char *const why = experts_allow(gathering, SHARED);

    return why != NULL ? why
                       : experts_open(x, x.a, (int)kernel_num(c, "t"), HIGH,
                                      HIGH, 0, state);
}

extern "C" int grouped_gather(const struct kernel_case *c,
                              const struct kernel_env *env, void *const *buf,
                              void *state)
{
    const struct expert_maps *m = (const struct expert_maps *)state;

    gathering<<<env->sms, THREADS, SHARED, (cudaStream_t)env->stream>>>(
        experts_of(c, buf), (const int *)buf[4], m->b);
    return cudaGetLastError();
}
