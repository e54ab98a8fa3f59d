/*
 * mla/kept - a tile of keys stays, and is the values, too.
 *
 * o = softmax(scale q K') V for each head of each sequence.
 *
 * mla/halves fetches each row twice: as a key, and its first 512 elements as a
 * value. But they are the same bytes, and the tensor cores read them either
 * way: row by row for the scores, and turned for the sums. So a tile is 72 KB
 * in place of 136, and there is room for two. While one is multiplied, the next
 * is on its way. A warp group of its own asks for it, and a slot has a barrier
 * where warps say that they are done, as in prefill/roles.
 *
 * Predicts: tensor cores are the limit, busy with 3328 cycles a tile, of which
 * 2176 count. 330 to 470 TFLOP/s with 128 sequences of 8192 keys and 128 heads.
 */
#include "kernels/mla/tiles.cuh"

enum { SLOTS = 2, THREADS = TOGETHER + WGMMA_GROUP };

struct barriers {
    uint64_t q, full[SLOTS], empty[SLOTS];
};

enum {
    SLOTS_END = (1 + SLOTS) * TILE,
    SHARED = SLOTS_END + sizeof(barriers) + TENSOR_MAP_ALIGN,
};

static __device__ __forceinline__ void barriers_init(barriers &b)
{
    ptx_mbar_init(&b.q, 1);
    for (int s = 0; s < SLOTS; s++) {
        ptx_mbar_init(&b.full[s], 1);
        ptx_mbar_init(&b.empty[s], GROUPS * WARPS);
    }
    ptx_mbar_init_fence();
}

// ANCHOR: inner
/* A group: all keys of the sequence. */
static __device__ __forceinline__ void
multiply(live &x, char *q, barriers &b, float scale, int keys, int group)
{
    for (int i = 0; i * KEYS < keys; i++) {
        const int left = keys - i * KEYS, slot = i % SLOTS;
        char *const tile = q + (1 + slot) * TILE;

        ptx_mbar_wait(&b.full[slot], i / SLOTS & 1);
        if (left < KEYS) {
            clear(tile, left, threadIdx.x, TOGETHER);
            ptx_sync_some(ALL_MULTIPLY, TOGETHER); /* zeros are there */
        }
        wgmma_begin();
        start_scores(x, q, tile, 0, PANELS, false);
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_landed(x.s);
        soften_tile(x, scale, left);
        wgmma_begin();
        start_values(x, x.p, tile, group);
        wgmma_commit();
        wgmma_wait<0>();
        wgmma_landed(x.o);
        done_with(&b.empty[slot]);
    }
}
// ANCHOR_END: inner

static __global__ void __launch_bounds__(THREADS, 1)
    kept(struct absorbed a, const __grid_constant__ maps m)
{
    extern __shared__ char raw[];
    char *const q = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    barriers &b = *(barriers *)(q + SLOTS_END);
    const struct share w = share_of(a, blockIdx.y, blockIdx.x);
    const int keys = uniform(a.where[w.sequence]), group = group_of_thread();

    if (threadIdx.x == 0)
        barriers_init(b);
    __syncthreads(); /* the barriers are ready */
    if (group == GROUPS) {
        wgmma_give_registers<FEW>();
        if (threadIdx.x % WGMMA_GROUP != 0)
            return;
        ask_queries(q, m, a, w, &b.q);
        for (int i = 0; i * KEYS < keys; i++) {
            const int slot = i % SLOTS;

            ptx_mbar_wait(&b.empty[slot], (i / SLOTS & 1) ^ 1);
            ask_tile(q + (1 + slot) * TILE, m, w.sequence * a.l + i * KEYS,
                     PANELS, &b.full[slot]);
        }
        return;
    }
    live x;

    wgmma_take_registers<MANY>();
    live_begin(x);
    ptx_mbar_wait(&b.q, 0);
    multiply(x, q, b, a.scale, keys, group);
    put_live(a, w, x);
}

extern "C" const char *mla_kept_prepare(const struct kernel_case *c,
                                        const struct kernel_env *,
                                        void *const *buf, void **state)
{
    return open_for(kept, SHARED, c, buf, state);
}

extern "C" int mla_kept(const struct kernel_case *c,
                        const struct kernel_env *env, void *const *buf,
                        void *state)
{
    const struct absorbed a = absorbed_of(c, buf);

    kept<<<dim3(shares_of(a), a.b), THREADS, SHARED,
           (cudaStream_t)env->stream>>>(a, *(const maps *)state);
    return cudaGetLastError();
}
