/*
 * gemm16/roles - one warp asks for tiles, and the others only multiply.
 *
 * C[i][j] = Σ_k A[i][k] B[j][k].
 *
 * In gemm16/ring all threads meet once a step, so that one of them knows that a
 * slot is free. Here a slot has a second barrier, `empty`: each warp says
 * there for itself that its products are done. A warp of its own waits for that
 * and asks for the next tile. The groups never wait for each other, and one may
 * be a tile ahead.
 *
 * And a group lets its products overlap: it starts those of a tile before it
 * waits for those of the tile before.
 *
 * Predicts: 1.15 times gemm16/ring.
 */
#include "kernels/gemm16/product.cuh"

enum {
    SIDE = 128, /* outputs of a block in each direction */
    DEEP = 64,  /* of k at a time: a row of a TMA tile */
    STAGES = 3, /* slots: two blocks fit an SM */
    GROUPS = SIDE / WGMMA_HIGH,
    WARPS = GROUPS * WGMMA_GROUP / WARP, /* that multiply */
    THREADS = GROUPS * WGMMA_GROUP + WARP,
    BYTES = SIDE * TENSOR_MAP_PANEL, /* of a tile of A, and of B */
    SHARED = STAGES * 2 * BYTES + TENSOR_MAP_ALIGN,
};

/* Shared memory: the slots and their barriers. */
struct slots {
    char *a, *b;
    uint64_t *full, *empty;
};

/* The thread that asks: for all tiles of the block, as slots come free. */
static __device__ void fetch(slots r, const CUtensorMap *a_map,
                             const CUtensorMap *b_map, int top, int left,
                             int steps)
{
    const uint64_t keep = ptx_evict_normal();

    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;

        ptx_mbar_wait(&r.empty[s], (step / STAGES & 1) ^ 1);
        ptx_mbar_expect(&r.full[s], 2 * BYTES);
        ptx_tile_load(r.a + s * BYTES, a_map, step * DEEP, top, &r.full[s],
                      keep);
        ptx_tile_load(r.b + s * BYTES, b_map, step * DEEP, left, &r.full[s],
                      keep);
    }
}

/* A warp group: its 64 rows of all tiles. */
static __device__ __forceinline__ void multiply(float (&sum)[SIDE / 2], slots r,
                                                int group, int steps)
{
    const bool first = threadIdx.x % WARP == 0; /* of each warp */

    // ANCHOR: inner
    for (int step = 0; step < steps; step++) {
        const int s = step % STAGES;

        ptx_mbar_wait(&r.full[s], step / STAGES & 1);
        const uint64_t at =
            wgmma_tile(r.a + s * BYTES + group * WGMMA_HIGH * TENSOR_MAP_PANEL);
        const uint64_t bt = wgmma_tile(r.b + s * BYTES);

        wgmma_begin();
#pragma unroll
        for (int i = 0; i < DEEP / WGMMA_DEEP; i++)
            wgmma_bf16(sum, wgmma_along(at, i), wgmma_along(bt, i),
                       step > 0 || i > 0);
        wgmma_commit();
        wgmma_wait<1>(); /* the products of the step before are done */
        if (first && step > 0)
            ptx_mbar_arrive(&r.empty[(step - 1) % STAGES]);
    }
    wgmma_wait<0>();
    // ANCHOR_END: inner
}

static __global__ void __launch_bounds__(THREADS, 2)
    roles(struct product p, const __grid_constant__ CUtensorMap a_map,
          const __grid_constant__ CUtensorMap b_map)
{
    extern __shared__ char raw[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    char *const a = raw + (-ptx_smem(raw) & (TENSOR_MAP_ALIGN - 1));
    const slots r = {a, a + STAGES * BYTES, full, empty};
    const int group = threadIdx.x / WGMMA_GROUP;
    const int top = blockIdx.y * SIDE, left = blockIdx.x * SIDE;
    const int steps = ceil_div(p.k, DEEP);

    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            ptx_mbar_init(&full[s], 1);
            ptx_mbar_init(&empty[s], WARPS);
        }
        ptx_mbar_init_fence();
    }
    __syncthreads(); /* the barriers are ready */
    if (group == GROUPS) {
        if (threadIdx.x % WARP == 0)
            fetch(r, &a_map, &b_map, top, left, steps);
    } else {
        float sum[SIDE / 2];

        multiply(sum, r, group, steps);
        put_sums(p, top + group * WGMMA_HIGH, left, sum);
    }
}

extern "C" const char *gemm16_roles_prepare(const struct kernel_case *c,
                                            const struct kernel_env *,
                                            void *const *buf, void **state)
{
    const struct product p = product_of(c, buf);

    if (cudaFuncSetAttribute(roles, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             SHARED) != cudaSuccess)
        return "the device has too little shared memory for the ring";
    return maps_open(&p, SIDE, SIDE, 0, state);
}

extern "C" int gemm16_roles(const struct kernel_case *c,
                            const struct kernel_env *env, void *const *buf,
                            void *state)
{
    const struct product p = product_of(c, buf);
    const struct maps *m = (const struct maps *)state;

    if (m == NULL)
        return gemm16_mma(c, env, buf, NULL);
    roles<<<dim3(ceil_div(p.n, SIDE), ceil_div(p.m, SIDE)), THREADS, SHARED,
            (cudaStream_t)env->stream>>>(p, m->a, m->b);
    return cudaGetLastError();
}
